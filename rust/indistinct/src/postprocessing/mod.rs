//! Functions of released numbers alone, which cost nothing.
//!
//! | function | from | to |
//! |---|---|---|
//! | [`consistent_b_ary_tree`] | a released tree | the best estimate of its leaves |
//! | [`cdf_from_counts`] | released counts of bins | the share of rows up to each bin |
//! | [`quantiles_from_counts`] | released counts of bins, and their edges | quantiles |
//! | [`positions_to_categories`] | released positions, and a public list | the entries at these positions |
//! | [`group_means`] | released sums and counts | means |
//!
//! Add one of them to a measurement with `measurement >> Function::new(…)`; the last two can be added directly, as in
//! `measurement >> positions_to_categories(…)`.

mod consistency;
mod means;
mod positions;
mod quantiles;

pub use consistency::consistent_b_ary_tree;
pub use means::group_means;
pub use positions::{Positions, positions_to_categories};
pub use quantiles::{cdf_from_counts, quantiles_from_counts};

use crate::core::{Error, Fallible};
use indistinct_numeric::{RoundedFrom, ToExtended};

/// Returns the nearest floats, if all are finite.
fn finite_floats<T: ToExtended>(numbers: &[T], parameter: &'static str) -> Fallible<Vec<f64>> {
    let floats = numbers.iter().map(|number| f64::nearest_from(number).ok().filter(|x| x.is_finite()));
    floats.collect::<Option<_>>().ok_or_else(|| Error::parameter(parameter, "must be finite"))
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use indistinct_numeric::RoundedFrom;
    use proptest::prelude::*;

    /// Draws counts with noise: small whole numbers, many sums of which are 0, and floats of any size.
    fn counts() -> impl Strategy<Value = Vec<f64>> {
        let small = (-6i32..6).prop_map(f64::from);
        let any = proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO;
        prop_oneof![prop::collection::vec(small, 1..12), prop::collection::vec(any, 1..12)]
    }

    proptest! {
        #[test]
        fn shares_rise_from_0_to_1_and_are_those_of_themselves(counts in counts()) {
            let shares = cdf_from_counts(&counts).unwrap();
            prop_assert!(shares.len() == counts.len() && shares.is_sorted() && shares.last() == Some(&1.0), "{shares:?}");
            prop_assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
            // Released shares, taken apart into counts again.
            let parts: Vec<f64> = shares.iter().scan(0.0, |before, share| Some(share - std::mem::replace(before, *share))).collect();
            let again = cdf_from_counts(&parts).unwrap();
            prop_assert!(again.iter().zip(&shares).all(|(again, share)| (again - share).abs() < 1e-14), "{again:?} {shares:?}");
        }

        /// The last of the nearest running sums that do not fall is the greatest of the means of the last ones.
        #[test]
        fn shares_are_equal_where_counts_add_up_to_nothing(counts in prop::collection::vec(-6i64..6, 1..12)) {
            let running: Vec<i64> = counts.iter().scan(0, |sum, count| { *sum += count; Some(*sum) }).collect();
            let is_above_0 = (0..running.len()).any(|first| running[first..].iter().sum::<i64>() > 0);
            let equal = cdf_from_counts(&vec![1; counts.len()]).unwrap();
            prop_assert!(is_above_0 || cdf_from_counts(&counts).unwrap() == equal);
        }

        #[test]
        fn quantiles_lie_between_the_edges_and_do_not_fall(counts in counts(), edges in counts(), alphas in prop::collection::vec(0.0..=1.0f64, 0..9)) {
            let (mut edges, mut alphas) = (edges, alphas);
            edges.sort_by(f64::total_cmp);
            edges.dedup();
            alphas.sort_by(f64::total_cmp);
            let bins = edges.len().saturating_sub(1).min(counts.len());
            prop_assume!(bins >= 1);
            let (edges, counts) = (&edges[..=bins], &counts[..bins]);
            let quantiles = quantiles_from_counts(edges, counts, &alphas).unwrap();
            prop_assert!(quantiles.len() == alphas.len() && quantiles.is_sorted(), "{quantiles:?}");
            prop_assert!(quantiles.iter().all(|x| (edges[0]..=edges[bins]).contains(x)), "{quantiles:?}");
        }

        /// Consistent leaves stay unchanged. The result has no NaN, and its own tree leaves it unchanged.
        #[test]
        fn a_tree_made_consistent_is_its_own_best_fit(tree in counts(), leaves in 1usize..5, branching in 2usize..4) {
            let domain = VectorDomain::new(AtomDomain::i64()).with_size(leaves);
            let sums = make_b_ary_tree(domain, L1Distance::new(), branching, L1Distance::new()).unwrap();
            let nodes = sums.invoke(&vec![0; leaves]).unwrap().len();
            prop_assume!(tree.len() >= nodes);
            match consistent_b_ary_tree(&tree[..nodes], leaves, branching) {
                Err(error) => prop_assert!(tree.iter().any(|x| x.abs() > 1e306), "{error}"),
                Ok(fitted) => {
                    prop_assert!(fitted.len() == leaves && fitted.iter().all(|x| x.is_finite()), "{fitted:?}");
                    let size = tree.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
                    prop_assume!(size < 1e9);
                    // In units of 2^-20, in which sums are whole.
                    let whole: Vec<i64> = fitted.iter().map(|x| i64::nearest_from(&(x * 1048576.0)).unwrap()).collect();
                    let again = consistent_b_ary_tree(&sums.invoke(&whole).unwrap(), leaves, branching).unwrap();
                    let near = |(x, y): (&f64, &i64)| (x - f64::nearest_from(y).unwrap()).abs() <= 1e-12 * size * 1048576.0;
                    prop_assert!(again.iter().zip(&whole).all(near), "{again:?} {whole:?}");
                }
            }
        }

        #[test]
        fn estimates_of_responses_sum_to_their_number(reports in prop::collection::vec(0u8..4, 0..30), categories in 2u8..5, excess in 1e-9..1.0f64) {
            let listed: Vec<u8> = (0..categories).collect();
            let chance = 1.0 / f64::from(categories);
            let prob = chance + (1.0 - chance) * excess;
            let all_listed = reports.iter().all(|report| *report < categories);
            match debias_randomized_response(&reports, &listed, prob) {
                Err(error) => prop_assert!(!all_listed, "{error}"),
                Ok(estimates) => {
                    prop_assert!(all_listed && estimates.len() == listed.len() && estimates.iter().all(|x| x.is_finite()));
                    let number = f64::nearest_from(&reports.len()).unwrap();
                    let (sum, size) = (estimates.iter().sum::<f64>(), estimates.iter().fold(1.0, |size: f64, x| size.max(x.abs())));
                    prop_assert!((sum - number).abs() <= 1e-14 * size, "{estimates:?}");
                    // A category that is reported more often is not estimated to be rarer.
                    let times = |category: &u8| reports.iter().filter(|report| *report == category).count();
                    for (one, x) in listed.iter().zip(&estimates) {
                        prop_assert!(listed.iter().zip(&estimates).all(|(other, y)| times(one) < times(other) || x >= y));
                    }
                }
            }
            let bits: Vec<bool> = reports.iter().map(|report| report % 2 == 0).collect();
            let half = 0.5 + 0.5 * excess;
            let estimate = debias_randomized_response_bool(&bits, half).unwrap();
            let vectors: Vec<Vec<bool>> = bits.iter().map(|bit| vec![*bit, !bit]).collect();
            let of_vectors = debias_randomized_response_bitvec(&vectors, half).unwrap();
            prop_assert_eq!(of_vectors.first().copied().unwrap_or(estimate), estimate);
            // With no noise, what is reported is what is.
            let truth = f64::nearest_from(&bits.iter().filter(|bit| **bit).count()).unwrap();
            prop_assert_eq!(debias_randomized_response_bool(&bits, 1.0).unwrap(), truth);
        }
    }
}
