//! How far a count may be from the truth: within what in 95 of 100 releases.

use super::survey::read;
use indistinct::{frames::*, prelude::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("year", ColumnDomain::integer())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let count = ((survey, SymmetricIdDistance)
        >> then_rows_of_individuals::<i64, i64, _>(vec!["year"])
        >> then_bound_contributions(5)
        >> then_count()
        >> then_laplace(5.0))?;
    println!("{} +- {}, epsilon {}", count.invoke(&frame)?, discrete_laplace_accuracy(5.0, 0.05)?, count.map(&1)?);
    Ok(())
}
