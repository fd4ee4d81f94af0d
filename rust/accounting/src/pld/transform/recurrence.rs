//! A recurrence from node to node: sums of terms, each of which is multiplied by one number at every step.

use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, CompensatedSum, ComplexBall, Enclosure, UNIT_ROUNDOFF, exp_or_tiny, midpoint},
};

/// A term's value is found again by one leap over so many steps: a power of 2.
pub(crate) const LEAP: u32 = 16;
/// In sums of what falls, a term is found afresh every so many leaps.
const AFRESH: u32 = 32;

/// One point of the quadrature rule: what it weighs, and one less than what that is multiplied by from node to node,
/// and by a leap.
#[derive(Clone, Copy)]
pub(crate) struct RotatingTerm {
    pub(crate) at: ComplexBall,
    pub(crate) step: ComplexBall,
    pub(crate) leap: ComplexBall,
    /// By how many turns a step turns it, and what the logarithm of its size loses.
    pub(crate) turn: Ball,
    pub(crate) fall: Ball,
}

impl RotatingTerm {
    /// What it is multiplied by up to a node.
    fn up_to(&self, node: u32) -> ComplexBall {
        let node = Ball::exact(f64::from(node));
        let (turn, error) = midpoint(&self.turn.mul(&node));
        let size = exp_or_tiny(&Ball::exact(0.0).sub(&self.fall.mul(&node)));
        ComplexBall::real(midpoint(&size)).mul(&ComplexBall::on_circle(turn, error))
    }
}

/// Floats between leaps: where a term is, what it is multiplied by, and what is added then.
type Step = ((f64, f64), (f64, f64), (f64, f64));

/// Sums over all terms, which move by a step each time.
fn sums(terms: &mut [Step], count: u32, mut tell: impl FnMut((f64, f64))) {
    for _ in 0..count {
        let mut lanes = [(0.0, 0.0); 16];
        for chunk in terms.chunks_mut(16) {
            for (lane, (value, step, add)) in lanes.iter_mut().zip(chunk) {
                *lane = (lane.0 + value.0, lane.1 + value.1);
                *value = (value.0 * step.0 - value.1 * step.1 + add.0, value.0 * step.1 + value.1 * step.0 + add.1);
            }
        }
        tell(lanes.iter().fold((0.0, 0.0), |sum, lane| (sum.0 + lane.0, sum.1 + lane.1)));
    }
}

/// What a sum of so many terms in sixteen lanes rounds by, over the sum of their sizes.
fn rounding(terms: usize) -> Above {
    Above::of_roundings(f64::from(u32::try_from(terms).unwrap_or(u32::MAX)) / 16.0 + 20.0)
}

/// How far a term has moved at the last leap, and how far from there the truth may be. All sizes are floats that are
/// not negative and only added and multiplied: what they round is charged at the end, by how many operations there
/// were.
struct Displacement {
    from: (f64, f64),
    off: f64,
    step: (f64, f64),
    add: (f64, f64),
    leap: (f64, f64),
    far: (f64, f64),
    /// The size of what is added in a step, and twice the weight: it has never moved by more than either, times the
    /// steps.
    most_added: f64,
    most: f64,
    /// For a step, and for a leap: the relative error of the multiplier, and the error of what is added.
    step_error: (f64, f64),
    leap_error: (f64, f64),
    /// What errors make of errors from leap to leap.
    compounded: f64,
}

/// What a relative error of each step makes, by the next leap, of an error: `1/(1 - x) <= 1 + 2 x` for x up to a half.
fn compounded(relative: f64) -> f64 {
    let all = f64::from(LEAP) * relative;
    if all <= 0.5 { 1.0 + 2.0 * all } else { f64::INFINITY }
}

impl Displacement {
    /// Operations from leap to leap that a size is the result of.
    const OPERATIONS: u32 = 12;

    fn new(term: &RotatingTerm) -> Self {
        let center = |ball: &ComplexBall| (ball.re, ball.im);
        let (step, leap) = (ComplexBall::ONE.add(&term.step), ComplexBall::ONE.add(&term.leap));
        let (add, far) = (term.at.mul(&term.step), term.at.mul(&term.leap));
        // A product rounds by less than 2.3 units, a sum by less than 1 of what it comes to.
        let error = |factor: &ComplexBall, add: &ComplexBall| {
            (factor.radius + 4.0 * UNIT_ROUNDOFF, add.radius + 2.0 * UNIT_ROUNDOFF * add.modulus())
        };
        let step_error = error(&step, &add);
        Self {
            from: (0.0, 0.0),
            off: 0.0,
            step: center(&step),
            add: center(&add),
            leap: center(&leap),
            far: center(&far),
            most_added: add.modulus(),
            most: 2.0 * term.at.modulus(),
            step_error,
            compounded: compounded(step_error.0),
            leap_error: error(&leap, &far),
        }
    }

    /// Its size in the next steps, and what it is off by; then it leaps. No error grows but by what the multipliers are
    /// off by, as these are of modulus at most 1.
    fn leap(&mut self, steps: f64) -> (f64, f64) {
        let leap = f64::from(LEAP);
        let size = (self.most_added * steps).min(self.most);
        let within = size + leap * self.most_added;
        let off = (self.off + leap * (within * self.step_error.0 + self.step_error.1)) * self.compounded;
        self.off += (size + self.off) * self.leap_error.0 + self.leap_error.1;
        let ((re, im), (cosine, sine)) = (self.from, self.leap);
        self.from = (re * cosine - im * sine + self.far.0, re * sine + im * cosine + self.far.1);
        (within, off)
    }
}

/// How many operations in a row make the sums of so many terms, so many leaps on.
fn operations(terms: usize, leaps: u32) -> u32 {
    let leaps = leaps.saturating_add(1).saturating_mul(Displacement::OPERATIONS);
    u32::try_from(terms).unwrap_or(u32::MAX).saturating_add(leaps)
}

/// More than what underflow takes off anywhere here: all is scaled to be about 1, and a ball's radius is never below
/// 2^-400.
const UNDERFLOW: f64 = 1e-270;

/// The sum of the weights as bounds on a positive number, and what all terms move by, over that; `error` is what else
/// the sum may be off by, at each node.
///
/// From node to node `d = w (e^(i t L) - 1)` becomes `d s + w (s - 1)`: what rounds is small where the angle is.
pub(crate) fn from_base_point(terms: &[RotatingTerm], count: u32, error: Above) -> Option<(Ball, Vec<ComplexBall>)> {
    let mut sum = CompensatedSum::default();
    terms.iter().for_each(|term| sum.add(term.at.re, term.at.radius));
    let (base, off) = sum.bounds();
    let off = error + off;
    if off.get() >= base / 2.0 {
        return None;
    }
    // Its reciprocal, and what that is off by, relatively.
    let least = Below::exact(base) - off;
    let (inverse, relative) = (1.0 / base, off / least + 2.0 * UNIT_ROUNDOFF);
    let charged = error * 2.0 * inverse * (relative + 1.0);
    let over_base = |sum: ComplexBall| {
        let found = sum.scale(inverse);
        let radius = (relative + 1.0) * found.radius + relative * found.modulus() + charged;
        ComplexBall::new(found.re, found.im, radius.get())
    };
    let mut displacements: Vec<Displacement> = terms.iter().map(Displacement::new).collect();
    let mut steps: Vec<Step> = displacements.iter().map(|one| (one.from, one.step, one.add)).collect();
    let rounding = rounding(terms.len());
    let mut found = Vec::new();
    let mut first = 0;
    while first < count {
        let (mut errors, mut sizes) = (0.0, 0.0);
        for (displacement, step) in displacements.iter_mut().zip(&mut steps) {
            step.0 = displacement.from;
            let (size, off) = displacement.leap(f64::from(first));
            sizes += size;
            errors += off;
        }
        let operations = operations(terms.len(), first / LEAP);
        let (errors, sizes) = (Above::rounded(errors, operations), Above::rounded(sizes, operations));
        let radius = (errors + sizes * rounding + UNDERFLOW).get();
        let next = count.min(first + LEAP) - first;
        sums(&mut steps, next, |(re, im)| found.push(over_base(ComplexBall::new(re, im, radius))));
        first += LEAP;
    }
    Some((Ball::between(least.get(), (Above::exact(base) + off).get()), found))
}

/// Sums of all terms from node to node, and `error` with each.
pub(crate) fn sums_along(mut terms: Vec<RotatingTerm>, count: u32, mut error: Above) -> Vec<ComplexBall> {
    let mut found = Vec::new();
    let start: f64 = terms.iter().map(|term| term.at.modulus()).sum();
    let mut steps: Vec<Step> = Vec::with_capacity(terms.len());
    let weights: Vec<_> = terms.iter().map(|term| term.at).collect();
    let mut first = 0;
    while first < count {
        if first > 0 && first % (LEAP * AFRESH) == 0 {
            for (term, weight) in terms.iter_mut().zip(&weights) {
                term.at = weight.mul(&term.up_to(first));
            }
        }
        // The terms furthest out fall fastest, until they are nothing.
        while terms.last().is_some_and(|term| term.at.modulus() < start * 1e-18) {
            error += Above::promised(terms.pop().map_or(0.0, |term| term.at.modulus()));
        }
        // Until the next leap nothing grows: what is off is, and each step adds what it is off by itself and 3 units.
        let (mut errors, mut sizes) = (0.0, 0.0);
        steps.clear();
        for term in &mut terms {
            let size = term.at.modulus();
            let step = ComplexBall::ONE.add(&term.step);
            let relative = step.radius + 3.0 * UNIT_ROUNDOFF;
            errors += (term.at.radius + size * f64::from(LEAP) * relative) * compounded(relative);
            sizes += size;
            steps.push(((term.at.re, term.at.im), (step.re, step.im), (0.0, 0.0)));
            term.at = term.at.mul(&ComplexBall::ONE.add(&term.leap));
        }
        let operations = operations(terms.len(), 0);
        let (errors, sizes) = (Above::rounded(errors, operations), Above::rounded(sizes, operations));
        let radius = (error + errors + sizes * rounding(terms.len()) + UNDERFLOW).get();
        let next = count.min(first + LEAP) - first;
        sums(&mut steps, next, |(re, im)| found.push(ComplexBall::new(re, im, radius)));
        first += LEAP;
    }
    found
}
