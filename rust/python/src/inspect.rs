//! How the cells of a private file are read: for curators.

use crate::{
    csv::reader,
    failure::{Failure, Fallible},
    rows,
};
use indistinct::frames::FrameDomain;
use indistinct_tables::{Arrow, FileKind};
use pyo3::{prelude::*, types::PyDict};
use std::path::PathBuf;

/// Counts, for each column of a private CSV, Parquet or Arrow IPC file, the missing cells and the cells that are not a
/// value of the column, with the first such record. The numbers are exact and describe private rows: they are only for
/// a curator, who may see the rows.
#[pyfunction]
#[pyo3(signature = (path, columns, csv=None))]
pub(crate) fn inspect_private<'py>(
    py: Python<'py>,
    path: PathBuf,
    columns: &Bound<'py, PyDict>,
    csv: Option<&Bound<'py, PyDict>>,
) -> Fallible<Bound<'py, PyDict>> {
    let declared = rows::domain(columns, None, false)?;
    let columns = declared.names().iter().cloned().zip(declared.columns().iter().cloned());
    let domain = FrameDomain::new(columns.map(|(name, column)| (name, column.with_missing())))?;
    let kind = FileKind::of(&path);
    if csv.is_some() && kind != FileKind::Csv {
        return Err(Failure::question("csv: the options apply only to a CSV file"));
    }
    let reader = reader(csv)?;
    let found = py.detach(|| match kind {
        FileKind::Csv => reader.inspect(&path, &domain),
        FileKind::Parquet => Arrow::new().inspect_parquet(&path, &domain),
        FileKind::Arrow => Arrow::new().inspect_ipc(&path, &domain),
    });
    let found = found.map_err(|error| Failure::data(error.to_string()))?;
    let columns = PyDict::new(py);
    for column in &found.columns {
        let cells = PyDict::new(py);
        cells.set_item("missing", column.missing)?;
        cells.set_item("unreadable", column.unreadable)?;
        cells.set_item("first_unreadable", column.first_unreadable)?;
        columns.set_item(&column.name, cells)?;
    }
    let all = PyDict::new(py);
    all.set_item("records", found.records)?;
    all.set_item("misshapen", found.misshapen)?;
    all.set_item("first_misshapen", found.first_misshapen)?;
    all.set_item("columns", columns)?;
    Ok(all)
}
