//! Jobs of engines over files: a plan, applied to the rows of files.

use crate::{
    Csv, Error, Result,
    csv::{Block, Prepared},
    sample::sample,
    store::{self, Stored},
    told::{Told, ToldReader},
};
use indistinct::{
    core::{Parameter, Transformation},
    frames::{Batch, Expr, Frame, FrameDomain, make_filter_rows},
    metrics::SymmetricDistance,
    plans::{FrameMeasurement, FrameState},
};
use indistinct_engine::{Files, Folding, Job, Piece};
use std::{
    io, iter,
    path::{Path, PathBuf},
    sync::Arc,
};

#[cfg(feature = "parquet")]
use crate::parquet::Group;
#[cfg(any(feature = "parquet", feature = "ipc"))]
use crate::{Arrow, gather::Batches, reader::Plan};
#[cfg(feature = "ipc")]
use {crate::ipc::Opened, arrow_array::RecordBatch};

/// A plan over the rows of files, for an [`Engine`](indistinct_engine::Engine). For files of any size, its final state
/// equals the state of the plan on all rows in memory, byte for byte.
///
/// ```
/// use indistinct::{frames::*, plans::FrameMeasurement};
/// use indistinct_engine::{Engine, Native};
/// use indistinct_tables::{Csv, TableJob};
/// let plan = FrameMeasurement::from_toml(r#"
///     version = 2
///     metric = "SymmetricIdDistance"
///     individuals = "patient"
///     [columns]
///     patient = "text"
///     days = "float(0.0..=30.0)"
///     [[steps]]
///     make = "bound_rows"
///     columns = ["days"]
///     max_rows = 1
///     [[steps]]
///     make = "rows"
///     columns = ["days"]
///     [[steps]]
///     make = "sum"
///     [[steps]]
///     make = "laplace"
///     scale = 30
/// "#)?;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("stays.csv");
/// # std::fs::write(&path, "patient,days\na7,3.5\nb1,\na7,12\n")?;
/// let reader = Csv::new().fill_null("days", 0.0).drop_null("patient");
/// let (domain, _) = plan.input_space();
/// let job = TableJob::csv(&reader, [&path], &domain, &plan)?;
/// let state = Native::new().run(&job)?;
/// println!("about {:?} days", plan.read_state(&state)?.release()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TableJob<'a> {
    source: Source<'a>,
    paths: Vec<PathBuf>,
    domain: &'a FrameDomain,
    plan: &'a FrameMeasurement,
    needs_partitions: bool,
    filters: Vec<Filter>,
    conditions: Vec<String>,
    files: Option<Arc<dyn Files>>,
}

type Filter = Transformation<FrameDomain, FrameDomain, SymmetricDistance, SymmetricDistance>;

enum Source<'a> {
    Csv(&'a Csv, Prepared<'a>),
    #[cfg(feature = "parquet")]
    Parquet(&'a Arrow, Plan<'a>),
    #[cfg(feature = "ipc")]
    Ipc(&'a Arrow, Plan<'a>),
}

impl<'a> TableJob<'a> {
    /// Makes a job over CSV files, one after another. Either all files have a header or none of them has one.
    ///
    /// # Errors
    ///
    /// Before a file is opened, returns an error for options that contradict each other or the domain, for a domain
    /// other than the plan's, and for a plan that needs all rows at once.
    pub fn csv(
        reader: &'a Csv,
        paths: impl IntoIterator<Item = impl AsRef<Path>>,
        domain: &'a FrameDomain,
        plan: &'a FrameMeasurement,
    ) -> Result<Self> {
        Self::new(Source::Csv(reader, reader.prepared(domain)?), paths, domain, plan)
    }

    /// Makes a job over Parquet files, one after another.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`csv`](Self::csv).
    #[cfg(feature = "parquet")]
    pub fn parquet(
        reader: &'a Arrow,
        paths: impl IntoIterator<Item = impl AsRef<Path>>,
        domain: &'a FrameDomain,
        plan: &'a FrameMeasurement,
    ) -> Result<Self> {
        Self::new(Source::Parquet(reader, reader.plan(domain)?), paths, domain, plan)
    }

    /// Makes a job over Arrow IPC (Feather) files, one after another. The reader holds one record batch at a time, so
    /// the largest batch must fit into memory.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`csv`](Self::csv).
    #[cfg(feature = "ipc")]
    pub fn ipc(
        reader: &'a Arrow,
        paths: impl IntoIterator<Item = impl AsRef<Path>>,
        domain: &'a FrameDomain,
        plan: &'a FrameMeasurement,
    ) -> Result<Self> {
        Self::new(Source::Ipc(reader, reader.plan(domain)?), paths, domain, plan)
    }

    fn new(
        source: Source<'a>,
        paths: impl IntoIterator<Item = impl AsRef<Path>>,
        domain: &'a FrameDomain,
        plan: &'a FrameMeasurement,
    ) -> Result<Self> {
        if plan.input_space().0 != *domain {
            return Err(Error::option("plan", "must start with the domain of the rows to read"));
        }
        let state = plan.state().map_err(|error| Error::option("plan", error.to_string()))?;
        let needs_partitions = state.needs_individuals();
        let paths = paths.into_iter().map(|path| path.as_ref().to_owned()).collect();
        let (filters, conditions) = (Vec::new(), Vec::new());
        Ok(Self { source, paths, domain, plan, needs_partitions, filters, conditions, files: None })
    }

    /// Restricts the plan's input to the rows that satisfy a condition, as [`make_filter_rows`] keeps them.
    ///
    /// # Errors
    ///
    /// Returns an error if the domain states the number of rows, and the errors of [`make_filter_rows`].
    pub fn only(mut self, condition: Expr) -> Result<Self> {
        if self.domain.size().is_some() {
            return Err(Error::option(
                "only",
                "the number of dropped rows is private: do not declare the number of rows",
            ));
        }
        self.conditions.push(condition.to_string());
        let filter = make_filter_rows(self.domain.clone(), SymmetricDistance, condition);
        self.filters.push(filter.map_err(|error| Error::option("only", error.to_string()))?);
        Ok(self)
    }

    /// Sets the source of files whose names are addresses, with `://` in them.
    pub(crate) fn with_files(self, files: &Arc<dyn Files>) -> Self {
        Self { files: Some(files.clone()), ..self }
    }

    /// Returns the description of the job for other processes.
    pub(crate) fn told(&self) -> Result<Told> {
        let reader = match &self.source {
            Source::Csv(reader, _) => ToldReader::Csv((*reader).clone()),
            #[cfg(feature = "parquet")]
            Source::Parquet(reader, _) => ToldReader::Parquet((*reader).clone()),
            #[cfg(feature = "ipc")]
            Source::Ipc(reader, _) => ToldReader::Ipc((*reader).clone()),
        };
        let plan = self.plan.to_json().map_err(|error| Error::option("plan", error.to_string()))?;
        let names = self.paths.iter().map(|path| store::whole_name(path)).collect::<Result<_>>()?;
        Ok(Told { plan, reader, names, conditions: self.conditions.clone() })
    }

    /// Calls `work` with the rows of a piece, some thousand at a time.
    fn read(&self, piece: Piece, mut work: impl FnMut(&[Batch]) -> Run<()>) -> Run<()> {
        let mut work = |rows: Frame| {
            let kept = self.filters.iter().try_fold(rows, |rows, filter| filter.invoke(&rows).map(Frame::from));
            work(&kept.map_err(failed)?)
        };
        match &self.source {
            Source::Csv(_, prepared) => {
                let Ok(block) = piece.downcast::<Block>() else { return Err(foreign()) };
                let batches = prepared.rows(&block).map_err(failed)?;
                drop(block);
                work(batches.piece().map_err(failed)?)
            }
            #[cfg(feature = "parquet")]
            Source::Parquet(_, plan) => {
                let Ok(piece) = piece.downcast::<Group>() else { return Err(foreign()) };
                for batch in piece.batches().map_err(failed)? {
                    let mut batches = Batches::new(plan);
                    plan.read(&batch.map_err(failed)?, &mut batches).map_err(failed)?;
                    work(batches.piece().map_err(failed)?)?;
                }
                Ok(())
            }
            #[cfg(feature = "ipc")]
            Source::Ipc(_, plan) => {
                let Ok(batch) = piece.downcast::<RecordBatch>() else { return Err(foreign()) };
                let mut batches = Batches::new(plan);
                plan.read(&batch, &mut batches).map_err(failed)?;
                work(batches.piece().map_err(failed)?)
            }
        }
    }

    /// Returns the pieces of a file that are in a part; `turn` is the number of its first row group.
    fn pieces_of(
        &self,
        path: &Path,
        turn: u32,
        part: (u32, u32),
    ) -> Result<Box<dyn Iterator<Item = Result<Piece>> + '_>> {
        match &self.source {
            // Its blocks are cut one after another: by one part.
            Source::Csv(..) if !is_in(part, turn) => Ok(Box::new(iter::empty())),
            Source::Csv(_, prepared) => {
                let mut opened = prepared.open(prepared.data(path, Stored::open(path, self.files.as_ref())?))?;
                let mut has_ended = false;
                Ok(Box::new(iter::from_fn(move || {
                    let block = if has_ended { None } else { opened.next().transpose() };
                    // After an error nothing more is asked for.
                    has_ended = !matches!(block, Some(Ok(_)));
                    block.map(|block| block.map(|block| -> Piece { Box::new(block) }))
                })))
            }
            #[cfg(feature = "parquet")]
            Source::Parquet(_, plan) => {
                let groups = (turn..).zip(Group::all(path, self.files.as_ref(), plan)?);
                let piece = |group| -> Result<Piece> { Ok(Box::new(group)) };
                Ok(Box::new(groups.filter(move |(turn, _)| is_in(part, *turn)).map(move |(_, group)| piece(group))))
            }
            // Its batches are read one after another, like blocks of CSV.
            #[cfg(feature = "ipc")]
            Source::Ipc(..) if !is_in(part, turn) => Ok(Box::new(iter::empty())),
            #[cfg(feature = "ipc")]
            Source::Ipc(_, plan) => {
                if self.files.is_some() && store::address(path).is_some() {
                    return Err(Error::file(
                        "is at an address, and Arrow IPC cannot be read from an address: write it as Parquet",
                    ));
                }
                Ok(Box::new(Opened::new(path, plan)?.batches().map(|batch| -> Result<Piece> { Ok(Box::new(batch?)) })))
            }
        }
    }
}

/// Returns true if an item of this turn is in a part with this position and number of parts.
fn is_in((place, number): (u32, u32), turn: u32) -> bool {
    turn.checked_rem(number) == Some(place)
}

type Run<T> = indistinct_engine::Result<T>;

fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> indistinct_engine::Error {
    indistinct_engine::Error::job(error)
}

fn foreign() -> indistinct_engine::Error {
    failed("the piece belongs to another job")
}

/// Returns the maximum number of rows that a plan makes from one row with `make_flat_map`. If all rows of an individual
/// must be together, these are in memory together. Rows of `make_join_rows` do not count, because only some thousand
/// exist at a time.
fn rows_of_each(plan: &indistinct::core::Plan) -> u64 {
    let inside = plan.children.iter().map(rows_of_each);
    match (plan.name.as_str(), plan.parameters.as_slice()) {
        ("chain", _) => inside.fold(1, u64::saturating_mul),
        ("make_flat_map", [(_, Parameter::List(columns)), ..]) => {
            let expressions = |column: &Parameter| match column {
                Parameter::List(pair) => pair.iter().filter_map(length).max(),
                _ => None,
            };
            columns.iter().filter_map(expressions).max().unwrap_or(1)
        }
        _ => inside.max().unwrap_or(1),
    }
}

/// Returns the number of values in a list.
fn length(parameter: &Parameter) -> Option<u64> {
    if let Parameter::List(values) = parameter { u64::try_from(values.len()).ok() } else { None }
}

impl Job for TableJob<'_> {
    fn pieces(&self, part: (u32, u32)) -> Run<Box<dyn Iterator<Item = Run<Piece>> + '_>> {
        let of = move |(turn, path): (u32, &'_ PathBuf)| {
            let at = path.clone();
            let (pieces, error) = match self.pieces_of(path, turn, part) {
                Ok(pieces) => (Some(pieces), None),
                Err(error) => (None, Some(Err(error))),
            };
            let pieces = pieces.into_iter().flatten().chain(error);
            pieces.map(move |piece| piece.map_err(|error| failed(error.at(&at))))
        };
        Ok(Box::new((0..).zip(&self.paths).flat_map(of)))
    }

    fn size(&self) -> u64 {
        let of = |path: &PathBuf| {
            let is_gzip = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
            store::size(path, self.files.as_ref()).saturating_mul(if is_gzip { 8 } else { 1 })
        };
        let size =
            self.paths.iter().map(of).fold(0, u64::saturating_add).saturating_mul(rows_of_each(self.plan.plan()));
        match &self.source {
            // Numbers take as many bytes as in text, about.
            Source::Csv(..) => size,
            // What is compressed is several times as large.
            #[cfg(feature = "parquet")]
            Source::Parquet(..) => size.saturating_mul(4),
            #[cfg(feature = "ipc")]
            Source::Ipc(..) => size.saturating_mul(4),
        }
    }

    fn needs_partitions(&self) -> bool {
        self.needs_partitions
    }

    fn folding(&self) -> Run<Box<dyn Folding + '_>> {
        Ok(Box::new(Known { job: self, state: Some(self.plan.state().map_err(failed)?) }))
    }

    fn deal(&self, piece: Piece, partitions: &mut [Vec<u8>]) -> Run<()> {
        self.read(piece, |batches| {
            batches.iter().for_each(|batch| self.domain.deal(batch, partitions));
            Ok(())
        })
    }

    fn plan(&self) -> Run<Vec<u8>> {
        self.told().and_then(|told| told.bytes()).map_err(failed)
    }

    fn sample(&self) -> Run<Vec<u8>> {
        sample(self.domain, self.plan).map_err(failed)
    }
}

/// The state of the rows; `None` after an error.
struct Known<'a> {
    job: &'a TableJob<'a>,
    state: Option<FrameState>,
}

impl Known<'_> {
    fn next(&mut self, next: impl FnOnce(FrameState) -> indistinct::core::Fallible<FrameState>) -> Run<()> {
        let state = self.state.take().ok_or_else(ended)?;
        self.state = Some(next(state).map_err(failed)?);
        Ok(())
    }
}

fn ended() -> indistinct_engine::Error {
    failed(io::Error::other("an earlier step has failed"))
}

impl Folding for Known<'_> {
    fn absorb(&mut self, piece: Piece) -> Run<()> {
        self.job.read(piece, |batches| self.next(|state| state.absorb(batches)))
    }

    fn absorb_partition(&mut self, partition: (u32, u32), rows: Vec<u8>) -> Run<()> {
        let frame = self.job.domain.dealt(&rows).map_err(failed)?;
        drop(rows);
        self.next(|state| state.absorb_partition(partition, &frame))
    }

    fn merge(&mut self, state: &[u8]) -> Run<()> {
        let other = self.job.plan.read_state(state).map_err(failed)?;
        self.next(|state| state.merge(other))
    }

    fn bytes(&self) -> Run<Vec<u8>> {
        self.state.as_ref().ok_or_else(ended)?.to_bytes().map_err(failed)
    }
}
