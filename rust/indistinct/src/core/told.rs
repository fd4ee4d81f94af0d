//! The properties of a transformation that do not depend on the types of its data.

use super::{
    Distance, Fallible, Metric, Plan, Proof, ProofLevel, Step,
    explain::Trace,
    map::{DistanceMap, StabilityMap},
};
use std::sync::{Arc, OnceLock};

/// A transformation's map, its plan, and its distances in words. It depends on the types of distances alone, so that
/// the code of chains between many domains is compiled once.
pub(super) struct Told<QI, QO> {
    map: DistanceMap<QI, QO>,
    words: (Words<QI>, Words<QO>),
    plan: Arc<Plan>,
    /// The proof of the last constructor.
    proof: Proof,
    trace: Trace<QI>,
    /// The weakest proof of all steps, once computed; clones share it.
    weakest_proof: Arc<OnceLock<ProofLevel>>,
}

/// A function that writes a distance in words, as its metric does.
type Words<Q> = Arc<dyn Fn(&Q) -> String + Send + Sync>;

fn words_of<M: Metric>(metric: M) -> Words<M::Distance> {
    Arc::new(move |distance| metric.describe(distance))
}

impl<QI: Distance, QO: Distance> Told<QI, QO> {
    /// Makes the properties of a constructor that has no name yet.
    pub(super) fn new<MI: Metric<Distance = QI>, MO: Metric<Distance = QO>>(
        (input_metric, output_metric): (&MI, &MO),
        stability_map: StabilityMap<MI, MO>,
    ) -> Self {
        let words = (words_of(input_metric.clone()), words_of(output_metric.clone()));
        Self::of(stability_map.into_distances(), words)
    }

    fn of(map: DistanceMap<QI, QO>, words: (Words<QI>, Words<QO>)) -> Self {
        let plan = Arc::new(Plan::new("unnamed"));
        Self { map, words, plan, proof: Proof::UNPROVEN, trace: Trace::leaf(), weakest_proof: Arc::default() }
    }

    pub(super) fn with_plan(self, plan: Arc<Plan>, proof: Proof) -> Self {
        Self { plan, proof, weakest_proof: Arc::default(), ..self }
    }

    pub(super) fn map(&self) -> &DistanceMap<QI, QO> {
        &self.map
    }

    pub(super) fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    pub(super) fn steps(&self, d_in: &QI) -> Fallible<Vec<Step>> {
        let d_out = self.map.eval(d_in)?;
        let (input, output) = &self.words;
        self.trace.steps(&self.plan, self.proof, d_in, || (input(d_in), output(&d_out)))
    }

    /// Returns the weakest proof on which the map relies, as `explain` finds it at distance 0, because levels do not
    /// depend on distances. If a map has no value there, the level is unproven.
    pub(super) fn weakest_proof(&self) -> ProofLevel
    where
        QI: Default,
    {
        let of_steps = || self.steps(&QI::default()).map(|steps| ProofLevel::weakest(&steps));
        *self.weakest_proof.get_or_init(|| of_steps().unwrap_or(ProofLevel::Unproven))
    }

    /// Returns the properties of this transformation followed by another.
    pub(super) fn then<QX: Distance>(self, next: Told<QO, QX>) -> Fallible<Told<QI, QX>> {
        let words = (self.words.0.clone(), next.words.1.clone());
        let map = self.map.clone().then(next.map.clone());
        let plan = Arc::new(Plan::chain(&self.plan, &next.plan)?);
        let trace = Trace::new(move |d_in| Ok([self.steps(d_in)?, next.steps(&self.map.eval(d_in)?)?].concat()));
        Ok(Told { plan, trace, ..Told::of(map, words) })
    }
}

impl<QI, QO> Clone for Told<QI, QO> {
    fn clone(&self) -> Self {
        Self {
            map: self.map.clone(),
            words: self.words.clone(),
            plan: self.plan.clone(),
            proof: self.proof,
            trace: self.trace.clone(),
            weakest_proof: self.weakest_proof.clone(),
        }
    }
}
