//! A training of which a budget is asked, and by how much its delta is more than what is allowed.

use crate::{
    error::Fallible,
    pld::{
        answer::composed::Composed,
        distribution::PrivacyLossDistribution,
        integrate::{integral::both, saddle_point as saddle},
        loss::{direction::Direction, finite_loss::number},
        transform::estimate::Estimate,
    },
    search::log_excess,
    units::{Rate, Sigma},
};
use indistinct_numeric::{RoundedArithmetic, RoundedMath, enclosure::Bounds};
use std::cell::Cell;

/// So much less than what is allowed is nowhere near it.
const FAR_BELOW: f64 = 0.01;
/// Next to rate 1, by less than a parameter is looked for to, sampling does not matter.
const NEXT_TO_ONE: f64 = 1.0 - 1e-7;
/// Bounds on delta that know nothing likely are no further from others than this, relatively, and an eighth of their
/// width, if what is allowed is not so small.
const LESS: f64 = 1e-7;
const SHARP: f64 = 1e-12;
const SMALL: f64 = 1e-40;

/// In which directions delta is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Directions {
    /// Where an individual is removed.
    Remove,
    Both,
}

/// How many times what is allowed delta is, as a logarithm, 0 or less only where it was seen to be allowed; and what
/// that is known to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Excess {
    pub(crate) log: f64,
    pub(crate) width: f64,
}

impl Excess {
    /// By how much it is more than what is seen to be allowed by other bounds, too; 0 where it is next to that.
    pub(crate) fn aimed(self) -> f64 {
        let found = self.log + self.doubt();
        if found <= 0.0 && -found <= self.doubt() { 0.0 } else { found }
    }

    /// Whether nothing is known of it, though it is not so small.
    pub(crate) fn is_unknown(self, allowed: f64) -> bool {
        self.log > 0.0 && self.width > 0.5 && allowed > SMALL
    }

    /// Another bound may be so much greater, but where all digits are known.
    fn doubt(self) -> f64 {
        if self.width > SHARP { LESS.max(self.width / 8.0) } else { self.width }
    }

    /// Whether delta is allowed, if bounds that know nothing likely say the same.
    pub(crate) fn decides(&self, allowed: f64) -> Option<bool> {
        let is_clear = allowed > SMALL && self.log.abs() >= self.doubt();
        is_clear.then_some(self.log <= 0.0)
    }
}

/// Of trainings, one after the other.
pub(crate) fn excess<T>(
    (epsilon, allowed): (f64, f64),
    is_near: bool,
    directions: Directions,
    at: impl Fn(T) -> Fallible<Training>,
) -> impl Fn(T) -> Fallible<Excess> {
    // Where the last was near, the next will be.
    let is_near = Cell::new(is_near);
    move |point| {
        let likely = if is_near.get() { allowed } else { 1.0 };
        let Bounds { lower, upper } = at(point)?.delta(epsilon, (allowed, likely), directions);
        let log = log_excess(upper, allowed);
        is_near.set(log.abs() < 0.3);
        Ok(Excess { log, width: if upper > 0.0 { (upper - lower) / upper } else { 0.0 } })
    }
}

/// Gaussian noise on Poisson samples, so many times, looked at within milliseconds: nothing is asked of a grid.
pub(crate) struct Training {
    all: PrivacyLossDistribution,
    /// The same without sampling.
    noise: PrivacyLossDistribution,
    rate: f64,
    /// An upper bound on the probability of being sampled at all, and so on delta in either direction.
    ever: f64,
}

impl Training {
    pub(crate) fn new(sigma: f64, rate: f64, steps: u64) -> Fallible<Self> {
        let one = PrivacyLossDistribution::poisson_gaussian(Sigma(sigma), Rate(rate))?;
        let never = (-rate).neg_inf_ln_1p()?.neg_inf_mul(number(steps))?;
        let ever = (0.0 - never.neg_inf_exp_m1()?).min(1.0);
        let noise = PrivacyLossDistribution::gaussian(Sigma(sigma))?.repeat(steps)?;
        Ok(Self { all: one.repeat(steps)?, noise, rate, ever })
    }

    /// Bounds on delta, near if that is near a likely one; looked at in the second direction only if the first one's is
    /// at most the allowed one, and that is all that is asked of the second, too.
    fn delta(&self, epsilon: f64, (allowed, likely): (f64, f64), directions: Directions) -> Bounds {
        // Not more can be said of that, nor need be.
        if self.ever <= allowed {
            return Bounds { lower: self.ever, upper: self.ever };
        }
        let anything = Bounds { lower: 0.0, upper: self.ever };
        let of = |all: &PrivacyLossDistribution, direction| {
            let found = Composed::new(all.laws(), direction);
            found.map_or(anything, |all| both(anything, all.delta_without_grid(epsilon, (allowed, likely))))
        };
        // Sampling only helps, and next to rate 1 it does not matter.
        let plain = of(&self.noise, Direction::Remove);
        if plain.upper <= allowed || self.rate > NEXT_TO_ONE {
            return plain;
        }
        // Far below, that is enough.
        let chernoff =
            |direction| Composed::new(self.all.laws(), direction).map_or(f64::INFINITY, |all| all.chernoff(epsilon));
        let added = if directions == Directions::Both { chernoff(Direction::Add) } else { 0.0 };
        let ceiling = chernoff(Direction::Remove).max(added);
        if ceiling <= allowed * FAR_BELOW {
            return Bounds { lower: 0.0, upper: ceiling };
        }
        let less = |found: Bounds| Bounds { upper: found.upper.min(plain.upper), ..found };
        let first = less(of(&self.all, Direction::Remove));
        if first.upper > allowed || directions == Directions::Remove || self.keeps_added(epsilon, allowed) {
            return first;
        }
        let second = less(of(&self.all, Direction::Add));
        Bounds { lower: first.lower.max(second.lower), upper: first.upper.max(second.upper) }
    }

    /// Whether delta is seen to be allowed.
    pub(crate) fn fits(&self, epsilon: f64, allowed: f64) -> bool {
        let is_sampled = self.rate <= NEXT_TO_ONE && !self.all.is_symmetric();
        self.ever <= allowed
            || is_certified(&self.noise, Direction::Remove, (epsilon, allowed))
            || is_sampled
                && is_certified(&self.all, Direction::Remove, (epsilon, allowed))
                && is_certified(&self.all, Direction::Add, (epsilon, allowed))
    }

    /// The same where an individual is added.
    pub(crate) fn keeps_added(&self, epsilon: f64, allowed: f64) -> bool {
        self.ever <= allowed
            || self.all.is_symmetric()
            || is_certified(&self.noise, Direction::Remove, (epsilon, allowed))
            || is_certified(&self.all, Direction::Add, (epsilon, allowed))
    }

    /// About the logarithm of delta where an individual is removed, in floats.
    pub(crate) fn estimate(&self, epsilon: f64) -> f64 {
        let losses = Composed::new(self.all.laws(), Direction::Remove).map(|all| all.losses);
        let found = losses.and_then(|losses| saddle::estimate(&Estimate::new(&losses), epsilon));
        found.map_or(f64::NEG_INFINITY, |found| found.0)
    }
}

/// Whether it is seen to be so without a grid.
fn is_certified(all: &PrivacyLossDistribution, direction: Direction, (epsilon, allowed): (f64, f64)) -> bool {
    let composed = Composed::new(all.laws(), direction);
    composed.is_some_and(|composed| composed.is_certified_without_grid(epsilon, allowed))
}
