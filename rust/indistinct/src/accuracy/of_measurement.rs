//! The accuracy of a measurement's release, computed from its noise.

use super::{
    check_alpha, discrete_gaussian_accuracy, discrete_laplace_accuracy, gaussian_accuracy, laplace_accuracy,
    scales::{check, greatest_scale},
    share_of_alpha,
};
use crate::{
    core::{Deviation, Domain, Error, ErrorKind, Fallible, Measure, Measurement, Metric, Width, require},
    measurements::Scale,
};
use indistinct_numeric::{RoundedArithmetic, RoundedMath};
use std::fmt;

/// A bound on the distance between a release and the value without noise. Each number of the release exceeds it with
/// probability at most alpha.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Accuracy {
    /// Each number of the release, whether alone, in a list or with a key, is within this distance of the value without
    /// noise, before it is rounded to a float. This rounding changes an f32 by up to half a unit in its last place: at
    /// ten million, as much as noise of scale 1. It matters for an f64 only at 2^20 scales or more.
    Number(f64),
    /// A key named in advance is released with a number that is further off than this distance with probability at most
    /// alpha. Among the released keys, a larger share is further off, because a threshold selects numbers with large
    /// noise.
    Kept(f64),
    /// The score of the selected candidate is at most this far below the best score. If k candidates are selected, the
    /// score of each is at most this far below the k-th best. The score of a quantile is a number of rows.
    Score(f64),
    /// The accuracy of each part of a composition, in order.
    Parts(Vec<Accuracy>),
    /// Nothing is known before the release, because it answers queries, or because it is a function of the noisy
    /// numbers.
    Unknown,
}

impl Accuracy {
    /// Returns the half-width of the interval, if it is one for numbers.
    pub fn number(&self) -> Option<f64> {
        if let Accuracy::Number(half_width) = self { Some(*half_width) } else { None }
    }

    /// Returns the same accuracy, but `Unknown` where a threshold selects.
    fn of_all(self) -> Self {
        match self {
            Accuracy::Kept(_) => Accuracy::Unknown,
            Accuracy::Parts(parts) => Accuracy::Parts(parts.into_iter().map(Accuracy::of_all).collect()),
            other => other,
        }
    }

    /// Returns the largest of all numbers and scores; `None` if a part is unknown.
    pub fn greatest(&self) -> Option<f64> {
        match self {
            Accuracy::Number(width) | Accuracy::Kept(width) | Accuracy::Score(width) => Some(*width),
            Accuracy::Parts(parts) => {
                parts.iter().map(Accuracy::greatest).try_fold(0.0, |widest: f64, part| Some(widest.max(part?)))
            }
            Accuracy::Unknown => None,
        }
    }

    /// Returns the accuracy of the part at this position in a composition, if there is one.
    pub fn part(&self, position: usize) -> Option<&Accuracy> {
        if let Accuracy::Parts(parts) = self { parts.get(position) } else { None }
    }
}

impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Accuracy::Number(half_width) => write!(f, "each number within {half_width}"),
            Accuracy::Kept(half_width) => write!(f, "the number of a key named in advance within {half_width}"),
            Accuracy::Score(below) => write!(f, "a score at most {below} below the best"),
            Accuracy::Parts(parts) => {
                let parts = parts.iter().enumerate().map(|(position, part)| match part {
                    Accuracy::Parts(_) => format!("part {position}: ({part})"),
                    _ => format!("part {position}: {part}"),
                });
                f.write_str(&parts.collect::<Vec<_>>().join("; "))
            }
            Accuracy::Unknown => f.write_str("unknown before the release"),
        }
    }
}

impl<DI: Domain, TO: 'static, MI: Metric, MO: Measure> Measurement<DI, TO, MI, MO> {
    /// Returns a distance between the release and the value without noise that each number exceeds with probability at
    /// most `alpha`. It needs no data and spends nothing.
    ///
    /// The distance is known for additive noise (except snapped and canonical noise), for noise with a threshold, for
    /// selections and quantiles, and for compositions and conversions of these. It does not include errors made before
    /// the noise: by clamping, by bounded contributions, by sampling.
    ///
    /// # Errors
    ///
    /// Returns an error if `alpha` is outside (0, 1).
    ///
    /// ```
    /// use indistinct::{accuracy::Accuracy, prelude::*};
    /// let rows = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    /// let count = (rows.clone() >> then_count() >> then_laplace(10.0))?;
    /// assert_eq!(count.accuracy(0.05)?, Accuracy::Number(30.0));
    /// let sum = (rows >> then_clamp((0.0, 5.0)) >> then_sum() >> then_laplace(50.0))?;
    /// let both = make_composition((count, sum))?.accuracy(0.05)?;
    /// assert_eq!(both.part(0), Some(&Accuracy::Number(30.0)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn accuracy(&self, alpha: f64) -> Fallible<Accuracy> {
        check_alpha(alpha)?;
        of(self.deviation(), alpha)
    }

    /// Like `accuracy`, for all `numbers` of the release together: the probability that any of them is further off is
    /// at most `alpha`. For a table of groups, `numbers` is their number.
    ///
    /// Each number gets an equal share of `alpha`, so the bound holds however the numbers depend on each other. It is
    /// unknown for noise with a threshold, because the number of keys for which noise was drawn is private.
    ///
    /// # Errors
    ///
    /// Returns an error if `alpha` is outside (0, 1), if there are no numbers, or so many that a share of alpha is 0.
    ///
    /// ```
    /// use indistinct::prelude::*;
    /// let rows = (VectorDomain::new(AtomDomain::u32()), SymmetricDistance);
    /// let groups = rows >> then_count_by_categories((0..10).collect(), UnknownCategories::Drop, L1Distance::new());
    /// let counts = (groups >> then_laplace(2.0))?;
    /// assert_eq!(counts.accuracy(0.05)?.number(), Some(6.0));
    /// assert_eq!(counts.simultaneous_accuracy(0.05, 10)?.number(), Some(11.0));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn simultaneous_accuracy(&self, alpha: f64, numbers: u32) -> Fallible<Accuracy> {
        require(numbers >= 1, "numbers", "must be at least 1")?;
        Ok(self.accuracy(share_of_alpha(alpha, numbers.into())?)?.of_all())
    }
}

/// Returns the largest scale for a given accuracy: each number of the release is further than `accuracy` from the value
/// without noise with probability at most `alpha`. This noise has the smallest loss. `make` builds the measurement from
/// the scale. The result is 0 if no scale satisfies this, such as for an accuracy below half a step of a grid.
///
/// The measurement's map then gives the loss.
///
/// # Errors
///
/// Returns an error if `alpha` is outside (0, 1), if the accuracy is negative or not finite, and the error of `make` at
/// scale 1. Returns [`ErrorKind::Search`](crate::core::ErrorKind::Search) if the accuracy of its release is unknown.
///
/// ```
/// use indistinct::{accuracy::scale_within, prelude::*};
/// let rows = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let count = |scale: f64| rows.clone() >> then_count() >> then_laplace(scale);
/// let scale = scale_within(count, 10.0, 0.05)?;
/// assert_eq!(count(scale)?.accuracy(0.05)?.number(), Some(10.0));
/// assert!((0.28..0.29).contains(&count(scale)?.map(&1)?)); // epsilon
/// # Ok::<(), Error>(())
/// ```
pub fn scale_within<DI: Domain, TO: 'static, MI: Metric, MO: Measure>(
    make: impl Fn(f64) -> Fallible<Measurement<DI, TO, MI, MO>>,
    accuracy: f64,
    alpha: f64,
) -> Fallible<f64> {
    check(accuracy, alpha)?;
    let unknown =
        || Error::new(ErrorKind::Search, "the accuracy of this measurement cannot be known before the release");
    let greatest = |scale: f64| make(scale)?.accuracy(alpha)?.greatest().ok_or_else(unknown);
    greatest(1.0)?;
    greatest_scale(accuracy, greatest)
}

fn of(deviation: &Deviation, alpha: f64) -> Fallible<Accuracy> {
    Ok(match deviation {
        Deviation::Unknown => Accuracy::Unknown,
        Deviation::Laplace(Width { scale, grid: None }) => Accuracy::Number(discrete_laplace_accuracy(*scale, alpha)?),
        Deviation::Laplace(Width { scale, grid: Some(grid) }) => {
            Accuracy::Number(laplace_accuracy(Scale::new(*scale).on_grid(*grid), alpha)?)
        }
        Deviation::Gaussian(Width { scale, grid: None }) => {
            Accuracy::Number(discrete_gaussian_accuracy(*scale, alpha)?)
        }
        Deviation::Gaussian(Width { scale, grid: Some(grid) }) => {
            Accuracy::Number(gaussian_accuracy(Scale::new(*scale).on_grid(*grid), alpha)?)
        }
        Deviation::Additive(half_width) => Accuracy::Number(half_width.at(alpha)?),
        Deviation::Kept(number) => match of(number, alpha)? {
            Accuracy::Number(half_width) => Accuracy::Kept(half_width),
            other => other,
        },
        Deviation::Selection { scale, weight } => Accuracy::Score(below_the_best(*scale, *weight, alpha)?),
        Deviation::Parts(parts) => Accuracy::Parts(parts.iter().map(|part| of(part, alpha)).collect::<Fallible<_>>()?),
    })
}

/// Returns the smallest t with `weight exp(-t / scale) <= alpha`, rounded up.
fn below_the_best(scale: f64, weight: f64, alpha: f64) -> Fallible<f64> {
    if weight <= alpha || scale == 0.0 {
        return Ok(0.0);
    }
    let scales = weight.inf_ln()?.inf_sub(alpha.neg_inf_ln()?)?;
    Ok(scale.inf_mul(scales)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        prelude::*,
        sampling::testing::SeededEntropy,
        truth::{covers, real, sizes},
    };
    use indistinct_numeric::RoundedFrom;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn scores_are_rounded_up(scale in sizes(-3, 6), weight in 1u32..1000, alpha in sizes(-60, -1)) {
            let below = below_the_best(scale, weight.into(), alpha).unwrap();
            prop_assert!(covers(below, (real(f64::from(weight)) / alpha).ln() * scale), "{below:e}");
        }
    }

    fn number<T>(measurement: Fallible<T>, accuracy: impl Fn(&T) -> Fallible<Accuracy>) -> f64 {
        accuracy(&measurement.unwrap()).unwrap().number().unwrap()
    }

    #[test]
    fn it_is_that_of_the_noise_wherever_the_chain_goes_on() {
        let rows = || (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
        let sum = || rows() >> then_clamp((0.0, 5.0)) >> then_sum();
        let of_sum = number(sum() >> then_laplace(50.0), |sum| sum.accuracy(0.05));
        assert_eq!(of_sum, laplace_accuracy(50.0, 0.05).unwrap());
        let gaussian = (sum() >> then_gaussian(ZeroConcentratedDivergence, 50.0)).unwrap();
        assert_eq!(gaussian.accuracy(0.1).unwrap().number(), Some(gaussian_accuracy(50.0, 0.1).unwrap()));
        let converted = make_fix_delta(make_zCDP_to_approxDP(gaussian.clone()).unwrap(), 1e-6).unwrap();
        assert_eq!(converted.accuracy(0.1), gaussian.accuracy(0.1));
        let coarse = number(sum() >> then_laplace(Scale::new(50.0).on_grid(6)), |sum| sum.accuracy(0.05));
        assert!((coarse - of_sum - 32.0).abs() < 1e-6, "half a step of the grid: {coarse}");
        let geometric = make_geometric(AtomDomain::i64(), AbsoluteDistance::new(), 3.0, Some((0, 9))).unwrap();
        assert_eq!(geometric.accuracy(0.05).unwrap().number(), Some(discrete_laplace_accuracy(3.0, 0.05).unwrap()));
        let texts = (VectorDomain::new(AtomDomain::string()), SymmetricDistance);
        let kept = (texts.clone() >> then_count_by(L01InfDistance) >> then_laplace_threshold(2.0, 40)).unwrap();
        assert_eq!(kept.accuracy(0.05), Ok(Accuracy::Kept(discrete_laplace_accuracy(2.0, 0.05).unwrap())));
        assert_eq!(kept.simultaneous_accuracy(0.05, 3), Ok(Accuracy::Unknown));
        let kept = (texts >> then_count_by(L02InfDistance) >> then_gaussian_threshold(2.0, 40)).unwrap();
        assert_eq!(kept.accuracy(0.05), Ok(Accuracy::Kept(discrete_gaussian_accuracy(2.0, 0.05).unwrap())));
    }

    #[test]
    fn a_function_of_the_release_ends_it() {
        let count = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 2.0).unwrap();
        let tens = (count.clone() >> Function::new(|count: &i64| count / 10)).unwrap();
        assert_eq!(tens.accuracy(0.05), Ok(Accuracy::Unknown));
        let odometer = make_fully_adaptive_composition(AtomDomain::i64(), AbsoluteDistance::new(), MaxDivergence);
        assert_eq!(odometer.unwrap().accuracy(0.05), Ok(Accuracy::Unknown));
        let nested = make_composition((make_composition(vec![count.clone(), count]).unwrap(), tens)).unwrap();
        let accuracy = nested.accuracy(0.05).unwrap();
        assert_eq!(accuracy.part(0).and_then(|part| part.part(1)), Some(&Accuracy::Number(6.0)));
        let words =
            "part 0: (part 0: each number within 6; part 1: each number within 6); part 1: unknown before the release";
        assert_eq!((accuracy.to_string().as_str(), accuracy.part(2), accuracy.number()), (words, None, None));
    }

    #[test]
    fn the_scale_for_an_accuracy_is_the_greatest() {
        let rows = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
        let both = |scale: f64| {
            let count = (rows.clone() >> then_count() >> then_laplace(scale))?;
            make_composition((
                count,
                (rows.clone() >> then_clamp((0.0, 5.0)) >> then_sum() >> then_laplace(scale * 5.0))?,
            ))
        };
        let scale = scale_within(both, 100.0, 0.05).unwrap();
        let widest = |scale: f64| both(scale).unwrap().accuracy(0.05).unwrap().greatest().unwrap();
        assert!(widest(scale) <= 100.0 && widest(scale * (1.0 + 1e-9)) > 100.0, "{scale}");
        let tens =
            |scale: f64| (rows.clone() >> then_count() >> then_laplace(scale))? >> Function::new(|x: &i64| x / 10);
        assert_eq!(scale_within(tens, 10.0, 0.05).unwrap_err().kind(), ErrorKind::Search);
        assert_eq!(scale_within(both, -1.0, 0.05).unwrap_err().kind(), ErrorKind::Parameter("accuracy"));
        let count = |scale: f64| rows.clone() >> then_count() >> then_laplace(-scale);
        assert_eq!(scale_within(count, 1.0, 0.05).unwrap_err().kind(), ErrorKind::Parameter("scale"));
    }

    #[test]
    fn bad_parameters_are_named() {
        let count = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 2.0).unwrap();
        for alpha in [0.0, 1.0, -0.1, f64::NAN] {
            assert_eq!(count.accuracy(alpha).unwrap_err().kind(), ErrorKind::Parameter("alpha"));
            assert_eq!(count.simultaneous_accuracy(alpha, 3).unwrap_err().kind(), ErrorKind::Parameter("alpha"));
        }
        assert_eq!(count.simultaneous_accuracy(0.5, 0).unwrap_err().kind(), ErrorKind::Parameter("numbers"));
        assert!(count.simultaneous_accuracy(5e-324, 2).is_err());
    }

    /// 40,000 draws each: a share of alpha = 0.05 is exceeded by 0.0044 with probability below 1e-4; the seed is fixed.
    #[test]
    fn draws_are_within_it_as_often_as_it_says() {
        const DRAWS: u32 = 40_000;
        let mut entropy = SeededEntropy::new(7);
        let mut share = |off: &mut dyn FnMut(&mut SeededEntropy) -> bool| {
            f64::from((0..DRAWS).map(|_| u32::from(off(&mut entropy))).sum::<u32>()) / f64::from(DRAWS)
        };
        let laplace = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 3.0).unwrap();
        let half_width = laplace.accuracy(0.05).unwrap().number().unwrap();
        let beyond = share(&mut |entropy| (laplace.invoke_with(&1.0, entropy).unwrap() - 1.0).abs() > half_width);
        assert!((0.045..=0.0544).contains(&beyond), "{beyond}");
        let scores = || VectorDomain::new(AtomDomain::i64()).with_size(4);
        // The worst case of the bound is three candidates that are just as far below the best.
        for (weight, measurement) in [
            (3.0, make_exponential(scores(), LInfDistance::new(), MaxDivergence, 2.0).unwrap()),
            (1.5, make_noisy_max(scores(), LInfDistance::new(), MaxDivergence, 2.0).unwrap()),
        ] {
            let Ok(Accuracy::Score(below)) = measurement.accuracy(0.05) else { panic!("a selection has a score") };
            assert!((below - 2.0 * f64::ln(weight / 0.05)).abs() < 1e-9, "{below}");
            let best = below.ceil();
            let scores: Vec<i64> = [best, 0.0, 0.0, 0.0].map(|score| i64::nearest_from(&score).unwrap()).to_vec();
            let beyond = share(&mut |entropy| measurement.invoke_with(&scores, entropy).unwrap() != 0);
            assert!(beyond > 0.01 && beyond <= 0.0544, "{beyond}");
        }
    }
}
