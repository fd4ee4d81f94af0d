//! `make_private_quantile`: one of several candidates that is close to a quantile.

use super::selection::{SelectionMeasure, deviation, range, winner};
use crate::{
    core::{Fallible, Measurement, PrivacyMap, RandomizedFunction, ToParameter, require},
    domains::{AtomDomain, Number, VectorDomain},
    metrics::{LInfDistance, RowMetric},
    transformations::QuantileScores,
};
use indistinct_derive::constructor;

/// Selects the candidate that is closest in rank to a quantile of the rows.
///
/// The score of a candidate is minus the excess number of rows below or above it
/// ([`make_quantile_scores`](crate::transformations::make_quantile_scores)). So if many rows have the same value, this
/// value is the quantile of every level that falls on these rows. The candidate is selected as in
/// [`make_noisy_max`](super::make_noisy_max).
///
/// # Parameters
///
/// - `output_measure`: a measure that [`make_noisy_max`](super::make_noisy_max) supports.
/// - `candidates`: the possible releases, in ascending order. State them in advance; do not take them from the rows.
/// - `alpha`: the level of the quantile, from 0 to 1; 1/2 for the median. It is rounded to a multiple of 2^-16.
/// - `scale`: the scale of the noise, in rows.
///
/// # Privacy
///
/// Adding or removing a row changes a score by at most `max(alpha, 1 - alpha)`, and replacing a row by at most 1. If
/// the number of rows is known, at most half of `d_in` rows are replaced. With `move` the change for one row and `eta =
/// 2 d_in move / scale`: epsilon eta, range eta, rho `eta^2 / 8`, rounded up (Smith 2011; McSherry, Talwar 2007).
///
/// # Errors
///
/// Returns an error if there are no candidates or they are not ascending, if the level is outside 0 to 1, if the scale
/// is negative or not finite, or if rows may be NaN.
///
/// ```
/// use indistinct::prelude::*;
/// let ages = VectorDomain::new(AtomDomain::i32());
/// let median =
///     make_private_quantile(ages, SymmetricDistance, MaxDivergence, (0..=100).collect(), 0.5, 2.0)?;
/// let release: i32 = median.invoke(&[23, 45, 37, 61, 52])?;
/// assert!((0..=100).contains(&release));
/// assert_eq!(median.map(&1)?, 0.5);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_private_quantile<T: Number + ToParameter, M: RowMetric, MO: SelectionMeasure>(
    input_domain: VectorDomain<AtomDomain<T>>,
    input_metric: M,
    output_measure: MO,
    candidates: Vec<T>,
    alpha: f64,
    scale: f64,
) -> Fallible<Measurement<VectorDomain<AtomDomain<T>>, T, M, MO>> {
    let scores = QuantileScores::new(&input_domain, candidates, alpha)?;
    require(scale.is_finite() && scale >= 0.0, "scale", "must be finite and not negative")?;
    let (unit, moves) = (input_metric.unit(), scores.moves);
    let deviation = deviation(MO::NOISE, scores.candidates.len(), 1, scale)?;
    // In units of 2^-16 rows, exactly: powers of two and small integers.
    // Beyond the greatest float, less noise: for the function and for the map.
    let scale = (scale * 65_536.0).min(f64::MAX);
    let measurement = Measurement::new(
        (input_domain, input_metric),
        output_measure,
        RandomizedFunction::new(move |rows: &[T], entropy| {
            let winner = winner(&scores.of(rows), scale, MO::NOISE, entropy)?;
            scores.candidates.get(winner).cloned().ok_or_else(unreachable_candidate)
        }),
        PrivacyMap::new(move |d_in: &u32| {
            let eta = range(&LInfDistance::new(), &moves.distance(unit, *d_in)?, scale)?;
            MO::of_peeling(&eta, 1)
        }),
    )?;
    Ok(measurement.with_deviation(deviation))
}

fn unreachable_candidate() -> crate::core::Error {
    crate::core::Error::new(crate::core::ErrorKind::Domain, "there must be one candidate for each score")
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn without_noise_it_is_the_quantile() {
        let rows = VectorDomain::new(AtomDomain::f64());
        let candidates: Vec<f64> = (0..=100).map(f64::from).collect();
        let quantile = |alpha| {
            make_private_quantile(rows.clone(), SymmetricDistance, RangeDivergence, candidates.clone(), alpha, 0.0)
                .unwrap()
                .accept_infinite_loss()
        };
        let data: Vec<f64> = (0..=100).map(f64::from).collect();
        assert_eq!(quantile(0.5).invoke(&data), Ok(50.0));
        assert_eq!(quantile(0.25).invoke(&data), Ok(25.0));
        assert_eq!((quantile(0.0).invoke(&data), quantile(1.0).invoke(&data)), (Ok(0.0), Ok(100.0)));
        assert_eq!(quantile(0.5).invoke(&[f64::INFINITY, 3.0, f64::NEG_INFINITY]), Ok(3.0));
        assert!(quantile(0.5).invoke(&[]).is_ok());
    }

    #[test]
    fn maps_and_bad_parameters() {
        let make = |candidates: Vec<f64>, alpha, scale| {
            let rows = VectorDomain::new(AtomDomain::f64());
            make_private_quantile(rows, SymmetricDistance, MaxDivergence, candidates, alpha, scale)
        };
        assert_eq!(make(vec![1.0], 0.25, 1.0).unwrap().map(&1), Ok(1.5));
        assert_eq!(make(vec![1.0], 0.25, 0.0).unwrap().map(&1), Ok(f64::INFINITY));
        assert_eq!(make(vec![1.0], 0.25, 0.0).unwrap().map(&0), Ok(0.0));
        let replaced = make_private_quantile(
            VectorDomain::new(AtomDomain::f64()),
            ChangeOneDistance,
            ZeroConcentratedDivergence,
            vec![1.0],
            0.5,
            1.0,
        );
        assert_eq!(replaced.unwrap().map(&2), Ok(2.0));
        // A range is its own measure, and pure loss is at most as much.
        let under_range = make_private_quantile(
            VectorDomain::new(AtomDomain::f64()),
            SymmetricDistance,
            RangeDivergence,
            vec![1.0],
            0.25,
            1.0,
        );
        assert_eq!(under_range.unwrap().map(&2), Ok(3.0));
        let kind = |made: Fallible<_>| made.map(|_: Measurement<_, f64, _, _>| ()).unwrap_err().kind();
        for candidates in [vec![], vec![1.0, 1.0], vec![2.0, 1.0], vec![f64::NAN], vec![1.0, f64::NAN]] {
            assert_eq!(kind(make(candidates, 0.5, 1.0)), ErrorKind::Parameter("candidates"));
        }
        for alpha in [-0.1, 1.1, f64::NAN] {
            assert_eq!(kind(make(vec![1.0], alpha, 1.0)), ErrorKind::Parameter("alpha"));
        }
        for scale in [-0.1, f64::INFINITY, f64::NAN] {
            assert_eq!(kind(make(vec![1.0], 0.5, scale)), ErrorKind::Parameter("scale"));
        }
    }
}
