//! A chain over tables that is being built, whatever its types.

use super::{FrameMetric, measurement::FrameMeasurement};
use crate::{
    core::{Builder, Domain, Fallible, Measure, Measurement, Metric, Releasable, Released, Transformation},
    frames::FrameDomain,
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
    /// The domain, if it is one of tables.
    fn frames(&self) -> Option<&FrameDomain>;
}

impl<D: Domain, M: Metric> AnyChain for Chain<D, M> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn words(&self) -> String {
        format!("{:?}, {:?}", self.output_domain(), self.output_metric())
    }

    fn frames(&self) -> Option<&FrameDomain> {
        let domain: &dyn Any = self.output_domain();
        domain.downcast_ref()
    }
}

type Chain<D, M> = Transformation<FrameDomain, D, FrameMetric, M>;

impl Stage {
    /// The tables that the chain has come to.
    pub(super) fn frames(&self) -> Option<FrameDomain> {
        match self {
            Stage::Space(domain, _) => Some(domain.clone()),
            Stage::Data(chain) => chain.frames().cloned(),
            Stage::Release(_) => None,
        }
    }

    /// What the chain has come to, in words.
    pub(super) fn words(&self) -> String {
        match self {
            Stage::Space(domain, metric) => format!("{domain:?}, {metric:?}"),
            Stage::Data(chain) => chain.words(),
            Stage::Release(release) => format!("a release under {}", release.measure()),
        }
    }

    /// The chain, if this is where it has come to.
    fn at<D: Domain, M: Metric>(&self) -> Option<&Chain<D, M>> {
        if let Stage::Data(chain) = self { chain.as_any().downcast_ref() } else { None }
    }
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
            let inner = metric.inner().downcast_ref::<M>()?;
            return data(step(domain.clone(), inner.clone()).map(|step| step.with_input_metric(*metric)));
        }
        self.then(step)
    }

    fn then<D: Domain, DO: Domain, M: Metric, MO: Metric>(
        &self,
        step: impl FnOnce(D, M) -> Fallible<Transformation<D, DO, M, MO>>,
    ) -> Option<Fallible<Self>> {
        let chain = self.at::<D, M>()?;
        let (domain, metric) = chain.output_space();
        data(step(domain, metric).and_then(|step| chain.clone() >> step))
    }

    fn release<D: Domain, TO: Releasable, M: Metric, MO: Measure>(
        &self,
        step: impl FnOnce(D, M) -> Fallible<Measurement<D, TO, M, MO>>,
    ) -> Option<Fallible<Self>> {
        let chain = self.at::<D, M>()?;
        let (domain, metric) = chain.output_space();
        let release = step(domain, metric).and_then(|step| chain.clone() >> step);
        Some(
            release
                .map(|release| Stage::Release(FrameMeasurement::new(release.with_release(TO::released), TO::shape()))),
        )
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
