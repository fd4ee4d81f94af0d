//! Selections and quantiles.

use super::floats;
use indistinct::{
    prelude::*,
    sampling::{IntegerNoise, SelectionNoise, noisy_top_k, testing::SeededEntropy},
};
use indistinct_tests::{covers, decimal, fraction, vectors};

#[test]
fn selections_never_fail_and_have_no_favorites() {
    let vectors = vectors("selection");
    let mut entropy = SeededEntropy::new(91);
    let scores = VectorDomain::new(AtomDomain::f64()).with_size(1493);
    let select = make_exponential(scores, LInfDistance::new(), MaxDivergence, 2.0).unwrap();
    let mut zeros_and_one = vec![-1e6; 1492];
    zeros_and_one.push(0.0);
    assert_eq!(
        select.invoke_with(&zeros_and_one, &mut entropy),
        Ok(1492),
        "all weights but one are below the least float"
    );
    // What weights in floats give: nothing to divide by.
    assert_eq!(zeros_and_one.iter().map(|score: &f64| ((score - 1e6) / 2.0).exp()).sum::<f64>(), 0.0);

    let special = floats(&vectors["exp_mech_score_nan_inf"]["scores"]);
    let four = VectorDomain::new(AtomDomain::f64()).with_size(4);
    let select = make_noisy_max(four.clone(), LInfDistance::new(), MaxDivergence, 1.0).unwrap();
    assert_eq!(select.invoke(&special).unwrap_err().kind(), ErrorKind::Domain);
    // The negative control looks for the greatest by a comparison that has no answer for NaN.
    let by_comparison = || special.iter().max_by(|x, y| x.partial_cmp(y).unwrap()).copied();
    assert!(std::panic::catch_unwind(by_comparison).is_err(), "no power");
    let finite_or_infinite = [special[1], special[2], special[3], 0.0];
    assert_eq!(select.invoke(&finite_or_infinite), Ok(0));

    // The least of 0 and 10, by negated scores.
    let two = VectorDomain::new(AtomDomain::f64()).with_size(2);
    let least = make_noisy_max(two, LInfDistance::new(), MaxDivergence, 1e-3).unwrap();
    assert!((0..1000).all(|_| least.invoke_with(&[-0.0, -10.0], &mut entropy) == Ok(0)));
    // The negative control forgets that the least was asked for.
    assert!((0..1000).all(|_| least.invoke_with(&[0.0, 10.0], &mut entropy) == Ok(1)), "no power");

    // Equal scores: each position a quarter (Hoeffding, a false alarm once in 10^9).
    for noise in [SelectionNoise::Gumbel, SelectionNoise::Exponential] {
        let mut shares = [0.0; 4];
        for _ in 0..200_000 {
            shares[noisy_top_k(&[0i64; 4], 1, 1.0, noise, &mut entropy).unwrap()[0]] += 1.0 / 200_000.0;
        }
        let bound = (f64::ln(8e9) / 400_000.0).sqrt();
        assert!(shares.iter().all(|share| f64::abs(share - 0.25) < bound), "{shares:?}");
        // The negative control adds integers, and takes the first of those that are equal.
        let integers = IntegerNoise::geometric(1.0).unwrap();
        let mut shares = [0.0; 4];
        for _ in 0..200_000 {
            let noisy = [0; 4].map(|_| integers.draw_i64(&mut entropy).unwrap());
            let greatest = noisy.iter().max().unwrap();
            shares[noisy.iter().position(|number| number == greatest).unwrap()] += 1.0 / 200_000.0;
        }
        assert!(shares.iter().any(|share| f64::abs(share - 0.25) > bound), "{shares:?}: no power");
    }
}

#[test]
fn quantile_parameters_at_their_edges() {
    let vector = &vectors("selection")["quantile_alpha_edges"];
    let make = |candidates: Vec<f64>, alpha| {
        let rows = VectorDomain::new(AtomDomain::f64());
        make_private_quantile(rows, SymmetricDistance, MaxDivergence, candidates, alpha, 1.0)
    };
    for alpha in floats(&vector["alpha"]) {
        assert_eq!(make(vec![0.0, 1.0], alpha).is_ok(), (0.0..=1.0).contains(&alpha), "{alpha:e}");
    }
    for candidates in vector["candidates"].as_array().unwrap() {
        let candidates = floats(candidates);
        let valid = candidates == [0.0];
        assert_eq!(make(candidates.clone(), 0.5).is_ok(), valid, "{candidates:?}");
        // The negative control asks for pairs that are out of order: there are none among no candidates, one that is no
        // number, or two equal ones.
        let naive = !candidates.windows(2).any(|pair| pair[0] > pair[1]);
        assert_eq!(naive, candidates != [1.0, 0.0], "{candidates:?}: no power");
    }
    #[allow(clippy::manual_range_contains)] // it is what the negative control is about
    let naive = |alpha: f64| !(alpha < 0.0 || alpha > 1.0);
    assert!(naive(f64::NAN) && make(vec![0.0, 1.0], f64::NAN).is_err(), "no power");
}

#[test]
fn permute_and_flip_is_not_a_bounded_range() {
    let vector = &vectors("composition")["zcdp_noisy_max_claim"];
    let scores = || VectorDomain::new(AtomDomain::i64()).with_size(2);
    let flip = make_permute_and_flip(scores(), LInfDistance::new(), 1.0).unwrap();
    let rho = make_pureDP_to_zCDP(flip.clone()).unwrap().map(&1.0).unwrap();
    // The Renyi divergence of order 2 is at most twice rho.
    let divergence = decimal(&vector["truth"]["D_2(P(x)||P(y))"]);
    assert!(covers(2.0 * rho, &divergence));
    // The negative control takes the loss for that of a bounded range.
    let epsilon = flip.map(&1.0).unwrap();
    assert_eq!(epsilon * epsilon / 8.0, fraction(&vector["claimed_rho"]).to_f64());
    assert!(!covers(2.0 * epsilon * epsilon / 8.0, &divergence), "no power");
    // Where a selection is asked for under rho, its noise is Gumbel's, which has the lesser loss.
    let measure = ZeroConcentratedDivergence;
    let gumbel = make_noisy_max(scores(), LInfDistance::new(), measure, 1.0).unwrap().map(&1.0).unwrap();
    assert_eq!(gumbel, fraction(&vector["claimed_rho"]).to_f64());
}

/// The number of the vector is not taken on trust.
#[test]
fn the_divergence_of_permute_and_flip_is_that_of_its_laws() {
    let divergence = decimal(&vectors("composition")["zcdp_noisy_max_claim"]["truth"]["D_2(P(x)||P(y))"]).to_f64();
    let tail = (-2f64).exp() / 2.0;
    let direct = (0.25 / (1.0 - tail) + 0.25 / tail).ln();
    assert!((direct - divergence).abs() < 1e-12, "{direct}");
}
