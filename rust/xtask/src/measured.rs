//! Numbers that benchmarks measured, on pages: `23<!--=tables.ten-sums.ours-->` is this number of `docs/measured.toml`.

use anyhow::{Context, Result, bail, ensure};
use std::{collections::BTreeMap, fs, path::Path};
use toml::{Table, Value};
use walkdir::WalkDir;

const FILE: &str = "docs/measured.toml";
const BEGIN: &str = "<!--=";
const END: &str = "-->";

/// All numbers by their names, such as `tables.ten-sums.ours`.
fn numbers(root: &Path) -> Result<BTreeMap<String, f64>> {
    let text = fs::read_to_string(root.join(FILE)).with_context(|| format!("cannot read {FILE}"))?;
    let runs: Table = toml::from_str(&text).with_context(|| format!("cannot read {FILE}"))?;
    let mut found = BTreeMap::new();
    for (run, parts) in &runs {
        let parts = parts.as_table().with_context(|| format!("{FILE}: {run} is not a table"))?;
        for part in ["command", "date", "machine"] {
            ensure!(parts.contains_key(part), "{FILE}: {run} has no {part}");
        }
        for (what, values) in parts.iter().filter_map(|(what, values)| Some((what, values.as_table()?))) {
            for (whose, value) in values {
                let name = format!("{run}.{what}.{whose}");
                let number = match value {
                    Value::Float(number) => *number,
                    // Decimal digits of a whole number are those of the nearest float.
                    Value::Integer(number) => number.to_string().parse()?,
                    _ => bail!("{FILE}: {name} is not a number"),
                };
                found.insert(name, number);
            }
        }
    }
    Ok(found)
}

/// A number with so many decimals, and commas between thousands.
fn shown(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let (whole, rest) =
        text.split_once('.').map_or((text.as_str(), String::new()), |(whole, rest)| (whole, format!(".{rest}")));
    let length = whole.len();
    let digits = whole.chars().enumerate().flat_map(|(place, digit)| {
        let comma = (place > 0 && (length - place).is_multiple_of(3)).then_some(',');
        comma.into_iter().chain([digit])
    });
    digits.collect::<String>() + &rest
}

/// The page with the numbers that its comments name, which are taken out of `unused`.
fn page(text: &str, numbers: &BTreeMap<String, f64>, unused: &mut Vec<String>) -> Result<String> {
    let mut parts = text.split(BEGIN);
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(END).context("a comment does not end")?;
        let number = numbers.get(name).with_context(|| format!("{FILE} has no {name}"))?;
        let before =
            written.trim_end_matches(|character: char| character.is_ascii_digit() || ",.".contains(character)).len();
        let there = written.split_off(before);
        ensure!(!there.is_empty(), "no number stands before {name}");
        let decimals = there.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        written += &format!("{}{BEGIN}{name}{END}{rest}", shown(*number, decimals));
        unused.retain(|other| other != name);
    }
    Ok(written)
}

/// Each page that shows a measured number, as it is and as it should be.
///
/// # Errors
///
/// A comment that names no number or has none before it; a number that no page shows.
pub fn pages(root: &Path) -> Result<Vec<(String, String, String)>> {
    let numbers = numbers(root)?;
    let mut unused: Vec<String> = numbers.keys().cloned().collect();
    let mut found = Vec::new();
    for place in ["README.md", "docs"] {
        for entry in WalkDir::new(root.join(place)).sort_by_file_name() {
            let entry = entry?;
            let file = entry.path().strip_prefix(root)?.display().to_string();
            if !file.ends_with(".md") {
                continue;
            }
            let text = fs::read_to_string(entry.path()).with_context(|| format!("cannot read {file}"))?;
            let written = page(&text, &numbers, &mut unused).with_context(|| file.clone())?;
            if text.contains(BEGIN) {
                found.push((file, text, written));
            }
        }
    }
    ensure!(unused.is_empty(), "no page shows {}", unused.join(", "));
    Ok(found)
}

/// Writes the numbers into the pages.
pub fn write(root: &Path) -> Result<()> {
    for (file, text, written) in pages(root)? {
        if text != written {
            fs::write(root.join(&file), written).with_context(|| format!("cannot write {file}"))?;
        }
    }
    Ok(())
}
