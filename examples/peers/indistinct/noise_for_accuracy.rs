//! A count that is within 10 of the truth in 95 of 100 releases, and what it costs.

use super::survey::read;
use indistinct::{frames::*, prelude::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("year", ColumnDomain::integer())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let count = ((survey, SymmetricIdDistance)
        >> then_rows_of_individuals::<i64, i64, _>(vec!["year"])
        >> then_bound_contributions(1)
        >> then_count()
        >> then_laplace(discrete_laplace_scale(10.0, 0.05)?))?;
    println!("{}, epsilon {}", count.invoke(&frame)?, count.map(&1)?);
    Ok(())
}
