//! The pairs of distributions that a distribution is composed of, and their losses in either direction.

use crate::{
    error::Fallible,
    pld::loss::{
        direction::{Direction, Neighbors},
        discrete::DiscreteLoss,
        exponential::Exponential,
        finite_loss::FiniteLoss,
        fixed_size_gaussian::FixedSizeGaussian,
        lattice::{LatticeKind, LatticeLoss, rational},
        mixture::MixtureLoss,
        sampled_gaussian::{SampledGaussian, Side},
    },
};
use indistinct_numeric::{
    RoundedArithmetic,
    enclosure::{Ball, Enclosure},
    gmp::Rational,
};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// A dominating pair.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "snake_case"))]
pub(crate) enum DominatingPair {
    Gaussian(#[cfg_attr(feature = "serde", serde(with = "crate::stored"))] f64),
    PoissonGaussian {
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
        sigma: f64,
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
        rate: f64,
        replace: bool,
    },
    FixedSizeGaussian {
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
        sigma: f64,
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
        rate: f64,
    },
    /// Noise on a sum that an individual moves by one of several amounts, each with a weight.
    MixtureGaussian {
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
        sigma: f64,
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
        amounts: Vec<(f64, f64)>,
    },
    Laplace(#[cfg_attr(feature = "serde", serde(with = "crate::stored"))] f64),
    BoundedRange(#[cfg_attr(feature = "serde", serde(with = "crate::stored"))] f64),
    Pure(#[cfg_attr(feature = "serde", serde(with = "crate::stored"))] f64),
    Approximate {
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
        epsilon: f64,
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
        delta: f64,
    },
    RandomizedResponse {
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
        epsilon: f64,
        categories: u32,
    },
    DiscreteLaplace {
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
        scale: f64,
        sensitivity: u32,
    },
    DiscreteGaussian {
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
        sigma: f64,
        sensitivity: u32,
    },
    Discrete(#[cfg_attr(feature = "serde", serde(with = "crate::stored"))] Vec<(f64, f64)>),
    PoissonSampled {
        #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
        rate: f64,
        law: Box<DominatingPair>,
    },
}

/// A distribution's loss in one direction: how probable an infinite one is, and the distribution of a finite one.
pub(crate) struct Loss {
    pub(crate) infinite: Ball,
    /// None where a finite loss is 0.
    pub(crate) loss: Option<FiniteLoss>,
}

impl DominatingPair {
    /// True if it has finitely many losses.
    pub(crate) fn has_atoms(&self) -> bool {
        use DominatingPair::{Approximate, Discrete, DiscreteLaplace, Pure, RandomizedResponse};
        matches!(self, Pure(_) | Approximate { .. } | RandomizedResponse { .. } | DiscreteLaplace { .. } | Discrete(_))
    }

    /// The neighbors it is for, if for one kind only.
    pub(crate) fn neighbors(&self) -> Option<Neighbors> {
        match self {
            Self::PoissonGaussian { replace: false, .. }
            | Self::MixtureGaussian { .. }
            | Self::PoissonSampled { .. } => Some(Neighbors::AddRemove),
            Self::PoissonGaussian { replace: true, .. } | Self::FixedSizeGaussian { .. } => Some(Neighbors::Replace),
            Self::Gaussian(_)
            | Self::Laplace(_)
            | Self::BoundedRange(_)
            | Self::Pure(_)
            | Self::Approximate { .. }
            | Self::RandomizedResponse { .. }
            | Self::DiscreteLaplace { .. }
            | Self::DiscreteGaussian { .. }
            | Self::Discrete(_) => None,
        }
    }

    /// True if the two directions have the same distribution.
    pub(crate) fn is_symmetric(&self) -> bool {
        // Each by name: one that was forgotten would be asked for its loss in one direction only.
        match self {
            Self::PoissonGaussian { replace, .. } => *replace,
            Self::MixtureGaussian { .. } | Self::PoissonSampled { .. } | Self::Discrete(_) => false,
            Self::Gaussian(_)
            | Self::FixedSizeGaussian { .. }
            | Self::Laplace(_)
            | Self::BoundedRange(_)
            | Self::Pure(_)
            | Self::Approximate { .. }
            | Self::RandomizedResponse { .. }
            | Self::DiscreteLaplace { .. }
            | Self::DiscreteGaussian { .. } => true,
        }
    }

    /// The scale of Laplace noise, on what moves by 1, that dominates discrete Laplace noise: rounded down. See
    /// "Laplace noise on integers that are far apart" in `proofs/accounting/pld.md`.
    pub(crate) fn scale_above(scale: f64, sensitivity: u32) -> Fallible<f64> {
        let more = 0.25f64.inf_div(scale)?.min(1.0);
        Ok(scale.neg_inf_div(more.inf_add(f64::from(sensitivity))?)?)
    }

    /// Epsilon and delta, where these are all that is known of it.
    pub(crate) fn pair(&self) -> Option<(f64, f64)> {
        match self {
            Self::Pure(epsilon) | Self::RandomizedResponse { epsilon, categories: 2 } => Some((*epsilon, 0.0)),
            Self::Approximate { epsilon, delta } => Some((*epsilon, *delta)),
            _ => None,
        }
    }

    /// The loss; none where no bound is known but the trivial one.
    pub(crate) fn loss(&self, direction: Direction) -> Option<Loss> {
        let zero = Ball::exact(0.0);
        let finite = |loss| Some(Loss { infinite: zero, loss: Some(loss) });
        let sampled =
            |sigma, rate, side| finite(FiniteLoss::Sampled(SampledGaussian { sigma, rate, side, truncation: None }));
        match self {
            Self::Gaussian(sigma) => finite(FiniteLoss::Gaussian { sigma: *sigma }),
            Self::PoissonGaussian { sigma, rate, replace } => match (replace, direction) {
                (true, _) => sampled(*sigma, *rate, Side::Replace),
                (false, Direction::Remove) => sampled(*sigma, *rate, Side::Remove),
                (false, Direction::Add) => sampled(*sigma, *rate, Side::Add),
            },
            Self::FixedSizeGaussian { sigma, rate } => {
                finite(FiniteLoss::FixedSize(FixedSizeGaussian { sigma: *sigma, rate: *rate, end: None }))
            }
            Self::MixtureGaussian { sigma, amounts } => {
                let (kept, infinite) = without_rare(amounts);
                let loss = MixtureLoss::new(*sigma, &kept, direction)?;
                Some(Loss { infinite, loss: Some(FiniteLoss::ByTails(Arc::new(loss))) })
            }
            Self::Laplace(scale) => finite(FiniteLoss::Exponential(Exponential::Laplace { scale: *scale })),
            Self::BoundedRange(eta) => finite(FiniteLoss::Exponential(Exponential::BoundedRange { eta: *eta })),
            Self::Approximate { epsilon, delta } => {
                let infinite = Ball::exact(*delta);
                let loss = if *epsilon > 0.0 { Some(FiniteLoss::Lattice(binary(*epsilon)?)) } else { None };
                Some(Loss { infinite, loss })
            }
            Self::DiscreteGaussian { .. }
            | Self::Pure(_)
            | Self::RandomizedResponse { .. }
            | Self::DiscreteLaplace { .. } => finite(FiniteLoss::Lattice(self.lattice()?)),
            Self::Discrete(_) | Self::PoissonSampled { .. } => {
                let found = self.atoms(direction)?;
                Some(Loss { infinite: found.infinite, loss: found.loss() })
            }
        }
    }

    /// The exact lattice of a distribution that is on one by its definition.
    fn lattice(&self) -> Option<LatticeLoss> {
        match self {
            Self::Pure(epsilon) | Self::Approximate { epsilon, .. } => binary(*epsilon),
            Self::RandomizedResponse { epsilon, categories } => {
                let step = rational(*epsilon)?;
                let kind = LatticeKind::Response { epsilon: *epsilon, categories: f64::from(*categories) };
                Some(LatticeLoss { offset: Rational::from(-&step), step, kind })
            }
            Self::DiscreteLaplace { scale, sensitivity } => {
                let rate = rational(*scale)?.recip();
                let (offset, step) = (Rational::from(&rate * *sensitivity), Rational::from(&rate * 2u32));
                Some(LatticeLoss {
                    offset,
                    step,
                    kind: LatticeKind::Laplace { scale: *scale, sensitivity: *sensitivity },
                })
            }
            Self::DiscreteGaussian { sigma, sensitivity } => {
                let precision = rational(*sigma)?.square().recip();
                let step = Rational::from(&precision * *sensitivity);
                let offset = Rational::from(&step * *sensitivity) / 2u32;
                Some(LatticeLoss {
                    offset,
                    step,
                    kind: LatticeKind::Gaussian { sigma: *sigma, sensitivity: *sensitivity },
                })
            }
            _ => None,
        }
    }

    /// The loss as finitely many atoms.
    fn atoms(&self, direction: Direction) -> Option<DiscreteLoss> {
        let zero = Ball::exact(0.0);
        match self {
            Self::Discrete(weights) => {
                let oriented =
                    weights.iter().map(|(p, q)| if direction == Direction::Remove { (*p, *q) } else { (*q, *p) });
                Some(DiscreteLoss::of_weights(&oriented.collect::<Vec<_>>()))
            }
            Self::PoissonSampled { rate, law } => {
                let inner = law.atoms(Direction::Remove)?;
                Some(inner.sampled(*rate, direction))
            }
            Self::Approximate { epsilon, delta } => {
                let none = || vec![(Ball::exact(0.0), Ball::exact(1.0))];
                let atoms = if *epsilon > 0.0 { self.lattice()?.losses()?.0 } else { none() };
                let kept = Ball::exact(1.0).sub(&Ball::exact(*delta));
                let atoms = atoms.iter().map(|(loss, mass)| (*loss, mass.mul(&kept))).collect();
                Some(DiscreteLoss { atoms, infinite: Ball::exact(*delta), impossible: Ball::exact(*delta) })
            }
            _ => Some(DiscreteLoss { atoms: self.lattice()?.losses()?.0, infinite: zero, impossible: zero }),
        }
    }
}

/// Parts of a mixture that are rarer than this may be far out, where they make everything slow.
const RARE: f64 = 1e-59;

/// Without the greatest amounts if they are rare: a lower bound. Their probability may be one of an infinite loss: an
/// upper bound. See "Mixtures" in `proofs/accounting/pld.md`.
fn without_rare(amounts: &[(f64, f64)]) -> (Vec<(f64, f64)>, Ball) {
    let mut kept = amounts.to_vec();
    kept.sort_by(|(x, _), (y, _)| x.total_cmp(y));
    let greatest = kept.iter().fold(0f64, |most, (_, weight)| most.max(*weight));
    let mut infinite = Ball::exact(0.0);
    while let Some((_, weight)) = kept.pop_if(|(_, weight)| *weight < greatest * RARE) {
        infinite = infinite.add(&Ball::exact(weight).div(&Ball::exact(greatest)));
    }
    // Exactly nothing where none is rare.
    let infinite = if kept.len() == amounts.len() { infinite } else { Ball::between(0.0, infinite.upper()) };
    (kept, infinite)
}

fn binary(epsilon: f64) -> Option<LatticeLoss> {
    let exact = rational(epsilon)?;
    let (offset, step) = (Rational::from(-&exact), Rational::from(&exact * 2u32));
    Some(LatticeLoss { offset, step, kind: LatticeKind::Binary { epsilon } })
}

/// With `#`, so that different pairs are different words.
impl fmt::Display for DominatingPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gaussian(sigma) => write!(f, "Gaussian noise of sigma {sigma:?}"),
            Self::PoissonGaussian { sigma, rate, replace } => {
                let neighbors = if *replace { ", one replaced" } else { "" };
                write!(f, "Gaussian noise of sigma {sigma:?} on a Poisson sample of rate {rate:?}{neighbors}")
            }
            Self::FixedSizeGaussian { sigma, rate } => {
                write!(f, "Gaussian noise of sigma {sigma:?} on a sample of fixed size, rate {rate:?}")
            }
            Self::MixtureGaussian { sigma, amounts } if f.alternate() => {
                write!(f, "Gaussian noise of sigma {sigma:?} on what moves by amounts with weights {amounts:?}")
            }
            Self::MixtureGaussian { sigma, amounts } => {
                write!(f, "Gaussian noise of sigma {sigma:?} on what moves by one of {} amounts", amounts.len())
            }
            Self::Laplace(scale) => write!(f, "Laplace noise of scale {scale:?}"),
            Self::BoundedRange(eta) => write!(f, "range {eta:?}"),
            Self::Pure(epsilon) => write!(f, "epsilon {epsilon:?}"),
            Self::Approximate { epsilon, delta } => write!(f, "(epsilon {epsilon:?}, delta {delta:?})"),
            Self::RandomizedResponse { epsilon, categories } => {
                write!(f, "randomized response of epsilon {epsilon:?} among {categories}")
            }
            Self::DiscreteLaplace { scale, sensitivity } => {
                write!(f, "discrete Laplace noise of scale {scale:?}, sensitivity {sensitivity}")
            }
            Self::DiscreteGaussian { sigma, sensitivity } => {
                write!(f, "discrete Gaussian noise of sigma {sigma:?}, sensitivity {sensitivity}")
            }
            Self::Discrete(weights) if f.alternate() => write!(f, "a pair of laws with weights {weights:?}"),
            Self::Discrete(weights) => write!(f, "a pair of laws on {} outcomes", weights.len()),
            Self::PoissonSampled { rate, law } if f.alternate() => {
                write!(f, "{law:#} on a Poisson sample of rate {rate:?}")
            }
            Self::PoissonSampled { rate, law } => write!(f, "{law} on a Poisson sample of rate {rate:?}"),
        }
    }
}
