//! How much work a search for a parameter takes, and how much it may.

use std::cell::Cell;

/// What a point of a quadrature rule takes, and its term in the sum at one node of a contour, in microseconds, about.
const POINT: f64 = 1.3;
const TERM: f64 = 1e-3;

/// In microseconds of a machine of 2025, about, but by what is done and not by a clock: so that answers are always the
/// same.
#[derive(Debug)]
pub(crate) struct Work {
    done: Cell<f64>,
    most_at_once: f64,
}

impl Work {
    /// With no sums over the nodes of a contour that take more than so much.
    pub(crate) fn up_to(most_at_once: f64) -> Self {
        Self { done: Cell::new(0.0), most_at_once }
    }

    pub(crate) fn without_limit() -> Self {
        Self::up_to(f64::INFINITY)
    }

    pub(crate) fn is_limited(&self) -> bool {
        self.most_at_once < f64::INFINITY
    }

    pub(crate) fn done(&self) -> f64 {
        self.done.get()
    }

    pub(crate) fn count(&self, more: f64) {
        self.done.set(self.done() + more);
    }

    pub(crate) fn count_points(&self, points: f64) {
        self.count(points * POINT);
    }

    /// Whether so many terms at each of the nodes are not too much.
    pub(crate) fn allows(&self, terms: f64, nodes: u32) -> bool {
        terms * f64::from(nodes) * TERM <= self.most_at_once
    }

    /// Counts so many terms at each of the nodes, or none of them where that is too much.
    pub(crate) fn take_terms(&self, terms: usize, nodes: u32) -> Option<()> {
        let terms = f64::from(u32::try_from(terms).ok()?);
        self.allows(terms, nodes).then(|| self.count(terms * f64::from(nodes) * TERM))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_not_counted() {
        let work = Work::up_to(1_000.0);
        work.count_points(100.0);
        assert_eq!((work.take_terms(1_000, 1_000), work.done()), (Some(()), 1_130.0));
        // At once; not all together.
        assert_eq!((work.take_terms(1_000, 1_001), work.done()), (None, 1_130.0));
        assert_eq!((work.take_terms(500, 2_000), work.done()), (Some(()), 2_130.0));
        assert!(work.allows(1e3, 1_000) && !work.allows(1e3, 1_001) && work.is_limited());
        assert!(!Work::without_limit().is_limited());
        assert_eq!(Work::without_limit().take_terms(1 << 20, 1 << 20), Some(()));
    }
}
