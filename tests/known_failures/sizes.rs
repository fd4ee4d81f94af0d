//! The greatest scales, the finest grids and long lists.

use crate::resources::within;
use indistinct::{
    measurements::Scale,
    prelude::*,
    sampling::{self, testing::SeededEntropy},
};
use indistinct_tests::{float, vectors};

/// The greatest scales, the finest grids, long lists: answers or errors, within the time and the memory of the vectors.
#[test]
fn extreme_sizes_are_answered_or_refused() {
    let vectors = vectors("resources");
    let gaussian = &vectors["discrete_gaussian_sigma_1e154"];
    let sigma = float(&gaussian["params"]["sigma"]);
    assert_eq!(gaussian["limits"], vectors["discrete_laplace_scale_2p1000"]["limits"]);
    for scale in [2f64.powi(1000), sigma, f64::MAX] {
        within("discrete_laplace_scale_2p1000", || {
            let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), scale).unwrap();
            assert!(noisy.invoke(&0).is_ok() && noisy.map(&1.0).unwrap() > 0.0);
            Ok(())
        });
        within("discrete_gaussian_sigma_1e154", || {
            let noisy = make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale);
            assert!(noisy.is_err() || noisy.unwrap().invoke(&0).is_ok());
            Ok(())
        });
    }
    // The negative control counts successes of a coin that never fails, in floats.
    let coin = (-1.0 / 2f64.powi(1000)).exp();
    let mut entropy = SeededEntropy::new(102);
    assert!((0..1_000_000).all(|_| sampling::bernoulli(coin, &mut entropy) == Ok(true)), "no power");
    // The negative control's weights are of squares that overflow, ten sigma out.
    assert!((-(10.0 * sigma).powi(2) / (2.0 * sigma * sigma)).exp().is_nan(), "no power");

    let vector = &vectors["granularity_k_minus_1074"];
    let grid = i32::try_from(vector["params"]["k"].as_i64().unwrap()).unwrap();
    let length = usize::try_from(vector["params"]["vector_len"].as_u64().unwrap()).unwrap();
    within("granularity_k_minus_1074", || {
        let many = VectorDomain::new(AtomDomain::f64()).with_size(length);
        let fine = make_laplace(many, L1Distance::new(), Scale::new(1.0).on_grid(grid)).unwrap();
        assert_eq!(fine.invoke(&vec![0.5; length]).unwrap().len(), length);
        Ok(())
    });

    let vector = &vectors["exponent_range_k"];
    let (scale, grid) =
        (float(&vector["params"]["scale"]), i32::try_from(vector["params"]["k"].as_i64().unwrap()).unwrap());
    within("exponent_range_k", || {
        let wide = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), Scale::new(scale).on_grid(grid));
        assert!(wide.is_err() || wide.unwrap().invoke(&0.5).is_ok());
        Ok(())
    });
    for k in [-1075, 1024] {
        assert!(make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), Scale::new(1.0).on_grid(k)).is_err());
    }
    // The negative control rounds to a power of two in floats, which is 0 or infinite.
    let naive = |k: i32| (0.5 / 2f64.powi(k)).round() * 2f64.powi(k);
    assert!(naive(-1075).is_nan() && naive(1024).is_nan(), "no power");
    // Scales of noise are floats: no fraction with a denominator of 200,000 bits can be one.
    let none = smallest_scale(|scale| make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale), &1.0, &0.0);
    assert!(none.is_err());
}
