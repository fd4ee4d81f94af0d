//! Tables of named columns: their domains, and computations on their rows.
//!
//! A [`Frame`] stores rows in Arrow arrays, some thousand in a [`Batch`]. A [`FrameDomain`] declares the columns and
//! their allowed values. It is public, and stated before anyone sees the data. Chains begin with it under any metric of
//! datasets: rows added, removed or replaced, or individuals with all their rows. Expressions ([`Expr`]), which can be
//! parsed from text, compute on rows. [`make_count_rows_by`] and [`make_sum_column_by`] count rows and sum columns by
//! place; other statistics need typed rows ([`make_rows`]). Several tables about the same individuals are one domain
//! ([`FrameDomain::stacked`]), whose rows can be joined ([`make_join_rows`]). A lookup in a public table is an
//! expression ([`PublicTable::lookup`]).
//!
//! ```
//! use indistinct::{frames::*, prelude::*};
//! let age = ColumnDomain::integer().with_missing();
//! let visits = FrameDomain::new([("age", age), ("visits", ColumnDomain::float())])?;
//! let release = ((visits, SymmetricDistance)
//!     >> then_filter_rows(col("age").ge(65))
//!     >> then_with_columns(vec![("visits", col("visits").clamp(0.0, 40.0))])
//!     >> then_rows::<f64, _, _>(vec!["visits"])
//!     >> then_sum()
//!     >> then_laplace(40.0))?;
//! let frame = Frame::new([
//!     ("age", [Some(70i64), Some(30), None].into_iter().collect::<Column>()),
//!     ("visits", [3.0, 0.0, 55.0].into_iter().collect()),
//! ])?;
//! println!("about {} visits of people of 65 and more", release.invoke(&frame)?);
//! assert_eq!(release.map(&1)?, 1.0); // epsilon, when one row is added or removed
//! # Ok::<(), Error>(())
//! ```

mod aggregate_individuals;
mod batch;
mod bound_groups;
mod cell;
mod column;
mod computed;
mod domain;
mod domain_text;
#[cfg(feature = "plans")]
mod entries;
mod expression;
mod filter_rows;
mod flat_map;
mod individuals;
#[cfg(test)]
mod interpreter;
mod join_rows;
#[cfg(feature = "plans")]
mod own_column;
mod partitions;
mod per_individual;
mod public_table;
#[cfg(test)]
mod reading;
mod row;
#[cfg(feature = "plans")]
mod row_bytes;
mod rows;
mod rows_of_individuals;
mod stacked;
mod statistics;
mod tokens;
mod window_per_individual;
mod with_columns;

pub use aggregate_individuals::{make_aggregate_individuals, then_aggregate_individuals};
pub use batch::{Batch, Frame, Name};
pub use bound_groups::{make_bound_groups, then_bound_groups};
pub use cell::{Cell, Kind};
pub use column::Column;
pub use domain::{ColumnDomain, FrameDomain};
#[cfg(feature = "plans")]
pub(crate) use entries::entries;
pub use expression::{Expr, KeySet, col, date_from_text, lit, lookup, read_text_key, text_key, time_from_text, when};
pub use filter_rows::{make_filter_rows, then_filter_rows};
pub use flat_map::{make_flat_map, then_flat_map};
pub use join_rows::{UnmatchedRows, make_join_rows, then_join_rows};
#[cfg(feature = "plans")]
pub(crate) use own_column::{OfRow, OwnColumn, own_column};
pub use per_individual::PerIndividual;
pub use public_table::PublicTable;
pub use row::FrameRow;
pub use rows::{make_rows, then_rows};
pub use rows_of_individuals::{make_rows_of_individuals, then_rows_of_individuals};
pub use statistics::{
    make_bound_rows, make_count_distinct_by, make_count_individuals_by_key, make_count_rows_by, make_marginals,
    make_sum_column_by, make_sum_column_by_key, make_sum_column_by_of_individuals, then_bound_rows,
    then_count_distinct_by, then_count_individuals_by_key, then_count_rows_by, then_marginals, then_sum_column_by,
    then_sum_column_by_key, then_sum_column_by_of_individuals,
};
pub use window_per_individual::{make_window_per_individual, then_window_per_individual};
pub use with_columns::{make_with_columns, then_with_columns};
