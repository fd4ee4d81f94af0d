//! `split`: divides a budget into parts that can all be spent.

use crate::{
    core::{Fallible, require},
    measures::AdditiveDistance,
};
use indistinct_numeric::{RoundedFrom, gmp::Rational};
use std::cmp::Reverse;

/// Divides a budget in proportion to weights. The exact sum of the parts is at most the budget.
///
/// The float 0.2 is slightly above a fifth, so five such floats exceed 1, and a [privacy
/// filter](super::make_privacy_filter) refuses the fifth. In this function, each part is one of the two floats next to
/// its exact share, `budget * weight / sum of weights`, and no other choice of such floats has a larger sum within the
/// budget. Parts with equal weights sum to exactly the budget.
///
/// # Parameters
///
/// - `budget`: an epsilon, eta or rho, or a pair of one of them and a delta; each number is split.
/// - `weights`: one for each part; a part of weight 0 is 0.
///
/// # Errors
///
/// Returns an error if the budget is not a distance, is infinite, or has a delta above 1, or if weights are negative,
/// infinite, NaN, or all 0.
///
/// ```
/// use indistinct::{combinators::split, prelude::*};
/// let space = || (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let count = |scale| space() >> then_count() >> then_laplace(scale);
/// let data = (space() >> then_privacy_filter(MaxDivergence, 1, 1.0))?.invoke(&[3.0, 9.0, 8.0])?;
/// for epsilon in split(1.0, &[1.0; 5])? {
///     let scale = smallest_scale(count, &1, &epsilon)?;
///     let rows: i64 = data.eval(&count(scale)?)?;
///     # let _ = rows;
/// }
/// assert_eq!((data.spent()?, split((1.0, 1e-6), &[1.0, 1.0])?), (1.0, vec![(0.5, 5e-7); 2]));
/// # Ok::<(), Error>(())
/// ```
pub fn split<D: AdditiveDistance>(budget: D, weights: &[f64]) -> Fallible<Vec<D>> {
    budget.validate_bound()?;
    let valid = weights.iter().all(|weight| *weight >= 0.0 && weight.is_finite());
    require(valid, "weights", "must be finite numbers, and not negative")?;
    let weights: Vec<Rational> = weights.iter().map(Rational::exact_from).collect::<Result<_, _>>()?;
    let total: Rational = weights.iter().sum();
    require(total > 0, "weights", "at least one must be above 0")?;
    let shares: Vec<Rational> = weights.into_iter().map(|weight| weight / &total).collect();
    budget.split(|number| parts(number, &shares))
}

/// A part of a number: the largest float at or below its share, and the difference to the share.
struct Part {
    float: f64,
    missing: Rational,
}

/// Divides one number into parts. The remainder after all shares are rounded down is spent on steps to the next float:
/// the widest steps first, and among equal ones those of the parts with the largest rounding error.
fn parts(budget: f64, shares: &[Rational]) -> Fallible<Vec<f64>> {
    require(budget.is_finite(), "budget", "must be finite")?;
    let budget = Rational::exact_from(&budget)?;
    let part = |share| {
        let exact = Rational::from(share * &budget);
        let float = f64::neg_inf_from(&exact)?;
        Ok(Part { float, missing: exact - Rational::exact_from(&float)? })
    };
    let mut parts: Vec<Part> = shares.iter().map(part).collect::<Fallible<_>>()?;
    // The shares sum to the budget, so that what is missing from all is what is left.
    let mut left: Rational = parts.iter().map(|part| &part.missing).sum();
    let mut steps: Vec<(Rational, &mut Part)> = Vec::new();
    for part in parts.iter_mut().filter(|part| part.missing > 0) {
        let step = Rational::exact_from(&part.float.next_up())? - Rational::exact_from(&part.float)?;
        steps.push((step, part));
    }
    steps.sort_by(|(step, part), (other_step, other)| {
        (Reverse(step), Reverse(&part.missing)).cmp(&(Reverse(other_step), Reverse(&other.missing)))
    });
    for (step, part) in steps {
        if step <= left {
            part.float = part.float.next_up();
            left -= step;
        }
    }
    Ok(parts.into_iter().map(|part| part.float).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use proptest::prelude::*;

    fn exact(x: f64) -> Rational {
        Rational::from_f64(x).unwrap()
    }

    fn sum(parts: &[f64]) -> Rational {
        parts.iter().map(|part| exact(*part)).sum()
    }

    /// The greatest sum within the budget of floats next to the shares, by trying all choices.
    fn greatest(budget: f64, weights: &[f64]) -> Rational {
        let shares = weights.iter().map(|weight| exact(*weight) / sum(weights) * exact(budget));
        let floats: Vec<_> =
            shares.map(|share| [f64::neg_inf_from(&share).unwrap(), f64::inf_from(&share).unwrap()]).collect();
        let choices = (0..1usize << weights.len()).map(|choice| {
            floats.iter().enumerate().map(|(part, floats)| exact(floats[choice >> part & 1])).sum::<Rational>()
        });
        choices.filter(|sum| *sum <= exact(budget)).max().unwrap()
    }

    const BUDGETS: [f64; 12] =
        [1.0, 0.1, 0.3, 2.0, 3.0, 1e-6, 1e300, f64::MAX, 5e-324, 7e-323, 2.2250738585072014e-308, 0.9999999999999999];

    /// The negative control: shares that are rounded to nearest, which is what dividing gives, exceed the budget of 1.
    #[test]
    fn equal_parts_sum_to_the_budget_and_quotients_exceed_it() {
        let exceeds = |parts: usize| sum(&vec![1.0 / f64::from(u32::try_from(parts).unwrap()); parts]) > 1;
        assert!([5, 10, 11, 13, 20].into_iter().all(exceeds));
        for (budget, count) in BUDGETS.iter().flat_map(|budget| (1..=200).map(|count| (*budget, count))) {
            let parts = split(budget, &vec![0.7; count]).unwrap();
            assert_eq!(sum(&parts), exact(budget), "{budget:e} in {count}");
            let least = parts.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(parts.len() == count && parts.iter().all(|part| *part <= least.next_up()), "{budget:e} in {count}");
        }
    }

    #[test]
    fn a_filter_allows_all_parts_and_no_more() {
        let space = (AtomDomain::f64(), AbsoluteDistance::new());
        for count in 1..=30 {
            let data = (space.clone() >> then_privacy_filter(MaxDivergence, 1.0, 1.0)).unwrap().invoke(&0.0).unwrap();
            for epsilon in split(1.0, &vec![1.0; count]).unwrap() {
                let laplace = |scale| make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale);
                let scale = smallest_scale(laplace, &1.0, &epsilon).unwrap();
                assert!(data.eval(&laplace(scale).unwrap()).is_ok(), "one of {count}");
            }
            assert!(data.remaining().unwrap() < 1e-15);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn no_choice_of_floats_next_to_the_shares_has_a_greater_sum(
            budget in prop_oneof![0.0f64..10.0, (0u64..1 << 12).prop_map(f64::from_bits), any::<f64>().prop_map(f64::abs)],
            weights in prop::collection::vec(prop_oneof![1 => Just(0.0), 4 => 0.0f64..1.0, 2 => Just(1.0), 2 => (-300i32..300).prop_map(|k| 2f64.powi(k))], 1..9),
        ) {
            prop_assume!(f64::is_finite(budget) && sum(&weights) > 0);
            let parts = split(budget, &weights).unwrap();
            prop_assert_eq!(sum(&parts), greatest(budget, &weights));
            for (part, weight) in parts.iter().zip(&weights) {
                let share = exact(*weight) / sum(&weights) * exact(budget);
                prop_assert!([f64::neg_inf_from(&share), f64::inf_from(&share)].contains(&Ok(*part)), "{part:e}");
            }
            let pairs = split((budget, 0.5), &weights).unwrap();
            prop_assert_eq!(pairs.iter().map(|pair| pair.0).collect::<Vec<_>>(), parts);
            prop_assert_eq!(pairs.into_iter().map(|pair| pair.1).collect::<Vec<_>>(), split(0.5, &weights).unwrap());
        }
    }

    #[test]
    fn bad_budgets_and_weights_are_refused() {
        for weights in [&[][..], &[0.0], &[0.0, -0.0], &[1.0, -1e-300], &[f64::NAN], &[1.0, f64::INFINITY]] {
            assert_eq!(split(1.0, weights).unwrap_err().kind(), ErrorKind::Parameter("weights"), "{weights:?}");
        }
        assert_eq!(split(f64::INFINITY, &[1.0]).unwrap_err().kind(), ErrorKind::Parameter("budget"));
        for budget in [-1.0, f64::NAN] {
            assert_eq!(split(budget, &[1.0]).unwrap_err().kind(), ErrorKind::Distance);
        }
        assert_eq!(split((1.0, 1f64.next_up()), &[1.0]).unwrap_err().kind(), ErrorKind::Distance);
        assert_eq!(split(0.0, &[1.0, 2.0]), Ok(vec![0.0, 0.0]));
    }
}
