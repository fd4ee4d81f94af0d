//! A subset of SQL as private queries.
//!
//! [`question`] reads one `SELECT` on one table and gives the [`Query`] that it asks for. No data are opened, and
//! nothing of privacy is decided here: the query is priced and released as any other.
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
//! let told = "line 1, column 12: days needs bounds: CLAMP(days, lowest, highest), or bounds of its column, outside of \
//!             which a cell is missing";
//! assert_eq!(error.to_string(), told);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | SQL | is |
//! |---|---|
//! | `COUNT(*)` | [`Query::count`]: of rows; those of an individual that count are bounded by [`Query::max_rows_per_individual`] |
//! | `COUNT(x)` | [`Query::count_non_null`] |
//! | `COUNT(DISTINCT id)`, of the column of individuals | [`Query::count_individuals`]: each in as many groups as [`Query::max_groups_per_individual`] says, which is one by default |
//! | `COUNT(DISTINCT x)` | [`Query::count_distinct`] |
//! | `SUM(x)`, `AVG(x)`, `VAR_POP(x)`, `STDDEV_POP(x)` | [`Query::sum`], [`Query::mean`], [`Query::variance`], [`Query::standard_deviation`]; x has bounds |
//! | `COVAR_POP(x, y)` | [`Query::covariance`] |
//! | `MEDIAN(x)`, `QUANTILE(x, 0.9)`, `PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x)` | [`Query::quantiles`], of 100 bins between the bounds of x, or of one for each whole number |
//! | `x AS name` | [`Query::alias`] |
//! | `WHERE` | [`Query::filter`] |
//! | `JOIN wards ON stays.ward = wards.ward`, also `LEFT JOIN` | [`PublicTable::lookup`], of a public table in which each key stands once; without `LEFT`, rows without a match are left out |
//! | `GROUP BY a, b` | [`Query::group_by`]: the keys are listed, see below |
//!
//! A value has bounds if its column has (`float(0..=30)` in a schema), or if the expression has: `CLAMP(x, 0, 30)`, or
//! `LEAST(GREATEST(x, 0), 30)`. A missing value adds nothing and is not counted; a sum of no rows is 0.
//!
//! Keys are public, and data must not decide which there are. Those of a column of categories are its labels, of a
//! truth value both, of a column of a public table its values there, and the missing one where cells may be missing.
//! Those of any other expression are what a condition
//! of `WHERE` lists, `region IN ('north', 'south')` or `year BETWEEN 2020 AND 2026`, beside others joined by `AND`. If
//! nothing lists the keys and only `COUNT(*)`, of rows, or `COUNT(DISTINCT id)`, of individuals, is asked for, they are
//! found by [`Query::count_unknown_keys`], for which a delta is needed: [`Question::unknown_keys`].
//!
//! Expressions: columns, numbers, texts, `TRUE`, `FALSE`, `NULL`, `DATE '2026-01-31'`; `+ - * /`, where a division is
//! one of real numbers; `= <> < <= > >=`, `AND`, `OR`, `NOT`, `BETWEEN`, `IN (…)`, `IS [NOT] NULL`; `CASE`; `COALESCE`,
//! `LEAST`, `GREATEST`, `CLAMP`, `LENGTH`; `FLOOR` and `WIDTH_BUCKET`, whose values are listed; `EXTRACT(YEAR FROM d)`,
//! also `MONTH`, `DAY`, `HOUR`, `ISODOW`; `CAST`. They mean what [`Expr`](indistinct::frames::Expr) says: what
//! overflows is missing, not an error.

mod aggregate;
mod error;
mod expression;
mod joins;
mod keys;
mod named;
mod public;
mod select;
mod words;

pub use error::Error;
pub use select::{Question, UnknownKeys, question};

#[cfg(doc)]
use indistinct::{frames::PublicTable, queries::Query};
#[cfg(test)]
mod tests;
