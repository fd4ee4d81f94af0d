//! `make_matrix_factorization`: running sums of steps, with noise that is correlated across steps.

mod factor;
mod steps;

use super::{
    gaussian::GaussianMeasure,
    noise::{Law, Noise, Scale},
};
use crate::{
    core::{
        Answered, Domain, Error, ErrorKind, Fallible, Marks, Measurement, Metric, MetricSpace, Owned, PrivacyMap,
        Queryable, RandomizedFunction, State, ToParameter, Transformation, require,
    },
    domains::{AtomDomain, VectorDomain},
    metrics::{L2Distance, PartitionDistance},
};
pub use factor::ToeplitzFactor;
use indistinct_derive::constructor;
use indistinct_numeric::{Dyadic, RoundedFrom, ToExtended};
use indistinct_sampling::{Entropy, RoundedNoise};
use std::{borrow::Borrow, sync::Arc};
use steps::Steps;

/// Releases running sums of vectors, each computed from one part of the data, such as the gradients of a training (the
/// matrix mechanism for running sums; DP-FTRL).
///
/// The release is a [`Queryable`] that owns the data, in parts. A query is a [`Transformation`] from a part to a vector
/// of exact sums; it may depend on all responses so far. The first query runs on the first part, the second on the
/// second part, and after the last part the first part is next again. The response is the sum of the vectors of all
/// steps so far, with *correlated* noise. Let C be the factor, and let x be the matrix whose rows are the vectors of
/// the steps. Each row of C x gets independent noise, and the responses are computed from these noisy rows alone. So
/// the noise on a running sum is far smaller than the sum of independent noise on each step, and about half of the
/// noise of [`make_tree_aggregation`](super::make_tree_aggregation). A step takes time and memory in proportion to the
/// number of diagonals of C times the width.
///
/// # Parameters
///
/// - `input_domain`: a known number of parts, for example from
///   [`make_partition_by_categories`](crate::transformations::make_partition_by_categories). The part of a row must not
///   depend on other rows.
/// - `output_measure`: the measures that [`make_gaussian`](super::make_gaussian) supports for exact sums.
/// - `factor`: C, and the number of steps.
/// - `width`: the length of a vector, from 1 to 2^20.
/// - `stability`: a pair (d_in, sensitivity). A query is refused, at no cost, unless its map shows that its vector
///   changes by at most `sensitivity` in L2 between parts at most `d_in` apart, and not at all between equal ones.
/// - `scale`: the standard deviation of the noise on each number of C x, in the vectors' unit, finite and at least 0.
///   It is a number, or a [`Scale`] that also sets the grid.
///
/// # Privacy
///
/// Let S be the factor's [`sensitivity`](ToeplitzFactor::sensitivity) for a period of the number of parts. If n parts
/// differ, each by at most `d_in`, the loss is the loss of Gaussian noise of this scale at distance `n sensitivity S`,
/// rounded up. It is infinite beyond `d_in`. For one step with each part and the measure mu: `mu = n sensitivity |c| /
/// scale`, with |c| the length of the first column (Denisov, McMahan, Rush, Smith, Thakurta 2022, Theorem 2.1, for
/// vectors that depend on earlier responses; Choquette-Choo, McMahan, Rush, Thakurta 2023 for repeated parts).
///
/// # Errors
///
/// Returns an error if the number of parts is unknown or 0, if the width or the scale breaks a rule, if the sensitivity
/// is negative or not finite, or if the factor's sensitivity is not a float. The queryable returns
/// [`ErrorKind::Question`] for a query with another domain, metric or width or a larger sensitivity, and while another
/// query is being answered. It returns [`ErrorKind::Exhausted`] after the last step. A query that fails ends the
/// interaction.
///
/// ```
/// use indistinct::{domains::Norm, prelude::*};
/// // The quarter of each visit, and what it cost in each of two ways.
/// let costs = VectorDomain::new(AtomDomain::f64()).with_size(2);
/// let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), costs.clone()));
/// let parts = ((rows, SymmetricDistance) >> then_partition_by_categories(vec![1, 2, 3, 4], UnknownCategories::Drop))?;
/// let factor = ToeplitzFactor::square_root(4)?;
/// let running = (parts >> then_matrix_factorization(GaussianDivergence, factor.clone(), 2, (1, 50.0), 100.0))?;
/// // One visit is in one quarter.
/// assert!(running.map(&1)? <= 50.0 * factor.sensitivity(4)? / 100.0 + 1e-15);
///
/// let sums = running.invoke(&[(1, vec![20.0, 0.0]), (3, vec![70.0, 10.0]), (3, vec![0.0, 35.0])])?;
/// let part = (VectorDomain::new(costs), SymmetricDistance);
/// let clipped = (part >> then_norm_clip(Norm::L2, 50.0) >> then_vector_sum(L2Distance::new()))?;
/// for quarter in 1..=4 {
///     let so_far: Vec<f64> = sums.eval(&clipped)?;
///     println!("{quarter}: {so_far:.0?}");
/// }
/// assert_eq!(sums.eval(&clipped).unwrap_err().kind(), ErrorKind::Exhausted);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("its release answers queries and is not a value"))]
pub fn make_matrix_factorization<
    D: Domain,
    M: Metric<Distance = u32> + ToParameter,
    MO: GaussianMeasure<RoundedNoise, L2Distance>,
>(
    input_domain: VectorDomain<D>,
    input_metric: PartitionDistance<M>,
    output_measure: MO,
    factor: ToeplitzFactor,
    width: usize,
    stability: (u32, f64),
    scale: impl Into<Scale> + ToParameter + Send + 'static,
) -> Fallible<Measurement<VectorDomain<D>, Queryable<StepQuestion<D, M>, Vec<f64>>, PartitionDistance<M>, MO>>
where
    (VectorDomain<D>, PartitionDistance<M>): MetricSpace,
{
    let (d_in, sensitivity) = stability;
    let scale = scale.into();
    let noise = RoundedNoise::of(Law::Gaussian, scale)?;
    require((1..=MAX_WIDTH).contains(&width), "width", "must be from 1 to 2^20")?;
    let bounded = sensitivity >= 0.0 && sensitivity.is_finite();
    require(bounded, "stability", "the sensitivity must be finite and not negative")?;
    let parts = input_domain.size().and_then(|parts| u32::try_from(parts).ok()).unwrap_or(0);
    require(parts >= 1, "input_domain", "the number of parts must be known, at least 1 and below 2^32")?;
    let of_factor = factor.sensitivity(parts)?;

    let part = (input_domain.element().clone(), input_metric.0.clone());
    let shared = Arc::new((Rules { part, width, d_in, sensitivity }, noise));
    let loss = MO::map(scale);
    let measurement = Measurement::new(
        (input_domain, input_metric),
        output_measure,
        RandomizedFunction::new(move |data: &[Owned<D>], _: &mut dyn Entropy| {
            let (data, shared) = (Arc::new(data.to_vec()), shared.clone());
            let state = State::new(Steps::new(factor.clone(), width)?);
            let answered = Answered::nothing();
            let noted = answered.clone();
            Ok(Queryable::new(answered, move |question: &StepQuestion<D, M>, entropy: &mut dyn Entropy| {
                let (rules, noise) = shared.as_ref();
                rules.admit(question)?;
                // A query that is refused does not run on the data. One that is not takes the step, whatever becomes of
                // it: its own functions run before the state is locked again, and others are refused until it is done.
                let step = state.step(Steps::check_open, |steps| Ok(steps.begin()))?;
                noted.note(question.weakest_proof());
                let part = usize::exact_from(&(step % parts))?;
                let rule = "the data must have as many parts as their domain";
                let part = data.get(part).ok_or_else(|| Error::new(ErrorKind::Domain, rule))?;
                let vector = question.function().eval(part.borrow())?;
                state.step(|_| Ok(()), |steps| steps.finish(vector, noise, entropy))
            }))
        }),
        PrivacyMap::new(move |&(changed, total, greatest): &(u32, u32, u32)| {
            let changed = changed.min(total).min(parts);
            if changed == 0 || greatest == 0 {
                return loss.eval(&0.0);
            }
            if greatest.min(total) > d_in {
                return loss.eval(&f64::INFINITY);
            }
            let moved = changed.to_extended()?.mul(&sensitivity.to_extended()?)?.mul(&of_factor.to_extended()?)?;
            loss.eval(&f64::inf_from(&moved)?)
        }),
    )?;
    Ok(measurement.with_marks(Marks { interactive: true, ..Marks::default() }))
}

/// A query to the queryable of [`make_matrix_factorization`]: the vector of a step, from a part of the data.
pub type StepQuestion<D, M> = Transformation<D, VectorDomain<AtomDomain<Dyadic>>, M, L2Distance>;

/// The maximum length of a vector.
const MAX_WIDTH: usize = 1 << 20;

/// The conditions on every query.
struct Rules<D, M> {
    part: (D, M),
    width: usize,
    d_in: u32,
    sensitivity: f64,
}

impl<D: Domain, M: Metric<Distance = u32>> Rules<D, M> {
    fn admit(&self, question: &StepQuestion<D, M>) -> Fallible<()> {
        let refuse = |rule| Err(Error::new(ErrorKind::Question, rule));
        if (question.input_domain(), question.input_metric()) != (&self.part.0, &self.part.1) {
            return refuse("a query must have the input domain and metric of one step's data");
        }
        if question.output_domain().size() != Some(self.width) {
            return refuse("a query must return vectors of the declared width");
        }
        if question.map(&0)? > 0.0 {
            return refuse("a query must not change between inputs at distance 0");
        }
        if question.map(&self.d_in)? > self.sensitivity {
            return refuse("a query must not change by more than the declared sensitivity");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
