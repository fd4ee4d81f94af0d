//! The greatest difference of two vectors, with or without regard to its direction.

use super::SensitivityMetric;
use crate::{
    core::{Domain, Fallible, Metric, MetricSpace, Sensitivity, parameter_by_debug, require, sealed},
    domains::{AtomDomain, Number, VectorDomain},
};
use std::{fmt, marker::PhantomData};

/// The greatest size of a difference of two vectors; infinite between vectors of different lengths.
///
/// The monotonic form adds the greatest rise of an entry and the greatest fall of one: `max(0, max(y - x)) + max(0, max(x - y))`.
/// It is the length of the shortest path whose steps move all entries in one direction, and at most twice the plain form. Where
/// one person can move all scores in one direction only, as counts do when a row is added or removed, the forms agree, and selection
/// under the monotonic one costs half.
///
/// ```
/// use indistinct::prelude::*;
/// let scores = VectorDomain::new(AtomDomain::i64()).with_size(3);
/// let plain = make_noisy_max(scores.clone(), LInfDistance::new(), MaxDivergence, 2.0)?;
/// let monotonic = make_noisy_max(scores, LInfDistance::monotonic(), MaxDivergence, 2.0)?;
/// assert_eq!((plain.map(&1.0)?, monotonic.map(&1.0)?), (1.0, 0.5));
/// # Ok::<(), Error>(())
/// ```
pub struct LInfDistance<Q: Sensitivity = f64> {
    monotonic: bool,
    distance: PhantomData<fn() -> Q>,
}

impl LInfDistance {
    /// The plain form, with distances in f64. For another type of distance say `Default::default()`.
    pub fn new() -> Self {
        Self::default()
    }

    /// The monotonic form, with distances in f64.
    pub fn monotonic() -> Self {
        Self::default().into_monotonic()
    }
}

impl<Q: Sensitivity> LInfDistance<Q> {
    /// The monotonic form with the same type of distance.
    pub fn into_monotonic(self) -> Self {
        Self { monotonic: true, ..self }
    }

    /// Whether this is the monotonic form.
    pub fn is_monotonic(&self) -> bool {
        self.monotonic
    }
}

impl<Q: Sensitivity> Default for LInfDistance<Q> {
    fn default() -> Self {
        Self { monotonic: false, distance: PhantomData }
    }
}

impl<Q: Sensitivity> Clone for LInfDistance<Q> {
    fn clone(&self) -> Self {
        Self { monotonic: self.monotonic, distance: PhantomData }
    }
}

impl<Q: Sensitivity> PartialEq for LInfDistance<Q> {
    fn eq(&self, other: &Self) -> bool {
        self.monotonic == other.monotonic
    }
}

impl<Q: Sensitivity> fmt::Debug for LInfDistance<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.monotonic { "LInfDistance(monotonic)" } else { "LInfDistance" })
    }
}

impl<Q: Sensitivity> Metric for LInfDistance<Q> {
    type Distance = Q;

    fn describe(&self, distance: &Q) -> String {
        let form = if self.monotonic { "monotonic " } else { "" };
        format!("{form}L-infinity distance {distance:?}")
    }

    fn least_distance(&self, domain: &impl Domain) -> Q {
        Q::least(domain.is_whole())
    }
}

impl<Q: Sensitivity> SensitivityMetric for LInfDistance<Q> {}

sealed!((Q: Sensitivity) LInfDistance<Q>);

impl<Q: Sensitivity, T: Number> MetricSpace for (VectorDomain<AtomDomain<T>>, LInfDistance<Q>) {
    fn check_space(&self) -> Fallible<()> {
        require(!self.0.element().has_nan(), "input_domain", "numbers must not be NaN: impute or drop it first")
    }
}

parameter_by_debug!((Q: Sensitivity) LInfDistance<Q>);

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    /// Under the monotonic form a selection costs half: scores whose distance is told in the other form do not go with it.
    #[test]
    fn the_two_forms_are_two_metrics() {
        let (plain, monotonic) = (LInfDistance::new(), LInfDistance::monotonic());
        assert!(plain != monotonic && plain == LInfDistance::new() && monotonic == plain.clone().into_monotonic());
        let scores = || VectorDomain::new(AtomDomain::f64().with_bounds((0.0, 1.0)).unwrap()).with_size(2);
        let select = make_noisy_max(scores(), monotonic, MaxDivergence, 1.0).unwrap();
        let user = |metric| {
            let function = |x: &[f64]| x.to_vec();
            make_user_transformation(scores(), plain.clone(), scores(), metric, function, |d: &f64| Ok(2.0 * d))
        };
        assert_eq!((user(plain.clone()).unwrap() >> select.clone()).unwrap_err().kind(), ErrorKind::Mismatch);
        assert!((user(LInfDistance::monotonic()).unwrap() >> select).is_ok());
        let nan = VectorDomain::new(AtomDomain::f64().with_nan()).with_size(2);
        assert!(make_noisy_max(nan, plain.clone(), MaxDivergence, 1.0).is_err());
    }
}
