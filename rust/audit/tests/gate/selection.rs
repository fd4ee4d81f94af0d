//! Selections: by the laws of their mechanisms, and draws that follow them.

use super::{Row, formulas, support::*, tight};
use indistinct::prelude::*;
use indistinct_audit::{Key, Law, Report, Seen, neighbors::all_vectors, stability::ladder_of_numbers};

pub(crate) const ROWS: &[Row] = &[
    tight("make_exponential", exponential),
    tight("make_noisy_max", noisy_max),
    tight("make_noisy_top_k", top_k),
    tight("make_permute_and_flip", permute_and_flip),
    tight("make_private_quantile", quantile),
];

const SCALE: f64 = 1.5;

fn scores() -> VectorDomain<AtomDomain<i64>> {
    VectorDomain::new(AtomDomain::i64()).with_size(3)
}

/// All vectors of three scores from 0 to 2: a finer domain would only repeat differences.
fn vectors() -> Vec<Vec<i64>> {
    all_vectors(&[0, 1, 2], 3).into_iter().filter(|scores| scores.len() == 3).collect()
}

fn floats(scores: &[i64]) -> Vec<f64> {
    scores.iter().map(|score| f64::from(i32::try_from(*score).unwrap())).collect()
}

fn metrics() -> [LInfDistance; 2] {
    [LInfDistance::new(), LInfDistance::monotonic()]
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

fn exponential() -> Report {
    all(metrics().map(|metric| {
        let pure = make_exponential(scores(), metric.clone(), MaxDivergence, SCALE).unwrap();
        let range = make_exponential(scores(), metric.clone(), RangeDivergence, SCALE).unwrap();
        let rho = make_exponential(scores(), metric, ZeroConcentratedDivergence, SCALE).unwrap();
        let law = formulas::exponential;
        at_all(&pure, law).and(at_all(&range, law)).and(at_all(&rho, law))
    }))
}

fn noisy_max() -> Report {
    all(metrics().map(|metric| {
        // Each measure has the noise that suits it.
        let pure = make_noisy_max(scores(), metric.clone(), MaxDivergence, SCALE).unwrap();
        let range = make_noisy_max(scores(), metric.clone(), RangeDivergence, SCALE).unwrap();
        let rho = make_noisy_max(scores(), metric, ZeroConcentratedDivergence, SCALE).unwrap();
        at_all(&pure, formulas::permute_and_flip)
            .and(at_all(&range, formulas::exponential))
            .and(at_all(&rho, formulas::exponential))
    }))
}

fn permute_and_flip() -> Report {
    all(metrics()
        .map(|metric| at_all(&make_permute_and_flip(scores(), metric, SCALE).unwrap(), formulas::permute_and_flip)))
}

fn top_k() -> Report {
    all(metrics().map(|metric| {
        let pure = make_noisy_top_k(scores(), metric.clone(), MaxDivergence, 2, SCALE).unwrap();
        let range = make_noisy_top_k(scores(), metric.clone(), RangeDivergence, 2, SCALE).unwrap();
        let rho = make_noisy_top_k(scores(), metric.clone(), ZeroConcentratedDivergence, 2, SCALE).unwrap();
        let one = make_noisy_top_k(scores(), metric, RangeDivergence, 1, SCALE).unwrap();
        let single = |scores: &[f64], scale: f64| {
            formulas::exponential(scores, scale).image(|position| Key::List(vec![position.clone()]))
        };
        at_all(&pure, formulas::top_two)
            .and(at_all(&range, formulas::top_two))
            .and(at_all(&rho, formulas::top_two))
            .and(at_all(&one, single))
    }))
}

fn quantile() -> Report {
    let candidates = vec![1, 2, 4];
    let law = |alpha: f64, rows: &[i32]| {
        let count = |test: &dyn Fn(&i32) -> bool| rows.iter().filter(|row| test(row)).fold(0.0, |n, _| n + 1.0);
        let score = |c: &i32| -((1.0 - alpha) * count(&|row| row < c) - alpha * count(&|row| row > c)).abs();
        let scores: Vec<f64> = candidates.iter().map(score).collect();
        formulas::exponential(&scores, 2.0).image(|position| match position {
            Key::Number(position) => candidates[usize::try_from(*position).unwrap()].key(),
            other => other.clone(),
        })
    };
    let inputs = all_vectors(&[0, 2, 5], 2);
    all([0.0, 0.25, 0.5, 0.875].map(|alpha| {
        let rows = || VectorDomain::new(AtomDomain::i32());
        let make = || (RangeDivergence, candidates.clone(), alpha, 2.0);
        let (measure, list, level, scale) = make();
        let added = make_private_quantile(rows(), SymmetricDistance, measure, list, level, scale).unwrap();
        let (measure, list, level, scale) = make();
        let replaced = make_private_quantile(rows(), HammingDistance, measure, list, level, scale).unwrap();
        by_formula(&added, &inputs, |rows| law(alpha, rows), same)
            .and(by_formula(&replaced, &inputs, |rows| law(alpha, rows), same))
            .and(rises(&added, &[0, 1, 2, 3, u32::MAX], &0.0))
    }))
}
