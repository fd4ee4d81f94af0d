//! The excess of the trapezoid sum: delta at all epsilons a whole number of periods away.

use crate::pld::{
    integrate::{chernoff::ChernoffBound, saddle_point::Plan},
    loss::finite_loss::FiniteLosses,
};
use indistinct_numeric::enclosure::{Bounds, Enclosure, Interval};
use std::cmp::Ordering;

type E = Interval<192>;

/// An upper bound on all that wraps around: `sum over m != 0 of D(epsilon + m A) e^(c m A)`.
///
/// From below by `D <= 1`; from above by Chernoff's bound of a larger tilt.
#[derive(Debug)]
pub(crate) struct Aliasing {
    below: E,
    above: ChernoffBound,
    /// Chernoff's bound, summed over the periods.
    factor: E,
}

impl Aliasing {
    pub(crate) fn new(losses: &FiniteLosses, plan: &Plan) -> Option<Self> {
        Self::below(ChernoffBound::new(losses, plan.higher)?, plan)
    }

    /// From Chernoff's bound of the plan's larger tilt.
    pub(crate) fn below(above: ChernoffBound, plan: &Plan) -> Option<Self> {
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
    pub(crate) fn enclose_delta(&self, sum: E, epsilon: f64) -> Bounds {
        // What wraps is not negative.
        let lower = sum.sub(&self.at(epsilon)).lower();
        let upper = sum.upper();
        Bounds {
            lower: if lower > 0.0 { lower.min(1.0) } else { 0.0 },
            upper: if upper < 1.0 { upper.max(0.0) } else { 1.0 },
        }
    }
}
