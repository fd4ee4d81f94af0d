//! The moment generating function of one mechanism's loss, on a vertical line.

use crate::pld::transform::{
    lanes::{Block, LANES, SLACK, TINY, lanes, sum_and_step},
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
    /// The errors of the weights, if these are not all in `error`.
    pub(crate) errors: Vec<Above>,
    /// Their sum to more digits, if that is known; what is in `error` is not in it.
    pub(crate) total: Option<Ball>,
    pub(crate) error: Above,
}

impl Atoms {
    /// From the logarithms of the tilted weights and the losses.
    pub(crate) fn new(atoms: &[(Ball, Ball)]) -> Self {
        let middles = atoms.iter().map(|(weight, _)| midpoint(weight).0);
        let greatest = middles.clone().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = middles.map(|weight| (weight - greatest).exp()).sum();
        let log_normalizer = greatest + total.ln();
        let mut result = Self {
            log_normalizer,
            weights: Vec::new(),
            losses: Vec::new(),
            errors: Vec::new(),
            total: None,
            error: Above::ZERO,
        };
        let mut total = Ball::exact(0.0);
        for (weight, loss) in atoms {
            let share = weight.sub(&Ball::exact(log_normalizer));
            // What is nothing beside the rest, below e^-52, is charged.
            if share.upper() < -52.0 {
                result.error += Above::promised(3e-23);
                continue;
            }
            let weight = share.exp();
            total = total.add(&weight);
            let (weight, error) = midpoint(&weight);
            result.weights.push(weight);
            result.losses.push(midpoint(loss));
            result.errors.push(Above::promised(error));
        }
        result.total = Some(total);
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
    pub(crate) fn values(&self, nodes: &Nodes) -> Values {
        let mean: f64 = self.weights.iter().zip(&self.losses).map(|(weight, (loss, _))| weight * loss).sum();
        let center = mean / self.weights.iter().sum::<f64>();
        let turned = Turned::new(self, center, nodes.period, nodes.count);
        let step = |(weight, angle): (&f64, &f64)| {
            let step = less_one(*angle);
            ((0.0, 0.0), (1.0 + step.0, step.1), (weight * step.0, weight * step.1))
        };
        let points: Vec<_> = self.weights.iter().zip(&turned.angles).map(step).collect();
        let terms = number(self.weights.len());
        let rounding = Above::of_roundings(terms / 16.0 + 20.0 + 22.0 + 6.0 * f64::from(RESTART)).get();
        let stepping = (Above::of_roundings(64.0 * f64::from(RESTART)) * turned.sizes.0).get();
        let mut blocks: Vec<_> = points.chunks(LANES).map(Block::new).collect();
        let starts: Vec<_> =
            self.weights.chunks(LANES).map(lanes).zip(turned.angles.chunks(LANES).map(lanes)).collect();
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
            turned.over_base(f64::from(n), sum_and_step(&mut blocks), (rounding, stepping))
        });
        let less_one = less_one.collect();
        turned.values(less_one)
    }

    /// The same at points by their numbers, each afresh from the angles: each part is good to 20 units of its term,
    /// and two for the product; the sum of J terms rounds by J units of their sizes. The heaviest does not turn.
    pub(crate) fn values_at(&self, period: f64, numbers: &[u32]) -> Values {
        let heaviest = self.weights.iter().zip(&self.losses).max_by(|(x, _), (y, _)| x.total_cmp(y));
        let center = heaviest.map_or(0.0, |(_, (loss, _))| *loss);
        let turned = Turned::new(self, center, period, numbers.iter().copied().max().unwrap_or(0));
        let rounding = Above::of_roundings(number(self.weights.len()) + 22.0).get();
        let turning = self.weights.iter().zip(&turned.angles).filter(|(_, angle)| **angle != 0.0);
        let turning: Vec<_> = turning.map(|(weight, angle)| (*weight, *angle)).collect();
        let value = |number: &u32| {
            let n = f64::from(*number);
            let (mut re, mut im) = (0.0, 0.0);
            for (weight, angle) in &turning {
                let (along, across) = less_one(n * angle);
                re += weight * along;
                im += weight * across;
            }
            turned.over_base(n, (re, im), (rounding, 0.0))
        };
        let less_one = numbers.iter().map(value).collect();
        turned.values(less_one)
    }
}

/// Constants of all points: the values are over that at the base point, which is the sum of the weights but for
/// `error` and what the weights are off by; what one weight is off by moves the rest only as far as its loss turns.
struct Turned {
    log_normalizer: Ball,
    center: f64,
    /// From point to point, in turns.
    angles: Vec<f64>,
    /// Bounds on sums over atoms, at the first point and at any: of weights times how far they turn, and of what
    /// weights are off by times that.
    sizes: (f64, f64),
    swayed: (f64, f64),
    /// And, at the first point, of weights times what the angles are off by.
    angular: f64,
    /// Over the total, and what that is off by, relatively.
    inverse: f64,
    relative: f64,
    charged: f64,
}

impl Turned {
    /// For points up to a number; losses are taken from a center.
    fn new(atoms: &Atoms, center: f64, period: f64, greatest: u32) -> Self {
        let mut sum = CompensatedSum::default();
        atoms.weights.iter().for_each(|weight| sum.add(*weight, 0.0));
        let (total, total_error) = sum.bounds();
        let (mut sizes, mut angular, mut swayed) = (Above::ZERO, Above::ZERO, Above::ZERO);
        let mut is_reducible = true;
        let mut angles = Vec::with_capacity(atoms.weights.len());
        let errors = atoms.errors.iter().copied().chain(std::iter::repeat(Above::ZERO));
        for ((weight, (loss, error)), weight_error) in atoms.weights.iter().zip(&atoms.losses).zip(errors) {
            let angle = (loss - center) / period;
            let size = Above::exact(angle.abs());
            // Two roundings, and the loss's own error.
            let distance = Above::exact((loss - center).abs());
            let off = (distance * UNIT_ROUNDOFF + *error) / period + size * UNIT_ROUNDOFF;
            // 6.3 is above 2 pi.
            let moved = |size: Above| (size * 6.3).or(Above::exact(2.0));
            sizes += moved(size) * *weight;
            swayed += moved(size + off) * weight_error;
            angular += (off + size * UNIT_ROUNDOFF) * 6.3 * *weight;
            // Beyond, turns have too few digits left of an angle.
            is_reducible &= f64::from(greatest) * angle.abs() < 2f64.powi(49);
            angles.push(angle);
        }
        let weight_error: Above = atoms.errors.iter().copied().sum();
        let off = atoms.error + total_error + weight_error;
        // The value at the base point, and its reciprocal with what that is off by, relatively.
        let least = Below::exact(total) - off;
        let base = Ball::between(least.get(), (Above::exact(total) + off).get());
        // The same to more digits, where these are known.
        let error = atoms.error.get();
        let base = atoms.total.map_or(base, |total| total.add(&Ball::between(-error, error)));
        let (inverse, relative) = (1.0 / total, off / least + 2.0 * UNIT_ROUNDOFF);
        let is_known = is_reducible && off.get() < total / 2.0;
        let charged = if is_known { atoms.error * 2.0 * inverse * (relative + 1.0) } else { Above::UNKNOWN };
        Self {
            log_normalizer: Ball::exact(atoms.log_normalizer).add(&base.ln()),
            center,
            angles,
            sizes: (sizes.get(), total * 2.0),
            swayed: (swayed.get(), (weight_error * 2.0).get()),
            angular: angular.get(),
            inverse,
            relative: relative.get(),
            charged: charged.get(),
        }
    }

    /// A sum at a point over the value at the base point; the first of the roundings is of sizes.
    #[inline]
    fn over_base(&self, n: f64, (re, im): (f64, f64), (rounding, more): (f64, f64)) -> ComplexBall {
        let most = |(first, any): (f64, f64)| (first * n).min(any);
        let radius = most(self.sizes) * rounding + more + self.angular * n + most(self.swayed);
        let (re, im) = (re * self.inverse, im * self.inverse);
        let scaled = radius * self.inverse * (1.0 + self.relative);
        let radius = scaled + (re.abs() + im.abs()) * (self.relative + 2.0 * UNIT_ROUNDOFF) + self.charged;
        let radius = radius * SLACK + TINY;
        ComplexBall::new(re, im, if radius.is_nan() { f64::INFINITY } else { radius })
    }

    fn values(self, less_one: Vec<ComplexBall>) -> Values {
        Values { log_normalizer: self.log_normalizer, center: self.center, less_one }
    }
}

fn number(length: usize) -> f64 {
    f64::from(u32::try_from(length).unwrap_or(u32::MAX))
}

/// `e^(2 pi i x) - 1`, each part within 20 units of itself.
#[inline]
pub(crate) fn less_one(x: f64) -> (f64, f64) {
    let (cosine, sine) = unit_circle(x / 2.0);
    (-2.0 * sine * sine, 2.0 * sine * cosine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::{Float, float::Constant};

    fn float(x: f64) -> Float {
        Float::with_val(300, x)
    }

    /// The transform over the value at the base point, less one, turned by a center.
    fn truth(atoms: &Atoms, (center, period): (f64, f64), n: u32) -> (Float, Float) {
        let (mut re, mut im, mut total) = (float(0.0), float(0.0), float(0.0));
        for (weight, (loss, _)) in atoms.weights.iter().zip(&atoms.losses) {
            let turns = (float(*loss) - center) / period * n;
            let (sine, cosine) = (turns * Float::with_val(300, Constant::Pi) * 2u32).sin_cos(float(0.0));
            re += cosine * *weight;
            im += sine * *weight;
            total += *weight;
        }
        (re / &total - 1u32, im / total)
    }

    fn off(atoms: &Atoms, found: &Values, (period, n, value): (f64, u32, &ComplexBall)) -> f64 {
        let (re, im) = truth(atoms, (found.center, period), n);
        (re - value.re).hypot(&(im - value.im)).to_f64()
    }

    /// Near and far out, of two atoms and of many, one after another and afresh.
    #[test]
    fn values_are_as_near_the_truth_as_they_say() {
        let numbers = [0, 1, 3, 31, 32, 33, 500, 70_000, 12_345_678, 999_999_937];
        let mut most = 0f64;
        for count in [2u32, 3, 40] {
            let mass = |i: u32| (f64::from(i) * 0.618).fract() + 0.1;
            let loss = |i: u32| f64::from(i) * 0.037 - f64::from(count) / 80.0;
            let all: Vec<_> = (0..count).map(|i| (Ball::exact(mass(i)).ln(), Ball::exact(loss(i)))).collect();
            let mut atoms = Atoms::new(&all);
            // The whole to all digits of balls.
            let whole = (0..count).map(|i| float(mass(i))).fold(float(0.0), |sum, mass| sum + mass).ln();
            let found = atoms.values(&Nodes::point(1.0)).log_normalizer;
            let over = |end: f64| (whole.clone() - end).to_f64();
            assert!(over(found.lower()) >= 0.0 && over(found.upper()) <= 0.0, "{count}: {found:?}");
            assert!(found.upper() - found.lower() < 1e-15 && atoms.error.get() == 0.0, "{count}: {found:?}");
            (atoms.errors, atoms.total) = (Vec::new(), None);
            for period in [0.17, 9.3, 4000.0] {
                let far = atoms.values_at(period, &numbers);
                for (n, value) in numbers.iter().zip(&far.less_one) {
                    let off = off(&atoms, &far, (period, *n, value));
                    assert!(off <= value.radius, "{count} {period} {n}: {off:e} {value:?}");
                    most = most.max(off / value.radius);
                }
                let near = atoms.values(&Nodes::new(1.0, period, 501));
                for (n, value) in (0u32..).zip(&near.less_one) {
                    let off = off(&atoms, &near, (period, n, value));
                    assert!(off <= value.radius, "{count} {period} {n}: {off:e} {value:?}");
                }
            }
        }
        assert!(most > 1.0 / 40.0, "{most}");
    }
}
