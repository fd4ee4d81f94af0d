//! Every operation brackets the real result between two adjacent floats; the truth is MPFR at 400 bits.

use indistinct_numeric::{Direction, Fallible, RoundedArithmetic, RoundedMath};
use proptest::prelude::*;
use rug::{Float, ops::Pow};

const BITS: u32 = 400;

fn wide(x: impl Into<f64>) -> Float {
    Float::with_val(BITS, x.into())
}

/// The pair is (greatest float not above, least float not below) the truth, which is known to 400 bits.
macro_rules! assert_brackets {
    ($truth:expr, $operation:expr) => {{
        let truth: Float = $truth;
        let operation = $operation;
        match (operation(Direction::Down), operation(Direction::Up)) {
            (Ok(low), Ok(high)) => {
                prop_assert!(low <= truth && truth <= high, "{low:e} <= {truth:e} <= {high:e}");
                prop_assert!(low == high || low.next_up() == high, "{low:e} and {high:e} are not adjacent");
                prop_assert!(low != high || low == truth || truth.is_infinite());
            }
            (low, high) => {
                let error: Fallible<f64> = low.map(Into::into);
                prop_assert!(truth.is_nan() && error == high.map(Into::into), "refused a number: {truth:e}");
            }
        }
    }};
}

/// Every finite float, with weight on the sizes where functions do something interesting.
fn any_f64() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite()),
        -800f64..800.0,
        -1.5f64..1.5,
        (-1e-300f64..1e-300),
        prop::sample::select(vec![0.0, 1.0, -1.0, f64::MAX, f64::MIN_POSITIVE, 5e-324, 709.782712893384, -745.2]),
    ]
}

/// Likewise for f32.
fn any_f32() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<u32>().prop_map(|bits| f32::from_bits(bits & !(1 << 23))),
        -110f32..110.0,
        -1.5f32..1.5,
        prop::sample::select(vec![0.0, 1.0, -1.0, f32::MAX, f32::MIN_POSITIVE, 1e-45]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn math_on_f64(x in any_f64(), y in any_f64(), n in -400i32..400) {
        assert_brackets!(wide(x).exp(), |d| x.exp_rounded(d));
        assert_brackets!(wide(x).exp_m1(), |d| x.exp_m1_rounded(d));
        assert_brackets!(wide(x).ln(), |d| x.ln_rounded(d));
        assert_brackets!(wide(x).ln_1p(), |d| x.ln_1p_rounded(d));
        assert_brackets!(wide(x).log2(), |d| x.log2_rounded(d));
        assert_brackets!(wide(x).sqrt(), |d| x.sqrt_rounded(d));
        assert_brackets!(wide(x).pow(n), |d| x.powi_rounded(n, d));
        let x = x.abs();
        assert_brackets!(wide(x).pow(wide(y)), |d| x.powf_rounded(y, d));
    }

    #[test]
    fn everything_on_f32(x in any_f32(), y in any_f32(), n in -40i32..40) {
        assert_brackets!(wide(x) + wide(y), |d| x.add_rounded(y, d));
        assert_brackets!(wide(x) - wide(y), |d| x.sub_rounded(y, d));
        assert_brackets!(wide(x) * wide(y), |d| x.mul_rounded(y, d));
        if y != 0.0 {
            assert_brackets!(wide(x) / wide(y), |d| x.div_rounded(y, d));
        }
        assert_brackets!(wide(y).exp(), |d| y.exp_rounded(d));
        assert_brackets!(wide(x).exp_m1(), |d| x.exp_m1_rounded(d));
        assert_brackets!(wide(x).ln(), |d| x.ln_rounded(d));
        assert_brackets!(wide(y).ln_1p(), |d| y.ln_1p_rounded(d));
        assert_brackets!(wide(x).log2(), |d| x.log2_rounded(d));
        assert_brackets!(wide(x).sqrt(), |d| x.sqrt_rounded(d));
        assert_brackets!(wide(x).pow(n), |d| x.powi_rounded(n, d));
        let x = x.abs();
        assert_brackets!(wide(x).pow(wide(y)), |d| x.powf_rounded(y, d));
    }
}

#[test]
fn what_has_no_real_value_is_an_error_and_zero_has_no_sign() {
    let inf = f64::INFINITY;
    for direction in [Direction::Up, Direction::Down] {
        let undefined: [Fallible<f64>; 9] = [
            inf.sub_rounded(inf, direction),
            inf.add_rounded(-inf, direction),
            0f64.mul_rounded(inf, direction),
            0f64.div_rounded(0.0, direction),
            inf.div_rounded(inf, direction),
            (-1f64).sqrt_rounded(direction),
            (-1f64).ln_rounded(direction),
            (-2f64).ln_1p_rounded(direction),
            (-2f64).powf_rounded(0.5, direction),
        ];
        assert!(undefined.iter().all(Result::is_err), "{undefined:?}");
        assert!(f64::NAN.add_rounded(1.0, direction).is_err() && f64::NAN.powf_rounded(0.0, direction).is_err());
        assert!(f32::NAN.exp_rounded(direction).is_err() && 1f64.mul_rounded(f64::NAN, direction).is_err());
        assert_eq!(1f64.div_rounded(-0.0, direction), Ok(inf));
        assert_eq!((-1f64).div_rounded(0.0, direction), Ok(-inf));
        assert_eq!((-0f64).powi_rounded(-3, direction), Ok(inf));
        assert_eq!((-0f64).ln_rounded(direction), Ok(-inf));
        for zero in [
            (-0f64).add_rounded(-0.0, direction),
            1f64.sub_rounded(1.0, direction),
            (-0f64).sqrt_rounded(direction),
            (-1f64).div_rounded(inf, direction),
        ] {
            assert_eq!(zero.map(f64::to_bits), Ok(0));
        }
        assert_eq!((-5e-324f64).inf_mul(0.25).map(f64::to_bits), Ok(0));
    }
    assert_eq!(f64::MAX.neg_inf_add(f64::MAX), Ok(f64::MAX));
    assert_eq!(f64::MAX.inf_add(f64::MAX), Ok(inf));
}
