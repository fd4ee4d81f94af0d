//! Single values: numbers, Booleans, text.

use crate::core::{Domain, Fallible, Internal, Key, Sealed, parameter_by_debug, require, sealed};
use indistinct_numeric::{Dyadic, RoundedArithmetic, RoundedFrom, ToExtended};
use std::fmt::{self, Debug};

/// Types of single values: the carriers of [`AtomDomain`].
///
/// They are numbers, Booleans, characters and text with the usual equality, order and copies. Maps rely on this, so no
/// other crate may add a type. Use [`make_map`](crate::transformations::make_map) to convert your own type to an atom:
/// for example, a category to its number or name.
#[allow(private_bounds)]
pub trait Atom: Sealed + Key + Clone + PartialEq + PartialOrd + Debug + Send + Sync + 'static {
    /// The unique name of the type in plans.
    #[doc(hidden)]
    const NAME: &'static str;
    /// True if all values are integers.
    #[doc(hidden)]
    const IS_WHOLE: bool = false;

    /// Returns true if this value is the float that is not a number.
    fn is_nan(&self) -> bool {
        false
    }
    /// Returns true if this value is an infinity or NaN.
    fn is_not_finite(&self) -> bool {
        false
    }
    /// Returns the canonical form of equal values: 0.0 for -0.0.
    #[doc(hidden)]
    fn without_sign_of_zero(self) -> Self {
        self
    }
    /// Returns a number that only equal values share, so that they can be found in a table. A type has such numbers for
    /// all of its values or for none.
    #[doc(hidden)]
    fn code(&self) -> Option<u64> {
        None
    }
}

/// Atoms that are numbers.
#[allow(private_bounds)]
pub trait Number: Sealed + Atom + ToExtended {}

/// A set of single values: all values of a type, or those between two bounds.
///
/// NaN is not a member unless [`with_nan`](AtomDomain::with_nan) allows it. Infinities are members of an unbounded
/// domain of floats, and can be clamped. -0.0 and 0.0 are the same value.
///
/// ```
/// use indistinct::prelude::*;
/// let any = AtomDomain::f64();
/// assert!(any.member(&f64::INFINITY) && !any.member(&f64::NAN));
/// let percent = AtomDomain::f64().with_bounds((0.0, 100.0))?;
/// assert!(percent.member(&100.0) && !percent.member(&"1e400".parse().unwrap()));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct AtomDomain<T: Atom> {
    bounds: Option<(T, T)>,
    nan: bool,
}

impl<T: Atom> AtomDomain<T> {
    /// Makes the domain of all values of the type except NaN.
    pub fn new() -> Self {
        Self { bounds: None, nan: false }
    }

    /// Restricts the domain to the values from `bounds.0` to `bounds.1`, inclusive. A bound of -0.0 counts as 0.0.
    ///
    /// # Errors
    ///
    /// Returns an error if a bound is not finite, or if the lower bound is above the upper one.
    pub fn with_bounds(self, bounds: (T, T)) -> Fallible<Self> {
        Ok(Self { bounds: Some(checked_bounds(bounds)?), ..self })
    }

    /// Returns the domain with NaN allowed.
    pub fn with_nan(self) -> Self {
        Self { nan: true, ..self }
    }

    /// Returns the domain without NaN.
    pub fn without_nan(self) -> Self {
        Self { nan: false, ..self }
    }

    /// Returns the smallest and the largest member, if the domain is bounded.
    pub fn bounds(&self) -> Option<&(T, T)> {
        self.bounds.as_ref()
    }

    /// Returns true if NaN is a member.
    pub fn has_nan(&self) -> bool {
        self.nan
    }
}

/// Returns the bounds, which must be finite numbers in order. Zeros lose their signs, so that equal bounds have the
/// same form.
pub(crate) fn checked_bounds<T: Atom>((lower, upper): (T, T)) -> Fallible<(T, T)> {
    require(!lower.is_nan() && !upper.is_nan(), "bounds", "must not be NaN")?;
    require(!lower.is_not_finite() && !upper.is_not_finite(), "bounds", "must be finite")?;
    require(lower <= upper, "bounds", "the lower bound must not exceed the upper bound")?;
    Ok((lower.without_sign_of_zero(), upper.without_sign_of_zero()))
}

impl<T: Atom> Debug for AtomDomain<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AtomDomain<{}>", T::NAME)?;
        match (&self.bounds, self.nan) {
            (Some((lower, upper)), false) => write!(f, "({lower:?}..={upper:?})"),
            (Some((lower, upper)), true) => write!(f, "({lower:?}..={upper:?}, NaN)"),
            (None, true) => f.write_str("(NaN)"),
            (None, false) => Ok(()),
        }
    }
}

impl<T: Atom> Default for AtomDomain<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Atom> Domain for AtomDomain<T> {
    type Carrier = T;

    /// There is no branch that depends on the value, so that many values can be tested at once.
    fn member(&self, value: &T) -> bool {
        let is_within = self.bounds.as_ref().is_none_or(|(lower, upper)| (lower <= value) & (value <= upper));
        if value.is_nan() { self.nan } else { is_within }
    }

    fn is_callers_own(&self, _: Internal) -> bool {
        false
    }

    fn is_whole(&self) -> bool {
        T::IS_WHOLE
    }
}

parameter_by_debug!((T: Atom) AtomDomain<T>);

impl AtomDomain<String> {
    /// Makes the domain of all strings.
    pub fn string() -> Self {
        Self::new()
    }
}

impl AtomDomain<Dyadic> {
    /// Makes the domain of all exact dyadic numbers, such as exact sums of floats.
    pub fn dyadic() -> Self {
        Self::new()
    }
}

sealed!(() Dyadic, () String, () &str, () char, () bool, (T: Atom) AtomDomain<T>);

impl Atom for String {
    const NAME: &'static str = "String";
}
impl Atom for &'static str {
    const NAME: &'static str = "&str";
}
impl Atom for char {
    const NAME: &'static str = "char";

    fn code(&self) -> Option<u64> {
        unsigned(*self)
    }
}
impl Atom for Dyadic {
    const NAME: &'static str = "Dyadic";
}
impl Number for Dyadic {}

macro_rules! impl_floats {
    ($($float:ident),+) => {$(
        impl Atom for $float {
            const NAME: &'static str = stringify!($float);

            fn is_nan(&self) -> bool {
                $float::is_nan(*self)
            }
            fn is_not_finite(&self) -> bool {
                !self.is_finite()
            }
            fn without_sign_of_zero(self) -> Self {
                // The sum of -0.0 and 0.0 is 0.0.
                self + 0.0
            }
        }
        impl Number for $float {}
        impl AtomDomain<$float> {
            #[doc = concat!("All `", stringify!($float), "` numbers and the infinities, but not NaN.")]
            pub fn $float() -> Self {
                Self::new()
            }
        }
    )+};
}

macro_rules! impl_integers {
    ($($integer:ident: $code:expr),+) => {$(
        impl Atom for $integer {
            const NAME: &'static str = stringify!($integer);
            const IS_WHOLE: bool = true;

            fn code(&self) -> Option<u64> {
                $code(*self)
            }
        }
        impl Number for $integer {}
        impl AtomDomain<$integer> {
            #[doc = concat!("All `", stringify!($integer), "` integers.")]
            pub fn $integer() -> Self {
                Self::new()
            }
        }
    )+};
}

impl_floats!(f64, f32);
/// The code of a number is the number itself; negative numbers count down from the largest code.
fn unsigned(number: impl Into<u64>) -> Option<u64> {
    Some(number.into())
}

fn signed(number: impl Into<i64>) -> Option<u64> {
    Some(number.into().cast_unsigned())
}

impl_integers!(i8: signed, i16: signed, i32: signed, i64: signed, u8: unsigned, u16: unsigned, u32: unsigned, u64: unsigned);
impl_integers!(i128: |_| None, u128: |_| None);

impl Atom for bool {
    const NAME: &'static str = "bool";

    fn code(&self) -> Option<u64> {
        unsigned(*self)
    }
}

impl AtomDomain<bool> {
    /// Makes the domain of both Booleans.
    pub fn bool() -> Self {
        Self::new()
    }
}

/// Returns the largest absolute value of a number between two bounds, and the distance between the bounds, both
/// rounded up.
pub(crate) fn magnitude_and_range<T: Number>((lower, upper): &(T, T)) -> Fallible<(f64, f64)> {
    // The bound that decides the magnitude is rounded away from zero; the other one is not larger for being rounded.
    let (lower, upper) = (f64::neg_inf_from(lower)?, f64::inf_from(upper)?);
    Ok((lower.abs().max(upper.abs()), upper.inf_sub(lower)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Categories are found in a table by these numbers: one that two values shared would put rows in another's group.
    #[test]
    fn equal_values_share_a_code_and_no_others() {
        fn codes<T: Atom>(values: &[T], has_codes: bool) -> bool {
            let codes: BTreeSet<_> = values.iter().filter_map(Atom::code).collect();
            codes.len() == if has_codes { values.len() } else { 0 }
        }
        let all: Vec<i8> = (i8::MIN..=i8::MAX).collect();
        assert!(codes(&all, true) && codes(&(0..=u8::MAX).collect::<Vec<_>>(), true));
        assert!(codes(&[i16::MIN, -1, 0, 255, i16::MAX], true) && codes(&[0, 1, 256, u16::MAX], true));
        assert!(codes(&[i32::MIN, -1, 0, 1 << 16], true) && codes(&[0, 1, u32::MAX], true));
        assert!(codes(&[i64::MIN, -1, 0, 1 << 32, i64::MAX], true) && codes(&[0, 1, u64::MAX], true));
        assert!(codes(&['\0', 'a', 'z', char::MAX], true) && codes(&[false, true], true));
        assert!(codes(&[0i128, 1, -1], false) && codes(&[0u128, 1], false) && codes(&["a", "b"], false));
    }

    #[test]
    fn both_bounds_must_be_finite_and_in_order() {
        let bounds = |lower: f64, upper| AtomDomain::f64().with_bounds((lower, upper));
        assert!(bounds(-1.0, 1.0).is_ok() && bounds(1.0, 1.0).is_ok() && bounds(1.0, 1f64.next_down()).is_err());
        let bits = |domain: AtomDomain<f64>| domain.bounds().map(|(lower, upper)| (lower.to_bits(), upper.to_bits()));
        assert_eq!(bits(bounds(-0.0, -0.0).unwrap()), Some((0, 0)));
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(bounds(x, 1.0).is_err() && bounds(1.0, x).is_err() && bounds(x, x).is_err(), "{x}");
        }
    }
}
