//! Parquet files, read batch by batch.

use crate::{
    Arrow, Error, Inspection, Result,
    gather::Batches,
    guard::{guarded, guarded_batches, malformed},
    open,
    reader::Plan,
};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Fields, Schema, TimeUnit};
use indistinct::frames::{Frame, FrameDomain};
use parquet::{
    arrow::{
        ProjectionMask,
        arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder},
    },
    basic::{Compression, Type},
    errors::ParquetError,
    file::{
        metadata::{ColumnChunkMetaData, FileMetaData, ParquetMetaData},
        reader::ChunkReader,
    },
    schema::types::{SchemaDescriptor, Type as SchemaType},
};
use std::{path::Path, sync::Arc};
#[cfg(feature = "engine")]
use {crate::store::Stored, indistinct_engine::Files, std::path::PathBuf};

const PARQUET: &str = "Parquet";

impl Arrow {
    /// Reads the columns of a domain from a Parquet file, with any codec except LZO; other columns are skipped.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`batches`](Arrow::batches) and [`check_parquet`](Arrow::check_parquet), and an error if
    /// the rows cannot be read. A text that is not UTF-8, which the format requires, is unreadable, as in CSV.
    pub fn parquet(&self, path: impl AsRef<Path>, domain: &FrameDomain) -> Result<Frame> {
        let (path, plan) = (path.as_ref(), self.plan(domain)?);
        let read = || {
            let mut read = Batches::new(&plan);
            for batch in batches(path, &plan)? {
                plan.read(&batch?, &mut read)?;
            }
            read.finish()
        };
        read().map_err(|error| error.at(path))
    }

    /// Checks everything that [`parquet`](Arrow::parquet) checks with a file's footer, which is public: that the file
    /// can be opened and is Parquet; that each column is present, with a type that its kind reads and a supported
    /// codec; and that the footer refers to no position outside of the file.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`parquet`](Arrow::parquet) before rows are read.
    pub fn check_parquet(&self, path: impl AsRef<Path>, domain: &FrameDomain) -> Result<()> {
        let (path, plan) = (path.as_ref(), self.plan(domain)?);
        open(path).and_then(|file| footer(&file, &plan)).map_err(|error| error.at(path)).map(drop)
    }

    /// Counts the missing and unreadable cells of a Parquet file, like [`Csv::inspect`](crate::Csv::inspect) for CSV,
    /// and returns the type of each column in the file. The counts are exact, describe private rows, and are only for a
    /// curator.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`parquet`](Arrow::parquet), except those about the number of rows and about strict
    /// reading.
    pub fn inspect_parquet(&self, path: impl AsRef<Path>, domain: &FrameDomain) -> Result<Inspection> {
        let (path, plan) = (path.as_ref(), self.plan(domain)?);
        let inspect = || {
            let types = footer(&open(path)?, &plan)?.types;
            plan.inspection(&types, batches(path, &plan)?)
        };
        inspect().map_err(|error: Error| error.at(path))
    }
}

/// A footer, with the positions of a plan's columns, which can be read.
#[derive(Clone)]
struct Footer {
    metadata: ArrowReaderMetadata,
    positions: Vec<usize>,
    /// The types of the columns, with texts as texts, although they are read as bytes.
    types: Arc<Schema>,
}

impl Footer {
    /// Returns the rows of a file or of one row group, some thousand at a time.
    fn batches<R: ChunkReader + 'static>(
        self,
        file: R,
        group: Option<usize>,
    ) -> Result<impl Iterator<Item = Result<RecordBatch>>> {
        let built = guarded(PARQUET, || {
            let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata);
            let mask = ProjectionMask::roots(builder.parquet_schema(), self.positions);
            let builder = builder.with_projection(mask).with_batch_size(1 << 12);
            group.into_iter().fold(builder, |builder, group| builder.with_row_groups(vec![group])).build()
        });
        let batches = built?.map_err(|error| unread(&error))?;
        Ok(guarded_batches(PARQUET, batches, |error| unread(error)))
    }
}

fn batches(path: &Path, plan: &Plan) -> Result<impl Iterator<Item = Result<RecordBatch>>> {
    let file = open(path)?;
    footer(&file, plan)?.batches(file, None)
}

/// Reads the footer of a file, if all columns of a plan are present and can be read.
fn footer<R: ChunkReader>(file: &R, plan: &Plan) -> Result<Footer> {
    let none = |error: &ParquetError| Error::file("is not Parquet").because(error);
    let metadata = guarded(PARQUET, || {
        let found = ArrowReaderMetadata::load(file, ArrowReaderOptions::default())?;
        let types = Arc::new(plain(&found));
        Ok((of_bytes(found.metadata(), &types)?, types))
    })?;
    let (metadata, types) = metadata.map_err(|error| none(&error))?;
    let positions = plan.layout(&types)?;
    let leaves = metadata.parquet_schema();
    for group in metadata.metadata().row_groups() {
        if group.columns().len() != leaves.num_columns() || group.num_rows() < 0 {
            return Err(malformed(PARQUET));
        }
        for (leaf, chunk) in group.columns().iter().enumerate() {
            let root = leaves.get_column_root_idx(leaf);
            let read = positions.iter().zip(&plan.columns).find(|(position, _)| **position == root);
            let Some((_, column)) = read else { continue };
            if chunk.compression() == Compression::LZO {
                let rule =
                    "is compressed with LZO, which is not supported: use ZSTD, Snappy, GZIP, LZ4, Brotli or none";
                return Err(Error::column(column.name, rule));
            }
            if !is_within(chunk, file.len()) {
                return Err(malformed(PARQUET));
            }
        }
    }
    Ok(Footer { metadata, positions, types })
}

/// Returns true if the bytes of a column are in a file of this length, according to its footer.
fn is_within(chunk: &ColumnChunkMetaData, length: u64) -> bool {
    let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
    let end = u64::try_from(start).ok().zip(u64::try_from(chunk.compressed_size()).ok());
    let end = end.and_then(|(start, size)| start.checked_add(size));
    end.is_some_and(|end| end <= length) && chunk.data_page_offset() >= 0 && chunk.num_values() >= 0
}

/// Returns the schema of a file with types that hold each of its values. It has no dictionary, whose keys could be too
/// few for the values of several row groups. It has no nanoseconds for the days of INT96, which may exceed the range of
/// nanoseconds and are in UTC.
fn plain(found: &ArrowReaderMetadata) -> Schema {
    let roots = found.parquet_schema().root_schema().get_fields();
    let plain = |(field, root): (&Arc<Field>, &Arc<SchemaType>)| {
        let is_days = root.is_primitive() && root.get_physical_type() == Type::INT96;
        let held = match field.data_type() {
            DataType::Dictionary(_, values) => (**values).clone(),
            DataType::Timestamp(_, zone) if is_days => {
                DataType::Timestamp(TimeUnit::Microsecond, Some(zone.clone().unwrap_or_else(|| "UTC".into())))
            }
            _ => return field.clone(),
        };
        Arc::new(field.as_ref().clone().with_data_type(held))
    };
    let fields: Fields = found.schema().fields().iter().zip(roots).map(plain).collect();
    Schema::new_with_metadata(fields, found.schema().metadata().clone())
}

/// Returns the metadata of the same file with long bytes in place of texts and short bytes. Parquet's library refuses a
/// file with a text that is not UTF-8, or a batch with more than 2 GiB of short bytes. As long bytes, such a text is an
/// unreadable cell.
fn of_bytes(found: &ParquetMetaData, types: &Schema) -> std::result::Result<ArrowReaderMetadata, ParquetError> {
    let file = found.file_metadata();
    let (mut roots, mut fields) = (Vec::new(), Vec::new());
    for (field, root) in types.fields().iter().zip(file.schema_descr().root_schema().get_fields()) {
        let is_text = matches!(
            field.data_type(),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Binary | DataType::BinaryView
        );
        let info = root.get_basic_info();
        if !(is_text && root.is_primitive()) {
            roots.push(root.clone());
            fields.push(field.clone());
            continue;
        }
        let bytes = SchemaType::primitive_type_builder(info.name(), Type::BYTE_ARRAY);
        let id = info.has_id().then(|| info.id());
        roots.push(Arc::new(bytes.with_repetition(info.repetition()).with_id(id).build()?));
        fields.push(Arc::new(field.as_ref().clone().with_data_type(DataType::LargeBinary)));
    }
    let root = SchemaType::group_type_builder(file.schema().name()).with_fields(roots).build()?;
    let file = FileMetaData::new(
        file.version(),
        file.num_rows(),
        file.created_by().map(str::to_owned),
        file.key_value_metadata().cloned(),
        Arc::new(SchemaDescriptor::new(Arc::new(root))),
        file.column_orders().cloned(),
    );
    let metadata = ParquetMetaData::new(file, found.row_groups().to_vec());
    let schema = Schema::new_with_metadata(fields, types.metadata().clone());
    ArrowReaderMetadata::try_new(Arc::new(metadata), ArrowReaderOptions::default().with_schema(Arc::new(schema)))
}

/// Consecutive rows of a file.
#[cfg(feature = "engine")]
pub(crate) struct Group {
    path: Arc<PathBuf>,
    files: Option<Arc<dyn Files>>,
    footer: Footer,
    place: usize,
}

#[cfg(feature = "engine")]
impl Group {
    /// Returns all rows of a file.
    pub(crate) fn all(path: &Path, files: Option<&Arc<dyn Files>>, plan: &Plan) -> Result<Vec<Self>> {
        let footer = footer(&Stored::open(path, files)?, plan)?;
        let groups = footer.metadata.metadata().num_row_groups();
        let (path, files) = (Arc::new(path.to_owned()), files.cloned());
        let group = |place| Self { path: path.clone(), files: files.clone(), footer: footer.clone(), place };
        Ok((0..groups).map(group).collect())
    }

    /// Returns its rows, some thousand at a time.
    pub(crate) fn batches(self) -> Result<impl Iterator<Item = Result<RecordBatch>>> {
        // Opened anew, for threads that share a file would move each other's place in it.
        let file = Stored::open(&self.path, self.files.as_ref())?;
        self.footer.batches(file, Some(self.place))
    }
}

fn unread(error: &(dyn std::error::Error + 'static)) -> Error {
    Error::file("cannot be read as Parquet").because(error)
}
