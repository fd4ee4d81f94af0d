//! How many individuals each site and insurance plan had, of pairs that nobody lists.

use super::survey::read;
use indistinct::{frames::*, queries::*};
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let integer = ColumnDomain::integer;
    let survey = FrameDomain::new([("person_id", integer()), ("site", integer()), ("plan", integer())])?
        .with_individuals("person_id")?;
    let frame = read(&survey)?;
    println!("{}", Query::new(&survey).count_unknown_keys(["site", "plan"], (1.0, 1e-6))?.release(&frame, 0.05)?);
    Ok(())
}
