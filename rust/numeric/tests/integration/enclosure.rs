//! Both arithmetics contain what MPFR finds with 192 bits, and balls are as narrow as is claimed: on up to 10^6 random
//! points a function (in `make test-deep`; a tenth of them in `make test`), and on the places where tables and formulas
//! meet.

use crate::tries;
use indistinct_numeric::enclosure::{Ball, EXP_NEAR_ERROR, Enclosure, Interval, exp_m1_near, exp_near, ln_1p_near};
use proptest::{
    prelude::Rng,
    test_runner::{RngAlgorithm, TestRng},
};
use rug::{Float, float::Constant, ops::Pow};

const BITS: u32 = 192;

fn wide(x: f64) -> Float {
    Float::with_val(BITS, x)
}

fn mills(x: f64) -> Float {
    let tail = Float::with_val(BITS, wide(x) * wide(0.5).sqrt()).erfc();
    let root = Float::with_val(BITS, Float::with_val(BITS, Constant::Pi) / 2u32).sqrt();
    Float::with_val(BITS, wide(x).pow(2) / 2u32).exp() * tail * root
}

/// The distance from the truth to the farther bound, times that the truth is divided by: what a caller sees, less the
/// rounding of the bounds to floats.
///
/// To see more than floats show, the truth's nearest float is subtracted first.
fn excess<E: Enclosure>(value: &E, truth: &Float) -> f64 {
    let near = truth.to_f64();
    let rest = value.sub(&E::exact(near));
    let truth_rest = Float::with_val(BITS, truth - near);
    let (low, high) = (rest.lower(), rest.upper());
    assert!(low <= truth_rest && truth_rest <= high, "{low:e} <= {truth_rest:e} <= {high:e} about {near:e}");
    (high - low) / near.abs()
}

fn check_ball(value: &Ball, truth: &Float, claim: i32) {
    let excess = excess(value, truth);
    assert!(excess <= 2f64.powi(claim), "{:.2} bits at {truth:e}", excess.log2());
}

struct Random(TestRng);

impl Random {
    fn new(seed: u8) -> Self {
        Self(TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]))
    }
    fn unit(&mut self) -> f64 {
        f64::from_bits(1023 << 52 | self.0.next_u64() >> 12) - 1.0
    }
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
    /// Spread evenly over the sizes.
    fn size(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp().clamp(low, high)
    }
}

#[test]
fn exponential() {
    let mut random = Random::new(1);
    let step = std::f64::consts::LN_2 / 128.0;
    let edges = (-129..=129).flat_map(|i| {
        let x = f64::from(i) * step;
        [x.next_down(), x, x.next_up()]
    });
    let mut points: Vec<f64> = edges.chain([0.0, 1e-300, -1e-300, 5e-324, 0.005, -0.005, 700.0, -700.0]).collect();
    points.extend((0..tries(500_000)).map(|_| random.between(-700.0, 700.0)));
    points.extend((0..tries(500_000)).map(|_| random.size(1e-12, 1.0) * if random.unit() < 0.5 { -1.0 } else { 1.0 }));
    for x in points {
        // Below, what underflow takes off shows: 2^-1060.
        check_ball(&Ball::exact(x).exp(), &wide(x).exp(), if x > -640.0 { -90 } else { -45 });
        if x.abs() > 1e-250 && x.abs() < 30.0 {
            check_ball(&Ball::exact(x).exp_m1(), &wide(x).exp_m1(), -84);
        }
    }
}

#[test]
fn logarithm() {
    let mut random = Random::new(2);
    let edges = (80..400).flat_map(|i| {
        let x = f64::from(i) / 256.0;
        [x.next_down(), x, x.next_up()]
    });
    let mut points: Vec<f64> = edges.chain([0.7, 1.4, 1.0, 1e300, 1e-300]).collect();
    points.extend((0..tries(500_000)).map(|_| random.size(1e-300, 1e300)));
    points.extend((0..tries(400_000)).map(|_| random.between(0.5, 2.0)));
    points.extend(
        (0..tries(100_000)).map(|_| 1.0 + random.size(1e-15, 0.1) * if random.unit() < 0.5 { -1.0 } else { 1.0 }),
    );
    for x in points {
        if x == 1.0 {
            assert!(Ball::exact(x).ln().lower() <= 0.0 && Ball::exact(x).ln().upper() < 1e-300);
        } else {
            check_ball(&Ball::exact(x).ln(), &wide(x).ln(), -90);
            if x > 1e-3 {
                check_ball(&Ball::exact(x - 1.0).ln_1p(), &wide(x - 1.0).ln_1p(), -87);
            }
        }
    }
}

#[test]
fn logarithm_of_a_sum_next_to_one() {
    let mut random = Random::new(3);
    for _ in 0..tries(100_000) {
        let x = random.size(1e-180, 1e-3);
        check_ball(&Ball::exact(1.0).add(&Ball::exact(x)).ln(), &wide(x).ln_1p(), -90);
        // Smaller ones are known to more bits than the truth here.
        if x > 1e-50 {
            check_ball(&Ball::exact(-x).ln_1p(), &wide(-x).ln_1p(), -87);
        }
    }
}

#[test]
fn ratio_of_mills() {
    let mut random = Random::new(4);
    let edges = (0..=513).flat_map(|i| {
        let x = f64::from(i) / 32.0;
        [x.next_down().abs(), x, x.next_up()]
    });
    let mut points: Vec<f64> = edges.chain([16.0, 1e3, 1e4]).collect();
    points.extend((0..tries(150_000)).map(|_| random.between(0.0, 16.5)));
    points.extend((0..tries(50_000)).map(|_| random.size(16.0, 1e4)));
    for x in points {
        check_ball(&Ball::exact(x).mills(), &mills(x), -90);
    }
}

#[test]
fn arithmetic_of_balls() {
    let mut random = Random::new(5);
    for _ in 0..tries(1_000_000) {
        let [a, b, c, d] = [(); 4].map(|()| {
            let size = random.size(1e-50, 1e50);
            if random.unit() < 0.5 { -size } else { size }
        });
        let ball = Ball::exact(a).add(&Ball::exact(b)).mul(&Ball::exact(c)).div(&Ball::exact(d));
        let truth = (wide(a) + wide(b)) * wide(c) / wide(d);
        check_ball(&ball, &truth, -95);
        let cancelled = Ball::exact(a).mul(&Ball::exact(b)).sub(&Ball::exact(a * b));
        let error = wide(a) * wide(b) - wide(a * b);
        assert!(cancelled.lower() <= error && cancelled.upper() >= error);
    }
}

/// Underflow, overflow, and what has no value: enclosed, if only by everything.
#[test]
fn extremes_are_enclosed() {
    let values = [0.0, 5e-324, 1e-310, 2.3e-308, 1e-200, 1.0, 1e200, 6.6e299, 6.8e299, f64::MAX];
    for x in values {
        for y in values {
            let (a, b) = (Ball::exact(x), Ball::exact(y));
            let truths = [wide(x) + wide(y), wide(x) - wide(y), wide(x) * wide(y)];
            for (value, truth) in [a.add(&b), a.sub(&b), a.mul(&b)].iter().zip(truths) {
                assert!(value.lower() <= truth && truth <= value.upper(), "{x:e} {y:e}: {value:?}");
            }
            let quotient = a.div(&b);
            let truth = wide(x) / wide(y);
            assert!(y == 0.0 || quotient.lower() <= truth && truth <= quotient.upper(), "{x:e} {y:e}: {quotient:?}");
        }
        assert!(Ball::exact(x).exp().lower() <= wide(x).exp() && Ball::exact(x).exp().upper() >= wide(x).exp());
        assert!(Ball::exact(x).ln().lower() <= wide(x).ln() && Ball::exact(x).ln().upper() >= wide(x).ln());
        assert!(Ball::exact(x).mills().lower() >= f64::NEG_INFINITY);
        let interval = Interval::<150>::exact(x).mills();
        assert!(interval.lower() <= mills(x.min(1e4)) && interval.upper() >= 0.0);
    }
    for nothing in [
        Ball::exact(f64::NAN),
        Ball::exact(f64::INFINITY),
        Ball::exact(-1.0).ln(),
        Ball::exact(1.0).div(&Ball::exact(0.0)),
        Ball::exact(-1.0).mills(),
        Ball::exact(1e4).exp(),
        Ball::exact(-1e16).exp(),
        Ball::between(0.0, f64::INFINITY),
        Ball::exact(f64::INFINITY).mul(&Ball::exact(0.0)),
    ] {
        assert_eq!((nothing.lower(), nothing.upper()), (f64::NEG_INFINITY, f64::INFINITY), "{nothing:?}");
    }
}

/// Far below zero the exponential is between zero and next to nothing, however wide the ball.
#[test]
fn exponential_far_below_zero() {
    for (low, high) in [
        (-700.2, -700.2),
        (-700.5, -700.5),
        (-700.6, -700.4),
        (-701.0, -701.0),
        (-720.0, -702.5),
        (-1e14, -800.0),
        (-1e5, -700.6),
        (-1e6, -1e6),
    ] {
        let ball = Ball::between(low, high).exp();
        assert!(low != high || ball.upper() < 1e-303, "no gap: {low}");
        assert!(ball.lower() <= wide(low).exp() && wide(high).exp() <= ball.upper(), "{low} {high}: {ball:?}");
        assert!(high > -700.5 || ball.upper() <= 1.0001e-304 && ball.lower() >= -1.0001e-304, "{low} {high}: {ball:?}");
        let less_one = Ball::between(low, high).exp_m1();
        assert!(less_one.lower() <= -1.0 && less_one.upper() >= wide(high).exp_m1());
        assert!(high > -700.5 || less_one.upper() < -0.999);
    }
}

/// As near as they say at both ends of where they say something, and nothing beyond.
#[test]
fn logarithms_at_the_ends_of_their_range() {
    for x in [2f64.powi(900), 2f64.powi(900).next_down(), -1.0 + 2f64.powi(-50), 0.006, -0.006, 0.006f64.next_down()] {
        let (near, truth) = (ln_1p_near(x), wide(x).ln_1p());
        let error = (Float::with_val(BITS, near) - &truth).abs();
        assert!(error <= truth.abs().max(&wide(1.0)) * 2f64.powi(-49), "{x:e}: {near:e}");
    }
    for x in [2f64.powi(901), f64::INFINITY, -1.0, -2.0, f64::NAN] {
        assert!(ln_1p_near(x).is_nan(), "{x:e}");
    }
}

/// The floats' functions are as near as they say.
#[test]
fn near_functions_keep_their_bounds() {
    let mut random = Random::new(11);
    let close = |value: f64, truth: &Float, error: f64| {
        (Float::with_val(BITS, value) - truth).abs()
            <= Float::with_val(BITS, truth.abs_ref()).max(&wide(f64::MIN_POSITIVE)) * error
    };
    for _ in 0..tries(200_000) {
        let size = random.size(1e-12, 699.0);
        for x in [size, -size] {
            assert!(close(exp_near(x), &wide(x).exp(), EXP_NEAR_ERROR), "{x:e}");
            assert!(close(exp_m1_near(x), &wide(x).exp_m1(), 2f64.powi(-42)), "{x:e}");
        }
        let small = random.size(1e-12, 0.006);
        for x in [small, -small] {
            assert!(close(ln_1p_near(x), &wide(x).ln_1p(), 2f64.powi(-49)), "{x:e}");
        }
        for x in [size, -size / 700.0, size * 1e200] {
            let truth = wide(x).ln_1p();
            let error = (Float::with_val(BITS, ln_1p_near(x)) - &truth).abs();
            assert!(error <= truth.abs().max(&wide(1.0)) * 2f64.powi(-49), "{x:e}");
        }
    }
    assert_eq!((exp_near(-701.0), exp_near(701.0), exp_near(f64::NAN)), (0.0, f64::INFINITY, f64::INFINITY));
    assert_eq!((exp_m1_near(-701.0), exp_m1_near(f64::NAN)), (-1.0, f64::INFINITY));
    assert!(ln_1p_near(-1.0).is_nan() && ln_1p_near(f64::NAN).is_nan() && ln_1p_near(f64::INFINITY).is_nan());
}

/// Balls with a radius contain the images of all their points.
#[test]
fn wide_balls_contain_images() {
    let mut random = Random::new(6);
    for _ in 0..tries(200_000) {
        let (x, radius) = (random.size(1e-3, 100.0), random.size(1e-20, 1e-5));
        let (low, high) = (x - radius * x, x + radius * x);
        let ball = Ball::between(low, high);
        for point in [low, high, x] {
            let contains = |value: Ball, truth: Float| value.lower() <= truth && truth <= value.upper();
            assert!(contains(ball.exp(), wide(point).exp()) && contains(ball.exp_m1(), wide(point).exp_m1()));
            assert!(contains(ball.ln(), wide(point).ln()) && contains(ball.ln_1p(), wide(point).ln_1p()));
            assert!(contains(ball.mul(&ball), wide(point) * wide(point)));
            assert!(contains(Ball::exact(1.0).div(&ball), 1 / wide(point)));
        }
        assert!(ball.mills().upper() >= mills(low) && ball.mills().lower() <= mills(high));
    }
}

#[test]
fn intervals_contain_the_truth() {
    let mut random = Random::new(7);
    for _ in 0..tries(20_000) {
        let x = random.size(1e-5, 100.0);
        let interval = Interval::<150>::exact(x);
        // A difference read as a float shows no more than this.
        let claim = 2f64.powi(-103);
        assert!(excess(&interval.exp(), &wide(x).exp()) < claim && excess(&interval.ln(), &wide(x).ln()) < claim);
        assert!(excess(&interval.exp_m1(), &wide(x).exp_m1()) < claim && excess(&interval.mills(), &mills(x)) < claim);
        assert!(excess(&interval.ln_1p(), &wide(x).ln_1p()) < claim);
        assert!(excess(&interval.div(&Interval::exact(3.0)), &(wide(x) / 3u32)) < claim);
    }
}

/// The check has power: a platform's function taken for exact is seen to be off.
#[test]
#[should_panic = "<="]
fn a_rounded_value_is_caught() {
    excess(&Ball::exact(2f64.exp()), &wide(2.0).exp());
}
