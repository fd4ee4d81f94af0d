//! The integral for any losses, by distributions on a lattice above and below theirs.

use crate::pld::{
    integrate::{
        lattice_sum::{LatticeSum, MOST_LATTICE},
        saddle_point::{ROOM, plan},
    },
    loss::{
        discretize::{discretize, span, wanted_step},
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
const ENOUGH: f64 = 1e-5;
/// The goal of the sums, of which a grid is never as near: what wraps around takes less room.
const GOAL: f64 = 20.0;
/// All losses beyond the grids together may have a probability of e to minus this, in parts of delta; where that is
/// unknown they are given up to so much.
const SPARE: f64 = 30.0;
const LEAST_SPARE: f64 = -690.0;

impl Discretized {
    pub(crate) fn new(losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Self> {
        let plan = plan(&Estimate::new(losses), epsilon, GOAL, known)?;
        let count: f64 = losses.iter().map(|(_, count)| number(*count)).sum();
        let spare = (plan.estimate - count.ln() - SPARE).max(LEAST_SPARE);
        let by = |coarser: u32| {
            Self::near(losses, (epsilon, known), spare, grid_step(losses, plan.period, (spare, coarser))?)
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
    fn near(losses: &FiniteLosses, (epsilon, known): (f64, f64), spare: f64, mut step: Rational) -> Option<Self> {
        // What is put on a coarse grid may need a longer period than what it stands for.
        for _ in 0..6 {
            if let Some(found) = Self::by(losses, (epsilon, known), spare, &step) {
                return Some(found);
            }
            step *= 2u32;
        }
        None
    }

    fn by(losses: &FiniteLosses, (epsilon, known): (f64, f64), spare: f64, step: &Rational) -> Option<Self> {
        let (mut above, mut below, mut beyond) = (Vec::new(), Vec::new(), Above::ZERO);
        for (loss, count) in losses {
            let found = discretize(loss, step, spare)?;
            beyond += Above::promised(found.beyond) * number(*count);
            above.push((FiniteLoss::Lattice(found.above), *count));
            below.push((FiniteLoss::Lattice(found.below), *count));
        }
        let sum = |laws: &FiniteLosses| LatticeSum::to(GOAL, laws, epsilon, known);
        Some(Self { above: sum(&above)?, below: sum(&below)?, beyond })
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
fn grid_step(losses: &FiniteLosses, period: f64, (spare, coarser): (f64, u32)) -> Option<Rational> {
    // Cells of normal distributions take some microseconds each, those of large mixtures more.
    let shares = losses.iter().map(|(loss, _)| match loss {
        FiniteLoss::Gaussian { .. } | FiniteLoss::Sampled(_) | FiniteLoss::FixedSize(_) => 4,
        FiniteLoss::ByTails(law) => law.cost().div_ceil(16).saturating_mul(4),
        FiniteLoss::Exponential(_) | FiniteLoss::Lattice(_) | FiniteLoss::Loose(_) => 1,
    });
    let most = f64::from(MOST_LATTICE / shares.max().unwrap_or(1));
    let widest = losses.iter().map(|(loss, _)| span(loss, spare)).fold(0f64, |most, (low, high)| most.max(high - low));
    let target = (period * MORE_ROOM).max(widest * ROOM) / most * f64::from(coarser);
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
