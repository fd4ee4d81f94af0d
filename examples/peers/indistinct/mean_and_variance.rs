//! Mean and variance of doctor visits, of a number of rows that nobody knows.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("md_visits", ColumnDomain::float())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let (visits, bounds) = (col("md_visits"), (0.0, 40.0));
    let query = Query::new(&survey).max_rows_per_individual(5).mean(visits.clone(), bounds).variance(visits, bounds);
    println!("{}", query.measurement(Budget::Epsilon(1.0))?.release(&frame, 0.05)?);
    Ok(())
}
