//! Negative controls of selections and of sparse vectors: distributions by their formulas against maps that are too
//! small.

use super::Family;
use crate::{
    crowds::{Crowd, left_out},
    formulas, reals,
};
use indistinct::{core::ToParameter, prelude::*, sampling::Entropy};
use indistinct_audit::{Claims, Law, Report, Seen, exact::compare_laws, neighbors::all_vectors};
use std::collections::BTreeMap;

/// Of three scores; the distributions are given, so that nothing is drawn.
fn select<MO: Claims + ToParameter>(
    (metric, measure): (LInfDistance, MO),
    law: fn(&[f64], f64) -> Law,
    map: fn(f64) -> MO::Distance,
) -> Report {
    let scores = VectorDomain::new(AtomDomain::f64()).with_size(3);
    let never = |_: &[f64], _: &mut dyn Entropy| Ok(0usize);
    let control = make_user_measurement(scores, metric, measure, never, move |d_in: &f64| Ok(map(*d_in))).unwrap();
    let inputs = all_vectors(&[0.0, 1.0, 2.0], 3).into_iter().filter(|scores| scores.len() == 3);
    compare_laws("formula", &control, &inputs.map(|scores| (scores.clone(), law(&scores, 1.0))).collect::<Vec<_>>())
}

/// Of the responses to four queries, by a sparse vector that lets through `limit` positive ones and is claimed to let
/// through one.
fn sparse(limit: u32, scales: (f64, f64), claimed: f64) -> Report {
    let never = |_: &i64, _: &mut dyn Entropy| Ok(false);
    let (domain, metric) = (AtomDomain::i64(), AbsoluteDistance::new());
    let control = make_user_measurement(domain, metric, MaxDivergence, never, move |d_in: &f64| Ok(d_in * claimed));
    let law = |x: i64| formulas::sparse_vector(&[-x, x, x, -x, x, x, x, x], 0, limit, scales, 40);
    compare_laws("formula", &control.unwrap(), &[(0, law(0)), (1, law(1))])
}

/// Eight responses of false to queries that rise, then one of true to a query that falls, which releases its number:
/// with the noise that it was compared with (Lyu, Su, Li 2017, Algorithm 3), or with fresh noise.
fn releasing(fresh: bool) -> Report {
    let never = |_: &i64, _: &mut dyn Entropy| Ok(0i64);
    let (domain, metric) = (AtomDomain::i64(), AbsoluteDistance::new());
    // 1 for the threshold, 2 / 2 for the positive response, 1 / 2 for its number.
    let control = make_user_measurement(domain, metric, MaxDivergence, never, |d_in: &f64| Ok(2.5 * d_in)).unwrap();
    let law = |x: i64| formulas::releasing_sparse_vector(&[x; 8], -x, (1.0, 2.0), 60, fresh);
    compare_laws("formula", &control, &[(0, law(0)), (1, law(1))])
}

/// Of 65 winners, by the claim of so many.
fn many(rounds: f64) -> Report {
    let crowd = Crowd { others: 65, above: 17, winners: 65 };
    let never = |_: &[i64], _: &mut dyn Entropy| Ok(Vec::<usize>::new());
    let claim = move |d_in: &f64| Ok((rounds * 2.0 * d_in / crate::selection::SCALE).next_up());
    left_out(&make_user_measurement(crowd.domain(), LInfDistance::new(), MaxDivergence, never, claim).unwrap(), crowd)
}

/// Of responses to queries with real values, eight of false and two of true, by a claim.
fn sparse_on_floats(claimed: f64) -> Report {
    let never = |_: &f64, _: &mut dyn Entropy| Ok(false);
    let (domain, metric) = (AtomDomain::f64(), AbsoluteDistance::new());
    let control = make_user_measurement(domain, metric, MaxDivergence, never, move |d_in: &f64| Ok(d_in * claimed));
    let law = |x: f64| {
        let values = [vec![0.5 + x; 8], vec![0.25 - x; 2]].concat();
        (x, reals::real_sparse_vector(&values, 0.5, 2, (1, 2)))
    };
    compare_laws("formula", &control.unwrap(), &[law(0.0), law(1.0)])
}

/// Of the keys whose coins fall true for so many individuals, of one key or of two, by a claim about them.
fn keys(coin: fn(i64) -> i64, claimed: fn(&(u32, f64, f64)) -> (f64, f64)) -> Report {
    let maps = MapDomain::new(AtomDomain::u8(), AtomDomain::i64());
    let never = |_: &BTreeMap<u8, i64>, _: &mut dyn Entropy| Ok(Vec::<u8>::new());
    let claim = move |d_in: &(u32, f64, f64)| Ok(claimed(d_in));
    let control = make_user_measurement(maps, L01InfDistance, Approximate(MaxDivergence), never, claim).unwrap();
    let law = |n: i64, other: i64| {
        let numbers = [(1, coin(n)), (2, coin(other))];
        (BTreeMap::from([(1, n), (2, other)]), formulas::selected_keys((1.0, 0.01), &numbers))
    };
    let all = (0..8).flat_map(|n| [0, 1].map(|other| law(n, other)));
    compare_laws("formula", &control, &all.collect::<Vec<_>>())
}

/// Of the bins that pass, of four rows in two of them with noise of scale 2, where rows are replaced, by a claim.
fn bins(claimed: fn(f64) -> f64) -> Report {
    let rows = VectorDomain::new(AtomDomain::u8());
    let never = |_: &[u8], _: &mut dyn Entropy| Ok(0usize);
    let claim = move |d_in: &u32| Ok(claimed(f64::from(*d_in)));
    let control = make_user_measurement(rows, HammingDistance, MaxDivergence, never, claim).unwrap();
    let law = |ones: i64| {
        let rows: Vec<u8> = (0..4).map(|row| u8::from(row < ones)).collect();
        (rows, formulas::bounds(2, 2.0, [4 - ones, ones]))
    };
    compare_laws("formula", &control, &(0..=4).map(law).collect::<Vec<_>>())
}

/// The delta of so many steps in one key.
fn of_steps(steps: f64) -> f64 {
    0.01 * steps.exp_m1() / 1f64.exp_m1() * (1.0 + 1e-12)
}

pub(super) fn family() -> Family {
    let plain = LInfDistance::new;
    let range = |scores: &[f64], scale: f64| formulas::exponential(scores, scale);
    let controls = vec![
        ("exponential: a forgotten factor of two", select((plain(), RangeDivergence), range, |d| d)),
        ("exponential: monotonic under the plain distance", select((plain(), MaxDivergence), range, |d| d)),
        (
            "exponential: rho of half of the range",
            select((plain(), ZeroConcentratedDivergence), range, |d| d * d / 8.0),
        ),
        (
            "exponential: the scale of another",
            select((plain(), RangeDivergence), |scores, _| formulas::exponential(scores, 0.9), |d| 2.0 * d),
        ),
        ("exponential: the best, always", select((plain(), MaxDivergence), best, |d| 2.0 * d)),
        (
            "permute and flip: a forgotten factor of two",
            select((plain(), MaxDivergence), formulas::permute_and_flip, |d| d),
        ),
        (
            "permute and flip: as a range",
            select((plain(), RangeDivergence), formulas::permute_and_flip, |d| 2.0 * d * 0.95),
        ),
        ("top two: the loss of one", select((plain(), MaxDivergence), formulas::top_two, |d| 2.0 * d)),
        ("top two: the range of one", select((plain(), RangeDivergence), formulas::top_two, |d| 2.0 * d)),
        ("top two: rho of one", select((plain(), ZeroConcentratedDivergence), formulas::top_two, |d| d * d / 2.0)),
        ("sparse vector: as many positive answers as come", sparse(8, (1.0, 2.0), 2.0)),
        ("sparse vector: the limit counts twice as far", sparse(4, (1.0, 1.0), 3.0)),
        ("sparse vector: no noise on the values", sparse(1, (1.0, 0.01), 1.0)),
        ("sparse vector: no noise on the threshold", sparse(8, (0.01, 2.0), 1.0)),
        ("top 65: the loss of 64", many(64.0)),
        ("sparse vector on floats: each answer of true counts half", sparse_on_floats(2.0)),
        ("sparse vector on floats: without the noise on the threshold", sparse_on_floats(2.0 + 0.5)),
        ("sparse vector: a released answer has the noise that it was compared with", releasing(false)),
        (
            "keys: a coin for one individual more",
            keys(|n| if n > 0 { n + 1 } else { 0 }, |d| (d.1, d.1 * of_steps(d.2))),
        ),
        ("keys: a key that nobody has is released as well", keys(|n| n + 1, |_| (1.0, 0.0))),
        ("private bounds: a replaced row counts once", bins(|d| d / 2.0)),
        ("keys: two steps in one key cost as two in two", keys(|n| n, |d| (d.1, d.1 * of_steps(1.0)))),
        ("keys: steps in one key cost one epsilon", keys(|n| n, |d| (1.0, d.1 * of_steps(1.0)))),
        ("keys: all keys cost the delta of one", keys(|n| n, |d| (d.1, of_steps(d.2)))),
    ];
    let sound = vec![
        ("private bounds", bins(|d| d)),
        ("keys", keys(|n| n, |d| (d.1, d.1 * of_steps(d.2)))),
        ("exponential", select((plain(), RangeDivergence), range, |d| 2.0 * d)),
        ("permute and flip", select((plain(), MaxDivergence), formulas::permute_and_flip, |d| 2.0 * d)),
        ("top two", select((plain(), RangeDivergence), formulas::top_two, |d| 6.0 * d)),
        ("top 65", many(65.0)),
        ("sparse vector on floats", sparse_on_floats(3.0)),
        ("sparse vector", sparse(1, (1.0, 2.0), 2.0)),
        ("sparse vector, with a number of its own", releasing(true)),
    ];
    Family { controls, sound }
}

/// The position of the greatest score, without noise.
fn best(scores: &[f64], _: f64) -> Law {
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let position = scores.iter().position(|score| *score == most).unwrap();
    Law::new([(position.key(), formulas::number(1.0))])
}
