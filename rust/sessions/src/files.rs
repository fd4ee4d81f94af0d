//! Tables in files of any size.

use crate::{
    error::{Fallible, refuse},
    part::Part,
};
use indistinct::{
    core::ErrorKind,
    frames::{Batch, Frame, FrameDomain},
    plans::{FrameMeasurement, FrameState},
};
use indistinct_engine::{Engine, Native};
use indistinct_tables::{Arrow, Csv, TableJob};
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

/// The rows of CSV, Parquet or Arrow IPC files, which an engine reads when a release needs them, in bounded memory for
/// files of any size. The largest record batch of an Arrow IPC file must fit into memory. The release equals that of
/// all rows in memory, bit for bit, and reveals no more about them.
///
/// If a measurement has a step that needs all rows at once, such as sampling, an engine cannot compute its state, and
/// all rows are read into memory.
///
/// Rows of individuals that do not fit into the engine's memory are written unencrypted to temporary files,
/// in the engine's directory ([`Native::directory`]).
///
/// ```
/// use indistinct::{frames::*, queries::Budget};
/// use indistinct_engine::Native;
/// use indistinct_ledger::{Ledger, Loss};
/// use indistinct_sessions::{Files, Session, Unit};
/// use indistinct_tables::Csv;
/// # let folder = tempfile::tempdir()?;
/// # let place = folder.path();
/// # std::fs::write(place.join("stays.csv"), "patient,days\na7,3.5\nb1,\na7,12\n")?;
/// let stays = FrameDomain::new([("patient", ColumnDomain::text()), ("days", ColumnDomain::float().with_missing())])?;
/// let reader = Csv::new().drop_null("patient");
/// let files = Files::csv(stays.with_individuals("patient")?, reader, [place.join("stays.csv")])?
///     .engine(Native::new().memory(256 << 20).directory(place));
///
/// let ledger = Ledger::create(place.join("stays.ledger"), "stays", &Loss::epsilon(1.0)?)?;
/// let mut session = Session::new(ledger, "stays", Unit::Individuals(1))?.with_files("stays", files)?;
/// let query = session.query("stays")?.max_rows_per_individual(2).sum(col("days"), (0.0, 30.0));
/// let priced = session.price("stays", &query.measurement(Budget::Epsilon(0.25))?)?;
/// println!("{}", session.release(priced, "days")?.answer);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Files {
    domain: FrameDomain,
    reader: Reader,
    paths: Vec<PathBuf>,
    engine: Box<dyn Engine + Send>,
    /// True if rows were read, after which a pipe is empty.
    is_read: AtomicBool,
}

enum Reader {
    Csv(Csv),
    Parquet(Arrow),
    Ipc(Arrow),
}

impl Reader {
    /// Returns the same options for some of the columns; they read the same rows.
    fn of_columns(&self, asked: &FrameDomain) -> Self {
        match self {
            Reader::Csv(reader) => Reader::Csv(reader.of_columns(asked)),
            Reader::Parquet(reader) => Reader::Parquet(reader.of_columns(asked)),
            Reader::Ipc(reader) => Reader::Ipc(reader.of_columns(asked)),
        }
    }
}

type Read<T> = Result<T, Box<dyn Error + Send + Sync>>;

impl Files {
    /// Uses CSV files, one after another. Either all files have a header or none of them has one.
    ///
    /// # Errors
    ///
    /// Returns an error if options contradict each other or the domain, or if the reader is
    /// [`strict`](indistinct_tables::Reader::strict), because the success of a release must not depend on single cells.
    /// No file is opened.
    pub fn csv(domain: FrameDomain, reader: Csv, paths: impl IntoIterator<Item: Into<PathBuf>>) -> Fallible<Self> {
        refuse_strict(reader.is_strict())?;
        reader.check(&domain).map_err(|error| refuse(error.to_string()))?;
        Ok(Self::new(domain, Reader::Csv(reader), paths))
    }

    /// Uses Parquet files, one after another.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`csv`](Self::csv).
    pub fn parquet(
        domain: FrameDomain,
        reader: Arrow,
        paths: impl IntoIterator<Item: Into<PathBuf>>,
    ) -> Fallible<Self> {
        refuse_strict(reader.is_strict())?;
        reader.check(&domain).map_err(|error| refuse(error.to_string()))?;
        Ok(Self::new(domain, Reader::Parquet(reader), paths))
    }

    /// Uses Arrow IPC (Feather) files, one after another. The reader holds one record batch at a time, so the largest
    /// batch must fit into memory.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`csv`](Self::csv).
    pub fn ipc(domain: FrameDomain, reader: Arrow, paths: impl IntoIterator<Item: Into<PathBuf>>) -> Fallible<Self> {
        refuse_strict(reader.is_strict())?;
        reader.check(&domain).map_err(|error| refuse(error.to_string()))?;
        Ok(Self::new(domain, Reader::Ipc(reader), paths))
    }

    fn new(domain: FrameDomain, reader: Reader, paths: impl IntoIterator<Item: Into<PathBuf>>) -> Self {
        let paths = paths.into_iter().map(Into::into).collect();
        Self { domain, reader, paths, engine: Box::new(Native::new()), is_read: AtomicBool::new(false) }
    }

    /// Reads the files with this engine instead of the default [`Native`].
    pub fn engine(self, engine: impl Engine + Send + 'static) -> Self {
        Self { engine: Box::new(engine), ..self }
    }

    /// Checks the headers and footers, which are public. Returns an error if a file cannot be opened, if a column is
    /// missing, or if in Parquet a column's type or codec is not supported or the footer contradicts itself. Also
    /// returns an error for a named pipe, because it would be opened twice. A pipe without a name, such as
    /// `/dev/stdin`, is not read here: it supplies its rows once, to one release, and cannot contain Parquet, which is
    /// read from its end.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Csv::check_header`] or [`Arrow::check_parquet`], with the file's path.
    pub fn check(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.check_columns(&self.domain)
    }

    /// Checks the headers and footers for some of the columns.
    pub(crate) fn check_columns(&self, asked: &FrameDomain) -> Result<(), Box<dyn Error + Send + Sync>> {
        let reader = self.reader.of_columns(asked);
        self.paths.iter().try_for_each(|path| self.check_file(path, &reader, asked))
    }

    fn check_file(
        &self,
        path: &Path,
        reader: &Reader,
        asked: &FrameDomain,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let refuse = |rule: &str| Err(format!("file {}: {rule}", path.display()).into());
        let is_stream = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
        match reader {
            _ if is_named_pipe(path) => {
                refuse("is a named pipe, which can be read only once: write its rows to a file")
            }
            Reader::Parquet(_) | Reader::Ipc(_) if is_stream => {
                refuse("is a pipe, from which Parquet and Arrow IPC cannot be read: write it to a file")
            }
            _ if is_stream && self.is_read.load(Ordering::Relaxed) => {
                refuse("is a pipe, whose rows an earlier release has read: write them to a file")
            }
            _ if is_stream => Ok(()),
            Reader::Csv(reader) => Ok(reader.check_header(path, asked)?),
            Reader::Parquet(reader) => Ok(reader.check_parquet(path, asked)?),
            Reader::Ipc(reader) => Ok(reader.check_ipc(path, asked)?),
        }
    }

    pub(crate) fn domain(&self) -> &FrameDomain {
        &self.domain
    }

    /// Returns true if a record of the files may be dropped.
    pub(crate) fn leaves_out_rows(&self) -> bool {
        match &self.reader {
            Reader::Csv(reader) => reader.leaves_out_rows(&self.domain),
            Reader::Parquet(reader) | Reader::Ipc(reader) => reader.leaves_out_rows(&self.domain),
        }
    }

    /// Returns the columns whose missing cells drop rows.
    pub(crate) fn needed_columns(&self) -> Vec<&str> {
        match &self.reader {
            Reader::Csv(reader) => reader.needed_columns().collect(),
            Reader::Parquet(reader) | Reader::Ipc(reader) => reader.needed_columns().collect(),
        }
    }

    pub(crate) fn engine_name(&self) -> String {
        self.engine.name()
    }

    /// Returns the state of the rows of these parts; `None` if the measurement needs all rows at once.
    pub(crate) fn state(&self, parts: &[Part], measurement: &FrameMeasurement) -> Read<Option<FrameState>> {
        if measurement.state().is_err_and(|error| error.kind() == ErrorKind::Whole) {
            return Ok(None);
        }
        self.is_read.store(true, Ordering::Relaxed);
        let (asked, _) = measurement.input_space();
        let reader = self.reader.of_columns(&asked);
        let mut job = match &reader {
            Reader::Csv(reader) => TableJob::csv(reader, &self.paths, &asked, measurement),
            Reader::Parquet(reader) => TableJob::parquet(reader, &self.paths, &asked, measurement),
            Reader::Ipc(reader) => TableJob::ipc(reader, &self.paths, &asked, measurement),
        }?;
        for part in parts {
            job = job.only(part.condition(&asked)?)?;
        }
        Ok(Some(measurement.read_state(&self.engine.run(&job)?)?))
    }

    /// Reads all rows into memory, with some of the columns.
    pub(crate) fn rows(&self, asked: &FrameDomain) -> Read<Frame> {
        self.is_read.store(true, Ordering::Relaxed);
        let reader = self.reader.of_columns(asked);
        let read = |path: &PathBuf| match &reader {
            Reader::Csv(reader) => reader.read(path, asked),
            Reader::Parquet(reader) => reader.parquet(path, asked),
            Reader::Ipc(reader) => reader.ipc(path, asked),
        };
        let frames = self.paths.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        Ok(frames.iter().flat_map(|frame| frame.iter().cloned()).collect::<Vec<Batch>>().into())
    }
}

/// Returns an error for a reader whose errors depend on single cells of the requested columns.
fn refuse_strict(is_strict: bool) -> Fallible<()> {
    let rule = "strict: the success of a release must not depend on a cell: declare the treatment of missing cells, \
                or call `inspect` on the file first";
    if is_strict { Err(refuse(rule)) } else { Ok(()) }
}

/// Returns true if a path is that of a pipe, except a pipe that this process inherited, which has no path of its own.
#[cfg(unix)]
fn is_named_pipe(path: &Path) -> bool {
    let found = fs::canonicalize(path).and_then(fs::metadata);
    found.is_ok_and(|found| std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type()))
}

#[cfg(not(unix))]
fn is_named_pipe(_: &Path) -> bool {
    false
}
