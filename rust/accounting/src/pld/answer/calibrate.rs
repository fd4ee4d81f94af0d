//! The least noise, the largest sampling rate and the most steps for a budget.

use crate::{
    error::{Fallible, non_negative, require},
    pld::{
        answer::{
            guess::guess,
            training::{Excess, LESS, Pass, Training, excess},
        },
        distribution::PrivacyLossDistribution,
        loss::finite_loss::{number, whole},
    },
    search::{SearchRange, least_that_does, most_near, outwards},
    units::{Delta, Epsilon, Rate, Sigma},
};
use std::{cell::RefCell, f64::consts::LN_2};

/// How near the logarithm of a parameter comes to the edge.
const NEAR: f64 = 5e-7;
const NEAR_STEPS: f64 = 3e-8;
/// Where to look if nothing is known: an excess falls by the distance at least, mostly.
const UNKNOWN: SearchRange =
    SearchRange { start: 0.0, step: 1.0, finest: 0.01, slope: 1.0, least: 0.0, most: 0.0, tolerance: NEAR, slack: 0.0 };
/// No parameters beyond are looked at.
const LEAST_SIGMA: f64 = 1e-3;
const MOST_SIGMA: f64 = 1e6;
const LEAST_RATE: f64 = 1e-9;
const MOST_STEPS: u64 = (1 << 40) - 1;
/// An estimate of delta's logarithm that is so far below the allowed one decides by itself on which side to go on.
/// (Where one large loss is all there is, estimates are far too much.)
const FAR: f64 = 16.0;

/// No nearer than this to where nothing is known, if delta is no further from what is allowed, in logarithms.
const APART: f64 = 0.02;
const ROOM: f64 = 0.2;
/// After so many looks, the best point that does will do, if one does.
const MOST_LOOKS: usize = 20;
/// Where an individual is expected in fewer samples, what delta is said to be about is mostly within a tenth.
const RARE: f64 = 0.1;
/// And in fewer than these, mostly near enough for a contour that is right there.
const FEW: f64 = 2.0;

impl PrivacyLossDistribution {
    /// The smallest `sigma` for which `steps` of Gaussian noise on Poisson samples of rate `rate` are (`epsilon`,
    /// `delta`)-DP: see [`poisson_gaussian`](Self::poisson_gaussian).
    ///
    /// Rounded up: it was seen to do, and is within 1e-6 or so of the smallest that is seen to without a grid (see
    /// [`delta`](Self::delta)), or as near as what delta is known to makes it; none much below 1e-3 is looked for.
    /// Where an individual is hardly ever sampled, that may be some percent above the smallest that does. Errors: rate
    /// outside 0 to 1, steps of 0 or above 2^40, epsilon negative or not a number, delta outside 0 to 1 or 0; a budget
    /// that no sigma up to 1e6 is seen to meet.
    ///
    /// ```
    /// use indistinct_accounting::{Delta, Epsilon, PrivacyLossDistribution, Rate, Sigma};
    /// let sigma = PrivacyLossDistribution::calibrate_sigma(Rate(0.01), 1000, Epsilon(2.0), Delta(1e-6))?;
    /// let training = PrivacyLossDistribution::poisson_gaussian(Sigma(sigma), Rate(0.01))?.repeat(1000)?;
    /// assert!(training.delta(2.0)?.upper <= 1e-6);
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn calibrate_sigma(
        Rate(rate): Rate,
        steps: u64,
        Epsilon(epsilon): Epsilon,
        Delta(delta): Delta,
    ) -> Fallible<f64> {
        let allowed = check_budget(epsilon, delta)?;
        require(steps >= 1, "steps", "must be at least 1")?;
        // In the logarithm of sigma, in which that of delta is nearly straight.
        let at = |s: f64| Training::new(s.exp(), rate, steps);
        let range = SearchRange { step: LN_2, least: LEAST_SIGMA.ln(), most: MOST_SIGMA.ln(), ..UNKNOWN };
        let found = least_training(range, (epsilon, allowed), |s| (s.exp(), rate, number(steps)), at)?;
        require(found.is_some(), "epsilon", "must be one that a sigma up to 1e6 is seen to meet")?;
        Ok(found.map_or(f64::INFINITY, f64::exp))
    }

    /// The largest sampling rate for which `steps` of Gaussian noise of `sigma` on Poisson samples are (`epsilon`,
    /// `delta`)-DP. Rounded down: it was seen to do, and is as near the largest that is seen to as a sigma is. Errors:
    /// as for [`calibrate_sigma`](Self::calibrate_sigma), with sigma outside 1e-100 to 1e100; a budget that no rate
    /// above 1e-9 is seen to meet.
    pub fn calibrate_rate(
        Sigma(sigma): Sigma,
        steps: u64,
        Epsilon(epsilon): Epsilon,
        Delta(delta): Delta,
    ) -> Fallible<f64> {
        let allowed = check_budget(epsilon, delta)?;
        require(steps >= 1, "steps", "must be at least 1")?;
        let at = |rate: f64| Training::new(sigma, rate, steps);
        if at(1.0)?.fits(epsilon, allowed) {
            return Ok(1.0);
        }
        // Minus the logarithm of the rate.
        let range = SearchRange { step: 2.0 * LN_2, most: -LEAST_RATE.ln(), ..UNKNOWN };
        let of = |s: f64| (sigma, (-s).exp(), number(steps));
        let found = least_training(range, (epsilon, allowed), of, |s| at((-s).exp()))?;
        require(found.is_some(), "epsilon", "must be one that a rate above 1e-9 is seen to meet")?;
        Ok(found.map_or(0.0, |s| (-s).exp()))
    }

    /// The most steps of Gaussian noise of `sigma` on Poisson samples of rate `rate` that are (`epsilon`, `delta`)-DP
    /// together, up to 2^40. It was seen to do, and one more was not (or one in 2^24 more, where that is more, or where
    /// delta is not known to 1e-6, an eighth of what it is known to), or would be 2^40. Errors: as for
    /// [`calibrate_sigma`](Self::calibrate_sigma); a budget that one step is not seen to meet.
    pub fn calibrate_steps(
        Sigma(sigma): Sigma,
        Rate(rate): Rate,
        Epsilon(epsilon): Epsilon,
        Delta(delta): Delta,
    ) -> Fallible<u64> {
        let allowed = check_budget(epsilon, delta)?;
        let at = |steps: u64| Training::new(sigma, rate, steps);
        let by_first = most_steps((sigma, rate), (epsilon, allowed), Pass::First, at)?;
        if by_first > 1 && at(by_first)?.keeps_added(epsilon, allowed) {
            return Ok(by_first);
        }
        require(at(1)?.fits(epsilon, allowed), "epsilon", "must be one that a single step is seen to meet")?;
        if by_first > 1 { most_steps((sigma, rate), (epsilon, allowed), Pass::Again, at) } else { Ok(1) }
    }
}

/// The most steps whose training was seen to keep the budget: about where, then nearer by what delta is there, and then
/// to the step.
fn most_steps(
    (sigma, rate): (f64, f64),
    (epsilon, allowed): (f64, f64),
    pass: Pass,
    at: impl Fn(u64) -> Fallible<Training>,
) -> Fallible<u64> {
    // Minus their logarithm.
    let steps = |s: f64| whole((-s).exp()).clamp(1, MOST_STEPS);
    let (least, step) = (-number(MOST_STEPS).ln(), 1.0);
    let range = SearchRange { least, step, finest: NEAR_STEPS, tolerance: NEAR_STEPS, ..UNKNOWN };
    let of = |s: f64| (sigma, rate, number(steps(s)));
    let (range, is_near) = begin(range, (epsilon, allowed), of, |s| at(steps(s)))?;
    let range = SearchRange { slack: NEAR_STEPS, ..range };
    let known: RefCell<Vec<(u64, Excess)>> = RefCell::new(Vec::new());
    let find = |steps: u64| known.borrow().iter().find(|(known, _)| *known == steps).map(|(_, found)| *found);
    let excess = excess((epsilon, allowed), is_near, pass, &at);
    // To the step only where delta is known so well.
    let is_rough = |steps: u64, found: &Excess| number(steps) * found.width > 1.0;
    let aimed = |steps: u64, found: Excess| if is_rough(steps, &found) { found.aimed() } else { found.log };
    let excess = |s: f64| {
        let steps = steps(s);
        if let Some(found) = find(steps) {
            return Ok(aimed(steps, found));
        }
        let is_good = |(good, found): &(u64, Excess)| aimed(*good, *found) <= 0.0 && steps > *good;
        if known.borrow().len() >= MOST_LOOKS && known.borrow().iter().any(is_good) {
            return Ok(f64::MIN_POSITIVE);
        }
        let found = excess(steps)?;
        known.borrow_mut().push((steps, found));
        Ok(aimed(steps, found))
    };
    let near = least_that_does(range, excess)?.map_or(1, steps);
    if find(near).is_some_and(|found| is_rough(near, &found) && found.decides() == Some(true)) {
        return Ok(near);
    }
    let fits = |steps: u64| {
        let seen = find(steps).and_then(Excess::decides);
        seen.map_or_else(|| Ok(at(steps)?.fits(epsilon, allowed)), Ok)
    };
    most_near((near, near >> 24), MOST_STEPS, fits)
}

/// A range with a point to begin at, which is about where delta is the allowed one, and about how fast it falls there;
/// and whether that is likely within a tenth.
fn begin(
    range: SearchRange,
    (epsilon, allowed): (f64, f64),
    of: impl Fn(f64) -> (f64, f64, f64),
    at: impl Fn(f64) -> Fallible<Training>,
) -> Fallible<(SearchRange, bool)> {
    let guess = |s: f64| {
        let (sigma, rate, steps) = of(s);
        guess((sigma, rate), steps, epsilon)
    };
    let log_delta = |s: f64| guess(s).log_delta;
    let mut start = inverse(range, log_delta, allowed.ln());
    for _ in 0..3 {
        let more = guess(start).correction(at(start)?.estimate(epsilon));
        start = inverse(range, log_delta, allowed.ln() - more);
    }
    let slope = (log_delta(start - 1e-4) - log_delta(start + 1e-4)) / 2e-4;
    let slope = if slope > 1e-3 && slope < 1e9 { slope } else { UNKNOWN.slope };
    let (_, rate, steps) = of(start);
    let (expected, mut slack) = (rate * steps, 0.0);
    if expected < RARE {
        // To the middle of what is near enough.
        slack = slope * range.tolerance;
        start = (start + range.tolerance / 2.0 + LESS / slope).clamp(range.least, range.most);
    }
    Ok((SearchRange { start, slope, slack, finest: range.tolerance, ..range }, expected < FEW))
}

/// The least point of a range where what falls is at most a number.
fn inverse(range: SearchRange, falling: impl Fn(f64) -> f64, most: f64) -> f64 {
    let (mut low, mut high) = (range.least, range.most);
    for _ in 0..50 {
        let middle = low + (high - low) / 2.0;
        if falling(middle) <= most { high = middle } else { low = middle }
    }
    high
}

/// The least point of a range whose training was seen to keep the budget, or none. Far from it, estimates tell where to
/// go; what is found was verified, or else is looked for without them.
fn least_training(
    range: SearchRange,
    (epsilon, allowed): (f64, f64),
    of: impl Fn(f64) -> (f64, f64, f64),
    at: impl Fn(f64) -> Fallible<Training>,
) -> Fallible<Option<f64>> {
    if at(range.least)?.is_free(allowed) {
        return Ok(Some(range.least));
    }
    let (range, is_near) = begin(range, (epsilon, allowed), of, &at)?;
    let seen = RefCell::new(Vec::new());
    let found = least_in((range, &seen), is_near, (epsilon, allowed), Pass::First, &at)?;
    if let Some(point) = found.filter(|point| *point < range.most) {
        if at(point)?.keeps_added(epsilon, allowed) {
            return Ok(found);
        }
        // Where adding asks for a hair more.
        let limit = (point + 4.0 * range.tolerance).min(range.most);
        let next = outwards((point, range.tolerance), limit, |s| Ok(at(s)?.fits(epsilon, allowed)))?;
        if next < limit {
            return Ok(Some(next));
        }
    }
    if seen.into_inner().iter().any(|(point, excess)| *point == range.most && excess.is_excluded) {
        return Ok(None);
    }
    let start = found.unwrap_or(range.start);
    let range = SearchRange { start, slack: 0.0, ..range };
    least_in((range, &RefCell::default()), is_near, (epsilon, allowed), Pass::Again, &at)
}

/// The same by one search; of the first, what is found still has to be seen to do where an individual is added.
fn least_in(
    (range, seen): (SearchRange, &RefCell<Vec<(f64, Excess)>>),
    is_near: bool,
    (epsilon, allowed): (f64, f64),
    pass: Pass,
    at: impl Fn(f64) -> Fallible<Training>,
) -> Fallible<Option<f64>> {
    let exactly = excess((epsilon, allowed), is_near, pass, &at);
    let exactly = |s: f64| {
        let before = seen.borrow().iter().find(|(point, _)| *point == s).copied();
        if let Some((_, found)) = before {
            return Ok(found.aimed());
        }
        // Between a point where nothing is known and one that does, and not by much, the edge is not looked for to the
        // last digits.
        let good = |best: Option<(f64, f64)>, (point, found): &(f64, Excess)| {
            let is_better = found.aimed() <= 0.0 && best.is_none_or(|(least, _)| *point < least);
            if is_better { Some((*point, found.log)) } else { best }
        };
        let good = seen.borrow().iter().fold(None, good);
        let apart = |log: f64| if log > -ROOM { APART } else { APART / 4.0 };
        let is_next = |(point, found): &&(f64, Excess)| {
            found.is_unknown() && good.is_some_and(|(good, log)| s < good && good - point < apart(log))
        };
        let unknown = seen.borrow().iter().find(is_next).copied();
        if let Some((_, found)) = unknown {
            return Ok(found.log);
        }
        if seen.borrow().len() >= MOST_LOOKS && good.is_some_and(|(good, _)| s < good) {
            return Ok(f64::MIN_POSITIVE);
        }
        let found = exactly(s)?;
        seen.borrow_mut().push((s, found));
        Ok(found.aimed())
    };
    let far_below = |s: f64| -> Fallible<Option<f64>> {
        let off = at(s)?.estimate(epsilon) - allowed.ln();
        Ok((off.is_finite() && off < -FAR).then_some(off))
    };
    let about = |s: f64| far_below(s)?.map_or_else(|| exactly(s), Ok);
    // Bounds that know nothing likely may be a little greater: so that they, too, allow it, where some do.
    let confirmed = |found: f64| {
        let is_less = |(point, excess): &(f64, Excess)| *point == found && excess.decides() == Some(true);
        if seen.borrow().iter().any(is_less) {
            return Ok(found);
        }
        let fits = |s: f64| Ok(at(s)?.fits(epsilon, allowed));
        let point = outwards((found - range.tolerance, range.tolerance), range.most, fits)?;
        Ok(if point < range.most { point } else { found })
    };
    match least_that_does(range, about)? {
        Some(found) if far_below(found)?.is_none() => confirmed(found).map(Some),
        _ => least_that_does(range, exactly)?.map(confirmed).transpose(),
    }
}

fn check_budget(epsilon: f64, delta: f64) -> Fallible<f64> {
    non_negative(epsilon, "epsilon")?;
    require(delta > 0.0 && delta <= 1.0, "delta", "must be above 0 and at most 1")?;
    Ok(delta)
}
