//! Delta and epsilon of a composition.

use super::{
    PrivacyLossDistribution,
    contour::smooth,
    gridded::gridded,
    lattice_sum::lattice,
    law::{Direction, Law},
    saddle,
    sampled_gaussian::{SampledGaussian, Side},
    shape::{self, Shape},
};
use crate::{
    error::{Fallible, non_negative, require},
    gaussian::gaussian_delta_bounds,
};
use indistinct_numeric::{
    RoundedMath,
    enclosure::{Bounds, Enclosure, Interval},
};

/// What is known where nothing is.
const ANYTHING: Bounds = Bounds { lower: 0.0, upper: 1.0 };

/// A composition seen in one direction.
struct Composed {
    /// Bounds on the probability of an infinite loss.
    infinite: Bounds,
    shapes: Vec<(Shape, u64)>,
}

impl Composed {
    /// None where nothing is known but the trivial bounds.
    fn new(laws: &[(Law, u64)], direction: Direction) -> Option<Self> {
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
        Some(Self { infinite, shapes })
    }

    /// `infinite + (1 - infinite) D`, which rises in both.
    fn delta(&self, epsilon: f64) -> Bounds {
        type E = Interval<192>;
        let finite = self.finite(epsilon);
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

    /// Of the finite losses.
    fn finite(&self, epsilon: f64) -> Bounds {
        let above_all = shape::above_all(&self.shapes, epsilon);
        if self.shapes.is_empty() || above_all.is_some_and(|distance| distance >= 0.0) {
            return Bounds { lower: 0.0, upper: 0.0 };
        }
        let found = self.integral(epsilon);
        let most = above_all.map_or(1.0, |distance| -distance.neg_inf_exp_m1().unwrap_or(-1.0));
        Bounds { lower: found.lower, upper: found.upper.min(most) }
    }

    fn integral(&self, epsilon: f64) -> Bounds {
        if let Some(closed) = self.gaussian(epsilon).or_else(|| self.once(epsilon)) {
            return closed;
        }
        lattice(&self.shapes, epsilon)
            .or_else(|| smooth(&self.shapes, epsilon))
            .unwrap_or_else(|| gridded(&self.shapes, epsilon))
    }

    /// One Gaussian mechanism on a Poisson sample, from the same without: with delta for its curve and `a = 1 + (e^epsilon - 1)/q`,
    /// `q delta(ln a)` for removing; with `a = 1 - (1 - e^-epsilon)/q`, `q a e^epsilon delta(-ln a)` for adding, and 0 where a is not positive.
    fn once(&self, epsilon: f64) -> Option<Bounds> {
        type E = Interval<192>;
        let [(Shape::Sampled(SampledGaussian { sigma, rate, side }), 1)] = self.shapes.as_slice() else { return None };
        let (one, rate) = (E::exact(1.0), E::exact(*rate));
        let mu = one.div(&E::exact(*sigma)).bounds();
        let (inner, factor) = match side {
            Side::Remove | Side::Fixed => (E::exact(epsilon).exp_m1().div(&rate).ln_1p(), rate),
            Side::Add => {
                let share = E::exact(-epsilon).exp_m1().div(&rate);
                if share.upper() <= -1.0 {
                    return Some(Bounds { lower: 0.0, upper: 0.0 });
                }
                if share.lower() <= -1.0 {
                    return None;
                }
                (E::exact(0.0).sub(&share.ln_1p()), rate.mul(&one.add(&share)).mul(&E::exact(epsilon).exp()))
            }
            Side::Replace => return None,
        };
        let lower = gaussian_delta_bounds(mu.lower, inner.upper().max(0.0)).ok()?.lower;
        let upper = gaussian_delta_bounds(mu.upper, inner.lower().max(0.0)).ok()?.upper;
        Some(clamp(Bounds { lower: factor.mul(&E::exact(lower)).lower(), upper: factor.mul(&E::exact(upper)).upper() }))
    }

    /// Gaussian mechanisms together are one, with the root of the sum of squares for mu; delta rises in mu.
    fn gaussian(&self, epsilon: f64) -> Option<Bounds> {
        type E = Interval<192>;
        let mut squares = E::exact(0.0);
        for (shape, count) in &self.shapes {
            let Shape::Gaussian { sigma } = shape else { return None };
            let square = E::exact(*sigma).mul(&E::exact(*sigma));
            squares = squares.add(&E::exact(shape::number(*count)).div(&square));
        }
        let mu = squares.ln().mul(&E::exact(0.5)).exp();
        let lower = gaussian_delta_bounds(mu.lower().max(0.0), epsilon).ok()?.lower;
        let upper = gaussian_delta_bounds(mu.upper().max(0.0), epsilon).ok()?.upper;
        Some(Bounds { lower, upper })
    }
}

fn clamp(bounds: Bounds) -> Bounds {
    Bounds {
        lower: if bounds.lower > 0.0 { bounds.lower.min(1.0) } else { 0.0 },
        upper: if bounds.upper < 1.0 { bounds.upper.max(0.0) } else { 1.0 },
    }
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
        Composed::new(self.laws(), direction).map_or(ANYTHING, |composed| composed.delta(epsilon))
    }

    /// The smallest delta such that everything together is (`epsilon`, delta)-DP, as the pairs of laws have it: a float below and one above.
    ///
    /// `epsilon` is in nats. The bounds are within 1e-9 of each other, relatively, for Gaussian noise on samples (some 10^5 of them; in
    /// proportion to the count beyond), for losses on lattices, and for these with Gaussian and Laplace noise besides; within 1e-5 or so for other
    /// combinations. Where parameters are too extreme, the bounds are 0 and 1. Takes less than 8 MB. Error: epsilon negative or not a number.
    ///
    /// Source: see `proofs/accounting/pld.md`.
    pub fn delta(&self, epsilon: f64) -> Fallible<Bounds> {
        let epsilon = non_negative(epsilon, "epsilon")?;
        if epsilon > 1e6 {
            // Nobody's budget; the larger epsilon has the smaller delta.
            return Ok(Bounds { lower: 0.0, upper: self.delta(1e6)?.upper });
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
            let bounds = epsilon_of(&composed, delta);
            worst = Bounds { lower: worst.lower.max(bounds.lower), upper: worst.upper.max(bounds.upper) };
        }
        Ok(worst)
    }
}

/// The logarithm of the middle of delta's bounds over the wanted one, in floats.
fn excess(bounds: &Bounds, wanted: f64) -> f64 {
    let middle = bounds.lower / 2.0 + bounds.upper / 2.0;
    middle.ln() - wanted.ln()
}

fn epsilon_of(composed: &Composed, wanted: f64) -> Bounds {
    // What is verified: the delta at `low` is above the wanted one, that at `high` is not.
    let (mut low, mut high) = (0.0f64, f64::INFINITY);
    let mut note = |epsilon: f64, bounds: &Bounds| {
        if bounds.upper <= wanted {
            high = high.min(epsilon);
        } else if bounds.lower > wanted {
            low = low.max(epsilon);
        }
        (low, high)
    };
    let mut at = composed.delta(0.0);
    if note(0.0, &at).1 == 0.0 {
        return Bounds { lower: 0.0, upper: 0.0 };
    }
    // Newton's steps on estimates in floats.
    let finite = ((wanted - composed.infinite.upper) / (1.0 - composed.infinite.upper)).max(wanted * 1e-9);
    let mut near = 1e-3;
    for _ in 0..60 {
        let Some((logarithm, slope)) = saddle::estimate(&composed.shapes, near) else { break };
        let step = (logarithm - finite.ln()) / slope;
        if step.is_nan() {
            break;
        }
        near = (near + step).clamp(near * 0.1, near.max(1e-3) * 30.0).clamp(1e-9, 1e6);
        if step.abs() <= 1e-3 * near {
            break;
        }
    }
    // Secants on the bounds.
    let mut before = (0.0, excess(&at, wanted));
    let (mut slope, mut last) = (0.0f64, near);
    for round in 0..24 {
        at = composed.delta(near);
        note(near, &at);
        let off = excess(&at, wanted);
        if !off.is_finite() {
            // Nothing is known here: look further out.
            near *= 2.0;
            if near > 1e6 {
                break;
            }
            continue;
        }
        slope = (off - before.1) / (near - before.0);
        last = near;
        let width = (at.upper / at.lower.max(f64::MIN_POSITIVE)).ln();
        if off.abs() <= (width * 0.1).clamp(1e-15, 0.1) || slope.is_nan() || slope >= 0.0 {
            break;
        }
        before = (near, off);
        let next = near - off / slope;
        let (low, high) = note(near, &at);
        let inside = next > low && next < high;
        let halved = if high.is_finite() { low + (high - low) / 2.0 } else { near * 2.0 };
        near = if inside && round < 20 { next.clamp(near / 16.0, near * 16.0) } else { halved };
        if near > 1e6 || near == last {
            break;
        }
    }
    // Outwards by the width of what is known, until both sides are verified.
    let width = (at.upper / at.lower.max(f64::MIN_POSITIVE)).ln().max(1e-15);
    let unit = (width / slope.abs().max(1e-9)).max(last * f64::EPSILON * 2.0);
    for upward in [true, false] {
        let mut step = unit;
        for _ in 0..60 {
            let there = if upward { last + step } else { last - step };
            let (low, high) = note(there, &ANYTHING);
            let done = if upward { high <= there } else { low >= there };
            if done || there <= 0.0 || there > 1e6 {
                break;
            }
            let bounds = composed.delta(there);
            note(there, &bounds);
            step *= 2.0;
        }
    }
    let (lower, upper) = note(0.0, &ANYTHING);
    Bounds { lower, upper }
}
