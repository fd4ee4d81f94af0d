//! DataFusion as an engine: the bytes of all rows in memory, or one error.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // a panic is a failed test

mod equality;
mod hazards;
mod plans;
mod processes;
mod refusals;
mod stores;

use indistinct::{frames::FrameDomain, plans::FrameMeasurement};
use indistinct_engine::Engine;
use indistinct_tables::{Csv, TableJob};
use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

/// Records, some with cells that cannot be read or are missing, or with an end of line inside a quoted one.
fn records(rows: u32) -> Vec<String> {
    let record = |row: u32| {
        let mixed = row.wrapping_mul(2_654_435_761) >> 8;
        let person = if row.is_multiple_of(31) { String::new() } else { format!("p{}", mixed % (rows / 10)) };
        let city = ["Bern", "\"Aar\nau, \"\"AG\"\"\"", "", "Chur"][usize::try_from(row % 4).unwrap()];
        let n = if row.is_multiple_of(13) { "many".to_owned() } else { (row % 11).to_string() };
        let x = ["1e16", "-1e16", "0.1", "1e-9", "nothing"][usize::try_from(row % 5).unwrap()];
        format!("{person},{city},{n},{x},{}", f64::from(mixed % 1000) / 8.0)
    };
    (0..rows).map(record).collect()
}

fn write(place: &Path, records: &[String]) {
    let mut text = "person,city,n,x,y\n".to_owned();
    records.iter().for_each(|record| writeln!(text, "{record}").unwrap());
    fs::write(place, text).unwrap();
}

/// The same records in another order, in so many files.
fn files(place: &Path, records: &[String], turn: usize, number: usize) -> Vec<PathBuf> {
    let mut records = records.to_vec();
    let length = records.len();
    records.rotate_left(turn * 977 % length);
    (0..length / 3).for_each(|row| records.swap(row, (row * 7919 + turn) % length));
    let size = length.div_ceil(number);
    let file = |(index, records): (usize, &[String])| {
        let path = place.join(format!("{turn}-{index}.csv"));
        write(&path, records);
        path
    };
    records.chunks(size).enumerate().map(file).collect()
}

/// Where the number of rows is stated, none is left out.
fn reader(domain: &FrameDomain) -> Csv {
    let reader = Csv::new().fill_null("n", 3).fill_null("y", 0.5).flag_unreadable("bad");
    if domain.size().is_some() { reader.fill_null("person", "nobody") } else { reader.drop_null("person") }
}

/// The state's bytes of all rows in memory.
fn in_memory(plan: &FrameMeasurement, path: &Path) -> Vec<u8> {
    let (domain, _) = plan.input_space();
    let frame = reader(&domain).read(path, &domain).unwrap();
    let state = plan.state().unwrap();
    let all = if state.needs_individuals() { state.absorb_partition((0, 1), &frame) } else { state.absorb(&frame) };
    all.unwrap().to_bytes().unwrap()
}

fn run(engine: &dyn Engine, plan: &FrameMeasurement, paths: &[PathBuf]) -> indistinct_engine::Result<Vec<u8>> {
    let (domain, _) = plan.input_space();
    let reader = reader(&domain);
    engine.run(&TableJob::csv(&reader, paths, &domain, plan).unwrap())
}

const FAILED: &str = "the engine failed: nothing was released, and the same request may be run again";

/// Neither the framework nor its samplers are among what the engines are built with.
#[test]
fn no_engine_can_draw() {
    for package in ["indistinct-datafusion", "indistinct-ballista"] {
        let tree =
            ["tree", "--package", package, "--edges", "normal,build", "--prefix", "none", "--locked", "--offline"];
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let tree =
            std::process::Command::new(cargo).args(tree).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        let tree = String::from_utf8(tree.stdout).unwrap();
        assert!(tree.contains("indistinct-engine") && tree.contains("datafusion-physical-plan"), "{tree}");
        let ours: Vec<&str> = tree.lines().filter(|line| line.starts_with("indistinct")).collect();
        let engines = ["indistinct-ballista", "indistinct-datafusion", "indistinct-engine"];
        let is_engine = |line: &&str| engines.iter().any(|name| line.split(' ').next() == Some(name));
        assert!(ours.iter().all(is_engine), "{ours:?}");
    }
}
