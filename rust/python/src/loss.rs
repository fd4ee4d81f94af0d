//! Budgets and costs.

use crate::failure::{Failure, Fallible};
use indistinct::queries::Budget;
use indistinct_ledger::{Amount, Loss as Exact, Measure};
use indistinct_sessions::{Session, budget_of};
use pyo3::{
    Borrowed,
    exceptions::PyTypeError,
    prelude::*,
    types::{PyFloat, PyInt, PyString},
};

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
}

/// The budget to spend on a question: an Epsilon, a Rho or an EpsilonDelta, or a Rest.
pub(crate) enum Spend {
    Loss(Exact),
    Rest,
}

impl Spend {
    /// Exactly what is spent on a question of this session, and the budget that the question is made for.
    pub(crate) fn of(&self, session: &Session) -> Fallible<(Exact, Budget)> {
        let loss = match self {
            Self::Loss(loss) => loss.clone(),
            Self::Rest => session.ledger()?.rest(session.account()?)?,
        };
        let budget = budget_of(&loss)?;
        Ok((loss, budget))
    }
}

/// The whole remaining budget of the session's account and the accounts above it that also pay, when a question is
/// priced.
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
            let rule = "spend must be a loss in a measure, such as Epsilon(0.5), Rho(0.1) or EpsilonDelta(0.5, 1e-6), or Rest()";
            return Err(PyTypeError::new_err(rule));
        };
        Ok(Self::Loss(loss.get().exact().clone()))
    }
}

#[pymethods]
impl Loss {
    /// The name of the measure.
    #[getter]
    fn measure(&self) -> String {
        self.0.measure().name()
    }

    /// The floats nearest to its numbers, which are exact decimals: `str` of the loss has them.
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
        let number = |amount: &Amount| {
            let near = amount.to_f64();
            match Amount::try_from(near) {
                Ok(written) if written == *amount => format!("{near:?}"),
                _ => format!("\"{amount}\""),
            }
        };
        let numbers: Vec<String> = self.0.numbers().iter().map(number).collect();
        format!("{name}({})", numbers.join(", "))
    }
}

/// An exact amount of a number, a text or a `decimal.Decimal`: a float is the decimal that Python prints for it.
struct Number(Amount);

impl<'py> FromPyObject<'_, 'py> for Number {
    type Error = PyErr;

    fn extract(number: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let is_decimal = || number.is_instance(&number.py().import("decimal")?.getattr("Decimal")?);
        let is_text = number.is_instance_of::<PyString>() || number.is_instance_of::<PyInt>();
        let amount = if !number.is_instance_of::<PyFloat>() && (is_text || is_decimal()?) {
            number.str()?.to_str()?.parse::<Amount>()
        } else {
            Amount::try_from(number.extract::<f64>()?)
        };
        Ok(Self(amount.map_err(Failure::from)?))
    }
}

/// An epsilon of pure differential privacy.
///
/// A number is exactly the decimal as written: 0.1 is one tenth, and ten times 0.1 is 1.
///
/// >>> str(Epsilon(0.1))
/// 'epsilon 0.1'
/// >>> Epsilon(0.1) == Epsilon("0.10")
/// True
#[pyclass(frozen, extends = Loss, module = "indistinct")]
pub(crate) struct Epsilon;

#[pymethods]
impl Epsilon {
    #[new]
    fn new(epsilon: Number) -> PyResult<PyClassInitializer<Self>> {
        let loss = Exact::epsilon(epsilon.0).map_err(Failure::from)?;
        Ok(PyClassInitializer::from(Loss(loss)).add_subclass(Self))
    }
}

/// A rho of zero-concentrated differential privacy.
#[pyclass(frozen, extends = Loss, module = "indistinct")]
pub(crate) struct Rho;

#[pymethods]
impl Rho {
    #[new]
    fn new(rho: Number) -> PyResult<PyClassInitializer<Self>> {
        let loss = Exact::rho(rho.0).map_err(Failure::from)?;
        Ok(PyClassInitializer::from(Loss(loss)).add_subclass(Self))
    }
}

/// An epsilon and a delta of approximate differential privacy.
#[pyclass(frozen, extends = Loss, module = "indistinct")]
pub(crate) struct EpsilonDelta;

#[pymethods]
impl EpsilonDelta {
    #[new]
    fn new(epsilon: Number, delta: Number) -> PyResult<PyClassInitializer<Self>> {
        let loss = Exact::epsilon_delta(epsilon.0, delta.0).map_err(Failure::from)?;
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
