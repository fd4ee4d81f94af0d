//! Traits that state which types can be combined: what constructors require of domains, metrics, measures and numbers.
//!
//! Code that only builds chains need not name these traits. A function that is generic over steps must name them. A
//! constructor's signature names the traits that it requires. Only the library can implement them, because maps rely on
//! their promises.
//!
//! Numbers are the integers up to 128 bits, `f64`, `f32` and [`Dyadic`](crate::numeric::Dyadic). Row metrics are
//! [`SymmetricDistance`], [`InsertDeleteDistance`], [`ChangeOneDistance`] and [`HammingDistance`].
//!
//! # Values
//!
//! | trait | types |
//! |---|---|
//! | [`Atom`] | numbers, `bool`, `char`, `String`, `&'static str` |
//! | [`Number`] | numbers |
//! | [`Canonical`] | atoms except `Dyadic`; pairs, options and lists of them |
//! | [`Category`] | atoms with a total order |
//! | [`Castable`] | integers, `f64`, `f32`, `bool`, `String` |
//! | [`Summable`] | integers up to 64 bits, `f64`, `f32` |
//! | [`Multipliable`] | as for [`Summable`] |
//! | [`NoiseAtom`] | numbers |
//! | [`IntegerAtom`] | integers |
//! | [`Noise`] | integer noise, noise on a grid |
//! | [`ThresholdAtom`] | numbers |
//! | [`ComparedNumber`] | numbers |
//! | [`ScoreNumber`] | numbers |
//!
//! # Domains
//!
//! | trait | types |
//! |---|---|
//! | [`RowDomain`] | atoms, options, vectors, balls, and pairs that end in one |
//! | [`NullDomain`] | atoms, options of a null domain |
//! | [`ClampDomain`] | numbers, and pairs that end in one |
//! | [`ColumnsDomain`] | numbers with products, vectors of them, pairs of such rows |
//! | [`Part`], [`HasPart`] | [`First`], [`Second`] and paths of them; pairs |
//! | [`NoiseDomain`] | numbers, vectors of them |
//! | [`StreamItem`] | integers that can be summed, vectors of them |
//!
//! # Metrics
//!
//! | trait | types |
//! |---|---|
//! | [`RowMetric`] | row metrics |
//! | [`RowByRowMetric`] | row metrics, [`SymmetricIdDistance`], [`ChangeOneIdDistance`] |
//! | [`PairPartMetric`] | row metrics, [`SymmetricIdDistance`] |
//! | [`FilterMetric`] | as for [`RowByRowMetric`] |
//! | [`IndividualMetric`] | [`SymmetricIdDistance`], [`ChangeOneIdDistance`] |
//! | [`FlatMapMetric`] | as for [`RowByRowMetric`] |
//! | [`ResizeMetric`] | row metrics |
//! | [`PartitionMetric`] | row metrics |
//! | [`CastMetric`] | pairs of row metrics, one of which bounds the other |
//! | [`PoissonMetric`] | row metrics that count rows added or removed |
//! | [`MapMetric`] | [`L01InfDistance`], [`L02InfDistance`] |
//! | [`SensitivityMetric`] | [`AbsoluteDistance`], [`L1Distance`], [`L2Distance`], [`LInfDistance`] |
//! | [`CategoryMetric`] | [`L1Distance`], [`L2Distance`], [`LInfDistance`] |
//! | [`DualMetric`] | as for [`CategoryMetric`] |
//! | [`LaplaceMetric`] | [`AbsoluteDistance`], [`L1Distance`] |
//! | [`GaussianMetric`] | [`AbsoluteDistance`], [`L2Distance`] |
//!
//! # Measures
//!
//! | trait | types |
//! |---|---|
//! | [`CompositionMeasure`] | all measures, and [`Approximate`] of each |
//! | [`AdaptiveMeasure`] | [`MaxDivergence`], [`Approximate`] of it, [`ZeroConcentratedDivergence`], [`RenyiDivergence`], [`GaussianDivergence`], [`PrivacyLossDivergence`] |
//! | [`BudgetMeasure`] | as for [`AdaptiveMeasure`], except [`PrivacyLossDivergence`] |
//! | [`AdditiveMeasure`] | [`MaxDivergence`], [`RangeDivergence`], [`ZeroConcentratedDivergence`], [`Approximate`] of each |
//! | [`AdditiveDistance`] | the distances of these measures |
//! | [`AmplifiedMeasure`] | [`MaxDivergence`], [`Approximate`] of it, [`PrivacyLossDivergence`], [`RenyiDivergence`] |
//! | [`PoissonMeasure`] | [`MaxDivergence`], [`Approximate`] of it, [`PrivacyLossDivergence`] |
//! | [`ConcentratedMeasure`] | [`ZeroConcentratedDivergence`], [`Approximate`] of it |
//! | [`ProfileMeasure`] | [`SmoothedMaxDivergence`], [`Approximate`] of it |
//! | [`GaussianMeasure`] | [`ZeroConcentratedDivergence`], [`RenyiDivergence`]; for floats also [`GaussianDivergence`]; for floats and single integers also [`PrivacyLossDivergence`] |
//! | [`SelectionMeasure`] | [`MaxDivergence`], [`RangeDivergence`], [`ZeroConcentratedDivergence`], [`RenyiDivergence`], [`PrivacyLossDivergence`] |
//! | [`TreeMeasure`] | [`MaxDivergence`], [`ZeroConcentratedDivergence`] |
//!
//! # Steps
//!
//! | trait | types |
//! |---|---|
//! | [`Follows`] | transformations, measurements, results of `then_*` |
//! | [`Composable`] | vectors and tuples of measurements |
//! | [`Ledger`] | budgets, declared losses, all maps |

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
        noise::{GaussianMetric, IntegerAtom, LaplaceMetric, Noise, NoiseAtom, NoiseDomain},
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
