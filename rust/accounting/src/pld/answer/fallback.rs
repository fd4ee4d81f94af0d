//! Bounds that hold whatever the distributions are: where nothing better is known.

use crate::{
    composition::ClosedForm,
    pld::{
        integrate::{
            chernoff::ChernoffBound,
            saddle_point as saddle,
            truncate::{Truncated, estimate},
        },
        loss::{
            finite_loss::{FiniteLoss, FiniteLosses, number},
            once::once,
            sampled_gaussian::Side,
        },
        transform::estimate::Estimate,
    },
};
use indistinct_numeric::{
    Above, RoundedArithmetic,
    enclosure::{Bounds, Enclosure, Interval},
};

type E = Interval<192>;

/// Gaussian mechanisms together are one, with the root of the sum of squares for mu.
pub(crate) fn gaussians(losses: &FiniteLosses) -> Option<ClosedForm> {
    let mut squares = E::exact(0.0);
    if losses.is_empty() {
        return None;
    }
    for (loss, count) in losses {
        let FiniteLoss::Gaussian { sigma } = loss else { return None };
        let square = E::exact(*sigma).mul(&E::exact(*sigma));
        squares = squares.add(&E::exact(number(*count)).div(&square));
    }
    let mu = squares.ln().mul(&E::exact(0.5)).exp().bounds();
    ClosedForm::gaussian_between(mu.lower.max(0.0), mu.upper).ok()
}

/// Delta of noise on samples as if there were none, which loses no less; 1 where there are other losses.
fn without_sampling(losses: &FiniteLosses, epsilon: f64) -> Above {
    let noise = |(loss, count): &(FiniteLoss, u64)| {
        let sigma = match loss {
            FiniteLoss::Gaussian { sigma } => *sigma,
            // Two individuals are 2 apart.
            FiniteLoss::Sampled(law) => {
                if law.side == Side::Replace {
                    law.sigma / 2.0
                } else {
                    law.sigma
                }
            }
            FiniteLoss::FixedSize(law) => law.sigma,
            FiniteLoss::ByTails(law) => law.gaussian_above()?,
            FiniteLoss::Exponential(_) | FiniteLoss::Lattice(_) | FiniteLoss::Loose(_) => return None,
        };
        Some((FiniteLoss::Gaussian { sigma }, *count))
    };
    let noises = losses.iter().map(noise).collect::<Option<Vec<_>>>();
    let found = noises.and_then(|noises| gaussians(&noises)?.delta(epsilon).ok());
    Above::promised(found.map_or(1.0, |bounds| bounds.upper))
}

/// Below, the greatest delta of a single step; above, the sum of all steps' deltas for their shares of epsilon, what
/// there is without sampling, and Chernoff's bound at some tilts, also of losses that are not large.
pub(crate) fn fallback(losses: &FiniteLosses, epsilon: f64) -> Bounds {
    let single = |epsilon: f64| losses.iter().map(move |(loss, count)| (once(loss, epsilon), number(*count)));
    // Others may be left out only if their mean of e^-L is at most 1, which is not so of what is left of a distribution
    // without its infinite loss.
    let are_whole = losses.iter().all(|(loss, _)| {
        use FiniteLoss::{ByTails, Exponential, FixedSize, Gaussian, Sampled};
        matches!(loss, Gaussian { .. } | Sampled(_) | FixedSize(_) | Exponential(_) | ByTails(_))
    });
    let seen = single(epsilon).filter_map(|(bounds, _)| bounds).filter(|_| are_whole);
    let lower = seen.fold(0f64, |most, bounds| most.max(bounds.lower));
    let saddle = saddle::estimate(&Estimate::new(losses), epsilon).map_or(1.0, |(_, tilt)| tilt);
    // Where losses are far below epsilon, the saddle point lies beyond what is needed.
    let tilts = [saddle, saddle / 4.0, saddle.min(1024.0), 1.0, 4.0];
    let ceilings = tilts.iter().filter_map(|tilt| Some(ChernoffBound::new(losses, tilt.clamp(1e-6, 1e6))?.at(epsilon)));
    let steps: f64 = losses.iter().map(|(_, count)| number(*count)).sum();
    let share = epsilon.neg_inf_div(steps).unwrap_or(0.0).max(0.0);
    let sum = single(share)
        .try_fold(E::exact(0.0), |sum, (bounds, count)| Some(sum.add(&E::exact(bounds?.upper).mul(&E::exact(count)))));
    let sum = sum.map_or(Above::UNKNOWN, |sum| Above::of(&sum));
    let upper = ceilings
        .chain(without_large_losses(losses, epsilon))
        .fold(sum.or(without_sampling(losses, epsilon)), Above::or)
        .get()
        .max(0.0);
    Bounds { lower, upper }
}

/// Chernoff's bound on what is left without losses that are so large that they are about as rare as an estimate says
/// delta is, and their probability.
fn without_large_losses(losses: &FiniteLosses, epsilon: f64) -> Option<Above> {
    let truncated = Truncated::steeply(losses, estimate(losses, epsilon)?.0);
    let (_, tilt) = saddle::estimate(&Estimate::new(&truncated.losses), epsilon)?;
    Some(ChernoffBound::new(&truncated.losses, tilt)?.at(epsilon) + truncated.mass)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pld::{
        distribution::{PrivacyLossDistribution as P, losses},
        loss::direction::Direction,
    };
    use crate::{
        gaussian::gaussian_delta_bounds,
        units::{Rate, Sigma},
    };

    #[test]
    fn what_is_known_is_within() {
        for (sigma, rate, count) in [(1.0, 0.01, 1), (1.0, 0.01, 300), (0.7, 0.1, 20), (3.0, 0.3, 5), (2.0, 1.0, 40)] {
            let all = P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(count).unwrap();
            let all = all.compose(&P::gaussian(Sigma(9.0)).unwrap()).unwrap();
            for epsilon in [0.0, 0.1, 0.5, 2.0] {
                for direction in [Direction::Remove, Direction::Add] {
                    let (known, fallback) =
                        (all.delta_in_direction(epsilon, direction), fallback(&losses(&all, direction), epsilon));
                    assert!(fallback.lower <= known.upper && known.lower <= fallback.upper, "{known:?} {fallback:?}");
                    assert!(known.upper - known.lower <= 0.01 * known.upper + 1e-30, "{known:?}");
                }
            }
        }
    }

    /// What is left of a distribution without its infinite loss may only lose less: here always ln 2 less, so that a
    /// step alone has more than both.
    #[test]
    fn a_law_without_its_infinite_loss_takes_off() {
        let half = P::discrete(&[(1.0, 0.0), (1.0, 2.0)]).unwrap();
        let all = losses(&half.compose(&P::gaussian(Sigma(1.0)).unwrap()).unwrap(), Direction::Remove);
        let truth = gaussian_delta_bounds(1.0, 0.5 + std::f64::consts::LN_2).unwrap();
        let bounds = fallback(&all, 0.5);
        assert!(bounds.lower <= truth.upper && truth.lower <= bounds.upper, "{bounds:?} {truth:?}");
        assert!(gaussian_delta_bounds(1.0, 0.5).unwrap().lower > truth.upper);
    }

    /// Where no integral closes, there is a bound on either side.
    #[test]
    fn hardly_ever_sampled_is_hardly_known_but_known() {
        let all = P::poisson_gaussian(Sigma(1.0), Rate(1e-8)).unwrap().repeat(3).unwrap();
        let (near, far) = (all.delta(0.01).unwrap(), all.delta(0.5).unwrap());
        assert!(0.0 < far.lower && far.upper < near.lower && near.upper < 1e-40, "{near:?} {far:?}");
        let epsilon = all.epsilon(1e-12).unwrap();
        assert!(0.0 < epsilon.lower && epsilon.upper < 1e-5, "{epsilon:?}");
        // At most the probability of being sampled, and one step at least.
        let never = P::poisson_gaussian(Sigma(0.1), Rate(1e-280)).unwrap().repeat(100).unwrap().delta(0.5).unwrap();
        assert!(never.upper < 1e-277, "{never:?}");
    }
}
