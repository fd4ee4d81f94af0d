//! Deterministic steps on data.
//!
//! | constructor | from | to | map |
//! |---|---|---|---|
//! | [`make_clamp`] | rows, any dataset metric | the same, bounded | d_in |
//! | [`make_map`] | rows | rows of a user-defined function | d_in |
//! | [`make_pair_part`] | rows that are pairs, any dataset metric | a part of each row, with the identifier if the metric counts individuals | d_in |
//! | [`make_cast`] | rows, any dataset metric | values of another type, or null | d_in |
//! | [`make_impute_constant`], [`make_is_null`] | rows with nulls | rows without nulls | d_in |
//! | [`make_is_equal`], [`make_find`], [`make_find_bin`] | rows | Booleans, positions in a list, bins | d_in |
//! | [`make_filter`], [`make_drop_null`] | rows | some of the rows | d_in, or 2 d_in if rows are replaced |
//! | [`make_bound_contributions`] | keyed rows, individuals | rows, added or removed | max_rows d_in |
//! | [`make_metric_cast`] | rows | the same rows in another metric | d_in, 2 d_in or floor(d_in / 2) |
//! | [`make_resize`] | rows | a given number of rows | 2 d_in, or d_in if rows are replaced |
//! | [`make_norm_clip`] | vectors, any dataset metric | vectors no longer than a radius | d_in |
//! | [`make_vector_sum`] | vectors of bounded length | their exact sum | d_in R, or d_in 2 R if rows are replaced |
//! | [`make_count`] | rows | an `i64` | d_in, or 0 if rows are replaced or their number is known |
//! | [`make_count_distinct`] | rows | an `i64` | d_in, or floor(d_in / 2) if rows of a known number are added or removed |
//! | [`make_sum`] | bounded rows | an exact sum | d_in max(abs(L), abs(U)), or d_in (U - L) if rows are replaced |
//! | [`make_mean`], [`make_variance`] | a known number of bounded rows | an exact number | d_in (U - L) / n, d_in (U - L)^2 / n |
//! | [`make_sum_of_squared_deviations`] | a known number of bounded rows | an exact number | d_in (U - L)^2 (n - 1) / n |
//! | [`make_covariance`] | bounded columns, a known number of rows | a vector of exact numbers | by metric |
//! | [`make_quantile_scores`] | rows, and candidates | a score for each candidate | by metric |
//! | [`make_count_by_categories`] | rows that are categories | a vector of counts | by metric |
//! | [`make_count_distinct_by_categories`] | rows (category, value) | a vector of the numbers of distinct values | by metric |
//! | [`make_b_ary_tree`] | counts of bins, L1 | sums of blocks of bins | layers d_in, sqrt(layers) d_in in L2, d_in in LInf |
//! | [`make_linear_queries`] | vectors of numbers | the exact product with a matrix | d_in times a bound on the matrix's norm |
//! | [`make_count_by`] | rows that are unknown keys | a map from each key to its count | by metric |
//! | [`make_count_individuals_by`] | keyed rows, individuals | a map from each key to the number of its individuals | by metric |
//! | [`make_sum_by_categories`] | rows (category, bounded number) | a vector of exact sums | by metric |
//! | [`make_sum_by_categories_of_individuals`] | keyed rows (category, bounded number), individuals | a vector of exact sums, with limits on an individual's rows in each category and in total | by metric |
//! | [`make_partition_by_categories`] | rows (category, rest) | a part for each category | by metric |
//! | [`make_partition_individuals_by_categories`] | keyed rows (category, rest), individuals | a part for each category, each individual in at most max_parts | (max_parts d_in, max_parts d_in, d_in) |
//! | [`make_user_transformation`] | any | any | user-defined |
//! | [`make_sum_by`] | rows (key, bounded number) | a map from each key to its exact sum | by metric |

mod b_ary_tree;
pub(crate) mod bound_contributions;
mod branching;
pub(crate) mod cast;
pub(crate) mod categories;
pub(crate) mod clamp;
pub(crate) mod count;
mod count_by;
mod count_by_categories;
mod count_distinct;
mod count_distinct_by_categories;
mod count_individuals_by;
pub(crate) mod covariance;
mod drop_null;
mod filter;
mod find;
mod find_bin;
mod impute_constant;
mod is_equal;
mod is_null;
pub(crate) mod linear_queries;
mod map;
mod mean;
pub(crate) mod metric_cast;
pub(crate) mod moments;
mod norm_clip;
pub(crate) mod pair_part;
mod partition_by_categories;
mod partition_individuals_by_categories;
mod quantile_scores;
pub(crate) mod resize;
mod row_by_row;
pub(crate) mod sum;
mod sum_by;
mod sum_by_categories;
pub(crate) mod sum_by_categories_of_individuals;
mod sum_of_squared_deviations;
mod user_transformation;
mod variance;
mod vector_sum;

pub(crate) use b_ary_tree::{layers, number_of_nodes};
pub use branching::choose_branching_factor;
#[cfg(feature = "frames")]
pub(crate) use cast::Castable;
pub(crate) use categories::Category;
pub(crate) use categories::Index;
pub use categories::UnknownCategories;
pub use constructors::*;
pub use pair_part::{First, Second};
pub(crate) use quantile_scores::QuantileScores;
pub(crate) use sum::Summable;

// Written by `cargo xtask lists` from the files of this folder.
/// The constructors below this folder. The prelude re-exports all of them.
#[rustfmt::skip]
pub(crate) mod constructors {
    pub use super::b_ary_tree::{make_b_ary_tree, then_b_ary_tree};
    pub use super::bound_contributions::{make_bound_contributions, then_bound_contributions};
    pub use super::cast::{make_cast, then_cast};
    pub use super::clamp::{make_clamp, then_clamp};
    pub use super::count::{make_count, then_count};
    pub use super::count_by::{make_count_by, then_count_by};
    pub use super::count_by_categories::{make_count_by_categories, then_count_by_categories};
    pub use super::count_distinct::{make_count_distinct, then_count_distinct};
    pub use super::count_distinct_by_categories::{make_count_distinct_by_categories, then_count_distinct_by_categories};
    pub use super::count_individuals_by::{make_count_individuals_by, then_count_individuals_by};
    pub use super::covariance::{make_covariance, then_covariance};
    pub use super::drop_null::{make_drop_null, then_drop_null};
    pub use super::filter::{make_filter, then_filter};
    pub use super::find::{make_find, then_find};
    pub use super::find_bin::{make_find_bin, then_find_bin};
    pub use super::impute_constant::{make_impute_constant, then_impute_constant};
    pub use super::is_equal::{make_is_equal, then_is_equal};
    pub use super::is_null::{make_is_null, then_is_null};
    pub use super::linear_queries::{make_linear_queries, then_linear_queries};
    pub use super::map::{make_map, then_map};
    pub use super::mean::{make_mean, then_mean};
    pub use super::metric_cast::{make_metric_cast, then_metric_cast};
    pub use super::norm_clip::{make_norm_clip, then_norm_clip};
    pub use super::pair_part::{make_pair_part, then_pair_part};
    pub use super::partition_by_categories::{make_partition_by_categories, then_partition_by_categories};
    pub use super::partition_individuals_by_categories::{make_partition_individuals_by_categories, then_partition_individuals_by_categories};
    pub use super::quantile_scores::{make_quantile_scores, then_quantile_scores};
    pub use super::resize::{make_resize, then_resize};
    pub use super::sum::{make_sum, then_sum};
    pub use super::sum_by::{make_sum_by, then_sum_by};
    pub use super::sum_by_categories::{make_sum_by_categories, then_sum_by_categories};
    pub use super::sum_by_categories_of_individuals::{make_sum_by_categories_of_individuals, then_sum_by_categories_of_individuals};
    pub use super::sum_of_squared_deviations::{make_sum_of_squared_deviations, then_sum_of_squared_deviations};
    pub use super::user_transformation::{make_user_transformation, then_user_transformation};
    pub use super::variance::{make_variance, then_variance};
    pub use super::vector_sum::{make_vector_sum, then_vector_sum};
}

/// The calls of these constructors from plans.
#[cfg(feature = "plans")]
#[rustfmt::skip]
pub(crate) fn entries<B: crate::core::Builder>() -> Vec<crate::core::Entry<B>> {
    vec![
        b_ary_tree::entry(),
        bound_contributions::entry(),
        cast::entry(),
        clamp::entry(),
        count::entry(),
        count_by::entry(),
        count_by_categories::entry(),
        count_distinct::entry(),
        count_distinct_by_categories::entry(),
        count_individuals_by::entry(),
        covariance::entry(),
        drop_null::entry(),
        filter::entry(),
        find::entry(),
        find_bin::entry(),
        impute_constant::entry(),
        is_equal::entry(),
        is_null::entry(),
        linear_queries::entry(),
        map::entry(),
        mean::entry(),
        metric_cast::entry(),
        norm_clip::entry(),
        pair_part::entry(),
        partition_by_categories::entry(),
        partition_individuals_by_categories::entry(),
        quantile_scores::entry(),
        resize::entry(),
        sum::entry(),
        sum_by::entry(),
        sum_by_categories::entry(),
        sum_by_categories_of_individuals::entry(),
        sum_of_squared_deviations::entry(),
        user_transformation::entry(),
        variance::entry(),
        vector_sum::entry(),
    ]
}
// The end of what is written.
