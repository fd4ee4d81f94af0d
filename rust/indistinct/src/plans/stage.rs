//! A chain over tables that is being built, whatever its types.

use super::{FrameMetric, measurement::FrameMeasurement};
use crate::{
    core::{Builder, Domain, Fallible, Measure, Measurement, Metric, Releasable, Released, Transformation},
    frames::FrameDomain,
    metrics::{AnyRowMetric, SymmetricDistance},
};
use std::{any::Any, sync::Arc};

/// How far a chain has been built. Copies share what has been built.
#[derive(Clone)]
pub(crate) enum Stage {
    /// Not at all.
    Space(FrameDomain, FrameMetric),
    /// Up to a `Transformation<FrameDomain, D, FrameMetric, M>`.
    Data(Arc<dyn AnyChain>),
    /// Up to a release.
    Release(FrameMeasurement),
}

/// A chain that ends in data.
pub(crate) trait AnyChain {
    fn as_any(&self) -> &dyn Any;
    /// The domain and metric that it has come to.
    fn words(&self) -> String;
}

impl<D: Domain, M: Metric> AnyChain for Chain<D, M> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn words(&self) -> String {
        format!("{:?}, {:?}", self.output_domain(), self.output_metric())
    }
}

type Chain<D, M> = Transformation<FrameDomain, D, FrameMetric, M>;

impl Stage {
    /// The present domain and metric of the chain, in words.
    pub(super) fn words(&self) -> String {
        match self {
            Stage::Space(domain, metric) => format!("{domain:?}, {metric:?}"),
            Stage::Data(chain) => chain.words(),
            Stage::Release(release) => format!("a release under {}", release.measure()),
        }
    }

    /// The release of a chain from tables.
    pub(super) fn released<TO: Releasable, MO: Measure>(
        release: Measurement<FrameDomain, TO, FrameMetric, MO>,
    ) -> Self {
        Stage::Release(FrameMeasurement::new(release.with_release(TO::released), TO::shape()))
    }

    /// The chain, if this is where it has come to.
    pub(super) fn at<D: Domain, M: Metric>(&self) -> Option<Chain<D, M>> {
        let Stage::Data(chain) = self else { return None };
        if let Some(chain) = chain.as_any().downcast_ref::<Chain<D, M>>() {
            return Some(chain.clone());
        }
        in_other_type::<D>(chain.as_any())?.downcast_ref::<Chain<D, M>>().cloned()
    }
}

/// The chain in the same metric as a value of another type: a bound on rows says which metric its rows are in, other
/// steps take any that counts rows, and reports of bits take one alone.
fn in_other_type<D: Domain>(chain: &dyn Any) -> Option<Box<dyn Any>> {
    if let Some(chain) = chain.downcast_ref::<Chain<FrameDomain, SymmetricDistance>>() {
        return Some(Box::new(chain.clone().with_output_metric(AnyRowMetric::from(SymmetricDistance))));
    }
    let chain = chain.downcast_ref::<Chain<D, AnyRowMetric>>()?;
    let AnyRowMetric::HammingDistance(metric) = *chain.output_metric() else { return None };
    Some(Box::new(chain.clone().with_output_metric(metric)))
}

fn data<D: Domain, M: Metric>(chain: Fallible<Chain<D, M>>) -> Option<Fallible<Stage>> {
    Some(chain.map(|chain| Stage::Data(Arc::new(chain))))
}

impl Builder for Stage {
    type Domain = FrameDomain;
    type Metric = FrameMetric;
    type Release = Released;

    fn first<D: Domain, M: Metric<Distance = u32>, MO: Metric>(
        &self,
        step: impl FnOnce(FrameDomain, M) -> Fallible<Transformation<FrameDomain, D, M, MO>>,
    ) -> Option<Fallible<Self>> {
        if let Stage::Space(domain, metric) = self {
            let of_type = metric.of_type::<M>()?;
            return data(step(domain.clone(), of_type).map(|step| step.with_input_metric(*metric)));
        }
        self.then(step)
    }

    fn then<D: Domain, DO: Domain, M: Metric, MO: Metric>(
        &self,
        step: impl FnOnce(D, M) -> Fallible<Transformation<D, DO, M, MO>>,
    ) -> Option<Fallible<Self>> {
        let chain = self.at::<D, M>()?;
        let (domain, metric) = chain.output_space();
        data(step(domain, metric).and_then(|step| chain >> step))
    }

    fn release_first<TO: Releasable, M: Metric<Distance = u32>, MO: Measure>(
        &self,
        step: impl FnOnce(FrameDomain, M) -> Fallible<Measurement<FrameDomain, TO, M, MO>>,
    ) -> Option<Fallible<Self>> {
        if let Stage::Space(domain, metric) = self {
            let of_type = metric.of_type::<M>()?;
            let release = step(domain.clone(), of_type).map(|step| step.with_input_metric(*metric));
            return Some(release.map(Stage::released));
        }
        self.release(step)
    }

    fn release<D: Domain, TO: Releasable, M: Metric, MO: Measure>(
        &self,
        step: impl FnOnce(D, M) -> Fallible<Measurement<D, TO, M, MO>>,
    ) -> Option<Fallible<Self>> {
        let chain = self.at::<D, M>()?;
        let (domain, metric) = chain.output_space();
        let release = step(domain, metric).and_then(|step| chain >> step);
        Some(release.map(Stage::released))
    }

    fn convert<M: Measure, MO: Measure>(
        &self,
        step: impl FnOnce(
            Measurement<FrameDomain, Released, FrameMetric, M>,
        ) -> Fallible<Measurement<FrameDomain, Released, FrameMetric, MO>>,
    ) -> Option<Fallible<Self>> {
        let Stage::Release(release) = self else { return None };
        let measurement = release.as_measurement::<M>()?.clone();
        Some(step(measurement).map(|it| Stage::Release(FrameMeasurement::new(it, release.shape().clone()))))
    }
}
