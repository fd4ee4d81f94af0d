//! What a query may cost.

use crate::{
    combinators::split,
    core::{Distance, Error, ErrorKind, Fallible, Parameter, ToParameter, require},
    measures::{Approximate, MaxDivergence, PrivacyProfile, ZeroConcentratedDivergence},
    plans::{Call, FrameMeasurement},
    search::largest,
};
use indistinct_numeric::RoundedArithmetic;
use std::fmt;

/// The privacy loss that a query may have for one unit of privacy, and with it the noise that is added.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Budget {
    /// An epsilon, by Laplace noise.
    Epsilon(f64),
    /// A rho of zero-concentrated differential privacy, by Gaussian noise.
    Rho(f64),
    /// An epsilon and a delta, by Gaussian noise.
    EpsilonDelta(f64, f64),
}

/// The distribution of the noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noise {
    Laplace,
    Gaussian,
}

impl Noise {
    /// The metric between vectors in which its loss is known.
    pub(super) fn metric(self) -> &'static str {
        match self {
            Noise::Laplace => "L1Distance",
            Noise::Gaussian => "L2Distance",
        }
    }

    /// The step that adds it.
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

    /// What a measurement with it loses, at a distance of so many units.
    pub(super) fn loss(self, measurement: &FrameMeasurement, units: u32) -> Fallible<f64> {
        match self {
            Noise::Laplace => measurement.under::<MaxDivergence>()?.map(&units),
            Noise::Gaussian => measurement.under::<ZeroConcentratedDivergence>()?.map(&units),
        }
    }

    /// A scale at which a release whose loss at scale 1 is `at_one` loses about `share`; the least is near it.
    pub(super) fn scale(self, at_one: f64, share: f64) -> Fallible<f64> {
        let ratio = at_one.inf_div(share)?;
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

    /// The budget in the measure under which releases are composed, by weights.
    pub(super) fn shares(&self, weights: &[f64]) -> Fallible<Vec<f64>> {
        self.check()?;
        let total = match *self {
            Budget::Epsilon(epsilon) => epsilon,
            Budget::Rho(rho) => rho,
            Budget::EpsilonDelta(epsilon, delta) => greatest_rho(epsilon, delta)?,
        };
        split(total, weights)
    }

    /// What has to follow on the composition.
    pub(super) fn conversion(&self) -> Vec<Call> {
        match self {
            Budget::Epsilon(_) | Budget::Rho(_) => Vec::new(),
            Budget::EpsilonDelta(_, delta) => {
                let delta = ("delta".to_owned(), delta.to_parameter());
                vec![Call::new("zCDP_to_approxDP", []), Call::new("fix_delta", [delta])]
            }
        }
    }

    /// Whether a measurement is within it at `d_in`.
    pub(super) fn allows(&self, measurement: &FrameMeasurement, d_in: u32) -> Fallible<bool> {
        match self {
            Budget::Epsilon(epsilon) => measurement.under::<MaxDivergence>()?.check(&d_in, epsilon),
            Budget::Rho(rho) => measurement.under::<ZeroConcentratedDivergence>()?.check(&d_in, rho),
            Budget::EpsilonDelta(epsilon, delta) => {
                measurement.under::<Approximate<MaxDivergence>>()?.check(&d_in, &(*epsilon, *delta))
            }
        }
    }

    fn check(&self) -> Fallible<()> {
        let (Budget::Epsilon(number) | Budget::Rho(number) | Budget::EpsilonDelta(number, _)) = self;
        require(number.is_finite() && *number > 0.0, "budget", "must be positive and finite")?;
        match self {
            Budget::EpsilonDelta(_, delta) => {
                require(*delta > 0.0 && *delta < 1.0, "budget", "its delta must lie between 0 and 1, both excluded")
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

/// The greatest rho that costs at most this epsilon at this delta.
fn greatest_rho(epsilon: f64, delta: f64) -> Fallible<f64> {
    // More than a delta below 1 allows.
    let holds = |rho: f64| Ok(PrivacyProfile::concentrated(rho)?.epsilon(delta)?.is_within(&epsilon));
    let rho = largest((0.0, epsilon.max(1.0) * 1000.0), holds)?;
    if rho > 0.0 { Ok(rho) } else { Err(Error::new(ErrorKind::Search, "no noise is enough for this budget")) }
}
