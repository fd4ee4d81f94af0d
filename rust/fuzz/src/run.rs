//! The bytes of `cargo test`: those found before, and some of each seed.

use crate::Source;
use indistinct::sampling::{Entropy, testing::SeededEntropy};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What is under version control for a target, then so many cases.
pub(crate) fn on_fixed_bytes(name: &str, target: fn(&mut Source), cases: u64) {
    let found = std::fs::read_dir(format!("{}/corpus/{name}", env!("CARGO_MANIFEST_DIR")));
    let found = found.into_iter().flatten().map(|file| file.unwrap().path());
    let files = found.map(|path| (path.display().to_string(), std::fs::read(path).unwrap()));
    let seeds = (0..cases).map(|seed| (format!("seed {seed}"), bytes_of(seed)));
    for (origin, bytes) in files.chain(seeds) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| target(&mut Source::new(&bytes)))) {
            eprintln!("target {name} fails on the bytes of {origin}");
            resume_unwind(panic);
        }
    }
}

/// The bytes of a seed.
pub(crate) fn bytes_of(seed: u64) -> Vec<u8> {
    let mut entropy = SeededEntropy::new(seed);
    (0..64).flat_map(|_| entropy.bits(64).unwrap().to_le_bytes()).collect()
}
