//! Checks a measurement's or a transformation's claim against the code that runs.
//!
//! Proofs are about mathematics. Most privacy bugs lie between a correct theorem and the code: an assumption about the
//! data that is no longer true, a map that belongs to another algorithm, or `>=` instead of `>`. An audit runs the code
//! and compares the results with the claim.
//!
//! | audit | object | method | verdict |
//! |---|---|---|---|
//! | [`exact`](exact::exact) | measurements | runs the function itself on all bits that matter ([`tape`]), and compares exact distributions for all pairs of inputs | proved for those inputs, except for a mass that is reported |
//! | [`compare_laws`](exact::compare_laws) | measurements | compares distributions that are computed from formulas, in enclosures; [`fits`](statistical::fits) compares the formulas with draws of the code | the same, for the formula |
//! | [`stability`](stability::stability) | transformations | compares all pairs of a small domain, or [edits](stability::stability_by_edits) of each metric with adversarial floats, which are shrunk; computes metrics and domains a second time; checks that [`non_members`] are refused | proved for those pairs |
//! | [`statistical`](statistical::statistical) | measurements | chooses an event on one half of the draws and counts it on the other (Clopper, Pearson) | refuted or not, with a stated confidence. [`empirical_lower_bounds`] is a lower bound on the loss and needs no claim; [`Draws`] may come from any program |
//! | [`silence`] | anything | checks that the same bits give the same release, that neighbors request bits in the same way, and that no text contains values that were planted in the data | |
//!
//! For your own mechanism, [`check`] performs all suitable checks. The project's own gate, `tests/gate`,
//! performs such an audit of every constructor, and `docs/dev/audit.md` lists the findings.
//!
//! Except for the functions on [`Draws`], the audit runs releases on bits that it chooses, and none of these bits is
//! private. Running releases requires the feature `seeds`, which is on by default. Turn it off in a program that makes
//! releases.

#[cfg(feature = "seeds")]
mod check;
#[cfg(feature = "seeds")]
pub mod claim;
mod confidence;
mod counts;
#[cfg(feature = "seeds")]
pub mod distances;
mod draws;
#[cfg(feature = "seeds")]
pub mod edits;
mod events;
#[cfg(feature = "seeds")]
pub mod exact;
#[cfg(feature = "frames")]
pub mod frames;
#[cfg(feature = "seeds")]
mod groups;
pub mod key;
pub mod law;
pub mod mass;
#[cfg(feature = "seeds")]
pub mod members;
#[cfg(feature = "seeds")]
pub mod metric;
#[cfg(feature = "seeds")]
pub mod neighbors;
#[cfg(feature = "seeds")]
pub mod non_members;
#[cfg(feature = "frames")]
pub mod plans;
#[cfg(feature = "seeds")]
pub mod report;
#[cfg(feature = "seeds")]
pub mod silence;
#[cfg(feature = "seeds")]
pub mod stability;
#[cfg(feature = "seeds")]
pub mod statistical;
#[cfg(feature = "seeds")]
pub mod tape;
#[cfg(feature = "seeds")]
pub mod values;
mod views;

#[cfg(feature = "seeds")]
pub use check::check;
#[cfg(feature = "seeds")]
pub use claim::{Claim, Claims};
pub use confidence::clopper_pearson;
pub use counts::{Counts, View};
pub use draws::{Draws, EmpiricalLowerBounds};
pub use key::{Key, Seen};
pub use law::Law;
#[cfg(feature = "seeds")]
pub use metric::Measured;
#[cfg(feature = "seeds")]
pub use report::{Report, Verdict};
#[cfg(feature = "seeds")]
pub use statistical::empirical_lower_bounds;
pub use views::{cells, last_digits};
