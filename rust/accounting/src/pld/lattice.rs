//! Laws whose losses lie on a lattice, and the common lattice of several.

use super::disk::Disk;
use super::transform::{Atoms, Cumulants, Line, Values, cumulants, middle};
use indistinct_numeric::{
    Integer, Rational,
    enclosure::{Ball, Enclosure},
};
use std::sync::Arc;

/// A loss of `offset + i * step` nats for integers i, whose probabilities are known in closed form.
#[derive(Debug, Clone)]
pub(super) struct LatticeLaw {
    pub(super) offset: Rational,
    pub(super) step: Rational,
    pub(super) kind: LatticeKind,
}

/// The probabilities.
#[derive(Debug, Clone)]
pub(super) enum LatticeKind {
    /// `1/(e^epsilon + m - 1)` for i = 0, m - 2 times that for i = 1, `e^epsilon` times it for i = 2.
    Response { epsilon: f64, categories: f64 },
    /// `1/(1 + e^epsilon)` for i = 0, the rest for i = 1.
    Binary { epsilon: f64 },
    /// The discrete Laplace law of scale b, minus i the noise: what is at 0 or below is gathered at 0, what is at or above the sensitivity there.
    Laplace { scale: f64, sensitivity: u32 },
    /// The discrete Gaussian law, minus i the noise.
    Gaussian { sigma: f64, sensitivity: u32 },
    /// By index; losses are within `slack` of the lattice.
    Finite { masses: Arc<Vec<(i64, Ball)>>, slack: f64 },
    /// The masses, at most 2, of `first`, `first + 1`, … ; and blocks of them, as logarithm of mass and mean index, for looking.
    Table { first: i64, masses: Arc<Vec<f64>>, coarse: Arc<Vec<(f64, f64)>> },
}

/// Tilted weights by index, scaled by `e^-scale`, and how much may be missing or too much.
#[derive(Debug)]
pub(super) struct Weights {
    pub(super) scale: f64,
    pub(super) weights: Vec<(i64, f64)>,
    pub(super) error: f64,
}

pub(super) fn rational(x: f64) -> Option<Rational> {
    Rational::from_f64(x)
}

/// An enclosure of a rational.
pub(super) fn ball(x: &Rational) -> Ball {
    let nearest = x.to_f64();
    let rest = (x - rational(nearest).unwrap_or_default()).to_f64();
    // What a float truncates to is within two units of it.
    let error = (nearest.abs() * f64::EPSILON * f64::EPSILON).max(f64::MIN_POSITIVE);
    Ball::exact(nearest).add(&Ball::between(rest - error, rest + error))
}

/// An integer below 2^53 in size as a float.
pub(super) fn float(n: i64) -> f64 {
    let (high, low) = (n >> 31, n & 0x7fff_ffff);
    f64::from(i32::try_from(high).unwrap_or(i32::MAX)) * 2_147_483_648.0 + f64::from(u32::try_from(low).unwrap_or(0))
}

/// The integer part of a float below 2^31 in size, rounded to the nearest.
pub(super) fn nearest(x: f64) -> i64 {
    const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
    (x.clamp(-2e9, 2e9) + TO_INTEGER).to_bits().wrapping_sub(TO_INTEGER.to_bits()).cast_signed()
}

impl LatticeKind {
    /// A table.
    pub(super) fn table(first: i64, masses: Vec<f64>) -> Self {
        let mut coarse = Vec::new();
        let mut add = |start: usize, block: &[f64]| {
            let (mut total, mut mean) = (0.0, 0.0);
            for (mass, index) in block.iter().zip(start..) {
                total += mass;
                mean += mass * float(first + i64::try_from(index).unwrap_or(0));
            }
            if total > 0.0 {
                coarse.push((total.ln(), mean / total));
            }
        };
        // The uppermost losses one by one: where epsilon is near the greatest, they are all that counts.
        let positive = masses.iter().rposition(|mass| *mass > 0.0).unwrap_or(0);
        let (body, top) = masses.split_at(positive.saturating_sub(16));
        let size = body.len().div_ceil(512).max(1);
        for (block, i) in body.chunks(size).zip(0usize..) {
            add(i * size, block);
        }
        for (mass, i) in top.chunks(1).zip(body.len()..) {
            add(i, mass);
        }
        Self::Table { first, masses: Arc::new(masses), coarse: Arc::new(coarse) }
    }
}

impl LatticeLaw {
    /// Indices with the logarithms of their tilted probabilities, and a bound on the logarithm of what is left out.
    fn logarithms(&self, tilt: f64) -> (Vec<(i64, Ball)>, f64) {
        let (offset, step, exact) = (ball(&self.offset), ball(&self.step), Ball::exact);
        let zero = exact(0.0);
        let tilted = |i: i64, logarithm: &Ball| {
            let loss = offset.add(&exact(float(i)).mul(&step));
            (i, logarithm.add(&exact(tilt).mul(&loss)))
        };
        match &self.kind {
            LatticeKind::Binary { epsilon } => {
                let shrunk = exact(-epsilon);
                let high = zero.sub(&softplus(&shrunk));
                (vec![tilted(0, &high.add(&shrunk)), tilted(1, &high)], f64::NEG_INFINITY)
            }
            LatticeKind::Response { epsilon, categories } => {
                let shrunk = exact(-epsilon);
                let others = exact(categories - 1.0).mul(&safe_exp(&shrunk));
                let high = zero.sub(&others.ln_1p());
                let low = high.add(&shrunk);
                let mut atoms = vec![tilted(0, &low), tilted(2, &high)];
                if *categories > 2.0 {
                    atoms.push(tilted(1, &low.add(&exact(categories - 2.0).ln())));
                }
                (atoms, f64::NEG_INFINITY)
            }
            LatticeKind::Laplace { scale, sensitivity } => {
                let rate = exact(-1.0).div(&exact(*scale));
                let ends = zero.sub(&softplus(&rate));
                let inner = ends.add(&zero.sub(&rate.exp_m1()).ln());
                let mut atoms = vec![tilted(0, &ends)];
                for x in 1..=*sensitivity {
                    let share = if x == *sensitivity { &ends } else { &inner };
                    atoms.push(tilted(-i64::from(x), &share.add(&exact(f64::from(x)).mul(&rate))));
                }
                (atoms, f64::NEG_INFINITY)
            }
            LatticeKind::Gaussian { sigma, sensitivity } => {
                // The tilted law is a discrete Gaussian about minus the tilt times the sensitivity, up to a factor.
                let rate = exact(-0.5).div(&exact(*sigma).mul(&exact(*sigma)));
                let constant = zero.sub(&gaussian_total(*sigma, &rate).ln());
                let center = -tilt * f64::from(*sensitivity);
                // Farther out the nearest integer is not found, and nothing is known of the tail.
                if center.is_nan() || center.abs() > 1e9 {
                    return (Vec::new(), f64::INFINITY);
                }
                let center = nearest(center);
                let radius = nearest(12.0 * sigma + 4.0).max(4);
                let atoms = (center - radius..=center + radius).map(|x| {
                    let square = exact(float(x)).mul(&exact(float(x)));
                    tilted(-x, &constant.add(&rate.mul(&square)))
                });
                let atoms: Vec<_> = atoms.collect();
                // Beyond the ends each is below the one before by e^((1 - 2 |x - center|)/(2 sigma^2)), by a margin for the rounding
                // of the center: the sum is below that of a geometric series, by 2 sigma^2/radius + 1 for a factor.
                let ends = atoms.first().map_or(f64::INFINITY, |atom| atom.1.upper());
                let ends = ends.max(atoms.last().map_or(f64::INFINITY, |atom| atom.1.upper()));
                let factor = 2.0 * (2.0 * sigma * sigma / float(radius) + 2.0);
                (atoms, ends + factor.ln())
            }
            LatticeKind::Finite { masses, slack } => {
                let off = exact(tilt).mul(&Ball::between(-slack, *slack));
                let atoms = masses.iter().map(|(i, mass)| tilted(*i, &mass.ln().add(&off)));
                (atoms.collect(), f64::NEG_INFINITY)
            }
            LatticeKind::Table { .. } => (Vec::new(), f64::INFINITY),
        }
    }

    /// The tilted weights.
    pub(super) fn weights(&self, tilt: f64) -> Weights {
        if let LatticeKind::Table { first, masses, coarse } = &self.kind {
            let scale = self.table_cumulants(tilt, coarse).value;
            return self.table_weights(tilt, *first, masses, scale);
        }
        let (atoms, rest) = self.logarithms(tilt);
        let greatest = atoms.iter().fold(f64::NEG_INFINITY, |most, atom| most.max(atom.1.lower()));
        let total: f64 = atoms.iter().map(|atom| (atom.1.lower() - greatest).exp()).sum();
        let scale = greatest + total.ln();
        let mut result = Weights { scale, weights: Vec::with_capacity(atoms.len()), error: up_exp(rest - scale) };
        for (index, logarithm) in atoms {
            let share = logarithm.sub(&Ball::exact(scale));
            if share.upper() < -600.0 {
                result.error += 1e-260;
                continue;
            }
            let (weight, error) = middle(&share.exp());
            result.weights.push((index, weight));
            result.error += error;
        }
        result
    }

    /// For a table: powers of `e^(tilt step)` as products of two, from blocks of 256.
    fn table_weights(&self, tilt: f64, first: i64, masses: &[f64], scale: f64) -> Weights {
        let (offset, step, tilted) = (ball(&self.offset), ball(&self.step), Ball::exact(tilt));
        let logarithm = |i: i64| tilted.mul(&offset.add(&Ball::exact(float(i)).mul(&step)));
        let within: Vec<(f64, f64)> =
            (0..256).map(|i| middle(&safe_exp(&tilted.mul(&Ball::exact(f64::from(i)).mul(&step))))).collect();
        let mut result = Weights { scale, weights: Vec::with_capacity(masses.len()), error: 0.0 };
        let mut start = first;
        for block in masses.chunks(256) {
            let exponent = logarithm(start).sub(&Ball::exact(scale));
            let last = logarithm(start + 255).sub(&Ball::exact(scale));
            if exponent.upper() < -640.0 && last.upper() < -640.0 {
                // At most 256 masses, of which none exceeds 2.
                result.error += 1e-250;
                start += 256;
                continue;
            }
            let base = middle(&safe_exp(&exponent));
            for ((i, mass), power) in (start..).zip(block).zip(&within) {
                let weight = mass * base.0 * power.0;
                result.error += mass * (base.0 * power.1 + base.1 * (power.0 + power.1)) + weight * 2.0 * f64::EPSILON;
                result.weights.push((i, weight));
            }
            start += 256;
        }
        result.error *= 1.0 + 1e-9;
        result
    }

    /// The greatest loss, if there is one, rounded up.
    pub(super) fn ceiling(&self) -> Option<Rational> {
        let at = |index: i64| Rational::from(&self.step * index) + &self.offset;
        match &self.kind {
            LatticeKind::Binary { .. } => Some(at(1)),
            LatticeKind::Response { .. } => Some(at(2)),
            LatticeKind::Laplace { .. } => Some(at(0)),
            LatticeKind::Finite { masses, slack } => {
                Some(at(masses.iter().map(|(index, _)| *index).max()?) + rational(*slack)?)
            }
            LatticeKind::Gaussian { .. } | LatticeKind::Table { .. } => None,
        }
    }

    /// The losses and their probabilities, and a bound on what is left out; none for a table.
    pub(super) fn losses(&self) -> Option<(Vec<(Ball, Ball)>, f64)> {
        let (atoms, rest) = self.logarithms(0.0);
        let (offset, step) = (ball(&self.offset), ball(&self.step));
        let slack = if let LatticeKind::Finite { slack, .. } = &self.kind { *slack } else { 0.0 };
        let offset = offset.add(&Ball::between(-slack, slack));
        let atoms =
            atoms.iter().map(|(i, logarithm)| (offset.add(&Ball::exact(float(*i)).mul(&step)), safe_exp(logarithm)));
        (!matches!(self.kind, LatticeKind::Table { .. })).then(|| (atoms.collect(), up_exp(rest)))
    }

    fn table_cumulants(&self, tilt: f64, coarse: &[(f64, f64)]) -> Cumulants {
        let (offset, step) = (self.offset.to_f64(), self.step.to_f64());
        cumulants(coarse.iter().map(|(logarithm, index)| {
            let loss = offset + step * index;
            (logarithm + tilt * loss, loss)
        }))
    }

    pub(super) fn cumulants(&self, tilt: f64) -> Cumulants {
        if let LatticeKind::Table { coarse, .. } = &self.kind {
            return self.table_cumulants(tilt, coarse);
        }
        let (offset, step) = (self.offset.to_f64(), self.step.to_f64());
        let (atoms, _) = self.logarithms(tilt);
        let atoms: Vec<_> = atoms.iter().map(|(i, weight)| (weight.lower(), offset + float(*i) * step)).collect();
        cumulants(atoms.iter().copied())
    }

    /// The transform on a line, as finitely many losses.
    pub(super) fn values(&self, line: &Line) -> Values {
        let found = self.weights(line.tilt);
        if line.count == 1 {
            // The real point alone: the sum of the weights, each addition off by less than a unit of the total.
            let total: f64 = found.weights.iter().map(|(_, weight)| weight).sum();
            let terms = float(i64::try_from(found.weights.len()).unwrap_or(i64::MAX));
            let disk = Disk::new(total, 0.0, (found.error + total * terms * f64::EPSILON) * 1.001);
            return Values::whole(found.scale, std::iter::once(disk));
        }
        let (offset, step) = (ball(&self.offset), ball(&self.step));
        let slack = if let LatticeKind::Finite { slack, .. } = &self.kind { *slack } else { 0.0 };
        let offset = offset.add(&Ball::between(-slack, slack));
        let losses = found.weights.iter().map(|(i, _)| middle(&offset.add(&Ball::exact(float(*i)).mul(&step))));
        let atoms = Atoms {
            scale: found.scale,
            losses: losses.collect(),
            weights: found.weights.iter().map(|(_, weight)| *weight).collect(),
            errors: Vec::new(),
            error: found.error,
        };
        atoms.values(line)
    }
}

/// `ln(1 + e^x)` for x <= 0.
fn softplus(x: &Ball) -> Ball {
    safe_exp(x).ln_1p()
}

/// The exponential, and a tiny number for what a ball's ends below.
pub(super) fn safe_exp(x: &Ball) -> Ball {
    if x.upper() < -690.0 { Ball::between(0.0, 1e-299) } else { x.exp() }
}

/// An upper bound on an exponential: infinite rather than an error.
pub(super) fn up_exp(x: f64) -> f64 {
    indistinct_numeric::RoundedMath::inf_exp(x).unwrap_or(f64::INFINITY)
}

/// `sum over all integers of e^(rate x^2)`, with rate = -1/(2 sigma^2).
fn gaussian_total(sigma: f64, rate: &Ball) -> Ball {
    let mut total = Ball::exact(1.0);
    let two = Ball::exact(2.0);
    if sigma > 4.0 {
        // By Poisson's formula sigma sqrt(2 pi) (1 + 2 sum of e^(-2 pi^2 sigma^2 m^2)); for m >= 1 that is below e^-315.
        let root = Ball::exact(sigma).div(&Ball::inverse_root_two_pi());
        return root.mul(&Ball::exact(1.0).add(&Ball::between(0.0, 1e-130)));
    }
    for x in 1..=64u32 {
        let square = Ball::exact(f64::from(x * x));
        total = total.add(&two.mul(&safe_exp(&rate.mul(&square))));
    }
    // Beyond: each is below e^(-64/16) of the one before, and the last below e^-128.
    total.add(&Ball::between(0.0, 1e-54))
}

/// The lattice that several laws' losses lie on, up to their offsets; how many of its steps each of their steps is.
pub(super) fn common_step<'a>(laws: impl Iterator<Item = &'a LatticeLaw> + Clone) -> Option<(Rational, Vec<i64>)> {
    let mut common: Option<Rational> = None;
    for law in laws.clone() {
        common = Some(common.map_or_else(|| law.step.clone(), |common| greatest_common_divisor(&common, &law.step)));
    }
    let common = common?;
    let multiples = laws.map(|law| {
        let multiple = Rational::from(&law.step / &common);
        let multiple = multiple.is_integer().then(|| multiple.numer().to_i64()).flatten()?;
        (multiple <= 1 << 24).then_some(multiple)
    });
    let multiples = multiples.collect::<Option<_>>()?;
    Some((common, multiples))
}

fn greatest_common_divisor(x: &Rational, y: &Rational) -> Rational {
    let (left, right) = (Integer::from(x.numer() * y.denom()), Integer::from(y.numer() * x.denom()));
    Rational::from((left.gcd(&right), Integer::from(x.denom() * y.denom())))
}
