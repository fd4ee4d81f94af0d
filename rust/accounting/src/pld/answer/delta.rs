//! Delta of a composition, in the worse direction.

use crate::{
    error::{Fallible, non_negative},
    pld::{
        answer::{
            composed::{Composed, GREATEST},
            fixed_size::FixedSize,
        },
        distribution::PrivacyLossDistribution,
        integrate::walk::ANYTHING,
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

    /// The same as [`delta`](Self::delta) in one direction alone: what removing an individual loses, or adding one. A
    /// caller must have neighbors of that kind alone. Error: epsilon negative or not a number.
    ///
    /// ```
    /// use indistinct_accounting::{Direction, PrivacyLossDistribution, Rate, Sigma};
    /// let training = PrivacyLossDistribution::poisson_gaussian(Sigma(1.0), Rate(0.01))?.repeat(1000)?;
    /// let (added, both) = (training.delta_in(1.0, Direction::Add)?, training.delta(1.0)?);
    /// assert!(added.upper < both.lower / 2.0);
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn delta_in(&self, epsilon: f64, direction: Direction) -> Fallible<Bounds> {
        let epsilon = non_negative(epsilon, "epsilon")?;
        if self.is_symmetric() {
            return self.delta(epsilon);
        }
        if epsilon > GREATEST {
            return Ok(Bounds { lower: 0.0, upper: self.delta_in(GREATEST, direction)?.upper });
        }
        Ok(self.delta_in_direction(epsilon, direction))
    }

    /// The smallest delta such that everything together is (`epsilon`, delta)-DP, as the pairs of distributions have
    /// it: a float below and one above.
    ///
    /// `epsilon` is in nats. How far the bounds are apart, relative to delta, depends on the mechanisms: for most, less
    /// than 1e-6. They are a percent or more apart for a few steps of Gaussian noise on samples at rates below 1e-2,
    /// where epsilon is small, and up to a factor at rates below 1e-5. One step is known exactly. Takes less than 20
    /// MB. Error: epsilon negative or not a number.
    ///
    /// Source: see `proofs/accounting/pld.md`.
    pub fn delta(&self, epsilon: f64) -> Fallible<Bounds> {
        let epsilon = non_negative(epsilon, "epsilon")?;
        if epsilon > GREATEST {
            // Nobody's budget; the larger epsilon has the smaller delta.
            return Ok(Bounds { lower: 0.0, upper: self.delta(GREATEST)?.upper });
        }
        let both = directions(self.laws()).iter().map(|direction| self.delta_in_direction(epsilon, *direction));
        let found = both.fold(Bounds { lower: 0.0, upper: 0.0 }, |worst, bounds| Bounds {
            lower: worst.lower.max(bounds.lower),
            upper: worst.upper.max(bounds.upper),
        });
        Ok(FixedSize::of(self.laws(), found).map_or(found, |fixed| fixed.delta(epsilon, found)))
    }
}
