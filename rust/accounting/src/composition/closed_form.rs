//! Compositions whose delta is a closed form or a binomial sum: Gaussian mechanisms, and pairs of epsilon and delta.
use crate::{
    composition::optimal::{Part, check, optimal_delta_bounds, optimal_epsilon_bounds},
    error::{Fallible, non_negative},
    gaussian::{gaussian_delta_bounds, gaussian_epsilon},
    search::outwards,
    units::{Delta, Mu},
};
use indistinct_numeric::enclosure::Bounds;

/// Such a composition, with checked parameters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ClosedForm {
    /// A mu not above, and one not below.
    Gaussian(f64, f64),
    /// Mechanisms with one guarantee.
    Pairs(Part),
}

impl ClosedForm {
    /// Gaussian noise of which a mu not above the true one is known, and one not below.
    pub(crate) fn gaussian_between(lower: f64, upper: f64) -> Fallible<Self> {
        Ok(Self::Gaussian(non_negative(lower, "mu")?, non_negative(upper, "mu")?))
    }

    /// Mechanisms that are (epsilon, delta)-DP, given as (how many, epsilon, delta).
    pub(crate) fn pairs(part: Part) -> Fallible<Self> {
        Ok(Self::Pairs(check(part)?))
    }

    /// Bounds on the smallest delta, for an epsilon that is not negative.
    pub(crate) fn delta(&self, epsilon: f64) -> Fallible<Bounds> {
        match self {
            Self::Gaussian(low, high) => {
                let lower = gaussian_delta_bounds(*low, epsilon)?.lower;
                Ok(Bounds { lower, upper: gaussian_delta_bounds(*high, epsilon)?.upper })
            }
            Self::Pairs(part) => optimal_delta_bounds(*part, epsilon),
        }
    }

    /// Bounds on the smallest epsilon, for a delta from 0 to 1; both infinite, if there is none.
    pub(crate) fn epsilon(&self, delta: f64) -> Fallible<Bounds> {
        if delta >= 1.0 {
            return Ok(Bounds { lower: 0.0, upper: 0.0 });
        }
        match self {
            Self::Gaussian(low, high) => {
                let upper = gaussian_epsilon(Mu(*high), Delta(delta))?;
                if upper == f64::INFINITY {
                    // There is none, or it is beyond the floats.
                    let lower = if delta == 0.0 || *low == f64::INFINITY {
                        upper
                    } else if gaussian_delta_bounds(*low, f64::MAX)?.lower > delta {
                        f64::MAX
                    } else {
                        0.0
                    };
                    return Ok(Bounds { lower, upper });
                }
                let lower = outwards((upper, upper * f64::EPSILON), 0.0, |epsilon| {
                    Ok(gaussian_delta_bounds(*low, epsilon)?.lower > delta)
                })?;
                Ok(Bounds { lower, upper })
            }
            Self::Pairs(part) => optimal_epsilon_bounds(*part, delta),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least floats end too, above what they stand for.
    #[test]
    fn the_empirical_lower_bounds() {
        for count in [2, 7, 300] {
            let largest = f64::from(count);
            let pure = |own: f64| ClosedForm::pairs((count, own, 0.0)).unwrap();
            let one = pure(1e-40).delta(1.5e-40).unwrap().upper * 1e40;
            for own in [1e-290, 1e-200] {
                let bounds = pure(own).delta(own * 1.5).unwrap();
                assert!((bounds.upper / own / one - 1.0).abs() < 1e-14, "{count} {own:e}: {bounds:?}");
                assert!(bounds.upper - bounds.lower < bounds.upper * 1e-14, "{count} {own:e}: {bounds:?}");
            }
            for own in [5e-324, 1e-308, 1e-301] {
                let (delta, epsilon) = (pure(own).delta(own).unwrap(), pure(own).epsilon(0.0).unwrap());
                assert!(delta.lower <= delta.upper && delta.upper <= largest * own, "{own:e}: {delta:?}");
                assert!(epsilon.lower <= epsilon.upper, "{own:e}: {epsilon:?}");
                let near = largest * own * 0.999..=largest * own * 1.001;
                assert!(near.contains(&epsilon.upper), "{own:e}: {epsilon:?}");
            }
        }
    }

    /// What no epsilon makes up for, and sums that would not end.
    #[test]
    fn beyond_what_is_summed() {
        let infinite = Bounds { lower: f64::INFINITY, upper: f64::INFINITY };
        assert_eq!(ClosedForm::pairs((5, 0.1, 0.1)).unwrap().epsilon(1e-3), Ok(infinite));
        for count in [1_000_000, 10_000_000] {
            for own in [1000.0, 1e300] {
                let pure = ClosedForm::pairs((count, own, 0.0)).unwrap();
                let around = pure.epsilon(1e-6).unwrap();
                assert!(pure.delta(around.upper).unwrap().lower <= 1e-6, "{count} {own:e}: {around:?}");
                assert!(pure.delta(around.lower).unwrap().upper >= 1e-6, "{count} {own:e}: {around:?}");
            }
        }
    }
}
