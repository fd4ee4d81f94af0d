//! Asks the 1,486 questions of `indistinct_bench::questions`, prints how near and how fast the answers are by kind, and
//! compares them with those of an earlier version.

use clap::Parser;
use indistinct_bench::questions::{Answer, KINDS, ask_all};
use std::{collections::BTreeMap, error::Error, path::PathBuf};

/// Questions as users ask them: how near and how fast the answers are.
#[derive(Parser)]
struct Arguments {
    /// Only kinds with this in their names.
    #[arg(long, default_value = "")]
    only: String,
    /// Writes every answer to this file, as JSON.
    #[arg(long)]
    save: Option<PathBuf>,
    /// Answers of another version: fails if no number is within both bounds, and lists what is wider now.
    #[arg(long)]
    compare: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut answers = Vec::new();
    ask_all(&arguments.only, |answer| answers.push(answer))?;
    if let Some(path) = &arguments.save {
        std::fs::write(path, serde_json::to_string_pretty(&answers)?)?;
    }
    table(&answers);
    let Some(path) = &arguments.compare else { return Ok(()) };
    let before: Vec<Answer> = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let before: BTreeMap<_, _> = before.iter().map(|answer| (&answer.question, answer)).collect();
    let pairs = answers.iter().filter_map(|now| Some((now, *before.get(&now.question)?)));
    let pairs: Vec<_> = pairs.collect();
    println!("\n{} of {} questions were asked before", pairs.len(), answers.len());
    for (now, before) in &pairs {
        if now.width() > 2.0 * before.width().max(1e-9) || before.width() > 2.0 * now.width().max(1e-9) {
            let (width, time) = ((before.width(), now.width()), (before.milliseconds, now.milliseconds));
            println!("{:.0e} -> {:.0e}, {:.1} -> {:.1} ms: {}", width.0, width.1, time.0, time.1, now.question);
        }
    }
    let crossed: Vec<_> = pairs.iter().filter(|(now, before)| now.crosses(before)).collect();
    for (now, before) in &crossed {
        println!("crossed: {before:?} {now:?}");
    }
    if crossed.is_empty() { Ok(()) } else { Err("bounds of the two versions exclude each other".into()) }
}

/// By kind: the share within some widths, in percent, and the times.
fn table(answers: &[Answer]) {
    println!("| questions | number | 1e-9 | 1e-6 | 1e-4 | 1e-2 | ms: median | 95 % | most | within 60 ms |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for kind in KINDS.iter().map(|(kind, _)| *kind).chain(["all"]) {
        let of_kind = || answers.iter().filter(|answer| kind == "all" || answer.kind == kind);
        let count = of_kind().count();
        if count == 0 {
            continue;
        }
        let percent = |part: usize| {
            let tenths = (part * 2_000 + count) / (2 * count);
            format!("{}.{}", tenths / 10, tenths % 10)
        };
        let within = |width: f64| percent(of_kind().filter(|answer| answer.width() <= width).count());
        let mut times: Vec<f64> = of_kind().map(|answer| answer.milliseconds).collect();
        times.sort_by(f64::total_cmp);
        let at = |percent: usize| times.get((count * percent / 100).min(count - 1)).copied().unwrap_or(f64::NAN);
        println!(
            "| {kind} | {count} | {} | {} | {} | {} | {:.1} | {:.0} | {:.0} | {} |",
            within(1e-9),
            within(1e-6),
            within(1e-4),
            within(1e-2),
            at(50),
            at(95),
            at(100),
            percent(times.iter().filter(|time| **time <= 60.0).count()),
        );
    }
}
