//! Steps from rows to numbers, and chains of them with noise.

use crate::{
    Source, exercise,
    record::{make, told},
    spaces::{bounded_floats, each_metric, floats_for, integer_domain, integers_for, rows_of},
};
use indistinct::prelude::*;

pub(crate) fn run(source: &mut Source) {
    match source.below(3) {
        0 => of_integers(source),
        1 => of_floats(source),
        _ => chains(source),
    }
}

fn of_integers(source: &mut Source) {
    let element = integer_domain(source);
    let data = integers_for(source, &element, 5);
    let rows = rows_of(source, element, data.len());
    let (candidates, alpha) = (sorted(source.several(4, Source::integer)), source.probability());
    each_metric!(source: |metric| match source.below(7) {
        0 => exercise::transformation(make!(make_count(rows, metric)), source, &data),
        1 => exercise::transformation(make!(make_count_distinct(rows, metric)), source, &data),
        2 => exercise::transformation(make!(make_sum(rows, metric)), source, &data),
        3 => exercise::transformation(make!(make_mean(rows, metric)), source, &data),
        4 => exercise::transformation(make!(make_variance(rows, metric)), source, &data),
        5 => exercise::transformation(make!(make_sum_of_squared_deviations(rows, metric)), source, &data),
        _ => exercise::transformation(make!(make_quantile_scores(rows, metric, candidates, alpha)), source, &data),
    });
}

fn of_floats(source: &mut Source) {
    let element = bounded_floats(source);
    let data = floats_for(source, &element, 5);
    let rows = rows_of(source, element, data.len());
    let (candidates, alpha) = (source.rising(4), source.probability());
    each_metric!(source: |metric| match source.below(5) {
        0 => exercise::transformation(make!(make_sum(rows, metric)), source, &data),
        1 => exercise::transformation(make!(make_mean(rows, metric)), source, &data),
        2 => exercise::transformation(make!(make_variance(rows, metric)), source, &data),
        3 => exercise::transformation(make!(make_sum_of_squared_deviations(rows, metric)), source, &data),
        _ => exercise::transformation(make!(make_quantile_scores(rows, metric, candidates, alpha)), source, &data),
    });
}

/// Several steps one after another: what one promises the next relies on.
fn chains(source: &mut Source) {
    let data = source.several(5, Source::float);
    let bounds = source.bounds();
    let rows = rows_of(source, AtomDomain::f64(), data.len());
    each_metric!(source: |metric| {
        let Some(sum) = told((rows, metric) >> then_clamp(bounds) >> then_sum()) else { return };
        exercise::transformation(Some(sum.clone()), source, &data);
        exercise::measurement(told(sum >> then_laplace(source.float())), source, &data)
    });
}

fn sorted(mut candidates: Vec<i64>) -> Vec<i64> {
    candidates.sort_unstable();
    candidates
}
