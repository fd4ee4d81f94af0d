//! Conversions between integers, floats, rationals and dyadics, rounded in a chosen direction or refused.

use crate::{Dyadic, Error, Fallible, Rounding, gmp};
use num::{BigInt, BigRational};
use rug::{Float, Integer, Rational, float::Round};

/// An exact number of the extended reals, through which every conversion passes.
#[derive(Debug, Clone, PartialEq)]
pub enum Extended {
    /// The infinity below every real number.
    NegInfinity,
    /// A rational number, which `BigRational::exact_from` returns.
    Finite(#[doc(hidden)] Rational),
    /// The infinity above every real number.
    Infinity,
}

/// Types whose values are extended reals, or NaN, which is an error.
pub trait ToExtended {
    /// Returns the exact value, or an error if it is not a number.
    fn to_extended(&self) -> Fallible<Extended>;
}

/// Types to which an extended real can be rounded.
pub trait FromExtended: Sized {
    /// Returns the value of this type chosen by `rounding`. A float overflows to an infinity if that is on the chosen
    /// side; for an integer, a value out of range is an error.
    fn from_extended(value: Extended, rounding: Rounding) -> Fallible<Self>;
}

/// Conversion from `S`, rounded in a chosen direction.
///
/// ```
/// use indistinct_numeric::RoundedFrom;
/// let big = (1u64 << 53) + 1;
/// assert_eq!(f64::inf_from(&big)?, 9007199254740994.0);
/// assert_eq!(f64::neg_inf_from(&big)?, 9007199254740992.0);
/// assert!(f64::exact_from(&big).is_err());
/// assert_eq!(i32::inf_from(&2.5f64)?, 3);
/// # Ok::<(), indistinct_numeric::Error>(())
/// ```
pub trait RoundedFrom<S>: Sized {
    /// Returns the value, rounded as `rounding` states.
    fn from_rounded(value: &S, rounding: Rounding) -> Fallible<Self>;

    /// Returns the smallest value of this type not below `value`.
    fn inf_from(value: &S) -> Fallible<Self> {
        Self::from_rounded(value, Rounding::Up)
    }
    /// Returns the largest value of this type not above `value`.
    fn neg_inf_from(value: &S) -> Fallible<Self> {
        Self::from_rounded(value, Rounding::Down)
    }
    /// Returns the nearest value of this type.
    fn nearest_from(value: &S) -> Fallible<Self> {
        Self::from_rounded(value, Rounding::Nearest)
    }
    /// Returns the value itself, or an error if this type cannot represent it.
    fn exact_from(value: &S) -> Fallible<Self> {
        Self::from_rounded(value, Rounding::Exact)
    }
}

impl<S: ToExtended, T: FromExtended> RoundedFrom<S> for T {
    fn from_rounded(value: &S, rounding: Rounding) -> Fallible<Self> {
        T::from_extended(value.to_extended()?, rounding)
    }
}

const OPERATION: &str = "conversion";

#[doc(hidden)]
impl ToExtended for Rational {
    fn to_extended(&self) -> Fallible<Extended> {
        Ok(Extended::Finite(self.clone()))
    }
}

impl ToExtended for Dyadic {
    fn to_extended(&self) -> Fallible<Extended> {
        Ok(Extended::Finite(self.to_gmp_rational()))
    }
}

#[doc(hidden)]
impl FromExtended for Rational {
    fn from_extended(value: Extended, _: Rounding) -> Fallible<Self> {
        match value {
            Extended::Finite(value) => Ok(value),
            _ => Err(Error::Overflow { operation: OPERATION }),
        }
    }
}

#[doc(hidden)]
impl ToExtended for Integer {
    fn to_extended(&self) -> Fallible<Extended> {
        Ok(Extended::Finite(Rational::from(self)))
    }
}

#[doc(hidden)]
impl FromExtended for Integer {
    fn from_extended(value: Extended, rounding: Rounding) -> Fallible<Self> {
        let Extended::Finite(value) = value else {
            return Err(Error::Overflow { operation: OPERATION });
        };
        if value.is_integer() {
            return Ok(value.into_numer_denom().0);
        }
        match rounding {
            Rounding::Up => Ok(value.ceil().into_numer_denom().0),
            Rounding::Down => Ok(value.floor().into_numer_denom().0),
            Rounding::Nearest => {
                let below = Integer::from(value.floor_ref());
                let twice_the_excess = Rational::from(&value - &below) * 2u32;
                let up = twice_the_excess > 1 || (twice_the_excess == 1 && below.is_odd());
                Ok(below + u32::from(up))
            }
            Rounding::Exact => Err(Error::Inexact { operation: OPERATION }),
        }
    }
}

impl ToExtended for BigInt {
    fn to_extended(&self) -> Fallible<Extended> {
        gmp::integer(self).to_extended()
    }
}

impl FromExtended for BigInt {
    fn from_extended(value: Extended, rounding: Rounding) -> Fallible<Self> {
        Ok(gmp::big_int(&Integer::from_extended(value, rounding)?))
    }
}

impl ToExtended for BigRational {
    fn to_extended(&self) -> Fallible<Extended> {
        Ok(Extended::Finite(gmp::rational(self)?))
    }
}

impl FromExtended for BigRational {
    fn from_extended(value: Extended, rounding: Rounding) -> Fallible<Self> {
        Ok(gmp::big_rational(&Rational::from_extended(value, rounding)?))
    }
}

macro_rules! impl_integers {
    ($($integer:ty),+) => {$(
        impl ToExtended for $integer {
            fn to_extended(&self) -> Fallible<Extended> {
                Ok(Extended::Finite(Rational::from(*self)))
            }
        }
        impl FromExtended for $integer {
            fn from_extended(value: Extended, rounding: Rounding) -> Fallible<Self> {
                let value = Integer::from_extended(value, rounding)?;
                <$integer>::try_from(value).map_err(|_| Error::Overflow { operation: OPERATION })
            }
        }
    )+};
}

impl_integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

macro_rules! impl_floats {
    ($($float:ty => $to_float:ident),+) => {$(
        impl ToExtended for $float {
            fn to_extended(&self) -> Fallible<Extended> {
                match Rational::from_f64(f64::from(*self)) {
                    Some(value) => Ok(Extended::Finite(value)),
                    None if self.is_nan() => Err(Error::NotANumber { operation: OPERATION }),
                    None if *self > 0.0 => Ok(Extended::Infinity),
                    None => Ok(Extended::NegInfinity),
                }
            }
        }
        impl FromExtended for $float {
            fn from_extended(value: Extended, rounding: Rounding) -> Fallible<Self> {
                let value = match value {
                    Extended::NegInfinity => return Ok(<$float>::NEG_INFINITY),
                    Extended::Infinity => return Ok(<$float>::INFINITY),
                    Extended::Finite(value) => value,
                };
                // Rounding twice in one direction onto nested grids equals rounding once onto the coarser grid.
                let directed = |round| {
                    Float::with_val_round(<$float>::MANTISSA_DIGITS, &value, round).0.$to_float(round) + 0.0
                };
                let (low, high): ($float, $float) = (directed(Round::Down), directed(Round::Up));
                match rounding {
                    Rounding::Up => Ok(high),
                    Rounding::Down => Ok(low),
                    _ if low == high => Ok(low),
                    Rounding::Exact => Err(Error::Inexact { operation: OPERATION }),
                    Rounding::Nearest => Ok(nearest(&value, low, high)),
                }
            }
        }
        impl Nearest for $float {
            fn is_even(self) -> bool {
                self.to_bits() % 2 == 0
            }
            /// IEEE 754 defines the rounding: beyond the largest float, the next value counts as one unit in the last
            /// place away.
            fn neighbor_as_rational(self, other: Self) -> Option<Rational> {
                let finite = |x: $float| Rational::from_f64(f64::from(x));
                finite(self).or_else(|| {
                    let inner = if self > 0.0 { other.next_down() } else { other.next_up() };
                    Some(finite(other)? * 2u32 - finite(inner)?)
                })
            }
        }
    )+};
}

/// The constants of a float type for rounding to nearest.
trait Nearest: Copy {
    fn is_even(self) -> bool;
    fn neighbor_as_rational(self, other: Self) -> Option<Rational>;
}

/// Returns the nearer of two adjacent floats; a tie goes to the even one.
fn nearest<F: Nearest>(value: &Rational, low: F, high: F) -> F {
    let (Some(below), Some(above)) = (low.neighbor_as_rational(high), high.neighbor_as_rational(low)) else {
        return low;
    };
    let (down, up) = (Rational::from(value - &below), Rational::from(&above - value));
    if down < up || (down == up && low.is_even()) { low } else { high }
}

impl_floats!(f64 => to_f64_round, f32 => to_f32_round);

#[cfg(test)]
#[allow(clippy::as_conversions)] // the hardware's own conversion is the reference
mod tests {
    use super::*;

    #[test]
    fn floats_to_integers() {
        for (x, down, nearest, up) in [(2.5, 2, 2, 3), (-2.5, -3, -2, -2), (3.5, 3, 4, 4), (-0.2, -1, 0, 0)] {
            assert_eq!(i32::neg_inf_from(&x), Ok(down));
            assert_eq!(i32::nearest_from(&x), Ok(nearest));
            assert_eq!(i32::inf_from(&x), Ok(up));
            assert!(i32::exact_from(&x).is_err());
        }
        assert_eq!(i64::exact_from(&-4.0), Ok(-4));
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300] {
            assert!(
                i128::inf_from(&x).is_err()
                    && i128::neg_inf_from(&x).is_err()
                    && Rational::inf_from(&x).is_err() != x.is_finite()
            );
        }
        assert!(u8::inf_from(&-1.0).is_err() && u8::inf_from(&255.5).is_err());
    }

    #[test]
    fn rationals_to_floats() {
        let third = Rational::from((1, 3));
        assert_eq!(f64::neg_inf_from(&third), Ok(1.0 / 3.0));
        assert_eq!(f64::inf_from(&third), Ok((1f64 / 3.0).next_up()));
        assert_eq!(f64::nearest_from(&third), Ok(1.0 / 3.0));
        assert_eq!(f32::nearest_from(&third), Ok(1.0 / 3.0));
        let beyond = Rational::from_f64(f64::MAX).unwrap() + 1;
        assert_eq!((f64::neg_inf_from(&beyond), f64::inf_from(&beyond)), (Ok(f64::MAX), Ok(f64::INFINITY)));
        assert_eq!(f64::nearest_from(&beyond), Ok(f64::MAX));
        assert_eq!(f64::nearest_from(&(beyond * 2)), Ok(f64::INFINITY));
        // This exceeds the greatest float by half a unit in its last place: a tie, in which infinity counts as even.
        let tie = Rational::from_f64(f64::MAX).unwrap() + Rational::from_f64(2f64.powi(970)).unwrap();
        for sign in [1, -1] {
            let (tie, below) = (Rational::from(&tie * sign), Rational::from(&tie - 1u32) * sign);
            let greatest = f64::MAX * f64::from(sign);
            assert_eq!((f64::nearest_from(&tie), f64::nearest_from(&below)), (Ok(greatest * 2.0), Ok(greatest)));
        }
        let tiny = Rational::from_f64(f64::from_bits(1)).unwrap();
        for (factor, nearest) in [((1, 2), 0), ((3, 4), 1), ((3, 2), 2), ((5, 2), 2)] {
            let value = Rational::from(factor) * &tiny;
            assert_eq!(f64::nearest_from(&value), Ok(f64::from_bits(nearest)), "{factor:?}");
        }
        assert_eq!(f64::inf_from(&-(tiny / 2u32)).map(f64::to_bits), Ok(0), "-0.0 is never returned");
    }

    #[test]
    fn what_fits_is_exact_and_what_is_no_number_is_refused() {
        for x in [0.5, -3.0, 1e300, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!((f64::exact_from(&x), f64::inf_from(&x), f64::nearest_from(&x)), (Ok(x), Ok(x), Ok(x)));
        }
        assert_eq!(
            (f32::exact_from(&0.1), f32::exact_from(&0.5)),
            (Err(Error::Inexact { operation: OPERATION }), Ok(0.5))
        );
        for rounding in [Rounding::Up, Rounding::Down, Rounding::Nearest, Rounding::Exact] {
            assert_eq!(f64::from_rounded(&f64::NAN, rounding), Err(Error::NotANumber { operation: OPERATION }));
        }
        assert_eq!(
            (i8::inf_from(&-100.5), i8::nearest_from(&126.5), i8::inf_from(&127.5).is_err()),
            (Ok(-100), Ok(126), true)
        );
    }

    #[test]
    fn nearest_agrees_with_the_hardware() {
        for x in [0.1, 1e-40, 1e-46, 3.4028235e38, 3.4028236e38, 1e39, -1.00000006, 1.0 + 2f64.powi(-24)] {
            assert_eq!(f32::nearest_from(&x), Ok(x as f32), "{x}");
        }
        for n in [(1u64 << 53) + 1, (1 << 53) + 3, u64::MAX, 3] {
            assert_eq!(f64::nearest_from(&n), Ok(n as f64), "{n}");
        }
    }
}
