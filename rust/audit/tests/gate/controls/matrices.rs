//! Negative controls of matrices, of vectors of bounded length, and of columns.

use super::{Family, rows::rows};
use indistinct::{
    core::{MetricSpace, Owned, ToParameter},
    domains::Norm,
    prelude::*,
};
use indistinct_audit::{
    Measured, Report,
    neighbors::{all_pairs, all_vectors},
    stability::stability,
};

type Vectors = VectorDomain<AtomDomain<f64>>;

/// From two numbers to as many as the matrix has rows.
fn matrix<MI, MO>(
    (metric, out): (MI, MO),
    pool: &[f64],
    function: impl Fn(&[f64]) -> Vec<f64> + Send + Sync + 'static,
    norm: f64,
) -> Report
where
    MI: Measured<[f64]> + Metric<Distance = f64>,
    MO: Measured<[f64]> + Metric<Distance = f64> + ToParameter,
    (Vectors, MI): MetricSpace,
    (Vectors, MO): MetricSpace,
{
    let pairs: Vec<Vec<f64>> = all_vectors(pool, 2).into_iter().filter(|vector| vector.len() == 2).collect();
    let of_two = VectorDomain::new(AtomDomain::f64()).with_size(2);
    let map = move |d: &f64| Ok(d * norm);
    let control =
        make_user_transformation(of_two, metric, VectorDomain::new(AtomDomain::f64()), out, function, map).unwrap();
    stability(&control, all_pairs(&pairs))
}

/// Small integers, on which the products of small integers are exact: only the norm is at fault.
const WHOLE: [f64; 4] = [0.0, 1.0, -2.0, 5.0];

fn times(matrix: &'static [[f64; 2]]) -> impl Fn(&[f64]) -> Vec<f64> + Send + Sync + 'static {
    |x| matrix.iter().map(|row| row[0] * x[0] + row[1] * x[1]).collect()
}

fn pairs_of_numbers() -> (Vectors, Vec<Vec<f64>>) {
    let vectors = [[3.0, -4.0], [0.0, 0.0], [-1.0, 0.1], [0.3, 0.6], [1e308, -1e308], [f64::INFINITY, 0.0]];
    (VectorDomain::new(AtomDomain::f64()).with_size(2), vectors.map(Vec::from).into())
}

/// Vectors made short, one by one.
fn clip(norm: Norm, shorter: fn(&[f64]) -> Vec<f64>) -> Report {
    let disk = VectorDomain::new(BallDomain::new(2, norm, 0.7).unwrap());
    clip_all(disk, |vectors, shorter| vectors.iter().map(|vector| shorter(vector)).collect(), shorter)
}

fn clip_all(
    balls: VectorDomain<BallDomain>,
    all: fn(&[Vec<f64>], fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>>,
    shorter: fn(&[f64]) -> Vec<f64>,
) -> Report {
    let metrics = (SymmetricDistance, SymmetricDistance);
    rows(pairs_of_numbers(), balls, metrics, move |vectors: &[Vec<f64>]| all(vectors, shorter), |d| d)
}

fn euclidean(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// As long as 0.7 at most, except rounding.
fn in_proportion(vector: &[f64], length: f64) -> Vec<f64> {
    vector.iter().map(|x| if length > 0.7 { x * (0.7 / length) } else { *x }).collect()
}

/// The greatest length in the data is the unit.
fn by_the_longest(vectors: &[Vec<f64>], _: fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
    let greatest = |vector: &Vec<f64>| vector.iter().fold(0.0, |most, x: &f64| f64::max(most, x.abs().min(1e300)));
    let most = vectors.iter().map(greatest).fold(1.0, f64::max);
    vectors.iter().map(|vector| vector.iter().map(|x| (x.clamp(-1e300, 1e300) / most) * 0.25).collect()).collect()
}

/// Sums of vectors in a ball of radius 5, as floats.
fn sum<MI, MO>((metric, out): (MI, MO), norm: Norm, few: &[[f64; 2]], map: fn(f64) -> f64) -> Report
where
    MI: Measured<[Vec<f64>]> + Metric<Distance = u32>,
    MO: Measured<[f64]> + Metric<Distance = f64> + ToParameter,
    (VectorDomain<BallDomain>, MI): MetricSpace,
    (Vectors, MO): MetricSpace,
{
    let ball = VectorDomain::new(BallDomain::new(2, norm, 5.0).unwrap());
    let function = |vectors: &[Vec<f64>]| {
        vectors.iter().fold(vec![0.0, 0.0], |sums, vector| vec![sums[0] + vector[0], sums[1] + vector[1]])
    };
    let map = move |d: &u32| Ok(map(f64::from(*d)));
    let control =
        make_user_transformation(ball, metric, VectorDomain::new(AtomDomain::f64()), out, function, map).unwrap();
    let few: Vec<Owned<BallDomain>> = few.iter().map(|vector| vector.to_vec()).collect();
    stability(&control, all_pairs(&all_vectors(&few, 3)))
}

type Visits = PairDomain<AtomDomain<u8>, PairDomain<AtomDomain<u8>, AtomDomain<i64>>>;

/// An individual, a place and a cost of at most 9.
fn visits() -> (Visits, Vec<(u8, (u8, i64))>) {
    let costs = AtomDomain::i64().with_bounds((0, 9)).unwrap();
    let visit = PairDomain::new(AtomDomain::u8(), PairDomain::new(AtomDomain::u8(), costs));
    (visit, vec![(1, (20, 5)), (1, (30, 5)), (2, (20, 9)), (2, (30, 0)), (3, (20, 5))])
}

fn costs() -> VectorDomain<AtomDomain<i64>> {
    VectorDomain::new(AtomDomain::i64().with_bounds((0, 9)).unwrap())
}

fn places() -> VectorDomain<PairDomain<AtomDomain<u8>, AtomDomain<i64>>> {
    VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::i64()))
}

pub(super) fn family() -> Family {
    let (l1, l2, linf) = (L1Distance::new, L2Distance::new, LInfDistance::new);
    let (add, replace) = (SymmetricDistance, ChangeOneDistance);
    let products = vec![
        ("matrix: its rows for its columns", matrix((l1(), l1()), &WHOLE, times(&[[3.0, 0.0], [4.0, 0.0]]), 4.0)),
        ("matrix: its columns for its rows", matrix((linf(), linf()), &WHOLE, times(&[[3.0, 4.0], [0.0, 0.0]]), 4.0)),
        ("matrix: its greatest entry in L2", matrix((l2(), l2()), &WHOLE, times(&[[1.0, 1.0], [1.0, 1.0]]), 1.0)),
        ("matrix: its eigenvalue in L2", matrix((l2(), l2()), &WHOLE, times(&[[0.0, 5.0], [0.0, 0.0]]), 0.0)),
        ("matrix: entries of both signs summed", matrix((l1(), l1()), &WHOLE, times(&[[2.0, 0.0], [-2.0, 0.0]]), 0.0)),
        (
            "matrix: a norm rounded down",
            matrix((l2(), l2()), &WHOLE, times(&[[1.0, 1.0], [1.0, -1.0]]), 2f64.sqrt().next_down()),
        ),
        (
            "matrix: rise and fall as one",
            matrix((linf(), LInfDistance::monotonic()), &WHOLE, times(&[[1.0, 0.0], [-1.0, 0.0]]), 1.0),
        ),
        (
            "matrix: half of a row of one sign, for what rises",
            matrix((LInfDistance::monotonic(), linf()), &WHOLE, times(&[[1.0, 1.0]]), 1.0),
        ),
        ("matrix: a Euclidean length as a sum", matrix((l2(), linf()), &WHOLE, times(&[[3.0, 4.0]]), 4.0)),
        (
            "matrix: products summed in floats",
            matrix((l1(), l1()), &[0.0, 9007199254740992.0, 1.0, 1f64.next_up()], times(&[[1.0, 1.0]]), 1.0),
        ),
    ];
    let clips = vec![
        ("clip: rounded to the nearest", clip(Norm::L2, |vector| in_proportion(vector, euclidean(vector)))),
        ("clip: each number, for L2", clip(Norm::L2, |vector| vector.iter().map(|x| x.clamp(-0.7, 0.7)).collect())),
        ("clip: by L2, for L1", clip(Norm::L1, |vector| in_proportion(vector, euclidean(vector) * 1.0001))),
        ("clip: half of the numbers", clip(Norm::LInf, |vector| vec![vector[0].clamp(-0.7, 0.7), vector[1]])),
        ("clip: an infinity over itself", clip(Norm::L2, |vector| in_proportion(vector, euclidean(vector) * 1.0001))),
        (
            "clip: the longest of the data is the unit",
            clip_all(VectorDomain::new(BallDomain::new(2, Norm::LInf, 0.7).unwrap()), by_the_longest, <[f64]>::to_vec),
        ),
    ];
    let sums = vec![
        (
            "vectors: a replaced one as an added one",
            sum((replace, l2()), Norm::L2, &[[3.0, 4.0], [-3.0, -4.0]], |d| 5.0 * d),
        ),
        ("vectors: the length in another norm", sum((add, l1()), Norm::L2, &[[3.0, 4.0], [0.0, 1.0]], |d| 5.0 * d)),
        (
            "vectors: the greatest number as a length",
            sum((add, l2()), Norm::LInf, &[[5.0, 5.0], [0.0, 1.0]], |d| 5.0 * d),
        ),
        (
            "vectors: half of the way from LInf to L1",
            sum((add, l1()), Norm::LInf, &[[5.0, 5.0], [0.0, 1.0]], |d| 5.0 * 2f64.sqrt() * d),
        ),
        ("vectors: one step for all", sum((add, l2()), Norm::L2, &[[3.0, 4.0], [0.0, 5.0]], |d| 5.0 * d.min(1.0))),
        (
            "vectors: in floats, in order of the data",
            sum((add, l2()), Norm::L2, &[[5.0, 0.0], [-5.0, 0.0], [1e-16, 0.0]], |d| 5.0 * d),
        ),
    ];
    let columns = vec![
        (
            "column: in the place of the person",
            rows(
                visits(),
                places(),
                (SymmetricIdDistance, SymmetricIdDistance),
                |rows| rows.iter().map(|row| row.1).collect(),
                |d| d,
            ),
        ),
        (
            "column: rows without their person",
            rows(visits(), costs(), (SymmetricIdDistance, add), |rows| rows.iter().map(|row| row.1.1).collect(), |d| d),
        ),
        (
            "column: the domain of another one",
            rows(visits(), costs(), (add, add), |rows| rows.iter().map(|row| row.1.0.into()).collect(), |d| d),
        ),
        (
            "column: of the row before",
            rows(
                visits(),
                costs(),
                (add, add),
                |rows| rows.iter().skip(1).zip(rows).map(|(_, before)| before.1.1).collect(),
                |d| d,
            ),
        ),
    ];
    let sound = vec![
        ("matrix, columns", matrix((l1(), l1()), &WHOLE, times(&[[3.0, 0.0], [4.0, 0.0]]), 7.0)),
        ("matrix, rows", matrix((linf(), linf()), &WHOLE, times(&[[3.0, 4.0], [0.0, 0.0]]), 7.0)),
        ("matrix, L2", matrix((l2(), l2()), &WHOLE, times(&[[1.0, 1.0], [1.0, -1.0]]), 2f64.sqrt())),
        ("clip", clip(Norm::LInf, |vector| vector.iter().map(|x| x.clamp(-0.7, 0.7)).collect())),
        ("vectors", sum((add, l2()), Norm::L2, &[[3.0, 4.0], [0.0, 5.0]], |d| 5.0 * d)),
        ("vectors, replaced", sum((replace, l2()), Norm::L2, &[[3.0, 4.0], [-3.0, -4.0]], |d| 10.0 * d)),
        ("column", rows(visits(), costs(), (add, add), |rows| rows.iter().map(|row| row.1.1).collect(), |d| d)),
        (
            "column of persons",
            rows(
                visits(),
                places(),
                (SymmetricIdDistance, SymmetricIdDistance),
                |rows| rows.iter().map(|row| (row.0, row.1.1)).collect(),
                |d| d,
            ),
        ),
    ];
    Family { controls: [products, clips, sums, columns].into_iter().flatten().collect(), sound }
}
