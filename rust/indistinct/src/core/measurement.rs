//! Randomized steps from data to a release.

use super::{
    Deviation, Distance, Domain, Error, ErrorKind, Explanation, Fallible, Function, Levels, LossMap, Measure, Metric,
    MetricSpace, Plan, PrivacyMap, PrivateAggregate, Proof, ProofLevel, RandomizedFunction, Space, Step,
    Transformation, check_neighbors, explain::Trace, require, transformation::check_link,
};
use indistinct_sampling::{Entropy, OsEntropy};
use std::{
    fmt,
    sync::{Arc, OnceLock},
};

/// A randomized function on a metric space, with a map that bounds its privacy loss.
///
/// Promise: for two inputs at most `d_in` apart, the distributions of the release are at most `map(d_in)` apart under
/// the output measure, for the function as it runs.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (AtomDomain::i64(), AbsoluteDistance::new());
/// let noisy = (space >> then_laplace(2.0))?;
/// let release: i64 = noisy.invoke(&100)?;
/// assert_eq!(noisy.map(&1.0)?, 0.5);
/// # let _ = release;
/// # Ok::<(), Error>(())
/// ```
pub struct Measurement<DI: Domain, TO, MI: Metric, MO: Measure> {
    input_domain: DI,
    input_metric: MI,
    output_measure: MO,
    marks: Marks,
    parts: Arc<Parts<DI, TO, MI, MO>>,
}

/// The properties of a measurement's release that combinators depend on.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Marks {
    /// True if the release is interactive, or contains an interactive part.
    pub(crate) interactive: bool,
    /// True if the loss is stated for a population of which the data are a secret sample: a second release from the
    /// same sample costs more than twice as much.
    pub(crate) secret_sample: bool,
    /// True if it may be released although its loss is infinite at every distance.
    pub(crate) accepts_infinite_loss: bool,
}

/// The fields that clones share.
struct Parts<DI: Domain, TO, MI: Metric, MO: Measure> {
    function: RandomizedFunction<DI::Carrier, TO>,
    privacy_map: PrivacyMap<MI, MO>,
    plan: Arc<Plan>,
    /// The proof of the last constructor's map; a chain has no map of its own.
    proof: Proof,
    trace: Trace<MI::Distance>,
    deviation: Deviation,
    /// The privacy loss distributions of the mechanism, if it provides them.
    losses: Option<LossMap<MI>>,
    /// True if the loss is finite at the smallest distance, once computed.
    is_finite: OnceLock<Fallible<bool>>,
    /// The weakest proof of all steps, once computed.
    weakest_proof: OnceLock<ProofLevel>,
}

impl<DI: Domain, TO, MI: Metric, MO: Measure> Parts<DI, TO, MI, MO> {
    fn new(
        function: RandomizedFunction<DI::Carrier, TO>,
        privacy_map: PrivacyMap<MI, MO>,
        plan: Arc<Plan>,
        trace: Trace<MI::Distance>,
    ) -> Self {
        let (proof, is_finite, weakest_proof) = (Proof::UNPROVEN, OnceLock::new(), OnceLock::new());
        let (deviation, losses) = (Deviation::Unknown, None);
        Self { function, privacy_map, plan, proof, trace, deviation, losses, is_finite, weakest_proof }
    }
}

impl<DI: Domain, TO: 'static, MI: Metric, MO: Measure> Measurement<DI, TO, MI, MO> {
    /// Makes a measurement from its parts, and checks the space.
    pub(crate) fn new(
        (input_domain, input_metric): (DI, MI),
        output_measure: MO,
        function: RandomizedFunction<DI::Carrier, TO>,
        privacy_map: PrivacyMap<MI, MO>,
    ) -> Fallible<Self>
    where
        (DI, MI): MetricSpace,
    {
        let space = (input_domain, input_metric);
        space.check_space()?;
        Ok(Self::in_checked_space(space, output_measure, function, privacy_map))
    }

    /// Like `new`, for a space that a part of the new measurement has already checked.
    pub(crate) fn in_checked_space(
        (input_domain, input_metric): (DI, MI),
        output_measure: MO,
        function: RandomizedFunction<DI::Carrier, TO>,
        privacy_map: PrivacyMap<MI, MO>,
    ) -> Self {
        let (plan, trace) = (Arc::new(Plan::new("unnamed")), Trace::leaf());
        let parts = Arc::new(Parts::new(function, privacy_map, plan, trace));
        Self { input_domain, input_metric, output_measure, marks: Marks::default(), parts }
    }

    pub(crate) fn with_plan(self, plan: Plan, levels: Levels) -> Fallible<Self> {
        let space = Space::of_measurement((&self.input_domain, &self.input_metric), &self.output_measure);
        let plan = Arc::new(plan.between(space).on(&self.input_domain).checked()?);
        let proof = levels.of::<MO>(&plan);
        Ok(self.with(|parts| Parts { plan, proof, ..parts }))
    }

    pub(crate) fn with_trace(self, trace: Trace<MI::Distance>) -> Self {
        self.with(|parts| Parts { trace, ..parts })
    }

    /// Returns this measurement with some of its parts changed.
    fn with(self, change: impl FnOnce(Parts<DI, TO, MI, MO>) -> Parts<DI, TO, MI, MO>) -> Self {
        let Parts { function, privacy_map, plan, proof, trace, deviation, losses, .. } = self.parts.as_ref();
        let copies = Parts::new(function.clone(), privacy_map.clone(), plan.clone(), trace.clone());
        let (proof, deviation, losses) = (*proof, deviation.clone(), losses.clone());
        Self { parts: Arc::new(change(Parts { proof, deviation, losses, ..copies })), ..self }
    }

    pub(crate) fn with_deviation(self, deviation: Deviation) -> Self {
        self.with(|parts| Parts { deviation, ..parts })
    }

    pub(crate) fn deviation(&self) -> &Deviation {
        &self.parts.deviation
    }

    /// Returns this measurement with privacy loss distributions of its own noise, which are known to have no direction.
    pub(crate) fn with_losses(self, losses: LossMap<MI>) -> Self {
        self.with(|parts| Parts { losses: Some(losses), ..parts })
    }

    pub(crate) fn losses(&self) -> Option<&LossMap<MI>> {
        self.parts.losses.as_ref()
    }

    pub(crate) fn with_marks(self, marks: Marks) -> Self {
        Self { marks, ..self }
    }

    pub(crate) fn marks(&self) -> Marks {
        self.marks
    }

    /// Returns true if the release answers queries, such as a [`Queryable`](super::Queryable), or contains a part that
    /// does.
    pub fn is_interactive(&self) -> bool {
        self.marks.interactive
    }

    /// Allows a release although the loss is infinite, or the delta is 1, at every distance above 0.
    /// Use it for tests with noise of scale 0, and for public data. Chains, conversions and samples of such a
    /// measurement are also allowed; a composition has to be allowed again.
    ///
    /// ```
    /// use indistinct::prelude::*;
    /// let exact = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 0.0)?;
    /// assert_eq!(exact.invoke(&7).unwrap_err().kind(), ErrorKind::InfiniteLoss);
    /// assert_eq!(exact.accept_infinite_loss().invoke(&7)?, 7);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn accept_infinite_loss(self) -> Self {
        let marks = Marks { accepts_infinite_loss: true, ..self.marks };
        self.with_marks(marks)
    }

    /// Returns an error if the map guarantees nothing at any distance, unless that was accepted. The map is evaluated
    /// once for all clones.
    pub(crate) fn check_finite_loss(&self) -> Fallible<()> {
        if self.marks.accepts_infinite_loss {
            return Ok(());
        }
        let is_finite = self.parts.is_finite.get_or_init(|| {
            let least = self.input_metric.least_distance(&self.input_domain);
            Ok(!self.output_measure.is_infinite(&self.map(&least)?)?)
        });
        match is_finite {
            Ok(true) => Ok(()),
            Ok(false) => {
                let rule = "the loss is infinite, or its delta 1, at every distance, as with noise of scale 0: add noise, \
                            or, where nobody has to be protected, accept_infinite_loss";
                Err(Error::new(ErrorKind::InfiniteLoss, rule))
            }
            Err(error) => Err(error.clone()),
        }
    }

    /// Returns an error if this may not be released more than once, or together with other measurements.
    pub(crate) fn check_repeatable(&self) -> Fallible<()> {
        let rule = "the loss of a secret sample holds for one release of it: compose, select or sample first, and call make_population_amplification last";
        if self.marks.secret_sample { Err(Error::new(ErrorKind::Mismatch, rule)) } else { Ok(()) }
    }

    /// Returns the domain of the function's inputs.
    pub fn input_domain(&self) -> &DI {
        &self.input_domain
    }

    /// Returns the metric between inputs.
    pub fn input_metric(&self) -> &MI {
        &self.input_metric
    }

    /// Returns the measure of the distance between output distributions.
    pub fn output_measure(&self) -> &MO {
        &self.output_measure
    }

    /// Returns the input space, ready for `>>`.
    pub fn input_space(&self) -> (DI, MI) {
        (self.input_domain.clone(), self.input_metric.clone())
    }

    /// Releases the value at `data`, with randomness from the operating system. Each call spends the loss of the map
    /// again.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Domain`](super::ErrorKind::Domain) if `data` is not a member of the input domain. Returns
    /// [`ErrorKind::InfiniteLoss`](super::ErrorKind::InfiniteLoss) if the map guarantees nothing even at the smallest
    /// distance of two members, or the map's error if it has no value there, unless
    /// [`accept_infinite_loss`](Self::accept_infinite_loss) was called. Returns
    /// [`ErrorKind::Entropy`](super::ErrorKind::Entropy) if the system provides no randomness. Nothing is released
    /// in these cases. Also returns any error of a post-processing function; this depends on the noisy release alone,
    /// and costs the loss of the map.
    pub fn invoke(&self, data: &DI::Carrier) -> Fallible<TO> {
        self.check_finite_loss()?;
        self.release(data, &mut OsEntropy::new())
    }

    /// Releases with randomness from `entropy`, for tests and audits, with the feature `testing`. The guarantee holds
    /// only if its bits are fair, independent and unknown to everyone who sees the release. The loss is not checked.
    #[cfg(feature = "testing")]
    pub fn invoke_with(&self, data: &DI::Carrier, entropy: &mut dyn Entropy) -> Fallible<TO> {
        self.release(data, entropy)
    }

    fn release(&self, data: &DI::Carrier, entropy: &mut dyn Entropy) -> Fallible<TO> {
        self.parts.function.eval_in(&self.input_domain, data, entropy)
    }

    /// Starts a release on data that arrive in parts, from anywhere and in any order.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Whole`](super::ErrorKind::Whole) if the function needs all rows at once, and the errors of
    /// the map as [`invoke`](Self::invoke) does.
    ///
    /// ```
    /// use indistinct::prelude::*;
    /// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    /// let sum = (space >> then_clamp((0.0, 10.0)) >> then_sum() >> then_laplace(10.0))?;
    /// let parts = [[3.0, 0.5], [99.0, 7.0]];
    /// let all = parts.iter().try_fold(sum.aggregate()?, |sum, part| sum.absorb(part))?;
    /// println!("about {}", all.release()?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn aggregate(&self) -> Fallible<PrivateAggregate<DI, TO>> {
        self.check_finite_loss()?;
        PrivateAggregate::new(&self.input_domain, self.parts.function.as_fold())
    }

    /// Like `aggregate`, for a function that needs all rows of an individual together. The caller ensures that it gets
    /// them.
    #[cfg(feature = "plans")]
    pub(crate) fn partial(&self) -> Fallible<PrivateAggregate<DI, TO>> {
        self.check_finite_loss()?;
        PrivateAggregate::partial(&self.input_domain, self.parts.function.as_fold())
    }

    /// Returns the privacy loss for inputs at most `d_in` apart.
    pub fn map(&self, d_in: &MI::Distance) -> Fallible<MO::Distance> {
        let loss = self.parts.privacy_map.eval(d_in)?;
        self.check_direction(&loss, self.input_metric.has_direction(d_in))?;
        Ok(loss)
    }

    /// Returns an error if the loss depends on which of two inputs has one more row or individual, and the metric does
    /// not define that.
    fn check_direction(&self, loss: &MO::Distance, has_direction: bool) -> Fallible<()> {
        if has_direction || !self.output_measure.is_directed(loss) {
            return Ok(());
        }
        let rule = "a loss with a direction (Poisson samples) is for data with one row or individual more, and here an addition may be a removal: sample last, or convert to a profile before";
        Err(Error::new(ErrorKind::Mismatch, rule))
    }

    /// Returns true if the loss for inputs at most `d_in` apart is within `d_out`. Returns an error if `d_in` or
    /// `d_out` is not a distance, or if a delta in `d_out` exceeds 1.
    ///
    /// Also returns an error if `d_in` is above 0 and no two different members are that close. Two data sets of four
    /// rows never differ by one added or removed row, and the map is 0 at distance 1, with or without noise. Use
    /// distance 2, which is one replaced row. Searches for a parameter
    /// ([`smallest_scale`](crate::search::smallest_scale)) return this error too, and [`explain`](Self::explain) prints
    /// it as a note.
    pub fn check(&self, d_in: &MI::Distance, d_out: &MO::Distance) -> Fallible<bool> {
        d_out.validate_bound()?;
        check_neighbors(&self.input_domain, &self.input_metric, d_in)?;
        Ok(self.map(d_in)?.is_within(d_out))
    }

    /// Adds a name and a reference, such as a paper, to a measurement from
    /// [`make_user_measurement`](crate::measurements::make_user_measurement). Its plan and every explanation show them.
    /// Nothing checks these texts, and the step stays unproven.
    ///
    /// # Errors
    ///
    /// Returns an error for any other measurement, for a measurement that has a name already, and for a text that is
    /// empty, has more than 1,000 characters, or contains control characters.
    pub fn named(self, name: &str, reference: &str) -> Fallible<Self> {
        let Plan { name: step, parameters, .. } = self.plan();
        let is_unnamed = step == "make_user_measurement" && !parameters.iter().any(|(known, _)| known == "name");
        require(is_unnamed, "self", "must be a measurement from make_user_measurement that has no name yet")?;
        for (parameter, text) in [("name", name), ("reference", reference)] {
            let is_plain = (1..=1000).contains(&text.chars().count()) && !text.chars().any(char::is_control);
            require(is_plain, parameter, "must have 1 to 1000 characters, none of them a control character")?;
        }
        let plan = Plan::clone(self.plan()).parameter("name", &name).parameter("reference", &reference);
        Ok(self.with(|parts| Parts { plan: Arc::new(plan), ..parts }))
    }

    /// Returns the plan from which this value was built.
    pub fn plan(&self) -> &Plan {
        &self.parts.plan
    }

    /// Returns the plan of this value with every map evaluated, starting from `d_in`.
    pub fn explain(&self, d_in: &MI::Distance) -> Fallible<Explanation> {
        Ok(Explanation::new(self.steps(d_in)?, check_neighbors(&self.input_domain, &self.input_metric, d_in)))
    }

    pub(crate) fn steps(&self, d_in: &MI::Distance) -> Fallible<Vec<Step>> {
        let d_out = self.map(d_in)?;
        let words = || (self.input_metric.describe(d_in), self.output_measure.describe(&d_out));
        self.parts.trace.steps(&self.parts.plan, self.parts.proof, d_in, words)
    }

    /// Returns the weakest proof on which the guarantee relies, as `explain` finds it at distance 0, because levels do
    /// not depend on distances. If a map has no value there, the level is unproven. It is computed once for all clones.
    pub(crate) fn weakest_proof(&self) -> ProofLevel
    where
        MI::Distance: Default,
    {
        let of_steps = || self.steps(&MI::Distance::default()).map(|steps| ProofLevel::weakest(&steps));
        *self.parts.weakest_proof.get_or_init(|| of_steps().unwrap_or(ProofLevel::Unproven))
    }

    /// Returns true if both share one function and one map.
    pub(crate) fn is_clone_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.parts, &other.parts)
    }

    pub(crate) fn privacy_map(&self) -> &PrivacyMap<MI, MO> {
        &self.parts.privacy_map
    }

    pub(crate) fn function(&self) -> &RandomizedFunction<DI::Carrier, TO> {
        &self.parts.function
    }

    /// Returns this measurement with its loss converted to another measure. `convert` must return a distance that is
    /// implied by the one under the old measure.
    pub(crate) fn under<MX: Measure>(
        self,
        output_measure: MX,
        convert: impl Fn(&MO::Distance) -> Fallible<MX::Distance> + Send + Sync + 'static,
    ) -> Measurement<DI, TO, MI, MX> {
        let mapped = self.clone();
        self.under_map(output_measure, PrivacyMap::new(move |d_in| convert(&mapped.map(d_in)?)))
    }

    /// Returns this measurement with a map under another measure, which must hold for its function.
    pub(crate) fn under_map<MX: Measure>(
        self,
        output_measure: MX,
        map: PrivacyMap<MI, MX>,
    ) -> Measurement<DI, TO, MI, MX> {
        let deviation = self.parts.deviation.clone();
        Measurement::in_checked_space(self.input_space(), output_measure, self.parts.function.clone(), map)
            .with_marks(self.marks)
            .with_deviation(deviation)
            .with_trace(Trace::new(move |d_in| self.steps(d_in)))
    }

    /// Returns this measurement applied after `first`, whose output space must be this one's input space.
    pub(crate) fn after<DX: Domain, MX: Metric>(
        self,
        first: Transformation<DX, DI, MX, MI>,
    ) -> Fallible<Measurement<DX, TO, MX, MO>> {
        let (left, right) = ((first.output_domain(), first.output_metric()), (&self.input_domain, &self.input_metric));
        check_link((left, first.plan()), (right, self.plan()))?;
        let (inner, outer, told) = (first.told().clone(), self.clone(), first.told().clone());
        // Rows that are added have images that are added, if anything becomes of them.
        let keeps_direction = first.function().is_of_single_rows();
        let plan = Arc::new(Plan::chain(first.told().plan(), &self.parts.plan)?);
        let (space, measure, marks) = (first.input_space(), self.output_measure.clone(), self.marks);
        let deviation = self.parts.deviation.clone();
        let losses = self.parts.losses.clone().map(|losses| losses.after(first.stability_map()));
        let parts = Parts::new(
            self.parts.function.clone().after(first.function().clone()),
            PrivacyMap::new(move |d_in| {
                let loss = outer.map(&inner.map().eval(d_in)?)?;
                outer.check_direction(&loss, keeps_direction)?;
                Ok(loss)
            }),
            plan,
            Trace::new(move |d_in| Ok([told.steps(d_in)?, self.steps(&told.map().eval(d_in)?)?].concat())),
        );
        let parts = Parts { deviation, losses, ..parts };
        let (input_domain, input_metric) = space;
        Ok(Measurement { input_domain, input_metric, output_measure: measure, marks, parts: Arc::new(parts) })
    }

    /// Returns this measurement followed by a function of its release, which costs nothing.
    pub(crate) fn postprocess<TX: 'static>(self, function: Function<TO, TX>) -> Fallible<Measurement<DI, TX, MI, MO>> {
        self.postprocess_by(Plan::new("postprocess").caller_trusted("function"), function)
    }

    /// Like `postprocess`, as a step of this plan.
    pub(crate) fn postprocess_by<TX: 'static>(
        self,
        step: Plan,
        function: Function<TO, TX>,
    ) -> Fallible<Measurement<DI, TX, MI, MO>> {
        let postprocessing = Arc::new(step.between(Space::of_postprocessing(&self.output_measure)));
        let proof = indistinct_derive::proof_levels!("postprocess").under::<MO>();
        let plan = Arc::new(Plan::chain(&self.parts.plan, &postprocessing)?);
        let (space, measure, marks) = (self.input_space(), self.output_measure.clone(), self.marks);
        let losses = self.parts.losses.clone();
        let parts = Parts::new(
            self.parts.function.clone().then(function),
            self.parts.privacy_map.clone(),
            plan,
            Trace::new(move |d_in| {
                let loss = self.output_measure.describe(&self.map(d_in)?);
                Ok([self.steps(d_in)?, vec![Step::postprocessing(&postprocessing, proof, loss)]].concat())
            }),
        );
        let parts = Parts { losses, ..parts };
        let (input_domain, input_metric) = space;
        Ok(Measurement { input_domain, input_metric, output_measure: measure, marks, parts: Arc::new(parts) })
    }

    /// Returns this measurement with its release expressed in another type, which is not a step of a plan.
    #[cfg(feature = "plans")]
    pub(crate) fn with_release<TX: 'static>(self, express: fn(&TO) -> TX) -> Measurement<DI, TX, MI, MO> {
        let (space, measure, marks) = (self.input_space(), self.output_measure.clone(), self.marks);
        let parts = Parts {
            function: self.parts.function.clone().then(Function::new(express)),
            privacy_map: self.parts.privacy_map.clone(),
            plan: self.parts.plan.clone(),
            proof: self.parts.proof,
            trace: self.parts.trace.clone(),
            deviation: self.parts.deviation.clone(),
            losses: self.parts.losses.clone(),
            is_finite: self.parts.is_finite.clone(),
            weakest_proof: self.parts.weakest_proof.clone(),
        };
        let (input_domain, input_metric) = space;
        Measurement { input_domain, input_metric, output_measure: measure, marks, parts: Arc::new(parts) }
    }

    /// Returns this measurement with a value of another type as its input metric, which must describe the same
    /// distances.
    #[cfg(feature = "plans")]
    pub(crate) fn with_input_metric<MX: Metric<Distance = MI::Distance>>(
        self,
        input_metric: MX,
    ) -> Measurement<DI, TO, MX, MO> {
        let (map, losses) = (self.parts.privacy_map.clone(), self.parts.losses.clone());
        let parts = Parts {
            function: self.parts.function.clone(),
            privacy_map: PrivacyMap::new(move |d_in| map.eval(d_in)),
            plan: self.parts.plan.clone(),
            proof: self.parts.proof,
            trace: self.parts.trace.clone(),
            deviation: self.parts.deviation.clone(),
            losses: losses.map(|losses| LossMap::new(move |d_in| losses.eval(d_in))),
            is_finite: self.parts.is_finite.clone(),
            weakest_proof: self.parts.weakest_proof.clone(),
        };
        let Self { input_domain, output_measure, marks, .. } = self;
        Measurement { input_domain, input_metric, output_measure, marks, parts: Arc::new(parts) }
    }

    pub(crate) fn shared_plan(&self) -> Arc<Plan> {
        self.parts.plan.clone()
    }
}

impl<DI: Domain, TO, MI: Metric, MO: Measure> Clone for Measurement<DI, TO, MI, MO> {
    fn clone(&self) -> Self {
        Self {
            input_domain: self.input_domain.clone(),
            input_metric: self.input_metric.clone(),
            output_measure: self.output_measure.clone(),
            marks: self.marks,
            parts: self.parts.clone(),
        }
    }
}

impl<DI: Domain, TO, MI: Metric, MO: Measure> fmt::Debug for Measurement<DI, TO, MI, MO> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Measurement")
            .field("input_domain", &self.input_domain)
            .field("input_metric", &self.input_metric)
            .field("output_measure", &self.output_measure)
            .field("plan", &self.parts.plan)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    /// Returns true if a release is refused for its loss.
    fn is_refused<DI: Domain, TO: 'static, MI: Metric, MO: Measure>(
        measurement: &Measurement<DI, TO, MI, MO>,
        data: &DI::Carrier,
    ) -> bool {
        let refused = |error: Error| error.kind() == ErrorKind::InfiniteLoss;
        measurement.invoke(data).is_err_and(refused)
    }

    #[test]
    fn nothing_is_released_without_a_promise_unless_it_is_asked_for() {
        let rows = || (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
        let count = |scale: f64| (rows() >> then_count() >> then_laplace(scale)).unwrap();
        assert!(is_refused(&count(0.0), &[1.0]) && !is_refused(&count(1e-300), &[1.0]));
        assert_eq!(count(0.0).accept_infinite_loss().invoke(&[1.0]), Ok(1));
        let rounded = (count(0.0) >> Function::new(|x: &i64| x / 10)).unwrap();
        assert!(is_refused(&rounded, &[1.0]) && !is_refused(&rounded.accept_infinite_loss(), &[1.0]));
        // What is composed of accepted ones is accepted by itself.
        let both = make_composition((count(0.0).accept_infinite_loss(), count(1.0))).unwrap();
        assert!(is_refused(&both, &[1.0]) && !is_refused(&both.accept_infinite_loss(), &[1.0]));
        // One individual at a time is protected, groups are not.
        let users = |loss: fn(u32) -> f64| {
            let function = |data: &[f64], _: &mut dyn crate::sampling::Entropy| Ok(data.len());
            make_user_measurement(rows().0, rows().1, MaxDivergence, function, move |d_in: &u32| Ok(loss(*d_in)))
                .unwrap()
        };
        assert_eq!(users(|d_in| if d_in < 2 { 0.5 } else { f64::INFINITY }).invoke(&[1.0]), Ok(1));
        assert!(is_refused(&users(|d_in| if d_in == 0 { 0.0 } else { f64::INFINITY }), &[1.0]));
    }

    /// One row is never added to data of a known size: the map is 0 there, and says nothing of what can happen.
    #[test]
    fn the_least_distance_is_one_that_data_can_have() {
        let sized = (VectorDomain::new(AtomDomain::f64()).with_size(4), SymmetricDistance);
        let mean = (sized >> then_clamp((0.0, 10.0)) >> then_mean() >> then_laplace(0.0)).unwrap();
        assert_eq!((mean.map(&1), mean.map(&2)), (Ok(0.0), Ok(f64::INFINITY)));
        assert!(is_refused(&mean, &[1.0, 2.0, 3.0, 4.0]));
        // Nor do parts of a known size differ by one row.
        let parts = make_parallel_composition(vec![mean.clone(), mean]).unwrap();
        assert_eq!((parts.map(&(1, 1, 1)), parts.map(&(1, 2, 2))), (Ok(0.0), Ok(f64::INFINITY)));
        assert!(is_refused(&parts, &[vec![1.0, 2.0, 3.0, 4.0], vec![0.0; 4]]));
        // Whole numbers are 1 apart, other ones as near as floats.
        let whole = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 1e-310).unwrap();
        let float = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 1e-310).unwrap();
        assert!(whole.map(&1.0) == Ok(f64::INFINITY) && float.map(&1.0) == Ok(f64::INFINITY));
        assert!(is_refused(&whole, &7) && !is_refused(&float, &7.0));
        let vectors = |scale| make_laplace(VectorDomain::new(AtomDomain::i32()), L1Distance::new(), scale).unwrap();
        assert!(is_refused(&vectors(0.0), &[7]) && !is_refused(&vectors(1.0), &[7]));
        let pairs = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64()));
        let keyed = |scale: f64| {
            let sums =
                ((pairs.clone(), SymmetricDistance) >> then_clamp((0.0, 1.0)) >> then_sum_by(L01InfDistance)).unwrap();
            (sums >> then_laplace_threshold(scale, 5.0)).unwrap()
        };
        assert!(is_refused(&keyed(0.0), &[(1, 0.5)]) && !is_refused(&keyed(1.0), &[(1, 0.5)]));
    }

    #[test]
    fn every_measure_knows_what_promises_nothing() {
        let (number, absolute) = (AtomDomain::i64, AbsoluteDistance::new);
        let laplace = |scale: f64| make_laplace(number(), absolute(), scale).unwrap();
        let rho = |scale: f64| make_gaussian(number(), absolute(), ZeroConcentratedDivergence, scale).unwrap();
        let mu = |scale: f64| make_gaussian(AtomDomain::f64(), absolute(), GaussianDivergence, scale).unwrap();
        for (scale, refused) in [(0.0, true), (5.0, false)] {
            assert_eq!(is_refused(&laplace(scale), &7), refused);
            assert_eq!(is_refused(&make_approximate(laplace(scale)).unwrap(), &7), refused);
            assert_eq!(is_refused(&make_pureDP_to_approxDP(laplace(scale)).unwrap(), &7), refused);
            assert_eq!(is_refused(&make_pureDP_to_bounded_range(laplace(scale)).unwrap(), &7), refused);
            assert_eq!(is_refused(&make_pureDP_to_PLD(laplace(scale)).unwrap(), &7), refused);
            assert_eq!(is_refused(&rho(scale), &7), refused);
            assert_eq!(is_refused(&make_zCDP_to_RDP(rho(scale)).unwrap(), &7), refused);
            assert_eq!(is_refused(&make_zCDP_to_approxDP(rho(scale)).unwrap(), &7), refused);
            assert_eq!(is_refused(&mu(scale), &7.0), refused);
            assert_eq!(is_refused(&make_GDP_to_PLD(mu(scale)).unwrap(), &7.0), refused);
            assert_eq!(is_refused(&make_PLD_to_approxDP(make_GDP_to_PLD(mu(scale)).unwrap()).unwrap(), &7.0), refused);
        }
        assert_eq!(Approximate(MaxDivergence).is_infinite(&(0.5, 1.0)), Ok(true));
        assert_eq!(Approximate(MaxDivergence).is_infinite(&(0.5, 1f64.next_down())), Ok(false));
    }

    /// An odometer has no bound, and each of its measurements has one.
    #[test]
    fn conversations_are_guarded_question_by_question() {
        let space = || (AtomDomain::i64(), AbsoluteDistance::new());
        let laplace = |scale: f64| make_laplace(space().0, space().1, scale).unwrap();
        let odometer = (space() >> then_fully_adaptive_composition(MaxDivergence)).unwrap().invoke(&7).unwrap();
        assert_eq!(odometer.eval(&laplace(0.0)).unwrap_err().kind(), ErrorKind::InfiniteLoss);
        assert_eq!(odometer.spent(&1.0), Ok(0.0));
        assert_eq!(odometer.eval(&laplace(0.0).accept_infinite_loss()), Ok(7));
        assert_eq!(odometer.spent(&1.0), Ok(f64::INFINITY));
        let filter = (space() >> then_privacy_filter(MaxDivergence, 1.0, 1.0)).unwrap().invoke(&7).unwrap();
        assert_eq!(filter.eval(&laplace(0.0)).unwrap_err().kind(), ErrorKind::Budget);
        let sparse = make_above_threshold(space().0, space().1, (1.0, 1.0), Monotonicity::Unknown, 0i64, 1, (0.0, 0.0));
        assert!(is_refused(&sparse.unwrap(), &7));
    }
}
