//! Arrow IPC files, which include Feather files, and streams.

use crate::{
    Arrow, Error, Inspection, Result,
    gather::Batches,
    guard::{guarded, guarded_batches},
    open,
    reader::Plan,
};
use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, SchemaRef};
use indistinct::frames::{Frame, FrameDomain};
use std::{
    fs::File,
    io::{BufReader, Read, Seek},
    path::Path,
};

const IPC: &str = "Arrow IPC";

/// The first bytes of a file; a stream does not begin with them.
const FILE: &[u8] = b"ARROW1";

impl Arrow {
    /// Reads the columns of a domain from an Arrow IPC file (Feather), or from a file with an Arrow IPC stream,
    /// uncompressed or with LZ4 or ZSTD; other columns are skipped.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`batches`](Arrow::batches), and an error if the file cannot be read.
    pub fn ipc(&self, path: impl AsRef<Path>, domain: &FrameDomain) -> Result<Frame> {
        let (path, plan) = (path.as_ref(), self.plan(domain)?);
        let read = || {
            let mut read = Batches::new(&plan);
            for batch in Opened::new(path, &plan)?.batches() {
                plan.read(&batch?, &mut read)?;
            }
            read.finish()
        };
        read().map_err(|error| error.at(path))
    }

    /// Checks everything that [`ipc`](Arrow::ipc) checks with a file's schema, which is public: that the file can be
    /// opened and is Arrow IPC, and that each column is present with a type that its kind reads.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`ipc`](Arrow::ipc) before rows are read.
    pub fn check_ipc(&self, path: impl AsRef<Path>, domain: &FrameDomain) -> Result<()> {
        let (path, plan) = (path.as_ref(), self.plan(domain)?);
        Opened::new(path, &plan).map_err(|error| error.at(path)).map(drop)
    }

    /// Counts the missing and unreadable cells of an Arrow IPC file, like [`inspect_parquet`](Arrow::inspect_parquet)
    /// for Parquet. The counts are exact, describe private rows, and are only for a curator.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`ipc`](Arrow::ipc), except those about the number of rows and about strict reading.
    pub fn inspect_ipc(&self, path: impl AsRef<Path>, domain: &FrameDomain) -> Result<Inspection> {
        let (path, plan) = (path.as_ref(), self.plan(domain)?);
        let opened = Opened::new(path, &plan);
        let inspected = opened.and_then(|opened| plan.inspection(&opened.schema.clone(), opened.batches()));
        inspected.map_err(|error| error.at(path))
    }
}

type Found = std::result::Result<RecordBatch, ArrowError>;

/// The number of rows processed at once.
const BATCH_ROWS: usize = 1 << 12;

/// A file in which all columns of a plan are present and can be read.
pub(crate) struct Opened {
    schema: SchemaRef,
    batches: Box<dyn Iterator<Item = Found>>,
}

impl Opened {
    pub(crate) fn new(path: &Path, plan: &Plan) -> Result<Self> {
        let (schema, batches) = opened(path)?;
        plan.layout(&schema)?;
        Ok(Self { schema, batches })
    }

    /// Returns the rows, some thousand at a time. The file's batches determine how many are in memory together.
    pub(crate) fn batches(self) -> impl Iterator<Item = Result<RecordBatch>> {
        guarded_batches(IPC, self.batches, unread).flat_map(|batch| {
            let (batch, error) = match batch {
                Ok(batch) => (Some(batch), None),
                Err(error) => (None, Some(Err(error))),
            };
            batch.into_iter().flat_map(slices).map(Ok).chain(error)
        })
    }
}

fn slices(batch: RecordBatch) -> impl Iterator<Item = RecordBatch> {
    let rows = batch.num_rows();
    (0..rows).step_by(BATCH_ROWS).map(move |start| batch.slice(start, BATCH_ROWS.min(rows.saturating_sub(start))))
}

/// Returns all batches of a file, with its schema.
pub(crate) fn batches(path: &Path) -> Result<(SchemaRef, impl Iterator<Item = Result<RecordBatch>>)> {
    let (schema, batches) = opened(path)?;
    Ok((schema, guarded_batches(IPC, batches, unread)))
}

fn opened(path: &Path) -> Result<(SchemaRef, Box<dyn Iterator<Item = Found>>)> {
    let file = BufReader::new(open(path)?);
    guarded(IPC, || reader(file))?
}

fn reader(mut file: BufReader<File>) -> Result<(SchemaRef, Box<dyn Iterator<Item = Found>>)> {
    let mut first = Vec::new();
    let begin = file.by_ref().take(6).read_to_end(&mut first).and_then(|_| file.rewind());
    begin.map_err(|error| Error::file(format!("cannot be read: {}", error.kind())).because(&error))?;
    if first == FILE {
        let reader = FileReader::try_new(file, None).map_err(|error| unread(&error))?;
        return Ok((reader.schema(), Box::new(reader)));
    }
    let reader = StreamReader::try_new(file, None).map_err(|error| unread(&error))?;
    Ok((reader.schema(), Box::new(reader)))
}

fn unread(error: &ArrowError) -> Error {
    Error::file("cannot be read as Arrow IPC").because(error)
}
