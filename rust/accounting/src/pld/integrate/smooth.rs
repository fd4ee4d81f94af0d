//! Which contour: for losses of which some have a smooth density.

use crate::pld::{
    integrate::{
        contour::{Contour, MOST_POINTS},
        low_rate::{FIRST_GOAL, GOAL, MOST_POINTS as MOST, is_low_rate, low_rate},
        truncate::estimate,
    },
    loss::finite_loss::{FiniteLoss, FiniteLosses},
    transform::work::Work,
};
use std::cell::Cell;

/// Logarithms of the relative error that each of the charged parts is given, and how many points are spent on it at
/// most: about 1e-14 where that is cheap; and where nothing else helps.
pub(crate) const SMOOTH_GOALS: [(f64, f64); 4] = [(32.0, 384.0), (24.0, 768.0), (19.0, 4_096.0), (19.0, MOST_POINTS)];

/// Goals in the order in which they are tried, each with how many points are spent on it at most.
pub(crate) struct Goals {
    /// By large losses, where delta is not known, and where it is.
    unknown: &'static [(f64, f64)],
    large_losses: &'static [(f64, f64)],
    smooth: &'static [(f64, f64)],
    /// Where none of these leaves little open: of all losses, and by large ones.
    last_smooth: &'static [(f64, f64)],
    last_large_losses: &'static [(f64, f64)],
    /// To a lesser goal a contour may be where less cancels, if none of the others leaves any digits.
    rough: &'static [(f64, f64)],
}

/// To bound delta to about 1e-8, or less well where that takes too many points.
const PRECISE: Goals = Goals {
    unknown: &[(FIRST_GOAL, MOST)],
    large_losses: &[(GOAL, MOST), (17.0, MOST), (15.5, MOST)],
    smooth: &[(32.0, 384.0), (24.0, 768.0), (19.0, 4_096.0)],
    last_smooth: &[(19.0, MOST_POINTS)],
    last_large_losses: &[(13.0, MOST), (11.0, MOST), (11.0, 1.75 * MOST)],
    rough: &[],
};
/// Of tiny deltas in a search: where that takes many points, or no digits are left, bounds that take no contour are
/// nearly as good.
const OF_TINY: Goals = Goals {
    unknown: &[(7.0, 5_000.0)],
    large_losses: &[(12.0, 5_000.0)],
    smooth: &[(32.0, 384.0), (24.0, 768.0), (13.0, 2_048.0)],
    last_smooth: &[],
    last_large_losses: &[],
    rough: &[],
};
/// And of others: an edge is not looked for to the last digits if that takes many points.
const IN_SEARCH: Goals = Goals {
    unknown: &[(7.0, MOST)],
    large_losses: &[(GOAL, 5_000.0), (13.0, 10_000.0)],
    smooth: &[(32.0, 384.0), (24.0, 768.0), (19.0, 2_048.0), (13.0, 3_072.0)],
    last_smooth: &[(13.0, MOST_POINTS)],
    last_large_losses: &[(11.0, 10_000.0), (9.0, 10_000.0), (7.0, 10_000.0), (9.0, MOST), (11.0, MOST), (7.0, MOST)],
    rough: &[(11.0, 4_096.0), (6.0, 4_096.0)],
};
impl Goals {
    pub(crate) fn in_search(known: f64) -> &'static Self {
        if known < TINY { &OF_TINY } else { &IN_SEARCH }
    }
}

/// Of deltas below, in logarithms, contours to lesser goals that take fewer points mostly leave no digits.
const TINY: f64 = -45.0;
/// Bounds on delta that are further apart, relatively, are rough.
pub(crate) const ROUGH: f64 = 0.1;
/// And so far apart, another way may do better.
const CLOSE: f64 = 1e-3;

/// Work beside that of transforms, about: of an attempt at a contour of all losses or of large ones, where one is
/// found, where it would take too many points, and where something else is missing.
const SMOOTH: [f64; 3] = [300.0, 350.0, 800.0];
const LARGE_LOSSES: [f64; 3] = [2_000.0, 400.0, 1_500.0];
/// And for each node, where both parts are raised to powers.
const NODE: f64 = 0.4;
/// Points grow with a goal by no more than this power, nearly always.
const FEWER: i32 = 6;
/// After so much, no other contour is tried.
const ENOUGH_WORK: f64 = 18_000.0;

/// A way to a contour, with its goal.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Way {
    LargeLosses((f64, f64)),
    Smooth((f64, f64)),
}

impl Way {
    /// `known` is as for [`smooth_contour`]; of all losses, below 0. Where there is none, about how many points it
    /// would take, or a NaN where that is not known.
    pub(crate) fn contour(self, losses: &FiniteLosses, epsilon: f64, known: f64, work: &Work) -> Result<Contour, f64> {
        let ([success, too_many, missing], found) = match self {
            Self::LargeLosses(goal) => (LARGE_LOSSES, low_rate(goal, losses, (epsilon, known), work)),
            Self::Smooth(goal) => {
                let (found, points) = Contour::with_points(goal, losses, epsilon, known, work);
                (SMOOTH, found.ok_or(points))
            }
        };
        let nodes = if let (Self::LargeLosses(_), Ok(found)) = (self, &found) { found.points() } else { 0.0 };
        work.count(match &found {
            Ok(_) => success + NODE * nodes,
            Err(points) if points.is_nan() || *points > self.goal().1 => too_many,
            Err(_) => missing,
        });
        found
    }

    fn goal(self) -> (f64, f64) {
        match self {
            Self::LargeLosses(goal) | Self::Smooth(goal) => goal,
        }
    }

    /// The same with a few more points, which another nearby may take.
    pub(crate) fn with_room(self) -> Self {
        match self {
            Self::LargeLosses((goal, most)) => Self::LargeLosses((goal, most * 1.2)),
            Self::Smooth((goal, most)) => Self::Smooth((goal, most * 1.2)),
        }
    }
}

/// The last goal that was not met, and how many points it took: where that is far too many, another that is not much
/// less takes too many, too. And the least for which something else than points was missing, as it is for any above.
#[derive(Debug)]
pub(crate) struct Missed {
    last: Cell<(f64, f64)>,
    out_of_reach: Cell<f64>,
}

impl Default for Missed {
    fn default() -> Self {
        Self { last: Cell::new((0.0, 0.0)), out_of_reach: Cell::new(f64::INFINITY) }
    }
}

impl Missed {
    fn allows(&self, (goal, most): (f64, f64)) -> bool {
        let (other, points) = self.last.get();
        // A NaN tells nothing.
        let least = points * (goal / other).powi(FEWER);
        goal < self.out_of_reach.get() && (least.is_nan() || least <= most)
    }

    pub(crate) fn forget(&self) {
        self.last.set((0.0, 0.0));
        self.out_of_reach.set(f64::INFINITY);
    }

    fn learn(&self, (goal, _): (f64, f64), points: f64) {
        self.last.set((goal, points));
        if points.is_nan() {
            self.out_of_reach.set(goal);
        }
    }
}

/// For losses of which some have a smooth density; none where that does not help. `known` is a number that the
/// logarithm of delta is known to be near or below, or 0.
pub(crate) fn smooth_contour(losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Contour> {
    let missed = <[Missed; 2]>::default();
    best_way((&PRECISE, &missed), losses, (epsilon, known), &Work::without_limit()).map(|found| found.1)
}

/// The same to these goals, within so much work, with the way that led to it.
pub(crate) fn best_way(
    (goals, [missed_large, missed_smooth]): (&Goals, &[Missed; 2]),
    losses: &FiniteLosses,
    (epsilon, known): (f64, f64),
    work: &Work,
) -> Option<(Way, Contour)> {
    // Atoms alone have a transform that never falls for good.
    if losses.iter().all(|(loss, _)| matches!(loss, FiniteLoss::Lattice(_) | FiniteLoss::Loose(_))) {
        return None;
    }
    let before = work.done();
    let is_enough = || work.done() - before > ENOUGH_WORK;
    let near = if known < 0.0 { known } else { estimate(losses, epsilon).map_or(0.0, |found| found.0) };
    let to = |way: Way, known: f64, missed: &Missed| {
        let goal = way.goal();
        let is_allowed = missed.allows(goal) && !(work.is_limited() && is_enough());
        let found = if is_allowed { way.contour(losses, epsilon, known, work) } else { return None };
        missed.learn(goal, found.as_ref().err().copied().unwrap_or(0.0));
        Some((way, found.ok()?))
    };
    // By large losses the first that is met; of all losses the first that leaves little open.
    let by_large_losses =
        |goals: &[(f64, f64)]| goals.iter().find_map(|goal| to(Way::LargeLosses(*goal), known, missed_large));
    let smooth = |goals: &[(f64, f64)]| {
        let mut best = Best::new(epsilon, if near < 0.0 { ROUGH } else { f64::INFINITY });
        let _ = goals.iter().any(|goal| best.takes(to(Way::Smooth(*goal), near, missed_smooth)));
        best.found
    };
    // To find out where delta is, any will do.
    let mut best = Best::new(epsilon, if known < 0.0 { CLOSE } else { f64::INFINITY });
    let large_losses = if known < 0.0 { goals.large_losses } else { goals.unknown };
    let last_large_losses = if known < 0.0 { goals.last_large_losses } else { &[] };
    let is_first = is_low_rate(losses);
    if is_first && best.takes(by_large_losses(large_losses)) {
        return best.found;
    }
    let found = smooth(goals.smooth);
    // With more points it would be the same.
    let is_found = found.is_some();
    let is_done = best.takes(found)
        || !is_first && best.takes(by_large_losses(large_losses))
        || is_enough()
        || !is_found && best.takes(smooth(goals.last_smooth))
        || best.takes(by_large_losses(last_large_losses));
    let is_sampled = losses.iter().any(|(loss, _)| matches!(loss, FiniteLoss::Sampled(_)));
    if !is_done && known < 0.0 && is_sampled && best.width > ROUGH && !is_enough() {
        best.takes(smooth(goals.rough));
    }
    best.found
}

/// To the first of the goals that is met, and leaves little open; or the one that leaves least.
pub(crate) fn smooth_to(goals: &[(f64, f64)], losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Contour> {
    let mut best = Best::new(epsilon, if known < 0.0 { ROUGH } else { f64::INFINITY });
    let to = |goal: (f64, f64)| Some((Way::Smooth(goal), Contour::to(goal, losses, epsilon, known)?));
    let _ = goals.iter().any(|goal| best.takes(to(*goal)));
    best.found.map(|found| found.1)
}

/// The contour that leaves least open at an epsilon.
struct Best {
    epsilon: f64,
    enough: f64,
    width: f64,
    found: Option<(Way, Contour)>,
}

impl Best {
    fn new(epsilon: f64, enough: f64) -> Self {
        Self { epsilon, enough, width: f64::INFINITY, found: None }
    }

    /// Takes another if it is better; whether that will do.
    fn takes(&mut self, found: Option<(Way, Contour)>) -> bool {
        let Some((way, contour)) = found else { return false };
        let is_any = self.enough == f64::INFINITY;
        let width = if is_any { 0.0 } else { contour.width(self.epsilon) };
        if width < self.width || self.found.is_none() {
            (self.width, self.found) = (width, Some((way, contour)));
        }
        width <= self.enough
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_missed() {
        let missed = Missed::default();
        assert!(missed.allows((32.0, 100.0)));
        // Far too many points for this goal, and for one that is not much less; not for one that is.
        missed.learn((32.0, 100.0), 4_000.0);
        assert_eq!([32.0, 24.0, 17.0, 16.0].map(|goal| missed.allows((goal, 100.0))), [false, false, true, true]);
        assert!(missed.allows((32.0, 4_000.0)));
        // What something else is missing for is out of reach, and so is more.
        missed.learn((13.0, 100.0), f64::NAN);
        assert_eq!([19.0, 13.0, 11.0].map(|goal| missed.allows((goal, 1e9))), [false, false, true]);
        missed.learn((11.0, 100.0), 0.0);
        assert!(!missed.allows((13.0, 1e9)) && missed.allows((11.0, 1e9)));
        // No number of points.
        missed.learn((11.0, 100.0), f64::INFINITY);
        assert!(!missed.allows((7.0, 1e9)));
        missed.forget();
        assert!(missed.allows((32.0, 100.0)));
    }
}
