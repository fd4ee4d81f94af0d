//! Transformations: all pairs of toy datasets, random edits, adversarial floats, under every metric that fits.

use super::{Row, support::*, tight};
use indistinct::prelude::*;
use indistinct_audit::{
    Report, Seen,
    neighbors::{all_vectors, edited_pairs, floats},
    stability::{ladder_of_rows, stability, stability_map_rises},
};

pub(crate) const ROWS: &[Row] = &[
    tight("make_bound_contributions", bound_contributions),
    tight("make_clamp", clamp),
    tight("make_count", count),
    tight("make_count_by", count_by),
    tight("make_count_by_categories", count_by_categories),
    tight("make_count_persons_by", count_persons_by),
    tight("make_map", map),
    tight("make_partition_by_categories", partition),
    tight("make_select", select),
    tight("make_sum", sum),
    tight("make_sum_by", sum_by),
    tight("make_sum_by_categories", sum_by_categories),
];

/// The reports of a body for each dataset metric, and a floor for all of them: 0 where replaced rows move nothing, or without bound.
macro_rules! each_row_metric {
    ($floor:literal, |$metric:ident| $body:expr) => {
        each_row_metric!(@ $floor, $metric, $body, SymmetricDistance, InsertDeleteDistance, ChangeOneDistance, HammingDistance)
    };
    (@ $floor:literal, $metric:ident, $body:expr, $($name:ident),+) => {
        parts($floor, [$({
            let $metric = $name;
            $body
        }),+])
    };
}

/// Bounds on which careless maps break: zero inside and outside, huge, subnormal, a point, a binade's edge.
const BOUNDS: [(f64, f64); 6] =
    [(0.0, 1.0), (-3.0, 2.0), (1125899906842624.0, 1125899906842625.0), (-1e308, 1e308), (0.0, 5e-323), (0.1, 0.1)];

/// Adversarial floats within bounds.
fn within((lower, upper): (f64, f64)) -> Vec<f64> {
    let mut pool = vec![lower, upper, f64::midpoint(lower, upper)];
    pool.extend(floats().into_iter().filter(|x| lower <= *x && *x <= upper));
    pool
}

fn clamp() -> Report {
    let toy = [0.0, -0.0, 7.5, f64::INFINITY];
    each_row_metric!(0.95, |metric| all([(0.0, 5.0), (-3.0, 2.0), (-1e308, 1e308), (0.1, 0.1)].map(|bounds| {
        let clamp = make_clamp(VectorDomain::new(AtomDomain::f64()), metric, bounds).unwrap();
        stability(&clamp, datasets(&toy, &floats())).and(stability_map_rises(&clamp, &ladder_of_rows(), &0))
    })))
    .and({
        let pairs = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64()));
        let clamp = make_clamp(pairs, SymmetricIdDistance, (0.0, 5.0)).unwrap();
        stability(&clamp, datasets(&[(1, 0.0), (1, 9.0), (2, 9.0)], &[(1, -0.0), (2, 0.0), (2, 1e300), (3, 5.0)]))
    })
}

fn count() -> Report {
    each_row_metric!(0.0, |metric| {
        let count = make_count(VectorDomain::new(AtomDomain::u8()), metric).unwrap();
        let sized = make_count(VectorDomain::new(AtomDomain::u8()).with_size(3), metric).unwrap();
        let pairs = datasets(&[0, 1, 2], &[0, 1, 2, 3]);
        stability(&count, pairs.clone()).and(stability(&sized, pairs)).and(stability_map_rises(
            &count,
            &ladder_of_rows(),
            &0.0,
        ))
    })
}

fn sum() -> Report {
    let float_sums = each_row_metric!(0.95, |metric| all(BOUNDS.map(|bounds| {
        let rows = VectorDomain::new(AtomDomain::f64().with_bounds(bounds).unwrap());
        let toy = [bounds.0, bounds.1, f64::midpoint(bounds.0, bounds.1)];
        let (sum, sized) = (make_sum(rows.clone(), metric).unwrap(), make_sum(rows.with_size(3), metric).unwrap());
        let pairs = datasets(&toy, &within(bounds));
        stability(&sum, pairs.clone())
            .and(stability(&sized, pairs))
            .and(stability_map_rises(&sum, &ladder_of_rows(), &0.0))
            .and(stability_map_rises(&sized, &ladder_of_rows(), &0.0))
    })));
    let integers = each_row_metric!(0.95, |metric| all([(i64::MIN, i64::MAX), (-1, 3), (5, 9)].map(|bounds| {
        let rows = VectorDomain::new(AtomDomain::i64().with_bounds(bounds).unwrap());
        let sum = make_sum(rows, metric).unwrap();
        stability(&sum, datasets(&[bounds.0, bounds.1, bounds.0 / 2 + bounds.1 / 2], &[bounds.0, bounds.1]))
    })));
    let small = each_row_metric!(0.95, |metric| {
        let rows = VectorDomain::new(AtomDomain::i8().with_bounds((-128, 127)).unwrap());
        stability(&make_sum(rows, metric).unwrap(), datasets(&[-128, 0, 127], &[-128, 127, 1]))
    });
    // A long cascade of binades, in which a float sum moves by far more than one row.
    let rows = VectorDomain::new(AtomDomain::f64().with_bounds((0.0, 1125899906842625.0)).unwrap());
    let long = edited_pairs(&within((0.0, 1125899906842625.0)), 200, 3, 300, 2);
    let cascade = stability(&make_sum(rows, SymmetricDistance).unwrap(), long);
    float_sums.and(integers).and(small).and(cascade)
}

fn bound_contributions() -> Report {
    parts(
        0.95,
        [1, 2, 3].map(|max_rows| {
            let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64()));
            let bound = make_bound_contributions(rows, SymmetricIdDistance, max_rows).unwrap();
            let toy = [(1, 0.0), (1, 1.0), (2, 1.0)];
            let pool = [(1, 0.0), (1, -0.0), (1, 1.0), (2, 1.0), (2, 1.0), (3, f64::INFINITY)];
            stability(&bound, datasets(&toy, &pool)).and(stability_map_rises(&bound, &ladder_of_rows(), &0))
        }),
    )
}

fn count_by_categories() -> Report {
    let pairs = datasets(&["a", "b", "z"], &["a", "b", "c", "z", ""]);
    parts(
        0.95,
        [UnknownCategories::Drop, UnknownCategories::Collect].map(|unknown| {
            let categories = vec!["a", "b", "c"];
            let rows = || VectorDomain::new(AtomDomain::<&'static str>::new());
            each_row_metric!(0.95, |metric| {
                let l1 =
                    make_count_by_categories(rows(), metric, categories.clone(), unknown, L1Distance::new()).unwrap();
                let l2 =
                    make_count_by_categories(rows(), metric, categories.clone(), unknown, L2Distance::new()).unwrap();
                let linf =
                    make_count_by_categories(rows(), metric, categories.clone(), unknown, LInfDistance::new()).unwrap();
                let monotonic = LInfDistance::monotonic();
                let monotonic =
                    make_count_by_categories(rows(), metric, categories.clone(), unknown, monotonic).unwrap();
                stability(&l1, pairs.clone())
                    .and(stability(&l2, pairs.clone()))
                    .and(stability(&linf, pairs.clone()))
                    .and(stability(&monotonic, pairs.clone()))
                    .and(stability_map_rises(&l2, &ladder_of_rows(), &0.0))
            })
        }),
    )
}

fn sum_by_categories() -> Report {
    parts(
        0.95,
        [(0.0, 1.0), (-3.0, 2.0), (2.0, 5.0), (-1e308, 1e308)].map(|bounds| {
            let rows =
                || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64().with_bounds(bounds).unwrap()));
            let (drop, collect) = (UnknownCategories::Drop, UnknownCategories::Collect);
            let toy = [(0, bounds.0), (0, bounds.1), (1, bounds.0), (1, bounds.1)];
            let pool: Vec<(u8, f64)> =
                (0..3).flat_map(|key| within(bounds).into_iter().map(move |x| (key, x))).collect();
            let pairs = datasets(&toy, &pool);
            each_row_metric!(0.0, |metric| {
                let l1 = make_sum_by_categories(rows(), metric, vec![0, 1], drop, L1Distance::new()).unwrap();
                let l2 = make_sum_by_categories(rows(), metric, vec![0, 1], drop, L2Distance::new()).unwrap();
                let linf = make_sum_by_categories(rows(), metric, vec![0, 1], collect, LInfDistance::new()).unwrap();
                let monotonic = LInfDistance::monotonic();
                let monotonic = make_sum_by_categories(rows(), metric, vec![0, 1], collect, monotonic).unwrap();
                stability(&l1, pairs.clone())
                    .and(stability(&l2, pairs.clone()))
                    .and(stability(&linf, pairs.clone()))
                    .and(stability(&monotonic, pairs.clone()))
                    .and(stability_map_rises(&l1, &ladder_of_rows(), &0.0))
            })
        }),
    )
}

fn count_by() -> Report {
    let pairs = datasets(&["a", "b", "c"], &["a", "b", "c", "d", ""]);
    each_row_metric!(0.95, |metric| {
        let rows = || VectorDomain::new(AtomDomain::<&'static str>::new());
        let l1 = make_count_by(rows(), metric, L01InfDistance).unwrap();
        let l2 = make_count_by(rows(), metric, L02InfDistance).unwrap();
        stability(&l1, pairs.clone()).and(stability(&l2, pairs.clone())).and(stability_map_rises(
            &l1,
            &ladder_of_rows(),
            &(0, 0.0, 0.0),
        ))
    })
}

fn sum_by() -> Report {
    parts(
        0.95,
        [(0.0, 1.0), (-3.0, 2.0), (2.0, 5.0)].map(|bounds| {
            let rows =
                || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64().with_bounds(bounds).unwrap()));
            let toy = [(0, bounds.0), (0, bounds.1), (1, bounds.0), (1, bounds.1)];
            let pool: Vec<(u8, f64)> =
                (0..3).flat_map(|key| within(bounds).into_iter().map(move |x| (key, x))).collect();
            let pairs = datasets(&toy, &pool);
            each_row_metric!(0.95, |metric| {
                let l1 = make_sum_by(rows(), metric, L01InfDistance).unwrap();
                let l2 = make_sum_by(rows(), metric, L02InfDistance).unwrap();
                stability(&l1, pairs.clone()).and(stability(&l2, pairs.clone())).and(stability_map_rises(
                    &l2,
                    &ladder_of_rows(),
                    &(0, 0.0, 0.0),
                ))
            })
        }),
    )
}

fn count_persons_by() -> Report {
    parts(
        0.95,
        [1, 2, 3].map(|max_keys| {
            let rows = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::<&'static str>::new()));
            let l1 = make_count_persons_by(rows(), SymmetricIdDistance, max_keys, L01InfDistance).unwrap();
            let l2 = make_count_persons_by(rows(), SymmetricIdDistance, max_keys, L02InfDistance).unwrap();
            let toy = [(1, "a"), (1, "b"), (2, "a"), (2, "b")];
            let pool = [(1, "a"), (1, "b"), (1, "c"), (2, "a"), (2, "c"), (3, "a")];
            let pairs = datasets(&toy, &pool);
            stability(&l1, pairs.clone()).and(stability(&l2, pairs)).and(stability_map_rises(
                &l1,
                &ladder_of_rows(),
                &(0, 0.0, 0.0),
            ))
        }),
    )
}

fn map() -> Report {
    let bounded = || AtomDomain::i64().with_bounds((0, 10)).unwrap();
    each_row_metric!(0.95, |metric| {
        // Images inside of the declared domain, and outside of it: those become the value for it.
        let rows = VectorDomain::new(AtomDomain::i64());
        let map = make_map(rows, metric, bounded(), 0, |row: &i64| row.wrapping_mul(7)).unwrap();
        let floats_map =
            make_map(VectorDomain::new(AtomDomain::f64()), metric, AtomDomain::f64(), 0.0, |row: &f64| row.sqrt())
                .unwrap();
        stability(&map, datasets(&[0, 1, -1, i64::MIN], &[0, 1, 2, -1, i64::MAX]))
            .and(stability(&floats_map, datasets(&[0.0, -0.0, -1.0, f64::INFINITY], &floats())))
            .and(stability_map_rises(&map, &ladder_of_rows(), &0))
    })
}

fn select() -> Report {
    let rows =
        || VectorDomain::new(PairDomain::new(AtomDomain::u8(), PairDomain::new(AtomDomain::u8(), AtomDomain::f64())));
    let toy = [(1, (5, 0.0)), (1, (5, -0.0)), (2, (5, 0.0)), (1, (6, 1.0))];
    let pool = [(1, (5, 0.0)), (1, (6, -0.0)), (2, (5, 1.0)), (2, (6, f64::INFINITY)), (3, (5, 5e-324))];
    let pairs = datasets(&toy, &pool);
    let alone = each_row_metric!(0.95, |metric| {
        let (first, second) =
            (make_select(rows(), metric, First).unwrap(), make_select(rows(), metric, (Second, Second)).unwrap());
        stability(&first, pairs.clone()).and(stability(&second, pairs.clone())).and(stability_map_rises(
            &first,
            &ladder_of_rows(),
            &0,
        ))
    });
    let persons = make_select(rows(), SymmetricIdDistance, Second).unwrap();
    alone.and(stability(&persons, pairs)).and(stability_map_rises(&persons, &ladder_of_rows(), &0))
}

fn partition() -> Report {
    let rows = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::i64()));
    let pairs = datasets(&[(0, 5), (0, 6), (1, 5), (7, 5)], &[(0, 5), (0, 6), (1, 5), (1, 7), (2, 5), (7, 5)]);
    parts(
        0.95,
        [UnknownCategories::Drop, UnknownCategories::Collect].map(|unknown| {
            each_row_metric!(0.95, |metric| {
                let parts = make_partition_by_categories(rows(), metric, vec![0, 1, 2], unknown).unwrap();
                stability(&parts, pairs.clone()).and(stability_map_rises(&parts, &ladder_of_rows(), &(0, 0, 0)))
            })
        }),
    )
}

/// So many rows that threads share them, where there are two processors: every row counts once, at every run.
#[test]
fn no_share_of_a_thread_is_lost() {
    let size = (1usize << 21) + 5;
    let data: Vec<u8> = (0..3).cycle().take(size).collect();
    let times = |row: u8| data.iter().filter(|other| **other == row).count();
    let counts = vec![times(0), times(1), times(2)];
    let rows = || VectorDomain::new(AtomDomain::u8().with_bounds((0, 2)).unwrap());
    let count = make_count(rows(), SymmetricDistance).unwrap();
    let sum = make_sum(rows(), SymmetricDistance).unwrap();
    let (drop, l1) = (UnknownCategories::Drop, L1Distance::new());
    let by_categories = make_count_by_categories(rows(), SymmetricDistance, vec![0, 1, 2], drop, l1).unwrap();
    let by = make_count_by(rows(), SymmetricDistance, L01InfDistance).unwrap();
    let floats: Vec<f64> = data.iter().map(|row| f64::from(*row) / 4.0).collect();
    let float_rows = VectorDomain::new(AtomDomain::f64().with_bounds((0.0, 0.5)).unwrap());
    let float_sum = make_sum(float_rows, SymmetricDistance).unwrap();
    for _ in 0..3 {
        assert_eq!(count.invoke(&data).unwrap().key(), size.key());
        assert_eq!(sum.invoke(&data).unwrap().key(), (counts[1] + 2 * counts[2]).key());
        assert_eq!(by_categories.invoke(&data).unwrap().key(), counts.key());
        let map: std::collections::BTreeMap<u8, usize> = (0..3).zip(counts.iter().copied()).collect();
        assert_eq!(by.invoke(&data).unwrap().key(), map.key());
        let quarters = u32::try_from(counts[1] + 2 * counts[2]).unwrap();
        assert_eq!(float_sum.invoke(&floats).unwrap().to_f64(), f64::from(quarters) / 4.0);
    }
}

/// The toy domains are what they are said to be.
#[test]
fn toy_domains_are_not_empty() {
    assert_eq!(all_vectors(&[0, 1, 2], 3).len(), 40);
    assert!(BOUNDS.into_iter().all(|bounds| within(bounds).len() >= 3));
}
