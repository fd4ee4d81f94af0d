//! Which contour: for losses of which some have a smooth density.

use crate::pld::{
    integrate::{
        contour::{Contour, MOST_POINTS},
        low_rate::{is_low_rate, low_rate, rough_low_rate},
        truncate::estimate,
    },
    loss::finite_loss::{FiniteLoss, FiniteLosses},
};
use std::cell::Cell;

/// Logarithms of the relative error that each of the charged parts is given, and how many points are spent on it at
/// most: about 1e-14 where that is cheap; and where nothing else helps.
pub(crate) const SMOOTH_GOALS: [(f64, f64); 4] = [(32.0, 384.0), (24.0, 768.0), (19.0, 4_096.0), (19.0, MOST_POINTS)];

/// What cancels may leave no digits: then it is less where less is asked.
const ROUGH_GOALS: [(f64, f64); 2] = [(11.0, 4_096.0), (6.0, 4_096.0)];
/// Bounds on delta that are further apart, relatively, are rough.
pub(crate) const ROUGH: f64 = 0.1;
/// And so far apart, another way may do better.
const CLOSE: f64 = 1e-3;

/// Work, in values of a transform, that an attempt takes beside those of its contour, about.
const ATTEMPT: usize = 1_000;
/// The same, if there is one, at a contour of large losses alone.
const LARGE_LOSSES: usize = 4_000;
/// After so much, no other contour is tried.
const ENOUGH_WORK: usize = 16_000;

/// For losses of which some have a smooth density; none where that does not help. Adds to `work` how much it took, in
/// values of a transform.
pub(crate) fn smooth_contour(losses: &FiniteLosses, epsilon: f64, known: f64, work: &Cell<usize>) -> Option<Contour> {
    // Atoms alone have a transform that never falls for good.
    if losses.iter().all(|(loss, _)| matches!(loss, FiniteLoss::Lattice(_) | FiniteLoss::Loose(_))) {
        return None;
    }
    let (cheap, last) = SMOOTH_GOALS.split_at(SMOOTH_GOALS.len() - 1);
    let (is_first, before) = (is_low_rate(losses), work.get());
    let spent = |least: usize, found: &Option<Contour>| {
        work.set(work.get() + found.as_ref().map_or(ATTEMPT, |contour| least + contour.values.len()));
    };
    let by_large_losses = |is_now: bool| {
        let found = if is_now { low_rate(losses, epsilon, known) } else { return None };
        spent(LARGE_LOSSES, &found);
        found
    };
    let near = if known < 0.0 { known } else { estimate(losses, epsilon).map_or(0.0, |found| found.0) };
    let to = |goals: &[(f64, f64)]| {
        let found = smooth_to(goals, losses, epsilon, near);
        spent(ATTEMPT, &found);
        found
    };
    let by_rough = || {
        let found = rough_low_rate(losses, epsilon, known);
        spent(LARGE_LOSSES, &found);
        found
    };
    // To find out where delta is, any will do.
    let mut best = Best::new(epsilon, if known < 0.0 { CLOSE } else { f64::INFINITY });
    let is_enough = || work.get() - before > ENOUGH_WORK;
    let _ = best.takes(by_large_losses(is_first))
        || best.takes(to(cheap))
        || best.takes(by_large_losses(!is_first))
        || is_enough()
        || best.takes(to(last))
        || best.takes(by_rough());
    best.contour
}

/// What was found or, where that leaves much open, a contour to lesser goals: whichever leaves less. For samples where
/// no grid is asked, which may tell more.
pub(crate) fn or_roughly(
    found: Option<Contour>,
    losses: &FiniteLosses,
    (epsilon, known): (f64, f64),
    work: &Cell<usize>,
) -> Option<Contour> {
    let is_sampled = losses.iter().any(|(loss, _)| matches!(loss, FiniteLoss::Sampled(_)));
    if known >= 0.0 || !is_sampled || work.get() > ENOUGH_WORK {
        return found;
    }
    let mut best = Best::new(epsilon, ROUGH);
    if best.takes(found) {
        return best.contour;
    }
    work.set(work.get() + ATTEMPT);
    best.takes(smooth_to(&ROUGH_GOALS, losses, epsilon, known));
    best.contour
}

/// To the first of the goals that is met, and leaves little open; or the one that leaves least.
pub(crate) fn smooth_to(goals: &[(f64, f64)], losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Contour> {
    let mut best = Best::new(epsilon, if known < 0.0 { ROUGH } else { f64::INFINITY });
    let _ = goals.iter().any(|goal| best.takes(Contour::to(*goal, losses, epsilon, known)));
    best.contour
}

/// The contour that leaves least open at an epsilon.
struct Best {
    epsilon: f64,
    enough: f64,
    width: f64,
    contour: Option<Contour>,
}

impl Best {
    fn new(epsilon: f64, enough: f64) -> Self {
        Self { epsilon, enough, width: f64::INFINITY, contour: None }
    }

    /// Takes another if it is better; whether that will do.
    fn takes(&mut self, found: Option<Contour>) -> bool {
        let Some(found) = found else { return false };
        let is_any = self.enough == f64::INFINITY;
        let width = if is_any { 0.0 } else { found.width(self.epsilon) };
        if width < self.width || self.contour.is_none() {
            (self.width, self.contour) = (width, Some(found));
        }
        width <= self.enough
    }
}
