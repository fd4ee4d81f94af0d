//! The integral for any losses, by laws on a lattice above and below theirs.

use super::{
    grid::{Rounding, grid, span, wanted_step},
    lattice::{LatticeKind, LatticeLaw, common_step, rational},
    lattice_sum::{MOST_LATTICE, lattice},
    saddle::plan,
    shape::{Shape, Shapes, number},
};
use indistinct_numeric::{Rational, enclosure::Bounds};

/// Bounds on the same for any losses, from laws on a lattice above and below them; a valid pair of bounds always.
pub(super) fn gridded(shapes: &Shapes, epsilon: f64) -> Bounds {
    let nothing = Bounds { lower: 0.0, upper: 1.0 };
    let Some(mut step) = grid_step(shapes, epsilon) else { return nothing };
    // What is put on a coarse grid may need a longer period than what it stands for.
    for _ in 0..6 {
        if let Some(bounds) = gridded_by(shapes, epsilon, &step) {
            return bounds;
        }
        step *= 2u32;
    }
    nothing
}

fn gridded_by(shapes: &Shapes, epsilon: f64, step: &Rational) -> Option<Bounds> {
    let side = |rounding: Rounding| {
        let mut beyond = 0.0;
        let laws = shapes.iter().map(|(shape, count)| {
            let gridded = grid(shape, step, rounding)?;
            beyond += number(*count) * gridded.beyond;
            Some((Shape::Lattice(gridded.law), *count))
        });
        let laws: Vec<_> = laws.collect::<Option<_>>()?;
        lattice(&laws, epsilon).map(|bounds| (bounds, beyond * 1.000_001))
    };
    let (above, beyond) = side(Rounding::Above)?;
    let lower = side(Rounding::Below)?.0.lower;
    Some(Bounds { lower, upper: (above.upper + beyond).next_up().min(1.0) })
}

/// A step with which the period has some 2^16 points, a part of the steps that the laws have already, if they have one in common.
fn grid_step(shapes: &Shapes, epsilon: f64) -> Option<Rational> {
    let plan = plan(shapes, epsilon)?;
    // Cells of normal laws take some microseconds each.
    let is_normal = |shape: &Shape| matches!(shape, Shape::Gaussian { .. } | Shape::Sampled(_));
    let most =
        f64::from(if shapes.iter().any(|(shape, _)| is_normal(shape)) { MOST_LATTICE / 4 } else { MOST_LATTICE });
    let widest = shapes.iter().map(|(shape, _)| span(shape)).fold(0f64, |most, (low, high)| most.max(high - low));
    let target = (plan.period * 1.25).max(widest * 1.01) / most;
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
