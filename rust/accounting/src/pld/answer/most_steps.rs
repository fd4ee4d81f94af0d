//! The most steps whose training keeps a budget.

use crate::{
    error::Fallible,
    pld::{
        answer::{
            begin::{Look, UNKNOWN, begin, good_enough, is_most, is_much, told},
            training::{Excess, Pass, Training, excess},
        },
        loss::finite_loss::{number, whole},
    },
    search::{SearchRange, least_that_does, most_near},
};
use std::cell::RefCell;

/// How near the logarithm of their number comes to the edge.
const NEAR: f64 = 3e-8;
/// No more are looked at.
const MOST: u64 = (1 << 40) - 1;

/// About the most steps whose training keeps the budget: what is above 1 was seen to, of a first pass perhaps only
/// where an individual is removed; 1 is returned untested. The search finds about where the edge is, closes in by the
/// values of delta there, and then goes to the step.
pub(crate) fn most_steps<'a>(
    (sigma, rate): (f64, f64),
    (epsilon, allowed): (f64, f64),
    pass: Pass,
    at: impl Fn(u64) -> Fallible<Training<'a>>,
) -> Fallible<u64> {
    // Minus their logarithm.
    let steps = |s: f64| whole((-s).exp()).clamp(1, MOST);
    let (least, step) = (-number(MOST).ln(), 1.0);
    let range = SearchRange { least, step, finest: NEAR, tolerance: NEAR, ..UNKNOWN };
    let of = |s: f64| (sigma, rate, number(steps(s)));
    let (range, is_near) = begin(range, (epsilon, allowed), of, |s| at(steps(s)))?;
    // No nearer than some steps, and no shorter than one.
    let one = 1.0 / number(steps(range.start));
    let range = SearchRange { slack: NEAR, tolerance: NEAR.max(4.0 * one), finest: NEAR.max(1.1 * one), ..range };
    let known: RefCell<Vec<(u64, Excess)>> = RefCell::new(Vec::new());
    let find = |steps: u64| known.borrow().iter().find(|(known, _)| *known == steps).map(|(_, found)| *found);
    let excess = excess((epsilon, allowed), is_near, pass, &at);
    // To the step only where delta is known so well.
    let is_rough = |steps: u64, found: &Excess| number(steps) * found.width > 1.0;
    let aimed = |steps: u64, found: Excess| if is_rough(steps, &found) { found.aimed() } else { found.log };
    let is_good = |(good, found): &(u64, Excess)| aimed(*good, *found) <= 0.0;
    let looks = || -> Vec<Look> {
        let of = |(steps, found): &(u64, Excess)| Look {
            at: -number(*steps).ln(),
            excess: aimed(*steps, *found),
            work: found.work,
        };
        known.borrow().iter().map(of).collect()
    };
    let enough = || good_enough(&looks()).is_some();
    let best = || known.borrow().iter().filter(|seen| is_good(seen)).map(|seen| seen.0).max();
    let look = |steps: u64| {
        if let Some(found) = find(steps) {
            return Ok(told(aimed(steps, found), range.slope, (found.work, found.width)));
        }
        if best().is_some_and(|best| steps > best) && enough() {
            return Ok(f64::MIN_POSITIVE);
        }
        let found = excess(steps)?;
        known.borrow_mut().push((steps, found));
        Ok(told(aimed(steps, found), range.slope, (found.work, found.width)))
    };
    let near = least_that_does(range, |s| look(steps(s)))?.map_or(1, steps);
    if near == 1 && find(1).is_some_and(|found| found.is_excluded) {
        return Ok(1);
    }
    let decided = |steps: u64| find(steps).and_then(Excess::decides);
    // As near as delta is known to, or as looking is worth.
    let is_near = find(near).is_some_and(|found| is_rough(near, &found)) || look(near)? == 0.0;
    if is_near && decided(near) == Some(true) {
        return Ok(near);
    }
    // Coarser where little is known, or looking takes long.
    let digits = match find(near) {
        Some(found) if found.is_rough() => 10,
        _ if is_much(&looks()) => 13,
        _ => 24,
    };
    let grain = (near >> digits).max(1);
    let bad = known.borrow().iter().filter(|seen| seen.0 > near && !is_good(seen)).map(|seen| seen.0).min();
    let near = match bad {
        // Where it is told to be 0, it is near enough.
        Some(bad) if look(near)? < 0.0 => most_between((near, look(near)?), (bad, look(bad)?), grain, look)?,
        _ => near,
    };
    if decided(near) == Some(true) && best() == Some(near) && enough() {
        return Ok(near);
    }
    let is_enough = |best: &u64| is_most(&looks()) || find(*best).is_some_and(Excess::is_rough);
    if let Some(best) = best().filter(is_enough) {
        return Ok(best);
    }
    let fits = |steps: u64| decided(steps).map_or_else(|| Ok(at(steps)?.fits(epsilon, allowed)), Ok);
    most_near((near, grain), MOST, fits)
}

/// Narrows the gap between a number at which the excess was seen to be 0 or less and a greater one at which it was not,
/// until it is at most `grain`, and returns the lower. The next number is where a line through both crosses 0, at least
/// `grain` from either; each fourth one, and the last, is in the middle.
fn most_between(
    (mut good, mut below): (u64, f64),
    (mut bad, mut above): (u64, f64),
    grain: u64,
    excess: impl Fn(u64) -> Fallible<f64>,
) -> Fallible<u64> {
    for round in 0u32.. {
        let gap = bad.saturating_sub(good);
        if gap <= grain.max(1) {
            break;
        }
        let line = good + whole(below / (below - above) * number(gap)).min(gap);
        let is_halved = gap < 2 * grain || round % 4 == 3;
        let next = if is_halved { good + gap / 2 } else { line.clamp(good + grain, bad - grain) };
        let found = excess(next)?;
        if found <= 0.0 {
            (good, below) = (next, found);
        } else {
            (bad, above) = (next, found);
        }
    }
    Ok(good)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn to_the_step_by_a_line() {
        for (edge, grain) in [(78u64, 1u64), (1_000_003, 1), (4_082_861, 1), (900_000_000_000, 50_000)] {
            for curvature in [0.0, 0.5, 3.0] {
                let calls = Cell::new(0);
                let excess = |steps: u64| {
                    calls.set(calls.get() + 1);
                    let x = (number(steps) / (number(edge) + 0.5)).ln();
                    Ok(x + curvature * x * x.abs())
                };
                let ends = [edge - edge / 9, edge + edge / 7];
                let [good, bad] = ends.map(|end| (end, excess(end).unwrap()));
                calls.set(0);
                let found = most_between(good, bad, grain, excess).unwrap();
                assert!(found <= edge && edge - found < grain, "{edge} {grain}: {found}");
                assert!(calls.get() <= 12, "{edge} {curvature}: {}", calls.get());
            }
        }
        // What is no number ends, too.
        assert_eq!(
            most_between((1, f64::NAN), (100, f64::NAN), 1, |steps| Ok(if steps <= 40 { -1.0 } else { 1.0 })),
            Ok(40)
        );
    }
}
