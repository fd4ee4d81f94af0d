//! Counts and mean days of stay by region and sex, from a CSV file with semicolons, decimal commas, dates and missing
//! cells, with epsilon 1 for each patient.
//!
//!     cargo run --release --bin stays -- examples/data/stays.csv

use indistinct::{frames::*, queries::*};
use indistinct_tables::Csv;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/data/stays.csv".into());
    let stays = FrameDomain::new([
        ("patient", ColumnDomain::text()),
        ("region", ColumnDomain::text().with_missing()),
        ("sex", ColumnDomain::text().with_missing()),
        ("admitted", ColumnDomain::date().with_missing()),
        ("days", ColumnDomain::float().with_missing()),
    ])?
    .with_individuals("patient")?;
    let reader = Csv::new().delimiter(b';').decimal(',').format("admitted", "%d.%m.%Y").missing(["NA", "."]);
    let frame = reader.drop_null("patient").read(path, &stays)?;

    let keys = KeySet::product([("region", ["north", "south"]), ("sex", ["f", "m"])])?;
    let of_2026 = Query::new(&stays).filter(col("admitted").year().eq(2026)).max_rows_per_individual(2);
    let query = of_2026.group_by(keys).count().mean(col("days"), (0.0, 30.0)).measurement(Budget::Epsilon(1.0))?;
    println!("{}", query.release(&frame, 0.05)?);
    print!("{}", query.measurement().explain(1)?);
    Ok(())
}
