//! Person-years at each coinsurance level, five of each individual at most.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("coinsurance", ColumnDomain::integer())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let levels = KeySet::product([("coinsurance", [0, 25, 50, 95, 100])])?;
    let query = Query::new(&survey).max_rows_per_individual(5).group_by(levels).count();
    println!("{}", query.measurement(Budget::Epsilon(1.0))?.release(&frame, 0.05)?);
    Ok(())
}
