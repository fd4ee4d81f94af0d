//! The quartiles of ages, one row of each individual, from counts of every fifth year.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("age", ColumnDomain::float())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let edges = (0..=13).map(|step| 5.0 * f64::from(step)).collect();
    let query = Query::new(&survey).quantiles(col("age"), edges, &[0.25, 0.5, 0.75]);
    println!("{}", query.measurement(Budget::Epsilon(2.0))?.release(&frame, 0.05)?);
    Ok(())
}
