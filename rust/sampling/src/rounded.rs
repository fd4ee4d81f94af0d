//! Continuous noise on floats, correctly rounded to a grid.

use crate::{
    Entropy, Error, Fallible, Rule,
    half_line::{HalfLine, Signed},
    lazy::nearest_multiple,
    scale::Scale,
    widths::{Full, Widths},
};
use indistinct_numeric::{Dyadic, Integer};

/// Laplace or Gaussian noise of a given scale, added to numbers and rounded to the nearest multiple of `2^k`.
///
/// A draw is the multiple of `2^k` nearest to `shift + scale * Z`, for an ideal, infinitely precise Z. It costs two words of
/// entropy, and is rejected and drawn again once in 33 to 41 times. Where the first 64 digits leave the result open, more are
/// drawn, in microseconds: at the default grid of some `2^-32` of the scale once in some 10^10 draws, at grids finer than
/// `2^-60` of it often or always. The same road is taken by shifts of more than 2^62 steps of the grid in size.
///
/// ```
/// use indistinct_sampling::{OsEntropy, RoundedNoise};
/// let noise = RoundedNoise::laplace(2.5, -10)?;
/// let release = noise.add(100.0, &mut OsEntropy::new())?;
/// assert_eq!((release * 1024.0).fract(), 0.0);
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RoundedNoise {
    law: HalfLine,
    scale: Scale,
    k: i32,
    /// `2^k`, if it is a float.
    unit: Option<f64>,
    /// How far the binary point of `mantissa * (whole * 2^64 + fraction)` lies from the right, in steps of the grid.
    point: Option<u32>,
}

impl RoundedNoise {
    /// Noise of density `exp(-|z| / scale) / (2 scale)`, for a finite scale that is not negative and k from -1074 to 1023.
    pub fn laplace(scale: f64, k: i32) -> Fallible<Self> {
        Self::new(HalfLine::Exponential, scale, k)
    }

    /// Noise of density proportional to `exp(-z^2 / (2 scale^2))`, for a finite scale that is not negative and k from -1074
    /// to 1023.
    pub fn gaussian(scale: f64, k: i32) -> Fallible<Self> {
        Self::new(HalfLine::HalfNormal, scale, k)
    }

    fn new(law: HalfLine, scale: f64, k: i32) -> Fallible<Self> {
        if !(-1074..=1023).contains(&k) {
            return Err(Error::Parameter(Rule::Grid));
        }
        let scale = Scale::new(scale)?;
        // scale Z / 2^k = mantissa 2^exponent (whole + fraction / 2^64) / 16 / 2^k
        let point = 64 + 4 + k - scale.exponent;
        Ok(Self {
            law,
            scale,
            k,
            unit: Dyadic::new(Integer::from(1), k).ok().map(|unit| unit.to_f64()),
            point: u32::try_from(point).ok().filter(|point| (1..=120).contains(point)),
        })
    }

    /// `shift` with noise, rounded to the nearest float and saturating at the greatest finite one; an infinity stays
    /// what it is.
    ///
    /// # Errors
    ///
    /// A NaN, and failure of the entropy.
    #[inline]
    pub fn add(&self, shift: f64, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<f64> {
        self.add_from::<Full>(shift, entropy)
    }

    #[inline]
    fn add_from<W: Widths>(&self, shift: f64, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<f64> {
        if !shift.is_finite() || self.scale.is_zero() {
            return self.without_noise(shift);
        }
        let mut number = Signed { size: self.law.draw::<W>(entropy)?, negative: entropy.bit()? };
        if let Some(multiple) = self.multiple::<W>(shift, &number) {
            return Ok(multiple);
        }
        let multiple = nearest_multiple(&Dyadic::from_f64(shift)?, &self.scale.exact(), self.k, &mut number, entropy)?;
        Ok(saturated(&multiple))
    }

    /// An exact number with noise, exactly: the release before it is rounded to a float.
    pub fn add_exact(&self, shift: &Dyadic, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Dyadic> {
        let mut number = Signed { size: self.law.draw::<Full>(entropy)?, negative: entropy.bit()? };
        nearest_multiple(shift, &self.scale.exact(), self.k, &mut number, entropy)
    }

    #[cold]
    fn without_noise(&self, shift: f64) -> Fallible<f64> {
        if shift.is_infinite() {
            return Ok(shift);
        }
        let unit = Dyadic::new(Integer::from(1), -self.k)?.to_rational();
        let multiple = Dyadic::from_f64(shift)?.to_rational() * unit + indistinct_numeric::Rational::from((1, 2));
        Ok(saturated(&Dyadic::new(Integer::from(multiple.floor_ref()), self.k)?))
    }

    /// The rounded result, if 64 bits of the draw decide it and all numbers fit.
    ///
    /// In fixed point with `point` fractional bits and in steps of the grid, the noise is from `mantissa * draw` to that and
    /// `mantissa` units of the draw's last place more; the shift is an integer, a fraction, and less than a unit more.
    #[inline]
    fn multiple<W: Widths>(&self, shift: f64, number: &Signed) -> Option<f64> {
        let point = self.point?;
        let draw = u128::from(number.size.whole) << 64 | u128::from(number.size.fraction);
        let noise = i128::try_from(u128::from(self.scale.mantissa).checked_mul(draw)?).ok()?;
        let spread = i128::from(self.scale.mantissa) << (64 - W::FRACTION);
        let (whole, fraction) = split(shift, self.k, point)?;
        let half = 1i128 << (point - 1);
        let (low, high) = match number.negative {
            false => (noise, noise.checked_add(spread)?),
            true => (noise.checked_neg()?.checked_sub(spread)?, -noise),
        };
        let offset = fraction + half;
        let (low, high) = (low.checked_add(offset)? >> point, high.checked_add(offset + 1)? >> point);
        if low != high {
            return None;
        }
        let multiple = i64::try_from(low).ok()?.checked_add(whole)?;
        // An integer beyond 2^53 is rounded, but then the product is a normal float: it is rounded once in all.
        Some(nearest_float(multiple)? * self.unit?).filter(|result| result.is_finite())
    }
}

/// The greatest integer not above `shift / 2^k`, and the rest with `point` fractional bits, rounded down.
#[inline]
fn split(shift: f64, k: i32, point: u32) -> Option<(i64, i128)> {
    let bits = shift.to_bits();
    let biased = i32::try_from(bits >> 52 & 0x7ff).ok()?;
    let size = (bits & ((1 << 52) - 1) | if biased == 0 { 0 } else { 1 << 52 }).cast_signed();
    let mantissa = if shift.is_sign_negative() { -size } else { size };
    let exponent = biased.max(1) - 1075 - k;
    if exponent >= 0 {
        // A mantissa of at most 53 bits leaves room for ten more.
        return (exponent <= 10).then(|| (mantissa << exponent, 0));
    }
    let below = exponent.unsigned_abs();
    let whole = mantissa >> below.min(63);
    let shifted = |n: i128| if point >= below { n << (point - below) } else { n >> (below - point).min(127) };
    let fraction = if below < 63 {
        shifted(i128::from(mantissa & ((1 << below) - 1)))
    } else {
        // Less than one step in size.
        shifted(mantissa.into()) - (i128::from(whole) << point)
    };
    Some((whole, fraction))
}

/// The float nearest to an integer: two exact parts, and one rounding of their sum.
#[inline]
fn nearest_float(integer: i64) -> Option<f64> {
    let (high, low) = (i32::try_from(integer >> 32).ok()?, u32::try_from(integer & 0xffff_ffff).ok()?);
    Some(f64::from(high) * 4_294_967_296.0 + f64::from(low))
}

/// The nearest finite float.
fn saturated(number: &Dyadic) -> f64 {
    number.to_f64().clamp(f64::MIN, f64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::SeededEntropy, widths::Few};
    use indistinct_numeric::Rational;
    use statrs::distribution::{ContinuousCDF, Laplace, Normal};

    type Make = fn(f64, i32) -> Fallible<RoundedNoise>;
    const LAWS: [Make; 2] = [RoundedNoise::laplace, RoundedNoise::gaussian];

    fn cdf(law: usize, z: f64) -> f64 {
        if law == 0 { Laplace::new(0.0, 1.0).unwrap().cdf(z) } else { Normal::new(0.0, 1.0).unwrap().cdf(z) }
    }

    /// Largest gap between the empirical and the true distribution function, and its DKW bound at 1e-9.
    fn largest_gap<W: Widths>(law: usize, (drawn, claimed): (f64, f64), shift: f64, k: i32, draws: u32) -> (f64, f64) {
        let noise = LAWS[law](drawn, k).unwrap();
        let mut entropy = SeededEntropy::new(6);
        let mut sample: Vec<f64> = (0..draws).map(|_| noise.add_from::<W>(shift, &mut entropy).unwrap()).collect();
        sample.sort_by(f64::total_cmp);
        let (half, n) = (2f64.powi(k - 1), f64::from(draws));
        let mut gap = 0f64;
        for (below, x) in (0u32..).zip(&sample) {
            // P(result <= x) is the law's own at the upper edge of x's cell.
            let (low, high) = (cdf(law, (x - half - shift) / claimed), cdf(law, (x + half - shift) / claimed));
            gap = gap.max(low - f64::from(below) / n).max(f64::from(below + 1) / n - high);
        }
        (gap, (f64::ln(2e9) / (2.0 * n)).sqrt())
    }

    #[test]
    fn draws_follow_the_law_and_one_off_by_two_percent_does_not() {
        for law in [0, 1] {
            for (scale, shift, k) in
                [(1.0, 0.0, -32), (3.5, 1e6, -31), (1e-3, -7.25, -42), (2.0, 0.3, 1), (1e15, 5.0, 17)]
            {
                let (gap, bound) = largest_gap::<Full>(law, (scale, scale), shift, k, 1_000_000);
                assert!(gap < bound, "{law} {scale}: {gap}");
            }
            let (gap, bound) = largest_gap::<Full>(law, (1.02, 1.0), 0.0, -32, 1_000_000);
            assert!(gap > bound, "the test cannot see two percent: {gap}");
        }
    }

    #[test]
    fn with_few_bits_at_first_the_slow_paths_decide_and_the_law_is_the_same() {
        for law in [0, 1] {
            let (gap, bound) = largest_gap::<Few>(law, (2.5, 2.5), 1.75, -30, 1_500);
            assert!(gap < bound, "{law}: {gap}");
        }
    }

    /// The fast path's result is that of exact fractions for the same bits; on a grid this fine, or a shift this far off, it
    /// has to hand over.
    #[test]
    fn the_fast_path_rounds_as_fractions_do() {
        let shifts =
            [0.0, -0.0, 0.1, -0.1, 1.0, 1e-30, -1e-30, 5e-324, -5e-324, 12345.678, -1e15, 1e18, 1e300, -f64::MAX];
        for make in LAWS {
            for (scale, k) in
                [(1.0, -32), (0.7, -33), (1e-3, -20), (1e6, -13), (3.0, 4), (1.0, -1074), (5e-324, -1074), (1e300, 900)]
            {
                let noise = make(scale, k).unwrap();
                for (seed, shift) in (0..50).flat_map(|seed| shifts.map(|shift| (seed, shift))) {
                    let fast = noise.add(shift, &mut SeededEntropy::new(seed)).unwrap();
                    let exact =
                        noise.add_exact(&Dyadic::from_f64(shift).unwrap(), &mut SeededEntropy::new(seed)).unwrap();
                    assert_eq!(fast.to_bits(), saturated(&exact).to_bits(), "{scale} {k} {shift} {seed}");
                    assert!((exact.to_rational() / (Rational::from(1) << k)).is_integer());
                }
            }
        }
    }

    #[test]
    fn extremes() {
        let mut entropy = SeededEntropy::new(7);
        for make in LAWS {
            let huge = make(f64::MAX, 991).unwrap();
            assert!((0..50).all(|_| huge.add(f64::MAX, &mut entropy).unwrap().is_finite()));
            assert_eq!(huge.add(f64::INFINITY, &mut entropy), Ok(f64::INFINITY));
            assert!(huge.add(f64::NAN, &mut entropy).is_err());
            let none = make(0.0, -2).unwrap();
            assert_eq!(
                (none.add(0.13, &mut entropy), none.add(-0.0, &mut entropy).map(f64::to_bits)),
                (Ok(0.25), Ok(0))
            );
            assert_eq!(none.add_exact(&Dyadic::ZERO, &mut entropy), Ok(Dyadic::ZERO));
            for (scale, k) in [(-1.0, 0), (f64::NAN, 0), (f64::INFINITY, 0), (1.0, -1075), (1.0, 1024), (1.0, i32::MIN)]
            {
                assert!(make(scale, k).is_err());
            }
        }
    }
}
