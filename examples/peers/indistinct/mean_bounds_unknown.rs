//! Mean spending, between bounds that are found privately.

use super::survey::read;
use indistinct::{frames::*, prelude::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("medical_spend", ColumnDomain::float())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let bounds = ((survey.clone(), SymmetricIdDistance)
        >> then_rows_of_individuals::<i64, f64, _, _>(vec!["medical_spend"])
        >> then_bound_contributions(5)
        >> then_private_bounds((0, 20), 10.0, 1e-9))?;
    let found = bounds.invoke(&frame)?.ok_or("too few rows to find bounds")?;
    let mean = Query::new(&survey).max_rows_per_individual(5).mean(col("medical_spend"), found);
    let mean = mean.measurement(Budget::Epsilon(0.5))?;
    println!("{found:?}\n{}\nepsilon {} and {}", mean.release(&frame, 0.05)?, bounds.map(&1)?, mean.loss()?);
    Ok(())
}
