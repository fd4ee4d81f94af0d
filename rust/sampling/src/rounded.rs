//! Continuous noise on floats, correctly rounded to a grid.

use crate::{
    Entropy, Error, Fallible, Rule,
    lazy::nearest_multiple,
    real::{Fixed, Form, Real, RealNoise},
    widths::{Full, Widths},
};
use indistinct_numeric::Dyadic;
use rug::{Integer, Rational};

/// Noise of a given scale with a distribution on the real numbers, added to numbers and rounded to the nearest multiple
/// of `2^k`.
///
/// A draw is the multiple of `2^k` nearest to `shift + scale * Z`, for an ideal, infinitely precise Z. It uses one and
/// a half words of entropy, or one word for functions of one uniform number. The Laplace, Gaussian and exponential
/// distributions reject one draw in 33 to 41 and draw again. If the first 64 digits do not decide the result, more are
/// drawn, which takes microseconds. At the default grid of some `2^-32` of the scale, this happens once in some 10^5
/// draws (Gumbel, logistic: 10^6; uniform: 10^9); at grids finer than `2^-60` of the scale, often or always. Shifts of
/// more than 2^47 steps of the grid in size take some nanoseconds more. Shifts of 2^62 steps or more in size, and
/// scales far below the grid, take microseconds. So the time depends on the shift.
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
    law: RealNoise,
    scale: Dyadic,
    mantissa: i128,
    k: i32,
    /// `2^k`, if it is a float.
    unit: Option<f64>,
    /// The number of fractional bits of `mantissa Z 2^68`, in steps of the grid.
    point: Option<u32>,
    words: Option<Words>,
}

/// Constants for sums in 64-bit integers with `places` fractional bits, in steps of the grid. `scale` is the scale
/// times `2^(places + 6)` in those steps, rounded down, below 2^56.
#[derive(Debug, Clone, Copy)]
struct Words {
    places: u32,
    scale: u64,
}

impl Words {
    fn new(scale: &Dyadic, k: i32) -> Option<Self> {
        let steps = if k < 0 {
            scale.to_gmp_rational() << k.unsigned_abs()
        } else {
            scale.to_gmp_rational() >> k.unsigned_abs()
        };
        let units = |places: u32| Integer::from((steps.clone() << (places + 6)).floor_ref());
        let fits = |places: &u32| units(*places) < Integer::from(1) << 56;
        // With fewer places, the result would often be undecided.
        let places = (10..=14).rev().find(fits)?;
        Some(Self { places, scale: units(places).to_u64()? })
    }
}

impl RoundedNoise {
    /// Makes noise with density `exp(-|z| / scale) / (2 scale)`.
    ///
    /// # Errors
    ///
    /// Returns an error if the scale is negative or not finite, or if k is outside -1074 to 1023. The same holds for
    /// every distribution.
    pub fn laplace(scale: f64, k: i32) -> Fallible<Self> {
        Self::new(RealNoise::laplace(), scale, k)
    }

    /// Makes noise with density proportional to `exp(-z^2 / (2 scale^2))`.
    pub fn gaussian(scale: f64, k: i32) -> Fallible<Self> {
        Self::new(RealNoise::gaussian(), scale, k)
    }

    /// Makes noise of any distribution: `scale` times a draw.
    pub fn new(law: RealNoise, scale: f64, k: i32) -> Fallible<Self> {
        if !(-1074..=1023).contains(&k) {
            return Err(Error::Parameter(Rule::Grid));
        }
        let invalid = Error::Parameter(Rule::Scale);
        if !(scale.is_finite() && scale >= 0.0) {
            return Err(invalid);
        }
        let scale = Dyadic::from_f64(scale)?;
        let mantissa = scale.gmp_mantissa().to_i128().ok_or(invalid)?;
        // scale Z / 2^k = mantissa 2^exponent (Z 2^68) / 2^68 / 2^k
        let point = 68 + k - scale.exponent();
        let unit = Dyadic::from_gmp(Integer::from(1), k).ok().map(|unit| unit.to_f64());
        let point = u32::try_from(point).ok().filter(|point| (1..=120).contains(point));
        let words = Words::new(&scale, k);
        Ok(Self { law, scale, mantissa, k, unit, point, words })
    }

    /// Returns `shift` with noise, rounded to the nearest float and saturating at the largest finite float. An
    /// infinite `shift` is returned unchanged.
    ///
    /// # Errors
    ///
    /// Returns an error if `shift` is NaN, or if the entropy fails.
    #[inline]
    pub fn add(&self, shift: f64, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<f64> {
        self.add_from::<Full>(shift, entropy)
    }

    /// Adds independent noise to each number of a slice, as [`RoundedNoise::add`] does. After an error, do not use the
    /// slice: some numbers have no noise.
    pub fn add_to_all(&self, numbers: &mut [f64], entropy: &mut (impl Entropy + ?Sized)) -> Fallible<()> {
        numbers.iter_mut().try_for_each(|number| {
            *number = self.add(*number, entropy)?;
            Ok(())
        })
    }

    #[inline(always)]
    fn add_from<W: Widths>(&self, shift: f64, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<f64> {
        if !shift.is_finite() || self.mantissa == 0 {
            return self.without_noise(shift);
        }
        let mut number = self.law.draw_from::<W>(entropy)?;
        if let Some(multiple) = self.multiple_by_words(shift, &number).or_else(|| self.multiple(shift, &number)) {
            return Ok(multiple);
        }
        let multiple =
            nearest_multiple(&Dyadic::from_f64(shift)?, &self.scale.to_gmp_rational(), self.k, &mut number, entropy)?;
        Ok(saturated(&multiple))
    }

    /// Returns an exact number with noise, before it is rounded to a float.
    pub fn add_exact(&self, shift: &Dyadic, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Dyadic> {
        let mut number = self.law.draw_from::<Full>(entropy)?;
        nearest_multiple(shift, &self.scale.to_gmp_rational(), self.k, &mut number, entropy)
    }

    #[cold]
    fn without_noise(&self, shift: f64) -> Fallible<f64> {
        if shift.is_infinite() {
            return Ok(shift);
        }
        let unit = Dyadic::from_gmp(Integer::from(1), -self.k)?.to_gmp_rational();
        let multiple = Dyadic::from_f64(shift)?.to_gmp_rational() * unit + Rational::from((1, 2));
        Ok(saturated(&Dyadic::from_gmp(Integer::from(multiple.floor_ref()), self.k)?))
    }

    /// Returns the rounded result for a distribution on the half line, if the first digits of the draw decide it in
    /// 64-bit integers.
    ///
    /// In units of `2^-places` steps of the grid: the draw is too small by less than 129 of its units and the scale by
    /// less than 1 of its units. The draw has less than 2^64 units and the scale less than 2^56, so their product is
    /// too small by less than 1.6, and by one more for its floor. The shift is too small by less than 1. So the sum
    /// lies less than 4 above `total`, which is 3 less for a minus sign.
    #[inline(always)]
    fn multiple_by_words(&self, shift: f64, number: &Real) -> Option<f64> {
        let Words { places, scale } = self.words?;
        let draw = number.draw.sixteenths()?;
        let size = u64::try_from((u128::from(draw) * u128::from(scale)) >> 64).ok()?.cast_signed();
        let Form::HalfLine { negative } = number.form else { return None };
        // The mask is all ones for a minus sign: `-size - 3` without a branch, because the sign is random.
        let mask = -i64::from(negative);
        let noise = (size ^ mask) + (mask & -2);
        let (mantissa, exponent) = parts(shift);
        let left = exponent - self.k + places.cast_signed();
        let shift = match u32::try_from(left) {
            // The shift is below 2^62, as the noise is.
            Ok(left) if left <= 9 => mantissa << left,
            Ok(_) => return None,
            Err(_) => mantissa >> left.unsigned_abs().min(63),
        };
        let total = shift + noise + (1 << (places - 1));
        if (total & ((1 << places) - 1)) + 4 >= 1 << places {
            return None;
        }
        Some(nearest_float(total >> places)? * self.unit?).filter(|result| result.is_finite())
    }

    /// Returns the rounded result, if the first digits of the draw decide it and all numbers fit.
    ///
    /// In fixed point with `places` fractional bits and in steps of the grid: the noise is at least `noise`, and less
    /// than `spread - 1` units more (each floor loses less than one); the shift is less than one unit more.
    #[inline(always)]
    fn multiple(&self, shift: f64, number: &Real) -> Option<f64> {
        let point = self.point?;
        let places = point.min(MAX_PLACES);
        let dropped = point - places;
        let Fixed { low, width } = number.fixed()?;
        // As many bits of the number as fit beside the mantissa without overflow. The bits after them are dropped here,
        // which is a floor that the width includes.
        let room = self.mantissa.leading_zeros() - 2;
        let excess = (128 - low.unsigned_abs().leading_zeros()).saturating_sub(room);
        if excess > dropped || width >> room.min(126) != 0 {
            return None;
        }
        let (low, width) = (low >> excess, (width >> excess) + i128::from(excess > 0) * 2);
        let noise = self.mantissa.wrapping_mul(low) >> (dropped - excess);
        let spread = (self.mantissa.wrapping_mul(width) >> (dropped - excess)) + 3;
        let total = in_steps(shift, self.k, places)?.checked_add(noise)?.checked_add(1 << (places - 1))?;
        let rest = total & ((1 << places) - 1);
        if rest + spread >= 1 << places {
            return None;
        }
        // An integer beyond 2^53 is rounded here, but then the product is a normal float, so the result is rounded only
        // once.
        let multiple = i64::try_from(total >> places).ok()?;
        Some(nearest_float(multiple)? * self.unit?).filter(|result| result.is_finite())
    }
}

/// Fractional bits of the fast path: few enough that 2^62 steps of the grid fit in 128 bits with them.
const MAX_PLACES: u32 = 60;

/// Returns a finite float as `mantissa 2^exponent`, with a mantissa below 2^53 in size.
#[inline]
fn parts(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let biased = i32::try_from(bits >> 52 & 0x7ff).unwrap_or(0);
    let size = (bits & ((1 << 52) - 1) | if biased == 0 { 0 } else { 1 << 52 }).cast_signed();
    (if x.is_sign_negative() { -size } else { size }, biased.max(1) - 1075)
}

/// Returns `shift / 2^k` with the given number of fractional bits, rounded down, or `None` if it is far beyond 2^62.
#[inline]
fn in_steps(shift: f64, k: i32, places: u32) -> Option<i128> {
    let (mantissa, exponent) = parts(shift);
    let left = exponent - k + places.cast_signed();
    match u32::try_from(left) {
        Ok(left) => (left <= 72).then(|| i128::from(mantissa) << left),
        Err(_) => Some(i128::from(mantissa >> left.unsigned_abs().min(63))),
    }
}

/// Returns the float nearest to an integer: two exact parts, and one rounding of their sum.
#[inline]
fn nearest_float(integer: i64) -> Option<f64> {
    let (high, low) = (i32::try_from(integer >> 32).ok()?, u32::try_from(integer & 0xffff_ffff).ok()?);
    Some(f64::from(high) * 4_294_967_296.0 + f64::from(low))
}

/// Returns the nearest finite float.
fn saturated(number: &Dyadic) -> f64 {
    number.to_f64().clamp(f64::MIN, f64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        testing::{SeededEntropy, enumerate},
        widths::{Few, Tiny},
    };
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
            // P(result <= x) is the distribution's own at the upper edge of x's cell.
            let (low, high) = (cdf(law, (x - half - shift) / claimed), cdf(law, (x + half - shift) / claimed));
            gap = gap.max(low - f64::from(below) / n).max(f64::from(below + 1) / n - high);
        }
        (gap, (f64::ln(2e9) / (2.0 * n)).sqrt())
    }

    #[test]
    fn enumerated_masses_never_exceed_the_law_and_close_in_on_it() {
        for law in [0, 1] {
            let noise = LAWS[law](1.0, -1).unwrap();
            let draw = |entropy: &mut dyn Entropy| Ok(noise.add_from::<Tiny>(0.3, entropy)?.to_string());
            let enumerated = enumerate(24, draw).unwrap();
            assert!(enumerated.undecided < 0.2, "{law}: {}", enumerated.undecided);
            assert!(enumerated.mass.len() > 8);
            for (release, mass) in enumerated.mass {
                let release: f64 = release.parse().unwrap();
                let p = cdf(law, release + 0.25 - 0.3) - cdf(law, release - 0.25 - 0.3);
                assert!(mass <= p + 1e-9 && p <= mass + enumerated.undecided + 1e-9, "{law} {release}: {mass} {p}");
            }
        }
    }

    #[test]
    fn with_few_bits_at_first_the_slow_paths_decide_and_the_law_is_the_same() {
        for law in [0, 1] {
            let (gap, bound) = largest_gap::<Few>(law, (2.5, 2.5), 1.75, -30, 1_500);
            assert!(gap < bound, "{law}: {gap}");
        }
    }

    /// The fast path's result is that of exact fractions for the same bits; on a grid this fine, or a shift this far
    /// off, it has to hand over.
    #[test]
    fn the_fast_path_rounds_as_fractions_do() {
        let shifts =
            [0.0, -0.0, 0.1, -0.1, 1.0, 1e-30, -1e-30, 5e-324, -5e-324, 12345.678, -1e15, 1e18, 1e300, -f64::MAX];
        let laws = [
            RealNoise::laplace(),
            RealNoise::gaussian(),
            RealNoise::exponential(),
            RealNoise::gumbel(),
            RealNoise::logistic(),
            RealNoise::uniform(),
            RealNoise::tulap(0.7, 0.01).unwrap(),
        ];
        for law in laws {
            for (scale, k) in
                [(1.0, -32), (0.7, -33), (1e-3, -20), (1e6, -13), (3.0, 4), (1.0, -1074), (5e-324, -1074), (1e300, 900)]
            {
                let noise = RoundedNoise::new(law.clone(), scale, k).unwrap();
                for (seed, shift) in (0..50).flat_map(|seed| shifts.map(|shift| (seed, shift))) {
                    let fast = noise.add(shift, &mut SeededEntropy::new(seed)).unwrap();
                    let exact =
                        noise.add_exact(&Dyadic::from_f64(shift).unwrap(), &mut SeededEntropy::new(seed)).unwrap();
                    assert_eq!(fast.to_bits(), saturated(&exact).to_bits(), "{law:?} {scale} {k} {shift} {seed}");
                    assert!((exact.to_gmp_rational() / (Rational::from(1) << k)).is_integer());
                }
            }
        }
    }

    /// The parts of the fast path, against exact fractions and the hardware.
    #[test]
    #[allow(clippy::as_conversions)]
    fn floats_are_taken_apart_and_put_together() {
        let power = |exponent: i32| Rational::from(1) << exponent;
        for x in [0.0, 1.0, -1.0, 1.5, -0.1, 12345.678, 5e-324, -f64::MIN_POSITIVE, 1.75 * f64::MIN_POSITIVE, -f64::MAX]
        {
            let (mantissa, exponent) = parts(x);
            assert_eq!(Some(Rational::from(mantissa) * power(exponent)), Rational::from_f64(x), "{x}");
            assert!(mantissa.unsigned_abs() < 1 << 53);
            for (k, places) in [(-32, 9u32), (0, 0), (3, 60), (-1074, 60), (900, 1), (-40, 33)] {
                let exact = Rational::from_f64(x).unwrap() * power(places.cast_signed() - k);
                let floor = Integer::from(exact.floor_ref());
                match in_steps(x, k, places) {
                    Some(steps) => assert_eq!(Integer::from(steps), floor, "{x} {k} {places}"),
                    None => assert!(floor.significant_bits() > 72, "{x} {k} {places}"),
                }
            }
        }
        for integer in
            [0, 1, -1, i64::MAX, i64::MIN, (1 << 53) + 1, -(1 << 53) - 3, 0x1234_5678_9abc_def0, -5_000_000_000]
        {
            assert_eq!(nearest_float(integer), Some(integer as f64));
        }
    }

    /// Results of both fast paths hold at both ends of what the digits leave open; how many there were, and how many
    /// were left open.
    fn check_fast_paths(noise: &RoundedNoise, shift: f64, number: &Real) -> (u32, u32) {
        let (Some(low), Some(high)) = number.ends() else { return (0, 0) };
        let steps = |z: Rational| {
            (Rational::from_f64(shift).unwrap() + noise.scale.to_gmp_rational() * z) / (Rational::from(1) << noise.k)
                + Rational::from((1, 2))
        };
        let (least, greatest) = (Integer::from(steps(low).floor_ref()), Integer::from(steps(high).ceil_ref()) - 1u32);
        let results = [noise.multiple_by_words(shift, number), noise.multiple(shift, number)];
        for result in results.into_iter().flatten() {
            let result = Rational::from_f64(result).unwrap() / (Rational::from(1) << noise.k);
            assert!(result == least && result == greatest, "{shift} {number:?}: {result} of {least} to {greatest}");
        }
        (u32::from(results[0].is_some()), u32::from(results[1].is_some()))
    }

    /// Next to where the result changes, what the first digits decide holds for every number that they leave open.
    #[test]
    fn what_the_fast_paths_decide_holds_for_all_further_digits() {
        let power = |exponent: i32| Rational::from(1) << exponent;
        let (mut words, mut wide, mut tried) = (0, 0, 0);
        for (law, scale, k) in [RealNoise::laplace(), RealNoise::gaussian(), RealNoise::gumbel(), RealNoise::uniform()]
            .into_iter()
            .flat_map(|law| [(1.0, -20), (0.7, -3)].map(|(scale, k)| (law.clone(), scale, k)))
        {
            let noise = RoundedNoise::new(law.clone(), scale, k).unwrap();
            for (seed, nudge) in (0..40).flat_map(|seed| (-8..=8).map(move |nudge| (seed, nudge))) {
                let number = noise.law.draw_from::<Full>(&mut SeededEntropy::new(seed)).unwrap();
                let edge = power(k - 1) - noise.scale.to_gmp_rational() * number.ends().0.unwrap();
                let shift = (edge + Rational::from(nudge) * power(k - 14)).to_f64();
                let (by_words, by_more) = check_fast_paths(&noise, shift, &number);
                (words, wide, tried) = (words + by_words, wide + by_more, tried + 1);
            }
        }
        // Words leave eight units open, more digits next to nothing; words are for the half line.
        assert!(words * 4 > tried && words * 2 < tried && wide * 10 > tried * 9, "{words} and {wide} of {tried}");
        // Digits that put the sum itself on an edge.
        let (mut decided, mut tried) = (0, 0);
        for (scale, offset) in
            [1.0, 0.75, 0.7].into_iter().flat_map(|scale| (-40i64..=40).map(move |offset| (scale, offset)))
        {
            let noise = RoundedNoise::new(RealNoise::uniform(), scale, -1).unwrap();
            let edge = (Rational::from((1, 2)) - Rational::from((1, 4)) / noise.scale.to_gmp_rational()) << 64u32;
            let digits = Integer::from(edge.floor_ref()).to_u64().unwrap().wrapping_add_signed(offset);
            let number = Real {
                draw: crate::half_line::Draw::first_digits(digits, 64),
                form: Form::Shifted { by: 0, halves: 1 },
            };
            decided += check_fast_paths(&noise, 0.0, &number).1;
            tried += 1;
        }
        assert!(decided * 2 > tried && decided < tried, "{decided} of {tried}");
    }

    #[test]
    fn every_number_of_a_slice_gets_noise_of_its_own() {
        let noise = RoundedNoise::laplace(2.0, -40).unwrap();
        let (mut all, mut one, mut numbers) = (SeededEntropy::new(8), SeededEntropy::new(8), [0.0, 1.5, -3.0, 0.0]);
        let expected = numbers.map(|number| noise.add(number, &mut one).unwrap());
        noise.add_to_all(&mut numbers, &mut all).unwrap();
        assert_eq!(numbers, expected);
        assert!(numbers[0] != numbers[3] && noise.add_to_all(&mut [1.0, f64::NAN], &mut all).is_err());
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

    /// A scale of nearly 2^56 units, in which draws are short by as much as they can be, and shifts between two units.
    #[test]
    fn the_margin_of_words_covers_what_is_rounded_away() {
        let power = |exponent: i32| Rational::from(1) << exponent;
        let (k, mut words, mut tried) = (-36, 0, 0);
        for law in [RealNoise::laplace(), RealNoise::gaussian()] {
            let noise = RoundedNoise::new(law.clone(), 0.9999, k).unwrap();
            assert_eq!(noise.words.unwrap().places, 14);
            for seed in 0..200 {
                let number = noise.law.draw_from::<Full>(&mut SeededEntropy::new(seed)).unwrap();
                let edge = power(k - 1) - noise.scale.to_gmp_rational() * number.ends().0.unwrap();
                for nudge in -24..=8 {
                    let shift = (edge.clone() + Rational::from(nudge) * power(k - 16)).to_f64();
                    words += check_fast_paths(&noise, shift, &number).0;
                    tried += 1;
                }
            }
        }
        assert!(words * 8 > tried, "{words} of {tried}");
    }
}
