//! A plan of the cookbook on its data: what it costs each individual, and a release.
//!
//!     cargo run --release --bin cookbook -- quartiles

use indistinct::plans::FrameMeasurement;
use indistinct_examples::table_of;
use indistinct_sessions::Tabular;
use std::{error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "counts_by_category".into());
    let here = env!("CARGO_MANIFEST_DIR");
    let measurement = FrameMeasurement::from_toml(&fs::read_to_string(format!("{here}/cookbook/{name}.toml"))?)?;
    let (columns, _) = measurement.input_space();
    let frame = table_of(&name, &columns)?;
    println!("{}", measurement.loss(1)?);
    for row in measurement.invoke(&frame)?.tabulated().words() {
        println!("{}", row.join("  "));
    }
    Ok(())
}
