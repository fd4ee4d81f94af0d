//! The trait of jobs, and the trait of engines that run them.

use crate::{Error, Files, Result};
use std::{any::Any, fmt, sync::Arc};

/// A way to run a job, which gives the state of all its rows.
pub trait Engine {
    /// Its name and version, for certificates.
    fn name(&self) -> String;

    /// The bytes of the state of all rows of a job: the same for every engine, whatever its settings.
    ///
    /// # Errors
    ///
    /// As the job; temporary files that cannot be made. Nothing was released then, and the job may run again.
    fn run(&self, job: &dyn Job) -> Result<Vec<u8>>;
}

/// Some rows, as the job reads them: an engine hands them on.
pub type Piece = Box<dyn Any + Send>;

/// Where rows come from and what becomes of them.
pub trait Job: Sync {
    /// The rows of one of so many parts in pieces, one after another: little is done until a thread takes a piece in.
    /// All parts of a number together have each row once, whichever number it is; (0, 1) has all rows.
    ///
    /// # Errors
    ///
    /// Files that cannot be read.
    fn pieces(&self, part: (u32, u32)) -> Result<Box<dyn Iterator<Item = Result<Piece>> + '_>>;

    /// About how many bytes the rows are, and those that are made of them, by which temporary files are divided. It is
    /// as private as their number.
    fn size(&self) -> u64;

    /// Returns true if rows must be dealt to partitions ([`deal`](Self::deal)), each of which is taken in at once.
    fn needs_partitions(&self) -> bool;

    /// The facts about the job that need no rows.
    ///
    /// # Errors
    ///
    /// The job's own.
    fn folding(&self) -> Result<Box<dyn Folding + '_>>;

    /// The rows of a piece as bytes, each after the others of its partition: as many as there are lists.
    ///
    /// # Errors
    ///
    /// The job's own.
    fn deal(&self, piece: Piece, partitions: &mut [Vec<u8>]) -> Result<()>;

    /// The job as bytes, without any row, from which [`Jobs`] of its kind build it again: for an engine whose threads
    /// or processes outlive this one.
    ///
    /// # Errors
    ///
    /// A job that cannot leave the process, as any but those that say how.
    fn plan(&self) -> Result<Vec<u8>> {
        Err(Error::job("a job that cannot leave its process"))
    }

    /// The encoded state of synthetic rows that every process builds in the same way: a few public bytes. A process
    /// that gets other bytes deals or adds differently, so its states are rejected.
    ///
    /// # Errors
    ///
    /// The job's own.
    fn sample(&self) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }
}

/// Jobs that are built again from what [`Job::plan`] says of them.
pub trait Jobs: fmt::Debug + Send + Sync {
    /// Build the job of a plan, with these files beside those of this machine, for as long as the work takes.
    ///
    /// # Errors
    ///
    /// Bytes that are not such a plan; errors of the work.
    fn lend(&self, plan: &[u8], files: &Arc<dyn Files>, work: &mut dyn FnMut(&dyn Job) -> Result<()>) -> Result<()>;
}

/// The state of some of a job's rows.
pub trait Folding {
    /// Take in a piece, where no partitions are needed.
    ///
    /// # Errors
    ///
    /// The job's own.
    fn absorb(&mut self, piece: Piece) -> Result<()>;

    /// Take in all rows of one of so many partitions, as [`Job::deal`] wrote them.
    ///
    /// # Errors
    ///
    /// The job's own errors; bytes that are not rows of this partition; a partition that was absorbed already.
    fn absorb_partition(&mut self, partition: (u32, u32), rows: Vec<u8>) -> Result<()>;

    /// Take in what the bytes of another state of the job know.
    ///
    /// # Errors
    ///
    /// The job's own; bytes of no state of this job.
    fn merge(&mut self, state: &[u8]) -> Result<()>;

    /// The state as bytes.
    ///
    /// # Errors
    ///
    /// The job's own.
    fn bytes(&self) -> Result<Vec<u8>>;
}
