//! The batches that move between nodes: numbers, and bytes that only jobs read.

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, LargeBinaryArray, RecordBatch, UInt32Array, UInt64Array},
        datatypes::{DataType, Field, Schema, SchemaRef},
    },
    error::{DataFusionError, Result},
};
use indistinct_engine::Error;
use std::sync::{Arc, LazyLock};

/// The numbers of parts.
pub(crate) static PARTS: LazyLock<SchemaRef> = LazyLock::new(|| schema(&[("part", DataType::UInt32)]));

/// Chunks of rows.
pub(crate) static CHUNKS: LazyLock<SchemaRef> = LazyLock::new(|| {
    let numbers = [("partition", DataType::UInt32), ("part", DataType::UInt32), ("number", DataType::UInt64)];
    schema(&[&numbers[..], &[("rows", DataType::LargeBinary)]].concat())
});

/// Records of what is known.
pub(crate) static RECORDS: LazyLock<SchemaRef> =
    LazyLock::new(|| schema(&["partitions", "sample", "state"].map(|name| (name, DataType::LargeBinary))));

fn schema(columns: &[(&str, DataType)]) -> SchemaRef {
    // After the last chunk of a part, the place of its rows is empty.
    let field = |(name, of): &(&str, DataType)| Field::new(*name, of.clone(), *name == "rows");
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

/// The partition, the part, the chunk's number among those of both, and the rows; of what follows the last chunk, how
/// many there were, and no rows.
pub(crate) type Chunk<'a> = (u32, u32, u64, Option<&'a [u8]>);

/// The partitions, or parts, that are in; the sample; the state.
pub(crate) type Record = (Vec<u32>, Vec<u8>, Vec<u8>);

/// The error of an engine that passed on something else than it was given.
pub(crate) fn broken() -> DataFusionError {
    outward(Error::Engine)
}

pub(crate) fn outward(error: Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

pub(crate) fn parts(numbers: impl IntoIterator<Item = u32>) -> Result<RecordBatch> {
    Ok(RecordBatch::try_new(PARTS.clone(), vec![Arc::new(UInt32Array::from_iter_values(numbers))])?)
}

pub(crate) fn chunks<'a>(chunks: impl Iterator<Item = Chunk<'a>> + Clone) -> Result<RecordBatch> {
    let columns: Vec<ArrayRef> = vec![
        Arc::new(UInt32Array::from_iter_values(chunks.clone().map(|chunk| chunk.0))),
        Arc::new(UInt32Array::from_iter_values(chunks.clone().map(|chunk| chunk.1))),
        Arc::new(UInt64Array::from_iter_values(chunks.clone().map(|chunk| chunk.2))),
        Arc::new(chunks.map(|chunk| chunk.3).collect::<LargeBinaryArray>()),
    ];
    Ok(RecordBatch::try_new(CHUNKS.clone(), columns)?)
}

pub(crate) fn record((partitions, sample, state): &Record) -> Result<RecordBatch> {
    let partitions: Vec<u8> = partitions.iter().flat_map(|place| place.to_be_bytes()).collect();
    let column = |bytes: &[u8]| -> ArrayRef { Arc::new(LargeBinaryArray::from_iter_values([bytes])) };
    Ok(RecordBatch::try_new(RECORDS.clone(), vec![column(&partitions), column(sample), column(state)])?)
}

fn column<T: Array + 'static>(batch: &RecordBatch, place: usize) -> Result<&T> {
    batch.columns().get(place).and_then(|column| column.as_any().downcast_ref()).ok_or_else(broken)
}

pub(crate) fn read_parts(batch: &RecordBatch) -> Result<Vec<u32>> {
    Ok(column::<UInt32Array>(batch, 0)?.values().to_vec())
}

pub(crate) fn read_chunks(batch: &RecordBatch) -> Result<impl Iterator<Item = Chunk<'_>>> {
    let (partitions, parts) = (column::<UInt32Array>(batch, 0)?, column::<UInt32Array>(batch, 1)?);
    let (numbers, rows) = (column::<UInt64Array>(batch, 2)?, column::<LargeBinaryArray>(batch, 3)?);
    let numbers = partitions.values().iter().zip(parts.values()).zip(numbers.values());
    Ok(numbers.zip(rows).map(|(((partition, part), number), rows)| (*partition, *part, *number, rows)))
}

pub(crate) fn read_records(batch: &RecordBatch) -> Result<Vec<Record>> {
    let [places, samples, states] = [0, 1, 2].map(|place| column::<LargeBinaryArray>(batch, place));
    let (places, samples, states) = (places?, samples?, states?);
    let one = |row: usize| {
        let (places, rest) = places.value(row).as_chunks();
        let places = places.iter().map(|place| u32::from_be_bytes(*place)).collect();
        rest.is_empty().then(|| (places, samples.value(row).to_vec(), states.value(row).to_vec())).ok_or_else(broken)
    };
    (0..batch.num_rows()).map(one).collect()
}
