//! Neighboring datasets at distance d stay within `map(d)` after every transformation. Distances on both sides are
//! computed a second time, exactly and from their definitions.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

use indistinct::{numeric::Rational, prelude::*};
use indistinct_tests::{Exact, Float, changes, covers, distances, float, fraction, runs, vectors};
use proptest::{prelude::*, sample};

/// Bounds and numbers that break careless sums: binades, cancellation, subnormals, the ends of the range.
const BOUNDS: [(f64, f64); 7] = [
    (0.0, 1.0),
    (-3.0, 2.0),
    (1125899906842624.0, 1125899906842625.0), // 2^50, 2^50 + 1
    (-1e308, 1e308),
    (0.0, 5e-323),
    (0.1, 0.1),
    (-0.0, 1e16),
];

fn numbers() -> BoxedStrategy<Float> {
    let special =
        vec![0.0, -0.0, 0.1, 0.3, 1.0, 1e16, 1e308, -1e308, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY];
    let cascade = (0u32..9).prop_map(|quarter| 1125899906842624.0 + f64::from(quarter) / 8.0);
    prop_oneof![sample::select(special), cascade, -4f64..4.0, any::<f64>().prop_filter("NaN", |x| !x.is_nan())]
        .prop_map(Float)
        .boxed()
}

/// Two datasets that are a few random edits apart: insertions, deletions, replacements, swaps.
fn pairs<T: Clone + std::fmt::Debug>(row: impl Strategy<Value = T> + Clone) -> impl Strategy<Value = (Vec<T>, Vec<T>)> {
    let edits = prop::collection::vec((0..4u8, any::<sample::Index>(), any::<sample::Index>(), row.clone()), 0..4);
    (prop::collection::vec(row, 0..12), edits).prop_map(|(x, edits)| {
        let mut y = x.clone();
        for (kind, at, to, row) in edits {
            match (kind, y.len()) {
                (0, length) => y.insert(at.index(length + 1), row),
                (_, 0) => {}
                (1, length) => drop(y.remove(at.index(length))),
                (2, length) => y[at.index(length)] = row,
                (_, length) => y.swap(at.index(length), to.index(length)),
            }
        }
        (x, y)
    })
}

/// Run a body for each dataset metric, with the metric and its independent definition.
macro_rules! for_each_row_metric {
    (|$metric:ident, $distance:ident| $body:block) => {
        for_each_row_metric!(@ $metric, $distance, $body, SymmetricDistance symmetric, InsertDeleteDistance insert_delete, ChangeOneDistance change_one, HammingDistance hamming)
    };
    (@ $metric:ident, $distance:ident, $body:block, $($name:ident $definition:ident),+) => {$({
        let $metric = $name;
        macro_rules! $distance { ($x:expr, $y:expr) => { distances::$definition($x, $y) } }
        $body
    })+};
}

fn floats(rows: &[Float]) -> Vec<f64> {
    rows.iter().map(|row| row.0).collect()
}

fn wrapped(rows: &[f64]) -> Vec<Float> {
    rows.iter().copied().map(Float).collect()
}

fn l1<T: Exact>(x: &[T], y: &[T]) -> Rational {
    assert_eq!(x.len(), y.len());
    x.iter().zip(y).map(|(a, b)| (a.exact() - b.exact()).abs()).sum()
}

fn l2_squared<T: Exact>(x: &[T], y: &[T]) -> Rational {
    assert_eq!(x.len(), y.len());
    x.iter().zip(y).map(|(a, b)| (a.exact() - b.exact()).square()).sum()
}

/// Whether the square of a reported bound is at least the exact truth.
/// The greatest difference of two vectors of one length, and its monotonic form: the greatest rise plus the greatest fall.
fn linf<T: Exact>(x: &[T], y: &[T]) -> (Rational, Rational) {
    let differences: Vec<Rational> = x.iter().zip(y).map(|(x, y)| y.exact() - x.exact()).collect();
    let rise = differences.iter().cloned().max().unwrap_or_default().max(Rational::new());
    let fall = differences.iter().map(|d| Rational::from(-d)).max().unwrap_or_default().max(Rational::new());
    (rise.clone().max(fall.clone()), rise + fall)
}

fn covers_square(reported: f64, truth: &Rational) -> bool {
    reported == f64::INFINITY || reported.exact().square() >= *truth
}

fn clamped<M: indistinct::metrics::RowMetric>(
    metric: M,
    bounds: (f64, f64),
) -> Transformation<VectorDomain<AtomDomain<f64>>, VectorDomain<AtomDomain<f64>>, M, M> {
    make_clamp(VectorDomain::new(AtomDomain::f64()), metric, bounds).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn clamp_sum_and_count((x, y) in pairs(numbers()), bounds in sample::select(BOUNDS.to_vec())) {
        for_each_row_metric!(|metric, distance| {
            if let Some(d_in) = distance!(&x, &y) {
                let clamp = clamped(metric, bounds);
                let (cx, cy) = (clamp.invoke(&floats(&x)).unwrap(), clamp.invoke(&floats(&y)).unwrap());
                prop_assert!(clamp.output_domain().member(&cx) && clamp.output_domain().member(&cy));
                prop_assert!(distance!(&wrapped(&cx), &wrapped(&cy)).unwrap() <= clamp.map(&d_in).unwrap());

                let sum = (clamp >> then_sum()).unwrap();
                let (sx, sy) = (sum.invoke(&floats(&x)).unwrap(), sum.invoke(&floats(&y)).unwrap());
                prop_assert!(covers(sum.map(&d_in).unwrap(), &l1(&[sx], &[sy])), "sum under {metric:?}");

                let count = make_count(VectorDomain::new(AtomDomain::f64()), metric).unwrap();
                let (nx, ny) = (count.invoke(&floats(&x)).unwrap(), count.invoke(&floats(&y)).unwrap());
                prop_assert!(covers(count.map(&d_in).unwrap(), &l1(&[nx], &[ny])), "count under {metric:?}");
            }
        });
    }

    #[test]
    fn a_sum_of_known_size((x, y) in pairs(numbers()), bounds in sample::select(BOUNDS.to_vec())) {
        // The datasets have as many rows as the shorter one.
        let size = x.len().min(y.len());
        let (x, y) = (&x[..size], &y[..size]);
        let rows = VectorDomain::new(AtomDomain::f64()).with_size(size);
        let sum = ((rows, SymmetricDistance) >> then_clamp(bounds) >> then_sum()).unwrap();
        let (sx, sy) = (sum.invoke(&floats(x)).unwrap(), sum.invoke(&floats(y)).unwrap());
        let d_in = distances::symmetric(x, y).unwrap();
        prop_assert!(covers(sum.map(&d_in).unwrap(), &l1(&[sx], &[sy])));
    }

    #[test]
    fn integer_sums((x, y) in pairs(any::<i64>()), low in any::<i64>(), high in any::<i64>()) {
        let bounds = (low.min(high), low.max(high));
        for_each_row_metric!(|metric, distance| {
            if let Some(d_in) = distance!(&x, &y) {
                let sum = ((VectorDomain::new(AtomDomain::i64()), metric) >> then_clamp(bounds) >> then_sum()).unwrap();
                let (sx, sy) = (sum.invoke(&x).unwrap(), sum.invoke(&y).unwrap());
                prop_assert!(covers(sum.map(&d_in).unwrap(), &l1(&[sx], &[sy])));
            }
        });
    }

    #[test]
    fn counts_and_sums_by_category(
        (x, y) in pairs((0u8..5, numbers())),
        bounds in sample::select(BOUNDS.to_vec()),
        collect in any::<bool>(),
    ) {
        let unknown = if collect { UnknownCategories::Collect } else { UnknownCategories::Drop };
        let rows = |rows: &[(u8, Float)]| rows.iter().map(|row| (row.0, row.1.0)).collect::<Vec<_>>();
        for_each_row_metric!(|metric, distance| {
            if let Some(d_in) = distance!(&x, &y) {
                let keyed = (VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64())), metric);
                let categories = vec![3, 0, 1];
                let counts = |m: Vec<(u8, f64)>| {
                    let key = then_map(AtomDomain::u8(), 0, |row: &(u8, f64)| row.0);
                    let counts = (keyed.clone() >> key >> then_count_by_categories(categories.clone(), unknown, L1Distance::new())).unwrap();
                    prop_assert!(counts.output_domain().member(&counts.invoke(&m).unwrap()));
                    Ok((counts.invoke(&m).unwrap(), counts.map(&d_in).unwrap()))
                };
                let ((nx, bound), (ny, _)) = (counts(rows(&x))?, counts(rows(&y))?);
                prop_assert!(covers(bound, &l1(&nx, &ny)), "counts in L1 under {metric:?}");
                let key = then_map(AtomDomain::u8(), 0, |row: &(u8, f64)| row.0);
                let l2 = (keyed.clone() >> key >> then_count_by_categories(categories.clone(), unknown, L2Distance::new())).unwrap();
                prop_assert!(covers_square(l2.map(&d_in).unwrap(), &l2_squared(&nx, &ny)), "counts in L2 under {metric:?}");
                let (plain, monotonic) = linf(&nx, &ny);
                for (form, truth) in [(LInfDistance::new(), plain), (LInfDistance::monotonic(), monotonic)] {
                    let key = then_map(AtomDomain::u8(), 0, |row: &(u8, f64)| row.0);
                    let counts = (keyed.clone() >> key >> then_count_by_categories(categories.clone(), unknown, form.clone())).unwrap();
                    prop_assert!(covers(counts.map(&d_in).unwrap(), &truth), "counts in {form:?} under {metric:?}");
                }

                let clamp = (keyed >> then_clamp(bounds)).unwrap();
                let sums = (clamp.clone() >> then_sum_by_categories(categories.clone(), unknown, L1Distance::new())).unwrap();
                let (sx, sy) = (sums.invoke(&rows(&x)).unwrap(), sums.invoke(&rows(&y)).unwrap());
                prop_assert!(covers(sums.map(&d_in).unwrap(), &l1(&sx, &sy)), "sums in L1 under {metric:?}");
                let (plain, monotonic) = linf(&sx, &sy);
                for (form, truth) in [(LInfDistance::new(), plain), (LInfDistance::monotonic(), monotonic)] {
                    let sums = (clamp.clone() >> then_sum_by_categories(categories.clone(), unknown, form.clone())).unwrap();
                    prop_assert!(covers(sums.map(&d_in).unwrap(), &truth), "sums in {form:?} under {metric:?}");
                }
                let l2 = (clamp >> then_sum_by_categories(categories, unknown, L2Distance::new())).unwrap();
                prop_assert!(covers_square(l2.map(&d_in).unwrap(), &l2_squared(&sx, &sy)), "sums in L2 under {metric:?}");
            }
        });
    }

    #[test]
    fn bounded_contributions((x, y) in pairs((0u8..4, -2i64..3)), max_rows in 1u32..4) {
        let people = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::i64()));
        let bound = make_bound_contributions(people, SymmetricIdDistance, max_rows).unwrap();
        let d_in = distances::symmetric_id(&x, &y).unwrap();
        let d_out = distances::symmetric(&bound.invoke(&x).unwrap(), &bound.invoke(&y).unwrap()).unwrap();
        prop_assert!(d_out <= bound.map(&d_in).unwrap(), "{d_in} -> {d_out}");
    }

    #[test]
    fn bounded_contributions_of_floats_ignore_order_and_the_sign_of_zero(
        x in prop::collection::vec((0u8..3, numbers()), 0..12),
        shuffled in any::<sample::Index>(),
    ) {
        let people = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64()));
        let bound = make_bound_contributions(people, SymmetricIdDistance, 2).unwrap();
        let rows: Vec<(u8, f64)> = x.iter().map(|row| (row.0, row.1.0)).collect();
        let mut moved: Vec<(u8, f64)> = rows.iter().map(|row| (row.0, if row.1 == 0.0 { -row.1 } else { row.1 })).collect();
        if !moved.is_empty() {
            let by = shuffled.index(moved.len());
            moved.rotate_left(by);
        }
        prop_assert_eq!(wrapped(&bound.invoke(&rows).unwrap()), wrapped(&bound.invoke(&moved).unwrap()));
    }
}

/// Whether a reported distance between maps covers the changes: their number, their norm and the greatest.
fn covers_changes((keys, norm, greatest): (u32, f64, f64), changes: &[Rational], euclidean: bool) -> bool {
    let norm_covers = match euclidean {
        true => covers_square(norm, &changes.iter().map(|change| change.clone().square()).sum()),
        false => covers(norm, &changes.iter().sum()),
    };
    changes.len() <= usize::try_from(keys).unwrap()
        && norm_covers
        && changes.iter().all(|change| covers(greatest, change))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn counts_by_unknown_keys((x, y) in pairs(0u8..5)) {
        let rows = || VectorDomain::new(AtomDomain::u8());
        for_each_row_metric!(|metric, distance| {
            if let Some(d_in) = distance!(&x, &y) {
                let counts = make_count_by(rows(), metric, L01InfDistance).unwrap();
                let (nx, ny) = (counts.invoke(&x).unwrap(), counts.invoke(&y).unwrap());
                prop_assert!(counts.output_domain().member(&nx) && counts.output_domain().member(&ny));
                prop_assert_eq!(nx.values().sum::<i64>(), i64::try_from(x.len()).unwrap());
                let l2 = make_count_by(rows(), metric, L02InfDistance).unwrap();
                let moved = changes(&nx, &ny);
                prop_assert!(covers_changes(counts.map(&d_in).unwrap(), &moved, false), "in L1 under {metric:?}");
                prop_assert!(covers_changes(l2.map(&d_in).unwrap(), &moved, true), "in L2 under {metric:?}");
            }
        });
    }

    #[test]
    fn counts_by_unknown_keys_of_persons((x, y) in pairs((0u8..4, 0u8..3)), max_rows in 1u32..4) {
        let people = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::u8()));
        let bound = make_bound_contributions(people, SymmetricIdDistance, max_rows).unwrap();
        let counts = (bound >> then_count_by(L01InfDistance)).unwrap();
        let d_in = distances::symmetric_id(&x, &y).unwrap();
        let moved = changes(&counts.invoke(&x).unwrap(), &counts.invoke(&y).unwrap());
        prop_assert!(covers_changes(counts.map(&d_in).unwrap(), &moved, false), "{d_in}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn persons_by_unknown_keys((x, y) in pairs((0u8..4, 0u8..4)), max_keys in 1u32..4, by in any::<sample::Index>()) {
        let people = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::u8()));
        let counts = make_count_persons_by(people(), SymmetricIdDistance, max_keys, L01InfDistance).unwrap();
        let l2 = make_count_persons_by(people(), SymmetricIdDistance, max_keys, L02InfDistance).unwrap();
        let (nx, ny) = (counts.invoke(&x).unwrap(), counts.invoke(&y).unwrap());
        prop_assert!(counts.output_domain().member(&nx));
        let (d_in, moved) = (distances::symmetric_id(&x, &y).unwrap(), changes(&nx, &ny));
        prop_assert!(covers_changes(counts.map(&d_in).unwrap(), &moved, false), "in L1: {d_in}");
        prop_assert!(covers_changes(l2.map(&d_in).unwrap(), &moved, true), "in L2: {d_in}");
        // Neither order nor repetition matters.
        let mut again = [x.clone(), x.clone()].concat();
        if !again.is_empty() {
            let by = by.index(again.len());
            again.rotate_left(by);
        }
        prop_assert_eq!(counts.invoke(&again).unwrap(), nx);
    }

    #[test]
    fn sums_by_unknown_keys((x, y) in pairs((0u8..5, numbers())), bounds in sample::select(BOUNDS.to_vec())) {
        let rows = |rows: &[(u8, Float)]| rows.iter().map(|row| (row.0, row.1.0)).collect::<Vec<_>>();
        for_each_row_metric!(|metric, distance| {
            if let Some(d_in) = distance!(&x, &y) {
                let keyed = (VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64())), metric);
                let clamp = (keyed >> then_clamp(bounds)).unwrap();
                let sums = (clamp.clone() >> then_sum_by(L01InfDistance)).unwrap();
                let l2 = (clamp >> then_sum_by(L02InfDistance)).unwrap();
                let (sx, sy) = (sums.invoke(&rows(&x)).unwrap(), sums.invoke(&rows(&y)).unwrap());
                prop_assert!(sums.output_domain().member(&sx) && sums.output_domain().member(&sy));
                let moved = changes(&sx, &sy);
                prop_assert!(covers_changes(sums.map(&d_in).unwrap(), &moved, false), "in L1 under {metric:?}");
                prop_assert!(covers_changes(l2.map(&d_in).unwrap(), &moved, true), "in L2 under {metric:?}");
            }
        });
    }
}

/// Each part of the distance between maps is attained by some pair, so that a smaller one fails above.
#[test]
fn maps_to_unknown_keys_are_attained() {
    let attained = |replace: bool, x: &[u8], y: &[u8], d_in: u32| {
        let rows = VectorDomain::new(AtomDomain::u8());
        let map = match replace {
            true => make_count_by(rows.clone(), ChangeOneDistance, L01InfDistance).unwrap().map(&d_in),
            false => make_count_by(rows.clone(), SymmetricDistance, L01InfDistance).unwrap().map(&d_in),
        };
        let (keys, norm, greatest) = map.unwrap();
        let counts = make_count_by(rows, SymmetricDistance, L01InfDistance).unwrap();
        let moved = changes(&counts.invoke(x).unwrap(), &counts.invoke(y).unwrap());
        let total: Rational = moved.iter().sum();
        (moved.len() == usize::try_from(keys).unwrap(), total == norm.exact(), moved.contains(&greatest.exact()))
    };
    assert_eq!(attained(false, &[], &[7, 8], 2), (true, true, false));
    assert_eq!(attained(false, &[], &[7, 7], 2), (false, true, true));
    assert_eq!(attained(true, &[0, 1], &[2, 3], 2), (true, true, false));
    assert_eq!(attained(true, &[0, 0], &[2, 2], 2), (false, true, true));

    let people = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::u8()));
    let counts = make_count_persons_by(people.clone(), SymmetricIdDistance, 3, L02InfDistance).unwrap();
    let one = counts.invoke(&[(0, 1), (0, 2), (0, 3), (0, 4), (0, 1)]).unwrap();
    let (keys, norm, greatest) = counts.map(&1).unwrap();
    let moved = changes(&one, &Default::default());
    assert!(moved.len() == 3 && keys == 3 && moved.contains(&greatest.exact()));
    assert!(covers_square(norm, &Rational::from(3)) && !covers_square(norm.next_down(), &Rational::from(3)));
    let counts = make_count_persons_by(people, SymmetricIdDistance, 3, L01InfDistance).unwrap();
    assert_eq!(counts.map(&2), Ok((6, 6.0, 2.0)));
    assert_eq!(counts.invoke(&[(0, 1), (1, 1)]).unwrap()[&1], 2);

    let numbers = AtomDomain::f64().with_bounds((-4.0, 3.0)).unwrap();
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), numbers));
    let sums = make_sum_by(rows, ChangeOneDistance, L01InfDistance).unwrap();
    assert_eq!(sums.map(&1), Ok((2, 8.0, 7.0)));
    let moved = |x, y| changes(&sums.invoke(&[x]).unwrap(), &sums.invoke(&[y]).unwrap());
    assert_eq!(moved((0, -4.0), (1, -4.0)), [4, 4]);
    assert_eq!(moved((0, -4.0), (0, 3.0)), [7]);
}

/// For each map a pair of datasets that is exactly as far apart as it says: a map that claimed less would fail above.
#[test]
fn maps_are_attained() {
    let rows = || VectorDomain::new(AtomDomain::f64().with_bounds((-4.0, 3.0)).unwrap());
    let attains = |map: f64, x: f64, y: f64| assert_eq!(map, (x - y).abs());
    let sum = make_sum(rows(), SymmetricDistance).unwrap();
    attains(sum.map(&2).unwrap(), sum.invoke(&[-4.0, -4.0]).unwrap().to_f64(), 0.0);
    let sum = make_sum(rows(), HammingDistance).unwrap();
    attains(sum.map(&2).unwrap(), sum.invoke(&[-4.0; 2]).unwrap().to_f64(), sum.invoke(&[3.0; 2]).unwrap().to_f64());
    let sum = make_sum(rows().with_size(2), SymmetricDistance).unwrap();
    attains(
        sum.map(&2).unwrap(),
        sum.invoke(&[1.0, -4.0]).unwrap().to_f64(),
        sum.invoke(&[3.0, 1.0]).unwrap().to_f64(),
    );
    let count = make_count(rows(), InsertDeleteDistance).unwrap();
    assert_eq!(count.map(&3).unwrap(), 3.0);
    assert_eq!(count.invoke(&[0.0; 3]).unwrap() - count.invoke(&[]).unwrap(), 3);

    let categories = || VectorDomain::new(AtomDomain::u8());
    let drop = UnknownCategories::Drop;
    let counts =
        make_count_by_categories(categories(), ChangeOneDistance, vec![0, 1], drop, L1Distance::new()).unwrap();
    let (x, y) = (counts.invoke(&[0, 0]).unwrap(), counts.invoke(&[1, 1]).unwrap());
    assert!(l1(&x, &y) == 4 && counts.map(&2).unwrap() == 4.0);
    let counts =
        make_count_by_categories(categories(), ChangeOneDistance, vec![0, 1], drop, L2Distance::new()).unwrap();
    let map = counts.map(&2).unwrap();
    assert!(
        covers_square(map, &l2_squared(&x, &y)) && !covers_square(map.next_down().next_down(), &l2_squared(&x, &y))
    );

    // A replaced row: one entry falls and another rises.
    for (form, attained) in [(LInfDistance::new(), 1.0), (LInfDistance::monotonic(), 2.0)] {
        let counts = make_count_by_categories(categories(), ChangeOneDistance, vec![0, 1], drop, form.clone()).unwrap();
        let (x, y) = (counts.invoke(&[0]).unwrap(), counts.invoke(&[1]).unwrap());
        let (plain, monotonic) = linf(&x, &y);
        let truth = if form.is_monotonic() { monotonic } else { plain };
        assert!(truth == attained && counts.map(&1).unwrap() == attained);
    }

    let pairs =
        VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64().with_bounds((-4.0, 3.0)).unwrap()));
    let sums = make_sum_by_categories(pairs.clone(), ChangeOneDistance, vec![0, 1], drop, L1Distance::new()).unwrap();
    let (x, y) = (sums.invoke(&[(0, -4.0)]).unwrap(), sums.invoke(&[(1, -4.0)]).unwrap());
    assert!(l1(&x, &y) == 8 && sums.map(&1).unwrap() == 8.0);
    let sums = make_sum_by_categories(pairs, ChangeOneDistance, vec![0], drop, L2Distance::new()).unwrap();
    let (x, y) = (sums.invoke(&[(0, -4.0)]).unwrap(), sums.invoke(&[(0, 3.0)]).unwrap());
    assert!(l2_squared(&x, &y) == 49 && sums.map(&1).unwrap() == 7.0);

    let people = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::u8()));
    let bound = make_bound_contributions(people, SymmetricIdDistance, 2).unwrap();
    let one = bound.invoke(&[(0, 1), (0, 2), (0, 3)]).unwrap();
    assert_eq!(distances::symmetric(&one, &[]), Some(bound.map(&1).unwrap()));
}

/// A sum of floats by halves.
fn pairwise(rows: &[f64]) -> f64 {
    match rows.len() {
        0 => 0.0,
        1 => rows[0],
        n => pairwise(&rows[..n / 2]) + pairwise(&rows[n / 2..]),
    }
}

/// A sum of floats that carries what was rounded away.
fn kahan(rows: &[f64]) -> f64 {
    let (mut sum, mut carry) = (0.0, 0.0);
    for row in rows {
        let row = row - carry;
        let next: f64 = sum + row;
        (sum, carry) = (next, (next - sum) - row);
    }
    sum
}

/// A sum of 32-bit floats in order, of rows that are such.
fn single(rows: &[f64]) -> f64 {
    let rows = rows.iter().map(|row| row.to_string().parse::<f32>().unwrap());
    rows.sum::<f32>().into()
}

#[test]
fn float_sum_vectors() {
    type Sum = fn(&[f64]) -> f64;
    let sequential: Sum = |rows| rows.iter().sum();
    // The sums that each vector is made to break.
    let twins: [(&str, Sum); 9] = [
        ("sum_f64_seq_binade_cascade_n64", sequential),
        ("sum_f64_seq_binade_cascade_n1024", sequential),
        ("sum_f64_pairwise_binade_cascade_n64", pairwise),
        ("sum_f64_reorder_absorb_2p16", sequential),
        ("sum_f64_reorder_inf_nan", sequential),
        ("sum_f64_kahan_killer", kahan),
        ("sum_f64_kahan_killer", sequential),
        ("sum_f64_constant_tenth_add_one_N40962", sequential),
        ("sum_f32_overflow_one_row", single),
    ];
    for (name, vector) in vectors("float_sum").into_iter().filter(|(_, vector)| vector["statistic"] == "sum") {
        let bounds = (float(&vector["bounds"][0]), float(&vector["bounds"][1]));
        let (x, y) = (runs(&vector["x"]), runs(&vector["y"]));
        let d_in = u32::try_from(vector["d_in"].as_u64().unwrap()).unwrap();
        let (map, change) = match vector["metric"].as_str().unwrap() {
            "change_one" => {
                let sum = (clamped(ChangeOneDistance, bounds) >> then_sum()).unwrap();
                (sum.map(&d_in).unwrap(), l1(&[sum.invoke(&x).unwrap()], &[sum.invoke(&y).unwrap()]))
            }
            _ => {
                let sum = (clamped(SymmetricDistance, bounds) >> then_sum()).unwrap();
                (sum.map(&d_in).unwrap(), l1(&[sum.invoke(&x).unwrap()], &[sum.invoke(&y).unwrap()]))
            }
        };
        assert_eq!(change, fraction(&vector["exact_change"]), "{name}: the sums are not exact");
        assert!(covers(map, &change) && covers(map, &fraction(&vector["ideal_sensitivity"])), "{name}: map {map}");
        let mut broken = 0;
        for (_, twin) in twins.iter().filter(|(of, _)| *of == name) {
            let naive = (twin(&x) - twin(&y)).abs();
            assert!(naive.is_nan() || naive > map, "{name}: no power, {naive:e}");
            broken += 1;
        }
        // The width of all floats overflows: infinite, which is right, here as in the naive difference.
        let width = name == "sum_f64_bounds_width_overflow";
        assert!(
            if width { (bounds.1 - bounds.0, map) == (f64::INFINITY, f64::INFINITY) } else { broken > 0 },
            "{name}"
        );
    }
}

/// Rows of 32-bit floats are summed exactly as well.
#[test]
fn sum_f32_overflow_one_row() {
    let vector = &vectors("float_sum")["sum_f32_overflow_one_row"];
    let narrow = |value: f64| -> f32 { value.to_string().parse().unwrap() };
    let rows = |side: &str| -> Vec<f32> { runs(&vector[side]).into_iter().map(narrow).collect() };
    let bounds = (narrow(float(&vector["bounds"][0])), narrow(float(&vector["bounds"][1])));
    let space = (VectorDomain::new(AtomDomain::f32()), SymmetricDistance);
    let sum = (space >> then_clamp(bounds) >> then_sum()).unwrap();
    let change = l1(&[sum.invoke(&rows("x")).unwrap()], &[sum.invoke(&rows("y")).unwrap()]);
    assert!(change == fraction(&vector["exact_change"]) && covers(sum.map(&1).unwrap(), &change));
    assert!((rows("x").iter().sum::<f32>() - rows("y").iter().sum::<f32>()).is_infinite(), "no power");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(25_000))]

    #[test]
    fn parts_of_a_partition((x, y) in pairs((0u8..4, 0u8..3)), collect in any::<bool>()) {
        let unknown = if collect { UnknownCategories::Collect } else { UnknownCategories::Drop };
        let rows = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::u8()));
        macro_rules! check {
            ($metric:ident $definition:ident $parts:ident) => {
                if let Some(d_in) = distances::$definition(&x, &y) {
                    let split = make_partition_by_categories(rows(), $metric, vec![2, 0, 1], unknown).unwrap();
                    let (px, py) = (split.invoke(&x).unwrap(), split.invoke(&y).unwrap());
                    prop_assert!(split.output_domain().member(&px) && split.output_domain().member(&py));
                    let apart: Vec<u32> = px.iter().zip(&py).map(|(a, b)| distances::$parts(a, b).unwrap()).collect();
                    let changed = u32::try_from(apart.iter().filter(|d| **d > 0).count()).unwrap();
                    let (parts, total, greatest) = split.map(&d_in).unwrap();
                    prop_assert!(changed <= parts && apart.iter().sum::<u32>() <= total, "{:?}", $metric);
                    prop_assert!(apart.iter().all(|d| *d <= greatest), "{:?}", $metric);
                }
            };
        }
        check!(SymmetricDistance symmetric symmetric);
        check!(InsertDeleteDistance insert_delete insert_delete);
        check!(ChangeOneDistance change_one symmetric);
        check!(HammingDistance hamming insert_delete);
    }
}

/// How far apart two lists of parts are, in persons: the number of parts that differ, the total, the greatest.
fn parts_apart(x: &[Vec<(u8, u8)>], y: &[Vec<(u8, u8)>]) -> (u32, u32, u32) {
    assert_eq!(x.len(), y.len());
    let apart: Vec<u32> = x.iter().zip(y).map(|(x, y)| distances::symmetric_id(x, y).unwrap()).collect();
    let differ = apart.iter().filter(|&&d| d > 0).count();
    (u32::try_from(differ).unwrap(), apart.iter().sum(), apart.iter().copied().max().unwrap_or(0))
}

fn persons_in_parts(
    unknown: UnknownCategories,
    max_parts: u32,
) -> Transformation<
    VectorDomain<PairDomain<AtomDomain<u8>, PairDomain<AtomDomain<u8>, AtomDomain<u8>>>>,
    VectorDomain<VectorDomain<PairDomain<AtomDomain<u8>, AtomDomain<u8>>>>,
    SymmetricIdDistance,
    indistinct::metrics::PartitionDistance<SymmetricIdDistance>,
> {
    let row = PairDomain::new(AtomDomain::u8(), PairDomain::new(AtomDomain::u8(), AtomDomain::u8()));
    let categories = vec![2, 0, 1];
    let people = VectorDomain::new(row);
    make_partition_persons_by_categories(people, SymmetricIdDistance, categories, unknown, max_parts).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100_000))]

    #[test]
    fn parts_of_persons((x, y) in pairs((0u8..4, (0u8..5, 0u8..3))), collect in any::<bool>(), max_parts in 1u32..5) {
        let unknown = if collect { UnknownCategories::Collect } else { UnknownCategories::Drop };
        let split = persons_in_parts(unknown, max_parts);
        let (px, py) = (split.invoke(&x).unwrap(), split.invoke(&y).unwrap());
        prop_assert!(split.output_domain().member(&px) && split.output_domain().member(&py));
        let d_in = distances::symmetric_id(&x, &y).unwrap();
        let (parts, total, greatest) = split.map(&d_in).unwrap();
        let (differ, sum, most) = parts_apart(&px, &py);
        prop_assert!(differ <= parts && sum <= total && most <= greatest, "{:?} at {d_in}", (differ, sum, most));
        for person in 0..4 {
            prop_assert!(px.iter().filter(|part| part.iter().any(|row| row.0 == person)).count() <= usize::try_from(max_parts).unwrap());
        }
    }
}

#[test]
fn pairs_that_attain_the_map_of_parts_of_persons() {
    let rows: Vec<(u8, (u8, u8))> = (0..3).map(|category| (7, (category, 1))).collect();
    let changed: Vec<(u8, (u8, u8))> = (0..3).map(|category| (7, (category, 2))).collect();
    for max_parts in 1..4 {
        let split = persons_in_parts(UnknownCategories::Drop, max_parts);
        let parts = |rows: &[(u8, (u8, u8))]| split.invoke(rows).unwrap();
        assert_eq!(Ok(parts_apart(&parts(&rows), &parts(&[]))), split.map(&1));
        let (_, total, greatest) = parts_apart(&parts(&rows), &parts(&changed));
        assert_eq!((total, greatest), (2 * max_parts, 2));
    }
}
