//! Ledgers.

use crate::{
    failure::Fallible,
    lock::lock,
    loss::{self, Loss},
};
use indistinct_ledger::{Entry, Ledger as Open};
use indistinct_report::{Spending, account_page};
use pyo3::{prelude::*, types::PyDict};
use std::{
    path::{self, PathBuf},
    sync::Mutex,
};

/// A ledger: budgets in one file that survives crashes, shared by all processes of a machine.
///
/// >>> import tempfile, pathlib
/// >>> folder = pathlib.Path(tempfile.mkdtemp())
/// >>> ledger = Ledger.create(folder / "survey.ledger", "survey", Epsilon(2.0))
/// >>> ledger.add_account("ann", "survey", Epsilon(0.5))
/// >>> ledger.accounts()
/// ['ann', 'survey']
/// >>> ledger.budget("ann").remaining
/// Epsilon(0.5)
#[pyclass(frozen, module = "indistinct")]
pub(crate) struct Ledger {
    path: PathBuf,
    open: Mutex<Open>,
}

impl Ledger {
    fn with(path: PathBuf, open: impl FnOnce(&PathBuf) -> Result<Open, indistinct_ledger::Error>) -> Fallible<Self> {
        // A program that changes its folder still has the same ledger.
        let path = path::absolute(path).map_err(indistinct_ledger::Error::from)?;
        let open = Mutex::new(open(&path)?);
        Ok(Self { path, open })
    }

    /// The same ledger, opened once more: for a session, which has its own.
    pub(crate) fn again(&self) -> Fallible<Open> {
        Ok(Open::open(&self.path)?)
    }

    pub(crate) fn use_open<T>(&self, work: impl FnOnce(&mut Open) -> Fallible<T>) -> Fallible<T> {
        work(&mut *lock(&self.open)?)
    }
}

#[pymethods]
impl Ledger {
    /// Creates a ledger in a new file, with one account, which may spend the budget.
    #[staticmethod]
    fn create(py: Python<'_>, path: PathBuf, name: &str, budget: &Bound<'_, Loss>) -> PyResult<Self> {
        let budget = budget.get().exact();
        Ok(py.detach(|| Self::with(path, |path| Open::create(path, name, budget)))?)
    }

    /// Opens the ledger in a file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Ok(py.detach(|| Self::with(path, |path| Open::open(path)))?)
    }

    /// Adds an account below another one. Each charge to it is also charged to the accounts above.
    fn add_account(&self, py: Python<'_>, name: &str, parent: &str, budget: &Bound<'_, Loss>) -> PyResult<()> {
        let budget = budget.get().exact();
        Ok(py.detach(|| self.use_open(|ledger| Ok(ledger.add_account(name, parent, budget)?)))?)
    }

    /// Closes an account: nothing more is charged to it or to the accounts below it. Earlier releases are still
    /// returned.
    fn close(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        Ok(py.detach(|| self.use_open(|ledger| Ok(ledger.close_account(name)?)))?)
    }

    /// Returns the budget of an account: total, spent and remaining.
    fn budget(&self, py: Python<'_>, account: &str) -> PyResult<Budget> {
        let budget = py.detach(|| self.use_open(|ledger| Ok(ledger.budget(account)?)))?;
        Ok(Budget::of(budget))
    }

    /// Returns the names of all accounts, in order.
    fn accounts(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(py.detach(|| self.use_open(|ledger| Ok(ledger.accounts()?)))?)
    }

    /// Checks that everything in the ledger follows from its entries, and returns its head, which you should keep
    /// elsewhere. Without an earlier head, a ledger that was restored from an old copy is not detected.
    ///
    /// Raises LedgerError if the check fails.
    #[pyo3(signature = (expected_head=None))]
    fn verify(&self, py: Python<'_>, expected_head: Option<&str>) -> PyResult<String> {
        let verified = py.detach(|| {
            let known = expected_head.map(str::parse).transpose()?;
            self.use_open(|ledger| Ok(ledger.verify(known)?))
        })?;
        Ok(verified.to_string())
    }

    /// Copies the ledger to a new file, even while releases are made from it, verifies the copy, and returns its head.
    /// Nothing can be charged to the copy: Ledger.restore makes a ledger from it.
    fn backup(&self, py: Python<'_>, to: PathBuf) -> PyResult<String> {
        let head = py.detach(|| self.use_open(|ledger| Ok(ledger.backup(to)?)))?;
        Ok(head.to_string())
    }

    /// Makes a ledger from a backup, in a new file, for use when the ledger itself is lost. Charges made after the
    /// backup are missing, so their budget can be spent again.
    #[staticmethod]
    fn restore(py: Python<'_>, backup: PathBuf, path: PathBuf) -> PyResult<Self> {
        Ok(py.detach(|| Self::with(path, |path| Open::restore(backup, path)))?)
    }

    /// Returns the entries of an account, each with its number and hash, its kind, its name and its loss.
    fn history<'py>(&self, py: Python<'py>, account: &str) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let entries = py.detach(|| self.use_open(|ledger| Ok(ledger.history(account)?)))?;
        entries.into_iter().map(|entry| dictionary(py, entry)).collect()
    }

    /// Returns an HTML page with the spending of an account and the accounts below it, release by release, and the
    /// guarantee of all releases together.
    fn report(&self, py: Python<'_>, account: &str) -> PyResult<String> {
        Ok(py.detach(|| -> Fallible<String> {
            let spending = self.use_open(|ledger| Ok(Spending::of(ledger, account)?))?;
            Ok(account_page(&spending)?)
        })?)
    }

    fn __repr__(&self) -> String {
        format!("<Ledger {}>", self.path.display())
    }
}

fn dictionary(py: Python<'_>, entry: Entry) -> PyResult<Bound<'_, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("entry", entry.entry.to_string())?;
    told.set_item("kind", format!("{:?}", entry.kind).to_lowercase())?;
    told.set_item("name", entry.key)?;
    told.set_item("loss", entry.loss.map(|loss| loss::object(py, loss)).transpose()?)?;
    Ok(told)
}

/// The budget of an account.
#[pyclass(frozen, module = "indistinct")]
pub(crate) struct Budget(indistinct_ledger::Budget);

impl Budget {
    pub(crate) fn of(budget: indistinct_ledger::Budget) -> Self {
        Self(budget)
    }
}

#[pymethods]
impl Budget {
    /// The total budget.
    #[getter]
    fn total<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loss::object(py, self.0.total.clone())
    }

    /// The amount spent by this account and the accounts below it.
    #[getter]
    fn spent<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loss::object(py, self.0.spent.clone())
    }

    /// The exact remaining budget, which can be spent completely. Less may remain in the accounts above: spend Rest()
    /// for the smallest of these amounts.
    #[getter]
    fn remaining<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loss::object(py, self.0.remaining.clone())
    }

    /// The account above.
    #[getter]
    fn parent(&self) -> Option<String> {
        self.0.parent.clone()
    }

    /// The condition of the part for which the account was prepaid: its whole budget was charged to the account above
    /// when it was opened.
    #[getter]
    fn prepaid(&self) -> Option<String> {
        self.0.prepaid.clone()
    }

    /// Returns true if nothing more may be charged to it.
    #[getter]
    fn is_closed(&self) -> bool {
        self.0.is_closed
    }

    fn __repr__(&self) -> String {
        format!("<Budget: {}, of which {} remains>", self.0.total, self.0.remaining)
    }
}
