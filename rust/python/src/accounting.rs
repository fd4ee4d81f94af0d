//! The calculators.

use crate::failure::{Failure, Fallible};
use indistinct::{
    accounting::{Delta, Epsilon, Rho, cdp_epsilon, gaussian_sigma as least_sigma, optimal_composition_epsilon},
    accuracy::{discrete_gaussian_accuracy, discrete_laplace_accuracy, gaussian_accuracy, laplace_accuracy},
};
use pyo3::prelude::*;

/// The epsilon that a rho of zero-concentrated differential privacy costs at a delta.
#[pyfunction]
pub(crate) fn epsilon_of_rho(py: Python<'_>, rho: f64, delta: f64) -> PyResult<f64> {
    Ok(py.detach(|| -> Fallible<f64> { Ok(cdp_epsilon(Rho(rho), Delta(delta))?) })?)
}

/// The least standard deviation of Gaussian noise for an epsilon and a delta, where what it is added to changes by at
/// most `sensitivity` in Euclidean distance.
#[pyfunction]
#[pyo3(signature = (epsilon, delta, sensitivity=1.0))]
pub(crate) fn gaussian_sigma(py: Python<'_>, epsilon: f64, delta: f64, sensitivity: f64) -> PyResult<f64> {
    Ok(py.detach(|| -> Fallible<f64> { Ok(least_sigma(sensitivity, Epsilon(epsilon), Delta(delta))?) })?)
}

/// Releases of one epsilon each, composed: the least epsilon of all of them at a delta.
#[pyfunction]
pub(crate) fn compose(py: Python<'_>, epsilon: f64, times: u32, delta: f64) -> PyResult<f64> {
    Ok(py.detach(|| -> Fallible<f64> {
        Ok(optimal_composition_epsilon(times, Epsilon(epsilon), Delta(0.0), Delta(delta))?)
    })?)
}

/// How far noise of a scale may move a number, but with probability `alpha`. The noise is "laplace", "gaussian",
/// "discrete laplace" or "discrete gaussian".
#[pyfunction]
#[pyo3(signature = (noise, scale, alpha=0.05))]
pub(crate) fn accuracy(py: Python<'_>, noise: &str, scale: f64, alpha: f64) -> PyResult<f64> {
    let within = py.detach(|| -> Fallible<f64> {
        Ok(match noise {
            "laplace" => laplace_accuracy(scale, alpha)?,
            "gaussian" => gaussian_accuracy(scale, alpha)?,
            "discrete laplace" => discrete_laplace_accuracy(scale, alpha)?,
            "discrete gaussian" => discrete_gaussian_accuracy(scale, alpha)?,
            _ => {
                let known = "laplace, gaussian, discrete laplace, discrete gaussian";
                return Err(Failure::question(format!("noise: there is no {noise:?}; there are: {known}")));
            }
        })
    })?;
    Ok(within)
}
