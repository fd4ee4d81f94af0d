//! Aggregates of SQL as statistics of a query.

use crate::{
    error::Error,
    expression::{Names, arguments, cell, float, name_of, plain_arguments},
};
use indistinct::{
    frames::{Expr, Kind, col},
    queries::Query,
};
use sqlparser::ast::{
    DuplicateTreatment, Expr as Sql, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Value,
};

/// Aggregates that can be counted for unknown keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    Rows,
    Individuals,
}

/// The number of bins of quantiles, unless the values are integers.
const BINS: u32 = 100;

impl Names<'_> {
    /// Returns the kind of count, if an aggregate is only a count of rows or individuals.
    pub(crate) fn counted(&self, sql: &Sql) -> Option<Counted> {
        let Sql::Function(function) = sql else { return None };
        match (name_of(function).as_str(), function.to_string().as_str()) {
            ("COUNT", text) if text.eq_ignore_ascii_case("COUNT(*)") => Some(Counted::Rows),
            ("COUNT", _) if self.is_of_individuals(function) => Some(Counted::Individuals),
            _ => None,
        }
    }

    /// Returns true for `COUNT(DISTINCT id)` of the column of individuals.
    fn is_of_individuals(&self, function: &Function) -> bool {
        distinct(function)
            .and_then(|value| self.expression(value).ok())
            .is_some_and(|value| self.domain.individuals().is_some_and(|name| value == col(name)))
    }

    /// Adds a statistic to the query.
    pub(crate) fn aggregate(&self, query: Query, sql: &Sql) -> Result<Query, Error> {
        let Sql::Function(function) = sql else {
            return Err(Error::at(sql, format!("{sql} is neither an aggregate nor in GROUP BY")));
        };
        match self.counted(sql) {
            Some(Counted::Rows) => return Ok(query.count()),
            Some(Counted::Individuals) => return Ok(query.count_individuals()),
            None => {}
        }
        let name = name_of(function);
        if let (Some(value), "COUNT") = (distinct(function), name.as_str()) {
            return Ok(query.count_distinct(self.computed(value, self.expression(value)?)?));
        }
        if name == "PERCENTILE_CONT" {
            let (value, level) = percentile(function).ok_or_else(|| unknown(sql))?;
            return self.quantile(query, value, level);
        }
        let values = plain_arguments(function).ok_or_else(|| unknown(sql))?;
        match (name.as_str(), values.as_slice()) {
            ("COUNT", [value]) => Ok(query.count_non_null(self.computed(value, self.expression(value)?)?)),
            ("SUM", [value]) => self.bounded(value).map(|(value, bounds)| query.sum(value, bounds)),
            ("AVG", [value]) => self.bounded(value).map(|(value, bounds)| query.mean(value, bounds)),
            ("VAR_POP", [value]) => self.bounded(value).map(|(value, bounds)| query.variance(value, bounds)),
            ("STDDEV_POP", [value]) => {
                self.bounded(value).map(|(value, bounds)| query.standard_deviation(value, bounds))
            }
            ("COVAR_POP", [value, other]) => Ok(query.covariance(self.bounded(value)?, self.bounded(other)?)),
            ("MEDIAN", [value]) => self.quantile(query, value, 0.5),
            ("QUANTILE", [value, level]) => {
                let level = number(level)
                    .ok_or_else(|| Error::at(*level, "the level of a quantile must be a number from 0 to 1"))?;
                self.quantile(query, value, level)
            }
            ("VARIANCE" | "VAR_SAMP" | "STDDEV" | "STDDEV_SAMP", _) => {
                let rule = "divides by one less than the number of rows; use VAR_POP or STDDEV_POP";
                Err(Error::at(sql, format!("{name} {rule}")))
            }
            _ => Err(unknown(sql)),
        }
    }

    fn quantile(&self, query: Query, value: &Sql, level: f64) -> Result<Query, Error> {
        let (expression, (low, high)) = self.bounded(value)?;
        let is_whole = self.described(value, &expression)?.kind() == Kind::Integer;
        let edges: Vec<f64> = if is_whole && high - low < 1000.0 {
            // One for each number, which is at its lower edge.
            let whole = |step: i32| low.ceil() + f64::from(step);
            (0..).map(whole).take_while(|edge| *edge <= high + 1.0).collect()
        } else {
            (0..=BINS).map(|bin| low + (high - low) * (f64::from(bin) / f64::from(BINS))).collect()
        };
        Ok(query.quantiles(expression, edges, &[level]))
    }

    /// Returns a value with its bounds.
    fn bounded(&self, sql: &Sql) -> Result<(Expr, (f64, f64)), Error> {
        let value = self.expression(sql)?;
        let domain = self.described(sql, &value)?;
        let instead = match domain.kind() {
            Kind::Text | Kind::Category => {
                Some(format!("CLAMP(CAST({sql} AS DOUBLE PRECISION), lowest, highest), or declare it as a number"))
            }
            Kind::Bool => Some(format!("CASE WHEN {sql} THEN 1 ELSE 0 END")),
            _ => None,
        };
        if let Some(instead) = instead {
            let kind = domain.kind();
            return Err(Error::at(sql, format!("{sql} is of type {kind}, and not a number: use {instead}")));
        }
        let bounds = domain.bounds();
        let bounds = bounds.and_then(|(low, high)| Some((float(low)?, float(high)?)));
        let other = "bounds of its column in the schema";
        let rule = format!("{sql} needs bounds: CLAMP({sql}, lowest, highest), or {other}");
        bounds.map(|bounds| (value, bounds)).ok_or_else(|| Error::at(sql, rule))
    }
}

fn unknown(sql: &Sql) -> Error {
    let known = "COUNT, SUM, AVG, VAR_POP, STDDEV_POP, COVAR_POP, MEDIAN, QUANTILE and PERCENTILE_CONT";
    Error::at(sql, format!("{sql} is not an aggregate of private queries; the aggregates are {known}"))
}

/// Returns the value of `COUNT(DISTINCT value)`, and `None` for any other call.
fn distinct(function: &Function) -> Option<&Sql> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let [FunctionArg::Unnamed(FunctionArgExpr::Expr(value))] = list.args.as_slice() else { return None };
    let is_distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
    let is_all = function.to_string() == format!("{}(DISTINCT {value})", function.name);
    (is_distinct && is_all).then_some(value)
}

/// Returns the value and the level of `PERCENTILE_CONT(level) WITHIN GROUP (ORDER BY value)`, and `None` for any other
/// call.
fn percentile(function: &Function) -> Option<(&Sql, f64)> {
    let values = arguments(function)?;
    let ([level], [order]) = (values.as_slice(), function.within_group.as_slice()) else { return None };
    let is_all = function.to_string() == format!("{}({level}) WITHIN GROUP (ORDER BY {})", function.name, order.expr);
    is_all.then_some((&order.expr, number(level)?))
}

fn number(sql: &Sql) -> Option<f64> {
    let Sql::Value(value) = sql else { return None };
    match (&value.value, cell(&value.value)?) {
        (Value::Number(text, _), _) => text.parse().ok(),
        _ => None,
    }
}
