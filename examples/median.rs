//! The median of what an individual spends in a year, with epsilon-differential privacy for each individual.
//!
//!     cargo run --release --bin median -- --epsilon 1

use indistinct::prelude::*;
use indistinct_examples::{PersonYear, run};
use std::{
    io::{self, Write},
    process::ExitCode,
};

fn main() -> ExitCode {
    run(|epsilon, rows: &[PersonYear]| {
        let spending: Vec<(u64, f64)> = rows.iter().map(|row| (row.person_id, row.medical_spend)).collect();
        let people = VectorDomain::new(PairDomain::new(AtomDomain::u64(), AtomDomain::f64()));
        // Possible answers: every five dollars up to two thousand.
        let dollars: Vec<f64> = (0..=400).map(|step| 5.0 * f64::from(step)).collect();
        let make = |scale: f64| {
            (people.clone(), SymmetricIdDistance)
                >> then_bound_contributions(1)
                >> then_private_quantile(MaxDivergence, dollars.clone(), 0.5, scale)
        };
        let scale = smallest_scale(make, &1, &epsilon)?;
        let median = make(scale)?;
        writeln!(io::stdout(), "median spending in a year: about {} dollars", median.invoke(&spending)?)?;
        write!(io::stdout(), "{}", median.explain(&1)?)?;
        Ok(())
    })
}
