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

/// For every epsilon a delta such that (epsilon, delta)-DP holds: a guarantee, by a closed form.
///
/// | made by | delta(epsilon) | above the least that the guarantee implies by |
/// |---|---|---|
/// | [`pure`](Self::pure) | that of randomized response | 1e-14 of it |
/// | [`approximate`](Self::approximate) | that of the dominating pair of each (epsilon, delta), and the least of them | 1e-14, for one pair |
/// | [`repeated`](Self::repeated) | optimal composition | 1e-14 |
/// | [`gaussian`](Self::gaussian) | that of Gaussian noise | 1e-13 |
/// | [`concentrated`](Self::concentrated) | [`cdp_delta`] | 1e-12 of the infimum over orders, which is not the least of all |
/// | [`renyi`](Self::renyi) | [`RenyiCurve::delta`] | likewise, 1e-9 or so |
/// | [`losses`](Self::losses) | [`PrivacyLossDistribution::delta`] | see there |
///
/// (Where delta exceeds 1e-300.) Two profiles are compared only if they are of one kind, by their parameter; then the
/// order is that of delta at every epsilon. In store its numbers are text, so that they come back to the last bit.
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

    /// True if delta at every epsilon says all that the guarantee does: so for pairs, pure and Gaussian guarantees,
    /// each of which is that of a dominating pair of distributions. Renyi and concentrated guarantees say more, which a
    /// composition needs; losses are composed as themselves ([`PrivacyLossDistribution::compose`]), before they are a
    /// profile.
    pub fn is_tight(&self) -> bool {
        !matches!(self.0, Kind::Concentrated(_) | Kind::Renyi(_) | Kind::Losses(_))
    }

    /// A delta such that the guarantee implies (epsilon, delta)-DP, rounded up; at most 1. Error: epsilon negative or
    /// not a number.
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

    /// An epsilon such that the guarantee implies (epsilon, delta)-DP, rounded up; infinite if there is none. Error: a
    /// delta that is not from 0 to 1.
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
