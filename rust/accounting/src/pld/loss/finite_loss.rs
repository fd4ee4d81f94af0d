//! One mechanism's loss, of whichever kind, and sums of them.

use crate::pld::loss::{
    exponential::Exponential,
    fixed_size_gaussian::FixedSizeGaussian,
    lattice::{LatticeKind, LatticeLoss, ball, rational},
    sampled_gaussian::{SampledGaussian, Side},
    tails::KnownByTails,
};
use indistinct_numeric::{
    RoundedFrom,
    enclosure::{Ball, Enclosure},
    gmp::Rational,
};
use std::sync::Arc;

/// One mechanism's loss in one direction, given that it is finite.
#[derive(Debug, Clone)]
pub(crate) enum FiniteLoss {
    /// Gaussian noise of standard deviation sigma, sensitivity 1.
    Gaussian {
        sigma: f64,
    },
    Sampled(SampledGaussian),
    FixedSize(FixedSizeGaussian),
    Exponential(Exponential),
    Lattice(LatticeLoss),
    /// Any loss of which only the tails are known.
    ByTails(Arc<dyn KnownByTails>),
    /// Any losses, with their probabilities.
    Loose(Arc<Vec<(Ball, Ball)>>),
}

/// Several, each so many times.
pub(crate) type FiniteLosses = [(FiniteLoss, u64)];

impl FiniteLoss {
    /// An upper bound on the loss, if there is one.
    fn ceiling(&self) -> Option<Rational> {
        match self {
            Self::Sampled(SampledGaussian { rate, side: Side::Add, .. }) => {
                rational(Ball::exact(0.0).sub(&Ball::exact(-rate).ln_1p()).upper())
            }
            Self::Gaussian { .. } | Self::Sampled(_) | Self::FixedSize(_) => None,
            Self::Exponential(Exponential::Laplace { scale }) => Some(rational(*scale)?.recip()),
            Self::Exponential(Exponential::BoundedRange { eta }) => rational(*eta),
            Self::ByTails(law) => rational(law.greatest()?),
            Self::Lattice(law) => law.ceiling(),
            Self::Loose(atoms) => rational(atoms.iter().fold(f64::MIN, |most, (loss, _)| most.max(loss.upper()))),
        }
    }

    /// The same to 106 bits.
    fn ceiling_near(&self) -> Option<Ball> {
        match self {
            Self::Exponential(law) => Some(law.radius()),
            loss => Some(ball(&loss.ceiling()?)),
        }
    }

    /// The same as a float.
    pub(crate) fn greatest(&self) -> Option<f64> {
        f64::inf_from(&self.ceiling()?).ok()
    }

    /// How far from its lattice a loss may be.
    pub(crate) fn slack(&self) -> f64 {
        if let Self::Lattice(LatticeLoss { kind: LatticeKind::Finite { slack, .. }, .. }) = self { *slack } else { 0.0 }
    }
}

/// The greatest losses are added up exactly for so many kinds or fewer, because fractions become long.
const FEW: usize = 100;

/// The sum of the greatest losses, if there are any, between floats that are next to it or to 106 bits.
pub(crate) fn greatest(losses: &FiniteLosses) -> Option<Ball> {
    if losses.len() <= FEW {
        return Some(ball(&exact_greatest(losses)?));
    }
    let each = |(loss, count): &(FiniteLoss, u64)| Some(loss.ceiling_near()?.mul(&Ball::exact(number(*count))));
    losses.iter().try_fold(Ball::exact(0.0), |sum, loss| Some(sum.add(&each(loss)?)))
}

/// A lower bound on epsilon less the greatest loss, which is near a sum: from 0 on, delta is 0; below, it is at most
/// one less the exponential.
pub(crate) fn margin_above_supremum(losses: &FiniteLosses, greatest: &Ball, epsilon: f64) -> Option<f64> {
    let near = Ball::exact(epsilon).sub(greatest);
    if near.lower() >= 0.0 || near.upper() < 0.0 {
        return Some(near.lower());
    }
    // Exactly, where it is not seen on which side it is.
    f64::neg_inf_from(&(rational(epsilon)? - exact_greatest(losses)?)).ok()
}

fn exact_greatest(losses: &FiniteLosses) -> Option<Rational> {
    losses.iter().map(|(loss, count)| Some(loss.ceiling()? * *count)).sum()
}

/// A count as a float: exact below 2^53.
pub(crate) fn number(count: u64) -> f64 {
    let (high, low) = (count >> 32, count & 0xffff_ffff);
    f64::from(u32::try_from(high).unwrap_or(u32::MAX)) * 4_294_967_296.0 + f64::from(u32::try_from(low).unwrap_or(0))
}

/// The whole part of a float or a number less, at most 2^40; 0 for what is negative or no number.
pub(crate) fn whole(x: f64) -> u64 {
    // Adding 2^52 rounds to the nearest whole number.
    if x >= 1.0 {
        ((x.min(1_099_511_627_776.0) - 1.0) + 4_503_599_627_370_496.0).to_bits() & 0xf_ffff_ffff_ffff
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_parts() {
        for (x, least, most) in [(0.0, 0, 0), (-3.0, 0, 0), (f64::NAN, 0, 0), (0.9, 0, 0), (1.0, 0, 1), (2.5, 1, 2)] {
            assert!((least..=most).contains(&whole(x)), "{x}");
        }
        assert!((1 << 39..=1 << 40).contains(&whole(1e300)));
    }
}
