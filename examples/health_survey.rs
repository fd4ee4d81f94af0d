//! A private release of a real health survey: do people who pay a larger share of the bill see a doctor less?
//!
//! The data are 20,190 person-years of 5,912 people in the RAND Health Insurance Experiment (see `data/README.md`). For
//! each coinsurance level, the share of the bill that a family pays, this releases the mean number of doctor visits and
//! the mean spending in a year, with epsilon-differential privacy for each *individual*, all of whose rows are
//! protected.
//!
//!     cargo run --release --bin health_survey -- --epsilon 1

use clap::Parser;
use comfy_table::{CellAlignment, Table};
use indistinct::{prelude::*, search::smallest};
use serde::{Deserialize, Serialize};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The coinsurance levels of the experiment's design, in percent: public, not read off the data.
const LEVELS: [u32; 5] = [0, 25, 50, 95, 100];
/// A person-year counts with at most so many visits and so many dollars: chosen from general knowledge.
const MAX_VISITS: f64 = 20.0;
const MAX_SPENDING: f64 = 2000.0;
/// How epsilon is shared out between the counts, the sums of visits and the sums of spending.
const COUNT_SHARE: f64 = 0.1;
const SUM_SHARE: f64 = 0.45;
/// The probability that an interval misses. A mean is a sum over a count, each of which gets half of it.
const ALPHA: f64 = 0.05;

/// Private means of a health survey, by coinsurance level.
#[derive(Parser)]
struct Arguments {
    /// The privacy loss allowed for each individual
    #[arg(long, default_value_t = 1.0, value_parser = epsilon)]
    epsilon: f64,
    /// The survey, a CSV file with a header
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/rand_hie.csv"))]
    data: PathBuf,
    /// How many rows (years) of each individual are used
    #[arg(long, default_value_t = 3)]
    max_rows_per_individual: u32,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

fn epsilon(text: &str) -> Result<f64, &'static str> {
    let epsilon: f64 = text.parse().map_err(|_| "must be a number")?;
    if epsilon > 0.0 && epsilon.is_finite() { Ok(epsilon) } else { Err("must be above 0 and finite") }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has closed the pipe: enough was read.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let rows = read(&arguments.data)?;
    let survey = Survey::plan(arguments.epsilon, arguments.max_rows_per_individual)?;
    let report = survey.release(&rows)?;
    let mut output = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut output, &report).map_err(io::Error::from)?;
        writeln!(output)?;
    } else {
        write!(output, "{}", report.text())?;
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------- the
// release

/// One person-year: who, and (coinsurance, (visits, spending)).
type Row = (u64, Year);
type Year = (u32, (f64, f64));

type YearDomain = PairDomain<AtomDomain<u32>, PairDomain<AtomDomain<f64>, AtomDomain<f64>>>;
type People = VectorDomain<PairDomain<AtomDomain<u64>, YearDomain>>;
type Counts = Vec<i64>;
type Sums = Vec<f64>;
type Release = Measurement<People, (Counts, Sums, Sums), SymmetricIdDistance, MaxDivergence>;

/// The planned releases and their noise, computed without looking at the data.
struct Survey {
    measurement: Release,
    noise: Noise,
    epsilon: f64,
    max_rows: u32,
}

/// The scales of the noise on the counts and on the two kinds of sums.
struct Noise {
    count: f64,
    visits: f64,
    spending: f64,
}

impl Noise {
    /// In proportion to what one row can change and to the inverse of the share of epsilon.
    fn in_units_of(unit: f64) -> Self {
        Self {
            count: unit / COUNT_SHARE,
            visits: unit * MAX_VISITS / SUM_SHARE,
            spending: unit * MAX_SPENDING / SUM_SHARE,
        }
    }
}

impl Survey {
    /// Find the least noise that the budget allows.
    fn plan(epsilon: f64, max_rows: u32) -> Fallible<Self> {
        let one_individual = 1;
        let make = |unit| measurement(&Noise::in_units_of(unit), max_rows);
        let unit = smallest((1e-9, 1e9), |unit| make(unit)?.check(&one_individual, &epsilon))?;
        let measurement = make(unit)?;
        let epsilon = measurement.map(&one_individual)?;
        Ok(Self { measurement, noise: Noise::in_units_of(unit), epsilon, max_rows })
    }

    fn release(&self, rows: &[Row]) -> Fallible<Report> {
        let (counts, visits, spending) = self.measurement.invoke(rows)?;
        let count_error = discrete_laplace_accuracy(self.noise.count, ALPHA / 2.0)?;
        let visits_error = laplace_accuracy(self.noise.visits, ALPHA / 2.0)?;
        let spending_error = laplace_accuracy(self.noise.spending, ALPHA / 2.0)?;
        let groups = LEVELS.iter().zip(counts).zip(visits.iter().zip(&spending));
        let groups = groups.map(|((&coinsurance, count), (&visits, &spending))| Group {
            coinsurance,
            rows: count,
            visits: Mean::new(visits, visits_error, count, count_error, MAX_VISITS),
            spending: Mean::new(spending, spending_error, count, count_error, MAX_SPENDING),
        });
        Ok(Report {
            epsilon_per_individual: self.epsilon,
            max_rows_per_individual: self.max_rows,
            groups: groups.collect(),
        })
    }
}

/// Noisy counts, sums of visits and sums of spending by coinsurance level, from at most `max_rows` rows of each
/// individual.
fn measurement(noise: &Noise, max_rows: u32) -> Fallible<Release> {
    let year = PairDomain::new(AtomDomain::u32(), PairDomain::new(AtomDomain::f64(), AtomDomain::f64()));
    let people = VectorDomain::new(PairDomain::new(AtomDomain::u64(), year));
    let bounded = ((people, SymmetricIdDistance) >> then_bound_contributions(max_rows))?;

    let years = || bounded.output_space();
    let level = || AtomDomain::u32();
    let level_and_number = || PairDomain::new(AtomDomain::u32(), AtomDomain::f64());
    let drop = UnknownCategories::Drop;
    let counts = (years()
        >> then_map(level(), 0, |(level, _): &Year| *level)
        >> then_count_by_categories(LEVELS.to_vec(), drop, L1Distance::new())
        >> then_laplace(noise.count))?;
    let visits = (years()
        >> then_map(level_and_number(), (0, 0.0), |(level, (visits, _)): &Year| (*level, *visits))
        >> then_clamp((0.0, MAX_VISITS))
        >> then_sum_by_categories(LEVELS.to_vec(), drop, L1Distance::new())
        >> then_laplace(noise.visits))?;
    let spending = (years()
        >> then_map(level_and_number(), (0, 0.0), |(level, (_, spending)): &Year| (*level, *spending))
        >> then_clamp((0.0, MAX_SPENDING))
        >> then_sum_by_categories(LEVELS.to_vec(), drop, L1Distance::new())
        >> then_laplace(noise.spending))?;
    bounded >> make_composition((counts, visits, spending))?
}

// ----------------------------------------------------------------------------------------------------------- the
// report

#[derive(Serialize)]
struct Report {
    epsilon_per_individual: f64,
    max_rows_per_individual: u32,
    groups: Vec<Group>,
}

#[derive(Serialize)]
struct Group {
    coinsurance: u32,
    /// A noisy count of the person-years used.
    rows: i64,
    visits: Option<Mean>,
    spending: Option<Mean>,
}

/// A mean with the interval in which, but for 5 in 100 draws of the noise, the mean without noise lies.
#[derive(Serialize)]
struct Mean {
    estimate: f64,
    low: f64,
    high: f64,
}

impl Mean {
    /// A noisy sum over a noisy count; nothing where the noise hides whether there are any rows at all. The mean of
    /// numbers from 0 to `bound` lies between them.
    fn new(sum: f64, sum_error: f64, count: i64, count_error: f64, bound: f64) -> Option<Self> {
        // A count of at most 2^53 is a float.
        let count = f64::from(i32::try_from(count).ok()?);
        let most = (count > count_error).then_some((sum + sum_error) / (count - count_error))?;
        let least = (sum - sum_error) / (count + count_error);
        let within = |mean: f64| mean.clamp(0.0, bound);
        Some(Self { estimate: within(sum / count), low: within(least), high: within(most) })
    }
}

impl Report {
    fn text(&self) -> String {
        let mut table = Table::new();
        table.set_header(["coinsurance", "years", "visits a year", "95% interval", "dollars a year", "95% interval"]);
        for group in &self.groups {
            let mut cells = vec![format!("{} %", group.coinsurance), group.rows.to_string()];
            for (mean, digits) in [(&group.visits, 2), (&group.spending, 0)] {
                match mean {
                    Some(Mean { estimate, low, high }) => {
                        cells.push(format!("{estimate:.digits$}"));
                        cells.push(format!("{low:.digits$} to {high:.digits$}"));
                    }
                    None => cells.extend(["hidden by noise".into(), String::new()]),
                }
            }
            table.add_row(cells);
        }
        table.column_iter_mut().for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        let (epsilon, max_rows) = (self.epsilon_per_individual, self.max_rows_per_individual);
        format!(
            "{table}\nPrivacy spent: epsilon {epsilon} per individual, at most {max_rows} years of each.\n\
             Means are of years with visits cut off at {MAX_VISITS} and dollars at {MAX_SPENDING}; the intervals cover the noise.\n\
             {}\n",
            self.finding()
        )
    }

    /// A sentence about the numbers.
    fn finding(&self) -> String {
        let visits = |level| self.groups.iter().find(|group| group.coinsurance == level)?.visits.as_ref();
        match (visits(0), visits(95)) {
            (Some(free), Some(paying)) if free.low > paying.high => format!(
                "People whose care is free see a doctor more often ({:.2} times a year) than those who pay 95 % of the bill ({:.2}).",
                free.estimate, paying.estimate
            ),
            (Some(free), Some(paying)) => format!(
                "Visits at coinsurance 0 ({:.2} a year) and 95 ({:.2}) cannot be told apart through the noise.",
                free.estimate, paying.estimate
            ),
            _ => "The noise hides the number of visits: allow a larger epsilon.".into(),
        }
    }
}

// ---------------------------------------------------------------------------------------------------------- the
// reading

#[derive(Deserialize)]
struct Record {
    person_id: u64,
    coinsurance: u32,
    md_visits: f64,
    medical_spend: f64,
}

const COLUMNS: [&str; 4] = ["person_id", "coinsurance", "md_visits", "medical_spend"];

/// Why there is no release.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{file}: {reason}")]
    File { file: String, reason: String },
    #[error("{file}: column {column} is missing")]
    Column { file: String, column: &'static str },
    #[error("{file}: row {row}, column {column}: {reason}")]
    Cell { file: String, row: usize, column: String, reason: String },
    #[error("{0}")]
    Privacy(#[from] Error),
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

/// Read the survey; rows are numbered from 1, the header not counted.
fn read(path: &Path) -> Result<Vec<Row>, Failure> {
    let file = path.display().to_string();
    let failure = |reason: String| Failure::File { file: file.clone(), reason };
    let mut reader = indistinct_examples::open_csv(path).map_err(|error| failure(error.to_string()))?;
    let headers = reader.headers().map_err(|error| failure(error.to_string()))?.clone();
    if let Some(column) = COLUMNS.into_iter().find(|&column| !headers.iter().any(|header| header == column)) {
        return Err(Failure::Column { file, column });
    }
    let mut rows = Vec::new();
    for (row, record) in (1..).zip(reader.deserialize()) {
        let cell =
            |column: &str, reason: String| Failure::Cell { file: file.clone(), row, column: column.into(), reason };
        let record: Record = record.map_err(|error| match error.kind() {
            csv::ErrorKind::Deserialize { err, .. } => {
                let column = err.field().and_then(|field| headers.get(usize::try_from(field).ok()?));
                cell(column.unwrap_or("unknown"), err.kind().to_string())
            }
            _ => cell("all", error.to_string()),
        })?;
        for (column, number) in [("md_visits", record.md_visits), ("medical_spend", record.medical_spend)] {
            if !number.is_finite() {
                return Err(cell(column, "not a finite number".into()));
            }
        }
        rows.push((record.person_id, (record.coinsurance, (record.md_visits, record.medical_spend))));
    }
    Ok(rows)
}
