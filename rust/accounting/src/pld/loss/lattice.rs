//! Distributions whose losses lie on a lattice, and the common lattice of several.

use indistinct_numeric::{
    Above,
    enclosure::{Ball, Enclosure, exp_or_tiny},
    gmp::{Integer, Rational},
};
use std::sync::Arc;

/// A loss of `offset + i * step` nats for integers i, whose probabilities are known in closed form.
#[derive(Debug, Clone)]
pub(crate) struct LatticeLoss {
    pub(crate) offset: Rational,
    pub(crate) step: Rational,
    pub(crate) kind: LatticeKind,
}

/// The probabilities.
#[derive(Debug, Clone)]
pub(crate) enum LatticeKind {
    /// `1/(e^epsilon + m - 1)` for i = 0, m - 2 times that for i = 1, `e^epsilon` times it for i = 2.
    Response { epsilon: f64, categories: f64 },
    /// `1/(1 + e^epsilon)` for i = 0, the rest for i = 1.
    Binary { epsilon: f64 },
    /// The discrete Laplace distribution of scale b, minus i the noise: what is at 0 or below is gathered at 0, what is
    /// at or above the sensitivity there.
    Laplace { scale: f64, sensitivity: u32 },
    /// The discrete Gaussian distribution, minus i the noise.
    Gaussian { sigma: f64, sensitivity: u32 },
    /// By index; losses are within `slack` of the lattice.
    Finite { masses: Arc<Vec<(i64, Ball)>>, slack: f64 },
    /// The masses, at most 2, of `first`, `first + 1`, … ; and blocks of them, as logarithm of mass and mean index, for
    /// looking.
    Table { first: i64, masses: Arc<Vec<f64>>, coarse: Arc<Vec<(f64, f64)>> },
}

/// No discrete Gaussian of a larger deviation is looked at atom by atom.
const MOST_SIGMA: f64 = 4096.0;

pub(crate) fn rational(x: f64) -> Option<Rational> {
    Rational::from_f64(x)
}

/// An enclosure of a rational.
pub(crate) fn ball(x: &Rational) -> Ball {
    let nearest = x.to_f64();
    let rest = x - rational(nearest).unwrap_or_default();
    if rest == 0 {
        return Ball::exact(nearest);
    }
    let rest = rest.to_f64();
    // What a float truncates to is within two units of it.
    let error = (nearest.abs() * f64::EPSILON * f64::EPSILON).max(f64::MIN_POSITIVE);
    Ball::exact(nearest).add(&Ball::between(rest - error, rest + error))
}

/// An integer below 2^53 in size as a float.
pub(crate) fn float(n: i64) -> f64 {
    let (high, low) = (n >> 31, n & 0x7fff_ffff);
    f64::from(i32::try_from(high).unwrap_or(i32::MAX)) * 2_147_483_648.0 + f64::from(u32::try_from(low).unwrap_or(0))
}

/// The integer part of a float below 2^31 in size, rounded to the nearest.
pub(crate) fn nearest(x: f64) -> i64 {
    const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
    (x.clamp(-2e9, 2e9) + TO_INTEGER).to_bits().wrapping_sub(TO_INTEGER.to_bits()).cast_signed()
}

impl LatticeKind {
    /// A table.
    pub(crate) fn table(first: i64, masses: Vec<f64>) -> Self {
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

impl LatticeLoss {
    /// Indices with the logarithms of their tilted probabilities, and a bound on the logarithm of what is left out, if
    /// anything is.
    pub(crate) fn logarithms(&self, tilt: f64) -> (Vec<(i64, Ball)>, Option<Above>) {
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
                (vec![tilted(0, &high.add(&shrunk)), tilted(1, &high)], None)
            }
            LatticeKind::Response { epsilon, categories } => {
                let shrunk = exact(-epsilon);
                let others = exact(categories - 1.0).mul(&exp_or_tiny(&shrunk));
                let high = zero.sub(&others.ln_1p());
                let low = high.add(&shrunk);
                let mut atoms = vec![tilted(0, &low), tilted(2, &high)];
                if *categories > 2.0 {
                    atoms.push(tilted(1, &low.add(&exact(categories - 2.0).ln())));
                }
                (atoms, None)
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
                (atoms, None)
            }
            LatticeKind::Gaussian { sigma, sensitivity } => {
                // The tilted distribution is a discrete Gaussian about minus the tilt times the sensitivity, up to a
                // factor.
                let rate = exact(-0.5).div(&exact(*sigma).mul(&exact(*sigma)));
                let constant = zero.sub(&gaussian_total(*sigma, &rate).ln());
                let center = -tilt * f64::from(*sensitivity);
                // Farther out the nearest integer is not found, and nothing is known of the tail; and too many atoms
                // are not looked at.
                if center.is_nan() || center.abs() > 1e9 || *sigma > MOST_SIGMA {
                    return (Vec::new(), Some(Above::UNKNOWN));
                }
                let center = nearest(center);
                let radius = nearest(12.0 * sigma + 4.0).max(4);
                let atoms = (center - radius..=center + radius).map(|x| {
                    let square = exact(float(x)).mul(&exact(float(x)));
                    tilted(-x, &constant.add(&rate.mul(&square)))
                });
                let atoms: Vec<_> = atoms.collect();
                // Beyond the ends each is below the one before by e^((1 - 2 |x - center|)/(2 sigma^2)), by a margin for
                // the rounding of the center: the sum is below that of a geometric series, by 2 sigma^2/radius + 1 for
                // a factor.
                let ends = atoms.first().map_or(f64::INFINITY, |atom| atom.1.upper());
                let ends = ends.max(atoms.last().map_or(f64::INFINITY, |atom| atom.1.upper()));
                let factor = (Above::exact(*sigma).squared() * 2.0 / float(radius) + 2.0) * 2.0;
                (atoms, Some(Above::exact(ends) + factor.ln()))
            }
            LatticeKind::Finite { masses, slack } => {
                let off = exact(tilt).mul(&Ball::between(-slack, *slack));
                let atoms = masses.iter().map(|(i, mass)| tilted(*i, &mass.ln().add(&off)));
                (atoms.collect(), None)
            }
            LatticeKind::Table { .. } => (Vec::new(), Some(Above::UNKNOWN)),
        }
    }

    /// The greatest loss, if there is one, rounded up.
    pub(crate) fn ceiling(&self) -> Option<Rational> {
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

    /// The losses and their probabilities, and a bound on what is left out; none for a table, and where nothing is
    /// known.
    pub(crate) fn losses(&self) -> Option<(Vec<(Ball, Ball)>, f64)> {
        let (atoms, rest) = self.logarithms(0.0);
        let (offset, step) = (ball(&self.offset), ball(&self.step));
        let slack = if let LatticeKind::Finite { slack, .. } = &self.kind { *slack } else { 0.0 };
        let offset = offset.add(&Ball::between(-slack, slack));
        let atoms =
            atoms.iter().map(|(i, logarithm)| (offset.add(&Ball::exact(float(*i)).mul(&step)), exp_or_tiny(logarithm)));
        let rest = rest.map_or(0.0, |rest| rest.exp().get());
        (rest.is_finite() && !matches!(self.kind, LatticeKind::Table { .. })).then(|| (atoms.collect(), rest))
    }
}

/// `ln(1 + e^x)` for x <= 0.
fn softplus(x: &Ball) -> Ball {
    exp_or_tiny(x).ln_1p()
}

/// `sum over all integers of e^(rate x^2)`, with rate = -1/(2 sigma^2).
fn gaussian_total(sigma: f64, rate: &Ball) -> Ball {
    let mut total = Ball::exact(1.0);
    let two = Ball::exact(2.0);
    if sigma > 4.0 {
        // By Poisson's formula sigma sqrt(2 pi) (1 + 2 sum of e^(-2 pi^2 sigma^2 m^2)); for m >= 1 that is below
        // e^-315.
        let root = Ball::exact(sigma).div(&Ball::inverse_root_two_pi());
        return root.mul(&Ball::exact(1.0).add(&Ball::between(0.0, 1e-130)));
    }
    for x in 1..=64u32 {
        let square = Ball::exact(f64::from(x * x));
        total = total.add(&two.mul(&exp_or_tiny(&rate.mul(&square))));
    }
    // Beyond: each is below e^(-64/16) of the one before, and the last below e^-128.
    total.add(&Ball::between(0.0, 1e-54))
}

/// The lattice that several distributions' losses lie on, up to their offsets; how many of its steps each of their
/// steps is.
pub(crate) fn common_step<'a>(laws: impl Iterator<Item = &'a LatticeLoss> + Clone) -> Option<(Rational, Vec<i64>)> {
    let multiple = |law: &LatticeLoss, common: &Rational| {
        let multiple = Rational::from(&law.step / common);
        let multiple = multiple.is_integer().then(|| multiple.numer().to_i64()).flatten()?;
        (multiple <= 1 << 24).then_some(multiple)
    };
    let mut common = laws.clone().next()?.step.clone();
    for law in laws.clone() {
        common = greatest_common_divisor(&common, &law.step);
        // It only becomes smaller.
        multiple(law, &common)?;
    }
    let multiples = laws.map(|law| multiple(law, &common)).collect::<Option<_>>()?;
    Some((common, multiples))
}

fn greatest_common_divisor(x: &Rational, y: &Rational) -> Rational {
    let (left, right) = (Integer::from(x.numer() * y.denom()), Integer::from(y.numer() * x.denom()));
    Rational::from((left.gcd(&right), Integer::from(x.denom() * y.denom())))
}
