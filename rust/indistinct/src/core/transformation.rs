//! Deterministic steps from data to data.

use super::{
    Aggregate, Distance, Domain, Error, ErrorKind, Explanation, Fallible, Function, Levels, Metric, MetricSpace, Owned,
    Plan, ProofLevel, Space, StabilityMap, Step, check_neighbors, told::Told,
};
use std::{fmt, sync::Arc};

/// A deterministic function between two metric spaces, with a map that bounds the distance between its outputs.
///
/// Promises: the function maps every member of the input domain to a member of the output domain, and two inputs at
/// most `d_in` apart have outputs at most `map(d_in)` apart.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let clamped_sum = (space >> then_clamp((0.0, 10.0)) >> then_sum())?;
/// assert_eq!(clamped_sum.invoke(&[3.0, -1.0, 99.0])?.to_f64(), 13.0);
/// assert_eq!(clamped_sum.map(&2)?, 20.0);
/// # Ok::<(), Error>(())
/// ```
pub struct Transformation<DI: Domain, DO: Domain, MI: Metric, MO: Metric> {
    input_domain: DI,
    input_metric: MI,
    output_domain: DO,
    output_metric: MO,
    function: Function<DI::Carrier, Owned<DO>>,
    told: Told<MI::Distance, MO::Distance>,
}

impl<DI: Domain, DO: Domain, MI: Metric, MO: Metric> Transformation<DI, DO, MI, MO> {
    /// Makes a transformation from its parts, and checks the spaces.
    pub(crate) fn new(
        (input_domain, input_metric): (DI, MI),
        (output_domain, output_metric): (DO, MO),
        function: Function<DI::Carrier, Owned<DO>>,
        stability_map: StabilityMap<MI, MO>,
    ) -> Fallible<Self>
    where
        (DI, MI): MetricSpace,
        (DO, MO): MetricSpace,
    {
        let (input_space, output_space) = ((input_domain, input_metric), (output_domain, output_metric));
        input_space.check_space()?;
        output_space.check_space()?;
        let ((input_domain, input_metric), (output_domain, output_metric)) = (input_space, output_space);
        let told = Told::new((&input_metric, &output_metric), stability_map);
        Ok(Self { input_domain, input_metric, output_domain, output_metric, function, told })
    }

    pub(crate) fn with_plan(self, plan: Plan, levels: Levels) -> Fallible<Self> {
        let output = (&self.output_domain, &self.output_metric);
        let space = Space::of_transformation((&self.input_domain, &self.input_metric), output);
        let plan = Arc::new(plan.between(space).on(&self.input_domain).checked()?);
        let proof = levels.of::<MO>(&plan);
        Ok(Self { told: self.told.with_plan(plan, proof), ..self })
    }

    /// Returns the domain of the function's inputs.
    pub fn input_domain(&self) -> &DI {
        &self.input_domain
    }

    /// Returns the metric between inputs.
    pub fn input_metric(&self) -> &MI {
        &self.input_metric
    }

    /// Returns a domain that contains every value of the function.
    pub fn output_domain(&self) -> &DO {
        &self.output_domain
    }

    /// Returns the metric between outputs.
    pub fn output_metric(&self) -> &MO {
        &self.output_metric
    }

    /// Returns the input space, ready for `>>`.
    pub fn input_space(&self) -> (DI, MI) {
        (self.input_domain.clone(), self.input_metric.clone())
    }

    /// Returns the output space, ready for `>>`.
    pub fn output_space(&self) -> (DO, MO) {
        (self.output_domain.clone(), self.output_metric.clone())
    }

    /// Returns the function's value at `data`. It is not private: release only the results of measurements.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Domain`] if `data` is not a member of the input domain.
    pub fn invoke(&self, data: &DI::Carrier) -> Fallible<Owned<DO>> {
        self.function.eval_in(&self.input_domain, data)
    }

    /// Starts the evaluation on data that arrive in parts, from anywhere and in any order.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Whole`] if the function needs all rows at once.
    ///
    /// ```
    /// use indistinct::prelude::*;
    /// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    /// let sum = (space >> then_clamp((0.0, 10.0)) >> then_sum())?;
    /// let (left, right) = (sum.aggregate()?.absorb(&[0.1, 99.0])?, sum.aggregate()?.absorb(&[0.2])?);
    /// assert_eq!(left.merge(right)?.finish()?, sum.invoke(&[0.2, 99.0, 0.1])?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn aggregate(&self) -> Fallible<Aggregate<DI, Owned<DO>>> {
        Aggregate::new(&self.input_domain, self.function.as_fold())
    }

    /// Returns a bound on the distance between two outputs whose inputs are at most `d_in` apart.
    pub fn map(&self, d_in: &MI::Distance) -> Fallible<MO::Distance> {
        self.told.map().eval(d_in)
    }

    /// Returns true if the map shows that inputs at most `d_in` apart have outputs at most `d_out` apart. Like
    /// [`Measurement::check`](super::Measurement::check), it returns an error if no two inputs are that close.
    pub fn check(&self, d_in: &MI::Distance, d_out: &MO::Distance) -> Fallible<bool> {
        d_out.validate()?;
        check_neighbors(&self.input_domain, &self.input_metric, d_in)?;
        Ok(self.map(d_in)?.is_within(d_out))
    }

    /// Returns the plan from which this value was built.
    pub fn plan(&self) -> &Plan {
        self.told.plan()
    }

    /// Returns the plan of this value with every map evaluated, starting from `d_in`.
    pub fn explain(&self, d_in: &MI::Distance) -> Fallible<Explanation> {
        Ok(Explanation::new(self.steps(d_in)?, check_neighbors(&self.input_domain, &self.input_metric, d_in)))
    }

    pub(crate) fn steps(&self, d_in: &MI::Distance) -> Fallible<Vec<Step>> {
        self.told.steps(d_in)
    }

    /// Returns the weakest proof on which the map relies.
    pub(crate) fn weakest_proof(&self) -> ProofLevel
    where
        MI::Distance: Default,
    {
        self.told.weakest_proof()
    }

    /// Returns the properties that do not depend on the types of the data.
    pub(super) fn told(&self) -> &Told<MI::Distance, MO::Distance> {
        &self.told
    }

    /// Returns this transformation with a value of another type as its input metric, which must describe the same
    /// distances.
    #[cfg(feature = "plans")]
    pub(crate) fn with_input_metric<MX: Metric<Distance = MI::Distance>>(
        self,
        input_metric: MX,
    ) -> Transformation<DI, DO, MX, MO> {
        let Self { input_domain, output_domain, output_metric, function, told, .. } = self;
        Transformation { input_domain, input_metric, output_domain, output_metric, function, told }
    }

    /// Returns this transformation with a value of another type as its output metric, which must describe the same
    /// distances.
    #[cfg(feature = "plans")]
    pub(crate) fn with_output_metric<MX: Metric<Distance = MO::Distance>>(
        self,
        output_metric: MX,
    ) -> Transformation<DI, DO, MI, MX> {
        let Self { input_domain, input_metric, output_domain, function, told, .. } = self;
        Transformation { input_domain, input_metric, output_domain, output_metric, function, told }
    }

    pub(crate) fn function(&self) -> &Function<DI::Carrier, Owned<DO>> {
        &self.function
    }

    pub(super) fn stability_map(&self) -> StabilityMap<MI, MO> {
        StabilityMap::of_distances(self.told.map().clone())
    }

    /// Returns this transformation followed by `next`, whose input space must be this one's output space.
    pub(crate) fn chain<DX: Domain, MX: Metric>(
        self,
        next: Transformation<DO, DX, MO, MX>,
    ) -> Fallible<Transformation<DI, DX, MI, MX>> {
        let (left, right) = ((&self.output_domain, &self.output_metric), (&next.input_domain, &next.input_metric));
        check_link((left, self.plan()), (right, next.plan()))?;
        Ok(Transformation {
            input_domain: self.input_domain,
            input_metric: self.input_metric,
            output_domain: next.output_domain,
            output_metric: next.output_metric,
            function: self.function.then(next.function),
            told: self.told.then(next.told)?,
        })
    }
}

/// Returns an error if two steps cannot be chained, because the space between them differs.
pub(crate) fn check_link<D: Domain, M: Metric>(
    (left, left_plan): ((&D, &M), &Plan),
    (right, right_plan): ((&D, &M), &Plan),
) -> Fallible<()> {
    let rule = |what, (gives, expects): (String, String)| {
        let (before, after) = (left_plan.last_step(), right_plan.first_step());
        let message = format!("the output of {before} has the {what} `{gives}`, but {after} expects `{expects}`");
        Err(Error::new(ErrorKind::Mismatch, message))
    };
    if left.0 != right.0 {
        return rule("domain", in_words(left.0, right.0));
    }
    if left.1 != right.1 {
        return rule("metric", in_words(left.1, right.1));
    }
    Ok(())
}

/// Returns two values as text for an error message.
pub(crate) fn in_words(left: &impl fmt::Debug, right: &impl fmt::Debug) -> (String, String) {
    (format!("{left:?}"), format!("{right:?}"))
}

impl<DI: Domain, DO: Domain, MI: Metric, MO: Metric> Clone for Transformation<DI, DO, MI, MO> {
    fn clone(&self) -> Self {
        Self {
            input_domain: self.input_domain.clone(),
            input_metric: self.input_metric.clone(),
            output_domain: self.output_domain.clone(),
            output_metric: self.output_metric.clone(),
            function: self.function.clone(),
            told: self.told.clone(),
        }
    }
}

impl<DI: Domain, DO: Domain, MI: Metric, MO: Metric> fmt::Debug for Transformation<DI, DO, MI, MO> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transformation")
            .field("input_domain", &self.input_domain)
            .field("input_metric", &self.input_metric)
            .field("output_domain", &self.output_domain)
            .field("output_metric", &self.output_metric)
            .field("plan", self.plan())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    /// The types agree, the values do not: a sum for which rows were not clamped, a distance that is not the one before
    /// it.
    #[test]
    fn only_one_space_lies_between_two_steps() {
        let rows = |upper| VectorDomain::new(AtomDomain::i64().with_bounds((0, upper)).unwrap());
        let clamp = |upper| make_clamp(VectorDomain::new(AtomDomain::i64()), SymmetricDistance, (0, upper)).unwrap();
        let sum = make_sum(rows(9), SymmetricDistance).unwrap();
        assert_eq!((clamp(9) >> sum.clone()).unwrap().map(&1), Ok(9.0));
        assert_eq!((clamp(10) >> sum.clone()).unwrap_err().kind(), ErrorKind::Mismatch);
        let noisy = (sum >> then_laplace(1.0)).unwrap();
        assert_eq!((clamp(9) >> noisy.clone()).unwrap().map(&1), Ok(9.0));
        assert_eq!((clamp(10) >> noisy).unwrap_err().kind(), ErrorKind::Mismatch);
    }

    /// The two steps are named, and where their spaces differ.
    #[test]
    fn a_mismatch_says_where_it_is() {
        let rows = || VectorDomain::new(AtomDomain::f64());
        let space = || (rows(), SymmetricDistance);
        let told = |chain: Fallible<Transformation<_, _, _, _>>| chain.unwrap_err().to_string();
        let clamped = || space() >> then_clamp((0.0, 1.0)) >> then_clamp((0.0, 10.0));
        let expects = |domain| make_count(domain, SymmetricDistance).unwrap();
        assert_eq!(
            told(clamped() >> expects(rows())),
            "mismatch: the output of make_clamp has the domain `VectorDomain(AtomDomain<f64>(0.0..=10.0))`, but make_count expects `VectorDomain(AtomDomain<f64>)`"
        );
        let sized = VectorDomain::new(AtomDomain::f64().with_nan()).with_size(3);
        let words = "the output of make_clamp has the domain `VectorDomain(AtomDomain<f64>(0.0..=10.0))`, but make_count expects \
                     `VectorDomain(AtomDomain<f64>(NaN), size 3)`";
        assert_eq!(told(clamped() >> expects(sized)), format!("mismatch: {words}"));
        let scores = || VectorDomain::new(AtomDomain::i64()).with_size(2);
        let monotonic = make_noisy_max(scores(), LInfDistance::monotonic(), MaxDivergence, 1.0).unwrap();
        let plain = |x: &[i64]| x.to_vec();
        let plain =
            make_user_transformation(scores(), LInfDistance::new(), scores(), LInfDistance::new(), plain, |d| Ok(*d));
        let words = "the output of make_user_transformation has the metric `LInfDistance`, but make_noisy_max expects `LInfDistance(monotonic)`";
        assert_eq!((plain >> monotonic).unwrap_err().to_string(), format!("mismatch: {words}"));
    }

    /// The declared domain is public, the data are not.
    #[test]
    fn data_outside_the_domain_are_told_what_it_is() {
        let domain = VectorDomain::new(AtomDomain::f64()).with_size(3);
        let words = format!("domain: the data are not a member of the declared input domain, {domain:?}");
        assert!(words.ends_with("VectorDomain(AtomDomain<f64>, size 3)"));
        let clamp = make_clamp(domain.clone(), HammingDistance, (0.0, 1.0)).unwrap();
        let sum = (clamp.clone() >> then_sum()).unwrap();
        for data in [vec![f64::NAN, 77.5, 77.5], vec![77.5, 77.5]] {
            assert_eq!(clamp.invoke(&data).unwrap_err().to_string(), words);
            assert_eq!(sum.invoke(&data).unwrap_err().to_string(), words);
            let aggregate = sum.aggregate().unwrap().absorb(&data).and_then(|all| all.finish());
            assert_eq!(aggregate.unwrap_err().to_string(), words);
        }
    }

    #[test]
    fn an_explanation_has_a_line_for_each_step() {
        let clamped = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance) >> then_clamp((0, 10));
        let sum = (clamped >> then_sum()).unwrap();
        let steps = sum.explain(&2).unwrap().steps;
        let told: Vec<_> = steps.iter().map(|step| step.name.as_str()).collect();
        assert_eq!(told, ["make_clamp", "make_sum"]);
        let noisy = (sum >> then_laplace(10.0)).unwrap();
        let both = make_composition((noisy.clone(), noisy)).unwrap().explain(&1).unwrap().to_string();
        // The parts are indented below the whole, which alone shows the weakest proof of what it holds.
        let lines: Vec<_> = both.lines().collect();
        assert!(lines[0].starts_with("make_composition(") && lines[0].contains(", weakest "), "{both}");
        assert!(lines[1].starts_with("  make_clamp(") && lines[6].starts_with("  make_laplace("), "{both}");
        assert!(lines[1..7].iter().all(|line| !line.contains("weakest")) && lines.len() == 8, "{both}");
    }
}
