//! Sparse vectors on real numbers: the distribution of their answers by exact integrals, and draws against it.
//!
//! Given the noisy threshold, answers are independent. Between two numbers of the conversation, each of their
//! probabilities and the density of the threshold are sums of exponentials; so is their product, whose integral is
//! known.

use super::{
    formulas::{conversations, number},
    support::*,
};
use indistinct::{
    bounds::{ComparedNumber, Number},
    measurements::ThresholdQuestion,
    numeric::{Dyadic, RoundedFrom, enclosure::Enclosure},
    prelude::*,
    sampling::Entropy,
};
use indistinct_audit::{
    Key, Law, Report, Seen,
    exact::{Run, compare_laws},
    mass::Mass,
};
use std::collections::BTreeMap;

/// A sum of `c exp(n t / (a b))`, for each n its c, where a and b are the scales.
type Terms = BTreeMap<i64, Mass>;

fn product(one: &Terms, other: &Terms) -> Terms {
    let mut product = Terms::new();
    for (n, c) in one {
        for (m, d) in other {
            let term = c.mul(d);
            let sum = product.get(&(n + m)).map_or_else(|| term.clone(), |sum| sum.add(&term));
            product.insert(n + m, sum);
        }
    }
    product
}

/// `exp(n t / (a b))`, 0 at an end of the line where it has an integral.
fn exponential(n: i64, t: f64, ab: i64) -> Mass {
    if t.is_infinite() { number(0.0) } else { number(float(n)).mul(&number(t)).div(&number(float(ab))).exp() }
}

fn integral(terms: &Terms, (low, high): (f64, f64), ab: i64) -> Mass {
    terms.iter().fold(number(0.0), |sum, (n, c)| {
        let area = if *n == 0 {
            number(high).sub(&number(low))
        } else {
            let difference = exponential(*n, high, ab).sub(&exponential(*n, low, ab));
            difference.mul(&number(float(ab))).div(&number(float(*n)))
        };
        sum.add(&c.mul(&area))
    })
}

fn float(n: i64) -> f64 {
    f64::from(i32::try_from(n).unwrap())
}

/// The distribution of the responses to queries with these values, by whole scales of the noise on the threshold and on
/// each value: no more after `limit` responses of true.
pub(crate) fn real_sparse_vector(values: &[f64], threshold: f64, limit: u32, (a, b): (i64, i64)) -> Law {
    let mut ends: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).chain([threshold]).collect();
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    let ends = [vec![f64::NEG_INFINITY], ends, vec![f64::INFINITY]].concat();
    let (half, ab) = (number(0.5), a * b);
    let mut masses: BTreeMap<Vec<bool>, Mass> = BTreeMap::new();
    for piece in ends.windows(2) {
        // Whether the threshold is beyond a number of the conversation all along.
        let is_above = |x: f64| piece[0] >= x;
        // P(value + Z >= t), and the rest.
        let reaches = |value: f64, answer: bool| {
            if value.is_infinite() {
                return if (value > 0.0) == answer { Terms::from([(0, number(1.0))]) } else { Terms::new() };
            }
            let n = if is_above(value) { -a } else { a };
            let tail = half.mul(&exponential(-n, value, ab));
            let rest = number(0.0).sub(&tail);
            if answer == is_above(value) {
                Terms::from([(n, tail)])
            } else {
                Terms::from([(0, number(1.0)), (n, rest)])
            }
        };
        let n = if is_above(threshold) { -b } else { b };
        let density = Terms::from([(n, exponential(-n, threshold, ab).mul(&half).div(&number(float(a))))]);
        let step = |terms: &Terms, question: usize, answer: bool| product(terms, &reaches(values[question], answer));
        for (answers, terms) in conversations(values.len(), limit, density, step) {
            let mass = integral(&terms, (piece[0], piece[1]), ab);
            let sum = masses.get(&answers).map_or_else(|| mass.clone(), |sum| sum.add(&mass));
            masses.insert(answers, sum);
        }
    }
    Law::new(masses.into_iter().map(|(answers, mass)| (answers.key(), mass)))
}

type Question<T> = Transformation<AtomDomain<f64>, AtomDomain<T>, AbsoluteDistance, AbsoluteDistance>;

/// A query by how it moves with the number, and where it is at 0.
pub(crate) type Line = (f64, f64);

fn value((sign, offset): Line, x: f64) -> f64 {
    sign * x + offset
}

/// The sparse vector on one type of numbers, in conversations.
struct Sparse<T: ComparedNumber + indistinct::core::ToParameter> {
    measurement: Measurement<
        AtomDomain<f64>,
        Queryable<ThresholdQuestion<AtomDomain<f64>, AbsoluteDistance, T>, bool>,
        AbsoluteDistance,
        MaxDivergence,
    >,
    questions: Vec<Question<T>>,
}

impl<T: ComparedNumber + Number + indistinct::core::ToParameter> Sparse<T> {
    fn new(
        (output, of_float): (AtomDomain<T>, fn(f64) -> T),
        (monotonicity, limit, scales): (Monotonicity, u32, (i64, i64)),
        lines: &[Line],
    ) -> Self
    where
        AtomDomain<T>: Domain<Carrier = T> + indistinct::core::ToParameter + Clone,
    {
        let (domain, metric) = (AtomDomain::f64(), AbsoluteDistance::new());
        let scales = (float(scales.0), float(scales.1));
        let threshold = of_float(THRESHOLD);
        let measurement =
            make_above_threshold(domain.clone(), metric, (1.0, 1.0), monotonicity, threshold, limit, scales);
        let question = |line: &Line| {
            let (line, output) = (*line, output.clone());
            let function = move |x: &f64| of_float(value(line, *x));
            make_user_transformation(domain.clone(), metric, output, metric, function, |d: &f64| Ok(*d))
        };
        Self {
            measurement: measurement.unwrap(),
            questions: lines.iter().map(|line| question(line).unwrap()).collect(),
        }
    }

    fn answers(&self, x: &f64, entropy: &mut dyn Entropy) -> Fallible<Key> {
        let (session, mut answers) = (self.measurement.invoke_with(x, entropy)?, Vec::new());
        for question in &self.questions {
            match session.eval_with(question, entropy) {
                Ok(answer) => answers.push(answer),
                Err(error) if error.kind() == ErrorKind::Exhausted => break,
                Err(error) => return Err(error),
            }
        }
        Ok(answers.key())
    }
}

pub(crate) const THRESHOLD: f64 = 0.75;

/// A conversation whose answers depend on each scale, on the threshold that they have in common, and on each digit of
/// the values that matters.
pub(crate) const LINES: [Line; 5] = [(1.0, 0.25), (-1.0, 2.0), (1.0, -0.5), (0.0, f64::NEG_INFINITY), (-1.0, 1.125)];
const SCALES: (i64, i64) = (1, 2);

/// Draws of a conversation by these lines, with up to two responses of true, against its distribution.
pub(crate) fn follows(run: &Run<f64>) -> Report {
    let law = |x: &f64| real_sparse_vector(&LINES.map(|line| value(line, *x)), THRESHOLD, 2, SCALES);
    fit((run, 16_384), &[0.0, 0.625], law, &[])
}

/// Eight responses of false to queries that rise, and as many of true as there may be, to queries that move in the
/// other direction as they may: the whole loss.
fn attained(monotonicity: Monotonicity, limit: u32, scales: (i64, i64)) -> Report {
    let fall = if monotonicity == Monotonicity::Unknown { -1.0 } else { 0.0 };
    let falls = vec![(fall, THRESHOLD - 0.25); usize::try_from(limit).unwrap()];
    let lines = [vec![(1.0, THRESHOLD); 8], falls].concat();
    let sparse = Sparse::new((AtomDomain::f64(), |x| x), (monotonicity, limit, scales), &lines);
    let law = |x: f64| {
        (x, real_sparse_vector(&lines.iter().map(|line| value(*line, x)).collect::<Vec<_>>(), THRESHOLD, limit, scales))
    };
    compare_laws("formula", &sparse.measurement, &[0.0, 0.5, 1.0, -1.0].map(law))
}

/// Values and thresholds that are no integers: of each type.
pub(crate) fn on_reals() -> Report {
    let settings = (Monotonicity::Unknown, 2, SCALES);
    let floats = Sparse::new((AtomDomain::f64(), |x| x), settings, &LINES);
    let single = |x: f64| f32::nearest_from(&x).unwrap();
    let singles = Sparse::new((AtomDomain::f32(), single), settings, &LINES);
    // Exact numbers have no infinities.
    let exactly = |x: f64| Dyadic::from_f64(x.max(-1e300)).unwrap();
    let exact = Sparse::new((AtomDomain::dyadic(), exactly), settings, &LINES);
    let drawn = all([
        follows(&|x, entropy| floats.answers(x, entropy)),
        follows(&|x, entropy| singles.answers(x, entropy)),
        follows(&|x, entropy| exact.answers(x, entropy)),
    ]);
    let each = [Monotonicity::Unknown, Monotonicity::Assumed];
    let claimed = each.into_iter().flat_map(|monotonicity| {
        [(1, (1, 2)), (2, (1, 2)), (2, (2, 3))].map(|(limit, scales)| attained(monotonicity, limit, scales))
    });
    drawn.and(parts(0.95, claimed))
}

#[test]
fn integrals_are_laws() {
    let law = real_sparse_vector(&[0.0, 1.5, f64::INFINITY, -2.25, 0.0], 0.5, 2, (1, 3));
    assert!(law.total().lower > 1.0 - 1e-12 && law.total().upper < 1.0 + 1e-12, "{:?}", law.total());
    // The difference of two draws of scale 1 is at least m with probability exp(-m) (2 + m) / 4.
    let one = real_sparse_vector(&[0.0], 1.0, 1, (1, 1)).mass(&vec![true].key());
    assert!((one.lower() - (-1f64).exp() * 0.75).abs() < 1e-15, "{}", one.lower());
    // Nearly as those of integers, where the scales are large.
    let integers = super::formulas::sparse_vector(&[0, 100, 60], 50, 1, (40.0, 80.0), 2000);
    let reals = real_sparse_vector(&[0.0, 2.5, 1.5], 1.25, 1, (1, 2));
    for (answers, mass) in reals.masses() {
        let gap = (mass.lower() - integers.mass(answers).lower()).abs();
        assert!(gap < 0.01, "{answers}: {gap}");
    }
}
