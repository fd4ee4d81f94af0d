//! Rows with keys: counts and sums by key, parts, and what individuals may contribute.

use crate::{
    Source, exercise,
    record::make,
    spaces::{each_metric, integer_domain, integers_for, keys, one_of, rows_of, unknown},
};
use indistinct::prelude::*;

pub(crate) fn run(source: &mut Source) {
    match source.below(4) {
        0 => counts(source),
        1 => sums(source),
        2 => parts(source),
        _ => persons(source),
    }
}

fn counts(source: &mut Source) {
    let (data, categories, unknown) = (keys(source), keys(source), unknown(source));
    let rows = rows_of(source, AtomDomain::u8(), data.len());
    each_metric!(source: |metric| match source.below(2) {
        0 => one_of!(source: [L1Distance::new(), L2Distance::new(), LInfDistance::new()] |norm| {
            let counts = make!(make_count_by_categories(rows.clone(), metric, categories.clone(), unknown, norm));
            exercise::transformation(counts, source, &data)
        }),
        _ => one_of!(source: [L01InfDistance, L02InfDistance] |norm| {
            exercise::transformation(make!(make_count_by(rows.clone(), metric, norm)), source, &data)
        }),
    });
}

fn sums(source: &mut Source) {
    let element = integer_domain(source);
    let data: Vec<(u8, i64)> = integers_for(source, &element, 5).into_iter().map(|x| (source.byte() % 6, x)).collect();
    let rows = rows_of(source, PairDomain::new(AtomDomain::u8(), element), data.len());
    let (categories, unknown) = (keys(source), unknown(source));
    each_metric!(source: |metric| match source.below(3) {
        0 => one_of!(source: [L1Distance::new(), L2Distance::new(), LInfDistance::new()] |norm| {
            let distinct =
                make!(make_count_distinct_by_categories(rows.clone(), metric, categories.clone(), unknown, norm));
            exercise::transformation(distinct, source, &data)
        }),
        1 => one_of!(source: [L1Distance::new(), L2Distance::new(), LInfDistance::new()] |norm| {
            let sums = make!(make_sum_by_categories(rows.clone(), metric, categories.clone(), unknown, norm));
            exercise::transformation(sums, source, &data)
        }),
        _ => one_of!(source: [L01InfDistance, L02InfDistance] |norm| {
            exercise::transformation(make!(make_sum_by(rows.clone(), metric, norm)), source, &data)
        }),
    });
}

fn parts(source: &mut Source) {
    let element = integer_domain(source);
    let data: Vec<(u8, i64)> = integers_for(source, &element, 5).into_iter().map(|x| (source.byte() % 6, x)).collect();
    let rows = rows_of(source, PairDomain::new(AtomDomain::u8(), element), data.len());
    let (categories, unknown) = (keys(source), unknown(source));
    each_metric!(source: |metric| {
        let parts = make!(make_partition_by_categories(rows, metric, categories, unknown));
        exercise::transformation(parts, source, &data)
    });
}

fn persons(source: &mut Source) {
    let element = integer_domain(source);
    let (most, categories, unknown) = (source.word(), keys(source), unknown(source));
    let numbers = integers_for(source, &element, 5);
    // Sums are drawn more often, because those without bounds are refused.
    let kind = source.below(5);
    if kind == 0 {
        let data: Vec<(u8, u8)> = numbers.iter().map(|_| (source.byte() % 3, source.byte() % 6)).collect();
        let rows = rows_of(source, PairDomain::new(AtomDomain::u8(), AtomDomain::u8()), data.len());
        one_of!(source: [L01InfDistance, L02InfDistance] |norm| {
            let counts = make!(make_count_individuals_by(rows.clone(), SymmetricIdDistance, most, norm));
            exercise::transformation(counts, source, &data)
        });
    } else if kind == 1 {
        let data: Vec<(u8, i64)> = numbers.into_iter().map(|x| (source.byte() % 3, x)).collect();
        let rows = rows_of(source, PairDomain::new(AtomDomain::u8(), element), data.len());
        let bounded = make!(make_bound_contributions(rows, SymmetricIdDistance, most));
        exercise::transformation(bounded, source, &data);
    } else {
        let data: Vec<(u8, (u8, i64))> =
            numbers.into_iter().map(|x| (source.byte() % 3, (source.byte() % 6, x))).collect();
        let keyed = PairDomain::new(AtomDomain::u8(), element);
        let rows = rows_of(source, PairDomain::new(AtomDomain::u8(), keyed), data.len());
        let metric = SymmetricIdDistance;
        if kind < 4 {
            let each = source.word();
            one_of!(source: [L1Distance::new(), L2Distance::new(), LInfDistance::new(), LInfDistance::monotonic()] |norm| {
                let rows = rows.clone();
                let sums = make!(make_sum_by_categories_of_individuals(rows, metric, categories.clone(), unknown, most, each, norm));
                exercise::transformation(sums, source, &data)
            });
            return;
        }
        let parts = make!(make_partition_individuals_by_categories(rows, metric, categories, unknown, most));
        exercise::transformation(parts, source, &data);
    }
}
