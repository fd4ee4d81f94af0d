//! The exponent that is common to all points of a contour.

use crate::pld::loss::finite_loss::{FiniteLoss, FiniteLosses, number};
use indistinct_numeric::enclosure::{Ball, Enclosure, Interval};

/// What the Gaussian distributions add up to: the variance of the loss, 1/sigma^2 each.
pub(crate) fn variance(losses: &FiniteLosses) -> Ball {
    let mut total = Ball::exact(0.0);
    for (loss, count) in losses {
        if let FiniteLoss::Gaussian { sigma } = loss {
            let square = Ball::exact(*sigma).mul(&Ball::exact(*sigma));
            total = total.add(&Ball::exact(number(*count)).div(&square));
        }
    }
    total
}

/// The sum of logarithms, each so many times.
pub(crate) fn total(logarithms: &[(Ball, u64)]) -> Interval<192> {
    type E = Interval<192>;
    logarithms.iter().fold(E::exact(0.0), |sum, (logarithm, count)| {
        sum.add(&E::between(logarithm.lower(), logarithm.upper()).mul(&E::exact(number(*count))))
    })
}

/// `log_normalizer + (variance/2) tilt (tilt + 1) - tilt epsilon` for a Gaussian variance, exactly
/// enclosed.
pub(crate) struct Exponent<'a> {
    /// Of all losses.
    pub(crate) log_normalizer: &'a Interval<192>,
    pub(crate) variance: &'a Ball,
    pub(crate) tilt: f64,
    pub(crate) epsilon: Interval<192>,
}

impl Exponent<'_> {
    pub(crate) fn value(&self) -> Interval<192> {
        type E = Interval<192>;
        let spread = E::between(self.variance.lower(), self.variance.upper()).mul(&E::exact(0.5));
        let tilt = E::exact(self.tilt);
        self.log_normalizer.add(&spread.mul(&tilt).mul(&tilt.add(&E::exact(1.0)))).sub(&tilt.mul(&self.epsilon))
    }
}
