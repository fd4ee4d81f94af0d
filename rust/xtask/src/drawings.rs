//! The drawings of the documentation that are made of what they show: what crates use, which datasets are neighbors,
//! the release of the README, and the ideas of the guide.

mod crates;
mod guide;
mod neighbors;
mod release;
mod svg;

pub use crates::{Crate, crates};
pub use neighbors::{PAIRS, Pair, Relation, Row};

use anyhow::{Context, Result};
use std::{fs, path::Path};

const FOLDER: &str = "docs/figures";

/// Each drawing's file and its text.
pub fn drawings(root: &Path) -> Result<Vec<(String, String)>> {
    let mut drawn = vec![(format!("{FOLDER}/crates.svg"), crates::draw(&crates(root)?))];
    let readme = fs::read_to_string(root.join("README.md")).context("cannot read README.md")?;
    drawn.push((format!("{FOLDER}/release.svg"), release::draw(&readme)?));
    drawn.extend(guide::draw().into_iter().map(|(name, text)| (format!("{FOLDER}/{name}.svg"), text)));
    drawn.extend(PAIRS.iter().map(|pair| (format!("{FOLDER}/neighbors-{}.svg", pair.name), neighbors::draw(pair))));
    Ok(drawn)
}

/// Writes all of them.
pub fn write(root: &Path) -> Result<()> {
    for (file, text) in drawings(root)? {
        fs::write(root.join(&file), text).with_context(|| format!("cannot write {file}"))?;
    }
    Ok(())
}
