//! Which rows individuals contribute does not depend on the order of the rows, on how zero is written, or on how often
//! a key is there. (In which order they come is no part of a multiset, which is what the metric sees.)

use indistinct::prelude::*;
use indistinct_tests::Float;
use proptest::{prelude::*, sample};

fn numbers() -> BoxedStrategy<Float> {
    let special =
        vec![0.0, -0.0, 0.1, 0.3, 1.0, 1e16, 1e308, -1e308, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY];
    let cascade = (0u32..9).prop_map(|quarter| 1125899906842624.0 + f64::from(quarter) / 8.0);
    prop_oneof![sample::select(special), cascade, -4f64..4.0, any::<f64>().prop_filter("NaN", |x| !x.is_nan())]
        .prop_map(Float)
        .boxed()
}

/// Of the rows only which they are: sorted, with one zero.
fn which(rows: &[f64]) -> Vec<Float> {
    let mut rows: Vec<f64> = rows.iter().map(|row| row + 0.0).collect();
    rows.sort_by(f64::total_cmp);
    rows.into_iter().map(Float).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

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
        prop_assert_eq!(which(&bound.invoke(&rows).unwrap()), which(&bound.invoke(&moved).unwrap()));
    }

    #[test]
    fn sums_of_individuals_ignore_order_and_the_sign_of_zero(
        x in prop::collection::vec((0u8..3, (0u8..4, numbers())), 0..12),
        limits in (1u32..5, 1u32..3),
        shuffled in any::<sample::Index>(),
    ) {
        let bounded = AtomDomain::f64().with_bounds((f64::MIN, f64::MAX)).unwrap();
        let people = VectorDomain::new(PairDomain::new(AtomDomain::u8(), PairDomain::new(AtomDomain::u8(), bounded)));
        let drop = UnknownCategories::Drop;
        let sums = make_sum_by_categories_of_individuals(people, SymmetricIdDistance, vec![0, 2, 3], drop, limits.0, limits.1, L2Distance::new());
        let rows: Vec<(u8, (u8, f64))> = x.iter().filter(|row| row.1.1.0.is_finite()).map(|row| (row.0, (row.1.0, row.1.1.0))).collect();
        let of_zero = |x: f64| if x == 0.0 { -x } else { x };
        let mut moved: Vec<(u8, (u8, f64))> = rows.iter().map(|row| (row.0, (row.1.0, of_zero(row.1.1)))).collect();
        if !moved.is_empty() {
            let by = shuffled.index(moved.len());
            moved.rotate_left(by);
        }
        let sums = sums.unwrap();
        prop_assert_eq!(sums.invoke(&rows).unwrap(), sums.invoke(&moved).unwrap());
    }

    #[test]
    fn counts_of_individuals_ignore_order_and_repetition(
        x in prop::collection::vec((0u8..4, 0u8..4), 1..12),
        max_keys in 1u32..4,
        by in any::<sample::Index>(),
    ) {
        let people = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::u8()));
        let counts = make_count_individuals_by(people, SymmetricIdDistance, max_keys, L01InfDistance).unwrap();
        let mut again = [x.clone(), x.clone()].concat();
        let by = by.index(again.len());
        again.rotate_left(by);
        prop_assert_eq!(counts.invoke(&again).unwrap(), counts.invoke(&x).unwrap());
    }
}
