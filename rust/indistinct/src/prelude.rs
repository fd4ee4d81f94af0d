//! Everything needed to write a chain: `use indistinct::prelude::*;`.
//!
//! The prelude contains names that are clear even next to the names of other crates. Other names need their paths:
//!
//! | module | names |
//! |---|---|
//! | [`transformations`](crate::transformations) | `First` and `Second`, the parts of a pair, for [`make_pair_part`] |
//! | [`measurements`](crate::measurements) | `Scale`, for noise on a chosen grid; `Scores`, the domain of a selection |
//! | [`domains`](crate::domains) | `Norm`, for a [`BallDomain`] |
//! | [`search`](crate::search) | `smallest` and `largest`, for parameters other than a scale |
//! | [`combinators`](crate::combinators) | `split`, which divides a budget; the types of odometers, filters and adaptive compositions |
//! | [`core`](crate::core) | `Parameter`, `Step` and `Distance`, used in plans, explanations and guarantees |
//! | [`bounds`](crate::bounds) | traits for functions that are generic over steps |

pub use crate::{
    accuracy::{
        discrete_gaussian_accuracy, discrete_gaussian_alpha, discrete_gaussian_scale, discrete_laplace_accuracy,
        discrete_laplace_alpha, discrete_laplace_scale, gaussian_accuracy, gaussian_alpha, gaussian_scale,
        laplace_accuracy, laplace_alpha, laplace_scale,
    },
    combinators::{
        AssumeSecretSample, make_GDP_to_PLD, make_GDP_to_approxDP, make_GDP_to_zCDP, make_PLD_to_RDP,
        make_PLD_to_approxDP, make_RDP_to_approxDP, make_adaptive_composition, make_approximate,
        make_bounded_range_to_PLD, make_bounded_range_to_pureDP, make_bounded_range_to_zCDP, make_composition,
        make_fix_delta, make_fix_epsilon, make_fixed_approxDP_to_PLD, make_fixed_approxDP_to_approxDP,
        make_fully_adaptive_composition, make_parallel_composition, make_poisson_sampling,
        make_population_amplification, make_privacy_filter, make_pureDP_to_PLD, make_pureDP_to_approxDP,
        make_pureDP_to_bounded_range, make_pureDP_to_zCDP, make_sampling_without_replacement,
        make_select_private_candidate, make_shuffled_reports, make_sums_of_unknown_keys, make_zCDP_to_RDP,
        make_zCDP_to_approxDP, then_adaptive_composition, then_fully_adaptive_composition, then_privacy_filter,
    },
    core::{
        Domain, Error, ErrorKind, Explanation, Fallible, Function, Measure, Measurement, Metric, MetricSpace,
        PartialMeasurement, PartialTransformation, Plan, ProofLevel, Queryable, Transformation,
    },
    domains::{AtomDomain, BallDomain, MapDomain, OptionDomain, PairDomain, VectorDomain},
    measurements::{
        Monotonicity, ToeplitzFactor, debias_randomized_response, debias_randomized_response_bitvec,
        debias_randomized_response_bool, make_above_threshold, make_alp, make_canonical_noise, make_exponential,
        make_gaussian, make_gaussian_threshold, make_geometric, make_laplace, make_laplace_threshold,
        make_matrix_factorization, make_noisy_max, make_noisy_top_k, make_permute_and_flip, make_private_bounds,
        make_private_quantile, make_randomized_response, make_randomized_response_bitvec,
        make_randomized_response_bool, make_select_keys, make_snapping, make_tree_aggregation, make_user_measurement,
        then_above_threshold, then_alp, then_canonical_noise, then_exponential, then_gaussian, then_gaussian_threshold,
        then_geometric, then_laplace, then_laplace_threshold, then_matrix_factorization, then_noisy_max,
        then_noisy_top_k, then_permute_and_flip, then_private_bounds, then_private_quantile, then_randomized_response,
        then_randomized_response_bitvec, then_randomized_response_bool, then_select_keys, then_snapping,
        then_tree_aggregation, then_user_measurement,
    },
    measures::{
        Approximate, GaussianDivergence, MaxDivergence, PrivacyLossDistribution, PrivacyLossDivergence, PrivacyProfile,
        RangeDivergence, RenyiCurve, RenyiDivergence, SmoothedMaxDivergence, ZeroConcentratedDivergence,
    },
    metrics::{
        AbsoluteDistance, ChangeOneDistance, ChangeOneIdDistance, DiscreteDistance, HammingDistance,
        InsertDeleteDistance, L1Distance, L01InfDistance, L2Distance, L02InfDistance, LInfDistance, PartitionDistance,
        SymmetricDistance, SymmetricIdDistance,
    },
    postprocessing::{
        cdf_from_counts, consistent_b_ary_tree, group_means, positions_to_categories, quantiles_from_counts,
    },
    search::smallest_scale,
    transformations::{
        UnknownCategories, choose_branching_factor, make_b_ary_tree, make_bound_contributions, make_cast, make_clamp,
        make_count, make_count_by, make_count_by_categories, make_count_distinct, make_count_distinct_by_categories,
        make_count_individuals_by, make_covariance, make_drop_null, make_filter, make_find, make_find_bin,
        make_impute_constant, make_is_equal, make_is_null, make_linear_queries, make_map, make_mean, make_metric_cast,
        make_norm_clip, make_pair_part, make_partition_by_categories, make_partition_individuals_by_categories,
        make_quantile_scores, make_resize, make_sum, make_sum_by, make_sum_by_categories,
        make_sum_by_categories_of_individuals, make_sum_of_squared_deviations, make_user_transformation, make_variance,
        make_vector_sum, then_b_ary_tree, then_bound_contributions, then_cast, then_clamp, then_count, then_count_by,
        then_count_by_categories, then_count_distinct, then_count_distinct_by_categories, then_count_individuals_by,
        then_covariance, then_drop_null, then_filter, then_find, then_find_bin, then_impute_constant, then_is_equal,
        then_is_null, then_linear_queries, then_map, then_mean, then_metric_cast, then_norm_clip, then_pair_part,
        then_partition_by_categories, then_partition_individuals_by_categories, then_quantile_scores, then_resize,
        then_sum, then_sum_by, then_sum_by_categories, then_sum_by_categories_of_individuals,
        then_sum_of_squared_deviations, then_user_transformation, then_variance, then_vector_sum,
    },
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    type Names = BTreeSet<&'static str>;

    /// All names of the prelude except the constructors, all of which it contains. Add each new name here, too.
    const NAMES: &str = "AbsoluteDistance Approximate AtomDomain BallDomain ChangeOneDistance ChangeOneIdDistance DiscreteDistance Domain Error ErrorKind \
        Explanation Fallible Function GaussianDivergence HammingDistance InsertDeleteDistance L01InfDistance \
        L02InfDistance L1Distance L2Distance LInfDistance MapDomain MaxDivergence Measure Measurement Metric \
        MetricSpace Monotonicity OptionDomain PairDomain PartialMeasurement PartialTransformation PartitionDistance \
        Plan PrivacyLossDistribution PrivacyLossDivergence PrivacyProfile ProofLevel Queryable RangeDivergence \
        RenyiCurve RenyiDivergence AssumeSecretSample SmoothedMaxDivergence SymmetricDistance SymmetricIdDistance \
        ToeplitzFactor Transformation UnknownCategories VectorDomain ZeroConcentratedDivergence cdf_from_counts \
        choose_branching_factor \
        consistent_b_ary_tree debias_randomized_response debias_randomized_response_bitvec \
        debias_randomized_response_bool discrete_gaussian_accuracy discrete_gaussian_alpha discrete_gaussian_scale \
        discrete_laplace_accuracy discrete_laplace_alpha discrete_laplace_scale gaussian_accuracy gaussian_alpha \
        gaussian_scale laplace_accuracy laplace_alpha laplace_scale group_means positions_to_categories quantiles_from_counts \
        smallest_scale";

    /// Terms of the field that name the parts of the framework. Every other name has at least two words, so that a
    /// program can use everyday nouns for its own names.
    const ONE_WORD: [&str; 13] = [
        "Approximate",
        "Domain",
        "Error",
        "Explanation",
        "Fallible",
        "Function",
        "Measure",
        "Measurement",
        "Metric",
        "Monotonicity",
        "Plan",
        "Queryable",
        "Transformation",
    ];

    /// The names of the prelude of Rust 2024, including macros.
    const OF_STD: &str = "Copy Send Sized Sync Unpin Drop Fn FnMut FnOnce AsyncFn AsyncFnMut AsyncFnOnce drop align_of \
        align_of_val size_of size_of_val Box ToOwned Clone PartialEq PartialOrd Eq Ord AsRef AsMut Into From Default \
        Iterator Extend IntoIterator DoubleEndedIterator ExactSizeIterator Option Some None Result Ok Err String \
        ToString Vec TryFrom TryInto FromIterator Future IntoFuture Debug Hash assert assert_eq assert_ne dbg \
        debug_assert eprint eprintln format matches panic print println todo unreachable unimplemented vec write writeln";

    /// Names that programs often import as well: from the preludes of rand, rayon, proptest, statrs, polars, ndarray,
    /// nalgebra and arrow, of anyhow and of serde.
    const OF_CRATES: &str = "Rng RngExt StdRng SmallRng SeedableRng Distribution IteratorRandom SliceRandom random \
        ParallelIterator ParallelSlice any Arbitrary Just Strategy ProptestConfig TestCaseError prop Data Normal Laplace \
        Gaussian Uniform Bernoulli Binomial Poisson Exp Gamma Geometric Statistics Max Min Median Array Array1 Array2 \
        ArrayView Axis Dim Ix1 Ix2 s Norm Normed Matrix Vector Point Scale Rotation Translation Series DataFrame Column \
        Schema Field DataType Expr Scalar Literal AnyValue Selector col lit when cols all first last count sum mean \
        Context anyhow bail ensure Chain Serialize Deserialize Serializer Deserializer json Value Map Number Category \
        Part First Second smallest largest split Noise Scores Budget";

    /// Returns the names that a module exports. It must not export any by a star.
    fn exports(source: &'static str) -> Names {
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        let mut names = Names::new();
        for list in code.split("\npub use ").skip(1).filter_map(|rest| rest.split(';').next()) {
            let mut rest = list;
            while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || c == '_') {
                let word = &rest[start..];
                let end = word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len());
                rest = &word[end..];
                if !rest.starts_with("::") {
                    names.insert(&word[..end]);
                }
            }
        }
        names
    }

    fn is_constructor(name: &&'static str) -> bool {
        name.starts_with("make_") || name.starts_with("then_")
    }

    #[test]
    fn each_name_is_meant() {
        let source = include_str!("prelude.rs");
        assert!(!source.split("#[cfg(test)]").next().unwrap().contains("::*,"), "spelled out");
        let names: Names = exports(source).into_iter().filter(|name| !is_constructor(name)).collect();
        assert_eq!(names, NAMES.split_whitespace().collect());
    }

    #[test]
    fn all_constructors_are_there() {
        let folders = [
            include_str!("combinators/mod.rs"),
            include_str!("combinators/amplification/mod.rs"),
            include_str!("combinators/measure_cast/mod.rs"),
            include_str!("measurements/mod.rs"),
            include_str!("transformations/mod.rs"),
        ];
        let made: Names = folders.into_iter().flat_map(exports).filter(is_constructor).collect();
        let known: Names = exports(include_str!("prelude.rs")).into_iter().filter(is_constructor).collect();
        assert!(made.len() > 100 && made == known, "{:?}", made.symmetric_difference(&known).collect::<Vec<_>>());
    }

    #[test]
    fn no_name_is_taken_from_a_program() {
        let capitals = |name: &str| name.chars().filter(char::is_ascii_uppercase).count();
        let taken: Names = OF_STD.split_whitespace().chain(OF_CRATES.split_whitespace()).collect();
        for name in exports(include_str!("prelude.rs")) {
            assert!(!taken.contains(name), "{name}");
            let words = if name.starts_with(|c: char| c.is_ascii_uppercase()) {
                capitals(name)
            } else {
                1 + name.matches('_').count()
            };
            assert_eq!(words == 1, ONE_WORD.contains(&name), "{name}");
        }
    }
}
