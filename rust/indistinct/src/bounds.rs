//! Traits that state which types can be combined: what constructors require of domains, metrics, measures and numbers.
//!
//! A chain need not name these traits; a user-defined function that is generic over steps must. Only the library can
//! implement them, because maps rely on their promises.
//!
//! Numbers are the integers up to 128 bits, `f64`, `f32` and [`Dyadic`](crate::numeric::Dyadic). Row metrics are
//! [`SymmetricDistance`], [`InsertDeleteDistance`], [`ChangeOneDistance`] and [`HammingDistance`].
//!
//! # Values
//!
//! | trait | types | required by |
//! |---|---|---|
//! | [`Atom`] | numbers, `bool`, `char`, `String`, `&'static str` | [`AtomDomain`](crate::domains::AtomDomain), keys and individuals |
//! | [`Number`] | numbers | the metrics of numbers, [`make_quantile_scores`], [`make_find_bin`], [`make_linear_queries`], [`make_private_bounds`], [`make_private_quantile`], [`make_alp`] |
//! | [`Canonical`] | atoms except `Dyadic`; pairs, options and lists of them | [`make_count_distinct`], [`make_count_distinct_by_categories`], [`make_resize`], [`make_bound_contributions`], [`make_count_individuals_by`], [`make_sum_by_categories_of_individuals`], [`make_partition_individuals_by_categories`], [`make_alp`] |
//! | [`Category`] | atoms with a total order | [`make_find`], [`make_count_by_categories`], [`make_count_distinct_by_categories`], [`make_sum_by_categories`], [`make_sum_by_categories_of_individuals`], [`make_partition_by_categories`], [`make_partition_individuals_by_categories`], [`make_randomized_response`] |
//! | [`Castable`] | integers, `f64`, `f32`, `bool`, `String` | [`make_cast`] |
//! | [`Summable`] | integers up to 64 bits, `f64`, `f32` | [`make_sum`], [`make_mean`], [`make_sum_by`], [`make_sum_by_categories`], [`make_sum_by_categories_of_individuals`] |
//! | [`Multipliable`] | as for [`Summable`] | [`make_variance`], [`make_sum_of_squared_deviations`], [`make_covariance`] |
//! | [`NoiseAtom`] | numbers | [`make_geometric`] |
//! | [`Noise`] | integer noise, noise on a grid | [`make_gaussian`], for the measures that support it |
//! | [`ThresholdAtom`] | numbers | [`make_laplace_threshold`], [`make_gaussian_threshold`] |
//! | [`ComparedNumber`] | numbers | [`make_above_threshold`] |
//! | [`ScoreNumber`] | numbers | [`make_noisy_max`], [`make_exponential`], [`make_permute_and_flip`], [`make_noisy_top_k`] |
//!
//! # Domains
//!
//! | trait | types | required by |
//! |---|---|---|
//! | [`RowDomain`] | atoms, options, vectors, balls, and pairs that end in one | [`make_cast`], [`make_find`], [`make_find_bin`], [`make_impute_constant`], [`make_drop_null`], [`make_is_equal`], [`make_is_null`], [`make_norm_clip`] |
//! | [`NullDomain`] | atoms, options of a null domain | [`make_cast`], [`make_find`], [`make_impute_constant`], [`make_drop_null`], [`make_is_equal`], [`make_is_null`] |
//! | [`ClampDomain`] | numbers, and pairs that end in one | [`make_clamp`] |
//! | [`ColumnsDomain`] | numbers with products, vectors of them, pairs of such rows | [`make_covariance`] |
//! | [`Part`], [`HasPart`] | [`First`], [`Second`] and paths of them; pairs | [`make_pair_part`] |
//! | [`NoiseDomain`] | numbers, vectors of them | [`make_laplace`], [`make_gaussian`] |
//! | [`StreamItem`] | integers that can be summed, vectors of them | [`make_tree_aggregation`] |
//!
//! # Metrics
//!
//! | trait | types | required by |
//! |---|---|---|
//! | [`RowMetric`] | row metrics | [`make_map`], [`make_count`], [`make_sum`] and most steps that aggregate rows |
//! | [`RowByRowMetric`] | row metrics, [`SymmetricIdDistance`], [`ChangeOneIdDistance`] | steps on single rows: [`make_clamp`], [`make_cast`], [`make_find`] and others |
//! | [`PairPartMetric`] | row metrics, [`SymmetricIdDistance`] | [`make_pair_part`] |
//! | [`FilterMetric`] | as for [`RowByRowMetric`] | [`make_filter`], [`make_drop_null`] |
//! | [`IndividualMetric`] | [`SymmetricIdDistance`], [`ChangeOneIdDistance`] | steps on tables that use all rows of an individual |
//! | [`FlatMapMetric`] | as for [`RowByRowMetric`] | the step on tables that makes several rows from each row |
//! | [`ResizeMetric`] | row metrics | [`make_resize`] |
//! | [`PartitionMetric`] | row metrics | [`make_partition_by_categories`] |
//! | [`CastMetric`] | pairs of row metrics, one of which bounds the other | [`make_metric_cast`] |
//! | [`PoissonMetric`] | row metrics that count rows added or removed | [`make_poisson_sampling`] |
//! | [`MapMetric`] | [`L01InfDistance`], [`L02InfDistance`] | [`make_count_by`], [`make_count_individuals_by`], [`make_sum_by`] |
//! | [`SensitivityMetric`] | [`AbsoluteDistance`], [`L1Distance`], [`L2Distance`], [`LInfDistance`] | the next four traits |
//! | [`CategoryMetric`] | [`L1Distance`], [`L2Distance`], [`LInfDistance`] | [`make_count_by_categories`], [`make_count_distinct_by_categories`], [`make_sum_by_categories`], [`make_sum_by_categories_of_individuals`], [`make_vector_sum`], [`make_covariance`], [`make_b_ary_tree`], [`make_linear_queries`] |
//! | [`DualMetric`] | as for [`CategoryMetric`] | [`make_linear_queries`] |
//! | [`LaplaceMetric`] | [`AbsoluteDistance`], [`L1Distance`] | [`make_laplace`] |
//! | [`GaussianMetric`] | [`AbsoluteDistance`], [`L2Distance`] | [`make_gaussian`] |
//!
//! # Measures
//!
//! | trait | types | required by |
//! |---|---|---|
//! | [`CompositionMeasure`] | all measures, and [`Approximate`] of each | [`make_composition`] |
//! | [`AdaptiveMeasure`] | [`MaxDivergence`], [`Approximate`] of it, [`ZeroConcentratedDivergence`], [`RenyiDivergence`], [`GaussianDivergence`], [`PrivacyLossDivergence`] | [`make_adaptive_composition`] |
//! | [`BudgetMeasure`] | as for [`AdaptiveMeasure`], except [`PrivacyLossDivergence`] | [`make_privacy_filter`], [`make_fully_adaptive_composition`] |
//! | [`AdditiveMeasure`] | [`MaxDivergence`], [`RangeDivergence`], [`ZeroConcentratedDivergence`], [`Approximate`] of each | [`make_parallel_composition`] |
//! | [`AdditiveDistance`] | the distances of these measures | [`split`] |
//! | [`AmplifiedMeasure`] | [`MaxDivergence`], [`Approximate`] of it, [`PrivacyLossDivergence`], [`RenyiDivergence`] | [`make_sampling_without_replacement`], [`make_population_amplification`] |
//! | [`PoissonMeasure`] | [`MaxDivergence`], [`Approximate`] of it, [`PrivacyLossDivergence`] | [`make_poisson_sampling`] |
//! | [`ConcentratedMeasure`] | [`ZeroConcentratedDivergence`], [`Approximate`] of it | [`make_zCDP_to_approxDP`] |
//! | [`ProfileMeasure`] | [`SmoothedMaxDivergence`], [`Approximate`] of it | [`make_fix_delta`], [`make_fix_epsilon`] |
//! | [`GaussianMeasure`] | [`ZeroConcentratedDivergence`], [`RenyiDivergence`]; for floats [`GaussianDivergence`] too, for these and one integer [`PrivacyLossDivergence`] | [`make_gaussian`], [`make_matrix_factorization`] |
//! | [`SelectionMeasure`] | [`MaxDivergence`], [`RangeDivergence`], [`ZeroConcentratedDivergence`], [`RenyiDivergence`], [`PrivacyLossDivergence`] | [`make_noisy_max`], [`make_exponential`], [`make_noisy_top_k`], [`make_private_quantile`] |
//! | [`TreeMeasure`] | [`MaxDivergence`], [`ZeroConcentratedDivergence`] | [`make_tree_aggregation`] |
//!
//! # Steps
//!
//! | trait | types | required by |
//! |---|---|---|
//! | [`Follows`] | transformations, measurements, results of `then_*` | `>>` |
//! | [`Composable`] | vectors and tuples of measurements | [`make_composition`] |
//! | [`Ledger`] | budgets, declared losses, all maps | [`Compositor`] |

#[cfg(doc)]
use crate::{combinators::*, measurements::*, measures::*, metrics::*, transformations::*};

pub use crate::{
    combinators::{
        amplification::{AmplifiedMeasure, PoissonMeasure, poisson_sampling::PoissonMetric},
        chain::Follows,
        composition::Composable,
        compositor::Ledger,
    },
    domains::{
        atom::{Atom, Number},
        canonical::Canonical,
        option::NullDomain,
        row::RowDomain,
    },
    measurements::{
        above_threshold::ComparedNumber,
        gaussian::GaussianMeasure,
        noise::{GaussianMetric, LaplaceMetric, Noise, NoiseAtom, NoiseDomain},
        selection::{ScoreNumber, SelectionMeasure},
        threshold::ThresholdAtom,
        tree_aggregation::{StreamItem, TreeMeasure},
    },
    measures::{
        adaptive::AdaptiveMeasure,
        additive::{AdditiveDistance, AdditiveMeasure},
        budget::BudgetMeasure,
        composition::CompositionMeasure,
        smoothed_max_divergence::ProfileMeasure,
        zero_concentrated::ConcentratedMeasure,
    },
    metrics::{
        change_one_id::IndividualMetric,
        dataset::{RowByRowMetric, RowMetric},
        filtered::FilterMetric,
        map::MapMetric,
        norm::SensitivityMetric,
        partition::PartitionMetric,
        repeated::FlatMapMetric,
    },
    transformations::{
        cast::Castable,
        categories::{Category, CategoryMetric},
        clamp::ClampDomain,
        covariance::ColumnsDomain,
        linear_queries::DualMetric,
        metric_cast::CastMetric,
        moments::Multipliable,
        pair_part::{HasPart, PairPartMetric, Part},
        resize::ResizeMetric,
        sum::Summable,
    },
};

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    /// The names of public traits in a folder, except those that no page of the documentation shows.
    fn traits(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                traits(&path, found);
                continue;
            }
            let code = fs::read_to_string(&path).unwrap();
            let lines: Vec<&str> = code.lines().collect();
            for pair in lines.windows(2).filter(|pair| pair[0] != "#[doc(hidden)]") {
                let name = pair[1].strip_prefix("pub trait ").map(|rest| rest.split([':', '<', ' ']).next().unwrap());
                found.extend(name.map(str::to_owned));
            }
        }
    }

    /// Each with a row in the table. The noise of comparisons is an associated type's bound, and hidden.
    #[test]
    fn all_traits_outside_of_core_are_here() {
        let source = include_str!("bounds.rs");
        let mut found = Vec::new();
        for folder in ["combinators", "domains", "measurements", "measures", "metrics", "transformations"] {
            traits(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder), &mut found);
        }
        found.retain(|name| name != "ComparedNoise");
        let (table, exports) = source.split_once("pub use crate::{").unwrap();
        let exports = exports.split("#[cfg(test)]").next().unwrap();
        for name in &found {
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            assert!(exports.split(|c| !is_name(c)).any(|word| word == name), "{name}");
            assert!(table.contains(&format!("[`{name}`]")), "{name} has no row");
        }
        assert!(found.len() > 40);
    }
}
