//! States of folds as bytes, which can be sent to another process.

use crate::core::Fallible;
use indistinct_numeric::{BigInt, Dyadic, ExactDot, ExactSum};
use std::collections::{BTreeMap, HashSet};

/// The state of a fold as bytes.
///
/// Promise: two states of one fold write the same bytes if and only if they represent the same contribution of rows.
/// `read` makes a state without rows represent the encoded one, or returns `None` and leaves it in any state. It
/// accepts any bytes, uses memory of at most a small multiple of their length, and succeeds only on the output of
/// `write` for a state of this shape.
pub(crate) trait Stored {
    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()>;
    fn read(&mut self, bytes: &mut &[u8]) -> Option<()>;
}

/// Values of one type with one encoding each.
pub(crate) trait Encoded: Sized {
    fn encode(&self, bytes: &mut Vec<u8>);
    fn decode(bytes: &mut &[u8]) -> Option<Self>;
}

/// Returns the next `number` bytes, if there are enough.
pub(crate) fn take<'a>(bytes: &mut &'a [u8], number: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(number)?;
    *bytes = rest;
    Some(taken)
}

macro_rules! encoded {
    ($($number:ty),+) => {$(
        impl Encoded for $number {
            fn encode(&self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_be_bytes());
            }

            fn decode(bytes: &mut &[u8]) -> Option<Self> {
                Some(Self::from_be_bytes(take(bytes, size_of::<Self>())?.try_into().ok()?))
            }
        }
    )+};
}

encoded!(i8, i16, i32, i64, i128, u8, u16, u32, u64, u128);

impl Encoded for bool {
    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(*self));
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        match u8::decode(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Encoded for char {
    fn encode(&self, bytes: &mut Vec<u8>) {
        u32::from(*self).encode(bytes);
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        Self::from_u32(u32::decode(bytes)?)
    }
}

/// Encoded as their number followed by the bytes.
impl Encoded for Vec<u8> {
    fn encode(&self, bytes: &mut Vec<u8>) {
        length(self.len(), bytes);
        bytes.extend_from_slice(self);
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let length = usize::try_from(u64::decode(bytes)?).ok()?;
        Some(take(bytes, length)?.to_vec())
    }
}

impl Encoded for String {
    fn encode(&self, bytes: &mut Vec<u8>) {
        length(self.len(), bytes);
        bytes.extend_from_slice(self.as_bytes());
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        Self::from_utf8(Vec::decode(bytes)?).ok()
    }
}

/// Encoded as the exponent, and the odd part in two's complement with the fewest bytes.
impl Encoded for Dyadic {
    fn encode(&self, bytes: &mut Vec<u8>) {
        self.exponent().encode(bytes);
        self.mantissa().to_signed_bytes_be().encode(bytes);
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let (exponent, digits) = (i32::decode(bytes)?, Vec::decode(bytes)?);
        let number = Self::new(BigInt::from_signed_bytes_be(&digits), exponent).ok()?;
        let is_it = number.exponent() == exponent && number.mantissa().to_signed_bytes_be() == digits;
        is_it.then_some(number)
    }
}

pub(crate) fn length(number: usize, bytes: &mut Vec<u8>) {
    u64::try_from(number).unwrap_or(u64::MAX).encode(bytes);
}

/// The largest count: small enough that sums of several counts fit in 64 bits.
const MOST: i64 = 1 << 60;

/// Returns the sum of two counts, if it is a valid count.
pub(crate) fn more(count: i64, others: i64) -> Option<i64> {
    count.checked_add(others).filter(|sum| (0..=MOST).contains(sum))
}

/// A count.
impl Stored for i64 {
    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        self.encode(bytes);
        Ok(())
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        *self = Self::decode(bytes).filter(|count| (0..=MOST).contains(count))?;
        Some(())
    }
}

/// A count kept in several lanes. Its bytes depend on the sum alone.
impl<const LANES: usize> Stored for [i64; LANES] {
    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        self.iter().sum::<i64>().write(bytes)
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        *self = [0; LANES];
        self.first_mut()?.read(bytes)
    }
}

/// Encoded with as many elements as the state without rows has.
impl<S: Stored> Stored for Vec<S> {
    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        self.iter().try_for_each(|part| part.write(bytes))
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        self.iter_mut().try_for_each(|part| part.read(bytes))
    }
}

/// Encoded as their number, then all elements in order.
impl Stored for HashSet<Vec<u8>> {
    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        let mut all: Vec<&Vec<u8>> = self.iter().collect();
        all.sort_unstable();
        length(all.len(), bytes);
        all.iter().for_each(|value| value.encode(bytes));
        Ok(())
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        let mut last: Option<Vec<u8>> = None;
        for _ in 0..u64::decode(bytes)? {
            let value = Vec::decode(bytes)?;
            if last.as_ref().is_some_and(|last| *last >= value) {
                return None;
            }
            self.extend(last.replace(value));
        }
        self.extend(last);
        Some(())
    }
}

/// Encoded as their number, then all keys in order, each with its value.
impl<K: Key + Ord, S: Stored + Default> Stored for BTreeMap<K, S> {
    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        length(self.len(), bytes);
        self.iter().try_for_each(|(key, state)| {
            key.write_key(bytes);
            state.write(bytes)
        })
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        for _ in 0..u64::decode(bytes)? {
            let mut state = S::default();
            let key = K::read_key(bytes)?;
            state.read(bytes)?;
            if self.last_key_value().is_some_and(|(last, _)| *last >= key) {
                return None;
            }
            self.insert(key, state);
        }
        Some(())
    }
}

/// Keys that can be sent to another process.
pub(crate) trait Key: Sized {
    fn write_key(&self, bytes: &mut Vec<u8>);
    fn read_key(bytes: &mut &[u8]) -> Option<Self>;
}

impl Stored for ExactSum {
    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        self.total()?.encode(bytes);
        Ok(())
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        *self = Self::from_total(&Dyadic::decode(bytes)?).ok()?;
        Some(())
    }
}

impl Stored for ExactDot {
    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        self.total()?.encode(bytes);
        Ok(())
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        *self = Self::from_total(&Dyadic::decode(bytes)?).ok()?;
        Some(())
    }
}

macro_rules! keys {
    ($($key:ty),+) => {$(
        impl Key for $key {
            fn write_key(&self, bytes: &mut Vec<u8>) {
                self.encode(bytes);
            }

            fn read_key(bytes: &mut &[u8]) -> Option<Self> {
                Self::decode(bytes)
            }
        }
    )+};
}

keys!(i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, bool, char, String, Dyadic);

/// A `'static` reference cannot be read from bytes.
impl Key for &'static str {
    fn write_key(&self, bytes: &mut Vec<u8>) {
        self.as_bytes().to_vec().encode(bytes);
    }

    fn read_key(_: &mut &[u8]) -> Option<Self> {
        None
    }
}

macro_rules! floats {
    ($($key:ty),+) => {$(
        /// Floats are not used as keys of counts.
        impl Key for $key {
            fn write_key(&self, bytes: &mut Vec<u8>) {
                self.to_bits().encode(bytes);
            }

            fn read_key(_: &mut &[u8]) -> Option<Self> {
                None
            }
        }
    )+};
}

floats!(f32, f64);

#[cfg(test)]
mod tests {
    use super::*;

    fn again<S: Stored>(state: &S, mut empty: S) -> Vec<u8> {
        let mut bytes = Vec::new();
        state.write(&mut bytes).unwrap();
        let mut from = bytes.as_slice();
        assert_eq!((empty.read(&mut from), from.len()), (Some(()), 0));
        let mut twice = Vec::new();
        empty.write(&mut twice).unwrap();
        assert_eq!(twice, bytes);
        bytes
    }

    #[test]
    fn what_is_read_is_written_again() {
        again(&vec![3i64, 0, MOST], vec![0; 3]);
        assert_eq!(again(&[1i64, 2, 3, 4], [0; 4]), again(&[10i64, 0, 0, 0], [0; 4]));
        again(&HashSet::from([vec![1u8, 2], vec![], vec![3]]), HashSet::new());
        again(&BTreeMap::from([("b".to_owned(), 4i64), (String::new(), 2)]), BTreeMap::new());
        let mut sum = ExactSum::new();
        sum.add_all(&[0.1, -1e300, 5e-324]).unwrap();
        again(&BTreeMap::from([(-3i64, ExactSum::new()), (7, sum)]), BTreeMap::new());
        let mut dot = ExactDot::new();
        dot.add(0.1, 1e300).unwrap();
        again(&vec![dot, ExactDot::new()], vec![ExactDot::new(); 2]);
    }

    #[test]
    fn there_is_one_way_to_write_it() {
        let read = |bytes: &[u8]| Dyadic::decode(&mut &*bytes);
        let number = |exponent: i32, digits: &[u8]| {
            let mut bytes = Vec::new();
            exponent.encode(&mut bytes);
            digits.to_vec().encode(&mut bytes);
            bytes
        };
        assert_eq!(read(&number(-1, &[3])), Dyadic::new(3, -1).ok());
        let refused = [number(0, &[2]), number(3, &[0]), number(0, &[0, 3]), number(i32::MAX, &[1]), number(0, &[])];
        assert!(refused.iter().all(|bytes| read(bytes).is_none()));
        let set = |values: &[u8]| {
            let mut bytes = vec![0, 0, 0, 0, 0, 0, 0, 2];
            values.iter().for_each(|value| vec![*value].encode(&mut bytes));
            HashSet::new().read(&mut bytes.as_slice())
        };
        assert_eq!([set(&[1, 2]), set(&[2, 1]), set(&[1, 1]), set(&[1])], [Some(()), None, None, None]);
        let mut count = 0i64;
        assert_eq!(count.read(&mut (-1i64).to_be_bytes().as_slice()), None);
        assert_eq!(count.read(&mut (MOST + 1).to_be_bytes().as_slice()), None);
        // A length beyond what is there takes no memory.
        assert_eq!(Vec::decode(&mut [255u8; 9].as_slice()), None);
        assert_eq!(HashSet::new().read(&mut [255u8; 9].as_slice()), None);
        assert_eq!((more(MOST, 1), more(MOST, i64::MAX), more(1, 2)), (None, None, Some(3)));
    }
}
