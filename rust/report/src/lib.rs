//! Pages for a browser: a private release, the curves of a guarantee, and what an account of a ledger has spent.
//!
//! | page | of |
//! |---|---|
//! | [`release_page`] | the table of a release with its certificate: what was asked, of whom, what it cost, how it was made |
//! | [`question_page`] | the same with the question in SQL |
//! | [`curves_page`] | a [`Guarantee`], of a loss or of a plan: epsilon and delta, the tradeoff curve, Renyi divergences |
//! | [`account_page`] | a [`Spending`]: the account's spending after each release, and the guarantee of all of them
//! together |
//!
//! Each is one HTML file without a script, which loads nothing from a network: pictures are SVG with the numbers in
//! tables beside them. It is read in light and dark, in print, and by screen readers. Nothing of privacy is decided
//! here: bounds are those of `indistinct::accounting`, and are shown with digits that are rounded towards safety.
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
