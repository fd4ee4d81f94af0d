//! Every benchmark that the table of ratios names exists: a run takes minutes, and should not end without its table.
//!
//! The benchmarks themselves tell their names, so that this program runs itself once more as Criterion's `--list`.

#[allow(dead_code)]
#[path = "../benches/accounting.rs"]
mod accounting;
#[allow(dead_code)]
#[path = "../benches/aggregates.rs"]
mod aggregates;
#[allow(dead_code)]
#[path = "../benches/frames.rs"]
mod frames;
#[allow(dead_code)]
#[path = "../benches/maps.rs"]
mod maps;
#[allow(dead_code)]
#[path = "../benches/noise.rs"]
mod noise;
#[allow(dead_code)]
#[path = "../benches/rounded.rs"]
mod rounded;

use indistinct_bench::unknown_keys;
use std::{error::Error, process::Command};

/// Set for the run that lists.
const LISTS: &str = "BENCHMARKS_ARE_LISTED";

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::var_os(LISTS).is_some() {
        for benches in
            [rounded::benches, noise::benches, aggregates::benches, accounting::benches, maps::benches, frames::benches]
        {
            benches();
        }
        return Ok(());
    }
    let output = Command::new(std::env::current_exe()?).env(LISTS, "").args(["--bench", "--list"]).output()?;
    let missing = unknown_keys(&String::from_utf8(output.stdout)?);
    if !output.status.success() || !missing.is_empty() {
        return Err(format!("the table names benchmarks that do not exist: {}", missing.join(", ")).into());
    }
    println!("1 passed, 0 failed");
    Ok(())
}
