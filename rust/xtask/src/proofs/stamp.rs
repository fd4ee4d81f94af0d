//! What `make proofs` reads, and what it read when it last passed.
//!
//! That target alone writes the stamp, at its end and if nothing has changed since its beginning. `make test` compares:
//! without Coq, it knows that Coq has agreed.

use super::{item, page::Level, page::Page, uncovered::UNCOVERED};
use anyhow::{Context, Result};
use std::{collections::BTreeMap, fs, path::Path};
use walkdir::{DirEntry, WalkDir};

pub(super) const STAMP: &str = "proofs/stamp.txt";

/// The files that are read: theories, scripts, the oracle's programs, and what is compared; by their paths in the
/// workspace.
pub(super) fn files(root: &Path) -> Result<BTreeMap<String, String>> {
    let mut hashes = BTreeMap::new();
    let is_kept = |entry: &DirEntry| entry.file_name() != "build";
    for found in WalkDir::new(root.join("proofs")).into_iter().filter_entry(is_kept) {
        let found = found?;
        let file = found.path().strip_prefix(root)?.to_string_lossy().replace('\\', "/");
        let name = found.file_name().to_string_lossy();
        let is_read = matches!(&*name, "Makefile" | "_CoqProject")
            || [".v", ".sh", ".ml", ".rs", ".toml", ".txt"].iter().any(|end| name.ends_with(end));
        if found.file_type().is_file() && is_read && ![STAMP, UNCOVERED].contains(&file.as_str()) {
            let text = fs::read_to_string(found.path()).with_context(|| format!("cannot read {file}"))?;
            hashes.insert(file, item::hash_of([text]));
        }
    }
    Ok(hashes)
}

/// Whether `make proofs` runs the code of a page: its certificates and tapes are of this code, or the arithmetic is.
pub(super) fn is_run(page: &Page) -> bool {
    page.file.starts_with("proofs/numeric/") || page.levels().any(|level| level == Level::A)
}

/// A line for each thing that is read.
pub(super) fn text(hashes: &BTreeMap<String, String>) -> String {
    hashes.iter().map(|(name, hash)| format!("{hash} {name}\n")).collect()
}

/// What is wrong with the stamp, in one line.
pub(super) fn problem(root: &Path, now: &str) -> Option<String> {
    let then = fs::read_to_string(root.join(STAMP)).unwrap_or_default();
    let missing = |from: &str, other: &str| -> Vec<String> {
        let kept: Vec<&str> = other.lines().collect();
        from.lines()
            .filter(|line| !kept.contains(line))
            .filter_map(|line| Some(line.split_once(' ')?.1.into()))
            .collect()
    };
    let mut changed = [missing(now, &then), missing(&then, now)].concat();
    changed.sort();
    changed.dedup();
    let first = changed.first()?;
    let others = if changed.len() > 1 { format!(" and {} more", changed.len() - 1) } else { String::new() };
    Some(format!("{first}{others}: changed since `make proofs` last passed; run it (Coq is installed if missing)"))
}
