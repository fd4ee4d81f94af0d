//! Functions that process a data set row by row, without the whole data set in memory.

use super::shared::{Beginnings, Id, Shared};
use std::{borrow::Borrow, sync::Arc, thread};

/// The number of rows processed at once: few enough that they and their images stay in the processor's cache.
pub(super) const CHUNK: usize = 1 << 10;

/// A way to split a dataset into parts.
pub(crate) struct Cut<T: ?Sized> {
    rows: fn(&T) -> usize,
    at: for<'a> fn(&'a T, usize) -> (&'a T, &'a T),
    by_threads: fn(Self, &T, usize, &Work<'_, T>),
    /// True if it is not split: all rows must be together.
    is_whole: bool,
}

/// The work on one part of the data.
pub(super) type Work<'a, T> = dyn Fn(&T) + Sync + 'a;

/// Many rows in one piece, which is not split.
#[cfg(feature = "frames")]
pub(crate) trait Batched: Sync {
    /// Returns the number of rows.
    fn rows(&self) -> usize;
}

impl<A: Sync> Cut<[A]> {
    /// Splits a slice of rows.
    pub(super) fn slice() -> Self {
        Self {
            rows: <[A]>::len,
            at: |rows, at| rows.split_at_checked(at).unwrap_or((rows, &[])),
            by_threads: slice_by_threads,
            is_whole: false,
        }
    }

    /// Splits a slice of batches: between two batches, where the left part has enough rows.
    #[cfg(feature = "frames")]
    pub(super) fn batches() -> Self
    where
        A: Batched,
    {
        Self {
            rows: |batches| batches.iter().map(A::rows).fold(0, usize::saturating_add),
            at: |batches, rows| {
                let mut before = 0usize;
                let enough = batches.iter().position(|batch| {
                    before = before.saturating_add(batch.rows());
                    before >= rows
                });
                batches.split_at_checked(enough.map_or(batches.len(), |last| last + 1)).unwrap_or((batches, &[]))
            },
            by_threads: slice_by_threads,
            is_whole: false,
        }
    }
}

fn slice_by_threads<A: Sync>(cut: Cut<[A]>, rows: &[A], share: usize, work: &Work<'_, [A]>) {
    thread::scope(|scope| {
        let mut shares = cut.parts(rows, share.max(1));
        let mine = shares.next();
        for theirs in shares {
            // What the system refuses to start a thread for is done by this one.
            if thread::Builder::new().spawn_scoped(scope, move || work(theirs)).is_err() {
                work(theirs);
            }
        }
        mine.map(work);
    });
}

impl<T: ?Sized> Cut<T> {
    /// Keeps all rows in one part.
    pub(super) fn whole(self) -> Self {
        Self { is_whole: true, ..self }
    }

    /// Combines this with another way to split, and returns whether either keeps all rows together.
    pub(super) fn with(self, other: Self) -> (Self, bool) {
        let is_whole = self.is_whole || other.is_whole;
        (Self { is_whole, ..self }, is_whole)
    }

    /// Returns true if all rows are in one part.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the number of rows.
    pub(super) fn rows(&self, data: &T) -> usize {
        (self.rows)(data)
    }

    /// Splits the data after at most this number of rows.
    pub(super) fn at<'a>(&self, data: &'a T, rows: usize) -> (&'a T, &'a T) {
        (self.at)(data, rows)
    }

    /// Processes parts of `share` rows each in separate threads.
    pub(super) fn by_threads(&self, data: &T, share: usize, work: &Work<'_, T>) {
        (self.by_threads)(*self, data, share, work);
    }

    /// Returns the data in parts of few rows, in order. Data without rows have no parts.
    pub(super) fn chunks<'a>(&self, data: &'a T) -> impl Iterator<Item = &'a T> {
        self.parts(data, CHUNK)
    }

    /// Returns the data in parts of about this number of rows, in order. Data without rows have no parts.
    fn parts<'a>(&self, mut data: &'a T, size: usize) -> impl Iterator<Item = &'a T> + use<'a, T> {
        let (cut, size) = (*self, if self.is_whole { usize::MAX } else { size });
        std::iter::from_fn(move || {
            let (part, rest) = cut.at(data, size);
            data = rest;
            (cut.rows(part) > 0).then_some(part)
        })
    }
}

impl<T: ?Sized> Clone for Cut<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Cut<T> {}

/// A concatenative function: `f(a ++ b) = f(a) ++ f(b)`. It is defined for every row.
///
/// Promise: a worker appends `f(rows)` to its output, whatever the output contains.
pub(crate) struct Rows<TI: ?Sized, TO> {
    pub(super) cut: Cut<TI>,
    pub(super) empty: fn(usize) -> TO,
    pub(super) clear: fn(&mut TO),
    /// Appends the images of more rows.
    pub(super) append: fn(&mut TO, TO),
    pub(super) worker: Arc<dyn Fn() -> Worker<TI, TO> + Send + Sync>,
    /// The first steps of this function, and the function itself.
    pub(super) beginnings: Beginnings,
}

/// Functions that allocate images of a number of rows, clear them, and append the images of more rows.
type Memory<TO> = (fn(usize) -> TO, fn(&mut TO), fn(&mut TO, TO));

/// Appends rows to others.
pub(super) fn append_to<B>(images: &mut Vec<B>, mut more: Vec<B>) {
    images.append(&mut more);
}

/// Appends the images of rows. It may own memory for intermediate results.
pub(super) type Worker<TI, TO> = Box<dyn FnMut(&TI, &mut TO, &Shared) + Send>;

impl<A: Sync + 'static, B: 'static> Rows<[A], Vec<B>> {
    pub(super) fn new(append: impl Fn(&[A], &mut Vec<B>) + Send + Sync + 'static) -> Self {
        let append = Arc::new(append);
        let worker = move || -> Worker<[A], Vec<B>> {
            let append = append.clone();
            Box::new(move |rows, images, _| append(rows, images))
        };
        Self::of_worker(Cut::slice(), (Vec::with_capacity, Vec::clear, append_to), Vec::new(), worker)
    }
}

#[cfg(feature = "frames")]
impl<A: Batched + 'static, B: 'static> Rows<[A], Vec<B>> {
    /// Makes a function of batches from a function of each row.
    pub(super) fn of_batches(append: impl Fn(&A, &mut Vec<B>) + Send + Sync + 'static) -> Self {
        let each = move |batches: &[A], images: &mut Vec<B>| batches.iter().for_each(|batch| append(batch, images));
        Self { cut: Cut::batches(), ..Self::new(each) }
    }

    /// Like `of_batches`, with one output batch for each input batch.
    pub(super) fn batches_of_batches(image: impl Fn(&A) -> B + Send + Sync + 'static) -> Self {
        Self { empty: |_| Vec::new(), ..Self::of_batches(move |batch, images: &mut Vec<B>| images.push(image(batch))) }
    }
}

impl<TI: ?Sized, TO> Rows<TI, TO> {
    /// Makes a function whose first steps are `beginnings`.
    fn of_worker(
        cut: Cut<TI>,
        (empty, clear, append): Memory<TO>,
        mut beginnings: Beginnings,
        worker: impl Fn() -> Worker<TI, TO> + Send + Sync + 'static,
    ) -> Self {
        let worker: Arc<dyn Fn() -> Worker<TI, TO> + Send + Sync> = Arc::new(worker);
        beginnings.push(Arc::as_ptr(&worker).addr());
        Self { cut, empty, clear, append, worker, beginnings }
    }

    pub(super) fn id(&self) -> Id {
        Arc::as_ptr(&self.worker).addr()
    }

    /// Returns the value at `data`.
    pub(super) fn eval(&self, data: &TI) -> TO {
        let mut images = (self.empty)(self.cut.rows(data));
        let mut worker = (self.worker)();
        self.cut.chunks(data).for_each(|chunk| worker(chunk, &mut images, &Shared::none()));
        images
    }

    /// Returns a worker that owns its images until it is called again.
    pub(super) fn between(&self) -> Between<TI, TO> {
        Between { rows: self.clone(), worker: (self.worker)(), images: (self.empty)(CHUNK) }
    }
}

impl<TI: ?Sized + 'static, TO: 'static> Rows<TI, TO> {
    /// Returns this function followed by another function of rows.
    pub(super) fn then<X: ?Sized + 'static, TX: 'static>(self, next: Rows<X, TX>) -> Rows<TI, TX>
    where
        TO: Borrow<X> + Send,
    {
        let (cut, memory, beginnings) = (self.cut, (next.empty, next.clear, next.append), self.beginnings.clone());
        let worker = move || -> Worker<TI, TX> {
            let (mut first, mut second) = (self.between(), (next.worker)());
            Box::new(move |rows, images, shared| {
                first.with(rows, shared, |between| second(between.borrow(), images, &Shared::none()));
            })
        };
        Rows::of_worker(cut, memory, beginnings, worker)
    }
}

impl<TI: ?Sized, TO> Clone for Rows<TI, TO> {
    fn clone(&self) -> Self {
        let Self { cut, empty, clear, append, worker, beginnings } = self;
        let (worker, beginnings) = (worker.clone(), beginnings.clone());
        Self { cut: *cut, empty: *empty, clear: *clear, append: *append, worker, beginnings }
    }
}

/// The images of one chunk at a time.
pub(super) struct Between<TI: ?Sized, TO> {
    rows: Rows<TI, TO>,
    worker: Worker<TI, TO>,
    images: TO,
}

impl<TI: ?Sized, TO: 'static> Between<TI, TO> {
    /// Calls `work` with the images of rows, which other functions may share.
    pub(super) fn with<X>(&mut self, rows: &TI, shared: &Shared, work: impl FnOnce(&TO) -> X) -> X {
        let value = || {
            let mut images = (self.rows.empty)(CHUNK);
            (self.worker)(rows, &mut images, shared);
            images
        };
        if let Ok(images) = shared.value(self.rows.id(), value) {
            return work(&images);
        }
        (self.rows.clear)(&mut self.images);
        (self.worker)(rows, &mut self.images, shared);
        work(&self.images)
    }

    pub(super) fn beginnings(&self) -> &Beginnings {
        &self.rows.beginnings
    }
}
