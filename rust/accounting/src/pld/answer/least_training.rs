//! The least point of a range whose training keeps a budget.

use crate::{
    error::Fallible,
    pld::{
        answer::{
            begin::{Look, begin, good_enough, is_most, is_much, told},
            training::{Excess, Pass, Training, excess},
        },
        integrate::smooth::ROUGH,
    },
    search::{SearchRange, least_that_does, outwards},
};
use std::cell::RefCell;

/// An estimate of delta's logarithm that is so far below the allowed one decides by itself on which side to go on.
/// (Where one large loss is all there is, estimates are far too much.)
const FAR: f64 = 16.0;
/// No nearer than this to where nothing is known, if delta is no further from what is allowed, in logarithms.
const APART: f64 = 0.02;
const ROOM: f64 = 0.2;
/// Where looking takes long, other bounds are asked only so much further on; where little is known, up to a hundred
/// times as far.
const FURTHER: f64 = 1e-4;

/// The least point of a range whose training was seen to keep the budget, or none. Far from it, estimates tell where to
/// go; what is found was verified, or else is looked for without them.
pub(crate) fn least_training<'a>(
    range: SearchRange,
    (epsilon, allowed): (f64, f64),
    of: impl Fn(f64) -> (f64, f64, f64),
    at: impl Fn(f64) -> Fallible<Training<'a>>,
) -> Fallible<Option<f64>> {
    if at(range.least)?.is_free(allowed) {
        return Ok(Some(range.least));
    }
    let (range, is_near) = begin(range, (epsilon, allowed), of, &at)?;
    let seen = RefCell::new(Vec::new());
    let found = least_in((range, &seen), is_near, (epsilon, allowed), Pass::First, &at)?;
    let found = match found {
        Some((point, true)) => return Ok(Some(point)),
        _ => found.map(|(point, _)| point),
    };
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
    let found = least_in((range, &RefCell::default()), is_near, (epsilon, allowed), Pass::Again, &at)?;
    Ok(found.map(|(point, _)| point))
}

/// The same by one search, and whether it was seen to do by bounds that know nothing likely, for both directions: if
/// not, what the first search finds still has to be seen to do where an individual is added.
fn least_in<'a>(
    (range, seen): (SearchRange, &RefCell<Vec<(f64, Excess)>>),
    is_near: bool,
    (epsilon, allowed): (f64, f64),
    pass: Pass,
    at: impl Fn(f64) -> Fallible<Training<'a>>,
) -> Fallible<Option<(f64, bool)>> {
    let look = |(at, found): &(f64, Excess)| Look { at: *at, excess: found.aimed(), work: found.work };
    let exactly = excess((epsilon, allowed), is_near, pass, &at);
    let exactly = |s: f64| {
        let before = seen.borrow().iter().find(|(point, _)| *point == s).copied();
        if let Some((_, found)) = before {
            return Ok(told(found.aimed(), range.slope, (found.work, found.width)));
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
        if good_enough(&seen.borrow().iter().map(look).collect::<Vec<_>>()).is_some_and(|good| s < good) {
            return Ok(f64::MIN_POSITIVE);
        }
        let found = exactly(s)?;
        seen.borrow_mut().push((s, found));
        Ok(told(found.aimed(), range.slope, (found.work, found.width)))
    };
    let far_below = |s: f64| -> Fallible<Option<f64>> {
        let off = at(s)?.estimate(epsilon) - allowed.ln();
        Ok((off.is_finite() && off < -FAR).then_some(off))
    };
    let about = |s: f64| far_below(s)?.map_or_else(|| exactly(s), Ok);
    // Bounds that know nothing likely may be a little greater: so that they, too, allow it, where some do.
    let confirmed = |found: f64| {
        let there = seen.borrow().iter().find(|(point, _)| *point == found).map(|(_, excess)| *excess);
        if there.and_then(Excess::decides) == Some(true) {
            return Ok((found, false));
        }
        let looks: Vec<_> = seen.borrow().iter().map(look).collect();
        let is_enough = |excess: Excess| excess.log <= 0.0 && (is_most(&looks) || excess.is_rough());
        if there.is_some_and(is_enough) {
            return Ok((found, false));
        }
        let fits = |s: f64| Ok(at(s)?.fits(epsilon, allowed));
        let further = match there {
            Some(excess) if excess.is_rough() => FURTHER * (excess.width / ROUGH).powi(2),
            _ => FURTHER,
        };
        let is_wide = there.is_some_and(Excess::is_rough) || is_much(&looks);
        let step = if is_wide { further } else { range.tolerance };
        let point = outwards((found - step, step), range.most, fits)?;
        Ok(if point < range.most { (point, true) } else { (found, false) })
    };
    match least_that_does(range, about)? {
        Some(found) if far_below(found)?.is_none() => confirmed(found).map(Some),
        _ => least_that_does(range, exactly)?.map(confirmed).transpose(),
    }
}
