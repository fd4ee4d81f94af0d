//! Random bytes as arguments of constructors, maps, interactive releases, accountants and plans. What is asked for: no
//! panic, no NaN, maps that rise from 0.
//!
//! A target reads parameters and data from bytes (`source`), special floats among them, and says what must hold.
//! `cargo test` gives it the bytes that were found before (`corpus`) and those of fixed seeds (`run`); `make fuzz`
//! gives it what bolero and libFuzzer find, guided by coverage.
#![cfg(test)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

mod distances;
mod exercise;
mod record;
#[cfg(not(fuzzing))]
mod run;
mod source;
mod spaces;

mod accountants;
mod composition;
mod conversations;
mod conversions;
mod frames;
mod groups;
mod losses;
mod matrices;
mod noise;
mod plans;
mod queries;
mod released;
mod responses;
mod rows;
mod samples;
mod selections;
mod states;
mod statistics;
mod thresholds;
mod yours;

use source::Source;

/// A test for each target, and the list of them. The test's name is the target's, for `cargo bolero`; a target is a
/// module with a function `run`.
macro_rules! targets {
    ($($target:ident: $cases:literal;)+) => {
        $(#[test]
        fn $target() {
            #[cfg(fuzzing)]
            bolero::check!().for_each(|bytes: &[u8]| $target::run(&mut Source::new(bytes)));
            #[cfg(not(fuzzing))]
            run::on_fixed_bytes(stringify!($target), $target::run, $cases);
        })+

        /// Each target's function, and how many cases `cargo test` runs of it.
        #[cfg(not(fuzzing))]
        const TARGETS: &[(fn(&mut Source), u64)] = &[$(($target::run, $cases)),+];
    };
}

// How many cases `cargo test` runs of each.
targets! {
    accountants: 500;
    composition: 3_000;
    conversations: 3_000;
    conversions: 2_000;
    frames: 8_000;
    groups: 5_000;
    losses: 100;
    matrices: 5_000;
    noise: 5_000;
    plans: 5_000;
    queries: 1_000;
    released: 150;
    responses: 5_000;
    rows: 8_000;
    samples: 3_000;
    selections: 5_000;
    states: 5_000;
    statistics: 5_000;
    thresholds: 5_000;
    yours: 3_000;
}
