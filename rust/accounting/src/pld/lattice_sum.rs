//! The integral for losses on lattices, which closes after finitely many points.

use super::{
    contour::Exponent,
    disk::{Disk, Sum, UNIT, circle, turns},
    fft,
    lattice::{LatticeLaw, ball, common_step, rational, safe_exp},
    saddle::{GOAL, plan},
    shape::{Shape, Shapes, number},
    table::Looked,
    transform::middle,
    wrapped::Wrapped,
};
use indistinct_numeric::{
    Integer, Rational,
    enclosure::{Ball, Bounds, Enclosure, Interval},
};

/// No larger lattice period than this: 8 MB.
pub(super) const MOST_LATTICE: u32 = 1 << 17;

/// The integrand on a line, for losses on lattices with a common step and every epsilon near that for which the line was chosen; the bounds hold for any.
///
/// Where losses are only near the lattice, all together within some slack, delta lies between the lattice's at epsilon plus and minus that.
#[derive(Debug)]
pub(super) struct LatticeSum {
    pub(super) tilt: f64,
    step: Rational,
    offset: Rational,
    size: u32,
    slack: f64,
    /// M at the points up to half of the period, over the scales.
    values: Vec<Disk>,
    scales: Vec<(Ball, u64)>,
    wrapped: Wrapped,
}

impl LatticeSum {
    /// None if there is no common step, or it is too small.
    pub(super) fn new(shapes: &Shapes, epsilon: f64, known: f64) -> Option<Self> {
        let laws: Option<Vec<(&LatticeLaw, u64)>> = shapes
            .iter()
            .map(|(shape, count)| if let Shape::Lattice(law) = shape { Some((law, *count)) } else { None })
            .collect();
        let laws = laws?;
        let slack: f64 = shapes.iter().map(|(shape, count)| shape.slack() * number(*count)).sum();
        let (step, multiples) = common_step(laws.iter().map(|(law, _)| *law))?;
        let mut plan = plan(&Looked::new(shapes), epsilon, GOAL, known)?;
        let wanted = plan.period / step.to_f64();
        let size = (2..=MOST_LATTICE.ilog2()).map(|bits| 1u32 << bits).find(|size| f64::from(*size) >= wanted)?;
        // A float below the period, for what wraps around.
        plan.period = Rational::from(&step * size).to_f64();
        let tilt = plan.tilt;
        let offset = laws.iter().fold(Rational::new(), |sum, (law, count)| sum + Rational::from(&law.offset * *count));
        let roots = fft::roots(size);
        let half = usize::try_from(size / 2 + 1).ok()?;
        let (mut scales, mut values) = (Vec::new(), vec![Disk::ONE; half]);
        for ((law, count), multiple) in laws.iter().zip(&multiples) {
            let found = law.weights(tilt);
            scales.push((Ball::exact(found.scale), *count));
            let mut data = vec![(0.0, 0.0); usize::try_from(size).ok()?];
            let mut total = 0.0;
            let mut folded = 0.0f64;
            for (index, weight) in &found.weights {
                let index = index.wrapping_mul(*multiple).rem_euclid(i64::from(size));
                let slot = data.get_mut(usize::try_from(index).ok()?)?;
                folded = folded.max(slot.0);
                slot.0 += weight;
                total += weight;
            }
            // Sums within a slot round by a unit for each summand, of which there are at most as many as atoms.
            let terms = f64::from(u32::try_from(found.weights.len()).ok()?);
            let folding = if folded > 0.0 { terms * UNIT } else { 0.0 };
            fft::transform(&mut data, &roots);
            let error = (found.error + total * (fft::error(size) + folding) * (1.0 + terms * f64::EPSILON)) * 1.000_001;
            for (n, value) in (0..=size / 2).zip(values.iter_mut()) {
                let (re, im) = *data.get(usize::try_from(fft::position(n, size)).ok()?)?;
                *value = value.mul(&Disk::new(re, im, error).power(*count));
            }
        }
        let wrapped = Wrapped::new(shapes, &plan)?;
        Some(Self { tilt, step, offset, size, slack: slack * 1.000_001, values, scales, wrapped })
    }

    /// Bounds on `E[(1 - e^(epsilon - L))+]`.
    pub(super) fn delta(&self, epsilon: f64) -> Option<Bounds> {
        if self.slack == 0.0 {
            return self.on_lattice(epsilon);
        }
        let upper = self.on_lattice((epsilon - self.slack).next_down())?.upper;
        Some(Bounds { lower: self.on_lattice((epsilon + self.slack).next_up())?.lower, upper })
    }

    fn on_lattice(&self, epsilon: f64) -> Option<Bounds> {
        type E = Interval<192>;
        let Self { tilt, step, offset, size, .. } = self;
        // The first lattice point at or above epsilon is `epsilon + theta`.
        let exact_epsilon = rational(epsilon)?;
        let steps = (Rational::from(&exact_epsilon - offset) / step).ceil();
        let theta = Rational::from(&steps * step) + offset - exact_epsilon;
        let first = {
            let modulus = Integer::from(*size);
            let index = steps.numer().clone() % &modulus;
            (if index < 0 { index + modulus } else { index }).to_u32()?
        };
        let mask = size - 1;
        let kernel = Kernel::new(step, &theta, *tilt);
        let mut sum = Sum::default();
        for (n, value) in (0..=size / 2).zip(&self.values) {
            let shifted = f64::from(n.wrapping_mul(first) & mask) / f64::from(*size);
            let value = value.mul(&circle(-shifted, 0.0)).mul(&kernel.at(f64::from(n) / f64::from(*size)));
            let weight = if n == 0 || n == size / 2 { 1.0 } else { 2.0 };
            sum.add(weight * value.re, weight * value.radius);
        }
        let (sum, error) = sum.bounds();
        // `e^(-tilt (epsilon + theta))`.
        let theta = ball(&theta);
        let epsilon_up = E::exact(epsilon).add(&E::between(theta.lower(), theta.upper()));
        let exponent = Exponent { scales: &self.scales, variance: &Ball::exact(0.0), tilt: *tilt, epsilon: epsilon_up };
        let sum = E::exact(sum).add(&E::between(-error, error)).div(&E::exact(f64::from(*size)));
        Some(self.wrapped.settle(sum.mul(&exponent.value().exp()), epsilon))
    }
}

/// `sum over j >= 0 of e^(-z j step) (1 - e^(-theta - j step))`, for z = tilt + 2 pi i x/step:
/// `(a + b w) / ((1 - w) (1 - w e^-step))` with `w = e^(-z step)`, `a = 1 - e^-theta`, `b = e^-theta (1 - e^(theta - step))`.
struct Kernel {
    constant: Disk,
    linear: Disk,
    /// For the tilt and for one more: `1 - e^(-tilt step)`, and `e^(-tilt step)`.
    low: (f64, f64),
    high: (f64, f64),
}

impl Kernel {
    fn new(step: &Rational, theta: &Rational, tilt: f64) -> Self {
        let minus = |x: &Ball| Ball::exact(0.0).sub(x);
        let (exact_step, rest) = (ball(step), ball(&Rational::from(step - theta)));
        let theta = ball(theta);
        // A ball's exponential ends at -700, where what is left of 1 - e^x is 1.
        let gone = |x: &Ball| if x.upper() < -690.0 { Ball::between(1.0 - 1e-200, 1.0) } else { minus(&x.exp_m1()) };
        let constant = Disk::real(middle(&gone(&minus(&theta))));
        let linear = Disk::real(middle(&safe_exp(&minus(&theta)).mul(&gone(&minus(&rest)))));
        let pair = |tilt: f64| {
            let exponent = minus(&exact_step.mul(&Ball::exact(tilt)));
            (middle(&gone(&exponent)).0, middle(&safe_exp(&exponent)).0)
        };
        Self { constant, linear, low: pair(tilt), high: pair(tilt + 1.0) }
    }

    fn at(&self, x: f64) -> Disk {
        let (cosine, sine) = turns(-x);
        let half = turns(x / 2.0).1;
        // Each part is good to 16 units of itself, as sines of small angles are.
        let rest = |(gone, left): (f64, f64)| {
            let (re, im) = (gone + left * 2.0 * half * half, -left * sine);
            Disk::new(re, im, 40.0 * UNIT * (re.abs() + im.abs()))
        };
        let power = Disk::new(self.low.1 * cosine, self.low.1 * sine, 32.0 * UNIT * self.low.1 + 1e-200);
        let numerator = self.constant.add(&self.linear.mul(&power));
        numerator.mul(&rest(self.low).inverse()).mul(&rest(self.high).inverse())
    }
}
