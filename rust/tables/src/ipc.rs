//! Arrow IPC: files, which Feather's are too, and streams.

use crate::{Arrow, Error, Result, gather::Batches, open, reader::Plan};
use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, SchemaRef};
use indistinct::frames::{Frame, FrameDomain};
use std::{
    fs::File,
    io::{BufReader, Read, Seek},
    path::Path,
};

/// What a file begins with, and a stream does not.
const FILE: &[u8] = b"ARROW1";

impl Arrow {
    /// The columns of a domain from a file of the format Arrow IPC (Feather), or a stream kept in one, uncompressed or
    /// with LZ4; what else is in it is skipped.
    ///
    /// # Errors
    ///
    /// As for [`batches`](Arrow::batches), and a file that cannot be read.
    pub fn ipc(&self, path: impl AsRef<Path>, domain: &FrameDomain) -> Result<Frame> {
        let (path, plan) = (path.as_ref(), self.plan(domain)?);
        read(BufReader::new(open(path)?), &plan).map_err(|error| error.at(path))
    }
}

fn read(mut file: BufReader<File>, plan: &Plan) -> Result<Frame> {
    let mut first = Vec::new();
    let begin = file.by_ref().take(6).read_to_end(&mut first).and_then(|_| file.rewind());
    begin.map_err(|error| Error::file(format!("cannot be read: {}", error.kind())).because(&error))?;
    match first == FILE {
        true => {
            let reader = FileReader::try_new(file, None).map_err(|error| unread(&error))?;
            read_batches(reader.schema(), reader, plan)
        }
        false => {
            let reader = StreamReader::try_new(file, None).map_err(|error| unread(&error))?;
            read_batches(reader.schema(), reader, plan)
        }
    }
}

fn read_batches(
    schema: SchemaRef,
    batches: impl Iterator<Item = std::result::Result<RecordBatch, ArrowError>>,
    plan: &Plan,
) -> Result<Frame> {
    plan.positions_in(&schema)?;
    let mut read = Batches::new(plan);
    for batch in batches {
        plan.read(&batch.map_err(|error| unread(&error))?, &mut read)?;
    }
    read.finish()
}

fn unread(error: &ArrowError) -> Error {
    Error::file("cannot be read as Arrow IPC").because(error)
}
