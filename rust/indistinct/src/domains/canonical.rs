//! The canonical encoding of values as bytes, by which rows are ordered and hashed.

use crate::core::{Sealed, sealed};

/// Values with a canonical encoding: numbers, Booleans, characters and text, and pairs, options and lists of them. No
/// other crate may add a type, because maps rely on the promise.
///
/// Promise: two values have the same encoding if and only if they are equal (-0.0 equals 0.0, and NaN equals itself),
/// and no encoding is a prefix of another of the same type.
#[allow(private_bounds)]
pub trait Canonical: Sealed {
    /// Appends the encoding.
    fn encode(&self, bytes: &mut Vec<u8>);

    /// Returns the encoding.
    fn encoding(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode(&mut bytes);
        bytes
    }
}

sealed!((T) Option<T>, (T) [T], (T) Vec<T>);

macro_rules! impl_integers {
    ($($integer:ty),+) => {$(
        impl Canonical for $integer {
            fn encode(&self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_be_bytes());
            }
        }
    )+};
}

impl_integers!(i8, i16, i32, i64, i128, u8, u16, u32, u64, u128);

macro_rules! impl_floats {
    ($($float:ty),+) => {$(
        impl Canonical for $float {
            fn encode(&self, bytes: &mut Vec<u8>) {
                let value = if self.is_nan() { <$float>::NAN } else { *self + 0.0 };
                bytes.extend_from_slice(&value.to_bits().to_be_bytes());
            }
        }
    )+};
}

impl_floats!(f64, f32);

impl Canonical for bool {
    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(*self));
    }
}

impl Canonical for char {
    fn encode(&self, bytes: &mut Vec<u8>) {
        u32::from(*self).encode(bytes);
    }
}

impl Canonical for String {
    fn encode(&self, bytes: &mut Vec<u8>) {
        self.as_bytes().encode(bytes);
    }
}

impl Canonical for &str {
    fn encode(&self, bytes: &mut Vec<u8>) {
        self.as_bytes().encode(bytes);
    }
}

impl<A: Canonical, B: Canonical> Canonical for (A, B) {
    fn encode(&self, bytes: &mut Vec<u8>) {
        self.0.encode(bytes);
        self.1.encode(bytes);
    }
}

impl<T: Canonical> Canonical for Option<T> {
    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(self.is_some()));
        if let Some(value) = self {
            value.encode(bytes);
        }
    }
}

impl<T: Canonical> Canonical for [T] {
    fn encode(&self, bytes: &mut Vec<u8>) {
        // A mark before each element and another at the end: no encoding is a prefix of another, whatever the lengths.
        for element in self {
            bytes.push(1);
            element.encode(bytes);
        }
        bytes.push(0);
    }
}

impl<T: Canonical> Canonical for Vec<T> {
    fn encode(&self, bytes: &mut Vec<u8>) {
        self.as_slice().encode(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_and_only_those_have_equal_encodings() {
        assert_eq!((-0.0f64).encoding(), 0f64.encoding());
        assert_eq!(f64::NAN.encoding(), (-f64::NAN).encoding());
        assert_ne!(
            (String::from("ab"), String::from("c")).encoding(),
            (String::from("a"), String::from("bc")).encoding()
        );
        assert_ne!(vec![vec![1u8], vec![]].encoding(), vec![vec![], vec![1u8]].encoding());
        assert_ne!(1u8.encoding(), 2u8.encoding());
        assert_ne!(None::<u8>.encoding(), Some(0u8).encoding());
        assert_ne!((None::<u8>, 1u8).encoding(), (Some(1u8), 0u8).encoding());
    }

    #[test]
    fn values_of_every_type_differ_in_their_encodings() {
        fn differ<T: Canonical>(values: &[T]) {
            let encodings: std::collections::BTreeSet<_> = values.iter().map(Canonical::encoding).collect();
            assert!(encodings.len() == values.len() && encodings.iter().all(|bytes| !bytes.is_empty()));
        }
        differ(&(i8::MIN..=i8::MAX).collect::<Vec<_>>());
        differ(&[i128::MIN, -1, 0, 1 << 64]);
        differ(&[false, true]);
        differ(&['a', 'b', char::MAX]);
        differ(&["", "a", "b", "ab"]);
        differ(&[0f32, 1.0, f32::NAN, f32::INFINITY]);
    }
}
