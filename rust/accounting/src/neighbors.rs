//! Losses with their neighbors, so that losses for different neighbors are not composed.

use crate::{
    error::{Fallible, require},
    pld::{Neighbors, PrivacyLossDistribution},
};
use indistinct_numeric::{RoundedArithmetic, RoundedFrom};

/// A [`PrivacyLossDistribution`] and its [`Neighbors`].
///
/// The sensitivity that serves as the unit in a constructor must be the sensitivity for these neighbors. A sum of
/// vectors that are clipped to a norm of 1 has sensitivity 1 for [`Neighbors::AddRemove`], and 2 for
/// [`Neighbors::Replace`].
///
/// ```
/// use indistinct_accounting::{NeighborLoss, Neighbors, PrivacyLossDistribution, Sigma};
/// let noise = PrivacyLossDistribution::gaussian(Sigma(1.0))?;
/// let step = NeighborLoss::new(noise.clone(), Neighbors::AddRemove)?.on_poisson_sample(0.01)?;
/// let other = NeighborLoss::new(noise, Neighbors::Replace)?.on_fixed_size_sample(100, 10_000)?;
/// assert_eq!((step.neighbors(), other.neighbors()), (Neighbors::AddRemove, Neighbors::Replace));
/// assert!(step.compose(&other).is_err());
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NeighborLoss {
    losses: PrivacyLossDistribution,
    neighbors: Neighbors,
}

impl NeighborLoss {
    /// Makes a loss with its neighbors. Error: the losses belong to samples with different neighbors.
    pub fn new(losses: PrivacyLossDistribution, neighbors: Neighbors) -> Fallible<Self> {
        let fit = losses.neighbors().is_none_or(|known| known == neighbors);
        require(fit, "neighbors", "must be the neighbors for which these losses of samples were computed")?;
        Ok(Self { losses, neighbors })
    }

    /// Returns the losses.
    pub fn losses(&self) -> &PrivacyLossDistribution {
        &self.losses
    }

    /// Returns the neighbors.
    pub fn neighbors(&self) -> Neighbors {
        self.neighbors
    }

    /// Composes both losses; the second may be chosen adaptively. Errors: as for [`PrivacyLossDistribution::compose`];
    /// different neighbors.
    pub fn compose(&self, other: &Self) -> Fallible<Self> {
        require(self.neighbors == other.neighbors, "neighbors", "must be the same in a composition")?;
        Self::new(self.losses.compose(&other.losses)?, self.neighbors)
    }

    /// Repeats this loss `count` times, adaptively; 0 times loses nothing. Error: more than 2^40 mechanisms in total.
    pub fn repeat(&self, count: u64) -> Fallible<Self> {
        if count == 0 {
            return Self::new(PrivacyLossDistribution::none(), self.neighbors);
        }
        Self::new(self.losses.repeat(count)?, self.neighbors)
    }

    /// Returns a loss that is at least the joint loss of all these mechanisms on one Poisson sample:
    /// [`PrivacyLossDistribution::on_poisson_sample`]. Errors: as for that function; neighbors other than
    /// [`Neighbors::AddRemove`], because a loss for a replaced individual does not bound the effect of joining a
    /// sample.
    pub fn on_poisson_sample(&self, rate: f64) -> Fallible<Self> {
        let rule = "must be add/remove for a Poisson sample";
        require(self.neighbors == Neighbors::AddRemove, "neighbors", rule)?;
        Self::new(self.losses.on_poisson_sample(rate)?, self.neighbors)
    }

    /// Returns a loss that is at least the joint loss of all these mechanisms on one sample of `sample_size`
    /// individuals, with every set of this size equally likely: [`PrivacyLossDistribution::on_random_sample`], with the
    /// sampling rate rounded up. Errors: as for that function; neighbors other than [`Neighbors::Replace`]; a sample
    /// larger than the population; a population of 0 or above 2^53.
    pub fn on_fixed_size_sample(&self, sample_size: u64, population: u64) -> Fallible<Self> {
        let rule = "must be replace for a sample of fixed size";
        require(self.neighbors == Neighbors::Replace, "neighbors", rule)?;
        require((1..=1 << 53).contains(&population), "population", "must be from 1 to 2^53")?;
        require(sample_size <= population, "sample_size", "must be at most the population")?;
        // Both are exact as floats.
        let share = f64::inf_from(&sample_size)?.inf_div(f64::inf_from(&population)?)?;
        Self::new(self.losses.on_random_sample(share)?, self.neighbors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, Rate, Scale, Sigma};

    type P = PrivacyLossDistribution;

    fn of(losses: Fallible<P>, neighbors: Neighbors) -> NeighborLoss {
        NeighborLoss::new(losses.unwrap(), neighbors).unwrap()
    }

    fn refused<T: std::fmt::Debug>(result: Fallible<T>, name: &str) {
        match result {
            Err(Error::Parameter { parameter, .. }) => assert_eq!(parameter, name),
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn samples_and_sums_keep_their_neighbors() {
        let (add, replace) =
            (of(P::gaussian(Sigma(2.0)), Neighbors::AddRemove), of(P::gaussian(Sigma(2.0)), Neighbors::Replace));
        refused(add.compose(&replace), "neighbors");
        refused(replace.on_poisson_sample(0.1), "neighbors");
        refused(add.on_fixed_size_sample(1, 10), "neighbors");
        refused(
            NeighborLoss::new(P::poisson_gaussian(Sigma(1.0), Rate(0.1)).unwrap(), Neighbors::Replace),
            "neighbors",
        );
        refused(
            NeighborLoss::new(P::fixed_size_gaussian(Sigma(1.0), Rate(0.1)).unwrap(), Neighbors::AddRemove),
            "neighbors",
        );
        refused(replace.on_fixed_size_sample(11, 10), "sample_size");
        refused(replace.on_fixed_size_sample(0, 0), "population");
        refused(replace.on_fixed_size_sample(1, (1 << 53) + 1), "population");
        let sampled = add.on_poisson_sample(0.1).unwrap();
        assert_eq!(sampled.losses(), &P::poisson_gaussian(Sigma(2.0), Rate(0.1)).unwrap());
        let all = sampled.repeat(3).unwrap().compose(&of(P::laplace(Scale(1.0)), Neighbors::AddRemove)).unwrap();
        assert_eq!((all.neighbors(), all.losses().is_symmetric()), (Neighbors::AddRemove, false));
        assert_eq!(all.repeat(0).unwrap().losses(), &P::none());
        // All individuals are in the sample, or none is.
        assert_eq!(replace.on_fixed_size_sample(10, 10).unwrap(), replace);
        assert_eq!(replace.on_fixed_size_sample(0, 10).unwrap().losses(), &P::none());
    }

    /// The nearest float to a third is below it.
    #[test]
    fn the_share_of_a_sample_is_rounded_up() {
        let third = of(P::gaussian(Sigma(2.0)), Neighbors::Replace).on_fixed_size_sample(1, 3).unwrap();
        assert_eq!(third.losses(), &P::fixed_size_gaussian(Sigma(2.0), Rate((1.0 / 3.0f64).next_up())).unwrap());
        assert_ne!(third.losses(), &P::fixed_size_gaussian(Sigma(2.0), Rate(1.0 / 3.0)).unwrap());
    }
}
