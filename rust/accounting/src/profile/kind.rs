//! The type of a profile, and its two directions.
use crate::{
    composition::{optimal_composition_delta, optimal_composition_epsilon},
    concentrated::{cdp_delta, cdp_epsilon},
    error::{Error, Fallible, non_negative, probability_of_failure, require},
    gaussian::{gaussian_delta, gaussian_epsilon},
    pld::PrivacyLossDistribution,
    renyi::RenyiCurve,
    units::{Delta, Epsilon, Mu, Rho},
};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::{cmp::Ordering, fmt};

/// A guarantee that gives, for every epsilon, a delta such that (epsilon, delta)-DP holds.
///
/// | made by | delta(epsilon) | relative distance above the smallest delta that the guarantee implies |
/// |---|---|---|
/// | [`pure`](Self::pure) | the delta of randomized response | 1e-14 |
/// | [`approximate`](Self::approximate) | the minimum over the dominating pairs of each (epsilon, delta) | 1e-14, for one pair |
/// | [`repeated`](Self::repeated) | optimal composition | 1e-14 |
/// | [`gaussian`](Self::gaussian) | the delta of Gaussian noise | 1e-13 |
/// | [`concentrated`](Self::concentrated) | [`cdp_delta`] | 1e-12 above the infimum over orders, which is not the smallest delta |
/// | [`renyi`](Self::renyi) | [`RenyiCurve::delta`] | about 1e-9 above the infimum over orders |
/// | [`losses`](Self::losses) | [`PrivacyLossDistribution::delta`] | see there |
///
/// These distances hold if delta exceeds 1e-300. Two profiles are compared only if they are of the same kind, by their
/// parameter; the order is then the order of delta at every epsilon. A stored profile has its numbers as text, so every
/// bit is kept.
///
/// ```
/// use indistinct_accounting::{Mu, PrivacyProfile};
/// let release = PrivacyProfile::gaussian(Mu(0.5))?;
/// let both = release.compose(&release)?;
/// assert_eq!(both.to_string(), "mu 0.7071067811865476");
/// assert!(both.delta(1.0)? < 0.06 && both.epsilon(1e-5)? < 3.1 && both.beta(0.05)? > 0.82);
/// assert!(release < both);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Kind", into = "Kind"))]
pub struct PrivacyProfile(pub(super) Kind);

/// The guarantee that a profile is made from.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "snake_case"))]
pub(super) enum Kind {
    Pure(#[cfg_attr(feature = "serde", serde(with = "crate::stored"))] f64),
    Approximate(#[cfg_attr(feature = "serde", serde(with = "crate::stored"))] Vec<(f64, f64)>),
    Repeated {
        count: u32,
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
        epsilon: f64,
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
        delta: f64,
    },
    Concentrated(#[cfg_attr(feature = "serde", serde(with = "crate::stored"))] f64),
    Gaussian(#[cfg_attr(feature = "serde", serde(with = "crate::stored"))] f64),
    Renyi(RenyiCurve),
    Losses(PrivacyLossDistribution),
}

impl TryFrom<Kind> for PrivacyProfile {
    type Error = Error;

    fn try_from(kind: Kind) -> Fallible<Self> {
        match kind {
            Kind::Pure(epsilon) => Self::pure(epsilon),
            Kind::Approximate(points) => Self::approximate(points),
            Kind::Repeated { count, epsilon, delta } => Self::repeated(count, Epsilon(epsilon), Delta(delta)),
            Kind::Concentrated(rho) => Self::concentrated(rho),
            Kind::Gaussian(mu) => Self::gaussian(Mu(mu)),
            Kind::Renyi(curve) => Ok(Self::renyi(curve)),
            Kind::Losses(losses) => Ok(Self::losses(losses)),
        }
    }
}

impl From<PrivacyProfile> for Kind {
    fn from(profile: PrivacyProfile) -> Self {
        profile.0
    }
}

impl PrivacyProfile {
    /// epsilon-DP. Error: epsilon negative or not a number.
    pub fn pure(epsilon: f64) -> Fallible<Self> {
        Ok(Self(Kind::Pure(non_negative(epsilon, "epsilon")?)))
    }

    /// (epsilon, delta)-DP for each of the pairs. Errors: no pair; a part that is negative or not a number; a delta
    /// above 1.
    pub fn approximate(pairs: Vec<(f64, f64)>) -> Fallible<Self> {
        require(!pairs.is_empty(), "pairs", "must not be empty")?;
        let checked = pairs.into_iter().map(|(epsilon, delta)| {
            require((0.0..=1.0).contains(&delta), "pairs", "must have deltas between 0 and 1")?;
            Ok((non_negative(epsilon, "pairs")?, delta + 0.0))
        });
        Ok(Self(Kind::Approximate(checked.collect::<Fallible<_>>()?)))
    }

    /// `count` mechanisms, adaptively chosen, that are (epsilon, delta)-DP each. Errors: a parameter that is negative
    /// or not a number, a delta above 1.
    pub fn repeated(count: u32, Epsilon(epsilon): Epsilon, Delta(delta): Delta) -> Fallible<Self> {
        let epsilon = non_negative(epsilon, "epsilon")?;
        require((0.0..=1.0).contains(&delta), "delta", "must be between 0 and 1")?;
        Ok(Self(Kind::Repeated { count, epsilon, delta: delta + 0.0 }))
    }

    /// rho-zCDP. Error: rho negative or not a number.
    pub fn concentrated(rho: f64) -> Fallible<Self> {
        Ok(Self(Kind::Concentrated(non_negative(rho, "rho")?)))
    }

    /// mu-GDP. Error: mu negative or not a number.
    pub fn gaussian(Mu(mu): Mu) -> Fallible<Self> {
        Ok(Self(Kind::Gaussian(non_negative(mu, "mu")?)))
    }

    /// Bounds on Renyi divergences.
    pub fn renyi(curve: RenyiCurve) -> Self {
        Self(Kind::Renyi(curve))
    }

    /// Mechanisms whose losses are known.
    pub fn losses(losses: PrivacyLossDistribution) -> Self {
        Self(Kind::Losses(losses))
    }

    /// Returns true if the deltas at all epsilons determine the guarantee. This holds for pairs, pure and Gaussian
    /// guarantees, each of which belongs to a dominating pair of distributions. Renyi and concentrated guarantees
    /// contain more information, which a composition needs. Losses should be composed
    /// ([`PrivacyLossDistribution::compose`]) before they are converted to a profile.
    pub fn is_tight(&self) -> bool {
        !matches!(self.0, Kind::Concentrated(_) | Kind::Renyi(_) | Kind::Losses(_))
    }

    /// Returns a delta such that the guarantee implies (epsilon, delta)-DP, rounded up; at most 1. Error: epsilon
    /// negative or not a number.
    pub fn delta(&self, epsilon: f64) -> Fallible<f64> {
        let epsilon = non_negative(epsilon, "epsilon")?;
        match &self.0 {
            Kind::Pure(own) => optimal_composition_delta(1, Epsilon(*own), Delta(0.0), Epsilon(epsilon)),
            Kind::Approximate(pairs) => least(1.0, pairs, |(own, delta)| {
                optimal_composition_delta(1, Epsilon(own), Delta(delta), Epsilon(epsilon))
            }),
            Kind::Repeated { count, epsilon: own, delta } => {
                optimal_composition_delta(*count, Epsilon(*own), Delta(*delta), Epsilon(epsilon))
            }
            Kind::Concentrated(rho) => cdp_delta(Rho(*rho), Epsilon(epsilon)),
            Kind::Gaussian(mu) => gaussian_delta(Mu(*mu), Epsilon(epsilon)),
            Kind::Renyi(curve) => curve.checked_delta(epsilon),
            Kind::Losses(losses) => Ok(losses.delta(epsilon)?.upper),
        }
    }

    /// Returns an epsilon such that the guarantee implies (epsilon, delta)-DP, rounded up; infinite if no epsilon does.
    /// Error: a delta that is not from 0 to 1.
    pub fn epsilon(&self, delta: f64) -> Fallible<f64> {
        let delta = probability_of_failure(delta, "delta")?;
        match &self.0 {
            Kind::Pure(own) => optimal_composition_epsilon(1, Epsilon(*own), Delta(0.0), Delta(delta)),
            Kind::Approximate(pairs) => least(f64::INFINITY, pairs, |(own, part)| {
                optimal_composition_epsilon(1, Epsilon(own), Delta(part), Delta(delta))
            }),
            Kind::Repeated { count, epsilon, delta: part } => {
                optimal_composition_epsilon(*count, Epsilon(*epsilon), Delta(*part), Delta(delta))
            }
            Kind::Concentrated(rho) => cdp_epsilon(Rho(*rho), Delta(delta)),
            Kind::Gaussian(mu) => gaussian_epsilon(Mu(*mu), Delta(delta)),
            Kind::Renyi(curve) => curve.checked_epsilon(delta),
            Kind::Losses(losses) => Ok(epsilon_of(losses, delta)),
        }
    }
}

/// Infinite at a delta of 0, unless nothing is lost at all, and below the probability of an infinite loss, where the
/// distribution has no epsilon.
fn epsilon_of(losses: &PrivacyLossDistribution, delta: f64) -> f64 {
    if *losses == PrivacyLossDistribution::none() {
        return 0.0;
    }
    losses.epsilon(delta.min(1.0)).map_or(f64::INFINITY, |bounds| bounds.upper)
}

/// The least of several bounds that all hold.
fn least(start: f64, pairs: &[(f64, f64)], bound: impl Fn((f64, f64)) -> Fallible<f64>) -> Fallible<f64> {
    pairs.iter().try_fold(start, |least, &pair| Ok(bound(pair)?.min(least)))
}

impl PartialOrd for PrivacyProfile {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (&self.0, &other.0) {
            (Kind::Pure(x), Kind::Pure(y))
            | (Kind::Concentrated(x), Kind::Concentrated(y))
            | (Kind::Gaussian(x), Kind::Gaussian(y)) => x.partial_cmp(y),
            (Kind::Renyi(x), Kind::Renyi(y)) => x.partial_cmp(y),
            (Kind::Losses(x), Kind::Losses(y)) => x.partial_cmp(y),
            _ => (self == other).then_some(Ordering::Equal),
        }
    }
}

impl fmt::Display for PrivacyProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Pure(epsilon) => write!(f, "epsilon {epsilon:?}"),
            Kind::Approximate(pairs) => {
                let pairs: Vec<_> =
                    pairs.iter().map(|(epsilon, delta)| format!("epsilon {epsilon:?}, delta {delta:?}")).collect();
                f.write_str(&pairs.join("; "))
            }
            Kind::Repeated { count, epsilon, delta } => write!(f, "{count} times epsilon {epsilon:?}, delta {delta:?}"),
            Kind::Concentrated(rho) => write!(f, "rho {rho:?}"),
            Kind::Gaussian(mu) => write!(f, "mu {mu:?}"),
            Kind::Renyi(curve) if f.alternate() => write!(f, "Renyi {curve:#}"),
            Kind::Renyi(curve) => write!(f, "Renyi {curve}"),
            Kind::Losses(losses) => losses.fmt(f),
        }
    }
}
