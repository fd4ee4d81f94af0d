//! Three selections with a bounded range each, composed as zero-concentrated divergence, and read as (epsilon, delta).
//!
//!     cargo run --release --bin conversions -- --epsilon 1

use indistinct::prelude::*;
use indistinct_examples::{PersonYear, run};
use std::{
    io::{self, Write},
    process::ExitCode,
};

const DELTA: f64 = 1e-6;

/// One row of each individual: the plan, the decade of age, the admissions.
type Row = (u64, (u32, (u32, u32)));

fn main() -> ExitCode {
    run(|epsilon, rows: &[PersonYear]| {
        let rows: Vec<Row> =
            rows.iter().map(|row| (row.person_id, (row.plan, (decade(row.age), row.admissions)))).collect();
        let number = AtomDomain::u32;
        let row = PairDomain::new(number(), PairDomain::new(number(), number()));
        let people = (VectorDomain::new(PairDomain::new(AtomDomain::u64(), row)), SymmetricIdDistance);

        // Each selection is the exponential mechanism, whose loss is a range: eta, and from it rho.
        let select = |scale: f64, categories: Vec<u32>, of: fn(&(u32, (u32, u32))) -> u32| {
            let chosen = people.clone()
                >> then_bound_contributions(1)
                >> then_map(AtomDomain::u32(), 0, of)
                >> then_count_by_categories(categories, UnknownCategories::Drop, LInfDistance::monotonic())
                >> then_exponential(RangeDivergence, scale);
            make_bounded_range_to_zCDP(chosen?)
        };
        let make = |scale: f64| {
            let plan = select(scale, (1..=24).collect(), |row| row.0)?;
            let age = select(scale, (0..=9).collect(), |row| row.1.0)?;
            let admissions = select(scale, (0..=9).collect(), |row| row.1.1)?;
            make_fix_delta(make_zCDP_to_approxDP(make_composition((plan, age, admissions))?)?, DELTA)
        };
        let scale = smallest_scale(make, &1, &(epsilon, DELTA))?;
        let release = make(scale)?;
        let (plan, age, admissions) = release.invoke(&rows)?;
        writeln!(
            io::stdout(),
            "most common: plan {}, age {} to {}, {admissions} admissions",
            plan + 1,
            10 * age,
            10 * age + 9
        )?;
        write!(io::stdout(), "{}", release.explain(&1)?)?;
        Ok(())
    })
}

/// The decade of an age: 3 from 30 to below 40; beyond 9 the last.
fn decade(age: f64) -> u32 {
    (1..=9u32).rev().find(|decade| age >= f64::from(10 * decade)).unwrap_or(0)
}
