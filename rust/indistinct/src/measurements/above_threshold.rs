//! `make_above_threshold`: answers whether each of many queries exceeds a threshold (the sparse vector technique).

mod comparison;

use crate::{
    core::{
        Answered, CALLER_TRUSTED, Distance, Domain, Error, ErrorKind, Fallible, Marks, Measurement, Metric,
        MetricSpace, Parameter, PrivacyMap, Queryable, RandomizedFunction, State, ToParameter, Transformation,
        check_neighbors, require,
    },
    domains::AtomDomain,
    measures::MaxDivergence,
    metrics::AbsoluteDistance,
};
use comparison::ComparedNoise;
pub use comparison::ComparedNumber;
use indistinct_derive::constructor;
use indistinct_numeric::{RoundedFrom, ToExtended};
use indistinct_sampling::Entropy;
use std::{borrow::Borrow, sync::Arc};

/// Answers whether the value of each query reaches a threshold, and charges only for the "true" answers (the
/// sparse vector technique).
///
/// The release is a [`Queryable`] that owns the data. A query is a [`Transformation`] from the same space to a number;
/// it may depend on all responses so far. The response is `value + noise >= threshold + noise'`, with new noise for
/// each query and one draw of `noise'` for all queries, compared with infinite precision. After `limit` true responses,
/// every further query is refused. Only these Boolean responses are released.
///
/// # Parameters
///
/// - `stability`: a pair (d_in, sensitivity). The guarantee is for inputs at most `d_in` apart. A query is rejected, at
///   no cost, unless its map shows that its value changes by at most `sensitivity` between such inputs, and not at all
///   between equal ones. The map is trusted as in a chain, so ask only queries whose explanation you would accept in a
///   chain.
/// - `monotonicity`: whether all queries change in the same direction between any two inputs at most `d_in` apart, as
///   counts do when one row is added. Nothing checks this.
/// - `threshold`: a finite number of the queries' output type, with which values are compared.
/// - `limit`: the maximum number of true responses, at least 1.
/// - `scales`: the scales of the Laplace noise on the threshold and on each value, in the values' unit, finite and not
///   negative. For a given loss, responses are most accurate when the second is about `(2 limit)^(2/3)` times the
///   first, or `limit^(2/3)` times for monotonic queries. Noise on integers is discrete.
///
/// # Privacy
///
/// For distances up to `d_in`, with scales a and b: `epsilon = sensitivity / a + 2 limit sensitivity / b`, rounded up;
/// for monotonic queries `sensitivity / a + limit sensitivity / b`. Epsilon is infinite beyond `d_in`, and 0 at
/// distance 0. The loss depends neither on the number of queries nor on the responses (Lyu, Su, Li 2017, Algorithm 7
/// and Theorems 4 and 5, without numeric responses).
///
/// # Errors
///
/// Returns an error if a parameter breaks a rule. The queryable returns [`ErrorKind::Question`] for a query with
/// another domain or metric, or a larger sensitivity, and [`ErrorKind::Exhausted`] after the last true response.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::u32()), SymmetricDistance);
/// let sparse = (space.clone() >> then_above_threshold((1, 1.0), Monotonicity::Unknown, 3i128, 1, (2.0, 4.0)))?;
/// assert_eq!(sparse.map(&1)?, 1.0);
///
/// // Which is the first week with some 3 visits or more?
/// let week_of_each_visit = [1, 2, 2, 4, 4, 4, 4];
/// let queryable = sparse.invoke(&week_of_each_visit)?;
/// let zero_or_one = AtomDomain::i64().with_bounds((0, 1))?;
/// for week in 1..=5 {
///     let in_week = move |visit: &u32| i64::from(*visit == week);
///     let visits = (space.clone() >> then_map(zero_or_one.clone(), 0, in_week) >> then_sum())?;
///     if queryable.eval(&visits)? {
///         println!("week {week}");
///         assert_eq!(queryable.eval(&visits).unwrap_err().kind(), ErrorKind::Exhausted);
///         break;
///     }
/// }
/// # Ok::<(), Error>(())
/// ```
#[constructor(types(T), exempt("its release answers queries and is not a value"))]
pub fn make_above_threshold<DI: Domain, MI: Metric<Distance: Default + ToParameter>, T: ComparedNumber + ToParameter>(
    input_domain: DI,
    input_metric: MI,
    stability: (MI::Distance, f64),
    monotonicity: Monotonicity,
    threshold: T,
    limit: u32,
    scales: (f64, f64),
) -> Fallible<Measurement<DI, Queryable<ThresholdQuestion<DI, MI, T>, bool>, MI, MaxDivergence>>
where
    (DI, MI): MetricSpace,
{
    let (d_in, sensitivity) = stability;
    check_neighbors(&input_domain, &input_metric, &d_in)?;
    let bounded = sensitivity >= 0.0 && sensitivity.is_finite();
    require(bounded, "stability", "the sensitivity must be finite and not negative")?;
    require(limit >= 1, "limit", "must be at least 1")?;
    require(!threshold.is_nan() && !threshold.is_not_finite(), "threshold", "must be a finite number")?;
    let (threshold_noise, value_noise) = (T::Noise::of_scale(scales.0)?, T::Noise::of_scale(scales.1)?);
    let loss = loss(sensitivity, monotonicity, limit, scales)?;

    let rules = Rules { space: (input_domain.clone(), input_metric.clone()), d_in: d_in.clone(), sensitivity };
    let shared = Arc::new((rules, threshold, threshold_noise, value_noise));
    let measurement = Measurement::new(
        (input_domain, input_metric),
        MaxDivergence,
        RandomizedFunction::new(move |data: &DI::Carrier, entropy| {
            let (data, shared) = (data.to_owned(), shared.clone());
            let (_, threshold, threshold_noise, _) = shared.as_ref();
            let session = State::new(Session::<T::Noise, T>::new(threshold, limit, threshold_noise, entropy)?);
            let answered = Answered::nothing();
            let noted = answered.clone();
            Ok(Queryable::new(answered, move |question: &ThresholdQuestion<DI, MI, T>, entropy| {
                let (rules, _, _, value_noise) = shared.as_ref();
                rules.admit(question)?;
                // A query that is refused does not run on the data.
                session.step(Session::check_open, |_| Ok(()))?;
                noted.note(question.weakest_proof());
                // The query's own functions run before the state is locked for the response, and before anything is
                // drawn. Another response may have been the last meanwhile.
                let value = question.function().eval(data.borrow())?;
                session.step(Session::check_open, |session| session.answer(&value, value_noise, entropy))
            }))
        }),
        PrivacyMap::new(move |distance: &MI::Distance| {
            Ok(if distance.is_within(&MI::Distance::default()) {
                0.0
            } else if distance.is_within(&d_in) {
                loss
            } else {
                f64::INFINITY
            })
        }),
    )?;
    Ok(measurement.with_marks(Marks { interactive: true, ..Marks::default() }))
}

/// A query to the queryable of [`make_above_threshold`]: a number that can be compared with the threshold.
pub type ThresholdQuestion<DI, MI, T> = Transformation<DI, AtomDomain<T>, MI, AbsoluteDistance>;

/// The direction in which queries change between two inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Monotonicity {
    /// Queries may change in different directions.
    Unknown,
    /// Between any two inputs within the guarantee's distance, no query increases where another decreases. The caller
    /// vouches for this, and the plan records it.
    Assumed,
}

impl ToParameter for Monotonicity {
    fn to_parameter(&self) -> Parameter {
        match self {
            Monotonicity::Unknown => "unknown".to_parameter(),
            Monotonicity::Assumed => CALLER_TRUSTED.to_parameter(),
        }
    }
}

/// Returns `sensitivity / a + k limit sensitivity / b`, rounded up once, where k is 1 for monotonic queries and 2 for
/// others.
fn loss(sensitivity: f64, monotonicity: Monotonicity, limit: u32, (a, b): (f64, f64)) -> Fallible<f64> {
    if sensitivity == 0.0 {
        return Ok(0.0);
    }
    let moves = match monotonicity {
        Monotonicity::Unknown => 2 * u64::from(limit),
        Monotonicity::Assumed => limit.into(),
    };
    let sensitivity = sensitivity.to_extended()?;
    let positives = moves.to_extended()?.mul(&sensitivity)?.div(&b.to_extended()?)?;
    Ok(f64::inf_from(&sensitivity.div(&a.to_extended()?)?.add(&positives)?)?)
}

/// The conditions on every query.
struct Rules<DI: Domain, MI: Metric> {
    space: (DI, MI),
    d_in: MI::Distance,
    sensitivity: f64,
}

impl<DI: Domain, MI: Metric<Distance: Default>> Rules<DI, MI> {
    fn admit<T: ComparedNumber>(&self, question: &ThresholdQuestion<DI, MI, T>) -> Fallible<()> {
        let refuse = |rule| Err(Error::new(ErrorKind::Question, rule));
        if (question.input_domain(), question.input_metric()) != (&self.space.0, &self.space.1) {
            return refuse("a query must have the measurement's input domain and metric");
        }
        if !question.check(&self.d_in, &self.sensitivity)? {
            return refuse("a query must not change by more than the declared sensitivity");
        }
        if !question.check(&MI::Distance::default(), &0.0)? {
            return refuse("a query must not change between inputs at distance 0");
        }
        Ok(())
    }
}

/// The threshold with its noise, and the remaining number of true responses.
struct Session<N: ComparedNoise<T>, T> {
    threshold: N::Threshold,
    left: u32,
}

impl<N: ComparedNoise<T>, T> Session<N, T> {
    fn new(threshold: &T, limit: u32, noise: &N, entropy: &mut dyn Entropy) -> Fallible<Self> {
        Ok(Self { threshold: noise.threshold(threshold, entropy)?, left: limit })
    }

    fn check_open(&self) -> Fallible<()> {
        let rule = "the limit of answers above the threshold has been reached";
        if self.left > 0 { Ok(()) } else { Err(Error::new(ErrorKind::Exhausted, rule)) }
    }

    fn answer(&mut self, value: &T, noise: &N, entropy: &mut dyn Entropy) -> Fallible<bool> {
        let above = noise.reaches(value, &mut self.threshold, entropy)?;
        self.left = self.left.saturating_sub(u32::from(above));
        Ok(above)
    }
}

#[cfg(test)]
mod tests;
