//! Delta as an integral through the saddle point of the moment generating function, with every error charged.
//!
//! With M(z) = E[e^(z L)] for the sum L of all losses under the first law, c > 0 and A > 0, the trapezoid sum
//! `(1/A) sum over n of M(z) e^(-z epsilon) / (z (z + 1))`, `z = c + 2 pi i n / A`, is `sum over m of D(epsilon + m A) e^(c m A)`: delta, and terms that
//! are not negative and fall geometrically on either side (Poisson summation). For a lattice the sum over n closes after
//! as many points as there are steps in A, with a kernel in place of `1/(z (z + 1))`. See `proofs/accounting/pld.md`.

use super::{
    decay::Decay,
    disk::{Disk, Sum, UNIT, circle},
    exponential_fall::ExponentialFall,
    far::Far,
    lattice::{safe_exp, up_exp},
    saddle::{Plan, short},
    sampled_gaussian::SampledGaussian,
    shape::{Shape, Shapes, number},
    sparse::{is_hardly_ever, sparse},
    tilted::Tilted,
    transform::{Line, Values, middle},
    wrapped::{Ceiling, Wrapped},
};
use indistinct_numeric::enclosure::{Ball, Bounds, Enclosure, Interval};
use std::f64::consts::TAU;

/// No more steps along a path beside the real line.
const MOST_BESIDE: u64 = 30_000;
/// No more points on a line than this.
const MOST_POINTS: f64 = 16_384.0;
/// Logarithms of the relative error that each of the charged parts is given, and how many points are spent on it at most: about 1e-14 where that is cheap.
const GOALS: [(f64, f64); 3] = [(32.0, 384.0), (24.0, 768.0), (19.0, 1_536.0)];

/// The integrand on a line, for every epsilon near that for which the line was chosen; the bounds hold for any.
#[derive(Debug)]
pub(super) struct Contour {
    pub(super) tilt: f64,
    pub(super) period: f64,
    /// `M(z)/(z (z + 1))` at the points, over the scales.
    pub(super) values: Vec<Disk>,
    pub(super) scales: Vec<(Ball, u64)>,
    pub(super) variance: Ball,
    /// What the loss is turned by, epsilon aside.
    pub(super) shift: Ball,
    /// A bound on the sum beyond the last point, over the scales.
    pub(super) tail: f64,
    pub(super) wrapped: Wrapped,
    /// What was left out of the sum: the losses that are all near zero.
    pub(super) near: Option<Ceiling>,
    /// A bound on the probability of what was left out of the laws.
    pub(super) beyond: f64,
}

impl Contour {
    /// For losses of which some have a smooth density; none where that does not help.
    pub(super) fn new(shapes: &Shapes, epsilon: f64, known: f64) -> Option<Self> {
        let to = |goal| Self::to(goal, shapes, epsilon, known);
        let is_first = is_hardly_ever(shapes);
        let first = if is_first { sparse(shapes, epsilon, known) } else { None };
        let found = first.or_else(|| GOALS.into_iter().find_map(to));
        let found = found.or_else(|| if is_first { None } else { sparse(shapes, epsilon, known) });
        found.or_else(|| to((19.0, MOST_POINTS)))
    }

    /// To a goal, with no more points than are spent on it.
    pub(super) fn to((goal, most): (f64, f64), shapes: &Shapes, epsilon: f64, known: f64) -> Option<Self> {
        let (far, mut plan) = Far::plan(shapes, epsilon, (goal, known))?;
        // The bounds claim somewhat less than there is.
        let about = plan.height * plan.period / TAU * 1.3;
        if about.is_nan() || about > most {
            return None;
        }
        // What was estimated in floats may be less than what the ceiling comes to, over many steps.
        let above = Ceiling::new(&far.shapes, plan.higher)?;
        let period = (goal - plan.estimate + above.at(epsilon).ln()) / (plan.higher - plan.tilt) * 1.01;
        if period > plan.period {
            plan.period = short(period);
        }
        let mut fall = Fall { variance: variance(shapes).lower().max(0.0), decays: Vec::new() };
        for (shape, count) in &far.shapes {
            let falling = match shape {
                Shape::Sampled(law) => Falling::Sampled(decay(law, plan.tilt)?),
                Shape::Exponential(law) => Falling::Exponential(law.falling(plan.tilt)),
                Shape::Gaussian { .. } | Shape::Lattice(_) | Shape::Loose(_) => continue,
            };
            fall.decays.push((falling, number(*count)));
        }
        let (count, fallen) = fall.points(&plan, goal, most)?;
        let found = Self::on_line(&far.shapes, &plan, (count, fallen), above)?;
        Some(Self { beyond: far.beyond, ..found })
    }

    fn on_line(shapes: &Shapes, plan: &Plan, (count, fallen): (u32, f64), above: Ceiling) -> Option<Self> {
        let Plan { tilt, period, .. } = *plan;
        let variance = variance(shapes);
        let line = Line { tilt, period, count };
        let (mut scales, mut values) = (Vec::new(), vec![Disk::ONE; usize::try_from(count).ok()?]);
        let mut shift = variance.mul(&Ball::exact(tilt).add(&Ball::exact(0.5)));
        for (shape, count) in shapes {
            if matches!(shape, Shape::Gaussian { .. }) {
                continue;
            }
            let found = transform(shape, *count, &line)?;
            scales.push((found.scale, *count));
            shift = shift.add(&Ball::exact(found.center).mul(&Ball::exact(number(*count))));
            for (value, less_one) in values.iter_mut().zip(&found.less_one) {
                *value = value.mul(&less_one.power_beside_one(*count));
            }
        }
        let greatest = values.first()?.modulus();
        let root = Ball::inverse_root_two_pi().mul(&Ball::exact(period));
        // Minus variance/2 (2 pi/A)^2, to be multiplied by n^2.
        let spread = Ball::exact(0.0).sub(&variance).mul(&Ball::exact(0.5)).div(&root.mul(&root));
        let two_pi = Ball::exact(1.0).div(&Ball::inverse_root_two_pi().mul(&Ball::inverse_root_two_pi()));
        let spread = spread.mul(&two_pi);
        let is_gaussian = variance.upper() > 0.0;
        for (n, value) in (0..count).zip(values.iter_mut()) {
            let n = f64::from(n);
            if is_gaussian {
                *value = value.mul(&Disk::real(middle(&safe_exp(&spread.mul(&Ball::exact(n * n))))));
            }
            let height = TAU * n / period;
            let point = |real: f64| Disk::new(real, height, 4.0 * UNIT * height);
            *value = value.mul(&point(tilt).mul(&point(tilt + 1.0)).inverse());
        }
        // Beyond the last point |z (z + 1)| >= t^2, and the sum of 1/t^2 over the points is at most 1/t^2 + A/(2 pi t).
        let height = TAU * f64::from(count) / period * 0.999_999;
        let tail = up_exp(-fallen) * greatest * 2.0 * (1.0 / (height * height) + period / (TAU * height)) * 1.000_01;
        let wrapped = Wrapped::below(above, plan)?;
        Some(Self { tilt, period, values, scales, variance, shift, tail, wrapped, near: None, beyond: 0.0 })
    }

    /// Bounds on `E[(1 - e^(epsilon - L))+]`.
    pub(super) fn delta(&self, epsilon: f64) -> Bounds {
        type E = Interval<192>;
        let (turn, error) = middle(&self.shift.sub(&Ball::exact(epsilon)).div(&Ball::exact(self.period)));
        let mut sum = Sum::default();
        let mut weight = 1.0;
        for (n, value) in (0..u32::MAX).zip(&self.values) {
            let n = f64::from(n);
            let angle = n * turn;
            let value = value.mul(&circle(angle, n * error + UNIT * angle.abs()));
            sum.add(weight * value.re, weight * value.radius);
            weight = 2.0;
        }
        let (sum, error) = sum.bounds();
        let Self { scales, variance, tilt, .. } = self;
        let exponent = Exponent { scales, variance, tilt: *tilt, epsilon: E::exact(epsilon) };
        let error = (error + self.tail) * 1.000_001;
        let sum =
            E::exact(sum).add(&E::between(-error, error)).div(&E::exact(self.period)).mul(&exponent.value().exp());
        let Bounds { lower, upper } = self.wrapped.settle(sum, epsilon);
        let near = self.near.as_ref().map_or(0.0, |near| near.at(epsilon));
        Bounds { lower, upper: (upper + near + self.beyond).next_up().min(1.0) }
    }
}

/// How fast one law's characteristic function is known to fall.
enum Falling {
    Sampled(Decay),
    Exponential(ExponentialFall),
}

impl Falling {
    /// A lower bound on what the logarithm has lost, from a height on.
    fn fallen(&self, height: f64, angle: &mut i32) -> f64 {
        match self {
            Self::Sampled(decay) => decay.fallen(height, angle),
            Self::Exponential(fall) => fall.fallen(height),
        }
    }
}

/// How fast a law's transform falls: finer than the integral needs, if it does not need much.
fn decay(law: &SampledGaussian, tilt: f64) -> Option<Decay> {
    Tilted::new(law, tilt, if law.cut.is_some() { 1.0 } else { 2.0 })?.decay()
}

/// A shape's transform on a line.
///
/// Where the real line takes many points, the path beside it takes fewer, whose sum rounds more: too much for many steps.
fn transform(shape: &Shape, count: u64, line: &Line) -> Option<Values> {
    let beside = match shape {
        Shape::Sampled(law) if count <= MOST_BESIDE => law.beside(line),
        _ => None,
    };
    beside.or_else(|| shape.values(line))
}

/// How far the logarithm of the moment generating function's modulus falls along a line.
struct Fall {
    variance: f64,
    decays: Vec<(Falling, f64)>,
}

impl Fall {
    /// A lower bound from a height on; where each search ended is kept for the next.
    fn at(&self, height: f64, angles: &mut [i32]) -> f64 {
        let gaussian = height * height / 2.0 * self.variance;
        let sampled = self.decays.iter().zip(angles).map(|((decay, count), angle)| decay.fallen(height, angle) * count);
        (gaussian + sampled.sum::<f64>()) * 0.999_999
    }

    /// How many points it takes until nothing matters any more beside the goal, and how far it has fallen there.
    fn points(&self, plan: &Plan, goal: f64, most: f64) -> Option<(u32, f64)> {
        let Plan { period, foot, estimate, .. } = *plan;
        let mut angles = vec![20; self.decays.len()];
        let mut enough = |height: f64| {
            let fallen = self.at(height, &mut angles);
            let spread = (2.0 / (height * height * period) + 2.0 / (TAU * height)).ln();
            (fallen >= goal - estimate + foot + spread).then_some(fallen)
        };
        let (mut low, mut high) = (0.0, plan.height * 1.2);
        let mut found = enough(high);
        while found.is_none() {
            (low, high) = (high, high * 1.2);
            if high.is_nan() || high <= 0.0 || high * period / TAU > most {
                return None;
            }
            found = enough(high);
        }
        for _ in 0..3 {
            let middle = low + (high - low) / 2.0;
            match enough(middle) {
                Some(fallen) => (high, found) = (middle, Some(fallen)),
                None => low = middle,
            }
        }
        let wanted = high * period / TAU;
        let count = (2..=16_384u32).find(|count| f64::from(*count) > wanted)?;
        Some((count, found?))
    }
}

/// What the Gaussian laws add up to: the variance of the loss, 1/sigma^2 each.
pub(super) fn variance(shapes: &Shapes) -> Ball {
    let mut total = Ball::exact(0.0);
    for (shape, count) in shapes {
        if let Shape::Gaussian { sigma } = shape {
            let square = Ball::exact(*sigma).mul(&Ball::exact(*sigma));
            total = total.add(&Ball::exact(number(*count)).div(&square));
        }
    }
    total
}

/// `sum of count * scale + (variance/2) tilt (tilt + 1) - tilt epsilon` for a Gaussian variance, exactly enclosed.
pub(super) struct Exponent<'a> {
    pub(super) scales: &'a [(Ball, u64)],
    pub(super) variance: &'a Ball,
    pub(super) tilt: f64,
    pub(super) epsilon: Interval<192>,
}

impl Exponent<'_> {
    pub(super) fn value(&self) -> Interval<192> {
        type E = Interval<192>;
        let mut sum = E::exact(0.0);
        for (scale, count) in self.scales {
            sum = sum.add(&E::between(scale.lower(), scale.upper()).mul(&E::exact(number(*count))));
        }
        let spread = E::between(self.variance.lower(), self.variance.upper()).mul(&E::exact(0.5));
        let tilt = E::exact(self.tilt);
        sum.add(&spread.mul(&tilt).mul(&tilt.add(&E::exact(1.0)))).sub(&tilt.mul(&self.epsilon))
    }
}
