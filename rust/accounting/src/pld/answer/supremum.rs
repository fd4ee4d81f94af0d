//! Bounds by the greatest loss alone, where it has a probability: where little delta is asked for, or epsilon is hardly
//! below it, that is nearly all.

use crate::pld::loss::finite_loss::{FiniteLoss, FiniteLosses, greatest, number};
use indistinct_numeric::enclosure::{Ball, Bounds, Enclosure, Interval};

type E = Interval<192>;

/// The sum of the greatest losses of all mechanisms.
#[derive(Debug)]
pub(crate) struct EssentialSupremum {
    loss: E,
    /// A lower bound on its probability.
    mass: f64,
}

impl EssentialSupremum {
    /// None, where there is no greatest loss, or it has no probability of its own.
    pub(crate) fn new(losses: &FiniteLosses) -> Option<Self> {
        let sum = greatest(losses)?;
        let loss = E::between(sum.lower(), sum.upper());
        let mut logarithm = Ball::exact(0.0);
        for (loss, count) in losses {
            logarithm = logarithm.add(&Ball::exact(loss.mass_of_greatest()?).ln().mul(&Ball::exact(number(*count))));
        }
        let mass = E::between(logarithm.lower(), logarithm.upper()).exp().lower();
        (mass > 0.0 && !losses.is_empty()).then_some(Self { loss, mass })
    }

    /// A lower bound on delta: `mass (1 - e^(epsilon - loss))`.
    pub(crate) fn delta(&self, epsilon: f64) -> f64 {
        let rest = E::exact(epsilon).sub(&self.loss).exp_m1();
        let delta = E::exact(0.0).sub(&rest).mul(&E::exact(self.mass)).lower();
        if delta > 0.0 { delta.min(1.0) } else { 0.0 }
    }

    /// Bounds on the least epsilon for a delta below 1: where the above is the wanted one, and where
    /// `1 - e^(epsilon - loss)` is.
    pub(crate) fn epsilon(&self, wanted: f64) -> Bounds {
        let below = |share: E| self.loss.add(&E::exact(0.0).sub(&share).ln_1p());
        let share = E::exact(wanted).div(&E::exact(self.mass));
        let lower = if share.upper() < 1.0 { below(share).lower() } else { 0.0 };
        let upper = below(E::exact(wanted)).upper();
        // Not `max`, which would hide a NaN.
        Bounds { lower: if lower > 0.0 { lower } else { 0.0 }, upper: if upper < 0.0 { 0.0 } else { upper } }
    }
}

impl FiniteLoss {
    /// A lower bound on the probability of the greatest loss, if it has any.
    fn mass_of_greatest(&self) -> Option<f64> {
        let mass = match self {
            Self::Exponential(law) => law.atoms()?.0.lower(),
            Self::Lattice(law) if self.slack() == 0.0 => {
                // Without slack there are two, three or 65,537 at the most, evenly spaced about zero: floats tell them
                // apart.
                let (atoms, _) = law.losses()?;
                let greatest = atoms.into_iter().max_by(|(x, _), (y, _)| x.lower().total_cmp(&y.lower()))?;
                greatest.1.lower()
            }
            Self::Lattice(_)
            | Self::Loose(_)
            | Self::Gaussian { .. }
            | Self::Sampled(_)
            | Self::FixedSize(_)
            | Self::ByTails(_) => return None,
        };
        (mass > 0.0).then_some(mass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pld::{
        distribution::{PrivacyLossDistribution as P, losses},
        loss::direction::Direction,
    };
    use crate::units::{Scale, Sigma};

    #[test]
    fn the_greatest_loss_bounds_both() {
        let all = P::laplace(Scale(2.0)).unwrap().repeat(3).unwrap().compose(&P::pure(1.0).unwrap()).unwrap();
        let top = EssentialSupremum::new(&losses(&all, Direction::Remove)).unwrap();
        // A loss of 2.5, with probability 1/8 of e/(1 + e).
        let mass = 1f64.exp() / (1.0 + 1f64.exp()) / 8.0;
        assert!(top.mass <= mass && top.mass > mass * (1.0 - 1e-14));
        for wanted in [1e-3, 1e-6, 1e-30] {
            let (bounds, epsilon) = (top.epsilon(wanted), all.epsilon(wanted).unwrap());
            assert!(bounds.lower <= epsilon.upper && epsilon.lower <= bounds.upper, "{bounds:?} {epsilon:?}");
            assert!(bounds.upper <= 2.5 && bounds.upper - bounds.lower < 12.0 * wanted + 1e-14, "{bounds:?}");
            assert!(top.delta(bounds.lower) >= wanted * (1.0 - 1e-9) - 1e-16);
        }
        assert_eq!((top.delta(2.5), top.delta(3.0)), (0.0, 0.0));
        // More than the greatest loss has: nothing from below.
        assert_eq!(top.epsilon(0.5).lower, 0.0);
    }

    #[test]
    fn where_there_is_none() {
        for all in [P::gaussian(Sigma(1.0)).unwrap(), P::bounded_range(1.0).unwrap(), P::none()] {
            assert!(EssentialSupremum::new(&losses(&all, Direction::Remove)).is_none(), "{all}");
        }
    }
}
