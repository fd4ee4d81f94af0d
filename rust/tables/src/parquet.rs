//! Parquet, batch by batch.

use crate::{Arrow, Error, Result, gather::Batches, open, reader::Plan};
use indistinct::frames::{Frame, FrameDomain};
use parquet::arrow::{ProjectionMask, arrow_reader::ParquetRecordBatchReaderBuilder};
use std::{fs::File, path::Path};

impl Arrow {
    /// The columns of a domain from a Parquet file, uncompressed or with Snappy; what else is in it is skipped.
    ///
    /// # Errors
    ///
    /// As for [`batches`](Arrow::batches), and a file that cannot be read. Texts must be UTF-8, as the format asks: a
    /// file in which one is not is refused as a whole.
    pub fn parquet(&self, path: impl AsRef<Path>, domain: &FrameDomain) -> Result<Frame> {
        let (path, plan) = (path.as_ref(), self.plan(domain)?);
        read(open(path)?, &plan).map_err(|error| error.at(path))
    }
}

fn read(file: File, plan: &Plan) -> Result<Frame> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)
        .map_err(|error| Error::file("is not Parquet").because(&error))?;
    let positions = plan.positions_in(builder.schema())?;
    let mask = ProjectionMask::roots(builder.parquet_schema(), positions);
    let unread = |error: &(dyn std::error::Error + 'static)| Error::file("cannot be read as Parquet").because(error);
    let batches = builder.with_projection(mask).with_batch_size(1 << 12).build().map_err(|error| unread(&error))?;
    let mut read = Batches::new(plan);
    for batch in batches {
        plan.read(&batch.map_err(|error| unread(&error))?, &mut read)?;
    }
    read.finish()
}
