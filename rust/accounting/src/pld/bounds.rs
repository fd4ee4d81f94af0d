//! Delta and epsilon of a composition.

use super::{
    PrivacyLossDistribution,
    exponential::Exponential,
    integral::{ANYTHING, Integral},
    inverse::{GREATEST, epsilon_of},
    law::{Direction, Law},
    saddle,
    several::Several,
    shape::{self, Shape, Shapes},
    simple::{once, simple},
    table::Looked,
    top::Top,
    wrapped::Ceiling,
};
use crate::{
    composition::{ExactComposition, laplace_delta_bounds, laplace_epsilon_bounds},
    error::{Fallible, non_negative, require},
};
use indistinct_numeric::{
    RoundedMath,
    enclosure::{Bounds, Enclosure, Interval},
};

/// A composition seen in one direction.
pub(super) struct Composed {
    /// Bounds on the probability of an infinite loss.
    pub(super) infinite: Bounds,
    pub(super) shapes: Vec<(Shape, u64)>,
    /// Where all are responses, or pairs of epsilon and delta, or Gaussian: what is known exactly.
    exactly: Option<ExactComposition>,
    /// And where there are a few of several kinds.
    several: Option<Several<Interval<256>>>,
}

impl Composed {
    /// None where nothing is known but the trivial bounds.
    pub(super) fn new(laws: &[(Law, u64)], direction: Direction) -> Option<Self> {
        type E = Interval<192>;
        let (mut kept, mut shapes) = (E::exact(0.0), Vec::new());
        // Whether an infinite loss is certain, and the least probability of one that may be as likely as certain.
        let (mut certain, mut likely) = (false, None);
        for (law, count) in laws {
            let loss = law.loss(direction)?;
            if let Some(shape) = loss.shape {
                shapes.push((shape, *count));
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
                let count = E::exact(shape::number(*count));
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
            exactly: pairs(laws).or_else(|| gaussians(&shapes).filter(|_| infinite.upper == 0.0)),
            several: Several::new(&shapes),
            shapes,
        })
    }

    /// Where the road to delta begins, for epsilons near this one; none where there is a closed form.
    pub(super) fn prepare(&self, epsilon: f64, known: f64) -> Option<Integral> {
        let is_closed = self.exactly.is_some() || self.shapes.is_empty() || self.closed(epsilon).is_some();
        (!is_closed).then(|| Integral::new(&self.shapes, epsilon, known))
    }

    /// Delta by what was prepared for this epsilon or another.
    ///
    /// `infinite + (1 - infinite) D`, which rises in both.
    pub(super) fn delta(&self, epsilon: f64, prepared: Option<&Integral>) -> Bounds {
        type E = Interval<192>;
        if let Some(bounds) = self.exactly.as_ref().and_then(|exactly| exactly.delta(epsilon).ok()) {
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

    /// Whether the delta at an epsilon is seen to be at most a wanted one: because no loss is above it, or by a ceiling, if that is enough.
    fn is_seen_to_do(&self, epsilon: f64, wanted: f64) -> bool {
        let is_beyond_all = shape::above_all(&self.shapes, epsilon).is_some_and(|distance| distance >= 0.0);
        if is_beyond_all && self.infinite.upper <= wanted {
            return true;
        }
        let tilt = saddle::estimate(&Looked::new(&self.shapes), epsilon).map(|(_, tilt)| tilt.min(1024.0));
        let ceiling = tilt.and_then(|tilt| Some(Ceiling::new(&self.shapes, tilt)?.at(epsilon)));
        let is_below = ceiling.is_some_and(|ceiling| ceiling <= wanted) && self.infinite.upper == 0.0;
        is_below || self.delta(epsilon, None).upper <= wanted
    }

    /// Of the finite losses.
    fn finite(&self, epsilon: f64, prepared: Option<&Integral>) -> Bounds {
        let above_all = shape::above_all(&self.shapes, epsilon);
        if self.shapes.is_empty() || above_all.is_some_and(|distance| distance >= 0.0) {
            return Bounds { lower: 0.0, upper: 0.0 };
        }
        let found = self.closed(epsilon).unwrap_or_else(|| match prepared {
            Some(integral) => integral.delta(epsilon),
            None => Integral::once(&self.shapes, epsilon),
        });
        // Where next to nothing is known, what always holds may be more.
        let is_known = found.upper - found.lower <= found.upper / 2.0;
        let simple = if is_known { ANYTHING } else { simple(&self.shapes, epsilon) };
        let most = above_all.map_or(1.0, |distance| -distance.neg_inf_exp_m1().unwrap_or(-1.0));
        let least = Top::new(&self.shapes).map_or(0.0, |top| top.delta(epsilon));
        Bounds { lower: found.lower.max(least).max(simple.lower), upper: found.upper.min(most).min(simple.upper) }
    }

    /// Bounds on the least epsilon for a delta.
    fn epsilon(&self, wanted: f64) -> Bounds {
        if let Some(bounds) = self.exactly.as_ref().and_then(|exactly| exactly.epsilon(wanted).ok()) {
            return bounds;
        }
        let top = Top::new(&self.shapes).filter(|_| self.infinite.upper == 0.0 && wanted < 1.0);
        let top = top.map_or(Bounds { lower: 0.0, upper: f64::INFINITY }, |top| top.epsilon(wanted));
        if top.upper < f64::INFINITY && top.upper - top.lower <= 1e-10 * top.upper {
            return top;
        }
        let found = self.laplace_epsilon(wanted).unwrap_or_else(|| epsilon_of(self, wanted));
        Bounds { lower: found.lower.max(top.lower), upper: found.upper.min(top.upper) }
    }

    fn closed(&self, epsilon: f64) -> Option<Bounds> {
        self.gaussian(epsilon)
            .or_else(|| self.once(epsilon))
            .or_else(|| self.laplace(epsilon))
            .or_else(|| self.several(epsilon))
    }

    /// How many Laplace mechanisms of one scale there are, where there is nothing else, and bounds on the sensitivity in scales.
    fn laplaces(&self) -> Option<(u32, Bounds)> {
        type E = Interval<192>;
        let [(Shape::Exponential(Exponential::Laplace { scale }), count)] = self.shapes.as_slice() else { return None };
        let a = E::exact(1.0).div(&E::exact(*scale)).bounds();
        Some((u32::try_from(*count).ok()?, Bounds { lower: a.lower.max(0.0), upper: a.upper }))
    }

    /// Of these, delta is mostly known by other ways; it rises in the sensitivity.
    fn laplace(&self, epsilon: f64) -> Option<Bounds> {
        let (count, a) = self.laplaces()?;
        let lower = laplace_delta_bounds(count, a.lower, epsilon).ok()?.lower;
        let upper = laplace_delta_bounds(count, a.upper, epsilon).ok()?.upper;
        (upper - lower <= 1e-2 * upper).then_some(Bounds { lower, upper })
    }

    /// A few releases of several kinds.
    fn several(&self, epsilon: f64) -> Option<Bounds> {
        let bounds = self.several.as_ref()?.delta(epsilon);
        (bounds.upper - bounds.lower <= 1e-9 * bounds.upper).then_some(bounds)
    }

    /// And so is epsilon.
    fn laplace_epsilon(&self, delta: f64) -> Option<Bounds> {
        let (count, a) = self.laplaces().filter(|_| self.infinite.upper == 0.0 && delta < 1.0)?;
        let lower = laplace_epsilon_bounds(count, a.lower, delta).ok()?.lower;
        let upper = laplace_epsilon_bounds(count, a.upper, delta).ok()?.upper;
        (upper - lower <= 1e-3 * upper).then_some(Bounds { lower, upper })
    }

    /// One Gaussian mechanism on a Poisson sample.
    fn once(&self, epsilon: f64) -> Option<Bounds> {
        let [(shape @ Shape::Sampled(_), 1)] = self.shapes.as_slice() else { return None };
        once(shape, epsilon)
    }

    /// Gaussian mechanisms beside an infinite loss.
    fn gaussian(&self, epsilon: f64) -> Option<Bounds> {
        gaussians(&self.shapes)?.delta(epsilon).ok()
    }
}

/// Gaussian mechanisms together are one, with the root of the sum of squares for mu.
fn gaussians(shapes: &Shapes) -> Option<ExactComposition> {
    type E = Interval<192>;
    let mut squares = E::exact(0.0);
    if shapes.is_empty() {
        return None;
    }
    for (shape, count) in shapes {
        let Shape::Gaussian { sigma } = shape else { return None };
        let square = E::exact(*sigma).mul(&E::exact(*sigma));
        squares = squares.add(&E::exact(shape::number(*count)).div(&square));
    }
    let mu = squares.ln().mul(&E::exact(0.5)).exp().bounds();
    ExactComposition::gaussian_between(mu.lower.max(0.0), mu.upper).ok()
}

fn clamp(bounds: Bounds) -> Bounds {
    Bounds {
        lower: if bounds.lower > 0.0 { bounds.lower.min(1.0) } else { 0.0 },
        upper: if bounds.upper < 1.0 { bounds.upper.max(0.0) } else { 1.0 },
    }
}

/// Pairs of epsilon and delta, and pure ones, whose composition is a sum; none, if there are others, or so many kinds that it would be long.
fn pairs(laws: &[(Law, u64)]) -> Option<ExactComposition> {
    let pairs = laws.iter().map(|(law, count)| {
        let (epsilon, delta) = law.pair()?;
        Some((u32::try_from(*count).ok()?, epsilon, delta))
    });
    let pairs: Vec<_> = pairs.collect::<Option<_>>()?;
    let most = pairs.iter().map(|(count, ..)| *count).max()?;
    let combinations: f64 = pairs.iter().map(|(count, ..)| f64::from(*count) + 1.0).product();
    let is_short = pairs.len() > 1 && most <= 4096 && combinations / (f64::from(most) + 1.0) <= 4096.0;
    ExactComposition::approximate(&pairs).ok().filter(|_| is_short)
}

/// The directions that may differ.
fn directions(laws: &[(Law, u64)]) -> &'static [Direction] {
    if laws.iter().all(|(law, _)| law.is_symmetric()) {
        &[Direction::Remove]
    } else {
        &[Direction::Remove, Direction::Add]
    }
}

impl PrivacyLossDistribution {
    pub(super) fn one_way(&self, epsilon: f64, direction: Direction) -> Bounds {
        Composed::new(self.laws(), direction).map_or(ANYTHING, |composed| composed.delta(epsilon, None))
    }

    /// An upper bound on delta, looked at in the second direction only if the first one's is at most the wanted one; that is all that is asked of the second, too.
    pub(super) fn delta_beside(&self, epsilon: f64, wanted: f64) -> f64 {
        let first = self.one_way(epsilon, Direction::Remove).upper;
        let is_enough = first > wanted
            || self.is_symmetric()
            || Composed::new(self.laws(), Direction::Add).is_some_and(|other| other.is_seen_to_do(epsilon, wanted));
        if is_enough { first } else { first.max(self.one_way(epsilon, Direction::Add).upper) }
    }

    /// The smallest delta such that everything together is (`epsilon`, delta)-DP, as the pairs of laws have it: a float below and one above.
    ///
    /// `epsilon` is in nats. Relative to delta, the bounds are within 1e-9 of each other for losses on lattices, for many Laplace releases or ranges or a few of several kinds, and for Gaussian noise on
    /// samples where the expected number of a person's samples is above 10 (some 10^5 steps; in proportion to the count beyond), with Gaussian and Laplace noise besides; within 1e-5 or so
    /// where it is below, also for a few steps at rates from 1e-5 on; a percent or more at epsilons below some hundred times the rate, or where few steps replace one person by another, if a grid
    /// has to do there (one step is known exactly, but for replacing); up to a factor at smaller rates. Takes less than 8 MB. Error: epsilon negative or not a number.
    ///
    /// Source: see `proofs/accounting/pld.md`.
    pub fn delta(&self, epsilon: f64) -> Fallible<Bounds> {
        let epsilon = non_negative(epsilon, "epsilon")?;
        if epsilon > GREATEST {
            // Nobody's budget; the larger epsilon has the smaller delta.
            return Ok(Bounds { lower: 0.0, upper: self.delta(GREATEST)?.upper });
        }
        let both = directions(self.laws()).iter().map(|direction| self.one_way(epsilon, *direction));
        Ok(both.fold(Bounds { lower: 0.0, upper: 0.0 }, |worst, bounds| Bounds {
            lower: worst.lower.max(bounds.lower),
            upper: worst.upper.max(bounds.upper),
        }))
    }

    /// The smallest epsilon such that everything together is (epsilon, `delta`)-DP, as the pairs of laws have it: a float below and one above.
    ///
    /// In nats. The upper bound is one whose delta was seen to do, the lower one whose delta was seen not to; the upper is infinite if none up to 1e6
    /// was. Errors: a delta outside 0 to 1, or 0, or below the probability of an infinite loss.
    pub fn epsilon(&self, delta: f64) -> Fallible<Bounds> {
        require(delta > 0.0 && delta <= 1.0, "delta", "must be above 0 and at most 1")?;
        let mut worst = Bounds { lower: 0.0, upper: 0.0 };
        for direction in directions(self.laws()) {
            let Some(composed) = Composed::new(self.laws(), *direction) else {
                return Ok(Bounds { lower: 0.0, upper: f64::INFINITY });
            };
            let rule = "must be above the probability of an infinite loss";
            require(composed.infinite.lower < delta || composed.infinite.upper == 0.0, "delta", rule)?;
            // The second direction is mostly the lesser one: at the first one's epsilon, all that counts is whether its delta does.
            if worst.lower > 0.0 && composed.is_seen_to_do(worst.lower, delta) {
                continue;
            }
            let bounds = composed.epsilon(delta);
            worst = Bounds { lower: worst.lower.max(bounds.lower), upper: worst.upper.max(bounds.upper) };
        }
        // Nobody's budget, and no closed form is to say more than a search.
        let upper = if worst.upper > GREATEST { f64::INFINITY } else { worst.upper };
        Ok(Bounds { lower: worst.lower.min(GREATEST), upper })
    }
}
