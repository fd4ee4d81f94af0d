//! Releases.

use crate::{
    answer::Rows,
    cells::object,
    certificate::Certificate,
    failure::Fallible,
    priced::{Again, Answered},
    show,
};
use indistinct::core::Released;
use indistinct_report::{question_page, release_charts, release_page};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList},
};
use serde_json::{Value, json};

/// What was released: the answer, the text that its certificate's hash is of, and the certificate.
#[pyclass(frozen, module = "indistinct")]
pub(crate) struct Release {
    rows: Rows,
    released: String,
    certificate: Py<Certificate>,
    below: String,
    is_replay: bool,
    alpha: f64,
    again: Again,
    sql: Option<String>,
}

impl Release {
    pub(crate) fn new(py: Python<'_>, answered: Answered, sql: Option<String>) -> Fallible<Self> {
        let Answered { rows, alpha, again, released, certificate, is_replay } = answered;
        let certificate = Certificate::new(certificate)?;
        let paid = format!("{}: {}, of {}", certificate.key(), certificate.loss()?, certificate.account());
        let below = if is_replay { format!("{paid}; released before") } else { paid };
        Ok(Self { rows, released, certificate: Py::new(py, certificate)?, below, is_replay, alpha, again, sql })
    }

    /// The values of each column.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyList>>> {
        let places = 0..self.rows.columns.len();
        let values = |place: usize| {
            let cells = self.rows.rows.iter().filter_map(|row| row.get(place));
            PyList::new(py, cells.map(|cell| object(py, cell)).collect::<PyResult<Vec<_>>>()?)
        };
        places.map(values).collect()
    }

    /// The answer as a list of objects.
    fn json(&self) -> Value {
        json(&self.rows)
    }
}

/// The rows of an answer as a list of objects.
fn json(rows: &Rows) -> Value {
    let names: Vec<&String> = rows.columns.iter().map(|column| &column.name).collect();
    let object = |row: &Vec<Released>| -> Value {
        let cells = names.iter().zip(row).map(|(name, value)| ((*name).clone(), json_of(value)));
        cells.collect::<serde_json::Map<_, _>>().into()
    };
    rows.rows.iter().map(object).collect()
}

/// A released value, as pages read it.
fn json_of(value: &Released) -> Value {
    match value {
        Released::None => Value::Null,
        Released::Bool(value) => json!(value),
        Released::Float(number) => json!(number),
        Released::Text(text) => json!(text),
        Released::Integer(number) => i64::try_from(*number).map_or_else(|_| json!(number.to_string()), |it| json!(it)),
        other => json!(other.to_json()),
    }
}

#[pymethods]
impl Release {
    /// The answer: a dictionary for each row. Beside a statistic `x` are the ends of its interval, `x from` and `x to`;
    /// None where the noise hides it.
    #[getter]
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let row = |row: &Vec<indistinct::core::Released>| {
            let told = PyDict::new(py);
            for (column, value) in self.rows.columns.iter().zip(row) {
                told.set_item(&column.name, object(py, value)?)?;
            }
            Ok(told)
        };
        self.rows.rows.iter().map(row).collect()
    }

    /// The answer as a table of pyarrow, which must be installed.
    fn to_arrow<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pyarrow = py.import("pyarrow")?;
        let columns = PyDict::new(py);
        for (column, values) in self.rows.columns.iter().zip(self.columns(py)?) {
            let kind = column.kind.map(|kind| pyarrow.call_method0(kind)).transpose()?;
            columns.set_item(&column.name, pyarrow.call_method1("array", (values, kind))?)?;
        }
        pyarrow.call_method1("table", (columns,))
    }

    /// The answer as a frame of pandas, which must be installed with pyarrow.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_arrow(py)?.call_method0("to_pandas")
    }

    /// The answer as a frame of polars, which must be installed with pyarrow.
    fn to_polars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("polars")?.call_method1("from_arrow", (self.to_arrow(py)?,))
    }

    /// What was released, in the text that the certificate's hash is of.
    #[getter]
    fn released(&self) -> &str {
        &self.released
    }

    /// What can be shown to others.
    #[getter]
    fn certificate(&self, py: Python<'_>) -> Py<Certificate> {
        self.certificate.clone_ref(py)
    }

    /// Whether it was released before under the same key: it is the same release, and cost nothing more.
    #[getter]
    fn is_replay(&self) -> bool {
        self.is_replay
    }

    /// A page for a browser, in HTML: what was released, what it cost, what can be told from it, how it was made, and
    /// the certificate. It has no script and loads nothing. Its intervals fail with probability `alpha`, each, or as
    /// those of the release do.
    #[pyo3(signature = (alpha=None))]
    fn report(&self, py: Python<'_>, alpha: Option<f64>) -> PyResult<String> {
        let certificate = self.certificate.bind(py).get();
        let (alpha, table) = match alpha {
            Some(alpha) => (alpha, json(&(self.again)(alpha)?)),
            None => (self.alpha, self.json()),
        };
        Ok(py.detach(|| match &self.sql {
            Some(sql) => question_page(sql, &table, alpha, certificate.said()),
            None => release_page(&table, alpha, certificate.said()),
        }))
    }

    fn __str__(&self) -> String {
        show::text(&self.rows.head, &self.rows.words)
    }

    fn __repr__(&self) -> String {
        format!("<Release {}>", self.below)
    }

    fn _repr_html_(&self) -> String {
        show::table(&self.rows.head, &self.rows.words, &self.below) + &release_charts(&self.json())
    }
}
