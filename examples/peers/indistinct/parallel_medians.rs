//! The median age at each of six sites, each with all of the budget.

use super::survey::read;
use indistinct::{frames::*, prelude::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([
        ("person_id", ColumnDomain::integer()),
        ("site", ColumnDomain::integer()),
        ("age", ColumnDomain::float()),
    ])?
    .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let sites = ((survey, SymmetricIdDistance)
        >> then_rows_of_individuals::<i64, (i64, f64), _>(vec!["site", "age"])
        >> then_partition_persons_by_categories((1..=6).collect(), UnknownCategories::Drop, 1))?;
    let ages = (0..14).map(|step| 5.0 * f64::from(step)).collect();
    let median = ((sites.output_domain().element().clone(), SymmetricIdDistance)
        >> then_bound_contributions(1)
        >> then_private_quantile(MaxDivergence, ages, 0.5, 1.0))?;
    let medians = (sites >> make_parallel_composition(vec![median; 6])?)?;
    println!("{:?}, epsilon {}", medians.invoke(&frame)?, medians.map(&1)?);
    Ok(())
}
