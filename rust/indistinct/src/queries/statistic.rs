//! The statistics of each group.

use super::{
    limits::{Limit, Limits},
    parts::{Part, described},
};
use crate::{
    core::Fallible,
    frames::{Cell, Expr, FrameDomain, when},
};
use indistinct_numeric::RoundedFrom;

/// A statistic of each group, and its weight in the budget.
#[derive(Debug, Clone)]
pub(super) struct Statistic {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) weight: f64,
    /// The bounds of all values of a quantile, if the table states them.
    pub(super) limits: Option<(f64, f64)>,
}

impl Statistic {
    /// Returns this statistic for a table.
    pub(super) fn of(mut self, table: &FrameDomain) -> Fallible<Self> {
        if let Kind::Quantile(value, ..) = &self.kind {
            let number = |cell: Cell| match cell {
                Cell::Float(number) => Some(number),
                Cell::Integer(number) => f64::nearest_from(&number).ok(),
                _ => None,
            };
            let bounds = described(table, value)?.bounds();
            self.limits = bounds.and_then(|(low, high)| number(low).zip(number(high)));
        }
        Ok(self)
    }

    /// Returns true if it is a number of rows, of individuals or of values.
    pub(super) fn is_count(&self) -> bool {
        matches!(self.kind, Kind::Count(_) | Kind::Individuals | Kind::Distinct(_))
    }
}

#[derive(Debug, Clone)]
pub(super) enum Kind {
    Count(Option<Expr>),
    Individuals,
    Distinct(Expr),
    Sum(Expr, (f64, f64)),
    Mean(Expr, (f64, f64)),
    Variance(Expr, (f64, f64)),
    Deviation(Expr, (f64, f64)),
    Covariance((Expr, (f64, f64)), (Expr, (f64, f64))),
    Quantile(Expr, Vec<f64>, f64),
}

impl Kind {
    /// Returns the contribution limit of this statistic with this many groups; `None` if all rows of each individual
    /// count.
    pub(super) fn limit(&self, limits: Limits, groups: usize) -> Option<Limit> {
        let rows = u64::from(limits.rows);
        match (self, limits.groups.filter(|_| groups > 1)) {
            _ if limits.is_joined => None,
            (Kind::Individuals, _) => {
                let most = limits.groups_of_individual();
                let is_less = usize::try_from(most).is_ok_and(|most| most < groups);
                is_less.then_some(Limit::Groups(most.into()))
            }
            (_, Some(most)) => Some(Limit::RowsInGroups { groups: most.into(), rows }),
            (_, None) => Some(Limit::Rows(rows)),
        }
    }

    /// Returns the parts to release for it, in the order in which its estimate uses them.
    pub(super) fn parts(&self, table: &FrameDomain) -> Fallible<Vec<Part>> {
        Ok(match self {
            Kind::Count(value) => vec![Part::Count(value.clone())],
            Kind::Individuals => vec![Part::Individuals],
            Kind::Distinct(value) => vec![Part::Distinct(value.clone())],
            Kind::Sum(value, bounds) => vec![Part::Sum(value.clone(), *bounds)],
            Kind::Mean(value, bounds) => {
                vec![Part::Centered(value.clone(), *bounds), Part::Count(Some(value.clone()))]
            }
            Kind::Variance(value, bounds) | Kind::Deviation(value, bounds) => vec![
                Part::Centered(value.clone(), *bounds),
                Part::Squares(value.clone(), *bounds),
                Part::Count(Some(value.clone())),
            ],
            Kind::Covariance((first, bounds), (second, others)) => {
                let (first, second) = (with(first, second, table)?, with(second, first, table)?);
                vec![
                    Part::Centered(first.clone(), *bounds),
                    Part::Centered(second.clone(), *others),
                    Part::Products((first.clone(), *bounds), (second, *others)),
                    Part::Count(Some(first)),
                ]
            }
            Kind::Quantile(value, edges, _) => vec![Part::Bins(value.clone(), edges.clone())],
        })
    }
}

/// Returns a value that is missing where another one is; the value itself, if the other one is never missing.
fn with(value: &Expr, other: &Expr, table: &FrameDomain) -> Fallible<Expr> {
    let alone = || value.clone();
    Ok(if described(table, other)?.has_missing() {
        when(other.clone().is_null(), Cell::Missing, alone())
    } else {
        alone()
    })
}
