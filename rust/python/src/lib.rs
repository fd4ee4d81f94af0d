//! The Python package `indistinct`, a thin layer over sessions, SQL, queries and ledgers.
//!
//! It makes no decisions about privacy. It converts arguments to the types of these crates, which decide, and their
//! answers to Python objects. Long operations run without the interpreter's lock.

mod accounting;
mod arrow;
mod audit;
mod cells;
mod certificate;
mod csv;
mod failure;
mod inspect;
mod ledger;
mod lock;
mod loss;
mod noise;
mod priced;
mod privacy_loss;
mod query;
mod release;
mod rows;
mod session;
mod show;

/// The names that `indistinct/__init__.py` exports.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::{
        accounting::{accuracy, curves, curves_report, gaussian_sigma, rho_to_epsilon},
        audit::{EmpiricalLowerBounds, empirical_lower_bounds},
        certificate::Certificate,
        failure::{
            BudgetError, CertificateError, DataError, IndistinctError, LedgerError, LostRelease, NameConflict,
            QuestionError,
        },
        inspect::inspect_private,
        ledger::{Budget, Ledger},
        loss::{Epsilon, EpsilonDelta, Loss, Rest, Rho},
        noise::{discrete_gaussian_bytes, gaussian_bytes, poisson_sample_bytes},
        priced::PricedQuery,
        privacy_loss::{Bounds, PrivacyLoss, calibrate_rate, calibrate_sigma, calibrate_steps},
        query::Query,
        release::Release,
        session::Session,
    };
    use pyo3::prelude::*;
    use std::panic;

    /// A panic in a library that reads a malformed file becomes a `DataError`, and its words, which may quote the file,
    /// are not printed.
    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        let standard = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !indistinct_tables::is_reading() {
                standard(panic);
            }
        }));
        Ok(())
    }
}
