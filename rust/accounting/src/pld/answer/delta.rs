//! Delta of a composition, in the worse direction.

use crate::{
    error::{Fallible, non_negative},
    pld::{
        answer::composed::{Composed, GREATEST},
        distribution::PrivacyLossDistribution,
        integrate::integral::ANYTHING,
        loss::{direction::Direction, pair::DominatingPair},
    },
};
use indistinct_numeric::enclosure::Bounds;

/// The directions that may differ.
pub(crate) fn directions(laws: &[(DominatingPair, u64)]) -> &'static [Direction] {
    if laws.iter().all(|(law, _)| law.is_symmetric()) {
        &[Direction::Remove]
    } else {
        &[Direction::Remove, Direction::Add]
    }
}

impl PrivacyLossDistribution {
    pub(crate) fn delta_in_direction(&self, epsilon: f64, direction: Direction) -> Bounds {
        Composed::new(self.laws(), direction).map_or(ANYTHING, |composed| composed.delta(epsilon, None))
    }

    /// An upper bound on delta, looked at in the second direction only if the first one's is at most the wanted one;
    /// that is all that is asked of the second, too.
    pub(crate) fn delta_if_within(&self, epsilon: f64, wanted: f64) -> f64 {
        let first = self.delta_in_direction(epsilon, Direction::Remove).upper;
        let is_enough = first > wanted
            || self.is_symmetric()
            || Composed::new(self.laws(), Direction::Add)
                .is_some_and(|other| other.is_certified_within(epsilon, wanted));
        if is_enough { first } else { first.max(self.delta_in_direction(epsilon, Direction::Add).upper) }
    }

    /// The smallest delta such that everything together is (`epsilon`, delta)-DP, as the pairs of distributions have
    /// it: a float below and one above.
    ///
    /// `epsilon` is in nats. How far the bounds are apart, relative to delta, depends on the mechanisms:
    ///
    /// | composition | apart |
    /// |---|---|
    /// | losses on lattices; Laplace releases or ranges alone; a few releases of several kinds | 1e-9 |
    /// | Gaussian noise on samples, an individual expected in more than 10 (also beside others) | 1e-9 |
    /// | the same, an individual expected in fewer; few steps; at rates from 1e-5 on | 1e-5 or so |
    /// | epsilons below some hundred times the rate; two or three steps with one replaced, at low rates | a percent or more |
    /// | rates far below 1e-5 | up to a factor |
    ///
    /// The second row holds for up to some 10^5 steps, and in proportion to their number beyond. One step on a sample is
    /// known exactly, also with one individual replaced. Takes less than 8 MB. Error: epsilon negative or not a number.
    ///
    /// Source: see `proofs/accounting/pld.md`.
    pub fn delta(&self, epsilon: f64) -> Fallible<Bounds> {
        let epsilon = non_negative(epsilon, "epsilon")?;
        if epsilon > GREATEST {
            // Nobody's budget; the larger epsilon has the smaller delta.
            return Ok(Bounds { lower: 0.0, upper: self.delta(GREATEST)?.upper });
        }
        let both = directions(self.laws()).iter().map(|direction| self.delta_in_direction(epsilon, *direction));
        Ok(both.fold(Bounds { lower: 0.0, upper: 0.0 }, |worst, bounds| Bounds {
            lower: worst.lower.max(bounds.lower),
            upper: worst.upper.max(bounds.upper),
        }))
    }
}
