//! The product of all releases' transforms at the nodes of a contour, less that of what near losses alone have.

use crate::pld::{
    integrate::{
        exponent::total,
        kernel::Kernel,
        power_pair::{power_pair, precise_power_pair, times},
        separable::Separable,
    },
    loss::{
        complex::{Complex, PreciseComplex},
        finite_loss::number,
        truncation::Truncation,
    },
    transform::{cut_fixed_size::PreciseParts, nodes::Nodes, off_axis::BulkAndTail},
};
use indistinct_numeric::{
    Above,
    enclosure::{Ball, ComplexBall, Enclosure, Interval},
};

/// Releases of one kind.
pub(crate) struct Kind<L: Separable> {
    pub(crate) law: L,
    pub(crate) count: u64,
    pub(crate) near: Truncation,
    /// About the logarithm of the moment generating function at the base point.
    pub(crate) log_normalizer: f64,
    pub(crate) large: L::Large,
}

/// Logarithms of small errors for what is near and what is large of one release, from a kind's number.
pub(crate) type Goals<'a> = &'a dyn Fn(f64) -> (f64, f64);

/// The difference at all nodes, over the log_normalizer.
pub(crate) struct Difference {
    pub(crate) values: Vec<ComplexBall>,
    pub(crate) log_normalizer: Interval<192>,
    /// By how much more all are at the base point than they are about, as a logarithm, and less.
    pub(crate) excess: Above,
    pub(crate) less: Above,
    /// Of each kind, for what is reckoned to more digits.
    near_tails: Vec<Option<f64>>,
}

/// The difference at the first nodes times the kernel of a contour, to many digits.
pub(crate) struct PreciseDifference {
    pub(crate) values: Vec<PreciseComplex>,
    pub(crate) log_normalizer: Interval<192>,
}

impl Difference {
    /// To the first of these goals that is met for each; none where that takes too much work.
    pub(crate) fn new<L: Separable>(kinds: &[Kind<L>], nodes: &Nodes, goals: &[Goals]) -> Option<Self> {
        let length = usize::try_from(nodes.count).ok()?;
        let mut logarithms = Vec::new();
        let mut found = Self {
            values: Vec::new(),
            log_normalizer: total(&[]),
            excess: Above::ZERO,
            less: Above::ZERO,
            near_tails: Vec::new(),
        };
        let mut product: Option<(Vec<ComplexBall>, Vec<ComplexBall>)> = None;
        for Kind { law, count, near, log_normalizer, large } in kinds {
            let times_all = number(*count);
            let to = |goals: &Goals| law.parts(*near, nodes, (*log_normalizer, goals(times_all)), (large, *count));
            let BulkAndTail { base, near_tail, bulk_less_one: mut bulk, mut tail } = goals.iter().find_map(to)?;
            if tail.len() != length || bulk.len() != length {
                return None;
            }
            let whole = ComplexBall::ONE.add(bulk.first()?).add(tail.first()?);
            found.excess += (Above::of(&base) * whole.modulus() - 1.0).max(Above::ZERO) * times_all;
            let log_base = base.ln();
            found.less += Above::of(&Ball::exact(0.0).sub(&log_base)) * times_all;
            logarithms.extend([(Ball::exact(*log_normalizer), *count), (log_base, *count)]);
            found.near_tails.push(near_tail);
            // Powers of what is a little above 1, in place of it.
            for (bulk, tail) in bulk.iter_mut().zip(&mut tail) {
                (*bulk, *tail) = power_pair((*bulk, *tail), *count);
            }
            if let Some((powers, differences)) = &mut product {
                let others = bulk.iter().zip(&tail);
                for ((power, difference), (bulk, tail)) in powers.iter_mut().zip(differences).zip(others) {
                    (*power, *difference) = times((*power, *difference), (*bulk, *tail));
                }
            } else {
                product = Some((bulk, tail));
            }
        }
        found.values = product?.1;
        found.log_normalizer = total(&logarithms);
        Some(found)
    }

    /// At the first nodes to many digits, times the kernel; none where that is not known.
    pub(crate) fn precisely<L: Separable>(
        &self,
        kinds: &[Kind<L>],
        nodes: &Nodes,
        goals: Goals,
    ) -> Option<PreciseDifference> {
        let kernel = Kernel::new(nodes.tilt, nodes.period);
        let none = (PreciseComplex::one(), PreciseComplex::zero());
        let (mut logarithms, mut product) = (Vec::new(), vec![none; usize::try_from(nodes.count).ok()?]);
        for (Kind { law, count, near, log_normalizer, large }, near_tail) in kinds.iter().zip(&self.near_tails) {
            let scales = (*log_normalizer, goals(number(*count)));
            let PreciseParts { base, bulk, tail } = law.precise_parts(*near, nodes, scales, (large, (*near_tail)?))?;
            logarithms.extend([(Ball::exact(*log_normalizer), *count), (base.ln(), *count)]);
            for ((product, bulk), tail) in product.iter_mut().zip(&bulk).zip(&tail) {
                *product = times(*product, precise_power_pair((*bulk, *tail), *count));
            }
        }
        let with_kernel = |(n, (_, difference)): (u32, (_, PreciseComplex))| difference.mul(&kernel.precisely(n));
        let values = (0..nodes.count).zip(product).map(with_kernel).collect();
        Some(PreciseDifference { values, log_normalizer: total(&logarithms) })
    }
}
