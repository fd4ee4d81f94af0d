//! The moment generating function of one mechanism's loss, on a vertical line.

use super::disk::{Disk, Sum, UNIT, turns};
use indistinct_numeric::enclosure::{Ball, Enclosure, exp_near};

/// Points `tilt + 2 pi i n / period` for n below `count`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) tilt: f64,
    pub(super) period: f64,
    pub(super) count: u32,
}

impl Line {
    /// The real point alone.
    pub(super) fn point(tilt: f64) -> Self {
        Self { tilt, period: 1.0, count: 1 }
    }

    /// The largest imaginary part, rounded up.
    pub(super) fn height(&self) -> f64 {
        std::f64::consts::TAU * f64::from(self.count) / self.period * 1.000_001
    }
}

/// `E[e^(z L)]` at the points z of a line, as `e^scale e^(2 pi i n center / period) (1 + x)` with x a member of each disk.
///
/// What the scale is off by is the same for all points: so it counts once, however much cancels in the sum over points.
#[derive(Debug, Clone)]
pub(super) struct Values {
    pub(super) scale: Ball,
    pub(super) center: f64,
    pub(super) less_one: Vec<Disk>,
}

impl Values {
    /// From disks that are for the values themselves.
    pub(super) fn whole(scale: f64, disks: impl Iterator<Item = Disk>) -> Self {
        let less_one = disks.map(|disk| disk.add(&Disk::ONE.neg())).collect();
        Self { scale: Ball::exact(scale), center: 0.0, less_one }
    }
}

/// A logarithm of a moment generating function and its first two derivatives, in floats: for looking, not for bounds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cumulants {
    pub(super) value: f64,
    pub(super) slope: f64,
    pub(super) curvature: f64,
}

/// Cumulants at a tilt of a law given by logarithms of weights, tilt included, and losses.
pub(super) fn cumulants(atoms: impl Iterator<Item = (f64, f64)> + Clone) -> Cumulants {
    let greatest = atoms.clone().fold(f64::NEG_INFINITY, |most, (weight, _)| most.max(weight));
    let (mut total, mut first, mut second) = (0.0, 0.0, 0.0);
    for (weight, loss) in atoms {
        let share = exp_near(weight - greatest);
        total += share;
        first += share * loss;
        second += share * loss * loss;
    }
    let mean = first / total;
    Cumulants { value: greatest + total.ln(), slope: mean, curvature: (second / total - mean * mean).max(0.0) }
}

/// The middle of an enclosure, and a bound on the distance to its ends.
pub(super) fn middle(ball: &Ball) -> (f64, f64) {
    let (lower, upper) = (ball.lower(), ball.upper());
    let middle = lower + (upper - lower) / 2.0;
    // Not half of it: between floats side by side there is none, and the middle is one of them.
    (middle, (upper - lower) * 1.000_001)
}

/// Steps between two evaluations of a sine.
const RESTART: u32 = 8;

/// Finitely many losses and what they weigh under the tilted law, and how far the transform of the true one may be, over `e^scale`.
#[derive(Debug, Clone, Default)]
pub(super) struct Atoms {
    pub(super) scale: f64,
    pub(super) weights: Vec<f64>,
    /// Middles, and distances to the truth.
    pub(super) losses: Vec<(f64, f64)>,
    /// What the weights are off by, if not all told in `error`.
    pub(super) errors: Vec<f64>,
    pub(super) error: f64,
}

impl Atoms {
    /// From the logarithms of the tilted weights and the losses.
    pub(super) fn new(atoms: &[(Ball, Ball)]) -> Self {
        let middles = atoms.iter().map(|(weight, _)| middle(weight).0);
        let greatest = middles.clone().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = middles.map(|weight| (weight - greatest).exp()).sum();
        let scale = greatest + total.ln();
        let mut result = Self { scale, ..Self::default() };
        for (weight, loss) in atoms {
            let share = weight.sub(&Ball::exact(scale));
            // What is nothing beside the rest, below e^-52, is charged.
            if share.upper() < -52.0 {
                result.error += 3e-23;
                continue;
            }
            let (weight, error) = middle(&share.exp());
            result.weights.push(weight);
            result.losses.push(middle(loss));
            result.errors.push(error);
        }
        result
    }

    /// The transform at the points of a line: the sum of the weights, and of what each loses by being turned, `w (e^(i x) - 1)`, which is small where
    /// the angle is.
    ///
    /// From point to point `d = e^(i x) - 1` becomes `d s + (s - 1)` for a step s; after `RESTART` steps one begins again from the angle. Each part of an `s - 1` is good
    /// to 20 units of itself (`-2 sin(x/2)^2` and `2 sin(x/2) cos(x/2)`), so a step adds at most 6 units of d and 61 of `|s - 1|`: together fewer
    /// than `20 + 67 RESTART` units of a bound on |d| that grows with n, `min(2, n |s - 1|)`. At point n the angle is off by n times
    /// `2 pi` times what loss over period is off by. The sum of J terms rounds by J units of their sizes; here in sixteen lanes, so J/16 and 16.
    ///
    /// All is told over the value at the foot, which is the sum of the weights but for `error` and what they are off by; that of each moves the rest only as far as its loss turns.
    pub(super) fn values(&self, line: &Line) -> Values {
        let mut sum = Sum::default();
        self.weights.iter().for_each(|weight| sum.add(*weight, 0.0));
        let (total, total_error) = sum.bounds();
        let mean: f64 = self.weights.iter().zip(&self.losses).map(|(weight, (loss, _))| weight * loss).sum();
        let center = mean / total;
        let (mut turned, mut angular, mut beyond, mut swayed) = (0.0, 0.0, 0.0, 0.0);
        let mut angles = Vec::with_capacity(self.weights.len());
        let mut points = Vec::with_capacity(self.weights.len());
        let errors = self.errors.iter().copied().chain(std::iter::repeat(0.0));
        for ((weight, (loss, error)), weight_error) in self.weights.iter().zip(&self.losses).zip(errors) {
            let angle = (loss - center) / line.period;
            // Two roundings, the loss's own error, and the sizes for comparison.
            let off = (error + UNIT * (loss - center).abs()) / line.period * 1.000_001 + UNIT * angle.abs();
            turned += weight * (angle.abs() * 6.3).min(2.0);
            swayed += weight_error * (angle.abs() * 6.3).min(2.0);
            angular += weight * (off + UNIT * angle.abs()) * 6.3;
            // Beyond, turns have too few digits left of an angle.
            let most = f64::from(line.count) * angle.abs();
            beyond += if most < 2f64.powi(49) { 0.0 } else { f64::INFINITY };
            angles.push(angle);
            let step = less_one(angle);
            points.push(((0.0, 0.0), (1.0 + step.0, step.1), (weight * step.0, weight * step.1)));
        }
        let terms = f64::from(u32::try_from(points.len()).unwrap_or(u32::MAX));
        let rounding = (terms / 16.0 + 20.0 + 20.0 + 67.0 * f64::from(RESTART)) * UNIT * 1.001;
        let weight_error: f64 = self.errors.iter().sum();
        let off = (self.error + total_error + weight_error) * 1.001;
        // The value at the foot, and its reciprocal with what that is off by, relatively.
        let scale = Ball::exact(self.scale).add(&Ball::between(total - off, total + off).ln());
        let (inverse, relative) = (1.0 / total, off / (total - off) * 1.001 + 2.0 * UNIT);
        let is_known = off < total / 2.0;
        let less_one = (0..line.count).map(|n| {
            if n > 0 && n % RESTART == 0 {
                // Afresh from the angle, whose product with n rounds once more.
                for ((point, weight), angle) in points.iter_mut().zip(&self.weights).zip(&angles) {
                    let (re, im) = less_one(f64::from(n) * angle);
                    point.0 = (weight * re, weight * im);
                }
            }
            let mut lanes = [(0.0, 0.0); 16];
            for chunk in points.chunks_mut(16) {
                for (lane, (value, step, add)) in lanes.iter_mut().zip(chunk) {
                    *lane = (lane.0 + value.0, lane.1 + value.1);
                    *value = (value.0 * step.0 - value.1 * step.1 + add.0, value.0 * step.1 + value.1 * step.0 + add.1);
                }
            }
            let (re, im) = lanes.iter().fold((0.0, 0.0), |sum, lane| (sum.0 + lane.0, sum.1 + lane.1));
            let n = f64::from(n);
            let sizes = (n * turned * 1.000_001).min(2.0 * total * 1.000_001);
            let swayed = (n * swayed * 1.000_001).min(2.0 * weight_error * 1.000_001);
            let radius = (sizes * rounding + angular * n + swayed) * 1.001;
            let charged = if is_known { 2.0 * self.error * inverse * (1.0 + relative) * 1.001 } else { f64::INFINITY };
            let found = Disk::new(re, im, radius + beyond).scale(inverse);
            let radius = found.radius * (1.0 + relative) + found.modulus() * relative + charged;
            Disk::new(found.re, found.im, radius * 1.001)
        });
        Values { scale, center, less_one: less_one.collect() }
    }
}

/// `e^(2 pi i x) - 1`, each part within 20 units of itself.
pub(super) fn less_one(x: f64) -> (f64, f64) {
    let (cosine, sine) = turns(x / 2.0);
    (-2.0 * sine * sine, 2.0 * sine * cosine)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of numbers whose enclosures are a few floats wide, of either parity.
    #[test]
    fn the_middle_tells_how_far_the_ends_are() {
        for k in 1..2000 {
            let ball = Ball::exact(f64::from(k)).div(&Ball::exact(1999.0));
            for ball in [ball.ln(), ball.exp(), ball] {
                let (middle, error) = middle(&ball);
                // Differences of floats so near are exact.
                assert!(middle - ball.lower() <= error && ball.upper() - middle <= error, "{k}");
            }
        }
    }
}
