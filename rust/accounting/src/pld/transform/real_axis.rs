//! The transform of a sampled Gaussian's loss by the trapezoid rule on the real axis.

use crate::pld::{
    loss::sampled_gaussian::SampledGaussian,
    transform::{
        atoms::Atoms,
        nodes::{Nodes, Values},
    },
};
use indistinct_numeric::{
    Above,
    enclosure::{Ball, Enclosure},
};

/// Nor more terms in all sums on a contour: some tenths of a second.
const MOST_TERMS: f64 = 67_108_864.0;

impl SampledGaussian {
    /// The transform on a contour; none if it would take too many points.
    pub(crate) fn values(&self, nodes: &Nodes) -> Option<Values> {
        let guess = if self.truncation.is_some() { self.cumulants(nodes.tilt).value } else { 0.0 };
        let step = self.step(nodes.tilt, if nodes.count == 1 { Above::ZERO } else { nodes.frequency() }, guess)?;
        // Points next to nothing count for no terms; they are at most half, mostly.
        let (left, right) = self.window(nodes.tilt);
        if (left + right) / step * f64::from(nodes.count) > 2.0 * MOST_TERMS {
            return None;
        }
        let mu = Ball::exact(1.0).div(&Ball::exact(self.sigma));
        let weight = Ball::exact(step).mul(&Ball::inverse_root_two_pi()).ln();
        let pair = |y| {
            let (density, loss) = self.weigh(nodes.tilt, &mu, y);
            (density.add(&weight), loss)
        };
        let pairs: Vec<_> = self.rule(nodes.tilt, step).map(pair).collect();
        let mut atoms = Atoms::new(&pairs);
        // The tails beyond the first and the last point: there the logarithm of the density falls by at least 10 a
        // unit. The points that the rule leaves out are below the integral that it leaves out.
        let edge = |pair: Option<&(Ball, Ball)>| {
            pair.map_or(Above::UNKNOWN, |(weight, _)| (Above::of(weight) - atoms.log_normalizer).exp())
        };
        let tails = (edge(pairs.first()) + edge(pairs.last())) / step * 0.1;
        let total: f64 = atoms.weights.iter().sum();
        // The rule's own error is below 2^-66 of the integral, or of what it was guessed to be. The step is chosen for
        // an integral of at most twice the guess, with a factor of e^0.7 to spare; here it is at most 3.2 times.
        let is_guessed = self.truncation.is_none() || (guess - atoms.log_normalizer).abs() < 0.69;
        if !(total > 0.5 && total < 1.5 && (tails + atoms.error).get() < 0.1 && is_guessed) {
            return None;
        }
        atoms.error += tails * 2.0 + 2f64.powi(-if self.truncation.is_none() { 65 } else { 63 });
        let terms = f64::from(u32::try_from(atoms.weights.len()).ok()?);
        (terms * f64::from(nodes.count) <= MOST_TERMS).then(|| atoms.values(nodes))
    }
}
