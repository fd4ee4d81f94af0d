//! Constructors without their input space, which `then_*` returns.

use super::{Domain, Fallible, Measure, Measurement, Metric, Transformation};

type Constructor<DI, MI, V> = Box<dyn FnOnce(DI, MI) -> Fallible<V> + Send>;

/// A transformation's constructor with all arguments except its input space. `space >> partial` builds the
/// transformation.
pub struct PartialTransformation<DI: Domain, DO: Domain, MI: Metric, MO: Metric>(
    Constructor<DI, MI, Transformation<DI, DO, MI, MO>>,
);

impl<DI: Domain, DO: Domain, MI: Metric, MO: Metric> PartialTransformation<DI, DO, MI, MO> {
    pub(crate) fn new(
        constructor: impl FnOnce(DI, MI) -> Fallible<Transformation<DI, DO, MI, MO>> + Send + 'static,
    ) -> Self {
        Self(Box::new(constructor))
    }

    /// Builds the transformation on an input space.
    pub fn fix(self, (input_domain, input_metric): (DI, MI)) -> Fallible<Transformation<DI, DO, MI, MO>> {
        (self.0)(input_domain, input_metric)
    }
}

/// A measurement's constructor with all arguments except its input space. `space >> partial` builds the measurement.
pub struct PartialMeasurement<DI: Domain, TO, MI: Metric, MO: Measure>(
    Constructor<DI, MI, Measurement<DI, TO, MI, MO>>,
);

impl<DI: Domain, TO, MI: Metric, MO: Measure> PartialMeasurement<DI, TO, MI, MO> {
    pub(crate) fn new(
        constructor: impl FnOnce(DI, MI) -> Fallible<Measurement<DI, TO, MI, MO>> + Send + 'static,
    ) -> Self {
        Self(Box::new(constructor))
    }

    /// Builds the measurement on an input space.
    pub fn fix(self, (input_domain, input_metric): (DI, MI)) -> Fallible<Measurement<DI, TO, MI, MO>> {
        (self.0)(input_domain, input_metric)
    }
}
