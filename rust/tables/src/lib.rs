//! Tables of named, typed columns, for chains of `indistinct`: read from CSV and Parquet, kept in Arrow arrays.
//!
//! A [`Schema`] is public: it names the columns, their types, and what a missing cell becomes. A [`Frame`] holds the
//! data. Nothing in a frame's shape but its number of rows, and no error, depends on what the cells say.
//!
//! ```
//! use indistinct::prelude::*;
//! use indistinct_tables::{Frame, Missing, Schema};
//!
//! let schema = Schema::new().column("person", Missing::Is(-1i64))?.column("visits", Missing::Is(0.0))?;
//! let frame = Frame::from_csv("person,visits\n7,3\n7,\n8,12.5\n".as_bytes(), &schema)?;
//!
//! // A column is a slice: nothing is copied.
//! let space = (schema.rows::<f64>("visits")?, SymmetricDistance);
//! let sum = (space >> then_clamp((0.0, 10.0)) >> then_sum())?;
//! assert_eq!(sum.invoke(frame.slice::<f64>("visits")?)?.to_f64(), 13.0);
//!
//! // Rows of several columns come in chunks.
//! let keyed = (schema.rows::<(i64, f64)>(("person", "visits"))?, SymmetricDistance);
//! let sums = (keyed >> then_clamp((0.0, 10.0)) >> then_sum_by(L01InfDistance))?;
//! let mut all = sums.aggregate()?;
//! for rows in frame.chunks::<(i64, f64)>(("person", "visits"), 4096)? {
//!     all = all.absorb(&rows)?;
//! }
//! assert_eq!(all.finish()?[&8].to_f64(), 10.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is missing
//!
//! There is one kind of missing cell. A cell is missing if it is null (Parquet, Arrow), empty, or not of the column's
//! type (CSV: what does not parse, does not fit, or is not UTF-8), if its row is too short (CSV), or if it is NaN. What
//! it becomes is declared with the column:
//!
//! | declared | f64 | i64, bool, String |
//! |---|---|---|
//! | [`Missing::Is`]`(value)` | the value; the column's domain has no NaN | the value |
//! | [`Missing::Stays`] | NaN; the column's domain lets NaN in | null, read as `Option` |
//!
//! Rows are *records as parsed*: neighbors are files that differ in records. In CSV a blank line is no record, a quote
//! opens a field that may go on over lines, and a line may end in CR, LF or both; so cells that hold any of these must
//! be quoted in the file, or one individual's text takes other rows with it. A file in which a quote is opened and
//! never closed is refused, for all that follows would be one cell; the error does not say where. A byte order mark
//! before the header is skipped, a NUL is a character as any other. A CSV file of a single column is refused, since a
//! missing cell would be a blank line. In Parquet, texts must be UTF-8, as the format asks: a file in which one is not
//! is refused as a whole.
//!
//! Columns read as `Option` have an `OptionDomain`, whose nulls a chain fills, drops or counts:
//!
//! ```
//! use indistinct::prelude::*;
//! use indistinct_tables::{Frame, Missing, Schema};
//!
//! let schema = Schema::new().column("person", Missing::Is(-1i64))?.column::<String>("city", Missing::Stays)?;
//! let frame = Frame::from_csv("person,city\n7,Aarau\n8,\n9,Bern\n".as_bytes(), &schema)?;
//! let space = (schema.rows::<Option<String>>("city")?, SymmetricDistance);
//! let cities = vec!["Aarau".to_owned(), "Bern".to_owned()];
//! let counts = (space >> then_drop_null() >> then_count_by_categories(cities, UnknownCategories::Drop, L1Distance::new()))?;
//! assert_eq!(counts.invoke(&frame.rows::<Option<String>>("city")?)?, [1, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! So reading is total: no row of a well-formed file decides whether there is a frame. In an error are the path, why
//! the system does not open it, the public schema, and the names in the header, which are public: where a column is not
//! found, they are listed if one of them is a declared one. Else the first line may be a row, of which only the number
//! of fields is named. How many cells are missing is for a measurement to release. Rows whose *identifier* is missing
//! would all become those of one individual, who differs (distance 2) when a single one of them leaves: let such cells
//! stay, and leave the rows out before the chain begins. No step does it, for under
//! [`SymmetricIdDistance`](indistinct::metrics::SymmetricIdDistance) a chain begins with rows whose individual is
//! known. Whether a row is left out must depend on that row alone; then individuals who differ before are those who
//! differ after, and rows without an identifier are in no release:
//!
//! ```
//! use indistinct::prelude::*;
//! use indistinct_tables::{Frame, Missing, Schema};
//!
//! let schema = Schema::new().column::<String>("patient", Missing::Stays)?.column("days", Missing::Is(0.0))?;
//! let frame = Frame::from_csv("patient,days\na7,3\n,30\n,30\nb1,12.5\n".as_bytes(), &schema)?;
//! let stays = frame.rows::<(Option<String>, f64)>(("patient", "days"))?;
//! let stays: Vec<(String, f64)> = stays.into_iter().filter_map(|(patient, days)| Some((patient?, days))).collect();
//! let people = VectorDomain::new(PairDomain::new(AtomDomain::string(), AtomDomain::f64()));
//! let people = (people, SymmetricIdDistance);
//! let total = (people >> then_bound_contributions(2) >> then_clamp((0.0, 30.0)) >> then_sum())?;
//! assert_eq!((total.invoke(&stays)?.to_f64(), total.map(&1)?), (15.5, 60.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Fields beyond the header's are ignored. Infinities are numbers. Texts are taken as they are; numbers and truth
//! values (`true`, `false`, `1`, `0`) may have spaces around them. A whole number may be written as a decimal (`8.0`,
//! `8.`), as it often is where a column with missing cells was kept in floats before; `8.5` and `8e0` are none. Still,
//! an identifier is best read as a `String`, unless one individual is written in several ways: one that is no number is
//! then a name, not missing.

mod cell;
mod csv;
mod error;
mod frame;
mod missing;
mod parquet;
mod read;
mod row;
mod schema;

pub use cell::Cell;
pub use error::{Error, Result};
pub use frame::Frame;
pub use missing::Missing;
pub use row::{DomainRow, Row, SliceCell};
pub use schema::Schema;
