//! One search for the parameter that is nearest to a budget's edge and was seen to keep the budget: on a line, among
//! whole numbers, and by steps outwards from where the edge is thought to be.
//!
//! A search costs tightness, never truth: what is returned is always a point at which the test was made and passed, or
//! a limit that the caller knows to do.
//!
//! Three searches are not this one. [`inverse::between`](crate::composition::inverse) narrows a bracket to a float's
//! last places from a guess on, where a test may stay open; [`inverse::nearby`](crate::composition::inverse) takes two
//! or three steps of Newton, as each evaluation is dear; epsilon of a loss distribution chooses, as it goes, the
//! contour on which it evaluates. The functions that find a start in floats (`newton`, `approach`, `root`, `golden`)
//! test nothing.

use crate::error::Fallible;

/// How far a search goes, and how near it comes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchRange {
    /// Where it begins, and its steps from there until there is a point on either side: shorter ones, where the excess
    /// is less or once it is seen how far the edge is, and longer ones where it is not.
    pub(crate) start: f64,
    pub(crate) step: f64,
    /// No first step is shorter.
    pub(crate) finest: f64,
    /// About by how much the excess falls, to a unit.
    pub(crate) slope: f64,
    /// Nothing beyond is looked at.
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// The distance between the last point that does and one that does not.
    pub(crate) tolerance: f64,
    /// Where the excess is less than this below 0, or is 0, no nearer point is looked for.
    pub(crate) slack: f64,
}

/// The logarithm of an excess is nearly a line where it is no more than this.
const STRAIGHT: f64 = 0.1;

/// About the least point at which an excess that falls was seen to be 0 or less: by inverse quadratic interpolation
/// or false position (Illinois), or by halves where these make too little progress. None, if not even the greatest
/// does; the least of the range, if that does.
pub(crate) fn least_that_does(range: SearchRange, excess: impl Fn(f64) -> Fallible<f64>) -> Fallible<Option<f64>> {
    let SearchRange { start, mut step, finest, slope, least, most, tolerance, slack } = range;
    let first = (start, excess(start)?);
    if is_near(first.1, slack) {
        return Ok(Some(start));
    }
    let direction = if first.1 <= 0.0 { -1.0 } else { 1.0 };
    // Outwards until there is one on either side.
    let (mut last, mut next) = (first, first);
    let (mut short_steps, mut whole_steps) = (0, 0);
    // To where half the slack is left.
    let nearest = ((first.1 + slack / 2.0).abs() / slope).clamp(finest.min(step), step);
    while (next.1 <= 0.0) == (first.1 <= 0.0) {
        if (direction < 0.0 && next.0 <= least) || (direction > 0.0 && next.0 >= most) {
            return Ok((first.1 <= 0.0).then_some(next.0));
        }
        // Two short steps at most: where those were not enough, a line says little.
        let is_first = next.0 == start;
        let length = match () {
            () if is_first => nearest,
            () if short_steps == 2 => step,
            () => outward(last, next, if short_steps == 0 { 1.3 } else { 3.0 }).clamp(finest.min(step), step),
        };
        short_steps = if length < step && !is_first { short_steps + 1 } else { 0 };
        // After so many the start was a bad guess.
        whole_steps += u32::from(length >= step);
        if whole_steps > 3 {
            step *= 2.0;
        }
        let look = |length: f64| -> Fallible<(f64, f64)> {
            let point = (next.0 + direction * length).clamp(least, most);
            Ok((point, excess(point)?))
        };
        let mut found = look(length)?;
        // Where it is more further on, little is known there: the edge may be nearer.
        for part in [0.25, 0.05] {
            if direction > 0.0 && found.1 > next.1 && part * length > tolerance {
                found = look(part * length)?;
            }
        }
        (last, next) = (next, found);
        if is_near(next.1, slack) {
            return Ok(Some(next.0));
        }
    }
    let (bad, good) = if next.1 <= 0.0 { (last, next) } else { (next, last) };
    inwards(bad, good, (tolerance, slack), excess).map(Some)
}

/// True if an excess does, and is so little below 0 that no nearer point is looked for: so is one of 0.
fn is_near(excess: f64, slack: f64) -> bool {
    excess <= 0.0 && (excess == 0.0 || -excess < slack)
}

/// How far to go on from two points on one side: so many times as far as a line through them says.
fn outward(last: (f64, f64), next: (f64, f64), times: f64) -> f64 {
    let distance = (next.1 * (next.0 - last.0) / (next.1 - last.1)).abs();
    if next.1.abs() < last.1.abs() { distance * times } else { f64::INFINITY }
}

/// From a point that does not do and a greater one that does.
fn inwards(
    (mut bad, mut above): (f64, f64),
    (mut good, mut below): (f64, f64),
    (tolerance, slack): (f64, f64),
    excess: impl Fn(f64) -> Fallible<f64>,
) -> Fallible<f64> {
    let (mut last, mut was_near) = (None, false);
    // The ends as they were found, and the one before.
    let mut seen = [(bad, above), (good, below), (f64::NAN, f64::NAN)];
    for round in 0..90 {
        if good - bad <= tolerance || is_near(seen[1].1, slack) || across(seen) <= tolerance / 2.0 {
            break;
        }
        let is_between = |x: f64| x > bad && x < good && below < 0.0;
        let line = good - below * (bad - good) / (above - below);
        let curve = crossing(seen);
        // A little to the good side, so that the good end closes in too.
        let crossing = if is_between(curve) { curve } else { line } + 0.2 * tolerance;
        // Next to the good end, one point within what is asked will tell.
        let near = good - ((good - bad) / 2.0).min(0.9 * tolerance);
        let is_inside = is_between(crossing) && crossing < near;
        // By halves where that makes too little progress, or after a while.
        let is_halved = if is_inside { round >= 6 && round % 2 == 0 } else { was_near };
        was_near = !is_inside && !was_near;
        let next = if is_halved {
            bad + (good - bad) / 2.0
        } else if is_inside {
            crossing
        } else {
            near
        };
        let found = excess(next)?;
        let does = found <= 0.0;
        let share = if last == Some(does) { 0.5 } else { 1.0 };
        let [was_bad, was_good, _] = seen;
        if does {
            (good, below) = (next, found);
            above *= share;
            seen = [was_bad, (next, found), was_good];
        } else {
            (bad, above) = (next, found);
            below *= share;
            seen = [(next, found), was_good, was_bad];
        }
        last = Some(does);
    }
    Ok(good)
}

/// How far it is from the good end to where a line through both crosses 0, if they are so near that it nearly is one.
fn across([(bad, above), (good, below), _]: [(f64, f64); 3]) -> f64 {
    if above <= STRAIGHT { -below * (good - bad) / (above - below) } else { f64::INFINITY }
}

/// Where a parabola through three points that lies on its side crosses 0; not a number if it does not cross.
fn crossing([(a, fa), (b, fb), (c, fc)]: [(f64, f64); 3]) -> f64 {
    a * fb * fc / ((fa - fb) * (fa - fc))
        + b * fa * fc / ((fb - fa) * (fb - fc))
        + c * fa * fb / ((fc - fa) * (fc - fb))
}

/// The logarithm of how many times what is allowed something costs: 0 or less exactly if it is allowed.
pub(crate) fn log_excess(cost: f64, allowed: f64) -> f64 {
    let excess = cost.max(5e-324).ln() - allowed.ln();
    if cost <= allowed { excess.min(0.0) } else { excess.max(1e-300) }
}

/// The first point at which a test was seen to hold, of those beyond `near` at distances that double from `step` on,
/// towards `limit`; the limit if at none before it, where no test is made.
pub(crate) fn outwards(
    (near, step): (f64, f64),
    limit: f64,
    mut does: impl FnMut(f64) -> Fallible<bool>,
) -> Fallible<f64> {
    let (mut point, mut step) = (near, step.max(f64::from_bits(1)));
    loop {
        // To the next float at least.
        point = if limit < near { (near - step).min(point.next_down()) } else { (near + step).max(point.next_up()) };
        let is_before = if limit < near { point > limit } else { point < limit };
        if !(is_before && step < f64::INFINITY) {
            return Ok(limit);
        }
        if does(point)? {
            return Ok(point);
        }
        step *= 2.0;
    }
}

/// Likewise from a float in whose last places the edge is thought to be, and which is tested first.
pub(crate) fn from_on(near: f64, limit: f64, mut does: impl FnMut(f64) -> Fallible<bool>) -> Fallible<f64> {
    if does(near)? { Ok(near) } else { outwards((near, near.abs() * f64::EPSILON), limit, does) }
}

/// A number up to a limit at which a test was seen to hold that holds up to some number, 1 at least, and not seen to
/// for at most `grain` more: from a number near which that is thought to be, by steps that double, then by halves. With
/// a grain of 1 it is the greatest.
pub(crate) fn most_near((near, grain): (u64, u64), limit: u64, does: impl Fn(u64) -> Fallible<bool>) -> Fallible<u64> {
    let grain = grain.max(1);
    let (mut low, mut high, mut step) = (1u64, limit.saturating_add(1), grain);
    let mut point = near.clamp(1, limit);
    let is_upward = point == 1 || does(point)?;
    if is_upward {
        low = point
    } else {
        high = point
    }
    while high - low > grain {
        point = if is_upward { low.saturating_add(step) } else { high.saturating_sub(step) };
        if point <= low || point >= high {
            break;
        }
        let does = does(point)?;
        if does {
            low = point
        } else {
            high = point
        }
        if does != is_upward {
            break;
        }
        step = step.saturating_mul(2);
    }
    while high - low > grain {
        let middle = low + (high - low) / 2;
        if does(middle)? { low = middle } else { high = middle }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    const RANGE: SearchRange = SearchRange {
        start: 0.0,
        step: 0.7,
        finest: 0.01,
        slope: 1.0,
        least: -7.0,
        most: 14.0,
        tolerance: 1e-7,
        slack: 0.0,
    };

    /// What is near enough by its excess takes fewer calls, and is as near as that says.
    #[test]
    fn slack_is_used() {
        let mut less = 0;
        for slope in [0.3, 1.0, 3.0, 30.0] {
            let search = |slack: f64| {
                let calls = Cell::new(0);
                let excess = |x: f64| {
                    calls.set(calls.get() + 1);
                    Ok((slope * (1.3 - x)).sinh())
                };
                let found = least_that_does(SearchRange { slope, slack, ..RANGE }, excess).unwrap().unwrap();
                assert!(found >= 1.3 && slope * (found - 1.3) <= slack.max(1e-7 * slope), "{slope} {slack}: {found}");
                calls.get()
            };
            less += search(0.0) - search(0.05);
            assert!(search(0.05) <= search(0.0), "{slope}");
        }
        assert!(less > 0);
    }

    #[test]
    fn what_is_found_does_and_is_near() {
        for edge in [-6.5f64, -0.3, 0.0, 1.7, 11.0] {
            for slope in [0.1, 1.0, 30.0] {
                let calls = Cell::new(0);
                let excess = |x: f64| {
                    calls.set(calls.get() + 1);
                    Ok((slope * (edge - x)).sinh())
                };
                let range = RANGE;
                let found = least_that_does(range, excess).unwrap().unwrap();
                assert!(found >= edge && found - edge <= 1e-7, "{edge} {slope}: {found}");
                assert!(calls.get() < 80, "{edge} {slope}: {}", calls.get());
            }
        }
    }

    #[test]
    fn a_bad_guess_is_left_by_steps_that_double() {
        for edge in [-19.0f64, 12.0] {
            let calls = Cell::new(0);
            // A line through two points says that the edge is near, and it is not.
            let excess = |x: f64| {
                calls.set(calls.get() + 1);
                Ok((edge - x).signum() * (1.0 + (edge - x).abs()).ln())
            };
            let range = SearchRange { step: 0.02, finest: 0.001, least: -27.0, most: 27.0, ..RANGE };
            let found = least_that_does(range, excess).unwrap().unwrap();
            assert!(found >= edge && found - edge <= 1e-7, "{found}");
            assert!(calls.get() < 40, "{}", calls.get());
        }
    }

    #[test]
    fn at_the_ends_of_the_range() {
        let range = RANGE;
        // One of 0 is near enough, wherever that is tested.
        let calls = Cell::new(0);
        let test = |x: f64| {
            calls.set(calls.get() + 1);
            Ok(if x < range.start { 1.0 } else { 0.0 })
        };
        assert_eq!(
            (least_that_does(SearchRange { slack: 0.0, ..range }, test), calls.get()),
            (Ok(Some(range.start)), 1)
        );
        assert_eq!(least_that_does(range, |x| Ok(20.0 - x)), Ok(None));
        assert_eq!(least_that_does(range, |x| Ok(-20.0 - x)), Ok(Some(-7.0)));
        // Steps, infinities.
        let found = least_that_does(range, |x| Ok(if x < 3.0 { f64::INFINITY } else { -1.0 })).unwrap().unwrap();
        assert!((3.0..3.0 + 1e-7).contains(&found));
    }

    #[test]
    fn outwards_to_the_first_that_does() {
        let up = |edge: f64| outwards((1.0, f64::EPSILON), f64::INFINITY, |x| Ok(x >= edge)).unwrap();
        assert_eq!((up(0.5), up(1.5), up(1.6)), (1.0f64.next_up(), 1.5, 2.0));
        let down = |edge: f64, limit: f64| outwards((1.0, f64::EPSILON), limit, |x| Ok(x <= edge)).unwrap();
        assert_eq!((down(2.0, 0.0), down(0.75, 0.0)), (1.0 - f64::EPSILON, 0.75));
        // The limit is not tested, nor is what is beyond it.
        assert_eq!((down(0.6, 0.7), down(-1.0, 0.0), down(2.0, 1.0)), (0.7, 0.0, 1.0));
        assert_eq!(outwards((1.0, 0.0), f64::INFINITY, |_| Ok(false)), Ok(f64::INFINITY));
        for near in [f64::NAN, f64::INFINITY] {
            assert_eq!(outwards((near, near), 0.0, |_| Ok(false)), Ok(0.0));
        }
        // The point itself first, or what lies beyond.
        let tested = Cell::new(0);
        let count = |x: f64, edge: f64| {
            tested.set(tested.get() + 1);
            Ok(x >= edge)
        };
        assert_eq!((from_on(1.0, f64::INFINITY, |x| count(x, 1.0)), tested.get()), (Ok(1.0), 1));
        assert_eq!(from_on(0.0, 1.0, |x| count(x, 1e-323)), Ok(1e-323));
    }

    #[test]
    fn whole_numbers() {
        assert_eq!(most_near((7, 1), 100, |_| Ok(true)), Ok(100));
        assert_eq!(most_near((7, 1), u64::from(u32::MAX), |n| Ok(n < 4_294_967_295)), Ok(4_294_967_294));
        for near in [0, 900, 1000, 1100, 5000] {
            let found = most_near((near, 10), 4000, |n| Ok(n <= 1000)).unwrap();
            assert!((991..=1000).contains(&found), "{near}: {found}");
        }
        for edge in [1u64, 2, 3, 10, 999, 1000] {
            for near in [0u64, 1, 2, 9, 10, 11, 500, 1000, 5000] {
                let calls = Cell::new(0u32);
                let does = |n| {
                    calls.set(calls.get() + 1);
                    Ok(n <= edge)
                };
                assert_eq!(most_near((near, 1), 1000, does), Ok(edge), "{near}");
                let far = near.clamp(1, 1000).abs_diff(edge);
                assert!(calls.get() <= 2 * (far + 2).ilog2() + 4, "{near} {edge}: {}", calls.get());
            }
        }
    }

    #[test]
    fn an_excess_is_at_most_zero_exactly_where_the_cost_is_allowed() {
        for (cost, allowed) in
            [(1.0, 1.0), (1.0f64.next_up(), 1.0), (0.0, 1e-300), (1e-320, 1e-320), (3.0, f64::INFINITY)]
        {
            assert_eq!(log_excess(cost, allowed) <= 0.0, cost <= allowed);
        }
    }
}
