//! Parquet, batch by batch.

use crate::{Arrow, Error, Result, gather::Batches, open, reader::Plan};
use indistinct::frames::{Frame, FrameDomain};
use parquet::arrow::{ProjectionMask, arrow_reader::ParquetRecordBatchReaderBuilder};
use std::{fs::File, path::Path};
#[cfg(feature = "engine")]
use {
    crate::store::Stored,
    arrow_array::RecordBatch,
    indistinct_engine::Files,
    parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions},
    std::{path::PathBuf, sync::Arc},
};

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

    /// The errors of [`parquet`](Arrow::parquet) that a file's schema is enough for, which is public: a file that
    /// cannot be opened or is no Parquet, a column that is not there.
    ///
    /// # Errors
    ///
    /// As those of [`parquet`](Arrow::parquet) before rows are read.
    pub fn check_parquet(&self, path: impl AsRef<Path>, domain: &FrameDomain) -> Result<()> {
        let (path, plan) = (path.as_ref(), self.plan(domain)?);
        let positions = opened(open(path)?).and_then(|builder| plan.positions_in(builder.schema()));
        positions.map_err(|error| error.at(path)).map(drop)
    }
}

/// Some rows of a file that lie together in it.
#[cfg(feature = "engine")]
pub(crate) struct Group {
    path: Arc<PathBuf>,
    files: Option<Arc<dyn Files>>,
    metadata: ArrowReaderMetadata,
    place: usize,
}

#[cfg(feature = "engine")]
impl Group {
    /// All of a file.
    pub(crate) fn all(path: &Path, files: Option<&Arc<dyn Files>>, plan: &Plan) -> Result<Vec<Self>> {
        let metadata = ArrowReaderMetadata::load(&Stored::open(path, files)?, ArrowReaderOptions::default());
        let metadata = metadata.map_err(|error| Error::file("is not Parquet").because(&error))?;
        plan.positions_in(metadata.schema())?;
        let (path, files) = (Arc::new(path.to_owned()), files.cloned());
        let group = |place| Self { path: path.clone(), files: files.clone(), metadata: metadata.clone(), place };
        Ok((0..metadata.metadata().num_row_groups()).map(group).collect())
    }

    /// Its rows, some thousand at a time.
    pub(crate) fn batches(&self, plan: &Plan) -> Result<impl Iterator<Item = Result<RecordBatch>>> {
        // Opened anew, for threads that share a file would move each other's place in it.
        let file = Stored::open(&self.path, self.files.as_ref())?;
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone());
        let mask = ProjectionMask::roots(builder.parquet_schema(), plan.positions_in(builder.schema())?);
        let builder = builder.with_projection(mask).with_row_groups(vec![self.place]).with_batch_size(1 << 12);
        let batches = builder.build().map_err(|error| unread(&error))?;
        Ok(batches.map(|batch| batch.map_err(|error| unread(&error))))
    }
}

fn unread(error: &(dyn std::error::Error + 'static)) -> Error {
    Error::file("cannot be read as Parquet").because(error)
}

fn opened(file: File) -> Result<ParquetRecordBatchReaderBuilder<File>> {
    ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| Error::file("is not Parquet").because(&error))
}

fn read(file: File, plan: &Plan) -> Result<Frame> {
    let builder = opened(file)?;
    let positions = plan.positions_in(builder.schema())?;
    let mask = ProjectionMask::roots(builder.parquet_schema(), positions);
    let batches = builder.with_projection(mask).with_batch_size(1 << 12).build().map_err(|error| unread(&error))?;
    let mut read = Batches::new(plan);
    for batch in batches {
        plan.read(&batch.map_err(|error| unread(&error))?, &mut read)?;
    }
    read.finish()
}
