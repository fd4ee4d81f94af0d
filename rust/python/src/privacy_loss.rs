//! Privacy losses of mechanisms that run elsewhere, such as a training: composed, and converted to bounds.

use crate::failure::{Failure, Fallible};
use indistinct::accounting::{
    Delta, Epsilon, Error, NeighborLoss, Neighbors, PrivacyLossDistribution, PrivacyProfile, Rate, Scale, Sigma,
};
use indistinct::numeric::enclosure::Bounds as Exact;
use indistinct_report::up;
use pyo3::{
    Borrowed,
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBool, PyString},
};

/// Two proven bounds on one number. `str` is the upper bound, rounded up to three significant digits, and `float` is
/// the upper bound with all digits.
///
/// >>> epsilon = PrivacyLoss.gaussian(2.0, neighbors="add_remove").epsilon(1e-6)
/// >>> print(epsilon)
/// 2.26
/// >>> 2.2540 < epsilon.lower <= epsilon.upper < 2.2541
/// True
#[pyclass(frozen, eq, hash, get_all, module = "indistinct.accounting")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    /// A float that is not above the number.
    lower: f64,
    /// A float that is not below the number.
    upper: f64,
}

impl From<Exact> for Bounds {
    fn from(Exact { lower, upper }: Exact) -> Self {
        Self { lower, upper }
    }
}

impl std::hash::Hash for Bounds {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Equal floats have equal bits, because neither bound is a -0.0.
        [self.lower.to_bits(), self.upper.to_bits()].hash(state);
    }
}

#[pymethods]
impl Bounds {
    fn __str__(&self) -> String {
        up(self.upper)
    }

    fn __repr__(&self) -> String {
        format!("Bounds(lower={:?}, upper={:?})", self.lower, self.upper)
    }

    fn __float__(&self) -> f64 {
        self.upper
    }
}

/// A relation between neighbors, by its name in Python.
#[derive(Clone, Copy)]
pub(crate) struct Named(Neighbors);

/// Both, with their names.
const NEIGHBORS: [(&str, Neighbors); 2] = [("add_remove", Neighbors::AddRemove), ("replace", Neighbors::Replace)];

impl<'py> FromPyObject<'_, 'py> for Named {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let rule = "neighbors must be \"add_remove\" (one individual more or less) or \"replace\" (one individual's data \
                    replaced)";
        let text = given.cast::<PyString>().map_err(|_| PyTypeError::new_err(rule))?;
        let name = text.to_str()?;
        let known = NEIGHBORS.into_iter().find(|(own, _)| *own == name);
        Ok(Self(known.ok_or_else(|| Failure::question(rule))?.1))
    }
}

/// An integer argument that is not negative. One above all words counts as the largest, which accountants refuse.
fn count(number: &Bound<'_, PyAny>, name: &str) -> PyResult<u64> {
    let rule = || PyTypeError::new_err(format!("{name} must be an integer"));
    if number.is_instance_of::<PyBool>() {
        return Err(rule());
    }
    let number = number.call_method0("__index__").map_err(|_| rule())?;
    if number.lt(0)? {
        return Err(Failure::question(format!("{name} must not be negative")).into());
    }
    Ok(number.extract().unwrap_or(u64::MAX))
}

/// The same below 2^32, or what it is by default.
fn below_2_to_32(number: Option<&Bound<'_, PyAny>>, (name, default): (&str, u32)) -> PyResult<u32> {
    let Some(number) = number else { return Ok(default) };
    u32::try_from(count(number, name)?).map_err(|_| Failure::question(format!("{name} must be below 2^32")).into())
}

/// The names of the accountant's parameters in Python.
const NAMES: &[(&str, &str)] = &[("losses", "self"), ("eta", "epsilon")];

/// An error about a parameter, under the name that it has in Python.
fn renamed(error: Error, names: &[(&str, &str)]) -> Failure {
    let Error::Parameter { parameter, rule } = error else { return error.into() };
    let name = names.iter().chain(NAMES).find(|(own, _)| *own == parameter).map_or(parameter, |(_, name)| name);
    Failure::question(format!("{name} {rule}"))
}

/// The privacy loss of mechanisms, computed from their exact distributions. `+` composes two losses, and `*` composes a
/// loss with itself; each mechanism may be chosen after seeing the earlier results.
///
/// `neighbors` defines the neighbors of the loss: "add_remove", if one data set has one more individual, or "replace",
/// if the data of one individual differ. Losses for different neighbors cannot be composed.
///
/// >>> step = PrivacyLoss.gaussian(sigma=1.1, neighbors="add_remove").on_poisson_sample(rate=256 / 60_000)
/// >>> training = step * 14_062
/// >>> print(training.epsilon(delta=1e-5))
/// 2.39
/// >>> count = PrivacyLoss.laplace(scale=10.0, neighbors="add_remove")
/// >>> print((training + count).epsilon(delta=1e-5), training.delta(epsilon=2.0))
/// 2.42 1.2e-4
#[pyclass(frozen, eq, module = "indistinct.accounting")]
#[derive(Clone, PartialEq)]
pub(crate) struct PrivacyLoss(NeighborLoss);

impl PrivacyLoss {
    pub(crate) fn exact(&self) -> &PrivacyLossDistribution {
        self.0.losses()
    }

    fn of(losses: Result<PrivacyLossDistribution, Error>, neighbors: Named) -> Fallible<Self> {
        let loss = losses.and_then(|losses| NeighborLoss::new(losses, neighbors.0));
        Ok(Self(loss.map_err(|error| renamed(error, &[]))?))
    }
}

#[pymethods]
impl PrivacyLoss {
    /// The loss of no mechanism: the start of a sum.
    #[staticmethod]
    #[pyo3(signature = (*, neighbors))]
    fn none(neighbors: Named) -> Fallible<Self> {
        Self::of(Ok(PrivacyLossDistribution::none()), neighbors)
    }

    /// Gaussian noise of standard deviation `sigma` times the L2 sensitivity, the maximum change of the sum between
    /// these neighbors. A sum of vectors that are clipped to a norm of 1 has sensitivity 1 for "add_remove", and 2 for
    /// "replace".
    #[staticmethod]
    #[pyo3(signature = (sigma, *, neighbors))]
    fn gaussian(sigma: f64, neighbors: Named) -> Fallible<Self> {
        Self::of(PrivacyLossDistribution::gaussian(Sigma(sigma)), neighbors)
    }

    /// Laplace noise of `scale` times the L1 sensitivity.
    #[staticmethod]
    #[pyo3(signature = (scale, *, neighbors))]
    fn laplace(scale: f64, neighbors: Named) -> Fallible<Self> {
        Self::of(PrivacyLossDistribution::laplace(Scale(scale)), neighbors)
    }

    /// Discrete Gaussian noise of parameter `sigma` on an integer that changes by at most `sensitivity`.
    #[staticmethod]
    #[pyo3(
        signature = (sigma, sensitivity=None, *, neighbors),
        text_signature = "(sigma, sensitivity=1, *, neighbors)"
    )]
    fn discrete_gaussian(sigma: f64, sensitivity: Option<&Bound<'_, PyAny>>, neighbors: Named) -> PyResult<Self> {
        let sensitivity = below_2_to_32(sensitivity, ("sensitivity", 1))?;
        Ok(Self::of(PrivacyLossDistribution::discrete_gaussian(Sigma(sigma), sensitivity), neighbors)?)
    }

    /// Discrete Laplace noise of `scale` on an integer, or independently on each of several integers, which together
    /// change by at most `sensitivity` (L1).
    #[staticmethod]
    #[pyo3(
        signature = (scale, sensitivity=None, *, neighbors),
        text_signature = "(scale, sensitivity=1, *, neighbors)"
    )]
    fn discrete_laplace(scale: f64, sensitivity: Option<&Bound<'_, PyAny>>, neighbors: Named) -> PyResult<Self> {
        let sensitivity = below_2_to_32(sensitivity, ("sensitivity", 1))?;
        Ok(Self::of(PrivacyLossDistribution::discrete_laplace(Scale(scale), sensitivity), neighbors)?)
    }

    /// Gaussian noise of standard deviation `sigma` on a sum that one individual moves by a random amount: by at most
    /// `a` (L2) with a probability in proportion to `w`, for each pair `(a, w)` of `amounts`, whatever others
    /// contribute. The neighbors are "add_remove".
    ///
    /// >>> from indistinct.accounting import PrivacyLoss
    /// >>> records = [(0.0, 0.81), (1.0, 0.18), (2.0, 0.01)]
    /// >>> print((PrivacyLoss.mixture_gaussian(4.0, records) * 100).epsilon(delta=1e-6))
    /// 2.42
    #[staticmethod]
    fn mixture_gaussian(sigma: f64, amounts: Vec<(f64, f64)>) -> Fallible<Self> {
        Self::of(PrivacyLossDistribution::mixture_gaussian(Sigma(sigma), &amounts), Named(Neighbors::AddRemove))
    }

    /// The worst case of all mechanisms with pure `epsilon`-DP.
    #[staticmethod]
    #[pyo3(signature = (epsilon, *, neighbors))]
    fn pure(epsilon: f64, neighbors: Named) -> Fallible<Self> {
        Self::of(PrivacyLossDistribution::pure(epsilon), neighbors)
    }

    /// The worst case of all mechanisms with (`epsilon`, `delta`)-DP.
    #[staticmethod]
    #[pyo3(signature = (epsilon, delta, *, neighbors))]
    fn approximate(epsilon: f64, delta: f64, neighbors: Named) -> Fallible<Self> {
        Self::of(PrivacyLossDistribution::approximate(Epsilon(epsilon), Delta(delta)), neighbors)
    }

    /// The exponential mechanism, which selects a candidate with probability proportional to
    /// `exp(epsilon * score / (2 * sensitivity))`. It loses less than the worst mechanism with this `epsilon`.
    #[staticmethod]
    #[pyo3(signature = (epsilon, *, neighbors))]
    fn exponential_mechanism(epsilon: f64, neighbors: Named) -> Fallible<Self> {
        Self::of(PrivacyLossDistribution::bounded_range(epsilon), neighbors)
    }

    /// Randomized response among `categories`: the true category is `exp(epsilon)` times as probable as each other
    /// category. The neighbors are "replace", because the number of responses shows whether an individual was added.
    #[staticmethod]
    #[pyo3(signature = (epsilon, categories=None), text_signature = "(epsilon, categories=2)")]
    fn randomized_response(epsilon: f64, categories: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let categories = below_2_to_32(categories, ("categories", 2))?;
        let loss = PrivacyLossDistribution::randomized_response(epsilon, categories);
        Ok(Self::of(loss, Named(Neighbors::Replace))?)
    }

    /// The loss of all these mechanisms on one Poisson sample, which contains each individual independently with
    /// probability `rate`. The neighbors must be "add_remove".
    ///
    /// The loss is exact for Gaussian noise and for a single mechanism with finitely many losses. For other mechanisms
    /// only their maximum loss is used; if that is infinite, the call fails.
    fn on_poisson_sample(&self, rate: f64) -> Fallible<Self> {
        Ok(Self(self.0.on_poisson_sample(rate).map_err(|error| renamed(error, &[]))?))
    }

    /// The loss of all these mechanisms on one sample of fixed size, drawn without replacement: every set of
    /// `sample_size` individuals of the `population` is equally likely. The neighbors must be "replace".
    ///
    /// The loss is exact for Gaussian noise. For other mechanisms only their maximum loss is used; if that is infinite,
    /// the call fails.
    fn on_fixed_size_sample(&self, sample_size: &Bound<'_, PyAny>, population: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (sample_size, population) = (count(sample_size, "sample_size")?, count(population, "population")?);
        let loss = self.0.on_fixed_size_sample(sample_size, population);
        Ok(Self(loss.map_err(|error| renamed(error, &[]))?))
    }

    /// "add_remove" or "replace".
    #[getter]
    fn neighbors(&self) -> &'static str {
        NEIGHBORS.into_iter().find(|(_, own)| *own == self.0.neighbors()).map_or("", |(name, _)| name)
    }

    /// The smallest epsilon at which this is (epsilon, `delta`)-private.
    fn epsilon(&self, py: Python<'_>, delta: f64) -> Fallible<Bounds> {
        Ok(py.detach(|| self.exact().epsilon(delta))?.into())
    }

    /// The smallest delta at which this is (`epsilon`, delta)-private.
    fn delta(&self, py: Python<'_>, epsilon: f64) -> Fallible<Bounds> {
        Ok(py.detach(|| self.exact().delta(epsilon))?.into())
    }

    /// The advantage of the best test for an individual: its true positive rate minus its false positive rate. It
    /// equals the delta at epsilon 0, and the total variation distance.
    fn advantage(&self, py: Python<'_>) -> Fallible<Bounds> {
        Ok(py.detach(|| self.exact().delta(0.0))?.into())
    }

    /// An upper bound on the rho of zero-concentrated differential privacy. Samples do not lower it.
    fn rho(&self, py: Python<'_>) -> Fallible<f64> {
        Ok(py.detach(|| self.exact().rho())?)
    }

    /// Upper bounds on the Renyi divergences at these orders, which must be above 1.
    fn renyi(&self, py: Python<'_>, orders: Vec<f64>) -> Fallible<Vec<f64>> {
        let found = py.detach(|| {
            let curve = self.exact().renyi()?;
            orders.iter().map(|order| curve.at(*order)).collect::<Result<Vec<_>, _>>()
        });
        found.map_err(|error| renamed(error, &[("alpha", "orders"), ("order", "orders")]))
    }

    /// The tradeoff function: for each of these false positive rates of a test for an individual, a lower bound on its
    /// false negative rate.
    fn tradeoff(&self, py: Python<'_>, false_positive_rates: Vec<f64>) -> Fallible<Vec<f64>> {
        let found = py.detach(|| {
            let profile = PrivacyProfile::losses(self.exact().clone());
            false_positive_rates.iter().map(|rate| profile.beta(*rate)).collect::<Result<Vec<_>, _>>()
        });
        found.map_err(|error| renamed(error, &[("alpha", "false_positive_rates")]))
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let Ok(added) = other.cast::<Self>() else { return Ok(other.py().NotImplemented()) };
        let sum = Self(self.0.compose(&added.get().0).map_err(|error| renamed(error, &[]))?);
        Ok(Bound::new(other.py(), sum)?.into_any().unbind())
    }

    fn __mul__(&self, times: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        if !times.hasattr("__index__")? {
            return Ok(times.py().NotImplemented());
        }
        let name = "the number of repetitions";
        let repeated = self.0.repeat(count(times, name)?).map_err(|error| renamed(error, &[("count", name)]))?;
        Ok(Bound::new(times.py(), Self(repeated))?.into_any().unbind())
    }

    fn __rmul__(&self, times: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.__mul__(times)
    }

    fn __str__(&self) -> String {
        self.exact().to_string()
    }

    fn __repr__(&self) -> String {
        format!("<PrivacyLoss of {}, neighbors=\"{}\">", self.exact(), self.neighbors())
    }
}

/// The names of the accountant's parameters, for Python.
const CALIBRATED: &[(&str, &str)] = &[("count", "steps")];

fn only_poisson(neighbors: Named) -> Fallible<()> {
    if neighbors.0 == Neighbors::AddRemove {
        return Ok(());
    }
    Err(Failure::question("neighbors must be \"add_remove\": the samples are Poisson samples"))
}

/// Returns the smallest `sigma` for which `steps` of Gaussian noise on Poisson samples with this `rate` satisfy
/// `epsilon` at `delta`, rounded up to within about one part in a million. A `rate` of 1 means no sampling.
///
/// >>> from indistinct.accounting import calibrate_sigma
/// >>> sigma = calibrate_sigma(rate=0.01, steps=1000, epsilon=2.0, delta=1e-6, neighbors="add_remove")
/// >>> 1.0290 < sigma < 1.0291
/// True
#[pyfunction]
#[pyo3(signature = (*, rate, steps, epsilon, delta, neighbors))]
pub(crate) fn calibrate_sigma(
    py: Python<'_>,
    rate: f64,
    steps: &Bound<'_, PyAny>,
    epsilon: f64,
    delta: f64,
    neighbors: Named,
) -> Fallible<f64> {
    only_poisson(neighbors)?;
    let steps = count(steps, "steps")?;
    py.detach(|| PrivacyLossDistribution::calibrate_sigma(Rate(rate), steps, Epsilon(epsilon), Delta(delta)))
        .map_err(|error| renamed(error, CALIBRATED))
}

/// Returns the largest sampling `rate` for which `steps` of Gaussian noise with `sigma` on Poisson samples satisfy
/// `epsilon` at `delta`, rounded down to within about one part in a million.
#[pyfunction]
#[pyo3(signature = (*, sigma, steps, epsilon, delta, neighbors))]
pub(crate) fn calibrate_rate(
    py: Python<'_>,
    sigma: f64,
    steps: &Bound<'_, PyAny>,
    epsilon: f64,
    delta: f64,
    neighbors: Named,
) -> Fallible<f64> {
    only_poisson(neighbors)?;
    let steps = count(steps, "steps")?;
    py.detach(|| PrivacyLossDistribution::calibrate_rate(Sigma(sigma), steps, Epsilon(epsilon), Delta(delta)))
        .map_err(|error| renamed(error, CALIBRATED))
}

/// Returns the maximum number of steps of Gaussian noise with `sigma` on Poisson samples with this `rate` that satisfy
/// `epsilon` at `delta`.
#[pyfunction]
#[pyo3(signature = (*, sigma, rate, epsilon, delta, neighbors))]
pub(crate) fn calibrate_steps(
    py: Python<'_>,
    sigma: f64,
    rate: f64,
    epsilon: f64,
    delta: f64,
    neighbors: Named,
) -> Fallible<u64> {
    only_poisson(neighbors)?;
    py.detach(|| PrivacyLossDistribution::calibrate_steps(Sigma(sigma), Rate(rate), Epsilon(epsilon), Delta(delta)))
        .map_err(|error| renamed(error, CALIBRATED))
}
