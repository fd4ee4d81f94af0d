//! The median age at each of six sites, each with all of the budget.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([
        ("person_id", ColumnDomain::integer()),
        ("site", ColumnDomain::integer()),
        ("age", ColumnDomain::float()),
    ])?
    .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let edges = (0..=13).map(|step| 5.0 * f64::from(step)).collect();
    let query = Query::new(&survey).group_by(KeySet::product([("site", 1..=6)])?).quantiles(col("age"), edges, &[0.5]);
    println!("{}", query.measurement(Budget::Epsilon(1.0))?.release(&frame, 0.05)?);
    Ok(())
}
