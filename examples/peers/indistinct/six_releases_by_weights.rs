//! Epsilon 2 over six releases, by weights.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([
        ("person_id", ColumnDomain::integer()),
        ("md_visits", ColumnDomain::integer()),
        ("admissions", ColumnDomain::integer()),
        ("family_size", ColumnDomain::integer()),
        ("education", ColumnDomain::float()),
        ("mental_health", ColumnDomain::float()),
    ])?
    .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let query = Query::new(&survey)
        .sum(col("md_visits"), (0.0, 40.0))
        .sum(col("admissions"), (0.0, 4.0))
        .sum(col("family_size"), (0.0, 10.0))
        .weight(2.0)
        .sum(col("education"), (0.0, 25.0))
        .sum(col("mental_health"), (0.0, 100.0))
        .count()
        .weight(4.0);
    println!("{}", query.measurement(Budget::Epsilon(2.0))?.release(&frame, 0.05)?);
    Ok(())
}
