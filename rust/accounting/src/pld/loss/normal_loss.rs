//! Losses that are monotone in normal noise, by their inverses in closed form: their tails.

use crate::pld::loss::{
    finite_loss::FiniteLoss,
    fixed_size_gaussian::FixedSizeGaussian,
    sampled_gaussian::{SampledGaussian, Side},
    tails::{LossTails, Tail, Tails},
};
use indistinct_numeric::enclosure::{Ball, Enclosure, exp_or_tiny};

/// The losses of normal noise: those of removing, those of adding, those of removing above zero and of adding below,
/// or those of replacing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Losses {
    Removing,
    Adding,
    Both,
    Replacing,
}

/// Noise of standard deviation `1/mu` on a sum that an individual moves by 1, on a sample of a rate.
#[derive(Debug, Clone)]
pub(crate) struct NormalLoss {
    mu: Ball,
    rate: f64,
    losses: Losses,
    at_zero: Option<Ball>,
}

/// How far a normal distribution's tail reaches whose logarithm is at least `spare`, in deviations.
pub(crate) fn reach(spare: f64) -> f64 {
    (-2.0 * spare).max(9.0).sqrt().min(37.0)
}

impl NormalLoss {
    /// None for other losses, and for truncated ones.
    pub(crate) fn new(loss: &FiniteLoss) -> Option<Self> {
        let (sigma, rate, losses, at_zero) = match loss {
            FiniteLoss::Gaussian { sigma } => (*sigma, 1.0, Losses::Removing, None),
            FiniteLoss::Sampled(SampledGaussian { sigma, rate, side, truncation: None }) => {
                let losses = match side {
                    Side::Remove => Losses::Removing,
                    Side::Add => Losses::Adding,
                    Side::Replace => Losses::Replacing,
                };
                (*sigma, *rate, losses, None)
            }
            FiniteLoss::FixedSize(law @ FixedSizeGaussian { sigma, rate, end: None }) => {
                (*sigma, *rate, Losses::Both, Some(law.atom()))
            }
            _ => return None,
        };
        Some(Self { mu: Ball::exact(1.0).div(&Ball::exact(sigma)), rate, losses, at_zero })
    }

    /// The probability of the loss zero, if it has one of its own.
    pub(crate) fn at_zero(&self) -> Option<Ball> {
        self.at_zero
    }

    /// The squares of exponentials of losses that are replaced have to be numbers.
    pub(crate) fn greatest(&self) -> f64 {
        if self.losses == Losses::Replacing { 250.0 } else { 600.0 }
    }

    /// The least and the greatest loss beyond which the first distribution has a probability with a logarithm of about
    /// `spare` or less, in floats.
    pub(crate) fn span(&self, spare: f64) -> (f64, f64) {
        let (mu, rate) = (self.mu.upper(), self.rate);
        let log_g = |y: f64| {
            let exponent = mu * y - mu * mu / 2.0;
            if exponent > 30.0 { exponent + rate.ln() } else { (rate * exponent.exp_m1()).ln_1p() }
        };
        let far = reach(spare);
        // An individual in the sample is as rare as the rate says.
        let high = far.max(mu + reach(spare - rate.ln()));
        // At rate 1 the exponential may underflow, the loss does not.
        let low = if rate == 1.0 { -mu * (far + mu / 2.0) } else { log_g(-far) };
        match self.losses {
            Losses::Removing => (low, log_g(high)),
            Losses::Adding => (-log_g(far), -low),
            Losses::Both => (-log_g(far), log_g(high)),
            Losses::Replacing => (log_g(-far) - log_g(far), log_g(high) - log_g(-high)),
        }
    }

    /// Where `ln g` is a given number: `(ln(1 + (e^l - 1)/q) + mu^2/2)/mu`; none below its infimum. Numbers of 640 and
    /// more in size stand for the ends.
    fn inverse(&self, loss: &Ball) -> Option<Ball> {
        if loss.lower() >= 640.0 {
            return Some(Ball::exact(1e4));
        }
        if loss.upper() <= -640.0 {
            return None;
        }
        let half = self.mu.mul(&self.mu).mul(&Ball::exact(0.5));
        if self.rate == 1.0 {
            return Some(loss.add(&half).div(&self.mu));
        }
        let rate = Ball::exact(self.rate);
        let log = if loss.lower() > 30.0 {
            // ln((e^l - (1 - q))/q)
            let rest = Ball::exact(1.0).sub(&rate).mul(&exp_or_tiny(&Ball::exact(0.0).sub(loss)));
            loss.add(&Ball::exact(0.0).sub(&rest).ln_1p()).sub(&rate.ln())
        } else {
            let growth = loss.exp_m1().div(&rate);
            if growth.upper() <= -1.0 {
                return None;
            }
            if growth.lower() <= -1.0 {
                // It is not known on which side of the infimum this lies: anything.
                return Some(Ball::exact(f64::NAN));
            }
            growth.ln_1p()
        };
        Some(log.add(&half).div(&self.mu))
    }

    /// Where the loss of replacing, `ln g(y) - ln g(-y)`, is a given number: of `u = e^(mu y)` it is
    /// `q h u^2 - (1 - q)(e^l - 1) u - e^l q h = 0`, `h = e^(-mu^2/2)`, for a loss that is not negative; others are
    /// those of `-y`. None at the lower end.
    fn inverse_of_replacing(&self, loss: &Ball) -> Option<Ball> {
        let (zero, one, half) = (Ball::exact(0.0), Ball::exact(1.0), Ball::exact(0.5));
        if loss.lower() >= 640.0 {
            return Some(Ball::exact(1e4));
        }
        if loss.upper() <= -640.0 {
            return None;
        }
        let is_below = loss.upper() <= 0.0;
        let size = if is_below { zero.sub(loss) } else { *loss };
        let square = self.mu.mul(&self.mu).mul(&half);
        let rate = Ball::exact(self.rate);
        let excess = one.sub(&rate).mul(&size.exp_m1()).div(&rate);
        let shrunk = zero.sub(&square).exp();
        let under = excess.mul(&excess).add(&Ball::exact(4.0).mul(&size.exp()).mul(&shrunk).mul(&shrunk));
        let root = under.ln().mul(&half).exp();
        let y = excess.add(&root).mul(&half).ln().add(&square).div(&self.mu);
        Some(if is_below { zero.sub(&y) } else { y })
    }

    /// The tails of the noise about zero, and of the mixture with what is moved, beyond a point. Below 40 deviations
    /// there is less than floats hold, as below all.
    fn still_and_mixed(&self, y: Option<Ball>) -> (Tail, Tail) {
        let low = Ball::exact(-40.0);
        let y = y.filter(|y| y.upper() >= -40.0).unwrap_or(low);
        (Tail::normal(&y), self.mixed(&y, &self.mu))
    }

    /// The tails of noise that is moved by so much if the individual is in the sample.
    fn mixed(&self, y: &Ball, by: &Ball) -> Tail {
        let rate = Ball::exact(self.rate);
        let parts = [(Ball::exact(1.0).sub(&rate), *y), (rate, y.sub(by))];
        Tail::mixture(parts.into_iter().map(|(weight, at)| (weight, Tail::normal(&at))))
    }
}

impl LossTails for NormalLoss {
    fn at(&self, loss: &Ball) -> Tails {
        let minus = Ball::exact(0.0).sub(loss);
        match self.losses {
            Losses::Replacing => {
                let low = Ball::exact(-40.0).sub(&self.mu).sub(&self.mu);
                let y = self.inverse_of_replacing(loss).filter(|y| y.upper() >= low.lower()).unwrap_or(low);
                Tails::new(self.mixed(&y, &self.mu), self.mixed(&y, &Ball::exact(0.0).sub(&self.mu)))
            }
            Losses::Removing => {
                let (still, mixed) = self.still_and_mixed(self.inverse(loss));
                Tails::new(mixed, still)
            }
            Losses::Adding => {
                let (still, mixed) = self.still_and_mixed(self.inverse(&minus));
                Tails::new(still.turned(), mixed.turned())
            }
            Losses::Both if loss.upper() < 0.0 => {
                let (still, mixed) = self.still_and_mixed(self.inverse(&minus));
                Tails { first: still.turned(), second: mixed.turned(), is_negative: true }
            }
            Losses::Both => {
                let (still, mixed) = self.still_and_mixed(self.inverse(loss));
                Tails::new(mixed, still)
            }
        }
    }

    /// In a sample of fixed size the upper half begins at zero, a lattice point, where the lower half ends with the
    /// distributions exchanged; what has no loss lies between.
    fn cell(&self, from: &Tails, to: &Tails) -> (Ball, Ball) {
        match (self.losses, from.is_negative, to.is_negative) {
            (Losses::Both, true, true) => {
                (to.first.below.sub(&from.first.below), to.second.below.sub(&from.second.below))
            }
            (Losses::Both, true, false) => {
                (to.second.above.sub(&from.first.below), to.first.above.sub(&from.second.below))
            }
            (Losses::Both, false, _) => {
                (from.first.above.sub(&to.first.above), from.second.above.sub(&to.second.above))
            }
            _ => (from.first.between(&to.first), from.second.between(&to.second)),
        }
    }
}
