//! How far a count may be from the truth: within what in 95 of 100 releases.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("year", ColumnDomain::integer())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let count = Query::new(&survey).max_rows_per_individual(5).count().measurement(Budget::Epsilon(1.0))?;
    println!("{}\n{:?}, {}", count.release(&frame, 0.05)?, count.accuracy(0.05)?, count.loss()?);
    Ok(())
}
