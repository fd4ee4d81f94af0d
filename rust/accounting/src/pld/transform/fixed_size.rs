//! The transform of the loss on a sample of fixed size, by the trapezoid rule on a line that is mapped to where its
//! density is. The arguments are in `proofs/accounting/pld_lemmas.md`.

use crate::pld::{
    loss::{finite_loss::number, fixed_size_gaussian::FixedSizeGaussian},
    transform::{
        atoms::Atoms,
        nodes::{Nodes, Values},
    },
};
use indistinct_numeric::{
    Above, Below, Range,
    enclosure::{Ball, ComplexBall, Enclosure, UNIT_ROUNDOFF, exp_or_tiny, midpoint, one_over_two_pi},
};
use moves::{Moves, Term};
use std::f64::consts::{LN_2, TAU};

mod moves;

/// The logarithm of the error of the rule and of what is left out at its ends, over what it is an error of.
const GOAL: f64 = 58.0 * LN_2;
/// No more points than this, and no more times nodes; up to so many of these each angle is reckoned afresh.
const MOST_POINTS: f64 = 50_000.0;
const MOST: f64 = 2e8;
const MOST_AFRESH: f64 = 1.2e7;
/// Weights below are charged.
const NOTHING: f64 = 1e-25;
/// Exponentials of more are not known.
const MOST_FALL: f64 = 690.0;

/// A point of the rule.
struct Point {
    loss: Ball,
    /// The logarithm of the step times `w du/ds`.
    log_weight: Ball,
}

/// The points of the rule, and a bound on its error at all frequencies up to one.
struct Rule {
    points: Vec<Point>,
    error: Above,
}

/// The tilted density, up to its end.
struct Integrand {
    law: FixedSizeGaussian,
    end: f64,
    tilt: f64,
    variance: Ball,
    factor: Above,
}

impl FixedSizeGaussian {
    /// None where it has no end, or would take too long.
    pub(crate) fn values(&self, nodes: &Nodes) -> Option<Values> {
        let tilt = nodes.tilt;
        let about = self.cumulants(tilt).value.max(f64::MIN_POSITIVE);
        let top = if nodes.count > 1 { nodes.frequency() } else { Above::ZERO };
        let factor = Above::of(&exp_or_tiny(&self.log_factor()));
        let integrand = Integrand { law: *self, end: self.end?, tilt, variance: self.variance(), factor };
        let rule = integrand.rule(top, about.ln() - GOAL)?;
        let work = f64::from(nodes.count) * number(u64::try_from(rule.points.len()).ok()?);
        if work > MOST {
            return None;
        }
        if work > MOST_AFRESH {
            return self.values_of_atoms(&rule, nodes);
        }
        let (mut excess, mut slope) = (Ball::exact(0.0), Ball::exact(0.0));
        let (exact, more) = (Ball::exact, Ball::exact(tilt).add(&Ball::exact(1.0)));
        let mut terms = Vec::with_capacity(rule.points.len());
        for Point { loss, log_weight } in &rule.points {
            let (ahead, behind) = (more.mul(loss), exact(0.0).sub(&exact(tilt).mul(loss)));
            let (growth, rest) = (ahead.exp_m1(), exact(0.0).sub(&behind.exp_m1()));
            excess = excess.add(&exp_or_tiny(log_weight).mul(&growth).mul(&rest));
            if nodes.count == 1 {
                continue;
            }
            let (high, low) = (exp_or_tiny(&log_weight.add(&ahead)), exp_or_tiny(&log_weight.add(&behind)));
            let (sum, difference) = (high.add(&low).mul(&exact(2.0)), high.sub(&low).mul(&exact(2.0)));
            let ((even, off_even), (odd, off_odd)) = (midpoint(&sum), midpoint(&difference));
            slope = slope.add(&high.sub(&low).mul(loss));
            let (y, off) = midpoint(loss);
            let turns = y / (2.0 * nodes.period);
            let spread = TAU * 1.01 * (off / (2.0 * nodes.period) + 2.0 * UNIT_ROUNDOFF * turns);
            terms.push(Term { turns, spread, even: (even, off_even), odd: (odd, off_odd) });
        }
        let error = rule.error.get();
        // What the end leaves out of the mass, that of both sides, is at most what is beyond it.
        let lost = self.beyond(self.end?)?.get();
        excess = excess.add(&Ball::between(-error, error)).add(&Ball::between(-lost, 0.0));
        let log_normalizer = excess.ln_1p();
        let share = exact(1.0).div(&exact(1.0).add(&excess));
        let mean = slope.mul(&share);
        let (center, _) = midpoint(&mean);
        let period = nodes.period;
        let frequency = exact(1.0).div(&one_over_two_pi().mul(&exact(period)));
        let moves = Moves { terms: &terms, share, mean, center, error, frequency, period };
        let mut less_one = vec![ComplexBall::new(0.0, 0.0, 0.0)];
        for n in 1..nodes.count {
            less_one.push(moves.at(f64::from(n))?);
        }
        let is_known = log_normalizer.upper().is_finite() && less_one.iter().all(|x| x.radius.is_finite());
        is_known.then_some(Values { log_normalizer, center, less_one })
    }
}

impl FixedSizeGaussian {
    /// The same for many points and nodes, as finitely many losses: y and -y for each point, and zero with what these
    /// leave of the mass. Rounding is relative to all of M, and not to its fall.
    fn values_of_atoms(&self, rule: &Rule, nodes: &Nodes) -> Option<Values> {
        let exact = Ball::exact;
        let more = exact(nodes.tilt).add(&exact(1.0));
        let mut left = exact(1.0);
        let mut atoms = Atoms {
            log_normalizer: 0.0,
            weights: Vec::new(),
            losses: Vec::new(),
            errors: Vec::new(),
            total: None,
            error: rule.error + self.beyond(self.end?)?,
        };
        let mut total = exact(0.0);
        let mut add = |ball: &Ball, loss: (f64, f64)| {
            let (weight, error) = midpoint(ball);
            if weight < NOTHING {
                atoms.error += Above::exact(weight.abs()) + error;
                return;
            }
            total = total.add(ball);
            atoms.weights.push(weight);
            atoms.losses.push(loss);
            atoms.errors.push(Above::promised(error));
        };
        for Point { loss, log_weight } in &rule.points {
            left = left.sub(&exp_or_tiny(log_weight)).sub(&exp_or_tiny(&log_weight.add(loss)));
            let (y, off) = midpoint(loss);
            add(&exp_or_tiny(&log_weight.add(&more.mul(loss))), (y, off));
            add(&exp_or_tiny(&log_weight.sub(&exact(nodes.tilt).mul(loss))), (-y, off));
        }
        add(&left, (0.0, 0.0));
        atoms.total = Some(total);
        let found = atoms.values(nodes);
        found.less_one.iter().all(|x| x.radius.is_finite()).then_some(found)
    }
}

impl Integrand {
    /// The rule of which the logarithm of the error is about a goal.
    fn rule(&self, frequency: Above, goal: f64) -> Option<Rule> {
        let Self { law, end, tilt, .. } = self;
        let top = frequency.get();
        // To the left the integrand is at most this times the cube of u.
        let size = (Above::exact(*tilt) + top) * (Above::exact(*tilt) + 1.0 + top);
        let curvature = self.factor * size * Above::exact(law.rate).squared() * 8.8;
        let first = ((goal - 2.0 - curvature.get().ln()) / 3.0).min(0.0).min(-(2.0 * law.rate * (1.0 + tilt)).ln());
        let first = first - 0.1 - end.ln();
        let beyond = |last: f64| {
            let from = end / (1.0 + (-last).exp());
            Some(self.at_end(from)?.get().ln() + end.ln() - last)
        };
        let last =
            (4..200u32).map(|i| f64::from(i) * 0.5).find(|last| beyond(*last).is_some_and(|x| x <= goal - 2.0))?;
        // The angle that needs fewest points: a lesser one where the integrand turns much.
        let steepest = (2.0 / end).min(0.4) * 0.99;
        let candidates = (0..8).filter_map(|i| {
            let slope = steepest * 0.6f64.powi(i);
            let ray = self.ray(top, slope)?;
            let fall = (ray.get().ln() + 2.0 - goal).max(1.0);
            let step = TAU * 2.0 * slope * 0.98 * (1.0 - slope * slope / 3.0) / fall;
            (fall < MOST_FALL).then_some((slope, ray, step))
        });
        let (slope, ray, step) = candidates.max_by(|x, y| x.2.total_cmp(&y.2))?;
        let step = f64::from_bits(step.to_bits() & !0x3fff_ffff);
        let start = (first / step).floor();
        let count = ((last - first) / step).ceil() + 1.0;
        if count.is_nan() || count >= MOST_POINTS {
            return None;
        }
        let (mut points, mut index) = (Vec::new(), 0.0);
        let (log_end, log_step) = (Ball::exact(*end).ln(), Ball::exact(step).ln());
        let (mut leftmost, mut rightmost) = (Ball::exact(0.0), Ball::exact(0.0));
        while index < count {
            // Exact: the step has few digits.
            let s = Ball::exact((start + index) * step);
            let growth = s.exp();
            let whole = growth.add(&Ball::exact(1.0));
            let u = Ball::exact(*end).mul(&growth).div(&whole);
            let log_speed = log_end.add(&s).sub(&whole.ln().mul(&Ball::exact(2.0)));
            let log_weight = log_step.add(&log_speed).add(&law.log_density(&u));
            if index == 0.0 {
                leftmost = Ball::exact(*end).mul(&growth);
            }
            rightmost = growth;
            points.push(Point { loss: law.loss(&u), log_weight });
            index += 1.0;
        }
        let least = Above::of(&leftmost);
        let is_small = (least * law.rate * 2.0 * (Above::exact(*tilt) + 1.0)).get() <= 1.0 && least.get() <= 1.0;
        let left = curvature * least.power(3) / 3.0;
        let rightmost = Below::of(&rightmost);
        let from = (Below::exact(*end) * rightmost / (Above::exact(rightmost.get()) + 1.0)).get();
        let right = self.at_end(from)? * *end / rightmost;
        // The angle is at least twice the half's tangent less a third of its cube.
        let angle = (Below::exact(slope) - Above::exact(slope).power(3) / 3.0) * 2.0;
        let fall = (angle * Below::TWO_PI / Above::exact(step)).exp() - Above::exact(1.0);
        let error = left + right + ray * 2.0 / fall;
        (is_small && error.get().is_finite()).then_some(Rule { points, error })
    }

    /// A bound on `w |h|` from a u up to the end.
    fn at_end(&self, from: f64) -> Option<Above> {
        let (low, high) = (Ball::exact(from), Ball::exact(self.end));
        let growth = Ball::exact(self.tilt).add(&Ball::exact(1.0)).mul(&self.law.loss(&high));
        let found = Above::of(&exp_or_tiny(&self.law.log_density(&low).add(&growth))) * 4.0;
        found.get().is_finite().then_some(found)
    }

    /// A bound on the integral of the size along the line that is off the real one by the angle of which half has this
    /// tangent, at all frequencies up to one.
    fn ray(&self, frequency: f64, slope: f64) -> Option<Above> {
        let Self { law, end, tilt, variance, .. } = self;
        let law = law.sampled();
        let variance = (Below::of(variance), Above::of(variance));
        // Of the angle: `(1 - T^2)/(1 + T^2)` and `2 T/(1 + T^2)`.
        let square = (Below::exact(slope).squared(), Above::exact(slope).squared());
        let cosine = (Below::exact(1.0) - square.1) / (square.1 + 1.0);
        let cosine_above = (Above::exact(1.0) - square.0) / (square.0 + 1.0);
        let sine = Above::exact(2.0 * slope) / (square.0 + 1.0);
        // Where r is a power of e: the real part of u, from both sides, and its speed.
        let place = |r: (Below, Above)| {
            let norm = |r: Below| r.squared() + r * cosine * 2.0 + 1.0;
            let below = r.0 * (cosine + r.0.get())
                / (Above::exact(r.0.get()).squared() + Above::exact(r.0.get()) * cosine_above * 2.0 + 1.0);
            let above = r.1 * (cosine_above + r.1.get()) / norm(Below::exact(r.1.get()));
            let speed = r.1 / norm(r.0);
            (below * *end, above * *end, speed * *end)
        };
        // The logarithm of `w G^(1 + c) e^(t psi)` between two places, beside `ln C` and a factor of 4.
        let logarithm = |from: Below, to: Above, speed: Above| {
            let height = speed * sine;
            let to = to.get().min(*end);
            let mixture = law.log_mixture_between(Range { below: Below::exact(to), above: Above::exact(to) }).above;
            let turned = height.or(Above::exact(to).exp() * law.rate * height);
            let risen = variance.1 * height.squared() * 0.5;
            let fallen = from * 0.5 + variance.0 * from.squared() * 0.5;
            mixture * *tilt + mixture + turned * frequency + risen - fallen
        };
        const CELLS: i32 = 128;
        let width = 40.0 / f64::from(CELLS);
        let power = |i: i32| {
            let r = Ball::exact(width * f64::from(i)).exp();
            (Below::of(&r), Above::of(&r))
        };
        // The ends: r up to e^-20, where the speed is at most r; and from e^20 on, where it is at most 1/r.
        let (first, last) = (place(power(-CELLS / 2)), place(power(CELLS / 2)));
        let least = power(-CELLS / 2).1 * *end;
        let most = Above::exact(*end) / power(CELLS / 2).0;
        let mut sum = logarithm(Below::ZERO, first.1, first.2).exp() * least;
        sum += logarithm(last.0, Above::exact(*end), last.2).exp() * most;
        let mut left = first;
        for i in -CELLS / 2..CELLS / 2 {
            let right = place(power(i + 1));
            // The speed rises up to r = 1, and falls from there on.
            let speed = left.2.max(right.2);
            sum += logarithm(left.0, right.1, speed).exp() * speed * width;
            left = right;
        }
        let found = sum * self.factor * 4.0;
        found.get().is_finite().then_some(found)
    }
}

#[cfg(test)]
mod tests;
