//! Losses of randomized responses, and charges that are no losses.

use indistinct::{
    numeric::gmp::Rational,
    prelude::*,
    sampling::{Entropy, testing::SeededEntropy},
};
use indistinct_tests::{covers, decimal, float, is_tight, vectors};

#[test]
fn losses_of_randomized_responses() {
    let mut right = Vec::new();
    for (name, vector) in vectors("privacy_maps").into_iter().filter(|(name, _)| name.starts_with("rr_")) {
        let prob = float(&vector["params"]["p"]);
        let reported = match vector["params"]["k"].as_u64() {
            None => make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, prob).unwrap().map(&1),
            Some(k) => {
                let categories = (0..u32::try_from(k).unwrap()).collect();
                make_randomized_response(AtomDomain::u32(), DiscreteDistance, categories, prob).unwrap().map(&1)
            }
        };
        let (reported, truth) = (reported.unwrap(), decimal(&vector["truth"]));
        assert!(covers(reported, &truth) && is_tight(reported, &truth), "{name}: {reported:e}");
        // The negative control takes the logarithm in floats.
        let others = vector["params"]["k"].as_u64().map_or(1.0, |k| Rational::from(k - 1).to_f64());
        let naive = (prob * others / (1.0 - prob)).ln();
        if covers(naive, &truth) {
            right.push(name);
        }
    }
    assert_eq!(right, ["rr_bool_p_0.75"], "where a logarithm in floats is right");
}

#[test]
fn every_bit_of_a_vector_is_flipped() {
    let vectors = vectors("stability");
    assert!(vectors.contains_key("bitvector_length") && vectors.contains_key("bitvector_last_bit"));
    let rows = || VectorDomain::new(AtomDomain::bool());
    let response = make_randomized_response_bitvec(rows(), HammingDistance, 0.75).unwrap();
    let mut entropy = SeededEntropy::new(97);
    for n in [1usize, 7, 8, 9, 63, 64, 65] {
        let mut shares = vec![0.0; n];
        for _ in 0..20_000 {
            let release = response.invoke_with(&vec![false; n], &mut entropy).unwrap();
            // The length is that of the input, which the metric takes for public: vectors of two lengths are infinitely
            // far apart.
            assert_eq!(release.len(), n);
            shares.iter_mut().zip(release).for_each(|(share, bit)| *share += if bit { 1.0 / 20_000.0 } else { 0.0 });
        }
        // Hoeffding, a false alarm once in 10^10 for each bit.
        let bound = (f64::ln(2e10) / 40_000.0).sqrt();
        assert!(shares.iter().all(|share| f64::abs(share - 0.25) < bound), "{n}: {shares:?}");
        // The negative control never flips the last bit.
        let mut last = 0.0;
        for _ in 0..20_000 {
            let mut bits = vec![false; n];
            for bit in bits.iter_mut().take(n - 1) {
                *bit = !indistinct::sampling::bernoulli(0.75, &mut entropy).unwrap();
            }
            last += if bits[n - 1] { 1.0 / 20_000.0 } else { 0.0 };
        }
        assert!(f64::abs(last - 0.25) > bound, "{n}: no power");
    }
    // Vectors of two lengths are infinitely far apart. The negative control compares bit by bit, and finds the same
    // distance where releases tell.
    let bits = |side: &str| -> Vec<bool> {
        vectors["bitvector_length"][side].as_str().unwrap().chars().map(|c| c == '1').collect()
    };
    let (x, y) = (bits("x"), bits("y"));
    assert_eq!(indistinct_audit::distances::hamming(&x, &y), None);
    let apart = x.iter().zip(&y).filter(|(x, y)| x != y).count();
    let lengths = [&x, &y].map(|bits| response.invoke_with(bits, &mut entropy).unwrap().len());
    assert!(apart == 0 && lengths[0] != lengths[1], "no power");
}

/// Charges that are no losses are refused and spend nothing, and the conversation goes on.
#[test]
fn a_filter_refuses_what_is_no_loss() {
    let vector = &vectors("composition")["invalid_charges"];
    let space = || (AtomDomain::bool(), DiscreteDistance);
    let charge = |loss: f64| {
        let release = |_: &bool, _: &mut dyn Entropy| Ok(());
        make_user_measurement(space().0, space().1, MaxDivergence, release, move |d: &u32| {
            Ok(if *d == 0 { 0.0 } else { loss })
        })
        .unwrap()
    };
    let budget = float(&vector["budget"]);
    let filter = make_privacy_filter(space().0, space().1, MaxDivergence, 1, budget).unwrap().invoke(&true).unwrap();
    let charges: Vec<f64> = vector["charges"].as_array().unwrap().iter().map(float).collect();
    for loss in &charges {
        assert_eq!(filter.eval(&charge(*loss)).is_ok(), *loss == 0.0, "{loss:e}");
        assert_eq!(filter.spent(), Ok(0.0));
    }
    assert_eq!((filter.eval(&charge(budget)), filter.spent()), (Ok(()), Ok(budget)));
    assert_eq!(filter.eval(&charge(5e-324)).unwrap_err().kind(), ErrorKind::Budget);
    // The negative control asks whether the budget is exceeded: what is not a number exceeds nothing, nor does anything
    // after it; what is negative makes room for more.
    let naive = |charges: &[f64]| {
        let (mut total, mut accepted) = (0.0, Vec::new());
        for charge in charges {
            if !matches!((total + charge).partial_cmp(&budget), Some(std::cmp::Ordering::Greater)) {
                total += charge;
                accepted.push(*charge);
            }
        }
        (total, accepted.len())
    };
    for charge in charges.iter().filter(|charge| **charge != 0.0 && **charge != f64::INFINITY) {
        assert_eq!(naive(&[*charge]).1, 1, "{charge:e}: no power");
    }
    assert!(naive(&[f64::NAN, budget, budget]).1 == 3 && naive(&[-0.125, budget, 0.125]).1 == 3, "no power");
}
