//! The contingency tables of rows, counted together.

use crate::{
    core::{Error, ErrorKind, Fallible, Stored, more},
    frames::{batch::Batch, statistics::places::Places},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

/// So many rows wait, and are then counted in one table after another.
const WAITING: usize = 1 << 17;
/// The greatest table that is counted in place of several of its margins: one that stays in the processor's cache.
const WIDE: usize = 1 << 14;
/// The most axes of a counted table of which all margins are listed.
const LISTED: usize = 6;
/// Threads are started for at least so many counts.
const COUNTS_FOR_THREADS: usize = 1 << 26;
/// Rows whose cells are computed at a time.
const ROWS: usize = 1 << 10;

/// The tables to count, and the way in which they are counted.
pub(super) struct Layout {
    axes: Vec<Places>,
    /// Tables that are counted, each with those of which it is a superset.
    counted: Vec<Counted>,
    /// The number of sets.
    sets: usize,
}

/// A table that is counted, and the margins of it that are kept.
struct Counted {
    axes: Vec<usize>,
    sizes: Vec<usize>,
    margins: Vec<Margin>,
}

/// A margin of a counted table.
struct Margin {
    /// The position of its set in the list of sets.
    set: usize,
    /// For each axis of the counted table, whether the margin keeps it.
    kept: Vec<bool>,
    cells: usize,
}

impl Layout {
    /// The layout of these sets of axes, which are all distinct, ascending, and of tables that fit in memory.
    pub(super) fn new(axes: Vec<Places>, sets: Vec<Vec<usize>>) -> Self {
        let mut order: Vec<(usize, Vec<usize>)> = sets.into_iter().enumerate().collect();
        let number = order.len();
        order.sort_by_key(|(_, set)| std::cmp::Reverse(set.len()));
        let mut counted: Vec<(Vec<usize>, Vec<(usize, Vec<usize>)>)> = Vec::new();
        let mut of: HashMap<Vec<usize>, usize> = HashMap::new();
        for (place, set) in order {
            let at = match of.get(&set) {
                Some(at) => *at,
                None => {
                    let wide = widened(&axes, &set);
                    for margin in margins(&wide) {
                        of.entry(margin).or_insert(counted.len());
                    }
                    counted.push((wide, Vec::new()));
                    counted.len() - 1
                }
            };
            if let Some((_, members)) = counted.get_mut(at) {
                members.push((place, set));
            }
        }
        // Neighbors in this order share their first axes.
        counted.sort_by(|(one, _), (other, _)| one.cmp(other));
        let counted = counted.into_iter().map(|(wide, members)| Counted::new(&axes, wide, members)).collect();
        Self { axes, counted, sets: number }
    }
}

/// All subsets of a set of few axes, and otherwise the set itself.
fn margins(axes: &[usize]) -> Vec<Vec<usize>> {
    if axes.len() > LISTED {
        return vec![axes.to_vec()];
    }
    let with = |margins: Vec<Vec<usize>>, axis: &usize| {
        let more = margins.iter().map(|margin| [margin.as_slice(), &[*axis]].concat()).collect::<Vec<_>>();
        [margins, more].concat()
    };
    axes.iter().fold(vec![Vec::new()], with)
}

/// A set with one axis more, if its table stays small. The axis is such that the numbers of all add up to a multiple of
/// the number of axes, so that all margins with one axis less come to the same table.
fn widened(axes: &[Places], set: &[usize]) -> Vec<usize> {
    let mut wide = set.to_vec();
    let rest = set.iter().fold(0usize, |sum, axis| (sum + axis) % axes.len());
    let more = (axes.len() - rest) % axes.len();
    if let (true, Err(place)) = (set.len() > 1, set.binary_search(&more)) {
        wide.insert(place, more);
    }
    let cells = sizes(axes, &wide).into_iter().fold(1, usize::saturating_mul);
    if cells <= WIDE { wide } else { set.to_vec() }
}

/// The numbers of positions of some axes.
fn sizes(axes: &[Places], set: &[usize]) -> Vec<usize> {
    set.iter().filter_map(|axis| axes.get(*axis)).map(|axis| axis.number()).collect()
}

impl Counted {
    fn new(axes: &[Places], wide: Vec<usize>, members: Vec<(usize, Vec<usize>)>) -> Self {
        let margin = |(set, members): (usize, Vec<usize>)| Margin {
            set,
            kept: wide.iter().map(|axis| members.contains(axis)).collect(),
            cells: sizes(axes, &members).iter().product(),
        };
        let margins = members.into_iter().map(margin).collect();
        Self { sizes: sizes(axes, &wide), axes: wide, margins }
    }

    /// The tables of no rows.
    fn empty(&self) -> Vec<Vec<i64>> {
        self.margins.iter().map(|margin| vec![0; margin.cells]).collect()
    }

    /// Add rows, given as positions on each axis, to the margins.
    fn count(&self, tables: &mut [Vec<i64>], rows: &[&[u16]], scratch: &mut Scratch) -> Fallible<()> {
        scratch.cells.clear();
        scratch.cells.resize(self.sizes.iter().product(), 0);
        let columns: Vec<(&[u16], u32)> = self
            .axes
            .iter()
            .zip(&self.sizes)
            .filter_map(|(axis, size)| Some((*rows.get(*axis)?, u32::try_from(*size).ok()?)))
            .collect();
        let (first, rest) = columns.split_at(columns.len().min(2));
        scratch.begin(self.axes.get(..first.len()).unwrap_or_default(), first, rows.first().map_or(0, |row| row.len()));
        let mut at = [0u32; ROWS];
        for (chunk, begun) in scratch.begun.chunks(ROWS).enumerate() {
            let Some(at) = at.get_mut(..begun.len()) else { continue };
            at.copy_from_slice(begun);
            for (column, size) in rest {
                let column = column.get(chunk * ROWS..).unwrap_or_default();
                at.iter_mut().zip(column).for_each(|(at, position)| *at = within(*at, *size, *position));
            }
            for at in at {
                if let Some(cell) = usize::try_from(*at).ok().and_then(|at| scratch.cells.get_mut(at)) {
                    *cell = cell.wrapping_add(1);
                }
            }
        }
        for (margin, table) in self.margins.iter().zip(tables) {
            add(table, &summed(&scratch.cells, &self.sizes, &margin.kept))?;
        }
        Ok(())
    }
}

/// The cell of a row in a table with one axis more. It fits in 32 bits, because a table has at most 2^24 cells.
fn within(cell: u32, size: u32, position: u16) -> u32 {
    cell.wrapping_mul(size).wrapping_add(u32::from(position))
}

/// Buffers that one counted table leaves to the next.
#[derive(Default)]
struct Scratch {
    cells: Vec<u32>,
    /// The first axes of the last table, and the cell of each row in the table of these axes.
    axes: Option<Vec<usize>>,
    begun: Vec<u32>,
}

impl Scratch {
    /// Computes the cells of the first axes, unless they are those of the table before.
    fn begin(&mut self, axes: &[usize], columns: &[(&[u16], u32)], rows: usize) {
        if self.axes.as_deref() == Some(axes) {
            return;
        }
        self.begun.clear();
        self.begun.resize(rows, 0);
        for (column, size) in columns {
            self.begun.iter_mut().zip(*column).for_each(|(at, position)| *at = within(*at, *size, *position));
        }
        self.axes = Some(axes.to_vec());
    }
}

/// The sums of a table over the axes that are not kept.
fn summed(cells: &[u32], sizes: &[usize], kept: &[bool]) -> Vec<u32> {
    let (mut cells, mut inner) = (cells.to_vec(), 1);
    for (size, kept) in sizes.iter().zip(kept).rev() {
        if *kept {
            inner *= size;
            continue;
        }
        if inner == 1 {
            let sum = |sum: u32, cell: &u32| sum.wrapping_add(*cell);
            cells = cells.chunks_exact(*size).map(|block| block.iter().fold(0, sum)).collect();
            continue;
        }
        let mut sums = Vec::<u32>::with_capacity(cells.len() / size);
        for block in cells.chunks_exact(size * inner) {
            let at = sums.len();
            sums.resize(at + inner, 0);
            let Some(sums) = sums.get_mut(at..) else { continue };
            for part in block.chunks_exact(inner) {
                sums.iter_mut().zip(part).for_each(|(sum, cell)| *sum = sum.wrapping_add(*cell));
            }
        }
        cells = sums;
    }
    cells
}

/// Add counts to those of a table.
fn add<T: Copy + Into<i64>>(table: &mut [i64], counts: &[T]) -> Fallible<()> {
    let overflow = || Error::new(ErrorKind::Numeric, "count: the value does not fit the type");
    table.iter_mut().zip(counts).try_for_each(|(count, counts)| {
        *count = more(*count, (*counts).into()).ok_or_else(overflow)?;
        Ok(())
    })
}

/// The tables of the rows seen so far.
pub(super) struct Counts {
    layout: Arc<Layout>,
    /// For each axis, the positions of rows that are not counted yet.
    waiting: Vec<Vec<u16>>,
    /// For each counted table its margins; nothing before the first rows are counted.
    tables: Vec<Vec<Vec<i64>>>,
}

impl Counts {
    /// The tables of no rows.
    pub(super) fn new(layout: Arc<Layout>) -> Self {
        let waiting = vec![Vec::new(); layout.axes.len()];
        Self { layout, waiting, tables: Vec::new() }
    }

    /// Add the rows of a batch that have a listed position on every axis.
    pub(super) fn absorb(&mut self, batch: &Batch) -> Fallible<()> {
        let mut listed = vec![true; batch.rows()];
        for axis in &self.layout.axes {
            let is_listed = |place: &i64| axis.slot(*place) < axis.number();
            listed.iter_mut().zip(axis.of(batch)).for_each(|(listed, place)| *listed &= is_listed(place));
        }
        for (axis, waiting) in self.layout.axes.iter().zip(&mut self.waiting) {
            let places = axis.of(batch).iter().zip(&listed).filter(|(_, listed)| **listed);
            // A listed position is below 2^16.
            waiting.extend(places.map(|(place, _)| u16::try_from(*place).unwrap_or(u16::MAX)));
        }
        if self.waiting.first().is_some_and(|rows| rows.len() >= WAITING) { self.count() } else { Ok(()) }
    }

    /// Counts the rows that wait.
    fn count(&mut self) -> Fallible<()> {
        let mut waiting: Vec<&[u16]> = self.waiting.iter().map(Vec::as_slice).collect();
        if self.tables.is_empty() {
            self.tables = self.layout.counted.iter().map(Counted::empty).collect();
        }
        while waiting.first().is_some_and(|rows| !rows.is_empty()) {
            let split = |rows: &&'_ [u16]| rows.len().min(WAITING);
            let rows: Vec<&[u16]> = waiting.iter().filter_map(|rows| rows.get(..split(rows))).collect();
            count_rows(&self.layout.counted, &mut self.tables, &rows, threads_for(self.layout.counted.len(), &rows))?;
            waiting = waiting.iter().map(|rows| rows.get(split(rows)..).unwrap_or_default()).collect();
        }
        self.waiting.iter_mut().for_each(Vec::clear);
        Ok(())
    }

    /// Add the rows of another state.
    pub(super) fn merge(&mut self, others: Self) -> Fallible<()> {
        if self.tables.is_empty() {
            self.tables = others.tables;
        } else {
            let pairs = self.tables.iter_mut().flatten().zip(others.tables.iter().flatten());
            pairs.into_iter().try_for_each(|(table, others)| add(table, others))?;
        }
        self.waiting.iter_mut().zip(others.waiting).for_each(|(rows, others)| rows.extend(others));
        if self.waiting.first().is_some_and(|rows| rows.len() >= WAITING) { self.count() } else { Ok(()) }
    }

    /// The tables in the order of the sets.
    pub(super) fn finish(mut self) -> Fallible<Vec<Vec<i64>>> {
        self.count()?;
        let mut tables = vec![Vec::new(); self.layout.sets];
        let counted = self.layout.counted.iter().flat_map(|counted| &counted.margins);
        for (margin, table) in counted.zip(self.tables.into_iter().flatten()) {
            if let Some(place) = tables.get_mut(margin.set) {
                *place = table;
            }
        }
        Ok(tables)
    }
}

/// The tables of all rows, one after another. Rows that wait are counted first, so that the bytes depend on the rows
/// alone.
impl Stored for Counts {
    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        let mut all = Self { layout: self.layout.clone(), waiting: self.waiting.clone(), tables: self.tables.clone() };
        all.count()?;
        all.tables.iter().flatten().try_for_each(|table| table.write(bytes))
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        self.tables = self.layout.counted.iter().map(Counted::empty).collect();
        self.tables.iter_mut().flatten().try_for_each(|table| table.read(bytes))?;
        // Each row is in one cell of every table.
        let rows = |table: &Vec<i64>| table.iter().try_fold(0, |sum, count| more(sum, *count));
        let mut totals = self.tables.iter().flatten().map(rows);
        let first = totals.next()??;
        totals.all(|rows| rows == Some(first)).then_some(())
    }
}

/// The number of threads that count rows in so many tables.
fn threads_for(tables: usize, rows: &[&[u16]]) -> usize {
    let counts = tables.saturating_mul(rows.first().map_or(0, |rows| rows.len()));
    if counts < COUNTS_FOR_THREADS { 1 } else { thread::available_parallelism().map_or(1, usize::from) }
}

/// Counts rows in all tables. Each thread takes one table after another.
fn count_rows(counted: &[Counted], tables: &mut [Vec<Vec<i64>>], rows: &[&[u16]], threads: usize) -> Fallible<()> {
    let queue = Mutex::new(counted.iter().zip(tables));
    let work = || -> Fallible<()> {
        let mut scratch = Scratch::default();
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((counted, tables)) = next else { return Ok(()) };
            counted.count(tables, rows, &mut scratch)?;
        }
    };
    thread::scope(|scope| {
        // What the system refuses to start a thread for is done by this one.
        let others = (1..threads).filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok());
        let others: Vec<_> = others.collect();
        let mine = work();
        let all = others.into_iter().map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        all.fold(mine, Result::and)
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Some rows, counted by so many threads.
    pub(crate) fn by_threads(layout: &Layout, threads: usize) -> Vec<Vec<Vec<i64>>> {
        let mut tables: Vec<Vec<Vec<i64>>> = layout.counted.iter().map(Counted::empty).collect();
        let column =
            |axis: usize| (0..5000).map(|row| u16::try_from(row % (axis + 2) % 2).unwrap()).collect::<Vec<_>>();
        let columns: Vec<Vec<u16>> = (0..layout.axes.len()).map(column).collect();
        let rows: Vec<&[u16]> = columns.iter().map(Vec::as_slice).collect();
        count_rows(&layout.counted, &mut tables, &rows, threads).unwrap();
        tables
    }
}
