//! Steps on a table before its statistics.

use crate::{
    core::{Fallible, ToParameter},
    frames::{Expr, FrameDomain, PerIndividual, make_aggregate_individuals, make_with_columns},
    metrics::{SymmetricDistance, SymmetricIdDistance},
    plans::Call,
};

/// A step on a table before its statistics.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// Keeps the rows that satisfy a condition.
    Filter(Expr),
    /// Adds or replaces columns.
    Columns(Vec<(String, Expr)>),
    /// Combines the rows of each individual into one, with these columns and the identifier.
    PerIndividual(Vec<(String, PerIndividual)>),
}

impl Step {
    /// Returns the step of a plan.
    pub(super) fn call(&self) -> Call {
        match self {
            Step::Filter(condition) => Call::new("filter_rows", [("condition".to_owned(), condition.to_parameter())]),
            Step::Columns(columns) => Call::new("with_columns", [("columns".to_owned(), columns.to_parameter())]),
            Step::PerIndividual(columns) => {
                let by = ("by".to_owned(), Vec::<String>::new().to_parameter());
                Call::new("aggregate_individuals", [by, ("columns".to_owned(), columns.to_parameter())])
            }
        }
    }

    /// Returns the domain of the table after this step.
    pub(super) fn after(&self, table: FrameDomain) -> Fallible<FrameDomain> {
        match self {
            Step::Filter(_) => Ok(table),
            Step::Columns(columns) => {
                Ok(make_with_columns(table, SymmetricDistance, columns.clone())?.output_domain().clone())
            }
            Step::PerIndividual(columns) => {
                let none = Vec::<String>::new();
                let rows = make_aggregate_individuals(table, SymmetricIdDistance, none, columns.clone())?;
                Ok(rows.output_domain().clone())
            }
        }
    }
}
