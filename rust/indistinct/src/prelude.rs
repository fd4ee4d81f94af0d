//! Everything that one needs to write a chain: `use indistinct::prelude::*;`.
//!
//! Each name says by itself what it is, for it stands in programs beside names of other crates. What does not stays
//! behind its path:
//!
//! | where | what |
//! |---|---|
//! | [`transformations`](crate::transformations) | `First` and `Second`, the parts of a pair, for [`make_select`] |
//! | [`measurements`](crate::measurements) | `Scale`, noise on a grid of one's own; `Scores`, the domain of a selection |
//! | [`domains`](crate::domains) | `Norm`, of a [`BallDomain`] |
//! | [`search`](crate::search) | `smallest` and `largest`, for parameters that are no scale |
//! | [`combinators`](crate::combinators) | `split`, a budget by parts; the types of odometers, filters and adaptive compositions |
//! | [`core`](crate::core) | `Parameter`, `Step` and `Distance`, what plans, explanations and guarantees are made of |
//! | [`bounds`](crate::bounds) | traits for functions that are generic over steps |

pub use crate::{
    accuracy::{
        discrete_gaussian_accuracy, discrete_gaussian_scale, discrete_laplace_accuracy, discrete_laplace_scale,
        gaussian_accuracy, gaussian_scale, laplace_accuracy, laplace_scale,
    },
    combinators::{
        SecretSample, make_GDP_to_PLD, make_GDP_to_approxDP, make_GDP_to_zCDP, make_PLD_to_approxDP,
        make_RDP_to_approxDP, make_adaptive_composition, make_approximate, make_bounded_range_to_PLD,
        make_bounded_range_to_pureDP, make_bounded_range_to_zCDP, make_composition, make_fix_delta, make_fix_epsilon,
        make_fixed_approxDP_to_PLD, make_fixed_approxDP_to_approxDP, make_fully_adaptive_composition,
        make_parallel_composition, make_poisson_sampling, make_population_amplification, make_privacy_filter,
        make_pureDP_to_PLD, make_pureDP_to_approxDP, make_pureDP_to_bounded_range, make_pureDP_to_zCDP,
        make_sampling_without_replacement, make_select_private_candidate, make_shuffled_reports, make_zCDP_to_RDP,
        make_zCDP_to_approxDP, then_adaptive_composition, then_fully_adaptive_composition, then_privacy_filter,
    },
    core::{
        Domain, Error, ErrorKind, Explanation, Fallible, Function, Measure, Measurement, Metric, MetricSpace,
        PartialMeasurement, PartialTransformation, Plan, ProofLevel, Queryable, Transformation,
    },
    domains::{AtomDomain, BallDomain, MapDomain, OptionDomain, PairDomain, VectorDomain},
    measurements::{
        Monotonicity, debias_randomized_response, debias_randomized_response_bitvec, debias_randomized_response_bool,
        make_above_threshold, make_alp, make_canonical_noise, make_exponential, make_gaussian, make_gaussian_threshold,
        make_geometric, make_laplace, make_laplace_threshold, make_noisy_max, make_noisy_top_k, make_permute_and_flip,
        make_private_quantile, make_randomized_response, make_randomized_response_bitvec,
        make_randomized_response_bool, make_snapping, make_tree_aggregation, make_user_measurement,
        then_above_threshold, then_alp, then_canonical_noise, then_exponential, then_gaussian, then_gaussian_threshold,
        then_geometric, then_laplace, then_laplace_threshold, then_noisy_max, then_noisy_top_k, then_permute_and_flip,
        then_private_quantile, then_randomized_response, then_randomized_response_bitvec,
        then_randomized_response_bool, then_snapping, then_tree_aggregation, then_user_measurement,
    },
    measures::{
        Approximate, GaussianDivergence, MaxDivergence, PrivacyLossDistribution, PrivacyLossDivergence, PrivacyProfile,
        RangeDivergence, RenyiCurve, RenyiDivergence, SmoothedMaxDivergence, ZeroConcentratedDivergence,
    },
    metrics::{
        AbsoluteDistance, ChangeOneDistance, DiscreteDistance, HammingDistance, InsertDeleteDistance, L1Distance,
        L01InfDistance, L2Distance, L02InfDistance, LInfDistance, PartitionDistance, SymmetricDistance,
        SymmetricIdDistance,
    },
    postprocessing::{cdf_from_counts, consistent_b_ary_tree, quantiles_from_counts},
    search::smallest_scale,
    transformations::{
        UnknownCategories, make_b_ary_tree, make_bound_contributions, make_cast, make_clamp, make_count, make_count_by,
        make_count_by_categories, make_count_distinct, make_count_persons_by, make_covariance, make_drop_null,
        make_filter, make_find, make_find_bin, make_impute_constant, make_is_equal, make_is_null, make_lipschitz,
        make_map, make_mean, make_metric_cast, make_norm_clip, make_partition_by_categories,
        make_partition_persons_by_categories, make_quantile_scores, make_resize, make_select, make_sum, make_sum_by,
        make_sum_by_categories, make_sum_of_squared_deviations, make_user_transformation, make_variance,
        make_vector_sum, then_b_ary_tree, then_bound_contributions, then_cast, then_clamp, then_count, then_count_by,
        then_count_by_categories, then_count_distinct, then_count_persons_by, then_covariance, then_drop_null,
        then_filter, then_find, then_find_bin, then_impute_constant, then_is_equal, then_is_null, then_lipschitz,
        then_map, then_mean, then_metric_cast, then_norm_clip, then_partition_by_categories,
        then_partition_persons_by_categories, then_quantile_scores, then_resize, then_select, then_sum, then_sum_by,
        then_sum_by_categories, then_sum_of_squared_deviations, then_user_transformation, then_variance,
        then_vector_sum,
    },
};
