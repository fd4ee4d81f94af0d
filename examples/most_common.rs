//! The most common insurance plan, with epsilon-differential privacy for each individual.
//!
//!     cargo run --release --bin most_common -- --epsilon 1

use indistinct::prelude::*;
use indistinct_examples::{PersonYear, run};
use std::{
    io::{self, Write},
    process::ExitCode,
};

/// The plans of the experiment's design: public, not read off the data.
const PLANS: std::ops::RangeInclusive<u32> = 1..=24;

fn main() -> ExitCode {
    run(|epsilon, rows: &[PersonYear]| {
        let plans: Vec<(u64, u32)> = rows.iter().map(|row| (row.person_id, row.plan)).collect();
        let people = VectorDomain::new(PairDomain::new(AtomDomain::u64(), AtomDomain::u32()));
        let make = |scale: f64| {
            (people.clone(), SymmetricIdDistance)
                >> then_bound_contributions(1)
                >> then_count_by_categories(PLANS.collect(), UnknownCategories::Drop, LInfDistance::monotonic())
                >> then_noisy_max(MaxDivergence, scale)
        };
        let scale = smallest_scale(make, &1, &epsilon)?;
        let most_common = make(scale)?;
        let winner = most_common.invoke(&plans)?;
        writeln!(
            io::stdout(),
            "most common plan: {}",
            PLANS.zip(0..).find(|(_, position)| *position == winner).map_or(0, |(plan, _)| plan)
        )?;
        write!(io::stdout(), "{}", most_common.explain(&1)?)?;
        Ok(())
    })
}
