//! Distributions on the real numbers. The digits of their draws are drawn on demand.

use crate::{
    Entropy, Fallible,
    half_line::{Draw, HalfLine},
    lazy::{LazyReal, LazyUniform, ln},
    ln::{LN_ERROR, ln_floor},
    table::Table,
    tulap::Tulap,
    widths::{Full, Widths},
};
use indistinct_numeric::{BigRational, gmp};
use rug::Rational;

/// Noise of scale 1 with a distribution on the real numbers.
///
/// ```
/// use indistinct_sampling::{OsEntropy, RealNoise};
/// let mut entropy = OsEntropy::new();
/// let mut z = RealNoise::gumbel().draw(&mut entropy)?;
/// z.refine(&mut entropy)?;
/// let (low, high) = z.interval().unwrap();
/// assert!(low < high);
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RealNoise(Law);

#[derive(Debug, Clone)]
enum Law {
    OfUniform(Form),
    HalfLine { law: HalfLine, table: &'static Table, two_sided: bool },
    Tulap(Box<Tulap>),
}

impl RealNoise {
    /// The uniform distribution on [0, 1].
    pub fn uniform() -> Self {
        Self(Law::OfUniform(Form::Shifted { by: 0, halves: 0 }))
    }

    /// The exponential distribution, with density `exp(-z)` for `z >= 0`.
    pub fn exponential() -> Self {
        Self::half_line(HalfLine::Exponential, false)
    }

    /// The Laplace distribution, with density `exp(-|z|) / 2`.
    pub fn laplace() -> Self {
        Self::half_line(HalfLine::Exponential, true)
    }

    /// The standard normal distribution, with density proportional to `exp(-z^2 / 2)`.
    pub fn gaussian() -> Self {
        Self::half_line(HalfLine::HalfNormal, true)
    }

    /// The standard Gumbel distribution, with distribution function `exp(-exp(-z))`: `-ln(-ln(U))` for a uniform U.
    pub fn gumbel() -> Self {
        Self(Law::OfUniform(Form::Gumbel))
    }

    /// The standard logistic distribution, with distribution function `1 / (1 + exp(-z))`: `ln(U / (1 - U))` for a
    /// uniform U.
    pub fn logistic() -> Self {
        Self(Law::OfUniform(Form::Logistic))
    }

    /// The canonical noise for `(epsilon, delta)`-differential privacy at sensitivity 1: the Tulap distribution,
    /// truncated if delta is positive (Awan, Slavković 2018; Awan, Vadhan 2021).
    ///
    /// It is the sum of a discrete Laplace number with weights `exp(-epsilon |n|)` and a number uniform on `[-1/2,
    /// 1/2]`, conditioned on its distribution function lying between `q / 2` and `1 - q / 2`, where
    /// `q = 2 delta b / (1 - b + 2 delta b)` and `b = exp(-epsilon)`. A draw is kept with probability `1 - q`.
    ///
    /// # Errors
    ///
    /// Returns an error unless epsilon is from `2^-40` to `2^10` and delta is at least 0 and below 1.
    pub fn tulap(epsilon: f64, delta: f64) -> Fallible<Self> {
        Ok(Self(Law::Tulap(Box::new(Tulap::new(epsilon, delta)?))))
    }

    fn half_line(law: HalfLine, two_sided: bool) -> Self {
        Self(Law::HalfLine { law, table: law.table(), two_sided })
    }

    /// Draws a number.
    #[inline]
    pub fn draw(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Real> {
        self.draw_from::<Full>(entropy)
    }

    #[inline(always)]
    pub(crate) fn draw_from<W: Widths>(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Real> {
        Ok(match &self.0 {
            Law::HalfLine { law, table, two_sided } => {
                let draw = law.draw::<W>(table, entropy)?;
                Real { draw, form: Form::HalfLine { negative: entropy.bit()? & *two_sided } }
            }
            Law::OfUniform(form) => Real { draw: Draw::uniform::<W>(entropy)?, form: *form },
            Law::Tulap(law) => {
                let (by, draw) = law.draw::<W>(entropy)?;
                Real { draw, form: Form::Shifted { by, halves: 1 } }
            }
        })
    }
}

/// How a number is computed from a draw, `t = (whole + l) / 16` on the half line or `l` on the unit interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `t`, or `-t`.
    HalfLine { negative: bool },
    /// `-ln(l)`: exponential.
    MinusLn,
    /// `-ln(-ln(l))`.
    Gumbel,
    /// `ln(l / (1 - l))`.
    Logistic,
    /// `l + by - halves / 2`.
    Shifted { by: i64, halves: u8 },
}

/// A number drawn from a distribution on the real numbers; more digits are drawn on demand.
#[derive(Debug)]
pub struct Real {
    pub(crate) draw: Draw,
    pub(crate) form: Form,
}

/// A number in fixed point: from `low` to `low + width`, in units of 2^-68.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fixed {
    pub(crate) low: i128,
    pub(crate) width: i128,
}

impl Fixed {
    /// Returns floats that bound the number, or `None` for numbers of 2^15 or more in size.
    pub(crate) fn to_floats(self) -> Option<(f64, f64)> {
        // In units of 2^-36: a float represents any integer below 2^52 exactly.
        const DROPPED: u32 = 32;
        let exact = |units: i128| -> Option<f64> {
            let whole = i64::try_from(units).ok().filter(|units| units.unsigned_abs() < 1 << 51)?;
            let (high, low) = (i32::try_from(whole >> 32).ok()?, u32::try_from(whole & 0xffff_ffff).ok()?);
            Some((f64::from(high) * 4_294_967_296.0 + f64::from(low)) / 68_719_476_736.0)
        };
        Some((exact(self.low >> DROPPED)?, exact(((self.low + self.width) >> DROPPED) + 1)?))
    }
}

impl Real {
    /// Returns the first digits as fixed-point numbers, or `None` if they are too few or the number is too large for
    /// 128 bits.
    #[inline(always)]
    pub(crate) fn fixed(&self) -> Option<Fixed> {
        let (low, width) = self.draw.fixed();
        match self.form {
            Form::HalfLine { negative: false } => Some(Fixed { low, width }),
            Form::HalfLine { negative: true } => Some(Fixed { low: -low - width, width }),
            _ => self.fixed_otherwise(low, width),
        }
    }

    /// Like `fixed`, for functions of a uniform number, given in units of 2^-64.
    #[inline(never)]
    fn fixed_otherwise(&self, low: i128, width: i128) -> Option<Fixed> {
        const ONE: i128 = 1 << 64;
        // The logarithm, in units of 2^-64, of a positive number of units.
        let ln = |x: i128| u128::try_from(x).ok().filter(|x| *x > 0).map(|x| ln_floor(x, 64));
        let ln_ceil = |x: i128| ln(x).map(|ln| ln + LN_ERROR);
        let high = low + width;
        let (low, high) = match self.form {
            Form::MinusLn => (-ln_ceil(high)?, -ln(low)?),
            Form::Gumbel => (-ln_ceil(-ln(low)?)?, -ln(-ln_ceil(high)?)?),
            Form::Logistic => (ln(low)? - ln_ceil(ONE - low)?, ln_ceil(high)? - ln(ONE - high)?),
            Form::Shifted { by, halves } => {
                // Below 2^50, so that the product with a scale has room.
                let by = (by.unsigned_abs() < 1 << 50).then(|| i128::from(by) << 64)?;
                let by = by - i128::from(halves) * (ONE / 2);
                (low + by, high + by)
            }
            Form::HalfLine { .. } => return None,
        };
        Some(Fixed { low: low << 4, width: (high - low) << 4 })
    }
}

impl Real {
    /// Returns a closed interval that contains the number, or `None` if more digits are needed to bound it.
    ///
    /// The interval shrinks to a point as digits are drawn. It depends only on the digits drawn so far.
    pub fn interval(&self) -> Option<(BigRational, BigRational)> {
        let (least, greatest) = self.enclosure()?;
        Some((gmp::big_rational(&least), gmp::big_rational(&greatest)))
    }

    /// Draws more digits.
    pub fn refine(&mut self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<()> {
        self.draw.refine(entropy)
    }
}

impl Real {
    /// Returns the smallest and the largest possible value by the known digits, each if it exists.
    pub(crate) fn ends(&self) -> (Option<Rational>, Option<Rational>) {
        let (low, high) = self.draw.enclosure();
        let precision = self.draw.digits_known() + LazyUniform::STEP;
        let ln_low = |x: &Rational| if *x > 0 { Some(ln(x, precision)?.0) } else { None };
        let ln_high = |x: &Rational| if *x > 0 { Some(ln(x, precision)?.1) } else { None };
        let minus = |x: Option<Rational>| x.map(|x| -x);
        match self.form {
            Form::HalfLine { negative: false } => (Some(low), Some(high)),
            Form::HalfLine { negative: true } => (Some(-high), Some(-low)),
            Form::Shifted { by, halves } => {
                let by = Rational::from(by) - Rational::from((halves, 2));
                (Some(low + &by), Some(high + by))
            }
            Form::MinusLn => (minus(ln_high(&high)), minus(ln_low(&low))),
            Form::Gumbel => {
                let (least, greatest) = (minus(ln_low(&low)), minus(ln_high(&high)));
                (minus(least.and_then(|x| ln_high(&x))), minus(greatest.and_then(|x| ln_low(&x))))
            }
            Form::Logistic => {
                let odds = |l: Rational| if l < 1 { Some(&l / (Rational::from(1) - &l)) } else { None };
                (odds(low).and_then(|odds| ln_low(&odds)), odds(high).and_then(|odds| ln_high(&odds)))
            }
        }
    }
}

impl LazyReal for Real {
    fn enclosure(&self) -> Option<(Rational, Rational)> {
        let (least, greatest) = self.ends();
        least.zip(greatest)
    }

    fn refine(&mut self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<()> {
        self.draw.refine(entropy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::SeededEntropy;

    const OF_UNIFORM: [Form; 4] = [Form::MinusLn, Form::Gumbel, Form::Logistic, Form::Shifted { by: -3, halves: 1 }];

    /// The bounds in 64-bit integers enclose the number, and are no wider than its digits and the kernels allow.
    #[test]
    fn fixed_point_bounds_enclose_the_number() {
        let mut state = 1u64;
        let mut decided = 0u32;
        for step in 0..4_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let digits = match step % 4 {
                0 => state,
                1 => state >> (state % 64),
                2 => !(state >> (state % 64)),
                _ => u64::MAX - u64::from(state.is_multiple_of(3)),
            };
            for form in OF_UNIFORM {
                let mut number = Real { draw: Draw::first_digits(digits, 64), form };
                let fixed = number.fixed();
                number.refine(&mut SeededEntropy::new(step)).unwrap();
                let (Some(Fixed { low, width }), Some((least, greatest))) = (fixed, number.enclosure()) else {
                    continue;
                };
                decided += 1;
                let units = |x: Rational| x << 68u32;
                assert!(low <= units(greatest.clone()) && units(least) <= low + width, "{form:?} {digits}");
                if digits >> 54 != 0 && digits < u64::MAX >> 1 {
                    assert!(width < 1 << 25, "{form:?} {digits} {width}");
                }
                let (low, high) = Fixed { low, width }.to_floats().unwrap();
                assert!(low <= greatest && high >= greatest - Rational::from((1, 1u64 << 60)), "{form:?} {digits}");
            }
        }
        assert!(decided > 12_000, "{decided}");
    }

    #[test]
    fn numbers_of_the_half_line_have_their_sign() {
        for negative in [false, true] {
            let draw = Draw::first_digits(0b1011, 4);
            let number = Real { draw, form: Form::HalfLine { negative } };
            let Fixed { low, width } = number.fixed().unwrap();
            let (least, greatest) = if negative { (-12, -11) } else { (11, 12) };
            assert_eq!((low, low + width), (least << 60, greatest << 60));
            assert_eq!(number.ends(), (Some(Rational::from((least, 16))), Some(Rational::from((greatest, 16)))));
        }
    }

    /// A draw of one sign takes the bit of the other too, and has no use for it.
    #[test]
    fn signs_are_those_of_the_law() {
        for (law, both) in
            [(RealNoise::exponential(), false), (RealNoise::laplace(), true), (RealNoise::gaussian(), true)]
        {
            let mut entropy = SeededEntropy::new(3);
            let negative = (0..1000).filter(|_| {
                let number = law.draw(&mut entropy).unwrap();
                assert!(matches!(number.form, Form::HalfLine { .. }));
                number.form == Form::HalfLine { negative: true }
            });
            let negative = negative.count();
            // Ten deviations; the seed is fixed.
            assert!(if both { (340..660).contains(&negative) } else { negative == 0 }, "{law:?}: {negative}");
        }
    }

    #[test]
    fn ends_of_the_unit_interval_have_no_enclosure_where_there_is_none() {
        let ends = |digits, form| {
            let (least, greatest) = Real { draw: Draw::first_digits(digits, 8), form }.ends();
            (least.is_some(), greatest.is_some())
        };
        assert_eq!((ends(0, Form::MinusLn), ends(255, Form::MinusLn)), ((true, false), (true, true)));
        assert_eq!((ends(0, Form::Gumbel), ends(255, Form::Gumbel)), ((false, true), (true, false)));
        assert_eq!((ends(0, Form::Logistic), ends(255, Form::Logistic)), ((false, true), (true, false)));
    }
}
