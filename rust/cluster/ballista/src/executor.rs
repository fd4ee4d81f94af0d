//! The executor, which reads files and adds up rows.

use crate::{
    MESSAGE, Stopped, Tls,
    codec::Both,
    tls::{address, endpoint, session},
};
use arrow_flight::flight_service_server::FlightServiceServer;
use ballista_core::{
    BALLISTA_PROTOCOL_VERSION, JobId,
    execution_plans::{ShuffleReaderExec, ShuffleWriterExec, SortShuffleWriterExec},
    serde::protobuf::{
        ExecutorOperatingSystemSpecification, ExecutorRegistration, ExecutorResource, ExecutorSpecification,
        executor_resource::Resource, scheduler_grpc_client::SchedulerGrpcClient,
    },
    utils::create_grpc_client_endpoint,
};
use ballista_executor::{
    execution_engine::{DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor},
    execution_loop::poll_loop,
    executor::Executor as BallistaExecutor,
    flight_service::BallistaFlightService,
    health::ExecutorHealth,
    metrics::LoggingMetricsCollector,
};
use datafusion::{
    error::Result,
    execution::{memory_pool::FairSpillPool, runtime_env::RuntimeEnvBuilder},
    physical_plan::ExecutionPlan,
    prelude::SessionConfig,
};
use indistinct_datafusion::{check_with, is_by_partition};
use indistinct_engine::{Directory, Jobs};
use std::{path::PathBuf, process, sync::Arc, time::SystemTime};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;

/// An executor.
///
/// Its shuffle files contain unencrypted rows, in a separate directory that only its owner can read. The scheduler
/// deletes the files of a successful job. Files of a failed job are deleted at the executor's end, or after a crash at
/// the next start in the same place.
#[derive(Debug, Clone)]
pub struct Executor {
    /// The scheduler's name and port.
    pub scheduler: String,
    /// The address to listen at, with a port.
    pub listen: String,
    /// The name under which other machines reach it, as in its certificate.
    pub name: String,
    /// The parent of the directories for shuffle files.
    pub directory: PathBuf,
    /// The number of tasks that run at a time.
    pub tasks: usize,
    /// The number of bytes of rows in memory, for all tasks together.
    pub memory: usize,
    /// The certificates. Without them, anybody who reaches the port can read rows.
    pub tls: Option<Tls>,
}

impl Executor {
    /// Runs jobs of these kinds until the process ends or the scheduler is gone.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is in use, the directory cannot be created, the certificates are invalid, or the
    /// scheduler cannot be reached.
    pub async fn serve(self, jobs: impl Jobs + 'static) -> std::result::Result<(), Stopped> {
        let listener = TcpListener::bind(&self.listen).await?;
        let directory = Directory::new(&self.directory)?;
        let place = directory.path().to_str().ok_or("the directory's path is not valid UTF-8")?.to_owned();
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos();
        let vcores = u32::try_from(self.tasks.max(1))?;
        let registration = ExecutorRegistration {
            id: format!("{}-{}-{time}", self.name, process::id()),
            host: Some(self.name.clone()),
            port: listener.local_addr()?.port().into(),
            // It asks for tasks, and is not told of them.
            grpc_port: 0,
            specification: Some(ExecutorSpecification {
                resources: vec![ExecutorResource { resource: Some(Resource::Vcores(vcores)) }],
            }),
            // Of the machine nothing is told.
            os_info: Some(ExecutorOperatingSystemSpecification::default()),
            ballista_protocol_version: BALLISTA_PROTOCOL_VERSION,
        };
        let (tls, files) = (self.tls.clone(), place.clone());
        let memory = self.memory / self.tasks.max(1);
        let executor = BallistaExecutor::new(
            registration,
            &place,
            Arc::new(move |_| {
                let runtime = RuntimeEnvBuilder::new().with_memory_pool(Arc::new(FairSpillPool::new(memory)));
                runtime.with_temp_file_path(files.clone()).build_arc()
            }),
            Arc::new(move || session(tls.as_ref())),
            Arc::default(),
            Arc::new(LoggingMetricsCollector::default()),
            self.tasks.max(1),
            Arc::new(Checked(DefaultExecutionEngine::new())),
        );
        let mut scheduler = create_grpc_client_endpoint(address(self.tls.as_ref(), &self.scheduler), None)?;
        if let Some(change) = endpoint(self.tls.as_ref()) {
            scheduler = change(scheduler)?;
        }
        let scheduler = SchedulerGrpcClient::new(scheduler.connect().await?);
        let scheduler = scheduler.max_encoding_message_size(MESSAGE).max_decoding_message_size(MESSAGE);
        let flight = FlightServiceServer::new(BallistaFlightService::new(place));
        let flight = flight.max_decoding_message_size(MESSAGE).max_encoding_message_size(MESSAGE);
        let mut server = Server::builder();
        if let Some(tls) = &self.tls {
            server = server.tls_config(tls.server())?;
        }
        let server = server.add_service(flight).serve_with_incoming(TcpListenerStream::new(listener));
        let codec = Both::codec(Arc::new(jobs));
        let health = ExecutorHealth::new();
        tokio::select! {
            ended = server => ended?,
            ended = poll_loop(scheduler, Arc::new(executor), codec, None, None, health) => ended?,
            ended = tokio::signal::ctrl_c() => ended?,
        }
        Ok(())
    }
}

/// Runs only plans of ours.
struct Checked(DefaultExecutionEngine);

/// Ballista's own, between two parts of a plan: what it writes is divided by partition, or not at all.
fn is_shuffle(plan: &Arc<dyn ExecutionPlan>) -> bool {
    let divides = plan.downcast_ref::<SortShuffleWriterExec>();
    divides.is_some_and(|writer| is_by_partition(writer.shuffle_output_partitioning()))
        || plan.downcast_ref::<ShuffleWriterExec>().is_some()
        || plan.downcast_ref::<ShuffleReaderExec>().is_some()
}

impl ExecutionEngine for Checked {
    fn create_query_stage_exec(
        &self,
        job: JobId,
        stage: usize,
        task: usize,
        partitions: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        place: &str,
        config: &SessionConfig,
    ) -> Result<Arc<dyn QueryStageExecutor>> {
        check_with(&plan, &is_shuffle)?;
        self.0.create_query_stage_exec(job, stage, task, partitions, plan, place, config)
    }
}
