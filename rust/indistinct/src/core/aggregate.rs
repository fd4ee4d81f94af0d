//! Statistics of data that arrive in parts: chunks of a file, threads, or the nodes of an engine.

use super::{
    Domain, Error, ErrorKind, Fallible, Process,
    fold::{Fold, State, merged},
    function::Draw,
    member::admitted,
};
use indistinct_sampling::{Entropy, OsEntropy};
use std::fmt;

/// The state of a transformation over the rows seen so far, made by
/// [`Transformation::aggregate`](super::Transformation::aggregate). It is not private.
///
/// `finish` returns the result of `invoke` on all rows at once, to the last bit, whatever the way in which the rows are
/// split, absorbed and merged. Every part is checked against the input domain when it is absorbed; the number of rows,
/// if the domain states one, is checked at the end. Each step consumes the aggregate, so an aggregate cannot continue
/// after an error.
///
/// Two aggregates can be merged only if the same transformation, or clones of it, made them within one process.
pub struct Aggregate<DI: Domain, TO> {
    domain: DI,
    fold: Fold<DI::Carrier, TO>,
    state: Box<dyn State<DI::Carrier, TO>>,
    rows: usize,
}

impl<DI: Domain, TO: 'static> Aggregate<DI, TO> {
    pub(super) fn new(domain: &DI, fold: Option<&Fold<DI::Carrier, TO>>) -> Fallible<Self> {
        let message = "the function needs all rows at once, so it has no aggregate";
        let whole = || Error::new(ErrorKind::Whole, message);
        Self::partial(domain, fold.filter(|fold| !fold.is_whole())).map_err(|_| whole())
    }

    /// Like `new`, for a fold that must absorb all rows of an individual together.
    fn partial(domain: &DI, fold: Option<&Fold<DI::Carrier, TO>>) -> Fallible<Self> {
        let rule = "the function needs all rows at once, not only the rows of one individual";
        let whole = || Error::new(ErrorKind::Whole, rule);
        let fold = fold.filter(|_| domain.by_parts().is_some()).ok_or_else(whole)?;
        Ok(Self { domain: domain.clone(), fold: fold.clone(), state: fold.start(), rows: 0 })
    }

    /// Returns this aggregate with more rows absorbed.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Domain`] if one of the rows lies outside the input domain.
    pub fn absorb(self, rows: &DI::Carrier) -> Fallible<Self> {
        let Self { domain, fold, state, rows: before } = self;
        let all = checked_sum(before, fold.rows(rows))?;
        let admits =
            |part: &DI::Carrier| admitted(domain.by_parts().is_some_and(|parts| parts.admits_part(part)), &domain);
        let state = fold.absorbed(state, rows, &admits)?;
        Ok(Self { domain, fold, state, rows: all })
    }

    /// Returns one aggregate with the rows of both.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Mismatch`] if they come from different transformations, even if the transformations were
    /// built alike.
    pub fn merge(self, other: Self) -> Fallible<Self> {
        if !self.fold.is(&other.fold) {
            let message = "only aggregates of one transformation, or of its clones, can be merged";
            return Err(Error::new(ErrorKind::Mismatch, message));
        }
        self.merge_alike(other)
    }

    /// Like `merge`, for an aggregate that the caller knows was constructed alike.
    fn merge_alike(self, other: Self) -> Fallible<Self> {
        let rows = checked_sum(self.rows, other.rows)?;
        Ok(Self { state: merged(self.state, other.state)?, rows, ..self })
    }

    /// Returns the function's value on all rows together.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Domain`] if the input domain states a size, and the number of rows differs from it.
    pub fn finish(self) -> Fallible<TO> {
        admitted(self.domain.by_parts().is_some_and(|parts| parts.admits_rows(self.rows)), &self.domain)?;
        self.state.finish()
    }
}

fn checked_sum(rows: usize, more: usize) -> Fallible<usize> {
    rows.checked_add(more)
        .ok_or_else(|| Error::new(ErrorKind::Numeric, "aggregate: the number of rows exceeds the maximum"))
}

impl<DI: Domain, TO> fmt::Debug for Aggregate<DI, TO> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Aggregate")
    }
}

/// The state of a measurement over the rows seen so far, made by
/// [`Measurement::aggregate`](super::Measurement::aggregate).
///
/// This is like [`Aggregate`], but the result is a release, with the distribution of `invoke` on all rows at once. An
/// aggregate belongs to the process that made it. A forked child can neither release nor merge it, because its copy
/// would be a second release.
pub struct PrivateAggregate<DI: Domain, TO> {
    process: Process,
    rows: Aggregate<DI, Draw<TO>>,
}

impl<DI: Domain, TO: 'static> PrivateAggregate<DI, TO> {
    pub(super) fn new(domain: &DI, fold: Option<&Fold<DI::Carrier, Draw<TO>>>) -> Fallible<Self> {
        Ok(Self { process: Process::this(), rows: Aggregate::new(domain, fold)? })
    }

    /// Like `new`, for a fold that must absorb all rows of an individual together. The caller ensures that it does.
    #[cfg(feature = "plans")]
    pub(super) fn partial(domain: &DI, fold: Option<&Fold<DI::Carrier, Draw<TO>>>) -> Fallible<Self> {
        Ok(Self { process: Process::this(), rows: Aggregate::partial(domain, fold)? })
    }

    /// Returns this aggregate with more rows absorbed. It returns the errors of [`Aggregate::absorb`].
    pub fn absorb(self, rows: &DI::Carrier) -> Fallible<Self> {
        Ok(Self { rows: self.rows.absorb(rows)?, ..self })
    }

    /// Returns one aggregate with the rows of both. It returns the errors of [`Aggregate::merge`], and
    /// [`ErrorKind::Process`] in a forked child.
    pub fn merge(self, other: Self) -> Fallible<Self> {
        self.process.check()?;
        other.process.check()?;
        Ok(Self { rows: self.rows.merge(other.rows)?, ..self })
    }

    /// Returns true if all rows of an individual must be absorbed together.
    #[cfg(feature = "plans")]
    pub(crate) fn is_whole(&self) -> bool {
        self.rows.fold.is_whole()
    }

    #[cfg(feature = "plans")]
    pub(crate) fn rows(&self) -> usize {
        self.rows.rows
    }

    #[cfg(feature = "plans")]
    pub(crate) fn domain(&self) -> &DI {
        &self.rows.domain
    }

    /// Returns one aggregate with the rows of both, which the caller knows were constructed alike.
    #[cfg(feature = "plans")]
    pub(crate) fn merge_alike(self, other: Self) -> Fallible<Self> {
        self.process.check()?;
        other.process.check()?;
        Ok(Self { rows: self.rows.merge_alike(other.rows)?, ..self })
    }

    #[cfg(feature = "plans")]
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) -> Fallible<()> {
        self.rows.state.write(bytes)
    }

    /// Returns this aggregate, which has no rows, with the state that the next bytes encode.
    #[cfg(feature = "plans")]
    pub(crate) fn read(mut self, rows: usize, bytes: &mut &[u8]) -> Option<Self> {
        self.rows.state.read(bytes)?;
        self.rows.rows = rows;
        Some(self)
    }

    /// Releases the value on all rows together, once, with randomness from the operating system. The release spends the
    /// loss of the measurement's map. An aggregate cannot be cloned.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Aggregate::finish`] and [`Measurement::invoke`](super::Measurement::invoke), and
    /// [`ErrorKind::Process`] in a forked child of the process that made the aggregate.
    pub fn release(self) -> Fallible<TO> {
        self.draw(&mut OsEntropy::new())
    }

    /// Releases with randomness from `entropy`, for tests and audits, with the feature `testing`.
    #[cfg(feature = "testing")]
    pub fn release_with(self, entropy: &mut dyn Entropy) -> Fallible<TO> {
        self.draw(entropy)
    }

    fn draw(self, entropy: &mut dyn Entropy) -> Fallible<TO> {
        self.process.check()?;
        self.rows.finish()?(entropy)
    }
}

impl<DI: Domain, TO> fmt::Debug for PrivateAggregate<DI, TO> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PrivateAggregate")
    }
}

#[cfg(test)]
mod tests {
    use super::checked_sum;
    use crate::prelude::*;

    type Rows = VectorDomain<AtomDomain<i64>>;

    fn rows() -> (Rows, SymmetricDistance) {
        (VectorDomain::new(AtomDomain::i64()), SymmetricDistance)
    }

    /// A fold of its own, one of images, and one whose value goes on to a function.
    #[test]
    fn parts_merge_to_what_all_rows_give() {
        let count = (rows() >> then_count()).unwrap();
        let sum = (rows() >> then_clamp((0, 10)) >> then_sum()).unwrap();
        let merged = |sum: &Transformation<Rows, _, _, _>| {
            let (left, right) = (sum.aggregate()?.absorb(&[5, 99])?, sum.aggregate()?.absorb(&[3, -1, 2])?);
            left.merge(right)?.absorb(&[1])?.finish()
        };
        assert_eq!(merged(&sum), Ok(21));
        let (left, right) = (count.aggregate().unwrap().absorb(&[5, 99]), count.aggregate().unwrap().absorb(&[3]));
        assert_eq!(left.unwrap().merge(right.unwrap()).unwrap().finish(), Ok(3));
        let noisy = (rows() >> then_clamp((0, 10)) >> then_sum() >> then_laplace(0.0)).unwrap();
        assert_eq!(noisy.aggregate().unwrap_err().kind(), ErrorKind::InfiniteLoss);
        let noisy = noisy.accept_infinite_loss();
        let (left, right) = (noisy.aggregate().unwrap().absorb(&[5, 99]), noisy.aggregate().unwrap().absorb(&[3]));
        assert_eq!(left.unwrap().merge(right.unwrap()).unwrap().release(), Ok(18));
    }

    #[test]
    fn a_size_is_that_of_all_parts_together() {
        let domain = VectorDomain::new(AtomDomain::i64().with_bounds((0, 9)).unwrap()).with_size(3);
        let sum = make_sum(domain, ChangeOneDistance).unwrap();
        let absorbed = |rows: &[i64]| sum.aggregate().unwrap().absorb(rows);
        let both = |left: &[i64], right: &[i64]| absorbed(left)?.merge(absorbed(right)?)?.finish();
        assert_eq!((both(&[1, 2], &[3]), both(&[], &[1, 2, 3])), (Ok(6), Ok(6)));
        for (left, right) in [(&[1][..], &[2][..]), (&[1, 2], &[3, 4]), (&[1, 2, 3], &[4]), (&[], &[])] {
            assert_eq!(both(left, right).unwrap_err().kind(), ErrorKind::Domain);
        }
        assert_eq!(absorbed(&[1, 10]).unwrap_err().kind(), ErrorKind::Domain);
        assert_eq!(absorbed(&[1]).unwrap().absorb(&[2, 3]).unwrap().finish(), Ok(6));
        assert_eq!(checked_sum(usize::MAX, 1).unwrap_err().kind(), ErrorKind::Numeric);
    }

    #[test]
    fn aggregates_of_different_constructions_do_not_merge() {
        let count = || (rows() >> then_count()).unwrap();
        let (one, other) = (count(), count());
        let error = one.aggregate().unwrap().merge(other.aggregate().unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        assert_eq!(one.aggregate().unwrap().merge(one.clone().aggregate().unwrap()).unwrap().finish(), Ok(0));
        let whole = (rows() >> then_resize(2, 0)).unwrap();
        assert_eq!(whole.aggregate().unwrap_err().kind(), ErrorKind::Whole);
    }
}
