//! Conversion between types of values, through the widest type of each kind.

use crate::{core::Sealed, domains::Atom};
use indistinct_numeric::RoundedFrom;

/// Types that values can be cast from and to.
#[allow(private_bounds, private_interfaces)]
pub trait Castable: Sealed + Atom {
    #[doc(hidden)]
    fn to_widest(&self) -> Widest<'_>;
    #[doc(hidden)]
    fn from_widest(value: Widest<'_>) -> Option<Self>;

    /// Returns the value as another type, if it has a value there. Equal values have equal images.
    #[doc(hidden)]
    fn cast<T: Castable>(&self) -> Option<T> {
        T::from_widest(self.to_widest())
    }
}

/// A value in the widest type of its kind. A float here is not NaN.
#[derive(Clone, Copy)]
enum Widest<'a> {
    Integer(i128),
    Float(f64),
    Truth(bool),
    Text(&'a str),
}

macro_rules! impl_integers {
    ($($integer:ty),+) => {$(
        #[allow(private_interfaces)]
        impl Castable for $integer {
            fn to_widest(&self) -> Widest<'_> {
                Widest::Integer((*self).into())
            }
            fn from_widest(value: Widest<'_>) -> Option<Self> {
                match value {
                    Widest::Integer(value) => value.try_into().ok(),
                    Widest::Float(value) => nearest_integer(value)?.try_into().ok(),
                    Widest::Truth(value) => Some(value.into()),
                    Widest::Text(text) => text.parse().ok(),
                }
            }
        }
    )+};
}

impl_integers!(i8, i16, i32, i64, i128, u8, u16, u32, u64);

#[allow(private_interfaces)]
impl Castable for f64 {
    fn to_widest(&self) -> Widest<'_> {
        Widest::Float(*self)
    }
    fn from_widest(value: Widest<'_>) -> Option<Self> {
        match value {
            Widest::Integer(value) => nearest_f64(value),
            Widest::Float(value) => Some(value),
            Widest::Truth(value) => Some(value.into()),
            Widest::Text(text) => text.parse().ok().filter(|x: &f64| !x.is_nan()),
        }
    }
}

#[allow(private_interfaces)]
impl Castable for f32 {
    fn to_widest(&self) -> Widest<'_> {
        Widest::Float((*self).into())
    }
    fn from_widest(value: Widest<'_>) -> Option<Self> {
        match value {
            Widest::Integer(value) => f32::nearest_from(&value).ok(),
            Widest::Float(value) => f32::nearest_from(&value).ok(),
            Widest::Truth(value) => Some(value.into()),
            Widest::Text(text) => text.parse().ok().filter(|x: &f32| !x.is_nan()),
        }
    }
}

#[allow(private_interfaces)]
impl Castable for bool {
    fn to_widest(&self) -> Widest<'_> {
        Widest::Truth(*self)
    }
    fn from_widest(value: Widest<'_>) -> Option<Self> {
        match value {
            Widest::Integer(0) => Some(false),
            Widest::Integer(1) => Some(true),
            Widest::Integer(_) => None,
            Widest::Float(value) if value == 0.0 || value == 1.0 => Some(value == 1.0),
            Widest::Float(_) => None,
            Widest::Truth(value) => Some(value),
            Widest::Text(text) => text.parse().ok(),
        }
    }
}

#[allow(private_interfaces)]
impl Castable for String {
    fn to_widest(&self) -> Widest<'_> {
        Widest::Text(self)
    }
    fn from_widest(value: Widest<'_>) -> Option<Self> {
        Some(match value {
            Widest::Integer(value) => value.to_string(),
            // Equal values have equal images: -0.0 is written as 0.
            Widest::Float(value) => (value + 0.0).to_string(),
            Widest::Truth(value) => value.to_string(),
            Widest::Text(text) => text.into(),
        })
    }
}

/// Returns the nearest integer, ties to even, if it fits.
fn nearest_integer(value: f64) -> Option<i128> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0; // 2^63
    const SHIFT: f64 = 6_755_399_441_055_744.0; // 2^52 + 2^51
    let whole = value.round_ties_even();
    if whole.abs() < SHIFT / 4.0 {
        // Below 2^51 in size: the integer stands in the low digits of the sum, which is exact.
        let bits = (whole + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits());
        return Some(i64::from_ne_bytes(bits.to_ne_bytes()).into());
    }
    if whole.abs() <= LIMIT {
        // Beyond, all floats are integers: 32 bits at a time, exactly.
        let high = (whole / 4_294_967_296.0).floor();
        let low = whole - high * 4_294_967_296.0;
        return Some(nearest_integer(high)? * 4_294_967_296 + nearest_integer(low)?);
    }
    i128::nearest_from(&whole).ok()
}

/// Returns the nearest float, ties to even.
fn nearest_f64(value: i128) -> Option<f64> {
    let Ok(short) = i64::try_from(value) else { return f64::nearest_from(&value).ok() };
    let (high, low) = (i32::try_from(short >> 32).ok()?, u32::try_from(short & 0xffff_ffff).ok()?);
    // Both products are exact, so that only the sum rounds.
    Some(f64::from(high) * 4_294_967_296.0 + f64::from(low))
}
