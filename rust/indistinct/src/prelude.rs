//! Everything that one needs to write a chain: `use indistinct::prelude::*;`.

pub use crate::{
    accuracy::*,
    combinators::*,
    core::{
        Distance, Domain, Error, ErrorKind, Explanation, Fallible, Function, Measure, Measurement, Metric, MetricSpace,
        PartialMeasurement, PartialTransformation, Plan, ProofLevel, Queryable, Transformation,
    },
    domains::{AtomDomain, BallDomain, MapDomain, Norm, OptionDomain, PairDomain, VectorDomain},
    measurements::*,
    measures::{
        AdaptiveMeasure, AdditiveMeasure, Approximate, CompositionMeasure, GaussianDivergence, MaxDivergence,
        PrivacyLossDistribution, PrivacyLossDivergence, PrivacyProfile, RangeDivergence, RenyiCurve, RenyiDivergence,
        SmoothedMaxDivergence, ZeroConcentratedDivergence,
    },
    metrics::{
        AbsoluteDistance, ChangeOneDistance, DiscreteDistance, HammingDistance, InsertDeleteDistance, L1Distance,
        L01InfDistance, L2Distance, L02InfDistance, LInfDistance, PartitionDistance, SymmetricDistance,
        SymmetricIdDistance,
    },
    postprocessing::*,
    search::*,
    transformations::*,
};
