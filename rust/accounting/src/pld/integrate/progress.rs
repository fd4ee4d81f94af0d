//! What a search for a parameter goes by from one look at a delta to the next.

use crate::pld::{
    integrate::{
        contour::Contour,
        smooth::{Goals, Way, best_way},
    },
    loss::finite_loss::FiniteLosses,
};
use std::cell::Cell;

/// Another nearby may leave so many times as much open.
const AS_GOOD: f64 = 2.0;

#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// How much work this look took, in values of a transform.
    work: Cell<usize>,
    /// What led to the last contour of this look; of the look before, and how much one nearby may leave open.
    found: Cell<Option<Way>>,
    before: Cell<Option<(Way, f64)>>,
    /// Whether the last contour of this look was found as that before, and leaves no more open.
    is_as_before: Cell<bool>,
}

impl Progress {
    /// Ends a look, which left so much open in all: one nearby, if the next is, first tries what led to the last
    /// contour. Returns how much work it took.
    pub(crate) fn end_look(&self, is_near: bool, width: f64) -> usize {
        let found = self.found.take().filter(|_| is_near);
        self.before.set(found.map(|way| (way, AS_GOOD * width)));
        self.work.take()
    }

    pub(crate) fn is_as_before(&self) -> bool {
        self.is_as_before.get()
    }

    /// For losses of which some have a smooth density, what is known without a grid; `known` is a number that the
    /// logarithm of delta is known to be near or below, or 0.
    pub(crate) fn contour(&self, losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Contour> {
        let found = self.as_before(losses, epsilon, known);
        self.is_as_before.set(found.is_some());
        let by_best_way = || best_way(Goals::in_search(known), losses, (epsilon, known), &self.work);
        let (way, contour) = found.or_else(by_best_way)?;
        if known < 0.0 || matches!(way, Way::Smooth(_)) {
            self.found.set(Some(way));
        }
        Some(contour)
    }

    fn as_before(&self, losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<(Way, Contour)> {
        let (way, enough) = self.before.get().filter(|_| known < 0.0)?;
        let found = way.with_room().contour(losses, epsilon, known, &self.work);
        found.filter(|found| found.width(epsilon) <= enough).map(|found| (way, found))
    }
}
