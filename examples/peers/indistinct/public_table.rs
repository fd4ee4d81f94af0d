//! Person-years by region, which a public table of sites says.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("site", ColumnDomain::integer())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let sites = [(1, "midwest"), (2, "west"), (3, "east"), (4, "east"), (5, "south"), (6, "south")];
    let regions = KeySet::product([("region", ["east", "midwest", "south", "west"])])?;
    let query = Query::new(&survey).with_column("region", col("site").replace(sites)).max_rows_per_individual(5);
    println!("{}", query.group_by(regions).count().measurement(Budget::Epsilon(1.0))?.release(&frame, 0.05)?);
    Ok(())
}
