//! Converts a distance of a measure into a list of inequalities that can be checked one by one.

use crate::law::LawPair;
use indistinct::{
    accounting::Mu,
    measures::{
        Approximate, GaussianDivergence, MaxDivergence, PrivacyLossDistribution, PrivacyLossDivergence, PrivacyProfile,
        RangeDivergence, RenyiCurve, RenyiDivergence, SmoothedMaxDivergence, ZeroConcentratedDivergence,
    },
    numeric::{RoundedArithmetic, enclosure::Bounds},
    prelude::{Fallible, Measure},
};
use std::fmt;

/// An inequality between two distributions that a guarantee implies in both directions.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Claim {
    /// The first distribution gives no event more than `e^epsilon` times the probability that the second gives it.
    MaxDivergence(f64),
    /// `P(S) <= e^epsilon Q(S) + delta`.
    HockeyStick {
        /// The bound on the privacy loss.
        epsilon: f64,
        /// The probability with which the loss may exceed this bound.
        delta: f64,
    },
    /// A bound on the Renyi divergence of one order.
    Renyi {
        /// The order, above 1.
        alpha: f64,
        /// The bound on the divergence.
        bound: f64,
    },
    /// A bound on the range of the log-ratio.
    Range(f64),
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::MaxDivergence(epsilon) => write!(f, "epsilon {epsilon}"),
            Claim::HockeyStick { epsilon, delta } => write!(f, "epsilon {epsilon}, delta {delta:e}"),
            Claim::Renyi { alpha, bound } => write!(f, "Renyi divergence {bound} of order {alpha}"),
            Claim::Range(eta) => write!(f, "eta {eta}"),
        }
    }
}

impl Claim {
    /// Returns the number in the claim.
    pub fn bound(&self) -> f64 {
        match self {
            Claim::MaxDivergence(bound) | Claim::Range(bound) => *bound,
            Claim::HockeyStick { delta, .. } => *delta,
            Claim::Renyi { bound, .. } => *bound,
        }
    }

    /// Returns bounds on the quantity that the claim limits, for a pair of distributions.
    pub fn truth(&self, pair: &LawPair) -> Bounds {
        match self {
            Claim::MaxDivergence(_) => pair.max_divergence(),
            Claim::HockeyStick { epsilon, .. } => pair.hockey_stick(*epsilon),
            Claim::Renyi { alpha, .. } => pair.renyi(*alpha),
            Claim::Range(_) => pair.range(),
        }
    }

    /// Returns the loss that an event must exceed to be a witness against the claim.
    pub(crate) fn epsilon(&self) -> f64 {
        match self {
            Claim::MaxDivergence(epsilon) | Claim::HockeyStick { epsilon, .. } => *epsilon,
            Claim::Range(_) | Claim::Renyi { .. } => 0.0,
        }
    }
}

/// The orders at which Renyi divergences are compared.
const ORDERS: [f64; 6] = [1.0625, 1.5, 2.0, 4.0, 16.0, 64.0];
/// The losses at which profiles are compared. A profile is also compared at the losses where it has the deltas below.
const EPSILONS: [f64; 7] = [0.0, 0.125, 0.5, 1.0, 2.0, 4.0, 8.0];
/// The number of further losses at which a loss distribution is compared, and the number of them per unit.
const LOSSES: (u32, f64) = (20, 8.0);
/// The largest loss that is compared. A larger ratio would require a smaller probability mass than the audit can
/// resolve.
const GREATEST: f64 = 32.0;
const DELTAS: [f64; 6] = [0.25, 1e-1, 1e-2, 1e-4, 1e-6, 1e-9];

/// The losses at which a profile is compared.
fn epsilons(profile: &PrivacyProfile) -> Vec<f64> {
    let own = DELTAS.iter().filter_map(|delta| profile.epsilon(*delta).ok()).filter(|epsilon| *epsilon <= GREATEST);
    let mut all: Vec<f64> = EPSILONS.into_iter().chain(own).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// A measure whose distances an audit can check.
pub trait Claims: Measure {
    /// The inequalities that this distance implies: either all of them, or a fine selection.
    fn claims(&self, distance: &Self::Distance) -> Fallible<Vec<Claim>>;
}

impl Claims for MaxDivergence {
    fn claims(&self, epsilon: &f64) -> Fallible<Vec<Claim>> {
        Ok(vec![Claim::MaxDivergence(*epsilon)])
    }
}

impl Claims for RangeDivergence {
    fn claims(&self, eta: &f64) -> Fallible<Vec<Claim>> {
        Ok(vec![Claim::Range(*eta)])
    }
}

fn renyi_claims(bound: impl Fn(f64) -> Fallible<f64>) -> Fallible<Vec<Claim>> {
    ORDERS.iter().map(|&alpha| Ok(Claim::Renyi { alpha, bound: bound(alpha)? })).collect()
}

fn profile_claims(profile: &PrivacyProfile) -> Fallible<Vec<Claim>> {
    let at = |epsilon| Ok(Claim::HockeyStick { epsilon, delta: profile.delta(epsilon)? });
    epsilons(profile).into_iter().map(at).collect()
}

impl Claims for ZeroConcentratedDivergence {
    fn claims(&self, rho: &f64) -> Fallible<Vec<Claim>> {
        renyi_claims(|alpha| if *rho == 0.0 { Ok(0.0) } else { Ok(alpha.inf_mul(*rho)?) })
    }
}

impl Claims for RenyiDivergence {
    fn claims(&self, curve: &RenyiCurve) -> Fallible<Vec<Claim>> {
        renyi_claims(|alpha| Ok(curve.at(alpha)?))
    }
}

impl Claims for SmoothedMaxDivergence {
    fn claims(&self, profile: &PrivacyProfile) -> Fallible<Vec<Claim>> {
        profile_claims(profile)
    }
}

impl Claims for PrivacyLossDivergence {
    fn claims(&self, losses: &PrivacyLossDistribution) -> Fallible<Vec<Claim>> {
        let profile = PrivacyProfile::losses(losses.clone());
        let mut claims = profile_claims(&profile)?;
        for step in 0..LOSSES.0 {
            let epsilon = f64::from(step) / LOSSES.1;
            claims.push(Claim::HockeyStick { epsilon, delta: profile.delta(epsilon)? });
        }
        Ok(claims)
    }
}

impl Claims for GaussianDivergence {
    fn claims(&self, mu: &f64) -> Fallible<Vec<Claim>> {
        if *mu == f64::INFINITY { Ok(Vec::new()) } else { profile_claims(&PrivacyProfile::gaussian(Mu(*mu))?) }
    }
}

/// With a delta, each inequality holds except with probability delta.
impl<M: Claims> Claims for Approximate<M> {
    fn claims(&self, (distance, delta): &Self::Distance) -> Fallible<Vec<Claim>> {
        let claims = self.0.claims(distance)?;
        if *delta == 0.0 {
            return Ok(claims);
        }
        let mut widened = Vec::new();
        for claim in claims {
            match claim {
                Claim::MaxDivergence(epsilon) | Claim::Range(epsilon) => {
                    widened.push(Claim::HockeyStick { epsilon, delta: *delta });
                }
                Claim::HockeyStick { epsilon, delta: more } => {
                    widened.push(Claim::HockeyStick { epsilon, delta: delta.inf_add(more)? });
                }
                Claim::Renyi { alpha, bound } if bound.is_finite() => {
                    let profile = PrivacyProfile::renyi(RenyiCurve::from_points(vec![(alpha, bound)])?);
                    for epsilon in epsilons(&profile) {
                        let delta = delta.inf_add(profile.delta(epsilon)?)?;
                        widened.push(Claim::HockeyStick { epsilon, delta });
                    }
                }
                Claim::Renyi { .. } => {}
            }
        }
        Ok(widened)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_of_measures() {
        assert_eq!(MaxDivergence.claims(&0.5), Ok(vec![Claim::MaxDivergence(0.5)]));
        let with_delta = Approximate(MaxDivergence).claims(&(0.5, 1e-6)).unwrap();
        assert_eq!(with_delta, [Claim::HockeyStick { epsilon: 0.5, delta: 1e-6 }]);
        let rho = ZeroConcentratedDivergence.claims(&0.5).unwrap();
        assert!(rho.contains(&Claim::Renyi { alpha: 2.0, bound: 1.0 }));
        // The deltas of rho, and delta on top.
        let widened = Approximate(ZeroConcentratedDivergence).claims(&(0.5, 0.25)).unwrap();
        assert!(widened.iter().all(|claim| claim.bound() >= 0.25) && widened.len() > 20);
        // Where a claimed profile is all but 0 at small losses only.
        let far = SmoothedMaxDivergence.claims(&PrivacyProfile::approximate(vec![(10.0, 1e-6)]).unwrap()).unwrap();
        assert!(far.iter().any(|claim| claim.epsilon() >= 9.9 && claim.bound() < 1e-3), "{far:?}");
        assert!(GaussianDivergence.claims(&f64::INFINITY).unwrap().is_empty());
    }
}
