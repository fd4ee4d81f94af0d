//! A running total of doctor visits, private at every moment.
//!
//! The years of the RAND Health Insurance Experiment (see `data/README.md`) come in one after another, in the order of
//! the file, as if from a clinic's desk. After each, the total of visits so far is known with epsilon-differential
//! privacy for each *row*: replacing one person-year by another changes little in all the totals together. Noise on
//! each total of its own would have to be a thousand times larger.
//!
//!     cargo run --release --bin running_count -- --epsilon 1

use clap::Parser;
use indistinct::{prelude::*, search::smallest};
use indistinct_examples::{end, positive};
use std::{
    error::Error,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

/// A person-year counts with at most so many visits: chosen from general knowledge.
const MAX_VISITS: i64 = 20;
/// More years than will ever come in.
const HORIZON: u32 = 32_767;

/// Private running totals of doctor visits.
#[derive(Parser)]
struct Arguments {
    /// The privacy loss allowed for each row
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    epsilon: f64,
    /// The survey, a CSV file with a column `md_visits`
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/rand_hie.csv"))]
    data: PathBuf,
    /// Print the total after each so many rows
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
}

fn main() -> ExitCode {
    end(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let visits = AtomDomain::i64().with_bounds((0, MAX_VISITS))?;
    let make = |scale| {
        make_tree_aggregation(VectorDomain::new(visits.clone()), HammingDistance, MaxDivergence, HORIZON, scale)
    };
    let scale = smallest((1e-3, 1e12), |scale| make(scale)?.check(&1, &arguments.epsilon))?;
    let running = make(scale)?;
    let totals = running.invoke(&[])?;

    let mut output = io::stdout().lock();
    writeln!(output, "{:>8} {:>16}", "years", "visits so far")?;
    let named = |error| format!("{}: {error}", arguments.data.display());
    let mut reader = indistinct_examples::open_csv(&arguments.data).map_err(named)?;
    let column =
        reader.headers()?.iter().position(|header| header == "md_visits").ok_or("column md_visits is missing")?;
    for (row, record) in (1u32..).zip(reader.records()) {
        // An error must not repeat what stands in the file.
        let unreadable = || format!("row {row}, column md_visits: not a whole number");
        let cell: i64 = record?.get(column).and_then(|cell| cell.parse().ok()).ok_or_else(unreadable)?;
        let total = totals.eval(&cell.clamp(0, MAX_VISITS))?;
        if row % arguments.every == 0 {
            writeln!(output, "{row:>8} {total:>16}")?;
        }
    }
    writeln!(output, "Privacy spent: epsilon {} per row, for all totals together.", running.map(&1)?)?;
    Ok(())
}
