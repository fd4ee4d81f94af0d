//! Epsilon 2 over six releases, by weights.

use super::survey::read;
use indistinct::{combinators::split, frames::*, prelude::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let bounds = [
        ("md_visits", 40.0),
        ("admissions", 4.0),
        ("family_size", 10.0),
        ("education", 25.0),
        ("mental_health", 100.0),
        ("one", 1.0),
    ];
    let survey = FrameDomain::new([
        ("person_id", ColumnDomain::integer()),
        ("md_visits", ColumnDomain::float()),
        ("admissions", ColumnDomain::float()),
        ("family_size", ColumnDomain::float()),
        ("education", ColumnDomain::float()),
        ("mental_health", ColumnDomain::float()),
    ])?
    .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let data = ((survey.clone(), SymmetricIdDistance) >> then_privacy_filter(MaxDivergence, 1, 2.0))?.invoke(&frame)?;
    let people = ((survey, SymmetricIdDistance) >> then_with_columns(vec![("one", lit(1.0))]))?;
    for ((column, upper), epsilon) in bounds.into_iter().zip(split(2.0, &[1.0, 1.0, 2.0, 1.0, 1.0, 4.0])?) {
        let total = |scale| {
            people.clone()
                >> then_rows_of_individuals::<i64, f64, _>(vec![column])
                >> then_bound_contributions(1)
                >> then_clamp((0.0, upper))
                >> then_sum()
                >> then_laplace(scale)
        };
        println!("{column}: {:.0}", data.eval(&total(smallest_scale(total, &1, &epsilon)?)?)?);
    }
    Ok(())
}
