//! Visits to a doctor by age: slope and intercept, one row of each individual.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([
        ("person_id", ColumnDomain::integer()),
        ("age", ColumnDomain::float()),
        ("md_visits", ColumnDomain::float()),
    ])?
    .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let (age, visits) = ((col("age"), (0.0, 65.0)), (col("md_visits"), (0.0, 40.0)));
    let query = Query::new(&survey).mean(age.0.clone(), age.1).mean(visits.0.clone(), visits.1);
    let query =
        query.variance(age.0.clone(), age.1).covariance(age, visits).weight(4.0).measurement(Budget::Epsilon(1.0))?;
    let table = query.release(&frame, 0.05)?;
    let value = |name| table.estimate(0, name).and_then(|estimate| estimate.value).ok_or("too much noise");
    let slope = value("covariance(age, md_visits)")? / value("variance(age)")?;
    let intercept = value("mean(md_visits)")? - slope * value("mean(age)")?;
    println!("{slope:.4} a year of age, {intercept:.2} at birth, {}", query.loss()?);
    Ok(())
}
