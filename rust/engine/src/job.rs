//! The trait of jobs, and the trait of engines that run them.

use crate::{Error, Files, Result};
use std::{any::Any, fmt, sync::Arc};

/// Runs a job and returns the state of all its rows.
pub trait Engine {
    /// Returns its name and version, for certificates.
    fn name(&self) -> String;

    /// Returns the bytes of the state of all rows of a job. They are the same for every engine and all settings.
    ///
    /// # Errors
    ///
    /// Returns the job's errors, and an error if temporary files cannot be created. Nothing is released, and the job
    /// may be run again.
    fn run(&self, job: &dyn Job) -> Result<Vec<u8>>;
}

/// Some rows, as the job reads them. An engine only passes them on.
pub type Piece = Box<dyn Any + Send>;

/// The source of rows, and the computation on them.
pub trait Job: Sync {
    /// Returns the rows of one part as pieces, one after another, given the part's position and the number of parts. A
    /// piece does little work until a thread absorbs it. All parts together contain each row once, for every number of
    /// parts; (0, 1) contains all rows.
    ///
    /// # Errors
    ///
    /// Returns an error if files cannot be read.
    fn pieces(&self, part: (u32, u32)) -> Result<Box<dyn Iterator<Item = Result<Piece>> + '_>>;

    /// Returns the approximate number of bytes of the rows and of the rows made from them, which determines the number
    /// of temporary files. It is as private as the number of rows.
    fn size(&self) -> u64;

    /// Returns true if rows must be split into partitions ([`deal`](Self::deal)), each of which is absorbed at once.
    fn needs_partitions(&self) -> bool;

    /// Returns a new state of the job, before any rows.
    ///
    /// # Errors
    ///
    /// Returns the job's own errors.
    fn folding(&self) -> Result<Box<dyn Folding + '_>>;

    /// Appends the rows of a piece as bytes to the lists of their partitions. There is one list per partition.
    ///
    /// # Errors
    ///
    /// Returns the job's own errors.
    fn deal(&self, piece: Piece, partitions: &mut [Vec<u8>]) -> Result<()>;

    /// Returns the job as bytes, without any rows, from which [`Jobs`] of its kind rebuild it. An engine needs it if
    /// its threads or processes outlive this one.
    ///
    /// # Errors
    ///
    /// Returns an error for a job that cannot leave the process, which is the default.
    fn plan(&self) -> Result<Vec<u8>> {
        Err(Error::job("this job cannot be sent to another process"))
    }

    /// Returns the encoded state of synthetic rows that every process builds in the same way: a few public bytes. A
    /// process that gets other bytes splits or adds rows differently, so its states are rejected.
    ///
    /// # Errors
    ///
    /// Returns the job's own errors.
    fn sample(&self) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }
}

/// Rebuilds jobs from the bytes of [`Job::plan`].
pub trait Jobs: fmt::Debug + Send + Sync {
    /// Builds the job of a plan, which may use these files and those of this machine, and lends it to `work`.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not such a plan, and the errors of `work`.
    fn lend(&self, plan: &[u8], files: &Arc<dyn Files>, work: &mut dyn FnMut(&dyn Job) -> Result<()>) -> Result<()>;
}

/// The state of some of a job's rows.
pub trait Folding {
    /// Absorbs a piece, if no partitions are needed.
    ///
    /// # Errors
    ///
    /// Returns the job's own errors.
    fn absorb(&mut self, piece: Piece) -> Result<()>;

    /// Absorbs all rows of one partition, as [`Job::deal`] wrote them.
    ///
    /// # Errors
    ///
    /// Returns the job's own errors, and an error if the bytes are not rows of this partition, or if the partition was
    /// absorbed already.
    fn absorb_partition(&mut self, partition: (u32, u32), rows: Vec<u8>) -> Result<()>;

    /// Merges another state of the job, given as bytes.
    ///
    /// # Errors
    ///
    /// Returns the job's own errors, and an error if the bytes are not a state of this job.
    fn merge(&mut self, state: &[u8]) -> Result<()>;

    /// Returns the state as bytes.
    ///
    /// # Errors
    ///
    /// Returns the job's own errors.
    fn bytes(&self) -> Result<Vec<u8>>;
}
