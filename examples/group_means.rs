//! Mean doctor visits in a year by schooling, with intervals, with epsilon-differential privacy for each individual.
//!
//!     cargo run --release --bin group_means -- --epsilon 1

use indistinct::{prelude::*, search::smallest};
use indistinct_examples::{PersonYear, run};
use std::{
    io::{self, Write},
    process::ExitCode,
};

/// Years of schooling at which a group begins; the first group comes before.
const EDGES: [f64; 3] = [12.0, 13.0, 16.0];
const GROUPS: [&str; 4] = ["below 12", "12", "13 to 15", "16 and more"];
const MAX_VISITS: f64 = 20.0;
/// The probability that an interval misses, for its sum and its count together.
const ALPHA: f64 = 0.05;

fn main() -> ExitCode {
    run(|epsilon, rows: &[PersonYear]| {
        let rows: Vec<_> = rows.iter().map(|row| (row.person_id, (row.md_visits, row.education))).collect();
        let year = PairDomain::new(AtomDomain::f64(), OptionDomain::new(AtomDomain::f64()));
        let people = VectorDomain::new(PairDomain::new(AtomDomain::u64(), year));
        let years = ((people, SymmetricIdDistance)
            >> then_bound_contributions(3)
            >> then_drop_null()
            >> then_find_bin(EDGES.to_vec()))?;

        let (groups, drop): (Vec<u32>, _) = ((0..).take(GROUPS.len()).collect(), UnknownCategories::Drop);
        let make = |unit: f64| {
            let counts = (years.output_space()
                >> then_map(AtomDomain::u32(), 0, |row: &(f64, u32)| row.1)
                >> then_count_by_categories(groups.clone(), drop, L1Distance::new())
                >> then_laplace(unit))?;
            let sums = (years.output_space()
                >> then_map(PairDomain::new(AtomDomain::u32(), AtomDomain::f64()), (0, 0.0), |row: &(f64, u32)| {
                    (row.1, row.0)
                })
                >> then_clamp((0.0, MAX_VISITS))
                >> then_sum_by_categories(groups.clone(), drop, L1Distance::new())
                >> then_laplace(unit * MAX_VISITS))?;
            years.clone() >> make_composition((counts, sums))?
        };
        let unit = smallest((1e-9, 1e9), |unit| make(unit)?.check(&1, &epsilon))?;
        let release = make(unit)?;

        let (counts, sums) = release.invoke(&rows)?;
        let count_error = discrete_laplace_accuracy(unit, ALPHA / 2.0)?;
        let sum_error = laplace_accuracy(unit * MAX_VISITS, ALPHA / 2.0)?;
        writeln!(io::stdout(), "{:<12} {:>6}  visits a year, 95 % interval", "schooling", "years")?;
        for (group, (count, sum)) in GROUPS.iter().zip(counts.iter().zip(sums)) {
            let years = f64::from(i32::try_from(*count)?);
            if years <= count_error {
                writeln!(io::stdout(), "{group:<12} {count:>6}  the noise hid it")?;
                continue;
            }
            let [low, mean, high] =
                [(sum - sum_error) / (years + count_error), sum / years, (sum + sum_error) / (years - count_error)]
                    .map(|mean| mean.clamp(0.0, MAX_VISITS));
            writeln!(io::stdout(), "{group:<12} {count:>6}  {mean:.2}, {low:.2} to {high:.2}")?;
        }
        write!(io::stdout(), "{}", release.explain(&1)?)?;
        Ok(())
    })
}
