//! `make_find`: the position of a category in a list.

use super::{
    categories::{Category, Index, UnknownCategories},
    row_by_row::on_last_part,
};
use crate::{
    core::{Error, Fallible, MetricSpace, Transformation},
    domains::{AtomDomain, NullDomain, OptionDomain, RowDomain, VectorDomain},
    metrics::RowByRowMetric,
};
use indistinct_derive::constructor;

/// Replaces each value with its position in a list of categories, counted from 0, or with `None` for a null or a value
/// that is not in the list.
///
/// In rows that are pairs, it applies to the last part.
///
/// # Parameters
///
/// - `categories`: the categories, distinct, known without looking at the data.
///
/// # Stability
///
/// `d_out = d_in`.
///
/// # Errors
///
/// Returns an error if the list is empty or names a category twice.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::string()), SymmetricDistance);
/// let found = (space >> then_find(vec![String::from("tea"), String::from("milk")]))?;
/// assert_eq!(found.invoke(&["milk".into(), "rum".into(), "tea".into()])?, [Some(1), None, Some(0)]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("lookup finds categories in the expressions of plans"))]
pub fn make_find<D, N, K, M>(
    input_domain: VectorDomain<D>,
    input_metric: M,
    categories: Vec<K>,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<D::With<OptionDomain<AtomDomain<u32>>>>, M, M>>
where
    D: RowDomain<Last = N>,
    N: NullDomain<Present = AtomDomain<K>>,
    K: Category,
    M: RowByRowMetric,
    (VectorDomain<D>, M): MetricSpace,
    (VectorDomain<D::With<OptionDomain<AtomDomain<u32>>>>, M): MetricSpace,
{
    let index = Index::new(&categories, UnknownCategories::Drop)?;
    let last =
        u32::try_from(index.entries() - 1).map_err(|_| Error::parameter("categories", "must be fewer than 2^32"))?;
    let positions = OptionDomain::new(AtomDomain::u32().with_bounds((0, last))?);
    on_last_part((input_domain, input_metric), positions, move |row: &N::Carrier| {
        let slot = N::value(row).map(|category| index.slot(category)).filter(|slot| *slot < index.entries());
        slot.and_then(|slot| u32::try_from(slot).ok())
    })
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn positions_are_bounded_and_nulls_have_none() {
        let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), OptionDomain::new(AtomDomain::i32())));
        let found = make_find(rows.clone(), SymmetricIdDistance, vec![30, 10, 20]).unwrap();
        let data = [(1, Some(20)), (1, None), (2, Some(11)), (2, Some(30))];
        assert_eq!(found.invoke(&data), Ok(vec![(1, Some(2)), (1, None), (2, None), (2, Some(0))]));
        assert_eq!(found.output_domain().element().second().element().bounds(), Some(&(0, 2)));
        for categories in [vec![], vec![1, 2, 1]] {
            let error = make_find(rows.clone(), SymmetricIdDistance, categories).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameter("categories"));
        }
    }
}
