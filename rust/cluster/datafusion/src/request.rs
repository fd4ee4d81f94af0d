//! The description of a job for nodes.

use indistinct_engine::Jobs;
use std::sync::Arc;

/// The facts that both nodes know: the job, the number of parts of its rows, and the number of partitions; 0 if rows
/// need not be together.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) jobs: Arc<dyn Jobs>,
    pub(crate) plan: Arc<[u8]>,
    pub(crate) parts: u32,
    pub(crate) partitions: u32,
}
