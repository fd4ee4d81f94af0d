//! Our nodes as bytes, which another process can rebuild.

use crate::{
    layout::broken,
    node::{Node, Step},
    request::Request,
};
use datafusion::{error::Result, execution::TaskContext, physical_plan::ExecutionPlan};
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use indistinct_engine::Jobs;
use std::sync::Arc;

/// Writes our nodes in a plan, and reads them in a process that can build these jobs.
#[derive(Debug)]
pub struct Codec {
    jobs: Arc<dyn Jobs>,
}

/// The first bytes of an encoded node, with their version.
const READ: &[u8] = b"indistinct read 1\n";
const FOLD: &[u8] = b"indistinct fold 1\n";

impl Codec {
    /// Makes a codec for jobs of these kinds.
    pub fn new(jobs: Arc<dyn Jobs>) -> Self {
        Self { jobs }
    }

    /// Returns true if these are the bytes of one of our nodes.
    pub fn is_ours(bytes: &[u8]) -> bool {
        bytes.starts_with(READ) || bytes.starts_with(FOLD)
    }

    /// Returns true if this is one of our nodes.
    pub fn is_node(plan: &Arc<dyn ExecutionPlan>) -> bool {
        plan.downcast_ref::<Node>().is_some()
    }

    fn request(&self, bytes: &[u8]) -> Option<Request> {
        let (parts, bytes) = bytes.split_first_chunk()?;
        let (partitions, plan) = bytes.split_first_chunk()?;
        let (parts, partitions) = (u32::from_be_bytes(*parts), u32::from_be_bytes(*partitions));
        Some(Request { jobs: self.jobs.clone(), plan: plan.into(), parts, partitions })
    }
}

impl PhysicalExtensionCodec for Codec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        _: &TaskContext,
        _: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let read = bytes.strip_prefix(READ).map(|rest| (Step::Read, rest));
        let (step, rest) = read.or_else(|| Some((Step::Fold, bytes.strip_prefix(FOLD)?))).ok_or_else(broken)?;
        let [input] = inputs else { return Err(broken()) };
        Ok(Arc::new(Node::new(step, self.request(rest).ok_or_else(broken)?, input.clone())))
    }

    fn try_encode(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        _: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let node = plan.downcast_ref::<Node>().ok_or_else(broken)?;
        let Request { plan, parts, partitions, .. } = &node.request;
        bytes.extend_from_slice(if node.step == Step::Read { READ } else { FOLD });
        bytes.extend_from_slice(&parts.to_be_bytes());
        bytes.extend_from_slice(&partitions.to_be_bytes());
        bytes.extend_from_slice(plan);
        Ok(())
    }
}
