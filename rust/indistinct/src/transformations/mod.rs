//! Deterministic steps.
//!
//! | constructor | from | to | map |
//! |---|---|---|---|
//! | [`make_clamp`] | rows, any dataset metric | the same, bounded | d_in |
//! | [`make_map`] | rows | rows of the caller's | d_in |
//! | [`make_bound_contributions`] | keyed rows, persons | rows, added or removed | max_rows d_in |
//! | [`make_count`] | rows | an `i64` | d_in, or 0 where rows are replaced |
//! | [`make_sum`] | bounded rows | an exact sum | d_in max(abs(L), abs(U)), or d_in (U - L) where rows are replaced |
//! | [`make_count_by_categories`] | rows that are categories | a vector of counts | by metric |
//! | [`make_count_by`] | rows that are keys | a map from each key to its count | by metric |
//! | [`make_count_persons_by`] | keyed rows, persons | a map from each key to the number of its persons | by metric |
//! | [`make_sum_by_categories`] | rows (category, bounded number) | a vector of exact sums | by metric |
//! | [`make_partition_by_categories`] | rows (category, rest) | a part of rows for each category | by metric |
//! | [`make_user_transformation`] | anything | anything | the caller's |
//! | [`make_sum_by`] | rows (key, bounded number) | a map from each key to its exact sum | by metric |

mod bound_contributions;
mod categories;
mod clamp;
mod count;
mod count_by;
mod count_by_categories;
mod count_persons_by;
mod map;
mod partition_by_categories;
mod sum;
mod sum_by;
mod sum_by_categories;
mod user_transformation;

pub use bound_contributions::{make_bound_contributions, then_bound_contributions};
pub use categories::{Category, CategoryMetric, UnknownCategories};
pub use clamp::{ClampDomain, make_clamp, then_clamp};
pub use count::{make_count, then_count};
pub use count_by::{make_count_by, then_count_by};
pub use count_by_categories::{make_count_by_categories, then_count_by_categories};
pub use count_persons_by::{make_count_persons_by, then_count_persons_by};
pub use map::{make_map, then_map};
pub use partition_by_categories::{make_partition_by_categories, then_partition_by_categories};
pub use sum::{Summable, make_sum, then_sum};
pub use sum_by::{make_sum_by, then_sum_by};
pub use sum_by_categories::{make_sum_by_categories, then_sum_by_categories};
pub use user_transformation::{make_user_transformation, then_user_transformation};
