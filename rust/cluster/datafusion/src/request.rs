//! What a job is to nodes.

use indistinct_engine::Jobs;
use std::sync::Arc;

/// What both nodes know: whose rows, from how many parts, into how many partitions; into none, where rows need not be
/// together.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) jobs: Arc<dyn Jobs>,
    pub(crate) plan: Arc<[u8]>,
    pub(crate) parts: u32,
    pub(crate) partitions: u32,
}
