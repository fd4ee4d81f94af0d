//! Checks a measurement's or a transformation's claim against the code that runs.
//!
//! Proofs argue about mathematics; most privacy bugs sit between a right theorem and the code: a fact about the data
//! that is no longer true, a map that belongs to another algorithm, `>=` for `>`. An audit runs the code, and compares.
//!
//! | audit | of | how | verdict |
//! |---|---|---|---|
//! | [`exact`](exact::exact) | measurements | the function itself, on all bits that matter ([`tape`]): exact distributions, all pairs of inputs | proved for those inputs, except a mass that is reported |
//! | [`compare_laws`](exact::compare_laws) | measurements | distributions computed from formulas, in enclosures; [`fits`](statistical::fits) ties them to the code by draws | the same, for the formula |
//! | [`stability`](stability::stability) | transformations | all pairs of a small domain; [edits](stability::stability_by_edits) of each metric, adversarial floats, shrunk; metrics and domains computed a second time; [`non_members`] refused | proved for those pairs |
//! | [`statistical`](statistical::statistical) | measurements | draws: an event chosen on one half, counted on the other (Clopper, Pearson) | refuted, or not, at a confidence; [`empirical_lower_bounds`] is a lower bound on what is lost, without a claim; [`Draws`] may be those of any program |
//! | [`silence`] | anything | the same bits give the same release; neighbors ask for bits alike; values planted in the data are in no text | |
//!
//! [`check`] does what suits a mechanism of your own. The project's own gate, `tests/gate`, runs such an audit of every
//! constructor, and `docs/dev/audit.md` lists what it found.
//!
//! All of it but what is done with [`Draws`] runs releases on bits of its choice, none of which is private. That stands
//! behind the feature `seeds`, which is on unless it is turned off, and has no place in a program that releases.

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
