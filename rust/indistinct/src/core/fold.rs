//! Functions that reduce a dataset to a small state, so that its parts may arrive one after another or be processed by
//! several threads.

use super::{
    Error, ErrorKind, Fallible,
    individuals::Individuals,
    rows::{Between, Cut, Rows},
    shared::{Beginnings, Shared},
    stored::Stored,
};
use std::{
    any::Any,
    borrow::Borrow,
    marker::PhantomData,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

/// A function of a dataset that is evaluated in parts.
///
/// Promise: after the parts of a dataset are absorbed and merged, in any order and by any number of states, `finish`
/// returns the function's value at the dataset, to the last bit, and up to the order of rows if the function ignores
/// that order. If the fold must keep individuals whole, no two parts may share an individual.
pub(crate) struct Fold<TI: ?Sized, TO> {
    cut: Cut<TI>,
    start: Arc<dyn Fn() -> Box<dyn State<TI, TO>> + Send + Sync>,
}

/// The state of a fold after the rows seen so far.
pub(super) trait State<TI: ?Sized, TO>: Send {
    /// Absorbs more rows; `shared` must hold values for these rows.
    fn absorb(&mut self, rows: &TI, shared: &Shared) -> Fallible<()>;
    /// Adds the rows that another state of the same fold has absorbed.
    fn merge(&mut self, other: Box<dyn Any>) -> Fallible<()>;
    /// Returns the state as `Any`, so that another state can merge it.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
    /// Returns the function's value on all rows.
    fn finish(self: Box<Self>) -> Fallible<TO>;
    /// Returns the first steps of each function of rows in the fold.
    fn beginnings(&self) -> Vec<Beginnings>;
    /// Appends the state as bytes. States of the same rows write the same bytes.
    #[cfg_attr(not(feature = "plans"), allow(dead_code))]
    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()>;
    /// Replaces this empty state by the one that `write` encoded in the next bytes; `None` if they encode none.
    #[cfg_attr(not(feature = "plans"), allow(dead_code))]
    fn read(&mut self, bytes: &mut &[u8]) -> Option<()>;
}

/// A thread is started only for at least this number of rows.
const ROWS_FOR_A_THREAD: usize = 1 << 20;

/// Returns the number of threads to use. It asks the system for the number of processors only if more than one thread
/// would be used, because the system's answer (on Linux, from files) takes longer than a small fold.
fn threads_for(rows: usize) -> usize {
    match rows / ROWS_FOR_A_THREAD {
        0 | 1 => 1,
        worth => worth.min(thread::available_parallelism().map_or(1, usize::from)),
    }
}

impl<TI: ?Sized, TO> Fold<TI, TO> {
    /// Returns the number of rows.
    pub(super) fn rows(&self, data: &TI) -> usize {
        self.cut.rows(data)
    }

    /// Returns a state without rows.
    pub(super) fn start(&self) -> Box<dyn State<TI, TO>> {
        (self.start)()
    }

    /// Returns true if states of this fold and of `other` may be merged: they are clones of one fold.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.start, &other.start)
    }

    /// Returns true if all rows of an individual must be absorbed together.
    pub(super) fn is_whole(&self) -> bool {
        self.cut.is_whole()
    }

    /// Returns the value at `data`, chunk by chunk. Each chunk must satisfy `admits`. Large data are processed by
    /// several threads.
    pub(super) fn eval(&self, data: &TI, admits: &(dyn Fn(&TI) -> Fallible<()> + Sync)) -> Fallible<TO> {
        self.gathered(self.start(), data, admits)?.finish()
    }

    /// Returns a state with more rows absorbed, by several threads if there are many rows.
    fn gathered(
        &self,
        state: Box<dyn State<TI, TO>>,
        data: &TI,
        admits: &(dyn Fn(&TI) -> Fallible<()> + Sync),
    ) -> Fallible<Box<dyn State<TI, TO>>> {
        let rows = self.rows(data);
        let threads = if self.is_whole() { 1 } else { threads_for(rows) };
        if threads == 1 {
            return self.absorbed(state, data, admits);
        }
        let states = Mutex::new(Vec::new());
        self.cut.by_threads(data, rows.div_ceil(threads), &|share| {
            let state = self.absorbed(self.start(), share, admits);
            states.lock().unwrap_or_else(PoisonError::into_inner).push(state);
        });
        let states = states.into_inner().unwrap_or_else(PoisonError::into_inner);
        states.into_iter().try_fold(state, |all, state| merged(all, state?))
    }

    /// Returns a state with more rows absorbed.
    pub(super) fn absorbed(
        &self,
        mut state: Box<dyn State<TI, TO>>,
        data: &TI,
        admits: &dyn Fn(&TI) -> Fallible<()>,
    ) -> Fallible<Box<dyn State<TI, TO>>> {
        let shared = Shared::of(&state.beginnings());
        for chunk in self.cut.chunks(data) {
            admits(chunk)?;
            state.absorb(chunk, &shared)?;
            shared.forget();
        }
        Ok(state)
    }

    /// Absorbs more rows, possibly more than a chunk if this fold is one of several.
    fn take_in(&self, state: &mut Option<Box<dyn State<TI, TO>>>, rows: &TI, shared: (&Shared, bool)) -> Fallible<()> {
        let (shared, is_whole) = shared;
        let mut known = state.take().unwrap_or_else(|| self.start());
        if self.is_whole() == is_whole {
            known.absorb(rows, shared)?;
        } else {
            known = self.gathered(known, rows, &|_| Ok(()))?;
        }
        *state = Some(known);
        Ok(())
    }
}

impl<TI: ?Sized + 'static, TO: 'static> Fold<TI, TO> {
    /// Returns this fold of the images of rows under a function.
    pub(super) fn after<TX: ?Sized + 'static, X: Borrow<TI> + Send + 'static>(self, rows: Rows<TX, X>) -> Fold<TX, TO> {
        let cut = if self.is_whole() { rows.cut.whole() } else { rows.cut };
        let start =
            move || -> Box<dyn State<TX, TO>> { Box::new(OfImages { images: rows.between(), state: (self.start)() }) };
        Fold { cut, start: Arc::new(start) }
    }

    /// Returns this fold of the images of individuals' rows under a function.
    pub(super) fn after_individuals<TX: ?Sized + 'static, X: Borrow<TI> + 'static>(
        self,
        first: Individuals<TX, X>,
    ) -> Fold<TX, TO> {
        let cut = first.cut;
        let start = move || -> Box<dyn State<TX, TO>> {
            Box::new(OfIndividuals { first: first.clone(), fold: self.clone(), state: None })
        };
        Fold { cut, start: Arc::new(start) }
    }

    /// Returns one fold that computes the values of both.
    pub(super) fn both<TX: 'static>(self, other: Fold<TI, TX>) -> Fold<TI, (TO, TX)> {
        let (cut, is_whole) = self.cut.with(other.cut);
        let start = move || -> Box<dyn State<TI, (TO, TX)>> {
            let (one, other) = ((self.clone(), Some(self.start())), (other.clone(), Some(other.start())));
            Box::new(Both { one, other, is_whole })
        };
        Fold { cut, start: Arc::new(start) }
    }

    /// Returns one fold that computes the values of several; `None` if the list is empty.
    pub(super) fn all(folds: Vec<Self>) -> Option<Fold<TI, Vec<TO>>> {
        let first = folds.first()?.cut;
        let (cut, is_whole) = folds.iter().fold((first, first.is_whole()), |(cut, _), fold| cut.with(fold.cut));
        let start = move || -> Box<dyn State<TI, Vec<TO>>> {
            let states = folds.iter().map(|fold| (fold.clone(), Some(fold.start()))).collect();
            Box::new(All { states, is_whole })
        };
        Some(Fold { cut, start: Arc::new(start) })
    }

    /// Returns this fold followed by a function of its value.
    pub(super) fn then<TX: 'static>(self, next: impl Fn(TO) -> Fallible<TX> + Send + Sync + 'static) -> Fold<TI, TX> {
        let (cut, next) = (self.cut, Arc::new(next));
        let start =
            move || -> Box<dyn State<TI, TX>> { Box::new(Continued { state: (self.start)(), next: next.clone() }) };
        Fold { cut, start: Arc::new(start) }
    }
}

/// Merges two states of the same fold.
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
    /// Makes a fold from its parts; see `Function::fold`.
    pub(super) fn new<S: Stored + Send + 'static>(
        cut: Cut<[A]>,
        start: impl Fn() -> S + Send + Sync + 'static,
        absorb: impl Fn(&mut S, &[A]) -> Fallible<()> + Send + Sync + 'static,
        merge: impl Fn(&mut S, S) -> Fallible<()> + Send + Sync + 'static,
        finish: impl Fn(S) -> Fallible<TO> + Send + Sync + 'static,
    ) -> Self {
        let steps = Arc::new(Steps { absorb, merge, finish, types: PhantomData });
        let start = move || -> Box<dyn State<[A], TO>> { Box::new(Own { state: start(), steps: steps.clone() }) };
        Self { cut, start: Arc::new(start) }
    }
}

/// A state declared by a constructor.
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
    S: Stored + Send + 'static,
    TO: 'static,
    FA: Fn(&mut S, &[A]) -> Fallible<()> + Send + Sync + 'static,
    FM: Fn(&mut S, S) -> Fallible<()> + Send + Sync + 'static,
    FF: Fn(S) -> Fallible<TO> + Send + Sync + 'static,
{
    fn absorb(&mut self, rows: &[A], _: &Shared) -> Fallible<()> {
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

    fn beginnings(&self) -> Vec<Beginnings> {
        Vec::new()
    }

    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        self.state.write(bytes)
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        self.state.read(bytes)
    }
}

/// The state of a fold of the images of rows.
struct OfImages<TI: ?Sized, X, Y: ?Sized, TO> {
    images: Between<TI, X>,
    state: Box<dyn State<Y, TO>>,
}

impl<TI: ?Sized + 'static, X: Borrow<Y> + Send + 'static, Y: ?Sized + 'static, TO: 'static> State<TI, TO>
    for OfImages<TI, X, Y, TO>
{
    fn absorb(&mut self, rows: &TI, shared: &Shared) -> Fallible<()> {
        let state = &mut self.state;
        self.images.with(rows, shared, |images| state.absorb(images.borrow(), &Shared::of(&state.beginnings())))
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

    fn beginnings(&self) -> Vec<Beginnings> {
        vec![self.images.beginnings().clone()]
    }

    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        self.state.write(bytes)
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        self.state.read(bytes)
    }
}

/// The state of a fold of the images of individuals' rows.
struct OfIndividuals<TI: ?Sized, X, Y: ?Sized, TO> {
    first: Individuals<TI, X>,
    fold: Fold<Y, TO>,
    state: Option<Box<dyn State<Y, TO>>>,
}

impl<TI: ?Sized + 'static, X: Borrow<Y> + 'static, Y: ?Sized + 'static, TO: 'static> State<TI, TO>
    for OfIndividuals<TI, X, Y, TO>
{
    fn absorb(&mut self, rows: &TI, shared: &Shared) -> Fallible<()> {
        let fold = &self.fold;
        let (mut state, mut failed) = (Some(self.state.take().unwrap_or_else(|| fold.start())), Ok(()));
        self.first.with(rows, shared, &mut |images| {
            // Nothing is known any more after an error.
            let Some(known) = state.take() else { return };
            match fold.gathered(known, images.borrow(), &|_| Ok(())) {
                Ok(known) => state = Some(known),
                Err(error) => failed = Err(error),
            }
        });
        self.state = state;
        failed
    }

    fn merge(&mut self, other: Box<dyn Any>) -> Fallible<()> {
        merge_into(&mut self.state, same::<Self>(other)?.state)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn finish(self: Box<Self>) -> Fallible<TO> {
        self.state.unwrap_or_else(|| self.fold.start()).finish()
    }

    fn beginnings(&self) -> Vec<Beginnings> {
        vec![self.first.beginnings.clone()]
    }

    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        match &self.state {
            Some(state) => state.write(bytes),
            None => self.fold.start().write(bytes),
        }
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        self.state.insert(self.fold.start()).read(bytes)
    }
}

/// A fold and its state.
type Held<TI, TO> = (Fold<TI, TO>, Option<Box<dyn State<TI, TO>>>);

fn finished<TI: ?Sized, TO>((fold, state): Held<TI, TO>) -> Fallible<TO> {
    state.unwrap_or_else(|| fold.start()).finish()
}

fn merge_into<TI: ?Sized, TO>(
    state: &mut Option<Box<dyn State<TI, TO>>>,
    other: Option<Box<dyn State<TI, TO>>>,
) -> Fallible<()> {
    match (state, other) {
        (Some(state), Some(other)) => state.merge(other.into_any()),
        (state, Some(other)) => {
            *state = Some(other);
            Ok(())
        }
        (_, None) => Ok(()),
    }
}

/// The states of two folds.
struct Both<TI: ?Sized, TA, TB> {
    one: Held<TI, TA>,
    other: Held<TI, TB>,
    is_whole: bool,
}

impl<TI: ?Sized + 'static, TA: 'static, TB: 'static> State<TI, (TA, TB)> for Both<TI, TA, TB> {
    fn absorb(&mut self, rows: &TI, shared: &Shared) -> Fallible<()> {
        self.one.0.take_in(&mut self.one.1, rows, (shared, self.is_whole))?;
        self.other.0.take_in(&mut self.other.1, rows, (shared, self.is_whole))
    }

    fn merge(&mut self, other: Box<dyn Any>) -> Fallible<()> {
        let theirs = same::<Self>(other)?;
        merge_into(&mut self.one.1, theirs.one.1)?;
        merge_into(&mut self.other.1, theirs.other.1)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn finish(self: Box<Self>) -> Fallible<(TA, TB)> {
        Ok((finished(self.one)?, finished(self.other)?))
    }

    fn beginnings(&self) -> Vec<Beginnings> {
        [of_held(&self.one), of_held(&self.other)].concat()
    }

    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        write_held(&self.one, bytes)?;
        write_held(&self.other, bytes)
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        read_held(&mut self.one, bytes)?;
        read_held(&mut self.other, bytes)
    }
}

fn write_held<TI: ?Sized, TO>((fold, state): &Held<TI, TO>, bytes: &mut Vec<u8>) -> Fallible<()> {
    match state {
        Some(state) => state.write(bytes),
        None => fold.start().write(bytes),
    }
}

fn read_held<TI: ?Sized, TO>((fold, state): &mut Held<TI, TO>, bytes: &mut &[u8]) -> Option<()> {
    state.insert(fold.start()).read(bytes)
}

fn of_held<TI: ?Sized, TO>(held: &Held<TI, TO>) -> Vec<Beginnings> {
    held.1.as_ref().map(|state| state.beginnings()).unwrap_or_default()
}

/// The states of several folds.
struct All<TI: ?Sized, TO> {
    states: Vec<Held<TI, TO>>,
    is_whole: bool,
}

impl<TI: ?Sized + 'static, TO: 'static> State<TI, Vec<TO>> for All<TI, TO> {
    fn absorb(&mut self, rows: &TI, shared: &Shared) -> Fallible<()> {
        let is_whole = self.is_whole;
        self.states.iter_mut().try_for_each(|(fold, state)| fold.take_in(state, rows, (shared, is_whole)))
    }

    fn merge(&mut self, other: Box<dyn Any>) -> Fallible<()> {
        let theirs = same::<Self>(other)?.states;
        self.states.iter_mut().zip(theirs).try_for_each(|((_, state), (_, other))| merge_into(state, other))
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn finish(self: Box<Self>) -> Fallible<Vec<TO>> {
        self.states.into_iter().map(finished).collect()
    }

    fn beginnings(&self) -> Vec<Beginnings> {
        self.states.iter().flat_map(of_held).collect()
    }

    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        self.states.iter().try_for_each(|held| write_held(held, bytes))
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        self.states.iter_mut().try_for_each(|held| read_held(held, bytes))
    }
}

/// A state whose value is passed to a function.
struct Continued<TI: ?Sized, X, F> {
    state: Box<dyn State<TI, X>>,
    next: Arc<F>,
}

impl<TI: ?Sized + 'static, X: 'static, TO: 'static, F> State<TI, TO> for Continued<TI, X, F>
where
    F: Fn(X) -> Fallible<TO> + Send + Sync + 'static,
{
    fn absorb(&mut self, rows: &TI, shared: &Shared) -> Fallible<()> {
        self.state.absorb(rows, shared)
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

    fn beginnings(&self) -> Vec<Beginnings> {
        self.state.beginnings()
    }

    fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        self.state.write(bytes)
    }

    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        self.state.read(bytes)
    }
}

/// Returns the other state as this type. States of one fold have the same type.
fn same<S: 'static>(other: Box<dyn Any>) -> Fallible<Box<S>> {
    let different =
        |_| Error::new(ErrorKind::Mismatch, "partial aggregates of different constructions cannot be merged");
    other.downcast().map_err(different)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// Uses enough rows for several threads to share them, if there are two processors.
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
