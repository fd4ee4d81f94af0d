//! A query as text, and a release of what was read back.

use super::survey::read;
use indistinct::{frames::*, plans::FrameMeasurement, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("age", ColumnDomain::float())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let adults = Query::new(&survey).filter(col("age").ge(18.0)).count().measurement(Budget::Epsilon(1.0))?;
    let stored = adults.measurement().to_json()?;
    let rebuilt = FrameMeasurement::from_json(&stored)?;
    println!("{stored}\n{}\n{:?}", rebuilt.loss(1)?, rebuilt.invoke(&frame)?);
    Ok(())
}
