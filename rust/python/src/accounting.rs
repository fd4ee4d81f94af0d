//! The calculators.

use crate::{
    failure::{Failure, Fallible},
    loss::Loss,
    privacy_loss::PrivacyLoss,
};
use indistinct::{
    accounting::{Delta, Epsilon, Rho, cdp_epsilon, gaussian_sigma as least_sigma},
    accuracy::{discrete_gaussian_accuracy, discrete_laplace_accuracy, gaussian_accuracy, laplace_accuracy},
};
use indistinct_report::{Curves, Guarantee, curves_page};
use pyo3::{Borrowed, exceptions::PyTypeError, prelude::*, types::PyDict};

/// Returns the epsilon of a rho of zero-concentrated differential privacy, at a delta.
#[pyfunction]
pub(crate) fn rho_to_epsilon(py: Python<'_>, rho: f64, delta: f64) -> PyResult<f64> {
    Ok(py.detach(|| -> Fallible<f64> { Ok(cdp_epsilon(Rho(rho), Delta(delta))?) })?)
}

/// Returns the smallest standard deviation of Gaussian noise for an epsilon and a delta, if the statistic changes by at
/// most `sensitivity` in Euclidean distance.
#[pyfunction]
#[pyo3(signature = (epsilon, delta, sensitivity=1.0))]
pub(crate) fn gaussian_sigma(py: Python<'_>, epsilon: f64, delta: f64, sensitivity: f64) -> PyResult<f64> {
    Ok(py.detach(|| -> Fallible<f64> { Ok(least_sigma(sensitivity, Epsilon(epsilon), Delta(delta))?) })?)
}

/// Returns the distance that noise with this scale exceeds with probability at most `alpha`. The noise is "laplace",
/// "gaussian", "discrete laplace" or "discrete gaussian".
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
                return Err(Failure::question(format!(
                    "noise: {noise:?} is not a distribution; the distributions are: {known}"
                )));
            }
        })
    })?;
    Ok(within)
}

/// An argument that has curves: a loss or a budget of a ledger, or the loss of mechanisms.
pub(crate) struct Curved(Guarantee);

impl<'py> FromPyObject<'_, 'py> for Curved {
    type Error = PyErr;

    fn extract(loss: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(loss) = loss.cast::<PrivacyLoss>() {
            return Ok(Self(Guarantee::of_losses(loss.get().exact().clone()).map_err(Failure::from)?));
        }
        let Ok(loss) = loss.cast::<Loss>() else {
            return Err(PyTypeError::new_err("must be a PrivacyLoss, an Epsilon, a Rho or an EpsilonDelta"));
        };
        Ok(Self(Guarantee::of_loss(loss.get().exact()).map_err(Failure::from)?))
    }
}

/// Returns bounds for a `PrivacyLoss`, or for a completely spent budget, as pairs of numbers by the name of the curve.
/// "epsilon": deltas, each with its epsilon. "delta": epsilons, each with its delta. "misses": false positive rates of
/// a test, each with a lower bound of its false negative rate. "renyi": orders, each with its divergence.
#[pyfunction]
pub(crate) fn curves(py: Python<'_>, loss: Curved) -> PyResult<Bound<'_, PyDict>> {
    let curves = py.detach(|| -> Fallible<Curves> { Ok(loss.0.curves()?) })?;
    let told = PyDict::new(py);
    told.set_item("epsilon", curves.epsilons)?;
    told.set_item("delta", curves.deltas)?;
    told.set_item("misses", curves.misses)?;
    told.set_item("renyi", curves.divergences)?;
    Ok(told)
}

/// Returns the curves of a `PrivacyLoss` or a budget as an HTML page with pictures.
#[pyfunction]
#[pyo3(signature = (loss, title="Privacy curves", about=""))]
pub(crate) fn curves_report(py: Python<'_>, loss: Curved, title: &str, about: &str) -> PyResult<String> {
    Ok(py.detach(|| -> Fallible<String> { Ok(curves_page(title, about, &loss.0)?) })?)
}
