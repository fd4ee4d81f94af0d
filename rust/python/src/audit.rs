//! Evidence of draws against a privacy claim.

use crate::failure::{Failure, Fallible};
use indistinct_audit::{Draws, EmpiricalLowerBounds as Least, Key, Seen};
use pyo3::{
    prelude::*,
    types::{PyBool, PyFloat, PyInt, PyList, PyString, PyTuple},
};

/// Lower bounds on the privacy losses between two inputs, which hold together with the requested confidence.
#[pyclass(frozen)]
pub(crate) struct EmpiricalLowerBounds(Least);

#[pymethods]
impl EmpiricalLowerBounds {
    /// A lower bound on epsilon, at the given delta.
    #[getter]
    fn epsilon(&self) -> f64 {
        self.0.epsilon
    }

    /// A lower bound on delta, at the given epsilon.
    #[getter]
    fn delta(&self) -> f64 {
        self.0.delta
    }

    /// A lower bound on rho (zero-concentrated divergence).
    #[getter]
    fn rho(&self) -> f64 {
        self.0.rho
    }

    /// A lower bound on mu (Gaussian divergence).
    #[getter]
    fn mu(&self) -> f64 {
        self.0.mu
    }

    fn __repr__(&self) -> String {
        let Least { epsilon, delta, rho, mu } = self.0;
        format!("EmpiricalLowerBounds(epsilon={epsilon:?}, delta={delta:?}, rho={rho:?}, mu={mu:?})")
    }
}

/// Computes lower bounds on the privacy losses between two inputs from draws. The two lists contain the outcomes of any
/// mechanism on each input, from independent runs in their order. Every second outcome is used to choose events, and
/// the other outcomes are counted (Clopper, Pearson 1934), so all bounds hold together with the given confidence.
///
/// The function computes the bound on delta at the given `epsilon`, and the bound on epsilon at the given `delta`. A
/// claim below a bound is refuted. If no claim is refuted, nothing is proved. Outcomes are booleans, numbers, texts,
/// None, and lists, tuples and arrays of them.
///
/// >>> from indistinct import audit
/// >>> truthful = [run % 4 != 0 for run in range(20_000) for _ in range(2)]
/// >>> least = audit.empirical_lower_bounds(truthful, [not outcome for outcome in truthful], delta=0.01)
/// >>> 0.9 < least.epsilon < 1.0986
/// True
#[pyfunction]
#[pyo3(signature = (first, second, *, epsilon=0.0, delta=0.0, confidence=0.999_999_999))]
pub(crate) fn empirical_lower_bounds(
    py: Python<'_>,
    first: &Bound<'_, PyAny>,
    second: &Bound<'_, PyAny>,
    epsilon: f64,
    delta: f64,
    confidence: f64,
) -> PyResult<EmpiricalLowerBounds> {
    // Written so that a NaN fails.
    if !(epsilon >= 0.0 && (0.0..=1.0).contains(&delta)) {
        return Err(Failure::question("epsilon must be at least 0, and delta from 0 to 1").into());
    }
    let (first, second) = (draws("first", first)?, draws("second", second)?);
    let none =
        || Failure::question("confidence must be between 0 and 1, and each list must contain at least two outcomes");
    let least = py.detach(|| -> Fallible<Least> {
        first.empirical_lower_bounds(&second, (epsilon, delta), &[], confidence).ok_or_else(none)
    })?;
    Ok(EmpiricalLowerBounds(least))
}

fn draws(parameter: &str, outcomes: &Bound<'_, PyAny>) -> PyResult<Draws> {
    let mut keys = Vec::new();
    for outcome in outcomes.try_iter()? {
        keys.push(key(parameter, &outcome?, 0)?);
    }
    Ok(Draws::new(keys))
}

/// The key of an outcome. Scalars and arrays of NumPy become the Python values they stand for.
fn key(parameter: &str, outcome: &Bound<'_, PyAny>, depth: u32) -> PyResult<Key> {
    /// A list may hold itself.
    const DEEPEST: u32 = 16;
    if depth > DEEPEST {
        return Err(Failure::question(format!("{parameter}: an outcome is nested more than {DEEPEST} times")).into());
    }
    if outcome.is_none() {
        return Ok(Key::List(Vec::new()));
    }
    if outcome.is_instance_of::<PyBool>() {
        return Ok(outcome.extract::<bool>()?.key());
    }
    if outcome.is_instance_of::<PyInt>() {
        return Ok(outcome.extract::<i128>().map_or_else(|_| outcome.to_string().key(), |number| number.key()));
    }
    if outcome.is_instance_of::<PyFloat>() {
        return Ok(outcome.extract::<f64>()?.key());
    }
    if outcome.is_instance_of::<PyString>() {
        return Ok(outcome.extract::<String>()?.key());
    }
    if outcome.is_instance_of::<PyList>() || outcome.is_instance_of::<PyTuple>() {
        let parts = outcome.try_iter()?.map(|part| key(parameter, &part?, depth + 1));
        return Ok(Key::List(parts.collect::<PyResult<_>>()?));
    }
    if outcome.hasattr("tolist")? {
        return key(parameter, &outcome.call_method0("tolist")?, depth + 1);
    }
    let rule = "outcomes must be Booleans, numbers, texts, None, or lists, tuples or arrays of them";
    Err(Failure::question(format!("{parameter}: {rule}")).into())
}
