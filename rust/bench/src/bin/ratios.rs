//! Turns the medians of the last `cargo bench` into ratios: a table, and `target/ratios.json`.

use comfy_table::{CellAlignment, Table};
use indistinct_bench::{COMPARISONS, Comparison};
use serde::Serialize;
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
};

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

fn main() -> Result<(), Box<dyn Error>> {
    let target: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "target"].iter().collect();
    let rows = COMPARISONS.iter().map(|comparison| row(comparison, &target)).collect::<Result<Vec<_>, _>>()?;
    let mut table = Table::new();
    table.set_header(["name", "ours (ns)", "peer", "peer (ns)", "times faster", "target", "ok"]);
    for row in &rows {
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
    println!("{table}");
    fs::write(target.join("ratios.json"), serde_json::to_string_pretty(&rows)?)?;
    Ok(())
}

fn row(comparison: &Comparison, target: &Path) -> Result<Row, Box<dyn Error>> {
    let Comparison { name, ours, peer, peer_benchmark, operations, target: goal } = *comparison;
    let (ours_ns, peer_ns) = (median(target, ours)? / operations, median(target, peer_benchmark)? / operations);
    let ratio = peer_ns / ours_ns;
    Ok(Row { name, ours_ns, peer, peer_ns, ratio, target: goal, ok: ratio >= goal })
}

/// The median of a Criterion benchmark, in nanoseconds.
fn median(target: &Path, benchmark: &str) -> Result<f64, Box<dyn Error>> {
    let path = target.join("criterion").join(benchmark).join("new").join("estimates.json");
    let estimates = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let estimates: serde_json::Value = serde_json::from_str(&estimates)?;
    let median = estimates.pointer("/median/point_estimate").and_then(serde_json::Value::as_f64);
    median.ok_or_else(|| format!("{}: no median", path.display()).into())
}
