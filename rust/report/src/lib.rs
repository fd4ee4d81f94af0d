//! Pages for a browser: a private release, the curves of a guarantee, and the spending of an account of a ledger.
//!
//! | function | page |
//! |---|---|
//! | [`release_page`] | the table of a release with its certificate: the question, the privacy unit, the cost, and the steps |
//! | [`question_page`] | the page of a release with its question in SQL |
//! | [`curves_page`] | a [`Guarantee`] of a loss or of a plan: epsilon and delta, the trade-off curve, Renyi divergences |
//! | [`account_page`] | a [`Spending`]: the account's spending after each release, and the guarantee of all of them together |
//!
//! Each page is one HTML file, which has no script and loads nothing from a network; pictures are SVG, with their
//! numbers in tables. Pages are readable in light and dark mode, in print, and with screen readers. This crate makes no
//! privacy decision: bounds are computed by `indistinct::accounting`, and their digits are rounded in the safe
//! direction.
//!
//! ```
//! use indistinct_ledger::Loss;
//! use indistinct_report::{Guarantee, curves_page};
//! let guarantee = Guarantee::of_loss(&Loss::epsilon_delta(1.0, 1e-6)?)?;
//! let page = curves_page("The survey of 2026", "All releases that are planned.", &guarantee)?;
//! assert!(page.contains("epsilon 1, delta 0.000001") && page.len() < 300_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod account;
mod curves;
mod error;
mod guarantee;
mod html;
mod lines;
mod release;
mod words;

pub use account::{Spending, Spent, account_page};
pub use curves::{Curves, curves_page};
pub use error::{Error, Fallible};
pub use guarantee::Guarantee;
pub use html::escaped;
pub use release::{question_page, release_charts, release_page};
pub use words::{down, up};
