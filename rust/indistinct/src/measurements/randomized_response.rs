//! `make_randomized_response`: the true category or a random other one.

use super::randomized_response_bool::loss_of_odds;
use crate::{
    core::{Error, Fallible, LossMap, Measurement, PrivacyMap, RandomizedFunction, require},
    domains::AtomDomain,
    measures::{CompositionMeasure, MaxDivergence, PrivacyLossDistribution, PrivacyLossDivergence},
    metrics::DiscreteDistance,
    transformations::{Category, Index, UnknownCategories},
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;
use indistinct_sampling::{bernoulli, uniform_below_u64};

/// Releases the true category with a given probability, and otherwise one of the other categories, each with equal
/// probability.
///
/// For a value that is not in the list, each category is released with the same probability.
/// [`debias_randomized_response`](super::debias_randomized_response) estimates the true shares from many reports.
///
/// # Parameters
///
/// - `categories`: the possible releases, distinct, at least two.
/// - `prob`: the probability of the true category, from one over the number of categories to 1.
///
/// # Privacy
///
/// Between any two values, `epsilon = ln(prob (k - 1) / (1 - prob))` for k categories, rounded up; infinite for `prob`
/// 1 (Warner 1965; Kairouz, Bonawitz, Ramage 2016).
///
/// # Errors
///
/// Returns an error if there are fewer than two categories or one is listed twice, or if the probability is out of
/// range.
///
/// ```
/// use indistinct::prelude::*;
/// let answers = vec!["yes", "no", "rather not say"];
/// let poll = make_randomized_response(AtomDomain::new(), DiscreteDistance, answers.clone(), 0.5)?;
/// let report: &str = poll.invoke(&"yes")?;
/// assert!(answers.contains(&report));
/// assert!((poll.map(&1)? - 2f64.ln()).abs() < 1e-12);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("it begins at one individual's value, not at a table"))]
pub fn make_randomized_response<K: Category>(
    input_domain: AtomDomain<K>,
    input_metric: DiscreteDistance,
    categories: Vec<K>,
    prob: f64,
) -> Fallible<Measurement<AtomDomain<K>, K, DiscreteDistance, MaxDivergence>> {
    require(categories.len() >= 2, "categories", "must be at least two")?;
    let index = Index::new(&categories, UnknownCategories::Drop)?;
    let others = u32::try_from(categories.len() - 1).map_err(|_| Error::parameter("categories", "are too many"))?;
    let least = 1f64.inf_div(f64::from(others) + 1.0)?;
    require((least..=1.0).contains(&prob), "prob", "must be from one over the number of categories to 1")?;
    let epsilon = loss_of_odds(prob, f64::from(others))?;
    let losses = LossMap::new(move |d_in: &u32| match *d_in {
        0 => Ok(PrivacyLossDistribution::none()),
        _ if epsilon > 600.0 => PrivacyLossDivergence::infinite(),
        _ => {
            let epsilon = if epsilon > 0.0 { epsilon.max(1e-100) } else { epsilon };
            Ok(PrivacyLossDistribution::randomized_response(epsilon, others.saturating_add(1))?)
        }
    });
    let measurement = Measurement::new(
        (input_domain, input_metric),
        MaxDivergence,
        RandomizedFunction::new(move |value: &K, entropy| {
            let others = u64::from(others);
            let slot = u64::try_from(index.slot(value)).unwrap_or(u64::MAX);
            // All are drawn, whatever the value is and whether the release will be true: the work is the same.
            let truth = bernoulli(prob, entropy)?;
            let (other, any) = (uniform_below_u64(others, entropy)?, uniform_below_u64(others + 1, entropy)?);
            let position = match slot <= others {
                true if truth => slot,
                // One of the others: those from the true one on are one further.
                true => other + u64::from(other >= slot),
                false => any,
            };
            let release = usize::try_from(position).ok().and_then(|position| categories.get(position));
            release.cloned().ok_or_else(|| Error::parameter("categories", "must not be empty"))
        }),
        PrivacyMap::new(move |d_in: &u32| Ok(if *d_in == 0 { 0.0 } else { epsilon })),
    )?;
    Ok(measurement.with_losses(losses))
}

#[cfg(test)]
mod tests {
    /// Where a probability is below one over the number of categories, the others are likelier: a loss that the formula
    /// does not see.
    #[test]
    fn the_least_probability_is_rounded_up() {
        use crate::numeric::gmp::Rational;
        for number in 2i32..60 {
            let nearest = 1.0 / f64::from(number);
            for prob in [nearest.next_down(), nearest, nearest.next_up()] {
                let categories: Vec<i32> = (0..number).collect();
                let made = super::make_randomized_response(
                    crate::domains::AtomDomain::i32(),
                    crate::metrics::DiscreteDistance,
                    categories,
                    prob,
                );
                assert_eq!(made.is_ok(), Rational::from_f64(prob).unwrap() * number >= 1, "{number} {prob:e}");
            }
        }
    }

    use crate::{prelude::*, sampling::testing::SeededEntropy};

    #[test]
    fn the_law_is_the_one_claimed() {
        let response = make_randomized_response(AtomDomain::i32(), DiscreteDistance, vec![10, 20, 30], 0.5).unwrap();
        assert!(response.map(&1).unwrap() >= 2f64.ln() && response.map(&1).unwrap() < 2f64.ln() + 1e-15);
        assert_eq!(response.map(&0), Ok(0.0));
        let mut counts = std::collections::BTreeMap::new();
        let mut entropy = SeededEntropy::new(61);
        let draws = 200_000;
        for value in [10, 20, 30, 99] {
            for _ in 0..draws {
                let release = response.invoke_with(&value, &mut entropy).unwrap();
                *counts.entry((value, release)).or_insert(0.0) += 1.0 / f64::from(draws);
            }
        }
        // Hoeffding: a false alarm once in 10^9 runs.
        let bound = (f64::ln(2e10) / (2.0 * f64::from(draws))).sqrt();
        for ((value, release), share) in counts {
            let truth = if value == 99 {
                1.0 / 3.0
            } else if value == release {
                0.5
            } else {
                0.25
            };
            assert!((share - truth).abs() < bound, "{value} {release}: {share}");
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        let kind = |categories, prob| {
            make_randomized_response(AtomDomain::i32(), DiscreteDistance, categories, prob).unwrap_err().kind()
        };
        for categories in [vec![], vec![1], vec![1, 2, 1]] {
            assert_eq!(kind(categories, 0.9), ErrorKind::Parameter("categories"));
        }
        for prob in [0.3, 1.1, f64::NAN, -1.0] {
            assert_eq!(kind(vec![1, 2, 3], prob), ErrorKind::Parameter("prob"));
        }
        // All categories alike, which reveals nothing but for rounding; a little less would favor the others.
        let even = make_randomized_response(AtomDomain::i32(), DiscreteDistance, vec![1, 2, 3], 0.334).unwrap();
        assert!((0.002..0.0031).contains(&even.map(&1).unwrap()));
        let sure = make_randomized_response(AtomDomain::i32(), DiscreteDistance, vec![1, 2], 1.0)
            .unwrap()
            .accept_infinite_loss();
        assert_eq!((sure.map(&1), sure.map(&0), sure.invoke(&2)), (Ok(f64::INFINITY), Ok(0.0), Ok(2)));
    }
}
