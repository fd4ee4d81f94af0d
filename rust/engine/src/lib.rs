//! Engines bring the rows of files, of any size, to what computes with them.
//!
//! An engine moves rows and bytes and computes nothing: it asks a [`Job`] for pieces of rows, has them folded into
//! states, and has the states merged. What comes back is the bytes of one state, from which who has the job releases.
//! Every decision that privacy depends on, whose rows are together and what is added up, is made in the job, whose
//! states are the same bytes however an engine cuts the rows; an engine that loses rows or takes some twice is wrong,
//! and no more private or less.
//!
//! No engine can draw: this crate does not depend on `indistinct-sampling`, nor on `indistinct`.
//!
//! | engine | |
//! |---|---|
//! | [`Native`] | all cores of this machine, temporary files where rows of individuals must be together |

mod error;
mod job;
mod native;
mod progress;
mod spill;

pub use error::{Error, Result};
pub use job::{Engine, Folding, Job, Piece};
pub use native::Native;
pub use progress::Progress;
