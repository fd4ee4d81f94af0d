//! Losses that can be taken apart into those near zero and large ones.

use crate::pld::{
    integrate::chernoff::ChernoffBound,
    loss::{
        finite_loss::{FiniteLoss, FiniteLosses},
        fixed_size_gaussian::FixedSizeGaussian,
        sampled_gaussian::{SampledGaussian, Side},
        truncation::{Sharpness, Truncation},
    },
    transform::{
        cut_fixed_size::{CutFixedSize, LargeLosses, PreciseParts},
        nodes::Nodes,
        off_axis::{BulkAndTail, bulk_and_tail},
        tabulated::TabulatedDensity,
        tail_bound::TailBound,
    },
};
use indistinct_numeric::{
    Above,
    enclosure::{Ball, Enclosure},
};

/// A distribution without what is far out, if anything is.
pub(crate) trait Separable: Copy {
    /// What is known of its large losses.
    type Large;
    /// Places that are tried for a cut: each so small a part of the one before, and how many.
    const PLACES: (f64, i32);

    /// Without what has, over `count` releases, a probability of about `e^budget`; and a bound on that.
    fn truncated(&self, count: f64, budget: f64) -> Option<(Self, Above)>;
    fn far(&self) -> Option<Truncation>;
    fn table(&self, count: f64) -> TabulatedDensity;
    fn large(&self, tilt: f64, near: Truncation, log_normalizer: f64) -> Option<Self::Large>;
    /// The size of large losses' transform from a frequency on, over `e^log_normalizer`.
    fn size_from(large: &Self::Large, frequency: f64) -> Above;
    /// Both parts at the nodes, for so many releases, to errors of which the logarithms are the goals.
    fn parts(
        &self,
        near: Truncation,
        nodes: &Nodes,
        scales: (f64, (f64, f64)),
        large: (&Self::Large, u64),
    ) -> Option<BulkAndTail>;
    /// The same at the first nodes to many digits, from the float near the tail that the base has in its place; none
    /// where that is not known.
    fn precise_parts(
        &self,
        near: Truncation,
        nodes: &Nodes,
        scales: (f64, (f64, f64)),
        large: (&Self::Large, f64),
    ) -> Option<PreciseParts>;
    /// Chernoff's bound on all, or on what is near in each.
    fn chernoff(laws: &[(Self, u64)], near: Option<&[Truncation]>, tilt: f64) -> Option<ChernoffBound>;
}

impl Separable for SampledGaussian {
    type Large = TailBound;
    const PLACES: (f64, i32) = (0.75, 14);

    fn truncated(&self, count: f64, budget: f64) -> Option<(Self, Above)> {
        SampledGaussian::truncated(self, &self.density_cells()?, count, budget, (Sharpness::Soft, 1.0))
    }

    fn far(&self) -> Option<Truncation> {
        self.truncation
    }

    fn table(&self, count: f64) -> TabulatedDensity {
        TabulatedDensity::new(self, count)
    }

    fn large(&self, tilt: f64, near: Truncation, log_normalizer: f64) -> Option<TailBound> {
        TailBound::new(self, tilt, near, log_normalizer)
    }

    fn size_from(large: &TailBound, frequency: f64) -> Above {
        large.size_from(frequency)
    }

    fn parts(
        &self,
        near: Truncation,
        nodes: &Nodes,
        scales: (f64, (f64, f64)),
        large: (&TailBound, u64),
    ) -> Option<BulkAndTail> {
        bulk_and_tail(self, near, nodes, scales, large)
    }

    fn precise_parts(
        &self,
        _: Truncation,
        _: &Nodes,
        _: (f64, (f64, f64)),
        _: (&TailBound, f64),
    ) -> Option<PreciseParts> {
        None
    }

    fn chernoff(laws: &[(Self, u64)], near: Option<&[Truncation]>, tilt: f64) -> Option<ChernoffBound> {
        let cut = |(i, (law, count)): (usize, &(Self, u64))| {
            let truncation = near.map_or(law.truncation, |near| near.get(i).copied());
            (FiniteLoss::Sampled(SampledGaussian { truncation, ..*law }), *count)
        };
        ChernoffBound::new(&laws.iter().enumerate().map(cut).collect::<Vec<_>>(), tilt)
    }
}

/// Where it has been cut already.
impl Separable for CutFixedSize {
    type Large = LargeLosses;
    const PLACES: (f64, i32) = (0.87, 48);

    fn truncated(&self, _: f64, _: f64) -> Option<(Self, Above)> {
        None
    }

    /// Its cuts need no order: what is near is a share of what is not far.
    fn far(&self) -> Option<Truncation> {
        None
    }

    fn table(&self, count: f64) -> TabulatedDensity {
        CutFixedSize::table(self, count)
    }

    fn large(&self, tilt: f64, near: Truncation, log_normalizer: f64) -> Option<LargeLosses> {
        CutFixedSize::large(self, tilt, near, log_normalizer)
    }

    fn size_from(large: &LargeLosses, frequency: f64) -> Above {
        large.size_from(frequency)
    }

    fn parts(
        &self,
        near: Truncation,
        nodes: &Nodes,
        scales: (f64, (f64, f64)),
        (large, _): (&LargeLosses, u64),
    ) -> Option<BulkAndTail> {
        CutFixedSize::parts(self, near, nodes, scales, large)
    }

    fn precise_parts(
        &self,
        near: Truncation,
        nodes: &Nodes,
        scales: (f64, (f64, f64)),
        (large, near_tail): (&LargeLosses, f64),
    ) -> Option<PreciseParts> {
        CutFixedSize::precise_parts(self, near, nodes, scales, large, near_tail)
    }

    fn chernoff(laws: &[(Self, u64)], near: Option<&[Truncation]>, tilt: f64) -> Option<ChernoffBound> {
        let log_mgf = |(i, (law, count)): (usize, &(Self, u64))| {
            let near = near.and_then(|near| near.get(i).copied());
            Some((Ball::exact(law.log_mgf(tilt, near)?.get()), *count))
        };
        let logarithms = laws.iter().enumerate().map(log_mgf).collect::<Option<Vec<_>>>()?;
        Some(ChernoffBound::of_logarithms(&logarithms, tilt))
    }
}

/// Noise on Poisson samples alone, removing.
pub(crate) fn sampled(losses: &FiniteLosses) -> Option<Vec<(SampledGaussian, u64)>> {
    let law = |(loss, count): &(FiniteLoss, u64)| match loss {
        FiniteLoss::Sampled(law) if law.side == Side::Remove => Some((*law, *count)),
        _ => None,
    };
    losses.iter().map(law).collect()
}

/// Noise on samples of fixed size alone.
pub(crate) fn losses_of_fixed_size(losses: &FiniteLosses) -> Option<Vec<(FixedSizeGaussian, u64)>> {
    let law = |(loss, count): &(FiniteLoss, u64)| match loss {
        FiniteLoss::FixedSize(law) => Some((*law, *count)),
        _ => None,
    };
    losses.iter().map(law).collect()
}
