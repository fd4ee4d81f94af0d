//! `make_pureDP_to_PLD`.

use crate::{
    core::{Domain, Fallible, Measurement, Metric, PrivacyMap},
    measures::{MaxDivergence, PrivacyLossDivergence, losses_of_pair},
};
use indistinct_derive::constructor;

/// Converts the epsilon of pure DP to a privacy loss distribution, which composes without slack.
///
/// # Privacy
///
/// For Laplace noise, geometric noise and randomized response, alone or in a chain, the losses are computed from the
/// mechanism's own distribution. For any other mechanism, and after a composition, conversion or sampling, they are the
/// losses of binary randomized response with the same epsilon, which dominates every mechanism with that epsilon
/// (Kairouz, Oh, Viswanath 2015). So convert first, and compose afterwards. An epsilon above 600 guarantees nothing.
///
/// ```
/// use indistinct::prelude::*;
/// let noisy = || make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 10.0);
/// assert_eq!(make_pureDP_to_PLD(noisy()?)?.map(&1.0)?.to_string(), "Laplace noise of scale 10.0");
/// let losses = (0..100).map(|_| make_pureDP_to_PLD(noisy()?)).collect::<Fallible<Vec<_>>>()?;
/// let all = make_PLD_to_approxDP(make_composition(losses)?)?;
/// let (epsilon, _) = make_fix_delta(all, 1e-6)?.map(&1.0)?;
/// assert!(epsilon > 4.0 && epsilon < 5.2, "{epsilon}"); // not 10
/// # Ok::<(), Error>(())
/// ```
#[allow(non_snake_case)] // the field's names for the measures
#[constructor(children(measurement))]
pub fn make_pureDP_to_PLD<DI: Domain, TO: 'static, MI: Metric>(
    measurement: Measurement<DI, TO, MI, MaxDivergence>,
) -> Fallible<Measurement<DI, TO, MI, PrivacyLossDivergence>> {
    let mapped = measurement.clone();
    let map = PrivacyMap::new(move |d_in| match mapped.losses() {
        Some(own) => own.eval(d_in),
        None => losses_of_pair(mapped.map(d_in)?, 0.0),
    });
    Ok(measurement.under_map(PrivacyLossDivergence, map))
}

#[cfg(test)]
mod tests {
    use crate::{measures::CompositionMeasure, prelude::*};
    use indistinct_accounting::Scale;

    type P = PrivacyLossDistribution;

    fn told<DI: Domain, TO: 'static, MI: Metric>(
        measurement: Measurement<DI, TO, MI, MaxDivergence>,
        d_in: MI::Distance,
    ) -> P {
        make_pureDP_to_PLD(measurement).unwrap().map(&d_in).unwrap()
    }

    #[test]
    fn noise_and_responses_tell_their_own_law() {
        let vectors = || VectorDomain::new(AtomDomain::f64());
        let counts = || VectorDomain::new(AtomDomain::i64());
        let real = |scale: f64| make_laplace(vectors(), L1Distance::new(), scale).unwrap();
        assert_eq!(told(real(3.0), 1.5), P::laplace(Scale(2.0)).unwrap());
        assert_eq!(told(real(1.0), 3.0), P::laplace(Scale((1f64 / 3.0).next_down().next_up())).unwrap());
        assert_eq!((told(real(3.0), 0.0), told(real(0.0), 0.0)), (P::none(), P::none()));
        let nothing = PrivacyLossDivergence::infinite().unwrap();
        assert_eq!((told(real(0.0), 1.0), told(real(1.0), f64::INFINITY)), (nothing.clone(), nothing.clone()));
        assert_eq!(told(real(1e300), 1e-300), P::laplace(Scale(1e100)).unwrap());
        let whole = |scale: f64| make_laplace(counts(), L1Distance::new(), scale).unwrap();
        assert_eq!(told(whole(3.0), 2.5), P::discrete_laplace(Scale(3.0), 2).unwrap());
        assert_eq!((told(whole(3.0), 0.5), told(whole(0.0), 0.5)), (P::none(), P::none()));
        // Where the accountant has no such pair, the one of epsilon.
        assert_eq!(told(whole(1e12), 5e9), P::pure(5e9f64 / 1e12).unwrap());
        assert_eq!((told(whole(0.0), 1.0), told(whole(1.0), 5e9)), (nothing.clone(), nothing.clone()));
        assert_eq!(told(whole(1e6), 1e5), P::discrete_laplace(Scale(1e6), 100_000).unwrap());
        let votes = make_geometric(AtomDomain::i64(), AbsoluteDistance::new(), 2.0, Some((0, 9))).unwrap();
        assert_eq!(told(votes, 1.0), P::discrete_laplace(Scale(2.0), 1).unwrap());
        let response = make_randomized_response(AtomDomain::i32(), DiscreteDistance, vec![1, 2, 3], 0.5).unwrap();
        let epsilon = response.map(&1).unwrap();
        assert_eq!(told(response.clone(), 1), P::randomized_response(epsilon, 3).unwrap());
        assert_eq!(told(response, 0), P::none());
        let sure = make_randomized_response(AtomDomain::i32(), DiscreteDistance, vec![1, 2, 3], 1.0).unwrap();
        assert_eq!(told(sure, 1), nothing);
        let bits = VectorDomain::new(AtomDomain::bool());
        let bits = make_randomized_response_bitvec(bits, HammingDistance, 0.75).unwrap();
        let bit = make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, 0.75).unwrap();
        let one = P::pure(bit.map(&1).unwrap()).unwrap();
        assert_eq!(told(bits.clone(), 3), one.repeat(3).unwrap());
        assert_eq!((told(bits, 0), told(bit, 1)), (P::none(), one));
    }

    #[test]
    fn the_law_goes_through_chains_and_not_through_compositions() {
        let space = || (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
        let sum = || (space() >> then_clamp((0.0, 2.0)) >> then_sum() >> then_laplace(4.0)).unwrap();
        assert_eq!(told(sum(), 1), P::laplace(Scale(2.0)).unwrap());
        let post = (sum() >> Function::new(|x: &f64| x + 1.0)).unwrap();
        assert_eq!(told(post, 2), P::laplace(Scale(1.0)).unwrap());
        let both = make_composition((sum(), sum())).unwrap();
        assert_eq!(told(both, 1), P::pure(1.0).unwrap());
        // Converted first, a mixed composition has the losses of all.
        let count = (space() >> then_count() >> then_laplace(1.0)).unwrap();
        let both = make_composition((make_pureDP_to_PLD(sum()).unwrap(), make_pureDP_to_PLD(count).unwrap())).unwrap();
        let all = P::laplace(Scale(2.0)).unwrap().compose(&P::discrete_laplace(Scale(1.0), 1).unwrap()).unwrap();
        assert_eq!(both.map(&1), Ok(all));
        // Never more than epsilon's worst case.
        let (own, any) = (told(sum(), 3), P::pure(sum().map(&3).unwrap()).unwrap());
        for epsilon in [0.0, 0.3, 1.0, 1.4] {
            assert!(own.delta(epsilon).unwrap().upper < any.delta(epsilon).unwrap().upper, "{epsilon}");
        }
    }
}
