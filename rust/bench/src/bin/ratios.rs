//! Turns the medians of the last `cargo bench` into ratios: a table, and `ratios.json` in the target folder.
//!
//! Before: `cargo bench -- --list | ratios --check` checks whether every benchmark of the table is there to be
//! measured.

use clap::Parser;
use comfy_table::{CellAlignment, Table};
use indistinct_bench::{COMPARISONS, Comparison, unknown_keys};
use serde::{Deserialize, Serialize};
use std::{collections::HashMap, error::Error, fs, io, path::PathBuf, process::ExitCode};
use walkdir::WalkDir;

/// Ratios of medians that Criterion measured.
#[derive(Parser)]
struct Arguments {
    /// Measure nothing: read a list of benchmarks from standard input, and fail if it lacks one that the table needs.
    #[arg(long)]
    check: bool,
}

/// One comparison as it was measured, in nanoseconds.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    ours_ns: f64,
    peer: &'static str,
    peer_ns: f64,
    ratio: f64,
    target: f64,
    ok: bool,
}

/// Criterion's name of a benchmark, from the file beside its estimates.
#[derive(Deserialize)]
struct Benchmark {
    full_id: String,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let missing = if Arguments::parse().check { unknown_keys(&io::read_to_string(io::stdin())?) } else { report()? };
    missing.iter().for_each(|name| eprintln!("not there: {name}"));
    Ok(if missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Print and write all rows that were measured; the benchmarks that were not.
fn report() -> Result<Vec<&'static str>, Box<dyn Error>> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| [env!("CARGO_MANIFEST_DIR"), "..", "..", "target"].iter().collect(), PathBuf::from);
    let medians = medians(&target.join("criterion"))?;
    let rows: Vec<Row> = COMPARISONS.iter().filter_map(|comparison| row(comparison, &medians)).collect();
    println!("{}", table(&rows));
    fs::write(target.join("ratios.json"), serde_json::to_string_pretty(&rows)?)?;
    let named = COMPARISONS.iter().flat_map(|comparison| [comparison.ours, comparison.peer_benchmark]);
    Ok(named.filter(|name| !medians.contains_key(*name)).collect())
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.set_header(["name", "ours (ns)", "peer", "peer (ns)", "times faster", "target", "ok"]);
    for row in rows {
        let number = |value: f64| if value < 10.0 { format!("{value:.2}") } else { format!("{value:.0}") };
        let verdict = if row.ok { "yes" } else { "NO" };
        let cells = [row.name.into(), number(row.ours_ns), row.peer.into(), number(row.peer_ns), number(row.ratio)];
        table.add_row(cells.into_iter().chain([number(row.target), verdict.into()]));
    }
    for column in [1, 3, 4, 5] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn row(comparison: &Comparison, medians: &HashMap<String, f64>) -> Option<Row> {
    let Comparison { name, ours, peer, peer_benchmark, operations, target } = *comparison;
    let (ours_ns, peer_ns) = (medians.get(ours)? / operations, medians.get(peer_benchmark)? / operations);
    let ratio = peer_ns / ours_ns;
    Some(Row { name, ours_ns, peer, peer_ns, ratio, target, ok: ratio >= target })
}

/// The medians of all Criterion benchmarks in a folder, in nanoseconds, by their names.
fn medians(folder: &std::path::Path) -> Result<HashMap<String, f64>, Box<dyn Error>> {
    let mut medians = HashMap::new();
    for entry in WalkDir::new(folder) {
        let path = entry?.into_path();
        if path.ends_with("new/benchmark.json") {
            let Benchmark { full_id } = serde_json::from_str(&fs::read_to_string(&path)?)?;
            let estimates: serde_json::Value =
                serde_json::from_str(&fs::read_to_string(path.with_file_name("estimates.json"))?)?;
            let median = estimates.pointer("/median/point_estimate").and_then(serde_json::Value::as_f64);
            medians.insert(full_id, median.ok_or_else(|| format!("{}: no median", path.display()))?);
        }
    }
    Ok(medians)
}
