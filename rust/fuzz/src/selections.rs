//! The best of some candidates.

use crate::{
    Source, exercise,
    record::make,
    spaces::{each_metric, float_domain, floats_for, integer_domain, integers_for, one_of, rows_of},
};
use indistinct::prelude::*;

pub(crate) fn run(source: &mut Source) {
    match source.below(4) {
        0 => of_floats(source),
        1 => of_integers(source),
        2 => bounds(source),
        _ => quantile(source),
    }
}

macro_rules! select {
    ($source:ident, $scores:ident, $data:ident) => {
        let metric = if $source.coin() { LInfDistance::new() } else { LInfDistance::monotonic() };
        let scale = $source.mostly_plain();
        one_of!($source: [MaxDivergence, RangeDivergence, ZeroConcentratedDivergence] |measure| {
            let (scores, metric) = ($scores.clone(), metric.clone());
            match $source.below(4) {
                0 => {
                    let best = make!(make_noisy_max(scores, metric, measure, scale));
                    let chosen = best.as_ref().and_then(|best| exercise::release($source, best, &$data));
                    assert!(chosen.is_none_or(|chosen| chosen < $data.len()));
                    exercise::measurement(best, $source, &$data);
                }
                1 => {
                    let k = $source.size();
                    let best = make!(make_noisy_top_k(scores, metric, measure, k, scale));
                    let chosen = best.as_ref().and_then(|best| exercise::release($source, best, &$data));
                    assert!(chosen.is_none_or(|chosen| chosen.len() == k && chosen.iter().all(|i| *i < $data.len())));
                    exercise::measurement(best, $source, &$data);
                }
                2 => exercise::measurement(make!(make_exponential(scores, metric, measure, scale)), $source, &$data),
                _ => exercise::measurement(make!(make_permute_and_flip(scores, metric, scale)), $source, &$data),
            }
        });
    };
}

fn of_floats(source: &mut Source) {
    let element = float_domain(source);
    let data = floats_for(source, &element, 5);
    let scores = rows_of(source, element, data.len());
    select!(source, scores, data);
}

fn of_integers(source: &mut Source) {
    let element = integer_domain(source);
    let data = integers_for(source, &element, 5);
    let scores = rows_of(source, element, data.len());
    select!(source, scores, data);
}

fn bounds(source: &mut Source) {
    let exponents = (i32::from(source.byte()) - 128, i32::from(source.byte()) - 128);
    let (scale, empty_passes) = (source.mostly_plain(), source.probability());
    if source.coin() {
        let element = float_domain(source);
        let data = floats_for(source, &element, 5);
        let rows = rows_of(source, element, data.len());
        each_metric!(source: |metric| {
            let bounds = make!(make_private_bounds(rows.clone(), metric, exponents, scale, empty_passes));
            exercise::measurement(bounds, source, &data)
        });
    } else {
        let element = integer_domain(source);
        let data = integers_for(source, &element, 5);
        let rows = rows_of(source, element, data.len());
        each_metric!(source: |metric| {
            let bounds = make!(make_private_bounds(rows.clone(), metric, exponents, scale, empty_passes));
            exercise::measurement(bounds, source, &data)
        });
    }
}

fn quantile(source: &mut Source) {
    let element = float_domain(source);
    let data = floats_for(source, &element, 5);
    let rows = rows_of(source, element, data.len());
    let candidates = source.rising(4);
    let (alpha, scale) = (source.probability(), source.mostly_plain());
    each_metric!(source: |metric| one_of!(source: [MaxDivergence, RangeDivergence, ZeroConcentratedDivergence] |measure| {
        let (rows, candidates) = (rows.clone(), candidates.clone());
        let quantile = make!(make_private_quantile(rows, metric, measure, candidates, alpha, scale));
        exercise::measurement(quantile, source, &data)
    }));
}
