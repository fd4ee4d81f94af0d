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
    combinators::{AssumeSecretSample, constructors::*},
    core::{
        Domain, Error, ErrorKind, Explanation, Fallible, Function, Measure, Measurement, Metric, MetricSpace,
        PartialMeasurement, PartialTransformation, Plan, ProofLevel, Queryable, Transformation,
    },
    domains::{AtomDomain, BallDomain, MapDomain, OptionDomain, PairDomain, VectorDomain},
    measurements::{
        Monotonicity, ToeplitzFactor, constructors::*, debias_randomized_response, debias_randomized_response_bitvec,
        debias_randomized_response_bool,
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
    transformations::{UnknownCategories, choose_branching_factor, constructors::*},
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

    /// Returns the names that a module exports. It leaves out exports by a star.
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

    #[test]
    fn each_name_is_meant() {
        let source = include_str!("prelude.rs").split("#[cfg(test)]").next().unwrap();
        let code = source.lines().filter(|line| !line.starts_with("//")).collect::<String>();
        assert!(!code.replace("constructors::*", "").contains('*'), "spelled out");
        assert_eq!(exports(include_str!("prelude.rs")), NAMES.split_whitespace().collect());
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
