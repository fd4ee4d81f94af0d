//! The common parts of statistics by place: the place of a row, and the column that is summed.

use crate::{
    core::{Error, Fallible, require},
    domains::{Atom, AtomDomain, Number, VectorDomain},
    frames::{
        batch::Batch,
        cell::Kind,
        column::{Cells, Column},
        domain::FrameDomain,
        row::FrameRow,
    },
    transformations::{
        Summable,
        sum::{Total, required_bounds},
    },
};

/// The maximum number of places.
const MAX_PLACES: u32 = 1 << 20;

/// The column of places, and the number of places.
#[derive(Clone, Copy)]
pub(super) struct Places {
    column: usize,
    number: usize,
}

impl Places {
    /// Makes the places from the column of this name.
    pub(super) fn new(frames: &FrameDomain, name: &str, places: u32) -> Fallible<Self> {
        let rule = format!("must be from 1 to {MAX_PLACES}");
        require((1..=MAX_PLACES).contains(&places), "places", &rule)?;
        let number = usize::try_from(places).map_err(|_| Error::parameter("places", rule))?;
        i64::domain(&[(name, frames.column(name)?)])?;
        Ok(Self { column: frames.position(name)?, number })
    }

    /// The number of places.
    pub(super) fn number(self) -> usize {
        self.number
    }

    /// Returns the domain of vectors with one number for each place.
    pub(super) fn vectors<T: Number>(self) -> VectorDomain<AtomDomain<T>> {
        VectorDomain::new(AtomDomain::new()).with_size(self.number)
    }

    /// Returns the places of the rows of a batch.
    pub(super) fn of(self, batch: &Batch) -> &[i64] {
        match batch.columns().get(self.column) {
            Some(Column(Cells::Integer(array))) => array.values(),
            _ => &[],
        }
    }

    /// Returns the slot of a row at this place, without a branch: its place if it is in range, or otherwise the slot
    /// after the last place.
    #[inline]
    pub(super) fn slot(self, place: i64) -> usize {
        usize::try_from(place.cast_unsigned()).unwrap_or(usize::MAX).min(self.number)
    }
}

/// A column of numbers that are summed.
pub(super) struct Summed<T: Atom> {
    column: usize,
    pub(super) domain: AtomDomain<T>,
}

impl<T: Summable + FrameRow<Domain = AtomDomain<T>>> Summed<T> {
    /// Makes this from the column of this name, which has floats or integers, with bounds and without missing cells.
    pub(super) fn new(frames: &FrameDomain, name: &str) -> Fallible<Self> {
        let described = frames.column(name)?;
        let refuse = |rule: &str| Err(Error::parameter("column", format!("the column {name:?} {rule}")));
        // The type that this is called with comes last, so that an error is about the column.
        if !matches!(described.kind(), Kind::Float | Kind::Integer) {
            return refuse("must contain floats or integers: cast it");
        }
        if described.has_missing() {
            return refuse("may have missing cells: fill or filter them");
        }
        if described.bounds().is_none() {
            return refuse("must be bounded: clamp it");
        }
        let domain = T::domain(&[(name, described)])?;
        required_bounds(&domain)?;
        Ok(Self { column: frames.position(name)?, domain })
    }

    /// Returns the column of a batch.
    pub(super) fn of<'a>(&self, batch: &'a Batch) -> Option<&'a Column> {
        batch.columns().get(self.column)
    }
}

/// The maximum number of places for which numbers are added in bulk, each to a sum of 16 KiB.
const FEW: usize = 64;
/// The maximum number of waiting numbers.
const FULL: usize = 1 << 10;

/// Adds numbers to the sums of their places. If there are few places, it adds in bulk, by the same instructions for all
/// numbers.
pub(super) struct Waiting<'a, T: Summable> {
    totals: &'a mut [T::Total],
    numbers: Vec<Vec<T>>,
}

impl<'a, T: Summable> Waiting<'a, T> {
    pub(super) fn new(totals: &'a mut [T::Total]) -> Self {
        let waiting = if totals.len() <= FEW { totals.len() } else { 0 };
        Self { totals, numbers: vec![Vec::new(); waiting] }
    }

    /// Adds a number to the sum of this slot, if there is one.
    #[inline]
    pub(super) fn add(&mut self, slot: usize, number: T) -> Fallible<()> {
        let Some(total) = self.totals.get_mut(slot) else { return Ok(()) };
        let Some(numbers) = self.numbers.get_mut(slot) else { return total.absorb_one(number) };
        numbers.push(number);
        if numbers.len() == FULL {
            total.absorb(numbers)?;
            numbers.clear();
        }
        Ok(())
    }

    /// Adds all waiting numbers.
    pub(super) fn finish(self) -> Fallible<()> {
        let waiting = self.totals.iter_mut().zip(&self.numbers).filter(|(_, numbers)| !numbers.is_empty());
        waiting.into_iter().try_for_each(|(total, numbers)| total.absorb(numbers))
    }
}
