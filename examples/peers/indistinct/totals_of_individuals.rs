//! Mean of all that an individual spent, over all of that individual's years, up to 10,000 dollars.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("medical_spend", ColumnDomain::float())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let persons = Query::new(&survey).aggregate_per_individual([("total", PerIndividual::sum(col("medical_spend")))]);
    let query = persons.mean(col("total"), (0.0, 10_000.0)).measurement(Budget::Epsilon(1.0))?;
    println!("{}", query.release(&frame, 0.05)?);
    Ok(())
}
