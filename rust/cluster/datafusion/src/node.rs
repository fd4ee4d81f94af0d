//! Our two nodes in a DataFusion plan.

use crate::{
    files::ObjectStores,
    fold::fold,
    layout::{CHUNKS, RECORDS, broken, outward, record},
    read::read,
    request::Request,
};
use datafusion::{
    arrow::{array::RecordBatch, datatypes::SchemaRef},
    common::tree_node::TreeNodeRecursion,
    error::{DataFusionError, Result},
    execution::{SendableRecordBatchStream, TaskContext, memory_pool::MemoryConsumer},
    physical_expr::{EquivalenceProperties, PhysicalExpr},
    physical_plan::{
        DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, Partitioning, PlanProperties,
        execution_plan::{Boundedness, ChildrenPropertiesMode, EmissionType, ReplaceChildrenOptions},
        stream::RecordBatchReceiverStream,
    },
};
use futures::StreamExt;
use indistinct_engine::{Error, Files};
use std::{fmt, iter, sync::Arc};
use tokio::{runtime::Handle, sync::mpsc};

/// The work of a node on its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Read,
    Fold,
}

#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) step: Step,
    pub(crate) request: Request,
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

impl Node {
    pub(crate) fn new(step: Step, request: Request, input: Arc<dyn ExecutionPlan>) -> Self {
        let schema = match step {
            Step::Read if request.partitions > 0 => &CHUNKS,
            _ => &RECORDS,
        };
        let partitioning = Partitioning::UnknownPartitioning(input.output_partitioning().partition_count());
        let how = match step {
            Step::Read => EmissionType::Incremental,
            Step::Fold => EmissionType::Final,
        };
        let schema = SchemaRef::clone(schema);
        let properties =
            PlanProperties::new(EquivalenceProperties::new(schema), partitioning, how, Boundedness::Bounded);
        Self { step, request, input, properties: Arc::new(properties) }
    }
}

/// A plan says options and names, which are nobody else's business: not even those are shown.
impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} parts, {} partitions", self.name(), self.request.parts, self.request.partitions)
    }
}

impl DisplayAs for Node {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl ExecutionPlan for Node {
    fn name(&self) -> &str {
        match self.step {
            Step::Read => "IndistinctRead",
            Step::Fold => "IndistinctFold",
        }
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let [input] = <[_; 1]>::try_from(children).map_err(|_| broken())?;
        Ok(Arc::new(Self::new(self.step, self.request.clone(), input)))
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let mut input = self.input.execute(partition, context.clone())?;
        let mut stream = RecordBatchReceiverStream::builder(self.schema(), 2);
        let (sender, mut receiver) = mpsc::channel(2);
        stream.spawn(async move {
            while let Some(batch) = input.next().await {
                if sender.send(batch?).await.is_err() {
                    break;
                }
            }
            Ok(())
        });
        let (step, request, output) = (self.step, self.request.clone(), stream.tx());
        let memory = MemoryConsumer::new("indistinct fold").register(context.memory_pool());
        let files: Arc<dyn Files> = Arc::new(ObjectStores::new(context.runtime_env(), Handle::current()));
        // Jobs read files and add up: no thread that others wait for.
        stream.spawn_blocking(move || {
            let mut batches = iter::from_fn(|| receiver.blocking_recv());
            let mut failed = Ok(());
            let mut take = |batch: Result<RecordBatch>| output.blocking_send(batch).is_ok();
            let work = |job: &dyn indistinct_engine::Job| {
                failed = match step {
                    Step::Read => read(job, &request, &mut batches, &mut take),
                    Step::Fold => fold(job, &request, &mut batches, &memory).map(|known| {
                        take(record(&known));
                    }),
                };
                Ok(())
            };
            lend(&request, &files, work)?;
            failed
        });
        Ok(stream.build())
    }
}

fn lend(
    request: &Request,
    files: &Arc<dyn Files>,
    mut work: impl FnMut(&dyn indistinct_engine::Job) -> Result<(), Error>,
) -> Result<(), DataFusionError> {
    request.jobs.lend(&request.plan, files, &mut work).map_err(outward)
}
