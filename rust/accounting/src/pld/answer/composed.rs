//! Delta and epsilon of a composition.

use crate::{
    composition::ClosedForm,
    pld::{
        answer::{
            enumeration::Enumeration,
            fallback::{fallback, gaussians},
            supremum::EssentialSupremum,
        },
        integrate::{
            chernoff::ChernoffBound,
            saddle_point as saddle,
            walk::{ANYTHING, Integral},
        },
        loss::{
            direction::Direction,
            finite_loss::{self as loss, FiniteLoss},
            once::once,
            pair::DominatingPair,
        },
        transform::estimate::Estimate,
    },
};
use indistinct_numeric::{
    RoundedMath,
    enclosure::{Ball, Bounds, Enclosure, Interval},
};
use std::cell::OnceCell;

/// No epsilon beyond is looked at.
pub(crate) const GREATEST: f64 = 1e6;

/// Chernoff's bound is looked for at a tilt at which so many times the wanted delta's logarithm is taken off.
const ENOUGH: f64 = 1.5;
/// A composition seen in one direction.
pub(crate) struct Composed {
    /// Bounds on the probability of an infinite loss.
    pub(crate) infinite: Bounds,
    pub(crate) losses: Vec<(FiniteLoss, u64)>,
    /// Where all are responses, or pairs of epsilon and delta, or Gaussian: what is known exactly.
    pub(crate) closed_form: Option<ClosedForm>,
    /// All outcomes, where there are few, when they are asked for.
    enumeration: OnceCell<Option<Enumeration>>,
    /// The greatest loss, when it is asked for, and what it says.
    greatest: OnceCell<Option<Ball>>,
    supremum: OnceCell<Option<EssentialSupremum>>,
}

impl Composed {
    /// None where nothing is known but the trivial bounds.
    pub(crate) fn new(laws: &[(DominatingPair, u64)], direction: Direction) -> Option<Self> {
        type E = Interval<192>;
        let (mut kept, mut losses) = (E::exact(0.0), Vec::new());
        // Whether an infinite loss is certain, and the least probability of one that may be as likely as certain.
        let (mut certain, mut likely) = (false, None);
        for (law, count) in laws {
            let loss = law.loss(direction)?;
            if let Some(loss) = loss.loss {
                losses.push((loss, *count));
            }
            let (lower, upper) = (loss.infinite.lower().clamp(0.0, 1.0), loss.infinite.upper().clamp(0.0, 1.0));
            if lower.is_nan() || upper.is_nan() {
                return None;
            }
            if lower >= 1.0 {
                certain = true;
            } else if upper >= 1.0 {
                likely = Some(lower.max(likely.unwrap_or(0.0)));
            } else if upper > 0.0 {
                let count = E::exact(loss::number(*count));
                kept = kept.add(&E::exact(0.0).sub(&E::between(lower, upper)).ln_1p().mul(&count));
            }
        }
        // One minus the product of what each keeps.
        let lost = E::exact(0.0).sub(&kept.exp_m1()).bounds();
        let lost = clamp(lost);
        let infinite = match likely {
            _ if certain => Bounds { lower: 1.0, upper: 1.0 },
            Some(lower) => Bounds { lower: lower.max(lost.lower), upper: 1.0 },
            None => lost,
        };
        Some(Self {
            infinite,
            closed_form: pairs(laws).or_else(|| gaussians(&losses).filter(|_| infinite.upper == 0.0)),
            enumeration: OnceCell::new(),
            losses,
            greatest: OnceCell::new(),
            supremum: OnceCell::new(),
        })
    }

    /// Where the road to delta begins, for epsilons near this one; none where there is a closed form.
    pub(crate) fn prepare(&self, epsilon: f64, known: f64) -> Option<Integral> {
        (!self.is_closed(epsilon)).then(|| Integral::new(&self.losses, epsilon, known))
    }

    /// True if delta has a closed form there.
    fn is_closed(&self, epsilon: f64) -> bool {
        self.closed_form.is_some()
            || self.losses.is_empty()
            || self.enumeration().is_some()
            || self.gaussian(epsilon).or_else(|| self.once(epsilon)).is_some()
    }

    /// Delta by what was prepared for this epsilon or another.
    ///
    /// `infinite + (1 - infinite) D`, which rises in both.
    pub(crate) fn delta(&self, epsilon: f64, prepared: Option<&Integral>) -> Bounds {
        type E = Interval<192>;
        if let Some(bounds) = self.closed_form.as_ref().and_then(|closed_form| closed_form.delta(epsilon).ok()) {
            return bounds;
        }
        let finite = self.finite(epsilon, prepared);
        if self.infinite.upper == 0.0 {
            return finite;
        }
        let whole = |infinite: f64, finite: f64| {
            let infinite = E::exact(infinite);
            infinite.add(&E::exact(1.0).sub(&infinite).mul(&E::exact(finite)))
        };
        clamp(Bounds {
            lower: whole(self.infinite.lower, finite.lower).lower(),
            upper: whole(self.infinite.upper, finite.upper).upper(),
        })
    }

    /// True if the delta at an epsilon is seen to be at most a wanted one: because no loss is above it, or by
    /// Chernoff's bound, if that is enough.
    pub(crate) fn is_certified_within(&self, epsilon: f64, wanted: f64) -> bool {
        self.is_certified_by_chernoff(epsilon, wanted) || self.delta(epsilon, None).upper <= wanted
    }

    fn is_certified_by_chernoff(&self, epsilon: f64, wanted: f64) -> bool {
        let is_beyond_all = self.margin_above_supremum(epsilon).is_some_and(|distance| distance >= 0.0);
        is_beyond_all && self.infinite.upper <= wanted || self.is_within_chernoff(epsilon, wanted)
    }

    /// True if delta is at most a wanted one by Chernoff's bound.
    pub(crate) fn is_within_chernoff(&self, epsilon: f64, wanted: f64) -> bool {
        let log_wanted = wanted.ln();
        // Far below what is wanted, a smaller tilt is enough, which takes less time.
        let enough = (ENOUGH * -log_wanted / epsilon).max(1024.0);
        let found = saddle::estimate(&Estimate::new(&self.losses), epsilon);
        let tilt = found.filter(|(estimate, _)| *estimate < log_wanted + 1.0).map(|(_, tilt)| tilt.min(enough));
        let bound = tilt.and_then(|tilt| ChernoffBound::new(&self.losses, tilt));
        self.infinite.upper == 0.0 && bound.is_some_and(|bound| bound.at(epsilon).get() <= wanted)
    }

    /// By how much epsilon is above the greatest loss, if there is one, or less.
    fn margin_above_supremum(&self, epsilon: f64) -> Option<f64> {
        let greatest = self.greatest.get_or_init(|| loss::greatest(&self.losses)).as_ref()?;
        loss::margin_above_supremum(&self.losses, greatest, epsilon)
    }

    /// Bounds by the greatest loss alone.
    pub(crate) fn supremum(&self) -> Option<&EssentialSupremum> {
        self.supremum.get_or_init(|| EssentialSupremum::new(&self.losses)).as_ref()
    }

    /// Bounds on the delta of the finite losses.
    fn finite(&self, epsilon: f64, prepared: Option<&Integral>) -> Bounds {
        let margin_above_supremum = self.margin_above_supremum(epsilon);
        if self.losses.is_empty() || margin_above_supremum.is_some_and(|distance| distance >= 0.0) {
            return Bounds { lower: 0.0, upper: 0.0 };
        }
        let found = self.closed(epsilon).unwrap_or_else(|| match prepared {
            Some(integral) => integral.delta(epsilon),
            None => Integral::once(&self.losses, epsilon),
        });
        // Where next to nothing is known, what always holds may be more.
        let is_known = found.upper - found.lower <= found.upper / 2.0;
        let fallback = if is_known { ANYTHING } else { fallback(&self.losses, epsilon) };
        let most = margin_above_supremum.map_or(1.0, |distance| -distance.neg_inf_exp_m1().unwrap_or(-1.0));
        let least = self.supremum().map_or(0.0, |top| top.delta(epsilon));
        Bounds { lower: found.lower.max(least).max(fallback.lower), upper: found.upper.min(most).min(fallback.upper) }
    }

    /// Where it is known in closed form.
    fn closed(&self, epsilon: f64) -> Option<Bounds> {
        self.gaussian(epsilon).or_else(|| self.once(epsilon)).or_else(|| Some(self.enumeration()?.delta(epsilon)))
    }

    fn enumeration(&self) -> Option<&Enumeration> {
        self.enumeration.get_or_init(|| Enumeration::new(&self.losses)).as_ref()
    }

    /// One release alone.
    fn once(&self, epsilon: f64) -> Option<Bounds> {
        let [(loss, 1)] = self.losses.as_slice() else { return None };
        once(loss, epsilon).filter(|bounds| bounds.lower > 0.0 || bounds.upper < 1.0)
    }

    /// Gaussian mechanisms beside an infinite loss.
    fn gaussian(&self, epsilon: f64) -> Option<Bounds> {
        gaussians(&self.losses)?.delta(epsilon).ok()
    }
}

fn clamp(bounds: Bounds) -> Bounds {
    Bounds {
        lower: if bounds.lower > 0.0 { bounds.lower.min(1.0) } else { 0.0 },
        upper: if bounds.upper < 1.0 { bounds.upper.max(0.0) } else { 1.0 },
    }
}

/// Pairs of epsilon and delta of one kind, whose composition is a short sum.
fn pairs(laws: &[(DominatingPair, u64)]) -> Option<ClosedForm> {
    let [(law, count)] = laws else { return None };
    let (epsilon, delta) = law.pair()?;
    ClosedForm::pairs((u32::try_from(*count).ok()?, epsilon, delta)).ok()
}
