//! A recurrence from node to node: sums of terms, each of which is multiplied by one number at every step.

use crate::pld::transform::lanes::{Powers, SLACK};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, CompensatedSum, ComplexBall, EXP_NEAR_ERROR, Enclosure, UNIT_ROUNDOFF, exp_near, midpoint},
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
    /// Its factor up to a node.
    fn up_to(&self, node: u32) -> ComplexBall {
        let node = Ball::exact(f64::from(node));
        let (turn, error) = midpoint(&self.turn.mul(&node));
        // `e^x - 1 <= 2 x` for what the logarithm is off by.
        let (fall, off) = midpoint(&self.fall.mul(&node));
        let (size, relative) = (exp_near(-fall), if off <= 1.0 { 2.0 * off } else { f64::INFINITY });
        ComplexBall::real((size, size * (EXP_NEAR_ERROR * 1.5 + relative))).mul(&ComplexBall::on_circle(turn, error))
    }
}

/// The rounding of a sum of so many terms in sixteen lanes, over the sum of their sizes.
fn rounding(terms: usize) -> Above {
    Above::of_roundings(f64::from(u32::try_from(terms).unwrap_or(u32::MAX)) / 16.0 + 20.0)
}

/// One less than what a term is multiplied by up to each node before the next leap: `(1 + x)(1 + s) - 1`, as
/// `x (1 + s) + s`, for 1 + s is of modulus at most 1.
fn powers(step: &ComplexBall) -> Vec<ComplexBall> {
    let (whole, mut powers) = (ComplexBall::ONE.add(step), vec![ComplexBall::new(0.0, 0.0, 0.0)]);
    for _ in 1..LEAP {
        powers.extend(powers.last().map(|last| last.mul(&whole).add(step)));
    }
    powers
}

/// The powers as floats, and what the greatest error is.
fn in_floats(powers: &[ComplexBall]) -> (impl Iterator<Item = (f64, f64)>, f64) {
    let whole = || powers.iter().map(|power| ComplexBall::ONE.add(power));
    (whole().map(|power| (power.re, power.im)), greatest(whole().map(|power| power.radius)))
}

/// The sum of numbers that are not negative; a NaN, if one is.
fn greatest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |most, number| if most.is_nan() || number < most { most } else { number })
}

/// How far a term has moved at the last leap, and how far from there the truth may be. All sizes are floats that are
/// not negative and only added and multiplied: what they round is charged at the end, by how many operations there
/// were.
struct Displacement {
    from: (f64, f64),
    off: f64,
    leap: (f64, f64),
    far: (f64, f64),
    /// The size of what is added in a step, and twice the weight: it has never moved by more than either, times the
    /// steps.
    most_added: f64,
    most: f64,
    /// Up to the next leap: the relative error of a power and of the product with it, and what is added is off by.
    power_error: f64,
    added_error: f64,
    /// The same of a leap.
    leap_error: (f64, f64),
}

impl Displacement {
    /// Operations from leap to leap that a size is the result of.
    const OPERATIONS: u32 = 12;

    /// With what is added at the nodes before a leap.
    fn new(term: &RotatingTerm, powers: &[ComplexBall]) -> (Self, Vec<ComplexBall>) {
        let center = |ball: &ComplexBall| (ball.re, ball.im);
        let (leap, far) = (ComplexBall::ONE.add(&term.leap), term.at.mul(&term.leap));
        // A product rounds by less than 2.3 units, a sum by less than 1 of what it comes to.
        let leap_error = (leap.radius + 4.0 * UNIT_ROUNDOFF, far.radius + 2.0 * UNIT_ROUNDOFF * far.modulus());
        let added: Vec<_> = powers.iter().map(|power| term.at.mul(power)).collect();
        let (_, power_error) = in_floats(powers);
        let found = Self {
            from: (0.0, 0.0),
            off: 0.0,
            leap: center(&leap),
            far: center(&far),
            most_added: term.at.mul(&term.step).modulus(),
            most: 2.0 * term.at.modulus(),
            power_error: power_error + 4.0 * UNIT_ROUNDOFF,
            added_error: greatest(added.iter().map(|added| added.radius)),
            leap_error,
        };
        (found, added)
    }

    /// Where it has moved up to a node, afresh, if that is known to more digits.
    fn begin_again(&mut self, term: &RotatingTerm, node: u32) {
        let moved = term.at.mul(&term.up_to(node).add(&ComplexBall::ONE.neg()));
        if moved.radius < self.off {
            (self.from, self.off) = ((moved.re, moved.im), moved.radius);
        }
    }

    /// Its size in the next steps, and what it is off by; then it leaps. No error grows but by what the powers are off
    /// by, as these are of modulus at most 1.
    fn leap(&mut self, steps: f64) -> (f64, f64) {
        let size = (self.most_added * steps).min(self.most);
        let within = size + f64::from(LEAP) * self.most_added;
        let off = self.off + (size + self.off) * self.power_error + self.added_error;
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
    /// Other errors of two sums, over this one.
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

    /// The move of this one, over itself.
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

/// The move of all terms together from the base point to each node.
///
/// After k nodes more `d = w (e^(i t L) - 1)` is `d s^k + w (s^k - 1)`: what rounds is small where the angle is.
pub(crate) fn moves_along(terms: &[RotatingTerm], count: u32) -> Vec<ComplexBall> {
    let (mut displacements, mut multipliers) = (Vec::with_capacity(terms.len()), Powers::default());
    let mut sums = vec![(CompensatedSum::default(), CompensatedSum::default()); usize::try_from(LEAP).unwrap_or(0)];
    for term in terms {
        let powers = powers(&term.step);
        let (displacement, added) = Displacement::new(term, &powers);
        multipliers.push(in_floats(&powers).0);
        displacements.push(displacement);
        for ((re, im), added) in sums.iter_mut().zip(&added) {
            re.add(added.re, 0.0);
            im.add(added.im, 0.0);
        }
    }
    // What all together move by from the base point in the steps up to a leap.
    let added: Vec<_> = sums.iter().map(|(re, im)| (re.bounds().0, im.bounds().0)).collect();
    let rounding = rounding(terms.len());
    let mut found = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
    let mut at = Vec::with_capacity(terms.len());
    let mut first = 0;
    while first < count {
        if first > 0 && first % (LEAP * AFRESH) == 0 {
            displacements.iter_mut().zip(terms).for_each(|(one, term)| one.begin_again(term, first));
        }
        let (mut errors, mut sizes) = (0.0, 0.0);
        at.clear();
        for one in &mut displacements {
            at.push(one.from);
            let (size, off) = one.leap(f64::from(first));
            sizes += size;
            errors += off;
        }
        let operations = operations(terms.len(), first / LEAP);
        let (errors, sizes) = (Above::rounded(errors, operations), Above::rounded(sizes, operations));
        let radius = (errors + sizes * rounding + UNDERFLOW).get();
        let sums = multipliers.sums(&at).zip(&added).zip(first..count);
        found.extend(sums.map(|(((re, im), added), _)| ComplexBall::new(re + added.0, im + added.1, radius)));
        first += LEAP;
    }
    found
}

/// A term that falls from node to node, as it is at the last leap: its size, and what it is off by, at most.
struct Falling {
    term: RotatingTerm,
    at: (f64, f64),
    size: f64,
    off: f64,
    leap: (f64, f64),
    /// The size of what a leap multiplies by, at most 1, and what that and the product are off by, over the size.
    leap_size: f64,
    leap_error: f64,
    /// The relative error of a power up to the next leap and of the product with it.
    relative: f64,
}

impl Falling {
    /// From what it is multiplied by up to the nodes before a leap.
    fn new(term: &RotatingTerm, powers: &[ComplexBall]) -> Self {
        let leap = ComplexBall::ONE.add(&term.leap);
        let mut falling = Self {
            term: *term,
            at: (0.0, 0.0),
            size: 0.0,
            off: 0.0,
            leap: (leap.re, leap.im),
            leap_size: leap.modulus(),
            leap_error: leap.radius + 3.0 * UNIT_ROUNDOFF,
            relative: in_floats(powers).1 + 3.0 * UNIT_ROUNDOFF,
        };
        falling.begin(&term.at);
        falling
    }

    fn begin(&mut self, at: &ComplexBall) {
        (self.at, self.size, self.off) = ((at.re, at.im), at.modulus(), at.radius);
    }

    /// Its size up to the next leap, and what it is off by until there, where nothing grows. Then it leaps.
    fn leap(&mut self) -> (f64, f64) {
        let Self { size, at: (re, im), leap: (cosine, sine), .. } = *self;
        let off = self.off + (size + self.off) * self.relative;
        self.off = (self.off * self.leap_size + size * self.leap_error) * SLACK;
        self.size = size * self.leap_size * SLACK;
        self.at = (re * cosine - im * sine, re * sine + im * cosine);
        (size, off)
    }
}

/// Sums of all terms from node to node, and `error` with each.
pub(crate) fn sums_along(terms: &[RotatingTerm], count: u32, mut error: Above) -> Vec<ComplexBall> {
    let mut found = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
    let start: f64 = terms.iter().map(|term| term.at.modulus()).sum();
    let (mut falling, mut multipliers) = (Vec::with_capacity(terms.len()), Powers::default());
    for term in terms {
        let powers = powers(&term.step);
        falling.push(Falling::new(term, &powers));
        multipliers.push(in_floats(&powers).0);
    }
    let mut at = Vec::with_capacity(terms.len());
    let mut first = 0;
    while first < count {
        if first > 0 && first % (LEAP * AFRESH) == 0 {
            falling.iter_mut().for_each(|one| one.begin(&one.term.at.mul(&one.term.up_to(first))));
        }
        // The terms furthest out fall fastest, until they are nothing.
        while falling.last().is_some_and(|one| one.size < start * 1e-18) {
            error += Above::promised(falling.pop().map_or(0.0, |one| one.size));
        }
        multipliers.truncate(falling.len());
        let (mut errors, mut sizes) = (0.0, 0.0);
        at.clear();
        for one in &mut falling {
            at.push(one.at);
            let (size, off) = one.leap();
            errors += off;
            sizes += size;
        }
        let operations = operations(falling.len(), 0);
        let (errors, sizes) = (Above::rounded(errors, operations), Above::rounded(sizes, operations));
        let radius = (error + errors + sizes * rounding(falling.len()) + UNDERFLOW).get();
        found.extend(multipliers.sums(&at).zip(first..count).map(|((re, im), _)| ComplexBall::new(re, im, radius)));
        first += LEAP;
    }
    found
}
