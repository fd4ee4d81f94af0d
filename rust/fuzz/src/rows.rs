//! Steps from rows to rows.

use crate::{
    Source, exercise,
    record::make,
    spaces::{each_metric, float_domain, floats_for, integer_domain, integers_for, one_of, rows_of},
};
use indistinct::{
    prelude::*,
    transformations::{First, Second},
};

pub(crate) fn run(source: &mut Source) {
    match source.below(6) {
        0 => of_numbers(source),
        1 => of_integers(source),
        2 => of_texts(source),
        3 => of_options(source),
        4 => of_pairs(source),
        _ => metrics(source),
    }
}

fn of_numbers(source: &mut Source) {
    let element = float_domain(source);
    let data = floats_for(source, &element, 5);
    let rows = rows_of(source, element, data.len());
    let (edges, bounds) = (source.rising(4), source.bounds());
    each_metric!(source: |metric| match source.below(5) {
        0 => exercise::transformation(make!(make_clamp(rows, metric, bounds)), source, &data),
        1 => exercise::transformation(make!(make_find_bin(rows, metric, edges)), source, &data),
        2 => exercise::transformation(make!(make_is_null(rows, metric)), source, &data),
        3 => exercise::transformation(make!(make_cast(rows, metric, AtomDomain::<i8>::new())), source, &data),
        _ => exercise::transformation(make!(make_drop_null(rows, metric)), source, &data),
    });
}

fn of_integers(source: &mut Source) {
    let element = integer_domain(source);
    let data = integers_for(source, &element, 5);
    let rows = rows_of(source, element, data.len());
    let (value, halved) = (source.integer(), integer_domain(source));
    each_metric!(source: |metric| match source.below(4) {
        0 => exercise::transformation(make!(make_filter(rows, metric, |x: &i64| *x > 0)), source, &data),
        1 => exercise::transformation(make!(make_map(rows, metric, halved, value, |x: &i64| x / 2)), source, &data),
        2 => {
            let size = source.size();
            // As many rows are made as are asked for.
            let resized = make!(make_resize(rows, metric, size, value)).filter(|_| size < 1000);
            exercise::transformation(resized, source, &data);
        }
        _ => exercise::transformation(make!(make_cast(rows, metric, AtomDomain::string())), source, &data),
    });
}

fn of_texts(source: &mut Source) {
    let data = source.several(5, Source::text);
    let rows = rows_of(source, AtomDomain::string(), data.len());
    let categories = source.several(3, Source::text);
    each_metric!(source: |metric| match source.below(4) {
        0 => exercise::transformation(make!(make_find(rows, metric, categories)), source, &data),
        1 => exercise::transformation(make!(make_is_equal(rows, metric, source.text())), source, &data),
        2 => exercise::transformation(make!(make_cast(rows, metric, AtomDomain::i64())), source, &data),
        _ => exercise::transformation(make!(make_cast(rows, metric, float_domain(source))), source, &data),
    });
}

fn of_options(source: &mut Source) {
    let element = float_domain(source);
    let data: Vec<Option<f64>> = floats_for(source, &element, 5).into_iter().map(|x| (x != 1.0).then_some(x)).collect();
    let rows = rows_of(source, OptionDomain::new(element), data.len());
    each_metric!(source: |metric| match source.below(3) {
        0 => exercise::transformation(make!(make_drop_null(rows, metric)), source, &data),
        1 => exercise::transformation(make!(make_impute_constant(rows, metric, source.mostly_plain())), source, &data),
        _ => exercise::transformation(make!(make_is_null(rows, metric)), source, &data),
    });
}

fn of_pairs(source: &mut Source) {
    let element = integer_domain(source);
    let numbers = integers_for(source, &element, 5);
    if source.coin() {
        let data: Vec<(String, (u8, i64))> = numbers.into_iter().map(|x| (source.text(), (source.byte(), x))).collect();
        let keyed = PairDomain::new(AtomDomain::u8(), element);
        let rows = rows_of(source, PairDomain::new(AtomDomain::string(), keyed), data.len());
        exercise::transformation(make!(make_pair_part(rows, SymmetricIdDistance, Second)), source, &data);
        return;
    }
    let data: Vec<(String, i64)> = numbers.into_iter().map(|x| (source.text(), x)).collect();
    let rows = rows_of(source, PairDomain::new(AtomDomain::string(), element), data.len());
    each_metric!(source: |metric| one_of!(source: [First, Second] |part| {
        exercise::transformation(make!(make_pair_part(rows.clone(), metric, part)), source, &data)
    }));
}

fn metrics(source: &mut Source) {
    let element = integer_domain(source);
    let data = integers_for(source, &element, 5);
    let rows = rows_of(source, element, data.len());
    macro_rules! cast {
        ($from:ident, $to:ident) => {
            exercise::transformation(make!(make_metric_cast(rows, $from, $to)), source, &data)
        };
    }
    match source.below(5) {
        0 => cast!(InsertDeleteDistance, SymmetricDistance),
        1 => cast!(HammingDistance, ChangeOneDistance),
        2 => cast!(SymmetricDistance, ChangeOneDistance),
        3 => cast!(ChangeOneDistance, SymmetricDistance),
        _ => cast!(HammingDistance, InsertDeleteDistance),
    }
}
