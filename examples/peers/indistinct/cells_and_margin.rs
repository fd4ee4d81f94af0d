//! Person-years at each coinsurance level, and of all, each with half of the budget.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("coinsurance", ColumnDomain::integer())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let levels = KeySet::product([("coinsurance", [0, 25, 50, 95, 100])])?;
    let all = Query::new(&survey).max_rows_per_individual(5).count();
    let cells = all.clone().group_by(levels).measurement(Budget::Epsilon(0.5))?.release(&frame, 0.05)?;
    println!("{cells}\n{}", all.measurement(Budget::Epsilon(0.5))?.release(&frame, 0.05)?);
    Ok(())
}
