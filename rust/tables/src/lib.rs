//! Readers of files into tables, for chains of `indistinct`: CSV, Arrow, Parquet and Arrow IPC.
//!
//! The schema is a [`FrameDomain`](indistinct::frames::FrameDomain). It is public, and stated before anyone sees the
//! data. A reader makes a [`Frame`](indistinct::frames::Frame) of that domain from every file with the declared
//! columns:
//!
//! ```
//! use indistinct::{frames::*, prelude::*};
//! use indistinct_tables::Csv;
//!
//! # let (directory, bytes) = (tempfile::tempdir()?, "patient;admitted;days\na7;23.11.2026;3,5\n;1.12.2026;30\nb1;.;\n");
//! # let path = directory.path().join("stays.csv");
//! # std::fs::write(&path, bytes)?;
//! let stays = FrameDomain::new([
//!     ("patient", ColumnDomain::text()),
//!     ("admitted", ColumnDomain::date().with_missing()),
//!     ("days", ColumnDomain::float()),
//! ])?
//! .with_individuals("patient")?;
//! let reader = Csv::new().delimiter(b';').decimal(',').format("admitted", "%d.%m.%Y").missing(["NA", "."]);
//! let frame = reader.drop_null("patient").fill_null("days", 0.0).read(path, &stays)?;
//! let total = ((stays, SymmetricIdDistance)
//!     >> then_filter_rows(col("admitted").year().eq(2026))
//!     >> then_rows_of_individuals::<String, f64, _, _>(vec!["days"])
//!     >> then_bound_contributions(2)
//!     >> then_clamp((0.0, 30.0))
//!     >> then_sum()
//!     >> then_laplace(60.0))?;
//! println!("{} days, epsilon {}", total.invoke(&frame)?, total.map(&1)?);
//! # assert_eq!(frame.rows(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | reader | reads |
//! |---|---|
//! | [`Csv`] | files and streams of text, with its [options](Csv) |
//! | [`Arrow`] | record batches; Parquet with the feature `parquet`; Arrow IPC and Feather with the feature `ipc` |
//! | `TableJob` | a plan over files of any size, for an engine (feature `engine`) |
//! | [`Csv::suggest`] | a public sample, to propose a domain |
//!
//! # Missing cells
//!
//! A cell is *missing* if it is empty, a mark of missing cells, a null, NaN, or beyond the end of its row. It is
//! *unreadable* if its content is not a value of its column: it does not parse, exceeds the type, is not in the file's
//! encoding, or lies outside the bounds or labels of the column's domain. An unreadable cell counts as missing. The
//! treatment of missing cells must be declared for each column before anything is read:
//!
//! | declared | a missing cell |
//! |---|---|
//! | [`with_missing`](indistinct::frames::ColumnDomain::with_missing), in the domain | stays missing, for steps that fill, drop or count it |
//! | [`fill_null`](Reader::fill_null) | has this value |
//! | [`drop_null`](Reader::drop_null) | its row is dropped, and is in no release |
//! | [`strict`](Reader::strict) alone | the file is refused |
//!
//! An unreadable cell becomes missing, and no message reports it, because the number of unreadable cells is private.
//! With a wrong format, a whole column is missing. A curator, who may see the data, should call
//! [`inspect`](Csv::inspect) first, or use [`strict`](Reader::strict), which refuses a file with an unreadable cell.
//! For anyone else, the number of missing cells is a statistic to be released by a measurement, and so is the number of
//! unreadable rows, which a Boolean column records ([`flag_unreadable`](Reader::flag_unreadable)).
//!
//! ```
//! use indistinct::{frames::*, prelude::*};
//! use indistinct_tables::Csv;
//!
//! let people = FrameDomain::new([("age", ColumnDomain::integer().with_missing()), ("bad", ColumnDomain::bool())])?;
//! let data = "age,city\n37,Aarau\n,Bern\nabout forty,Bern\n";
//! let frame = Csv::new().flag_unreadable("bad").from_reader(data.as_bytes(), &people)?;
//! let bad = ((people, SymmetricDistance) >> then_filter_rows(col("bad")) >> then_rows::<bool, _, _>(vec!["bad"]) >> then_count())?;
//! assert_eq!(bad.invoke(&frame)?, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Reading is stable
//!
//! Neighboring files differ in *records*, as parsed, while chains count rows. The two agree, because every row is made
//! from one record and from nothing else in the file:
//!
//! 1. Before the file is opened, its options and its domain decide how each column is read. They are public.
//! 2. The header, or the given names without a header, determine the position of each column. They are public too.
//! 3. Each cell is found in its record by its position, and becomes a value or missing by a function of its own text.
//!    The treatment of a missing cell depends only on its column. It also decides whether the row is dropped or
//!    flagged.
//! 4. Rows are in the order of their records. Batches are split after a number of records, and files between records.
//!    No chain depends on the positions of these splits.
//! 5. The success of reading, and the text of an error, do not depend on the contents of a well-formed file's records,
//!    unless the reader is [`strict`](Reader::strict). Well-formed files are defined below. A domain that declares the
//!    number of rows makes it public.
//!
//! So files that differ in d records, added, removed or replaced, lead to frames that differ in at most d rows, added,
//! removed or replaced, and the records of one individual are the rows of one individual. If rows may be dropped, a
//! replaced record may be a removed, an added or a replaced row. In this case, count rows added or removed (d replaced
//! records are at most 2 d added or removed rows).
//!
//! In CSV with several columns, a blank line is not a record. A quoted cell may continue over lines, and a line may end
//! in CR, LF or both; so cells that contain any of these must be quoted in the file, or one individual's text would
//! affect other rows. A file with a quote that is never closed is rejected, because everything after it would be one
//! cell; the error does not give the position. If a program writes texts without quoting them, the rows of its file
//! depend on each other: read it [`without_quotes`](Csv::without_quotes), so that every line is a record. In a file
//! with a single column, every line is a record, and a blank line is a record whose cell is missing. A byte order mark
//! before the header is skipped, and NUL is an ordinary character. Compressed data must be complete. In Parquet,
//! a text that is not UTF-8 is unreadable, and the other cells are read. In Arrow IPC, it makes the file unreadable.
//!
//! Parquet and Arrow IPC state a type for each column, which is public like its name. If the column's kind cannot read
//! the type, the error names both; [`Arrow`] lists the types that can be read. `Arrow::check_parquet` and
//! `Arrow::check_ipc` find such errors without reading rows.
//!
//! An error contains the path, the system's reason, the public domain and options, and names from the header, which
//! are public. If a column is not found, the names in the first line are listed only if at least two of them are
//! declared. Otherwise the first line may be a row of data, so the error gives only its number of fields, and the
//! declared name if it has one.
//!
//! # How cells are read
//!
//! Infinities are numbers, and so are numbers too large for a float. Texts are read unchanged; numbers, Booleans
//! (`true`, `false`, `1`, `0`), dates, labels and identifiers of individuals may have spaces around them. An integer
//! may be written as a decimal (`8.0`, `8.`), as programs do that store a column with missing cells as floats; `8.5`
//! and `8e0` are not integers. It is best to read an identifier as a text, unless one individual is written in several
//! ways, because an identifier that is not a number is then a name instead of missing. Fields beyond the header's are
//! ignored, except for the flag. A time with a zone is converted to UTC, and a time without one is used as written.

mod arrow;
mod blocks;
mod csv;
mod dates;
mod encoding;
mod error;
mod gather;
mod guard;
mod header;
mod inspect;
#[cfg(feature = "ipc")]
mod ipc;
#[cfg(feature = "engine")]
mod job;
#[cfg(feature = "engine")]
mod jobs;
mod kind;
#[cfg(feature = "parquet")]
mod parquet;
mod reader;
mod records;
#[cfg(feature = "engine")]
mod sample;
#[cfg(feature = "engine")]
mod store;
mod suggest;
mod text;
#[cfg(feature = "engine")]
mod told;

pub use arrow::{Arrays, Arrow};
pub use csv::{Csv, Delimited};
pub use encoding::Encoding;
pub use error::{Error, Result};
pub use guard::is_reading;
pub use inspect::{InspectedColumn, Inspection};
#[cfg(feature = "engine")]
pub use job::TableJob;
#[cfg(feature = "engine")]
pub use jobs::TableJobs;
pub use kind::FileKind;
pub use reader::Reader;
pub use suggest::{PublicSample, Suggestion};

/// Opens a file, or returns the system's reason.
fn open(path: &std::path::Path) -> Result<std::fs::File> {
    std::fs::File::open(path)
        .map_err(|error| Error::file(format!("cannot be opened: {}", error.kind())).because(&error).at(path))
}
