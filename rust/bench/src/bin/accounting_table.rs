//! Measures the questions of `indistinct_bench::accounting` and prints the table of `docs/ACCOUNTING.md`; with `--all`,
//! each question as well; with `--lines`, questions alone, for `tests/bench_accounting.py`: milliseconds, both bounds,
//! kind and name, apart by tabs; and its memory.

use indistinct_bench::accounting::{Task, tasks};
use indistinct_numeric::enclosure::Bounds;
use std::{
    error::Error,
    hint::black_box,
    time::{Duration, Instant},
};

/// The least time of several calls in milliseconds, and the distance of the bounds over the upper one.
struct Measured {
    milliseconds: f64,
    width: f64,
    bounds: Bounds,
}

fn measure(task: &Task) -> Result<Measured, Box<dyn Error>> {
    let bounds = (task.run)()?;
    let (mut least, began) = (Duration::MAX, Instant::now());
    for call in 0..200 {
        let start = Instant::now();
        let _ = black_box((task.run)());
        least = least.min(start.elapsed());
        if call >= 2 && began.elapsed() > Duration::from_millis(250) {
            break;
        }
    }
    let width = if bounds.upper == 0.0 { 0.0 } else { (bounds.upper - bounds.lower) / bounds.upper };
    Ok(Measured { milliseconds: least.as_secs_f64() * 1e3, width, bounds })
}

fn main() -> Result<(), Box<dyn Error>> {
    let is_long = std::env::args().any(|argument| argument == "--all");
    let is_lines = std::env::args().any(|argument| argument == "--lines");
    let only = std::env::args().nth(1).filter(|argument| !argument.starts_with('-'));
    let tasks: Vec<Task> =
        tasks()?.into_iter().filter(|task| only.as_ref().is_none_or(|only| task.kind.contains(only))).collect();
    let mut kinds: Vec<(&'static str, Vec<(Measured, &Task)>)> = Vec::new();
    for task in &tasks {
        let measured = measure(task)?;
        if is_lines {
            let Bounds { lower, upper } = measured.bounds;
            println!("{}\t{lower:?}\t{upper:?}\t{}\t{}", measured.milliseconds, task.kind, task.name);
            continue;
        }
        if is_long || only.is_some() {
            println!("{:>9.3} ms {:>8.1e}  {}: {}", measured.milliseconds, measured.width, task.kind, task.name);
        }
        match kinds.iter_mut().find(|(kind, _)| *kind == task.kind) {
            Some((_, rows)) => rows.push((measured, task)),
            None => kinds.push((task.kind, vec![(measured, task)])),
        }
    }
    if is_lines {
        // The most memory the process has had, which Linux reports.
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown");
        println!("memory\t{}", most.trim());
        return Ok(());
    }
    println!("| what | cases | time, ms: median | worst | aimed at | width: median | worst | aimed at | within |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (kind, rows) in kinds {
        let sorted = |value: fn(&Measured) -> f64| {
            let mut values: Vec<f64> = rows.iter().map(|(measured, _)| value(measured)).collect();
            values.sort_by(f64::total_cmp);
            (values.get(values.len() / 2).copied().unwrap_or(0.0), values.last().copied().unwrap_or(0.0))
        };
        let (time, width) = (sorted(|measured| measured.milliseconds), sorted(|measured| measured.width));
        let Some((_, task)) = rows.first() else { continue };
        let within = rows
            .iter()
            .filter(|(measured, task)| measured.milliseconds <= task.milliseconds && measured.width <= task.width);
        let widths = if task.width == f64::INFINITY {
            " | | ".into()
        } else {
            format!("{:.0e} | {:.0e} | {:.0e}", width.0, width.1, task.width)
        };
        let (median, worst, aim) = (short(time.0), short(time.1), task.milliseconds);
        println!("| {kind} | {} | {median} | {worst} | {aim} | {widths} | {} |", rows.len(), within.count());
    }
    Ok(())
}

/// Two digits.
fn short(milliseconds: f64) -> String {
    if milliseconds < 0.1 {
        format!("{milliseconds:.3}")
    } else if milliseconds < 1.0 {
        format!("{milliseconds:.2}")
    } else if milliseconds < 10.0 {
        format!("{milliseconds:.1}")
    } else {
        format!("{milliseconds:.0}")
    }
}
