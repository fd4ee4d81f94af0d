//! A release by a plan from a file: its loss, its steps and its hash first.
//!
//!     cargo run --release --bin from_plan -- examples/plans/stays.toml examples/data/stays.csv

use indistinct::plans::FrameMeasurement;
use indistinct_tables::Csv;
use std::{error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = std::env::args().skip(1);
    let plan = fs::read_to_string(paths.next().unwrap_or_else(|| "examples/plans/stays.toml".into()))?;
    let data = paths.next().unwrap_or_else(|| "examples/data/stays.csv".into());

    let measurement = FrameMeasurement::from_toml(&plan)?;
    let (stays, _) = measurement.input_space();
    print!("plan {}\n{}", measurement.hash()?, measurement.explain(1)?);

    let reader = Csv::new().delimiter(b';').decimal(',').format("admitted", "%d.%m.%Y").missing(["NA", "."]);
    let frame = reader.drop_null("patient").fill_null("days", 0.0).read(data, &stays)?;
    println!("{:?}", measurement.invoke(&frame)?);
    Ok(())
}
