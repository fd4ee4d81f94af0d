//! The logarithm of a complex number near 1, and the exponential.
//!
//! The arguments are in `proofs/accounting/pld_lemmas.md`.

use super::{
    complex::{ComplexBall, SLACK, UNIT_ROUNDOFF, unit_circle},
    near::{EXP_NEAR_ERROR, exp_m1_near, exp_near},
};
use std::f64::consts::TAU;

/// The logarithm is computed for numbers of at most this modulus.
const MOST: f64 = 1.0 / 32.0;
/// Up to this modulus, half of the series is enough.
const LITTLE: f64 = 1.0 / 1024.0;
/// A power is not computed if the exponent's radius exceeds this.
const UNKNOWN: f64 = 0.25;
/// For real parts below this in size, `e^x - 1` has a small relative error.
const SMALL: f64 = 0.006;
/// The same holds for larger parts that are halved at most this often, and then doubled again.
const MOST_HALVINGS: f64 = 6.0;
/// The error of `exp_near` with one more rounding. The error of `exp_m1_near` of a small number is within 4 units.
const EXP_ERROR: f64 = EXP_NEAR_ERROR + UNIT_ROUNDOFF;
const SMALL_ERROR: f64 = 5.0 * UNIT_ROUNDOFF;
/// From 2^49 turns on, whole turns cannot be subtracted.
const MOST_TURNED: f64 = 562_949_953_421_312.0;

impl ComplexBall {
    /// Returns `ln(1 + x)` for an x of modulus up to 1/32; otherwise it contains everything.
    ///
    /// ```
    /// use indistinct_numeric::enclosure::ComplexBall;
    /// let found = ComplexBall::new(0.01, 0.0, 0.0).ln_1p();
    /// assert!((found.re - 0.00995033085316808).abs() <= 1e-17 && found.radius < 1e-17);
    /// ```
    #[inline]
    pub fn ln_1p(&self) -> Self {
        let size = self.modulus();
        if size.is_nan() || size > MOST {
            return Self::new(0.0, 0.0, f64::INFINITY);
        }
        let Self { re: x, im: y, radius } = *self;
        let times = |(re, im): (f64, f64)| (x * re - y * im, x * im + y * re);
        // The series is x - x^2 (1/2 - x (1/3 - ...)).
        let series = |length: u32| {
            let last = (1.0 / f64::from(length), 0.0);
            (2..length).rev().fold(last, |rest, n| {
                let (re, im) = times(rest);
                (1.0 / f64::from(n) - re, -im)
            })
        };
        let (re, im) = times(times(if size <= LITTLE { series(6) } else { series(12) }));
        Self::new(x - re, y - im, radius * 1.04 + 4.0 * UNIT_ROUNDOFF * size)
    }

    /// Returns `e^x`. It contains everything if the radius is above 1/4, the real part above some 350, or the imaginary
    /// part 2^49 turns or more.
    ///
    /// ```
    /// use indistinct_numeric::enclosure::ComplexBall;
    /// let found = ComplexBall::new(0.0, std::f64::consts::PI, 0.0).exp();
    /// assert!((found.re + 1.0).abs() < 1e-14 && found.radius < 1e-14);
    /// ```
    #[inline]
    pub fn exp(&self) -> Self {
        let (size, angle) = (exp_near(self.re), self.im / TAU);
        let turned = Self::on_circle(angle, 2.0 * UNIT_ROUNDOFF * angle.abs());
        let found = Self::real((size, EXP_ERROR * size)).mul(&turned);
        self.spread(found, found.modulus())
    }

    /// Returns `e^x - 1`, with a small relative error for a small x. It contains everything where `exp` does.
    ///
    /// ```
    /// use indistinct_numeric::enclosure::ComplexBall;
    /// let found = ComplexBall::new(1e-9, 1e-9, 0.0).exp_m1();
    /// assert!((found.im - 1.000000001e-9).abs() < 1e-23 && found.radius < 1e-23);
    /// ```
    #[inline]
    pub fn exp_m1(&self) -> Self {
        let (size, angle) = (exp_near(self.re), self.im / TAU);
        let (grown, error) = grown(self.re);
        // Both parts of e^(i b) - 1 have a relative error of at most 20 units.
        let (cosine, sine) = unit_circle(angle / 2.0);
        let (re, im) = (-2.0 * sine * sine, 2.0 * sine * cosine);
        let off = (re.abs() + im.abs()) * 20.0 * UNIT_ROUNDOFF + self.im.abs() * 4.0 * UNIT_ROUNDOFF;
        let turned = Self::new(re, im, if angle.abs() < MOST_TURNED { off } else { f64::INFINITY });
        // e^a (e^(i b) - 1) + (e^a - 1).
        let found = Self::real((size, EXP_ERROR * size)).mul(&turned).add(&Self::real((grown, error)));
        self.spread(found, size * 1.01)
    }

    /// Enlarges the result for the center so that it holds for all numbers within the radius; `size` bounds the
    /// center's exponential.
    #[inline]
    fn spread(&self, found: Self, size: f64) -> Self {
        // e^r - 1 <= 1.14 r.
        let off = if self.radius <= UNKNOWN { 1.14 * self.radius * size } else { f64::INFINITY };
        Self { radius: (found.radius + off) * SLACK, ..found }
    }
}

/// Returns `e^x - 1` with its error, by halving x to a small number and then applying `e^(2 h) - 1 = g (2 + g)`.
#[inline]
fn grown(x: f64) -> (f64, f64) {
    let (mut rest, mut halvings) = (x, 0.0);
    while rest.abs() >= SMALL && halvings < MOST_HALVINGS {
        (rest, halvings) = (rest / 2.0, halvings + 1.0);
    }
    if rest.is_nan() || rest.abs() >= SMALL {
        return (exp_m1_near(x), EXP_ERROR * (exp_near(x) + 1.0));
    }
    let mut grown = exp_m1_near(rest);
    let error = SMALL_ERROR + 3.0 * halvings * UNIT_ROUNDOFF;
    while rest != x {
        (rest, grown) = (rest * 2.0, grown * (2.0 + grown));
    }
    (grown, error * grown.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rug::Float;

    fn float(x: f64) -> Float {
        Float::with_val(300, x)
    }

    /// How far a center is from the truth.
    fn off(found: &ComplexBall, (re, im): (&Float, &Float)) -> f64 {
        let distance = |x: f64, truth: &Float| Float::with_val(300, x - truth).to_f64();
        distance(found.re, re).hypot(distance(found.im, im))
    }

    fn logarithm(x: f64, y: f64) -> (Float, Float) {
        let (re, im) = (float(1.0) + x, float(y));
        let square = Float::with_val(300, re.square_ref()) + Float::with_val(300, im.square_ref());
        (square.ln() / 2u32, im.atan2(&re))
    }

    fn exponential(x: f64, y: f64) -> (Float, Float) {
        let (size, (sine, cosine)) = (float(x).exp(), float(y).sin_cos(float(0.0)));
        (Float::with_val(300, &size * &cosine), size * sine)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn logarithms_of_numbers_near_one(size in -30f64..-1.52, angle in 0f64..std::f64::consts::TAU, wide in 0f64..0.3) {
            let size = 10f64.powf(size);
            let (x, y) = (size * angle.cos(), size * angle.sin());
            let found = ComplexBall::new(x, y, 0.0).ln_1p();
            let (re, im) = logarithm(x, y);
            let distance = off(&found, (&re, &im));
            prop_assert!(distance <= found.radius && found.radius < 1e-15 * size, "{distance:e} {found:?}");
            // Another within the radius.
            let radius = wide * size;
            let found = ComplexBall::new(x, y, radius).ln_1p();
            let (re, im) = logarithm(x - radius * angle.cos(), y - radius * angle.sin());
            prop_assert!(off(&found, (&re, &im)) <= found.radius);
        }

        #[test]
        fn exponentials(
            re in -40f64..40.0, share in -12f64..0.0, im in -1e4f64..1e4, little in -12f64..0.0, wide in -18f64..-0.61,
            to in 0f64..std::f64::consts::TAU,
        ) {
            let (x, y) = (re * 10f64.powf(share), im * 10f64.powf(little));
            let center = ComplexBall::new(x, y, 0.0);
            let (re, im) = exponential(x, y);
            let (found, less_one) = (center.exp(), center.exp_m1());
            let distance = off(&found, (&re, &im));
            prop_assert!(distance <= found.radius && found.radius < x.exp() * 1e-14 * y.abs().max(1.0), "{distance:e} {found:?}");
            let distance = off(&less_one, (&(re - 1u32), &im));
            // To its own digits up to six halvings of a small number.
            let is_own = x.abs() < 64.0 * SMALL;
            let size = if is_own { x.hypot(y) } else { x.exp() * (1.0 + y.abs()) + 1.0 };
            prop_assert!(distance <= less_one.radius && less_one.radius < size * 1e-14, "{distance:e} {less_one:?}");
            let radius = 10f64.powf(wide);
            let wide = ComplexBall { radius, ..center };
            let (re, im) = exponential(x + 0.999 * radius * to.cos(), y + 0.999 * radius * to.sin());
            prop_assert!(off(&wide.exp(), (&re, &im)) <= wide.exp().radius);
            prop_assert!(off(&wide.exp_m1(), (&(re - 1u32), &im)) <= wide.exp_m1().radius);
        }
    }

    /// If the argument is too large or too uncertain, the result covers all numbers; if the result is almost zero, it
    /// is enclosed near zero.
    #[test]
    fn at_the_ends() {
        let at = |re: f64, im: f64, radius: f64| ComplexBall::new(re, im, radius);
        for unknown in [
            at(0.04, 0.0, 0.0).ln_1p(),
            at(0.02, 0.0, 0.02).ln_1p(),
            at(f64::NAN, 0.0, 0.0).ln_1p(),
            at(0.0, 0.0, 0.3).exp(),
            at(0.0, 0.0, 0.3).exp_m1(),
            at(800.0, 0.0, 0.0).exp(),
            at(800.0, 0.0, 0.0).exp_m1(),
            at(0.0, 1e17, 0.0).exp(),
            at(0.0, 1e17, 0.0).exp_m1(),
            at(0.0, f64::NAN, 0.0).exp(),
            at(0.0, 0.0, f64::NAN).exp_m1(),
        ] {
            assert!(unknown.radius.is_nan() || unknown.radius == f64::INFINITY, "{unknown:?}");
        }
        assert!(at(-800.0, 1.0, 0.0).exp().modulus() < 1e-100);
        assert!((at(-800.0, 1.0, 0.0).exp_m1().re + 1.0).abs() < 1e-14);
    }

    /// A negative control: half the series is off by more than is claimed.
    #[test]
    fn the_series_is_as_long_as_it_has_to_be() {
        let x = MOST / 1.001;
        let found = ComplexBall::new(-x, 0.0, 0.0).ln_1p();
        let half: f64 = (1..=6).map(|n| -x.powi(n) / f64::from(n)).sum();
        assert!((half - found.re).abs() > 100.0 * found.radius);
    }
}
