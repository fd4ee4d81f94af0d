//! Checks a measurement's or a transformation's claim against the code that runs.
//!
//! Proofs argue about mathematics; most privacy bugs sit between a right theorem and the code: a fact about the data
//! that is no longer true, a map that belongs to another algorithm, `>=` for `>`. An audit runs the code, and compares.
//!
//! | audit | of | how | verdict |
//! |---|---|---|---|
//! | [`exact`](exact::exact) | measurements | the function itself, on all bits that matter ([`tape`]): exact distributions, all pairs of inputs | proved for those inputs, but for a mass that is reported |
//! | [`compare_laws`](exact::compare_laws) | measurements | distributions computed from formulas, in enclosures; [`fits`](statistical::fits) ties them to the code by draws | the same, for the formula |
//! | [`stability`](stability::stability) | transformations | all pairs of a small domain; [edits](stability::stability_by_edits) of each metric, adversarial floats, shrunk; metrics and domains computed a second time; [`non_members`] refused | proved for those pairs |
//! | [`statistical`](statistical::statistical) | measurements | draws: an event chosen on one half, counted on the other (Clopper, Pearson) | refuted, or not, at a confidence; [`least_losses`] is a lower bound on what is lost, without a claim |
//! | [`silence`] | anything | the same bits give the same release; neighbors ask for bits alike; values planted in the data are in no text | |
//!
//! [`check`] does what suits a mechanism of your own. The project's own gate, `tests/gate`, runs such an audit of every
//! constructor, and `docs/AUDIT.md` lists what it found.
//!
//! Everything here runs releases on bits that it chooses: none of them is private.

mod check;
pub mod claim;
mod counts;
pub mod distances;
pub mod edits;
pub mod exact;
#[cfg(feature = "frames")]
pub mod frames;
mod groups;
pub mod key;
pub mod law;
mod least;
pub mod mass;
pub mod members;
pub mod metric;
pub mod neighbors;
pub mod non_members;
pub mod report;
pub mod silence;
pub mod stability;
pub mod statistical;
pub mod tape;
pub mod values;
mod views;

pub use check::check;
pub use claim::{Claim, Claims};
pub use key::{Key, Seen};
pub use law::Law;
pub use least::{LeastLosses, least_losses};
pub use metric::Measured;
pub use report::{Report, Verdict};
pub use views::{cells, last_digits};
