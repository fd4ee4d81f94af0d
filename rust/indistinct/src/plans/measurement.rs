//! Measurements that are built from plans.

use super::FrameMetric;
use crate::{
    accuracy::Accuracy,
    core::{
        Error, ErrorKind, Explanation, Fallible, Measure, Measurement, Plan, Postprocessing, PrivateAggregate,
        Released, Shape, check_member,
    },
    frames::{Batch, FrameDomain},
};
#[cfg(feature = "testing")]
use indistinct_sampling::Entropy;
use std::{any::Any, fmt, sync::Arc};

/// A measurement on tables that was built from its plan, under the measure that the plan states.
///
/// [`under`](Self::under) returns it with the measure in its type.
#[derive(Clone)]
pub struct FrameMeasurement {
    measurement: Arc<dyn AnyMeasurement>,
    release: Shape,
}

type OnFrames<MO> = Measurement<FrameDomain, Released, FrameMetric, MO>;

/// A measurement on tables under one measure.
trait AnyMeasurement: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn plan(&self) -> &Plan;
    fn space(&self) -> (FrameDomain, FrameMetric);
    fn measure(&self) -> String;
    fn explain(&self, d_in: u32) -> Fallible<Explanation>;
    fn loss(&self, d_in: u32) -> Fallible<String>;
    fn invoke(&self, data: &[Batch]) -> Fallible<Released>;
    #[cfg(feature = "testing")]
    fn invoke_with(&self, data: &[Batch], entropy: &mut dyn Entropy) -> Fallible<Released>;
    fn partial(&self) -> Fallible<PrivateAggregate<FrameDomain, Released>>;
    fn accuracy(&self, alpha: f64) -> Fallible<Accuracy>;
    fn accept_infinite_loss(&self) -> Arc<dyn AnyMeasurement>;
    fn postprocess(&self, function: Postprocessing<Released, Released>) -> Fallible<Arc<dyn AnyMeasurement>>;
}

impl<MO: Measure> AnyMeasurement for OnFrames<MO> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn plan(&self) -> &Plan {
        self.plan()
    }

    fn space(&self) -> (FrameDomain, FrameMetric) {
        self.input_space()
    }

    fn measure(&self) -> String {
        format!("{:?}", self.output_measure())
    }

    fn explain(&self, d_in: u32) -> Fallible<Explanation> {
        self.explain(&d_in)
    }

    fn loss(&self, d_in: u32) -> Fallible<String> {
        Ok(self.output_measure().describe(&self.map(&d_in)?))
    }

    fn invoke(&self, data: &[Batch]) -> Fallible<Released> {
        self.invoke(data)
    }

    #[cfg(feature = "testing")]
    fn invoke_with(&self, data: &[Batch], entropy: &mut dyn Entropy) -> Fallible<Released> {
        self.invoke_with(data, entropy)
    }

    fn partial(&self) -> Fallible<PrivateAggregate<FrameDomain, Released>> {
        self.partial()
    }

    fn accuracy(&self, alpha: f64) -> Fallible<Accuracy> {
        self.accuracy(alpha)
    }

    fn accept_infinite_loss(&self) -> Arc<dyn AnyMeasurement> {
        Arc::new(self.clone().accept_infinite_loss())
    }

    fn postprocess(&self, function: Postprocessing<Released, Released>) -> Fallible<Arc<dyn AnyMeasurement>> {
        Ok(Arc::new((self.clone() >> function)?))
    }
}

impl FrameMeasurement {
    pub(super) fn new<MO: Measure>(measurement: OnFrames<MO>, release: Shape) -> Self {
        Self { measurement: Arc::new(measurement), release }
    }

    /// Returns the type of the release.
    pub(super) fn shape(&self) -> &Shape {
        &self.release
    }

    pub(super) fn postprocess(&self, function: Postprocessing<Released, Released>, release: Shape) -> Fallible<Self> {
        Ok(Self { measurement: self.measurement.postprocess(function)?, release })
    }

    pub(super) fn as_measurement<MO: Measure>(&self) -> Option<&OnFrames<MO>> {
        self.measurement.as_any().downcast_ref()
    }

    /// Returns the measurement, if this is its measure.
    ///
    /// # Errors
    ///
    /// Returns an error if the measure of the plan is a different one.
    pub fn under<MO: Measure + Default>(&self) -> Fallible<Measurement<FrameDomain, Released, FrameMetric, MO>> {
        self.as_measurement().cloned().ok_or_else(|| {
            let rule = format!("the plan ends in `{}`, not in `{:?}`", self.measure(), MO::default());
            Error::new(ErrorKind::Mismatch, rule)
        })
    }

    pub(super) fn partial(&self) -> Fallible<PrivateAggregate<FrameDomain, Released>> {
        self.measurement.partial()
    }

    /// Returns the plan from which it was built.
    pub fn plan(&self) -> &Plan {
        self.measurement.plan()
    }

    /// Returns the input domain and metric.
    pub fn input_space(&self) -> (FrameDomain, FrameMetric) {
        self.measurement.space()
    }

    /// Returns the name of the measure.
    pub fn measure(&self) -> String {
        self.measurement.measure()
    }

    /// Returns the plan with every map evaluated, starting from `d_in`.
    pub fn explain(&self, d_in: u32) -> Fallible<Explanation> {
        self.measurement.explain(d_in)
    }

    /// Returns the privacy loss for inputs at most `d_in` apart, in words.
    pub fn loss(&self, d_in: u32) -> Fallible<String> {
        self.measurement.loss(d_in)
    }

    /// Returns bounds on the error that noise adds to each number of a release. Each bound fails with probability at
    /// most `alpha`: [`Measurement::accuracy`]. For bounds that hold together, give each number a share of `alpha`.
    pub fn accuracy(&self, alpha: f64) -> Fallible<Accuracy> {
        self.measurement.accuracy(alpha)
    }

    /// Checks that the data are in the input domain. It returns the same error as [`invoke`](Self::invoke), and
    /// releases nothing.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Domain`] if they are not.
    pub fn check_data(&self, data: &[Batch]) -> Fallible<()> {
        check_member(&self.input_space().0, data)
    }

    /// Makes a release, like [`Measurement::invoke`].
    pub fn invoke(&self, data: &[Batch]) -> Fallible<Released> {
        self.measurement.invoke(data)
    }

    /// Makes a release with randomness from `entropy`, like [`Measurement::invoke_with`]: for tests and audits, with
    /// the feature `testing`.
    #[cfg(feature = "testing")]
    pub fn invoke_with(&self, data: &[Batch], entropy: &mut dyn Entropy) -> Fallible<Released> {
        self.measurement.invoke_with(data, entropy)
    }

    /// Allows a release even if the loss is infinite: [`Measurement::accept_infinite_loss`].
    pub fn accept_infinite_loss(&self) -> Self {
        Self { measurement: self.measurement.accept_infinite_loss(), release: self.release.clone() }
    }
}

impl fmt::Debug for FrameMeasurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameMeasurement").field("plan", self.plan()).finish()
    }
}
