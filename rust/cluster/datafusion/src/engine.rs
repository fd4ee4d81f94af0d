//! The engine in this process.

use crate::{Driver, check};
use datafusion::{
    arrow::array::RecordBatch,
    error::DataFusionError,
    execution::{
        TaskContext,
        disk_manager::{DiskManagerBuilder, DiskManagerMode},
        memory_pool::FairSpillPool,
        runtime_env::RuntimeEnvBuilder,
    },
    object_store::ObjectStore,
    physical_plan::collect_partitioned,
    prelude::{SessionConfig, SessionContext},
};
use indistinct_engine::{Directory, Engine, Error, Job, Jobs, Result};
use std::{
    env,
    num::NonZero,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};
use url::Url;

/// DataFusion on all cores of this machine.
///
/// It receives jobs as bytes ([`Job::plan`]), and rebuilds them on its threads with the given value:
/// `indistinct_tables::TableJobs` for jobs over tables. If rows of individuals must be together and do not fit into its
/// memory, they are written unencrypted to temporary files, in a separate directory that only its owner can read. The
/// directory is deleted at the end, or at the next start after a crash.
#[derive(Debug, Clone)]
pub struct DataFusion {
    jobs: Arc<dyn Jobs>,
    threads: usize,
    memory: u64,
    partitions: Option<u32>,
    batch: usize,
    directory: PathBuf,
    deadline: Option<Duration>,
    stores: Vec<(Url, Arc<dyn ObjectStore>)>,
}

/// The smallest memory: what DataFusion takes to sort batches of a few hundred rows, and to merge files of them.
const LEAST_MEMORY: u64 = 16 << 20;

impl DataFusion {
    /// Makes an engine for jobs of these kinds, with all cores, a gibibyte of memory, and the system's directory for
    /// temporary files.
    pub fn new(jobs: impl Jobs + 'static) -> Self {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let (memory, batch, directory) = (1 << 30, 128, env::temp_dir());
        Self {
            jobs: Arc::new(jobs),
            threads,
            memory,
            partitions: None,
            batch,
            directory,
            deadline: None,
            stores: Vec::new(),
        }
    }

    /// Sets the number of threads, from 1 to 65,536, which is also the number of parts into which the files are
    /// divided.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets the number of bytes of partitioned rows in memory, at least 16 MiB. It determines the number of partitions,
    /// and further rows go to temporary files. States and data being read take additional memory.
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Sets the number of partitions of individuals, from 1 to 65,536, instead of a number that suits the memory. No
    /// release depends on it.
    pub fn partitions(self, partitions: u32) -> Self {
        Self { partitions: Some(partitions), ..self }
    }

    /// Sets the number of chunks of rows that DataFusion moves at a time, at least 1. A chunk has about 16 KiB, or the
    /// size of some thousand rows. No release depends on it.
    pub fn batch(self, chunks: usize) -> Self {
        Self { batch: chunks, ..self }
    }

    /// Sets the parent of the directories for temporary files, which contain unencrypted rows.
    pub fn directory(self, directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), ..self }
    }

    /// Sets the maximum time of a run.
    pub fn deadline(self, deadline: Duration) -> Self {
        Self { deadline: Some(deadline), ..self }
    }

    /// Sets the store of files whose addresses begin with this prefix, such as `s3://bucket`.
    pub fn object_store(mut self, address: Url, store: Arc<dyn ObjectStore>) -> Self {
        self.stores.push((address, store));
        self
    }

    fn context(&self, directory: &Path) -> std::result::Result<Arc<TaskContext>, DataFusionError> {
        let memory = usize::try_from(self.memory).unwrap_or(usize::MAX);
        let files = DiskManagerBuilder::default().with_mode(DiskManagerMode::Directories(vec![directory.to_owned()]));
        let runtime = RuntimeEnvBuilder::new().with_memory_pool(Arc::new(FairSpillPool::new(memory)));
        let runtime = runtime.with_disk_manager_builder(files).build_arc()?;
        for (address, store) in &self.stores {
            runtime.register_object_store(address, store.clone());
        }
        let kept = (memory / self.threads.saturating_mul(8).max(1)).min(10 << 20);
        let config = SessionConfig::new().with_batch_size(self.batch).with_target_partitions(self.threads);
        let config = config.with_sort_spill_reservation_bytes(kept).with_sort_in_place_threshold_bytes(0);
        Ok(SessionContext::new_with_config_rt(config, runtime).task_ctx())
    }
}

impl Engine for DataFusion {
    fn name(&self) -> String {
        format!("indistinct-datafusion {}, DataFusion {}", env!("CARGO_PKG_VERSION"), crate::DATAFUSION)
    }

    fn run(&self, job: &dyn Job) -> Result<Vec<u8>> {
        if self.memory < LEAST_MEMORY {
            return Err(Error::setting("memory", "must be at least 16 MiB"));
        }
        if self.batch == 0 {
            return Err(Error::setting("batch", "must be at least 1"));
        }
        let driver = Driver::new(job, self.jobs.clone(), self.threads, self.memory, self.partitions)?;
        let (plan, directory) = (driver.plan()?, Directory::new(&self.directory)?);
        driver.run(self.threads, self.deadline, async {
            let context = self.context(directory.path())?;
            check(&plan)?;
            let records: Vec<Vec<RecordBatch>> = collect_partitioned(plan, context).await?;
            Ok(records.concat())
        })
    }
}
