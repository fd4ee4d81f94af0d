//! Matrices times vectors: 10^5 random neighbors and more, with every pair of norms, by distances computed a second
//! time in exact fractions. Matrices of rank one attain the map in every pair of norms, so that a smaller one fails.

use indistinct::{
    bounds::DualMetric,
    numeric::{Dyadic, RoundedFrom, RoundedMath, gmp::Rational},
    prelude::*,
};
use indistinct_tests::neighbors::{Random, Truth, l1, l2, linf, linf_monotonic};

/// For each pair of norms, of which there are sixteen.
const PAIRS: usize = 12_000;
/// For each matrix.
const PAIRS_OF_A_MATRIX: usize = 20;

const COLUMNS: usize = 3;

type Matrix = Vec<Vec<f64>>;
type Distance<T> = fn(&Vec<T>, &Vec<T>) -> Truth;

/// A direction of rank one: (3, -3, 1)^T (2, -1, 2), whose second factor has the Euclidean length 3.
fn of_rank_one(unit: f64) -> Matrix {
    [3.0, -3.0, 1.0].map(|x| [2.0, -1.0, 2.0].map(|y| x * y * unit).to_vec()).to_vec()
}

fn matrix(random: &mut Random) -> Matrix {
    let rows = 1 + random.below(4);
    match random.below(3) {
        0 => of_rank_one(random.of(&[1.0, 2f64.powi(-1000), 2f64.powi(900)])),
        1 => (0..rows).map(|_| (0..COLUMNS).map(|_| random.of(&[0.0, 1.0, -1.0, 2.0, -5.0])).collect()).collect(),
        // The norm stays within the range of f64.
        _ => (0..rows)
            .map(|_| (0..COLUMNS).map(|_| random.float().clamp(-f64::MAX, f64::MAX) / 64.0).collect())
            .collect(),
    }
}

/// Vectors that differ in one number, in all by as much, along a row of the matrices of rank one, or in any way.
fn neighbors(random: &mut Random) -> (Vec<f64>, Vec<f64>) {
    let number = |random: &mut Random| random.float();
    let whole = |random: &mut Random| random.of(&[0.0, -0.0, 1.0, -7.0, 1024.0]);
    let along = |random: &mut Random, direction: [f64; COLUMNS]| {
        let x: Vec<f64> = (0..COLUMNS).map(|_| whole(random)).collect();
        let step = random.of(&[1.0, -1.0, 4.0]);
        let y = x.iter().zip(direction).map(|(x, moved)| x + step * moved).collect();
        (x, y)
    };
    match random.below(6) {
        0 => along(random, [1.0, 0.0, 0.0]),
        1 => along(random, [1.0, -1.0, 1.0]),
        2 => along(random, [2.0, -1.0, 2.0]),
        3 => {
            let x: Vec<f64> = (0..COLUMNS).map(|_| number(random)).collect();
            let mut y = x.clone();
            y[random.below(COLUMNS)] = number(random);
            (x, y)
        }
        _ => {
            let x: Vec<f64> = (0..COLUMNS).map(|_| number(random)).collect();
            let near = |x: &f64, random: &mut Random| random.of(&[*x, x.next_up(), x.next_down(), -x, x / 2.0]);
            let y = x.iter().map(|x| near(x, random)).collect();
            (x, y)
        }
    }
}

/// Vectors as finite ones with the same differences; nothing, if one is infinite.
fn as_finite(x: &[f64], y: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
    let pair = |(&x, &y): (&f64, &f64)| match (x.is_infinite(), y.is_infinite()) {
        (false, false) => Some((x, y)),
        _ => (x == y).then_some((0.0, 0.0)),
    };
    x.iter().zip(y).map(pair).collect()
}

fn up(truth: &Truth) -> f64 {
    match truth {
        Truth::Plain(truth) => f64::inf_from(truth).unwrap(),
        Truth::Squared(truth) => f64::inf_from(truth).unwrap().inf_sqrt().unwrap(),
    }
}

/// The product, as it is defined.
fn product(matrix: &Matrix, x: &[f64]) -> Vec<Rational> {
    let exact = |x: f64| Rational::from_f64(x.clamp(-f64::MAX, f64::MAX)).unwrap();
    matrix.iter().map(|row| row.iter().zip(x).map(|(a, x)| exact(*a) * exact(*x)).sum()).collect()
}

fn check<M: DualMetric, MO: indistinct::bounds::CategoryMetric + indistinct::core::ToParameter>(
    input: (M, Distance<f64>),
    output: (MO, Distance<Dyadic>),
    seed: u64,
) where
    (VectorDomain<AtomDomain<f64>>, M): MetricSpace,
    (VectorDomain<AtomDomain<Dyadic>>, MO): MetricSpace,
{
    let mut random = Random::new(seed);
    let (mut seen, mut attained) = (0, 0);
    while seen < PAIRS {
        let matrix = matrix(&mut random);
        let vectors = VectorDomain::new(AtomDomain::f64()).with_size(COLUMNS);
        let step = make_linear_queries(vectors, input.0.clone(), matrix.clone(), output.0.clone()).unwrap();
        for _ in 0..PAIRS_OF_A_MATRIX {
            let (x, y) = neighbors(&mut random);
            let (fx, fy) = (step.invoke(&x).unwrap(), step.invoke(&y).unwrap());
            assert!(step.output_domain().member(&fx) && step.output_domain().member(&fy));
            assert_eq!(fx.iter().map(Dyadic::to_gmp_rational).collect::<Vec<_>>(), product(&matrix, &x));
            let Some((x, y)) = as_finite(&x, &y) else { continue };
            let d_in = up(&input.1(&x, &y));
            let (truth, bound) = (output.1(&fx, &fy), step.map(&d_in).unwrap());
            assert!(truth.is_covered_by(bound), "{step:?}: {x:?}, {y:?}: {truth:?} > {bound:e}");
            assert!(d_in > 0.0 || bound == 0.0);
            seen += 1;
            let less = bound.next_down().min(bound * (1.0 - 1e-12));
            attained += u32::from(bound > 0.0 && !truth.is_covered_by(less));
        }
    }
    assert!(attained > 50, "attained {attained} times");
}

macro_rules! from_each {
    ($($name:ident: $metric:expr, $distance:ident, $seed:literal;)+) => {$(
        #[test]
        fn $name() {
            check(($metric, $distance), (L1Distance::new(), l1), $seed);
            check(($metric, $distance), (L2Distance::new(), l2), $seed + 1);
            check(($metric, $distance), (LInfDistance::new(), linf), $seed + 2);
            check(($metric, $distance), (LInfDistance::monotonic(), linf_monotonic), $seed + 3);
        }
    )+};
}

from_each! {
    from_l1: L1Distance::new(), l1, 40;
    from_l2: L2Distance::new(), l2, 44;
    from_linf: LInfDistance::new(), linf, 48;
    from_monotonic_linf: LInfDistance::monotonic(), linf_monotonic, 52;
}
