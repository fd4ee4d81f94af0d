//! The functions in transformations and measurements.
//!
//! # How a constructor declares what its function is
//!
//! A function of rows that is declared by its structure runs in chunks that fit the processor's cache, several steps at
//! a time, without copying the data between two steps.
//!
//! | function | declared by |
//! |---|---|
//! | one row from each row | `Function::row_by_row(\|row\| image)` |
//! | any number of rows from each row | `Function::rows_from_each(\|row\| images)` |
//! | any number of rows from each row, in batches | `Function::rows_from_batches`, `Function::batch_by_batch` |
//! | rows from the rows of each individual | `Function::by_individuals`, `Function::batches_by_individuals`, `Function::pieces_by_individuals` |
//! | a value of all rows, from a small state that can be merged | `Function::fold(start, absorb, merge, finish)` |
//! | a value of all rows, in batches | `Function::fold_batches`, `Function::fold_batches_by_individuals` |
//! | anything else | `Function::new`, `Function::new_fallible` |
//!
//! Functions of the first kinds combine to a function of the same kind. Such a function followed by a fold is a fold,
//! and so is a fold followed by any function of its value. Several folds combine to one fold
//! (`RandomizedFunction::all`), which evaluates their common first steps once (`shared.rs`). So a chain that begins
//! with a fold, or with functions of rows that lead to a fold, is a fold, and can take its data in parts
//! (`Transformation::aggregate`). `proofs/core/streams.md` states the promises of a constructor, and why all ways of
//! evaluation agree.
//!
//! # From data to a release
//!
//! The steps of `invoke` on `clamp >> sum >> laplace`, which `>>` combined into one fold: the rows of the first, the
//! state of the second, and the draw of the last.
//!
//! ```text
//! Measurement::invoke                 measurement.rs  the loss must be finite; bits of the system
//! `- RandomizedFunction::eval_in      function.rs     there is a fold, and the domain admits rows by parts
//!    |- Fold::eval                    fold.rs         for each thread's share, for each 1,024 rows (`Cut`, rows.rs):
//!    |  |- MemberByParts::admits_part domains/vector  are these rows in the domain? else an error
//!    |  |- State::absorb, of OfImages                 clamp's images of the rows (`Between`, rows.rs),
//!    |  |  `- State::absorb, of Own                   which the sum adds up (transformations/sum.rs, ExactSum)
//!    |  `- State::finish, of Continued                the exact sum, in a closure that awaits bits (`Draw`)
//!    `- Draw                          measurements/noise  the sum and its noise as one number, rounded once
//! ```

#[cfg(feature = "frames")]
use super::rows::Batched;
use super::{
    Domain, Fallible,
    fold::Fold,
    individuals::Individuals,
    member::{admitted, check_member},
    rows::{Cut, Rows},
    spaces::MemberByParts,
    stored::Stored,
};
use indistinct_sampling::Entropy;
use std::{borrow::Borrow, fmt, sync::Arc};

/// A deterministic function that may fail. Clones are cheap, and threads can share it.
///
/// ```
/// use indistinct::prelude::*;
/// let double = Function::new(|x: &f64| 2.0 * x);
/// assert_eq!(double.eval(&21.0)?, 42.0);
/// # Ok::<(), Error>(())
/// ```
pub struct Function<TI: ?Sized, TO>(Form<TI, TO>);

/// The ways to evaluate a function.
enum Form<TI: ?Sized, TO> {
    Whole(Arc<dyn Fn(&TI) -> Fallible<TO> + Send + Sync>),
    Rows(Rows<TI, TO>),
    Individuals(Individuals<TI, TO>),
    Fold(Fold<TI, TO>),
}

impl<TI: ?Sized, TO> Function<TI, TO> {
    /// Makes a function that never fails.
    pub fn new(function: impl Fn(&TI) -> TO + Send + Sync + 'static) -> Self {
        Self::new_fallible(move |input| Ok(function(input)))
    }

    /// Makes a function that may fail.
    pub fn new_fallible(function: impl Fn(&TI) -> Fallible<TO> + Send + Sync + 'static) -> Self {
        Self(Form::Whole(Arc::new(function)))
    }
}

impl<TI: ?Sized + 'static, TO: 'static> Function<TI, TO> {
    /// Returns the value at `input`.
    pub fn eval(&self, input: &TI) -> Fallible<TO> {
        match &self.0 {
            Form::Whole(function) => function(input),
            Form::Rows(rows) => Ok(rows.eval(input)),
            Form::Individuals(individuals) => Ok(individuals.eval(input)),
            Form::Fold(fold) => fold.eval(input, &|_| Ok(())),
        }
    }

    /// Checks that `input` is a member of a domain, and returns the value at it. A fold reads each chunk once for both.
    pub(super) fn eval_in<D: Domain<Carrier = TI>>(&self, domain: &D, input: &TI) -> Fallible<TO> {
        match (&self.0, domain.by_parts()) {
            (Form::Fold(fold), Some(parts)) => eval_by_parts(fold, (domain, parts), input),
            _ => {
                check_member(domain, input)?;
                self.eval(input)
            }
        }
    }

    pub(super) fn as_fold(&self) -> Option<&Fold<TI, TO>> {
        match &self.0 {
            Form::Fold(fold) => Some(fold),
            _ => None,
        }
    }

    /// Returns true if the function is declared to map each row alone to rows. Adding rows to the data then never
    /// removes rows of its output.
    pub(super) fn is_of_single_rows(&self) -> bool {
        matches!(self.0, Form::Rows(_))
    }
}

impl<TI: ?Sized + 'static, TO: 'static> Function<TI, TO> {
    /// Returns this function followed by `next`, as a function of rows or as a fold if possible.
    pub(super) fn then<X: ?Sized + 'static, TX: 'static>(self, next: Function<X, TX>) -> Function<TI, TX>
    where
        TO: Borrow<X> + Send,
    {
        Function(match (self.0, next.0) {
            (Form::Rows(first), Form::Rows(second)) => Form::Rows(first.then(second)),
            (Form::Rows(first), Form::Individuals(second)) => Form::Individuals(second.after_rows(first)),
            (Form::Individuals(first), Form::Rows(second)) => Form::Individuals(first.then_rows(second)),
            (Form::Individuals(first), Form::Individuals(second)) => Form::Individuals(second.after_individuals(first)),
            (Form::Rows(first), Form::Fold(second)) => Form::Fold(second.after(first)),
            (Form::Individuals(first), Form::Fold(second)) => Form::Fold(second.after_individuals(first)),
            (Form::Fold(first), second) => {
                let second = Function(second);
                Form::Fold(first.then(move |value| second.eval(value.borrow())))
            }
            (first, second) => {
                let (first, second) = (Function(first), Function(second));
                Form::Whole(Arc::new(move |input| second.eval(first.eval(input)?.borrow())))
            }
        })
    }
}

/// Returns a fold's value at `input`. Each chunk is checked before it is absorbed.
fn eval_by_parts<D: Domain, TO>(
    fold: &Fold<D::Carrier, TO>,
    (domain, parts): (&D, &dyn MemberByParts<D::Carrier>),
    input: &D::Carrier,
) -> Fallible<TO> {
    admitted(parts.admits_rows(fold.rows(input)), domain)?;
    fold.eval(input, &|part| admitted(parts.admits_part(part), domain))
}

// What is declared here may be used before a fold (as `Rows` or as `Fold`); the promises are those of the two types.
impl<A: Sync + 'static, B: 'static> Function<[A], Vec<B>> {
    /// Maps each row to one row, which depends on that row alone.
    pub(crate) fn row_by_row(image: impl Fn(&A) -> B + Send + Sync + 'static) -> Self {
        Self(Form::Rows(Rows::new(move |rows: &[A], images: &mut Vec<B>| images.extend(rows.iter().map(&image)))))
    }

    /// Maps each row to any number of rows, which depend on that row alone.
    pub(crate) fn rows_from_each<I: IntoIterator<Item = B>>(images: impl Fn(&A) -> I + Send + Sync + 'static) -> Self {
        Self(Form::Rows(Rows::new(move |rows: &[A], all: &mut Vec<B>| all.extend(rows.iter().flat_map(&images)))))
    }

    /// Maps the rows of each individual to rows, with the promise of `Individuals`.
    pub(crate) fn by_individuals(function: impl Fn(&[A]) -> Vec<B> + Send + Sync + 'static) -> Self {
        Self(Form::Individuals(Individuals::new(Cut::slice(), move |rows, put| put(function(rows)))))
    }
}

#[cfg(feature = "frames")]
#[allow(private_bounds)]
impl<A: Batched + 'static, B: 'static> Function<[A], Vec<B>> {
    /// Maps batches to rows: `append` gives the images of each row of a batch, which depend on that row alone.
    pub(crate) fn rows_from_batches(append: impl Fn(&A, &mut Vec<B>) + Send + Sync + 'static) -> Self {
        Self(Form::Rows(Rows::of_batches(append)))
    }

    /// Maps each batch to a batch of the images of its rows, each of which depends on its row alone.
    pub(crate) fn batch_by_batch(image: impl Fn(&A) -> B + Send + Sync + 'static) -> Self {
        Self(Form::Rows(Rows::batches_of_batches(image)))
    }

    /// Maps the rows of each individual, in batches, to rows, with the promise of `Individuals`.
    pub(crate) fn batches_by_individuals(function: impl Fn(&[A]) -> Vec<B> + Send + Sync + 'static) -> Self {
        Self::pieces_by_individuals(move |batches, put| put(function(batches)))
    }

    /// Like `batches_by_individuals`, for functions with many more output rows than input rows: the output comes in
    /// pieces, each of whole individuals.
    pub(crate) fn pieces_by_individuals(
        function: impl Fn(&[A], &mut dyn FnMut(Vec<B>)) + Send + Sync + 'static,
    ) -> Self {
        Self(Form::Individuals(Individuals::new(Cut::batches(), function)))
    }
}

impl<A: Sync + 'static, TO: 'static> Function<[A], TO> {
    /// Computes a value from all rows, which may come in any parts and any order: `start` is the state without rows,
    /// `absorb` adds rows, `merge` adds the rows of another state, and `finish` returns the value.
    ///
    /// The value must be the same, to the last bit, for every way to split the data into parts, absorb the parts and
    /// merge the states.
    pub(crate) fn fold<S: Stored + Send + 'static>(
        start: impl Fn() -> S + Send + Sync + 'static,
        absorb: impl Fn(&mut S, &[A]) -> Fallible<()> + Send + Sync + 'static,
        merge: impl Fn(&mut S, S) -> Fallible<()> + Send + Sync + 'static,
        finish: impl Fn(S) -> Fallible<TO> + Send + Sync + 'static,
    ) -> Self {
        Self(Form::Fold(Fold::new(Cut::slice(), start, absorb, merge, finish)))
    }

    /// Like `fold`, for rows of individuals, where all rows of an individual are absorbed at once.
    pub(crate) fn fold_by_individuals<S: Stored + Send + 'static>(
        start: impl Fn() -> S + Send + Sync + 'static,
        absorb: impl Fn(&mut S, &[A]) -> Fallible<()> + Send + Sync + 'static,
        merge: impl Fn(&mut S, S) -> Fallible<()> + Send + Sync + 'static,
        finish: impl Fn(S) -> Fallible<TO> + Send + Sync + 'static,
    ) -> Self {
        Self(Form::Fold(Fold::new(Cut::slice().whole(), start, absorb, merge, finish)))
    }
}

#[cfg(feature = "frames")]
#[allow(private_bounds)]
impl<A: Batched + 'static, TO: 'static> Function<[A], TO> {
    /// [`fold`](Self::fold) of rows in batches.
    pub(crate) fn fold_batches<S: Stored + Send + 'static>(
        start: impl Fn() -> S + Send + Sync + 'static,
        absorb: impl Fn(&mut S, &[A]) -> Fallible<()> + Send + Sync + 'static,
        merge: impl Fn(&mut S, S) -> Fallible<()> + Send + Sync + 'static,
        finish: impl Fn(S) -> Fallible<TO> + Send + Sync + 'static,
    ) -> Self {
        Self(Form::Fold(Fold::new(Cut::batches(), start, absorb, merge, finish)))
    }

    /// [`fold_by_individuals`](Self::fold_by_individuals) of rows in batches.
    pub(crate) fn fold_batches_by_individuals<S: Stored + Send + 'static>(
        start: impl Fn() -> S + Send + Sync + 'static,
        absorb: impl Fn(&mut S, &[A]) -> Fallible<()> + Send + Sync + 'static,
        merge: impl Fn(&mut S, S) -> Fallible<()> + Send + Sync + 'static,
        finish: impl Fn(S) -> Fallible<TO> + Send + Sync + 'static,
    ) -> Self {
        Self(Form::Fold(Fold::new(Cut::batches().whole(), start, absorb, merge, finish)))
    }
}

impl<TI: ?Sized, TO> Clone for Function<TI, TO> {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Form::Whole(function) => Form::Whole(function.clone()),
            Form::Rows(rows) => Form::Rows(rows.clone()),
            Form::Individuals(individuals) => Form::Individuals(individuals.clone()),
            Form::Fold(fold) => Form::Fold(fold.clone()),
        })
    }
}

impl<TI: ?Sized, TO> fmt::Debug for Function<TI, TO> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Function")
    }
}

/// A function whose value depends on its input and on random bits only.
pub struct RandomizedFunction<TI: ?Sized, TO>(RandomizedForm<TI, TO>);

enum RandomizedForm<TI: ?Sized, TO> {
    Whole(Arc<Randomized<TI, TO>>),
    Fold(Fold<TI, Draw<TO>>),
}

type Randomized<TI, TO> = dyn Fn(&TI, &mut dyn Entropy) -> Fallible<TO> + Send + Sync;

/// The last step, once all rows are absorbed: the draw.
pub(super) type Draw<TO> = Box<dyn FnOnce(&mut dyn Entropy) -> Fallible<TO> + Send>;

impl<TI: ?Sized, TO> RandomizedFunction<TI, TO> {
    /// Makes a function of an input and random bits.
    pub fn new(function: impl Fn(&TI, &mut dyn Entropy) -> Fallible<TO> + Send + Sync + 'static) -> Self {
        Self(RandomizedForm::Whole(Arc::new(function)))
    }
}

impl<TI: ?Sized, TO> RandomizedFunction<TI, TO> {
    /// Draws from the output distribution at `input`.
    pub fn eval(&self, input: &TI, entropy: &mut dyn Entropy) -> Fallible<TO> {
        match &self.0 {
            RandomizedForm::Whole(function) => function(input, entropy),
            RandomizedForm::Fold(fold) => fold.eval(input, &|_| Ok(()))?(entropy),
        }
    }

    /// Checks that `input` is a member of a domain, and then draws. It draws nothing before the whole input is checked.
    pub(super) fn eval_in<D: Domain<Carrier = TI>>(
        &self,
        domain: &D,
        input: &TI,
        entropy: &mut dyn Entropy,
    ) -> Fallible<TO> {
        match (&self.0, domain.by_parts()) {
            (RandomizedForm::Fold(fold), Some(parts)) => eval_by_parts(fold, (domain, parts), input)?(entropy),
            _ => {
                check_member(domain, input)?;
                self.eval(input, entropy)
            }
        }
    }

    pub(super) fn as_fold(&self) -> Option<&Fold<TI, Draw<TO>>> {
        match &self.0 {
            RandomizedForm::Fold(fold) => Some(fold),
            RandomizedForm::Whole(_) => None,
        }
    }
}

impl<TI: ?Sized + 'static, TO: 'static> RandomizedFunction<TI, TO> {
    /// Returns this function applied to the value of `first`.
    pub(crate) fn after<TX: ?Sized + 'static, X>(self, first: Function<TX, X>) -> RandomizedFunction<TX, TO>
    where
        X: Borrow<TI> + Send + 'static,
    {
        RandomizedFunction(match (first.0, self.0) {
            (Form::Rows(first), RandomizedForm::Fold(second)) => RandomizedForm::Fold(second.after(first)),
            (Form::Individuals(first), RandomizedForm::Fold(second)) => {
                RandomizedForm::Fold(second.after_individuals(first))
            }
            (Form::Fold(first), second) => {
                let second = RandomizedFunction(second);
                RandomizedForm::Fold(first.then(move |value| {
                    let second = second.clone();
                    let draw: Draw<TO> = Box::new(move |entropy| second.eval(value.borrow(), entropy));
                    Ok(draw)
                }))
            }
            (first, second) => {
                let (first, second) = (Function(first), RandomizedFunction(second));
                RandomizedForm::Whole(Arc::new(move |input, entropy| second.eval(first.eval(input)?.borrow(), entropy)))
            }
        })
    }

    /// Returns this function and another on the same input. This one draws first.
    pub(crate) fn both<TX: 'static>(self, other: RandomizedFunction<TI, TX>) -> RandomizedFunction<TI, (TO, TX)> {
        RandomizedFunction(match (self.0, other.0) {
            (RandomizedForm::Fold(one), RandomizedForm::Fold(other)) => {
                RandomizedForm::Fold(one.both(other).then(|(one, other): (Draw<TO>, Draw<TX>)| {
                    let draw: Draw<(TO, TX)> = Box::new(move |entropy| Ok((one(entropy)?, other(entropy)?)));
                    Ok(draw)
                }))
            }
            (one, other) => {
                let (one, other) = (RandomizedFunction(one), RandomizedFunction(other));
                RandomizedForm::Whole(Arc::new(move |input, entropy| {
                    Ok((one.eval(input, entropy)?, other.eval(input, entropy)?))
                }))
            }
        })
    }

    /// Returns this function followed by a conversion of its value.
    pub(crate) fn map<TX: 'static>(
        self,
        next: impl Fn(TO) -> TX + Clone + Send + Sync + 'static,
    ) -> RandomizedFunction<TI, TX> {
        self.and_draw(move |value, _| Ok(next(value)))
    }

    /// This, then a function of its value and of further random bits.
    pub(crate) fn and_draw<TX: 'static>(
        self,
        next: impl Fn(TO, &mut dyn Entropy) -> Fallible<TX> + Clone + Send + Sync + 'static,
    ) -> RandomizedFunction<TI, TX> {
        RandomizedFunction(match self.0 {
            RandomizedForm::Whole(first) => {
                RandomizedForm::Whole(Arc::new(move |input, entropy| next(first(input, entropy)?, entropy)))
            }
            RandomizedForm::Fold(first) => RandomizedForm::Fold(first.then(move |draw| {
                let next = next.clone();
                let draw: Draw<TX> = Box::new(move |entropy| next(draw(entropy)?, entropy));
                Ok(draw)
            })),
        })
    }

    /// Returns all these functions on the same input. They draw in order.
    pub(crate) fn all(functions: Vec<Self>) -> RandomizedFunction<TI, Vec<TO>> {
        let folds: Option<Vec<_>> = functions.iter().map(|function| function.as_fold().cloned()).collect();
        RandomizedFunction(match folds.and_then(Fold::all) {
            Some(fold) => RandomizedForm::Fold(fold.then(|draws: Vec<Draw<TO>>| {
                let draw: Draw<Vec<TO>> =
                    Box::new(move |entropy| draws.into_iter().map(|draw| draw(entropy)).collect());
                Ok(draw)
            })),
            None => RandomizedForm::Whole(Arc::new(move |input, entropy| {
                functions.iter().map(|function| function.eval(input, entropy)).collect()
            })),
        })
    }

    /// Returns this function followed by a function of the drawn value.
    pub(super) fn then<TX: 'static>(self, next: Function<TO, TX>) -> RandomizedFunction<TI, TX> {
        RandomizedFunction(match self.0 {
            RandomizedForm::Whole(first) => {
                RandomizedForm::Whole(Arc::new(move |input, entropy| next.eval(&first(input, entropy)?)))
            }
            RandomizedForm::Fold(first) => RandomizedForm::Fold(first.then(move |draw| {
                let next = next.clone();
                let draw: Draw<TX> = Box::new(move |entropy| next.eval(&draw(entropy)?));
                Ok(draw)
            })),
        })
    }
}

impl<TI: ?Sized, TO> Clone for RandomizedFunction<TI, TO> {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            RandomizedForm::Whole(function) => RandomizedForm::Whole(function.clone()),
            RandomizedForm::Fold(fold) => RandomizedForm::Fold(fold.clone()),
        })
    }
}

impl<TI: ?Sized, TO> fmt::Debug for RandomizedFunction<TI, TO> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RandomizedFunction")
    }
}
