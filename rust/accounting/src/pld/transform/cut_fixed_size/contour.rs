//! The transforms of near and of large losses on a sample of fixed size, by the trapezoid rule along a ray.

use super::{CutFixedSize, HALF_TANGENTS, LEFT, LargeLosses, Part, Ray, START, Tilted, angle};
use crate::pld::{
    loss::{
        angle::Angle,
        complex::{Complex, PreciseComplex},
        truncation::Truncation,
    },
    transform::{
        nodes::Nodes,
        off_axis::BulkAndTail,
        precise::{PreciseTerm, precise_sums},
        recurrence::{BasePoint, RotatingTerm, moves_along, sums_along},
        turning::{Turning, logarithm_of_one_plus},
    },
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, CompensatedSum, ComplexBall, Enclosure, argument, exp_or_tiny, midpoint, one_over_two_pi},
};
use std::f64::consts::TAU;

/// Sizes on a contour may be so many times as large as on the real axis.
const MOST_GROWN: f64 = 4.0;
/// The logarithm of what masses are known to, relatively.
const MASS_GOAL: f64 = 30.0;
/// No more points than this.
const MOST: f64 = 8192.0;

/// What huge losses weigh under the first distribution and under the second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Masses {
    pub(crate) first: Ball,
    pub(crate) second: Ball,
}

/// A contour, and what the rule on it leaves out of large losses, and of the others.
struct Rule {
    half_tangent: f64,
    step: f64,
    large: Above,
    others: Above,
}

/// The terms of a sum over a part, and a bound on what else there is.
struct Sum<T> {
    part: Part,
    /// The logarithm of what is small enough.
    goal: f64,
    /// From where leftwards it is looked for where there is no more.
    start: f64,
    terms: Vec<T>,
    error: Above,
}

impl<T> Sum<T> {
    fn new(part: Part, goal: f64, start: f64, error: Above) -> Self {
        Self { part, goal, start, terms: Vec::new(), error }
    }
}

/// What both parts are at the first nodes, to many digits, over the base.
pub(crate) struct PreciseParts {
    pub(crate) base: Ball,
    pub(crate) bulk: Vec<PreciseComplex>,
    pub(crate) tail: Vec<PreciseComplex>,
}

impl CutFixedSize {
    /// Both parts at the nodes; `log_normalizer` is about the logarithm of the whole at the base point, and `goals` are
    /// logarithms of small errors for either part.
    pub(crate) fn parts(
        &self,
        near: Truncation,
        nodes: &Nodes,
        scales: (f64, (f64, f64)),
        bounds: &LargeLosses,
    ) -> Option<BulkAndTail> {
        let turning = Turning::new(nodes);
        let term = |at, loss: &Ball, risen: &Ball| turning.term(at, loss, risen);
        let [tail, near, behind] = self.sums(near, nodes, scales, bounds, term)?;
        let (mut sum, (atom, off)) = (CompensatedSum::default(), midpoint(&self.atom_over(scales.0)));
        sum.add(atom, off);
        // Over a number near the whole at the base point: all others there, which are real, and a float near the tail.
        near.terms.iter().chain(&behind.terms).for_each(|term| sum.add(term.at.re, term.at.radius));
        let error = near.error + behind.error;
        let Sum { terms, error: tail_error, .. } = tail;
        let tail = sums_along(&terms, nodes.count, tail_error);
        drop(terms);
        let first = tail.first()?.re;
        sum.add(first, 0.0);
        let base = BasePoint::new(&sum, error)?;
        let moves = |sum: Sum<RotatingTerm>| moves_along(&sum.terms, nodes.count);
        let less = ComplexBall::new(-first, 0.0, 0.0);
        let moved = moves(near).into_iter().zip(moves(behind)).map(|(near, behind)| near.add(&behind.conjugate()));
        Some(BulkAndTail {
            base: base.ball(),
            near_tail: Some(first),
            bulk_less_one: moved.map(|moved| base.moved(&moved.add(&less))).collect(),
            tail: tail.iter().map(|tail| base.share(tail)).collect(),
        })
    }

    /// The same to many digits, over the same base: that with a float near the tail.
    pub(crate) fn precise_parts(
        &self,
        near: Truncation,
        nodes: &Nodes,
        scales: (f64, (f64, f64)),
        bounds: &LargeLosses,
        near_tail: f64,
    ) -> Option<PreciseParts> {
        let turning = Turning::new(nodes);
        let term = |at, loss: &Ball, risen: &Ball| turning.precisely(at, loss, risen);
        let [tail, near, behind] = self.sums(near, nodes, scales, bounds, term)?;
        let error = near.error + behind.error;
        let count = usize::try_from(nodes.count).ok()?;
        let at_nodes = |sum: Sum<PreciseTerm>| precise_sums(&sum.terms, count);
        let error_of_tail = tail.error;
        let atom = PreciseComplex::real(&self.atom_over(scales.0));
        let bulk = at_nodes(near)?.into_iter().zip(at_nodes(behind)?);
        let bulk = bulk.map(|(near, behind)| near.add(&behind.conjugate()).add(&atom).widen(error.get()));
        let bulk: Vec<_> = bulk.collect();
        let base = bulk.first()?.re.add(&Ball::exact(near_tail));
        let share = Ball::exact(1.0).div(&base);
        let over_base = |value: PreciseComplex| value.scale(&share);
        let tail = at_nodes(tail)?.into_iter().map(|tail| over_base(tail.widen(error_of_tail.get()))).collect();
        Some(PreciseParts { base, bulk: bulk.into_iter().map(over_base).collect(), tail })
    }

    /// How likely the loss 0 is, over `e^log_normalizer`.
    fn atom_over(&self, log_normalizer: f64) -> Ball {
        self.law.atom().mul(&exp_or_tiny(&Ball::exact(-log_normalizer)))
    }

    /// The terms of large, of near and of negative losses.
    fn sums<C: Complex, T>(
        &self,
        near: Truncation,
        nodes: &Nodes,
        (log_normalizer, goals): (f64, (f64, f64)),
        bounds: &LargeLosses,
        term: impl Fn(C, &Ball, &Ball) -> T,
    ) -> Option<[Sum<T>; 3]> {
        let law = self.tilted(near, nodes.tilt);
        let rule = law.rule(log_normalizer, (goals.1, Some(goals.0)), bounds)?;
        let point = Point::new(&law, &rule, log_normalizer)?;
        let mut sums = [
            Sum::new(Part::Large, goals.1, -near.shift, rule.large),
            Sum::new(Part::Near, goals.0, 0.0, rule.others),
            Sum::new(Part::Negative, goals.0, 0.0, rule.others),
        ];
        point.sum(&mut sums, |sum, weights: &Weights<C>| {
            sum.terms.push(term(weights.of(sum.part), &weights.loss, &weights.risen));
        })?;
        Some(sums)
    }

    /// What losses weigh that another cut drops, and this one does not.
    pub(crate) fn masses_above(&self, other: Truncation) -> Option<Masses> {
        let law = self.tilted(other, 0.0);
        let bounds = self.large(0.0, other, 0.0)?;
        let goal = bounds.size_from(0.0).get().ln() - MASS_GOAL;
        let rule = law.rule(0.0, (goal, None), &bounds)?;
        let point = Point::new(&law, &rule, 0.0)?;
        let (mut first, mut second) = (CompensatedSum::default(), CompensatedSum::default());
        let mut sums = [Sum::<()>::new(Part::Large, goal, -other.shift, rule.large)];
        point.sum(&mut sums, |sum, weights: &Weights<ComplexBall>| {
            let ahead = weights.of(sum.part);
            let behind = weights.behind.mul(&weights.far).mul(&weights.dropped);
            first.add(ahead.re, ahead.radius);
            second.add(behind.re, behind.radius);
        })?;
        // Of the second no more is left out, as |g| is at least 1.
        let [Sum { error: left_out, .. }] = sums;
        let enclosed = |sum: &CompensatedSum| {
            let (value, error) = sum.bounds();
            let error = Above::exact(error) + left_out;
            Ball::between((Below::exact(value) - error).get(), (Above::exact(value) + error).get())
        };
        Some(Masses { first: enclosed(&first), second: enclosed(&second) })
    }
}

impl Tilted {
    /// The contour with the longest step that is good for large losses, and for the others if they have a goal.
    fn rule(&self, log_normalizer: f64, goals: (f64, Option<f64>), bounds: &LargeLosses) -> Option<Rule> {
        let all = |ray: &Ray| {
            let of = |part| self.integral(ray, part, START, log_normalizer);
            if goals.1.is_some() { of(Part::Near) + of(Part::Negative) } else { Above::ZERO }
        };
        let large_start = -self.near.shift - 6.0;
        let large_on_axis = self.integral(&Ray::REAL, Part::Large, large_start, log_normalizer);
        let others_on_axis = all(&Ray::REAL);
        let mut best: Option<Rule> = None;
        for (index, half_tangent) in HALF_TANGENTS.into_iter().enumerate() {
            // What is added up on the contour is larger than what it comes to, and rounds.
            let middle = self.integral(&Ray::middle(half_tangent), Part::Large, large_start, log_normalizer);
            if best.is_some() && middle.get() > large_on_axis.get() * MOST_GROWN {
                break;
            }
            let (large, others) = (large_on_axis + bounds.whole(index), others_on_axis + all(&Ray::edge(half_tangent)));
            let need = (large.get().ln() - goals.0).max(2.0);
            let need = goals.1.map_or(need, |goal| need.max(others.get().ln() - goal));
            // Half of the strip: twice the arctangent.
            let half = (Below::exact(half_tangent) - Above::exact(half_tangent).power(3) / 3.0) * 2.0;
            let step = f64::from_bits((TAU * half.get() / need).to_bits() & !0x3ff_ffff_ffff);
            if !(need < 690.0 && step > 0.0) || best.as_ref().is_some_and(|best| best.step >= step) {
                continue;
            }
            let fall = (Below::TWO_PI * half / Above::exact(step)).exp() - Above::exact(1.0);
            best = Some(Rule { half_tangent, step, large: large / fall, others: others / fall });
        }
        best
    }
}

/// What is the same for all points of a contour.
struct Point<'a> {
    law: &'a Tilted,
    ray: Ray,
    step: f64,
    log_normalizer: f64,
    angle: Angle,
    /// The logarithm of the step and of the factor, less the log_normalizer.
    constant: Ball,
    variance: Ball,
    two_pi: Ball,
}

/// At a point: the logarithm of g, its imaginary part in turns; `w g^k dv/(1 + v)` for `k = 1 + c` and `k = -c`; and
/// what is kept and dropped.
struct Weights<C> {
    loss: Ball,
    risen: Ball,
    ahead: C,
    behind: C,
    far: C,
    kept: C,
    dropped: C,
}

impl<C: Complex> Weights<C> {
    fn of(&self, part: Part) -> C {
        match part {
            Part::Large => self.ahead.mul(&self.far).mul(&self.dropped),
            Part::Near => self.ahead.mul(&self.far).mul(&self.kept),
            Part::Positive => self.ahead.mul(&self.far),
            Part::Negative => self.behind,
        }
    }
}

impl<'a> Point<'a> {
    fn new(law: &'a Tilted, rule: &Rule, log_normalizer: f64) -> Option<Self> {
        let (cosine, sine) = angle(rule.half_tangent);
        let constant = Ball::exact(rule.step).ln().add(&law.cut.law.log_factor()).sub(&Ball::exact(log_normalizer));
        Some(Self {
            law,
            ray: Ray::middle(rule.half_tangent),
            step: rule.step,
            log_normalizer,
            angle: Angle { turns: argument(&cosine, &sine)?, cosine, sine },
            constant,
            variance: law.cut.law.variance(),
            two_pi: Ball::exact(1.0).div(&one_over_two_pi()),
        })
    }

    /// All points that count, with what the others come to.
    fn sum<C: Complex, T>(&self, sums: &mut [Sum<T>], mut add: impl FnMut(&mut Sum<T>, &Weights<C>)) -> Option<()> {
        let log_size = |part, from: f64, to: f64| self.law.log_size(&self.ray, part, (from, to)) - self.log_normalizer;
        let last = (self.law.end(&self.ray)? / self.step).ceil();
        let mut first = f64::INFINITY;
        for sum in sums.iter() {
            let is_little = |s: &f64| log_size(sum.part, LEFT, *s).get() <= sum.goal - 3.0;
            let left = (0..800u32).map(|i| sum.start - 0.5 * f64::from(i)).find(is_little)?;
            first = first.min((left / self.step).floor());
        }
        if last.is_nan() || last - first >= MOST {
            return None;
        }
        for sum in sums.iter_mut() {
            let right = if sum.part == Part::Negative { 4.0 } else { 0.1 };
            sum.error += log_size(sum.part, LEFT, first * self.step).exp();
            sum.error += log_size(sum.part, last * self.step, last * self.step).exp() * right;
        }
        let log_step = Above::exact(self.step).ln();
        let mut index = first;
        while index <= last {
            // Exact: the step has few digits.
            let s = index * self.step;
            index += 1.0;
            let mut found = None;
            for sum in sums.iter_mut() {
                let size = log_size(sum.part, s, s) + log_step;
                if size.get() <= sum.goal - 8.0 {
                    sum.error += size.exp();
                    continue;
                }
                let weights = match found.take() {
                    Some(weights) => weights,
                    None => self.at(s)?,
                };
                add(sum, &weights);
                found = Some(weights);
            }
        }
        Some(())
    }

    fn at<C: Complex>(&self, s: f64) -> Option<Weights<C>> {
        let Self { law, angle: Angle { turns, cosine, sine }, constant, variance, two_pi, .. } = self;
        let Tilted { cut: CutFixedSize { law, far, .. }, near, tilt, .. } = law;
        let (s, zero) = (Ball::exact(s), Ball::exact(0.0));
        let growth = s.exp();
        let (x, y) = (growth.mul(cosine), growth.mul(sine));
        let (alpha, beta) = logarithm_of_one_plus(&x, &y)?;
        let rate = Ball::exact(law.rate);
        let (loss, risen) = logarithm_of_one_plus(&rate.mul(&x), &rate.mul(&y))?;
        let (half, more) = (Ball::exact(0.5), Ball::exact(1.5));
        let radians = two_pi.mul(&beta);
        let square = alpha.mul(&alpha).sub(&radians.mul(&radians)).mul(&half).mul(variance);
        let size = constant.add(&s).sub(&more.mul(&alpha)).sub(&square);
        let turned = turns.sub(&more.mul(&beta)).sub(&variance.mul(&alpha).mul(&beta));
        let weight = |power: &Ball| {
            let size = exp_or_tiny(&size.add(&power.mul(&loss)));
            C::real(&size).mul(&C::on_circle(&turned.add(&power.mul(&risen))))
        };
        let tilt = Ball::exact(*tilt);
        let (kept, dropped) = near.split(&s, &self.angle, true);
        Some(Weights {
            ahead: weight(&tilt.add(&Ball::exact(1.0))),
            behind: weight(&zero.sub(&tilt)),
            far: far.split(&s, &self.angle, false).0,
            kept,
            dropped,
            loss,
            risen,
        })
    }
}

#[cfg(test)]
mod tests;
