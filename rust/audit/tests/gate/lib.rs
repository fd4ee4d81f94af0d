//! The gate: an audit of every public constructor, one row each, in a file for each family. A constructor without a row
//! fails.
//!
//! The list of constructors is the one that `cargo xtask proofs --update` writes from the proof pages. A row is a name,
//! a function that makes audits and returns their report, and a word where the truth stays below 0.95 of the claim:
//! whether the claim is loose, or the audit weak.

#![cfg(test)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

/// The rows of a family as a table, and a test for each:
///
/// ```text
/// tight make_x: x;                           // the claim of `make_x` is attained
/// loose make_y: y, "loose: why it is not";   // not attained, or not by what is tried
/// ```
macro_rules! rows {
    ($($claim:ident $constructor:ident: $audit:expr $(, $word:literal)?;)+) => {
        pub(crate) const ROWS: &[crate::Row] = &[$(crate::$claim(stringify!($constructor), $audit, [$($word)?])),+];

        /// One test for each row, of its constructor's name.
        #[allow(non_snake_case)]
        mod rows {
            $(
                #[test]
                fn $constructor() {
                    crate::hold(super::ROWS, stringify!($constructor));
                }
            )+
        }
    };
}

mod amplification;
mod canaries;
mod combinators;
mod controls;
mod crowds;
mod flow;
mod formulas;
mod frames;
mod interactive;
mod marginals;
mod matrices;
mod noise;
mod reals;
mod responses;
mod selection;
mod statistics;
mod steps;
mod support;
mod thresholds;
mod transformations;
mod yours;

use indistinct_audit::{Report, Verdict};
use std::collections::BTreeSet;

/// The audit of one constructor.
struct Row {
    constructor: &'static str,
    audit: fn() -> Report,
    /// Why the truth stays below 0.95 of the claim; empty where it does not.
    word: &'static str,
}

/// A row for a claim that is attained.
const fn tight(constructor: &'static str, audit: fn() -> Report, _: [&'static str; 0]) -> Row {
    Row { constructor, audit, word: "" }
}

/// A row for a claim that is not attained, or not by what is tried.
const fn loose(constructor: &'static str, audit: fn() -> Report, [word]: [&'static str; 1]) -> Row {
    Row { constructor, audit, word }
}

/// All families: add a file here, and rows there.
const FAMILIES: &[&[Row]] = &[
    transformations::ROWS,
    steps::ROWS,
    frames::ROWS,
    statistics::ROWS,
    marginals::ROWS,
    matrices::ROWS,
    responses::ROWS,
    noise::ROWS,
    selection::ROWS,
    thresholds::ROWS,
    interactive::ROWS,
    combinators::ROWS,
    amplification::ROWS,
    yours::ROWS,
];

/// The names that the proof tool lists.
fn constructors() -> BTreeSet<&'static str> {
    let levels = include_str!("../../../derive/src/levels.rs");
    levels.split('"').filter(|name| name.starts_with("make_")).collect()
}

#[test]
fn every_constructor_has_a_row() {
    let rows: Vec<&str> = FAMILIES.iter().flat_map(|rows| rows.iter().map(|row| row.constructor)).collect();
    let audited: BTreeSet<&str> = rows.iter().copied().collect();
    assert_eq!(audited.len(), rows.len(), "two rows of one name");
    let (constructors, missing) = (constructors(), "see CONTRIBUTING.md, the audit");
    assert!(constructors.len() > 40);
    let not_audited: Vec<_> = constructors.difference(&audited).collect();
    assert!(not_audited.is_empty(), "without an audit ({missing}): {not_audited:?}");
    let unknown: Vec<_> = audited.difference(&constructors).collect();
    assert!(unknown.is_empty(), "rows of no constructor: {unknown:?}");
}

/// The greatest mass that an audit may leave undecided.
const UNDECIDED: f64 = 1e-4;

fn run(row: &Row) -> Report {
    let (name, start) = (row.constructor, std::time::Instant::now());
    let report = (row.audit)();
    println!("{name}, in {:.1?}:\n{report}\n", start.elapsed());
    assert!(!matches!(report.verdict, Verdict::Violated { .. } | Verdict::Untested { .. }), "{name}: {report}");
    assert!(report.pairs >= 2, "{name}: nothing was compared");
    if let Verdict::Undecided { mass } = report.verdict {
        assert!(mass < UNDECIDED, "{name}: {report}");
    }
    assert!(report.ratio <= 1.0 + 1e-12, "{name}: {report}");
    let tight = report.ratio >= 0.95;
    assert!(
        tight || !row.word.is_empty(),
        "{name}: {report}\nSay why in the row: is the claim loose, or the audit weak?"
    );
    assert!(!tight || row.word.is_empty(), "{name} is tight after all: {report}");
    report
}

/// The row of a constructor holds.
fn hold(rows: &[Row], constructor: &str) {
    run(rows.iter().find(|row| row.constructor == constructor).unwrap());
}

/// Writes the table of `docs/dev/audit.md`: `make audit-table`.
#[test]
#[ignore = "writes a file"]
fn write_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../docs/dev/audit.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (before, after) = page.split_once("<!-- table -->\n").unwrap();
    let (_, after) = after.split_once("<!-- end -->").unwrap();
    let mut lines =
        String::from("| constructor | audit | pairs | runs | seen / claimed | verdict | why below 0.95 |\n");
    lines.push_str("|---|---|---:|---:|---:|---|---|\n");
    let mut rows: Vec<&Row> = FAMILIES.iter().flat_map(|rows| rows.iter()).collect();
    rows.sort_by_key(|row| row.constructor);
    for row in rows {
        let report = run(row);
        let (kinds, ratio) = (report.kinds.join(", "), (report.ratio * 1e4).floor() / 1e4);
        let Report { pairs, runs, verdict, .. } = &report;
        let (name, word) = (row.constructor, row.word);
        lines.push_str(&format!("| `{name}` | {kinds} | {pairs} | {runs} | {ratio:.4} | {verdict} | {word} |\n"));
    }
    std::fs::write(path, format!("{before}<!-- table -->\n{lines}<!-- end -->{after}")).unwrap();
}
