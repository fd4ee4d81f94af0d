//! `make_rows_of_individuals`: typed rows, each with its individual.

use super::{
    batch::{Batch, Name},
    domain::FrameDomain,
    row::FrameRow,
    rows::{append, read_as},
};
use crate::{
    core::{Error, Fallible, Function, MetricSpace, StabilityMap, Transformation},
    domains::{Atom, AtomDomain, PairDomain, VectorDomain},
    metrics::{IndividualMetric, SymmetricIdDistance},
};
use indistinct_derive::constructor;

/// Pairs of an identifier and a row of some columns, as types of Rust, for the steps that bound what an individual
/// adds.
///
/// `then_rows_of_individuals::<String, f64, _, _>(vec!["days"])` makes pairs of a text, which is the identifier, and a
/// float.
///
/// # Parameters
///
/// - `columns`: a name for each part of a row, in order, without the identifier.
///
/// # Stability
///
/// `d_out = d_in`, in individuals added or removed: an individual whose rows are equal has equal images. `2 d_in` from
/// [`ChangeOneIdDistance`](crate::metrics::ChangeOneIdDistance): a replaced individual is one removed and one added.
///
/// # Errors
///
/// Another number of names than a row has parts; a name of no column; a column, or an identifier, of a type that does
/// not fit. The map fails where `2 d_in` exceeds 2^32 - 1.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let stays = FrameDomain::new([("patient", ColumnDomain::integer()), ("days", ColumnDomain::float())])?;
/// let people = (stays.with_individuals("patient")?, SymmetricIdDistance);
/// let rows = (people >> then_rows_of_individuals::<i64, f64, _, _>(vec!["days"]))?;
/// let frame = Frame::new([
///     ("patient", [7i64, 8].into_iter().collect::<Column>()),
///     ("days", [3.0, 12.5].into_iter().collect()),
/// ])?;
/// assert_eq!(rows.invoke(&frame)?, [(7, 3.0), (8, 12.5)]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(rebuilt(K = [i64, String]))]
pub fn make_rows_of_individuals<K, R, N, M>(
    input_domain: FrameDomain,
    input_metric: M,
    columns: Vec<N>,
) -> Fallible<Transformation<FrameDomain, VectorDomain<PairDomain<AtomDomain<K>, R::Domain>>, M, SymmetricIdDistance>>
where
    K: FrameRow<Domain = AtomDomain<K>> + Atom,
    R: FrameRow,
    N: Name,
    M: IndividualMetric,
    (FrameDomain, M): MetricSpace,
{
    let identifier = input_domain.individuals().map(str::to_owned);
    let identifier =
        identifier.ok_or_else(|| Error::parameter("input_domain", "must name the column of individuals"))?;
    let names: Vec<String> = [identifier].into_iter().chain(columns.into_iter().map(Into::into)).collect();
    let (places, row) = read_as::<(K, R), String>(&input_domain, names)?;
    let output_domain = match input_domain.size() {
        Some(size) => VectorDomain::new(row).with_size(size),
        None => VectorDomain::new(row),
    };
    Transformation::<FrameDomain, VectorDomain<_>, M, SymmetricIdDistance>::new(
        (input_domain, input_metric),
        (output_domain, SymmetricIdDistance),
        Function::rows_from_batches(move |batch: &Batch, all: &mut Vec<(K, R)>| append(batch, &places, all)),
        StabilityMap::new(|&d_in: &u32| M::added_or_removed(d_in)),
    )
}

#[cfg(test)]
mod tests {
    use crate::{frames::*, prelude::*};

    #[test]
    fn a_replaced_individual_is_one_removed_and_one_added() {
        let people = || {
            let columns = [("who", ColumnDomain::integer()), ("x", ColumnDomain::float())];
            FrameDomain::new(columns).unwrap().with_individuals("who").unwrap()
        };
        let added = make_rows_of_individuals::<i64, f64, _, _>(people(), SymmetricIdDistance, vec!["x"]).unwrap();
        assert_eq!((added.map(&3), added.map(&u32::MAX)), (Ok(3), Ok(u32::MAX)));
        let replaced = make_rows_of_individuals::<i64, f64, _, _>(people(), ChangeOneIdDistance, vec!["x"]).unwrap();
        assert_eq!((replaced.map(&0), replaced.map(&3)), (Ok(0), Ok(6)));
        assert_eq!(replaced.map(&(u32::MAX / 2)), Ok(u32::MAX - 1));
        assert_eq!(replaced.map(&(u32::MAX / 2 + 1)).unwrap_err().kind(), ErrorKind::Numeric);
        // Data of a known size have neighbors at distance 1, too.
        let sized = make_rows_of_individuals::<i64, f64, _, _>(people().with_size(2), ChangeOneIdDistance, vec!["x"]);
        let sums = (sized.unwrap() >> then_bound_contributions(1) >> then_clamp((0.0, 1.0)) >> then_sum()).unwrap();
        assert_eq!(sums.map(&1), Ok(2.0));
    }
}
