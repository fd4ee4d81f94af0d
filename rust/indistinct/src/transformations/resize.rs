//! `make_resize`: changes a dataset to a given number of rows.

use crate::{
    core::{Domain, Fallible, Function, Owned, StabilityMap, ToParameter, Transformation, require},
    domains::{Canonical, VectorDomain},
    metrics::{ChangeOneDistance, HammingDistance, InsertDeleteDistance, RowChange, RowMetric, SymmetricDistance},
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;
use siphasher::sip::SipHasher24;
use std::{borrow::Borrow, hash::Hasher};

/// Changes a dataset to a given number of rows: drops rows beyond it, or adds a constant if there are too few.
///
/// Under a metric with order, the first rows are kept. Under a metric without order, the rows with the smallest hashes
/// are kept, where a hash is over the row and the number of equal rows before it. This choice depends on the multiset
/// of rows, and favors no row.
///
/// # Parameters
///
/// - `size`: the number of rows of the result.
/// - `constant`: the row that is added if there are too few.
///
/// # Stability
///
/// `2 d_in` if rows are added or removed, because an added row takes the place of another. `d_in` if rows are replaced.
///
/// # Errors
///
/// Returns an error if the constant is not a member of the rows' domain, or if the size is 2^32 or more. The map fails
/// if `2 d_in` exceeds 2^32 - 1.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
/// let three = (space >> then_resize(3, 0.0))?;
/// assert_eq!(three.invoke(&[2.5])?, [2.5, 0.0, 0.0]);
/// assert_eq!((three.invoke(&[1.0; 9])?.len(), three.map(&1)?), (3, 2));
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt(
    "a plan states the number of rows where it is known, and group_means gives means where it is not"
))]
pub fn make_resize<D: Domain, M: ResizeMetric>(
    input_domain: VectorDomain<D>,
    input_metric: M,
    size: usize,
    constant: Owned<D>,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<D>, M, M>>
where
    Owned<D>: Canonical + ToParameter,
{
    require(u32::try_from(size).is_ok(), "size", "must be below 2^32")?;
    require(input_domain.element().member(constant.borrow()), "constant", "must be a member of the rows' domain")?;
    let (unit, ordered) = (input_metric.unit(), input_metric.is_ordered());
    let output_domain = input_domain.clone().with_size(size);
    Transformation::new(
        (input_domain, input_metric.clone()),
        (output_domain, input_metric),
        Function::new(move |rows: &[Owned<D>]| {
            let mut kept = match ordered {
                true => rows.iter().take(size).cloned().collect(),
                false => least(rows, size),
            };
            kept.resize(size, constant.clone());
            kept
        }),
        StabilityMap::new(move |&d_in: &u32| {
            Ok(match unit {
                RowChange::AddOrRemove => d_in.inf_mul(2)?,
                RowChange::Replace => d_in,
            })
        }),
    )
}

/// Metrics between datasets that can be resized.
pub trait ResizeMetric: RowMetric {
    /// Returns true if the metric depends on the order of rows.
    fn is_ordered(&self) -> bool;
}

impl ResizeMetric for SymmetricDistance {
    fn is_ordered(&self) -> bool {
        false
    }
}
impl ResizeMetric for ChangeOneDistance {
    fn is_ordered(&self) -> bool {
        false
    }
}
impl ResizeMetric for InsertDeleteDistance {
    fn is_ordered(&self) -> bool {
        true
    }
}
impl ResizeMetric for HammingDistance {
    fn is_ordered(&self) -> bool {
        true
    }
}

/// Returns at most `size` rows, chosen by their multiset.
fn least<T: Canonical + Clone>(rows: &[T], size: usize) -> Vec<T> {
    if rows.len() <= size {
        return rows.to_vec();
    }
    let encoded = rows.iter().map(Canonical::encoding).zip(0..).collect();
    by_rank(encoded).into_iter().take(size).filter_map(|place| rows.get(place)).cloned().collect()
}

/// Returns the positions of rows in the order of their encodings' ranks.
fn by_rank(mut encoded: Vec<(Vec<u8>, usize)>) -> Vec<usize> {
    encoded.sort_unstable();
    let copies = encoded.chunk_by(|(left, _), (right, _)| left == right);
    let ranks =
        copies.flat_map(|copies| (0u64..).zip(copies).map(|(copy, (encoding, place))| (rank(encoding, copy), *place)));
    let mut ranked: Vec<(u64, usize)> = ranks.collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, place)| place).collect()
}

/// Returns the hash of a row and of the number of equal rows before it.
fn rank(encoding: &[u8], copy: u64) -> u64 {
    // A fixed, public key: the choice must be the same for the same rows, and need not be secret.
    let mut hasher = SipHasher24::new_with_keys(0x696e_6469_7374_696e, 0x6374_2072_6573_697a);
    hasher.write(encoding);
    hasher.write(&copy.to_be_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn distances_by_metric() {
        let rows = || VectorDomain::new(AtomDomain::u8());
        assert_eq!(make_resize(rows(), SymmetricDistance, 5, 0).unwrap().map(&3), Ok(6));
        assert_eq!(make_resize(rows(), InsertDeleteDistance, 5, 0).unwrap().map(&3), Ok(6));
        assert_eq!(make_resize(rows(), ChangeOneDistance, 5, 0).unwrap().map(&3), Ok(3));
        assert_eq!(make_resize(rows(), HammingDistance, 5, 0).unwrap().map(&3), Ok(3));
        let bounded = VectorDomain::new(AtomDomain::u8().with_bounds((1, 2)).unwrap());
        let error = make_resize(bounded.clone(), SymmetricDistance, usize::MAX, 1).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("size"));
        let error = make_resize(bounded, SymmetricDistance, 5, 0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("constant"));
    }

    #[test]
    fn order_is_kept_where_it_counts_and_else_plays_no_part() {
        let rows = VectorDomain::new(AtomDomain::u8());
        let first = make_resize(rows.clone(), InsertDeleteDistance, 3, 0).unwrap();
        assert_eq!(first.invoke(&[9, 7, 8, 1]), Ok(vec![9, 7, 8]));
        let any = make_resize(rows, SymmetricDistance, 3, 0).unwrap();
        assert_eq!(any.invoke(&[9, 7, 8, 1, 7]), any.invoke(&[7, 1, 9, 7, 8]));
        assert_eq!(any.invoke(&[]), Ok(vec![0; 3]));
    }

    #[test]
    fn equal_rows_go_in_proportion() {
        // Half of 1,000 zeros and 1,000 ones: a hypergeometric number of zeros, with deviation 11.2; six of them.
        let rows: Vec<u8> = (0..2000).map(|row| u8::from(row % 2 == 0)).collect();
        let half = make_resize(VectorDomain::new(AtomDomain::u8()), SymmetricDistance, 1000, 0).unwrap();
        let zeros = half.invoke(&rows).unwrap().iter().filter(|row| **row == 0).count();
        assert!((432..=568).contains(&zeros), "{zeros}");
    }
}
