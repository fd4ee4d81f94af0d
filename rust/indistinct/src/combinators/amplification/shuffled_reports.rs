//! `make_shuffled_reports`: one report from each individual, in random order (shuffle model).

use super::group;
use crate::{
    core::{Domain, Fallible, Measurement, Owned, PrivacyMap, RandomizedFunction, Trace, require},
    domains::VectorDomain,
    measures::{Approximate, MaxDivergence},
    metrics::{ChangeOneDistance, DiscreteDistance},
};
use indistinct_accounting::{Delta, Epsilon, amplify_by_shuffling};
use indistinct_derive::constructor;
use indistinct_numeric::{RoundedArithmetic, RoundedFrom};
use indistinct_sampling::{Entropy, uniform_below_u64};
use std::borrow::Borrow;

/// Releases one report per row, such as a randomized response, in a random order. Nobody learns which report belongs to
/// which individual, so all reports together reveal less about a single row than its own report would.
///
/// # Parameters
///
/// - `measurement`: the report of one row, with a loss of at most `e` between any two values.
/// - `size`: the number of rows, n, which the input domain states.
/// - `delta`: the delta of the guarantee, from 0 to 1.
///
/// # Privacy
///
/// For one row: `epsilon = ln(1 + (exp(e) - 1) / (exp(e) + 1) (8 sqrt(exp(e) ln(4 / delta) / n) + 8 exp(e) / n))`,
/// rounded up, with that delta, if `e <= ln(n / (16 ln(2 / delta)))` (Feldman, McMillan, Talwar 2021, Theorem 3.1). For
/// `d_in` rows: `d_in epsilon` with `delta d_in exp((d_in - 1) epsilon)` (group privacy). If `(d_in e, 0)` is smaller,
/// or the condition does not hold, the loss is `(d_in e, 0)`.
///
/// # Errors
///
/// Returns an error if the delta is not a probability, the size is 0, or the report is interactive. The map fails if
/// the report has a loss at distance 0.
///
/// ```
/// use indistinct::prelude::*;
/// let report = make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, 0.75)?;
/// let poll = make_shuffled_reports(report, 100_000, 1e-6)?;
/// let answers: Vec<bool> = poll.invoke(&[true; 100_000])?;
/// let (epsilon, delta) = poll.map(&1)?;
/// assert!(epsilon < 0.09 && delta == 1e-6);
/// # let _ = answers;
/// # Ok::<(), Error>(())
/// ```
#[constructor(children(measurement), exempt("it takes a measurement of one individual's value"))]
pub fn make_shuffled_reports<D: Domain, TO: 'static>(
    measurement: Measurement<D, TO, DiscreteDistance, MaxDivergence>,
    size: usize,
    delta: f64,
) -> Fallible<Measurement<VectorDomain<D>, Vec<TO>, ChangeOneDistance, Approximate<MaxDivergence>>> {
    require((0.0..=1.0).contains(&delta), "delta", "must be a probability")?;
    require(size >= 1, "size", "must be at least 1")?;
    require(!measurement.is_interactive(), "measurement", "must not be interactive")?;
    let rows = VectorDomain::new(measurement.input_domain().clone()).with_size(size);
    let (report, mapped) = (measurement.function().clone(), measurement.clone());
    let shuffled = Measurement::new(
        (rows, ChangeOneDistance),
        Approximate(MaxDivergence),
        RandomizedFunction::new(move |rows: &[Owned<D>], entropy| {
            // In this order, so that what fails, and when, says as little as the reports do.
            let rows = shuffle(rows.iter().collect(), entropy)?;
            rows.into_iter().map(|row| report.eval(row.borrow(), entropy)).collect()
        }),
        PrivacyMap::new(move |&d_in: &u32| {
            require(mapped.map(&0)? == 0.0, "measurement", "must cost nothing at distance 0")?;
            if d_in == 0 {
                return Ok((0.0, 0.0));
            }
            let local = mapped.map(&1)?;
            let alone = f64::from(d_in).inf_mul(local)?;
            let hidden = match amplify_by_shuffling(Epsilon(local), Delta(delta), f64::neg_inf_from(&size)?)? {
                Some(epsilon) => group(d_in, epsilon, delta)?,
                None => (alone, 0.0),
            };
            Ok(if hidden.0 < alone { hidden } else { (alone, 0.0) })
        }),
    )?;
    Ok(shuffled.with_trace(Trace::new(move |d_in: &u32| measurement.steps(&(*d_in).min(1)))))
}

/// Returns the items in a random order, with every order equally likely: from the last place down, each item is
/// exchanged with one that is not placed yet, or with itself.
fn shuffle<T>(mut items: Vec<T>, entropy: &mut dyn Entropy) -> Fallible<Vec<T>> {
    for place in (1..items.len()).rev() {
        let choice = uniform_below_u64(u64::exact_from(&place)? + 1, entropy)?;
        items.swap(place, usize::exact_from(&choice)?);
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        numeric::gmp::Rational,
        prelude::*,
        sampling::testing::enumerate,
        truth::{covers, real, sizes},
    };
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn each_step_is_rounded_up(rows in 1u32..40, epsilon in sizes(-20, 1), delta in sizes(-60, -20), prob in 0.5..1.0) {
            let (reported, failure) = group(rows, epsilon, delta).unwrap();
            prop_assert!(covers(reported, real(epsilon) * rows), "{reported:e}");
            prop_assert!(covers(failure, ((real(epsilon) * (rows - 1)).exp() * rows * delta).min(&real(1.0))), "{failure:e}");
            // Too few to hide among.
            let (alone, local) = (poll(prob, 3, 1e-6).unwrap(), poll(prob, 3, 0.0).unwrap().map(&1).unwrap().0);
            prop_assert!(covers(alone.map(&rows).unwrap().0, Rational::from_f64(local).unwrap() * rows));
        }
    }

    /// A size that no float is counts as the float below.
    #[test]
    fn sizes_are_rounded_down() {
        let size = 1usize << 54;
        for probability in 60u32..90 {
            let map = |size| poll(f64::from(probability) / 100.0, size, 1e-6).unwrap().map(&1);
            assert_eq!(map(size + 1), map(size));
        }
    }

    fn poll(
        prob: f64,
        size: usize,
        delta: f64,
    ) -> Fallible<Measurement<VectorDomain<AtomDomain<bool>>, Vec<bool>, ChangeOneDistance, Approximate<MaxDivergence>>>
    {
        make_shuffled_reports(make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, prob)?, size, delta)
    }

    #[test]
    fn every_order_is_as_likely() {
        for size in [0u32, 1, 2, 3, 4] {
            let items: Vec<u32> = (0..size).collect();
            let law = enumerate(24, |entropy| {
                shuffle(items.clone(), entropy).map_err(|_| indistinct_sampling::Error::Entropy)
            })
            .unwrap();
            let orders = f64::from((1..=size).product::<u32>());
            assert_eq!(f64::from(u32::try_from(law.mass.len()).unwrap()), orders);
            assert!(law.undecided < 0.01, "{}", law.undecided);
            assert!(
                law.mass.values().all(|mass| *mass <= 1.0 / orders + 1e-12 && *mass >= 1.0 / orders - law.undecided)
            );
        }
    }

    #[test]
    fn the_loss_is_never_above_that_of_the_reports_alone() {
        let local = 3f64.ln();
        let (few, many) = (poll(0.75, 10, 1e-6).unwrap(), poll(0.75, 1_000_000, 1e-6).unwrap());
        assert!(few.map(&1).unwrap().0 >= local && few.map(&1).unwrap().1 == 0.0, "too few to hide among");
        let (one, two) = (many.map(&1).unwrap(), many.map(&2).unwrap());
        assert!(
            one.0 < 0.05 && one.1 == 1e-6 && two.0 >= 2.0 * one.0 && (2e-6..3e-6).contains(&two.1),
            "{one:?} {two:?}"
        );
        assert_eq!(many.map(&0), Ok((0.0, 0.0)));
        assert_eq!(poll(1.0, 1000, 1e-6).unwrap().map(&1), Ok((f64::INFINITY, 0.0)), "reports without noise");
        assert!(poll(0.75, 1000, 0.0).unwrap().map(&1).unwrap().0 >= local);
        let far = many.map(&u32::MAX).unwrap();
        assert!(far.0 > 1e6 && far.1 <= 1.0);
    }

    /// Each report fails with its own error. The first error is that of a row drawn at random, not that of the first
    /// row.
    #[test]
    fn errors_are_shuffled_too() {
        let report = make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, 1.0).unwrap();
        let failing = Function::new_fallible(|bit: &bool| {
            let bounds = if *bit { (1.0, 0.0) } else { (0.0, f64::NAN) };
            AtomDomain::f64().with_bounds(bounds).map(|_| 0)
        });
        let poll = make_shuffled_reports((report >> failing).unwrap(), 64, 1e-6).unwrap().accept_infinite_loss();
        let rows: Vec<bool> = (0..64).map(|row| row == 0).collect();
        let text = |bit: bool| poll.invoke(&[bit; 64]).unwrap_err().to_string();
        let (first, others) = (text(true), text(false));
        assert_ne!(first, others);
        // In row order the first row would fail first in every run; here in one of 64, 40 times in a row with
        // probability 64^-40.
        assert!((0..40).any(|_| poll.invoke(&rows).unwrap_err().to_string() == others));
    }

    #[test]
    fn bad_parameters_are_named() {
        for delta in [-0.1, 1.5, f64::NAN] {
            assert_eq!(poll(0.75, 10, delta).unwrap_err().kind(), ErrorKind::Parameter("delta"));
        }
        assert_eq!(poll(0.75, 0, 0.1).unwrap_err().kind(), ErrorKind::Parameter("size"));
        assert_eq!(poll(0.75, 3, 0.1).unwrap().invoke(&[true; 2]).unwrap_err().kind(), ErrorKind::Domain);
        assert_eq!(poll(1.0, 3, 0.1).unwrap().accept_infinite_loss().invoke(&[true; 3]), Ok(vec![true; 3]));
    }
}
