//! Functions that gather a dataset into a small state, so that its parts may come one after another or be treated by
//! several threads.

use super::{
    Error, ErrorKind, Fallible,
    rows::{Between, Cut, Rows},
};
use std::{
    any::Any,
    borrow::Borrow,
    marker::PhantomData,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

/// A function of a dataset that is evaluated by parts.
///
/// Promise: after absorbing and merging the parts of a dataset, in any order and by any number of states, `finish`
/// gives the function's value at the dataset, up to the order of rows where it takes rows in any order, and to the last
/// bit.
pub(crate) struct Fold<TI: ?Sized, TO> {
    cut: Cut<TI>,
    start: Arc<dyn Fn() -> Box<dyn State<TI, TO>> + Send + Sync>,
}

/// What is known of the rows seen so far.
pub(super) trait State<TI: ?Sized, TO>: Send {
    /// Take in more rows.
    fn absorb(&mut self, rows: &TI) -> Fallible<()>;
    /// Take in what another state of the same fold knows.
    fn merge(&mut self, other: Box<dyn Any>) -> Fallible<()>;
    /// The state, for `merge` of another.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
    /// The function's value at all rows.
    fn finish(self: Box<Self>) -> Fallible<TO>;
}

/// Data of fewer rows for each thread are not worth a thread.
const ROWS_FOR_A_THREAD: usize = 1 << 20;

/// How many threads are worth it. The system is asked how many there are only where more than one would be: it takes
/// longer to answer (on Linux from files) than a small fold takes.
fn threads_for(rows: usize) -> usize {
    match rows / ROWS_FOR_A_THREAD {
        0 | 1 => 1,
        worth => worth.min(thread::available_parallelism().map_or(1, usize::from)),
    }
}

impl<TI: ?Sized, TO> Fold<TI, TO> {
    /// How many rows there are.
    pub(super) fn rows(&self, data: &TI) -> usize {
        self.cut.rows(data)
    }

    /// The state that knows nothing.
    pub(super) fn start(&self) -> Box<dyn State<TI, TO>> {
        (self.start)()
    }

    /// Whether states of this fold and of another may be merged: they are one fold, or clones of it.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.start, &other.start)
    }

    /// The value at `data`, chunk by chunk, each of which must satisfy `admits`; by several threads where there are
    /// many rows.
    pub(super) fn eval(&self, data: &TI, admits: &(dyn Fn(&TI) -> Fallible<()> + Sync)) -> Fallible<TO> {
        let rows = self.rows(data);
        let threads = threads_for(rows);
        if threads == 1 {
            return self.absorbed(self.start(), data, admits)?.finish();
        }
        let states = Mutex::new(Vec::new());
        self.cut.by_threads(data, rows.div_ceil(threads), &|share| {
            let state = self.absorbed(self.start(), share, admits);
            states.lock().unwrap_or_else(PoisonError::into_inner).push(state);
        });
        let states = states.into_inner().unwrap_or_else(PoisonError::into_inner);
        states.into_iter().try_fold(self.start(), |all, state| merged(all, state?))?.finish()
    }

    /// A state with more rows in it.
    pub(super) fn absorbed(
        &self,
        mut state: Box<dyn State<TI, TO>>,
        data: &TI,
        admits: &dyn Fn(&TI) -> Fallible<()>,
    ) -> Fallible<Box<dyn State<TI, TO>>> {
        for chunk in self.cut.chunks(data) {
            admits(chunk)?;
            state.absorb(chunk)?;
        }
        Ok(state)
    }
}

impl<TI: ?Sized + 'static, TO: 'static> Fold<TI, TO> {
    /// This fold on the images of rows under a function.
    pub(super) fn after<TX: ?Sized + 'static, X: Borrow<TI> + Send + 'static>(self, rows: Rows<TX, X>) -> Fold<TX, TO> {
        let cut = rows.cut;
        let start =
            move || -> Box<dyn State<TX, TO>> { Box::new(OfImages { images: rows.between(), state: (self.start)() }) };
        Fold { cut, start: Arc::new(start) }
    }

    /// This fold and a function of its value.
    pub(super) fn then<TX: 'static>(self, next: impl Fn(TO) -> Fallible<TX> + Send + Sync + 'static) -> Fold<TI, TX> {
        let (cut, next) = (self.cut, Arc::new(next));
        let start =
            move || -> Box<dyn State<TI, TX>> { Box::new(Continued { state: (self.start)(), next: next.clone() }) };
        Fold { cut, start: Arc::new(start) }
    }
}

/// One state from two of the same fold.
pub(super) fn merged<TI: ?Sized, TO>(
    mut state: Box<dyn State<TI, TO>>,
    other: Box<dyn State<TI, TO>>,
) -> Fallible<Box<dyn State<TI, TO>>> {
    state.merge(other.into_any())?;
    Ok(state)
}

impl<TI: ?Sized, TO> Clone for Fold<TI, TO> {
    fn clone(&self) -> Self {
        Self { cut: self.cut, start: self.start.clone() }
    }
}

impl<A: Sync + 'static, TO: 'static> Fold<[A], TO> {
    /// A fold from its parts; see `Function::fold`.
    pub(super) fn new<S: Send + 'static>(
        start: impl Fn() -> S + Send + Sync + 'static,
        absorb: impl Fn(&mut S, &[A]) -> Fallible<()> + Send + Sync + 'static,
        merge: impl Fn(&mut S, S) -> Fallible<()> + Send + Sync + 'static,
        finish: impl Fn(S) -> Fallible<TO> + Send + Sync + 'static,
    ) -> Self {
        let steps = Arc::new(Steps { absorb, merge, finish, types: PhantomData });
        let start = move || -> Box<dyn State<[A], TO>> { Box::new(Own { state: start(), steps: steps.clone() }) };
        Self { cut: Cut::slice(), start: Arc::new(start) }
    }
}

/// A state that a constructor has declared.
struct Own<S, T> {
    state: S,
    steps: Arc<T>,
}

struct Steps<A, S, TO, FA, FM, FF> {
    absorb: FA,
    merge: FM,
    finish: FF,
    types: PhantomData<fn(&[A], S) -> TO>,
}

impl<A, S, TO, FA, FM, FF> State<[A], TO> for Own<S, Steps<A, S, TO, FA, FM, FF>>
where
    A: 'static,
    S: Send + 'static,
    TO: 'static,
    FA: Fn(&mut S, &[A]) -> Fallible<()> + Send + Sync + 'static,
    FM: Fn(&mut S, S) -> Fallible<()> + Send + Sync + 'static,
    FF: Fn(S) -> Fallible<TO> + Send + Sync + 'static,
{
    fn absorb(&mut self, rows: &[A]) -> Fallible<()> {
        (self.steps.absorb)(&mut self.state, rows)
    }

    fn merge(&mut self, other: Box<dyn Any>) -> Fallible<()> {
        (self.steps.merge)(&mut self.state, same::<Self>(other)?.state)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn finish(self: Box<Self>) -> Fallible<TO> {
        (self.steps.finish)(self.state)
    }
}

/// A state of a fold on images of rows.
struct OfImages<TI: ?Sized, X, Y: ?Sized, TO> {
    images: Between<TI, X>,
    state: Box<dyn State<Y, TO>>,
}

impl<TI: ?Sized + 'static, X: Borrow<Y> + Send + 'static, Y: ?Sized + 'static, TO: 'static> State<TI, TO>
    for OfImages<TI, X, Y, TO>
{
    fn absorb(&mut self, rows: &TI) -> Fallible<()> {
        self.state.absorb(self.images.images(rows).borrow())
    }

    fn merge(&mut self, other: Box<dyn Any>) -> Fallible<()> {
        self.state.merge(same::<Self>(other)?.state.into_any())
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn finish(self: Box<Self>) -> Fallible<TO> {
        self.state.finish()
    }
}

/// A state whose value goes on to a function.
struct Continued<TI: ?Sized, X, F> {
    state: Box<dyn State<TI, X>>,
    next: Arc<F>,
}

impl<TI: ?Sized + 'static, X: 'static, TO: 'static, F> State<TI, TO> for Continued<TI, X, F>
where
    F: Fn(X) -> Fallible<TO> + Send + Sync + 'static,
{
    fn absorb(&mut self, rows: &TI) -> Fallible<()> {
        self.state.absorb(rows)
    }

    fn merge(&mut self, other: Box<dyn Any>) -> Fallible<()> {
        self.state.merge(same::<Self>(other)?.state.into_any())
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn finish(self: Box<Self>) -> Fallible<TO> {
        (self.next)(self.state.finish()?)
    }
}

/// The other state, if it is of the same type. States of one fold are.
fn same<S: 'static>(other: Box<dyn Any>) -> Fallible<Box<S>> {
    let different = |_| Error::new(ErrorKind::Mismatch, "partial aggregates of different constructions do not merge");
    other.downcast().map_err(different)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// So many rows that threads share them, where there are two processors.
    #[test]
    fn no_row_is_lost_between_threads() {
        let size = 2 * ROWS_FOR_A_THREAD + 5;
        let bits = VectorDomain::new(AtomDomain::u8().with_bounds((0, 1)).unwrap());
        let sum = make_sum(bits, SymmetricDistance).unwrap();
        let mut data = vec![1u8; size];
        assert_eq!(sum.invoke(&data), Ok(size.try_into().unwrap()));
        for place in [0, ROWS_FOR_A_THREAD + 1, size - 1] {
            data[place] = 2;
            assert_eq!(sum.invoke(&data).unwrap_err().kind(), ErrorKind::Domain);
            data[place] = 1;
        }
    }

    /// The shares of threads, by which a whole is made.
    #[test]
    fn shares_are_all_rows_once() {
        for (rows, share) in [(10usize, 3), (9, 3), (1, 5), (4, 0)] {
            let (all, seen) = ((0..rows).collect::<Vec<_>>(), Mutex::new(Vec::new()));
            Cut::slice().by_threads(&all[..], share, &|rows: &[usize]| seen.lock().unwrap().extend_from_slice(rows));
            let mut seen = seen.into_inner().unwrap();
            seen.sort_unstable();
            assert_eq!(seen, all);
        }
    }
}
