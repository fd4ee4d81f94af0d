//! Gaussian noise on a random sample: its loss's transform, by the trapezoid rule with a proved error.
//!
//! With `g(y) = 1 - q + q e^(mu y - mu^2/2)`, mu = 1/sigma, and y standard normal, the distributions are
//!
//! | | density of P | loss |
//! |---|---|---|
//! | remove | `phi(y) g(y)` | `ln g(y)` |
//! | add | `phi(y)` | `-ln g(y)` |
//! | replace | `phi(y) g(y)` | `ln g(y) - ln g(-y)` |
//!
//! The arguments are in `proofs/accounting/pld_lemmas.md`.

use crate::pld::loss::truncation::Truncation;
use indistinct_numeric::{
    Above, Below, Range,
    enclosure::{Ball, Enclosure, exp_m1_near, ln_1p_near},
};

/// The three distributions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Remove,
    Add,
    Replace,
}

/// Noise of standard deviation `sigma` on a sum that an individual in the sample moves by 1; each is in it with
/// probability `rate`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SampledGaussian {
    pub(crate) sigma: f64,
    pub(crate) rate: f64,
    pub(crate) side: Side,
    /// The cut of large losses, if any. Not for `Add`, whose losses have a bound.
    pub(crate) truncation: Option<Truncation>,
}

impl SampledGaussian {
    /// `ln g(y)`.
    pub(crate) fn log_mixture(&self, exponent: &Ball) -> Ball {
        let rate = Ball::exact(self.rate);
        if exponent.lower() > 30.0 {
            let rest = Ball::exact(1.0).sub(&rate).div(&rate).mul(&Ball::exact(0.0).sub(exponent).exp());
            return rate.ln().add(exponent).add(&rest.ln_1p());
        }
        let growth = if exponent.upper() < -690.0 { Ball::between(-1.0, -1.0 + 1e-15) } else { exponent.exp_m1() };
        rate.mul(&growth).ln_1p()
    }

    /// The logarithm of the tilted density, and the loss.
    pub(crate) fn weigh(&self, tilt: f64, mu: &Ball, y: f64) -> (Ball, Ball) {
        let at = Ball::exact(y);
        let half = mu.mul(mu).mul(&Ball::exact(0.5));
        let along = mu.mul(&at);
        let ahead = along.sub(&half);
        let normal = at.mul(&at).mul(&Ball::exact(-0.5));
        let mixture = self.log_mixture(&ahead);
        let (base, loss) = match self.side {
            Side::Remove => (normal.add(&mixture), mixture),
            Side::Add => (normal, Ball::exact(0.0).sub(&mixture)),
            Side::Replace => {
                let other = self.log_mixture(&Ball::exact(0.0).sub(&along).sub(&half));
                (normal.add(&mixture), mixture.sub(&other))
            }
        };
        let kept = self.truncation.map_or(Ball::exact(0.0), |truncation| truncation.kept(&ahead));
        (base.add(&Ball::exact(tilt).mul(&loss)).add(&kept), loss)
    }

    /// The parts of the exponent `w = mu y - mu^2/2`.
    pub(crate) fn exponent(&self) -> Exponent {
        let (least, most) =
            (Below::exact(1.0) / Above::exact(self.sigma), Above::exact(1.0) / Below::exact(self.sigma));
        let half_square = Range { below: least.squared() * 0.5, above: most.squared() * 0.5 };
        Exponent { mu: Range { below: least, above: most }, half_square }
    }

    /// How fast the logarithm of the tilted density can grow rightwards and leftwards, beside `-y^2/2`.
    pub(crate) fn growth(&self, tilt: f64) -> (Above, Above) {
        let mu = self.exponent().mu.above;
        match self.side {
            Side::Remove => (Above::ZERO, mu * tilt + mu),
            // Below zero, q e^w/g is at most q/(1 - q).
            Side::Add => {
                let share = Above::exact(self.rate) / (Below::exact(1.0) - self.rate);
                (mu * tilt * share.or(Above::exact(1.0)), Above::ZERO)
            }
            Side::Replace => (Above::ZERO, mu * (2.0 * tilt) + mu),
        }
    }

    /// Beyond these distances below and above zero the logarithm of the tilted density falls by at least 10 a unit.
    pub(crate) fn window(&self, tilt: f64) -> (f64, f64) {
        let (left, right) = self.growth(tilt);
        let mu = self.exponent().mu.above;
        let Some(truncation) = self.truncation else { return ((left + 10.0).get(), (right + 10.0).get()) };
        // Where w = mu y - mu^2/2 is that of the truncation's end; before it, what is kept at an angle may grow by up
        // to `growth` mu a unit, and leftwards by less than 1.
        let (growth, fall) = (right * self.sigma, Above::exact(self.sigma) * 10.0);
        // How fast the density grows in w, over s: `q e^w` is greater than what an individual contributes.
        let over_mean = growth * self.rate * (-Below::exact(truncation.shift)).exp();
        let end = truncation.end(growth, over_mean, fall) * self.sigma + mu * 0.5;
        let right = right + 10.0 + mu * truncation.growth();
        ((left + 11.0).get(), right.or(end.max(Above::exact(1.0))).get())
    }

    /// For `Remove`, and the others at rates up to a half: the tilted density over the normal one at y, in logarithms.
    /// It rises in y, but for `Add`.
    pub(crate) fn log_density(&self, tilt: f64, exponent: &Exponent, y: f64) -> Above {
        let mixture = |y: f64| self.log_mixture_between(exponent.at(y));
        match self.side {
            // The power `tilt + 1` need not be a float.
            Side::Remove => {
                let logarithm = self.log_mixture_above(exponent.at(y).above);
                logarithm * tilt + logarithm
            }
            Side::Add => -(self.log_mixture_below(exponent.at(y).below) * tilt),
            Side::Replace => {
                let (ahead, behind) = (mixture(y), mixture(-y));
                ahead.above * tilt + ahead.above - behind.below * tilt
            }
        }
    }

    /// `ln g` from the exponent.
    pub(crate) fn log_mixture_between(&self, exponent: Range) -> Range {
        Range { below: self.log_mixture_below(exponent.below), above: self.log_mixture_above(exponent.above) }
    }

    /// `ln g` from above, which rises.
    pub(crate) fn log_mixture_above(&self, exponent: Above) -> Above {
        // Above zero, g is at most `e^w`.
        if exponent.get() > 600.0 { exponent } else { (exponent.exp_m1() * self.rate).ln_1p() }
    }

    fn log_mixture_below(&self, exponent: Below) -> Below {
        // g is at least `q e^w`.
        if exponent.get() > 600.0 {
            return exponent + Below::exact(self.rate).ln();
        }
        (exponent.exp_m1() * self.rate).ln_1p()
    }

    /// `ln g` in floats, from the exponent, for estimates.
    pub(crate) fn log_mixture_estimate(&self, exponent: f64) -> f64 {
        if exponent > 600.0 {
            return exponent;
        }
        ln_1p_near((self.rate * exp_m1_near(exponent)).max(-1.0 + 2f64.powi(-49)))
    }
}

/// `w = mu y - mu^2/2`, the logarithm of the densities' ratio.
pub(crate) struct Exponent {
    pub(crate) mu: Range,
    half_square: Range,
}

impl Exponent {
    pub(crate) fn at(&self, y: f64) -> Range {
        self.mu * y - self.half_square
    }
}
