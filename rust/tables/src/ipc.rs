//! Arrow IPC: files, which Feather's are too, and streams.

use crate::{
    Arrow, Error, Result,
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

/// The first bytes of a file, which a stream does not have.
const FILE: &[u8] = b"ARROW1";

impl Arrow {
    /// The columns of a domain from a file of the format Arrow IPC (Feather), or a stream kept in one, uncompressed or
    /// with LZ4 or ZSTD; other columns are skipped.
    ///
    /// # Errors
    ///
    /// As for [`batches`](Arrow::batches), and a file that cannot be read.
    pub fn ipc(&self, path: impl AsRef<Path>, domain: &FrameDomain) -> Result<Frame> {
        let (path, plan) = (path.as_ref(), self.plan(domain)?);
        let read = || {
            let mut read = Batches::new(&plan);
            for batch in opened(path, &plan)? {
                plan.read(&batch?, &mut read)?;
            }
            read.finish()
        };
        read().map_err(|error| error.at(path))
    }

    /// The errors of [`ipc`](Arrow::ipc) that a file's schema is enough for, which is public: a file that cannot be
    /// opened or is not Arrow IPC; a column that is not there, or of a type that its kind does not read.
    ///
    /// # Errors
    ///
    /// As those of [`ipc`](Arrow::ipc) before rows are read.
    pub fn check_ipc(&self, path: impl AsRef<Path>, domain: &FrameDomain) -> Result<()> {
        let (path, plan) = (path.as_ref(), self.plan(domain)?);
        opened(path, &plan).map_err(|error| error.at(path)).map(drop)
    }
}

type Found = std::result::Result<RecordBatch, ArrowError>;

/// The batches of a file, if all columns of a plan are there and can be read.
fn opened(path: &Path, plan: &Plan) -> Result<impl Iterator<Item = Result<RecordBatch>>> {
    let file = BufReader::new(open(path)?);
    let (schema, batches) = guarded(IPC, || reader(file))??;
    plan.layout(&schema)?;
    Ok(guarded_batches(IPC, batches, unread))
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
