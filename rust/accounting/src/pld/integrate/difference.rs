//! The product of all releases' transforms at the nodes of a contour, less that of what near losses alone have.

use crate::pld::{
    integrate::kernel::total,
    loss::{finite_loss::number, sampled_gaussian::SampledGaussian, truncation::Truncation},
    transform::{
        nodes::Nodes,
        off_axis::{BulkAndTail, bulk_and_tail},
        tail_bound::TailBound,
    },
};
use indistinct_numeric::{
    Above,
    enclosure::{Ball, ComplexBall, Enclosure, Interval},
};

/// Releases of one kind.
pub(crate) struct Kind {
    pub(crate) law: SampledGaussian,
    pub(crate) count: u64,
    pub(crate) near: Truncation,
    /// About the logarithm of the moment generating function at the base point.
    pub(crate) log_normalizer: f64,
    pub(crate) large: TailBound,
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
}

impl Difference {
    /// To these goals; none where that is not met.
    pub(crate) fn new(kinds: &[Kind], nodes: &Nodes, goals: Goals) -> Option<Self> {
        let length = usize::try_from(nodes.count).ok()?;
        let mut logarithms = Vec::new();
        let mut found = Self { values: Vec::new(), log_normalizer: total(&[]), excess: Above::ZERO, less: Above::ZERO };
        let mut product: Option<(Vec<ComplexBall>, Vec<ComplexBall>)> = None;
        for Kind { law, count, near, log_normalizer, large } in kinds {
            let times_all = number(*count);
            let scales = (*log_normalizer, goals(times_all));
            let BulkAndTail { base, bulk_less_one: mut bulk, mut tail } =
                bulk_and_tail(law, *near, nodes, scales, (large, *count))?;
            if tail.len() != length || bulk.len() != length {
                return None;
            }
            let whole = ComplexBall::ONE.add(bulk.first()?).add(tail.first()?);
            found.excess += (Above::of(&base) * whole.modulus() - 1.0).max(Above::ZERO) * times_all;
            let log_base = base.ln();
            found.less += Above::of(&Ball::exact(0.0).sub(&log_base)) * times_all;
            logarithms.extend([(Ball::exact(*log_normalizer), *count), (log_base, *count)]);
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
}

/// A number x, and by how much a number near it is more, which may be small.
type Pair = (ComplexBall, ComplexBall);

/// Powers of fewer are multiplied up as fast.
const FEW: u64 = 12;

/// `(X^k, (X + D)^k - X^k)` from (X - 1, D), where X less one is known to more digits than X.
pub(crate) fn power_pair(base: Pair, exponent: u64) -> Pair {
    let found = if exponent >= FEW { by_logarithms(base, exponent) } else { None };
    found.unwrap_or_else(|| by_squaring(base, exponent))
}

/// So many of one multiplied, by squaring.
fn repeated<T: Copy>(mut base: T, mut exponent: u64, one: T, times: impl Fn(T, T) -> T) -> T {
    let mut result = one;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        exponent >>= 1;
        if exponent > 0 {
            base = times(base, base);
        }
    }
    result
}

/// `(x y, (x + d) (y + e) - x y)`.
pub(crate) fn times((x, d): Pair, (y, e): Pair) -> Pair {
    (x.mul(&y), x.mul(&e).add(&d.mul(&y.add(&e))))
}

/// `X^k ((1 + D/X)^k - 1)`, or `(X + D)^k - X^k` where `(1 + D/X)^k` is large; none where X or `1 + D/X` is too far
/// from 1.
fn by_logarithms((less_one, difference): Pair, exponent: u64) -> Option<Pair> {
    let (count, ratio) = (number(exponent), difference.mul(&ComplexBall::ONE.add(&less_one).inverse()));
    let (log, more) = (less_one.ln_1p().scale(count), ratio.ln_1p().scale(count));
    let power = log.exp();
    let difference = if more.re > 1.0 { log.add(&more).exp().add(&power.neg()) } else { power.mul(&more.exp_m1()) };
    difference.radius.is_finite().then_some((power, difference))
}

/// By squaring: a power is kept as a product, which is known to more digits where it is small, and as what it is less
/// one; the better is taken.
fn by_squaring((less_one, difference): Pair, exponent: u64) -> Pair {
    type Sharp = (ComplexBall, Pair);
    let times = |(less, (x, d)): Sharp, (other, (y, e)): Sharp| {
        let less_one = less.add(&other).add(&less.mul(&other));
        let (product, one_more) = (x.mul(&y), ComplexBall::ONE.add(&less_one));
        let value = if one_more.radius < product.radius { one_more } else { product };
        (less_one, (value, times((x, d), (y, e)).1))
    };
    let zero = ComplexBall::new(0.0, 0.0, 0.0);
    let base = (less_one, (ComplexBall::ONE.add(&less_one), difference));
    repeated(base, exponent, (zero, (ComplexBall::ONE, zero)), times).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn real(x: f64) -> ComplexBall {
        ComplexBall::new(x, 0.0, 0.0)
    }

    #[test]
    fn powers_of_a_sum_and_their_difference() {
        let truth = 1e-17 * 0.999f64.powi(999);
        let base = (real(-1e-3), real(1e-20));
        for (power, difference) in [by_squaring(base, 1000), by_logarithms(base, 1000).unwrap()] {
            assert!((power.re - 0.999f64.powi(1000)).abs() <= power.radius + 1e-13 && power.radius < 1e-13);
            let off = (difference.re - truth).abs();
            assert!(off <= difference.radius + 1e-13 * truth && difference.radius < 1e-13 * truth, "{difference:?}");
        }
        // Powers that are small to their own digits.
        let (power, _) = by_squaring((real(-0.5), real(0.0)), 100);
        assert!((power.re - 0.5f64.powi(100)).abs() <= power.radius && power.radius < 1e-12 * power.re);
        // What is nothing beside a power of a number near it.
        for exponent in [200.0, 280.0, 350.0, 600.0] {
            let x = exponent / 3_153_119.0;
            let (_, difference) = power_pair((real(-x), real(x)), 3_153_119);
            assert!((difference.re - 1.0).abs() <= difference.radius && difference.radius < 1e-11, "{difference:?}");
        }
        // (4 + 5) (3 + 1) - 4 * 3.
        let (_, two) = times((real(4.0), real(5.0)), power_pair((real(2.0), real(1.0)), 1));
        assert!((two.re - (9.0 * 4.0 - 4.0 * 3.0)).abs() < 1e-12);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// Both ways to a power overlap.
        #[test]
        fn both_ways_agree(
            size in -12f64..-1.6, turn in 0f64..1.0, apart in -20f64..-1.6, angle in 0f64..1.0, exponent in 1f64..30.0,
            radius in -20f64..-10.0,
        ) {
            let ball = |size: f64, turn: f64, radius: f64| {
                let there = ComplexBall::on_circle(turn, 0.0).scale(size);
                ComplexBall::new(there.re, there.im, there.radius + radius * size)
            };
            // Of at most about e^30.
            let count = (2f64.powf(exponent)).min(30.0 * 10f64.powf(-size.max(apart))).max(1.0);
            let exponent = indistinct_numeric::gmp::Rational::from_f64(count.floor()).unwrap().numer().to_u64().unwrap();
            let radius = 10f64.powf(radius);
            let base = (ball(10f64.powf(size), turn, radius), ball(10f64.powf(apart), angle, radius));
            let Some((power, difference)) = by_logarithms(base, exponent) else { return Ok(()) };
            let (other, apart) = by_squaring(base, exponent);
            let overlap = |x: &ComplexBall, y: &ComplexBall| {
                (x.re - y.re).hypot(x.im - y.im) <= (x.radius + y.radius) * (1.0 + 1e-12)
            };
            prop_assert!(overlap(&power, &other), "{power:?} {other:?}");
            prop_assert!(overlap(&difference, &apart), "{difference:?} {apart:?}");
        }
    }
}
