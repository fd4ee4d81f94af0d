//! Unbiased estimates from randomized responses. They depend on the reports alone, and cost nothing.

use crate::{
    core::{Error, Fallible, require},
    transformations::Category,
};
use indistinct_numeric::{RoundedFrom, gmp::Rational};
use std::collections::BTreeMap;

/// Returns an unbiased estimate of the number of true values behind these reports.
///
/// A report is true with probability `prob` for a true value and `1 - prob` for a false one. With t true reports among
/// n, the estimate is `(t - n (1 - prob)) / (2 prob - 1)`. It may lie below 0 or above n.
///
/// # Errors
///
/// Returns an error if the probability is 1/2 or less, from which nothing can be estimated, or above 1.
///
/// ```
/// use indistinct::prelude::*;
/// assert_eq!(debias_randomized_response_bool(&[true, true, true, false], 0.75)?, 4.0);
/// # Ok::<(), Error>(())
/// ```
pub fn debias_randomized_response_bool(reports: &[bool], prob: f64) -> Fallible<f64> {
    let shares = debias_randomized_response(reports, &[false, true], prob)?;
    Ok(shares.last().copied().unwrap_or(0.0))
}

/// Returns unbiased estimates of the number of values in each category behind these reports.
///
/// Let `q = (1 - prob) / (k - 1)` be the probability of each other category. With t reports of a category among n, its
/// estimate is `(t - n q) / (prob - q)`, rounded to the nearest float. The estimates sum to the number of reports.
///
/// # Errors
///
/// Returns an error if there are fewer than two categories or a category is listed twice, if a report is not in a
/// category, or if the probability is at most one over the number of categories, or above 1.
///
/// ```
/// use indistinct::prelude::*;
/// let estimates = debias_randomized_response(&["a", "b", "a", "a"], &["a", "b"], 0.75)?;
/// assert_eq!(estimates, [4.0, 0.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn debias_randomized_response<K: Category>(reports: &[K], categories: &[K], prob: f64) -> Fallible<Vec<f64>> {
    require(categories.len() >= 2, "categories", "must be at least two")?;
    let mut counts: BTreeMap<&K, usize> = categories.iter().map(|category| (category, 0)).collect();
    require(counts.len() == categories.len(), "categories", "must be distinct")?;
    for report in reports {
        let count = counts.get_mut(report);
        *count.ok_or_else(|| Error::parameter("reports", "must be among the categories"))? += 1;
    }
    let counts: Vec<usize> = categories.iter().filter_map(|category| counts.get(category).copied()).collect();
    estimates(&counts, reports.len(), prob, categories.len())
}

/// Returns unbiased estimates of the number of vectors behind these reports in which each bit is set.
///
/// # Errors
///
/// Returns an error if the probability is 1/2 or less, or above 1, or if the reports have different lengths.
///
/// ```
/// use indistinct::prelude::*;
/// let reports = [vec![true, false], vec![true, false], vec![true, true], vec![false, false]];
/// assert_eq!(debias_randomized_response_bitvec(&reports, 0.75)?, [4.0, 0.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn debias_randomized_response_bitvec(reports: &[Vec<bool>], prob: f64) -> Fallible<Vec<f64>> {
    let bits = reports.first().map_or(0, Vec::len);
    require(reports.iter().all(|report| report.len() == bits), "reports", "must have the same length")?;
    let set = |bit: usize| reports.iter().filter(|report| report.get(bit) == Some(&true)).count();
    estimates(&(0..bits).map(set).collect::<Vec<_>>(), reports.len(), prob, 2)
}

/// If t of n reports give an answer, the estimate of its true number is `(t - n q) / (p - q)`, for the probability p of
/// the true answer and q of each other answer.
fn estimates(counts: &[usize], reports: usize, prob: f64, answers: usize) -> Fallible<Vec<f64>> {
    let rule = "must be above 1/n and at most 1, for n possible answers";
    let p = Rational::exact_from(&prob).map_err(|_| Error::parameter("prob", rule))?;
    let q = (Rational::from(1) - &p) / answers.saturating_sub(1).max(1);
    require(p <= 1 && p > q, "prob", rule)?;
    let (noise, share) = (reports * q.clone(), p - q);
    counts.iter().map(|count| Ok(f64::nearest_from(&((count - noise.clone()) / &share))?)).collect()
}

#[cfg(test)]
mod tests {
    use crate::{prelude::*, sampling::testing::SeededEntropy};

    #[test]
    fn estimates_are_close_to_the_truth() {
        let mut entropy = SeededEntropy::new(63);
        let response = make_randomized_response(AtomDomain::i32(), DiscreteDistance, vec![1, 2, 3], 0.6).unwrap();
        let values = (0..30_000).map(|i| if i % 3 == 0 { 1 } else { 3 });
        let reports: Vec<i32> = values.map(|value| response.invoke_with(&value, &mut entropy).unwrap()).collect();
        let estimates = debias_randomized_response(&reports, &[1, 2, 3], 0.6).unwrap();
        // A standard deviation is below sqrt(30000 / 4) / 0.4 = 217; six of them.
        for (estimate, truth) in estimates.iter().zip([10_000.0, 0.0, 20_000.0]) {
            assert!((estimate - truth).abs() < 1300.0, "{estimates:?}");
        }
        assert!((estimates.iter().sum::<f64>() - 30_000.0).abs() < 1e-6);
    }

    #[test]
    fn estimates_solve_for_the_shares() {
        // 6 of 10 reports at 3/4: (6 - 10 / 4) / (1 / 2) = 7.
        let reports: Vec<bool> = (0..10).map(|i| i < 6).collect();
        assert_eq!(debias_randomized_response_bool(&reports, 0.75), Ok(7.0));
        let bits: Vec<Vec<bool>> = reports.iter().map(|bit| vec![*bit, !*bit]).collect();
        assert_eq!(debias_randomized_response_bitvec(&bits, 0.75), Ok(vec![7.0, 3.0]));
        // Three categories at 1/2: (t - 12 / 4) / (1 / 4).
        let reports = [[0; 6].as_slice(), &[1; 4], &[2; 2]].concat();
        assert_eq!(debias_randomized_response(&reports, &[0, 1, 2], 0.5), Ok(vec![12.0, 4.0, -4.0]));
    }

    /// Estimates of reports that no measurement makes, or that are counted twice, do not sum to their number.
    #[test]
    fn categories_are_distinct_and_reports_of_them() {
        let refused = |categories: &[&'static str]| {
            debias_randomized_response(&["a", "b", "a", "c"], categories, 0.75).unwrap_err()
        };
        assert_eq!(refused(&["a", "b", "c", "a"]).to_string(), "parameter categories: must be distinct");
        assert_eq!(refused(&["a", "b"]).to_string(), "parameter reports: must be among the categories");
    }

    #[test]
    fn probabilities_that_say_nothing_are_refused() {
        for prob in [0.5, 0.2, 1.1, f64::NAN] {
            assert!(debias_randomized_response_bool(&[true], prob).is_err());
            assert!(debias_randomized_response_bitvec(&[vec![true]], prob).is_err());
        }
        assert!(debias_randomized_response(&[1], &[1], 0.9).is_err());
        // One over three is no float: what is nearest lies below it, and says less than nothing.
        assert!(debias_randomized_response(&[1], &[1, 2, 3], 1.0 / 3.0).is_err());
        assert!(debias_randomized_response(&[1], &[1, 2, 3], (1.0 / 3.0f64).next_up()).is_ok());
        assert!(debias_randomized_response_bitvec(&[vec![true], vec![]], 0.9).is_err());
    }
}
