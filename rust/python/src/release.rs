//! Releases.

use crate::{
    cells::object,
    certificate::Certificate,
    failure::Fallible,
    priced::{Again, Answered},
    show,
};
use indistinct::{core::Released, queries::View};
use indistinct_report::{question_page, release_charts, release_page};
use indistinct_sessions::{Kind, Tabulated};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList},
};

/// A release: the answer, the text whose hash is in its certificate, and the certificate.
#[pyclass(frozen, module = "indistinct")]
pub(crate) struct Release {
    table: Tabulated,
    view: Option<View>,
    released: String,
    certificate: Py<Certificate>,
    below: String,
    is_replay: bool,
    alpha: f64,
    again: Again,
    sql: Option<String>,
}

impl Release {
    pub(crate) fn new(py: Python<'_>, answered: Answered, sql: Option<&str>, view: Option<&View>) -> Fallible<Self> {
        let Answered { table, alpha, again, released, certificate, is_replay } = answered;
        let (table, view) = (viewed(table, view)?, view.cloned());
        let sql = sql.map(str::to_owned);
        let certificate = Certificate::new(certificate)?;
        let paid = format!("{}: {}, of {}", certificate.name(), certificate.loss()?, certificate.account());
        let below = if is_replay { format!("{paid}; released before") } else { paid };
        let certificate = Py::new(py, certificate)?;
        Ok(Self { table, view, released, certificate, below, is_replay, alpha, again, sql })
    }

    /// The values of each field.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyList>>> {
        let rows = self.table.values();
        let values = |place: usize| {
            let cells = rows.iter().filter_map(|row| row.get(place));
            PyList::new(py, cells.map(|cell| object(py, cell)).collect::<PyResult<Vec<_>>>()?)
        };
        (0..self.table.fields().len()).map(values).collect()
    }

    /// The sentences below the table.
    fn notes_text(&self) -> String {
        self.table.notes().iter().map(|note| format!("\n{note}")).collect()
    }
}

/// Returns the rows and columns of an answer that its statement shows.
fn viewed(table: Tabulated, view: Option<&View>) -> Fallible<Tabulated> {
    Ok(match view {
        Some(view) => table.viewed(view)?,
        None => table,
    })
}

#[pymethods]
impl Release {
    /// The answer: a dictionary for each row. A statistic `x` has the ends of its interval in `x from` and `x to`; they
    /// are None if the noise hides the value. If only some of each individual's rows count, the column `contribution
    /// limit` states the limit.
    #[getter]
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let fields = self.table.fields();
        let row = |row: &Vec<Released>| {
            let told = PyDict::new(py);
            for (field, value) in fields.iter().zip(row) {
                told.set_item(&field.name, object(py, value)?)?;
            }
            Ok(told)
        };
        self.table.values().iter().map(row).collect()
    }

    /// Returns the answer as a pyarrow table; pyarrow must be installed.
    fn to_arrow<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pyarrow = py.import("pyarrow")?;
        let columns = PyDict::new(py);
        for (field, values) in self.table.fields().iter().zip(self.values(py)?) {
            // The type where it does not depend on what was released.
            let kind = match field.kind {
                Kind::Count => Some("int64"),
                Kind::Number | Kind::Float => Some("float64"),
                _ => None,
            };
            let kind = kind.map(|kind| pyarrow.call_method0(kind)).transpose()?;
            columns.set_item(&field.name, pyarrow.call_method1("array", (values, kind))?)?;
        }
        pyarrow.call_method1("table", (columns,))
    }

    /// Returns the answer as a pandas frame; pandas and pyarrow must be installed.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_arrow(py)?.call_method0("to_pandas")
    }

    /// Returns the answer as a polars frame; polars and pyarrow must be installed.
    fn to_polars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("polars")?.call_method1("from_arrow", (self.to_arrow(py)?,))
    }

    /// Sentences about the table: the meaning of `n/a`, and the keys that a threshold leaves out.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.table.notes().to_vec()
    }

    /// The release as text, whose hash is in the certificate.
    #[getter]
    fn released(&self) -> &str {
        &self.released
    }

    /// The certificate, which may be shown to anybody.
    #[getter]
    fn certificate(&self, py: Python<'_>) -> Py<Certificate> {
        self.certificate.clone_ref(py)
    }

    /// True if it was released before under the same name. It is then the same release, at no further cost.
    #[getter]
    fn is_replay(&self) -> bool {
        self.is_replay
    }

    /// Returns an HTML page with the release, its cost, the possible inferences of an attacker, its steps, and the
    /// certificate. The page has no script and loads nothing. Each interval fails with probability `alpha`, by default
    /// the probability of the release.
    #[pyo3(signature = (alpha=None))]
    fn report(&self, py: Python<'_>, alpha: Option<f64>) -> PyResult<String> {
        let certificate = self.certificate.bind(py).get();
        let (alpha, table) = match alpha {
            Some(alpha) => (alpha, viewed((self.again)(alpha)?, self.view.as_ref())?),
            None => (self.alpha, self.table.clone()),
        };
        Ok(py.detach(|| match &self.sql {
            Some(sql) => question_page(sql, &table, alpha, certificate.said()),
            None => release_page(&table, alpha, certificate.said()),
        }))
    }

    fn __str__(&self) -> String {
        show::text(&self.table.head(), &self.table.words()) + &self.notes_text()
    }

    fn __repr__(&self) -> String {
        format!("<Release {}>", self.below)
    }

    fn _repr_html_(&self) -> String {
        let below = format!("{}{}", self.below, self.notes_text());
        show::table(&self.table.head(), &self.table.words(), &below) + &release_charts(&self.table)
    }
}
