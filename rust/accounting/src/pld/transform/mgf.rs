//! The moment generating function of one mechanism's loss, of whichever kind.

use crate::pld::{
    loss::{finite_loss::FiniteLoss, tails::Rule},
    transform::{
        atoms::Atoms,
        nodes::{Nodes, Values},
    },
};
use indistinct_numeric::enclosure::{Ball, Enclosure};

impl FiniteLoss {
    /// None for a Gaussian, which is in closed form, and where it would take too long.
    pub(crate) fn values(&self, nodes: &Nodes) -> Option<Values> {
        match self {
            Self::Gaussian { .. } => None,
            Self::ByTails(law) => {
                let frequency = if nodes.count > 1 { nodes.frequency().get() } else { 0.0 };
                let Rule { atoms, missing } = law.rule(nodes.tilt, frequency)?;
                let mut atoms = Atoms::new(&atoms);
                // Weights add up to nearly 1.
                atoms.error += missing * 1.01;
                Some(atoms.values(nodes))
            }
            Self::Sampled(law) => law.values(nodes),
            Self::FixedSize(law) => law.values(nodes),
            Self::Exponential(law) => Some(law.values(nodes)),
            Self::Lattice(law) => Some(law.values(nodes)),
            Self::Loose(atoms) => {
                let tilt = Ball::exact(nodes.tilt);
                let tilted: Vec<_> = atoms.iter().map(|(loss, mass)| (mass.ln().add(&tilt.mul(loss)), *loss)).collect();
                Some(Atoms::new(&tilted).values(nodes))
            }
        }
    }

    /// At points by their numbers: of what has no density, and in closed form.
    pub(crate) fn values_at(&self, (tilt, period): (f64, f64), numbers: &[u32]) -> Option<Values> {
        match self {
            Self::Exponential(law) => Some(law.values_at((tilt, period), numbers.iter().copied())),
            Self::Lattice(law) => Some(law.values_at((tilt, period), numbers)),
            _ => None,
        }
    }
}
