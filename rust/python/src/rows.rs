//! Private tables, and the places of their rows.

use crate::{
    cells::cell,
    csv,
    failure::{Failure, Fallible},
};
use indistinct::{
    core::Fallible as Stated,
    frames::{Cell, ColumnDomain, FrameDomain},
};
use indistinct_engine::{Directory, Native};
use indistinct_sessions::Files;
use indistinct_tables::{Arrow, FileKind, Reader};
use pyo3::{prelude::*, types::PyDict};
use std::{
    io,
    path::{self, Path, PathBuf},
};

/// The domain of a table that is declared so.
pub(crate) fn domain(columns: &Bound<'_, PyDict>, individuals: Option<&str>, or_rows: bool) -> Fallible<FrameDomain> {
    let mut stated = Vec::new();
    for (name, column) in columns.iter() {
        let (name, text): (String, String) = (name.extract()?, column.extract()?);
        let parsed: Stated<ColumnDomain> = text.parse();
        let domain = parsed.map_err(|error| Failure::question(format!("column {name:?}: {error}")))?;
        stated.push((name, domain));
    }
    let domain = FrameDomain::new(stated)?;
    Ok(match individuals {
        Some(name) if or_rows => domain.with_individuals_or_null(name)?,
        Some(name) => domain.with_individuals(name)?,
        None if or_rows => {
            return Err(Failure::question(
                "null_is_own_individual needs individuals, the name of the column of identifiers",
            ));
        }
        None => domain,
    })
}

/// A file with its options.
pub(crate) fn files(
    path: &Path,
    csv: Option<&Bound<'_, PyDict>>,
    absent: &Absent,
    domain: FrameDomain,
) -> Fallible<Files> {
    let kind = FileKind::of(path);
    if csv.is_some() && kind != FileKind::Csv {
        return Err(Failure::question("csv: the options apply only to the path of a CSV file"));
    }
    Ok(match kind {
        FileKind::Csv => Files::csv(domain, absent.declare(csv::reader(csv)?), [path])?,
        FileKind::Parquet => Files::parquet(domain, absent.declare(Arrow::new()), [path])?,
        FileKind::Arrow => Files::ipc(domain, absent.declare(Arrow::new()), [path])?,
    })
}

/// The engine that reads a file. Its temporary files are in the given folder, else beside the file, else in the
/// system's folder if nothing can be written there. A given folder is tested now, not after a charge.
pub(crate) fn engine(file: &Path, temp_dir: Option<PathBuf>) -> Fallible<Native> {
    let engine = Native::new();
    if let Some(folder) = temp_dir {
        let folder = absolute(folder)?;
        Directory::new(&folder).map_err(|error| Failure::data(format!("temp_dir: {}: {error}", folder.display())))?;
        return Ok(engine.directory(folder));
    }
    let beside = file.parent().unwrap_or(file);
    Ok(if Directory::new(beside).is_ok() { engine.directory(beside) } else { engine })
}

/// The path, for the program may go to another directory before it is used.
pub(crate) fn absolute(path: PathBuf) -> Fallible<PathBuf> {
    path::absolute(&path).map_err(|error| lost(&path, &error))
}

fn lost(path: &Path, error: &io::Error) -> Failure {
    Failure::data(format!("{}: cannot be opened: {}", path.display(), error.kind()))
}

/// The treatment of missing cells.
pub(crate) struct Absent {
    drop_null: Vec<String>,
    fill: Vec<(String, Cell)>,
}

impl Absent {
    pub(crate) fn new(drop_null: Vec<String>, fill: Option<&Bound<'_, PyDict>>) -> Fallible<Self> {
        let mut filled = Vec::new();
        for (name, value) in fill.into_iter().flat_map(|fill| fill.iter()) {
            filled.push((name.extract()?, cell("fill_null", &value)?));
        }
        Ok(Self { drop_null, fill: filled })
    }

    /// The same reader with that declared.
    pub(crate) fn declare<F>(&self, reader: Reader<F>) -> Reader<F> {
        let reader = self.drop_null.iter().fold(reader, |reader, column| reader.drop_null(column));
        self.fill.iter().fold(reader, |reader, (column, value)| reader.fill_null(column, value.clone()))
    }
}
