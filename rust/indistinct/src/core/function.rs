//! The functions inside of transformations and measurements.
//!
//! # How a constructor declares what its function is
//!
//! A function of rows that is declared as what it is runs in chunks that fit the processor's cache, several steps at a
//! time, without a copy of the data between two steps.
//!
//! | the function | is declared by |
//! |---|---|
//! | one row from each row | `Function::row_by_row(|row| image)` |
//! | any number of rows from each row | `Function::rows_from_each(|row| images)` |
//! | the same of batches of rows | `Function::rows_from_batches`, `Function::batch_by_batch` |
//! | rows from the rows of each individual | `Function::by_individuals`, `Function::batches_by_individuals`, `Function::pieces_by_individuals` |
//! | a value of all rows, by a state that is small and can be merged | `Function::fold(start, absorb, merge, finish)` |
//! | anything else | `Function::new`, `Function::new_fallible` |
//!
//! Two of the first kinds make one of them, one before a fold makes a fold, and so does any function of a fold's value.
//! Several folds make one (`RandomizedFunction::all`), in which what they all begin with is done once (`shared.rs`).
//! So a chain that begins with a fold, or with rows that end in one, is a fold: its data may come by parts
//! (`Transformation::aggregate`). `proofs/core/streams.md` says what a constructor promises and why all ways of
//! evaluation agree.
//!
//! # From data to a release
//!
//! The steps of `invoke` on `clamp >> sum >> laplace`, of which `>>` has made one fold: the rows of the first, the
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

/// A deterministic function that may fail; cheap to clone, shared by threads.
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
    /// A function that always has a value.
    pub fn new(function: impl Fn(&TI) -> TO + Send + Sync + 'static) -> Self {
        Self::new_fallible(move |input| Ok(function(input)))
    }

    /// A function that may fail.
    pub fn new_fallible(function: impl Fn(&TI) -> Fallible<TO> + Send + Sync + 'static) -> Self {
        Self(Form::Whole(Arc::new(function)))
    }
}

impl<TI: ?Sized + 'static, TO: 'static> Function<TI, TO> {
    /// The value at `input`.
    pub fn eval(&self, input: &TI) -> Fallible<TO> {
        match &self.0 {
            Form::Whole(function) => function(input),
            Form::Rows(rows) => Ok(rows.eval(input)),
            Form::Individuals(individuals) => Ok(individuals.eval(input)),
            Form::Fold(fold) => fold.eval(input, &|_| Ok(())),
        }
    }

    /// The value at `input`, which must be a member of a domain. A fold looks at each chunk once, for both.
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

    /// Returns true if it is declared as rows, one after the other, from each row alone: then more rows have all the
    /// images of fewer, and maybe more.
    pub(super) fn is_of_single_rows(&self) -> bool {
        matches!(self.0, Form::Rows(_))
    }
}

impl<TI: ?Sized + 'static, TO: 'static> Function<TI, TO> {
    /// This function, then `next`: as rows or as a fold where it can be one.
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

/// A fold's value at `input`, each chunk of which is checked when its turn comes.
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
    /// The image of each row, a function of the row alone.
    pub(crate) fn row_by_row(image: impl Fn(&A) -> B + Send + Sync + 'static) -> Self {
        Self(Form::Rows(Rows::new(move |rows: &[A], images: &mut Vec<B>| images.extend(rows.iter().map(&image)))))
    }

    /// The images of each row, any number of them, a function of the row alone.
    pub(crate) fn rows_from_each<I: IntoIterator<Item = B>>(images: impl Fn(&A) -> I + Send + Sync + 'static) -> Self {
        Self(Form::Rows(Rows::new(move |rows: &[A], all: &mut Vec<B>| all.extend(rows.iter().flat_map(&images)))))
    }

    /// Rows from the rows of each individual; the promise is that of `Individuals`.
    pub(crate) fn by_individuals(function: impl Fn(&[A]) -> Vec<B> + Send + Sync + 'static) -> Self {
        Self(Form::Individuals(Individuals::new(Cut::slice(), move |rows, put| put(function(rows)))))
    }
}

#[cfg(feature = "frames")]
#[allow(private_bounds)]
impl<A: Batched + 'static, B: 'static> Function<[A], Vec<B>> {
    /// Rows from batches: `append` gives the images of each row of a batch, a function of the row alone.
    pub(crate) fn rows_from_batches(append: impl Fn(&A, &mut Vec<B>) + Send + Sync + 'static) -> Self {
        Self(Form::Rows(Rows::of_batches(append)))
    }

    /// A batch from each batch, of images of its rows, each a function of the row alone.
    pub(crate) fn batch_by_batch(image: impl Fn(&A) -> B + Send + Sync + 'static) -> Self {
        Self(Form::Rows(Rows::batches_of_batches(image)))
    }

    /// Rows of batches, from the rows of each individual; the promise is that of `Individuals`.
    pub(crate) fn batches_by_individuals(function: impl Fn(&[A]) -> Vec<B> + Send + Sync + 'static) -> Self {
        Self::pieces_by_individuals(move |batches, put| put(function(batches)))
    }

    /// The same, where the rows are many more than those that they are made of: in pieces, each of whole individuals.
    pub(crate) fn pieces_by_individuals(
        function: impl Fn(&[A], &mut dyn FnMut(Vec<B>)) + Send + Sync + 'static,
    ) -> Self {
        Self(Form::Individuals(Individuals::new(Cut::batches(), function)))
    }
}

impl<A: Sync + 'static, TO: 'static> Function<[A], TO> {
    /// A value of all rows, in whatever parts and order they come: `start` is the state without rows, `absorb` takes in
    /// rows, `merge` what another state has taken in, and `finish` gives the value.
    ///
    /// The value must be the same, to the last bit, for every way to cut the data into parts, to absorb these in states
    /// of their own and to merge the states.
    pub(crate) fn fold<S: Stored + Send + 'static>(
        start: impl Fn() -> S + Send + Sync + 'static,
        absorb: impl Fn(&mut S, &[A]) -> Fallible<()> + Send + Sync + 'static,
        merge: impl Fn(&mut S, S) -> Fallible<()> + Send + Sync + 'static,
        finish: impl Fn(S) -> Fallible<TO> + Send + Sync + 'static,
    ) -> Self {
        Self(Form::Fold(Fold::new(Cut::slice(), start, absorb, merge, finish)))
    }

    /// The same of the rows of individuals, if all rows of an individual are absorbed at once.
    pub(crate) fn fold_by_individuals<S: Stored + Send + 'static>(
        start: impl Fn() -> S + Send + Sync + 'static,
        absorb: impl Fn(&mut S, &[A]) -> Fallible<()> + Send + Sync + 'static,
        merge: impl Fn(&mut S, S) -> Fallible<()> + Send + Sync + 'static,
        finish: impl Fn(S) -> Fallible<TO> + Send + Sync + 'static,
    ) -> Self {
        Self(Form::Fold(Fold::new(Cut::slice().whole(), start, absorb, merge, finish)))
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

/// A function whose value also depends on random bits, and on nothing else.
pub struct RandomizedFunction<TI: ?Sized, TO>(RandomizedForm<TI, TO>);

enum RandomizedForm<TI: ?Sized, TO> {
    Whole(Arc<Randomized<TI, TO>>),
    Fold(Fold<TI, Draw<TO>>),
}

type Randomized<TI, TO> = dyn Fn(&TI, &mut dyn Entropy) -> Fallible<TO> + Send + Sync;

/// The last step once all rows are in: the draw.
pub(super) type Draw<TO> = Box<dyn FnOnce(&mut dyn Entropy) -> Fallible<TO> + Send>;

impl<TI: ?Sized, TO> RandomizedFunction<TI, TO> {
    /// A function of an input and random bits.
    pub fn new(function: impl Fn(&TI, &mut dyn Entropy) -> Fallible<TO> + Send + Sync + 'static) -> Self {
        Self(RandomizedForm::Whole(Arc::new(function)))
    }
}

impl<TI: ?Sized, TO> RandomizedFunction<TI, TO> {
    /// A draw from the output distribution at `input`.
    pub fn eval(&self, input: &TI, entropy: &mut dyn Entropy) -> Fallible<TO> {
        match &self.0 {
            RandomizedForm::Whole(function) => function(input, entropy),
            RandomizedForm::Fold(fold) => fold.eval(input, &|_| Ok(()))?(entropy),
        }
    }

    /// A draw at `input`, which must be a member of a domain; nothing is drawn before all of it has been seen.
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
    /// A function, then this.
    pub(super) fn after<TX: ?Sized + 'static, X>(self, first: Function<TX, X>) -> RandomizedFunction<TX, TO>
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

    /// This and another, on the same input: first this one draws, then the other.
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

    /// This, with its value made into another one.
    pub(crate) fn map<TX: 'static>(
        self,
        next: impl Fn(TO) -> TX + Clone + Send + Sync + 'static,
    ) -> RandomizedFunction<TI, TX> {
        RandomizedFunction(match self.0 {
            RandomizedForm::Whole(first) => {
                RandomizedForm::Whole(Arc::new(move |input, entropy| Ok(next(first(input, entropy)?))))
            }
            RandomizedForm::Fold(first) => RandomizedForm::Fold(first.then(move |draw| {
                let next = next.clone();
                let draw: Draw<TX> = Box::new(move |entropy| Ok(next(draw(entropy)?)));
                Ok(draw)
            })),
        })
    }

    /// All of these on the same input, which draw in turn.
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

    /// This, then a function of what was drawn.
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
