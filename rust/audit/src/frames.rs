//! Draws and edits tables of named columns, compares them by their rows, and writes them in layouts that must not
//! affect a release.
//!
//! A row is a list of cells. Each frame that is drawn has its own layout: how rows are divided into batches, which
//! value the buffer has under a null, where a column starts in a longer array, and which NaN marks a missing float.

use crate::{
    distances,
    edits::{
        ADDED, Edits, IN_PLACE, Pair, REPLACED, Rows, Script, Spelling, edited, edited_individuals, with_examples,
    },
    key::{Key, Seen},
    members::{Described, Drawn, any_of},
    metric::{Comparison, Measured},
    non_members::Fenced,
    values::Value,
};
use arrow_array::{Array, BooleanArray, Float64Array, Int64Array, LargeStringArray};
use arrow_buffer::NullBuffer;
use indistinct::{
    frames::{Batch, Cell, Column, ColumnDomain, Frame, FrameDomain, Kind, lit, make_filter_rows},
    metrics::{
        ChangeOneDistance, ChangeOneIdDistance, HammingDistance, InsertDeleteDistance, SymmetricDistance,
        SymmetricIdDistance,
    },
};
use proptest::{
    arbitrary::any,
    collection::vec,
    option,
    prelude::{BoxedStrategy, Strategy},
    sample::{Index, select},
};
use std::sync::Arc;

/// The cells of one row, in the order of the columns.
pub type Row = Vec<Cell>;

impl Seen for Cell {
    fn key(&self) -> Key {
        Key::List(match self {
            Cell::Float(value) if value.is_nan() => Vec::new(),
            Cell::Float(value) => vec![value.key()],
            Cell::Integer(value) => vec![value.key()],
            Cell::Bool(value) => vec![value.key()],
            Cell::Text(value) => vec![value.key()],
            _ => Vec::new(),
        })
    }
}

/// A frame is seen as its rows, in order.
impl Seen for [Batch] {
    fn key(&self) -> Key {
        rows(self).key()
    }
}

/// Reads the cells of a column from its array.
fn cells(column: &Column) -> Vec<Cell> {
    let array = column.to_arrow();
    let any = array.as_any();
    if let Some(floats) = any.downcast_ref::<Float64Array>() {
        return floats.iter().map(|value| value.filter(|value| !value.is_nan()).into()).collect();
    }
    if let Some(integers) = any.downcast_ref::<Int64Array>() {
        return integers.iter().map(Cell::from).collect();
    }
    if let Some(truths) = any.downcast_ref::<BooleanArray>() {
        return truths.iter().map(Cell::from).collect();
    }
    any.downcast_ref::<LargeStringArray>().into_iter().flatten().map(Cell::from).collect()
}

/// Returns the rows of a frame, in order.
pub fn rows(frame: &[Batch]) -> Vec<Row> {
    let of = |batch: &Batch| {
        let columns: Vec<Vec<Cell>> = batch.columns().iter().map(cells).collect();
        let cell = |column: &Vec<Cell>, row: usize| column.get(row).cloned().unwrap_or(Cell::Missing);
        (0..batch.rows()).map(|row| columns.iter().map(|column| cell(column, row)).collect()).collect::<Vec<Row>>()
    };
    frame.iter().flat_map(of).collect()
}

/// The layout of rows in a frame. The default is one batch.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    /// The number of rows in each batch except the last.
    pub batches: Vec<usize>,
    /// The number of cells that precede the column in a longer array.
    pub before: usize,
    /// The choice of values under nulls.
    pub under: usize,
}

impl Layout {
    /// Draws any layout.
    fn strategy() -> BoxedStrategy<Self> {
        (vec(0..4usize, 0..5), 0..9usize, 0..24usize)
            .prop_map(|(batches, before, under)| Self { batches, before, under })
            .boxed()
    }

    /// Returns a few layouts that differ strongly: one batch; one batch for each row, with empty batches between and
    /// after; and one batch surrounded by other cells in its arrays.
    #[must_use]
    pub fn some() -> [Self; 3] {
        let one_by_one = [1, 0].repeat(8);
        [
            Self::default(),
            Self { batches: one_by_one, before: 0, under: 1 },
            Self { batches: vec![0, 2], before: 3, under: 5 },
        ]
    }
}

/// Writes rows as a frame with the columns of a domain.
pub fn frame(domain: &FrameDomain, rows: &[Row], layout: &Layout) -> Vec<Batch> {
    let (mut frame, mut rest) = (Vec::new(), rows);
    for size in layout.batches.iter().copied().chain([usize::MAX]) {
        let (here, others) = rest.split_at_checked(size).unwrap_or((rest, &[]));
        rest = others;
        if here.is_empty() {
            frame.extend(rows.first().and_then(|row| no_rows(domain, row, layout)));
        } else {
            frame.extend_from_slice(&batches(domain, here, layout).unwrap_or_default());
        }
    }
    frame
}

fn batches(domain: &FrameDomain, rows: &[Row], layout: &Layout) -> Option<Frame> {
    let names = domain.names().iter().cloned().zip(domain.columns());
    let column = |(place, (name, column)): (usize, (String, &ColumnDomain))| {
        let cells: Vec<&Cell> = rows.iter().map(|row| row.get(place).unwrap_or(&Cell::Missing)).collect();
        (name, written(column.kind(), &cells, layout))
    };
    Frame::new(names.enumerate().map(column)).ok()
}

/// Returns a batch without rows to accompany a batch that contains `row`. An empty batch has no effect, and it may lack
/// columns.
fn no_rows(domain: &FrameDomain, row: &Row, layout: &Layout) -> Option<Batch> {
    let columns = if layout.under % 2 == 1 { 1 } else { usize::MAX };
    let named = domain.names().iter().cloned().zip(domain.columns().iter().cloned());
    let any_number = FrameDomain::new(named.take(columns)).ok()?;
    let one = batches(&any_number, std::slice::from_ref(row), &Layout::default())?;
    make_filter_rows(any_number, SymmetricDistance, lit(false)).ok()?.invoke(&one).ok()?.pop()
}

/// Writes the cells as an array. A cell of another type becomes a missing cell.
fn written(kind: Kind, cells: &[&Cell], layout: &Layout) -> Column {
    let before: Vec<Cell> = (0..layout.before).map(|at| under(kind, layout.under + at)).collect();
    let all: Vec<&Cell> = before.iter().chain(cells.iter().copied()).collect();
    let hidden: Vec<Cell> = (0..all.len()).map(|at| under(kind, layout.under + at)).collect();
    let pairs = all.iter().copied().zip(&hidden);
    let present: Vec<bool> = all.iter().map(|cell| !cell.is_null()).collect();
    // That nothing is missing is said, or goes without saying.
    let nulls = (present.contains(&false) || layout.under % 2 == 1).then(|| NullBuffer::from(present));
    let (start, length) = (before.len(), cells.len());
    match kind {
        Kind::Float => {
            let float = |cell: &Cell| if let Cell::Float(value) = cell { Some(*value) } else { None };
            let nan = |at: usize| {
                f64::from_bits(0x7ff8_0000_0000_0000 | u64::from(at % 2 == 1) << 63 | u64::from(at % 3 == 2))
            };
            if layout.under.is_multiple_of(3) {
                let values: Vec<f64> =
                    pairs.map(|(cell, hidden)| float(cell).or(float(hidden)).unwrap_or(0.0)).collect();
                return Float64Array::new(values.into(), nulls).slice(start, length).into();
            }
            let values: Vec<f64> =
                all.iter().zip(layout.under..).map(|(cell, at)| float(cell).unwrap_or_else(|| nan(at))).collect();
            Float64Array::from(values).slice(start, length).into()
        }
        Kind::Bool => {
            let truth = |cell: &Cell| if let Cell::Bool(value) = cell { Some(*value) } else { None };
            let values: Vec<bool> =
                pairs.map(|(cell, hidden)| truth(cell).or(truth(hidden)).unwrap_or(false)).collect();
            BooleanArray::new(values.into(), nulls).slice(start, length).into()
        }
        Kind::Text => {
            let text = |cell: &Cell| if let Cell::Text(value) = cell { Some(value.clone()) } else { None };
            let values: Vec<String> =
                pairs.map(|(cell, hidden)| text(cell).or(text(hidden)).unwrap_or_default()).collect();
            let (offsets, bytes, _) = LargeStringArray::from(values).into_parts();
            LargeStringArray::new(offsets, bytes, nulls).slice(start, length).into()
        }
        _ => {
            let integer = |cell: &Cell| if let Cell::Integer(value) = cell { Some(*value) } else { None };
            let values: Vec<i64> = pairs.map(|(cell, hidden)| integer(cell).or(integer(hidden)).unwrap_or(0)).collect();
            Int64Array::new(values.into(), nulls).slice(start, length).into()
        }
    }
}

/// The value of the buffer under a null; it may be a value that neighboring rows contain.
fn under(kind: Kind, at: usize) -> Cell {
    let of = |cells: &[Cell]| cells.get(at % cells.len()).cloned().unwrap_or(Cell::Missing);
    match kind {
        Kind::Float => of(&[0.0, 1.0, -1.0, f64::MAX].map(Cell::from)),
        Kind::Bool => of(&[false, true].map(Cell::from)),
        Kind::Text => of(&["", "a", "37", "elsewhere"].map(Cell::from)),
        _ => of(&[0, 1, i64::MIN, i64::MAX, -1].map(Cell::from)),
    }
}

/// Checks the number of rows, and for each column the types, bounds, labels and missing cells.
impl Described for FrameDomain {
    fn describes(&self, frame: &[Batch]) -> bool {
        let has_rows = || frame.iter().filter(|batch| batch.rows() > 0);
        let is_named = |batch: &Batch| batch.names() == self.names() && batch.columns().len() == self.columns().len();
        let is_of_kind = |domain: &ColumnDomain, column: &Column| {
            let array = column.to_arrow();
            let any = array.as_any();
            match domain.kind() {
                Kind::Float => any.is::<Float64Array>(),
                Kind::Bool => any.is::<BooleanArray>(),
                Kind::Text => any.is::<LargeStringArray>(),
                _ => any.is::<Int64Array>(),
            }
        };
        let fits = |batch: &Batch| {
            self.columns().iter().zip(batch.columns()).all(|(domain, column)| {
                is_of_kind(domain, column)
                    && column.len() == batch.rows()
                    && cells(column).iter().all(|cell| describes(domain, cell))
            })
        };
        let size = rows(frame).len();
        self.size().is_none_or(|rows| rows == size) && has_rows().all(|batch| is_named(batch) && fits(batch))
    }

    /// If rows without an identifier are separate individuals, several equal rows without an identifier count as
    /// different individuals.
    fn persons(&self, frame: &[Batch]) -> Option<Vec<(Key, Key)>> {
        let place = place_of_individuals(self)?;
        let rows = rows(frame);
        let nobodys = |row: &&Row| self.has_individuals_or_null() && row.get(place).is_none_or(Cell::is_null);
        let before = |at: usize, key: &Key| {
            let before = rows.iter().take(at).filter(nobodys).filter(|other| other.key() == *key).count();
            vec![key.clone(); before + 1]
        };
        let person = |(at, row): (usize, &Row)| {
            let key = row.key();
            let person = if nobodys(&row) { Key::List(before(at, &key)) } else { row.get(place)?.key() };
            Some((person, key))
        };
        rows.iter().enumerate().map(person).collect()
    }

    fn shown(&self, frame: &[Batch]) -> String {
        let shown = |batch: &Batch| {
            let rows = rows(std::slice::from_ref(batch));
            let rows: Vec<String> = rows
                .iter()
                .map(|row| format!("({})", row.iter().map(Cell::to_string).collect::<Vec<_>>().join(", ")))
                .collect();
            format!("[{}]", rows.join(", "))
        };
        frame.iter().map(shown).collect::<Vec<_>>().join(" + ")
    }
}

fn describes(domain: &ColumnDomain, cell: &Cell) -> bool {
    match (cell, domain.bounds()) {
        (cell, _) if cell.is_null() => domain.has_missing(),
        (Cell::Float(value), Some((Cell::Float(lower), Cell::Float(upper)))) => lower <= *value && *value <= upper,
        (Cell::Integer(value), Some((Cell::Integer(lower), Cell::Integer(upper)))) => {
            lower <= *value && *value <= upper
        }
        (Cell::Integer(value), None) => {
            domain.labels().is_none_or(|labels| usize::try_from(*value).is_ok_and(|place| place < labels.len()))
        }
        (_, bounds) => bounds.is_none(),
    }
}

/// Returns ways to draw the cells of a column.
fn ways_of(column: &ColumnDomain) -> Vec<BoxedStrategy<Cell>> {
    fn of<T: Value + Into<Cell>>(bounds: Option<&(T, T)>) -> Vec<BoxedStrategy<Cell>> {
        T::ways(bounds).into_iter().map(|way| way.prop_map(Into::into).boxed()).collect()
    }
    let some = |cells: &[i64]| select(cells.to_vec()).prop_map(Cell::Integer).boxed();
    const DAY: i64 = 86_400_000_000;
    let ways = match (column.kind(), column.bounds()) {
        (Kind::Float, Some((Cell::Float(lower), Cell::Float(upper)))) => of(Some(&(lower, upper))),
        (Kind::Float, _) => of::<f64>(None),
        (Kind::Integer, Some((Cell::Integer(lower), Cell::Integer(upper)))) => of(Some(&(lower, upper))),
        (Kind::Bool, _) => of::<bool>(None),
        (Kind::Text, _) => {
            let dates = ["2026-11-23", "2026-02-30", "2026-11-23T06:17:45", "é😀", "x"].map(Cell::from).to_vec();
            of::<String>(None).into_iter().chain([select(dates).boxed()]).collect()
        }
        (Kind::Category, _) => {
            let last = column.labels().map_or(0, |labels| labels.len().saturating_sub(1));
            let last = i64::try_from(last).unwrap_or(i64::MAX);
            vec![some(&[0, last]), (0..=last).prop_map(Cell::Integer).boxed()]
        }
        (Kind::Date, _) => {
            vec![some(&[0, 1, -1, 20_780]), some(&[-96_465_293, 95_026_236, i64::MIN, i64::MAX, 1 << 32])]
        }
        (Kind::Time, _) => vec![
            some(&[0, 1, -1, DAY, DAY - 1, -DAY]),
            some(&[i64::MIN, i64::MAX, 95_026_236 * DAY, 1_795_414_665_000_000]),
        ],
        _ => of::<i64>(None),
    };
    if column.has_missing() {
        let missing = |way: BoxedStrategy<Cell>| {
            option::weighted(0.75, way).prop_map(|cell| cell.unwrap_or(Cell::Missing)).boxed()
        };
        ways.into_iter().map(missing).collect()
    } else {
        ways
    }
}

/// Returns ways to draw a row. Individuals are mostly drawn in the simplest way, so several rows have the same
/// individual.
fn ways_of_rows(domain: &FrameDomain) -> Vec<BoxedStrategy<Row>> {
    let columns: Vec<Vec<BoxedStrategy<Cell>>> = domain
        .names()
        .iter()
        .zip(domain.columns())
        .map(|(name, column)| {
            let ways = ways_of(column);
            if domain.individuals() == Some(name) {
                let simplest: Vec<_> = ways.iter().take(1).cycle().take(3).cloned().collect();
                vec![any_of([simplest, vec![any_of(ways)]].concat())]
            } else {
                ways
            }
        })
        .collect();
    let number = columns.iter().map(Vec::len).max().unwrap_or(1);
    let way = |at: usize| columns.iter().filter_map(|ways| ways.get(at % ways.len()).cloned()).collect::<Vec<_>>();
    (0..number).map(|at| way(at).boxed()).collect()
}

/// Changes the sign of zeros. All other differences in writing are part of a frame's layout.
fn spelled(row: &Row) -> Row {
    let other = |cell: &Cell| if let Cell::Float(value) = cell { Cell::Float(value.spelled()) } else { cell.clone() };
    row.iter().map(other).collect()
}

impl Drawn for FrameDomain {
    fn ways(&self) -> Vec<BoxedStrategy<Vec<Batch>>> {
        let sizes = self.size().map_or(0..=3, |size| size..=size);
        let way = |way: BoxedStrategy<Row>| {
            let domain = self.clone();
            let frames = (vec(way, sizes.clone()), Layout::strategy());
            frames.prop_map(move |(rows, layout)| frame(&domain, &rows, &layout)).boxed()
        };
        ways_of_rows(self).into_iter().map(way).collect()
    }

    fn spelled(&self, value: &[Batch]) -> Vec<Batch> {
        let rows: Vec<Row> = rows(value).iter().map(spelled).collect();
        let [_, layout, _] = Layout::some();
        frame(self, &rows, &layout)
    }
}

/// A non-member differs in one of these ways: one cell is outside a bound, has an unknown label or is missing; a column
/// has another name, type or place; a column is added or removed; or the number of rows differs.
impl Fenced for FrameDomain {
    fn non_members(&self) -> Vec<BoxedStrategy<Vec<Batch>>> {
        const LONGEST: usize = 1 << 12;
        let size = self.size();
        let row = any_of(ways_of_rows(self));
        let mut kinds = Vec::new();
        for size in [size.and_then(|size| size.checked_sub(1)), size.and_then(|size| size.checked_add(1))] {
            let Some(size) = size.filter(|size| *size <= LONGEST) else { continue };
            let domain = self.clone();
            let frames = (vec(row.clone(), size), Layout::strategy());
            kinds.push(frames.prop_map(move |(rows, layout)| frame(&domain, &rows, &layout)).boxed());
        }
        if size == Some(0) || size.is_some_and(|size| size > LONGEST) {
            return kinds;
        }
        let sizes = size.map_or(1..=4, |size| size..=size);
        let among = |wrong: BoxedStrategy<Row>| {
            let domain = self.clone();
            (vec(row.clone(), sizes.clone()), wrong, any::<Index>(), Layout::strategy())
                .prop_map(move |(mut rows, wrong, place, layout)| {
                    let place = place.index(rows.len());
                    rows.iter_mut().skip(place).take(1).for_each(|row| row.clone_from(&wrong));
                    frame(&domain, &rows, &layout)
                })
                .boxed()
        };
        for (place, column) in self.columns().iter().enumerate() {
            for cell in outside(column) {
                let wrong = row.clone().prop_map(move |mut row| {
                    row.iter_mut().skip(place).take(1).for_each(|old| old.clone_from(&cell));
                    row
                });
                kinds.push(among(wrong.boxed()));
            }
        }
        for other in with_other_columns(self) {
            let frames = (vec(row.clone(), sizes.clone()), Layout::strategy());
            kinds.push(frames.prop_map(move |(rows, layout)| frame(&other, &rows, &layout)).boxed());
        }
        kinds
    }
}

/// Returns cells just outside a column's domain.
fn outside(column: &ColumnDomain) -> Vec<Cell> {
    let beyond: Vec<Cell> = match (column.labels(), column.bounds()) {
        (Some(labels), _) => {
            [-1, i64::try_from(labels.len()).unwrap_or(i64::MAX), i64::MIN, i64::MAX].map(Cell::from).to_vec()
        }
        (_, Some((Cell::Float(lower), Cell::Float(upper)))) => {
            f64::non_members(&(lower, upper)).into_iter().map(Cell::from).collect()
        }
        (_, Some((Cell::Integer(lower), Cell::Integer(upper)))) => {
            i64::non_members(&(lower, upper)).into_iter().map(Cell::from).collect()
        }
        _ => Vec::new(),
    };
    beyond.into_iter().chain((!column.has_missing()).then_some(Cell::Missing)).collect()
}

/// Returns domains in which a column has another name or type, a column is added or removed, or all columns are in
/// another order.
fn with_other_columns(domain: &FrameDomain) -> Vec<FrameDomain> {
    let named: Vec<(String, ColumnDomain)> =
        domain.names().iter().cloned().zip(domain.columns().iter().cloned()).collect();
    let (mut renamed, mut retyped, mut longer, mut shorter, mut turned) =
        (named.clone(), named.clone(), named.clone(), named.clone(), named);
    renamed.iter_mut().take(1).for_each(|column| column.0.push('\''));
    retyped.iter_mut().take(1).for_each(|column| {
        column.1 = if column.1.kind() == Kind::Text { ColumnDomain::bool() } else { ColumnDomain::text() };
    });
    longer.push(("one more".into(), ColumnDomain::float()));
    shorter.pop();
    turned.reverse();
    // Without columns there are no rows.
    let is_other = |columns: &Vec<(String, ColumnDomain)>| columns.len() > 1 || columns.len() == domain.columns().len();
    let mut all: Vec<_> = [renamed, retyped, longer, shorter].into_iter().filter(is_other).collect();
    all.extend((turned.len() > 1).then_some(turned));
    all.into_iter().filter_map(|columns| FrameDomain::new(columns).ok()).collect()
}

macro_rules! metrics_of_frames {
    ($($metric:ident $definition:ident, any size: $kinds:ident, of one size: $sized:ident;)+) => {$(
        impl Measured<[Batch]> for $metric {
            fn distance(&self, x: &[Batch], y: &[Batch]) -> Option<u32> {
                let keys = |frame| rows(frame).iter().map(Seen::key).collect::<Vec<_>>();
                distances::$definition(&keys(x), &keys(y))
            }

            fn compare(&self, x: &[Batch], y: &[Batch], claimed: &u32) -> Comparison {
                Comparison::of_rows(self.distance(x, y), *claimed)
            }
        }

        impl Edits<FrameDomain> for $metric {
            fn neighbors(
                &self,
                domain: &FrameDomain,
                examples: &[Vec<Batch>],
                script: Script,
            ) -> BoxedStrategy<Pair<FrameDomain>> {
                let kinds = if domain.size().is_none() { $kinds } else { $sized };
                let ways = with_examples(ways_of_rows(domain), examples.iter().flat_map(|frame| rows(frame)).collect());
                let spelled: Spelling<Row> = Arc::new(spelled);
                in_layouts(domain, edited((ways, spelled), domain.size(), script, kinds))
            }
        }
    )+};
}

metrics_of_frames! {
    SymmetricDistance symmetric, any size: ADDED, of one size: REPLACED;
    InsertDeleteDistance insert_delete, any size: ADDED, of one size: REPLACED;
    ChangeOneDistance change_one, any size: REPLACED, of one size: REPLACED;
    HammingDistance hamming, any size: IN_PLACE, of one size: IN_PLACE;
}

/// Writes each of two datasets in its own layout.
fn in_layouts(domain: &FrameDomain, pairs: BoxedStrategy<Rows<Row>>) -> BoxedStrategy<Pair<FrameDomain>> {
    let domain = domain.clone();
    (pairs, Layout::strategy(), Layout::strategy())
        .prop_map(move |((one, other), first, second)| (frame(&domain, &one, &first), frame(&domain, &other, &second)))
        .boxed()
}

/// The place of the column that identifies the individual of a row.
fn place_of_individuals(domain: &FrameDomain) -> Option<usize> {
    domain.names().iter().position(|name| domain.individuals() == Some(name))
}

macro_rules! metrics_of_individuals {
    ($($metric:ident $definition:ident;)+) => {$(
        /// The domain identifies the individuals. Without a domain, or if the domain identifies none, no distance is
        /// known.
        impl Measured<[Batch]> for $metric {
            fn distance(&self, _: &[Batch], _: &[Batch]) -> Option<u32> {
                None
            }

            fn compare(&self, _: &[Batch], _: &[Batch], claimed: &u32) -> Comparison {
                Comparison::of_rows(None, *claimed)
            }

            fn distance_in<D>(&self, domain: &D, x: &[Batch], y: &[Batch]) -> Option<u32>
            where
                D: Described<Carrier = [Batch]>,
            {
                distances::$definition(&domain.persons(x)?, &domain.persons(y)?)
            }

            fn compare_in<D>(&self, domain: &D, x: &[Batch], y: &[Batch], claimed: &u32) -> Comparison
            where
                D: Described<Carrier = [Batch]>,
            {
                Comparison::of_rows(self.distance_in(domain, x, y), *claimed)
            }
        }

        impl Edits<FrameDomain> for $metric {
            fn neighbors(
                &self,
                domain: &FrameDomain,
                examples: &[Vec<Batch>],
                script: Script,
            ) -> BoxedStrategy<Pair<FrameDomain>> {
                neighboring_individuals(domain, examples, script)
            }
        }
    )+};
}

metrics_of_individuals! {
    SymmetricIdDistance symmetric_id;
    ChangeOneIdDistance change_one_id;
}

/// Draws frames of individuals who join or leave, and whose rows are replaced.
fn neighboring_individuals(
    domain: &FrameDomain,
    examples: &[Vec<Batch>],
    script: Script,
) -> BoxedStrategy<Pair<FrameDomain>> {
    let place = place_of_individuals(domain).unwrap_or(0);
    let person = move |row: &Row| row.get(place).cloned().unwrap_or(Cell::Missing);
    let keyed = move |row: Row| (person(&row), row);
    let examples = examples.iter().flat_map(|frame| rows(frame)).collect();
    let ways = with_examples(ways_of_rows(domain), examples);
    let ways = ways.into_iter().map(|way| way.prop_map(keyed).boxed()).collect();
    let spelled: Spelling<(Cell, Row)> = Arc::new(|(person, row)| (person.clone(), spelled(row)));
    // Whose the row is, is said once.
    let whole = move |persons: Vec<(Cell, Row)>| -> Vec<Row> {
        let row = |(person, mut row): (Cell, Row)| {
            row.iter_mut().skip(place).take(1).for_each(|cell| cell.clone_from(&person));
            row
        };
        persons.into_iter().map(row).collect()
    };
    let pairs = edited_individuals((ways, spelled), domain.size(), script);
    in_layouts(domain, pairs.prop_map(move |(one, other)| (whole(one), whole(other))).boxed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::prelude::*;
    use proptest::{
        strategy::ValueTree,
        test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
    };

    fn columns() -> FrameDomain {
        FrameDomain::new([
            ("who", ColumnDomain::integer()),
            ("x", ColumnDomain::float().with_bounds(-1.0, 2.0).unwrap().with_missing()),
            ("k", ColumnDomain::integer().with_bounds(0.0, 3.0).unwrap()),
            ("b", ColumnDomain::bool().with_missing()),
            ("t", ColumnDomain::text().with_missing()),
            ("c", ColumnDomain::category(["a", "b"]).unwrap()),
            ("d", ColumnDomain::date()),
            ("s", ColumnDomain::time().with_missing()),
        ])
        .unwrap()
    }

    fn runner() -> TestRunner {
        let config = Config { cases: 300, failure_persistence: None, ..Config::default() };
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
    }

    #[test]
    fn members_and_what_is_outside() {
        for domain in [columns(), columns().with_size(3), columns().with_size(0)] {
            for way in domain.ways() {
                runner()
                    .run(&way, |frame| {
                        assert!(domain.member(&frame) && domain.describes(&frame), "{}", domain.shown(&frame));
                        let again = domain.spelled(&frame);
                        assert!(domain.member(&again));
                        assert_eq!(SymmetricDistance.distance(&frame[..], &again[..]), Some(0));
                        assert_eq!(HammingDistance.distance(&frame[..], &again[..]), Some(0));
                        Ok(())
                    })
                    .unwrap();
            }
            let kinds = domain.non_members();
            assert!(kinds.len() >= if domain.size() == Some(0) { 1 } else { 20 }, "{}", kinds.len());
            let mut runner = runner();
            for kind in kinds {
                for _ in 0..20 {
                    let frame = kind.new_tree(&mut runner).unwrap().current();
                    let (member, described) = (domain.member(&frame), domain.describes(&frame));
                    assert!(!member && !described, "{member}, {described}: {}", domain.shown(&frame));
                }
            }
        }
    }

    /// Neighbors at the least distances, and further apart, in frames that are written otherwise.
    #[test]
    fn each_edit_is_of_a_kind_that_the_metric_counts() {
        fn distances<M>(metric: M, domain: &FrameDomain) -> (Vec<u32>, usize)
        where
            M: Edits<FrameDomain> + Measured<[Batch]> + Metric<Distance = u32>,
        {
            let (mut distances, mut cut, mut runner) = (Vec::new(), 0, runner());
            let neighbors = metric.neighbors(domain, &[], Script::default());
            for _ in 0..500 {
                let (x, y) = neighbors.new_tree(&mut runner).unwrap().current();
                assert!(domain.member(&x) && domain.member(&y), "{} and {}", domain.shown(&x), domain.shown(&y));
                distances.push(metric.distance_in(domain, &x, &y).expect("finite"));
                cut += usize::from(x.len() > 1 && x.iter().any(|batch| batch.rows() == 0));
            }
            (distances, cut)
        }
        let (domain, sized) = (columns(), columns().with_size(3));
        let persons = |domain: &FrameDomain| domain.clone().with_individuals("who").unwrap();
        for (distances, cut) in [
            distances(SymmetricDistance, &domain),
            distances(InsertDeleteDistance, &domain),
            distances(ChangeOneDistance, &domain),
            distances(HammingDistance, &domain),
            distances(SymmetricDistance, &sized),
            distances(ChangeOneDistance, &sized),
            distances(SymmetricIdDistance, &persons(&domain)),
            distances(SymmetricIdDistance, &persons(&sized)),
            distances(ChangeOneIdDistance, &persons(&domain)),
            distances(ChangeOneIdDistance, &persons(&sized)),
        ] {
            assert!(distances.iter().filter(|d| (1..=2).contains(*d)).count() > 80, "{distances:?}");
            assert!(distances.contains(&0) && distances.iter().any(|d| *d > 2), "{distances:?}");
            assert!(cut > 20, "{cut}");
        }
    }

    #[test]
    fn rows_are_told_apart_by_their_cells() {
        let domain =
            FrameDomain::new([("x", ColumnDomain::float().with_missing()), ("t", ColumnDomain::text())]).unwrap();
        let row = |x: Cell, t: &str| vec![x, Cell::from(t)];
        let one = [row(0.0.into(), "a"), row(Cell::Missing, "b"), row(1.0.into(), "")];
        let other = [row((-0.0).into(), "a"), row(f64::NAN.into(), "b"), row(1.0.into(), "")];
        let [whole, cut, around] = Layout::some();
        let (x, y, z) =
            (frame(&domain, &one, &whole), frame(&domain, &other, &cut), frame(&domain, &one[..2], &around));
        assert_eq!((x.len(), y.len(), HammingDistance.distance(&x[..], &y[..])), (1, 17, Some(0)));
        assert_eq!(
            (SymmetricDistance.distance(&x[..], &z[..]), ChangeOneDistance.distance(&x[..], &z[..])),
            (Some(1), None)
        );
        assert_eq!(domain.shown(&z), r#"[] + [(0.0, "a"), (missing, "b")] + []"#);
    }
}
