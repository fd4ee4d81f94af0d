//! Plans as bytes: our codec encodes our nodes, and Ballista's codec encodes its own nodes.

use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::{error::Result, execution::TaskContext, physical_plan::ExecutionPlan};
use datafusion_proto::{
    physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension},
    protobuf::{LogicalPlanNode, PhysicalPlanNode},
};
use indistinct_datafusion::Codec;
use indistinct_engine::Jobs;
use std::sync::Arc;

pub(crate) type BallistaCodec = ballista_core::serde::BallistaCodec<LogicalPlanNode, PhysicalPlanNode>;

#[derive(Debug)]
pub(crate) struct Both {
    ours: Codec,
    theirs: BallistaPhysicalExtensionCodec,
}

impl Both {
    pub(crate) fn new(jobs: Arc<dyn Jobs>) -> Self {
        Self { ours: Codec::new(jobs), theirs: BallistaPhysicalExtensionCodec::default() }
    }

    pub(crate) fn codec(jobs: Arc<dyn Jobs>) -> BallistaCodec {
        BallistaCodec::new(Arc::new(BallistaLogicalExtensionCodec::default()), Arc::new(Self::new(jobs)))
    }
}

impl PhysicalExtensionCodec for Both {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if Codec::is_ours(bytes) {
            self.ours.try_decode(bytes, inputs, context, converter)
        } else {
            self.theirs.try_decode(bytes, inputs, context, converter)
        }
    }

    fn try_encode(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        if Codec::is_node(&plan) {
            self.ours.try_encode(plan, bytes, converter)
        } else {
            self.theirs.try_encode(plan, bytes, converter)
        }
    }
}
