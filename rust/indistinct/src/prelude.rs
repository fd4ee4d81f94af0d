//! Everything that one needs to write a chain: `use indistinct::prelude::*;`.

pub use crate::{
    accuracy::*,
    combinators::*,
    core::{
        Distance, Domain, Error, ErrorKind, Explanation, Fallible, Function, Measure, Measurement, Metric, MetricSpace,
        PartialMeasurement, PartialTransformation, Plan, ProofLevel, Queryable, Transformation,
    },
    domains::{AtomDomain, PairDomain, VectorDomain},
    measurements::*,
    measures::{Approximate, CompositionMeasure, MaxDivergence, ZeroConcentratedDivergence},
    metrics::{
        AbsoluteDistance, ChangeOneDistance, DiscreteDistance, HammingDistance, InsertDeleteDistance, L1Distance,
        L2Distance, LInfDistance, SymmetricDistance, SymmetricIdDistance,
    },
    search::*,
    transformations::*,
};
