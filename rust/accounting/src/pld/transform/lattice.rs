//! The tilted weights of a loss on a lattice, and its transform.

use crate::pld::{
    loss::{
        cumulants::{Cumulants, cumulants},
        lattice::{LatticeKind, LatticeLoss, ball, float},
    },
    transform::{
        atoms::Atoms,
        discrete_gaussian::DiscreteGaussian,
        nodes::{Nodes, Values},
    },
};
use indistinct_numeric::{
    Above,
    enclosure::{Ball, ComplexBall, Enclosure, exp_or_tiny, midpoint},
};

/// Tilted weights by index, scaled by `e^-log_normalizer`, and how much may be missing or too much.
#[derive(Debug)]
pub(crate) struct Weights {
    pub(crate) log_normalizer: f64,
    pub(crate) weights: Vec<(i64, f64)>,
    pub(crate) error: Above,
}

impl LatticeLoss {
    /// The tilted weights.
    pub(crate) fn weights(&self, tilt: f64) -> Weights {
        if let LatticeKind::Table { first, masses, coarse } = &self.kind {
            let log_normalizer = self.table_cumulants(tilt, coarse).value;
            return self.table_weights(tilt, *first, masses, log_normalizer);
        }
        let (atoms, rest) = self.logarithms(tilt);
        let greatest = atoms.iter().fold(f64::NEG_INFINITY, |most, atom| most.max(atom.1.lower()));
        let total: f64 = atoms.iter().map(|atom| (atom.1.lower() - greatest).exp()).sum();
        let log_normalizer = greatest + total.ln();
        let mut result = Weights {
            log_normalizer,
            weights: Vec::with_capacity(atoms.len()),
            error: rest.map_or(Above::ZERO, |rest| (rest - log_normalizer).exp()),
        };
        for (index, logarithm) in atoms {
            let share = logarithm.sub(&Ball::exact(log_normalizer));
            if share.upper() < -600.0 {
                result.error += Above::promised(1e-260);
                continue;
            }
            let (weight, error) = midpoint(&share.exp());
            result.weights.push((index, weight));
            result.error += Above::promised(error);
        }
        result
    }

    /// For a table: powers of `e^(tilt step)` as products of two, from blocks of 256.
    fn table_weights(&self, tilt: f64, first: i64, masses: &[f64], log_normalizer: f64) -> Weights {
        let (offset, step, tilted) = (ball(&self.offset), ball(&self.step), Ball::exact(tilt));
        let logarithm = |i: i64| tilted.mul(&offset.add(&Ball::exact(float(i)).mul(&step)));
        let within: Vec<(f64, f64)> =
            (0..256).map(|i| midpoint(&exp_or_tiny(&tilted.mul(&Ball::exact(f64::from(i)).mul(&step))))).collect();
        let (mut weights, mut error) = (Vec::with_capacity(masses.len()), 0.0);
        let mut start = first;
        for block in masses.chunks(256) {
            let exponent = logarithm(start).sub(&Ball::exact(log_normalizer));
            let last = logarithm(start + 255).sub(&Ball::exact(log_normalizer));
            if exponent.upper() < -640.0 && last.upper() < -640.0 {
                // At most 256 masses, of which none exceeds 2.
                error += 1e-250;
                start += 256;
                continue;
            }
            let base = midpoint(&exp_or_tiny(&exponent));
            for ((i, mass), power) in (start..).zip(block).zip(&within) {
                let weight = mass * base.0 * power.0;
                error += mass * (base.0 * power.1 + base.1 * (power.0 + power.1)) + weight * 2.0 * f64::EPSILON;
                weights.push((i, weight));
            }
            start += 256;
        }
        // One addition for each mass or less, and eight operations for its term.
        let operations = u32::try_from(masses.len()).unwrap_or(u32::MAX).saturating_add(8);
        Weights { log_normalizer, weights, error: Above::rounded(error, operations) }
    }

    fn table_cumulants(&self, tilt: f64, coarse: &[(f64, f64)]) -> Cumulants {
        let (offset, step) = (self.offset.to_f64(), self.step.to_f64());
        cumulants(coarse.iter().map(|(logarithm, index)| {
            let loss = offset + step * index;
            (logarithm + tilt * loss, loss)
        }))
    }

    pub(crate) fn cumulants(&self, tilt: f64) -> Cumulants {
        if let LatticeKind::Table { coarse, .. } = &self.kind {
            return self.table_cumulants(tilt, coarse);
        }
        match &self.kind {
            LatticeKind::Binary { epsilon } => {
                let twice = (2.0 * tilt + 1.0) * epsilon;
                let (value, bend) =
                    (tilt * epsilon + (-twice).exp().ln_1p() - (-epsilon).exp().ln_1p(), (twice / 2.0).cosh());
                let (slope, curvature) = (epsilon * (twice / 2.0).tanh(), (epsilon / bend) * (epsilon / bend));
                return Cumulants { value, slope, curvature };
            }
            // As without rounding to integers, but for e^-79.
            LatticeKind::Gaussian { sigma, sensitivity } if *sigma >= 2.0 => {
                let variance = (f64::from(*sensitivity) / sigma) * (f64::from(*sensitivity) / sigma);
                let (value, slope) = (variance * tilt * (tilt + 1.0) / 2.0, variance * (tilt + 0.5));
                return Cumulants { value, slope, curvature: variance };
            }
            _ => {}
        }
        let (offset, step) = (self.offset.to_f64(), self.step.to_f64());
        let (atoms, _) = self.logarithms(tilt);
        let atoms: Vec<_> = atoms.iter().map(|(i, weight)| (weight.lower(), offset + float(*i) * step)).collect();
        cumulants(atoms.iter().copied())
    }

    /// The transform on a contour.
    pub(crate) fn values(&self, nodes: &Nodes) -> Values {
        match DiscreteGaussian::new(self, nodes.tilt) {
            Some(gaussian) => gaussian.values(nodes),
            None => self.values_of_atoms(nodes),
        }
    }

    /// As finitely many losses.
    pub(crate) fn values_of_atoms(&self, nodes: &Nodes) -> Values {
        let found = self.weights(nodes.tilt);
        if nodes.count == 1 {
            // The real point alone: the sum of the weights, each addition off by less than a unit of the total.
            let total: f64 = found.weights.iter().map(|(_, weight)| weight).sum();
            let terms = float(i64::try_from(found.weights.len()).unwrap_or(i64::MAX));
            let disk = ComplexBall::new(total, 0.0, (found.error + Above::exact(total) * terms * f64::EPSILON).get());
            return Values::whole(found.log_normalizer, std::iter::once(disk));
        }
        self.atoms(found).values(nodes)
    }

    /// At points by their numbers.
    pub(crate) fn values_at(&self, (tilt, period): (f64, f64), numbers: &[u32]) -> Values {
        match DiscreteGaussian::new(self, tilt) {
            Some(gaussian) => gaussian.values_at(period, numbers.iter().copied()),
            None => self.atoms(self.weights(tilt)).values_at(period, numbers),
        }
    }

    fn atoms(&self, found: Weights) -> Atoms {
        let (offset, step) = (ball(&self.offset), ball(&self.step));
        let slack = if let LatticeKind::Finite { slack, .. } = &self.kind { *slack } else { 0.0 };
        let offset = offset.add(&Ball::between(-slack, slack));
        let losses = found.weights.iter().map(|(i, _)| midpoint(&offset.add(&Ball::exact(float(*i)).mul(&step))));
        Atoms {
            log_normalizer: found.log_normalizer,
            losses: losses.collect(),
            weights: found.weights.iter().map(|(_, weight)| *weight).collect(),
            errors: Vec::new(),
            total: None,
            error: found.error,
        }
    }
}
