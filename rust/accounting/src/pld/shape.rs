//! One mechanism's loss, of whichever kind, and sums of them.

use super::{
    exponential::Exponential,
    lattice::{LatticeKind, LatticeLaw, rational},
    sampled_gaussian::{SampledGaussian, Side},
    transform::{Atoms, Cumulants, Line, Values},
};
use indistinct_numeric::{
    Rational, RoundedFrom,
    enclosure::{Ball, Enclosure},
};
use std::sync::Arc;

/// One mechanism's loss in one direction, given that it is finite.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    /// Gaussian noise of standard deviation sigma, sensitivity 1.
    Gaussian {
        sigma: f64,
    },
    Sampled(SampledGaussian),
    Exponential(Exponential),
    Lattice(LatticeLaw),
    /// Any losses, with their probabilities.
    Loose(Arc<Vec<(Ball, Ball)>>),
}

/// Several, each so many times.
pub(super) type Shapes = [(Shape, u64)];

impl Shape {
    /// An upper bound on the loss, if there is one.
    fn ceiling(&self) -> Option<Rational> {
        match self {
            Self::Sampled(SampledGaussian { rate, side: Side::Add, .. }) => {
                rational(Ball::exact(0.0).sub(&Ball::exact(-rate).ln_1p()).upper())
            }
            Self::Gaussian { .. } | Self::Sampled(_) => None,
            Self::Exponential(Exponential::Laplace { scale }) => Some(rational(*scale)?.recip()),
            Self::Exponential(Exponential::BoundedRange { eta }) => rational(*eta),
            Self::Lattice(law) => law.ceiling(),
            Self::Loose(atoms) => rational(atoms.iter().fold(f64::MIN, |most, (loss, _)| most.max(loss.upper()))),
        }
    }

    /// The same as a float.
    pub(super) fn greatest(&self) -> Option<f64> {
        f64::inf_from(&self.ceiling()?).ok()
    }

    /// How far from its lattice a loss may be.
    pub(super) fn slack(&self) -> f64 {
        if let Self::Lattice(LatticeLaw { kind: LatticeKind::Finite { slack, .. }, .. }) = self { *slack } else { 0.0 }
    }

    pub(super) fn cumulants(&self, tilt: f64) -> Cumulants {
        match self {
            Self::Gaussian { sigma } => {
                let variance = 1.0 / (sigma * sigma);
                Cumulants {
                    value: variance * tilt * (tilt + 1.0) / 2.0,
                    slope: variance * (tilt + 0.5),
                    curvature: variance,
                }
            }
            Self::Sampled(law) => law.cumulants(tilt),
            Self::Exponential(law) => law.cumulants(tilt),
            Self::Lattice(law) => law.cumulants(tilt),
            Self::Loose(atoms) => {
                let floats = atoms.iter().map(|(loss, mass)| (loss.lower(), mass.upper().ln()));
                super::transform::cumulants(floats.map(|(loss, mass)| (mass + tilt * loss, loss)))
            }
        }
    }

    /// None for a Gaussian, which is in closed form, and where it would take too long.
    pub(super) fn values(&self, line: &Line) -> Option<Values> {
        match self {
            Self::Gaussian { .. } => None,
            Self::Sampled(law) => law.values(line),
            Self::Exponential(law) => Some(law.values(line)),
            Self::Lattice(law) => Some(law.values(line)),
            Self::Loose(atoms) => {
                let tilt = Ball::exact(line.tilt);
                let tilted: Vec<_> = atoms.iter().map(|(loss, mass)| (mass.ln().add(&tilt.mul(loss)), *loss)).collect();
                Some(Atoms::new(&tilted).values(line))
            }
        }
    }
}

/// The sum of the greatest losses, if there are any.
pub(super) fn greatest(shapes: &Shapes) -> Option<Rational> {
    shapes.iter().map(|(shape, count)| Some(shape.ceiling()? * *count)).sum()
}

/// A lower bound on epsilon less the greatest loss, if there is one: from 0 on, delta is 0; below, it is at most one less the exponential.
pub(super) fn above_all(shapes: &Shapes, epsilon: f64) -> Option<f64> {
    f64::neg_inf_from(&(rational(epsilon)? - greatest(shapes)?)).ok()
}

/// A count as a float: exact below 2^53.
pub(super) fn number(count: u64) -> f64 {
    let (high, low) = (count >> 32, count & 0xffff_ffff);
    f64::from(u32::try_from(high).unwrap_or(u32::MAX)) * 4_294_967_296.0 + f64::from(u32::try_from(low).unwrap_or(0))
}
