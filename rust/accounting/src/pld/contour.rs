//! Delta as an integral through the saddle point of the moment generating function, with every error charged.
//!
//! With M(z) = E[e^(z L)] for the sum L of all losses under the first law, c > 0 and A > 0, the trapezoid sum
//! `(1/A) sum over n of M(z) e^(-z epsilon) / (z (z + 1))`, `z = c + 2 pi i n / A`, is `sum over m of D(epsilon + m A) e^(c m A)`: delta, and terms that
//! are not negative and fall geometrically on either side (Poisson summation). For a lattice the sum over n closes after
//! as many points as there are steps in A, with a kernel in place of `1/(z (z + 1))`. See `proofs/accounting/pld.md`.

use super::{
    disk::{Disk, Sum, UNIT, circle},
    lattice::{safe_exp, up_exp},
    saddle::{GOAL, Plan, plan},
    sampled_gaussian::Decay,
    shape::{Shape, Shapes, number},
    transform::{Line, middle},
};
use indistinct_numeric::enclosure::{Ball, Bounds, Enclosure, Interval};
use std::{cmp::Ordering, f64::consts::TAU};

/// No more points on a line than this.
const MOST_POINTS: u32 = 1 << 14;
/// Bounds on `E[(1 - e^(epsilon - L))+]`, for losses of which some have a smooth density; none where that does not help.
pub(super) fn smooth(shapes: &Shapes, epsilon: f64) -> Option<Bounds> {
    type E = Interval<192>;
    let plan = plan(shapes, epsilon)?;
    let Plan { tilt, period, .. } = plan;
    let variance = variance(shapes);
    let decays: Vec<(Decay, f64)> = shapes
        .iter()
        .filter_map(|(shape, count)| match shape {
            Shape::Sampled(law) => Some(law.decay(tilt).map(|decay| (decay, number(*count)))),
            _ => None,
        })
        .collect::<Option<_>>()?;
    // The height from which on nothing matters.
    let fallen = |height: f64| {
        let gaussian = height * height / 2.0 * variance.lower().max(0.0);
        (gaussian + decays.iter().map(|(decay, count)| decay.below_one(height) * count).sum::<f64>()) * 0.999_999
    };
    let shape = (tilt * (tilt + 1.0) * (plan.deviation + 1.0 / tilt)).max(1e-30).ln();
    let mut height = 6.0 / plan.deviation;
    while fallen(height) < GOAL + (shape - height.ln()).max(0.0) + 1.0 {
        height *= 1.05;
        if height * period / TAU > f64::from(MOST_POINTS) {
            return None;
        }
    }
    let count = (1..=MOST_POINTS.ilog2()).map(|bits| 1u32 << bits);
    let wanted = height * period / TAU;
    // As many points as the height takes, to an eighth of a power of two.
    let count =
        count.flat_map(|power| (8..16u32).map(move |eighths| power * eighths / 8)).find(|n| f64::from(*n) > wanted)?;
    let line = Line { tilt, period, count };
    let (mut scales, mut products) = (Vec::new(), vec![Disk::ONE; usize::try_from(count).ok()?]);
    let mut shift = variance.mul(&Ball::exact(tilt).add(&Ball::exact(0.5))).sub(&Ball::exact(epsilon));
    for (shape, count) in shapes {
        if matches!(shape, Shape::Gaussian { .. }) {
            continue;
        }
        let values = shape.values(&line)?;
        scales.push((values.scale, *count));
        shift = shift.add(&Ball::exact(values.center).mul(&Ball::exact(number(*count))));
        for (product, value) in products.iter_mut().zip(&values.disks) {
            *product = product.mul(&value.power(*count));
        }
    }
    let greatest = products.first()?.modulus();
    let (turn, error) = middle(&shift.div(&Ball::exact(period)));
    let root = Ball::inverse_root_two_pi().mul(&Ball::exact(period));
    // Minus variance/2 (2 pi/A)^2, to be multiplied by n^2.
    let spread = Ball::exact(0.0).sub(&variance).mul(&Ball::exact(0.5)).div(&root.mul(&root));
    let two_pi = Ball::exact(1.0).div(&Ball::inverse_root_two_pi().mul(&Ball::inverse_root_two_pi()));
    let spread = spread.mul(&two_pi);
    let is_gaussian = variance.upper() > 0.0;
    let mut sum = Sum::default();
    for (n, product) in (0..count).zip(&products) {
        let n = f64::from(n);
        let angle = n * turn;
        let mut value = product.mul(&circle(angle, n * error + UNIT * angle.abs()));
        if is_gaussian {
            value = value.mul(&Disk::real(middle(&safe_exp(&spread.mul(&Ball::exact(n * n))))));
        }
        let height = TAU * n / period;
        let point = |real: f64| Disk::new(real, height, 4.0 * UNIT * height);
        let value = value.mul(&point(tilt).mul(&point(tilt + 1.0)).inverse());
        let weight = if n == 0.0 { 1.0 } else { 2.0 };
        sum.add(weight * value.re, weight * value.radius);
    }
    let (sum, error) = sum.bounds();
    // Beyond the last point |z (z + 1)| >= t^2, and the sum of 1/t^2 over the points is at most 1/t^2 + A/(2 pi t).
    let height = TAU * f64::from(count) / period * 0.999_999;
    let tail =
        up_exp(-fallen(height)) * greatest * 2.0 * (1.0 / (height * height) + period / (TAU * height)) * 1.000_01;
    let exponent = Exponent { scales: &scales, variance: &variance, tilt, epsilon: E::exact(epsilon) };
    let error = (error + tail) * 1.000_001;
    let sum = E::exact(sum).add(&E::between(-error, error)).div(&E::exact(period)).mul(&exponent.value().exp());
    Some(settle(sum, &wrapped(shapes, epsilon, &plan)?))
}

/// What the Gaussian laws add up to: the variance of the loss, 1/sigma^2 each.
fn variance(shapes: &Shapes) -> Ball {
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
    pub(super) scales: &'a [(f64, u64)],
    pub(super) variance: &'a Ball,
    pub(super) tilt: f64,
    pub(super) epsilon: Interval<192>,
}

impl Exponent<'_> {
    pub(super) fn value(&self) -> Interval<192> {
        type E = Interval<192>;
        let mut sum = E::exact(0.0);
        for (scale, count) in self.scales {
            sum = sum.add(&E::exact(*scale).mul(&E::exact(number(*count))));
        }
        let spread = E::between(self.variance.lower(), self.variance.upper()).mul(&E::exact(0.5));
        let tilt = E::exact(self.tilt);
        sum.add(&spread.mul(&tilt).mul(&tilt.add(&E::exact(1.0)))).sub(&tilt.mul(&self.epsilon))
    }
}

/// An upper bound on all that wraps around: `sum over m != 0 of D(epsilon + m A) e^(c m A)`.
///
/// From below by `D <= 1`; from above by `D(x) <= M(c') e^(-c' x)/(1 + c')` for a larger tilt c'.
pub(super) fn wrapped(shapes: &Shapes, epsilon: f64, plan: &Plan) -> Option<Interval<192>> {
    type E = Interval<192>;
    if plan.higher.partial_cmp(&plan.tilt) != Some(Ordering::Greater) {
        return None;
    }
    let geometric = |exponent: E| {
        let ratio = exponent.exp();
        ratio.div(&E::exact(1.0).sub(&ratio))
    };
    let period = E::exact(plan.period);
    let below = geometric(E::exact(0.0).sub(&E::exact(plan.tilt).mul(&period)));
    let (mut scales, mut excess) = (Vec::new(), E::exact(1.0));
    for (shape, count) in shapes {
        if matches!(shape, Shape::Gaussian { .. }) {
            continue;
        }
        let values = shape.values(&Line::point(plan.higher))?;
        scales.push((values.scale, *count));
        let size = values.disks.first()?.modulus();
        excess = excess.mul(&E::exact(size).ln().mul(&E::exact(number(*count))).exp());
    }
    let exponent =
        Exponent { scales: &scales, variance: &variance(shapes), tilt: plan.higher, epsilon: E::exact(epsilon) };
    let height = exponent.value().exp().mul(&excess).div(&E::exact(1.0).add(&E::exact(plan.higher)));
    let gap = E::exact(plan.tilt).sub(&E::exact(plan.higher));
    let above = height.mul(&geometric(gap.mul(&period)));
    Some(below.add(&above))
}

/// The enclosure of delta from that of the sum and of what wraps around.
pub(super) fn settle(sum: Interval<192>, wrapped: &Interval<192>) -> Bounds {
    // What wraps is not negative.
    let lower = sum.sub(wrapped).lower();
    let upper = sum.upper();
    Bounds {
        lower: if lower > 0.0 { lower.min(1.0) } else { 0.0 },
        upper: if upper < 1.0 { upper.max(0.0) } else { 1.0 },
    }
}
