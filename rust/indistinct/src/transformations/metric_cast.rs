//! `make_metric_cast`: the same rows in another metric.

use crate::{
    core::{Domain, Fallible, Function, Metric, Owned, Sealed, StabilityMap, ToParameter, Transformation, require},
    domains::VectorDomain,
    metrics::{ChangeOneDistance, HammingDistance, InsertDeleteDistance, RowMetric, SymmetricDistance},
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedArithmetic;

/// Keeps the rows unchanged, and measures the distance between data sets in another metric.
///
/// | from | to | d_out | |
/// |---|---|---|---|
/// | [`InsertDeleteDistance`] | [`SymmetricDistance`] | d_in | ignores the order |
/// | [`HammingDistance`] | [`ChangeOneDistance`] | d_in | ignores the order |
/// | [`SymmetricDistance`] | [`ChangeOneDistance`] | floor(d_in / 2) | needs a known size |
/// | [`ChangeOneDistance`] | [`SymmetricDistance`] | 2 d_in | a replaced row is one removed and one added row |
/// | [`HammingDistance`] | [`InsertDeleteDistance`] | 2 d_in | likewise |
///
/// There is no cast from a metric that ignores the order to a metric that does not. There is also no cast from
/// [`InsertDeleteDistance`] to [`HammingDistance`], because one insertion shifts all later rows.
///
/// # Parameters
///
/// - `output_metric`: the other metric.
///
/// # Stability
///
/// See the table.
///
/// # Errors
///
/// Returns an error if the cast needs a known size and the domain has none. The map fails if `2 d_in` exceeds 2^32 - 1.
///
/// ```
/// use indistinct::prelude::*;
/// let space = (VectorDomain::new(AtomDomain::f64()).with_size(100), SymmetricDistance);
/// let bounded = (space >> then_metric_cast(ChangeOneDistance))?;
/// assert_eq!(bounded.map(&2)?, 1);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias("make_metric_bounded", "make_metric_unbounded", "make_ordered_random", "make_unordered"))]
#[constructor(exempt("a plan states the metric of its table"))]
pub fn make_metric_cast<D: Domain, M: CastMetric<MO>, MO: RowMetric + ToParameter>(
    input_domain: VectorDomain<D>,
    input_metric: M,
    output_metric: MO,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<D>, M, MO>> {
    let sized = input_domain.size().is_some();
    let Cast { needs_size, distance } = M::cast();
    require(sized || !needs_size, "input_domain", "the number of rows must be known: resize them first")?;
    let output_domain = input_domain.clone();
    Transformation::new(
        (input_domain, input_metric),
        (output_domain, output_metric),
        Function::row_by_row(|row: &Owned<D>| row.clone()),
        StabilityMap::new(move |&d_in: &u32| distance(d_in)),
    )
}

/// Metrics between datasets whose distances bound those of another.
#[allow(private_bounds)]
pub trait CastMetric<MO: Metric>: Sealed + RowMetric {
    /// Returns how this metric bounds the other.
    #[doc(hidden)]
    fn cast() -> Cast;
}

/// How the distance in one metric bounds the distance in another.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Cast {
    /// True if the bound holds only between datasets of one known size.
    needs_size: bool,
    /// The largest distance in the other metric.
    distance: fn(u32) -> Fallible<u32>,
}

macro_rules! casts {
    ($($from:ident => $to:ident, needs size: $needs_size:literal, |$d_in:ident| $d_out:expr;)+) => {
        $(
            impl CastMetric<$to> for $from {
                fn cast() -> Cast {
                    Cast { needs_size: $needs_size, distance: |$d_in: u32| Ok($d_out) }
                }
            }
        )+
    };
}

casts! {
    InsertDeleteDistance => SymmetricDistance, needs size: false, |d_in| d_in;
    HammingDistance => ChangeOneDistance, needs size: false, |d_in| d_in;
    SymmetricDistance => ChangeOneDistance, needs size: true, |d_in| d_in / 2;
    ChangeOneDistance => SymmetricDistance, needs size: false, |d_in| d_in.inf_mul(2)?;
    HammingDistance => InsertDeleteDistance, needs size: false, |d_in| d_in.inf_mul(2)?;
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn distances_by_pair_of_metrics() {
        let rows = || VectorDomain::new(AtomDomain::u8());
        assert_eq!(make_metric_cast(rows(), InsertDeleteDistance, SymmetricDistance).unwrap().map(&3), Ok(3));
        assert_eq!(make_metric_cast(rows(), HammingDistance, ChangeOneDistance).unwrap().map(&3), Ok(3));
        let doubled = make_metric_cast(rows(), ChangeOneDistance, SymmetricDistance).unwrap();
        assert_eq!(
            (doubled.map(&3), doubled.map(&u32::MAX).map_err(|error| error.kind())),
            (Ok(6), Err(ErrorKind::Numeric))
        );
        assert_eq!(make_metric_cast(rows(), HammingDistance, InsertDeleteDistance).unwrap().map(&3), Ok(6));
        let bounded = make_metric_cast(rows().with_size(4), SymmetricDistance, ChangeOneDistance).unwrap();
        assert_eq!((bounded.map(&1), bounded.map(&5)), (Ok(0), Ok(2)));
        let unsized_rows = make_metric_cast(rows(), SymmetricDistance, ChangeOneDistance).unwrap_err();
        assert_eq!(unsized_rows.kind(), ErrorKind::Parameter("input_domain"));
    }
}
