//! A training of which a budget is asked, and by how much its delta is more than what is allowed.

use crate::{
    error::Fallible,
    pld::{
        answer::composed::Composed,
        distribution::PrivacyLossDistribution,
        integrate::{
            integral::{both, width},
            progress::Progress,
            smooth::ROUGH,
            truncate::estimate_at_saddle,
        },
        loss::{direction::Direction, finite_loss::number},
        transform::work::Work,
    },
    search::log_excess,
    units::{Rate, Sigma},
};
use indistinct_numeric::{RoundedArithmetic, RoundedMath, enclosure::Bounds};
use std::{cell::Cell, ops::Range};

/// So much less than what is allowed is nowhere near it.
const FAR_BELOW: f64 = 0.01;
/// Next to rate 1, by less than a parameter is looked for to, sampling does not matter.
const NEXT_TO_ONE: f64 = 1.0 - 1e-7;
/// Bounds on delta that know nothing likely are mostly no further from others than this, relatively, or than an eighth
/// of what they leave open.
pub(crate) const LESS: f64 = 1e-7;
/// What all digits are known to, and what is not known well.
const SHARP: f64 = 1e-12;
const WIDE: f64 = 1e-6;
/// So near to what is allowed, as a logarithm, contours are alike.
const CLOSE: f64 = 1.0;
/// Work beside that of contours, about; and where so much is left open that bounds are asked that always hold.
const LOOK: f64 = 300.0;
const OPEN: f64 = 0.5;
const BOUNDS: f64 = 3_200.0;
/// Deltas of which so small a part matters.
const AIMED: Range<f64> = 1e-40..0.5;

/// A search for a parameter: the first looks at removing an individual alone, as delta is mostly less where one is
/// added, and for a point where bounds that know nothing likely say the same; another, at both and for any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    First,
    Again,
}

/// How many times what is allowed delta is, as a logarithm, 0 or less only where it was seen to be allowed; and what
/// that is known to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Excess {
    pub(crate) log: f64,
    pub(crate) width: f64,
    /// Whether it was seen to be more than what is allowed.
    pub(crate) is_excluded: bool,
    /// How much work it took to find out.
    pub(crate) work: f64,
    /// Another bound may be so much greater, if that is known.
    doubt: Option<f64>,
}

impl Excess {
    fn new(Found { bounds: Bounds { lower, upper }, width }: Found, allowed: f64, pass: Pass) -> Self {
        let doubt = match width {
            _ if width <= SHARP => width,
            _ if width < ROUGH => LESS.max(width / 8.0),
            _ => LESS,
        };
        let doubt = (pass == Pass::First && AIMED.contains(&allowed)).then_some(doubt);
        Self { log: log_excess(upper, allowed), width, is_excluded: lower > allowed, work: 0.0, doubt }
    }

    /// By how much it is more than what is seen to be allowed by other bounds, too; 0 where it is next to that, as far
    /// as it is known.
    pub(crate) fn aimed(self) -> f64 {
        let doubt = self.doubt.unwrap_or(0.0);
        let found = self.log + doubt;
        let next = if doubt > LESS { 2.0 * doubt } else { doubt };
        if found <= 0.0 && -found <= next { 0.0 } else { found }
    }

    /// Whether little is known of it.
    pub(crate) fn is_rough(self) -> bool {
        self.width > ROUGH
    }

    /// Whether, in a first search, little is known and it is not seen to be allowed.
    pub(crate) fn is_unknown(self) -> bool {
        self.log > 0.0 && self.is_rough() && self.doubt.is_some()
    }

    /// Whether delta is allowed, if bounds that know nothing likely say the same.
    pub(crate) fn decides(self) -> Option<bool> {
        let is_known = |doubt: &f64| self.width <= WIDE || *doubt >= self.width / 8.0;
        let doubt = self.doubt.filter(is_known)?;
        (self.log.abs() >= doubt).then_some(self.log <= 0.0)
    }
}

/// Of trainings, one after the other.
pub(crate) fn excess<'a, T>(
    (epsilon, allowed): (f64, f64),
    is_near: bool,
    pass: Pass,
    at: impl Fn(T) -> Fallible<Training<'a>>,
) -> impl Fn(T) -> Fallible<Excess> {
    // Where the last was near, the next will be.
    let (is_near, progress) = (Cell::new(is_near), (Progress::default(), Progress::default()));
    move |point| {
        let likely = if is_near.get() { allowed } else { 1.0 };
        let training = at(point)?;
        let (removed, added) = &progress;
        let before = training.work.done();
        let found = Excess::new(training.delta(epsilon, (allowed, likely), pass, (removed, added)), allowed, pass);
        is_near.set(found.log.abs() < CLOSE);
        training.work.count(if found.width > OPEN { LOOK + BOUNDS } else { LOOK });
        [removed, added].into_iter().for_each(|progress| progress.end_look(is_near.get(), found.width));
        Ok(Excess { work: training.work.done() - before, ..found })
    }
}

/// Bounds on delta, and what the upper one is known to, relatively.
struct Found {
    bounds: Bounds,
    width: f64,
}

impl Found {
    fn new(bounds: Bounds) -> Self {
        Self { bounds, width: width(bounds) }
    }

    /// Another upper bound may be less.
    fn or(self, other: &Self) -> Self {
        if self.bounds.upper <= other.bounds.upper {
            return self;
        }
        let bounds = Bounds { upper: other.bounds.upper, ..self.bounds };
        Self { bounds, width: other.width }
    }
}

/// Gaussian noise on Poisson samples, so many times, looked at within milliseconds: nothing is asked of a grid.
pub(crate) struct Training<'a> {
    all: PrivacyLossDistribution,
    /// The same without sampling.
    noise: PrivacyLossDistribution,
    rate: f64,
    /// An upper bound on the probability of being sampled at all, and so on delta in either direction.
    ever: f64,
    work: &'a Work,
}

impl<'a> Training<'a> {
    pub(crate) fn new(sigma: f64, rate: f64, steps: u64, work: &'a Work) -> Fallible<Self> {
        let one = PrivacyLossDistribution::poisson_gaussian(Sigma(sigma), Rate(rate))?;
        let never = (-rate).neg_inf_ln_1p()?.neg_inf_mul(number(steps))?;
        let ever = if steps == 1 { rate } else { (0.0 - never.neg_inf_exp_m1()?).min(1.0) };
        let noise = PrivacyLossDistribution::gaussian(Sigma(sigma))?.repeat(steps)?;
        Ok(Self { all: one.repeat(steps)?, noise, rate, ever, work })
    }

    /// Bounds on delta, narrow if it is near a likely one. A first pass looks at removing alone; another at adding,
    /// too, where removing is seen to be allowed.
    fn delta(
        &self,
        epsilon: f64,
        (allowed, likely): (f64, f64),
        pass: Pass,
        (removed, added): (&Progress, &Progress),
    ) -> Found {
        // Far below, any bound is enough.
        let ceiling = allowed * FAR_BELOW;
        if self.ever <= ceiling {
            return Found::new(Bounds { lower: 0.0, upper: self.ever });
        }
        let anything = Bounds { lower: 0.0, upper: self.ever };
        let of = |all: &PrivacyLossDistribution, direction, progress: &Progress| {
            let found = Composed::new(all.laws(), direction);
            let found = found.map(|all| all.delta_without_grid(epsilon, (allowed, likely), (progress, self.work)));
            Found::new(both(anything, found.unwrap_or(anything)))
        };
        // Sampling only helps, and next to rate 1 it does not matter.
        let plain = of(&self.noise, Direction::Remove, removed);
        if plain.bounds.upper <= ceiling || self.rate > NEXT_TO_ONE {
            return plain;
        }
        let is_certified_by_chernoff = |direction, most: f64| {
            Composed::new(self.all.laws(), direction).is_some_and(|all| all.is_within_chernoff(epsilon, most))
        };
        let is_far_below = |direction| is_certified_by_chernoff(direction, ceiling);
        if is_far_below(Direction::Remove) && (pass == Pass::First || is_far_below(Direction::Add)) {
            return Found::new(Bounds { lower: 0.0, upper: ceiling });
        }
        let first = of(&self.all, Direction::Remove, removed).or(&plain);
        if first.bounds.upper > allowed || pass == Pass::First || is_certified_by_chernoff(Direction::Add, allowed) {
            return first;
        }
        let second = of(&self.all, Direction::Add, added).or(&plain);
        if second.bounds.upper <= allowed {
            return first;
        }
        let lower = first.bounds.lower.max(second.bounds.lower);
        let most = if first.bounds.upper >= second.bounds.upper { first } else { second };
        Found { bounds: Bounds { lower, ..most.bounds }, width: most.width }
    }

    /// Whether it is allowed to be sampled at all.
    pub(crate) fn is_free(&self, allowed: f64) -> bool {
        self.ever <= allowed
    }

    /// Whether delta is seen to be allowed.
    pub(crate) fn fits(&self, epsilon: f64, allowed: f64) -> bool {
        let is_sampled = self.rate <= NEXT_TO_ONE && !self.all.is_symmetric();
        self.is_free(allowed)
            || self.is_certified(&self.noise, Direction::Remove, (epsilon, allowed))
            || is_sampled
                && self.is_certified(&self.all, Direction::Remove, (epsilon, allowed))
                && self.is_certified(&self.all, Direction::Add, (epsilon, allowed))
    }

    /// The same where an individual is added.
    pub(crate) fn keeps_added(&self, epsilon: f64, allowed: f64) -> bool {
        self.is_free(allowed)
            || self.all.is_symmetric()
            || self.is_certified(&self.noise, Direction::Remove, (epsilon, allowed))
            || self.is_certified(&self.all, Direction::Add, (epsilon, allowed))
    }

    /// About the logarithm of delta where an individual is removed, in floats.
    pub(crate) fn estimate(&self, epsilon: f64) -> f64 {
        let losses = Composed::new(self.all.laws(), Direction::Remove).map(|all| all.losses);
        let found = losses.and_then(|losses| estimate_at_saddle(&losses, epsilon));
        found.map_or(f64::NEG_INFINITY, |found| found.0)
    }

    /// Whether it is seen to be so without a grid.
    fn is_certified(&self, all: &PrivacyLossDistribution, direction: Direction, budget: (f64, f64)) -> bool {
        let (epsilon, allowed) = budget;
        let composed = Composed::new(all.laws(), direction);
        composed.is_some_and(|composed| composed.is_certified_without_grid(epsilon, allowed, self.work))
    }
}
