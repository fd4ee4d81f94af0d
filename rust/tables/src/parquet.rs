//! Parquet, batch by batch.

use crate::{Error, Frame, Result, Schema};
use parquet::arrow::{ProjectionMask, arrow_reader::ParquetRecordBatchReaderBuilder};
use std::fs::File;

pub(crate) fn read(file: File, schema: &Schema) -> Result<Frame> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)
        .map_err(|error| Error::file("is not Parquet").because(&error))?;
    let positions = schema.positions_in(builder.schema())?;
    let mask = ProjectionMask::roots(builder.parquet_schema(), positions);
    let batches = builder
        .with_projection(mask)
        .build()
        .map_err(|error| Error::file("cannot be read as Parquet").because(&error))?;
    let mut columns: Vec<_> = schema.columns().iter().map(|column| column.collector()).collect();
    let mut rows = 0usize;
    for batch in batches {
        let batch = batch.map_err(|error| Error::file("cannot be read as Parquet").because(&error))?;
        rows = rows.saturating_add(batch.num_rows());
        for (column, collector) in schema.columns().iter().zip(&mut columns) {
            let fits = batch.column_by_name(&column.name).is_some_and(|array| collector.extend(array));
            if !fits {
                return Err(Error::column(&column.name, "has a type in the data that does not fit the declared one"));
            }
        }
    }
    Frame::new(schema, columns.into_iter().map(|column| column.finish()).collect(), rows)
}
