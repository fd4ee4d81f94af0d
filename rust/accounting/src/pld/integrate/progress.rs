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
    /// What led to the last contour of this look, and how much one nearby may leave open; and of the look before.
    found: Cell<Option<(Way, f64)>>,
    before: Cell<Option<(Way, f64)>>,
}

impl Progress {
    /// Ends a look: one nearby, if the next is, first tries what led to the last contour. Returns how much work it
    /// took.
    pub(crate) fn end_look(&self, is_near: bool) -> usize {
        self.before.set(self.found.take().filter(|_| is_near));
        self.work.take()
    }

    /// For losses of which some have a smooth density, what is known without a grid; `known` is a number that the
    /// logarithm of delta is known to be near or below, or 0.
    pub(crate) fn contour(&self, losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Contour> {
        let found = self.as_before(losses, epsilon, known);
        let (way, contour) =
            found.or_else(|| best_way(Goals::in_search(known), losses, (epsilon, known), &self.work))?;
        if known < 0.0 || matches!(way, Way::Smooth(_)) {
            self.found.set(Some((way.with_room(), AS_GOOD * contour.width(epsilon))));
        }
        Some(contour)
    }

    /// The way of the look before, if that is as good here.
    fn as_before(&self, losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<(Way, Contour)> {
        let (way, enough) = self.before.get().filter(|_| known < 0.0)?;
        let found = way.contour(losses, epsilon, known, &self.work);
        found.filter(|found| found.width(epsilon) <= enough).map(|found| (way, found))
    }
}
