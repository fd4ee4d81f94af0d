//! One step, as a file has it.

use crate::core::{Error, ErrorKind, Parameter};

/// One step: a constructor without `make_`, and what it is given.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) parameters: Vec<(String, Parameter)>,
    /// The parts of a composition, or the counts and sums of unknown keys, each as steps from the same table.
    pub(crate) measurements: Vec<Vec<Call>>,
}

impl Call {
    /// One that takes no measurements.
    pub(crate) fn new(name: &str, parameters: impl IntoIterator<Item = (String, Parameter)>) -> Self {
        Self { name: name.into(), parameters: parameters.into_iter().collect(), measurements: Vec::new() }
    }
}

pub(super) const COMPOSITION: &str = "composition";
pub(super) const SUMS_OF_UNKNOWN_KEYS: &str = "sums_of_unknown_keys";
pub(super) const MEASUREMENTS: &str = "measurements";

/// An error at this place of a plan.
pub(super) fn refuse(path: &str, rule: &str) -> Error {
    Error::new(ErrorKind::Plan, format!("{path}: {rule}"))
}
