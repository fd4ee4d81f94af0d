//! Collects cells into batches of columns as they are read.

use crate::{
    Error, Result,
    reader::{Absent, Declared, Plan, Strictness},
};
use indistinct::frames::{Batch, Cell, Column, Frame};
use std::borrow::Cow;

/// A cell as it was read: a value, a missing cell, or content that is not a value of the column.
pub(crate) type Found<T> = std::result::Result<Option<T>, Unreadable>;

/// The content of a cell is not a value of the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unreadable;

/// The facts about a row other than its cells.
#[derive(Clone, Copy, Default)]
pub(crate) struct Row {
    /// True if a cell is unreadable, or if there are too many or too few cells.
    is_unreadable: bool,
    /// True if a cell is missing in a column that may have no missing cells.
    lacks: bool,
    is_left_out: bool,
    /// True if there are too many or too few cells, so each cell may be in a wrong place.
    is_shifted: bool,
}

impl Row {
    /// Makes a row with this number of cells, where `width` are expected.
    pub(crate) fn of(cells: usize, width: usize) -> Self {
        Self { is_unreadable: cells != width, is_shifted: cells != width, ..Self::default() }
    }

    pub(crate) fn is_unreadable(&self) -> bool {
        self.is_unreadable
    }
}

/// The cells of one column, in the order of the rows.
pub(crate) enum Gathered<'a> {
    Floats(Vec<Option<f64>>),
    Integers(Vec<Option<i64>>),
    Truths(Vec<Option<bool>>),
    Texts(Vec<Option<Cow<'a, str>>>),
    /// A column that is kept unchanged.
    Whole(Column),
}

/// A value that a column can hold.
pub(crate) trait Value: Clone {
    fn of(cell: &Cell) -> Option<Self>;

    /// Returns true if the value lies within the column's bounds.
    fn is_within(&self, _column: &Declared) -> bool {
        true
    }
}

impl Value for f64 {
    fn of(cell: &Cell) -> Option<Self> {
        if let Cell::Float(value) = cell { Some(*value) } else { None }
    }

    fn is_within(&self, column: &Declared) -> bool {
        column.floats.is_none_or(|(lower, upper)| lower <= *self && *self <= upper)
    }
}

impl Value for i64 {
    fn of(cell: &Cell) -> Option<Self> {
        if let Cell::Integer(value) = cell { Some(*value) } else { None }
    }

    fn is_within(&self, column: &Declared) -> bool {
        column.integers.is_none_or(|(lower, upper)| lower <= *self && *self <= upper)
    }
}

impl Value for bool {
    fn of(cell: &Cell) -> Option<Self> {
        if let Cell::Bool(value) = cell { Some(*value) } else { None }
    }
}

impl Value for Cow<'_, str> {
    fn of(cell: &Cell) -> Option<Self> {
        if let Cell::Text(value) = cell { Some(Cow::Owned(value.clone())) } else { None }
    }
}

impl Declared<'_> {
    /// Converts the cells of some rows as declared, and records facts about their rows.
    ///
    /// Each result depends only on the content of its own row.
    pub(crate) fn gather<T: Value>(&self, found: impl Iterator<Item = Found<T>>, rows: &mut [Row]) -> Vec<Option<T>> {
        let instead = if let Absent::Is(value) = &self.absent { T::of(value) } else { None };
        let cell = |(found, row): (Found<T>, &mut Row)| {
            let is_within = |value: &T| value.is_within(self);
            let value = match found {
                Ok(value) if value.as_ref().is_none_or(is_within) => value,
                _ => {
                    row.is_unreadable = true;
                    row.is_left_out |= self.is_whose;
                    None
                }
            };
            row.is_left_out |= self.is_whose & row.is_shifted;
            if value.is_none() {
                row.is_left_out |= matches!(self.absent, Absent::LeavesOut);
                row.lacks |= matches!(self.absent, Absent::IsRefused);
            }
            value.or_else(|| instead.clone())
        };
        found.zip(rows).map(cell).collect()
    }
}

impl Gathered<'_> {
    /// Returns for each cell whether it has a value.
    pub(crate) fn present(&self) -> Vec<bool> {
        match self {
            Gathered::Floats(cells) => cells.iter().map(Option::is_some).collect(),
            Gathered::Integers(cells) => cells.iter().map(Option::is_some).collect(),
            Gathered::Truths(cells) => cells.iter().map(Option::is_some).collect(),
            Gathered::Texts(cells) => cells.iter().map(Option::is_some).collect(),
            Gathered::Whole(column) => (0..column.len()).map(|row| !column.cell(row).is_null()).collect(),
        }
    }

    /// Returns a text for each value; equal values have equal texts.
    pub(crate) fn names(&self) -> Vec<Option<String>> {
        fn texts<T: ToString>(cells: &[Option<T>]) -> Vec<Option<String>> {
            cells.iter().map(|cell| cell.as_ref().map(ToString::to_string)).collect()
        }
        match self {
            Gathered::Floats(cells) => texts(cells),
            Gathered::Integers(cells) => texts(cells),
            Gathered::Truths(cells) => texts(cells),
            Gathered::Texts(cells) => texts(cells),
            Gathered::Whole(column) => {
                let cell = |row| Some(column.cell(row)).filter(|cell| !cell.is_null()).map(|cell| cell.to_string());
                (0..column.len()).map(cell).collect()
            }
        }
    }

    /// Returns the column without the dropped rows.
    fn column(self, declared: &Declared, rows: &[Row]) -> Column {
        fn kept<'a, T>(cells: &'a [Option<T>], rows: &'a [Row]) -> impl Iterator<Item = &'a Option<T>> {
            cells.iter().zip(rows).filter(|(_, row)| !row.is_left_out).map(|(cell, _)| cell)
        }
        match self {
            Gathered::Floats(cells) => kept(&cells, rows).copied().collect(),
            Gathered::Integers(cells) => kept(&cells, rows).copied().collect(),
            Gathered::Truths(cells) => kept(&cells, rows).copied().collect(),
            Gathered::Texts(cells) => kept(&cells, rows).map(Option::as_deref).collect(),
            Gathered::Whole(column) if rows.iter().all(|row| !row.is_left_out) => column,
            Gathered::Whole(column) => {
                let kept = rows.iter().enumerate().filter(|(_, row)| !row.is_left_out);
                Column::from_cells(declared.domain.kind(), kept.map(|(row, _)| column.cell(row)))
            }
        }
    }
}

/// The batches that were read so far.
pub(crate) struct Batches<'a> {
    plan: &'a Plan<'a>,
    batches: Vec<Batch>,
    rows: usize,
    is_refused: bool,
}

impl<'a> Batches<'a> {
    pub(crate) fn new(plan: &'a Plan<'a>) -> Self {
        Self { plan, batches: Vec::new(), rows: 0, is_refused: false }
    }

    /// Appends rows that were read separately.
    pub(crate) fn append(&mut self, mut others: Self) {
        self.rows = self.rows.saturating_add(others.rows);
        self.is_refused |= others.is_refused;
        self.batches.append(&mut others.batches);
    }

    /// Adds rows: their cells in the columns that are read.
    pub(crate) fn push(&mut self, rows: &[Row], gathered: Vec<Gathered>) -> Result<()> {
        let plan = self.plan;
        self.rows = self.rows.saturating_add(rows.len());
        self.is_refused |= rows.iter().any(|row| row.is_unreadable | row.lacks);
        let columns = plan.columns.iter().zip(gathered).map(|(declared, cells)| cells.column(declared, rows));
        let mut columns: Vec<Column> = columns.collect();
        if let Some(place) = plan.flag {
            let flags = rows.iter().filter(|row| !row.is_left_out).map(|row| row.is_unreadable);
            columns.insert(place.min(columns.len()), flags.collect());
        }
        let named = plan.domain.names().iter().cloned().zip(columns);
        let frame = Frame::new(named).map_err(|_| Error::file("has columns of different lengths"))?;
        self.batches.extend_from_slice(&frame);
        Ok(())
    }

    /// Returns all rows, if their number is the declared one and, in strict mode, all can be read.
    pub(crate) fn finish(self) -> Result<Frame> {
        if let Some(size) = self.plan.domain.size().filter(|size| !self.is_refused() && *size != self.rows) {
            return Err(Error::file(format!(
                "has a different number of rows than the {size} that the domain declares"
            )));
        }
        self.piece()
    }

    /// Returns some of all rows. The caller checks the number of all rows.
    pub(crate) fn piece(self) -> Result<Frame> {
        if self.is_refused() {
            let rule =
                "has cells that are missing or cannot be read (strict): their number and their places stay private";
            return Err(Error::file(rule));
        }
        Ok(Frame::from(self.batches))
    }

    fn is_refused(&self) -> bool {
        self.is_refused && self.plan.strictness == Strictness::Strict
    }
}
