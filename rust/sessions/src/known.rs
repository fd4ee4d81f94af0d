//! What a release needs to know of a table: the rows, or the state that an engine made of them.

use crate::{
    error::{Error, Fallible},
    part::{self, Part},
    session::PrivateTable,
    source::Rows,
};
#[cfg(feature = "files")]
use indistinct::plans::FrameState;
#[cfg(feature = "testing")]
use indistinct::sampling::Entropy;
use indistinct::{
    core::{Fallible as Measured, Released},
    frames::Frame,
    plans::FrameMeasurement,
};

/// What a measurement needs to know of the rows of a table, or of the parts that an account is prepaid for: nothing but
/// the draw is left to be done.
pub(crate) enum Known {
    Rows(Frame),
    /// With the name of the engine.
    #[cfg(feature = "files")]
    State(Box<FrameState>, String),
}

impl PrivateTable {
    /// Refuse what can be told without rows: files that are not there, or without the table's columns.
    pub(crate) fn check_headers(&self, table: &str) -> Fallible<()> {
        let told = |source| Error::Source { table: table.to_owned(), source };
        match &self.rows {
            Rows::Source(source) => source.check().map_err(told),
            #[cfg(feature = "files")]
            Rows::Files(files) => files.check().map_err(told),
        }
    }

    /// Read this table, of this name, for a measurement.
    pub(crate) fn known(&self, table: &str, parts: &[Part], measurement: &FrameMeasurement) -> Fallible<Known> {
        let told = |source| Error::Source { table: table.to_owned(), source };
        let rows = match &self.rows {
            Rows::Source(source) => source.rows(),
            #[cfg(feature = "files")]
            Rows::Files(files) => match files.state(parts, measurement).map_err(told)? {
                Some(state) => {
                    state.check()?;
                    return Ok(Known::State(Box::new(state), files.engine_name()));
                }
                None => files.rows(),
            },
        };
        let rows = rows.map_err(told)?;
        measurement.check_data(&rows)?;
        Ok(Known::Rows(part::rows(parts, &self.domain, rows)?))
    }
}

impl Known {
    /// What ran over the rows.
    pub(crate) fn engine(&self) -> String {
        match self {
            Known::Rows(_) => "native, in memory".into(),
            #[cfg(feature = "files")]
            Known::State(_, engine) => engine.clone(),
        }
    }

    pub(crate) fn release(self, measurement: &FrameMeasurement) -> Measured<Released> {
        match self {
            Known::Rows(rows) => measurement.invoke(&rows),
            #[cfg(feature = "files")]
            Known::State(state, _) => state.release(),
        }
    }

    #[cfg(feature = "testing")]
    pub(crate) fn release_with(self, measurement: &FrameMeasurement, entropy: &mut dyn Entropy) -> Measured<Released> {
        match self {
            Known::Rows(rows) => measurement.invoke_with(&rows, entropy),
            #[cfg(feature = "files")]
            Known::State(state, _) => state.release_with(entropy),
        }
    }
}
