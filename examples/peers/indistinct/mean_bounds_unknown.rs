//! Mean spending, between bounds that are found privately.

use super::survey::read;
use indistinct::{frames::*, prelude::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("medical_spend", ColumnDomain::float())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let rows = ((survey, SymmetricIdDistance)
        >> then_rows_of_individuals::<i64, f64, _>(vec!["medical_spend"])
        >> then_bound_contributions(5))?;
    let bounds = (rows.clone() >> then_private_bounds((0, 20), 10.0, 1e-9))?;
    let (low, high) = bounds.invoke(&frame)?.ok_or("too few rows to find bounds")?;
    let sum = (rows.output_space() >> then_clamp((low, high)) >> then_sum() >> then_laplace(20.0 * high))?;
    let count = (rows.output_space() >> then_count() >> then_laplace(20.0))?;
    let both = (rows >> make_composition((sum, count))?)?;
    let (sum, count) = both.invoke(&frame)?;
    println!("{low} to {high}: {:.2}", sum / f64::from(i32::try_from(count)?));
    println!("epsilon {} and {}", bounds.map(&1)?, both.map(&1)?);
    Ok(())
}
