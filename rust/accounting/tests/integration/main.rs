//! Tests of conversions, profiles and compositions against references and exact formulas, as one program.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

mod calibration;
mod common;
mod composition;
mod concentrated;
mod corners;
mod exact;
mod gaussian;
mod known_failures;
mod monotone;
mod profile;
mod renyi;

/// How many random cases are tried: a fifth of these, but in `make test-deep`.
fn tries(all: u32) -> u32 {
    if std::env::var_os("TEST_DEEP").is_some() { all } else { all / 5 }
}
