//! The largest difference of two vectors (L∞), with or without regard to its direction.

use super::{SensitivityMetric, norm::least_difference};
use crate::{
    core::{Domain, Fallible, Metric, MetricSpace, parameter_by_debug, require, sealed},
    domains::{AtomDomain, Number, VectorDomain},
};
use std::fmt;

/// The largest absolute difference of two vectors in one entry; infinite between vectors of different lengths.
///
/// The monotonic form adds the largest increase and the largest decrease of an entry: `max(0, max(y - x)) + max(0,
/// max(x - y))`. It is the length of the shortest path whose steps change all entries in the same direction, and at
/// most twice the plain form. If one individual can change all scores in one direction only, such as counts when a row
/// is added or removed, the two forms are equal, and selection under the monotonic form costs half.
///
/// ```
/// use indistinct::prelude::*;
/// let scores = VectorDomain::new(AtomDomain::i64()).with_size(3);
/// let plain = make_noisy_max(scores.clone(), LInfDistance::new(), MaxDivergence, 2.0)?;
/// let monotonic = make_noisy_max(scores, LInfDistance::monotonic(), MaxDivergence, 2.0)?;
/// assert_eq!((plain.map(&1.0)?, monotonic.map(&1.0)?), (1.0, 0.5));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct LInfDistance {
    monotonic: bool,
}

impl LInfDistance {
    /// Makes the plain form.
    pub fn new() -> Self {
        Self { monotonic: false }
    }

    /// Makes the monotonic form.
    pub fn monotonic() -> Self {
        Self { monotonic: true }
    }

    /// Returns true if this is the monotonic form.
    pub fn is_monotonic(&self) -> bool {
        self.monotonic
    }
}

impl fmt::Debug for LInfDistance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LInfDistance{}", if self.monotonic { "(monotonic)" } else { "" })
    }
}

impl Metric for LInfDistance {
    type Distance = f64;

    fn describe(&self, distance: &f64) -> String {
        let form = if self.monotonic { "monotonic " } else { "" };
        format!("{form}L-infinity distance {distance:?}")
    }

    fn least_distance(&self, domain: &impl Domain) -> f64 {
        least_difference(domain)
    }
}

impl SensitivityMetric for LInfDistance {}

sealed!(() LInfDistance);

impl<T: Number> MetricSpace for (VectorDomain<AtomDomain<T>>, LInfDistance) {
    fn check_space(&self) -> Fallible<()> {
        require(!self.0.element().has_nan(), "input_domain", "numbers must not be NaN: impute or drop it first")
    }
}

parameter_by_debug!(() LInfDistance);

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    /// Under the monotonic form a selection costs half: scores whose distance is in the other form do not go with it.
    #[test]
    fn the_two_forms_are_two_metrics() {
        let (plain, monotonic) = (LInfDistance::new(), LInfDistance::monotonic());
        assert!(plain != monotonic && plain == LInfDistance::new() && monotonic == LInfDistance::monotonic());
        let scores = || VectorDomain::new(AtomDomain::f64().with_bounds((0.0, 1.0)).unwrap()).with_size(2);
        let select = make_noisy_max(scores(), monotonic, MaxDivergence, 1.0).unwrap();
        let user = |metric| {
            let function = |x: &[f64]| x.to_vec();
            make_user_transformation(scores(), plain, scores(), metric, function, |d: &f64| Ok(2.0 * d))
        };
        assert_eq!((user(plain).unwrap() >> select.clone()).unwrap_err().kind(), ErrorKind::Mismatch);
        assert!((user(LInfDistance::monotonic()).unwrap() >> select).is_ok());
        let nan = VectorDomain::new(AtomDomain::f64().with_nan()).with_size(2);
        assert!(make_noisy_max(nan, plain, MaxDivergence, 1.0).is_err());
    }
}
