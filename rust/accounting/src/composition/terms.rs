//! The binomial sum in plain floats, for many totals: where to look for the one at which it is what is wanted. It
//! decides where bounds are evaluated, not what they are.

use crate::composition::{
    binomial::{Repeated, to_count},
    inverse::{Estimate, newton},
};
use indistinct_numeric::enclosure::{Ball, Enclosure};

/// `C(k, l) e^(-l epsilon) (1 + e^-epsilon)^-k` from some l downwards.
pub(super) struct Terms {
    weights: Vec<f64>,
    /// The loss `(k - 2l) epsilon` of the first, and by how much it rises from one to the next.
    first: f64,
    step: f64,
}

/// More are not listed: four megabytes.
const MOST: usize = 1 << 19;

impl Terms {
    /// All that matter for totals near `guess` or above. None, where there are too many, or numbers leave the range of
    /// floats.
    pub(super) fn new((count, epsilon): (u32, f64), guess: f64) -> Option<Self> {
        let k = f64::from(count);
        let shrunk = (-epsilon).exp();
        let mean = k * shrunk / (1.0 + shrunk);
        let deviation = (mean / (1.0 + shrunk)).sqrt();
        // Some more than are positive at the guess, as it may be off by two deviations, or a fifth.
        let last = (k - guess / epsilon) / 2.0 + (2.0 * deviation).min(0.1 * guess / epsilon) + 2.0;
        let start = last.min(mean + 10.0 * deviation + 16.0).min(k).floor();
        to_count(start)?;
        let repeated = Repeated { count, epsilon, total: guess };
        let mut weight = repeated.weight::<Ball>(start)?.upper();
        if !(weight > 1e-280 && weight < 2.0) {
            return None;
        }
        let (mut weights, mut sum, mut l) = (Vec::new(), 0.0, start);
        let growth = epsilon.exp();
        loop {
            weights.push(weight);
            sum += weight;
            let ratio = l * growth / (k - l + 1.0);
            weight *= ratio;
            l -= 1.0;
            if l < 0.0 || ratio < 1.0 && weight <= sum * 1e-18 * (1.0 - ratio) {
                break;
            }
            if weights.len() >= MOST {
                return None;
            }
        }
        let first = (k - 2.0 * start) * epsilon;
        (first.is_finite() && sum.is_finite()).then_some(Self { weights, first, step: 2.0 * epsilon })
    }

    /// The sum of weights times `1 - e^(total - loss)`, where that is positive, and minus its derivative.
    fn at(&self, total: f64) -> (f64, f64) {
        // A step beyond the last loss that does not count; from there on what a share lacks of 1 shrinks by the same
        // factor.
        let skipped = ((total - self.first) / self.step).ceil().max(0.0);
        let weights = to_count(skipped).and_then(|skipped| self.weights.get(usize::try_from(skipped).ok()?..));
        let excess = total - (self.first + skipped * self.step);
        let (kept, lost) = ((-self.step).exp(), -(-self.step).exp_m1());
        let (mut rest, mut share) = (excess.exp(), -excess.exp_m1());
        let (mut sum, mut slope) = (0.0, 0.0);
        for weight in weights.unwrap_or_default() {
            sum += weight * share;
            slope += weight * rest;
            share += rest * lost;
            rest *= kept;
        }
        (sum, slope)
    }

    /// The total at which the sum is what is wanted.
    pub(super) fn inverse(&self, wanted: f64, guess: f64) -> Option<Estimate> {
        newton(wanted, guess, |total| self.at(total))
    }
}
