//! The engine, for a driver.

use crate::{
    Tls,
    codec::Both,
    tls::{address, session},
};
use ballista_core::{execution_plans::execute_physical_plan, extension::SessionConfigExt};
use datafusion_proto::protobuf::PhysicalPlanNode;
use futures::TryStreamExt;
use indistinct_datafusion::{Driver, check};
use indistinct_engine::{Engine, Error, Job, Jobs, Result};
use std::{
    process,
    sync::Arc,
    time::{Duration, SystemTime},
};

/// A Ballista cluster.
///
/// All machines read the same files under the same names, from a shared file system or from addresses.
#[derive(Debug, Clone)]
pub struct Ballista {
    jobs: Arc<dyn Jobs>,
    scheduler: String,
    tasks: usize,
    memory: u64,
    partitions: Option<u32>,
    batch: usize,
    deadline: Duration,
    attempts: u32,
    tls: Option<Tls>,
}

impl Ballista {
    /// Makes an engine that uses the scheduler with this name and port, for jobs of these kinds. By default it has
    /// eight tasks, a gibibyte for their rows, ten minutes and two attempts.
    pub fn new(scheduler: impl Into<String>, jobs: impl Jobs + 'static) -> Self {
        let (scheduler, jobs) = (scheduler.into(), Arc::new(jobs));
        let (memory, deadline) = (1 << 30, Duration::from_secs(600));
        Self { jobs, scheduler, tasks: 8, memory, partitions: None, batch: 128, deadline, attempts: 2, tls: None }
    }

    /// Sets the number of tasks into which reading and folding are divided, from 1 to 65,536.
    pub fn tasks(self, tasks: usize) -> Self {
        Self { tasks, ..self }
    }

    /// Sets the approximate number of bytes of rows that the executors have in memory at a time, which determines the
    /// number of partitions.
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Sets the number of partitions of individuals, from 1 to 65,536, instead of a number that suits the memory. No
    /// release depends on it.
    pub fn partitions(self, partitions: u32) -> Self {
        Self { partitions: Some(partitions), ..self }
    }

    /// Sets the maximum time of an attempt.
    pub fn deadline(self, deadline: Duration) -> Self {
        Self { deadline, ..self }
    }

    /// Sets the number of attempts before the job fails, at least 1. Nothing is released before success.
    pub fn attempts(self, attempts: u32) -> Self {
        Self { attempts, ..self }
    }

    /// Sets the driver's certificates.
    pub fn tls(self, tls: Tls) -> Self {
        Self { tls: Some(tls), ..self }
    }

    fn attempt(&self, driver: &Driver) -> Result<Vec<u8>> {
        let plan = driver.plan()?;
        let tls = self.tls.as_ref();
        driver.run(2, Some(self.deadline), async {
            check(&plan)?;
            let codec = Arc::new(Both::new(self.jobs.clone()));
            let session = session(tls).with_ballista_physical_extension_codec(codec.clone());
            let session = session.with_batch_size(self.batch).with_target_partitions(self.tasks);
            let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
            let name = format!("{}-{time}", process::id());
            let (scheduler, config) = (address(tls, &self.scheduler), session.ballista_config());
            let records =
                execute_physical_plan::<PhysicalPlanNode>(scheduler, &config, plan, codec.as_ref(), name, session);
            records.await?.try_collect().await
        })
    }
}

impl Engine for Ballista {
    fn name(&self) -> String {
        let (version, ballista) = (env!("CARGO_PKG_VERSION"), ballista_core::BALLISTA_VERSION);
        format!("indistinct-ballista {version}, Ballista {ballista}, DataFusion {}", indistinct_datafusion::DATAFUSION)
    }

    fn run(&self, job: &dyn Job) -> Result<Vec<u8>> {
        if self.attempts == 0 {
            return Err(Error::setting("attempts", "must be at least 1"));
        }
        let driver = Driver::new(job, self.jobs.clone(), self.tasks, self.memory, self.partitions)?;
        let mut last = Err(Error::Engine);
        for _ in 0..self.attempts {
            last = self.attempt(&driver);
            if last.is_ok() {
                break;
            }
        }
        last
    }
}
