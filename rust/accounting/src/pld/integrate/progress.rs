//! What a search for a parameter goes by from one look at a delta to the next.

use crate::pld::{
    integrate::{
        contour::Contour,
        smooth::{Goals, Missed, Way, best_way},
    },
    loss::finite_loss::FiniteLosses,
    transform::work::Work,
};
use std::cell::Cell;

/// Another nearby may leave so many times as much open.
const AS_GOOD: f64 = 4.0;

#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// What led to the last contour of this look; of the look before, and how much one nearby may leave open.
    found: Cell<Option<Way>>,
    before: Cell<Option<(Way, f64)>>,
    /// Whether the last contour of this look was found as that before, and leaves no more open.
    is_as_before: Cell<bool>,
    /// Whether the last contour of this look, or of the look before, was worse than bounds that always hold.
    is_beaten: Cell<bool>,
    /// Goals that were not met nearby: where delta is known, and where it is not.
    missed: [[Missed; 2]; 2],
}

impl Progress {
    /// Ends a look, which left so much open in all: one nearby, if the next is, first tries what led to the last
    /// contour.
    pub(crate) fn end_look(&self, is_near: bool, width: f64) {
        let found = self.found.take().filter(|_| is_near);
        self.before.set(found.map(|way| (way, AS_GOOD * width)));
        self.is_as_before.set(false);
        self.is_beaten.set(self.is_beaten.get() && is_near);
        if !is_near {
            self.missed.iter().flatten().for_each(Missed::forget);
        }
    }

    /// Whether there is no point in another contour nearby.
    pub(crate) fn is_beaten(&self) -> bool {
        self.is_beaten.get()
    }

    pub(crate) fn set_beaten(&self, is_beaten: bool) {
        self.is_beaten.set(is_beaten);
    }

    pub(crate) fn is_as_before(&self) -> bool {
        self.is_as_before.get()
    }

    /// For losses of which some have a smooth density, what is known without a grid; `known` is a number that the
    /// logarithm of delta is known to be near or below, or 0.
    pub(crate) fn contour(&self, losses: &FiniteLosses, epsilon: f64, known: f64, work: &Work) -> Option<Contour> {
        let found = self.as_before(losses, epsilon, known, work);
        self.is_as_before.set(found.is_some());
        let [of_known, of_unknown] = &self.missed;
        let missed = if known < 0.0 { of_known } else { of_unknown };
        let by_best_way = || best_way((Goals::in_search(known), missed), losses, (epsilon, known), work);
        let (way, contour) = found.or_else(by_best_way)?;
        if known < 0.0 || matches!(way, Way::Smooth(_)) {
            self.found.set(Some(way));
        }
        Some(contour)
    }

    fn as_before(&self, losses: &FiniteLosses, epsilon: f64, known: f64, work: &Work) -> Option<(Way, Contour)> {
        let (way, enough) = self.before.get().filter(|_| known < 0.0)?;
        let found = way.with_room().contour(losses, epsilon, known, work).ok();
        found.filter(|found| found.width(epsilon) <= enough).map(|found| (way, found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pld::{
            distribution::{PrivacyLossDistribution as P, losses},
            loss::direction::Direction,
        },
        units::{Rate, Sigma},
    };

    /// A look nearby goes the same way, unless that leaves more open than all of the look before; one that is far goes
    /// its own.
    #[test]
    fn the_way_of_the_look_before() {
        // Of large losses alone, of all, and to a lesser goal, as goals before it take too many points.
        for (sigma, rate, steps, epsilon, known) in
            [(1.0, 1e-3, 100, 0.9, -14.0), (1.0, 0.01, 1000, 1.0, -10.0), (0.324, 4e-7, 1 << 29, 19.0, -28.6)]
        {
            let all = P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap();
            let all = losses(&all, Direction::Remove);
            let (progress, work) = (Progress::default(), Work::without_limit());
            let look = |known: f64| {
                let contour = progress.contour(&all, epsilon, known, &work).unwrap();
                (contour.values.len(), contour.delta(epsilon), contour.width(epsilon), progress.is_as_before())
            };
            let (points, bounds, width, is_as_before) = look(known);
            progress.end_look(true, width);
            let first = work.done();
            assert!(!is_as_before && first > 800.0 && width < 1e-3, "{sigma}: {width}");
            assert_eq!(look(known), (points, bounds, width, true));
            progress.end_look(true, 0.0);
            assert!(work.done() <= 2.0 * first, "{sigma}");
            // Nothing is as good; and then nothing was near.
            assert_eq!(look(known), (points, bounds, width, false));
            progress.end_look(false, width);
            assert_eq!(look(known), (points, bounds, width, false));
            progress.end_look(true, width);
            // Where delta is not known, another contour finds out.
            assert!(!look(0.0).3, "{sigma}");
        }
    }

    /// What was in vain is not tried again nearby, but further off.
    #[test]
    fn what_was_beaten() {
        let progress = Progress::default();
        progress.set_beaten(true);
        progress.end_look(true, 1.0);
        assert!(progress.is_beaten());
        progress.end_look(false, 1.0);
        assert!(!progress.is_beaten());
    }
}
