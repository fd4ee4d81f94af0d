//! The scheduler, which distributes tasks.

use crate::{
    MESSAGE, Stopped, Tls,
    codec::Both,
    tls::{endpoint, session},
};
use ballista_core::{config::TaskSchedulingPolicy, serde::protobuf::scheduler_grpc_server::SchedulerGrpcServer};
use ballista_scheduler::{
    cluster::BallistaCluster, config::SchedulerConfig, metrics::default_metrics_collector,
    scheduler_server::SchedulerServer,
};
use indistinct_engine::{Error, Files, Job, Jobs, Result};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;

/// A scheduler, which sees plans and the locations of shuffle files. No row passes through it.
#[derive(Debug, Clone)]
pub struct Scheduler {
    /// The address to listen at, with a port.
    pub listen: String,
    /// The name under which other machines reach it, as in its certificate.
    pub name: String,
    /// The number of seconds after which the shuffle files of a successful job are deleted. The driver must read the
    /// result before.
    pub keep: u64,
    /// The number of seconds without a message after which an executor counts as lost.
    pub patience: u64,
    /// The certificates. Without them, anybody who reaches the port can send plans.
    pub tls: Option<Tls>,
}

/// Plans are passed on, and not run here.
#[derive(Debug)]
struct NoJobs;

impl Jobs for NoJobs {
    fn lend(&self, _: &[u8], _: &Arc<dyn Files>, _: &mut dyn FnMut(&dyn Job) -> Result<()>) -> Result<()> {
        Err(Error::Engine)
    }
}

impl Scheduler {
    /// Works until the process ends.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is in use or the certificates are invalid.
    pub async fn serve(self) -> std::result::Result<(), Stopped> {
        let listener = TcpListener::bind(&self.listen).await?;
        let port = listener.local_addr()?.port();
        let tls = self.tls.clone();
        let config = SchedulerConfig {
            // Executors ask for tasks, so that they need listen to nobody but those who read shuffle files.
            scheduling_policy: TaskSchedulingPolicy::PullStaged,
            external_host: self.name.clone(),
            bind_port: port,
            finished_job_data_clean_up_interval_seconds: self.keep,
            finished_job_state_clean_up_interval_seconds: self.keep,
            executor_timeout_seconds: self.patience,
            no_executors_grace_period_seconds: self.patience,
            expire_dead_executor_interval_seconds: 1,
            override_create_grpc_client_endpoint: endpoint(self.tls.as_ref()),
            override_config_producer: Some(Arc::new(move || session(tls.as_ref()))),
            use_tls: self.tls.is_some(),
            ..SchedulerConfig::default()
        };
        let cluster = BallistaCluster::new_from_config(&config).await?;
        let codec = Both::codec(Arc::new(NoJobs));
        let metrics = default_metrics_collector()?;
        let mut scheduler =
            SchedulerServer::new(config.scheduler_endpoint(), cluster, codec, Arc::new(config), metrics);
        scheduler.init().await?;
        let service = SchedulerGrpcServer::new(scheduler);
        let service = service.max_decoding_message_size(MESSAGE).max_encoding_message_size(MESSAGE);
        let mut server = Server::builder();
        if let Some(tls) = &self.tls {
            server = server.tls_config(tls.server())?;
        }
        Ok(server.add_service(service).serve_with_incoming(TcpListenerStream::new(listener)).await?)
    }
}
