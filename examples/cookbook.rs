//! A plan of the cookbook on the survey: what it costs each person, and a release.
//!
//!     cargo run --release --bin cookbook -- quartiles

use indistinct::plans::FrameMeasurement;
use indistinct_tables::Csv;
use std::{error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "counts_by_category".into());
    let here = env!("CARGO_MANIFEST_DIR");
    let measurement = FrameMeasurement::from_toml(&fs::read_to_string(format!("{here}/cookbook/{name}.toml"))?)?;
    let (survey, _) = measurement.input_space();
    // Rows without a cell that the plan needs are left out.
    let reader = survey.names().iter().fold(Csv::new(), |reader, name| reader.drop_rows_without(name));
    let frame = reader.read(format!("{here}/data/rand_hie.csv"), &survey)?;
    println!("{}\n{:?}", measurement.loss(1)?, measurement.invoke(&frame)?);
    Ok(())
}
