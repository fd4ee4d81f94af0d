//! The budget of a query.

use crate::{
    combinators::split,
    core::{Distance, Error, ErrorKind, Fallible, Parameter, ToParameter, require},
    measures::{Approximate, MaxDivergence, PrivacyProfile, ZeroConcentratedDivergence},
    plans::{Call, FrameMeasurement},
    search::largest,
};
use indistinct_numeric::{RoundedArithmetic, RoundedFrom, RoundedMath};
use std::fmt;

/// The privacy loss of a query for a whole [group](super::Query::group_size), by default one individual or one row. It
/// also determines the type of noise.
///
/// A number means the shortest decimal of its float: `Epsilon(0.1)` is one tenth. The float 0.1 is slightly larger, so
/// the loss of the query is at most the largest float that is not above one tenth.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Budget {
    /// An epsilon, with Laplace noise.
    Epsilon(f64),
    /// A rho of zero-concentrated differential privacy, with Gaussian noise.
    Rho(f64),
    /// An epsilon and a delta, with Gaussian noise.
    EpsilonDelta(f64, f64),
}

/// The distribution of the noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noise {
    Laplace,
    Gaussian,
}

impl Noise {
    /// Returns a width that the weighted sum of independent noise on integers, each with this scale, exceeds with
    /// probability at most `alpha`. `weights` are weights with the number of times each occurs.
    ///
    /// This is Chernoff's bound. The moment generating function of discrete Gaussian noise is at most that of
    /// continuous noise, `exp((scale t)^2 / 2)` (Canonne, Kamath, Steinke 2020, Corollary 17). That of discrete Laplace
    /// noise is at most that of continuous noise too, `1 / (1 - (scale t)^2)`: it is `1 / (1 - r^2)` with `r = sinh(t /
    /// 2) / sinh(1 / (2 scale))`, which is at most `scale t` because sinh is convex.
    pub(super) fn tail_of_sum(self, scale: f64, weights: [(f64, usize); 2], alpha: f64) -> Fallible<f64> {
        let bits = -alpha.neg_inf_ln()?;
        let squares = weights.iter().try_fold(0.0, |sum: f64, (weight, number)| {
            sum.inf_add(weight.inf_mul(*weight)?.inf_mul(f64::inf_from(number)?)?)
        })?;
        if self == Noise::Gaussian {
            let square = bits.inf_mul(2.0)?.inf_mul(squares)?;
            return Ok(scale.inf_mul(square.sqrt().next_up())?);
        }
        // Any t in range gives a bound: a share of the greatest, up to the one that is best for few weights.
        let greatest = weights.iter().filter(|(_, number)| *number > 0).map(|(weight, _)| *weight).fold(0.0, f64::max);
        if greatest == 0.0 {
            return Ok(0.0);
        }
        let mut best = f64::INFINITY;
        for step in 1..32u32 {
            let share = f64::from(step) / 32.0;
            let mut exponent = bits;
            for (weight, number) in weights {
                // scale t times the weight.
                let ratio = (weight / greatest * share).next_up();
                let log = -(1f64.neg_inf_sub(ratio.inf_mul(ratio)?)?).neg_inf_ln()?;
                exponent = exponent.inf_add(log.inf_mul(f64::inf_from(&number)?)?)?;
            }
            best = best.min(exponent.inf_mul(scale)?.inf_mul(greatest)?.inf_div(share)?);
        }
        Ok(best)
    }

    /// Returns the metric between vectors in which the loss of this noise is known.
    pub(super) fn metric(self) -> &'static str {
        match self {
            Noise::Laplace => "L1Distance",
            Noise::Gaussian => "L2Distance",
        }
    }

    /// Returns the step that adds this noise.
    pub(super) fn step(self, scale: f64) -> Call {
        let scale = ("scale".to_owned(), scale.to_parameter());
        match self {
            Noise::Laplace => Call::new("laplace", [scale]),
            Noise::Gaussian => {
                let measure = Parameter::Text(format!("{ZeroConcentratedDivergence:?}"));
                Call::new("gaussian", [("output_measure".to_owned(), measure), scale])
            }
        }
    }

    /// Returns the loss of a measurement with this noise, at a distance of this many units.
    pub(super) fn loss(self, measurement: &FrameMeasurement, units: u32) -> Fallible<f64> {
        match self {
            Noise::Laplace => measurement.under::<MaxDivergence>()?.map(&units),
            Noise::Gaussian => measurement.under::<ZeroConcentratedDivergence>()?.map(&units),
        }
    }

    /// Returns the approximate factor by which a scale must grow for the loss to become a share.
    pub(super) fn scale(self, loss: f64, share: f64) -> Fallible<f64> {
        let ratio = loss.inf_div(share)?;
        Ok(match self {
            Noise::Laplace => ratio,
            Noise::Gaussian => ratio.sqrt(),
        })
    }
}

impl Budget {
    pub(super) fn noise(&self) -> Noise {
        match self {
            Budget::Epsilon(_) => Noise::Laplace,
            Budget::Rho(_) | Budget::EpsilonDelta(..) => Noise::Gaussian,
        }
    }

    /// Returns the shares of the budget by weight, in the measure in which releases are composed; empty if there are no
    /// weights.
    pub(super) fn shares(&self, weights: &[f64]) -> Fallible<Vec<f64>> {
        self.check()?;
        if weights.is_empty() {
            return Ok(Vec::new());
        }
        let total = match *self {
            Budget::Epsilon(epsilon) => epsilon,
            Budget::Rho(rho) => rho,
            Budget::EpsilonDelta(epsilon, delta) => greatest_rho(epsilon, delta)?,
        };
        split(total, weights)
    }

    /// Returns the conversion that must follow the composition.
    pub(super) fn conversion(&self) -> Vec<Call> {
        match self {
            Budget::Epsilon(_) | Budget::Rho(_) => Vec::new(),
            Budget::EpsilonDelta(_, delta) => {
                let delta = ("delta".to_owned(), delta.to_parameter());
                vec![Call::new("zCDP_to_approxDP", []), Call::new("fix_delta", [delta])]
            }
        }
    }

    /// Returns true if a measurement's loss is within the budget at `d_in`.
    pub(super) fn allows(&self, measurement: &FrameMeasurement, d_in: u32) -> Fallible<bool> {
        match self {
            Budget::Epsilon(epsilon) => measurement.under::<MaxDivergence>()?.check(&d_in, epsilon),
            Budget::Rho(rho) => measurement.under::<ZeroConcentratedDivergence>()?.check(&d_in, rho),
            Budget::EpsilonDelta(epsilon, delta) => {
                measurement.under::<Approximate<MaxDivergence>>()?.check(&d_in, &(*epsilon, *delta))
            }
        }
    }

    /// Returns the largest floats that are not above the requested decimals.
    pub(super) fn in_floats(self) -> Self {
        match self {
            Budget::Epsilon(epsilon) => Budget::Epsilon(of_decimal(epsilon)),
            Budget::Rho(rho) => Budget::Rho(of_decimal(rho)),
            Budget::EpsilonDelta(epsilon, delta) => Budget::EpsilonDelta(of_decimal(epsilon), of_decimal(delta)),
        }
    }

    fn check(&self) -> Fallible<()> {
        let (Budget::Epsilon(number) | Budget::Rho(number) | Budget::EpsilonDelta(number, _)) = self;
        require(number.is_finite() && *number > 0.0, "budget", "must be positive and finite")?;
        match self {
            Budget::EpsilonDelta(_, delta) => {
                require(*delta > 0.0 && *delta < 1.0, "budget", "its delta must be above 0 and below 1")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Epsilon(epsilon) => write!(f, "epsilon {epsilon}"),
            Budget::Rho(rho) => write!(f, "rho {rho}"),
            Budget::EpsilonDelta(epsilon, delta) => write!(f, "epsilon {epsilon}, delta {delta}"),
        }
    }
}

/// Returns the largest float that is not above the shortest decimal of `number`: `number` itself or the float below
/// it.
pub(super) fn of_decimal(number: f64) -> f64 {
    // An exponent, and digits without zeros at the end: fractions compare as their digits do.
    let parts = |text: String| {
        let (digits, exponent) = text.split_once('e')?;
        let digits = digits.replace('.', "").trim_end_matches('0').to_owned();
        Some((exponent.parse::<i32>().ok()?, digits))
    };
    // No float has more than 767 digits.
    match (parts(format!("{number:e}")), parts(format!("{number:.800e}"))) {
        (Some(written), Some(exact)) if number > 0.0 && written < exact => number.next_down(),
        _ => number,
    }
}

/// Returns the largest rho that costs at most this epsilon at this delta.
fn greatest_rho(epsilon: f64, delta: f64) -> Fallible<f64> {
    // More than a delta below 1 allows.
    let holds = |rho: f64| Ok(PrivacyProfile::concentrated(rho)?.epsilon(delta)?.is_within(&epsilon));
    let rho = largest((0.0, epsilon.max(1.0) * 1000.0), holds)?;
    if rho > 0.0 { Ok(rho) } else { Err(Error::new(ErrorKind::Search, "no amount of noise satisfies this budget")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rug::{Integer, Rational, ops::Pow};

    /// The decimal that a text writes, as a fraction.
    fn written(number: f64) -> Rational {
        let text = format!("{number:e}");
        let (digits, exponent) = text.split_once('e').unwrap();
        let places = digits.split_once('.').map_or(0, |(_, fraction)| i32::try_from(fraction.len()).unwrap());
        let digits: Integer = digits.replace('.', "").parse().unwrap();
        Rational::from(digits) * Rational::from(10).pow(exponent.parse::<i32>().unwrap() - places)
    }

    fn exact(number: f64) -> Rational {
        Rational::from_f64(number).unwrap()
    }

    proptest! {
        #[test]
        fn a_budget_in_floats_is_not_above_its_decimal(number in prop_oneof![
            any::<f64>().prop_map(f64::abs).prop_filter("finite", |number| number.is_finite()),
            (1..2000u32).prop_map(|number| f64::from(number) / 1000.0),
            (1..60i32).prop_map(|power| 10f64.powi(-power)),
        ]) {
            let float = of_decimal(number);
            prop_assert!(exact(float) <= written(number));
            prop_assert!(float == f64::MAX || exact(float.next_up()) > written(number));
        }
    }

    /// With the nearest floats, which are the negative control, the loss of a query may be above its budget.
    #[test]
    fn the_nearest_float_may_be_above_the_decimal() {
        for (number, is_above) in [(0.1, true), (0.2, true), (0.3, false), (0.5, false), (1e23, false), (1e-6, false)] {
            assert_eq!(exact(number) > written(number), is_above, "{number}");
            assert_eq!(of_decimal(number) < number, is_above, "{number}");
        }
        assert!(of_decimal(f64::NAN).is_nan() && of_decimal(f64::INFINITY).is_infinite());
        assert_eq!((of_decimal(-0.1), of_decimal(0.0)), (-0.1, 0.0));
    }
}
