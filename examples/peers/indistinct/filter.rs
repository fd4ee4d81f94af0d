//! How many adults, each counted once, had a stay in hospital in the second year.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([
        ("person_id", ColumnDomain::integer()),
        ("year", ColumnDomain::integer()),
        ("age", ColumnDomain::float()),
        ("admissions", ColumnDomain::integer()),
    ])?
    .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let adults = Query::new(&survey).filter("year == 2 and age >= 18.0 and admissions > 0".parse()?);
    println!("{}", adults.count().measurement(Budget::Epsilon(0.5))?.release(&frame, 0.05)?);
    Ok(())
}
