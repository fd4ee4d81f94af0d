//! Releases from a file by an engine: the seconds of each, and the greatest memory of the process. `make engines`
//! writes the file, and asks polars and DuckDB for the plain aggregate of it (`tests/bench_engines.py`).

use clap::{Parser, ValueEnum};
use indistinct::{
    frames::{ColumnDomain, FrameDomain, KeySet, col},
    queries::{Budget, Query},
};
use indistinct_datafusion::DataFusion;
use indistinct_engine::{Engine, Native};
use indistinct_tables::{Arrow, Csv, TableJob, TableJobs};
use std::{
    error::Error,
    fs::{self, File},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    time::Instant,
};

#[derive(Parser)]
enum Arguments {
    /// Write a CSV file of rows that belong to individuals, of integers `id`, `key` and `other` and floats `x` and `y`.
    Write { path: PathBuf, rows: u64, individuals: u64 },
    /// Release a mean, or sums, by ten keys, and print the seconds and the greatest memory in MiB.
    Release {
        question: Question,
        by: By,
        /// A file that ends in `.csv` or `.parquet`.
        path: PathBuf,
        /// The engine's memory, in MiB.
        #[arg(long, default_value_t = 768)]
        memory: u64,
        /// Where temporary files are made.
        #[arg(long)]
        directory: PathBuf,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum By {
    Native,
    Datafusion,
}

#[derive(Clone, Copy, ValueEnum)]
enum Question {
    /// Sums of rows, each of which counts.
    Rows,
    /// The mean of one row of each individual.
    Individuals,
}

fn main() -> Result<(), Box<dyn Error>> {
    match Arguments::parse() {
        Arguments::Write { path, rows, individuals } => write(&path, rows, individuals),
        Arguments::Release { question, by, path, memory, directory } => {
            let memory = memory << 20;
            match by {
                By::Native => release(question, &path, &Native::new().memory(memory).directory(directory)),
                By::Datafusion => {
                    release(question, &path, &DataFusion::new(TableJobs).memory(memory).directory(directory))
                }
            }
        }
    }
}

/// Numbers that are spread well enough, whatever their order.
fn write(path: &Path, rows: u64, individuals: u64) -> Result<(), Box<dyn Error>> {
    let spread = |row: u64, odd: u64| (row + 1).wrapping_mul(odd).rotate_left(31).wrapping_mul(odd);
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(file, "id,key,other,x,y")?;
    for row in 0..rows {
        let id = spread(row, 0x9e37_79b9_7f4a_7c15) % individuals;
        let (key, other) = (spread(row, 0xbf58_476d_1ce4_e5b9) % 10, spread(row, 0x94d0_49bb_1331_11eb) % 7);
        let (x, y) = (spread(row, 0xd6e8_feb8_6659_fd93) >> 44, spread(row, 0xa076_1d64_78bd_642f) >> 44);
        writeln!(file, "{id},{key},{other},{}.{:03},{}.{:03}", x / 1000, x % 1000, y / 1000, y % 1000)?;
    }
    file.flush()?;
    Ok(())
}

fn release(question: Question, path: &Path, engine: &dyn Engine) -> Result<(), Box<dyn Error>> {
    let domain = FrameDomain::new([
        ("id", ColumnDomain::integer()),
        ("key", ColumnDomain::integer().with_missing()),
        ("x", ColumnDomain::float().with_missing()),
    ])?;
    let keys = KeySet::product([("key", (0..10i64).collect::<Vec<_>>())])?;
    let query = match question {
        Question::Rows => Query::new(&domain).group_by(keys).sum(col("x"), (0.0, 1000.0)),
        Question::Individuals => {
            Query::new(&domain.with_individuals("id")?).group_by(keys).mean(col("x"), (0.0, 1000.0))
        }
    };
    let query = query.measurement(Budget::Epsilon(1.0))?;
    let plan = query.measurement();
    let (domain, _) = plan.input_space();
    let (csv, arrow) = (Csv::new().drop_null("id"), Arrow::new().drop_null("id"));
    let job = match path.extension().and_then(|ending| ending.to_str()) {
        Some("parquet") => TableJob::parquet(&arrow, [path], &domain, plan)?,
        _ => TableJob::csv(&csv, [path], &domain, plan)?,
    };
    let start = Instant::now();
    let state = plan.read_state(&engine.run(&job)?)?;
    let rows = state.rows();
    query.table(&state.release()?, 0.05)?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{seconds:.2}\t{}\t{rows}", memory_used()?);
    Ok(())
}

/// The greatest memory of this process so far, in MiB.
fn memory_used() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")).ok_or("no VmHWM in /proc/self/status")?;
    Ok(kibibytes.trim().parse::<u64>()? / 1024)
}
