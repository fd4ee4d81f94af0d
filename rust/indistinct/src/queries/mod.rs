//! Queries of a table: rows, groups, statistics and a budget.
//!
//! A [`Query`] is public and reads no data. With a [`Budget`] it becomes a [`QueryMeasurement`], whose noise is as
//! small as the budget allows. You can inspect its [plan](crate::plans), its loss, and the accuracy of counts and sums
//! before anything is released. A release is a [`Table`] with a confidence interval for each number.
//!
//! ```
//! use indistinct::{frames::*, prelude::*, queries::*};
//! let stays = FrameDomain::new([
//!     ("patient", ColumnDomain::integer()),
//!     ("region", ColumnDomain::text().with_missing()),
//!     ("days", ColumnDomain::float().with_missing()),
//! ])?
//! .with_individuals("patient")?;
//! let query = Query::new(&stays)
//!     .max_rows_per_individual(2)
//!     .group_by(KeySet::product([("region", ["north", "south"])])?)
//!     .count()
//!     .mean(col("days"), (0.0, 30.0));
//! let measurement = query.measurement(Budget::Epsilon(1.0))?;
//! println!("{}", measurement.measurement().explain(1)?);
//!
//! let frame = Frame::new([
//!     ("patient", (0..4000i64).collect::<Column>()),
//!     ("region", (0..4000).map(|row| ["north", "south"][row % 2]).collect()),
//!     ("days", (0..4000).map(|row| [2.0, 9.0][row % 2]).collect()),
//! ])?;
//! let table = measurement.release(&frame, 0.05)?;
//! println!("{table}");
//! let mean = table.estimate(1, "mean(days)").and_then(|estimate| estimate.value);
//! assert!(mean.is_some_and(|mean| (8.0..10.0).contains(&mean)));
//! # Ok::<(), Error>(())
//! ```
//!
//! | before statistics | remaining rows |
//! |---|---|
//! | [`filter`](Query::filter) | rows that satisfy a condition |
//! | [`with_column`](Query::with_column) | all rows, with a computed column |
//! | [`aggregate_per_individual`](Query::aggregate_per_individual) | one row for each individual, computed from all of their rows |
//! | [`group_by`](Query::group_by) | rows whose key is listed, by group |
//! | [`max_rows_per_individual`](Query::max_rows_per_individual) | at most this number of rows of each individual |
//! | [`max_groups_per_individual`](Query::max_groups_per_individual) | rows in at most this number of groups of each individual, with at most `max_rows_per_individual` rows in each group |
//!
//! | statistic | released number | sensitivity to one row |
//! |---|---|---|
//! | [`count`](Query::count) | rows | 1 |
//! | [`count_individuals`](Query::count_individuals) | individuals with a row | 1 |
//! | [`count_non_null`](Query::count_non_null) | rows in which a value is not missing | 1 |
//! | [`count_distinct`](Query::count_distinct) | distinct values that are not missing | 1 |
//! | [`sum`](Query::sum) | the sum of clamped values | the largest absolute value |
//! | [`mean`](Query::mean) | the sum of distances from the middle of the bounds, and `count_non_null` | half of the range; 1 |
//! | [`variance`](Query::variance), [`standard_deviation`](Query::standard_deviation) | as for the mean, and the sum of squared distances less half of the largest | half of the largest square |
//! | [`covariance`](Query::covariance) | the sums of both distances from the middle, and of their products, and `count_non_null` | half of each range; the product of both; 1 |
//! | [`quantiles`](Query::quantiles) | counts of bins | 1 |
//!
//! [`count_unknown_keys`](Query::count_unknown_keys) finds unknown keys (partition selection), for an epsilon and a
//! delta, and can release sums and means beside their counts. [`bounds`](Query::bounds) finds unknown bounds, for an
//! epsilon.
//!
//! If rows are replaced ([`protect_replaced`](Query::protect_replaced)), the sensitivity refers to one replaced row:
//! the sum of one group changes by the range of its values, and in a vector of counts one decreases and one increases.
//! The number of rows is then public: without a filter and without keys it has no noise, as a count and as the
//! denominator of means.
//!
//! A missing value adds nothing. A number that several statistics need, such as the number of rows for two means of one
//! column, is released once.

mod bounds;
mod budget;
mod estimates;
mod limits;
mod parts;
mod query;
mod release;
mod statistic;
mod step;
mod table;
#[cfg(test)]
mod tests;
mod unknown_keys;
mod view;

pub use bounds::BoundsMeasurement;
pub use budget::Budget;
pub use limits::Limit;
pub use query::Query;
pub use release::QueryMeasurement;
pub use table::{Estimate, Table, cell_in_words};
pub use unknown_keys::{FoundKeys, UnknownKeysMeasurement};
pub use view::View;
