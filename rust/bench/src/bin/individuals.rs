//! A private mean by ten keys of rows that belong to individuals, in memory: its seconds, and the greatest memory.
//! docs/PERFORMANCE.md says what was measured.

use clap::Parser;
use indistinct::{
    frames::{Column, ColumnDomain, Frame, FrameDomain, KeySet, col},
    queries::{Budget, Query},
};
use std::{error::Error, fs, time::Instant};

/// Release a mean by ten keys, and print its least seconds and the greatest memory in MiB.
#[derive(Parser)]
struct Arguments {
    /// How many rows there are.
    #[arg(long, default_value_t = 10_000_000)]
    rows: u32,
    /// How many individuals they belong to.
    #[arg(long, default_value_t = 1_000_000)]
    individuals: u32,
    /// How many rows of an individual count.
    #[arg(long, default_value_t = 1)]
    kept: u32,
    /// How often it is released.
    #[arg(long, default_value_t = 1)]
    runs: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { rows, individuals, kept, runs } = Arguments::parse();
    let domain = FrameDomain::new([
        ("id", ColumnDomain::integer()),
        ("key", ColumnDomain::integer()),
        ("other", ColumnDomain::integer()),
        ("x", ColumnDomain::float()),
        ("y", ColumnDomain::float()),
    ])?;
    // Numbers that are spread well enough, whatever their order.
    let spread = |row: u32, odd: u64| (u64::from(row) + 1).wrapping_mul(odd).rotate_left(31).wrapping_mul(odd);
    let below = |row, odd, bound: u32| i64::try_from(spread(row, odd) % u64::from(bound));
    let integers = |odd, bound: u32| (0..rows).map(move |row| below(row, odd, bound)).collect::<Result<Vec<_>, _>>();
    let floats = |odd| (0..rows).map(move |row| f64::from(u32::try_from(spread(row, odd) >> 44).unwrap_or(0)) / 1e3);
    let frame = Frame::new([
        ("id", integers(0x9e37_79b9_7f4a_7c15, individuals)?.into_iter().collect::<Column>()),
        ("key", integers(0xbf58_476d_1ce4_e5b9, 10)?.into_iter().collect()),
        ("other", integers(0x94d0_49bb_1331_11eb, 7)?.into_iter().collect()),
        ("x", floats(0xd6e8_feb8_6659_fd93).collect()),
        ("y", floats(0xa076_1d64_78bd_642f).collect()),
    ])?;
    let query = Query::new(&domain.with_individuals("id")?)
        .max_rows_per_individual(kept)
        .group_by(KeySet::product([("key", (0..10i64).collect::<Vec<_>>())])?)
        .mean(col("x"), (0.0, 1000.0));
    let measurement = query.measurement(Budget::Epsilon(1.0))?;
    let mut least = f64::INFINITY;
    for _ in 0..runs {
        let start = Instant::now();
        measurement.release(&frame, 0.05)?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    println!("{least:.2}\t{}", memory()?);
    Ok(())
}

/// The greatest memory of this process so far, in MiB.
fn memory() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")).ok_or("no VmHWM in /proc/self/status")?;
    Ok(kibibytes.trim().parse::<u64>()? / 1024)
}
