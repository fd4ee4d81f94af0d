//! Questions about private tables, asked over months and paid from one budget that survives crashes.
//!
//! A [`Session`] has private tables, a [privacy unit](Unit), and an account of a [ledger](indistinct_ledger). A
//! question is [priced](Session::price) first: what it costs, what will remain, how exact its answer will be, and by
//! which steps. No data are opened for that. Then it is [released](Session::release), or not. A release is charged on
//! disk before data are read, and stored before it is shown, with a [`Certificate`] that others can check.
//!
//! ```
//! use indistinct::{frames::*, queries::Budget};
//! use indistinct_ledger::{Ledger, Loss};
//! use indistinct_sessions::{Session, Unit};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("survey.ledger");
//! let stays = FrameDomain::new([
//!     ("patient", ColumnDomain::integer()),
//!     ("region", ColumnDomain::text()),
//!     ("days", ColumnDomain::float().with_missing()),
//! ])?
//! .with_individuals("patient")?;
//! let rows = Frame::new([
//!     ("patient", (0..4000i64).collect::<Column>()),
//!     ("region", (0..4000).map(|row| ["north", "south"][row % 2]).collect()),
//!     ("days", (0..4000).map(|row| [2.0, 9.0][row % 2]).collect()),
//! ])?;
//!
//! let mut ledger = Ledger::create(&path, "survey 2026", &Loss::epsilon(1.0)?)?;
//! ledger.add_account("ann", "survey 2026", &Loss::epsilon(0.5)?)?;
//! let mut session = Session::new(ledger, "ann", Unit::Individuals(1))?.with_table("stays", stays, rows)?;
//!
//! let regions = KeySet::product([("region", ["north", "south"])])?;
//! let query = session.query("stays")?.group_by(regions).count().mean(col("days"), (0.0, 30.0));
//! let priced = session.price("stays", &query.measurement(Budget::Epsilon(0.25))?)?;
//! println!("{priced}");
//! let release = session.release(priced, "2026-Q3/days by region")?;
//! println!("{}", release.answer);
//!
//! assert_eq!(session.budget()?.remaining.to_string(), "epsilon 0.25");
//! release.certificate.verify(&release.released)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | the account is in | questions |
//! |---|---|
//! | epsilon | in epsilon: `Budget::Epsilon`, and plans that end in max divergence or bounded range |
//! | epsilon and delta | these; `Budget::EpsilonDelta`, and unknown keys |
//! | rho | in epsilon and in rho, by the conversion of an epsilon to a rho |
//! | Renyi divergences at one order | the same, by the curve of a rho |
//!
//! A loss distribution cannot be a budget: no theorem says that losses which are chosen in view of earlier releases
//! stay within it if their composition does.
//!
//! A table may be in memory, be read by a function ([`Source`]), or, with the feature `files`, be in CSV or Parquet
//! files of any size (`Files`), which an engine reads in memory that is bounded.
//!
//! A price belongs to one session and is used up by its release; what was not priced cannot be released:
//!
//! ```compile_fail
//! # fn twice(session: &mut indistinct_sessions::Session, priced: indistinct_sessions::PricedQuery<indistinct::queries::QueryMeasurement>) {
//! session.release(priced, "one");
//! session.release(priced, "two"); // used up
//! # }
//! ```

mod about;
mod answer;
mod certificate;
mod cost;
mod counted;
mod declaration;
mod deployment;
mod error;
#[cfg(feature = "files")]
mod files;
mod hash;
mod known;
mod measure;
mod part;
mod partition;
mod priced;
mod program;
mod question;
mod release;
mod session;
#[cfg(feature = "signatures")]
mod signature;
mod source;
mod stored;
mod unit;
mod unlike;
mod verify;

pub use about::About;
pub use answer::{Column, Item, Kind, LIMIT_COLUMN, Tabular, Tabulated};
pub use certificate::{Certificate, Entries, Spent, Statistics};
pub use cost::budget_of;
pub use counted::{limit_in_words, limits_of, rows_in_words};
pub use deployment::Product;
pub use error::{Error, Fallible};
#[cfg(feature = "files")]
pub use files::Files;
pub use priced::PricedQuery;
pub use program::Program;
pub use question::Question;
pub use release::Release;
pub use session::Session;
#[cfg(feature = "signatures")]
pub use signature::{Signed, SigningKey, VerifyingKey};
pub use source::{EveryRecord, Source};
pub use unit::Unit;
