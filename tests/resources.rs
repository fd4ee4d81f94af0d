//! What a call takes in memory: chains of rows that end in an aggregate never copy their input.

#![allow(clippy::unwrap_used)] // a panic is a failed test

use indistinct::prelude::*;
use std::hint::black_box;

const ROWS: u32 = 1_000_000;

/// The most memory in use at once, in bytes.
fn peak<T>(run: impl FnOnce() -> Fallible<T>) -> u64 {
    let used = allocation_counter::measure(|| {
        black_box(run().unwrap());
    });
    used.bytes_max
}

#[test]
fn rows_that_end_in_an_aggregate_are_not_copied() {
    let rows: Vec<f64> = (0..ROWS).map(f64::from).collect();
    let space = || (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let clamped = || space() >> then_clamp((0.0, 1e5)) >> then_map(AtomDomain::f64(), 0.0, |x: &f64| x.sqrt());
    let sum = (clamped() >> then_clamp((0.0, 100.0)) >> then_sum()).unwrap();
    let noisy = (clamped() >> then_clamp((0.0, 100.0)) >> then_sum() >> then_laplace(100.0)).unwrap();
    let category = |x: &f64| if *x < 100.0 { 0 } else { 1 };
    let counts = clamped()
        >> then_map(AtomDomain::u8(), 0, category)
        >> then_count_by_categories(vec![0, 1], UnknownCategories::Drop, L1Distance::new());
    let counts = counts.unwrap();
    // The data take 8 MB. A few thousand rows of each step and the tables of the noise are all that there may be.
    for (name, peak) in [
        ("sum", peak(|| sum.invoke(&rows))),
        ("noisy sum", peak(|| noisy.invoke(&rows))),
        ("counts", peak(|| counts.invoke(&rows))),
        ("by parts", peak(|| sum.aggregate()?.absorb(&rows)?.finish())),
    ] {
        assert!(peak < 100_000, "{name}: {peak} bytes");
    }
}

#[test]
fn groups_are_not_collected() {
    let rows: Vec<(u32, f64)> = (0..ROWS).map(|row| (row % 7, f64::from(row % 1000))).collect();
    let space = || (VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64())), SymmetricDistance);
    let listed = then_sum_by_categories((0..7).collect(), UnknownCategories::Drop, L1Distance::new());
    let listed = (space() >> then_clamp((0.0, 1e3)) >> listed).unwrap();
    let found = (space() >> then_clamp((0.0, 1e3)) >> then_sum_by(L01InfDistance)).unwrap();
    assert!(peak(|| listed.invoke(&rows)) < 100_000);
    assert!(peak(|| found.invoke(&rows)) < 100_000);
}

/// The twin: a step that is not declared as one of rows takes a copy, and it is seen.
#[test]
fn a_copy_is_counted() {
    let rows: Vec<f64> = (0..ROWS).map(f64::from).collect();
    let domain = VectorDomain::new(AtomDomain::f64());
    let copy = make_user_transformation(
        domain.clone(),
        SymmetricDistance,
        domain,
        SymmetricDistance,
        |rows: &[f64]| rows.to_vec(),
        |&d_in: &u32| Ok(d_in),
    );
    let sum = (copy >> then_clamp((0.0, 1e5)) >> then_sum()).unwrap();
    assert!(peak(|| sum.invoke(&rows)) >= 8 * u64::from(ROWS));
}
