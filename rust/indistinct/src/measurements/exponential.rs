//! `make_exponential`: the exponential mechanism.

use super::selection::{ScoreNumber, Scores, SelectionMeasure, select};
use crate::{
    core::{Fallible, Measurement, MetricSpace},
    metrics::LInfDistance,
};
use indistinct_derive::constructor;
use indistinct_sampling::SelectionNoise;

/// Selects the position i of a score with probability proportional to `exp(score_i / scale)`.
///
/// It selects the highest score after Gumbel noise, with exact comparisons, so the probabilities are exact. To select a
/// low score, negate the scores.
///
/// # Parameters
///
/// - `output_measure`: [`MaxDivergence`](crate::measures::MaxDivergence),
///   [`RangeDivergence`](crate::measures::RangeDivergence),
///   [`ZeroConcentratedDivergence`](crate::measures::ZeroConcentratedDivergence),
///   [`RenyiDivergence`](crate::measures::RenyiDivergence) or
///   [`PrivacyLossDivergence`](crate::measures::PrivacyLossDivergence). Under the first,
///   [`make_permute_and_flip`](super::make_permute_and_flip) is never worse.
/// - `scale`: the scale of the noise in the scores' own unit, finite and at least 0. At 0, the highest score is
///   selected, and the first of equal scores.
///
/// # Privacy
///
/// With `eta = 2 d_in / scale`, or half of that in the monotonic metric: range eta, epsilon eta, rho `eta^2 / 8`, or a
/// Renyi curve of that slope, rounded up (McSherry, Talwar 2007; Durfee, Rogers 2019; Cesar, Rogers 2021). Under
/// privacy loss distributions, the loss is the loss of the worst pairs with this range (Dong, Durfee, Rogers 2020).
///
/// # Errors
///
/// Returns an error if the scale is negative or not finite, or if the domain has no size or may hold NaN.
///
/// ```
/// use indistinct::prelude::*;
/// let scores = VectorDomain::new(AtomDomain::f64()).with_size(3);
/// let select = make_exponential(scores, LInfDistance::new(), ZeroConcentratedDivergence, 4.0)?;
/// let winner: usize = select.invoke(&[1.0, 50.0, 2.5])?;
/// assert!(winner < 3);
/// assert_eq!(select.map(&1.0)?, 0.03125);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_exponential<T: ScoreNumber, MO: SelectionMeasure>(
    input_domain: Scores<T>,
    input_metric: LInfDistance,
    output_measure: MO,
    scale: f64,
) -> Fallible<Measurement<Scores<T>, usize, LInfDistance, MO>>
where
    (Scores<T>, LInfDistance): MetricSpace,
{
    select((input_domain, input_metric), output_measure, scale, SelectionNoise::Gumbel)
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn maps_by_metric_and_measure() {
        let scores = || VectorDomain::new(AtomDomain::i64()).with_size(2);
        let plain = make_exponential(scores(), LInfDistance::new(), RangeDivergence, 3.0).unwrap();
        assert_eq!(plain.map(&1.0), Ok((2f64 / 3.0).next_up()));
        let monotonic = make_exponential(scores(), LInfDistance::monotonic(), MaxDivergence, 4.0).unwrap();
        assert_eq!((monotonic.map(&1.0), monotonic.map(&0.0)), (Ok(0.25), Ok(0.0)));
        let zcdp = make_exponential(scores(), LInfDistance::new(), ZeroConcentratedDivergence, 1.0).unwrap();
        assert_eq!((zcdp.map(&1.0), zcdp.map(&2.0)), (Ok(0.5), Ok(2.0)));
        let renyi = make_exponential(scores(), LInfDistance::new(), RenyiDivergence, 1.0).unwrap();
        assert_eq!(renyi.map(&1.0), Ok(RenyiCurve::concentrated(0.5).unwrap()));
        let losses = make_exponential(scores(), LInfDistance::new(), PrivacyLossDivergence, 4.0).unwrap();
        let range = PrivacyLossDistribution::bounded_range(0.5).unwrap();
        assert_eq!((losses.map(&1.0), losses.map(&0.0)), (Ok(range.clone()), Ok(PrivacyLossDistribution::none())));
        let two = make_noisy_top_k(scores(), LInfDistance::new(), PrivacyLossDivergence, 2, 4.0).unwrap();
        assert_eq!(two.map(&1.0), Ok(range.repeat(2).unwrap()));
        let exact = make_exponential(scores(), LInfDistance::new(), MaxDivergence, 0.0).unwrap().accept_infinite_loss();
        assert_eq!((exact.map(&0.0), exact.map(&5e-324)), (Ok(0.0), Ok(f64::INFINITY)));
        assert_eq!(exact.invoke(&[3, 3]), Ok(0));
        assert!(plain.map(&-1.0).is_err() && plain.map(&f64::NAN).is_err());
    }

    #[test]
    fn bad_parameters_are_named() {
        let kind = |domain, scale| {
            make_exponential(domain, LInfDistance::new(), MaxDivergence, scale)
                .map(|_| ())
                .map_err(|error| error.kind())
        };
        let sized = || VectorDomain::new(AtomDomain::f64()).with_size(2);
        for scale in [-1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(kind(sized(), scale), Err(ErrorKind::Parameter("scale")));
        }
        for domain in [
            VectorDomain::new(AtomDomain::f64()),
            VectorDomain::new(AtomDomain::f64()).with_size(0),
            VectorDomain::new(AtomDomain::f64().with_nan()).with_size(2),
        ] {
            assert_eq!(kind(domain, 1.0), Err(ErrorKind::Parameter("input_domain")));
        }
        let select = make_exponential(sized(), LInfDistance::new(), MaxDivergence, 1.0).unwrap();
        assert!(select.invoke(&[1.0]).is_err() && select.invoke(&[1.0, f64::NAN]).is_err());
        assert!(select.invoke(&[f64::INFINITY, f64::NEG_INFINITY]).is_ok());
    }
}
