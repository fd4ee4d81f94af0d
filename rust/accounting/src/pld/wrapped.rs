//! What the trapezoid sum has too much: delta at all epsilons a whole number of periods away.

use super::{
    contour::{Exponent, variance},
    disk::Disk,
    saddle::Plan,
    shape::{Shape, Shapes, number},
    tilted::Tilted,
    transform::Line,
};
use indistinct_numeric::{
    RoundedArithmetic,
    enclosure::{Ball, Bounds, Enclosure, Interval},
};
use std::cmp::Ordering;

type E = Interval<192>;

/// `D(x) <= M(c) e^(-c x)/(1 + c)` for every c > 0 and x.
#[derive(Debug)]
pub(super) struct Ceiling {
    tilt: f64,
    scales: Vec<(Ball, u64)>,
    variance: Ball,
    /// What is left of M(c) beside the scales, over 1 + c.
    rest: E,
}

impl Ceiling {
    pub(super) fn new(shapes: &Shapes, tilt: f64) -> Option<Self> {
        let (mut scales, mut excess) = (Vec::new(), E::exact(1.0));
        for (shape, count) in shapes {
            if matches!(shape, Shape::Gaussian { .. }) {
                continue;
            }
            let most = match shape {
                Shape::Sampled(law) => Tilted::new(law, tilt, 1.0).and_then(|tilted| tilted.log_most()),
                _ => None,
            };
            if let Some(most) = most {
                scales.push((Ball::exact(most), *count));
                continue;
            }
            let values = shape.values(&Line::point(tilt))?;
            let size = Disk::ONE.add(values.less_one.first()?).modulus();
            if let (false, Some(greatest)) = (size.is_finite(), shape.greatest()) {
                // Of next to nothing floats may tell nothing; M(c) is at most that of the greatest loss.
                scales.push((Ball::exact(tilt.inf_mul(greatest).ok()?), *count));
                continue;
            }
            scales.push((values.scale, *count));
            excess = excess.mul(&E::exact(size).ln().mul(&E::exact(number(*count))).exp());
        }
        let rest = excess.div(&E::exact(1.0).add(&E::exact(tilt)));
        Some(Self { tilt, scales, variance: variance(shapes), rest })
    }

    /// At one epsilon, times a factor.
    fn times(&self, epsilon: f64, factor: &E) -> E {
        let Self { scales, variance, tilt, .. } = self;
        let exponent = Exponent { scales, variance, tilt: *tilt, epsilon: E::exact(epsilon) };
        exponent.value().exp().mul(&self.rest).mul(factor)
    }

    /// An upper bound on delta.
    pub(super) fn at(&self, epsilon: f64) -> f64 {
        self.times(epsilon, &E::exact(1.0)).upper()
    }
}

/// An upper bound on all that wraps around: `sum over m != 0 of D(epsilon + m A) e^(c m A)`.
///
/// From below by `D <= 1`; from above by the ceiling of a larger tilt.
#[derive(Debug)]
pub(super) struct Wrapped {
    below: E,
    above: Ceiling,
    /// What the periods make of the ceiling.
    factor: E,
}

impl Wrapped {
    pub(super) fn new(shapes: &Shapes, plan: &Plan) -> Option<Self> {
        Self::below(Ceiling::new(shapes, plan.higher)?, plan)
    }

    /// From the ceiling of the plan's larger tilt.
    pub(super) fn below(above: Ceiling, plan: &Plan) -> Option<Self> {
        if plan.higher.partial_cmp(&plan.tilt) != Some(Ordering::Greater) {
            return None;
        }
        let geometric = |exponent: E| {
            let ratio = exponent.exp();
            ratio.div(&E::exact(1.0).sub(&ratio))
        };
        let period = E::exact(plan.period);
        let below = geometric(E::exact(0.0).sub(&E::exact(plan.tilt).mul(&period)));
        let gap = E::exact(plan.tilt).sub(&E::exact(plan.higher));
        Some(Self { below, above, factor: geometric(gap.mul(&period)) })
    }

    fn at(&self, epsilon: f64) -> E {
        self.below.add(&self.above.times(epsilon, &self.factor))
    }

    /// The enclosure of delta from that of the sum.
    pub(super) fn settle(&self, sum: E, epsilon: f64) -> Bounds {
        // What wraps is not negative.
        let lower = sum.sub(&self.at(epsilon)).lower();
        let upper = sum.upper();
        Bounds {
            lower: if lower > 0.0 { lower.min(1.0) } else { 0.0 },
            upper: if upper < 1.0 { upper.max(0.0) } else { 1.0 },
        }
    }
}
