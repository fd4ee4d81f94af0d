//! Delta of finite losses, whichever road leads to it: the costly part once, then as many epsilons as are asked.

use super::{contour::Contour, gridded::Gridded, lattice_sum::LatticeSum, shape::Shapes};
use indistinct_numeric::enclosure::Bounds;

/// What is known where nothing is.
pub(super) const ANYTHING: Bounds = Bounds { lower: 0.0, upper: 1.0 };

/// The integrand on a line that is right for one epsilon; bounds hold for all, and are as narrow for those nearby.
#[derive(Debug)]
pub(super) enum Integral {
    Lattice(LatticeSum),
    Smooth(Contour),
    Gridded(Box<Gridded>),
    /// Nothing helps.
    None,
}

impl Integral {
    /// `known` is a number that the logarithm of delta is known to be near or below, or 0: it makes the bounds narrow, not true.
    pub(super) fn new(shapes: &Shapes, epsilon: f64, known: f64) -> Self {
        if let Some(lattice) = LatticeSum::new(shapes, epsilon, known) {
            return Self::Lattice(lattice);
        }
        if let Some(smooth) = Contour::new(shapes, epsilon, known) {
            return Self::Smooth(smooth);
        }
        Gridded::new(shapes, epsilon, known).map_or(Self::None, |gridded| Self::Gridded(Box::new(gridded)))
    }

    /// Bounds for one epsilon alone: where they are wide, from a second line for what the first has found, and a grid.
    pub(super) fn once(shapes: &Shapes, epsilon: f64) -> Bounds {
        let first = Self::new(shapes, epsilon, 0.0);
        let (mut found, is_smooth) = (first.delta(epsilon), matches!(first, Self::Smooth(_)));
        // One at a time: a grid takes most of the memory that is promised.
        drop(first);
        if is_smooth && is_wide(found) {
            found = both(found, Self::new(shapes, epsilon, found.upper.ln()).delta(epsilon));
        }
        if is_smooth && is_wide(found) {
            let gridded = Gridded::new(shapes, epsilon, found.upper.ln());
            found = both(found, gridded.and_then(|gridded| gridded.delta(epsilon)).unwrap_or(ANYTHING));
        }
        found
    }

    /// Bounds on `E[(1 - e^(epsilon - L))+]`.
    pub(super) fn delta(&self, epsilon: f64) -> Bounds {
        match self {
            Self::Lattice(lattice) => lattice.delta(epsilon).unwrap_or(ANYTHING),
            Self::Smooth(smooth) => smooth.delta(epsilon),
            Self::Gridded(gridded) => gridded.delta(epsilon).unwrap_or(ANYTHING),
            Self::None => ANYTHING,
        }
    }
}

fn is_wide(bounds: Bounds) -> bool {
    bounds.upper > 0.0 && bounds.upper - bounds.lower > bounds.upper * 1e-4
}

/// What two pairs of bounds say together.
fn both(x: Bounds, y: Bounds) -> Bounds {
    Bounds { lower: x.lower.max(y.lower), upper: x.upper.min(y.upper) }
}
