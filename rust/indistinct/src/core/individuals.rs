//! Functions that process a dataset individual by individual, so that only the rows of one individual must be together.

use super::{
    rows::{Cut, Rows, append_to},
    shared::{Beginnings, Id, Shared},
};
use std::{borrow::Borrow, sync::Arc};

/// A function of the rows of individuals.
///
/// Promise: `f(a ++ b)` equals `f(a) ++ f(b)` up to the order of rows if no individual has rows in both `a` and `b`,
/// and the images of an individual's rows belong to that individual or to nobody. The images come in pieces, one after
/// another. No individual has images in two pieces, and all rows of nobody are in one piece, because equal rows of
/// nobody are numbered across all of them.
pub(crate) struct Individuals<TI: ?Sized, TO> {
    /// The cut, which keeps all rows together.
    pub(super) cut: Cut<TI>,
    pub(super) beginnings: Beginnings,
    /// Functions that make empty images, and append the images of a piece.
    images: (fn(usize) -> TO, fn(&mut TO, TO)),
    function: Arc<OfIndividuals<TI, TO>>,
}

/// Calls a function with the images of all rows, piece by piece.
type OfIndividuals<TI, TO> = dyn Fn(&TI, &Shared, &mut dyn FnMut(TO)) + Send + Sync;

impl<TI: ?Sized + 'static, B: 'static> Individuals<TI, Vec<B>> {
    /// Makes a function that emits its images piece by piece.
    pub(super) fn new(cut: Cut<TI>, function: impl Fn(&TI, &mut dyn FnMut(Vec<B>)) + Send + Sync + 'static) -> Self {
        Self::after(cut, Vec::new(), (Vec::with_capacity, append_to), move |data, _, put| function(data, put))
    }
}

impl<TI: ?Sized + 'static, TO: 'static> Individuals<TI, TO> {
    /// Makes a function whose first steps are `beginnings`.
    fn after(
        cut: Cut<TI>,
        mut beginnings: Beginnings,
        images: (fn(usize) -> TO, fn(&mut TO, TO)),
        function: impl Fn(&TI, &Shared, &mut dyn FnMut(TO)) + Send + Sync + 'static,
    ) -> Self {
        let function: Arc<OfIndividuals<TI, TO>> = Arc::new(function);
        beginnings.push(Arc::as_ptr(&function).addr());
        Self { cut: cut.whole(), beginnings, images, function }
    }

    /// Calls `work` with each piece of the value at `data`, or with the whole value at once if other functions share
    /// it.
    pub(super) fn with(&self, data: &TI, shared: &Shared, work: &mut dyn FnMut(&TO)) {
        if let Ok(value) = shared.value(self.id(), || self.all(data, shared)) {
            return work(&value);
        }
        (self.function)(data, shared, &mut |piece| work(&piece));
    }

    fn id(&self) -> Id {
        Arc::as_ptr(&self.function).addr()
    }

    /// Returns the value at `data`.
    pub(super) fn eval(&self, data: &TI) -> TO {
        self.all(data, &Shared::none())
    }

    /// Returns all pieces of the value, concatenated.
    fn all(&self, data: &TI, shared: &Shared) -> TO {
        let (empty, append) = self.images;
        let mut all = None;
        (self.function)(data, shared, &mut |piece| match &mut all {
            None => all = Some(piece),
            Some(all) => append(all, piece),
        });
        all.unwrap_or_else(|| empty(0))
    }

    /// Returns another function of individuals followed by this one, applied to one piece after another.
    pub(super) fn after_individuals<TX: ?Sized + 'static, X: Borrow<TI> + 'static>(
        self,
        first: Individuals<TX, X>,
    ) -> Individuals<TX, TO> {
        let beginnings = first.beginnings.clone();
        Individuals::after(first.cut, beginnings, self.images, move |data, shared, put| {
            first.with(data, shared, &mut |images| (self.function)(images.borrow(), &Shared::none(), put));
        })
    }

    /// Returns a function of rows followed by this one.
    pub(super) fn after_rows<TX: ?Sized + 'static, X: Borrow<TI> + 'static>(
        self,
        first: Rows<TX, X>,
    ) -> Individuals<TX, TO> {
        let beginnings = first.beginnings.clone();
        Individuals::after(first.cut, beginnings, self.images, move |data, shared, put| {
            match shared.value(first.id(), || first.eval(data)) {
                Ok(images) => (self.function)((*images).borrow(), &Shared::none(), put),
                Err(images) => (self.function)(images().borrow(), &Shared::none(), put),
            }
        })
    }

    /// Returns this followed by a function of rows, applied to one piece after another.
    pub(super) fn then_rows<X: ?Sized + 'static, TX: 'static>(self, next: Rows<X, TX>) -> Individuals<TI, TX>
    where
        TO: Borrow<X>,
    {
        let (beginnings, images) = (self.beginnings.clone(), (next.empty, next.append));
        Individuals::after(self.cut, beginnings, images, move |data, shared, put| {
            self.with(data, shared, &mut |images| put(next.eval(images.borrow())));
        })
    }
}

impl<TI: ?Sized, TO> Clone for Individuals<TI, TO> {
    fn clone(&self) -> Self {
        let (beginnings, function) = (self.beginnings.clone(), self.function.clone());
        Self { cut: self.cut, beginnings, images: self.images, function }
    }
}
