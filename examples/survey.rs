//! The common parts of the short examples: the survey's rows, the tables of plans, two arguments, and the error at the
//! end of a program.

use clap::Parser;
use indistinct::frames::{Frame, FrameDomain};
use indistinct_tables::{Csv, Encoding};
use serde::{Deserialize, de::DeserializeOwned};
use std::{
    error::Error,
    io,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// A year of one individual, as far as the examples use it.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct PersonYear {
    /// The individual whose year this is.
    pub person_id: u64,
    /// The insurance plan, a number from 1 to 24.
    pub plan: u32,
    /// The individual's age.
    pub age: f64,
    /// Years of schooling of the family's decision maker, where they are known.
    pub education: Option<f64>,
    /// Doctor visits in the year.
    pub md_visits: f64,
    /// Hospital admissions in the year.
    pub admissions: u32,
    /// Medical spending in the year, in dollars.
    pub medical_spend: f64,
}

impl PersonYear {
    const COLUMNS: [&str; 7] = ["person_id", "plan", "age", "education", "md_visits", "admissions", "medical_spend"];
}

/// The options that all examples have.
#[derive(Debug, Parser)]
pub struct Arguments {
    /// The privacy loss allowed for each individual
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    pub epsilon: f64,
    /// The survey, a CSV file with a header
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/rand_hie.csv"))]
    pub data: PathBuf,
}

/// A number above 0 and finite, such as an epsilon.
pub fn positive(text: &str) -> Result<f64, &'static str> {
    let number: f64 = text.parse().map_err(|_| "must be a number")?;
    if number > 0.0 && number.is_finite() { Ok(number) } else { Err("must be above 0 and finite") }
}

/// A probability that is neither 0 nor 1, such as a delta.
pub fn probability(text: &str) -> Result<f64, &'static str> {
    let number: f64 = text.parse().map_err(|_| "must be a number")?;
    if number > 0.0 && number < 1.0 { Ok(number) } else { Err("must be above 0 and below 1") }
}

/// Read the survey and run an example on it.
pub fn run(example: impl FnOnce(f64, &[PersonYear]) -> Result<(), Box<dyn Error>>) -> ExitCode {
    let arguments = Arguments::parse();
    end(read(&arguments.data, &PersonYear::COLUMNS).and_then(|rows| example(arguments.epsilon, &rows)))
}

/// How a program ends: with an error, if there is one, in one line.
pub fn end(outcome: Result<(), Box<dyn Error>>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has closed the pipe: enough was read.
        Err(error) if is_broken_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// The table of a plan of the cookbook: the survey, or the file that the plan's folder is named after. Rows without a
/// cell that the plan needs are left out; of cells that it says may be missing, none.
pub fn table_of(plan: &str, domain: &FrameDomain) -> indistinct_tables::Result<Frame> {
    let (reader, file) = match plan.split_once('/') {
        Some(("rides", _)) => (rides(domain), "rides.csv"),
        _ => (Csv::new(), "rand_hie.csv"),
    };
    let needed = domain.names().iter().zip(domain.columns()).filter(|(_, column)| !column.has_missing());
    let reader = needed.fold(reader, |reader, (name, _)| reader.drop_null(name));
    reader.read(format!("{}/data/{file}", env!("CARGO_MANIFEST_DIR")), domain)
}

/// How the office writes its rides: as Europe's offices do.
fn rides(domain: &FrameDomain) -> Csv {
    let reader = Csv::new().delimiter(b';').decimal(',').thousands('.').encoding(Encoding::Latin1);
    let reader = reader.missing(["NA", "k. A.", "-", "?"]).missing_in("Kunde", ["Gast"]);
    // Only of a column that is read can it be said how it is written.
    if domain.column("Tag").is_ok() { reader.format("Tag", "%d.%m.%Y") } else { reader }
}

/// All rows of a survey whose header has at least these columns. A header without rows is a survey: how many people
/// take part is theirs to hide.
pub fn read<Row: DeserializeOwned>(file: &Path, columns: &[&str]) -> Result<Vec<Row>, Box<dyn Error>> {
    let path = file.display();
    let mut reader = open_csv(file).map_err(|error| format!("{path}: {error}"))?;
    let header = reader.headers().map_err(|error| format!("{path}: {error}"))?;
    if let Some(column) = columns.iter().find(|column| !header.iter().any(|name| name == **column)) {
        return Err(format!("{path}: column {column} is missing").into());
    }
    let mut rows = Vec::new();
    for (row, number) in reader.deserialize().zip(2..) {
        // The error names the line, not its content.
        rows.push(row.map_err(|_| format!("{path}: line {number} is not a row of the survey"))?);
    }
    Ok(rows)
}

/// A CSV file. One in which a quote is opened and never closed is an error: all records after it would be one cell.
pub fn open_csv(file: &Path) -> Result<csv::Reader<io::Cursor<Vec<u8>>>, io::Error> {
    let bytes = std::fs::read(file)?;
    let records = |bytes: &[u8]| {
        csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(bytes).into_byte_records().count()
    };
    // A line more is a record more, unless it is in quotes.
    if records(&[bytes.as_slice(), b"\nEND\n"].concat()) == records(&bytes) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a quoted field is not closed"));
    }
    Ok(csv::Reader::from_reader(io::Cursor::new(bytes)))
}

/// The code that must not compile on a page. `tests/pages` runs the other code of pages.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide/8-chains.md")]
struct Chains;
