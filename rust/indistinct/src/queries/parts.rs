//! The noisy vectors that a query releases, with one or more numbers for each group.

use super::{budget::Noise, limits::Limits, step::Step};
use crate::{
    core::{Error, Fallible, Parameter, ToParameter, require},
    domains::checked_bounds,
    frames::{ColumnDomain, Expr, FrameDomain, KeySet, Kind, PerIndividual, col, lit, when},
    plans::Call,
};
use indistinct_numeric::RoundedArithmetic;

/// A noisy vector. Two equal vectors are released once.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    /// The number of rows, or with a value, the number of rows in which the value is not missing.
    Count(Option<Expr>),
    /// The number of rows without noise, if it is public.
    Rows,
    /// The number of individuals.
    Individuals,
    /// The number of distinct values that are not missing.
    Distinct(Expr),
    /// The sum of clamped values.
    Sum(Expr, (f64, f64)),
    /// Like `Sum`, for a single group if rows are replaced, which changes it by the range of the values; and whether a
    /// value may be missing.
    Total(Expr, (f64, f64), bool),
    /// The sum of the distances of a value from the middle of its bounds.
    Centered(Expr, (f64, f64)),
    /// The sum of the squares of these distances, less half of the largest.
    Squares(Expr, (f64, f64)),
    /// The sum of the products of two such distances.
    Products((Expr, (f64, f64)), (Expr, (f64, f64))),
    /// The number of rows in each bin between edges.
    Bins(Expr, Vec<f64>),
}

/// Returns the middle of bounds, and the distance of the bounds from it, rounded up.
pub(super) fn middle((lower, upper): (f64, f64)) -> Fallible<(f64, f64)> {
    let middle = lower / 2.0 + upper / 2.0;
    let reach = upper.inf_sub(middle)?.max(middle.inf_sub(lower)?);
    Ok((middle, reach))
}

/// Returns half of the largest square of a distance, rounded up.
pub(super) fn half_square(reach: f64) -> Fallible<f64> {
    let half = reach.inf_mul(reach)?.inf_div(2.0)?;
    require(half.is_finite(), "bounds", "must have a range with a finite square")?;
    Ok(half)
}

impl Part {
    /// Returns an error for invalid bounds and edges.
    pub(super) fn check(&self) -> Fallible<()> {
        match self {
            Part::Count(_) | Part::Rows | Part::Individuals | Part::Distinct(_) => Ok(()),
            Part::Sum(_, bounds) | Part::Total(_, bounds, _) | Part::Centered(_, bounds) => {
                checked_bounds(*bounds).map(|_| ())
            }
            Part::Squares(_, bounds) => half_square(middle(checked_bounds(*bounds)?)?.1).map(|_| ()),
            Part::Products((_, first), (_, second)) => {
                let ((_, first), (_, second)) = (middle(checked_bounds(*first)?)?, middle(checked_bounds(*second)?)?);
                half_square(first.max(second)).map(|_| ())
            }
            Part::Bins(_, edges) => {
                let rise = edges.iter().zip(edges.iter().skip(1)).all(|(edge, next)| edge < next);
                let finite = edges.iter().all(|edge| edge.is_finite());
                require(
                    edges.len() >= 2 && rise && finite,
                    "edges",
                    "must be at least two finite numbers, in ascending order",
                )
            }
        }
    }

    /// Returns this part for the values of a table. If a value is never missing, all rows are counted; for a clamped
    /// value, the rows in which it is not missing before clamping.
    ///
    /// # Errors
    ///
    /// Returns an error if the table has no such value, or if it is a text where a number is needed. Use a cast to
    /// convert a text to a number.
    pub(super) fn checked(self, table: &FrameDomain) -> Fallible<Self> {
        self.values().iter().try_for_each(|value| match value.as_text() {
            Some(name) if table.column(name).is_ok() => Err(Error::parameter(
                "value",
                format!("is the text {name:?} in every row: for the column, use col({name:?})"),
            )),
            _ => Ok(()),
        })?;
        match &self {
            Part::Count(None) | Part::Rows | Part::Individuals => {}
            Part::Count(Some(value)) => {
                let (domain, unclamped) = (described(table, value)?, value.unclamped());
                if !domain.has_missing() {
                    return Ok(Part::Count(None));
                }
                // Between numbers of two types a clamped one may be missing for itself.
                if described(table, unclamped)?.kind() == domain.kind() {
                    return Ok(Part::Count(Some(unclamped.clone())));
                }
            }
            Part::Distinct(value) => {
                described(table, value)?;
            }
            Part::Sum(value, _)
            | Part::Total(value, ..)
            | Part::Centered(value, _)
            | Part::Squares(value, _)
            | Part::Bins(value, _) => {
                check_number(table, value)?;
            }
            Part::Products((first, _), (second, _)) => {
                check_number(table, first)?;
                check_number(table, second)?;
            }
        }
        Ok(self)
    }

    /// Returns the values from which it is computed.
    fn values(&self) -> Vec<&Expr> {
        match self {
            Part::Count(None) | Part::Rows | Part::Individuals => Vec::new(),
            Part::Count(Some(value))
            | Part::Distinct(value)
            | Part::Sum(value, _)
            | Part::Total(value, ..)
            | Part::Centered(value, _)
            | Part::Squares(value, _)
            | Part::Bins(value, _) => vec![value],
            Part::Products((first, _), (second, _)) => vec![first, second],
        }
    }

    /// Returns the largest absolute value that one row adds.
    pub(super) fn magnitude(&self) -> Fallible<f64> {
        Ok(match self {
            Part::Count(_) | Part::Rows | Part::Individuals | Part::Distinct(_) | Part::Bins(..) => 1.0,
            Part::Sum(_, (lower, upper)) | Part::Total(_, (lower, upper), _) => lower.abs().max(upper.abs()),
            Part::Centered(_, bounds) => middle(*bounds)?.1,
            Part::Squares(_, bounds) => half_square(middle(*bounds)?.1)?,
            Part::Products((_, first), (_, second)) => middle(*first)?.1.inf_mul(middle(*second)?.1)?,
        })
    }

    /// Returns true if it is known exactly, and costs nothing.
    pub(super) fn is_public(&self) -> bool {
        *self == Part::Rows
    }

    /// Returns the number of numbers for each group.
    pub(super) fn width(&self) -> usize {
        if let Part::Bins(_, edges) = self { edges.len().saturating_sub(1) } else { 1 }
    }

    /// Returns the maximum number of rows of an individual that its steps leave. Counts of individuals use one row in
    /// each group. If there are several groups, sums and counts limit the rows of each group too, so that Gaussian
    /// noise grows with the square root of the number of groups.
    pub(super) fn rows_of_individual(&self, limits: Limits) -> Fallible<RowLimits> {
        let (all, of_group) = match self {
            Part::Individuals => (limits.groups_of_individual(), 1),
            _ => (limits.all_rows()?, limits.rows),
        };
        let is_sum = !matches!(self, Part::Distinct(_));
        Ok(RowLimits { all, of_group: (is_sum && of_group < all).then_some(of_group) })
    }

    /// Returns the columns from which it is computed, given a row's group and the number of groups: the position of the
    /// row, and its contribution, unless that is 1.
    pub(super) fn columns(&self, group: &Expr, groups: i64) -> Fallible<(Expr, Option<Expr>)> {
        // A place that is not listed, where rows are dropped.
        let nowhere = || lit(-1i64);
        let float = |value: &Expr| value.clone().cast(ColumnDomain::float().with_missing());
        let clamped = |value: &Expr, (lower, upper): (f64, f64)| float(value).clamp(lower, upper);
        let group = group.clone();
        Ok(match self {
            Part::Count(None) | Part::Rows | Part::Individuals => (group, None),
            Part::Count(Some(value)) => (when(value.clone().is_null(), nowhere(), group), None),
            Part::Distinct(value) => (group, Some(value.clone())),
            Part::Sum(value, bounds) => (group, Some(clamped(value, *bounds).fill_null(0.0))),
            Part::Total(value, bounds, is_null) => {
                // A value between the bounds widens no range; it stands for nothing where no value is missing.
                let instead = if *is_null { 0.0 } else { 0f64.clamp(bounds.0, bounds.1) };
                (group, Some(clamped(value, *bounds).fill_null(instead)))
            }
            Part::Centered(value, bounds) => {
                let (middle, reach) = middle(*bounds)?;
                let distance = (clamped(value, *bounds) - middle).clamp(-reach, reach);
                (group, Some(distance.fill_null(0.0)))
            }
            Part::Squares(value, bounds) => {
                let (middle, reach) = middle(*bounds)?;
                let half = half_square(reach)?;
                let distance = clamped(value, *bounds) - middle;
                let square = distance.clone() * distance - half;
                (group, Some(square.clamp(-half, half).fill_null(0.0)))
            }
            Part::Products((first, bounds), (second, others)) => {
                let ((middle, reach), (other_middle, other_reach)) = (middle(*bounds)?, middle(*others)?);
                let most = reach.inf_mul(other_reach)?;
                let product = (clamped(first, *bounds) - middle) * (clamped(second, *others) - other_middle);
                (group, Some(product.clamp(-most, most).fill_null(0.0)))
            }
            Part::Bins(value, edges) => {
                let (first, last) = (edges.first().copied().unwrap_or(0.0), edges.last().copied().unwrap_or(0.0));
                let inner = edges.get(1..edges.len().saturating_sub(1)).unwrap_or_default();
                let clamped = clamped(value, (first, last));
                if inner.is_empty() {
                    return Ok((when(clamped.is_null(), nowhere(), group), None));
                }
                let bin = clamped.cut(inner.iter().copied());
                // All bins of the first group, then those of the next.
                let bins = i64::try_from(self.width()).unwrap_or(i64::MAX);
                let is_listed = group.clone().ge(0) & group.clone().lt(groups);
                let place = when(is_listed, group * bins + bin, nowhere());
                (place.fill_null(nowhere()), None)
            }
        })
    }

    /// Returns the steps that release it from a table with these columns.
    pub(super) fn steps(
        &self,
        names: &Names,
        groups: usize,
        limits: Option<Limits>,
        noise: (Noise, f64),
    ) -> Fallible<Vec<Call>> {
        let limits = limits.map(|limits| self.rows_of_individual(limits)).transpose()?;
        let mut steps = Vec::new();
        let mut columns = vec![names.place.clone()];
        columns.extend(names.value.clone());
        let of_one_group = match self {
            Part::Rows => Some("count"),
            Part::Total(..) => Some("sum"),
            _ => None,
        };
        if let Some(name) = of_one_group {
            let column = columns.pop().into_iter().collect::<Vec<_>>();
            let rows = Call::new("rows", [("columns".to_owned(), column.to_parameter())]);
            return Ok(vec![rows, Call::new(name, []), noise.0.step(noise.1)]);
        }
        if *self == Part::Individuals {
            let none: Vec<(String, PerIndividual)> = Vec::new();
            let by = ("by".to_owned(), columns.to_parameter());
            steps.push(Call::new("aggregate_individuals", [by, ("columns".to_owned(), none.to_parameter())]));
        }
        let places = u32::try_from(groups.saturating_mul(self.width())).unwrap_or(u32::MAX);
        let mut by =
            vec![("place".to_owned(), names.place.to_parameter()), ("places".to_owned(), places.to_parameter())];
        by.extend(names.value.as_ref().map(|column| ("column".to_owned(), column.to_parameter())));
        let mut name = match (self, &names.value) {
            (Part::Distinct(_), _) => "count_distinct_by",
            (_, Some(_)) => "sum_column_by",
            (_, None) => "count_rows_by",
        };
        match limits {
            None => {}
            Some(RowLimits { all, of_group: Some(of_group) }) => {
                by.push(("max_rows".to_owned(), all.to_parameter()));
                by.push(("max_rows_of_place".to_owned(), of_group.to_parameter()));
                name = "sum_column_by_of_individuals";
            }
            Some(RowLimits { all, of_group: None }) => {
                let columns = ("columns".to_owned(), columns.to_parameter());
                steps.push(Call::new("bound_rows", [columns, ("max_rows".to_owned(), all.to_parameter())]));
            }
        }
        by.push(("output_metric".to_owned(), Parameter::Text(noise.0.metric().into())));
        steps.push(Call::new(name, by));
        steps.push(noise.0.step(noise.1));
        Ok(steps)
    }
}

/// The maximum number of rows of an individual that a step leaves: in total, and in each group if it limits that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowLimits {
    pub(super) all: u32,
    pub(super) of_group: Option<u32>,
}

/// The names of the columns of a part.
#[derive(Debug, Clone)]
pub(super) struct Names {
    pub(super) place: String,
    pub(super) value: Option<String>,
}

/// Returns a name that no column of the table has.
pub(super) fn new_name(table: &FrameDomain, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    while table.column(&name).is_ok() {
        name.push('_');
    }
    name
}

/// Returns an error if a value is not one of the table's rows, or not a number.
pub(super) fn check_number(table: &FrameDomain, value: &Expr) -> Fallible<()> {
    let kind = described(table, value)?.kind();
    let is_number = matches!(kind, Kind::Float | Kind::Integer | Kind::Bool);
    let rule = format!("{value} is of type {kind}, but must be a number: cast it, and fill missing values");
    if is_number { Ok(()) } else { Err(Error::parameter("value", rule)) }
}

/// Returns the domain of a value of the table's rows.
pub(super) fn described(table: &FrameDomain, value: &Expr) -> Fallible<ColumnDomain> {
    let name = new_name(table, "value");
    let with_value = Step::Columns(vec![(name.clone(), value.clone())]).after(table.clone())?;
    Ok(with_value.column(&name)?.clone())
}

/// Returns the group of a row: its position in the list of keys, or 0 if there are no groups.
pub(super) fn group(keys: Option<&KeySet>, name: &str) -> (Expr, Expr) {
    (keys.map_or_else(|| lit(0i64), KeySet::position), col(name))
}
