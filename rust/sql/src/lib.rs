//! A subset of SQL as private queries.
//!
//! [`question`] parses one `SELECT` on one table, and returns the corresponding [`Query`]. It reads no data and makes
//! no privacy decision: the query is priced and released like any other.
//!
//! ```
//! use indistinct::{frames::*, queries::*};
//! use indistinct_sql::question;
//! let stays = FrameDomain::new([
//!     ("patient", ColumnDomain::integer()),
//!     ("region", ColumnDomain::category(["north", "south"])?),
//!     ("days", ColumnDomain::float().with_missing()),
//! ])?
//! .with_individuals("patient")?;
//! let sql = "SELECT region, COUNT(*), AVG(CLAMP(days, 0, 30)) AS days FROM stays WHERE days > 0 GROUP BY region";
//! let tables = [("stays", Query::new(&stays))];
//! let query = question(sql, &tables, |_| None)?.query;
//! assert_eq!(query.measurement(Budget::Epsilon(1.0))?.loss()?, "epsilon 1.0");
//!
//! let error = question("SELECT AVG(days) FROM stays", &tables, |_| None).unwrap_err();
//! let told = "line 1, column 12: days needs bounds: CLAMP(days, lowest, highest), or bounds of its column in \
//!             the schema";
//! assert_eq!(error.to_string(), told);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | SQL | query |
//! |---|---|
//! | `COUNT(*)` | [`Query::count`]: rows, limited for each individual by [`Query::max_rows_per_individual`] |
//! | `COUNT(x)` | [`Query::count_non_null`] |
//! | `COUNT(DISTINCT id)`, with the column of individuals | [`Query::count_individuals`]: each counts in at most [`Query::max_groups_per_individual`] groups, by default one |
//! | `COUNT(DISTINCT x)` | [`Query::count_distinct`] |
//! | `SUM(x)`, `AVG(x)`, `VAR_POP(x)`, `STDDEV_POP(x)` | [`Query::sum`], [`Query::mean`], [`Query::variance`], [`Query::standard_deviation`]; x needs bounds |
//! | `COVAR_POP(x, y)` | [`Query::covariance`] |
//! | `MEDIAN(x)`, `QUANTILE(x, 0.9)`, `PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x)` | [`Query::quantiles`], with 100 bins between the bounds of x, or with one bin for each integer |
//! | `x AS name` | [`Query::alias`] |
//! | `WHERE` | [`Query::filter`] |
//! | `JOIN wards ON stays.ward = wards.ward`, also `LEFT JOIN` | [`PublicTable::lookup`] in a public table in which each key occurs once; without `LEFT`, rows without a match are dropped |
//! | `GROUP BY a, b` | [`Query::group_by`]: the keys are listed, see below |
//! | `HAVING`, `ORDER BY`, `LIMIT` | a [`View`] of the released table, which costs nothing |
//!
//! A value has bounds if its column has them (`float(0..=30)` in a schema), or if the expression has: `CLAMP(x, 0,
//! 30)`, or `LEAST(GREATEST(x, 0), 30)`. A missing value adds nothing and is not counted; a sum of no rows is 0.
//!
//! Keys are public, and must not depend on the data. The keys of a column of categories are its labels, the keys of a
//! Boolean are both values, and the keys of a column of a public table are its values there. If cells may be missing,
//! there is a key for missing cells. The keys of any other expression are listed by a condition of `WHERE`, `region IN
//! ('north', 'south')` or `year BETWEEN 2020 AND 2026`, possibly joined to others by `AND`. A `CASE` lists its results.
//! If nothing lists the keys, [`Query::count_unknown_keys`] finds them (partition selection), which needs a delta:
//! [`Question::unknown_keys`]. The statement must then select `COUNT(DISTINCT id)`, of individuals, or `COUNT(*)` if
//! the unit is a row. Sums and means may stand beside it.
//!
//! Expressions: columns, numbers, texts, `TRUE`, `FALSE`, `NULL`, `DATE '2026-01-31'`; `+ - * /`, where division is of
//! real numbers; `= <> < <= > >=`, `AND`, `OR`, `NOT`, `BETWEEN`, `IN (…)`, `IS [NOT] NULL`; `CASE`; `COALESCE`,
//! `LEAST`, `GREATEST`, `CLAMP`, `LENGTH`; `FLOOR` and `WIDTH_BUCKET`, whose values are listed; `EXTRACT(YEAR FROM d)`,
//! also `MONTH`, `DAY`, `HOUR`, `ISODOW`; `CAST`. They have the meaning of [`Expr`](indistinct::frames::Expr): a result
//! that overflows is missing, not an error.

mod aggregate;
mod error;
mod expression;
mod joins;
mod keys;
mod named;
mod public;
mod released;
mod select;
mod view;
mod words;

pub use error::Error;
pub use select::{Question, UnknownKeys, question};

#[cfg(doc)]
use indistinct::{
    frames::PublicTable,
    queries::{Query, View},
};
#[cfg(test)]
mod tests;
