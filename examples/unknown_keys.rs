//! A private histogram of keys that nobody listed beforehand: how often do people see a doctor?
//!
//! The keys are the numbers of visits in a year that occur in the RAND Health Insurance Experiment (see
//! `data/README.md`), one year of each of 5,912 people. A single individual with 77 visits could be recognized by that
//! number, so a number of visits is released only if enough people share it. The guarantee holds for each *individual*.
//!
//!     cargo run --release --bin unknown_keys -- --epsilon 1 --delta 1e-9

use clap::Parser;
use indistinct::{
    frames::{ColumnDomain, FrameDomain, then_rows_of_individuals},
    prelude::*,
    search::smallest,
};
use indistinct_examples::{end, positive, probability};
use indistinct_tables::Csv;
use std::{
    error::Error,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

/// A private histogram of doctor visits.
#[derive(Parser)]
struct Arguments {
    /// The privacy loss allowed for each individual
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    epsilon: f64,
    /// The probability allowed that a number of visits identifies an individual
    #[arg(long, default_value_t = 1e-9, value_parser = probability)]
    delta: f64,
    /// The survey, a CSV file with a header
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/rand_hie.csv"))]
    data: PathBuf,
}

fn main() -> ExitCode {
    end(run(&Arguments::parse()))
}

fn run(Arguments { epsilon, delta, data }: &Arguments) -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("md_visits", ColumnDomain::integer())])?;
    let people = survey.with_individuals("person_id")?;
    let frame = Csv::new().drop_null("person_id").fill_null("md_visits", -1).read(data, &people)?;
    let counts = ((people, SymmetricIdDistance)
        >> then_rows_of_individuals::<i64, i64, _, _>(vec!["md_visits"])
        >> then_bound_contributions(1)
        >> then_count_by(L01InfDistance))?;
    // The least noise that epsilon allows, then the least threshold that delta allows.
    let one_individual = 1;
    let make = |scale, threshold: i64| counts.clone() >> then_laplace_threshold(scale, threshold);
    let scale = smallest_scale(|scale| make(scale, i64::MAX), &one_individual, &(*epsilon, 1.0))?;
    let threshold =
        smallest((1, i64::MAX), |threshold| make(scale, threshold)?.check(&one_individual, &(*epsilon, *delta)))?;
    let histogram = make(scale, threshold)?;

    writeln!(io::stdout(), "visits  people")?;
    for (visits, people) in histogram.invoke(&frame)? {
        writeln!(io::stdout(), "{visits:>6}  {people:>6}")?;
    }
    let (epsilon, delta) = histogram.map(&one_individual)?;
    writeln!(io::stdout(), "Numbers of visits that fewer than some {threshold} people share are left out.")?;
    writeln!(io::stdout(), "Privacy spent: epsilon {epsilon}, delta {delta:.1e} per individual.")?;
    Ok(())
}
