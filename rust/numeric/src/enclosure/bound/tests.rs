use super::*;
use proptest::prelude::*;
use rug::Float;

fn float(x: f64) -> Float {
    Float::with_val(300, x)
}

/// Floats of all sizes and both signs.
fn any() -> impl Strategy<Value = f64> {
    (-1.0f64..1.0, -1074i32..1023)
        .prop_map(|(x, exponent)| x * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2))
}

fn between(below: Below, truth: &Float, above: Above) -> bool {
    below.get() <= *truth && above.get() >= *truth
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn arithmetic_rounds_outward(x in any(), y in any()) {
        let (a, b) = ((Below::exact(x), Above::exact(x)), (Below::exact(y), Above::exact(y)));
        prop_assert!(between(a.0 + b.0, &(float(x) + y), a.1 + b.1));
        prop_assert!(between(a.0 - b.1, &(float(x) - y), a.1 - b.0));
        prop_assert!(between(a.0 + y, &(float(x) + y), a.1 + y));
        prop_assert!(between(a.0 - y, &(float(x) - y), a.1 - y));
        prop_assert!(between(-a.1, &float(-x), -a.0));
        let (size, other) = (x.abs(), y.abs());
        prop_assert!(between(a.0 * other, &(float(x) * other), a.1 * other));
        if other > 0.0 {
            prop_assert!(between(a.0 / other, &(float(x) / other), a.1 / other));
        }
        let (a, b) = ((Below::exact(size), Above::exact(size)), (Below::exact(other), Above::exact(other)));
        prop_assert!(between(a.0 * b.0, &(float(size) * other), a.1 * b.1));
        prop_assert!(between(a.0.squared(), &(float(size) * size), a.1.squared()));
        prop_assert!(between(a.0.power(3), &(float(size) * size * size), a.1.power(3)));
        prop_assert!(between(a.0.sqrt(), &float(size).sqrt(), a.1.sqrt()));
        if other > 0.0 {
            prop_assert!(between(a.0 / b.1, &(float(size) / other), a.1 / b.0));
        }
        prop_assert!((Above::exact(x) * Above::exact(other)).get() >= float(x) * other);
        let (a, b) = (Range::exact(x), Range::exact(y));
        let within = |range: Range, truth: Float| between(range.below, &truth, range.above);
        prop_assert!(within(a + b, float(x) + y) && within(a - b, float(x) - y) && within(a + y, float(x) + y));
        prop_assert!(within(a * y, float(x) * y) && within(-a - y, -float(x) - y) && a.size().get() >= size);
        prop_assert!(within(Range::square(x), float(x) * x));
        prop_assert!(within(Range::around(x, Above::exact(other)), float(x) + y) && a.width().get() >= 0.0);
    }

    #[test]
    fn functions_round_outward(x in -750.0f64..750.0, size in -60i32..9) {
        for x in [x, x * 2f64.powi(size - 9)] {
            let (a, b) = (Below::exact(x), Above::exact(x));
            prop_assert!(between(a.exp(), &float(x).exp(), b.exp()), "{}", x);
            prop_assert!(between(a.exp_m1(), &float(x).exp_m1(), b.exp_m1()), "{}", x);
            if x > 0.0 {
                prop_assert!(between(a.ln(), &float(x).ln(), b.ln()), "{}", x);
            }
            if x > -1.0 {
                prop_assert!(between(a.ln_1p(), &float(x).ln_1p(), b.ln_1p()), "{}", x);
            }
        }
    }

    #[test]
    fn sums_round_outward(terms in proptest::collection::vec(0.0f64..1.0, 0..300)) {
        let truth = terms.iter().fold(float(0.0), |sum, term| sum + term);
        let below: Below = terms.iter().map(|term| Below::exact(*term)).sum();
        let above: Above = terms.iter().map(|term| Above::exact(*term)).sum();
        prop_assert!(between(below, &truth, above) && above.get() - below.get() <= 1e-10);
    }
}

proptest! {
    #[test]
    fn products_and_sums_in_a_row_are_charged(terms in proptest::collection::vec(1e-3f64..1e3, 1..60)) {
        let (mut x, mut truth, mut operations) = (1.0, float(1.0), 0);
        for (i, term) in terms.iter().enumerate() {
            match i % 3 {
                0 => (x, truth) = (x + term, truth + term),
                1 => (x, truth) = (x * term, truth * term),
                _ => (x, truth) = (x / term, truth / term),
            }
            operations += 1;
        }
        prop_assert!(between(Below::rounded(x, operations), &truth, Above::rounded(x, operations)));
        for y in [0.0, 1e-9, 1.0, x] {
            let least = Below::rounded_difference(x * y, x, operations + 1);
            prop_assert!(least.get() <= float(y) * &truth - &truth);
            let least = Below::rounded_difference(x, x * y, operations + 1);
            prop_assert!(least.get() <= Float::with_val(300, &truth) - float(y) * &truth);
        }
    }
}

#[test]
fn two_pi_is_between() {
    let truth = Float::with_val(300, rug::float::Constant::Pi) * 2u32;
    assert!(between(Below::TWO_PI, &truth, Above::TWO_PI));
}

/// A NaN, an overflow, what has no sign that it needs: nothing is known, and it stays so.
#[test]
fn nothing_is_known_by_a_nan() {
    let (nan_above, nan_below) = (Above::exact(f64::NAN), Below::exact(f64::NAN));
    for above in [
        nan_above,
        nan_above * nan_above,
        nan_above.exp() + 1.0,
        nan_above.ln_1p(),
        Above::exact(1.0) * -1.0,
        Above::exact(1.0) / 0.0,
        Above::exact(1.0) / Below::exact(-1.0),
        Above::exact(1.0) / nan_below,
        Above::exact(1e300) * Above::exact(1e300),
        Above::exact(1.0) - Below::UNKNOWN,
        Above::exact(-2.0).squared(),
        Above::ZERO.max(nan_above),
        [Above::ZERO, nan_above].into_iter().sum(),
    ] {
        assert_eq!(above.get(), f64::INFINITY, "{above:?}");
    }
    for below in [
        nan_below,
        nan_below * nan_below,
        nan_below.exp(),
        nan_below.exp_m1(),
        Below::exact(1e300) * Below::exact(1e300),
        Below::exact(-2.0).ln_1p(),
        Below::exact(1.0) * -1.0,
        Below::ZERO.min(nan_below),
    ] {
        assert_eq!(below.get(), f64::NEG_INFINITY, "{below:?}");
    }
    assert_eq!(Above::exact(2.0).or(nan_above).get(), 2.0);
    assert_eq!(nan_above.or(Above::exact(2.0)).get(), 2.0);
    assert_eq!(nan_below.or(Below::exact(2.0)).get(), 2.0);
    assert!(Below::exact(1e6).exp().get() < 1.1e304 && Above::exact(1e6).exp().get() == f64::INFINITY);
}
