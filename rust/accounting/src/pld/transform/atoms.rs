//! The moment generating function of one mechanism's loss, on a vertical line.

use crate::pld::transform::{
    lanes::{Block, LANES, lanes, sum_and_step},
    nodes::{Nodes, Values},
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, CompensatedSum, ComplexBall, Enclosure, UNIT_ROUNDOFF, midpoint, unit_circle},
};

/// Steps between two evaluations of a sine.
const RESTART: u32 = 32;

/// Finitely many losses and what they weigh under the tilted distribution, and how far the transform of the true one
/// may be, over `e^log_normalizer`.
#[derive(Debug, Clone)]
pub(crate) struct Atoms {
    pub(crate) log_normalizer: f64,
    pub(crate) weights: Vec<f64>,
    /// Middles, and distances to the truth.
    pub(crate) losses: Vec<(f64, f64)>,
    /// What the weights are off by, if that is not all in `error`.
    pub(crate) errors: Vec<Above>,
    pub(crate) error: Above,
}

impl Atoms {
    /// From the logarithms of the tilted weights and the losses.
    pub(crate) fn new(atoms: &[(Ball, Ball)]) -> Self {
        let middles = atoms.iter().map(|(weight, _)| midpoint(weight).0);
        let greatest = middles.clone().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = middles.map(|weight| (weight - greatest).exp()).sum();
        let log_normalizer = greatest + total.ln();
        let mut result =
            Self { log_normalizer, weights: Vec::new(), losses: Vec::new(), errors: Vec::new(), error: Above::ZERO };
        for (weight, loss) in atoms {
            let share = weight.sub(&Ball::exact(log_normalizer));
            // What is nothing beside the rest, below e^-52, is charged.
            if share.upper() < -52.0 {
                result.error += Above::promised(3e-23);
                continue;
            }
            let (weight, error) = midpoint(&share.exp());
            result.weights.push(weight);
            result.losses.push(midpoint(loss));
            result.errors.push(Above::promised(error));
        }
        result
    }

    /// The transform at the points of a contour: the sum of the weights, and of what each loses by being turned,
    /// `w (e^(i x) - 1)`, which is small where the angle is.
    ///
    /// From point to point `d = e^(i x) - 1` becomes `d s + (s - 1)` for a step s; after `RESTART` steps one begins
    /// again from the angle. Each part of an `s - 1` is good to 20 units of itself (`-2 sin(x/2)^2` and
    /// `2 sin(x/2) cos(x/2)`), so a step adds at most 6 units of d and 64 of `|s - 1|`: together fewer than
    /// `22 + 6 RESTART` units of a bound on |d| that grows with n, `min(2, n |s - 1|)`, and `64 RESTART` of `|s - 1|`.
    /// At point n the angle is off by n times `2 pi` times what loss over period is off by. The sum of J terms rounds
    /// by J units of their sizes; here in sixteen lanes, so J/16 and 16.
    ///
    /// The values are over that at the base point, which is the sum of the weights but for `error` and what the weights
    /// are off by; what one weight is off by moves the rest only as far as its loss turns.
    pub(crate) fn values(&self, nodes: &Nodes) -> Values {
        let mut sum = CompensatedSum::default();
        self.weights.iter().for_each(|weight| sum.add(*weight, 0.0));
        let (total, total_error) = sum.bounds();
        let mean: f64 = self.weights.iter().zip(&self.losses).map(|(weight, (loss, _))| weight * loss).sum();
        let center = mean / total;
        let (mut turned, mut angular, mut swayed) = (Above::ZERO, Above::ZERO, Above::ZERO);
        let mut is_reducible = true;
        let mut angles = Vec::with_capacity(self.weights.len());
        let mut points = Vec::with_capacity(self.weights.len());
        let errors = self.errors.iter().copied().chain(std::iter::repeat(Above::ZERO));
        for ((weight, (loss, error)), weight_error) in self.weights.iter().zip(&self.losses).zip(errors) {
            let angle = (loss - center) / nodes.period;
            let size = Above::exact(angle.abs());
            // Two roundings, and the loss's own error.
            let distance = Above::exact((loss - center).abs());
            let off = (distance * UNIT_ROUNDOFF + *error) / nodes.period + size * UNIT_ROUNDOFF;
            // 6.3 is above 2 pi.
            let moved = |size: Above| (size * 6.3).or(Above::exact(2.0));
            turned += moved(size) * *weight;
            swayed += moved(size + off) * weight_error;
            angular += (off + size * UNIT_ROUNDOFF) * 6.3 * *weight;
            // Beyond, turns have too few digits left of an angle.
            is_reducible &= f64::from(nodes.count) * angle.abs() < 2f64.powi(49);
            angles.push(angle);
            let step = less_one(angle);
            points.push(((0.0, 0.0), (1.0 + step.0, step.1), (weight * step.0, weight * step.1)));
        }
        let terms = f64::from(u32::try_from(points.len()).unwrap_or(u32::MAX));
        let rounding = Above::of_roundings(terms / 16.0 + 20.0 + 22.0 + 6.0 * f64::from(RESTART));
        let stepping = Above::of_roundings(64.0 * f64::from(RESTART)) * turned;
        let weight_error: Above = self.errors.iter().copied().sum();
        let off = self.error + total_error + weight_error;
        // The value at the base point, and its reciprocal with what that is off by, relatively.
        let least = Below::exact(total) - off;
        let base = Ball::between(least.get(), (Above::exact(total) + off).get());
        let log_normalizer = Ball::exact(self.log_normalizer).add(&base.ln());
        let (inverse, relative) = (1.0 / total, off / least + 2.0 * UNIT_ROUNDOFF);
        let is_known = is_reducible && off.get() < total / 2.0;
        let charged = if is_known { self.error * 2.0 * inverse * (relative + 1.0) } else { Above::UNKNOWN };
        let mut blocks: Vec<_> = points.chunks(LANES).map(Block::new).collect();
        let starts: Vec<_> = self.weights.chunks(LANES).map(lanes).zip(angles.chunks(LANES).map(lanes)).collect();
        let less_one = (0..nodes.count).map(|n| {
            if n > 0 && n % RESTART == 0 {
                // Afresh from the angle, whose product with n rounds once more.
                for (block, (weights, angles)) in blocks.iter_mut().zip(&starts) {
                    let values = block.value.0.iter_mut().zip(&mut block.value.1);
                    for ((to_re, to_im), (weight, angle)) in values.zip(weights.iter().zip(angles)) {
                        let (re, im) = less_one(f64::from(n) * angle);
                        (*to_re, *to_im) = (weight * re, weight * im);
                    }
                }
            }
            let (re, im) = sum_and_step(&mut blocks);
            let n = f64::from(n);
            let sizes = (turned * n).or(Above::exact(total) * 2.0);
            let swayed = (swayed * n).or(weight_error * 2.0);
            let radius = sizes * rounding + stepping + angular * n + swayed;
            let found = ComplexBall::new(re, im, radius.get()).scale(inverse);
            let radius = (relative + 1.0) * found.radius + relative * found.modulus() + charged;
            ComplexBall::new(found.re, found.im, radius.get())
        });
        Values { log_normalizer, center, less_one: less_one.collect() }
    }
}

/// `e^(2 pi i x) - 1`, each part within 20 units of itself.
#[inline]
pub(crate) fn less_one(x: f64) -> (f64, f64) {
    let (cosine, sine) = unit_circle(x / 2.0);
    (-2.0 * sine * sine, 2.0 * sine * cosine)
}
