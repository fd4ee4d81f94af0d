//! The scheduler and the executors of a cluster, as one program.
//!
//! An executor rebuilds jobs over tables, so the framework is linked into it. An executor draws no noise: it calls only
//! the parts of the framework that read, distribute, absorb and merge rows, and it returns states. This follows from
//! the functions that it calls, and not from the code that it is linked with, so anyone who can replace the program on
//! a machine of the cluster is trusted.

use clap::{Args, Parser, Subcommand};
use indistinct_ballista::{Executor, Scheduler, Tls};
use indistinct_tables::TableJobs;
use std::{error::Error, path::PathBuf};

#[derive(Parser)]
#[command(version, about = "The scheduler and the executors of a cluster for indistinct")]
struct Line {
    #[command(subcommand)]
    run: Run,
    #[command(flatten)]
    tls: TlsFiles,
}

#[derive(Subcommand)]
enum Run {
    /// Share tasks out among executors. It reads no rows.
    Scheduler {
        /// The address to listen at.
        #[arg(long, default_value = "127.0.0.1:50050")]
        listen: String,
        /// The name under which executors and drivers reach it.
        #[arg(long, default_value = "localhost")]
        name: String,
        /// After how many seconds the shuffle files of a job are deleted that has succeeded.
        #[arg(long, default_value_t = 60)]
        keep: u64,
        /// After how many seconds without a word an executor counts as lost.
        #[arg(long, default_value_t = 30)]
        patience: u64,
    },
    /// Read files and add up. Its shuffle files hold rows as they are.
    Executor {
        /// The scheduler's name and port.
        #[arg(long, default_value = "localhost:50050")]
        scheduler: String,
        /// The address to listen at.
        #[arg(long, default_value = "127.0.0.1:50051")]
        listen: String,
        /// The name under which other executors and drivers reach it.
        #[arg(long, default_value = "localhost")]
        name: String,
        /// The directory in which those of shuffle files are made.
        #[arg(long)]
        directory: PathBuf,
        /// The number of tasks that run at a time.
        #[arg(long, default_value_t = 2)]
        tasks: usize,
        /// How many MiB of rows are in memory, for all tasks.
        #[arg(long, default_value_t = 1024)]
        memory: usize,
    },
}

/// Certificates of both sides, in PEM. Without them nothing is encrypted, and anybody who reaches a port reads rows.
#[derive(Args)]
struct TlsFiles {
    /// The certificate of the authority that has signed all others.
    #[arg(long, global = true, requires = "certificate")]
    authority: Option<PathBuf>,
    /// This machine's certificate.
    #[arg(long, global = true, requires = "key")]
    certificate: Option<PathBuf>,
    /// The key of this machine's certificate.
    #[arg(long, global = true, requires = "authority")]
    key: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let Line { run, tls } = Line::parse();
    let tls = match (tls.authority, tls.certificate, tls.key) {
        (Some(authority), Some(certificate), Some(key)) => Some(Tls::read(&authority, &certificate, &key)?),
        _ => None,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match run {
            Run::Scheduler { listen, name, keep, patience } => {
                Scheduler { listen, name, keep, patience, tls }.serve().await
            }
            Run::Executor { scheduler, listen, name, directory, tasks, memory } => {
                let executor = Executor { scheduler, listen, name, directory, tasks, memory: memory << 20, tls };
                executor.serve(TableJobs).await
            }
        }
    })
}
