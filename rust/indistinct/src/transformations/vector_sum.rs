//! `make_vector_sum`: the exact sum of vectors of bounded length.

use super::categories::CategoryMetric;
use crate::{
    core::{Fallible, Function, MetricSpace, StabilityMap, ToParameter, Transformation, require},
    domains::{AtomDomain, BallDomain, VectorDomain},
    metrics::{RowChange, RowMetric, moved},
};
use indistinct_derive::constructor;
use indistinct_numeric::{Dyadic, ExactSum, RoundedArithmetic};

/// Computes the exact sum of all vectors. Use [`make_norm_clip`](super::make_norm_clip) to bound their length.
///
/// # Parameters
///
/// - `output_metric`: [`L2Distance`](crate::metrics::L2Distance) for Gaussian noise,
///   [`L1Distance`](crate::metrics::L1Distance) for Laplace noise, preferably the norm in which the vectors' length is
///   bounded.
///
/// # Stability
///
/// For vectors of n numbers and a radius R: `d_in R` if rows are added or removed, `d_in 2 R` if they are replaced. If
/// the output metric uses a different norm than the radius, R is multiplied by the largest ratio of the two lengths,
/// rounded up: 1 from L1 to L2 or LInf and from L2 to LInf; `sqrt(n)` from L2 to L1 and from LInf to L2; n from LInf to
/// L1.
///
/// # Errors
///
/// Returns an error if vectors have more than 2^24 numbers.
///
/// ```
/// use indistinct::{domains::Norm, prelude::*};
/// let rows = VectorDomain::new(VectorDomain::new(AtomDomain::f64()).with_size(2));
/// let sum = ((rows, SymmetricDistance) >> then_norm_clip(Norm::L2, 4.0) >> then_vector_sum(L2Distance::new()))?;
/// let totals = sum.invoke(&[vec![0.0, -8.0], vec![1.0, 2.0]])?;
/// assert_eq!(totals.iter().map(|total| total.to_f64()).collect::<Vec<_>>(), [1.0, -2.0]);
/// assert_eq!(sum.map(&1)?, 4.0);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("no column of a table holds vectors"))]
pub fn make_vector_sum<M: RowMetric, MO: CategoryMetric + ToParameter>(
    input_domain: VectorDomain<BallDomain>,
    input_metric: M,
    output_metric: MO,
) -> Fallible<Transformation<VectorDomain<BallDomain>, VectorDomain<AtomDomain<Dyadic>>, M, MO>>
where
    (VectorDomain<AtomDomain<Dyadic>>, MO): MetricSpace,
{
    let ball = input_domain.element();
    let size = ball.size();
    require(
        size <= MAX_SIZE,
        "input_domain",
        "vectors may have at most 2^24 numbers, whose sums take 32 bytes each and more as rows come",
    )?;
    let length = output_metric.length(ball)?;
    let step = match input_metric.unit() {
        RowChange::AddOrRemove => length,
        RowChange::Replace => length.inf_mul(2.0)?,
    };
    Transformation::<_, _, M, MO>::new(
        (input_domain, input_metric),
        (VectorDomain::new(AtomDomain::dyadic()).with_size(size), output_metric),
        Function::fold(
            move || vec![ExactSum::new(); size],
            |sums, rows: &[Vec<f64>]| {
                for row in rows {
                    sums.iter_mut().zip(row).try_for_each(|(sum, x)| sum.add(*x))?;
                }
                Ok(())
            },
            |sums, others| Ok(sums.iter_mut().zip(&others).try_for_each(|(sum, other)| sum.merge(other))?),
            |sums| sums.iter().map(|sum| Ok(sum.total()?)).collect(),
        ),
        StabilityMap::new(move |&d_in: &u32| moved(d_in, step)),
    )
}

/// The maximum length of a vector: its sums take memory before any row is read.
const MAX_SIZE: usize = 1 << 24;

#[cfg(test)]
mod tests {
    use crate::{domains::Norm, prelude::*};

    #[test]
    fn distances_by_norm_and_metric() {
        let rows = |norm| VectorDomain::new(BallDomain::new(4, norm, 3.0).unwrap());
        let add = |norm| {
            let l1 = make_vector_sum(rows(norm), SymmetricDistance, L1Distance::new()).unwrap().map(&2).unwrap();
            let l2 = make_vector_sum(rows(norm), SymmetricDistance, L2Distance::new()).unwrap().map(&2).unwrap();
            let linf = make_vector_sum(rows(norm), SymmetricDistance, LInfDistance::new()).unwrap().map(&2).unwrap();
            let both =
                make_vector_sum(rows(norm), SymmetricDistance, LInfDistance::monotonic()).unwrap().map(&2).unwrap();
            (l1, l2, linf, both)
        };
        assert_eq!(add(Norm::L1), (6.0, 6.0, 6.0, 6.0));
        let (l1, l2, linf, both) = add(Norm::L2);
        assert!((l1, l2, linf) == (12.0, 6.0, 6.0) && (both - 6.0 * 2f64.sqrt()).abs() < 1e-14);
        assert_eq!(add(Norm::LInf), (24.0, 12.0, 6.0, 12.0));
        let replaced = make_vector_sum(rows(Norm::L2), HammingDistance, L2Distance::new()).unwrap();
        assert_eq!((replaced.map(&1), replaced.map(&0)), (Ok(6.0), Ok(0.0)));
    }
}
