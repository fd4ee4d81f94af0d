//! Randomized steps from data to a release.

use super::{
    Distance, Domain, Error, ErrorKind, Explanation, Fallible, Function, Measure, Metric, MetricSpace, Plan,
    PrivacyMap, PrivateAggregate, RandomizedFunction, Step, Transformation, check_neighbors, explain::Trace,
    transformation::check_link,
};
use indistinct_sampling::{Entropy, OsEntropy};
use std::{any::TypeId, fmt, sync::Arc};

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

/// What whoever builds on a measurement must know of its release.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Marks {
    /// It answers questions, or contains something that does.
    pub(crate) interactive: bool,
    /// Its loss is told for a population that the data are a secret sample of: a second release of the same sample costs more than
    /// twice as much.
    pub(crate) secret_sample: bool,
}

/// What clones share.
struct Parts<DI: Domain, TO, MI: Metric, MO: Measure> {
    function: RandomizedFunction<DI::Carrier, TO>,
    privacy_map: PrivacyMap<MI, MO>,
    plan: Arc<Plan>,
    trace: Trace<MI::Distance>,
}

impl<DI: Domain, TO: 'static, MI: Metric, MO: Measure> Measurement<DI, TO, MI, MO> {
    /// Put the parts together; the space is checked.
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

    /// The same for a space that a part of the new measurement has already checked.
    pub(crate) fn in_checked_space(
        (input_domain, input_metric): (DI, MI),
        output_measure: MO,
        function: RandomizedFunction<DI::Carrier, TO>,
        privacy_map: PrivacyMap<MI, MO>,
    ) -> Self {
        let (plan, trace) = (Arc::new(Plan::new("unnamed")), Trace::leaf());
        let parts = Arc::new(Parts { function, privacy_map, plan, trace });
        Self { input_domain, input_metric, output_measure, marks: Marks::default(), parts }
    }

    pub(crate) fn with_plan(self, plan: Plan) -> Fallible<Self> {
        let plan = Arc::new(plan.checked()?);
        Ok(self.with(|parts| Parts { plan, ..parts }))
    }

    pub(crate) fn with_trace(self, trace: Trace<MI::Distance>) -> Self {
        self.with(|parts| Parts { trace, ..parts })
    }

    /// This measurement with other parts, made from copies of its own.
    fn with(self, change: impl FnOnce(Parts<DI, TO, MI, MO>) -> Parts<DI, TO, MI, MO>) -> Self {
        let Parts { function, privacy_map, plan, trace } = self.parts.as_ref();
        let copies = Parts {
            function: function.clone(),
            privacy_map: privacy_map.clone(),
            plan: plan.clone(),
            trace: trace.clone(),
        };
        Self { parts: Arc::new(change(copies)), ..self }
    }

    pub(crate) fn with_marks(self, marks: Marks) -> Self {
        Self { marks, ..self }
    }

    pub(crate) fn marks(&self) -> Marks {
        self.marks
    }

    /// Whether the release answers questions, such as a [`Queryable`](super::Queryable) does, or contains one that does.
    pub fn is_interactive(&self) -> bool {
        self.marks.interactive
    }

    /// An error if this may not be released more than once, or beside other measurements.
    pub(crate) fn check_repeatable(&self) -> Fallible<()> {
        let rule = "the loss of a secret sample holds for one release of it: compose, select or sample first, and call make_population_amplification last";
        if self.marks.secret_sample { Err(Error::new(ErrorKind::Mismatch, rule)) } else { Ok(()) }
    }

    /// The set of values that the function accepts.
    pub fn input_domain(&self) -> &DI {
        &self.input_domain
    }

    /// The metric between inputs.
    pub fn input_metric(&self) -> &MI {
        &self.input_metric
    }

    /// The measure of the distance between output distributions.
    pub fn output_measure(&self) -> &MO {
        &self.output_measure
    }

    /// The input space, ready for `>>`.
    pub fn input_space(&self) -> (DI, MI) {
        (self.input_domain.clone(), self.input_metric.clone())
    }

    /// A release, with randomness from the operating system. Each call spends the loss of the map once more.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Domain`](super::ErrorKind::Domain) if `data` is not a member of the input domain,
    /// [`ErrorKind::Entropy`](super::ErrorKind::Entropy) if the system has no randomness to give; nothing was released
    /// then. Also any error of a post-processing function, which depends on the noisy release alone and costs what the
    /// map says.
    pub fn invoke(&self, data: &DI::Carrier) -> Fallible<TO> {
        self.release(data, &mut OsEntropy::new())
    }

    /// A release with randomness from `entropy`: for tests and audits, with the feature `testing`. The guarantee holds
    /// only if its bits are fair, independent and unknown to whoever sees the release.
    #[cfg(feature = "testing")]
    pub fn invoke_with(&self, data: &DI::Carrier, entropy: &mut dyn Entropy) -> Fallible<TO> {
        self.release(data, entropy)
    }

    fn release(&self, data: &DI::Carrier, entropy: &mut dyn Entropy) -> Fallible<TO> {
        self.parts.function.eval_in(&self.input_domain, data, entropy)
    }

    /// A release on data that come by parts, from anywhere and in any order.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Whole`](super::ErrorKind::Whole) if the function needs all rows at once.
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
        PrivateAggregate::new(&self.input_domain, self.parts.function.as_fold())
    }

    /// The privacy loss for inputs at most `d_in` apart.
    pub fn map(&self, d_in: &MI::Distance) -> Fallible<MO::Distance> {
        self.parts.privacy_map.eval(d_in)
    }

    /// Whether the loss for inputs at most `d_in` apart is within `d_out`; an error if one of them is not a distance, or a delta in `d_out` above 1.
    ///
    /// Also an error where no two inputs are so close, and yet `d_in` is not 0: two datasets of four rows are never one row added or removed apart, and the
    /// map says 0 of everything, noise or not. Ask for 2 there, one row replaced. Searches for a parameter
    /// ([`smallest_scale`](crate::search::smallest_scale)) refuse it by this, and [`explain`](Self::explain) notes it.
    pub fn check(&self, d_in: &MI::Distance, d_out: &MO::Distance) -> Fallible<bool> {
        d_out.validate_bound()?;
        check_neighbors(&self.input_domain, &self.input_metric, d_in)?;
        Ok(self.map(d_in)?.is_within(d_out))
    }

    /// How this value was built.
    pub fn plan(&self) -> &Plan {
        &self.parts.plan
    }

    /// How this value was built, with every map evaluated, starting from `d_in`.
    pub fn explain(&self, d_in: &MI::Distance) -> Fallible<Explanation> {
        Ok(Explanation::new(self.steps(d_in)?, check_neighbors(&self.input_domain, &self.input_metric, d_in)))
    }

    pub(crate) fn steps(&self, d_in: &MI::Distance) -> Fallible<Vec<Step>> {
        let d_out = self.map(d_in)?;
        let words = || (self.input_metric.describe(d_in), self.output_measure.describe(&d_out));
        self.parts.trace.steps(&self.parts.plan, TypeId::of::<MO>(), d_in, words)
    }

    pub(crate) fn privacy_map(&self) -> &PrivacyMap<MI, MO> {
        &self.parts.privacy_map
    }

    pub(crate) fn function(&self) -> &RandomizedFunction<DI::Carrier, TO> {
        &self.parts.function
    }

    /// This measurement with its loss told in another measure; `convert` gives a distance that the one under the old measure implies.
    pub(crate) fn under<MX: Measure>(
        self,
        output_measure: MX,
        convert: impl Fn(&MO::Distance) -> Fallible<MX::Distance> + Send + Sync + 'static,
    ) -> Measurement<DI, TO, MI, MX> {
        let map = self.parts.privacy_map.clone();
        Measurement::in_checked_space(
            self.input_space(),
            output_measure,
            self.parts.function.clone(),
            PrivacyMap::new(move |d_in| convert(&map.eval(d_in)?)),
        )
        .with_marks(self.marks)
        .with_trace(Trace::new(move |d_in| self.steps(d_in)))
    }

    /// This measurement after `first`, whose output space must be this one's input space.
    pub(crate) fn after<DX: Domain, MX: Metric>(
        self,
        first: Transformation<DX, DI, MX, MI>,
    ) -> Fallible<Measurement<DX, TO, MX, MO>> {
        check_link((first.output_domain(), first.output_metric()), (&self.input_domain, &self.input_metric))?;
        let (inner, outer) = (first.clone(), self.parts.privacy_map.clone());
        let plan = Arc::new(Plan::chain(&first.plan, &self.parts.plan)?);
        let (space, measure, marks) = (first.input_space(), self.output_measure.clone(), self.marks);
        let parts = Parts {
            function: self.parts.function.clone().after(first.function().clone()),
            privacy_map: PrivacyMap::new(move |d_in| outer.eval(&inner.map(d_in)?)),
            plan,
            trace: Trace::new(move |d_in| Ok([first.steps(d_in)?, self.steps(&first.map(d_in)?)?].concat())),
        };
        let (input_domain, input_metric) = space;
        Ok(Measurement { input_domain, input_metric, output_measure: measure, marks, parts: Arc::new(parts) })
    }

    /// This measurement followed by a function of its release, which costs nothing.
    pub(crate) fn postprocess<TX: 'static>(self, function: Function<TO, TX>) -> Fallible<Measurement<DI, TX, MI, MO>> {
        let postprocessing = Arc::new(Plan::new("postprocess").caller_trusted("function"));
        let plan = Arc::new(Plan::chain(&self.parts.plan, &postprocessing)?);
        let (space, measure, marks) = (self.input_space(), self.output_measure.clone(), self.marks);
        let parts = Parts {
            function: self.parts.function.clone().then(function),
            privacy_map: self.parts.privacy_map.clone(),
            plan,
            trace: Trace::new(move |d_in| {
                let loss = self.output_measure.describe(&self.map(d_in)?);
                let last = Step::new(&postprocessing, TypeId::of::<MO>(), (loss.clone(), loss), Vec::new());
                Ok([self.steps(d_in)?, vec![last]].concat())
            }),
        };
        let (input_domain, input_metric) = space;
        Ok(Measurement { input_domain, input_metric, output_measure: measure, marks, parts: Arc::new(parts) })
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
