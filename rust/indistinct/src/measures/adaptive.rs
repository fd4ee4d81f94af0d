//! Measures whose composition rule holds for adaptive releases.

use super::{
    Approximate, CompositionMeasure, GaussianDivergence, MaxDivergence, PrivacyLossDivergence, RenyiDivergence,
    ZeroConcentratedDivergence,
};
use crate::core::Sealed;

/// Measures whose composition rule also holds if each measurement is chosen after seeing the earlier releases, with its
/// loss declared in advance (adaptive composition). If the rule [is concurrent](CompositionMeasure::is_concurrent), it
/// also holds if interactive measurements are queried in turns, and each query may depend on all responses (concurrent
/// composition). Otherwise interactive measurements are refused.
///
/// | measure | adaptive | concurrent |
/// |---|---|---|
/// | [`MaxDivergence`], [`Approximate<MaxDivergence>`](Approximate) | Dwork, Kenthapadi, McSherry, Mironov, Naor 2006 | Vadhan, Wang 2021; Lyu 2022 |
/// | [`ZeroConcentratedDivergence`], [`RenyiDivergence`] | Bun, Steinke 2016; Mironov 2017 | Lyu 2022 |
/// | [`GaussianDivergence`] | Dong, Roth, Su 2022 | Vadhan, Zhang 2023 |
/// | [`PrivacyLossDivergence`] | Zhu, Dong, Wang 2022, Theorem 10 | refused |
///
/// [`RangeDivergence`](super::RangeDivergence) does not implement this trait: the interval of the log-ratio of a second
/// release may depend on the first release, so ranges of adaptive choices do not add up (Dong, Durfee, Rogers 2020).
/// Other approximate measures do not implement it either, because we know of no theorem.
#[diagnostic::on_unimplemented(
    message = "no rule of adaptive composition is known for `{Self}`",
    label = "this measure composes non-adaptively only",
    note = "convert each measurement to max divergence or zero-concentrated divergence before composing, such as by `make_bounded_range_to_zCDP`"
)]
#[allow(private_bounds)]
pub trait AdaptiveMeasure: Sealed + CompositionMeasure {}

impl AdaptiveMeasure for MaxDivergence {}
impl AdaptiveMeasure for Approximate<MaxDivergence> {}
impl AdaptiveMeasure for ZeroConcentratedDivergence {}
impl AdaptiveMeasure for RenyiDivergence {}
impl AdaptiveMeasure for GaussianDivergence {}
impl AdaptiveMeasure for PrivacyLossDivergence {}
