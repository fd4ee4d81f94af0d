//! Gaussian noise on a sample of fixed size: its loss, on a half line.
//!
//! With `u >= 0`, `y = ln(1 + q (e^u - 1))` and `w = C e^(-u/2 - sigma^2 u^2/2)`, the loss is y with density
//! `w e^y` in u, -y with density w, and else 0. The arguments are in `proofs/accounting/pld_lemmas.md`.

use crate::pld::loss::sampled_gaussian::{SampledGaussian, Side};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, Enclosure, exp_near, exp_or_tiny},
};

/// Noise of standard deviation `sigma` on a sum over a sample that has the share `rate` of all individuals, one of whom
/// is replaced, which moves it by 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FixedSizeGaussian {
    pub(crate) sigma: f64,
    pub(crate) rate: f64,
    /// Losses of u beyond are left out; none, if there is none.
    pub(crate) end: Option<f64>,
}

impl FixedSizeGaussian {
    /// With a Poisson sample in its place.
    pub(crate) fn sampled(&self) -> SampledGaussian {
        SampledGaussian { sigma: self.sigma, rate: self.rate, side: Side::Remove, truncation: None }
    }

    pub(crate) fn variance(&self) -> Ball {
        Ball::exact(self.sigma).mul(&Ball::exact(self.sigma))
    }

    /// `ln C`, `C = sigma e^(-1/(8 sigma^2))/sqrt(2 pi)`.
    pub(crate) fn log_factor(&self) -> Ball {
        let factor = Ball::exact(self.sigma).mul(&Ball::inverse_root_two_pi());
        factor.ln().sub(&Ball::exact(0.125).div(&self.variance()))
    }

    /// `ln w`.
    pub(crate) fn log_density(&self, u: &Ball) -> Ball {
        let half = Ball::exact(-0.5);
        self.log_factor().add(&u.mul(&half)).add(&u.mul(u).mul(&self.variance()).mul(&half))
    }

    /// y.
    pub(crate) fn loss(&self, u: &Ball) -> Ball {
        self.sampled().log_mixture(u)
    }

    /// The probability of the loss zero: `(1 - q)(1 - 2 T)` for the normal tail T beyond `1/(2 sigma)`.
    pub(crate) fn atom(&self) -> Ball {
        let (one, half) = (Ball::exact(1.0), Ball::exact(0.5));
        let x = half.div(&Ball::exact(self.sigma));
        let density = exp_or_tiny(&x.mul(&x).mul(&Ball::exact(-0.5))).mul(&Ball::inverse_root_two_pi());
        let inner = one.sub(&density.mul(&x.mills()).mul(&Ball::exact(2.0)));
        one.sub(&Ball::exact(self.rate)).mul(&inner)
    }

    /// `du/dy`.
    pub(crate) fn stretch(&self, u: &Ball) -> Ball {
        let (one, rate) = (Ball::exact(1.0), Ball::exact(self.rate));
        one.add(&one.sub(&rate).div(&rate).mul(&exp_or_tiny(&Ball::exact(0.0).sub(u))))
    }

    /// The same without losses so large that all of them, over `count` releases, have a probability of about
    /// `e^budget`; and a bound on that probability.
    pub(crate) fn truncated(&self, count: f64, budget: f64) -> Option<(Self, Above)> {
        if self.end.is_some() || !(0.1..=1e4).contains(&self.sigma) || !(1e-12..1.0).contains(&self.rate) {
            return None;
        }
        let allowed = exp_near(budget.clamp(-690.0, 0.0));
        let mut end = 1.0 / self.sigma;
        for _ in 0..400 {
            let lost = self.beyond(end).map(|lost| lost * count);
            if let Some(lost) = lost.filter(|lost| lost.get() <= allowed) {
                return Some((Self { end: Some(end), ..*self }, lost));
            }
            end += 0.25 / self.sigma;
        }
        None
    }

    /// A bound on the mass of both sides beyond a u: at most twice that of the upper one, whose logarithm has a slope
    /// of at most `1/2 - sigma^2 u`.
    pub(crate) fn beyond(&self, end: f64) -> Option<Above> {
        let u = Ball::exact(end);
        let fall = Below::of(&self.variance()) * end - Above::exact(0.5);
        let there = Above::of(&exp_or_tiny(&self.log_density(&u).add(&self.loss(&u))));
        (fall.get() > 0.0).then(|| there * 2.0 / fall)
    }
}
