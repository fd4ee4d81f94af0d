//! The process that has the job: the plan, and its result.

use crate::{
    allowed::{check, column, ordering},
    layout::{PARTS, parts, read_records},
    node::{Node, Step},
    request::Request,
};
use datafusion::{
    arrow::array::RecordBatch,
    datasource::memory::MemorySourceConfig,
    error::DataFusionError,
    physical_plan::{ExecutionPlan, Partitioning, repartition::RepartitionExec, sorts::sort::SortExec},
};
use indistinct_engine::{Error, Job, Jobs, Result};
use std::{
    collections::BTreeSet,
    panic::{self, AssertUnwindSafe},
    sync::Arc,
    thread,
    time::Duration,
};
use tokio::{runtime::Builder, time::timeout};

/// A job that is about to run on other threads or machines.
pub struct Driver<'a> {
    job: &'a dyn Job,
    request: Request,
    tasks: usize,
}

/// The number of bytes of memory a byte of rows takes while it is taken in, as the native engine has it.
const BYTES_FOR_A_BYTE: u64 = 12;
/// The most partitions of individuals that are chosen.
const MOST_PARTITIONS: u64 = 4096;
/// The most that there may be.
const LIMIT: u32 = 1 << 16;

impl<'a> Driver<'a> {
    /// Prepares a job for this many tasks at a time, with about this much memory for all of them. Rows of individuals
    /// are distributed to `partitions` partitions, or to a number of partitions that suits the memory.
    ///
    /// # Errors
    ///
    /// Returns an error if the job cannot be sent to another process, or if the number of tasks or partitions is not
    /// from 1 to 65,536.
    pub fn new(
        job: &'a dyn Job,
        jobs: Arc<dyn Jobs>,
        tasks: usize,
        memory: u64,
        partitions: Option<u32>,
    ) -> Result<Self> {
        let refuse = |setting, rule| Err(Error::setting(setting, rule));
        let Some(parts) = u32::try_from(tasks).ok().filter(|tasks| (1..=LIMIT).contains(tasks)) else {
            return refuse("tasks", "must be from 1 to 65536");
        };
        if partitions.is_some_and(|number| !(1..=LIMIT).contains(&number)) {
            return refuse("partitions", "must be from 1 to 65536");
        }
        let partitions = if job.needs_partitions() {
            let needed = job.size().saturating_mul(BYTES_FOR_A_BYTE).saturating_mul(parts.into());
            let needed = needed.div_ceil(memory.max(1)).max(parts.into()).min(MOST_PARTITIONS);
            partitions.unwrap_or(u32::try_from(needed).unwrap_or(parts))
        } else {
            0
        };
        let request = Request { jobs, plan: job.plan()?.into(), parts, partitions };
        Ok(Self { job, request, tasks })
    }

    /// Returns the plan, which passes [`check`].
    ///
    /// # Errors
    ///
    /// Returns no known error.
    pub fn plan(&self) -> Result<Arc<dyn ExecutionPlan>> {
        self.built().map_err(|_| Error::Engine)
    }

    fn built(&self) -> std::result::Result<Arc<dyn ExecutionPlan>, DataFusionError> {
        let request = &self.request;
        let numbers: Vec<Vec<RecordBatch>> = (0..request.parts)
            .map(|part| Ok(vec![parts([part])?]))
            .collect::<std::result::Result<_, DataFusionError>>()?;
        let source = MemorySourceConfig::try_new_exec(&numbers, PARTS.clone(), None)?;
        let mut plan: Arc<dyn ExecutionPlan> = Arc::new(Node::new(Step::Read, request.clone(), source));
        if request.partitions > 0 {
            let by_partition = Partitioning::Hash(vec![Arc::new(column(0))], self.tasks);
            let shuffled = Arc::new(RepartitionExec::try_new(plan, by_partition)?);
            let ordering = ordering().ok_or_else(crate::layout::broken)?;
            let sorted = Arc::new(SortExec::new(ordering, shuffled).with_preserve_partitioning(true));
            plan = Arc::new(Node::new(Step::Fold, request.clone(), sorted));
        }
        check(&plan)?;
        Ok(plan)
    }

    /// Runs `records` on `threads` worker threads, and returns the state of all rows, or an error after the deadline.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Engine`] if the run fails or does not end in time, and the errors of [`state`](Self::state).
    pub fn run(
        &self,
        threads: usize,
        deadline: Option<Duration>,
        records: impl Future<Output = std::result::Result<Vec<RecordBatch>, DataFusionError>> + Send,
    ) -> Result<Vec<u8>> {
        let run = || {
            let runtime = Builder::new_multi_thread().worker_threads(threads.max(1)).enable_all().build().ok()?;
            let records = runtime.block_on(async {
                match deadline {
                    Some(deadline) => timeout(deadline, records).await.ok()?.ok(),
                    None => records.await.ok(),
                }
            });
            // Threads at work end when nobody takes what they have.
            runtime.shutdown_background();
            records
        };
        // Of a thread of its own, for a caller's runtime may not wait for another one's.
        let records = thread::scope(|scope| scope.spawn(|| panic::catch_unwind(AssertUnwindSafe(run))).join());
        self.state(&records.ok().and_then(std::result::Result::ok).flatten().ok_or(Error::Engine)?)
    }

    /// Returns the state of all rows, from the resulting records of the plan.
    ///
    /// # Errors
    ///
    /// Returns an error if a part or partition is missing or occurs twice, or if a sample differs from this process's
    /// sample. Also returns the errors of the job.
    pub fn state(&self, records: &[RecordBatch]) -> Result<Vec<u8>> {
        let sample = self.job.sample()?;
        let mut all = self.job.folding()?;
        let mut seen = BTreeSet::new();
        for batch in records {
            for (places, sampled, state) in read_records(batch).map_err(|_| Error::Engine)? {
                if sampled != sample || !places.into_iter().all(|place| seen.insert(place)) {
                    return Err(Error::Engine);
                }
                all.merge(&state)?;
            }
        }
        let number = if self.request.partitions > 0 { self.request.partitions } else { self.request.parts };
        if !seen.into_iter().eq(0..number) {
            return Err(Error::Engine);
        }
        all.bytes()
    }
}
