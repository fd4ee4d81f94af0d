//! Queries, built step by step.

use crate::{
    cells::cell,
    failure::{Failure, Fallible},
    lock::lock,
    loss::{self, Spend},
    priced::{Asked, PricedQuery, unknown_keys},
};
use indistinct::{
    frames::{Cell, Expr, KeySet, PerIndividual},
    queries::{Budget, Query as Built},
};
use indistinct_ledger::Loss;
use indistinct_sessions::Session as Open;
use pyo3::{
    prelude::*,
    types::{PyDict, PyString, PyTuple},
};
use std::sync::{Arc, Mutex};

/// A question about a table, built step by step. Each step returns a new query.
///
/// Values and conditions are expressions in the language of plans, as text: "days > 0", "year(admitted)".
#[pyclass(frozen, module = "indistinct")]
pub(crate) struct Query {
    session: Arc<Mutex<Open>>,
    table: String,
    built: Built,
}

impl Query {
    pub(crate) fn new(session: Arc<Mutex<Open>>, table: String, built: Built) -> Self {
        Self { session, table, built }
    }

    fn then(&self, step: impl FnOnce(Built) -> Built) -> Self {
        let (session, table) = (self.session.clone(), self.table.clone());
        Self { session, table, built: step(self.built.clone()) }
    }

    fn price_of(
        &self,
        py: Python<'_>,
        spend: &Spend,
        alpha: f64,
        ask: impl FnOnce(&Built, Budget) -> Fallible<Asked> + Send,
    ) -> PyResult<PricedQuery> {
        Ok(py.detach(|| {
            let session = lock(&self.session)?;
            let (loss, budget) = spend.of(&session)?;
            PricedQuery::of(&session, &self.table, &ask(&self.built, budget)?, Some(&loss), alpha)
        })?)
    }
}

fn expression(text: &str) -> Fallible<Expr> {
    Ok(text.parse::<Expr>()?)
}

#[pymethods]
impl Query {
    /// Keeps the rows for which a condition is true.
    fn filter(&self, condition: &str) -> PyResult<Self> {
        let condition = expression(condition)?;
        Ok(self.then(|query| query.filter(condition)))
    }

    /// Adds or replaces a column that is computed from the other columns of a row.
    fn with_column(&self, name: &str, value: &str) -> PyResult<Self> {
        let value = expression(value)?;
        Ok(self.then(|query| query.with_column(name, value)))
    }

    /// Combines the rows of each individual into one row, with the identifier and values computed from all of their
    /// rows: `per_individual(total="sum(days)", stays="count()")`.
    #[pyo3(signature = (**columns))]
    fn aggregate_per_individual(&self, columns: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut values = Vec::new();
        for (name, value) in columns.into_iter().flat_map(|columns| columns.iter()) {
            let value = value.extract::<String>()?.parse::<PerIndividual>().map_err(Failure::from)?;
            values.push((name.extract::<String>()?, value));
        }
        Ok(self.then(|query| query.aggregate_per_individual(values)))
    }

    /// Limits the number of rows of each individual that count, by default 1. The limit applies to each group if
    /// `max_groups_per_individual` is also called, and otherwise to all groups together.
    fn max_rows_per_individual(&self, rows: u32) -> Self {
        self.then(|query| query.max_rows_per_individual(rows))
    }

    /// Limits the number of groups in which each individual counts. By default, `count_individuals` and
    /// `price_unknown_keys` count each individual in one group.
    fn max_groups_per_individual(&self, groups: u32) -> Self {
        self.then(|query| query.max_groups_per_individual(groups))
    }

    /// Computes the statistics for each of these keys, which are public: `group_by(region=["north", "south"])`. With
    /// several columns, the keys are all combinations of their values.
    #[pyo3(signature = (*columns, **keys))]
    fn group_by(&self, columns: &Bound<'_, PyTuple>, keys: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        if !columns.is_empty() {
            let rule = "public keys must be listed, as in group_by(region=[\"north\", \"south\"]); if nobody can list them, \
                        use price_unknown_keys([\"region\"], spend=EpsilonDelta(...))";
            return Err(Failure::question(format!("group_by: {rule}")).into());
        }
        let mut columns: Vec<(String, Vec<Cell>)> = Vec::new();
        for (name, values) in keys.into_iter().flat_map(|keys| keys.iter()) {
            // One text alone is a sequence of its characters to Python.
            if values.is_instance_of::<PyString>() {
                return Err(Failure::question("group_by: a column's keys must be a list of values").into());
            }
            let cells = values.try_iter()?.map(|value| cell("group_by", &value?));
            columns.push((name.extract()?, cells.collect::<Fallible<_>>()?));
        }
        let keys = KeySet::product(columns).map_err(Failure::from)?;
        Ok(self.then(|query| query.group_by(keys)))
    }

    /// Adds the number of rows.
    fn count(&self) -> Self {
        self.then(Built::count)
    }

    /// Adds the number of individuals with a row. Each counts in one group, or in as many as
    /// `max_groups_per_individual` allows.
    fn count_individuals(&self) -> Self {
        self.then(Built::count_individuals)
    }

    /// Adds the number of rows in which a value is not missing.
    fn count_non_null(&self, value: &str) -> PyResult<Self> {
        let value = expression(value)?;
        Ok(self.then(|query| query.count_non_null(value)))
    }

    /// Adds the number of distinct values that are not missing.
    fn count_distinct(&self, value: &str) -> PyResult<Self> {
        let value = expression(value)?;
        Ok(self.then(|query| query.count_distinct(value)))
    }

    /// Adds the sum of a value, clamped between bounds.
    fn sum(&self, value: &str, bounds: (f64, f64)) -> PyResult<Self> {
        let value = expression(value)?;
        Ok(self.then(|query| query.sum(value, bounds)))
    }

    /// Adds the mean of a value, clamped between bounds, over the rows in which it is not missing.
    fn mean(&self, value: &str, bounds: (f64, f64)) -> PyResult<Self> {
        let value = expression(value)?;
        Ok(self.then(|query| query.mean(value, bounds)))
    }

    /// Adds the variance of a value, clamped between bounds, over the rows in which it is not missing.
    fn variance(&self, value: &str, bounds: (f64, f64)) -> PyResult<Self> {
        let value = expression(value)?;
        Ok(self.then(|query| query.variance(value, bounds)))
    }

    /// Adds the square root of the variance.
    fn standard_deviation(&self, value: &str, bounds: (f64, f64)) -> PyResult<Self> {
        let value = expression(value)?;
        Ok(self.then(|query| query.standard_deviation(value, bounds)))
    }

    /// Adds the covariance of two values, each clamped between its own bounds.
    fn covariance(&self, value: &str, bounds: (f64, f64), other: &str, others: (f64, f64)) -> PyResult<Self> {
        let (value, other) = (expression(value)?, expression(other)?);
        Ok(self.then(|query| query.covariance((value, bounds), (other, others))))
    }

    /// Adds quantiles of a value at levels from 0 to 1, computed from counts of the bins between ascending edges.
    fn quantiles(&self, value: &str, edges: Vec<f64>, levels: Vec<f64>) -> PyResult<Self> {
        let value = expression(value)?;
        Ok(self.then(|query| query.quantiles(value, edges, &levels)))
    }

    /// Renames the last statistic.
    fn alias(&self, name: &str) -> Self {
        self.then(|query| query.alias(name))
    }

    /// Sets the weight of the last statistic. The budget is divided in proportion to weights, which are 1 by default.
    fn weight(&self, weight: f64) -> Self {
        self.then(|query| query.weight(weight))
    }

    /// Returns the smallest budget of the whole query for which a statistic, a count or a sum, is within `within` of
    /// its value without noise, except with probability at most `alpha`. The result is an Epsilon; with `measure="rho"`
    /// it is a Rho, and with a `delta` an EpsilonDelta.
    #[pyo3(signature = (statistic, within, *, measure="epsilon", delta=None, alpha=0.05))]
    fn least_budget<'py>(
        &self,
        py: Python<'py>,
        statistic: &str,
        within: f64,
        measure: &str,
        delta: Option<f64>,
        alpha: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kind = |number: f64| match (measure, delta) {
            ("rho", _) => Budget::Rho(number),
            (_, Some(delta)) => Budget::EpsilonDelta(number, delta),
            _ => Budget::Epsilon(number),
        };
        if !matches!((measure, delta), ("epsilon", _) | ("rho", None)) {
            return Err(Failure::question(
                "measure must be \"epsilon\", with or without a delta, or \"rho\", without one",
            )
            .into());
        }
        let least = py.detach(|| -> Fallible<Loss> {
            Ok(match self.built.least_budget(kind, statistic, within, alpha)? {
                Budget::Rho(rho) => Loss::rho(rho)?,
                Budget::EpsilonDelta(epsilon, delta) => Loss::epsilon_delta(epsilon, delta)?,
                Budget::Epsilon(epsilon) => Loss::epsilon(epsilon)?,
                other => return Err(Failure::question(format!("least_budget: {other}"))),
            })
        })?;
        loss::object(py, least)
    }

    /// Returns the price of the query, and the accuracy of its answer. No data are opened and nothing is spent. Each
    /// interval fails with probability `alpha`.
    #[pyo3(signature = (*, spend, alpha=0.05))]
    fn price(&self, py: Python<'_>, spend: Spend, alpha: f64) -> PyResult<PricedQuery> {
        self.price_of(py, &spend, alpha, |query, budget| Ok(Asked::Query(query.measurement(budget)?)))
    }

    /// Returns the price of counts by unknown keys (partition selection): the values of these columns that occur often
    /// enough. The query's sums and means are released beside the count, which is named `count`. It costs an epsilon
    /// and a delta.
    #[pyo3(signature = (columns, *, spend, alpha=0.05))]
    fn price_unknown_keys(
        &self,
        py: Python<'_>,
        columns: Vec<String>,
        spend: Spend,
        alpha: f64,
    ) -> PyResult<PricedQuery> {
        self.price_of(py, &spend, alpha, |query, budget| unknown_keys(query, columns, None, budget))
    }

    /// Returns the price of finding unknown bounds of a value, among powers of two: for a and b in `exponents`, from
    /// 2^a to 2^b, with either sign.
    #[pyo3(signature = (value, exponents, *, spend, alpha=0.05))]
    fn price_bounds(
        &self,
        py: Python<'_>,
        value: &str,
        exponents: (i32, i32),
        spend: Spend,
        alpha: f64,
    ) -> PyResult<PricedQuery> {
        let value = expression(value)?;
        self.price_of(py, &spend, alpha, |query, budget| match budget {
            Budget::Epsilon(epsilon) => Ok(Asked::Bounds(query.bounds(value, exponents, epsilon)?)),
            _ => Err(Failure::question("spend must be an Epsilon to find bounds")),
        })
    }

    fn __repr__(&self) -> String {
        format!("<Query of {:?}>", self.table)
    }
}
