//! Private releases of a table in memory: the time of each, and the greatest memory of the process. `make bench-peers`
//! asks the same of other libraries (`tests/bench_tables.py`), and writes the file of the rows before.

use clap::{Parser, ValueEnum};
use indistinct::{frames::*, prelude::*, transformations::First};
use indistinct_tables::Arrow;
use std::{error::Error, fs, hint::black_box, path::PathBuf, time::Instant};

/// Measure one release, and print its least milliseconds and the greatest memory in MiB.
#[derive(Parser)]
struct Arguments {
    /// What is released.
    question: Question,
    /// Rows in Arrow IPC: integers `id`, `key` and `other`, floats `x` and `y`.
    rows: PathBuf,
    /// How often it is released.
    #[arg(long, default_value_t = 3)]
    runs: usize,
}

#[derive(Clone, Copy, ValueEnum)]
enum Question {
    /// The sum of x, clamped, where the key is 3.
    FilterClampSum,
    /// The sum of x, clamped, of each of ten keys.
    TenSums,
    /// The mean of x, clamped, of each pair of ten keys and seven others.
    MeansByTwo,
    /// How many rows each identifier has, of a million that nobody has listed.
    MillionKeys,
    /// In how many rows x y + 3 is above 1000.
    Expression,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { question, rows, runs } = Arguments::parse();
    let columns = [
        ("id", ColumnDomain::integer()),
        ("key", ColumnDomain::integer()),
        ("other", ColumnDomain::integer()),
        ("x", ColumnDomain::float()),
        ("y", ColumnDomain::float()),
    ];
    let domain = FrameDomain::new(columns.map(|(name, column)| (name, column.with_missing())))?;
    let frame = Arrow::new().ipc(rows, &domain)?;
    let release = release(question, FrameDomain::new(present(&domain))?)?;
    let mut least = f64::INFINITY;
    for _ in 0..runs {
        let start = Instant::now();
        release(black_box(&frame))?;
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
    }
    println!("{least:.1}\t{}", memory()?);
    Ok(())
}

/// The same columns, in which no cell is missing: the frame is refused if one is.
fn present(domain: &FrameDomain) -> impl Iterator<Item = (String, ColumnDomain)> {
    domain.names().iter().cloned().zip(domain.columns().iter().map(|column| column.clone().without_missing()))
}

/// The greatest memory of this process so far, in MiB.
fn memory() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")).ok_or("no VmHWM in /proc/self/status")?;
    Ok(kibibytes.trim().parse::<u64>()? / 1024)
}

type Release = Box<dyn Fn(&Frame) -> Fallible<()>>;

/// Each has epsilon 1 for one row, that of unknown keys delta 1e-7 besides.
fn release(question: Question, domain: FrameDomain) -> Fallible<Release> {
    let frames = (domain, SymmetricDistance);
    let bounds = (0.0, 500.0);
    let (ten, drop) = ((0..10i64).collect::<Vec<_>>(), UnknownCategories::Drop);
    Ok(match question {
        Question::FilterClampSum => {
            let sum = (frames
                >> then_filter_rows(col("key").eq(3))
                >> then_rows::<f64, _, _>(vec!["x"])
                >> then_clamp(bounds)
                >> then_sum()
                >> then_laplace(500.0))?;
            Box::new(move |frame| sum.invoke(frame).map(|sum| made(&sum)))
        }
        Question::TenSums => {
            let sums = (frames
                >> then_rows::<(i64, f64), _, _>(vec!["key", "x"])
                >> then_clamp(bounds)
                >> then_sum_by_categories(ten, drop, L1Distance::new())
                >> then_laplace(500.0))?;
            Box::new(move |frame| sums.invoke(frame).map(|sums| made(&sums)))
        }
        Question::MeansByTwo => {
            let keys = KeySet::product([("key", ten), ("other", (0..7).collect())])?;
            let places: Vec<i64> = (0..).take(keys.len()).collect();
            let rows = (frames
                >> then_with_columns(vec![("place", keys.position())])
                >> then_rows::<(i64, f64), _, _>(vec!["place", "x"])
                >> then_clamp(bounds))?;
            let sums = rows.output_space() >> then_sum_by_categories(places.clone(), drop, L1Distance::new());
            let counts = (rows.output_space() >> then_pair_part(First))
                >> then_count_by_categories(places, drop, L1Distance::new());
            let both = make_composition(((sums >> then_laplace(1000.0))?, (counts >> then_laplace(2.0))?))?;
            let means = (rows >> both >> group_means(bounds)?)?;
            Box::new(move |frame| means.invoke(frame).map(|means| made(&means)))
        }
        Question::MillionKeys => {
            let counts = (frames >> then_rows::<i64, _, _>(vec!["id"]) >> then_count_by(L01InfDistance))?;
            let check = |threshold: i64| {
                let released = (counts.clone() >> then_laplace_threshold(1.0, threshold))?;
                released.check(&1, &(1.0, 1e-7))
            };
            let threshold = indistinct::search::smallest((1i64, 1 << 20), check)?;
            let released = (counts >> then_laplace_threshold(1.0, threshold))?;
            Box::new(move |frame| released.invoke(frame).map(|counts| made(&counts)))
        }
        Question::Expression => {
            let count = (frames
                >> then_filter_rows((col("x") * col("y") + 3.0).gt(1000.0))
                >> then_rows::<f64, _, _>(vec!["x"])
                >> then_count()
                >> then_laplace(1.0))?;
            Box::new(move |frame| count.invoke(frame).map(|count| made(&count)))
        }
    })
}

/// What is released is made, though nobody looks at it.
fn made<T>(released: &T) {
    black_box(released);
}
