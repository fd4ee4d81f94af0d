//! Questions in SQL, or as a plan.

use crate::{
    arguments::QuestionArguments,
    commands::{
        loss, plan,
        rest::{payer, rest},
    },
    failure::Failure,
    schema::Schema,
};
use indistinct::{
    core::Released,
    measures::{Approximate, MaxDivergence, RenyiDivergence, ZeroConcentratedDivergence},
    plans::FrameMeasurement,
    queries::{Budget, Query, QueryMeasurement, UnknownKeysMeasurement, View},
};
use indistinct_ledger::{Loss, Measure};
use indistinct_sessions::{Certificate, Question, Tabular, Tabulated, budget_of};
use indistinct_sql::{UnknownKeys, question};
use std::cell::RefCell;

/// A question, and its table.
pub(super) struct Asked {
    pub(super) table: String,
    pub(super) question: Form,
    /// The amount to spend on it, if one was given.
    pub(super) spend: Option<Loss>,
    /// The view of the answer that a statement shows.
    view: Option<View>,
}

impl Asked {
    /// Returns the rows and columns of the answer that the statement shows.
    pub(super) fn viewed(&self, table: Tabulated) -> Result<Tabulated, Failure> {
        Ok(match &self.view {
            Some(view) => table.viewed(view)?,
            None => table,
        })
    }
}

pub(super) enum Form {
    Query(QueryMeasurement),
    UnknownKeys(UnknownKeysMeasurement),
    Plan(FrameMeasurement),
}

pub(super) fn asked(arguments: &QuestionArguments, schema: &Schema) -> Result<Asked, Failure> {
    let unit = schema.unit()?;
    if let Some(path) = &arguments.plan {
        let measurement = plan(path)?;
        let only = (schema.tables.len() == 1).then(|| schema.tables.keys().next().cloned()).flatten();
        let none = || Failure::new(2, "the schema has several tables: name one with --table");
        let table = arguments.table.clone().or(only).ok_or_else(none)?;
        return Ok(Asked { table, question: Form::Plan(measurement), spend: None, view: None });
    }
    let sql = arguments.sql.as_deref().unwrap_or_default();
    let spend = match (arguments.spend.as_deref(), arguments.within) {
        (None, Some(_)) => None,
        (Some("rest"), _) => Some(rest(arguments)?),
        (said, _) => Some(loss(said.unwrap_or_default())?),
    };
    let budget = spend.as_ref().map(budget_of).transpose()?;
    let queries = schema.tables.iter().map(|(name, table)| {
        let domain = table.domain().map_err(|error| Failure::input(format!("table {name:?}: {error}")))?;
        Ok((name.as_str(), unit.query(&domain, table.leaves_out_rows(&domain)?)))
    });
    let tables = queries.collect::<Result<Vec<_>, Failure>>()?;
    // Of public tables those are opened that the statement joins.
    let unopened = RefCell::new(None);
    let public = |name: &str| {
        schema.public_table(name).unwrap_or_else(|failure| {
            unopened.replace(Some(failure));
            None
        })
    };
    let asked = question(sql, &tables, public);
    if let Some(failure) = unopened.take() {
        return Err(failure);
    }
    let asked = asked.map_err(|error| Failure::in_text(error.to_string(), "the question", sql, error.place))?;
    let mut query = asked.query;
    if let Some(rows) = arguments.max_rows_per_individual {
        query = query.max_rows_per_individual(rows);
    }
    if let Some(groups) = arguments.max_groups_per_individual {
        query = query.max_groups_per_individual(groups);
    }
    let budget = match (budget, &asked.unknown_keys) {
        (Some(budget), _) => budget,
        (None, None) => within(arguments, &query)?,
        (None, Some(_)) => {
            return Err(Failure::new(2, "--within cannot be used with unknown keys; use --spend epsilon=…,delta=…"));
        }
    };
    let question = match asked.unknown_keys {
        None => Form::Query(query.measurement(budget)?),
        Some(UnknownKeys { keys, count, .. }) => Form::UnknownKeys(unknown_keys(&query, keys, budget)?.alias(count)?),
    };
    Ok(Asked { table: asked.table, question, spend, view: Some(asked.view) })
}

/// The smallest budget of three digits with which every count and sum of a query is as exact as `--within` says: a rho
/// where the account is in one, and otherwise an epsilon.
fn within(arguments: &QuestionArguments, query: &Query) -> Result<Budget, Failure> {
    let (within, alpha) = (arguments.within.unwrap_or_default(), arguments.alpha);
    if !(within > 0.0 && within.is_finite()) {
        return Err(Failure::new(2, "--within must be positive and finite"));
    }
    let total = payer(arguments).and_then(|(ledger, account)| Ok(ledger.budget(&account)?.total));
    let is_rho = total.is_ok_and(|total| total.measure() == Measure::Rho);
    let kind = |number: f64| if is_rho { Budget::Rho(number) } else { Budget::Epsilon(number) };
    let number = |budget: &Budget| match budget {
        Budget::Rho(number) | Budget::Epsilon(number) | Budget::EpsilonDelta(number, _) => *number,
        _ => f64::INFINITY,
    };
    let measurement = query.measurement(kind(1.0))?;
    let known = measurement.accuracy(alpha)?.into_iter().filter(|(_, accuracy)| accuracy.number().is_some());
    let mut least = None;
    for (name, _) in known {
        let found = query.least_budget(kind, name, within, alpha)?;
        least = Some(least.map_or(number(&found), |other: f64| other.max(number(&found))));
    }
    let none =
        || Failure::new(2, "--within needs a count or a sum, because only their accuracy is known before the release");
    let budget = kind(least.ok_or_else(none)?);
    let said = budget.to_string().replacen(' ', "=", 1);
    eprintln!(
        "note: --spend {said} is the smallest budget of three digits that keeps the noise of counts and sums within {within}"
    );
    Ok(budget)
}

fn unknown_keys(query: &Query, columns: Vec<String>, budget: Budget) -> Result<UnknownKeysMeasurement, Failure> {
    match budget {
        Budget::EpsilonDelta(epsilon, delta) => Ok(query.count_unknown_keys(columns, (epsilon, delta))?),
        _ => {
            let rule = "nothing lists the keys, and finding them (partition selection) costs a delta";
            let way = "use --spend epsilon=…,delta=…, with an account that has a delta, or list the keys";
            Err(Failure::input(format!("{}: {rule}: {way}", columns.join(", "))))
        }
    }
}

/// The table of what was released for a question, whose plan must be that of the certificate.
pub(crate) fn answered(
    arguments: &QuestionArguments,
    certificate: &Certificate,
    released: &Released,
    alpha: f64,
) -> Result<Tabulated, Failure> {
    let asked = asked(arguments, &Schema::read(&arguments.schema)?)?;
    let table = match &asked.question {
        Form::Query(question) => table(question, certificate, released, alpha),
        Form::UnknownKeys(question) => table(question, certificate, released, alpha),
        Form::Plan(question) => table(question, certificate, released, alpha),
    };
    asked.viewed(table?)
}

fn table<Q: Question>(
    question: &Q,
    certificate: &Certificate,
    released: &Released,
    alpha: f64,
) -> Result<Tabulated, Failure> {
    // It was priced in the measure of the account.
    let expressed = [
        question.in_measure::<MaxDivergence>(),
        question.in_measure::<Approximate<MaxDivergence>>(),
        question.in_measure::<ZeroConcentratedDivergence>(),
        question.in_measure::<RenyiDivergence>(),
    ];
    let is_of_it = |question: &Q| question.measurement().to_json().is_ok_and(|plan| plan == certificate.plan);
    let question = expressed.into_iter().flatten().find(is_of_it).ok_or_else(|| {
        let rule = "the certificate: its plan differs from the plan of the question";
        let options = "--spend, --max-rows-per-individual, --max-groups-per-individual and --schema";
        Failure::new(6, format!("{rule}: {options} must be the same as for the release"))
    })?;
    Ok(question.answer(released, alpha)?.tabulated().with_limits_of(&certificate.plan))
}
