//! Delta of finite losses, whichever road leads to it: the costly part once, then as many epsilons as are asked.

use crate::pld::{
    integrate::{
        contour::Contour, discretized::Discretized, few_fixed_size::FewFixedSize, lattice_sum::LatticeSum,
        smooth::smooth_contour, smoothed::Smoothed,
    },
    loss::finite_loss::FiniteLosses,
};
use indistinct_numeric::enclosure::Bounds;

/// What is known where nothing is.
pub(crate) const ANYTHING: Bounds = Bounds { lower: 0.0, upper: 1.0 };

/// The integrand at the nodes of a contour that is right for one epsilon; bounds hold for all, and are as narrow for
/// those nearby.
#[derive(Debug)]
pub(crate) enum Integral {
    Lattice(LatticeSum),
    Smooth(Contour),
    FewFixedSize(Box<FewFixedSize>),
    Smoothed(Box<Smoothed>),
    Discretized(Box<Discretized>),
    /// Nothing helps.
    None,
}

impl Integral {
    /// `known` is a number that the logarithm of delta is known to be near or below, or 0: it makes the bounds narrow,
    /// not true.
    pub(crate) fn new(losses: &FiniteLosses, epsilon: f64, known: f64) -> Self {
        let found = Self::without_grid(losses, epsilon, known);
        if !matches!(found, Self::None) {
            return found;
        }
        Discretized::new(losses, epsilon, known)
            .map_or(Self::None, |discretized| Self::Discretized(Box::new(discretized)))
    }

    /// The same without a grid, which takes tenths of a second.
    pub(crate) fn without_grid(losses: &FiniteLosses, epsilon: f64, known: f64) -> Self {
        if let Some(lattice) = LatticeSum::new(losses, epsilon, known) {
            return Self::Lattice(lattice);
        }
        let (may_be_few, are_few) = FewFixedSize::may_help(losses);
        let few = |is_tried: bool| if is_tried { FewFixedSize::new(losses, epsilon, known) } else { None };
        if let Some(few) = few(are_few) {
            return Self::FewFixedSize(Box::new(few));
        }
        // Where a density decides, it does so to more digits than noise beside it leaves.
        if let Some(contour) = smooth_contour(losses, epsilon, known) {
            return Self::Smooth(contour);
        }
        if let Some(few) = few(may_be_few && !are_few) {
            return Self::FewFixedSize(Box::new(few));
        }
        if !Smoothed::may_help(losses) {
            return Self::None;
        }
        Smoothed::new(losses, epsilon, known).map_or(Self::None, |smoothed| Self::Smoothed(Box::new(smoothed)))
    }

    /// Bounds for one epsilon alone: where they are wide, from a second contour for what the first has found, and a
    /// grid.
    pub(crate) fn once(losses: &FiniteLosses, epsilon: f64) -> Bounds {
        let first = Self::new(losses, epsilon, 0.0);
        let (mut found, is_smooth) = (first.delta(epsilon), matches!(first, Self::Smooth(_)));
        // One at a time: a grid takes most of the memory that is promised.
        drop(first);
        if is_smooth && is_wide(found) {
            found = both(found, Self::new(losses, epsilon, found.upper.ln()).delta(epsilon));
        }
        if is_smooth && is_wide(found) {
            let discretized = Discretized::new(losses, epsilon, found.upper.ln());
            found = both(found, discretized.and_then(|discretized| discretized.delta(epsilon)).unwrap_or(ANYTHING));
        }
        found
    }

    /// Bounds on `E[(1 - e^(epsilon - L))+]`.
    pub(crate) fn delta(&self, epsilon: f64) -> Bounds {
        match self {
            Self::Lattice(lattice) => lattice.delta(epsilon).unwrap_or(ANYTHING),
            Self::Smooth(smooth) => smooth.delta(epsilon),
            Self::FewFixedSize(few) => few.delta(epsilon),
            Self::Smoothed(smoothed) => smoothed.delta(epsilon),
            Self::Discretized(discretized) => discretized.delta(epsilon).unwrap_or(ANYTHING),
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
