//! Tests that cross crates, as one program: a module for each subject.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

mod amplification;
mod compile_fail;
mod known_failures;
mod laws;
mod ledger;
mod maps;
mod open_traits;
mod plans;
mod quantiles_of_ties;
mod resources;
mod roundings;
mod sampler_laws;
mod special_values;
mod stability;
mod streams;
mod thresholds;
mod user_path;

/// How many random cases are tried: a fifth of these, but in `make test-deep`.
fn tries(all: u32) -> u32 {
    if std::env::var_os("TEST_DEEP").is_some() { all } else { all / 5 }
}
