//! The fast path returns what MPFR returns, to the bit: on all pairs of special values and on 10^7 random
//! pairs (in `make test-deep`; a tenth of them in `make test`).

use crate::tries;
use indistinct_numeric::{Direction, Fallible, RoundedArithmetic, RoundedMath, mpfr};
use proptest::{
    prelude::Rng,
    test_runner::{RngAlgorithm, TestRng},
};

/// Subnormals, powers of two and their neighbors, signed zeros, infinities, NaN, and the edges of the fast path.
fn special_values() -> Vec<f64> {
    let mut values =
        vec![0.0, f64::INFINITY, f64::MAX, 5e-324, f64::MIN_POSITIVE, 0.1, 1.0 / 3.0, std::f64::consts::PI];
    for exponent in [
        -1074, -1073, -1050, -1022, -1021, -970, -961, -960, -959, -907, -600, -537, -512, -480, -53, -52, -1, 0, 1, 2,
        26, 27, 52, 53, 54, 62, 480, 511, 512, 513, 600, 970, 971, 1022, 1023,
    ] {
        // 2^1074 overflows, so `powi` cannot make the subnormal powers by division.
        let power = if exponent < -1022 { f64::from_bits(1 << (exponent + 1074)) } else { 2f64.powi(exponent) };
        assert!(power > 0.0);
        values.extend([power.next_down(), power, power.next_up(), power * 1.5, power * 1.75]);
    }
    values.extend(values.clone().iter().map(|x| -x));
    values.push(f64::NAN);
    values
}

fn same(fast: Fallible<f64>, truth: Fallible<f64>) -> bool {
    match (fast, truth) {
        (Ok(fast), Ok(truth)) => fast.to_bits() == truth.to_bits(),
        (fast, truth) => fast == truth,
    }
}

fn check(x: f64, y: f64) {
    for direction in [Direction::Up, Direction::Down] {
        let report =
            |operation: &str| format!("{operation} {direction:?} of {:#018x} and {:#018x}", x.to_bits(), y.to_bits());
        assert!(same(x.add_rounded(y, direction), mpfr::add(x, y, direction)), "{}", report("add"));
        assert!(same(x.sub_rounded(y, direction), mpfr::sub(x, y, direction)), "{}", report("sub"));
        assert!(same(x.mul_rounded(y, direction), mpfr::mul(x, y, direction)), "{}", report("mul"));
        assert!(same(x.div_rounded(y, direction), mpfr::div(x, y, direction)), "{}", report("div"));
        assert!(same(x.sqrt_rounded(direction), mpfr::sqrt(x, direction)), "{}", report("sqrt"));
    }
}

#[test]
fn special_pairs() {
    let values = special_values();
    for &x in &values {
        for &y in &values {
            check(x, y);
        }
    }
}

/// A pair whose exponents are close often enough for every rounding case to occur, or any two bit patterns.
fn random_pair(mut word: impl FnMut() -> u64) -> (f64, f64) {
    let (x, y) = (word(), word());
    let y = match word() % 4 {
        // Exponents within 64 of each other, so that sums round in every way.
        0 => (y & !(0x7ff << 52)) | ((((x >> 52) & 0x7ff) + (y % 64)).min(0x7fe) << 52),
        // Few significant bits: exact results and ties.
        1 => y & (!0 << 45),
        // Exponents that add up to an underflow.
        2 => (y & !(0x7ff << 52)) | (((1023 + 60 + y % 80).saturating_sub((x >> 52) & 0x7ff) & 0x7ff) << 52),
        _ => y,
    };
    (f64::from_bits(x), f64::from_bits(y))
}

fn random_pairs(seed: u8, pairs: u32) {
    let mut generator = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    for _ in 0..pairs {
        let (x, y) = random_pair(|| generator.next_u64());
        check(x, y);
    }
}

// Two tests, so that two cores share the 10^7 pairs.
#[test]
fn random_pairs_first_half() {
    random_pairs(1, tries(5_000_000));
}

#[test]
fn random_pairs_second_half() {
    random_pairs(2, tries(5_000_000));
}

/// A fast path as it is often written: it steps by the sign of a residual in floats, without asking whether that
/// underflowed.
fn naive_inf_mul(x: f64, y: f64) -> f64 {
    let product = x * y;
    if x.mul_add(y, -product) > 0.0 { product.next_up() } else { product }
}

#[test]
fn the_test_has_power_a_naive_fast_path_fails_it() {
    let x = 2f64.powi(-600);
    assert!(!same(Ok(naive_inf_mul(x, x)), mpfr::mul(x, x, Direction::Up)));
    assert_eq!(x.inf_mul(x), Ok(5e-324));
}
