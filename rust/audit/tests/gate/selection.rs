//! Selections: by the distributions of their mechanisms, and draws that follow them.

use super::{crowds::many_winners, formulas, support::*};
use indistinct::{
    numeric::{Dyadic, RoundedFrom},
    prelude::*,
    sampling::Entropy,
};
use indistinct_audit::{
    Key, Law, Report, Seen, exact::compare_laws, neighbors::all_vectors, stability::ladder_of_numbers,
};

rows! {
    tight make_exponential: exponential;
    tight make_noisy_max: noisy_max;
    tight make_noisy_top_k: top_k;
    tight make_permute_and_flip: permute_and_flip;
    tight make_private_bounds: bounds;
    tight make_private_quantile: quantile;
}

pub(crate) const SCALE: f64 = 1.5;

fn scores() -> VectorDomain<AtomDomain<i64>> {
    scores_of(3)
}

/// All vectors of three scores from 0 to 2: a finer domain would only repeat differences. And one score so far above
/// the others that it has nearly all of the weight: the whole loss is that of the others, where they move up and it
/// down (or it alone, where none may fall).
fn vectors() -> Vec<Vec<i64>> {
    let few = all_vectors(&[0, 1, 2], 3).into_iter().filter(|scores| scores.len() == 3);
    few.chain([vec![0, 0, 20], vec![1, 1, 19], vec![0, 0, 21]]).collect()
}

fn floats(scores: &[i64]) -> Vec<f64> {
    scores.iter().map(|score| f64::from(i32::try_from(*score).unwrap())).collect()
}

fn metrics() -> [LInfDistance; 2] {
    [LInfDistance::new(), LInfDistance::monotonic()]
}

/// Eleven scores, the last of which is so much greater that it is selected half of the time: where a scale that is off
/// by three parts in a hundred moves the distribution most, by two of them.
fn uneven() -> Vec<f64> {
    [vec![0.0; 10], vec![3.5]].concat()
}

/// Enough to show that at uneven scores. In `make test` that is shown of `f64` alone.
const DRAWS: u64 = 131_072;

/// Scores that are not integers, of each type that is none, as floats: draws against the distribution at ordinary
/// scores and at uneven ones.
fn on_fractions<MO, TO: Seen + 'static>(
    make: (
        impl Fn(VectorDomain<AtomDomain<f64>>) -> Measurement<VectorDomain<AtomDomain<f64>>, TO, LInfDistance, MO>,
        impl Fn(VectorDomain<AtomDomain<f32>>) -> Measurement<VectorDomain<AtomDomain<f32>>, TO, LInfDistance, MO>,
        impl Fn(VectorDomain<AtomDomain<Dyadic>>) -> Measurement<VectorDomain<AtomDomain<Dyadic>>, TO, LInfDistance, MO>,
    ),
    law: fn(&[f64], f64) -> Law,
) -> Report
where
    MO: indistinct_audit::Claims,
{
    let inputs = [vec![0.0, 0.5, -0.5], vec![0.0, 1.5, 0.25], vec![1.0, -1.0, 2.0]];
    let law = |scores: &Vec<f64>| law(scores, SCALE);
    let far = [vec![0.5, 0.25, 30.5], vec![1.5, 1.25, 29.5]];
    let laws: Vec<(Vec<f64>, Law)> = inputs.iter().chain(&far).map(|scores| (scores.clone(), law(scores))).collect();
    let few = make.0(VectorDomain::new(AtomDomain::f64()).with_size(3));
    let report = part(0.95, compare_laws("formula", &few, &laws));
    let inputs = [inputs.to_vec(), vec![uneven()]].concat();
    macro_rules! draws {
        ($make:expr, $atom:expr, $number:expr, $inputs:expr, $draws:expr) => {{
            let by_size = [3, 11].map(|size| $make(VectorDomain::new($atom).with_size(size)));
            let run = |scores: &Vec<f64>, entropy: &mut dyn Entropy| {
                let noisy = if scores.len() == 3 { &by_size[0] } else { &by_size[1] };
                let scores: Vec<_> = scores.iter().map($number).collect();
                Ok(noisy.invoke_with(&scores, entropy)?.key())
            };
            let (few, uneven) = $inputs.split_at($inputs.len() - 1);
            fit((&run, share(DRAWS)), few, law, &[]).and(fit((&run, $draws), uneven, law, &[]))
        }};
    }
    report
        .and(draws!(make.0, AtomDomain::f64(), |x: &f64| *x, inputs, DRAWS))
        .and(draws!(make.1, AtomDomain::f32(), |x: &f64| f32::nearest_from(x).unwrap(), inputs[1..], share(DRAWS)))
        .and(draws!(make.2, AtomDomain::dyadic(), |x: &f64| Dyadic::from_f64(*x).unwrap(), inputs[1..], share(DRAWS)))
}

/// The same of integers, at uneven scores alone.
pub(crate) fn on_uneven<MO, TO: Seen + 'static>(
    measurement: &Measurement<VectorDomain<AtomDomain<i64>>, TO, LInfDistance, MO>,
    law: fn(&[f64], f64) -> Law,
) -> Report
where
    MO: indistinct_audit::Claims,
{
    let run = |scores: &Vec<i64>, entropy: &mut dyn Entropy| Ok(measurement.invoke_with(scores, entropy)?.key());
    fit((&run, DRAWS), &[[vec![0; 10], vec![4]].concat()], |scores| law(&floats(scores), SCALE), &[])
}

pub(crate) fn eleven() -> VectorDomain<AtomDomain<i64>> {
    scores_of(11)
}

/// A formula with few draws at each of many inputs.
fn at_all<MO: indistinct_audit::Claims, TO: Seen + 'static>(
    measurement: &Measurement<VectorDomain<AtomDomain<i64>>, TO, LInfDistance, MO>,
    law: fn(&[f64], f64) -> Law,
) -> Report
where
    MO::Distance: Default,
{
    by_formula(measurement, &vectors(), |scores| law(&floats(scores), SCALE), same).and(rises(
        measurement,
        &ladder_of_numbers(),
        &MO::Distance::default(),
    ))
}

/// A constructor on each type of scores that are not integers.
macro_rules! each_type {
    (|$scores:ident| $make:expr) => {
        (
            |$scores: VectorDomain<AtomDomain<f64>>| $make.unwrap(),
            |$scores: VectorDomain<AtomDomain<f32>>| $make.unwrap(),
            |$scores: VectorDomain<AtomDomain<Dyadic>>| $make.unwrap(),
        )
    };
}

/// A scale at which a range is small.
const WIDE: f64 = 24.0;

/// Rho is an eighth of the square of the range for each winner, which is attained as the range falls: of equal scores
/// one half rises and the other falls, or one rises, and what is left after the first are nearly halves too.
fn small_losses() -> Report {
    parts(
        0.95,
        metrics().map(|metric| {
            let other = if metric == LInfDistance::new() { -1 } else { 0 };
            let top = make_noisy_top_k(scores_of(8), metric, ZeroConcentratedDivergence, 2, WIDE).unwrap();
            let laws = [vec![0; 8], [vec![1; 4], vec![other; 4]].concat()].map(|scores| {
                let law = formulas::top_two(&floats(&scores), WIDE);
                (scores, law)
            });
            compare_laws("formula", &top, &laws)
        }),
    )
}

/// The range of two winners, three times that of one: the first, which has nearly all weight, falls and the second
/// rises. A low one that rises before the second is the greatest loss, and the first before a low one that falls the
/// least.
fn range_of_two() -> Report {
    parts(
        0.95,
        metrics().map(|metric| {
            let moved = if metric == LInfDistance::new() { vec![59, 31, 1, -1] } else { vec![60, 31, 1, 0] };
            let top = make_noisy_top_k(scores_of(4), metric, RangeDivergence, 2, SCALE).unwrap();
            let laws = [vec![60, 30, 0, 0], moved].map(|scores| {
                let law = formulas::top_two(&floats(&scores), SCALE);
                (scores, law)
            });
            compare_laws("formula", &top, &laws)
        }),
    )
}

fn scores_of(size: usize) -> VectorDomain<AtomDomain<i64>> {
    VectorDomain::new(AtomDomain::i64()).with_size(size)
}

fn exponential() -> Report {
    all(metrics().map(|metric| {
        let pure = make_exponential(scores(), metric, MaxDivergence, SCALE).unwrap();
        let range = make_exponential(scores(), metric, RangeDivergence, SCALE).unwrap();
        let rho = make_exponential(scores(), metric, ZeroConcentratedDivergence, SCALE).unwrap();
        let law = formulas::exponential;
        parts(0.95, [at_all(&pure, law), at_all(&range, law), at_all(&rho, law)])
    }))
    .and(on_uneven(
        &make_exponential(eleven(), LInfDistance::new(), RangeDivergence, SCALE).unwrap(),
        formulas::exponential,
    ))
    .and(on_fractions(
        each_type!(|scores| make_exponential(scores, LInfDistance::new(), MaxDivergence, SCALE)),
        formulas::exponential,
    ))
}

fn noisy_max() -> Report {
    all(metrics().map(|metric| {
        // Each measure has the noise that suits it.
        let pure = make_noisy_max(scores(), metric, MaxDivergence, SCALE).unwrap();
        let range = make_noisy_max(scores(), metric, RangeDivergence, SCALE).unwrap();
        let rho = make_noisy_max(scores(), metric, ZeroConcentratedDivergence, SCALE).unwrap();
        let gumbel = [at_all(&range, formulas::exponential), at_all(&rho, formulas::exponential)];
        part(0.95, at_all(&pure, formulas::permute_and_flip)).and(parts(0.95, gumbel))
    }))
    .and(on_uneven(
        &make_noisy_max(eleven(), LInfDistance::new(), MaxDivergence, SCALE).unwrap(),
        formulas::permute_and_flip,
    ))
    .and(on_uneven(
        &make_noisy_max(eleven(), LInfDistance::new(), RangeDivergence, SCALE).unwrap(),
        formulas::exponential,
    ))
    .and(on_fractions(
        each_type!(|scores| make_noisy_max(scores, LInfDistance::new(), MaxDivergence, SCALE)),
        formulas::permute_and_flip,
    ))
}

fn permute_and_flip() -> Report {
    parts(
        0.95,
        metrics()
            .map(|metric| at_all(&make_permute_and_flip(scores(), metric, SCALE).unwrap(), formulas::permute_and_flip)),
    )
    .and(on_uneven(&make_permute_and_flip(eleven(), LInfDistance::new(), SCALE).unwrap(), formulas::permute_and_flip))
    .and(on_fractions(
        each_type!(|scores| make_permute_and_flip(scores, LInfDistance::new(), SCALE)),
        formulas::permute_and_flip,
    ))
}

fn top_k() -> Report {
    all(metrics().map(|metric| {
        let pure = make_noisy_top_k(scores(), metric, MaxDivergence, 2, SCALE).unwrap();
        let range = make_noisy_top_k(scores(), metric, RangeDivergence, 2, SCALE).unwrap();
        let rho = make_noisy_top_k(scores(), metric, ZeroConcentratedDivergence, 2, SCALE).unwrap();
        let one = make_noisy_top_k(scores(), metric, RangeDivergence, 1, SCALE).unwrap();
        let single = |scores: &[f64], scale: f64| {
            formulas::exponential(scores, scale).image(|position| Key::List(vec![position.clone()]))
        };
        parts(0.95, [at_all(&pure, formulas::top_two), at_all(&one, single)])
            // Three scores do not attain the range of two winners, nor these the rho: see below.
            .and(part(0.65, at_all(&range, formulas::top_two)))
            .and(part(0.8, at_all(&rho, formulas::top_two)))
    }))
    .and(range_of_two())
    .and(small_losses())
    .and(on_uneven(
        &make_noisy_top_k(eleven(), LInfDistance::new(), RangeDivergence, 2, SCALE).unwrap(),
        formulas::top_two,
    ))
    .and(on_fractions(
        each_type!(|scores| make_noisy_top_k(scores, LInfDistance::new(), MaxDivergence, 2, SCALE)),
        formulas::top_two,
    ))
    .and(many_winners())
}

/// Four bins, of which each passes by itself: of rows that lie in three of them, one of these beyond the grid.
fn bounds() -> Report {
    let scale = 2.0;
    let q = (-1f64 / scale).exp();
    all([0.25, 0.01].map(|chosen: f64| {
        // The least integer with `q^m / (1 + q)` not above the probability, which is far from both.
        let threshold = i64::nearest_from(&(scale * (1.0 / (chosen * (1.0 + q))).ln()).ceil()).unwrap();
        let law = |bins: &dyn Fn(usize) -> i64| formulas::bounds(threshold, scale, [0, 1, 2, 3].map(bins));
        let floats = || VectorDomain::new(AtomDomain::f64());
        let added = make_private_bounds(floats(), SymmetricDistance, (0, 1), scale, chosen).unwrap();
        let replaced = make_private_bounds(floats(), HammingDistance, (0, 1), scale, chosen).unwrap();
        let of_floats = |rows: &Vec<f64>| {
            let row = [-1e300, f64::NAN, 0.0, 1.0];
            law(&|bin| i64::try_from(rows.iter().filter(|x| **x == row[bin]).count()).unwrap())
                .image(|ends| grid_of(ends, &[-2.0, -1.0, 0.0, 1.0, 2.0]))
        };
        let whole = make_private_bounds(VectorDomain::new(AtomDomain::i64()), SymmetricDistance, (0, 1), scale, chosen);
        let of_integers = |rows: &Vec<i64>| {
            let row = [-2, -1, 0, 7];
            law(&|bin| i64::try_from(rows.iter().filter(|x| **x == row[bin]).count()).unwrap())
                .image(|ends| grid_of(ends, &[-2i64, -1, 0, 1, 2]))
        };
        // So many rows in one bin that it passes nearly always: one less makes it fail as much more often as one more
        // makes an empty bin pass.
        let many = vec![-1e300; usize::try_from(threshold).unwrap() + 1];
        let moved = [0.0, 1.0, -1e300].map(|last| [many.clone(), vec![last]].concat());
        let few = [all_vectors(&[-1e300, 0.0, 1.0], 2), moved.to_vec()].concat();
        let integers = all_vectors(&[-1, 7], 3);
        part(0.95, by_formula(&added, &few, of_floats, same))
            .and(part(0.95, by_formula(&replaced, &few, of_floats, same)))
            .and(part(0.95, by_formula(&whole.unwrap(), &integers, of_integers, same)))
            .and(rises(&added, &[0, 1, 2, 3, u32::MAX], &0.0))
            .and(rises(&replaced, &[0, 1, 2, 3, 1 << 30], &0.0))
    }))
}

/// Positions in a grid as its numbers.
fn grid_of<T: Seen + Clone>(ends: &Key, grid: &[T]) -> Key {
    match ends {
        Key::List(ends) if ends.len() == 2 => {
            let end = |at: usize| match &ends[at] {
                Key::Number(position) => grid[usize::try_from(*position).unwrap()].clone(),
                other => panic!("no position: {other}"),
            };
            Some((end(0), end(1))).key()
        }
        _ => None::<(T, T)>.key(),
    }
}

fn quantile() -> Report {
    let candidates = vec![1, 2, 4];
    let law = |alpha: f64, rows: &[i32]| {
        let count = |test: &dyn Fn(&i32) -> bool| rows.iter().filter(|row| test(row)).fold(0.0, |n, _| n + 1.0);
        let level = alpha * count(&|_| true);
        let excess = |c: &i32| (count(&|row| row < c) - level).max(level - count(&|row| row <= c));
        let score = |c: &i32| -excess(c).max(0.0);
        let scores: Vec<f64> = candidates.iter().map(score).collect();
        formulas::exponential(&scores, 2.0).image(|position| match position {
            Key::Number(position) => candidates[usize::try_from(*position).unwrap()].key(),
            other => other.clone(),
        })
    };
    // Few rows; and so many between two candidates, or on one, that the scores beside them move as far as they may.
    let longer = |row: i32| [vec![], vec![0], vec![5]].map(|last| [vec![row; 8], last].concat());
    let inputs = all_vectors(&[0, 2, 5], 2).into_iter().chain(longer(2)).chain(longer(3));
    let inputs: Vec<Vec<i32>> = inputs.collect();
    all([0.0, 0.25, 0.5, 0.875].map(|alpha| {
        let rows = || VectorDomain::new(AtomDomain::i32());
        let make = || (RangeDivergence, candidates.clone(), alpha, 2.0);
        let (measure, list, level, scale) = make();
        let added = make_private_quantile(rows(), SymmetricDistance, measure, list, level, scale).unwrap();
        let (measure, list, level, scale) = make();
        let replaced = make_private_quantile(rows(), HammingDistance, measure, list, level, scale).unwrap();
        // Scores of the least quantile fall with each row, or stay: half of the range of those that rise and fall.
        let floor = if alpha == 0.0 { 0.45 } else { 0.95 };
        part(floor, by_formula(&added, &inputs, |rows| law(alpha, rows), same))
            .and(part(floor, by_formula(&replaced, &inputs, |rows| law(alpha, rows), same)))
            .and(rises(&added, &[0, 1, 2, 3, u32::MAX], &0.0))
    }))
}
