//! `make_sum_by`: the exact sum of the rows of each key, for unknown keys.

use super::sum::{Summable, Total, required_bounds};
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation},
    domains::{Atom, AtomDomain, MapDomain, PairDomain, VectorDomain, magnitude_and_range},
    metrics::{MapMetric, RowMetric},
};
use indistinct_derive::constructor;
use std::collections::BTreeMap;

/// Computes the exact sum of the numbers of each key in the data. Rows are pairs (key, number).
///
/// The set of keys is itself private. Continue with
/// [`make_laplace_threshold`](crate::measurements::make_laplace_threshold) or
/// [`make_gaussian_threshold`](crate::measurements::make_gaussian_threshold). For keys that are known without looking
/// at the data, [`make_sum_by_categories`](super::make_sum_by_categories) needs no threshold.
///
/// # Parameters
///
/// - `output_metric`: [`L01InfDistance`](crate::metrics::L01InfDistance) for Laplace noise,
///   [`L02InfDistance`](crate::metrics::L02InfDistance) for Gaussian noise.
///
/// # Stability
///
/// The distance is a triple: number of keys, norm of the changes, largest change. For numbers from L to U with `m =
/// max(|L|, |U|)`, each rounded up, it is `(d_in, d_in m, d_in m)` if rows are added or removed. A replaced row changes
/// one sum by at most `U - L` or two sums by at most `m` each: `(2 d_in, d_in max(U - L, 2 m), d_in max(U - L, m))` in
/// L1, with `sqrt(2) m` for `2 m` in L2.
///
/// # Errors
///
/// Returns an error if numbers have no bounds. The map fails if `2 d_in` exceeds 2^32 - 1.
///
/// ```
/// use indistinct::prelude::*;
/// use std::collections::BTreeMap;
/// let space = (VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::i64())), SymmetricDistance);
/// let sums = (space >> then_clamp((0, 10)) >> then_sum_by(L01InfDistance))?;
/// assert_eq!(sums.invoke(&[(95, 2), (0, 99), (95, 1)])?, BTreeMap::from([(0, 10), (95, 3)]));
/// assert_eq!(sums.map(&1)?, (1, 10.0, 10.0));
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("sum_column_by_key computes the same from columns"))]
pub fn make_sum_by<K: Atom + Ord, T: Summable, M: RowMetric, MO: MapMetric + ToParameter>(
    input_domain: VectorDomain<PairDomain<AtomDomain<K>, AtomDomain<T>>>,
    input_metric: M,
    output_metric: MO,
) -> Fallible<
    Transformation<VectorDomain<PairDomain<AtomDomain<K>, AtomDomain<T>>>, MapDomain<K, AtomDomain<T::Sum>>, M, MO>,
>
where
    (MapDomain<K, AtomDomain<T::Sum>>, MO): MetricSpace,
{
    let (magnitude, range) = magnitude_and_range(required_bounds(input_domain.element().second())?)?;
    let unit = input_metric.unit();
    let output_domain = MapDomain::new(input_domain.element().first().clone(), AtomDomain::new());
    Transformation::<_, _, M, MO>::new(
        (input_domain, input_metric),
        (output_domain, output_metric),
        Function::fold(
            BTreeMap::<K, T::Total>::new,
            |totals, rows: &[(K, T)]| {
                rows.iter().try_for_each(|(key, number)| match totals.get_mut(key) {
                    Some(total) => total.absorb_one(*number),
                    None => totals.entry(key.clone()).or_default().absorb_one(*number),
                })
            },
            |totals, others| {
                others.into_iter().try_for_each(|(key, other)| totals.entry(key).or_default().merge(other))
            },
            |totals| totals.into_iter().map(|(key, total)| Ok((key, total.finish()?))).collect(),
        ),
        StabilityMap::new(move |&d_in: &u32| MO::moved(d_in, unit, magnitude, range)),
    )
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use std::collections::BTreeMap;

    fn rows(bounds: (f64, f64)) -> VectorDomain<PairDomain<AtomDomain<u32>, AtomDomain<f64>>> {
        VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64().with_bounds(bounds).unwrap()))
    }

    #[test]
    fn sensitivity_by_metric() {
        let l1 = |bounds| make_sum_by(rows(bounds), SymmetricDistance, L01InfDistance).unwrap();
        assert_eq!(l1((-1.0, 4.0)).map(&2), Ok((2, 8.0, 8.0)));
        let l1 = |bounds| make_sum_by(rows(bounds), ChangeOneDistance, L01InfDistance).unwrap();
        assert_eq!(l1((-1.0, 4.0)).map(&1), Ok((2, 8.0, 5.0)));
        assert_eq!(l1((5.0, 6.0)).map(&3), Ok((6, 36.0, 18.0)));
        // Symmetric bounds: a row replaced within its key moves further than one that changes key.
        let l2 = make_sum_by(rows((-4.0, 4.0)), HammingDistance, L02InfDistance).unwrap();
        assert_eq!(l2.map(&1), Ok((2, 8.0, 8.0)));
    }

    #[test]
    fn sums_are_exact_and_empty_data_have_no_keys() {
        let sums = make_sum_by(rows((-1e16, 1e16)), SymmetricDistance, L01InfDistance).unwrap();
        let totals = sums.invoke(&[(1, 1e16), (2, 0.5), (1, 1.0), (1, -1e16)]).unwrap();
        let totals: BTreeMap<u32, f64> = totals.into_iter().map(|(key, sum)| (key, sum.to_f64())).collect();
        assert_eq!(totals, BTreeMap::from([(1, 1.0), (2, 0.5)]));
        assert_eq!(sums.invoke(&[]), Ok(BTreeMap::new()));
    }

    #[test]
    fn numbers_need_bounds() {
        let unbounded = VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64()));
        let error = make_sum_by(unbounded, SymmetricDistance, L01InfDistance).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
    }

    #[test]
    fn integer_sums_go_on_to_a_threshold() {
        let numbers = AtomDomain::u16().with_bounds((0, 1000)).unwrap();
        let space = (VectorDomain::new(PairDomain::new(AtomDomain::bool(), numbers)), SymmetricDistance);
        let release = (space >> then_sum_by(L02InfDistance) >> then_gaussian_threshold(100.0, 1800)).unwrap();
        let (rho, delta) = release.map(&1).unwrap();
        // P(Z >= 800) at scale 100: eight deviations.
        assert!(rho == 50.0 && (5e-16..8e-16).contains(&delta), "{rho} {delta:e}");
    }
}
