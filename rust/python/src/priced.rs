//! Questions with their prices.

use crate::{
    failure::{Failure, Fallible},
    loss,
};
use indistinct::{
    core::Released,
    plans::FrameMeasurement,
    queries::{BoundsMeasurement, Budget, Query, QueryMeasurement, UnknownKeysMeasurement, View},
};
use indistinct_ledger::Loss;
use indistinct_report::escaped;
use indistinct_sessions::{
    Certificate, PricedQuery as PricedBy, Question, Session, Tabular, Tabulated, limit_in_words, limits_of,
};
use pyo3::{prelude::*, types::PyDict};
use std::sync::Mutex;

/// The forms of a question.
pub(crate) enum Asked {
    Query(QueryMeasurement),
    UnknownKeys(UnknownKeysMeasurement),
    Bounds(BoundsMeasurement),
    Plan(FrameMeasurement),
}

/// Counts of unknown keys, and sums beside them, for which a delta is needed.
pub(crate) fn unknown_keys(
    query: &Query,
    columns: Vec<String>,
    name: Option<String>,
    budget: Budget,
) -> Fallible<Asked> {
    match budget {
        Budget::EpsilonDelta(epsilon, delta) => {
            let counts = query.count_unknown_keys(columns, (epsilon, delta))?;
            Ok(Asked::UnknownKeys(match name {
                Some(name) => counts.alias(name)?,
                None => counts,
            }))
        }
        _ => {
            let rule = "its keys are unknown, and finding them costs a delta: spend EpsilonDelta, or list them";
            Err(Failure::question(format!("{}: {rule}", columns.join(", "))))
        }
    }
}

/// A question that a session has priced.
pub(crate) enum Form {
    Query(PricedBy<QueryMeasurement>),
    UnknownKeys(PricedBy<UnknownKeysMeasurement>),
    Bounds(PricedBy<BoundsMeasurement>),
    Plan(PricedBy<FrameMeasurement>),
}

/// The answer with intervals that fail with another probability.
pub(crate) type Again = Box<dyn Fn(f64) -> Fallible<Tabulated> + Send + Sync>;

/// The release of a question.
pub(crate) struct Answered {
    pub(crate) table: Tabulated,
    /// The probability with which each of its intervals fails.
    pub(crate) alpha: f64,
    pub(crate) again: Again,
    pub(crate) released: String,
    pub(crate) certificate: Certificate,
    pub(crate) is_replay: bool,
}

impl Form {
    pub(crate) fn release(self, session: &mut Session, name: &str) -> Fallible<Answered> {
        match self {
            Form::Query(priced) => answered(session, priced, name),
            Form::UnknownKeys(priced) => answered(session, priced, name),
            Form::Bounds(priced) => answered(session, priced, name),
            Form::Plan(priced) => answered(session, priced, name),
        }
    }
}

fn answered<Q>(session: &mut Session, priced: PricedBy<Q>, name: &str) -> Fallible<Answered>
where
    Q: Question + Clone + Send + Sync + 'static,
{
    let (alpha, question) = (priced.alpha(), priced.question().clone());
    let release = session.release(priced, name)?;
    let plan = release.certificate.plan.clone();
    let table = release.answer.tabulated().with_limits_of(&plan);
    let (released, is_replay) = (release.released, release.is_replay);
    let text = released.clone();
    let again =
        move |alpha| Ok(question.answer(&Released::from_json(&text)?, alpha)?.tabulated().with_limits_of(&plan));
    Ok(Answered { table, alpha, again: Box::new(again), released, certificate: release.certificate, is_replay })
}

/// A question with its cost and the accuracy of its answer. Its release uses it up.
///
/// It prints the remaining budget, and every step of the construction with its map.
#[pyclass(frozen, module = "indistinct")]
pub(crate) struct PricedQuery {
    form: Mutex<Option<Form>>,
    loss: Loss,
    is_affordable: Option<bool>,
    accuracy: Vec<(String, String)>,
    limits: Vec<String>,
    sql: Option<String>,
    view: Option<View>,
    summary: String,
    text: String,
}

impl PricedQuery {
    /// The price of a question, on which exactly `spend` is spent if somebody said how much.
    pub(crate) fn of(
        session: &Session,
        table: &str,
        asked: &Asked,
        spend: Option<&Loss>,
        alpha: f64,
    ) -> Fallible<Self> {
        let said = (spend, alpha);
        match asked {
            Asked::Query(question) => Self::new(session, table, question, said, Form::Query),
            Asked::UnknownKeys(question) => Self::new(session, table, question, said, Form::UnknownKeys),
            Asked::Bounds(question) => Self::new(session, table, question, said, Form::Bounds),
            Asked::Plan(question) => Self::new(session, table, question, said, Form::Plan),
        }
    }

    fn new<Q: Question>(
        session: &Session,
        table: &str,
        question: &Q,
        (spend, alpha): (Option<&Loss>, f64),
        form: fn(PricedBy<Q>) -> Form,
    ) -> Fallible<Self> {
        let priced = session.price(table, question)?.with_alpha(alpha)?;
        let priced = match spend {
            Some(spend) => priced.spending(spend)?,
            None => priced,
        };
        let accuracy = priced.accuracy_in_words()?;
        let (loss, is_affordable) = (priced.loss().clone(), session.ledger().is_ok().then(|| priced.is_affordable()));
        let limits = limits_of(&question.measurement().to_json()?).unwrap_or_default();
        let words: String = limits.iter().map(|limit| format!("\n{}", limit_in_words(*limit))).collect();
        let limits = limits.iter().map(ToString::to_string).collect();
        let (summary, text) = (priced.summary()? + &words, priced.to_string().trim_end().to_owned() + &words);
        let form = Mutex::new(Some(form(priced)));
        Ok(Self { form, loss, is_affordable, accuracy, limits, sql: None, view: None, summary, text })
    }

    /// The same, of this statement, which shows this of its answer.
    pub(crate) fn of_sql(self, statement: &str, view: View) -> Self {
        Self { sql: Some(statement.to_owned()), view: Some(view), ..self }
    }

    /// The view of the answer that its statement shows.
    pub(crate) fn view(&self) -> Option<&View> {
        self.view.as_ref()
    }

    /// The statement, if the question was asked by one.
    pub(crate) fn sql(&self) -> Option<&str> {
        self.sql.as_deref()
    }

    /// The question, for its release; once.
    pub(crate) fn take(&self) -> Fallible<Form> {
        let used = || Failure::question("the price was used up by a release: price the question again");
        self.form.lock().map_err(|_| used())?.take().ok_or_else(used)
    }
}

#[pymethods]
impl PricedQuery {
    /// The loss of the release.
    #[getter]
    fn cost<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loss::object(py, self.loss.clone())
    }

    /// True if the account, and each account above it, had enough budget when the question was priced; None for a
    /// session without a ledger.
    #[getter]
    fn affordable(&self) -> Option<bool> {
        self.is_affordable
    }

    /// The contribution limits in words; empty if all rows of each individual count.
    #[getter]
    fn contribution_limits(&self) -> Vec<String> {
        self.limits.clone()
    }

    /// A bound on the distance of each statistic from the value without noise, in words.
    #[getter]
    fn accuracy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let told = PyDict::new(py);
        self.accuracy.iter().try_for_each(|(name, accuracy)| told.set_item(name, accuracy))?;
        Ok(told)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<PricedQuery: {}>", self.loss)
    }

    fn _repr_html_(&self) -> String {
        format!("<pre>{}</pre>", escaped(&self.summary))
    }
}
