//! The product of the transforms of losses of a few atoms, or with an exponential density, at many points far out: in
//! floats, eight points at a time. See `proofs/accounting/pld_lemmas.md`.

use crate::pld::{
    loss::{
        exponential::Exponential,
        finite_loss::{FiniteLoss, number},
        lattice::{LatticeKind, LatticeLoss, ball, float},
    },
    transform::{discrete_gaussian::LEAST_SIGMA, lattice::Weights},
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, ComplexBall, Enclosure, UNIT_ROUNDOFF, midpoint, unit_circle},
};
use std::f64::consts::TAU;

/// Points side by side, so that a machine multiplies several at once.
const LANES: u32 = 8;
type Lanes = [f64; 8];
/// Real and imaginary parts.
type Complex = (Lanes, Lanes);

/// No series is longer.
const MOST_SPAN: usize = 512;
/// Losses alike more often than this are not looked at: what rounds grows with their number.
const MOST_ALIKE: u64 = 64;

/// A value over that at the base point: `middle + along cos + i across sin`, of an angle that grows from point to
/// point, and `q (smooth.0 cos + i smooth.1 sin)` with `q = 1/(2 z + 1)`.
struct Factor {
    angle: f64,
    /// Cosine and sine at the first points.
    powers: Complex,
    middle: f64,
    along: f64,
    across: f64,
    smooth: (f64, f64),
    count: u64,
}

/// Atoms that are evenly spaced, by their number from the lowest one on.
struct Series {
    angle: f64,
    powers: Complex,
    weights: Vec<f64>,
    count: u64,
}

enum Kind {
    Atoms(Factor),
    Series(Series),
    Density(Factor),
}

/// The error of a factor at each point, its growth from point to point, and its phase without epsilon.
struct Parts {
    kind: Kind,
    always: Above,
    by_point: Above,
    center: Ball,
}

/// A product of factors on the line `tilt + 2 pi i n/period`.
pub(crate) struct Product {
    double: f64,
    period: f64,
    atoms: Vec<Factor>,
    series: Vec<Series>,
    densities: Vec<Factor>,
    always: Above,
    by_point: Above,
    /// The phase of all.
    pub(crate) center: Ball,
}

impl Product {
    /// None yet.
    pub(crate) fn new((tilt, period): (f64, f64)) -> Self {
        Self {
            double: 2.0 * tilt + 1.0,
            period,
            atoms: Vec::new(),
            series: Vec::new(),
            densities: Vec::new(),
            always: Above::ZERO,
            by_point: Above::ZERO,
            center: Ball::exact(0.0),
        }
    }

    /// One more loss, so many times; false where it is not of the kinds.
    pub(crate) fn take(&mut self, loss: &FiniteLoss, count: u64, tilt: f64) -> bool {
        let parts = match loss {
            _ if count > MOST_ALIKE => None,
            FiniteLoss::Lattice(law) => atoms(law, count, (tilt, self.period)),
            FiniteLoss::Exponential(law) => Some(density(law, count, (tilt, self.period))),
            _ => None,
        };
        let Some(Parts { kind, always, by_point, center }) = parts else { return false };
        // Each product rounds by less than 3 units, and squares on the way to a power by as much.
        self.always += (always + 6.0 * UNIT_ROUNDOFF) * number(count);
        self.by_point += by_point * number(count);
        self.center = self.center.add(&center.mul(&Ball::exact(number(count))));
        match kind {
            Kind::Atoms(factor) => self.atoms.push(factor),
            Kind::Series(series) => self.series.push(series),
            Kind::Density(factor) => self.densities.push(factor),
        }
        true
    }

    /// At points by their numbers, which rise.
    pub(crate) fn values(&self, numbers: &[u32]) -> Vec<ComplexBall> {
        let (mut chunk, mut lanes) = (u32::MAX, ([0.0; 8], [0.0; 8]));
        let value = |number: &u32| {
            if number / LANES != chunk {
                chunk = number / LANES;
                lanes = self.chunk(f64::from(chunk * LANES));
            }
            let lane = usize::try_from(number % LANES).unwrap_or(0);
            let part = |lanes: &Lanes| lanes.get(lane).copied().unwrap_or(f64::NAN);
            // All factors are within 1, each is off by e: together by less than e^sum - 1.
            let off = self.always + self.by_point * f64::from(*number);
            let radius = if off.get() <= 0.5 { (off * 2.0).get() } else { f64::INFINITY };
            ComplexBall::new(part(&lanes.0), part(&lanes.1), radius)
        };
        numbers.iter().map(value).collect()
    }

    /// At eight points from one on.
    fn chunk(&self, first: f64) -> Complex {
        let mut product = ([1.0; 8], [0.0; 8]);
        for factor in &self.atoms {
            let (x, y) = turned(first, factor.angle, &factor.powers);
            let re = x.map(|x| factor.middle + factor.along * x);
            multiply(&mut product, &(re, y.map(|y| factor.across * y)), factor.count);
        }
        for series in &self.series {
            // From the highest atom downwards.
            let turned = turned(first, series.angle, &series.powers);
            let mut sum = ([0.0; 8], [0.0; 8]);
            for weight in series.weights.iter().rev() {
                multiply(&mut sum, &turned, 1);
                sum.0.iter_mut().for_each(|re| *re += weight);
            }
            multiply(&mut product, &sum, series.count);
        }
        if self.densities.is_empty() {
            return product;
        }
        let mut inverse = ([0.0; 8], [0.0; 8]);
        for ((k, re), im) in (0u32..).zip(&mut inverse.0).zip(&mut inverse.1) {
            let frequency = 2.0 * TAU * (first + f64::from(k)) / self.period;
            // Both are between 1 and some 10^20: no tilt is above 2^40, and no period is below a part of its inverse.
            let size = self.double * self.double + frequency * frequency;
            (*re, *im) = (self.double / size, -frequency / size);
        }
        for factor in &self.densities {
            let (x, y) = turned(first, factor.angle, &factor.powers);
            let (along, across) = factor.smooth;
            let mut smooth = (x.map(|x| along * x), y.map(|y| across * y));
            multiply(&mut smooth, &inverse, 1);
            for ((re, im), (x, y)) in smooth.0.iter_mut().zip(&mut smooth.1).zip(x.iter().zip(&y)) {
                (*re, *im) = (*re + factor.along * x, *im + factor.across * y);
            }
            multiply(&mut product, &smooth, factor.count);
        }
        product
    }
}

/// Cosine and sine at eight points from one on.
fn turned(first: f64, angle: f64, powers: &Complex) -> Complex {
    let (cosine, sine) = unit_circle(first * angle);
    let mut turned = *powers;
    for (x, y) in turned.0.iter_mut().zip(&mut turned.1) {
        (*x, *y) = (*x * cosine - *y * sine, *y * cosine + *x * sine);
    }
    turned
}

/// Times a power.
#[inline]
fn multiply(product: &mut Complex, factor: &Complex, mut count: u64) {
    let times = |to: &mut Complex, by: &Complex| {
        for ((re, im), (x, y)) in to.0.iter_mut().zip(&mut to.1).zip(by.0.iter().zip(&by.1)) {
            (*re, *im) = (*re * x - *im * y, *re * y + *im * x);
        }
    };
    if count == 1 {
        return times(product, factor);
    }
    let mut power = *factor;
    while count > 0 {
        if count & 1 == 1 {
            times(product, &power);
        }
        count >>= 1;
        let base = power;
        times(&mut power, &base);
    }
}

/// At the first eight points.
fn powers(angle: f64) -> Complex {
    let mut powers = ([0.0; 8], [0.0; 8]);
    for ((k, x), y) in (0u32..).zip(&mut powers.0).zip(&mut powers.1) {
        (*x, *y) = unit_circle(f64::from(k) * angle);
    }
    powers
}

fn factor(angle: f64, count: u64) -> Factor {
    Factor { angle, powers: powers(angle), middle: 0.0, along: 0.0, across: 0.0, smooth: (0.0, 0.0), count }
}

/// The error of an angle, in turns from point to point, as an angle: its own, and what floats round; 6.3 is above
/// `2 pi`.
fn angular(angle: f64, error: f64) -> Above {
    (Above::exact(angle.abs()) * (2.0 * UNIT_ROUNDOFF) + error) * 6.3
}

/// A few atoms: two, or three of which one is in the middle, or a series.
fn atoms(law: &LatticeLoss, count: u64, line: (f64, f64)) -> Option<Parts> {
    let is_usable = match &law.kind {
        LatticeKind::Response { .. } | LatticeKind::Binary { .. } | LatticeKind::Laplace { .. } => true,
        // Others are known in closed form.
        LatticeKind::Gaussian { sigma, .. } => *sigma < LEAST_SIGMA,
        LatticeKind::Finite { .. } | LatticeKind::Table { .. } => false,
    };
    if !is_usable {
        return None;
    }
    let Weights { weights, error, .. } = law.weights(line.0);
    let (least, _) = weights.iter().min_by_key(|(index, _)| *index)?;
    let (most, _) = weights.iter().max_by_key(|(index, _)| *index)?;
    let span = usize::try_from(most - least).ok().filter(|span| (1..=MOST_SPAN).contains(span))?;
    let mut each = vec![0.0; span + 1];
    for (index, weight) in &weights {
        *each.get_mut(usize::try_from(index - least).ok()?)? += weight;
    }
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let scale = 1.0 / total;
    each.iter_mut().for_each(|weight| *weight *= scale);
    // A change of the weights by e moves the quotient by no more than 2 e over the total, which is a sum of so many.
    let off = error * 2.0 / (Below::exact(total) * (1.0 - 1e-12));
    let (step, span) = (ball(&law.step), number(u64::try_from(span).ok()?));
    let at = |index: f64| ball(&law.offset).add(&Ball::exact(index).mul(&step));
    let turn = |steps: f64| midpoint(&Ball::exact(steps).mul(&step).div(&Ball::exact(line.1)));
    let (rounding, ends) = (Above::of_roundings(roundings(&weights)), (each.first(), each.last()));
    if let ((Some(low), Some(high)), 2 | 3) = (ends, each.len()) {
        let middle = if let [_, middle, _] = each.as_slice() { *middle } else { 0.0 };
        let (angle, angle_error) = turn(span / 2.0);
        let factor = Factor { middle, along: high + low, across: high - low, ..factor(angle, count) };
        return Some(Parts {
            kind: Kind::Atoms(factor),
            // Three sums and two products round, beside cosine and sine.
            always: off + rounding + 32.0 * UNIT_ROUNDOFF,
            by_point: angular(angle, angle_error),
            center: at(float(most + least) / 2.0),
        });
    }
    let (angle, angle_error) = turn(1.0);
    Some(Parts {
        kind: Kind::Series(Series { angle, powers: powers(angle), weights: each, count }),
        // At each atom a product rounds by 3 units and a sum by 1; what it is multiplied by is off by 11.
        always: off + rounding + (span * 16.0 + 32.0) * UNIT_ROUNDOFF,
        by_point: angular(angle, angle_error) * span,
        center: at(float(*least)),
    })
}

/// How many roundings make a weight over the total.
fn roundings(weights: &[(i64, f64)]) -> f64 {
    number(u64::try_from(weights.len()).unwrap_or(u64::MAX)) + 4.0
}

/// Laplace noise, or a range.
fn density(law: &Exponential, count: u64, (tilt, period): (f64, f64)) -> Parts {
    let ends = law.ends(tilt);
    let (angle, angle_error) = midpoint(&law.radius().div(&Ball::exact(period)));
    let (both, apart) = (ends.high + ends.low, ends.high - ends.low);
    let factor = Factor {
        along: ends.atom * both,
        across: ends.atom * apart,
        smooth: (ends.twice * apart, ends.twice * both),
        ..factor(angle, count)
    };
    let always = ends.size * (64.0 * UNIT_ROUNDOFF) + ends.error;
    let by_point = ends.size * angular(angle, angle_error);
    Parts { kind: Kind::Density(factor), always, by_point, center: Ball::exact(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PrivacyLossDistribution as P,
        pld::{distribution::losses, integrate::contour::Transforms, loss::direction::Direction},
        units::{Scale, Sigma},
    };
    use rug::{Float, float::Constant};

    fn product(all: &[(FiniteLoss, u64)], (tilt, period): (f64, f64)) -> Product {
        let mut product = Product::new((tilt, period));
        assert!(all.iter().all(|(loss, count)| product.take(loss, *count, tilt)));
        product
    }

    fn of(parts: impl IntoIterator<Item = P>) -> Vec<(FiniteLoss, u64)> {
        losses(&parts.into_iter().fold(P::none(), |all, one| all.compose(&one).unwrap()), Direction::Remove)
    }

    /// Of guarantees, `cos(t e) + i tanh((c + 1/2) e) sin(t e)` each, reckoned with 300 bits: by how much more than
    /// they say values are off.
    fn off(guarantees: &[(f64, u32)], (tilt, period): (f64, f64), (n, value): (u32, &ComplexBall)) -> f64 {
        let float = |x: f64| Float::with_val(300, x);
        let (mut re, mut im) = (float(1.0), float(0.0));
        for (epsilon, count) in guarantees {
            let angle = float(*epsilon) * Float::with_val(300, Constant::Pi) * 2u32 * n / period;
            let (sine, cosine) = angle.sin_cos(float(0.0));
            let sine = sine * (float(*epsilon) * (float(tilt) + 0.5f64)).tanh();
            for _ in 0..*count {
                let next = float(0.0) + &re * &cosine - Float::with_val(300, &im * &sine);
                im = Float::with_val(300, &re * &sine) + Float::with_val(300, &im * &cosine);
                re = next;
            }
        }
        (re - value.re).hypot(&(im - value.im)).to_f64() - value.radius
    }

    /// What forgets either part of what it is off by is caught.
    #[test]
    fn guarantees_with_many_digits() {
        let guarantees = [(0.1, 1), (0.031, 1), (0.9, 2), (0.0123, 7), (0.003, 64)];
        let all = of(guarantees.map(|(epsilon, count)| P::pure(epsilon).unwrap().repeat(u64::from(count)).unwrap()));
        let (mut always, mut by_point) = (0, 0);
        for line in [(5.25, 17.3), (0.5, 3.9), (31.0, 0.77)] {
            let mut numbers: Vec<u32> = (0..400).chain((1..40).map(|i| i * 24_999_983)).collect();
            numbers.sort_unstable();
            let found = product(&all, line);
            let count = |found: &Product| {
                let values = found.values(&numbers);
                numbers.iter().zip(&values).filter(|(n, value)| off(&guarantees, line, (**n, value)) > 0.0).count()
            };
            assert_eq!(count(&found), 0, "{line:?}");
            assert!(found.values(&numbers).iter().all(|value| value.radius < 1e-4));
            always += count(&Product { always: Above::ZERO, ..product(&all, line) });
            by_point += count(&Product { by_point: Above::ZERO, ..product(&all, line) });
        }
        assert!(always >= 3 && by_point >= 20, "{always} {by_point}");
    }

    /// The same as each by itself, multiplied as balls; what forgets an atom in the middle, or the density, is caught.
    #[test]
    fn all_kinds_as_each_by_itself() {
        let all = of([
            P::pure(0.2).unwrap(),
            P::randomized_response(0.4, 5).unwrap().repeat(3).unwrap(),
            P::discrete_laplace(Scale(6.0), 1).unwrap(),
            P::discrete_laplace(Scale(3.0), 2).unwrap().repeat(2).unwrap(),
            P::discrete_laplace(Scale(9.0), 11).unwrap().repeat(4).unwrap(),
            P::discrete_gaussian(Sigma(1.3), 2).unwrap(),
            P::laplace(Scale(4.0)).unwrap().repeat(5).unwrap(),
            P::laplace(Scale(11.0)).unwrap(),
            P::bounded_range(0.3).unwrap(),
        ]);
        let line = (4.5, 21.7);
        let numbers: Vec<u32> = (0..64).chain((1..50).map(|i| i * 1013)).collect();
        let alone: Vec<_> = all
            .iter()
            .map(|(loss, count)| {
                let values = loss.values_at(line, &numbers).unwrap();
                let turn = values.center / line.1;
                (values, turn, *count)
            })
            .collect();
        let differ = |found: &Product| {
            let turn = midpoint(&found.center).0 / line.1;
            let values = found.values(&numbers);
            let off = |(i, (n, value)): (usize, (&u32, &ComplexBall))| {
                let n = f64::from(*n);
                let on = |turn: f64| ComplexBall::on_circle(n * turn, n * turn.abs() * 1e-15);
                let truth = alone.iter().fold(ComplexBall::ONE, |product, (values, turn, count)| {
                    let one = ComplexBall::ONE.add(&values.less_one[i]).mul(&on(*turn));
                    product.mul(&one.power(*count))
                });
                let value = value.mul(&on(turn));
                (value.re - truth.re).hypot(value.im - truth.im) > value.radius + truth.radius
            };
            numbers.iter().zip(&values).enumerate().filter(|both| off(*both)).count()
        };
        assert_eq!(differ(&product(&all, line)), 0);
        let mut wrong = product(&all, line);
        wrong.atoms.iter_mut().for_each(|factor| factor.middle = 0.0);
        assert!(differ(&wrong) > 30);
        let mut wrong = product(&all, line);
        wrong.series.iter_mut().for_each(|series| series.weights.reverse());
        assert!(differ(&wrong) > 30);
        let mut wrong = product(&all, line);
        wrong.densities.iter_mut().for_each(|factor| factor.smooth = (0.0, 0.0));
        assert!(differ(&wrong) > 30);
        // And so are values near and far out together.
        let together = Transforms::at(&numbers, &all, line).unwrap();
        let near = Transforms::new(&all, &crate::pld::transform::nodes::Nodes::new(line.0, line.1, 64));
        assert!(together.at_tilt().get() == near.unwrap().at_tilt().get());
    }
}
