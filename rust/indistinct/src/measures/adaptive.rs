//! Measures whose composition rule holds for releases that depend on each other.

use super::{
    Approximate, CompositionMeasure, GaussianDivergence, MaxDivergence, PrivacyLossDivergence, RenyiDivergence,
    ZeroConcentratedDivergence,
};
use crate::core::Sealed;

/// Measures whose composition rule also holds if each measurement is chosen in view of the releases before it (its loss
/// being declared beforehand), and, where it [is concurrent](CompositionMeasure::is_concurrent), if interactive
/// measurements are asked in turns, each query in view of all responses (concurrent composition); where it is not,
/// interactive measurements are refused.
///
/// | measure | adaptive | concurrent |
/// |---|---|---|
/// | [`MaxDivergence`], [`Approximate<MaxDivergence>`](Approximate) | Dwork, Kenthapadi, McSherry, Mironov, Naor 2006 | Vadhan, Wang 2021; Lyu 2022 |
/// | [`ZeroConcentratedDivergence`], [`RenyiDivergence`] | Bun, Steinke 2016; Mironov 2017 | Lyu 2022 |
/// | [`GaussianDivergence`] | Dong, Roth, Su 2022 | Vadhan, Zhang 2023 |
/// | [`PrivacyLossDivergence`] | Zhu, Dong, Wang 2022, Theorem 10 | refused |
///
/// Not for [`RangeDivergence`](super::RangeDivergence): where the log-ratio of a second release lies may depend on the
/// first one, so that ranges of adaptive choices do not add up (Dong, Durfee, Rogers 2020). Nor for other approximate
/// measures, for want of a theorem that we know.
#[diagnostic::on_unimplemented(
    message = "the composition rule of `{Self}` is not known to hold for adaptive choices",
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
