//! DataFusion as an engine of `indistinct`, and what it takes to be one on a cluster.
//!
//! DataFusion moves rows that it cannot read, and computes nothing. Two nodes of ours stand in its plan: one *reads*
//! parts of a job's files and deals rows to partitions of individuals, as bytes; one *folds* all rows of a partition
//! into a state. Between them DataFusion divides partitions among threads or machines and sorts what comes to each, in
//! memory or in temporary files. It sees numbers of partitions, parts and chunks, and bytes: no column, no value, no
//! expression.
//!
//! ```text
//! one record for each thread: the partitions that it has, a sample, a state
//! └ IndistinctFold           each chunk once and in order, or an error
//!   └ SortExec               by partition, part, number of the chunk; spills
//!     └ RepartitionExec      by the partition's number; on a cluster, a shuffle
//!       └ IndistinctRead     chunks of rows, and after the last one of a part how many there were
//!         └ DataSourceExec   the numbers of the parts
//! ```
//!
//! A job whose rows need not be together has no shuffle: reading folds at once, and gives states.
//!
//! *Each chunk is counted*: a fold takes in a partition only when it has seen, of every part, the chunks from the first
//! to the one that says how many there were, each once. So a part or chunk that is lost, or comes twice, ends the run,
//! and so does a record without one of the partitions: the [driver](Driver) knows how many there are. With each state
//! comes what its process makes of rows that are the same everywhere ([`Job::sample`](indistinct_engine::Job::sample)).
//!
//! *Only these nodes run*: [`check`] refuses any other in the plan that is about to run, and these with other
//! parameters.
//!
//! *One error*: what DataFusion says may quote bytes of rows, and is not passed on. Nothing was released, and the same
//! job may run again.
//!
//! No engine can draw: this crate depends neither on `indistinct-sampling` nor on `indistinct`, as a test checks.
//!
//! | | |
//! |---|---|
//! | [`DataFusion`] | the engine, in this process: memory that is bounded, temporary files, object stores |
//! | [`Driver`], [`Codec`], [`check`] | its parts, for engines of several processes |

mod allowed;
mod codec;
mod driver;
mod engine;
mod files;
mod fold;
mod layout;
mod node;
mod read;
mod request;

pub use allowed::{check, check_with, is_by_partition};
pub use codec::Codec;
pub use driver::Driver;
pub use engine::DataFusion;

/// The version of DataFusion, whose major version is part of this crate's promise.
pub const DATAFUSION: &str = datafusion::DATAFUSION_VERSION;
