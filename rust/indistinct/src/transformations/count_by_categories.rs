//! `make_count_by_categories`: the number of rows of each category.

use super::{
    categories::{Category, CategoryMetric, Index, UnknownCategories},
    count::add_counts,
};
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation},
    domains::{AtomDomain, VectorDomain},
    metrics::{RowMetric, moved},
};
use indistinct_derive::constructor;

/// Computes the number of rows of each listed category, in the order of the list.
///
/// # Parameters
///
/// - `categories`: the categories, distinct, known without looking at the data.
/// - `unknown`: the treatment of rows with any other category.
/// - `output_metric`: [`L1Distance`](crate::metrics::L1Distance) for Laplace noise,
///   [`L2Distance`](crate::metrics::L2Distance) for Gaussian noise.
///
/// # Stability
///
/// `d_out = d_in` if rows are added or removed. A replaced row changes two counts by one each: `2 d_in` in L1, `sqrt(2)
/// d_in` (rounded up) in L2.
///
/// # Errors
///
/// Returns an error if the list is empty or names a category twice.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::u32()), SymmetricDistance);
/// let counts = (space >> then_count_by_categories(vec![0, 95], UnknownCategories::Other, L1Distance::new()))?;
/// assert_eq!(counts.invoke(&[95, 0, 95, 50])?, [1, 2, 1]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("count_rows_by computes the same from columns"))]
pub fn make_count_by_categories<K: Category, M: RowMetric, MO: CategoryMetric + ToParameter>(
    input_domain: VectorDomain<AtomDomain<K>>,
    input_metric: M,
    categories: Vec<K>,
    unknown: UnknownCategories,
    output_metric: MO,
) -> Fallible<Transformation<VectorDomain<AtomDomain<K>>, VectorDomain<AtomDomain<i64>>, M, MO>>
where
    (VectorDomain<AtomDomain<i64>>, MO): MetricSpace,
{
    let index = Index::new(&categories, unknown)?;
    let (slots, entries, vectors) = (index.slots(), index.entries(), index.vectors());
    // A row counts as exactly one: a replaced row that stays in its category changes nothing.
    let step = output_metric.step(input_metric.unit(), 1.0, 0.0)?;
    Transformation::<_, _, M, MO>::new(
        (input_domain, input_metric),
        (vectors, output_metric),
        Function::fold(
            move || vec![[0i64; LANES]; slots],
            move |counts, rows: &[K]| {
                let (groups, last) = rows.as_chunks::<LANES>();
                groups.iter().for_each(|group| count(counts, group, &index));
                count(counts, last, &index);
                Ok(())
            },
            |counts, others| add_counts(counts.as_flattened_mut(), others.as_flattened()),
            move |counts| Ok(counts.iter().take(entries).map(|lanes| lanes.iter().sum()).collect()),
        ),
        StabilityMap::new(move |&d_in: &u32| moved(d_in, step)),
    )
}

/// A count has one lane for each of several consecutive rows, so that counting a row need not wait for the previous
/// one.
const LANES: usize = 4;

/// Counts a group of rows, each in its own lane.
#[inline]
fn count<K: Category>(counts: &mut [[i64; LANES]], group: &[K], index: &Index<K>) {
    for (lane, row) in group.iter().enumerate() {
        if let Some(count) = counts.get_mut(index.slot(row)).and_then(|lanes| lanes.get_mut(lane)) {
            *count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn sensitivity_by_metric() {
        let rows = VectorDomain::new(AtomDomain::u32());
        let drop = UnknownCategories::Drop;
        let l1 = |metric| make_count_by_categories(rows.clone(), metric, vec![0, 1], drop, L1Distance::new());
        assert_eq!(l1(SymmetricDistance).unwrap().map(&3), Ok(3.0));
        let replaced = make_count_by_categories(rows.clone(), ChangeOneDistance, vec![0, 1], drop, L1Distance::new());
        assert_eq!(replaced.unwrap().map(&3), Ok(6.0));
        let l2 = make_count_by_categories(rows, ChangeOneDistance, vec![0, 1], drop, L2Distance::new()).unwrap();
        let d_out = l2.map(&1).unwrap();
        assert!(d_out * d_out >= 2.0 && d_out.next_down() * d_out.next_down() < 2.0);
    }

    #[test]
    fn each_row_counts_once_in_its_category_and_parts_add_up() {
        let rows = VectorDomain::new(AtomDomain::u32());
        let data = [5, 7, 5, 5, 6, 0, 5, 99, 6];
        for (unknown, truth) in [(UnknownCategories::Drop, vec![4, 2]), (UnknownCategories::Other, vec![4, 2, 3])] {
            let l1 = L1Distance::new();
            let counts = make_count_by_categories(rows.clone(), SymmetricDistance, vec![5, 6], unknown, l1).unwrap();
            assert_eq!(counts.invoke(&data), Ok(truth.clone()));
            for at in 0..data.len() {
                let (left, right) = data.split_at(at);
                let absorbed = |rows: &[u32]| counts.aggregate().unwrap().absorb(rows).unwrap();
                assert_eq!(absorbed(left).merge(absorbed(right)).unwrap().finish(), Ok(truth.clone()));
            }
            assert_eq!(counts.invoke(&[]), Ok(vec![0; truth.len()]));
        }
    }
}
