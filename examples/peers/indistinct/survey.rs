//! The health survey, as the programs beside read it: rows without a cell that they need are left out.

use indistinct::frames::{Frame, FrameDomain};
use indistinct_tables::{Csv, Result};

pub(crate) fn read(survey: &FrameDomain) -> Result<Frame> {
    let reader = survey.names().iter().fold(Csv::new(), |reader, name| reader.drop_null(name));
    reader.read(concat!(env!("CARGO_MANIFEST_DIR"), "/data/rand_hie.csv"), survey)
}
