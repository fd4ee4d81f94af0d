//! A poll by randomized response: were you in hospital this year? Each answer is private before it leaves the
//! individual.
//!
//!     cargo run --release --bin poll -- --epsilon 1

use indistinct::{prelude::*, search::largest};
use indistinct_examples::{PersonYear, run};
use std::{
    collections::BTreeMap,
    io::{self, Write},
    process::ExitCode,
};

fn main() -> ExitCode {
    run(|epsilon, rows: &[PersonYear]| {
        // One answer for each individual, about their last year.
        let answers: BTreeMap<u64, bool> = rows.iter().map(|row| (row.person_id, row.admissions > 0)).collect();
        let make = |prob| make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, prob);
        // The greatest probability of the truth that the budget allows.
        let prob = largest((0.5, 1.0), |prob| make(prob)?.check(&1, &epsilon))?;
        if prob <= 0.5 {
            return Err("epsilon is so small that answers would be nothing but noise".into());
        }
        let respond = make(prob)?;
        let reports = answers.values().map(|answer| respond.invoke(answer)).collect::<Fallible<Vec<bool>>>()?;
        // Who takes part in a poll is known to all: each answers to the pollster.
        if reports.is_empty() {
            return Err("nobody to ask: the survey has no rows".into());
        }
        let people = f64::from(u32::try_from(reports.len())?);
        let estimate = debias_randomized_response_bool(&reports, prob)? / people;
        // The standard deviation of the estimate that the responses alone cause.
        let deviation = (prob * (1.0 - prob) / people).sqrt() / (2.0 * prob - 1.0);
        writeln!(
            io::stdout(),
            "in hospital in their last year: {:.1}% ({:.1} points standard error)",
            100.0 * estimate,
            100.0 * deviation
        )?;
        write!(io::stdout(), "{}", respond.explain(&1)?)?;
        Ok(())
    })
}
