//! The engine of this machine: all cores, bounded memory, temporary files.

use crate::{
    Engine, Error, Folding, Job, Progress, Result,
    directory::delete_abandoned,
    job::Piece,
    spill::{Spill, Stored, bytes},
};
use indicatif::ProgressBar;
use std::{
    env,
    num::NonZero,
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    sync::{Mutex, PoisonError, mpsc},
    thread,
};

/// The engine that runs on this machine.
///
/// All cores absorb pieces of rows. If rows of individuals must be together, they are first split into partitions, each
/// of which is absorbed at once. Partitions are in memory while they are small, and otherwise in temporary files in a
/// directory that only its owner can read. The directory is deleted at the end, or at the next start after a crash. The
/// files contain the rows unencrypted: choose a suitable place ([`directory`](Native::directory)).
#[derive(Debug, Clone)]
pub struct Native {
    threads: usize,
    memory: u64,
    held: Option<u64>,
    partitions: Option<u32>,
    directory: PathBuf,
    progress: Progress,
}

/// The number of bytes of memory that a byte of rows takes while it is absorbed, with everything computed from it.
const BYTES_FOR_A_BYTE: u64 = 12;
/// The minimum memory, for buffers of pieces and partitions.
const LEAST_MEMORY: u64 = 64 << 20;
/// The maximum number of partitions chosen by default.
const MOST_PARTITIONS: u64 = 4096;
/// A thread passes on its partitions when they have this number of bytes.
const DEALT: u64 = 4 << 20;

impl Default for Native {
    fn default() -> Self {
        Self::new()
    }
}

impl Native {
    /// Makes an engine with all cores, a gibibyte of memory, the system's directory for temporary files, and no display
    /// of progress.
    pub fn new() -> Self {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let (directory, progress) = (env::temp_dir(), Progress::Silent);
        Self { threads, memory: 1 << 30, held: None, partitions: None, directory, progress }
    }

    /// Sets the number of threads, at least 1.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets the approximate number of bytes of memory, at least 64 MiB, from which the number of partitions is chosen.
    /// All rows of one individual, and the state, must fit into it.
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Sets the number of bytes of partitioned rows that stay in memory before they are written to temporary files,
    /// instead of a quarter of the memory. With 0, all of them are written.
    pub fn held(self, bytes: u64) -> Self {
        Self { held: Some(bytes), ..self }
    }

    /// Sets the number of partitions of individuals, from 1 to 65,536, instead of a number that suits the memory. No
    /// release depends on it.
    pub fn partitions(self, partitions: u32) -> Self {
        Self { partitions: Some(partitions), ..self }
    }

    /// Sets the directory in which directories for temporary files are created. These contain the rows unencrypted.
    pub fn directory(self, directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), ..self }
    }

    /// Sets the display of progress.
    pub fn progress(self, progress: Progress) -> Self {
        Self { progress, ..self }
    }

    fn check(&self) -> Result<()> {
        let refuse = |setting, rule| Err(Error::Setting { setting, rule });
        if self.threads == 0 {
            return refuse("threads", "must be at least 1");
        }
        if self.memory < LEAST_MEMORY {
            return refuse("memory", "must be at least 64 MiB");
        }
        if self.partitions.is_some_and(|number| !(1..=1 << 16).contains(&number)) {
            return refuse("partitions", "must be from 1 to 65536");
        }
        Ok(())
    }

    /// Returns a number of partitions for which those that are absorbed at the same time fit into memory.
    fn number(&self, size: u64) -> u32 {
        let threads = u64::try_from(self.threads).unwrap_or(u64::MAX);
        let needed = size.saturating_mul(BYTES_FOR_A_BYTE).saturating_mul(threads).div_ceil(self.memory);
        self.partitions.unwrap_or(u32::try_from(needed.clamp(1, MOST_PARTITIONS)).unwrap_or(1))
    }

    /// Applies `work` on several threads to all items of an iterator, and returns one result per thread.
    fn in_threads<T: Send, X: Send>(
        &self,
        things: impl Iterator<Item = Result<T>>,
        work: impl Fn(&mut dyn Iterator<Item = T>) -> Result<X> + Sync,
    ) -> Result<Vec<X>> {
        // The channel is short, because waiting items take memory.
        let (sender, receiver) = mpsc::sync_channel::<T>(self.threads);
        let receiver = Mutex::new(receiver);
        thread::scope(|scope| {
            let (receiver, work) = (&receiver, &work);
            let next = move || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
            let worker = move || {
                let done = panic::catch_unwind(AssertUnwindSafe(|| work(&mut std::iter::from_fn(next))));
                let done = done.unwrap_or_else(|_| Err(Error::job("a thread has failed")));
                if done.is_err() {
                    // This does not wait for a thread that takes no more items.
                    while next().is_some() {}
                }
                done
            };
            let workers: Vec<_> = (0..self.threads).map(|_| scope.spawn(worker)).collect();
            let mut fed = Ok(());
            for thing in things {
                match thing {
                    Ok(thing) => drop(sender.send(thing)),
                    Err(error) => {
                        fed = Err(error);
                        break;
                    }
                }
            }
            drop(sender);
            let failed = || Err(Error::job("a thread has failed"));
            let done: Vec<Result<X>> =
                workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| failed())).collect();
            fed?;
            done.into_iter().collect()
        })
    }

    /// Returns the states of all pieces, one per thread.
    fn fold(&self, job: &dyn Job, bar: &ProgressBar) -> Result<Vec<Vec<u8>>> {
        self.in_threads(job.pieces((0, 1))?, |pieces: &mut dyn Iterator<Item = Piece>| {
            let mut folding = job.folding()?;
            for piece in pieces {
                folding.absorb(piece)?;
                self.progress.one_more(bar, "pieces");
            }
            folding.bytes()
        })
    }

    /// Returns the states of all partitions, one per thread.
    fn fold_partitions(&self, job: &dyn Job, bar: &ProgressBar) -> Result<Vec<Vec<u8>>> {
        let number = self.number(job.size());
        let partitions = usize::try_from(number).unwrap_or(usize::MAX);
        let spill = Mutex::new(Spill::new(&self.directory, partitions, self.held.unwrap_or(self.memory / 4)));
        let take = |rows: &mut [Vec<u8>]| spill.lock().unwrap_or_else(PoisonError::into_inner).take(rows);
        self.in_threads(job.pieces((0, 1))?, |pieces: &mut dyn Iterator<Item = Piece>| {
            let mut dealt = vec![Vec::new(); partitions];
            for piece in pieces {
                job.deal(piece, &mut dealt)?;
                self.progress.one_more(bar, "pieces");
                if dealt.iter().map(|rows| bytes(rows)).sum::<u64>() >= DEALT {
                    take(&mut dealt)?;
                }
            }
            take(&mut dealt)
        })?;
        let mut spill = spill.into_inner().unwrap_or_else(PoisonError::into_inner);
        let stored = (0..number).zip(0..).map(|(place, index)| Ok((place, spill.partition(index)?)));
        self.in_threads(stored, |stored: &mut dyn Iterator<Item = (u32, Stored)>| {
            let mut folding = job.folding()?;
            for (place, stored) in stored {
                folding.absorb_partition((place, number), stored.rows()?)?;
                self.progress.one_more(bar, "partitions");
            }
            folding.bytes()
        })
    }
}

impl Engine for Native {
    fn name(&self) -> String {
        concat!("indistinct-engine ", env!("CARGO_PKG_VERSION"), ", native").to_owned()
    }

    fn run(&self, job: &dyn Job) -> Result<Vec<u8>> {
        self.check()?;
        // Abandoned directories are also deleted by a run that needs no temporary files. Errors are ignored until some
        // are needed.
        drop(delete_abandoned(&self.directory));
        let bar = self.progress.bar();
        let states = if job.needs_partitions() { self.fold_partitions(job, &bar) } else { self.fold(job, &bar) };
        let mut all: Box<dyn Folding + '_> = job.folding()?;
        states?.iter().try_for_each(|state| all.merge(state))?;
        bar.finish_and_clear();
        all.bytes()
    }
}
