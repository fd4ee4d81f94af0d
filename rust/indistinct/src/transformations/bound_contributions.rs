//! `make_bound_contributions`: a limit on the rows of each individual.

use crate::{
    core::{Domain, Fallible, Function, Owned, StabilityMap, Transformation, require},
    domains::{Atom, AtomDomain, Canonical, PairDomain, VectorDomain},
    metrics::{SymmetricDistance, SymmetricIdDistance},
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;
use siphasher::sip::SipHasher24;
use std::hash::Hasher;

/// Keeps at most `max_rows` rows of each individual, and drops the identifiers.
///
/// The choice of rows depends on the individual's own rows alone, and not on their order or on other individuals: the
/// rows with the smallest keyed hashes of identifier and row are kept. The hash spreads the choice evenly over the
/// rows' contents, so it favors neither early nor small nor large values.
///
/// # Parameters
///
/// - `max_rows`: the maximum number of rows kept, at least 1.
///
/// # Stability
///
/// `d_out = max_rows d_in`, from individuals to rows.
///
/// # Errors
///
/// Returns an error if `max_rows` is 0. The map fails if `max_rows d_in` exceeds 2^32 - 1.
///
/// ```
/// use indistinct::prelude::*;
/// let rows = PairDomain::new(AtomDomain::string(), AtomDomain::f64());
/// let space = (VectorDomain::new(rows), SymmetricIdDistance);
/// let bounded = (space >> then_bound_contributions(2))?;
/// let data = [("ann".into(), 1.0), ("bob".into(), 5.0), ("ann".into(), 2.0), ("ann".into(), 3.0)];
/// assert_eq!(bounded.invoke(&data)?.len(), 3);
/// assert_eq!(bounded.map(&1)?, 2);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("bound_rows computes the same from columns"))]
pub fn make_bound_contributions<K: Atom + Canonical, D: Domain>(
    input_domain: VectorDomain<PairDomain<AtomDomain<K>, D>>,
    input_metric: SymmetricIdDistance,
    max_rows: u32,
) -> Fallible<
    Transformation<VectorDomain<PairDomain<AtomDomain<K>, D>>, VectorDomain<D>, SymmetricIdDistance, SymmetricDistance>,
>
where
    Owned<D>: Canonical,
{
    require(max_rows >= 1, "max_rows", "must be at least 1")?;
    let output_domain = VectorDomain::new(input_domain.element().second().clone());
    Transformation::new(
        (input_domain, input_metric),
        (output_domain, SymmetricDistance),
        Function::by_individuals(move |rows: &[(K, Owned<D>)]| keep(rows, max_rows)),
        StabilityMap::new(move |&d_in: &u32| Ok(d_in.inf_mul(max_rows)?)),
    )
}

/// Returns the kept rows, by individual. They depend only on the multiset of rows, up to their order.
fn keep<K: Canonical, V: Canonical + Clone>(rows: &[(K, V)], max_rows: u32) -> Vec<V> {
    let mut kept = Vec::new();
    let () = each_individual(rows, |person, rows| {
        kept.extend(first_by_hash(rows, max_rows, person, |row, bytes| row.encode(bytes)).into_iter().cloned());
    });
    kept
}

/// Calls a function with each individual's encoded identifier and rows, and collects the values.
pub(super) fn each_individual<K: Canonical, V, R, C: FromIterator<R>>(
    rows: &[(K, V)],
    mut each: impl FnMut(&[u8], Vec<&V>) -> R,
) -> C {
    let mut encodings = Vec::new();
    let ends = rows.iter().map(|(person, _)| {
        let start = encodings.len();
        person.encode(&mut encodings);
        start..encodings.len()
    });
    let places: Vec<_> = ends.collect();
    let mut persons: Vec<(&[u8], &V)> =
        rows.iter().zip(places).map(|((_, row), place)| (encodings.get(place).unwrap_or_default(), row)).collect();
    persons.sort_unstable_by_key(|(person, _)| *person);
    let same = persons.chunk_by(|(left, _), (right, _)| left == right);
    let of_individual = |rows: &[(&[u8], &V)]| {
        let person = rows.first().map(|(person, _)| *person).unwrap_or_default();
        each(person, rows.iter().map(|(_, row)| *row).collect())
    };
    same.map(of_individual).collect()
}

/// Returns the first `most` of these items, ordered by a hash of their encodings and of the individual, then by the
/// encodings. If there are no more than `most`, nothing is hashed.
pub(crate) fn first_by_hash<T: Copy>(
    mut things: Vec<T>,
    most: u32,
    person: &[u8],
    encode: impl Fn(T, &mut Vec<u8>),
) -> Vec<T> {
    if fits(&things, most) {
        return things;
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    let hashed = things.iter().map(|thing| {
        bytes.clear();
        encode(*thing, &mut bytes);
        (rank_hash(person, &bytes), *thing)
    });
    let mut hashed: Vec<(u64, T)> = hashed.collect();
    let encoding = |thing: T| {
        let mut bytes = Vec::new();
        encode(thing, &mut bytes);
        bytes
    };
    let order = |(left, one): &(u64, T), (right, other): &(u64, T)| {
        left.cmp(right).then_with(|| encoding(*one).cmp(&encoding(*other)))
    };
    hashed.select_nth_unstable_by(most, order);
    things.clear();
    things.extend(hashed.into_iter().take(most).map(|(_, thing)| thing));
    things
}

/// Returns true if there are at most `most` items.
pub(crate) fn fits<T>(things: &[T], most: u32) -> bool {
    usize::try_from(most).map_or(true, |most| things.len() <= most)
}

/// Returns all rows, ordered by identifier and rank.
pub(super) fn ranked<K: Canonical, V: Canonical>(rows: &[(K, V)]) -> Vec<(Rank, &V)> {
    let mut ranked: Vec<_> = rows.iter().map(|(person, row)| (rank(person, row), row)).collect();
    ranked.sort_unstable_by(|(left, _), (right, _)| left.cmp(right));
    ranked
}

/// Returns the first rows of each individual, up to the maximum.
pub(super) fn first_of_each_individual<'a, V>(
    ranked: &'a [(Rank, &'a V)],
    max_rows: u32,
) -> impl Iterator<Item = &'a V> {
    let persons = ranked.chunk_by(|(left, _), (right, _)| left.person == right.person);
    persons.flat_map(move |person| person.iter().zip(0..max_rows).map(|((_, row), _)| *row))
}

/// Rows are ordered by identifier, then by hash; the encoding decides between rows of equal hash, and rows of equal
/// encoding are equal.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    person: Vec<u8>,
    hash: u64,
    row: Vec<u8>,
}

fn rank(person: &impl Canonical, row: &impl Canonical) -> Rank {
    let (person, row) = (person.encoding(), row.encoding());
    Rank { hash: rank_hash(&person, &row), person, row }
}

/// Returns a hash that spreads the choice among an individual's items.
pub(crate) fn rank_hash(person: &[u8], what: &[u8]) -> u64 {
    // A fixed, public key: the choice must be the same for the same rows, and need not be secret.
    let mut hasher = SipHasher24::new_with_keys(0x696e_6469_7374_696e, 0x6374_2062_6f75_6e64);
    hasher.write(person);
    hasher.write(what);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    fn bounded(max_rows: u32) -> Fallible<Vec<i64>> {
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::i64()));
        let data: Vec<(u32, i64)> = (0..40).map(|row| (row % 4, i64::from(row))).collect();
        make_bound_contributions(rows, SymmetricIdDistance, max_rows)?.invoke(&data)
    }

    #[test]
    fn at_most_so_many_rows_of_each_individual() {
        assert_eq!(bounded(0).unwrap_err().kind(), ErrorKind::Parameter("max_rows"));
        for max_rows in 1..12 {
            let kept = bounded(max_rows).unwrap();
            assert_eq!(kept.len(), 4 * usize::try_from(max_rows.min(10)).unwrap());
        }
    }

    #[test]
    fn the_choice_favors_no_rank_among_an_individuals_rows() {
        // One of ten rows for each of 2,000 individuals: each rank is kept 200 times, give or take 6 deviations of
        // 13.4.
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::i64()));
        let data: Vec<(u32, i64)> = (0..20_000).map(|row| (row % 2000, i64::from(row / 2000))).collect();
        let kept = make_bound_contributions(rows, SymmetricIdDistance, 1).unwrap().invoke(&data).unwrap();
        for rank in 0..10 {
            let times = kept.iter().filter(|&&row| row == rank).count();
            assert!((120..=280).contains(&times), "rank {rank}: {times}");
        }
    }

    #[test]
    fn a_map_that_does_not_fit_is_an_error() {
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::i64()));
        let bound = make_bound_contributions(rows, SymmetricIdDistance, u32::MAX).unwrap();
        assert_eq!(bound.map(&1), Ok(u32::MAX));
        assert_eq!(bound.map(&2).unwrap_err().kind(), ErrorKind::Numeric);
    }
}
