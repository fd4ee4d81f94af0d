//! The Laplace and Gaussian laws over the reals, correctly rounded to a grid of powers of two.
//!
//! A draw is a real number that is only known to lie in an interval, and can be asked to narrow it. What is returned is
//! the multiple of `2^k` nearest to `shift + scale * Z`: the interval is narrowed until both of its ends round to the
//! same multiple, so the result is that of infinite precision.

use crate::{Entropy, Error, Fallible, bernoulli::bernoulli_exp, uniform::LazyUniform};
use indistinct_numeric::Dyadic;
use rug::{Float, Integer, Rational, float::Round};

/// Random digits drawn at first, and the least precision of an enclosure.
const FIRST_DIGITS: u32 = 64;

/// The multiple of `2^k` nearest to `shift + scale * Z`, for `Z` of density `exp(-|z|) / 2`.
///
/// `scale` must not be negative; at scale 0 the result is the rounded shift. `k` is from -65536 to 65536.
pub fn laplace(shift: &Dyadic, scale: &Rational, k: i32, entropy: &mut dyn Entropy) -> Fallible<Dyadic> {
    round_to_grid(shift, scale, k, Laplace::draw, entropy)
}

/// The multiple of `2^k` nearest to `shift + scale * Z`, for `Z` standard normal.
///
/// `scale` must not be negative; at scale 0 the result is the rounded shift. `k` is from -65536 to 65536.
pub fn gaussian(shift: &Dyadic, scale: &Rational, k: i32, entropy: &mut dyn Entropy) -> Fallible<Dyadic> {
    round_to_grid(shift, scale, k, Gaussian::draw, entropy)
}

/// A real number drawn from a law, known to lie in an interval that can be narrowed.
trait LazyReal: Sized {
    fn draw(entropy: &mut dyn Entropy) -> Fallible<Self>;
    /// A closed interval that contains the number, or nothing if more digits are needed to bound it.
    fn enclosure(&self) -> Option<(Rational, Rational)>;
    fn refine(&mut self, entropy: &mut dyn Entropy) -> Fallible<()>;
}

fn round_to_grid<Z: LazyReal>(
    shift: &Dyadic,
    scale: &Rational,
    k: i32,
    draw: impl FnOnce(&mut dyn Entropy) -> Fallible<Z>,
    entropy: &mut dyn Entropy,
) -> Fallible<Dyadic> {
    if *scale < 0 {
        return Err(Error::Parameter { parameter: "scale", rule: "must not be negative" });
    }
    if k.unsigned_abs() > Dyadic::MAX_EXPONENT.unsigned_abs() {
        return Err(Error::Parameter { parameter: "k", rule: "must be from -65536 to 65536" });
    }
    // In units of the grid, plus one half, so that rounding to nearest is rounding down.
    let unit = |x: Rational| if k < 0 { x << k.unsigned_abs() } else { x >> k.unsigned_abs() };
    let shift = unit(shift.to_rational()) + Rational::from((1, 2));
    let scale = unit(scale.clone());
    let on_grid = |z: &Rational| Integer::from((&shift + Rational::from(&scale * z)).floor_ref());
    if scale == 0 {
        return Ok(Dyadic::new(on_grid(&Rational::new()), k)?);
    }
    let mut number = draw(entropy)?;
    loop {
        if let Some((low, high)) = number.enclosure() {
            let multiple = on_grid(&low);
            if multiple == on_grid(&high) {
                return Ok(Dyadic::new(multiple, k)?);
            }
        }
        number.refine(entropy)?;
    }
}

/// A fair sign and `-ln(U)` for a uniform `U`.
struct Laplace {
    negative: bool,
    uniform: LazyUniform,
}

impl LazyReal for Laplace {
    fn draw(entropy: &mut dyn Entropy) -> Fallible<Self> {
        let mut draw = Self { negative: entropy.bit()?, uniform: LazyUniform::default() };
        draw.uniform.refine(FIRST_DIGITS, entropy)?;
        Ok(draw)
    }

    fn enclosure(&self) -> Option<(Rational, Rational)> {
        let (low, high) = self.uniform.enclosure();
        if low == 0 {
            return None;
        }
        // Both ends of U fit in `precision` bits, so only the logarithm rounds, outward.
        let precision = self.uniform.count() + FIRST_DIGITS;
        let minus_ln = |u: &Rational, round| -> Option<Rational> {
            let (ln, _) = Float::with_val_round(precision, Float::with_val(precision, u).ln_ref(), round);
            (-ln).to_rational()
        };
        let (least, greatest) = (minus_ln(&high, Round::Up)?, minus_ln(&low, Round::Down)?);
        Some(if self.negative { (-greatest, -least) } else { (least, greatest) })
    }

    fn refine(&mut self, entropy: &mut dyn Entropy) -> Fallible<()> {
        self.uniform.refine(self.uniform.count(), entropy)
    }
}

/// Karney 2016, Algorithm N: a fair sign, an integer part and a uniform fraction whose digits are drawn on demand.
struct Gaussian {
    negative: bool,
    whole: Integer,
    fraction: LazyUniform,
}

impl LazyReal for Gaussian {
    /// An integer `j` has probability proportional to `exp(-j/2) exp(-j(j-1)/2)`, and a fraction `x` is kept with
    /// probability `exp(-x(2j+x)/2)`: together `exp(-(j+x)^2/2)`, the density of the half-normal law.
    fn draw(entropy: &mut dyn Entropy) -> Fallible<Self> {
        let half = Rational::from((1, 2));
        loop {
            let mut whole = Integer::new();
            while bernoulli_exp(&half, entropy)? {
                whole += 1;
            }
            let exponent = Rational::from(&whole * Integer::from(&whole - 1)) / 2u32;
            if !bernoulli_exp(&exponent, entropy)? {
                continue;
            }
            let mut fraction = LazyUniform::default();
            if keep_fraction(&whole, &mut fraction, entropy)? {
                return Ok(Self { negative: entropy.bit()?, whole, fraction });
            }
        }
    }

    fn enclosure(&self) -> Option<(Rational, Rational)> {
        let (low, high) = self.fraction.enclosure();
        let (least, greatest) = (low + &self.whole, high + &self.whole);
        Some(if self.negative { (-greatest, -least) } else { (least, greatest) })
    }

    fn refine(&mut self, entropy: &mut dyn Entropy) -> Fallible<()> {
        self.fraction.refine(self.fraction.count().max(FIRST_DIGITS), entropy)
    }
}

/// True with probability `exp(-x(2j+x)/2)`: compares a second uniform number with an enclosure of it, drawing digits of
/// both until the comparison is decided.
fn keep_fraction(j: &Integer, x: &mut LazyUniform, entropy: &mut dyn Entropy) -> Fallible<bool> {
    let mut coin = LazyUniform::default();
    loop {
        let more = x.count().max(FIRST_DIGITS);
        x.refine(more, entropy)?;
        coin.refine(more, entropy)?;
        let precision = x.count() + FIRST_DIGITS;
        let bound = |x: Rational, round_exponent, round| -> Float {
            let exponent = Rational::from(&x + Integer::from(j << 1)) * x / 2u32;
            let (exponent, _) = Float::with_val_round(precision, -exponent, round_exponent);
            Float::with_val_round(precision, exponent.exp_ref(), round).0
        };
        let (x_low, x_high) = x.enclosure();
        let (coin_low, coin_high) = coin.enclosure();
        if coin_high <= bound(x_high, Round::Down, Round::Down) {
            return Ok(true);
        }
        if coin_low >= bound(x_low, Round::Up, Round::Up) {
            return Ok(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::testing::SeededEntropy;
    use statrs::distribution::{ContinuousCDF, Laplace as LaplaceLaw, Normal};

    type Sampler = fn(&Dyadic, &Rational, i32, &mut dyn Entropy) -> Fallible<Dyadic>;

    const SAMPLERS: [Sampler; 2] = [laplace, gaussian];

    /// Largest gap between the empirical and the true distribution function over `draws` draws.
    fn largest_gap(sampler: Sampler, scale: f64, shift: f64, k: i32, cdf: impl Fn(f64) -> f64) -> f64 {
        let draws = 20_000u32;
        let (exact, center) = (Rational::from_f64(scale).unwrap(), Dyadic::from_f64(shift).unwrap());
        let mut entropy = SeededEntropy::new(11);
        let mut sample: Vec<f64> =
            (0..draws).map(|_| sampler(&center, &exact, k, &mut entropy).unwrap().to_f64()).collect();
        sample.sort_by(f64::total_cmp);
        let half = 2f64.powi(k - 1);
        let mut gap = 0f64;
        for (below, x) in (0u32..).zip(&sample) {
            // P(result <= x) is the law's own at the upper edge of x's cell.
            let (low, high) = (cdf((x - half - shift) / scale), cdf((x + half - shift) / scale));
            gap =
                gap.max(low - f64::from(below) / f64::from(draws)).max(f64::from(below + 1) / f64::from(draws) - high);
        }
        gap
    }

    #[test]
    fn draws_follow_the_law_and_a_scale_off_by_a_quarter_does_not() {
        // DKW at 1e-9 for a fresh seed; the seed is fixed.
        let bound = (f64::ln(2e9) / (2.0 * 20_000.0)).sqrt();
        let (laplace_law, normal) = (LaplaceLaw::new(0.0, 1.0).unwrap(), Normal::new(0.0, 1.0).unwrap());
        for (scale, shift, k) in [(1.0, 0.0, -30), (3.5, 1e6, -4), (1e-3, -7.25, -60), (2.0, 0.3, 1)] {
            assert!(largest_gap(laplace, scale, shift, k, |z| laplace_law.cdf(z)) < bound, "{scale} {shift} {k}");
            assert!(largest_gap(gaussian, scale, shift, k, |z| normal.cdf(z)) < bound, "{scale} {shift} {k}");
        }
        assert!(largest_gap(laplace, 1.25, 0.0, -30, |z| laplace_law.cdf(z * 1.25)) > bound);
        assert!(largest_gap(gaussian, 1.25, 0.0, -30, |z| normal.cdf(z * 1.25)) > bound);
    }

    #[test]
    fn the_result_is_the_nearest_multiple_whatever_the_grid() {
        // The same bits on a finer grid give a number that rounds to the one on the coarser grid.
        for sampler in SAMPLERS {
            for seed in 0..200 {
                let draw = |k| {
                    let (shift, scale) = (Dyadic::from_f64(0.1).unwrap(), Rational::from((7, 3)));
                    sampler(&shift, &scale, k, &mut SeededEntropy::new(seed)).unwrap()
                };
                let (coarse, fine) = (draw(-3).to_rational(), draw(-1100).to_rational());
                assert!(Rational::from(&coarse * 8).is_integer());
                assert!(Rational::from(&coarse - &fine).abs() <= Rational::from((1, 16)), "seed {seed}");
            }
        }
    }

    #[test]
    fn extreme_parameters_end() {
        let mut entropy = SeededEntropy::new(3);
        let (max, tiny) = (Dyadic::from_f64(f64::MAX).unwrap(), Rational::from_f64(5e-324).unwrap());
        for sampler in SAMPLERS {
            assert_eq!(sampler(&max, &tiny, -1074, &mut entropy).unwrap().to_f64(), f64::MAX);
            assert_eq!(sampler(&Dyadic::ZERO, &tiny, 1000, &mut entropy).unwrap(), Dyadic::ZERO);
            assert_eq!(sampler(&max, &Rational::new(), -1074, &mut entropy).unwrap(), max);
            assert!(sampler(&max, &Rational::from_f64(1e308).unwrap(), -1074, &mut entropy).is_ok());
            assert!(sampler(&max, &Rational::from(-1), 0, &mut entropy).is_err());
            assert!(sampler(&max, &tiny, i32::MIN, &mut entropy).is_err());
        }
    }
}
