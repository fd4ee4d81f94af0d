//! Functions that treat a dataset individual by individual, so that nobody's rows but an individual's own must be there
//! together.

use super::{
    rows::{Cut, Rows},
    shared::{Beginnings, Id, Shared},
};
use std::{borrow::Borrow, sync::Arc};

/// A function of the rows of individuals.
///
/// Promise: `f(a ++ b)` is `f(a) ++ f(b)` up to the order of rows, wherever no individual has rows in `a` and in `b`;
/// and the images of an individual's rows are rows of that individual, or of nobody.
pub(crate) struct Individuals<TI: ?Sized, TO> {
    /// Of all rows at once: it is not cut.
    pub(super) cut: Cut<TI>,
    pub(super) beginnings: Beginnings,
    function: Arc<OfIndividuals<TI, TO>>,
}

type OfIndividuals<TI, TO> = dyn Fn(&TI, &Shared) -> TO + Send + Sync;

impl<TI: ?Sized + 'static, TO: 'static> Individuals<TI, TO> {
    pub(super) fn new(cut: Cut<TI>, function: impl Fn(&TI) -> TO + Send + Sync + 'static) -> Self {
        Self::after(cut, Vec::new(), move |data, _| function(data))
    }

    /// A function that begins with others.
    fn after(
        cut: Cut<TI>,
        mut beginnings: Beginnings,
        function: impl Fn(&TI, &Shared) -> TO + Send + Sync + 'static,
    ) -> Self {
        let function: Arc<OfIndividuals<TI, TO>> = Arc::new(function);
        beginnings.push(Arc::as_ptr(&function).addr());
        Self { cut: cut.whole(), beginnings, function }
    }

    /// What is done with the value at `data`, which others may share.
    pub(super) fn with<X>(&self, data: &TI, shared: &Shared, work: impl FnOnce(&TO) -> X) -> X {
        match shared.value(self.id(), || (self.function)(data, shared)) {
            Ok(value) => work(&value),
            Err(value) => work(&value()),
        }
    }

    fn id(&self) -> Id {
        Arc::as_ptr(&self.function).addr()
    }

    /// The value at `data`.
    pub(super) fn eval(&self, data: &TI) -> TO {
        (self.function)(data, &Shared::none())
    }

    /// Another function of individuals, and then this.
    pub(super) fn after_individuals<TX: ?Sized + 'static, X: Borrow<TI> + 'static>(
        self,
        first: Individuals<TX, X>,
    ) -> Individuals<TX, TO> {
        let beginnings = first.beginnings.clone();
        Individuals::after(first.cut, beginnings, move |data, shared| {
            first.with(data, shared, |images| self.eval(images.borrow()))
        })
    }

    /// A function of rows, and then this.
    pub(super) fn after_rows<TX: ?Sized + 'static, X: Borrow<TI> + 'static>(
        self,
        first: Rows<TX, X>,
    ) -> Individuals<TX, TO> {
        let beginnings = first.beginnings.clone();
        Individuals::after(first.cut, beginnings, move |data, shared| {
            match shared.value(first.id(), || first.eval(data)) {
                Ok(images) => self.eval((*images).borrow()),
                Err(images) => self.eval(images().borrow()),
            }
        })
    }

    /// This, and then a function of rows.
    pub(super) fn then_rows<X: ?Sized + 'static, TX: 'static>(self, next: Rows<X, TX>) -> Individuals<TI, TX>
    where
        TO: Borrow<X>,
    {
        let beginnings = self.beginnings.clone();
        Individuals::after(self.cut, beginnings, move |data, shared| {
            self.with(data, shared, |images| next.eval(images.borrow()))
        })
    }
}

impl<TI: ?Sized, TO> Clone for Individuals<TI, TO> {
    fn clone(&self) -> Self {
        Self { cut: self.cut, beginnings: self.beginnings.clone(), function: self.function.clone() }
    }
}
