//! Mean visits by sex and coinsurance level, the keys listed.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([
        ("person_id", ColumnDomain::integer()),
        ("female", ColumnDomain::integer()),
        ("coinsurance", ColumnDomain::integer()),
        ("md_visits", ColumnDomain::float()),
    ])?
    .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let keys = KeySet::product([("female", vec![0, 1]), ("coinsurance", vec![0, 25, 50, 95, 100])])?;
    let query = Query::new(&survey).max_rows_per_individual(3).group_by(keys).mean(col("md_visits"), (0.0, 40.0));
    println!("{}", query.measurement(Budget::Epsilon(1.0))?.release(&frame, 0.05)?);
    Ok(())
}
