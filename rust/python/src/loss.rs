//! Budgets and costs.

use crate::failure::{Failure, Fallible};
use indistinct::queries::Budget;
use indistinct_ledger::{Amount, Loss as Exact, Measure};
use indistinct_sessions::{Session, rest};
use pyo3::{Borrowed, exceptions::PyTypeError, prelude::*};

/// A cost or a budget: exact numbers in a measure.
///
/// A ledger returns losses; to make one, write Epsilon(1.0), Rho(0.5) or EpsilonDelta(1.0, 1e-6).
#[pyclass(frozen, subclass, eq, hash, module = "indistinct")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Loss(Exact);

impl Loss {
    pub(crate) fn exact(&self) -> &Exact {
        &self.0
    }

    /// The budget to spend on a question.
    pub(crate) fn to_spend(&self) -> Fallible<Budget> {
        let numbers: Vec<f64> = self.0.numbers().iter().map(Amount::to_f64).collect();
        match (self.0.measure(), numbers.as_slice()) {
            (Measure::Epsilon, &[epsilon]) => Ok(Budget::Epsilon(epsilon)),
            (Measure::Rho, &[rho]) => Ok(Budget::Rho(rho)),
            (Measure::EpsilonDelta, &[epsilon, delta]) => Ok(Budget::EpsilonDelta(epsilon, delta)),
            _ => Err(Failure::question(format!("spend: {}: there are Epsilon, Rho and EpsilonDelta", self.0))),
        }
    }
}

/// The budget to spend on a question: an Epsilon, a Rho or an EpsilonDelta, or a Rest.
pub(crate) enum Spend {
    Budget(Budget),
    Rest,
}

impl Spend {
    /// The numbers, for a question of this session.
    pub(crate) fn of(&self, session: &Session) -> Fallible<Budget> {
        match self {
            Self::Budget(budget) => Ok(*budget),
            Self::Rest => Ok(rest(session.ledger(), session.account())?),
        }
    }
}

/// All that is left of the session's account, and of those above it that pay with it, when a question is priced.
///
/// >>> query.price(spend=Rest())  # doctest: +SKIP
#[pyclass(frozen, module = "indistinct")]
pub(crate) struct Rest;

#[pymethods]
impl Rest {
    #[new]
    fn new() -> Self {
        Self
    }

    fn __repr__(&self) -> &'static str {
        "Rest()"
    }
}

impl<'py> FromPyObject<'_, 'py> for Spend {
    type Error = PyErr;

    fn extract(spend: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if spend.cast::<Rest>().is_ok() {
            return Ok(Self::Rest);
        }
        let Ok(loss) = spend.cast::<Loss>() else {
            let rule = "spend: say in which measure: Epsilon(0.5), Rho(0.1) or EpsilonDelta(0.5, 1e-6); or Rest()";
            return Err(PyTypeError::new_err(rule));
        };
        Ok(Self::Budget(loss.get().to_spend()?))
    }
}

#[pymethods]
impl Loss {
    /// The name of the measure.
    #[getter]
    fn measure(&self) -> String {
        self.0.measure().name()
    }

    /// The floats nearest to its numbers, which are exact.
    #[getter]
    fn numbers(&self) -> Vec<f64> {
        self.0.numbers().iter().map(Amount::to_f64).collect()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let name = match self.0.measure() {
            Measure::Epsilon => "Epsilon",
            Measure::Rho => "Rho",
            Measure::EpsilonDelta => "EpsilonDelta",
            _ => return format!("<{}>", self.0),
        };
        let numbers: Vec<String> = self.numbers().iter().map(|number| format!("{number:?}")).collect();
        format!("{name}({})", numbers.join(", "))
    }
}

/// An epsilon of pure differential privacy.
///
/// >>> str(Epsilon(0.5))
/// 'epsilon 0.5'
#[pyclass(frozen, extends = Loss, module = "indistinct")]
pub(crate) struct Epsilon;

#[pymethods]
impl Epsilon {
    #[new]
    fn new(epsilon: f64) -> PyResult<PyClassInitializer<Self>> {
        let loss = Exact::epsilon(epsilon).map_err(Failure::from)?;
        Ok(PyClassInitializer::from(Loss(loss)).add_subclass(Self))
    }
}

/// A rho of zero-concentrated differential privacy.
#[pyclass(frozen, extends = Loss, module = "indistinct")]
pub(crate) struct Rho;

#[pymethods]
impl Rho {
    #[new]
    fn new(rho: f64) -> PyResult<PyClassInitializer<Self>> {
        let loss = Exact::rho(rho).map_err(Failure::from)?;
        Ok(PyClassInitializer::from(Loss(loss)).add_subclass(Self))
    }
}

/// An epsilon and a delta of approximate differential privacy.
#[pyclass(frozen, extends = Loss, module = "indistinct")]
pub(crate) struct EpsilonDelta;

#[pymethods]
impl EpsilonDelta {
    #[new]
    fn new(epsilon: f64, delta: f64) -> PyResult<PyClassInitializer<Self>> {
        let loss = Exact::epsilon_delta(epsilon, delta).map_err(Failure::from)?;
        Ok(PyClassInitializer::from(Loss(loss)).add_subclass(Self))
    }
}

/// An amount of a ledger, as an object of its class.
pub(crate) fn object(py: Python<'_>, loss: Exact) -> PyResult<Bound<'_, PyAny>> {
    let measure = loss.measure();
    let base = PyClassInitializer::from(Loss(loss));
    Ok(match measure {
        Measure::Epsilon => Bound::new(py, base.add_subclass(Epsilon))?.into_any(),
        Measure::Rho => Bound::new(py, base.add_subclass(Rho))?.into_any(),
        Measure::EpsilonDelta => Bound::new(py, base.add_subclass(EpsilonDelta))?.into_any(),
        _ => Bound::new(py, base)?.into_any(),
    })
}
