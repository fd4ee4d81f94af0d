//! Provides views of outcomes that are too many to be counted one by one: floats, wide integers, lists.

use crate::{
    counts::Counts,
    key::{Key, last_digit},
    mass::float,
};
use std::collections::BTreeMap;

/// A view that the audit constructs.
pub(crate) type Owned = Box<dyn Fn(&Key) -> Key + Sync>;

/// The number of numbers in an outcome that are examined, from the first on.
const NUMBERS: usize = 8;
/// The number of cells for each number. All cells contain about the same number of outcomes.
const CELLS: usize = 128;

/// Replaces each float by the exponent of its last digit; see [`last_digit`].
pub fn last_digits(outcome: &Key) -> Key {
    match outcome {
        Key::Bits(bits) => Key::Number(last_digit(f64::from_bits(*bits)).into()),
        Key::List(parts) => Key::List(parts.iter().map(last_digits).collect()),
        other => other.clone(),
    }
}

/// Returns a view that replaces a number by the index of its cell, which is the number of ends that are less than or
/// equal to it. In a list, the view replaces each number.
pub fn cells(ends: Vec<f64>) -> impl Fn(&Key) -> Key + Sync {
    move |outcome| in_cells(&ends, outcome)
}

fn in_cells(ends: &[f64], outcome: &Key) -> Key {
    match (number(outcome), outcome) {
        (Some(x), _) => cell(ends, x),
        (None, Key::List(parts)) => Key::List(parts.iter().map(|part| in_cells(ends, part)).collect()),
        (None, other) => other.clone(),
    }
}

fn cell(ends: &[f64], x: f64) -> Key {
    Key::Number(i128::try_from(ends.iter().filter(|end| **end <= x).count()).unwrap_or(i128::MAX))
}

/// Converts an outcome to a float, if it is an integer, a float or an exact sum.
fn number(outcome: &Key) -> Option<f64> {
    match outcome {
        Key::Number(number) => Some(rounded(*number)),
        Key::Bits(bits) => Some(f64::from_bits(*bits)),
        Key::List(parts) => match parts.as_slice() {
            // A mantissa and an exponent.
            [Key::Text(mantissa), Key::Number(exponent)] => {
                let exponent = i32::try_from(*exponent).ok()?;
                Some(mantissa.parse::<f64>().ok()? * 2f64.powi(exponent))
            }
            _ => None,
        },
        Key::Text(_) => None,
    }
}

fn rounded(number: i128) -> f64 {
    let size = number.unsigned_abs();
    let part = |bits: u128| float(u64::try_from(bits).unwrap_or(u64::MAX));
    let size = part(size >> 64) * 18_446_744_073_709_551_616.0 + part(size & u128::from(u64::MAX));
    if number < 0 { -size } else { size }
}

/// Returns the numbers in an outcome, in order.
fn numbers(outcome: &Key) -> Vec<f64> {
    match (number(outcome), outcome) {
        (Some(x), _) => vec![x],
        (None, Key::List(parts)) => parts.iter().flat_map(numbers).take(NUMBERS).collect(),
        _ => Vec::new(),
    }
}

/// Returns the outcome without its numbers: only whether there is a number, and the length of a list.
fn shape(outcome: &Key) -> Key {
    match (number(outcome), outcome) {
        (Some(x), _) => Key::Number(x.is_nan().into()),
        (None, Key::List(parts)) => Key::List(parts.iter().map(shape).collect()),
        (None, other) => other.clone(),
    }
}

/// Returns views that suit outcomes like these: the shape, the cell of each of the first numbers, the cells of
/// differences of neighboring numbers, and last digits. The given outcomes must not be those that are counted
/// afterwards.
pub(crate) fn automatic(seen: &[&Counts]) -> Vec<Owned> {
    let mut views: Vec<Owned> = vec![Box::new(shape)];
    if seen.iter().any(|counts| counts.keys().any(has_bits)) {
        views.push(Box::new(last_digits));
    }
    for position in 0..NUMBERS {
        let at = move |outcome: &Key| numbers(outcome).get(position).copied();
        let ends = quantiles(seen, at);
        if ends.is_empty() {
            break;
        }
        views.push(Box::new(move |outcome| at(outcome).map_or(Key::Number(-1), |x| cell(&ends, x))));
    }
    for position in 1..NUMBERS {
        let between = move |outcome: &Key| {
            let numbers = numbers(outcome);
            Some(numbers.get(position)? - numbers.get(position - 1)?)
        };
        let ends = quantiles(seen, between);
        if ends.is_empty() {
            break;
        }
        views.push(Box::new(move |outcome| between(outcome).map_or(Key::Number(-1), |x| cell(&ends, x))));
    }
    views
}

fn has_bits(outcome: &Key) -> bool {
    match outcome {
        Key::Bits(_) => true,
        Key::List(parts) => parts.iter().any(has_bits),
        _ => false,
    }
}

/// Returns ends of cells that contain about equal numbers of outcomes. A number that occurs often has its own cell, and
/// there are ends next to it.
fn quantiles(seen: &[&Counts], of: impl Fn(&Key) -> Option<f64>) -> Vec<f64> {
    let mut all: BTreeMap<Sorted, u64> = BTreeMap::new();
    for (outcome, count) in seen.iter().flat_map(|counts| counts.iter()) {
        if let Some(x) = of(outcome).filter(|x| !x.is_nan()) {
            *all.entry(Sorted(x + 0.0)).or_insert(0) += count;
        }
    }
    let total: u64 = all.values().sum();
    let step = (total / u64::try_from(CELLS).unwrap_or(1)).max(1);
    let (mut ends, mut inside) = (Vec::new(), 0);
    for (x, count) in all {
        if inside >= step || (count >= step && inside > 0) || ends.is_empty() {
            ends.push(x.0);
            inside = 0;
        }
        inside += count;
        if count >= step {
            ends.push(x.0.next_up());
            inside = 0;
        }
    }
    ends
}

/// A float that is ordered by its value.
#[derive(Clone, Copy, PartialEq)]
struct Sorted(f64);

impl Eq for Sorted {}

impl PartialOrd for Sorted {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Sorted {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Seen;
    use indistinct::numeric::Dyadic;

    #[test]
    fn numbers_are_found_in_lists_and_exact_sums() {
        let exact = Dyadic::from_f64(-0.75).unwrap();
        assert_eq!(numbers(&(exact, vec![1.5f64, 2.0]).key()), [-0.75, 1.5, 2.0]);
        assert_eq!(numbers(&("text", 7i64).key()), [7.0]);
        assert_eq!(number(&(-(1i128 << 70)).key()), Some(-2f64.powi(70)));
        assert_eq!(shape(&(Some(1.5f64), None::<f64>).key()), shape(&(Some(0.0), None::<f64>).key()));
        assert_ne!(shape(&Some(1.5f64).key()), shape(&None::<f64>.key()));
        assert_ne!(shape(&f64::NAN.key()), shape(&1.0f64.key()));
    }

    #[test]
    fn cells_hold_as_much_each_and_what_comes_often_alone() {
        let counts: Counts = (0..10_000u32).map(|k| (f64::from(k).key(), 1)).chain([((-5.0f64).key(), 5000)]).collect();
        let ends = quantiles(&[&counts], number);
        assert!(ends.len() > 60 && ends.len() < 200, "{}", ends.len());
        let own = |x: f64| cell(&ends, x);
        assert!(own(-5.0) != own(-5.0f64.next_up()) && own(-5.0) != own(-6.0));
        assert_ne!(own(1000.0), own(3000.0));
    }

    #[test]
    fn cells_of_lists_are_those_of_their_numbers() {
        let view = cells(vec![0.0, 10.0]);
        assert_eq!(view(&vec![-1.0f64, 3.0, 11.0].key()), vec![0u8, 1, 2].key());
        assert_eq!(last_digits(&vec![1.0f64, 0.5].key()), vec![0i32, -1].key());
    }
}
