//! Measures the questions of `indistinct_bench::accounting`, which are asked of chains, beside what was aimed at.

use clap::Parser;
use indistinct_bench::accounting::{Task, tasks};
use indistinct_numeric::enclosure::Bounds;
use std::{
    error::Error,
    hint::black_box,
    process::Command,
    time::{Duration, Instant},
};

/// Questions to the accountants: their time and the width of their bounds, or what they cost in instructions.
#[derive(Parser)]
struct Arguments {
    /// Only rows of the table with this in their names.
    rows: Option<String>,
    /// Each question, too.
    #[arg(long)]
    all: bool,
    /// Questions alone, for `tests/bench_accounting.py`: milliseconds, both bounds, kind and name, apart by tabs; and
    /// the memory of it all.
    #[arg(long)]
    lines: bool,
    /// The instructions of each row, counted by valgrind: they do not depend on how busy the machine is.
    #[arg(long)]
    instructions: bool,
    /// Asks each question so many times, and measures nothing.
    #[arg(long)]
    calls: Option<u32>,
}

/// The least time of several calls in milliseconds, and the distance of the bounds over the upper one.
struct Measured {
    milliseconds: f64,
    width: f64,
    bounds: Bounds,
}

fn measure(task: &Task) -> Result<Measured, Box<dyn Error>> {
    let ask = task.question()?;
    let bounds = ask()?;
    let (mut least, began) = (Duration::MAX, Instant::now());
    for call in 0..200 {
        let start = Instant::now();
        let _ = black_box(ask());
        least = least.min(start.elapsed());
        if call >= 2 && began.elapsed() > Duration::from_millis(250) {
            break;
        }
    }
    let width = if bounds.upper == 0.0 { 0.0 } else { (bounds.upper - bounds.lower) / bounds.upper };
    Ok(Measured { milliseconds: least.as_secs_f64() * 1e3, width, bounds })
}

/// The instructions of a row: those of a second call of each of its questions, what is made once being made by then.
fn instructions(kind: &str) -> Result<f64, Box<dyn Error>> {
    let counted = |calls: &str| -> Result<f64, Box<dyn Error>> {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(std::env::current_exe()?)
            .args([kind, "--calls", calls])
            .output()?;
        // "Collected : 123"
        let report = String::from_utf8_lossy(&output.stderr);
        let count = report.lines().find_map(|line| line.split("Collected :").nth(1));
        Ok(count.ok_or("valgrind reports no count")?.trim().parse()?)
    };
    Ok(counted("2")? - counted("1")?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let only = arguments.rows.as_ref();
    let tasks: Vec<Task> =
        tasks()?.into_iter().filter(|task| only.is_none_or(|only| task.kind.contains(only))).collect();
    if let Some(calls) = arguments.calls {
        for task in &tasks {
            let ask = task.question()?;
            for _ in 0..calls {
                let _ = black_box(ask()?);
            }
        }
        return Ok(());
    }
    if arguments.instructions {
        let mut kinds: Vec<&str> = tasks.iter().map(|task| task.kind).collect();
        kinds.dedup();
        println!("| what | instructions, millions |\n|---|---:|");
        for kind in kinds {
            println!("| {kind} | {:.2} |", instructions(kind)? / 1e6);
        }
        return Ok(());
    }
    let mut kinds: Vec<(&'static str, Vec<(Measured, &Task)>)> = Vec::new();
    for task in &tasks {
        let measured = measure(task)?;
        if arguments.lines {
            let Bounds { lower, upper } = measured.bounds;
            println!("{}\t{lower:?}\t{upper:?}\t{}\t{}", measured.milliseconds, task.kind, task.name);
            continue;
        }
        if arguments.all || only.is_some() {
            println!("{:>9.3} ms {:>8.1e}  {}: {}", measured.milliseconds, measured.width, task.kind, task.name);
        }
        match kinds.iter_mut().find(|(kind, _)| *kind == task.kind) {
            Some((_, rows)) => rows.push((measured, task)),
            None => kinds.push((task.kind, vec![(measured, task)])),
        }
    }
    if arguments.lines {
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
