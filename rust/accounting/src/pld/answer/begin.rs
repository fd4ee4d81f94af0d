//! Where a search for a parameter of a training begins, and when it has looked at enough.

use crate::{
    error::Fallible,
    pld::{
        answer::{
            guess::guess,
            training::{LESS, Training},
        },
        integrate::smooth::ROUGH,
    },
    search::SearchRange,
};
use std::ops::Range;

/// Where to look if nothing is known: an excess falls by the distance at least, mostly.
pub(crate) const UNKNOWN: SearchRange =
    SearchRange { start: 0.0, step: 1.0, finest: 0.01, slope: 1.0, least: 0.0, most: 0.0, tolerance: 0.0, slack: 0.0 };
/// No excess is taken to fall faster than this: where an estimate does, it jumps.
const STEEPEST: f64 = 1e3;
/// Where an individual is expected in fewer samples, what delta is said to be about is mostly within a tenth.
const RARE: f64 = 0.1;
/// And in fewer than these, mostly near enough for a contour that is right there.
const FEW: f64 = 2.0;
/// After so much, the best point that does is returned if the edge seems to be so near.
const MUCH_WORK: f64 = 15_000.0;
const ENOUGH_WORK: [(f64, f64); 4] = [(MUCH_WORK, NEARLY), (25_000.0, 1e-3), (35_000.0, 1e-2), (45_000.0, 0.05)];
const NEARLY: f64 = 1e-4;
/// After so much, what was seen to do is not looked at once more.
const CONFIRMED: f64 = 20_000.0;
/// Where a look takes so much, half of `NEARLY` is near enough, and the search is told that the edge is so much further
/// on: its next point likely does.
const LONG: f64 = 4_000.0;
const FURTHER: f64 = 0.01;
/// Where it takes so much, and delta is only known roughly, what is looked for is not to be found to many digits.
const SOME: f64 = 6_000.0;
/// Further apart, bounds are not a contour's, and do not jump.
const ROUGH_BOUNDS: Range<f64> = ROUGH..0.5;
/// After so many looks the best point that does is returned, however far the edge is.
const MOST_LOOKS: usize = 20;

/// A range with a point to begin at, which is about where delta is the allowed one, and about how fast it falls there;
/// and whether delta there is likely so near that a contour for the allowed one is right.
pub(crate) fn begin<'a>(
    range: SearchRange,
    (epsilon, allowed): (f64, f64),
    of: impl Fn(f64) -> (f64, f64, f64),
    at: impl Fn(f64) -> Fallible<Training<'a>>,
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
    let slope = if slope > 1e-3 && slope < STEEPEST { slope } else { UNKNOWN.slope };
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

/// What was found where: how much more than what is allowed, as a logarithm; and how much work it took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) at: f64,
    pub(crate) excess: f64,
    pub(crate) work: f64,
}

/// What a search is told of an excess that falls so fast, took so much work, and is known to a width.
pub(crate) fn told(excess: f64, slope: f64, (work, width): (f64, f64)) -> f64 {
    let is_rough = ROUGH_BOUNDS.contains(&width) && work > SOME;
    match excess {
        // Where little is known, bounds jump: what does is hardly found but by a step that is as long.
        _ if is_rough && excess > 0.0 => excess + width / 4.0,
        _ if is_rough && -excess <= width / 4.0 => 0.0,
        // Where nothing is known of how fast it falls, a small one tells little.
        _ if work < LONG || slope == UNKNOWN.slope => excess,
        _ if excess > 0.0 => excess * (1.0 + FURTHER),
        _ if -excess <= slope * NEARLY / 2.0 => 0.0,
        _ => excess * (1.0 - FURTHER),
    }
}

/// Whether so many looks are as much work as is worth a hair.
pub(crate) fn is_much(looks: &[Look]) -> bool {
    total_work(looks) >= MUCH_WORK
}

/// Whether they are so much work that what was seen to do is not looked at once more.
pub(crate) fn is_most(looks: &[Look]) -> bool {
    total_work(looks) >= CONFIRMED
}

fn total_work(looks: &[Look]) -> f64 {
    looks.iter().map(|look| look.work).sum()
}

/// The least point of those that do, if there has been enough of looking.
pub(crate) fn good_enough(looks: &[Look]) -> Option<f64> {
    let greater = |x: &&Look, y: &&Look| x.at.total_cmp(&y.at);
    let good = looks.iter().filter(|look| look.excess <= 0.0).min_by(greater)?;
    let bad = looks.iter().filter(|look| look.at < good.at).max_by(greater);
    // As far as a line says.
    let edge = |bad: &Look| good.excess * (good.at - bad.at) / (good.excess - bad.excess);
    let distance = bad.map_or(f64::INFINITY, edge);
    let work = total_work(looks);
    let is_enough = ENOUGH_WORK.iter().any(|(enough, near)| work >= *enough && distance <= *near);
    (looks.len() >= MOST_LOOKS || is_enough).then_some(good.at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_search_is_told() {
        let (slope, sharp) = (10.0, 1e-9);
        // As it is, where a look is short, or nothing is known of the slope.
        assert_eq!((told(0.5, slope, (100.0, 0.3)), told(-1e-4, UNKNOWN.slope, (40_000.0, sharp))), (0.5, -1e-4));
        // Near enough; further on, to either side.
        assert_eq!((told(-4e-4, slope, (40_000.0, sharp)), told(-6e-4, slope, (40_000.0, sharp))), (0.0, -6e-4 * 0.99));
        assert!(told(0.5, slope, (40_000.0, sharp)) > 0.5 && told(0.5, slope, (9_000.0, 0.4)) == 0.6);
        assert_eq!((told(-0.09, slope, (9_000.0, 0.4)), told(-0.2, slope, (9_000.0, 0.4))), (0.0, -0.2 * 0.99));
        // What does not keep the budget is never told to.
        assert!(
            told(f64::MIN_POSITIVE, slope, (40_000.0, 0.4)) > 0.0 && told(f64::NAN, slope, (40_000.0, 0.4)).is_nan()
        );
    }

    #[test]
    fn enough_of_looking() {
        let look = |at: f64, excess: f64, work: f64| Look { at, excess, work };
        let (bad, good, far) = (look(1.0, 1e-3, 30_000.0), look(1.0001, -1e-4, 30_000.0), look(1.5, -2.0, 30_000.0));
        assert_eq!(good_enough(&[far, good, bad]), Some(1.0001));
        // No good one, none that is near, not enough.
        assert_eq!((good_enough(&[bad; 30]), good_enough(&[bad, far]), good_enough(&[good])), (None, None, None));
        assert_eq!(good_enough(&[look(1.0, 1e-3, 9_000.0), look(1.0001, -1e-4, 100.0)]), None);
        assert_eq!(good_enough(&[[look(1.0, 1e-3, 100.0); 19].as_slice(), &[far]].concat()), Some(1.5));
        // The more work, the further the edge may be.
        let (bad, near) = (look(1.0, 1e-3, 9_000.0), look(1.0005, -1e-3, 9_000.0));
        assert_eq!(
            (good_enough(&[bad, near]), good_enough(&[[bad; 6].as_slice(), &[near]].concat())),
            (None, Some(1.0005))
        );
        assert!(is_much(&[bad, bad]) && !is_much(&[bad]));
    }
}
