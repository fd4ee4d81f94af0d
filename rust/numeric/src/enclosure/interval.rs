//! Intervals between two MPFR numbers, rounded outwards at every step.

use super::{Enclosure, mills::mpfr_mills};
use rug::{
    Float,
    float::{Constant, Round, Special},
};

/// All reals between two numbers of `BITS` bits, at least 64. It is slow, and tight nearly everywhere, because its
/// exponents reach 2^30.
#[derive(Debug, Clone)]
pub struct Interval<const BITS: u32> {
    low: Float,
    high: Float,
}

impl<const BITS: u32> Interval<BITS> {
    fn everything() -> Self {
        let infinity = |special| Float::with_val(BITS, special);
        Self { low: infinity(Special::NegInfinity), high: infinity(Special::Infinity) }
    }

    /// A NaN at either end means that nothing is known.
    fn of(low: Float, high: Float) -> Self {
        if low.is_nan() || high.is_nan() { Self::everything() } else { Self { low, high } }
    }

    /// Returns the images of both ends under an increasing function.
    fn increasing(&self, down: impl FnOnce(&mut Float), up: impl FnOnce(&mut Float)) -> Self {
        let (mut low, mut high) = (self.low.clone(), self.high.clone());
        down(&mut low);
        up(&mut high);
        Self::of(low, high)
    }

    /// Returns the Mills ratio at a number below 2^14. With 64 more bits, the argument of the exponential (below 2^27)
    /// has an error below 2^(-37 - BITS). That of the error function has a relative error of 2^(-63 - BITS), which its
    /// condition number (below 2^29) turns into 2^(-34 - BITS). So 2^(10 - BITS) is more than enough.
    fn mills_at(x: &Float) -> Self {
        let value = mpfr_mills(&Float::with_val(BITS + 64, x));
        let slack = Float::with_val(BITS, &value) >> (BITS - 10);
        let low = Float::with_val_round(BITS, &value - &slack, Round::Down).0;
        Self::of(low, Float::with_val_round(BITS, &value + &slack, Round::Up).0)
    }

    /// Returns the smallest and the largest result at the four corners, rounded outwards.
    fn hull(&self, other: &Self, operation: impl Fn(&Float, &Float, Round) -> Float) -> Self {
        let corners = [(&self.low, &other.low), (&self.low, &other.high), (&self.high, &other.low)];
        let at = |(x, y): (&Float, &Float)| (operation(x, y, Round::Down), operation(x, y, Round::Up));
        let (mut low, mut high) = at((&self.high, &other.high));
        let mut defined = !low.is_nan();
        for corner in corners {
            let (down, up) = at(corner);
            defined &= !down.is_nan();
            low = if down < low { down } else { low };
            high = if up > high { up } else { high };
        }
        if defined { Self { low, high } } else { Self::everything() }
    }
}

impl<const BITS: u32> Enclosure for Interval<BITS> {
    fn exact(x: f64) -> Self {
        Self::between(x, x)
    }

    fn between(lower: f64, upper: f64) -> Self {
        if !(lower.is_finite() && upper.is_finite()) {
            return Self::everything();
        }
        // Exact.
        const { assert!(BITS >= 64, "an interval has at least 64 bits") }
        Self { low: Float::with_val(BITS, lower), high: Float::with_val(BITS, upper) }
    }

    fn add(&self, other: &Self) -> Self {
        let low = Float::with_val_round(BITS, &self.low + &other.low, Round::Down).0;
        Self::of(low, Float::with_val_round(BITS, &self.high + &other.high, Round::Up).0)
    }

    fn sub(&self, other: &Self) -> Self {
        let low = Float::with_val_round(BITS, &self.low - &other.high, Round::Down).0;
        Self::of(low, Float::with_val_round(BITS, &self.high - &other.low, Round::Up).0)
    }

    fn mul(&self, other: &Self) -> Self {
        self.hull(other, |x, y, round| Float::with_val_round(BITS, x * y, round).0)
    }

    fn div(&self, other: &Self) -> Self {
        if other.low <= 0 && other.high >= 0 {
            return Self::everything();
        }
        self.hull(other, |x, y, round| Float::with_val_round(BITS, x / y, round).0)
    }

    fn exp(&self) -> Self {
        self.increasing(|low| _ = low.exp_round(Round::Down), |high| _ = high.exp_round(Round::Up))
    }

    fn exp_m1(&self) -> Self {
        self.increasing(|low| _ = low.exp_m1_round(Round::Down), |high| _ = high.exp_m1_round(Round::Up))
    }

    fn ln(&self) -> Self {
        if self.low <= 0 {
            return Self::everything();
        }
        self.increasing(|low| _ = low.ln_round(Round::Down), |high| _ = high.ln_round(Round::Up))
    }

    fn ln_1p(&self) -> Self {
        if self.low <= -1 {
            return Self::everything();
        }
        self.increasing(|low| _ = low.ln_1p_round(Round::Down), |high| _ = high.ln_1p_round(Round::Up))
    }

    /// The ratio decreases in x. From 2^14 on it lies between two partial sums of its asymptotic series, in `y =
    /// 1/x^2`: `(1 - y + 3 y^2 - 15 y^3)/x` and `(1 - y + 3 y^2)/x`.
    fn mills(&self) -> Self {
        if self.low < -2f64.powi(-10) {
            return Self::everything();
        }
        let end = |x: &Float| {
            if *x < 1 << 14 {
                return Self::mills_at(x);
            }
            let one = Self::exact(1.0);
            let inverse = one.div(&Self { low: x.clone(), high: x.clone() });
            let y = inverse.mul(&inverse);
            let remainder = Self::between(0.0, 5.0).mul(&y);
            let series = one.sub(&y.mul(&one.sub(&y.mul(&Self::exact(3.0).mul(&one.sub(&remainder))))));
            series.mul(&inverse)
        };
        Self::of(end(&self.high).low, end(&self.low).high)
    }

    fn inverse_root_two_pi() -> Self {
        let bound = |round: Round, opposite: Round| {
            let two_pi = Float::with_val_round(BITS, Constant::Pi, opposite).0 * 2u32;
            let mut root = two_pi;
            _ = root.recip_sqrt_round(round);
            root
        };
        Self::of(bound(Round::Down, Round::Up), bound(Round::Up, Round::Down))
    }

    fn lower(&self) -> f64 {
        self.low.to_f64_round(Round::Down) + 0.0
    }

    fn upper(&self) -> f64 {
        self.high.to_f64_round(Round::Up) + 0.0
    }
}
