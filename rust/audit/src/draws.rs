//! Computes the smallest losses that are consistent with draws: lower bounds on epsilon, delta, rho and mu. No claim is
//! needed.

use crate::{
    confidence::clopper_pearson,
    counts::{Counts, View, seen_by},
    events::{events, hits},
    key::Key,
    law::binary_renyi,
    mass::float,
    views::automatic,
};
use statrs::distribution::{ContinuousCDF, Normal};

/// Lower bounds on the privacy losses between two inputs. All of them hold together with the stated confidence.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EmpiricalLowerBounds {
    /// The smallest epsilon that is consistent with the draws, for the given delta.
    pub epsilon: f64,
    /// The smallest delta that is consistent with the draws, for the given epsilon.
    pub delta: f64,
    /// The smallest rho that is consistent with the draws (zero-concentrated divergence).
    pub rho: f64,
    /// The smallest mu that is consistent with the draws (Gaussian divergence).
    pub mu: f64,
}

impl EmpiricalLowerBounds {
    /// Returns the losses that follow from an event with a probability of at least `p` at one input and at most `q` at
    /// the other.
    fn of(p: f64, q: f64, (epsilon, delta): (f64, f64)) -> Self {
        /// These numbers are orders minus one; the order with the largest bound is used.
        const ORDERS: [f64; 12] = [1e-3, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0];
        if p <= q {
            return Self::default();
        }
        let rho = ORDERS.iter().map(|t| 1.0 + t).map(|alpha| binary_renyi(p, q, alpha) / alpha);
        // A quantile is as good as its algorithm: nine digits are asked for.
        let quantile = |x: f64| Normal::standard().inverse_cdf(x);
        let mu = quantile(p) - quantile(q);
        Self {
            epsilon: if p > delta { ((p - delta) / q).ln().max(0.0) } else { 0.0 },
            delta: (p - epsilon.exp() * q).max(0.0),
            rho: rho.fold(0.0, f64::max),
            mu: (mu - 1e-9 * (1.0 + mu.abs())).max(0.0),
        }
    }

    fn greater(self, other: Self) -> Self {
        Self {
            epsilon: self.epsilon.max(other.epsilon),
            delta: self.delta.max(other.delta),
            rho: self.rho.max(other.rho),
            mu: self.mu.max(other.mu),
        }
    }
}

/// The outcomes of independent runs on one input. One half of them is used to choose events, and the events are counted
/// in the other half.
///
/// The runs may come from any program, in any language.
///
/// ```
/// use indistinct_audit::{Draws, Seen};
/// // Says the truth three times in four, and loses ln 3.
/// let says = |truth: bool| Draws::new((0..40_000).map(|run| (truth == (run / 2 % 4 != 0)).key()));
/// let least = says(true).empirical_lower_bounds(&says(false), (0.0, 0.0), &[], 0.999).unwrap();
/// assert!(1.0 < least.epsilon && least.epsilon < 3f64.ln());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Draws(pub(crate) [Counts; 2]);

impl Draws {
    /// Stores outcomes in the order in which they occurred. Every second outcome is used for counting.
    pub fn new(outcomes: impl IntoIterator<Item = Key>) -> Self {
        let [mut chosen, mut counted] = [Counts::new(), Counts::new()];
        for (position, outcome) in outcomes.into_iter().enumerate() {
            let half = if position.is_multiple_of(2) { &mut chosen } else { &mut counted };
            *half.entry(outcome).or_insert(0) += 1;
        }
        Self([chosen, counted])
    }

    /// The number of outcomes.
    pub fn number(&self) -> u64 {
        self.0.iter().flat_map(Counts::values).sum()
    }

    /// Computes the smallest losses between two inputs that are consistent with the draws. Events are chosen on one
    /// half of the draws, for each view of an outcome, and counted on the other half (Clopper, Pearson 1934). All
    /// bounds hold together with a probability of at least `confidence`. The function returns `None` if `confidence` is
    /// not between 0 and 1, or if there are fewer than two draws at an input.
    ///
    /// # Parameters
    ///
    /// - `given`: an epsilon, in nats, and a delta. The function reports the smallest delta for this epsilon and the
    ///   smallest epsilon for this delta.
    /// - `views`: functions of an outcome by which draws are compared, in addition to the outcome itself and to views
    ///   that suit numbers and lists.
    pub fn empirical_lower_bounds(
        &self,
        other: &Self,
        given: (f64, f64),
        views: &[View],
        confidence: f64,
    ) -> Option<EmpiricalLowerBounds> {
        let is_empty = |draws: &Self| draws.0.iter().any(Counts::is_empty);
        // Written so that a NaN fails.
        if !(confidence > 0.0 && confidence < 1.0) || is_empty(self) || is_empty(other) {
            return None;
        }
        let (at_x, at_y) = (&self.0, &other.0);
        let own = automatic(&[&at_x[0], &at_y[0]]);
        let same: View = &Key::clone;
        let all: Vec<View> =
            std::iter::once(same).chain(views.iter().copied()).chain(own.iter().map(|view| -> View { view })).collect();
        let mut least = EmpiricalLowerBounds::default();
        let mut chosen: Vec<([Counts; 2], Vec<Vec<Key>>)> = Vec::new();
        for (one, other) in [(at_x, at_y), (at_y, at_x)] {
            for view in &all {
                let [train_p, test_p] = one.each_ref().map(|counts| seen_by(*view, counts));
                let [train_q, test_q] = other.each_ref().map(|counts| seen_by(*view, counts));
                chosen.extend(events(&train_p, &train_q).map(|events| ([test_p, test_q], events)));
            }
        }
        // Each event has two bounds.
        let tests: usize = chosen.iter().map(|(_, events)| 2 * events.len()).sum();
        let miss = (1.0 - confidence) / float(u64::try_from(tests).unwrap_or(u64::MAX)).max(1.0);
        for ([p, q], events) in &chosen {
            for event in events {
                let low = clopper_pearson(hits(p, event), p.values().sum(), miss).0;
                let high = clopper_pearson(hits(q, event), q.values().sum(), miss).1;
                least = least.greater(EmpiricalLowerBounds::of(low, high, given));
            }
        }
        Some(least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Seen;

    #[test]
    fn bounds_of_an_event() {
        let least = EmpiricalLowerBounds::of(0.75, 0.25, (0.0, 0.25));
        assert!((least.epsilon - 2f64.ln()).abs() < 1e-15 && least.delta == 0.5);
        // 2 * 0.6744897501960817.
        assert!((least.mu - 1.348_979_500_392_163).abs() < 1e-8 && least.mu < 1.348_979_500_392_163);
        assert!(least.rho > 0.25 && least.rho < 0.75 * 3f64.ln());
        assert_eq!(EmpiricalLowerBounds::of(0.25, 0.75, (0.0, 0.0)), EmpiricalLowerBounds::default());
        assert_eq!(EmpiricalLowerBounds::of(0.5, 0.0, (0.0, 0.0)).epsilon, f64::INFINITY);
    }

    #[test]
    fn of_too_few_draws_nothing_follows() {
        let draws = |number: u8| Draws::new((0..number).map(|outcome| outcome.key()));
        let least = |one: u8, other: u8, confidence| {
            draws(one).empirical_lower_bounds(&draws(other), (0.0, 0.0), &[], confidence)
        };
        for confidence in [0.0, 1.0, f64::NAN] {
            assert_eq!(least(9, 9, confidence), None);
        }
        assert_eq!((least(1, 9, 0.9), least(9, 0, 0.9), least(2, 2, 0.9).is_some()), (None, None, true));
        assert_eq!(draws(7).number(), 7);
    }
}
