//! Numbers of unknown keys.

use crate::{
    Source, exercise,
    record::make,
    spaces::{float_domain, floats_for, integer_domain, integers_for},
};
use indistinct::prelude::*;
use std::collections::BTreeMap;

pub(crate) fn run(source: &mut Source) {
    if source.coin() { of_integers(source) } else { of_floats(source) }
}

fn keyed<T>(source: &mut Source, numbers: Vec<T>) -> BTreeMap<u8, T> {
    numbers.into_iter().map(|number| (source.byte() % 9, number)).collect()
}

/// A table of bits is as long as `limit`, `scale` and `buckets` make it: one that is released is short.
fn short(scale: f64, limit: f64, buckets: u32) -> bool {
    (limit / scale + 1.0) * f64::from(buckets) < 4096.0
}

fn of_integers(source: &mut Source) {
    let element = integer_domain(source);
    let numbers = integers_for(source, &element, 4);
    let (data, maps) = (keyed(source, numbers), MapDomain::new(AtomDomain::u8(), element));
    let (scale, threshold) = (source.mostly_plain(), source.integer());
    match source.below(4) {
        0 => {
            let noisy = make!(make_laplace_threshold(maps, L01InfDistance, scale, threshold));
            let told = noisy.as_ref().and_then(|noisy| exercise::release(source, noisy, &data));
            assert!(told.is_none_or(|told| told.iter().all(|(key, x)| data.contains_key(key) && *x >= threshold)));
            exercise::measurement(noisy, source, &data);
        }
        1 => {
            let noisy = make!(make_gaussian_threshold(maps, L02InfDistance, scale, threshold));
            let told = noisy.as_ref().and_then(|noisy| exercise::release(source, noisy, &data));
            assert!(told.is_none_or(|told| told.iter().all(|(key, x)| data.contains_key(key) && *x >= threshold)));
            exercise::measurement(noisy, source, &data);
        }
        2 => {
            let (per_key, min) = ((source.mostly_plain(), source.probability()), source.word());
            let keys = make!(make_select_keys(maps, L01InfDistance, per_key, min));
            let told = keys.as_ref().and_then(|keys| exercise::release(source, keys, &data));
            assert!(told.is_none_or(|told| told.is_sorted() && told.iter().all(|key| data[key] >= i64::from(min))));
            exercise::measurement(keys, source, &data);
        }
        _ => {
            let (limit, buckets, alpha) = (source.mostly_plain(), source.word(), source.word());
            let table = make!(make_alp(maps, L01InfDistance, scale, limit, buckets, alpha));
            let Some(table) = table else { return };
            exercise::losses(source, &table);
            if short(scale, limit, buckets)
                && let Some(counts) = exercise::release(source, &table, &data)
            {
                assert!((0..9).all(|key| (0.0..=limit * 2.0 + 1.0).contains(&counts.estimate(&key))));
            }
        }
    }
}

fn of_floats(source: &mut Source) {
    let element = float_domain(source);
    let numbers = floats_for(source, &element, 4);
    let (data, maps) = (keyed(source, numbers), MapDomain::new(AtomDomain::u8(), element));
    let (scale, threshold) = (source.mostly_plain(), source.mostly_plain());
    if source.coin() {
        exercise::measurement(make!(make_laplace_threshold(maps, L01InfDistance, scale, threshold)), source, &data);
    } else {
        exercise::measurement(make!(make_gaussian_threshold(maps, L02InfDistance, scale, threshold)), source, &data);
    }
}
