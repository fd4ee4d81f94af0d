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

/// `sum of count * log_normalizer + (variance/2) tilt (tilt + 1) - tilt epsilon` for a Gaussian variance, exactly
/// enclosed.
pub(crate) struct Exponent<'a> {
    pub(crate) log_normalizers: &'a [(Ball, u64)],
    pub(crate) variance: &'a Ball,
    pub(crate) tilt: f64,
    pub(crate) epsilon: Interval<192>,
}

impl Exponent<'_> {
    pub(crate) fn value(&self) -> Interval<192> {
        type E = Interval<192>;
        let mut sum = E::exact(0.0);
        for (log_normalizer, count) in self.log_normalizers {
            sum = sum.add(&E::between(log_normalizer.lower(), log_normalizer.upper()).mul(&E::exact(number(*count))));
        }
        let spread = E::between(self.variance.lower(), self.variance.upper()).mul(&E::exact(0.5));
        let tilt = E::exact(self.tilt);
        sum.add(&spread.mul(&tilt).mul(&tilt.add(&E::exact(1.0)))).sub(&tilt.mul(&self.epsilon))
    }
}
