//! Cells as objects of Python, and objects as public cells.

use crate::failure::{Failure, Fallible};
use indistinct::{core::Released, frames::Cell};
use pyo3::{
    IntoPyObjectExt,
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString},
};

/// A public value that a user wrote: a key, or what stands for a missing cell.
pub(crate) fn cell(parameter: &str, value: &Bound<'_, PyAny>) -> Fallible<Cell> {
    let wrong = || Failure::question(format!("{parameter}: values must be texts, numbers, Booleans or None"));
    if value.is_none() {
        return Ok(Cell::Missing);
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Cell::from(value.extract::<bool>().map_err(|_| wrong())?));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Cell::from(value.extract::<i64>().map_err(|_| wrong())?));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Cell::from(value.extract::<f64>().map_err(|_| wrong())?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Cell::from(value.extract::<String>().map_err(|_| wrong())?));
    }
    Err(wrong())
}

/// A released value as an object; keyed values are a dictionary, or pairs where a key is a list, which Python has none
/// for.
pub(crate) fn object<'py>(py: Python<'py>, value: &Released) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Released::None => Ok(py.None().into_bound(py)),
        Released::Bool(value) => value.into_bound_py_any(py),
        Released::Integer(number) => number.into_bound_py_any(py),
        Released::Float(number) => number.into_bound_py_any(py),
        Released::Text(text) => text.into_bound_py_any(py),
        Released::List(values) => {
            let values = values.iter().map(|value| object(py, value)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyList::new(py, values)?.into_any())
        }
        Released::Keyed(pairs)
            if pairs.iter().any(|(key, _)| matches!(key, Released::List(_) | Released::Keyed(_))) =>
        {
            let pair = |(key, value): &(Released, Released)| Ok((object(py, key)?, object(py, value)?));
            Ok(PyList::new(py, pairs.iter().map(pair).collect::<PyResult<Vec<_>>>()?)?.into_any())
        }
        Released::Keyed(pairs) => {
            let entries = PyDict::new(py);
            for (key, value) in pairs {
                entries.set_item(object(py, key)?, object(py, value)?)?;
            }
            Ok(entries.into_any())
        }
        _ => value.to_json().into_bound_py_any(py),
    }
}
