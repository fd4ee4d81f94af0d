//! A durable ledger of privacy budgets.
//!
//! A ledger is one SQLite file, shared by the processes of one machine. With the feature `postgres`, it can be a schema
//! on a PostgreSQL server, shared by several machines. It contains a tree of accounts, each with a budget (a data set,
//! its teams, their analysts). A charge applies to an account and all accounts above it. A release has three commits:
//! it is *charged* before data are read, *drawn* before the first random bit, and *released*, with its bytes stored,
//! before anyone sees it. Each key of an account has at most one release:
//!
//! | state of the key | same plan and loss | another plan or loss |
//! |---|---|---|
//! | unknown | charged now | charged now |
//! | charged, for example after a crash before the noise | resumed without a second charge | refused |
//! | drawn, for example after a crash with the noise | lost: needs a new key and a new charge | refused |
//! | released | returns the stored bytes at no cost | refused |
//!
//! Nothing is ever refunded: an attacker who can make a release fail would learn from it for free.
//!
//! ```
//! use indistinct_ledger::{Charge, Ledger, Loss};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("survey.ledger");
//! let mut ledger = Ledger::create(&path, "survey", &Loss::epsilon(1.0)?)?;
//! ledger.add_account("ann", "survey", &Loss::epsilon(0.5)?)?;
//! match ledger.charge("ann", "2026-Q3/visits", "hash of the plan", &Loss::epsilon(0.25)?)? {
//!     Charge::Charged(charged) => {
//!         // … compute what the noise is added to …
//!         let drawn = charged.draw()?;
//!         // … draw the noise …
//!         drawn.release(b"about 36 visits")?;
//!     }
//!     Charge::Released(bytes) => println!("{bytes:?} once more"),
//! }
//! assert_eq!(ledger.budget("survey")?.remaining.to_string(), "epsilon 0.75");
//! assert!(ledger.charge("ann", "all", "another", &Loss::epsilon(0.5)?).is_err());
//! assert_eq!(ledger.verify(None)?.entries, 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How accounts add up
//!
//! Amounts are exact decimals ([`Amount`]), so ten charges of 0.1 fit a budget of 1.
//!
//! | a charge to an account | is charged to |
//! |---|---|
//! | at the top | this account |
//! | below another one ([`Ledger::add_account`]) | this account and each account above it; the budgets below may sum to more than the budget above, and the smallest remaining budget on the way to the top is the limit |
//! | for a part ([`Ledger::open_partition`]) | the part alone; the budget of one part was charged to the account above when the parts were opened, once for all of them |
//!
//! The remaining budget of an account is its budget minus its charges. [`Ledger::rest`] is the smallest remaining
//! budget among the account and the accounts above that also pay: exactly the amount that can still be spent.
//!
//! ```
//! use indistinct_ledger::{Ledger, Loss};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("survey.ledger");
//! let mut ledger = Ledger::create(&path, "survey", &Loss::epsilon(1.0)?)?;
//! ledger.add_account("ann", "survey", &Loss::epsilon(0.9)?)?;
//! for name in ["visits", "days"] {
//!     let _ = ledger.charge("ann", name, "hash of the plan", &Loss::epsilon(0.1)?)?;
//! }
//! let parts = ["north", "south"].map(|name| (name.to_owned(), format!("region = {name}")));
//! ledger.open_partition("survey", &Loss::epsilon(0.3)?, &parts.into())?;
//! let _ = ledger.charge("north", "visits", "hash of the plan", &Loss::epsilon(0.2)?)?;
//! let mut lines = Vec::new();
//! for name in ["survey", "ann", "north", "south"] {
//!     let budget = ledger.budget(name)?;
//!     lines.push(format!("{name}: {} of {}, {} remains", budget.spent, budget.total, budget.remaining));
//! }
//! lines.push(format!("ann can spend {}", ledger.rest("ann")?));
//! println!("{}", lines.join("\n"));
//! # let printed = [
//! #     "survey: epsilon 0.5 of epsilon 1, epsilon 0.5 remains",
//! #     "ann: epsilon 0.2 of epsilon 0.9, epsilon 0.7 remains",
//! #     "north: epsilon 0.2 of epsilon 0.3, epsilon 0.1 remains",
//! #     "south: epsilon 0 of epsilon 0.3, epsilon 0.3 remains",
//! #     "ann can spend epsilon 0.5",
//! # ];
//! # assert_eq!(lines, printed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//! survey: epsilon 0.5 of epsilon 1, epsilon 0.5 remains
//! ann: epsilon 0.2 of epsilon 0.9, epsilon 0.7 remains
//! north: epsilon 0.2 of epsilon 0.3, epsilon 0.1 remains
//! south: epsilon 0 of epsilon 0.3, epsilon 0.3 remains
//! ann can spend epsilon 0.5
//! ```
//!
//! # Where it is
//!
//! Every commit is on the disk, in the ledger's own file, before a function returns (SQLite's rollback journal, with
//! `synchronous = EXTRA`). No rule depends on a clock, and no time is stored. A ledger is refused on the network file
//! systems that Linux names, in a forked child, and if its file belongs to another program or version.
//!
//! # Moving, copying and linking
//!
//! | action or event | result |
//! |---|---|
//! | rename or move the file while no program uses it | allowed; it is verified when it is next opened |
//! | rename, replace or delete it while a program has it open | that program gets [`Error::Misplaced`] from then on; its earlier charges are in the file |
//! | a program was killed, and there is a `-journal` beside the file | the journal belongs to the file: move both, or open the ledger once, which undoes the interrupted commit and deletes the journal; never delete it |
//! | a second name (hard link) | refused until only one name is left; symbolic links are allowed |
//! | copy it | use [`Ledger::backup`], also while programs charge; any other copy is a second ledger with its own budget, and incomplete if it was made during a commit, which is detected when it is opened |
//!
//! The ledger cannot detect that its whole file was replaced by an earlier version. Keep the [`Head`] that
//! [`Ledger::verify`] returns in another place, and pass it to the next verification.

mod accounts;
mod amount;
mod backup;
mod begin;
mod books;
mod chain;
mod charge;
mod checkpoint;
#[cfg(feature = "postgres")]
mod connect;
mod error;
mod groups;
mod history;
mod journal;
mod ledger;
mod loss;
mod partition;
mod place;
mod recorded;
mod requests;
#[cfg(feature = "postgres")]
mod server;
mod sqlite;
mod states;
mod store;
mod verify;

pub use accounts::Budget;
pub use amount::Amount;
pub use chain::Head;
pub use charge::{Charge, Charged, Drawn};
pub use checkpoint::Checkpoint;
pub use error::{Error, Fallible};
pub use groups::{ChargedAll, DrawnAll, Part};
pub use history::{Entry, Kind};
pub use ledger::Ledger;
pub use loss::{Loss, Measure, Order};
pub use requests::{Receipt, Recorded, Request};
