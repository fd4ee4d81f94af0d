//! Readers of files into tables: CSV as it is, Arrow, Parquet and Arrow IPC, for chains of `indistinct`.
//!
//! The schema is a [`FrameDomain`](indistinct::frames::FrameDomain): public, and stated before the data are seen. A
//! reader makes a [`Frame`](indistinct::frames::Frame) of that domain out of every file with the right columns:
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
//! | | reads |
//! |---|---|
//! | [`Csv`] | files and streams of text, with its [options](Csv) |
//! | [`Arrow`] | record batches; Parquet with the feature `parquet`; Arrow IPC and Feather with the feature `ipc` |
//! | `TableJob` | with the feature `engine`: a plan over files of any size, for an engine |
//! | [`Csv::suggest`] | a sample that is public, for a domain to begin with |
//!
//! # What is missing
//!
//! A cell is *missing* if it is empty, a mark of missing cells, a null, NaN, or beyond the end of its row. It is
//! *unreadable* if its content is not a value of its column: it does not parse, does not fit, is not in the file's
//! encoding, or lies outside the bounds or labels of the column's domain. An unreadable cell counts as missing. The
//! treatment of missing cells must be declared for each column, or nothing is read:
//!
//! | declared | a missing cell |
//! |---|---|
//! | [`with_missing`](indistinct::frames::ColumnDomain::with_missing), in the domain | stays missing, for steps that fill, drop or count it |
//! | [`fill_null`](Reader::fill_null) | has this value |
//! | [`drop_null`](Reader::drop_null) | its row is left out: it is in no release |
//! | [`strict`](Reader::strict) alone | the file is refused |
//!
//! A cell that cannot be read becomes a missing one, and no message says so, since how many there are is private: with
//! a wrong format a whole column is missing. A curator, who may see the data, should look at [`inspect`](Csv::inspect)
//! first, or use [`strict`](Reader::strict), which refuses a file with an unreadable cell. For all others, how many
//! cells are missing is for a measurement to release, and so is how many rows could not be read: for this a column of
//! truth values is filled ([`flag_unreadable`](Reader::flag_unreadable)).
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
//! Neighbors are files that differ in *records*, as parsed; chains are about rows. Both are the same, because every row
//! is made of one record and of nothing else in the file:
//!
//! 1. Before the file is opened, its options and its domain decide how each column is read. They are public.
//! 2. The header decides where each column is. It is public, too; without one, the names that were given do.
//! 3. Each cell is found in its record, by its place, and becomes a value or none by a function of its own text. The
//!    treatment of a missing cell depends only on its column; it also decides whether the row is left out or flagged.
//! 4. Rows are in the order of their records. Batches are cut where so many have been read, and files are cut between
//!    records, which no chain depends on.
//! 5. The success of reading, and the text of an error, do not depend on the contents of a well-formed file's records,
//!    unless the reader is [`strict`](Reader::strict). Well-formed files are defined below. A domain that declares the
//!    number of rows makes it public.
//!
//! So files that differ in d records, added, removed or replaced, lead to frames that differ in at most d rows, added,
//! removed or replaced; the records of one individual are the rows of one individual. Where rows are left out, a record
//! replaced may be a row removed, added or replaced: there, count rows added or removed (d records replaced are at most
//! 2 d of them).
//!
//! In CSV of several columns a blank line is not a record. A quote opens a cell that may go on over lines, and a line
//! may end in CR, LF or both; so cells that hold any of these must be quoted in the file, or one individual's text
//! takes other rows with it. A file in which a quote is opened and never closed is rejected, because all that follows
//! would be one cell; the error does not say where. A program that writes texts without quoting them writes a file
//! whose rows depend on each other: read it [`without_quotes`](Csv::without_quotes), where every line is a record. In a
//! file of a single column every line is a record, and a blank line is one whose cell is missing. A byte order mark
//! before the header is skipped, and a NUL is a character like any other. Compressed data must be complete. In Parquet,
//! a text that is not UTF-8 is unreadable, and the other cells are read. In Arrow IPC, it makes the file unreadable.
//!
//! Parquet and Arrow IPC state a type for each column, which is public like a name. A type that the column's kind does
//! not read is an error that names both, and [`Arrow`] lists the types that are read. `Arrow::check_parquet` and
//! `Arrow::check_ipc` find such errors without reading rows.
//!
//! An error contains the path, the system's reason, the public domain and options, and the names in the header, which
//! are public: if a column is not found, they are listed if at least two of them are declared. Otherwise the first line
//! may be a row of data, so the error gives only its number of fields, and the declared name if it has one.
//!
//! # How cells are read
//!
//! Infinities are numbers, and so are numbers too large for a float. Texts are taken as they are; numbers, truth values
//! (`true`, `false`, `1`, `0`), dates, labels and identifiers of individuals may have spaces around them. A whole
//! number may be written as a decimal (`8.0`, `8.`), as it often is where a column with missing cells was kept in
//! floats before; `8.5` and `8e0` are not whole numbers. Still, an identifier is best read as a text, unless one
//! individual is written in several ways: an identifier that is not a number is then a name, not missing. Fields beyond
//! the header's are ignored, except for the flag. A time with a zone is converted to UTC, and a time without one is
//! taken as it stands.

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

/// A file to be read, or why the system does not open it.
fn open(path: &std::path::Path) -> Result<std::fs::File> {
    std::fs::File::open(path)
        .map_err(|error| Error::file(format!("cannot be opened: {}", error.kind())).because(&error).at(path))
}
