//! Many Laplace releases alone, too many for a sum.

use crate::pld::{
    integrate::{contour::Contour, smooth::smooth_contour},
    loss::{
        exponential::Exponential,
        finite_loss::{FiniteLoss, FiniteLosses},
    },
};
use indistinct_numeric::enclosure::{Bounds, Enclosure, Interval};

/// The integral for a sensitivity of `a` scales: one distribution for either bound, as the scale 1/a is no float, and
/// delta falls in it.
pub(crate) struct LaplaceIntegral {
    lower: Contour,
    upper: Contour,
}

impl LaplaceIntegral {
    /// For epsilons near this one. None, where the integrand is not seen to fall.
    pub(crate) fn new((count, a): (u32, f64), epsilon: f64) -> Option<Self> {
        let scale = Interval::<192>::exact(1.0).div(&Interval::exact(a)).bounds();
        let line = |scale: f64| {
            let losses: &FiniteLosses = &[(FiniteLoss::Exponential(Exponential::Laplace { scale }), u64::from(count))];
            (scale > 1e-100 && scale < 1e100).then(|| smooth_contour(losses, epsilon, 0.0))?
        };
        Some(Self { lower: line(scale.upper)?, upper: line(scale.lower)? })
    }

    /// Bounds on delta.
    pub(crate) fn delta(&self, epsilon: f64) -> Bounds {
        Bounds { lower: self.lower.delta(epsilon).lower, upper: self.upper.delta(epsilon).upper }
    }
}
