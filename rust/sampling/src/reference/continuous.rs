//! Reference samplers of the continuous distributions: `-ln(U)` in MPFR with growing precision, and Karney's algorithm.

use crate::{
    Entropy, Fallible,
    bernoulli::bernoulli_exp,
    lazy::{LazyReal, LazyUniform, is_below_exp, nearest_multiple},
};
use indistinct_numeric::Dyadic;
use rug::{Float, Integer, Rational, float::Round};

/// Returns the multiple of `2^k` nearest to `shift + scale * Z`, where `Z` has density `exp(-|z|) / 2`.
pub fn laplace(shift: &Dyadic, scale: &Rational, k: i32, entropy: &mut dyn Entropy) -> Fallible<Dyadic> {
    let mut number = Laplace { negative: entropy.bit()?, uniform: LazyUniform::default() };
    nearest_multiple(shift, scale, k, &mut number, entropy)
}

/// Returns the multiple of `2^k` nearest to `shift + scale * Z`, where `Z` is standard normal.
pub fn gaussian(shift: &Dyadic, scale: &Rational, k: i32, entropy: &mut dyn Entropy) -> Fallible<Dyadic> {
    nearest_multiple(shift, scale, k, &mut Gaussian::draw(entropy)?, entropy)
}

/// A fair sign and `-ln(U)` for a uniform `U`.
struct Laplace {
    negative: bool,
    uniform: LazyUniform,
}

impl LazyReal for Laplace {
    fn enclosure(&self) -> Option<(Rational, Rational)> {
        let (low, high) = self.uniform.enclosure();
        if low == 0 {
            return None;
        }
        // Both ends of U fit in `precision` bits, so only the logarithm rounds, outward.
        let precision = self.uniform.count() + LazyUniform::STEP;
        let minus_ln = |u: &Rational, round| -> Option<Rational> {
            let (ln, _) = Float::with_val_round(precision, Float::with_val(precision, u).ln_ref(), round);
            (-ln).to_rational()
        };
        let (least, greatest) = (minus_ln(&high, Round::Up)?, minus_ln(&low, Round::Down)?);
        Some(if self.negative { (-greatest, -least) } else { (least, greatest) })
    }

    fn refine(&mut self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<()> {
        self.uniform.refine(entropy)
    }
}

/// Karney 2016, Algorithm N: a fair sign, an integer part and a uniform fraction whose digits are drawn on demand.
struct Gaussian {
    negative: bool,
    whole: Integer,
    fraction: LazyUniform,
}

impl Gaussian {
    /// An integer `j` has probability proportional to `exp(-j/2) exp(-j(j-1)/2)`, and a fraction `x` is kept with
    /// probability `exp(-x(2j+x)/2)`: together `exp(-(j+x)^2/2)`, the density of the half-normal distribution.
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
            let (mut fraction, mut coin) = (LazyUniform::default(), LazyUniform::default());
            let x = |l: Rational| Rational::from(&l + Integer::from(&whole << 1)) * l / 2u32;
            if is_below_exp(&mut coin, &mut fraction, x, entropy)? {
                return Ok(Self { negative: entropy.bit()?, whole, fraction });
            }
        }
    }
}

impl LazyReal for Gaussian {
    fn enclosure(&self) -> Option<(Rational, Rational)> {
        let (low, high) = self.fraction.enclosure();
        let (least, greatest) = (low + &self.whole, high + &self.whole);
        Some(if self.negative { (-greatest, -least) } else { (least, greatest) })
    }

    fn refine(&mut self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<()> {
        self.fraction.refine(entropy)
    }
}
