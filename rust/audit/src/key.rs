//! Defines keys, by which an audit distinguishes values: rows of data, and releases.

use indistinct::numeric::Dyadic;
use std::{
    collections::BTreeMap,
    fmt::{self, Write},
};

/// A value without differences that an audit ignores: -0.0 becomes 0.0, and all NaN become one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// An integer or a Boolean.
    Number(i128),
    /// A float, represented by its bits.
    Bits(u64),
    /// A text.
    Text(String),
    /// Several values, in order.
    List(Vec<Key>),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Number(number) => write!(f, "{number}"),
            Key::Bits(bits) => write!(f, "{:e}", f64::from_bits(*bits)),
            Key::Text(text) => write!(f, "{text:?}"),
            Key::List(parts) => {
                f.write_char('(')?;
                for (part, position) in parts.iter().zip(0u32..) {
                    f.write_str(if position == 0 { "" } else { ", " })?;
                    write!(f, "{part}")?;
                }
                f.write_char(')')
            }
        }
    }
}

/// A type whose values an audit can distinguish.
pub trait Seen {
    /// The key of this value. Two values have equal keys exactly if they are equal.
    fn key(&self) -> Key;
}

macro_rules! seen_numbers {
    ($($type:ty),+) => {$(
        impl Seen for $type {
            fn key(&self) -> Key {
                Key::Number((*self).into())
            }
        }
    )+};
}

seen_numbers!(bool, i8, i16, i32, i64, i128, u8, u16, u32, u64);

impl Seen for () {
    fn key(&self) -> Key {
        Key::List(Vec::new())
    }
}

impl Seen for u128 {
    fn key(&self) -> Key {
        i128::try_from(*self).map_or_else(|_| Key::Text(self.to_string()), Key::Number)
    }
}

impl Seen for usize {
    fn key(&self) -> Key {
        i128::try_from(*self).map_or_else(|_| Key::Text(self.to_string()), Key::Number)
    }
}

impl Seen for f64 {
    fn key(&self) -> Key {
        Key::Bits(if self.is_nan() { f64::NAN.to_bits() } else { (*self + 0.0).to_bits() })
    }
}

impl Seen for f32 {
    fn key(&self) -> Key {
        f64::from(*self).key()
    }
}

/// The mantissa is odd or 0, so equal numbers have equal parts.
impl Seen for Dyadic {
    fn key(&self) -> Key {
        Key::List(vec![Key::Text(self.mantissa().to_string()), Key::Number(self.exponent().into())])
    }
}

impl Seen for char {
    fn key(&self) -> Key {
        Key::Number(u32::from(*self).into())
    }
}

impl Seen for str {
    fn key(&self) -> Key {
        Key::Text(self.into())
    }
}

impl Seen for String {
    fn key(&self) -> Key {
        self.as_str().key()
    }
}

impl Seen for Key {
    fn key(&self) -> Key {
        self.clone()
    }
}

impl<T: Seen + ?Sized> Seen for &T {
    fn key(&self) -> Key {
        T::key(self)
    }
}

impl<T: Seen> Seen for [T] {
    fn key(&self) -> Key {
        Key::List(self.iter().map(Seen::key).collect())
    }
}

impl<T: Seen> Seen for Vec<T> {
    fn key(&self) -> Key {
        self.as_slice().key()
    }
}

impl<T: Seen> Seen for Option<T> {
    fn key(&self) -> Key {
        Key::List(self.iter().map(Seen::key).collect())
    }
}

impl<A: Seen, B: Seen> Seen for (A, B) {
    fn key(&self) -> Key {
        Key::List(vec![self.0.key(), self.1.key()])
    }
}

impl<A: Seen, B: Seen, C: Seen> Seen for (A, B, C) {
    fn key(&self) -> Key {
        Key::List(vec![self.0.key(), self.1.key(), self.2.key()])
    }
}

impl<K: Seen, V: Seen> Seen for BTreeMap<K, V> {
    fn key(&self) -> Key {
        Key::List(self.iter().map(|(key, value)| Key::List(vec![key.key(), value.key()])).collect())
    }
}

/// The exponent of the last digit of a float that is not 0: `x` is an odd multiple of `2^last_digit(x)`. The number 0
/// has no last digit, and the function returns a value above all others.
///
/// This exponent exposes textbook Laplace noise in floats: a result near zero has digits that a sum with 1 cannot have.
pub fn last_digit(x: f64) -> i32 {
    Dyadic::from_f64(x).map_or(i32::MAX, |exact| if exact == Dyadic::ZERO { i32::MAX } else { exact.exponent() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_and_only_those_have_equal_keys() {
        assert_eq!((-0.0f64).key(), 0f64.key());
        assert_eq!(f64::NAN.key(), (-f64::NAN).key());
        assert_ne!(vec![vec![1u8], vec![]].key(), vec![vec![], vec![1u8]].key());
        assert_eq!(Dyadic::from_f64(6.0).unwrap().key(), Dyadic::new(12, -1).unwrap().key());
        assert_ne!(Some(0u8).key(), None::<u8>.key());
    }

    #[test]
    fn last_digits() {
        assert_eq!([1.0, 0.5, 6.0, 0.0].map(last_digit), [0, -1, 1, i32::MAX]);
    }
}
