//! Facts about data that are no longer true after a step: sizes, bounds, contributions.

use super::integer;
use indistinct::{numeric::gmp::Rational, prelude::*};
use indistinct_audit::stability::stability;
use indistinct_tests::{Exact, covers, vectors};
use std::collections::BTreeSet;

/// Resizing, on the rows of the vector and under its metric: what it does is decided by public bits, and keeps its map.
#[test]
fn resizing_keeps_its_map_where_the_size_already_fits() {
    let vector = &vectors("stability")["resize_shuffles_at_exact_size"];
    let rows =
        |side: &str| -> Vec<i64> { vector[side].as_array().unwrap().iter().map(|row| row.as_i64().unwrap()).collect() };
    let domain = VectorDomain::new(AtomDomain::i64());
    let ordered = make_resize(domain.clone(), InsertDeleteDistance, 3, 0).unwrap();
    let unordered = make_resize(domain, SymmetricDistance, 3, 0).unwrap();
    let pairs = || [(rows("x"), rows("y")), (rows("y"), rows("x"))];
    assert!(!stability(&ordered, pairs()).is_violated() && !stability(&unordered, pairs()).is_violated());
    // The negative control takes the first rows of a longer list, and shuffles one that fits.
    let control = |rows: &[i64]| {
        if rows.len() > 3 { rows[..3].to_vec() } else { rows.iter().rev().copied().chain([0; 3]).take(3).collect() }
    };
    let domain = || VectorDomain::new(AtomDomain::i64());
    let metric = InsertDeleteDistance;
    let control = make_user_transformation(domain(), metric, domain(), metric, control, |d: &u32| Ok(2 * d)).unwrap();
    assert!(stability(&control, pairs()).is_violated(), "no power");
}

#[test]
fn bounds_are_those_of_the_rows_that_are_summed() {
    let vectors = vectors("stability");
    let space = || (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let pair = |name: &str| {
        let rows = |side: &str| {
            let values = vectors[name][side].as_array().unwrap().iter();
            values.map(|value| value.as_f64().unwrap()).collect::<Vec<f64>>()
        };
        (rows("x"), rows("y"))
    };
    // A statistic of rows as a broken library has it, with the loss that it claims: whether a pair shows that it is
    // broken.
    let broken = |name: &str, statistic: fn(&[f64]) -> f64, claimed: f64| {
        let metric = AbsoluteDistance::new();
        let map = move |d_in: &u32| Ok(f64::from(*d_in) * claimed);
        let control = make_user_transformation(space().0, space().1, AtomDomain::f64(), metric, statistic, map);
        stability(&control.unwrap(), [pair(name)]).is_violated()
    };
    let truth =
        |name: &str| Rational::from_f64(vectors[name]["true_d_out"].as_str().unwrap().parse().unwrap()).unwrap();

    // Clipped rows are what is summed.
    let name = "clip_then_use_unclipped";
    let clipped = (space() >> then_clamp((0.0, 1.0)) >> then_sum()).unwrap();
    assert!(!stability(&clipped, [pair(name)]).is_violated());
    let unclipped = |rows: &[f64]| {
        let _clipped: Vec<f64> = rows.iter().map(|row| row.clamp(0.0, 1.0)).collect();
        rows.iter().sum()
    };
    assert!(broken(name, unclipped, 1.0), "no power");

    // A square's bounds are declared anew, and rows that leave them do not.
    let name = "only_lower_bound_used";
    let squares = |most: f64| {
        let bounded = AtomDomain::f64().with_bounds((0.0, most)).unwrap();
        (space() >> then_clamp((0.0, 100.0)) >> then_map(bounded, 0.0, |row: &f64| row * row) >> then_sum()).unwrap()
    };
    assert!(covers(squares(10_000.0).map(&1).unwrap(), &truth(name)));
    for most in [1e-9, 1.0, 10_000.0] {
        assert!(!stability(&squares(most), [pair(name)]).is_violated());
    }
    // The negative control squares the lower bound alone, which is 0.
    assert!(broken(name, |rows| rows.iter().map(|row| row * row).sum(), 0.0 * 0.0), "no power");

    // Without bounds there is no sum.
    let error = (space() >> then_sum()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
    // The negative control takes no bounds for no sensitivity, and so for no need of noise.
    let (bounds, name): (Option<(f64, f64)>, _) = (None, "bounds_missing_means_no_noise");
    let sensitivity = bounds.map_or(0.0, |(low, high)| f64::max(-low, high));
    assert!(broken(name, |rows| rows.iter().sum(), sensitivity), "no power");

    // Bounds from 0 to 1 do not survive a multiplication by -3.
    let name = "stale_bounds_after_scale";
    let scaled = |bounds| {
        let rows = AtomDomain::f64().with_bounds(bounds).unwrap();
        (space() >> then_clamp((0.0, 1.0)) >> then_map(rows, 0.0, |row: &f64| -3.0 * row) >> then_sum()).unwrap()
    };
    assert!(covers(scaled((-3.0, 0.0)).map(&1).unwrap(), &truth(name)));
    for bounds in [(0.0, 1.0), (-3.0, 0.0)] {
        assert!(!stability(&scaled(bounds), [pair(name)]).is_violated());
    }
    // The negative control keeps the bounds from before.
    assert!(broken(name, |rows| rows.iter().map(|row| row.clamp(0.0, 1.0) * -3.0).sum(), 1.0), "no power");
}

/// At most three rows of each individual, each in [-10, 10]: one individual exchanged for another is two individuals
/// and 60, not 30.
#[test]
fn bounded_contributions_move_twice_when_an_individual_is_replaced() {
    let vector = &vectors("stability")["max_length_is_not_max_change"];
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::i64()));
    let sum =
        ((rows, SymmetricIdDistance) >> then_bound_contributions(3) >> then_clamp((-10, 10)) >> then_sum()).unwrap();
    let side = |name: &str| {
        vector[name].as_array().unwrap().iter().map(|value| (1, value.as_i64().unwrap())).collect::<Vec<(u8, i64)>>()
    };
    let (x, y) = (side("x"), side("y"));
    let change = (sum.invoke(&x).unwrap() - sum.invoke(&y).unwrap()).abs();
    assert_eq!(change, integer(&vector["true_d_out"]));
    assert!(!stability(&sum, [(x, y)]).is_violated() && covers(sum.map(&2).unwrap(), &change.exact()));
    // The negative control counts the three rows of an individual once.
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::i64()));
    let first_three = |rows: &[(u8, i64)]| rows.iter().take(3).map(|row| row.1.clamp(-10, 10)).sum();
    let claim = |d_in: &u32| Ok(if *d_in == 0 { 0.0 } else { 30.0 });
    let metric = AbsoluteDistance::new();
    let control = make_user_transformation(rows, SymmetricIdDistance, AtomDomain::i64(), metric, first_three, claim);
    assert!(stability(&control.unwrap(), [(side("x"), side("y"))]).is_violated(), "no power");
}

/// Individuals in a hundred groups: bounded anew after their groups are overwritten, for no fact is carried along.
#[test]
fn a_bound_on_individuals_is_part_of_the_chain_that_needs_it() {
    let vector = &vectors("stability")["stale_truncation"];
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::u8()));
    // All rows in one group: each individual may have 100 rows there.
    let count = ((rows, SymmetricIdDistance)
        >> then_bound_contributions(100)
        >> then_map(AtomDomain::u8(), 0, |_: &u8| 0)
        >> then_count_by_categories(vec![0u8], UnknownCategories::Drop, L2Distance::new()))
    .unwrap();
    let both: Vec<(u8, u8)> = (0..2).flat_map(|id| (0..100).map(move |group| (id, group))).collect();
    let one: Vec<(u8, u8)> = both.iter().copied().filter(|(id, _)| *id == 1).collect();
    assert!(!stability(&count, [(both.clone(), one.clone())]).is_violated());
    // The negative control bounds individuals by one row for each of 100 groups, overwrites the groups, and claims the
    // root of 100 as before.
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::u8()));
    let overwritten = |rows: &[(u8, u8)]| {
        let bounded: BTreeSet<(u8, u8)> = rows.iter().copied().collect();
        vec![i64::try_from(bounded.len()).unwrap()]
    };
    let counts = VectorDomain::new(AtomDomain::i64()).with_size(1);
    let claim = |d_in: &u32| Ok(f64::from(*d_in) * 10.0);
    let control = make_user_transformation(rows, SymmetricIdDistance, counts, L2Distance::new(), overwritten, claim);
    assert!(stability(&control.unwrap(), [(both, one)]).is_violated(), "no power");
    let truth = Rational::from(integer(&vector["true_d_out"]));
    assert!(covers(count.map(&1).unwrap(), &truth));
}
