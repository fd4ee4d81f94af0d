//! Loops over the values of a column.
//!
//! A truth value is a byte: false is 0, missing 1, true 2. So *and* is the lesser of two, *or* the greater, *not* what
//! is left to 2.

use arrow_buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};

pub(super) const FALSE: u8 = 0;
pub(super) const MISSING: u8 = 1;
pub(super) const TRUE: u8 = 2;

/// Integers, and which of them there are: all, where nothing is said. What lies where there is none says nothing.
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

/// A function of two values, for each row.
pub(super) fn zip<A: Copy, B: Copy, C>(left: &[A], right: &[B], of: impl Fn(A, B) -> C) -> Vec<C> {
    left.iter().zip(right).map(|(&left, &right)| of(left, right)).collect()
}

/// A function of three values, for each row.
pub(super) fn zip3<A: Copy, B: Copy, C: Copy, D>(
    (first, second, third): (&[A], &[B], &[C]),
    of: impl Fn(A, B, C) -> D,
) -> Vec<D> {
    first.iter().zip(second).zip(third).map(|((&first, &second), &third)| of(first, second, third)).collect()
}

/// The number, if it is finite; else NaN.
pub(super) fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { f64::NAN }
}

/// Which values of two columns are both there.
pub(super) fn both(left: &Integers, right: &Integers) -> Option<NullBuffer> {
    NullBuffer::union(left.present.as_ref(), right.present.as_ref())
}

/// A function of two integers, for each row, and whether it went beyond 64 bits: then it is missing.
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

/// A comparison of floats, for each row.
pub(super) fn compare_floats(left: &[f64], right: &[f64], holds: impl Fn(&f64, &f64) -> bool) -> Vec<u8> {
    // Without a branch that depends on the values.
    zip(left, right, |left, right| {
        let is_missing = left.is_nan() | right.is_nan();
        u8::from(is_missing) | (u8::from(holds(&left, &right) & !is_missing) << 1)
    })
}

/// A comparison of integers, for each row.
pub(super) fn compare_integers(left: &Integers, right: &Integers, holds: impl Fn(&i64, &i64) -> bool) -> Vec<u8> {
    let truths = zip(&left.values, &right.values, |left, right| truth(holds(&left, &right)));
    missing_where(truths, both(left, right).as_ref())
}

/// The truth values of rows that are there, and missing ones.
pub(super) fn missing_where(mut truths: Vec<u8>, present: Option<&NullBuffer>) -> Vec<u8> {
    if let Some(present) = present {
        truths.iter_mut().zip(present.iter()).for_each(|(truth, is_present)| {
            *truth = if is_present { *truth } else { MISSING };
        });
    }
    truths
}

/// A truth value that is there.
pub(super) fn truth(holds: bool) -> u8 {
    u8::from(holds) << 1
}
