//! The functions inside of transformations and measurements.

use super::Fallible;
use indistinct_sampling::Entropy;
use std::{fmt, sync::Arc};

/// A deterministic function that may fail; cheap to clone, shared by threads.
///
/// ```
/// use indistinct::prelude::*;
/// let double = Function::new(|x: &f64| 2.0 * x);
/// assert_eq!(double.eval(&21.0)?, 42.0);
/// # Ok::<(), Error>(())
/// ```
pub struct Function<TI: ?Sized, TO>(Arc<dyn Fn(&TI) -> Fallible<TO> + Send + Sync>);

impl<TI: ?Sized, TO> Function<TI, TO> {
    /// A function that always has a value.
    pub fn new(function: impl Fn(&TI) -> TO + Send + Sync + 'static) -> Self {
        Self::new_fallible(move |input| Ok(function(input)))
    }

    /// A function that may fail.
    pub fn new_fallible(function: impl Fn(&TI) -> Fallible<TO> + Send + Sync + 'static) -> Self {
        Self(Arc::new(function))
    }

    /// The value at `input`.
    pub fn eval(&self, input: &TI) -> Fallible<TO> {
        (self.0)(input)
    }
}

impl<TI: ?Sized, TO> Clone for Function<TI, TO> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<TI: ?Sized, TO> fmt::Debug for Function<TI, TO> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Function")
    }
}

/// A function whose value also depends on random bits, and on nothing else.
pub struct RandomizedFunction<TI: ?Sized, TO>(Arc<Randomized<TI, TO>>);

type Randomized<TI, TO> = dyn Fn(&TI, &mut dyn Entropy) -> Fallible<TO> + Send + Sync;

impl<TI: ?Sized, TO> RandomizedFunction<TI, TO> {
    /// A function of an input and random bits.
    pub fn new(function: impl Fn(&TI, &mut dyn Entropy) -> Fallible<TO> + Send + Sync + 'static) -> Self {
        Self(Arc::new(function))
    }

    /// A draw from the output distribution at `input`.
    pub fn eval(&self, input: &TI, entropy: &mut dyn Entropy) -> Fallible<TO> {
        (self.0)(input, entropy)
    }
}

impl<TI: ?Sized, TO> Clone for RandomizedFunction<TI, TO> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<TI: ?Sized, TO> fmt::Debug for RandomizedFunction<TI, TO> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RandomizedFunction")
    }
}
