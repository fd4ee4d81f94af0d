//! The input of a release: a table's rows, or the state that an engine computed from them.

use crate::{
    error::{Error, Fallible},
    part::{self, Part},
    session::PrivateTable,
    source::Rows,
    unlike::difference,
};
#[cfg(feature = "files")]
use indistinct::plans::FrameState;
#[cfg(feature = "testing")]
use indistinct::sampling::Entropy;
use indistinct::{
    core::{Fallible as Measured, Released},
    frames::{Frame, FrameDomain},
    plans::FrameMeasurement,
};

/// The state of a measurement over the rows of a table, or over the parts for which an account is prepaid. Only the
/// draw remains.
pub(crate) enum Known {
    Rows(Frame),
    /// A state, with the name of the engine.
    #[cfg(feature = "files")]
    State(Box<FrameState>, String),
}

impl PrivateTable {
    /// Returns the reason that a question about tables of this domain cannot be asked about this table, or about these
    /// parts of it.
    ///
    /// The question may use some of the columns, in any order. The set of rows must not depend on that choice, so the
    /// question must include the columns that decide it.
    pub(crate) fn difference(&self, asked: &FrameDomain, parts: &[Part]) -> Option<String> {
        let needed = self.rows.needed_columns().into_iter();
        let deciding = needed.chain(parts.iter().map(|part| part.column.as_str()));
        let missing = |name: &&str| !asked.names().iter().any(|asked| asked == name);
        difference(asked, &self.domain).or_else(|| {
            let name = deciding.into_iter().find(missing)?;
            Some(format!("column {name:?} decides which rows are kept, so the question must include it"))
        })
    }

    /// Checks, without reading rows, that the files exist and have the columns of this domain.
    #[cfg_attr(not(feature = "files"), allow(unused_variables))]
    pub(crate) fn check_headers(&self, table: &str, asked: &FrameDomain) -> Fallible<()> {
        let told = |source| Error::Source { table: table.to_owned(), source, charged_as: None };
        match &self.rows {
            Rows::Source(source) => source.check().map_err(told),
            #[cfg(feature = "files")]
            Rows::Files(files) => files.check_columns(asked).map_err(told),
        }
    }

    /// Reads this table for a measurement.
    ///
    /// The release has been charged, and may be retried for free with another question, so an error must be the same
    /// for all questions. Therefore rows of a source are checked in all columns of the table, including those that the
    /// question does not use.
    pub(crate) fn known(&self, table: &str, parts: &[Part], measurement: &FrameMeasurement) -> Fallible<Known> {
        let told = |source| Error::Source { table: table.to_owned(), source, charged_as: None };
        let (asked, _) = measurement.input_space();
        let rows = match &self.rows {
            Rows::Source(source) => {
                let rows = select(source.rows().map_err(told)?, self.domain.names())?;
                self.domain.check_data(&rows)?;
                select(rows, asked.names())?
            }
            #[cfg(feature = "files")]
            Rows::Files(files) => match files.state(parts, measurement).map_err(told)? {
                Some(state) => {
                    state.check()?;
                    return Ok(Known::State(Box::new(state), files.engine_name()));
                }
                None => files.rows(&asked).map_err(told)?,
            },
        };
        measurement.check_data(&rows)?;
        Ok(Known::Rows(part::rows(parts, &asked, rows)?))
    }
}

/// Returns the columns with these names, in this order, of the same rows. A batch without one of them is unchanged, and
/// is then found to be outside the domain.
fn select(rows: Frame, names: &[String]) -> Fallible<Frame> {
    let mut selected = Vec::new();
    for batch in rows.iter() {
        let column = |name: &String| batch.names().iter().position(|found| found == name);
        let places: Option<Vec<usize>> = names.iter().map(column).collect();
        let columns = places.filter(|_| batch.names()[..] != *names).map(|places| {
            let columns = places.into_iter().filter_map(|place| batch.columns().get(place).cloned());
            names.iter().cloned().zip(columns).collect::<Vec<_>>()
        });
        match columns {
            Some(columns) => selected.extend(Frame::new(columns)?.iter().cloned()),
            None => selected.push(batch.clone()),
        }
    }
    Ok(selected.into())
}

impl Known {
    /// Returns the engine that processed the rows.
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
