//! Complex numbers known to within a radius, and the point on the unit circle at a given angle.
//!
//! A center is two floats, and every operation keeps the radius large enough for its rounding. An overflow makes the
//! radius infinite or NaN, and it stays so. Everything here is scaled so that moduli are about 1 or less: `TINY` covers
//! underflow.

use super::bound::{Above, Range};
use std::f64::consts::TAU;

/// Half the distance from 1 to the next float.
pub const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;
/// More than underflow can lose in any operation here, and negligible compared with any useful radius.
const TINY: f64 = f64::from_bits((1023 - 400) << 52);
/// A radius is computed with fewer than 16 rounded operations on nonnegative numbers.
pub(super) const SLACK: f64 = 1.0 + 16.0 * f64::EPSILON;
/// A bound on the distance between [`unit_circle`] and the exact point.
pub const CIRCLE_ERROR: f64 = 3.5 * UNIT_ROUNDOFF;

/// Smaller powers are computed as fast by multiplication.
const FEW: u64 = 12;

/// All complex numbers within a radius of a center.
#[derive(Debug, Clone, Copy)]
pub struct ComplexBall {
    /// The real part of the center.
    pub re: f64,
    /// The imaginary part of the center.
    pub im: f64,
    /// No member is farther than this from the center.
    pub radius: f64,
}

impl ComplexBall {
    /// The number one.
    pub const ONE: Self = Self { re: 1.0, im: 0.0, radius: 0.0 };

    /// Makes a ball around a center.
    #[inline]
    pub fn new(re: f64, im: f64, radius: f64) -> Self {
        Self { re, im, radius }
    }

    /// Makes a real number from a center and an error.
    #[inline]
    pub fn real((center, error): (f64, f64)) -> Self {
        Self::new(center, 0.0, error)
    }

    /// Returns the point of the unit circle at an angle in turns, which is known to within `error`.
    #[inline]
    pub fn on_circle(angle: f64, error: f64) -> Self {
        let (re, im) = unit_circle(angle);
        // From 2^49 turns on, whole turns cannot be subtracted.
        let is_reducible = angle.abs() < 562_949_953_421_312.0;
        // 6.3 is above 2 pi.
        let radius = if is_reducible { CIRCLE_ERROR + error * 6.3 } else { f64::INFINITY };
        Self::new(re, im, radius)
    }

    /// Returns a bound on the modulus of the center.
    #[inline]
    fn size(&self) -> f64 {
        (self.re * self.re + self.im * self.im).sqrt() * SLACK + TINY
    }

    /// Returns a bound on the modulus of every member.
    #[inline]
    pub fn modulus(&self) -> f64 {
        (self.size() + self.radius) * SLACK
    }

    /// Returns the sum.
    #[inline]
    pub fn add(&self, other: &Self) -> Self {
        let (re, im) = (self.re + other.re, self.im + other.im);
        let rounding = (re.abs() + im.abs()) * UNIT_ROUNDOFF;
        Self { re, im, radius: (self.radius + other.radius + rounding) * SLACK + TINY }
    }

    /// Returns the negative.
    #[inline]
    pub fn neg(&self) -> Self {
        Self { re: -self.re, im: -self.im, radius: self.radius }
    }

    /// Returns the complex conjugates.
    #[inline]
    pub fn conjugate(&self) -> Self {
        Self { im: -self.im, ..*self }
    }

    /// Returns the product. In floats, its relative error is at most `sqrt(5)` units (Brent, Percival, Zimmermann
    /// 2007).
    #[inline]
    pub fn mul(&self, other: &Self) -> Self {
        let (x, y) = (self.size(), other.size());
        let spread = x * other.radius + y * self.radius + self.radius * other.radius;
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
            radius: (spread + 3.0 * UNIT_ROUNDOFF * x * y) * SLACK + TINY,
        }
    }

    /// Returns the product with a float.
    #[inline]
    pub fn scale(&self, factor: f64) -> Self {
        let radius = (self.radius * factor.abs() + 2.0 * UNIT_ROUNDOFF * factor.abs() * self.size()) * SLACK + TINY;
        Self { re: self.re * factor, im: self.im * factor, radius }
    }

    /// Returns an integer power, by squaring.
    pub fn power(&self, mut exponent: u64) -> Self {
        let (mut base, mut result) = (*self, Self::ONE);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.mul(&base);
            }
            exponent >>= 1;
            if exponent > 0 {
                base = base.mul(&base);
            }
        }
        result
    }

    /// Returns `(1 + x)^k` for a small x and a possibly large k. The rounding error is relative to x, not to 1.
    pub fn power_of_one_plus(&self, exponent: u64) -> Self {
        if exponent == 1 {
            return Self::ONE.add(self);
        }
        let found = if exponent >= FEW { self.by_logarithm(exponent) } else { None };
        found.unwrap_or_else(|| self.by_squaring(exponent))
    }

    /// Computes the power from the logarithm and the exponential; `None` if x is too large for that, or not known well
    /// enough.
    fn by_logarithm(&self, exponent: u64) -> Option<Self> {
        // This is rounded once, which `scale` includes.
        let (high, low) = (u32::try_from(exponent >> 32).ok()?, u32::try_from(exponent & 0xffff_ffff).ok()?);
        let exponent = f64::from(high) * 4_294_967_296.0 + f64::from(low);
        let logarithm = self.ln_1p().scale(exponent);
        let is_small = logarithm.modulus() < 0.4;
        let found = if is_small { Self::ONE.add(&logarithm.exp_m1()) } else { logarithm.exp() };
        found.radius.is_finite().then_some(found)
    }

    /// Computes the power by repeated squaring while the rounding error of a square is relative to x, until x reaches a
    /// quarter.
    fn by_squaring(&self, mut exponent: u64) -> Self {
        let (mut base, mut result) = (*self, Self::new(0.0, 0.0, 0.0));
        while exponent > 0 && base.modulus() < 0.25 {
            if exponent & 1 == 1 {
                result = result.add(&base).add(&result.mul(&base));
            }
            exponent >>= 1;
            base = base.add(&base).add(&base.mul(&base));
        }
        Self::ONE.add(&result).mul(&Self::ONE.add(&base).power(exponent))
    }

    /// Returns `1/x`: the conjugate divided by the squared modulus, both accurate to a few units. It contains
    /// everything if x may be zero.
    #[inline]
    pub fn inverse(&self) -> Self {
        let square = self.re * self.re + self.im * self.im;
        let least = square.sqrt() / SLACK - self.radius * SLACK;
        if least.is_nan() || least <= 0.0 || !(1e-200..=1e200).contains(&square) {
            return Self { re: 0.0, im: 0.0, radius: f64::INFINITY };
        }
        let size = 1.0 / square.sqrt();
        let radius = (self.radius * size / least + 8.0 * UNIT_ROUNDOFF * size) * SLACK * SLACK + TINY;
        Self { re: self.re / square, im: -self.im / square, radius }
    }
}

/// Returns `e^(2 pi i x)`: the real and the imaginary part, each within 3 units of the true value and within 8 units of
/// its own size, for any float below 2^50.
///
/// The reduction by quarter turns is exact (Sterbenz). The remaining angle, `2 pi r` with `|r| <= 1/8`, has a relative
/// error of at most 1.4 units, an absolute error of at most 1.1 units; the Taylor polynomials omit less than
/// `0.786^18/18! < 2^-58`. The sine's later terms are below 0.081, with a relative error of at most 6 units, and the
/// sum is rounded once, by less than 0.71 units: 2.3 together. The cosine has an error of 0.8 for the angle, 0.31 for
/// its square and 0.1 for the later terms, and is rounded twice by half a unit: 2.2 together. The point has an error
/// below 3.2 units.
#[inline]
pub fn unit_circle(x: f64) -> (f64, f64) {
    const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
    let shifted = x * 4.0 + TO_INTEGER;
    let angle = (x - (shifted - TO_INTEGER) * 0.25) * TAU;
    let y = angle * angle;
    let sine = angle
        + angle
            * y
            * (-1.0 / 6.0
                + y * (1.0 / 120.0
                    + y * (-1.0 / 5040.0
                        + y * (1.0 / 362_880.0
                            + y * (-1.0 / 39_916_800.0
                                + y * (1.0 / 6_227_020_800.0
                                    - y * (1.0 / 1_307_674_368_000.0 - y / 355_687_428_096_000.0)))))));
    let cosine = 1.0 - y * 0.5
        + y * y
            * (1.0 / 24.0
                + y * (-1.0 / 720.0
                    + y * (1.0 / 40_320.0
                        + y * (-1.0 / 3_628_800.0
                            + y * (1.0 / 479_001_600.0 - y * (1.0 / 87_178_291_200.0 - y / 20_922_789_888_000.0))))));
    // (cos, sin), (-sin, cos), (-cos, -sin) or (sin, -cos), depending on the quarter. There is no branch, so that a
    // loop is vectorized.
    let quarter = shifted.to_bits() & 3;
    let is_odd = 0u64.wrapping_sub(quarter & 1);
    let (x, y) = (cosine.to_bits(), sine.to_bits());
    let (re, im) = ((x & !is_odd) | (y & is_odd), (y & !is_odd) | (x & is_odd));
    let sign = |is_negative: u64| (is_negative & 2) << 62;
    (f64::from_bits(re ^ sign(quarter + 1)), f64::from_bits(im ^ sign(quarter)))
}

/// Returns the cosine and the sine of an angle in turns, below 2^50.
#[inline]
pub fn cosine_and_sine(turns: f64) -> (Range, Range) {
    let (cosine, sine) = unit_circle(turns);
    (Range::around(cosine, Above::exact(CIRCLE_ERROR)), Range::around(sine, Above::exact(CIRCLE_ERROR)))
}

/// Two compensated sums, of terms and of their absolute values: the first has a relative error of at most 2 units, plus
/// `n^2 UNIT_ROUNDOFF^2` of the second (Ogita, Rump, Oishi 2005).
#[derive(Debug, Clone, Copy, Default)]
pub struct CompensatedSum {
    high: f64,
    low: f64,
    size: f64,
    radius: f64,
    terms: f64,
}

impl CompensatedSum {
    /// Adds a term that is known to within a radius.
    #[inline]
    pub fn add(&mut self, term: f64, radius: f64) {
        let sum = self.high + term;
        let part = sum - self.high;
        self.low += (self.high - (sum - part)) + (term - part);
        self.high = sum;
        self.size += term.abs();
        self.radius += radius;
        self.terms += 1.0;
    }

    /// Returns the sum, and a bound on its error.
    #[inline]
    pub fn bounds(&self) -> (f64, f64) {
        let sum = self.high + self.low;
        // Sizes and radii are themselves sums, each too low by less than n units of itself; n^2 stays below 2^48.
        let growth = 1.0 + 2.0 * self.terms * f64::EPSILON;
        let squares = self.terms * self.terms * f64::EPSILON * f64::EPSILON;
        let error = sum.abs() * f64::EPSILON
            + self.size * growth * (squares + f64::EPSILON * UNIT_ROUNDOFF)
            + self.radius * growth;
        (sum, error * SLACK + TINY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::{Float, float::Constant};

    /// The distance of a center from a complex number of 200 bits.
    fn distance((re, im): (f64, f64), truth: &(Float, Float)) -> f64 {
        let (x, y) = (Float::with_val(200, &truth.0 - re), Float::with_val(200, &truth.1 - im));
        x.hypot(&y).to_f64()
    }

    fn exact(x: f64) -> (Float, Float) {
        let angle = Float::with_val(200, Constant::Pi) * 2u32 * x;
        (Float::with_val(200, angle.cos_ref()), angle.sin())
    }

    /// Tests each quadrant and its edges.
    #[test]
    fn quarters_of_the_circle() {
        for turns in [-5.0, -1.0, 0.0, 1.0, 7.0] {
            for (x, (re, im)) in [(0.0, (1.0, 0.0)), (0.25, (0.0, 1.0)), (0.5, (-1.0, 0.0)), (0.75, (0.0, -1.0))] {
                assert_eq!(unit_circle(turns + x), (re, im), "{turns} {x}");
            }
            for x in [0.1, 0.2, 0.3, 0.45, 0.6, 0.7, 0.8, 0.95] {
                let ((re, im), angle) = (unit_circle(turns + x), TAU * x);
                assert!((re - angle.cos()).hypot(im - angle.sin()) < 1e-14, "{turns} {x}: {re} {im}");
            }
        }
    }

    #[test]
    fn points_of_the_circle_are_near() {
        let mut worst = 0f64;
        for i in 0..40_000u32 {
            let x = f64::from(i) * 0.000_173_205 - 3.0;
            worst = worst.max(distance(unit_circle(x), &exact(x)));
        }
        for x in [0.0, 0.125, -0.125, 0.25, 0.375, 1e9 + 0.3, -1e12 - 0.1, 1e-300] {
            worst = worst.max(distance(unit_circle(x), &exact(x)));
        }
        assert!(worst > CIRCLE_ERROR / 4.0 && worst < CIRCLE_ERROR, "{worst:e}");
        assert_eq!(unit_circle(0.0), (1.0, 0.0));
    }

    #[test]
    fn powers_and_inverses_contain_the_truth() {
        for (angle, size) in [(0.1, 1.0), (0.37, 0.999), (0.499, 0.9)] {
            let point = ComplexBall::on_circle(angle, 0.0).scale(size);
            for exponent in [1u64, 2, 7, 1000, 123_457] {
                let power = point.power(exponent);
                let factor = Float::with_val(200, size);
                let factor = Float::with_val(200, factor.ln_ref()) * exponent;
                let factor = factor.exp();
                let whole = exact(angle);
                // The angle times the exponent, to 200 bits.
                let turn = Float::with_val(200, Constant::Pi) * 2u32 * angle * exponent;
                drop(whole);
                let truth =
                    (Float::with_val(200, turn.cos_ref()) * &factor, Float::with_val(200, turn.sin_ref()) * &factor);
                let off = distance((power.re, power.im), &truth);
                assert!(off <= power.radius, "{angle} {exponent}: {off:e} {:e}", power.radius);
                assert!(power.radius <= 1e-14 * 1e5 * 100.0);
            }
            let one = point.mul(&point.inverse());
            assert!((one.re - 1.0).hypot(one.im) <= one.radius && one.radius < 1e-13);
        }
        assert!(ComplexBall::new(1e-3, 0.0, 1e-2).inverse().radius.is_infinite());
    }

    /// Where x is small, the power knows more digits than those of `1 + x` would leave.
    #[test]
    fn powers_of_one_plus_contain_the_truth() {
        for (re, im) in [(1e-9, 3e-8), (-1e-6, 2e-5), (-0.3, 0.2), (-0.9, 0.05), (0.0, 0.0)] {
            for exponent in [1u64, 3, 1000, 1_000_000] {
                let power = ComplexBall::new(re, im, 0.0).power_of_one_plus(exponent);
                let (mut x, mut y) = (Float::with_val(300, 1), Float::with_val(300, 0));
                let (one, im) = (Float::with_val(300, re) + 1u32, Float::with_val(300, im));
                let (mut u, mut v, mut left) = (one, im, exponent);
                while left > 0 {
                    let times = |x: &Float, y: &Float, u: &Float, v: &Float| {
                        let part = |x: &Float, y: &Float| Float::with_val(300, x * y);
                        (part(x, u) - part(y, v), part(x, v) + part(y, u))
                    };
                    if left & 1 == 1 {
                        (x, y) = times(&x, &y, &u, &v);
                    }
                    (u, v) = times(&u, &v, &u, &v);
                    left >>= 1;
                }
                let off = distance((power.re, power.im), &(x, y));
                assert!(off <= power.radius, "{re} {exponent}: {off:e} {:e}", power.radius);
                let size = power.re.hypot(power.im);
                assert!(power.radius <= 1e-12 * size.max(1e-100), "{re} {exponent}: {:e}", power.radius);
            }
        }
    }

    #[test]
    fn sums_are_charged() {
        let mut sum = CompensatedSum::default();
        for term in [1e16, 1.0, -1e16, 1e-3] {
            sum.add(term, 0.0);
        }
        let (value, error) = sum.bounds();
        assert!((value - 1.001).abs() <= error && error < 1e-13);
    }
}
