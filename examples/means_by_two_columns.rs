//! Mean days of stay by region and sex, from a CSV file with semicolons, decimal commas, dates and missing cells, with
//! epsilon-differential privacy for each patient.
//!
//!     cargo run --release --bin means_by_two_columns -- examples/data/stays.csv

use indistinct::{frames::*, prelude::*, transformations::First};
use indistinct_tables::Csv;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/data/stays.csv".into());
    let stays = FrameDomain::new([
        ("patient", ColumnDomain::text()),
        ("region", ColumnDomain::text().with_missing()),
        ("sex", ColumnDomain::text().with_missing()),
        ("admitted", ColumnDomain::date().with_missing()),
        ("days", ColumnDomain::float()),
    ])?
    .with_individuals("patient")?;
    let reader = Csv::new().delimiter(b';').decimal(',').format("admitted", "%d.%m.%Y").missing(["NA", "."]);
    let frame = reader.drop_null("patient").fill_null("days", 0.0).read(path, &stays)?;

    // A row's key is its place among the keys of the table; two rows of each patient count.
    let keys = KeySet::product([("region", ["north", "south"]), ("sex", ["f", "m"])])?;
    let rows = ((stays, SymmetricIdDistance)
        >> then_filter_rows(col("admitted").year().eq(2026))
        >> then_with_columns(vec![("key", keys.position()), ("days", col("days").clamp(0.0, 30.0))])
        >> then_rows_of_individuals::<String, (i64, f64), _, _>(vec!["key", "days"])
        >> then_bound_contributions(2))?;
    let (listed, drop) = ((0..).take(keys.len()).collect::<Vec<i64>>(), UnknownCategories::Drop);
    let sums = rows.output_space() >> then_sum_by_categories(listed.clone(), drop, L1Distance::new());
    let counts =
        (rows.output_space() >> then_pair_part(First)) >> then_count_by_categories(listed, drop, L1Distance::new());
    let both = make_composition(((sums >> then_laplace(120.0))?, (counts >> then_laplace(4.0))?))?;
    let means = (rows >> both >> group_means((0.0, 30.0))?)?;

    let shown = |cell: &Cell| if let Cell::Text(text) = cell { text.clone() } else { cell.to_string() };
    for (key, mean) in keys.keys().zip(means.invoke(&frame)?) {
        let key: Vec<String> = key.iter().map(shown).collect();
        println!("{:<12} {}", key.join(", "), mean.map_or("hidden by the noise".into(), |mean| format!("{mean:.2}")));
    }
    print!("{}", means.explain(&1)?);
    Ok(())
}
