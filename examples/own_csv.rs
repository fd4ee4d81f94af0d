//! Means by group from a CSV file of your own, with intervals, with epsilon-differential privacy for each individual.
//!
//!     cargo run --release --bin own_csv -- --person person_id --group plan --groups 1,5,11,17 --value md_visits
//!     --upper 20 --epsilon 1
//!
//! That is what it does without arguments, too: visits to a doctor by insurance plan, from the survey; `--data` names
//! another file.

use clap::Parser;
use indistinct::{
    frames::{ColumnDomain, FrameDomain, then_rows_of_individuals},
    prelude::*,
    search::smallest,
    transformations::First,
};
use indistinct_examples::end;
use indistinct_tables::Csv;
use std::{
    error::Error,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

/// Means by group, with intervals, from a CSV file with a header
#[derive(Parser)]
struct Arguments {
    /// The file
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/rand_hie.csv"))]
    data: PathBuf,
    /// The column that says whose row it is; rows without are left out
    #[arg(long, default_value = "person_id")]
    person: String,
    /// The column that says which group a row belongs to
    #[arg(long, default_value = "plan")]
    group: String,
    /// The groups, known without looking at the file; other rows are left out
    #[arg(long, value_delimiter = ',', default_value = "1,5,11,17")]
    groups: Vec<String>,
    /// The column of numbers; rows without are left out
    #[arg(long, default_value = "md_visits")]
    value: String,
    /// Numbers below are taken for this
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
    lower: f64,
    /// Numbers above are taken for this
    #[arg(long, default_value_t = 20.0, allow_hyphen_values = true)]
    upper: f64,
    /// How many rows of an individual are used
    #[arg(long, default_value_t = 3)]
    rows: u32,
    /// The privacy loss allowed for each individual
    #[arg(long, default_value_t = 1.0, value_parser = indistinct_examples::positive)]
    epsilon: f64,
}

/// The probability that an interval misses, for its sum and its count together.
const ALPHA: f64 = 0.05;

fn main() -> ExitCode {
    end(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let Arguments { data, person, group, groups, value, lower, upper, rows, epsilon } = arguments;
    let table = FrameDomain::new([
        (person, ColumnDomain::text()),
        (group, ColumnDomain::text()),
        (value, ColumnDomain::float()),
    ])?;
    let people = table.with_individuals(person)?;
    // Rows without one of the three are left out as they are read: before an individual's rows are chosen.
    let reader = Csv::new().drop_null(person).drop_null(group).drop_null(value);
    let frame = reader.read(data, &people)?;

    let bounded = ((people, SymmetricIdDistance)
        >> then_rows_of_individuals::<String, (String, f64), _, _>(vec![group.clone(), value.clone()])
        >> then_bound_contributions(*rows)
        >> then_clamp((*lower, *upper)))?;
    let drop = UnknownCategories::Drop;
    let make = |unit: f64| {
        let counts = (bounded.output_space()
            >> then_pair_part(First)
            >> then_count_by_categories(groups.clone(), drop, L1Distance::new())
            >> then_laplace(unit))?;
        let sums = (bounded.output_space()
            >> then_sum_by_categories(groups.clone(), drop, L1Distance::new())
            >> then_laplace(unit * lower.abs().max(upper.abs())))?;
        bounded.clone() >> make_composition((counts, sums))?
    };
    let unit = smallest((1e-9, 1e9), |unit| make(unit)?.check(&1, epsilon))?;
    let release = make(unit)?;

    let (counts, sums) = release.invoke(&frame)?;
    let count_error = discrete_laplace_accuracy(unit, ALPHA / 2.0)?;
    let sum_error = laplace_accuracy(unit * lower.abs().max(upper.abs()), ALPHA / 2.0)?;
    for (group, (count, sum)) in groups.iter().zip(counts.iter().zip(sums)) {
        let count = f64::from(i32::try_from(*count)?);
        let means = [sum - sum_error, sum, sum + sum_error].map(|sum| {
            [count - count_error, count, count + count_error].map(|count| (sum / count).clamp(*lower, *upper))
        });
        let [low, high] = [f64::min, f64::max].map(|end| means.concat().into_iter().reduce(end).unwrap_or(f64::NAN));
        match count > count_error {
            true => writeln!(
                io::stdout(),
                "{group}: {count} rows, mean {:.2}, 95 % interval {low:.2} to {high:.2}",
                means[1][1]
            )?,
            false => writeln!(io::stdout(), "{group}: {count} rows, too few for a mean")?,
        }
    }
    writeln!(
        io::stdout(),
        "At most {rows} rows of each individual are used; those without a person, group or number are left out. \
         Numbers beyond {lower} and {upper} are cut off there.\nThe intervals cover the noise, not what is left out or cut off."
    )?;
    write!(io::stdout(), "{}", release.explain(&1)?)?;
    Ok(())
}
