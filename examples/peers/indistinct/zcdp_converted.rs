//! Two Gaussian releases, of an epsilon at a delta of one in a million.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("md_visits", ColumnDomain::float())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    let query = Query::new(&survey).count().sum(col("md_visits"), (0.0, 40.0));
    let both = query.measurement(Budget::EpsilonDelta(0.5, 1e-6))?;
    println!("{}\n{}", both.release(&frame, 0.05)?, both.loss()?);
    Ok(())
}
