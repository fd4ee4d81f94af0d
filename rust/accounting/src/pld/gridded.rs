//! The integral for any losses, by laws on a lattice above and below theirs.

use super::{
    grid::{Rounding, grid, span, wanted_step},
    lattice::{LatticeKind, LatticeLaw, common_step, rational},
    lattice_sum::{LatticeSum, MOST_LATTICE},
    saddle::{GOAL, plan},
    shape::{Shape, Shapes, number},
    table::Looked,
};
use indistinct_numeric::{Rational, enclosure::Bounds};

/// Laws on a lattice above and below those of any losses.
#[derive(Debug)]
pub(super) struct Gridded {
    above: LatticeSum,
    below: LatticeSum,
    /// A bound on the probability of what is beyond the upper lattice.
    beyond: f64,
}

/// A coarse grid takes a quarter of the time. It does, where its bounds on delta leave less of epsilon open than this, relatively.
const COARSE: u32 = 4;
const ENOUGH: f64 = 5e-7;

impl Gridded {
    pub(super) fn new(shapes: &Shapes, epsilon: f64, known: f64) -> Option<Self> {
        let by = |coarser: u32| {
            let step = grid_step(shapes, (epsilon, known), coarser)?;
            Self::near(shapes, (epsilon, known), step)
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
    fn near(shapes: &Shapes, (epsilon, known): (f64, f64), mut step: Rational) -> Option<Self> {
        // What is put on a coarse grid may need a longer period than what it stands for.
        for _ in 0..6 {
            if let Some(found) = Self::by(shapes, (epsilon, known), &step) {
                return Some(found);
            }
            step *= 2u32;
        }
        None
    }

    fn by(shapes: &Shapes, (epsilon, known): (f64, f64), step: &Rational) -> Option<Self> {
        let side = |rounding: Rounding| {
            let mut beyond = 0.0;
            let laws = shapes.iter().map(|(shape, count)| {
                let gridded = grid(shape, step, rounding)?;
                beyond += number(*count) * gridded.beyond;
                Some((Shape::Lattice(gridded.law), *count))
            });
            let laws: Vec<_> = laws.collect::<Option<_>>()?;
            Some((LatticeSum::new(&laws, epsilon, known)?, beyond * 1.000_001))
        };
        let (above, beyond) = side(Rounding::Above)?;
        Some(Self { above, below: side(Rounding::Below)?.0, beyond })
    }

    /// Bounds on `E[(1 - e^(epsilon - L))+]`.
    pub(super) fn delta(&self, epsilon: f64) -> Option<Bounds> {
        let upper = (self.above.delta(epsilon)?.upper + self.beyond).next_up().min(1.0);
        Some(Bounds { lower: self.below.delta(epsilon)?.lower, upper })
    }
}

/// A step with which the period has some 2^16 points or so many times fewer, a part of the steps that the laws have already, if they have one in common.
fn grid_step(shapes: &Shapes, (epsilon, known): (f64, f64), coarser: u32) -> Option<Rational> {
    let plan = plan(&Looked::new(shapes), epsilon, GOAL, known)?;
    // Cells of normal laws take some microseconds each.
    let is_normal = |shape: &Shape| matches!(shape, Shape::Gaussian { .. } | Shape::Sampled(_));
    let most =
        f64::from(if shapes.iter().any(|(shape, _)| is_normal(shape)) { MOST_LATTICE / 4 } else { MOST_LATTICE });
    let widest = shapes.iter().map(|(shape, _)| span(shape)).fold(0f64, |most, (low, high)| most.max(high - low));
    let target = (plan.period * 1.25).max(widest * 1.01) / most * f64::from(coarser);
    let wishes: Vec<LatticeLaw> = shapes
        .iter()
        .filter_map(|(shape, _)| wanted_step(shape))
        .map(|step| LatticeLaw { offset: Rational::new(), step, kind: LatticeKind::Binary { epsilon: 0.0 } })
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
