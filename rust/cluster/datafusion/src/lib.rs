//! DataFusion as an engine of `indistinct`, and the parts for an engine on a cluster.
//!
//! DataFusion moves rows that it cannot read, and computes nothing. Its plan has two of our nodes: one *reads* parts of
//! a job's files and distributes rows to partitions of individuals, as bytes; the other *folds* all rows of a partition
//! into a state. Between them DataFusion divides partitions among threads or machines, and sorts the bytes that each
//! receives, in memory or in temporary files. It sees numbers of partitions, parts and chunks, and bytes: no column, no
//! value, no expression.
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
//! A job whose rows need not be together has no shuffle: the reading node folds immediately, and returns states.
//!
//! *Each chunk is counted*: a fold absorbs a partition only after it has received all chunks of every part, each once;
//! the last chunk of a part states their number. So a lost or duplicate part or chunk ends the run, and so does a
//! result without one of the partitions, because the [driver](Driver) knows their number. Each state comes with its
//! process's result on rows that are the same everywhere ([`Job::sample`](indistinct_engine::Job::sample)).
//!
//! *Only these nodes run*: before a plan runs, [`check`] refuses any other node, and these nodes with other parameters.
//!
//! *One error*: DataFusion's messages may quote bytes of rows, so they are not passed on. Nothing was released, and the
//! same job may run again.
//!
//! No engine can draw noise: this crate depends neither on `indistinct-sampling` nor on `indistinct`, which a test
//! checks.
//!
//! | | |
//! |---|---|
//! | [`DataFusion`] | the engine in this process: bounded memory, temporary files, object stores |
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
