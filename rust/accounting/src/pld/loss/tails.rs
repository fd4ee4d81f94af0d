//! Losses known by what lies below and above each loss, under both distributions.

use crate::pld::loss::cumulants::Cumulants;
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, Bounds, Enclosure, exp_or_tiny},
};
use std::{fmt, sync::Arc};

/// The probabilities of what lies below a point and above it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tail {
    pub(crate) below: Ball,
    pub(crate) above: Ball,
}

impl Tail {
    /// The tails of a distribution without an atom there, from the probability above.
    fn above(above: Ball) -> Self {
        Self { below: Ball::exact(1.0).sub(&above), above }
    }

    /// The two sides exchanged.
    pub(crate) fn turned(self) -> Self {
        Self { below: self.above, above: self.below }
    }

    /// The tails of a standard normal distribution.
    pub(crate) fn normal(x: &Ball) -> Self {
        let tail = |x: &Ball| {
            if x.lower() > 37.0 {
                return Ball::between(0.0, 1e-299);
            }
            exp_or_tiny(&x.mul(x).mul(&Ball::exact(-0.5))).mul(&Ball::inverse_root_two_pi()).mul(&x.mills())
        };
        if x.upper() <= 0.0 { Self::above(tail(&Ball::exact(0.0).sub(x))).turned() } else { Self::above(tail(x)) }
    }

    /// The tails of a mixture, from weights that add up to 1.
    pub(crate) fn mixture(parts: impl Iterator<Item = (Ball, Self)>) -> Self {
        let nothing = Self { below: Ball::exact(0.0), above: Ball::exact(0.0) };
        parts.fold(nothing, |sum, (weight, part)| Self {
            below: sum.below.add(&weight.mul(&part.below)),
            above: sum.above.add(&weight.mul(&part.above)),
        })
    }

    /// The mass between two points, by the smaller of the two differences' ends.
    pub(crate) fn between(&self, to: &Self) -> Ball {
        if self.above.upper() < to.below.upper() { self.above.sub(&to.above) } else { to.below.sub(&self.below) }
    }
}

/// The tails at a loss under both distributions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tails {
    pub(crate) first: Tail,
    pub(crate) second: Tail,
    /// True if the loss is below zero.
    pub(crate) is_negative: bool,
}

impl Tails {
    pub(crate) fn new(first: Tail, second: Tail) -> Self {
        Self { first, second, is_negative: false }
    }
}

/// A loss's tails.
pub(crate) trait LossTails: fmt::Debug + Send + Sync {
    fn at(&self, loss: &Ball) -> Tails;

    /// The masses between two losses under both distributions.
    fn cell(&self, from: &Tails, to: &Tails) -> (Ball, Ball) {
        (from.first.between(&to.first), from.second.between(&to.second))
    }
}

/// A loss that is known by its tails: what a new kind of mechanism with a density has to provide. Its two distributions
/// have a density with respect to each other, so that no loss is infinite.
pub(crate) trait KnownByTails: LossTails {
    /// The least and the greatest loss, in floats, beyond which the first distribution has a probability with a
    /// logarithm of about `spare` or less.
    fn span(&self, spare: f64) -> (f64, f64);

    /// How many times as long the tails take as those of one normal distribution.
    fn cost(&self) -> u32;

    /// The first cumulants of the tilted loss, in floats: nothing rests on them.
    fn cumulants(&self, tilt: f64) -> Cumulants;

    /// An upper bound on the loss, if there is one.
    fn greatest(&self) -> Option<f64>;

    /// Gaussian noise of this sigma, on what moves by 1, is known to lose no less.
    fn gaussian_above(&self) -> Option<f64>;

    /// The loss of the pair with its two distributions exchanged.
    fn exchanged(&self) -> Arc<dyn KnownByTails>;

    /// The transform at a tilt, up to a frequency, if it is known: without it, losses are put on a grid.
    fn rule(&self, tilt: f64, frequency: f64) -> Option<Rule>;

    /// How fast the transform falls at a tilt, if that is known.
    fn decay(&self, tilt: f64) -> Option<ShiftedDecay>;

    /// Delta of one release: what the first distribution has more than `e^epsilon` times the second where the loss is
    /// above epsilon.
    fn delta(&self, epsilon: f64) -> Bounds {
        let Tails { first, second, .. } = self.at(&Ball::exact(epsilon));
        let Bounds { lower, upper } = first.above.sub(&Ball::exact(epsilon).exp().mul(&second.above)).bounds();
        // Also where the exponential is not a number.
        Bounds { lower, upper: upper.min(first.above.upper()) }
    }
}

/// A rule for the moment generating function at a tilt c and frequencies t up to some: it is the sum of
/// `e^(w + i t l)` over atoms (w, l), but for what is missing, as a part of the sum of `e^w`.
pub(crate) struct Rule {
    pub(crate) atoms: Vec<(Ball, Ball)>,
    pub(crate) missing: Above,
}

/// How fast the transform of a tilted loss falls, if the noise may be shifted by an imaginary amount: by a, up to `1`
/// over `widest`, its modulus is at most `e^(a^2/2) cos(a widest)^-divided` times the mean of `e^(-t a s slope)`, where
/// s is `sin(a widest)/(a widest)`.
#[derive(Debug)]
pub(crate) struct ShiftedDecay {
    /// Lower bounds on masses, and on the slopes there.
    pub(crate) parts: Vec<(Below, Below)>,
    pub(crate) widest: f64,
    pub(crate) divided: f64,
}

impl ShiftedDecay {
    /// A lower bound on the fall of the logarithm of the modulus, from a frequency on: each shift's bound falls with
    /// the frequency.
    pub(crate) fn log_decay(&self, frequency: f64) -> Below {
        let at = |power: i32| {
            let turn = 0.8f64.powi(power);
            let square = Above::exact(turn).squared();
            let shift = Above::exact(turn) / Below::exact(self.widest);
            // -ln cos x <= x^2/2 + x^4/8 and sin x >= x - x^3/6, up to 1.
            let cost = shift.squared() * 0.5 + (square * 0.5 + square.squared() * 0.125) * self.divided;
            let rate =
                Below::exact(turn) / Above::exact(self.widest) * (Below::exact(1.0) - square / Below::exact(6.0));
            let lost = |(mass, slope): &(Below, Below)| {
                let remaining = (-(*slope * rate * frequency)).exp_m1();
                *mass * (-remaining).get().max(0.0)
            };
            let lost = self.parts.iter().map(lost).fold(Below::ZERO, |sum, part| sum + part);
            -(-lost).ln_1p() - cost
        };
        (0..40).map(at).fold(Below::ZERO, Below::or)
    }
}
