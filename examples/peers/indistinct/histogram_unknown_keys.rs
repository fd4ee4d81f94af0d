//! How many individuals each insurance plan had, of plans that nobody lists.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let survey = FrameDomain::new([("person_id", ColumnDomain::integer()), ("plan", ColumnDomain::integer())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    println!("{}", Query::new(&survey).count_unknown_keys(["plan"], (1.0, 1e-6))?.release(&frame, 0.05)?);
    Ok(())
}
