//! Privacy loss distributions (PLD).

use super::CompositionMeasure;
use crate::core::{Distance, Fallible, Measure, Parameter, ToParameter, parameter_by_debug};
use indistinct_accounting::{Delta, Epsilon, PrivacyLossDistribution};
use indistinct_numeric::RoundedFrom;

/// The hockey-stick divergences at all epsilons, given by dominating pairs of distributions; the distance is a list of
/// such pairs, a [`PrivacyLossDistribution`].
///
/// Two distributions P and Q are d-close if `P(S) <= exp(epsilon) Q(S) + d.delta(epsilon)`, and the same with P and Q
/// exchanged, for every event S and every `epsilon >= 0`. Composition concatenates the lists, and delta is computed on
/// request. So composition loses nothing, while sums of epsilons or Renyi curves lose much (Zhu, Dong, Wang 2022,
/// Theorem 10).
///
/// Some pairs differ in their two directions, such as the pair of noise on a Poisson sample. Such a pair applies to two
/// data sets, one of which has one more row or individual than the other. In one direction P belongs to the larger
/// dataset and Q to the smaller; in the other direction P belongs to the smaller and Q to the larger. So it applies
/// only if rows or individuals are added or removed, and only at distance 1. Each direction is composed separately, and
/// the worse one is reported. A chain keeps directions through functions of single rows (clamps, filters, maps),
/// because an added row adds at most its image. After any other step, under any other metric, and at larger distances,
/// its map returns an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PrivacyLossDivergence;

impl Measure for PrivacyLossDivergence {
    type Distance = PrivacyLossDistribution;

    fn describe(&self, losses: &PrivacyLossDistribution) -> String {
        format!("losses of {losses}")
    }

    fn is_infinite(&self, losses: &PrivacyLossDistribution) -> Fallible<bool> {
        Ok(Self::infinite()?.is_within(losses))
    }

    fn is_directed(&self, losses: &PrivacyLossDistribution) -> bool {
        !losses.is_symmetric()
    }
}

impl CompositionMeasure for PrivacyLossDivergence {
    fn compose(&self, distances: &[PrivacyLossDistribution]) -> Fallible<PrivacyLossDistribution> {
        // Equal ones that follow each other are counted first: there may be a million.
        let equal = distances.chunk_by(PartialEq::eq);
        let counted = equal.filter_map(|equal| Some((equal.first()?.clone(), equal.len())));
        self.compose_counted(&counted.collect::<Vec<_>>())
    }

    fn compose_counted(&self, distances: &[(PrivacyLossDistribution, usize)]) -> Fallible<PrivacyLossDistribution> {
        distances.iter().try_fold(PrivacyLossDistribution::none(), |all, (losses, count)| {
            Ok(all.compose(&losses.repeat(u64::exact_from(count)?)?)?)
        })
    }

    fn infinite() -> Fallible<PrivacyLossDistribution> {
        Ok(PrivacyLossDistribution::approximate(Epsilon(0.0), Delta(1.0))?)
    }
}

/// Returns the losses of the pair that dominates all pairs with this guarantee. An epsilon that is too small is raised.
pub(crate) fn losses_of_pair(epsilon: f64, delta: f64) -> Fallible<PrivacyLossDistribution> {
    if epsilon > 600.0 {
        return PrivacyLossDivergence::infinite();
    }
    let epsilon = if epsilon > 0.0 { epsilon.max(1e-100) } else { epsilon };
    Ok(PrivacyLossDistribution::approximate(Epsilon(epsilon), Delta(if delta > 1.0 { 1.0 } else { delta }))?)
}

/// Returns the losses of the pair with the largest curve among all pairs with this range. A range that is too small is
/// raised.
pub(crate) fn losses_of_range(eta: f64) -> Fallible<PrivacyLossDistribution> {
    if eta > 600.0 {
        return PrivacyLossDivergence::infinite();
    }
    let eta = if eta > 0.0 { eta.max(1e-100) } else { eta };
    Ok(PrivacyLossDistribution::bounded_range(eta)?)
}

/// A distribution is within another if each of its mechanisms can be matched with a mechanism of the other that is
/// known to lose at least as much.
impl Distance for PrivacyLossDistribution {
    fn validate(&self) -> Fallible<()> {
        // A distribution that is not one cannot be made.
        Ok(())
    }

    fn is_within(&self, bound: &Self) -> bool {
        self <= bound
    }
}

/// Texts that differ where the guarantees do.
impl ToParameter for PrivacyLossDistribution {
    fn to_parameter(&self) -> Parameter {
        format!("{self:#}").to_parameter()
    }
}

parameter_by_debug!(() PrivacyLossDivergence);

#[cfg(test)]
mod tests {
    use crate::{core::Distance, measures::CompositionMeasure, prelude::*};
    use indistinct_accounting::{Delta, Epsilon, Mu, Rate, Sigma, gaussian_composition, optimal_composition_delta};

    type P = PrivacyLossDistribution;

    /// A hundred answers of epsilon 0.1 each: basic composition says 10.
    #[test]
    fn a_hundred_pure_mechanisms_compose_to_what_is_optimal() {
        // A composition of one, of which nothing but epsilon is known.
        let noisy = || {
            let one = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 10.0).unwrap();
            make_composition(vec![one]).unwrap()
        };
        let own = noisy().map(&1.0).unwrap();
        let basic = make_composition(vec![noisy(); 100]).unwrap().map(&1.0).unwrap();
        let losses = || vec![make_pureDP_to_PLD(noisy()).unwrap(); 100];
        let all = make_PLD_to_approxDP(make_composition(losses()).unwrap()).unwrap();
        let (epsilon, _) = make_fix_delta(all.clone(), 1e-6).unwrap().map(&1.0).unwrap();
        assert!(epsilon < 0.6 * basic, "{epsilon} {basic}");
        for at in [0.5, 2.0, 5.0, 9.0] {
            let (_, delta) = make_fix_epsilon(all.clone(), at).unwrap().map(&1.0).unwrap();
            let optimal = optimal_composition_delta(100, Epsilon(own), Delta(0.0), Epsilon(at)).unwrap();
            assert!((delta / optimal - 1.0).abs() < 1e-9, "{at}: {delta} {optimal}");
            // Bounds on one number: neither upper bound is below the other's lower one.
            let enclosure = P::pure(own).unwrap().repeat(100).unwrap().delta(at).unwrap();
            assert!(enclosure.lower <= optimal && delta == enclosure.upper);
        }
        // No loss at all beyond what basic composition has.
        assert_eq!(make_fix_epsilon(all, basic).unwrap().map(&1.0).unwrap(), (basic, 0.0));
    }

    #[test]
    fn unlike_mechanisms_lose_more_than_each_and_less_than_all_apart() {
        let gaussian = || make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, 4.0).unwrap();
        let noise = || make_canonical_noise(AtomDomain::f64(), AbsoluteDistance::new(), 1.0, (0.25, 1e-8)).unwrap();
        let (mu, pair) = (gaussian().map(&1.0).unwrap(), noise().map(&1.0).unwrap());
        let mut parts = vec![make_GDP_to_PLD(gaussian()).unwrap(); 10];
        parts.extend(vec![make_fixed_approxDP_to_PLD(noise()).unwrap(); 10]);
        let losses = make_composition(parts).unwrap().map(&1.0).unwrap();
        let all = PrivacyProfile::losses(losses);
        let gaussians = PrivacyProfile::gaussian(Mu(gaussian_composition(&[mu; 10]).unwrap())).unwrap();
        for epsilon in [0.5, 2.0] {
            // Together they lose more than either kind alone, and less than the sum of both.
            let alone = optimal_composition_delta(10, Epsilon(pair.0), Delta(pair.1), Epsilon(epsilon)).unwrap();
            let delta = all.delta(epsilon).unwrap();
            assert!(delta > alone && delta > gaussians.delta(epsilon).unwrap());
            let at = epsilon / 2.0;
            let halves = optimal_composition_delta(10, Epsilon(pair.0), Delta(pair.1), Epsilon(at)).unwrap() * at.exp();
            assert!(delta < halves + gaussians.delta(at).unwrap(), "{epsilon}: {delta}");
        }
    }

    /// A response whose losses have a direction, as a caller's own word.
    fn directed<MI: crate::metrics::RowMetric>(
        metric: MI,
    ) -> Measurement<VectorDomain<AtomDomain<i64>>, bool, MI, PrivacyLossDivergence> {
        let losses = |d_in: &u32| match *d_in {
            0 => Ok(P::none()),
            _ => Ok(P::pure(1.0)?.poisson_sampled(0.5)?),
        };
        let rows = VectorDomain::new(AtomDomain::i64());
        make_user_measurement(rows, metric, PrivacyLossDivergence, |_: &[i64], entropy| Ok(entropy.bit()?), losses)
            .unwrap()
    }

    #[test]
    fn directions_are_composed_apart_and_the_worse_one_is_told() {
        let one = P::pure(1.0).unwrap().poisson_sampled(0.5).unwrap();
        let two = make_composition(vec![directed(SymmetricDistance); 2]).unwrap();
        assert_eq!(two.map(&1), Ok(one.repeat(2).unwrap()));
        // Of the four outcomes of two releases under either pair, by hand.
        let (p, q) = ([0.5 * (1f64.exp() + 1.0), 0.5 * ((-1f64).exp() + 1.0)], [1.0, 1.0]);
        let (high, low) = (1.0 / (1.0 + (-1f64).exp()), 1.0 / (1.0 + 1f64.exp()));
        // Under Q the response that tells is low, the other high.
        let q = [q[0] * low, q[1] * high];
        let p = [p[0] * q[0], p[1] * q[1]];
        let stick = |p: [f64; 2], q: [f64; 2], epsilon: f64| {
            let both = |w: [f64; 2]| [w[0] * w[0], w[0] * w[1], w[1] * w[0], w[1] * w[1]];
            both(p).iter().zip(both(q)).map(|(p, q)| (p - epsilon.exp() * q).max(0.0)).sum::<f64>()
        };
        let profile = make_PLD_to_approxDP(two).unwrap().map(&1).unwrap();
        for epsilon in [0.0, 0.1, 0.3, 0.7, 1.1] {
            let (remove, add) = (stick(p, q, epsilon), stick(q, p, epsilon));
            let told = profile.delta(epsilon).unwrap();
            assert!((told - remove.max(add)).abs() < 1e-9, "{epsilon}: {told} {remove} {add}");
        }
    }

    #[test]
    fn a_direction_is_kept_by_functions_of_single_rows_alone() {
        let sampled = || directed(SymmetricDistance);
        let rows = || (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
        let kept = (rows() >> then_filter(|x: &i64| *x > 3) >> sampled()).unwrap();
        assert_eq!(kept.map(&1), sampled().map(&1));
        let mapped = rows() >> then_map(AtomDomain::i64(), 0, |x: &i64| x + 1) >> then_filter(|x: &i64| *x > 3);
        assert_eq!((mapped >> sampled()).unwrap().map(&1), sampled().map(&1));
        // What is no function of single rows may leave rows out where some are added.
        let complement = |rows: &[i64]| (0..9).filter(|x| !rows.contains(x)).collect::<Vec<_>>();
        let other = make_user_transformation(
            rows().0,
            SymmetricDistance,
            rows().0,
            SymmetricDistance,
            complement,
            |d_in: &u32| Ok(*d_in),
        );
        let turned = (other >> sampled()).unwrap();
        assert_eq!(turned.map(&1).unwrap_err().kind(), ErrorKind::Mismatch);
        assert_eq!(turned.map(&0), Ok(P::none()));
        assert!(turned.invoke(&[3]).is_err() && kept.invoke(&[3]).is_ok());
        // Nor is it known where the function stands in the middle.
        let turned = rows() >> then_filter(|x: &i64| *x > 3) >> turned;
        assert_eq!(turned.unwrap().map(&1).unwrap_err().kind(), ErrorKind::Mismatch);
    }

    #[test]
    fn a_direction_needs_one_row_more() {
        let kind = |result: Fallible<P>| result.unwrap_err().kind();
        assert_eq!(kind(directed(SymmetricDistance).map(&2)), ErrorKind::Mismatch);
        assert_eq!(kind(directed(ChangeOneDistance).map(&1)), ErrorKind::Mismatch);
        assert_eq!(kind(directed(HammingDistance).map(&1)), ErrorKind::Mismatch);
        assert!(directed(InsertDeleteDistance).map(&1).is_ok());
        // Conversions and compositions do not hide it.
        let profile = make_PLD_to_approxDP(directed(ChangeOneDistance)).unwrap();
        assert_eq!(profile.map(&1).unwrap_err().kind(), ErrorKind::Mismatch);
        let both = make_composition(vec![directed(SymmetricDistance); 2]).unwrap();
        assert_eq!(kind(both.map(&2)), ErrorKind::Mismatch);
        let failing = make_approximate(directed(ChangeOneDistance)).unwrap();
        assert_eq!(failing.map(&1).unwrap_err().kind(), ErrorKind::Mismatch);
        // A replaced row is one removed and one added.
        let rows = (VectorDomain::new(AtomDomain::i64()), ChangeOneDistance);
        let filtered = rows >> then_filter(|x: &i64| *x > 3) >> directed(SymmetricDistance);
        assert_eq!(kind(filtered.unwrap().map(&1)), ErrorKind::Mismatch);
        // Samples for different neighbors do not compose.
        let fixed = P::fixed_size_gaussian(Sigma(1.0), Rate(0.1)).unwrap();
        assert!(PrivacyLossDivergence.compose(&[fixed.clone(), fixed.clone()]).is_ok());
        assert!(PrivacyLossDivergence.compose(&[fixed, P::poisson_gaussian(Sigma(1.0), Rate(0.1)).unwrap()]).is_err());
    }

    #[test]
    fn a_million_equal_losses_are_counted() {
        let step = P::poisson_gaussian(Sigma(1.0), Rate(0.01)).unwrap();
        let all = PrivacyLossDivergence.compose(&vec![step.clone(); 1_000_000]).unwrap();
        assert_eq!(all, step.repeat(1_000_000).unwrap());
    }

    #[test]
    fn of_nothing_there_is_no_loss_and_of_everything_no_promise() {
        assert_eq!(PrivacyLossDivergence.compose(&[]), Ok(P::none()));
        let nothing = PrivacyLossDivergence::infinite().unwrap();
        assert_eq!(nothing.delta(600.0).unwrap().lower, 1.0);
        assert!(P::pure(600.0).unwrap().is_within(&nothing) && !nothing.is_within(&P::pure(600.0).unwrap()));
        let profile = PrivacyProfile::losses(nothing);
        assert_eq!((profile.delta(1.0), profile.epsilon(0.5)), (Ok(1.0), Ok(f64::INFINITY)));
        let profile = PrivacyProfile::losses(P::none());
        assert_eq!((profile.delta(0.0), profile.epsilon(0.0)), (Ok(0.0), Ok(0.0)));
    }
}
