//! Tests of the arithmetic against MPFR, as one program.

#![allow(clippy::unwrap_used)] // a panic is a failed test

mod bracket;
mod enclosure;
mod fast_path;

/// How many random points are tried: a tenth of these, but in `make test-deep`.
fn tries(all: u32) -> u32 {
    if std::env::var_os("TEST_DEEP").is_some() { all } else { all / 10 }
}
