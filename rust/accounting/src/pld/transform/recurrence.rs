//! A recurrence from node to node: sums of terms, each of which is multiplied by one number at every step.

use crate::pld::transform::lanes::{Block, Complex, LANES, Step, sum_and_step};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, CompensatedSum, ComplexBall, Enclosure, UNIT_ROUNDOFF, exp_near, midpoint},
};

/// A term's value is found again by one leap over so many steps: a power of 2.
pub(crate) const LEAP: u32 = 16;
/// A term is found afresh every so many leaps.
const AFRESH: u32 = 64;

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
        // Within 16 units, and `e^x - 1 <= 2 x` for what the logarithm is off by.
        let (fall, off) = midpoint(&self.fall.mul(&node));
        let (size, relative) = (exp_near(-fall), if off <= 1.0 { 2.0 * off } else { f64::INFINITY });
        ComplexBall::real((size, size * (20.0 * UNIT_ROUNDOFF + relative))).mul(&ComplexBall::on_circle(turn, error))
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

    /// Where it has moved up to a node, afresh, if that is known to more digits.
    fn begin_again(&mut self, term: &RotatingTerm, node: u32) {
        let moved = term.at.mul(&term.up_to(node).add(&ComplexBall::ONE.neg()));
        if moved.radius < self.off {
            (self.from, self.off) = ((moved.re, moved.im), moved.radius);
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

/// A sum at the base point, which is positive, and what it is off by.
pub(crate) struct BasePoint {
    value: f64,
    off: Above,
    least: Below,
    /// The reciprocal, and what that is off by, relatively.
    inverse: f64,
    relative: Above,
    /// What else two sums are off by, over this one.
    charged: Above,
}

impl BasePoint {
    /// From real parts; `error` is what else the sum may be off by, at each node.
    pub(crate) fn new(sum: &CompensatedSum, error: Above) -> Option<Self> {
        let (value, off) = sum.bounds();
        let off = error + off;
        if value.is_nan() || off.get() >= value / 2.0 {
            return None;
        }
        let least = Below::exact(value) - off;
        let (inverse, relative) = (1.0 / value, off / least + 2.0 * UNIT_ROUNDOFF);
        Some(Self { value, off, least, inverse, relative, charged: error * 2.0 * inverse * (relative + 1.0) })
    }

    pub(crate) fn ball(&self) -> Ball {
        Ball::between(self.least.get(), (Above::exact(self.value) + self.off).get())
    }

    /// Another sum over this one.
    pub(crate) fn share(&self, sum: &ComplexBall) -> ComplexBall {
        self.enlarged(sum, Above::ZERO)
    }

    /// What this one has moved by, over itself.
    pub(crate) fn moved(&self, sum: &ComplexBall) -> ComplexBall {
        self.enlarged(sum, self.charged)
    }

    fn enlarged(&self, sum: &ComplexBall, charged: Above) -> ComplexBall {
        let found = sum.scale(self.inverse);
        let radius = (self.relative + 1.0) * found.radius + self.relative * found.modulus() + charged;
        ComplexBall::new(found.re, found.im, radius.get())
    }
}

/// The sum of the weights as bounds on a positive number, and what all terms move by, over that; `error` is what else
/// the sum may be off by, at each node.
pub(crate) fn from_base_point(terms: &[RotatingTerm], count: u32, error: Above) -> Option<(Ball, Vec<ComplexBall>)> {
    let mut sum = CompensatedSum::default();
    terms.iter().for_each(|term| sum.add(term.at.re, term.at.radius));
    let base = BasePoint::new(&sum, error)?;
    let found = moves_along(terms, count).iter().map(|sum| base.moved(sum)).collect();
    Some((base.ball(), found))
}

/// What all terms together move by from the base point to each node.
///
/// From node to node `d = w (e^(i t L) - 1)` becomes `d s + w (s - 1)`: what rounds is small where the angle is.
pub(crate) fn moves_along(terms: &[RotatingTerm], count: u32) -> Vec<ComplexBall> {
    let mut displacements: Vec<Displacement> = terms.iter().map(Displacement::new).collect();
    let steps: Vec<Step> = displacements.iter().map(|one| (one.from, one.step, one.add)).collect();
    let mut blocks: Vec<Block> = steps.chunks(LANES).map(Block::new).collect();
    let rounding = rounding(terms.len());
    let mut found = Vec::new();
    let mut first = 0;
    while first < count {
        if first > 0 && first % (LEAP * AFRESH) == 0 {
            displacements.iter_mut().zip(terms).for_each(|(one, term)| one.begin_again(term, first));
        }
        let (mut errors, mut sizes) = (0.0, 0.0);
        for (block, chunk) in blocks.iter_mut().zip(displacements.chunks_mut(LANES)) {
            for ((re, im), one) in block.value.0.iter_mut().zip(&mut block.value.1).zip(chunk) {
                (*re, *im) = one.from;
                let (size, off) = one.leap(f64::from(first));
                sizes += size;
                errors += off;
            }
        }
        let operations = operations(terms.len(), first / LEAP);
        let (errors, sizes) = (Above::rounded(errors, operations), Above::rounded(sizes, operations));
        let radius = (errors + sizes * rounding + UNDERFLOW).get();
        let next = count.min(first + LEAP) - first;
        found.extend((0..next).map(|_| {
            let (re, im) = sum_and_step(&mut blocks);
            ComplexBall::new(re, im, radius)
        }));
        first += LEAP;
    }
    found
}

/// A term that falls from node to node, as it is at the last leap.
struct Falling {
    term: RotatingTerm,
    at: ComplexBall,
    leap: ComplexBall,
    /// The relative error of a step, and what the errors of all steps up to the next leap make of an error.
    relative: f64,
    compounded: f64,
}

impl Falling {
    fn new(term: &RotatingTerm) -> (Self, Step) {
        let step = ComplexBall::ONE.add(&term.step);
        let relative = step.radius + 3.0 * UNIT_ROUNDOFF;
        let leap = ComplexBall::ONE.add(&term.leap);
        let falling = Self { term: *term, at: term.at, leap, relative, compounded: compounded(relative) };
        (falling, ((0.0, 0.0), (step.re, step.im), (0.0, 0.0)))
    }

    /// Its size up to the next leap, and what it is off by then; until there nothing grows: what is off is, and each
    /// step adds what it is off by itself and 3 units. Then it leaps.
    fn leap(&mut self) -> (f64, f64) {
        let size = self.at.modulus();
        let off = (self.at.radius + size * f64::from(LEAP) * self.relative) * self.compounded;
        self.at = self.at.mul(&self.leap);
        (size, off)
    }
}

/// Sums of all terms from node to node, and `error` with each.
pub(crate) fn sums_along(terms: &[RotatingTerm], count: u32, mut error: Above) -> Vec<ComplexBall> {
    let mut found = Vec::new();
    let start: f64 = terms.iter().map(|term| term.at.modulus()).sum();
    let (mut falling, steps): (Vec<_>, Vec<_>) = terms.iter().map(Falling::new).unzip();
    let mut blocks: Vec<Block> = steps.chunks(LANES).map(Block::new).collect();
    let mut first = 0;
    while first < count {
        if first > 0 && first % (LEAP * AFRESH) == 0 {
            falling.iter_mut().for_each(|one| one.at = one.term.at.mul(&one.term.up_to(first)));
        }
        // The terms furthest out fall fastest, until they are nothing.
        while falling.last().is_some_and(|one| one.at.modulus() < start * 1e-18) {
            error += Above::promised(falling.pop().map_or(0.0, |one| one.at.modulus()));
        }
        blocks.truncate(falling.len().div_ceil(LANES));
        let (mut errors, mut sizes) = (0.0, 0.0);
        for (block, chunk) in blocks.iter_mut().zip(falling.chunks_mut(LANES)) {
            block.value = Complex::default();
            for ((re, im), one) in block.value.0.iter_mut().zip(&mut block.value.1).zip(chunk) {
                (*re, *im) = (one.at.re, one.at.im);
                let (size, off) = one.leap();
                errors += off;
                sizes += size;
            }
        }
        let operations = operations(falling.len(), 0);
        let (errors, sizes) = (Above::rounded(errors, operations), Above::rounded(sizes, operations));
        let radius = (error + errors + sizes * rounding(falling.len()) + UNDERFLOW).get();
        let next = count.min(first + LEAP) - first;
        found.extend((0..next).map(|_| {
            let (re, im) = sum_and_step(&mut blocks);
            ComplexBall::new(re, im, radius)
        }));
        first += LEAP;
    }
    found
}
