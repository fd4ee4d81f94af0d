//! Mean and variance of doctor visits, of a number of rows that nobody knows.

use super::survey::read;
use indistinct::{frames::*, prelude::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("md_visits", ColumnDomain::float())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let visits = col("md_visits").clamp(0.0, 40.0);
    let columns = vec![("one", lit(1.0)), ("visits", visits.clone()), ("squares", (visits.clone() * visits).fill(0.0))];
    let people = ((survey, SymmetricIdDistance) >> then_with_columns(columns))?;
    let total = |column: &'static str, upper: f64| {
        people.clone()
            >> then_rows_of_individuals::<i64, f64, _>(vec![column])
            >> then_bound_contributions(5)
            >> then_clamp((0.0, upper))
            >> then_sum()
            >> then_laplace(15.0 * upper)
    };
    let all = make_composition((total("one", 1.0)?, total("visits", 40.0)?, total("squares", 1600.0)?))?;
    let (rows, sum, squares) = all.invoke(&frame)?;
    println!("{:.2} {:.2}, epsilon {}", sum / rows, squares / rows - (sum / rows).powi(2), all.map(&1)?);
    Ok(())
}
