//! The integral for any losses, by distributions on a lattice above and below theirs.

use crate::pld::{
    integrate::{
        lattice_sum::{LatticeSum, MOST_LATTICE},
        saddle_point::{GOAL, ROOM, plan},
    },
    loss::{
        discretize::{Rounding, discretize, span, wanted_step},
        finite_loss::{FiniteLoss, FiniteLosses, number},
        lattice::{LatticeKind, LatticeLoss, common_step, rational},
    },
    transform::estimate::Estimate,
};
use indistinct_numeric::{Above, enclosure::Bounds, gmp::Rational};

/// Distributions on a lattice above and below those of any losses.
#[derive(Debug)]
pub(crate) struct Discretized {
    above: LatticeSum,
    below: LatticeSum,
    /// A bound on the probability of what is beyond the upper lattice.
    beyond: Above,
}

/// A coarse grid takes a quarter of the time. It does, where its bounds on delta leave less of epsilon open than this,
/// relatively.
const COARSE: u32 = 4;
const ENOUGH: f64 = 5e-7;

impl Discretized {
    pub(crate) fn new(losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Self> {
        let by = |coarser: u32| {
            let step = grid_step(losses, (epsilon, known), coarser)?;
            Self::near(losses, (epsilon, known), step)
        };
        match by(COARSE) {
            Some(coarse) if coarse.open(epsilon) <= ENOUGH * epsilon => Some(coarse),
            coarse => by(1).or(coarse),
        }
    }

    /// How much of epsilon its bounds leave open, about: the fall of the logarithm of delta is about the tilt.
    fn open(&self, epsilon: f64) -> f64 {
        let Some(Bounds { lower, upper }) = self.delta(epsilon) else { return f64::INFINITY };
        if lower > 0.0 { (upper / lower).ln() / self.above.tilt } else { f64::INFINITY }
    }

    /// With a step, or a multiple of it.
    fn near(losses: &FiniteLosses, (epsilon, known): (f64, f64), mut step: Rational) -> Option<Self> {
        // What is put on a coarse grid may need a longer period than what it stands for.
        for _ in 0..6 {
            if let Some(found) = Self::by(losses, (epsilon, known), &step) {
                return Some(found);
            }
            step *= 2u32;
        }
        None
    }

    fn by(losses: &FiniteLosses, (epsilon, known): (f64, f64), step: &Rational) -> Option<Self> {
        let side = |rounding: Rounding| {
            let mut beyond = Above::ZERO;
            let laws = losses.iter().map(|(loss, count)| {
                let discretized = discretize(loss, step, rounding)?;
                beyond += Above::promised(discretized.beyond) * number(*count);
                Some((FiniteLoss::Lattice(discretized.law), *count))
            });
            let laws: Vec<_> = laws.collect::<Option<_>>()?;
            Some((LatticeSum::new(&laws, epsilon, known)?, beyond))
        };
        let (above, beyond) = side(Rounding::Above)?;
        Some(Self { above, below: side(Rounding::Below)?.0, beyond })
    }

    /// Bounds on `E[(1 - e^(epsilon - L))+]`.
    pub(crate) fn delta(&self, epsilon: f64) -> Option<Bounds> {
        let upper = (self.beyond + self.above.delta(epsilon)?.upper).get().min(1.0);
        Some(Bounds { lower: self.below.delta(epsilon)?.lower, upper })
    }
}

/// A grid's period is so many times a contour's: a choice, likewise.
const MORE_ROOM: f64 = 1.25;

/// A step with which the period has some 2^16 points or so many times fewer, a part of the steps that the distributions
/// have already, if they have one in common.
fn grid_step(losses: &FiniteLosses, (epsilon, known): (f64, f64), coarser: u32) -> Option<Rational> {
    let plan = plan(&Estimate::new(losses), epsilon, GOAL, known)?;
    // Cells of normal distributions take some microseconds each.
    let is_normal = |loss: &FiniteLoss| {
        matches!(loss, FiniteLoss::Gaussian { .. } | FiniteLoss::Sampled(_) | FiniteLoss::FixedSize(_))
    };
    let most = f64::from(if losses.iter().any(|(loss, _)| is_normal(loss)) { MOST_LATTICE / 4 } else { MOST_LATTICE });
    let widest = losses.iter().map(|(loss, _)| span(loss)).fold(0f64, |most, (low, high)| most.max(high - low));
    let target = (plan.period * MORE_ROOM).max(widest * ROOM) / most * f64::from(coarser);
    let wishes: Vec<LatticeLoss> = losses
        .iter()
        .filter_map(|(loss, _)| wanted_step(loss))
        .map(|step| LatticeLoss { offset: Rational::new(), step, kind: LatticeKind::Binary { epsilon: 0.0 } })
        .collect();
    let common = common_step(wishes.iter()).map(|(step, _)| step);
    match common.filter(|step| step.to_f64() >= target) {
        Some(step) => {
            let parts = (step.to_f64() / target).floor().clamp(1.0, 1e9);
            Some(step / rational(parts)?)
        }
        // Rounded to a power of two times a few bits.
        None => rational(f64::from_bits((target.to_bits() & !0xffff_ffff_ffff) + (1 << 48))),
    }
}
