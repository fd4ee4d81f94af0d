//! `make_randomized_response_bool`: a Boolean or its negation.

use crate::{
    core::{Fallible, Measurement, PrivacyMap, RandomizedFunction, require},
    domains::AtomDomain,
    measures::MaxDivergence,
    metrics::DiscreteDistance,
};
use indistinct_derive::constructor;
use indistinct_numeric::{RoundedArithmetic, RoundedMath};
use indistinct_sampling::bernoulli;

/// Releases a Boolean with a given probability, and otherwise its negation.
///
/// [`debias_randomized_response_bool`](super::debias_randomized_response_bool) estimates the true share from many
/// reports.
///
/// # Parameters
///
/// - `prob`: the probability of the true value, from 1/2 to 1.
///
/// # Privacy
///
/// `epsilon = ln(prob / (1 - prob))`, rounded up; infinite for `prob` 1 (Warner 1965).
///
/// # Errors
///
/// Returns an error if the probability is out of range.
///
/// ```
/// use indistinct::prelude::*;
/// let poll = make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, 0.75)?;
/// let report: bool = poll.invoke(&true)?;
/// assert!((poll.map(&1)? - 3f64.ln()).abs() < 1e-12);
/// # let _ = report;
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("it starts with one individual's value, but a plan starts with a table"))]
pub fn make_randomized_response_bool(
    input_domain: AtomDomain<bool>,
    input_metric: DiscreteDistance,
    prob: f64,
) -> Fallible<Measurement<AtomDomain<bool>, bool, DiscreteDistance, MaxDivergence>> {
    let epsilon = loss_of_bit(prob)?;
    Measurement::new(
        (input_domain, input_metric),
        MaxDivergence,
        RandomizedFunction::new(move |value: &bool, entropy| Ok(bernoulli(prob, entropy)? == *value)),
        PrivacyMap::new(move |d_in: &u32| Ok(if *d_in == 0 { 0.0 } else { epsilon })),
    )
}

/// Returns the loss of a bit that is released unchanged with this probability, or an error if it is out of range.
pub(crate) fn loss_of_bit(prob: f64) -> Fallible<f64> {
    require((0.5..=1.0).contains(&prob), "prob", "must be from 1/2 to 1")?;
    loss_of_odds(prob, 1.0)
}

/// Returns `ln(prob others / (1 - prob))`, rounded up.
pub(crate) fn loss_of_odds(prob: f64, others: f64) -> Fallible<f64> {
    let odds = prob.inf_mul(others)?.inf_div(1f64.neg_inf_sub(prob)?)?;
    Ok(odds.inf_ln()?.max(0.0))
}

#[cfg(test)]
mod tests {
    use crate::{
        prelude::*,
        sampling::testing::SeededEntropy,
        truth::{covers, real, sizes},
    };
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn losses_of_odds_are_rounded_up(prob in sizes(-8, 0), others in 1u32..500) {
            let loss = super::loss_of_odds(prob, others.into()).unwrap();
            prop_assert!(covers(loss, (real(prob) * others / (1u32 - real(prob))).ln()), "{loss:e}");
        }
    }

    /// Compares the result to the last bit with fractions that were rounded outward at each step (Python, mpmath), so a
    /// step with the wrong rounding is noticed.
    #[test]
    fn each_step_of_the_loss_is_rounded_up() {
        assert_eq!(super::loss_of_odds(0.7865129701386919, 23.0), Ok(4.439527348490606));
    }

    #[test]
    fn the_law_is_the_one_claimed() {
        let poll = make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, 0.7).unwrap();
        let mut entropy = SeededEntropy::new(62);
        let draws = 400_000;
        let share = |value: bool, entropy: &mut SeededEntropy| {
            let kept = (0..draws).filter(|_| poll.invoke_with(&value, entropy).unwrap() == value).count();
            f64::from(u32::try_from(kept).unwrap()) / f64::from(draws)
        };
        // Hoeffding: a false alarm once in 10^9 runs.
        let bound = (f64::ln(4e9) / (2.0 * f64::from(draws))).sqrt();
        for value in [true, false] {
            let share = share(value, &mut entropy);
            assert!((share - 0.7).abs() < bound && (share - 0.69).abs() > bound, "{share}");
        }
    }

    #[test]
    fn maps_and_bad_parameters() {
        let make = |prob| make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, prob);
        assert_eq!(make(0.5).unwrap().map(&1), Ok(0.0));
        assert_eq!((make(1.0).unwrap().map(&1), make(1.0).unwrap().map(&0)), (Ok(f64::INFINITY), Ok(0.0)));
        let epsilon = make(0.75).unwrap().map(&1).unwrap();
        assert!(epsilon >= 3f64.ln() && epsilon <= 3f64.ln().next_up().next_up());
        for prob in [0.49, 1.01, -1.0, f64::NAN] {
            assert_eq!(make(prob).unwrap_err().kind(), ErrorKind::Parameter("prob"));
        }
    }
}
