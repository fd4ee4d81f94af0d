//! Jobs that are rebuilt from bytes.

use crate::{
    TableJob,
    told::{Told, ToldReader},
};
use indistinct::plans::FrameMeasurement;
use indistinct_engine::{Files, Job, Jobs};
use std::{path::Path, sync::Arc};

/// Rebuilds a [`TableJob`] from the bytes of its [`Job::plan`], in any process.
///
/// The bytes contain conditions, options and plans. They do not contain user-defined functions, so a plan with one is
/// rejected.
#[derive(Debug, Clone, Copy, Default)]
pub struct TableJobs;

impl Jobs for TableJobs {
    fn lend(&self, plan: &[u8], files: &Arc<dyn Files>, work: &mut dyn FnMut(&dyn Job) -> Run<()>) -> Run<()> {
        let told = Told::read(plan).ok_or_else(|| failed("these are not the bytes of a job over tables"))?;
        let plan = FrameMeasurement::from_json(&told.plan).map_err(failed)?;
        let (domain, _) = plan.input_space();
        let paths = told.names.iter().map(Path::new);
        let job = match &told.reader {
            ToldReader::Csv(reader) => TableJob::csv(reader, paths, &domain, &plan),
            #[cfg(feature = "parquet")]
            ToldReader::Parquet(reader) => TableJob::parquet(reader, paths, &domain, &plan),
            #[cfg(feature = "ipc")]
            ToldReader::Ipc(reader) => TableJob::ipc(reader, paths, &domain, &plan),
        };
        let mut job = job.map_err(failed)?;
        for condition in &told.conditions {
            job = job.only(condition.parse().map_err(failed)?).map_err(failed)?;
        }
        work(&job.with_files(files))
    }
}

type Run<T> = indistinct_engine::Result<T>;

fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> indistinct_engine::Error {
    indistinct_engine::Error::job(error)
}
