//! Loops over the values of a column.
//!
//! A Boolean is a byte: false is 0, missing is 1, and true is 2. So *and* is the smaller of two, *or* the greater, and
//! *not* the difference to 2.

use arrow_buffer::{ArrowNativeType, BooleanBuffer, NullBuffer, ScalarBuffer};

pub(super) const FALSE: u8 = 0;
pub(super) const MISSING: u8 = 1;
pub(super) const TRUE: u8 = 2;

/// Integers with their validity; all are present if it is `None`. The value at a missing position is meaningless.
#[derive(Clone)]
pub(super) struct Integers {
    pub(super) values: ScalarBuffer<i64>,
    pub(super) present: Option<NullBuffer>,
}

impl Integers {
    pub(super) fn is_present(&self, row: usize) -> bool {
        self.present.as_ref().is_none_or(|present| present.is_valid(row))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Option<i64>> {
        self.values.iter().enumerate().map(|(row, value)| self.is_present(row).then_some(*value))
    }
}

impl FromIterator<Option<i64>> for Integers {
    fn from_iter<I: IntoIterator<Item = Option<i64>>>(values: I) -> Self {
        let (values, present): (Vec<i64>, Vec<bool>) =
            values.into_iter().map(|value| (value.unwrap_or_default(), value.is_some())).unzip();
        let all = present.iter().all(|&is_present| is_present);
        Self { values: values.into(), present: if all { None } else { Some(present.into()) } }
    }
}

/// Applies a function to two values in each row.
pub(super) fn zip<A: Copy, B: Copy, C>(left: &[A], right: &[B], of: impl Fn(A, B) -> C) -> Vec<C> {
    left.iter().zip(right).map(|(&left, &right)| of(left, right)).collect()
}

/// Applies a function to a value in each row, in place if the values are not shared.
pub(super) fn map<T: ArrowNativeType>(values: ScalarBuffer<T>, of: impl Fn(T) -> T) -> ScalarBuffer<T> {
    match values.into_inner().into_vec::<T>() {
        Ok(mut own) => {
            own.iter_mut().for_each(|value| *value = of(*value));
            own.into()
        }
        Err(shared) => ScalarBuffer::<T>::from(shared).iter().map(|&value| of(value)).collect(),
    }
}

/// Applies a function to three values in each row.
pub(super) fn zip3<A: Copy, B: Copy, C: Copy, D>(
    (first, second, third): (&[A], &[B], &[C]),
    of: impl Fn(A, B, C) -> D,
) -> Vec<D> {
    first.iter().zip(second).zip(third).map(|((&first, &second), &third)| of(first, second, third)).collect()
}

/// Returns the number if it is finite, and otherwise NaN.
pub(super) fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { f64::NAN }
}

/// Returns the positions at which both columns have a value.
pub(super) fn both(left: &Integers, right: &Integers) -> Option<NullBuffer> {
    NullBuffer::union(left.present.as_ref(), right.present.as_ref())
}

/// Applies a function to two integers in each row. The result is missing if the function reports an overflow.
pub(super) fn overflowing(left: &Integers, right: &Integers, of: impl Fn(i64, i64) -> (i64, bool)) -> Integers {
    let mut beyond = false;
    let pairs = left.values.iter().zip(right.values.iter());
    let values: Vec<i64> = pairs
        .map(|(&left, &right)| {
            let (value, is_beyond) = of(left, right);
            beyond |= is_beyond;
            value
        })
        .collect();
    let mut present = both(left, right);
    if beyond {
        let fits: BooleanBuffer =
            left.values.iter().zip(right.values.iter()).map(|(&left, &right)| !of(left, right).1).collect();
        present = NullBuffer::union(present.as_ref(), Some(&NullBuffer::new(fits)));
    }
    Integers { values: values.into(), present }
}

/// Returns the Boolean of a comparison of two floats, without a branch that depends on them.
pub(super) fn float_truth(left: f64, right: f64, holds: impl Fn(&f64, &f64) -> bool) -> u8 {
    let is_null = left.is_nan() | right.is_nan();
    u8::from(is_null) | (u8::from(holds(&left, &right) & !is_null) << 1)
}

/// Returns the Booleans, missing where a row has no value.
pub(super) fn missing_where(mut truths: Vec<u8>, present: Option<&NullBuffer>) -> Vec<u8> {
    if let Some(present) = present {
        truths.iter_mut().zip(present.iter()).for_each(|(truth, is_present)| {
            *truth = if is_present { *truth } else { MISSING };
        });
    }
    truths
}

/// Returns a Boolean that is present.
pub(super) fn truth(holds: bool) -> u8 {
    u8::from(holds) << 1
}

/// Returns the Booleans that have this bit set, eight to a byte.
pub(super) fn bits(truths: &[u8], bit: u8) -> BooleanBuffer {
    // The lowest bits of eight bytes meet in the highest byte of the product, each in a place of its own.
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    const MEET: u64 = 0x0102_0408_1020_4080;
    let shift = bit.trailing_zeros();
    let byte = |eight: [u8; 8]| {
        let [.., last] = (((u64::from_le_bytes(eight) >> shift) & LOWEST).wrapping_mul(MEET)).to_le_bytes();
        last
    };
    let (eights, rest) = truths.as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(place, truth)| *place = *truth);
    let bytes: Vec<u8> = eights.iter().chain((!rest.is_empty()).then_some(&last)).map(|eight| byte(*eight)).collect();
    BooleanBuffer::new(bytes.into(), 0, truths.len())
}

#[cfg(test)]
mod tests {
    use super::{FALSE, MISSING, TRUE, bits};

    #[test]
    fn bits_are_those_of_the_truth_values_in_order() {
        for length in 0..40usize {
            for seed in 0..50usize {
                let truths: Vec<u8> = (0..length)
                    .map(|row| match (row + 1) * (seed + 3) * 2_654_435_761 / 1000 % 3 {
                        0 => FALSE,
                        1 => MISSING,
                        _ => TRUE,
                    })
                    .collect();
                for bit in [MISSING, TRUE] {
                    let found: Vec<bool> = bits(&truths, bit).iter().collect();
                    assert_eq!(found, truths.iter().map(|truth| *truth == bit).collect::<Vec<_>>());
                }
            }
        }
    }
}
