//! Sessions.

use crate::{
    arrow,
    cells::cell,
    csv,
    failure::{Failure, Fallible},
    ledger::{Budget, Ledger},
    lock::lock,
    loss::{Loss, Spend},
    priced::{Asked, PricedQuery, unknown_keys},
    query::Query,
    release::Release,
    rows::{Absent, absolute, domain, engine, files},
};
use arrow_array::RecordBatch;
use indistinct::{
    frames::{FrameDomain, PublicTable},
    plans::FrameMeasurement,
};
use indistinct_sessions::{About, Program, Session as Open, Unit};
use indistinct_sql::UnknownKeys;
use indistinct_tables::{Arrow, FileKind};
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyDict};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
};

/// Private tables, and an account of a ledger from which all questions about them are paid.
///
/// The unit is the protected privacy unit: "1 individual added or removed", "1 row changed", or other numbers of these.
/// It is declared once in each ledger. Certificates and pages name the body that makes the releases, and their purpose.
///
/// Without a ledger and an account, a session prices questions but releases nothing.
#[pyclass(frozen, module = "indistinct")]
pub(crate) struct Session {
    unit: Unit,
    open: Arc<Mutex<Open>>,
}

impl Session {
    pub(crate) fn use_open<T>(&self, work: impl FnOnce(&mut Open) -> Fallible<T>) -> Fallible<T> {
        work(&mut *lock(&self.open)?)
    }
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (ledger=None, account=None, unit="1 individual added or removed", *, body="", purpose=""))]
    fn new(
        py: Python<'_>,
        ledger: Option<&Bound<'_, Ledger>>,
        account: Option<&str>,
        unit: &str,
        body: &str,
        purpose: &str,
    ) -> PyResult<Self> {
        let ledger = ledger.map(Bound::get);
        Ok(py.detach(|| -> Fallible<Self> {
            let units = "1 individual added or removed, 1 individual changed, 1 row added or removed, or 1 row changed";
            let none = |_| {
                Failure::question(format!("unit: {unit:?} is not a unit; units are {units}, or another number of them"))
            };
            let unit: Unit = unit.parse().map_err(none)?;
            let program = Program::new("indistinct for Python", env!("CARGO_PKG_VERSION"), None);
            let about = About { body: body.into(), purpose: purpose.into() };
            let open = match (ledger, account) {
                (Some(ledger), Some(account)) => Open::new(ledger.again()?, account, unit)?,
                (None, None) => Open::without_ledger(unit)?,
                (Some(_), None) => return Err(Failure::question("account: name the account that pays")),
                (None, Some(_)) => return Err(Failure::question("ledger: name the ledger that has the account")),
            };
            let open = open.with_program(program).with_about(about)?;
            Ok(Self { unit, open: Arc::new(Mutex::new(open)) })
        })?)
    }

    /// Adds a private table, and returns the session itself.
    ///
    /// `columns` declares the possible values of each column: "text", "integer(0..=120)", "float(0..=30, missing)",
    /// "date". It is public, and nothing is inferred from the data. `data` is the path of a CSV, Parquet or Arrow IPC
    /// file of any size, which is read at each release, or a table of pyarrow, pandas or polars, whose columns are
    /// imported immediately.
    ///
    /// `individuals` names the column that identifies the individual of a row; with `null_is_own_individual`, a row
    /// without an identifier is a separate individual. Rows in which a column of `drop_null` is missing are left out,
    /// and `fill_null` has the replacement of missing cells, by column. `csv` describes the format of the file:
    /// delimiter, quote, decimal, thousands, header, missing (texts that mean a missing value), formats (of dates and
    /// times, by column).
    ///
    /// If the rows of individuals do not fit into a quarter of a gibibyte, the rest goes to unencrypted temporary
    /// files: in the folder `temp_dir`, or by default in the folder of the file of `data`, or in the system's folder
    /// for temporary files if that folder is not writable.
    #[pyo3(signature = (
        name, columns, data, individuals=None, *,
        null_is_own_individual=false, drop_null=None, fill_null=None, csv=None, temp_dir=None
    ))]
    #[allow(clippy::too_many_arguments)]
    fn add_table<'py>(
        this: &Bound<'py, Self>,
        name: &str,
        columns: &Bound<'py, PyDict>,
        data: &Bound<'py, PyAny>,
        individuals: Option<&str>,
        null_is_own_individual: bool,
        drop_null: Option<Vec<String>>,
        fill_null: Option<&Bound<'py, PyDict>>,
        csv: Option<&Bound<'py, PyDict>>,
        temp_dir: Option<PathBuf>,
    ) -> PyResult<Bound<'py, Self>> {
        let (py, session) = (this.py(), this.get());
        let domain = domain(columns, individuals, null_is_own_individual)?;
        let absent = Absent::new(drop_null.unwrap_or_default(), fill_null)?;
        if arrow::has_stream(data)? {
            if csv.is_some() || temp_dir.is_some() {
                return Err(Failure::question("csv, temp_dir: these apply only to the path of a file").into());
            }
            let reader = absent.declare(Arrow::new());
            let nothing: [RecordBatch; 0] = [];
            reader.batches(nothing, &domain).map_err(|error| Failure::question(error.to_string()))?;
            let batches = arrow::batches(data)?;
            py.detach(|| {
                let frame = reader.batches(batches, &domain)?;
                // Whoever made the frame may have left out rows because of their cells, and a session cannot see that.
                session.use_open(|session| Ok(session.add_table(name, domain, frame)?))
            })?;
        } else if let Ok(path) = data.extract::<PathBuf>() {
            let path = absolute(path)?;
            let files = files(&path, csv, &absent, domain)?.engine(engine(&path, temp_dir)?);
            py.detach(|| {
                files.check().map_err(|error| Failure::data(error.to_string()))?;
                session.use_open(|session| Ok(session.add_files(name, files)?))
            })?;
        } else {
            let rule = "data must be the path of a CSV, Parquet or Arrow IPC file, or a table of pyarrow, pandas or polars (Arrow's stream)";
            return Err(PyTypeError::new_err(rule));
        }
        Ok(this.clone())
    }

    /// Adds a public table, which SQL can join, and returns the session itself. `columns` and `data` are as in
    /// `add_table`, without dates and times; a file is read immediately. The table is not protected.
    #[pyo3(signature = (name, columns, data, *, csv=None))]
    fn add_public_table<'py>(
        this: &Bound<'py, Self>,
        name: &str,
        columns: &Bound<'py, PyDict>,
        data: &Bound<'py, PyAny>,
        csv: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let (py, session) = (this.py(), this.get());
        let stated = domain(columns, None, false)?;
        // Of a public table it is nothing to be declared that values are missing.
        let columns = stated.names().iter().cloned().zip(stated.columns());
        let columns = columns.map(|(name, column)| (name, column.clone().with_missing()));
        let domain = FrameDomain::new(columns).map_err(Failure::from)?;
        let wrong = |error: &dyn std::fmt::Display| Failure::question(format!("public table {name:?}: {error}"));
        let frame = if arrow::has_stream(data)? {
            Arrow::new().strict().batches(arrow::batches(data)?, &domain).map_err(|error| wrong(&error))?
        } else {
            let path: PathBuf = data.extract()?;
            let frame = match FileKind::of(&path) {
                FileKind::Csv => csv::reader(csv)?.strict().read(&path, &domain),
                _ if csv.is_some() => {
                    return Err(wrong(&"csv: the options apply only to the path of a CSV file").into());
                }
                FileKind::Parquet => Arrow::new().strict().parquet(&path, &domain),
                FileKind::Arrow => Arrow::new().strict().ipc(&path, &domain),
            };
            frame.map_err(|error| wrong(&error))?
        };
        py.detach(|| {
            let table = PublicTable::new(&domain, &frame).map_err(|error| wrong(&error))?;
            session.use_open(|session| Ok(session.add_public_table(name, table)?))
        })?;
        Ok(this.clone())
    }

    /// Returns the price of a SELECT statement. At most `max_rows_per_individual` rows of each individual count, one by
    /// default, in at most `max_groups_per_individual` groups. Each interval of the answer fails with probability
    /// `alpha`.
    ///
    /// Raises QuestionError, with the line and column, for a statement outside of the supported subset of SQL.
    #[pyo3(signature = (statement, *, spend, max_rows_per_individual=None, max_groups_per_individual=None, alpha=0.05))]
    fn price_sql(
        &self,
        py: Python<'_>,
        statement: &str,
        spend: Spend,
        max_rows_per_individual: Option<u32>,
        max_groups_per_individual: Option<u32>,
        alpha: f64,
    ) -> PyResult<PricedQuery> {
        Ok(py.detach(|| {
            self.use_open(|session| {
                let (loss, budget) = spend.of(session)?;
                let public = |name: &str| session.public_table(name).cloned();
                let names = session.tables().map(|name| Ok((name, session.query(name)?)));
                let asked = indistinct_sql::question(statement, &names.collect::<Fallible<Vec<_>>>()?, public)?;
                let mut query = asked.query;
                if let Some(rows) = max_rows_per_individual {
                    query = query.max_rows_per_individual(rows);
                }
                if let Some(groups) = max_groups_per_individual {
                    query = query.max_groups_per_individual(groups);
                }
                let question = match asked.unknown_keys {
                    None => Asked::Query(query.measurement(budget)?),
                    Some(UnknownKeys { keys, count, .. }) => unknown_keys(&query, keys, Some(count), budget)?,
                };
                Ok(PricedQuery::of(session, &asked.table, &question, Some(&loss), alpha)?.of_sql(statement, asked.view))
            })
        })?)
    }

    /// Returns the price of a plan, in JSON or TOML. The plan uses some of a table's columns, each with the table's
    /// declaration.
    #[pyo3(signature = (table, plan, *, alpha=0.05))]
    fn price_plan(&self, py: Python<'_>, table: &str, plan: &str, alpha: f64) -> PyResult<PricedQuery> {
        Ok(py.detach(|| {
            let is_json = plan.trim_start().starts_with('{');
            let plan = if is_json { FrameMeasurement::from_json(plan)? } else { FrameMeasurement::from_toml(plan)? };
            self.use_open(|session| PricedQuery::of(session, table, &Asked::Plan(plan), None, alpha))
        })?)
    }

    /// Starts a question about a table, which is built step by step.
    fn query(&self, py: Python<'_>, table: &str) -> PyResult<Query> {
        let built = py.detach(|| self.use_open(|session| Ok(session.query(table)?)))?;
        Ok(Query::new(self.open.clone(), table.to_owned(), built))
    }

    /// Releases the answer to a priced question, under a name that is chosen for this release. The price is used up. If
    /// the release fails, price the question again and use the same name: an earlier release is returned again, and a
    /// charge is not repeated.
    ///
    /// Raises BudgetError, NameConflict, LostRelease, LedgerError, or DataError for rows that cannot be read, whose
    /// charge is kept.
    fn release(&self, py: Python<'_>, priced: &Bound<'_, PricedQuery>, name: &str) -> PyResult<Release> {
        let priced = priced.get();
        let answered = py.detach(|| self.use_open(|session| priced.take()?.release(session, name)))?;
        Ok(Release::new(py, answered, priced.sql(), priced.view())?)
    }

    /// Opens accounts for the parts of a table, each for one value in a column, and each with this budget. A row is in
    /// one part, so the session's account is charged the budget once. `parts` has the name of each account with its
    /// value: a text, a label, an integer or a boolean. A session of such an account has only the rows of its part.
    ///
    /// Raises QuestionError unless the unit is "1 row added or removed".
    fn partition(
        &self,
        py: Python<'_>,
        table: &str,
        column: &str,
        parts: &Bound<'_, PyDict>,
        budget: &Bound<'_, Loss>,
    ) -> PyResult<()> {
        let mut named = Vec::new();
        for (name, value) in parts.iter() {
            named.push((name.extract::<String>()?, cell("parts", &value)?));
        }
        let budget = budget.get().exact();
        Ok(py.detach(|| self.use_open(|session| Ok(session.open_partition(table, column, named, budget)?)))?)
    }

    /// Returns the budget of the session's account: total, spent and remaining.
    fn budget(&self, py: Python<'_>) -> PyResult<Budget> {
        Ok(Budget::of(py.detach(|| self.use_open(|session| Ok(session.budget()?)))?))
    }

    fn __repr__(&self) -> String {
        format!("<Session for {}>", self.unit)
    }
}
