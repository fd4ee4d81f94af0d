//! For each map a pair of datasets that is exactly as far apart as it says. That no pair is further apart is what the
//! audit looks at.

use indistinct::{numeric::gmp::Rational, prelude::*};
use indistinct_tests::{Exact, changes, distances};

pub(super) fn l1<T: Exact>(x: &[T], y: &[T]) -> Rational {
    assert_eq!(x.len(), y.len());
    x.iter().zip(y).map(|(a, b)| (a.exact() - b.exact()).abs()).sum()
}

fn l2_squared<T: Exact>(x: &[T], y: &[T]) -> Rational {
    assert_eq!(x.len(), y.len());
    x.iter().zip(y).map(|(a, b)| (a.exact() - b.exact()).square()).sum()
}

/// The greatest difference of two vectors of one length, and its monotonic form: the greatest rise plus the greatest
/// fall.
fn linf<T: Exact>(x: &[T], y: &[T]) -> (Rational, Rational) {
    let differences: Vec<Rational> = x.iter().zip(y).map(|(x, y)| y.exact() - x.exact()).collect();
    let rise = differences.iter().cloned().max().unwrap_or_default().max(Rational::new());
    let fall = differences.iter().map(|d| Rational::from(-d)).max().unwrap_or_default().max(Rational::new());
    (rise.clone().max(fall.clone()), rise + fall)
}

/// Whether the square of a reported bound is at least the exact truth.
fn covers_square(reported: f64, truth: &Rational) -> bool {
    reported == f64::INFINITY || reported.exact().square() >= *truth
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
    let counts = make_count_individuals_by(people.clone(), SymmetricIdDistance, 3, L02InfDistance).unwrap();
    let one = counts.invoke(&[(0, 1), (0, 2), (0, 3), (0, 4), (0, 1)]).unwrap();
    let (keys, norm, greatest) = counts.map(&1).unwrap();
    let moved = changes(&one, &Default::default());
    assert!(moved.len() == 3 && keys == 3 && moved.contains(&greatest.exact()));
    assert!(covers_square(norm, &Rational::from(3)) && !covers_square(norm.next_down(), &Rational::from(3)));
    let counts = make_count_individuals_by(people, SymmetricIdDistance, 3, L01InfDistance).unwrap();
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
        let counts = make_count_by_categories(categories(), ChangeOneDistance, vec![0, 1], drop, form).unwrap();
        let (x, y) = (counts.invoke(&[0]).unwrap(), counts.invoke(&[1]).unwrap());
        let (plain, monotonic) = linf(&x, &y);
        let truth = if form.is_monotonic() { monotonic } else { plain };
        assert!(truth == attained && counts.map(&1).unwrap() == attained);
    }

    // A replaced row takes the only one of its value from a category to another; or stays in it, and one value is more.
    let visits = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::u8()));
    macro_rules! distinct {
        ($norm:expr) => {
            make_count_distinct_by_categories(visits(), ChangeOneDistance, vec![0, 1], drop, $norm).unwrap()
        };
    }
    let distinct = distinct!(L1Distance::new());
    let (x, y) = (distinct.invoke(&[(0, 1), (0, 2)]).unwrap(), distinct.invoke(&[(1, 1), (1, 2)]).unwrap());
    assert!(l1(&x, &y) == 4 && distinct.map(&2).unwrap() == 4.0);
    let map = distinct!(L2Distance::new()).map(&2).unwrap();
    assert!(
        covers_square(map, &l2_squared(&x, &y)) && !covers_square(map.next_down().next_down(), &l2_squared(&x, &y))
    );
    for (form, attained) in [(LInfDistance::new(), 2.0), (LInfDistance::monotonic(), 4.0)] {
        let (plain, monotonic) = linf(&x, &y);
        let truth = if form.is_monotonic() { monotonic } else { plain };
        assert!(truth == attained && distinct!(form).map(&2).unwrap() == attained);
    }
    let (x, y) = (distinct.invoke(&[(0, 1), (0, 1)]).unwrap(), distinct.invoke(&[(0, 1), (0, 2)]).unwrap());
    assert!((x, y) == (vec![1, 0], vec![2, 0]) && distinct!(LInfDistance::new()).map(&1).unwrap() == 1.0);

    let pairs =
        VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64().with_bounds((-4.0, 3.0)).unwrap()));
    let sums = make_sum_by_categories(pairs.clone(), ChangeOneDistance, vec![0, 1], drop, L1Distance::new()).unwrap();
    let (x, y) = (sums.invoke(&[(0, -4.0)]).unwrap(), sums.invoke(&[(1, -4.0)]).unwrap());
    assert!(l1(&x, &y) == 8 && sums.map(&1).unwrap() == 8.0);
    let sums = make_sum_by_categories(pairs, ChangeOneDistance, vec![0], drop, L2Distance::new()).unwrap();
    let (x, y) = (sums.invoke(&[(0, -4.0)]).unwrap(), sums.invoke(&[(0, 3.0)]).unwrap());
    assert!(l2_squared(&x, &y) == 49 && sums.map(&1).unwrap() == 7.0);

    // One individual in nine categories, with two rows in each; and with rows that rise in one and fall in another.
    let rest = PairDomain::new(AtomDomain::u8(), AtomDomain::f64().with_bounds((-4.0, 4.0)).unwrap());
    let people = VectorDomain::new(PairDomain::new(AtomDomain::u8(), rest));
    macro_rules! within {
        ($all:literal, $each:literal, $norm:expr) => {{
            let (people, categories) = (people.clone(), (0..9).collect());
            make_sum_by_categories_of_individuals(people, SymmetricIdDistance, categories, drop, $all, $each, $norm)
                .unwrap()
        }};
    }
    let mine: Vec<(u8, (u8, f64))> = (0..60).map(|row| (7, (row % 10, -4.0))).collect();
    let sums = within!(18, 2, L1Distance::new());
    let (x, none) = (sums.invoke(&mine).unwrap(), sums.invoke(&[]).unwrap());
    assert!(l1(&x, &none) == 72 && sums.map(&1) == Ok(72.0));
    assert!(l2_squared(&x, &none) == 24 * 24 && within!(18, 2, L2Distance::new()).map(&1) == Ok(24.0));
    assert!(linf(&x, &none).0 == 8 && within!(18, 2, LInfDistance::new()).map(&1) == Ok(8.0));
    let both = [(7, (0, 4.0)), (7, (0, 4.0)), (7, (1, -4.0)), (7, (1, -4.0))];
    assert_eq!(linf(&none, &sums.invoke(&both).unwrap()).1, 16);
    assert_eq!(within!(18, 2, LInfDistance::monotonic()).map(&1), Ok(16.0));
    // What no limit of both leaves is not claimed: three rows in one of nine categories, or in three.
    assert_eq!(
        (within!(3, 3, L2Distance::new()).map(&1), within!(3, 1, LInfDistance::new()).map(&1)),
        (Ok(12.0), Ok(4.0))
    );
    let map = within!(3, 1, L2Distance::new()).map(&1).unwrap();
    let x = within!(3, 1, L2Distance::new()).invoke(&mine).unwrap();
    assert!(covers_square(map, &l2_squared(&x, &none)) && !covers_square(map.next_down(), &l2_squared(&x, &none)));

    let people = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::u8()));
    let bound = make_bound_contributions(people, SymmetricIdDistance, 2).unwrap();
    let one = bound.invoke(&[(0, 1), (0, 2), (0, 3)]).unwrap();
    assert_eq!(distances::symmetric(&one, &[]), Some(bound.map(&1).unwrap()));
}

/// How far apart two lists of parts are, in individuals: the number of parts that differ, the total, the greatest.
fn parts_apart(x: &[Vec<(u8, u8)>], y: &[Vec<(u8, u8)>]) -> (u32, u32, u32) {
    assert_eq!(x.len(), y.len());
    let apart: Vec<u32> = x.iter().zip(y).map(|(x, y)| distances::symmetric_id(x, y).unwrap()).collect();
    let differ = apart.iter().filter(|&&d| d > 0).count();
    (u32::try_from(differ).unwrap(), apart.iter().sum(), apart.iter().copied().max().unwrap_or(0))
}

fn individuals_in_parts(
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
    make_partition_individuals_by_categories(people, SymmetricIdDistance, categories, unknown, max_parts).unwrap()
}

#[test]
fn pairs_that_attain_the_map_of_parts_of_individuals() {
    let rows: Vec<(u8, (u8, u8))> = (0..3).map(|category| (7, (category, 1))).collect();
    let changed: Vec<(u8, (u8, u8))> = (0..3).map(|category| (7, (category, 2))).collect();
    for max_parts in 1..4 {
        let split = individuals_in_parts(UnknownCategories::Drop, max_parts);
        let parts = |rows: &[(u8, (u8, u8))]| split.invoke(rows).unwrap();
        assert_eq!(Ok(parts_apart(&parts(&rows), &parts(&[]))), split.map(&1));
        let (_, total, greatest) = parts_apart(&parts(&rows), &parts(&changed));
        assert_eq!((total, greatest), (2 * max_parts, 2));
    }
}
