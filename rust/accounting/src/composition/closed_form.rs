//! Compositions whose delta is a closed form or a binomial sum: Gaussian mechanisms, and pairs of epsilon and delta.
use crate::{
    composition::{
        heterogeneous::Groups,
        optimal::{Part, check, epsilon_between, optimal_delta_bounds, optimal_epsilon_bounds},
    },
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
    Pure(Part),
    /// Mechanisms with several.
    Approximate(Groups),
}

impl ClosedForm {
    /// Gaussian noise of which a mu not above the true one is known, and one not below.
    pub(crate) fn gaussian_between(lower: f64, upper: f64) -> Fallible<Self> {
        Ok(Self::Gaussian(non_negative(lower, "mu")?, non_negative(upper, "mu")?))
    }

    /// Mechanisms that are (epsilon, delta)-DP, given as (how many, epsilon, delta).
    pub(crate) fn approximate(parts: &[(u32, f64, f64)]) -> Fallible<Self> {
        let parts = parts.iter().map(|part| check(*part)).collect::<Fallible<Vec<_>>>()?;
        match parts.as_slice() {
            [part] => Ok(Self::Pure(*part)),
            parts => Ok(Self::Approximate(Groups::new(parts)?)),
        }
    }

    /// Bounds on the smallest delta, for an epsilon that is not negative.
    pub(crate) fn delta(&self, epsilon: f64) -> Fallible<Bounds> {
        match self {
            Self::Gaussian(low, high) => {
                let lower = gaussian_delta_bounds(*low, epsilon)?.lower;
                Ok(Bounds { lower, upper: gaussian_delta_bounds(*high, epsilon)?.upper })
            }
            Self::Pure(part) => optimal_delta_bounds(*part, epsilon),
            Self::Approximate(groups) => groups.delta(epsilon),
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
            Self::Pure(part) => optimal_epsilon_bounds(*part, delta),
            Self::Approximate(groups) => {
                let (mean, variance) = groups.moments();
                let guess = mean + (-2.0 * variance * delta.ln()).sqrt();
                epsilon_between(groups.greatest(), (delta, guess), |epsilon| self.delta(epsilon))
            }
        }
    }
}
