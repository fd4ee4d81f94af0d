//! The first insurance plan with some 500 individuals, of plans that are asked about one after another.

use super::survey::read;
use indistinct::{frames::*, prelude::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("plan", ColumnDomain::integer())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let people = (survey, SymmetricIdDistance);
    // Of an individual in 1, a count moves by 1; a threshold of 500, one answer of yes, noise of scale 2 and 4.
    let sparse = (people.clone() >> then_above_threshold((1, 1.0), Monotonicity::Unknown, 500i64, 1, (2.0, 4.0)))?;
    let asked = sparse.invoke(&frame)?;
    for plan in 1..20 {
        let persons = (people.clone()
            >> then_filter_rows(col("plan").eq(plan))
            >> then_rows_of_individuals::<i64, i64, _, _>(vec!["plan"])
            >> then_bound_contributions(1)
            >> then_count())?;
        if asked.eval(&persons)? {
            println!("plan {plan}, epsilon {}", sparse.map(&1)?);
            break;
        }
    }
    Ok(())
}
