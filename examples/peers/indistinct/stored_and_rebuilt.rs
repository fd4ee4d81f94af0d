//! A measurement as text, and a release of what was read back.

use super::survey::read;
use indistinct::{frames::*, plans::FrameMeasurement, prelude::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("age", ColumnDomain::float())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let adults = ((survey, SymmetricIdDistance)
        >> then_filter_rows(col("age").ge(18.0))
        >> then_rows_of_individuals::<i64, f64, _>(vec!["age"])
        >> then_bound_contributions(1)
        >> then_count()
        >> then_laplace(1.0))?;
    let stored = FrameMeasurement::from_plan(adults.plan())?.to_json()?;
    let rebuilt = FrameMeasurement::from_json(&stored)?;
    println!("{stored}\n{}\n{:?}", rebuilt.loss(1)?, rebuilt.invoke(&frame)?);
    Ok(())
}
