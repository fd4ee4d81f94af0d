//! Rows from what gives them by the Arrow C stream interface: tables of pyarrow, frames of pandas and polars.

use crate::failure::{Failure, Fallible};
use arrow_array::{
    Array, RecordBatch,
    ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader},
};
use pyo3::{exceptions::PyImportError, prelude::*, types::PyCapsule};

/// Returns true if the object has Arrow's stream.
pub(crate) fn has_stream(rows: &Bound<'_, PyAny>) -> PyResult<bool> {
    rows.hasattr("__arrow_c_stream__")
}

/// The batches of an object, which share its memory.
///
/// The error of pandas or pyarrow that cannot make a stream may quote a cell, so it is dropped, except for an error
/// that a package is not installed.
pub(crate) fn batches(rows: &Bound<'_, PyAny>) -> Fallible<Vec<RecordBatch>> {
    let no_stream = || Failure::data("rows: cannot be exported as Arrow");
    let stream = rows.call_method0("__arrow_c_stream__").map_err(|error| {
        let is_not_installed = error.is_instance_of::<PyImportError>(rows.py());
        if is_not_installed { error.into() } else { no_stream() }
    })?;
    let capsule = stream.cast::<PyCapsule>().map_err(|_| no_stream())?;
    let stream = owned(capsule).map_err(|_| no_stream())?;
    rows.py().detach(|| read(stream))
}

/// The stream of a capsule, which has none from then on.
#[allow(unsafe_code)]
fn owned(capsule: &Bound<'_, PyCapsule>) -> PyResult<FFI_ArrowArrayStream> {
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: by Arrow's PyCapsule interface a capsule of this name points to a stream, which whoever reads it may move
    // out; `from_raw` leaves a released one in its place. The interpreter's lock is held.
    Ok(unsafe { FFI_ArrowArrayStream::from_raw(pointer.cast().as_ptr()) })
}

fn read(stream: FFI_ArrowArrayStream) -> Fallible<Vec<RecordBatch>> {
    let unread = || Failure::data("rows: cannot be read as Arrow");
    let reader = RecordBatchStreamReader::try_new(stream).map_err(|_| unread())?;
    let batches: Vec<RecordBatch> = reader.collect::<Result<_, _>>().map_err(|_| unread())?;
    // Memory of others: texts that are not UTF-8, or offsets that lead elsewhere, must not be trusted.
    for column in batches.iter().flat_map(RecordBatch::columns) {
        column.to_data().validate_full().map_err(|_| unread())?;
    }
    Ok(batches)
}
