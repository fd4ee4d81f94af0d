//! A count that is within 10 of the truth in 95 of 100 releases, and what it costs.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("year", ColumnDomain::integer())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let count = Query::new(&survey).count();
    let budget = count.least_budget(Budget::Epsilon, "count", 10.0, 0.05)?;
    println!("{}\n{budget}", count.measurement(budget)?.release(&frame, 0.05)?);
    Ok(())
}
