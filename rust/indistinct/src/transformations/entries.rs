//! The entries of this folder's constructors in the registry.

use crate::core::{Builder, Entry};

/// Returns the entries of this folder.
pub(crate) fn entries<B: Builder>() -> Vec<Entry<B>> {
    vec![
        super::b_ary_tree::entry(),
        super::bound_contributions::entry(),
        super::cast::entry(),
        super::clamp::entry(),
        super::count::entry(),
        super::count_by::entry(),
        super::count_by_categories::entry(),
        super::count_distinct::entry(),
        super::count_distinct_by_categories::entry(),
        super::count_individuals_by::entry(),
        super::covariance::entry(),
        super::drop_null::entry(),
        super::filter::entry(),
        super::find::entry(),
        super::find_bin::entry(),
        super::impute_constant::entry(),
        super::is_equal::entry(),
        super::is_null::entry(),
        super::linear_queries::entry(),
        super::map::entry(),
        super::mean::entry(),
        super::metric_cast::entry(),
        super::norm_clip::entry(),
        super::partition_by_categories::entry(),
        super::partition_individuals_by_categories::entry(),
        super::quantile_scores::entry(),
        super::resize::entry(),
        super::pair_part::entry(),
        super::sum::entry(),
        super::sum_by::entry(),
        super::sum_by_categories::entry(),
        super::sum_by_categories_of_individuals::entry(),
        super::sum_of_squared_deviations::entry(),
        super::user_transformation::entry(),
        super::variance::entry(),
        super::vector_sum::entry(),
    ]
}
