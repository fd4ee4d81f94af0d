//! A private histogram of keys that nobody listed beforehand: how often do people see a doctor?
//!
//! The keys are the numbers of visits in a year that occur in the RAND Health Insurance Experiment (see
//! `data/README.md`), one year of each of 5,912 people. A single person with 77 visits could be recognized by that
//! number, so a number of visits is released only if enough people share it. The guarantee holds for each *person*.
//!
//!     cargo run --release --bin unknown_keys -- --epsilon 1 --delta 1e-9

use clap::Parser;
use indistinct::{prelude::*, search::smallest};
use indistinct_examples::{end, positive, probability};
use indistinct_tables::{Frame, Missing, Schema};
use std::{
    error::Error,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

/// A private histogram of doctor visits.
#[derive(Parser)]
struct Arguments {
    /// The privacy loss allowed for each person
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    epsilon: f64,
    /// The probability allowed that a number of visits identifies a person
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
    let columns = ("person_id", "md_visits");
    let schema = Schema::new().column::<i64>(columns.0, Missing::Stays)?.column(columns.1, Missing::Is(-1i64))?;
    let frame = Frame::read_csv(data, &schema)?;
    // Rows without a person are left out.
    let rows = frame.rows::<(Option<i64>, i64)>(columns)?.into_iter();
    let rows: Vec<(i64, i64)> = rows.filter_map(|(person, visits)| Some((person?, visits))).collect();
    let people = VectorDomain::new(PairDomain::new(AtomDomain::i64(), AtomDomain::i64()));
    let counts = ((people, SymmetricIdDistance) >> then_bound_contributions(1) >> then_count_by(L01InfDistance))?;
    // The least noise that epsilon allows, then the least threshold that delta allows.
    let one_person = 1;
    let make = |scale, threshold: i64| counts.clone() >> then_laplace_threshold(scale, threshold);
    let scale = smallest_scale(|scale| make(scale, i64::MAX), &one_person, &(*epsilon, 1.0))?;
    let threshold =
        smallest((1, i64::MAX), |threshold| make(scale, threshold)?.check(&one_person, &(*epsilon, *delta)))?;
    let histogram = make(scale, threshold)?;

    writeln!(io::stdout(), "visits  people")?;
    for (visits, people) in histogram.invoke(&rows)? {
        writeln!(io::stdout(), "{visits:>6}  {people:>6}")?;
    }
    let (epsilon, delta) = histogram.map(&one_person)?;
    writeln!(io::stdout(), "Numbers of visits that fewer than some {threshold} people share are left out.")?;
    writeln!(io::stdout(), "Privacy spent: epsilon {epsilon}, delta {delta:.1e} per person.")?;
    Ok(())
}
