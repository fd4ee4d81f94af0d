//! The lookup of keys in a public table.

use super::{
    super::cell::{Cell, Storage},
    evaluated::Evaluated,
    kernels::{Integers, MISSING, TRUE},
};
use crate::transformations::{Index, UnknownCategories};
use std::collections::{BTreeSet, HashMap};

/// The keys of a table, of one or several columns.
pub(super) struct Keys {
    columns: Vec<Dictionary>,
    places: Places,
    others: usize,
}

/// The index of each value of a column among the values in keys.
struct Dictionary {
    values: Values,
    /// The index of a value that no key has.
    unknown: u64,
    /// The index of a missing value.
    missing: u64,
    /// The number of indices.
    places: u64,
}

enum Values {
    /// Integers, indexed in the order of the list.
    Integers(Index<i64>),
    Texts(HashMap<String, u64>),
    /// The indices of `false` and `true`.
    Truths([u64; 2]),
    /// The column is missing in all keys.
    None,
}

/// The combinations of indices that are keys. The index in the first column is the most significant.
enum Places {
    /// Each combination has its own number.
    Dense,
    /// The keys' numbers.
    Sparse(HashMap<u64, usize>),
}

/// The maximum length of a list of all combinations, which keeps it in the processor's cache.
const DENSE: u64 = 1 << 16;
/// The maximum number of combinations, so that each has a number.
const MOST: u64 = 1 << 62;

const TOO_MANY: &str = "has too many distinct values in its keys";

impl Keys {
    /// Makes keys from columns: the storage of each, and the cell of each key, which has that storage or is missing.
    /// Also returns the key at each number that [`of`](Keys::of) gives; the number of keys means none. The error is a
    /// violated rule.
    pub(super) fn new(columns: Vec<(Storage, Vec<Cell>)>) -> Result<(Self, Vec<usize>), &'static str> {
        let others = columns.first().map_or(0, |(_, cells)| cells.len());
        let (mut codes, mut combinations) = (vec![0u64; others], 1u64);
        let mut found = Vec::new();
        for (storage, cells) in columns {
            let values = Dictionary::new(storage, &cells)?;
            combinations = combinations.checked_mul(values.places).filter(|all| *all <= MOST).ok_or(TOO_MANY)?;
            for (code, cell) in codes.iter_mut().zip(&cells) {
                *code = *code * values.places + values.of_cell(cell);
            }
            found.push(values);
        }
        let by_code: HashMap<u64, usize> = codes.into_iter().zip(0..).collect();
        if by_code.len() != others {
            return Err("contains a key twice");
        }
        let (places, keys) = if combinations <= DENSE {
            (Places::Dense, (0..combinations).map(|code| by_code.get(&code).copied().unwrap_or(others)).collect())
        } else {
            (Places::Sparse(by_code), (0..=others).collect())
        };
        Ok((Self { columns: found, places, others }, keys))
    }

    /// Returns the number of the key of each row, given the values in these columns.
    pub(super) fn of(&self, rows: usize, columns: impl Iterator<Item = Evaluated>) -> Vec<usize> {
        let mut codes = vec![0u64; rows];
        for (values, column) in self.columns.iter().zip(columns) {
            match column {
                Evaluated::Integers(Integers { values: integers, present: None }) => match &values.values {
                    Values::Integers(index) => {
                        let place = |value: &i64| u64::try_from(index.slot(value)).unwrap_or(values.unknown);
                        values.add(&mut codes, integers.iter().map(place));
                    }
                    _ => values.add(&mut codes, integers.iter().map(|_| values.unknown)),
                },
                Evaluated::Integers(integers) => {
                    let place = |value: Option<i64>| value.map_or(values.missing, |value| values.of_integer(value));
                    values.add(&mut codes, integers.iter().map(place));
                }
                Evaluated::Texts(texts) => {
                    let place = |text: Option<&str>| text.map_or(values.missing, |text| values.of_text(text));
                    values.add(&mut codes, texts.iter().map(place));
                }
                Evaluated::Truths(truths) => {
                    let place = |&truth: &u8| match truth {
                        MISSING => values.missing,
                        truth => values.of_truth(truth == TRUE),
                    };
                    values.add(&mut codes, truths.iter().map(place));
                }
                // Refused when the expression is checked.
                Evaluated::Floats(floats) => values.add(&mut codes, floats.iter().map(|_| values.unknown)),
            }
        }
        match &self.places {
            // There are at most 2^16.
            Places::Dense => codes.into_iter().map(|code| usize::try_from(code).unwrap_or(usize::MAX)).collect(),
            Places::Sparse(places) => {
                codes.into_iter().map(|code| places.get(&code).copied().unwrap_or(self.others)).collect()
            }
        }
    }
}

impl Dictionary {
    fn new(storage: Storage, cells: &[Cell]) -> Result<Self, &'static str> {
        let number = |places: usize| u64::try_from(places).map_err(|_| TOO_MANY);
        let (values, listed) = match storage {
            Storage::Float => return Err("cannot look up floats: cut them into bins first"),
            Storage::Integer => {
                let integer = |cell: &Cell| if let Cell::Integer(value) = cell { Some(*value) } else { None };
                let distinct: Vec<i64> =
                    cells.iter().filter_map(integer).collect::<BTreeSet<_>>().into_iter().collect();
                let values = Index::new(&distinct, UnknownCategories::Drop).map_or(Values::None, Values::Integers);
                (values, number(distinct.len())?)
            }
            Storage::Text => {
                let text = |cell: &Cell| if let Cell::Text(value) = cell { Some(value.clone()) } else { None };
                let distinct: BTreeSet<String> = cells.iter().filter_map(text).collect();
                let listed = number(distinct.len())?;
                (Values::Texts(distinct.into_iter().zip(0..).collect()), listed)
            }
            Storage::Bool => (Values::Truths([0, 1]), 2),
        };
        Ok(Self { values, unknown: listed, missing: listed + 1, places: listed + 2 })
    }

    /// Adds one more index to each code. No code reaches the number of combinations, so nothing overflows.
    fn add(&self, codes: &mut [u64], places: impl Iterator<Item = u64>) {
        let more = |code: u64, place: u64| code.wrapping_mul(self.places).wrapping_add(place);
        codes.iter_mut().zip(places).for_each(|(code, place)| *code = more(*code, place));
    }

    fn of_cell(&self, cell: &Cell) -> u64 {
        match cell {
            Cell::Integer(value) => self.of_integer(*value),
            Cell::Text(text) => self.of_text(text),
            Cell::Bool(value) => self.of_truth(*value),
            _ => self.missing,
        }
    }

    fn of_integer(&self, value: i64) -> u64 {
        match &self.values {
            // All that are not listed share the slot after the listed ones.
            Values::Integers(index) => u64::try_from(index.slot(&value)).unwrap_or(self.unknown),
            _ => self.unknown,
        }
    }

    fn of_text(&self, text: &str) -> u64 {
        match &self.values {
            Values::Texts(places) => places.get(text).copied().unwrap_or(self.unknown),
            _ => self.unknown,
        }
    }

    fn of_truth(&self, value: bool) -> u64 {
        match &self.values {
            Values::Truths([no, yes]) => {
                if value {
                    *yes
                } else {
                    *no
                }
            }
            _ => self.unknown,
        }
    }
}
