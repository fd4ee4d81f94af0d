//! Transformations: all pairs of small datasets, random edits, adversarial floats, under every metric that fits.

use super::support::*;
use indistinct::{
    core::Owned,
    prelude::*,
    transformations::{First, Second},
};
use indistinct_audit::{
    Measured, Report, Seen,
    edits::{Edits, Script},
    non_members::Fenced,
    stability::stability_by_edits,
};
use std::fmt::Debug;

rows! {
    tight make_bound_contributions: bound_contributions;
    tight make_clamp: clamp;
    tight make_count: count;
    tight make_count_by: count_by;
    tight make_count_by_categories: count_by_categories;
    tight make_count_distinct_by_categories: count_distinct_by_categories;
    tight make_count_individuals_by: count_individuals_by;
    tight make_map: map;
    tight make_partition_by_categories: partition;
    tight make_pair_part: select;
    tight make_sum: sum;
    tight make_sum_by: sum_by;
    tight make_sum_by_categories: sum_by_categories;
    tight make_sum_by_categories_of_individuals: sum_by_categories_of_individuals;
}

/// The reports of a body for each dataset metric.
macro_rules! each_row_metric {
    (|$metric:ident| $body:expr) => {
        each_row_metric!(@ $metric, $body, SymmetricDistance, InsertDeleteDistance, ChangeOneDistance, HammingDistance)
    };
    (@ $metric:ident, $body:expr, $($name:ident),+) => {
        all([$({
            let $metric = $name;
            $body
        }),+])
    };
}

/// As `stable`, with the floor of a claim that is attained, or none where one or two rows move nothing, or as far as
/// floats go.
#[track_caller]
fn moved<D, DO, MI, MO>(step: &Transformation<VectorDomain<D>, DO, MI, MO>, few: &[Owned<D>]) -> Report
where
    D: Fenced,
    DO: Fenced,
    Owned<D>: Debug,
    Owned<DO>: Debug,
    DO::Carrier: Seen,
    MI: Measured<[Owned<D>]> + Edits<VectorDomain<D>> + Metric<Distance = u32>,
    MO: Measured<DO::Carrier> + Metric<Distance = f64>,
{
    moved_by((0.95, 0.95), step, few)
}

/// As `moved`, with floors of its own where the claim is finite: on exhaustive pairs, and on neighbors that are drawn.
#[track_caller]
fn moved_by<D, DO, MI, MO>(
    floors: (f64, f64),
    step: &Transformation<VectorDomain<D>, DO, MI, MO>,
    few: &[Owned<D>],
) -> Report
where
    D: Fenced,
    DO: Fenced,
    Owned<D>: Debug,
    Owned<DO>: Debug,
    DO::Carrier: Seen,
    MI: Measured<[Owned<D>]> + Edits<VectorDomain<D>> + Metric<Distance = u32>,
    MO: Measured<DO::Carrier> + Metric<Distance = f64>,
{
    let is_finite = [1, 2].iter().any(|d| step.map(d).is_ok_and(|claim| claim > 0.0 && claim.is_finite()));
    stable(if is_finite { floors } else { (0.0, 0.0) }, step, few)
}

/// Bounds on which careless maps break: zero inside and outside, huge, subnormal, a point, a binade's edge.
const BOUNDS: [(f64, f64); 6] =
    [(0.0, 1.0), (-3.0, 2.0), (1125899906842624.0, 1125899906842625.0), (-1e308, 1e308), (0.0, 5e-323), (0.1, 0.1)];

fn clamp() -> Report {
    let few = [0.0, -0.0, 7.5, f64::INFINITY];
    each_row_metric!(|metric| all([(0.0, 5.0), (-3.0, 2.0), (-1e308, 1e308), (0.1, 0.1)].map(|bounds| {
        // Between equal bounds all rows are one.
        let floor = if bounds.0 < bounds.1 { 0.95 } else { 0.0 };
        stable(floor, &make_clamp(VectorDomain::new(AtomDomain::f64()), metric, bounds).unwrap(), &few)
    })))
    .and({
        let pairs = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64()));
        all([pairs.clone(), pairs.with_size(3)].map(|pairs| {
            let clamp = make_clamp(pairs, SymmetricIdDistance, (0.0, 5.0)).unwrap();
            stable(0.95, &clamp, &[(1, 0.0), (1, 9.0), (2, 9.0)])
        }))
    })
}

fn count() -> Report {
    each_row_metric!(|metric| {
        let rows = VectorDomain::new(AtomDomain::u8());
        let sized = make_count(rows.clone().with_size(3), metric).unwrap();
        moved(&make_count(rows, metric).unwrap(), &[0, 1, 2]).and(moved(&sized, &[0, 1, 2]))
    })
}

fn sum() -> Report {
    let float_sums = each_row_metric!(|metric| all(BOUNDS.map(|bounds| {
        let rows = VectorDomain::new(AtomDomain::f64().with_bounds(bounds).unwrap());
        let few = [bounds.0, bounds.1, f64::midpoint(bounds.0, bounds.1)];
        let (sum, sized) = (make_sum(rows.clone(), metric).unwrap(), make_sum(rows.with_size(3), metric).unwrap());
        moved(&sum, &few).and(moved(&sized, &few))
    })));
    let integers = each_row_metric!(|metric| all([(i64::MIN, i64::MAX), (-1, 3), (5, 9)].map(|bounds| {
        let rows = VectorDomain::new(AtomDomain::i64().with_bounds(bounds).unwrap());
        moved(&make_sum(rows, metric).unwrap(), &[bounds.0, bounds.1, bounds.0 / 2 + bounds.1 / 2])
    })));
    let small = each_row_metric!(|metric| {
        let rows = VectorDomain::new(AtomDomain::i8().with_bounds((-128, 127)).unwrap());
        moved(&make_sum(rows, metric).unwrap(), &[-128, 0, 127])
    });
    // A long cascade of binades, in which a float sum moves by far more than one row.
    let rows = VectorDomain::new(AtomDomain::f64().with_bounds((0.0, 1125899906842625.0)).unwrap());
    let long = Script { longest: 200, ..script() };
    let cascade = part(0.95, stability_by_edits(&make_sum(rows, SymmetricDistance).unwrap(), &[], long));
    float_sums.and(integers).and(small).and(cascade)
}

fn bound_contributions() -> Report {
    all([1, 2, 3].map(|max_rows| {
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64()));
        all([rows.clone(), rows.with_size(3)].map(|rows| {
            let bound = make_bound_contributions(rows, SymmetricIdDistance, max_rows).unwrap();
            stable(0.95, &bound, &[(1, 0.0), (1, 1.0), (2, 1.0)])
        }))
    }))
}

fn count_by_categories() -> Report {
    let few = ["a", "b", "z"];
    all([UnknownCategories::Drop, UnknownCategories::Other].map(|unknown| {
        each_row_metric!(|metric| {
            macro_rules! count {
                ($out:expr) => {{
                    let (rows, categories) =
                        (VectorDomain::new(AtomDomain::<&'static str>::new()), vec!["a", "b", "c"]);
                    stable(0.95, &make_count_by_categories(rows, metric, categories, unknown, $out).unwrap(), &few)
                }};
            }
            all([
                count!(L1Distance::new()),
                count!(L2Distance::new()),
                count!(LInfDistance::new()),
                count!(LInfDistance::monotonic()),
            ])
        })
    }))
}

fn count_distinct_by_categories() -> Report {
    let few = [("a", 0.0), ("a", 1.0), ("b", 0.0), ("z", 1.0)];
    all([UnknownCategories::Drop, UnknownCategories::Other].map(|unknown| {
        each_row_metric!(|metric| {
            macro_rules! distinct {
                ($out:expr) => {{
                    let rows = PairDomain::new(AtomDomain::<&'static str>::new(), AtomDomain::f64());
                    let (rows, categories) = (VectorDomain::new(rows), vec!["a", "b"]);
                    stable(
                        0.95,
                        &make_count_distinct_by_categories(rows, metric, categories, unknown, $out).unwrap(),
                        &few,
                    )
                }};
            }
            all([
                distinct!(L1Distance::new()),
                distinct!(L2Distance::new()),
                distinct!(LInfDistance::new()),
                distinct!(LInfDistance::monotonic()),
            ])
        })
    }))
}

/// Rows of a key and a number within bounds, and a few at the ends of these.
fn keyed((lower, upper): (f64, f64)) -> (Keyed, [(u8, f64); 4]) {
    let rows = PairDomain::new(AtomDomain::u8(), AtomDomain::f64().with_bounds((lower, upper)).unwrap());
    (VectorDomain::new(rows), [(0, lower), (0, upper), (1, lower), (1, upper)])
}

type Keyed = VectorDomain<PairDomain<AtomDomain<u8>, AtomDomain<f64>>>;

fn sum_by_categories() -> Report {
    let (drop, collect) = (UnknownCategories::Drop, UnknownCategories::Other);
    all([(0.0, 1.0), (-3.0, 2.0), (2.0, 5.0), (-1e308, 1e308)].map(|bounds| {
        let (rows, few) = keyed(bounds);
        each_row_metric!(|metric| {
            macro_rules! sum {
                ($unknown:ident, $out:expr) => {
                    moved(&make_sum_by_categories(rows.clone(), metric, vec![0, 1], $unknown, $out).unwrap(), &few)
                };
            }
            all([
                sum!(drop, L1Distance::new()),
                sum!(drop, L2Distance::new()),
                sum!(collect, LInfDistance::new()),
                sum!(collect, LInfDistance::monotonic()),
            ])
        })
    }))
}

fn sum_by_categories_of_individuals() -> Report {
    let (drop, collect) = (UnknownCategories::Drop, UnknownCategories::Other);
    all([(0.0, 1.0), (-3.0, 2.0), (-1e308, 1e308)].map(|bounds| {
        let rows = PairDomain::new(AtomDomain::u8(), AtomDomain::f64().with_bounds(bounds).unwrap());
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), rows));
        let far = if bounds.0.abs() > bounds.1 { bounds.0 } else { bounds.1 };
        let few = [(1, (0, far)), (1, (1, far)), (1, (9, far)), (2, (0, bounds.0))];
        // One row in a category, two, or as many as in all; a third entry, and one for two unknown categories.
        all([(drop, 1, 1), (drop, 2, 1), (collect, 3, 1), (drop, 2, 2), (collect, 3, 3)].map(
            |(unknown, most, each)| {
                macro_rules! sum {
                    ($out:expr) => {{
                        let list = vec![0, 1];
                        let metric = SymmetricIdDistance;
                        let sums = make_sum_by_categories_of_individuals(
                            rows.clone(),
                            metric,
                            list,
                            unknown,
                            most,
                            each,
                            $out,
                        );
                        // Few of the individuals that are drawn have rows of the greatest size in every category.
                        moved_by((0.95, 0.4), &sums.unwrap(), &few)
                    }};
                }
                all([sum!(L1Distance::new()), sum!(L2Distance::new()), sum!(LInfDistance::new())])
            },
        ))
    }))
    .and({
        // Numbers of both signs, of which some rise and others fall.
        let rows = PairDomain::new(AtomDomain::u8(), AtomDomain::i64().with_bounds((-1, 1)).unwrap());
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), rows));
        let monotonic = LInfDistance::monotonic();
        let sums = make_sum_by_categories_of_individuals(rows, SymmetricIdDistance, vec![0, 1], drop, 2, 1, monotonic);
        moved_by((0.95, 0.4), &sums.unwrap(), &[(1, (0, 1)), (1, (1, -1)), (2, (0, 1))])
    })
}

fn count_by() -> Report {
    each_row_metric!(|metric| {
        let rows = || VectorDomain::new(AtomDomain::<&'static str>::new());
        stable(0.95, &make_count_by(rows(), metric, L01InfDistance).unwrap(), &["a", "b", "c"]).and(stable(
            0.95,
            &make_count_by(rows(), metric, L02InfDistance).unwrap(),
            &["a", "b", "c"],
        ))
    })
}

fn sum_by() -> Report {
    all([(0.0, 1.0), (-3.0, 2.0), (2.0, 5.0)].map(|bounds| {
        let (rows, few) = keyed(bounds);
        each_row_metric!(|metric| {
            stable(0.95, &make_sum_by(rows.clone(), metric, L01InfDistance).unwrap(), &few).and(stable(
                0.95,
                &make_sum_by(rows.clone(), metric, L02InfDistance).unwrap(),
                &few,
            ))
        })
    }))
}

fn count_individuals_by() -> Report {
    all([1, 2, 3].map(|max_keys| {
        let rows = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::<&'static str>::new()));
        let few = [(1, "a"), (1, "b"), (1, "c"), (2, "a")];
        let sized =
            make_count_individuals_by(rows().with_size(3), SymmetricIdDistance, max_keys, L01InfDistance).unwrap();
        all([
            stable(
                0.95,
                &make_count_individuals_by(rows(), SymmetricIdDistance, max_keys, L01InfDistance).unwrap(),
                &few,
            ),
            stable(
                0.95,
                &make_count_individuals_by(rows(), SymmetricIdDistance, max_keys, L02InfDistance).unwrap(),
                &few,
            ),
            // Of a known number of rows nobody leaves but for others who join: of three steps at most two count in one
            // key. The few rows have few keys.
            stable((0.5, 0.66), &sized, &few),
        ])
    }))
}

fn map() -> Report {
    let bounded = || AtomDomain::i64().with_bounds((0, 10)).unwrap();
    each_row_metric!(|metric| {
        // Images inside of the declared domain, and outside of it: those become the value for it.
        let rows = VectorDomain::new(AtomDomain::i64());
        let map = make_map(rows, metric, bounded(), 0, |row: &i64| row.wrapping_mul(7)).unwrap();
        let floats = VectorDomain::new(AtomDomain::f64());
        let roots = make_map(floats, metric, AtomDomain::f64(), 0.0, |row: &f64| row.sqrt()).unwrap();
        stable(0.95, &map, &[0, 1, -1, i64::MIN]).and(stable(0.95, &roots, &[0.0, -0.0, -1.0, f64::INFINITY]))
    })
}

fn select() -> Report {
    let rows =
        || VectorDomain::new(PairDomain::new(AtomDomain::u8(), PairDomain::new(AtomDomain::u8(), AtomDomain::f64())));
    let few = [(1, (5, 0.0)), (1, (5, -0.0)), (2, (5, 0.0)), (1, (6, 1.0))];
    each_row_metric!(|metric| {
        stable(0.95, &make_pair_part(rows(), metric, First).unwrap(), &few).and(stable(
            0.95,
            &make_pair_part(rows(), metric, (Second, Second)).unwrap(),
            &few,
        ))
    })
    .and(stable(0.95, &make_pair_part(rows(), SymmetricIdDistance, Second).unwrap(), &few))
    .and(stable(0.95, &make_pair_part(rows().with_size(3), SymmetricIdDistance, Second).unwrap(), &few))
}

fn partition() -> Report {
    let rows = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::i64()));
    all([UnknownCategories::Drop, UnknownCategories::Other].map(|unknown| {
        each_row_metric!(|metric| {
            let parts = make_partition_by_categories(rows(), metric, vec![0, 1, 2], unknown).unwrap();
            stable(0.95, &parts, &[(0, 5), (0, 6), (1, 5), (7, 5)])
        })
    }))
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
