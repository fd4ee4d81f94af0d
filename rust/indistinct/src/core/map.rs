//! Stability and privacy maps: from a distance between inputs to a distance between outputs.

use super::{Distance, Fallible, Measure, Metric};
use indistinct_accounting::PrivacyLossDistribution;
use std::sync::Arc;

/// A function from distances to distances that checks its argument and its value.
pub(super) struct DistanceMap<DI, DO>(Arc<dyn Fn(&DI) -> Fallible<DO> + Send + Sync>);

impl<DI: Distance, DO: Distance> DistanceMap<DI, DO> {
    pub(super) fn eval(&self, d_in: &DI) -> Fallible<DO> {
        d_in.validate()?;
        let d_out = (self.0)(d_in)?;
        d_out.validate()?;
        Ok(d_out)
    }

    /// Returns this map followed by `next`.
    pub(super) fn then<DX: Distance>(self, next: DistanceMap<DO, DX>) -> DistanceMap<DI, DX> {
        DistanceMap(Arc::new(move |d_in| next.eval(&self.eval(d_in)?)))
    }
}

impl<DI, DO> Clone for DistanceMap<DI, DO> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// Maps the distance between two inputs of a transformation to a bound on the distance between its two outputs.
///
/// Promise: if two members of the input domain are at most `d_in` apart under the input metric, their images are at
/// most `eval(d_in)` apart under the output metric.
pub struct StabilityMap<MI: Metric, MO: Metric>(DistanceMap<MI::Distance, MO::Distance>);

impl<MI: Metric, MO: Metric> StabilityMap<MI, MO> {
    /// Makes a map from a function, which must not return less than the true bound.
    pub fn new(map: impl Fn(&MI::Distance) -> Fallible<MO::Distance> + Send + Sync + 'static) -> Self {
        Self(DistanceMap(Arc::new(map)))
    }

    /// Returns the bound at `d_in`, or an error if `d_in` is not a distance.
    pub fn eval(&self, d_in: &MI::Distance) -> Fallible<MO::Distance> {
        self.0.eval(d_in)
    }

    /// Returns the map without the types of its metrics.
    pub(super) fn into_distances(self) -> DistanceMap<MI::Distance, MO::Distance> {
        self.0
    }

    /// Makes the map of metrics with these distances.
    pub(super) fn of_distances(map: DistanceMap<MI::Distance, MO::Distance>) -> Self {
        Self(map)
    }
}

impl<MI: Metric, MO: Metric> Clone for StabilityMap<MI, MO> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// Maps the distance between two inputs of a measurement to a bound on the distance between its two output
/// distributions.
///
/// Promise: if two members of the input domain are at most `d_in` apart under the input metric, the distributions of
/// their releases are at most `eval(d_in)` apart under the output measure.
pub struct PrivacyMap<MI: Metric, MO: Measure>(DistanceMap<MI::Distance, MO::Distance>);

impl<MI: Metric, MO: Measure> PrivacyMap<MI, MO> {
    /// Makes a map from a function, which must not return less than the true loss.
    pub fn new(map: impl Fn(&MI::Distance) -> Fallible<MO::Distance> + Send + Sync + 'static) -> Self {
        Self(DistanceMap(Arc::new(map)))
    }

    /// Returns the bound at `d_in`, or an error if `d_in` is not a distance.
    pub fn eval(&self, d_in: &MI::Distance) -> Fallible<MO::Distance> {
        self.0.eval(d_in)
    }
}

impl<MI: Metric, MO: Measure> Clone for PrivacyMap<MI, MO> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// Maps the distance between two inputs of a measurement to the privacy loss distribution of its own noise, whatever
/// its output measure.
///
/// Promise: if two members of the input domain are at most `d_in` apart, then `eval(d_in)`, which has no direction,
/// dominates the distributions of their releases in both orders.
pub(crate) struct LossMap<MI: Metric>(DistanceMap<MI::Distance, PrivacyLossDistribution>);

impl<MI: Metric> LossMap<MI> {
    /// Makes a map from a function, which must not return less than the true losses.
    pub(crate) fn new(
        map: impl Fn(&MI::Distance) -> Fallible<PrivacyLossDistribution> + Send + Sync + 'static,
    ) -> Self {
        Self(DistanceMap(Arc::new(map)))
    }

    /// Returns the losses at `d_in`, or an error if `d_in` is not a distance.
    pub(crate) fn eval(&self, d_in: &MI::Distance) -> Fallible<PrivacyLossDistribution> {
        self.0.eval(d_in)
    }

    /// Returns the losses after a function whose outputs are at most `distance` apart.
    pub(super) fn after<MX: Metric>(self, distance: StabilityMap<MX, MI>) -> LossMap<MX> {
        LossMap::new(move |d_in| self.eval(&distance.eval(d_in)?))
    }
}

impl<MI: Metric> Clone for LossMap<MI> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
