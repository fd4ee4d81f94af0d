//! Guarantees that may fail with a small probability.

use super::{CompositionMeasure, MaxDivergence, exact_sum};
use crate::core::{Fallible, Measure, parameter_by_debug};
use std::any::TypeId;

/// Closeness under `M` except with probability delta; the distance is the pair (distance under `M`, delta).
///
/// Two distributions P and Q are (d, delta)-close if they are mixtures `P = (1 - delta) P' + delta P''` and
/// `Q = (1 - delta) Q' + delta Q''` with `P'` and `Q'` d-close under `M`. For max divergence this is (epsilon, delta)
/// differential privacy (Dwork, Kenthapadi, McSherry, Mironov, Naor 2006; equivalent by Kairouz, Oh, Viswanath 2015);
/// for zero-concentrated divergence it is Bun, Steinke 2016, Definition 8.1. Composition adds both parts.
///
/// A delta is a probability: as a parameter, a bound to check or a budget it must be at most 1. A sum in a map may
/// exceed 1; it then has the same meaning as a delta of 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Approximate<M: Measure>(pub M);

impl<M: Measure> Measure for Approximate<M> {
    type Distance = (M::Distance, f64);

    fn describe(&self, (distance, delta): &Self::Distance) -> String {
        format!("{}, delta {delta:?}", self.0.describe(distance))
    }

    /// True for an infinite distance, whatever delta is, and for a delta of 1.
    fn is_infinite(&self, (distance, delta): &Self::Distance) -> Fallible<bool> {
        Ok(*delta >= 1.0 || self.0.is_infinite(distance)?)
    }

    fn is_directed(&self, (distance, _): &Self::Distance) -> bool {
        self.0.is_directed(distance)
    }
}

impl<M: CompositionMeasure> CompositionMeasure for Approximate<M> {
    fn compose(&self, distances: &[Self::Distance]) -> Fallible<Self::Distance> {
        let (inner, deltas): (Vec<_>, Vec<_>) = distances.iter().cloned().unzip();
        Ok((self.0.compose(&inner)?, exact_sum(&deltas)?))
    }

    /// The rule is known for (epsilon, delta) only.
    fn is_concurrent(&self) -> bool {
        TypeId::of::<M>() == TypeId::of::<MaxDivergence>()
    }

    fn infinite() -> Fallible<(M::Distance, f64)> {
        Ok((M::infinite()?, 1.0))
    }
}

parameter_by_debug!((M: Measure) Approximate<M>);
