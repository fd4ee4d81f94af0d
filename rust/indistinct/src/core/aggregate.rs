//! Statistics of data that come by parts: from chunks of a file, from threads, from the nodes of an engine.

use super::{
    Domain, Error, ErrorKind, Fallible,
    fold::{Fold, State, merged},
    function::Draw,
    transformation::admitted,
};
use indistinct_sampling::{Entropy, OsEntropy};
use std::fmt;

/// What a transformation needs to know of the rows seen so far, by [`Transformation::aggregate`](super::Transformation::aggregate).
///
/// However the rows are cut into parts, absorbed by aggregates and merged, `finish` gives what `invoke` gives for all rows
/// at once, to the last bit. Every part is checked against the input domain, and a size that the domain states, at the end. An
/// aggregate is used up by each step, so that none goes on after an error. It is not private.
///
/// Aggregates merge that were made by one transformation or its clones, within one process.
pub struct Aggregate<DI: Domain, TO> {
    domain: DI,
    fold: Fold<DI::Carrier, TO>,
    state: Box<dyn State<DI::Carrier, TO>>,
    rows: usize,
}

impl<DI: Domain, TO: 'static> Aggregate<DI, TO> {
    pub(super) fn new(domain: &DI, fold: Option<&Fold<DI::Carrier, TO>>) -> Fallible<Self> {
        let message = "the function needs all rows at once: it has no aggregate";
        let whole = || Error::new(ErrorKind::Whole, message);
        let fold = fold.filter(|_| domain.by_parts().is_some()).ok_or_else(whole)?;
        Ok(Self { domain: domain.clone(), fold: fold.clone(), state: fold.start(), rows: 0 })
    }

    /// This aggregate with more rows in it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Domain`] if one of the rows lies outside the input domain.
    pub fn absorb(self, rows: &DI::Carrier) -> Fallible<Self> {
        let Self { domain, fold, state, rows: before } = self;
        let all = checked_sum(before, fold.rows(rows))?;
        let admits = |part: &DI::Carrier| domain.by_parts().is_some_and(|parts| parts.admits_part(part));
        let state = fold.absorbed(state, rows, &admits)?;
        Ok(Self { domain, fold, state, rows: all })
    }

    /// One aggregate with the rows of both.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Mismatch`] if they come from different transformations, even if those were built alike.
    pub fn merge(self, other: Self) -> Fallible<Self> {
        if !self.fold.is(&other.fold) {
            let message = "only aggregates that one construction has made, or its clones, can be merged";
            return Err(Error::new(ErrorKind::Mismatch, message));
        }
        let rows = checked_sum(self.rows, other.rows)?;
        Ok(Self { state: merged(self.state, other.state)?, rows, ..self })
    }

    /// The value at all rows together.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Domain`] if the input domain has a size, and the number of rows is another.
    pub fn finish(self) -> Fallible<TO> {
        admitted(self.domain.by_parts().is_some_and(|parts| parts.admits_rows(self.rows)))?;
        self.state.finish()
    }
}

fn checked_sum(rows: usize, more: usize) -> Fallible<usize> {
    rows.checked_add(more).ok_or_else(|| Error::new(ErrorKind::Numeric, "aggregate: more rows than can be counted"))
}

impl<DI: Domain, TO> fmt::Debug for Aggregate<DI, TO> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Aggregate")
    }
}

/// What a measurement needs to know of the rows seen so far, by [`Measurement::aggregate`](super::Measurement::aggregate).
///
/// As [`Aggregate`], but what comes out is a release: its law is that of `invoke` on all rows at once.
pub struct PrivateAggregate<DI: Domain, TO>(Aggregate<DI, Draw<TO>>);

impl<DI: Domain, TO: 'static> PrivateAggregate<DI, TO> {
    pub(super) fn new(domain: &DI, fold: Option<&Fold<DI::Carrier, Draw<TO>>>) -> Fallible<Self> {
        Ok(Self(Aggregate::new(domain, fold)?))
    }

    /// This aggregate with more rows in it; errors as for [`Aggregate::absorb`].
    pub fn absorb(self, rows: &DI::Carrier) -> Fallible<Self> {
        Ok(Self(self.0.absorb(rows)?))
    }

    /// One aggregate with the rows of both; errors as for [`Aggregate::merge`].
    pub fn merge(self, other: Self) -> Fallible<Self> {
        Ok(Self(self.0.merge(other.0)?))
    }

    /// A release on all rows together, with randomness from the operating system, once: it spends the loss of the measurement's map.
    /// An aggregate has no clones.
    ///
    /// # Errors
    ///
    /// As for [`Aggregate::finish`] and [`Measurement::invoke`](super::Measurement::invoke).
    pub fn release(self) -> Fallible<TO> {
        self.draw(&mut OsEntropy::new())
    }

    /// A release with randomness from `entropy`: for tests and audits, with the feature `testing`.
    #[cfg(feature = "testing")]
    pub fn release_with(self, entropy: &mut dyn Entropy) -> Fallible<TO> {
        self.draw(entropy)
    }

    fn draw(self, entropy: &mut dyn Entropy) -> Fallible<TO> {
        self.0.finish()?(entropy)
    }
}

impl<DI: Domain, TO> fmt::Debug for PrivateAggregate<DI, TO> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PrivateAggregate")
    }
}
