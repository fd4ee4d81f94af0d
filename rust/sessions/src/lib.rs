//! Questions about private tables, asked over months and charged to one budget that survives crashes.
//!
//! A [`Session`] has private tables, a [privacy unit](Unit), and an account of a [ledger](indistinct_ledger). A
//! question is [priced](Session::price) first: its cost, the budget that remains, the accuracy of its answer, and its
//! steps. This reads no data. Then you may [release](Session::release) it. A release is charged on disk before data are
//! read, and stored before it is shown, with a [`Certificate`] that others can check.
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
//! | account measure | questions |
//! |---|---|
//! | epsilon | in epsilon: `Budget::Epsilon`, and plans that end in max divergence or bounded range |
//! | epsilon and delta | as for epsilon, and `Budget::EpsilonDelta` and unknown keys (partition selection) |
//! | rho | in epsilon and in rho, with an epsilon converted to a rho |
//! | Renyi divergences at one order | as for rho, with a rho converted to a curve |
//!
//! A privacy loss distribution cannot be a budget: no theorem says that losses chosen after seeing earlier releases
//! stay within it, even if their composition does.
//!
//! A table may be in memory, or be read by a function ([`Source`]). With the feature `files`, it may be in CSV or
//! Parquet files of any size (`Files`), which an engine reads in bounded memory.
//!
//! A price belongs to one session, and its release consumes it. A question without a price cannot be released:
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
mod request;
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
