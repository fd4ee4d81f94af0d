//! Engines, which pass the rows of files of any size to the code that computes on them.
//!
//! An engine moves rows and bytes and computes nothing. It asks a [`Job`] for pieces of rows, has them absorbed into
//! states, and has the states merged. It returns the bytes of one state, from which the job's owner makes the release.
//! The job decides which rows belong together and what is added up, and its state has the same bytes however an engine
//! splits the rows. An engine is trusted only to pass on each row once. A row that it passes on twice counts twice, and
//! may lose more than the map states.
//!
//! No engine can draw noise: this crate depends neither on `indistinct-sampling` nor on `indistinct`.
//!
//! | engine | |
//! |---|---|
//! | [`Native`] | all cores of this machine; temporary files if rows of individuals must be together |

mod directory;
mod error;
mod files;
mod job;
mod native;
mod progress;
mod spill;

pub use directory::Directory;
pub use error::{Error, Result};
pub use files::Files;
pub use job::{Engine, Folding, Job, Jobs, Piece};
pub use native::Native;
pub use progress::Progress;
