//! The engine of this machine: all cores, a bound on memory, temporary files.

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

/// The engine of this machine.
///
/// Pieces of rows are taken in by all cores. Where rows of individuals must be together, they are first written by
/// partitions, each of which is read back and taken in at once: in memory while they are few, and else in temporary
/// files in a directory that only its owner may read, deleted at the end, and at the next start after a crash. The
/// files hold the rows as they are: choose a place ([`directory`](Native::directory)) that may.
#[derive(Debug, Clone)]
pub struct Native {
    threads: usize,
    memory: u64,
    held: Option<u64>,
    partitions: Option<u32>,
    directory: PathBuf,
    progress: Progress,
}

/// The number of bytes of memory a byte of rows takes while it is taken in, with what is computed from it.
const BYTES_FOR_A_BYTE: u64 = 12;
/// The least memory: buffers of pieces and partitions.
const LEAST_MEMORY: u64 = 64 << 20;
/// The most partitions that are chosen.
const MOST_PARTITIONS: u64 = 4096;
/// From so many bytes on, a thread hands over what it has dealt.
const DEALT: u64 = 4 << 20;

impl Default for Native {
    fn default() -> Self {
        Self::new()
    }
}

impl Native {
    /// All cores, a gibibyte of memory, the system's directory for temporary files, and nothing shown.
    pub fn new() -> Self {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let (directory, progress) = (env::temp_dir(), Progress::Silent);
        Self { threads, memory: 1 << 30, held: None, partitions: None, directory, progress }
    }

    /// The number of threads; at least 1.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// About how many bytes of memory are used, at least 64 MiB: by it the number of partitions is chosen. All rows of
    /// one individual, and the state, must fit into it.
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: bytes, ..self }
    }

    /// The number of bytes of dealt rows held in memory before they go to temporary files,
    /// in place of a quarter of the memory. With 0 all of them go there.
    pub fn held(self, bytes: u64) -> Self {
        Self { held: Some(bytes), ..self }
    }

    /// The number of partitions of individuals, from 1 to 65,536, in place of a number that fits the memory.
    /// No release depends on it.
    pub fn partitions(self, partitions: u32) -> Self {
        Self { partitions: Some(partitions), ..self }
    }

    /// The directory in which those of temporary files are made. Rows are in them, as they are.
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

    /// So many partitions that those which are taken in at the same time fit into memory.
    fn number(&self, size: u64) -> u32 {
        let threads = u64::try_from(self.threads).unwrap_or(u64::MAX);
        let needed = size.saturating_mul(BYTES_FOR_A_BYTE).saturating_mul(threads).div_ceil(self.memory);
        self.partitions.unwrap_or(u32::try_from(needed.clamp(1, MOST_PARTITIONS)).unwrap_or(1))
    }

    /// Applies `work` on several threads to all things of an iterator, and returns one result per thread.
    fn in_threads<T: Send, X: Send>(
        &self,
        things: impl Iterator<Item = Result<T>>,
        work: impl Fn(&mut dyn Iterator<Item = T>) -> Result<X> + Sync,
    ) -> Result<Vec<X>> {
        // Few wait, for they take memory.
        let (sender, receiver) = mpsc::sync_channel::<T>(self.threads);
        let receiver = Mutex::new(receiver);
        thread::scope(|scope| {
            let (receiver, work) = (&receiver, &work);
            let next = move || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
            let worker = move || {
                let done = panic::catch_unwind(AssertUnwindSafe(|| work(&mut std::iter::from_fn(next))));
                let done = done.unwrap_or_else(|_| Err(Error::job("a thread has failed")));
                if done.is_err() {
                    // Nobody waits for a thread that takes no more.
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

    /// States of all pieces, by threads.
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

    /// States of all partitions, by threads.
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
        // Also by a run that will need no temporary files. What cannot be deleted now is when some are made.
        drop(delete_abandoned(&self.directory));
        let bar = self.progress.bar();
        let states = if job.needs_partitions() { self.fold_partitions(job, &bar) } else { self.fold(job, &bar) };
        let mut all: Box<dyn Folding + '_> = job.folding()?;
        states?.iter().try_for_each(|state| all.merge(state))?;
        bar.finish_and_clear();
        all.bytes()
    }
}
