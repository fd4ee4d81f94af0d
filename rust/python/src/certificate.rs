//! Certificates.

use crate::{
    failure::{Failure, Fallible},
    ledger::Ledger,
    loss,
};
use indistinct_ledger::Loss;
use indistinct_sessions::Certificate as Said;
use pyo3::prelude::*;

/// A statement about a release and its cost, which others can check without the data.
///
/// `Certificate.read(text)` reads the text of a certificate from somebody else.
#[pyclass(frozen, module = "indistinct")]
pub(crate) struct Certificate {
    said: Said,
    text: String,
}

impl Certificate {
    pub(crate) fn new(said: Said) -> Fallible<Self> {
        let text = said.to_json()?;
        Ok(Self { said, text })
    }

    pub(crate) fn loss(&self) -> Fallible<Loss> {
        Ok(self.said.loss.parse()?)
    }

    pub(crate) fn said(&self) -> &Said {
        &self.said
    }

    pub(crate) fn name(&self) -> &str {
        &self.said.name
    }

    pub(crate) fn account(&self) -> &str {
        &self.said.account
    }
}

#[pymethods]
impl Certificate {
    /// Reads a certificate from its text.
    #[staticmethod]
    fn read(text: &str) -> PyResult<Self> {
        let said = Said::from_json(text).map_err(Failure::from)?;
        Ok(Self::new(said)?)
    }

    /// The text of the certificate in JSON, which is unique.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The loss of the release.
    #[getter]
    fn cost<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loss::object(py, self.loss()?)
    }

    /// Recomputes the statements about a release, given the text of `Release.released`: its plan, loss, steps, accuracy
    /// and hash.
    ///
    /// Raises CertificateError, which names the first false entry.
    fn verify(&self, py: Python<'_>, released: &str) -> PyResult<()> {
        Ok(py.detach(|| -> Fallible<()> { Ok(self.said.verify(released)?) })?)
    }

    /// Checks that a ledger has the entries of this release.
    fn verify_in(&self, py: Python<'_>, ledger: &Bound<'_, Ledger>) -> PyResult<()> {
        let ledger = ledger.get();
        Ok(py.detach(|| ledger.use_open(|ledger| Ok(self.said.verify_in(ledger)?)))?)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Certificate of {:?}>", self.said.name)
    }
}
