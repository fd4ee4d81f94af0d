//! `make_norm_clip`: limits the norm of every vector (clipping).

use super::row_by_row::on_last_part;
use crate::{
    core::{Error, Fallible, MetricSpace, Transformation, require},
    domains::{AtomDomain, BallDomain, Norm, RowDomain, VectorDomain},
    metrics::RowByRowMetric,
};
use indistinct_derive::constructor;
use indistinct_numeric::{RoundedArithmetic, RoundedMath};

/// Shortens every vector that is longer than a radius (clipping): in L1 and L2 by scaling all its numbers, in LInf by
/// clamping each number.
///
/// In rows that are pairs, it applies to the last part. Infinities count as very large numbers.
///
/// # Parameters
///
/// - `norm`: the norm of a vector's length.
/// - `radius`: the maximum length, positive and finite, in the numbers' unit, chosen without looking at the data.
///
/// # Stability
///
/// `d_out = d_in`.
///
/// # Errors
///
/// Returns an error if the radius is not positive and finite, or if vectors have an unknown size or numbers that may be
/// NaN.
///
/// ```
/// use indistinct::{domains::Norm, prelude::*};
/// let vectors = VectorDomain::new(AtomDomain::f64()).with_size(2);
/// let clip = make_norm_clip(VectorDomain::new(vectors), SymmetricDistance, Norm::L1, 2.0)?;
/// assert_eq!(clip.invoke(&[vec![3.0, -1.0], vec![0.5, 1.0]])?, [[1.5, -0.5], [0.5, 1.0]]);
/// # Ok::<(), Error>(())
/// ```
#[constructor(exempt("no column of a table holds vectors"))]
pub fn make_norm_clip<D: RowDomain<Last = VectorDomain<AtomDomain<f64>>>, M: RowByRowMetric>(
    input_domain: VectorDomain<D>,
    input_metric: M,
    norm: Norm,
    radius: f64,
) -> Fallible<Transformation<VectorDomain<D>, VectorDomain<D::With<BallDomain>>, M, M>>
where
    (VectorDomain<D>, M): MetricSpace,
    (VectorDomain<D::With<BallDomain>>, M): MetricSpace,
{
    let vectors = input_domain.element().last();
    let rule = "the length of the vectors must be known, and below 2^32";
    let size = vectors
        .size()
        .filter(|size| u32::try_from(*size).is_ok())
        .ok_or_else(|| Error::parameter("input_domain", rule))?;
    require(!vectors.element().has_nan(), "input_domain", "numbers must not be NaN: impute or drop it first")?;
    let ball = BallDomain::new(size, norm, radius)?;
    on_last_part((input_domain, input_metric), ball, move |vector: &[f64]| match norm {
        Norm::LInf => vector.iter().map(|x| x.clamp(-radius, radius)).collect(),
        Norm::L1 => shortened(vector, radius, |ratios| sum(ratios.iter().copied())),
        Norm::L2 => shortened(vector, radius, |ratios| {
            let squares = ratios.iter().map(|ratio| ratio.inf_mul(*ratio).unwrap_or(f64::INFINITY));
            sum(squares).inf_sqrt().unwrap_or(f64::INFINITY)
        }),
    })
}

/// Returns the vector with all numbers divided by its length in units of the radius, if that exceeds 1. `length` is at
/// least the real length.
fn shortened(vector: &[f64], radius: f64, length: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    // So that squares, and their sum, are finite.
    const LARGE: f64 = f64::from_bits(0x5f30_0000_0000_0000); // 2^500
    let ratio = |x: &f64| x.abs().inf_div(radius).unwrap_or(LARGE).min(LARGE);
    let ratios: Vec<f64> = vector.iter().map(ratio).collect();
    let length = length(&ratios);
    if length <= 1.0 {
        return vector.to_vec();
    }
    // Towards zero, so that no rounding makes it longer than the radius.
    let part = |ratio: f64| ratio.neg_inf_div(length)?.neg_inf_mul(radius);
    vector.iter().zip(ratios).map(|(x, ratio)| part(ratio).unwrap_or(0.0).copysign(*x)).collect()
}

/// Returns the sum of nonnegative numbers, rounded up.
fn sum(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |sum: f64, number| sum.inf_add(number).unwrap_or(f64::INFINITY))
}

#[cfg(test)]
mod tests {
    use crate::{domains::Norm, prelude::*};
    use proptest::prelude::*;

    /// One float too long is too long, also where their ratio is nearest to 1.
    #[test]
    fn a_float_above_the_radius_is_shortened() {
        for radius in [1.0, 1.25, 1.75, 2f64.next_down()] {
            for norm in [Norm::L1, Norm::L2, Norm::LInf] {
                let clip = make_norm_clip(vectors(1), SymmetricDistance, norm, radius).unwrap();
                let clipped = clip.invoke(&[vec![radius.next_up()]]).unwrap();
                assert!(clipped.iter().flatten().all(|x| *x <= radius), "{norm:?} {radius:e}: {clipped:?}");
            }
        }
    }

    fn vectors(size: usize) -> VectorDomain<VectorDomain<AtomDomain<f64>>> {
        VectorDomain::new(VectorDomain::new(AtomDomain::f64()).with_size(size))
    }

    #[test]
    fn short_vectors_stay_and_long_ones_keep_their_direction() {
        let clip = |norm, vector: [f64; 2]| {
            make_norm_clip(vectors(2), SymmetricDistance, norm, 1.0)
                .unwrap()
                .invoke(&[vector.to_vec()])
                .unwrap()
                .concat()
        };
        assert_eq!(clip(Norm::L1, [0.25, -0.75]), [0.25, -0.75]);
        assert_eq!(clip(Norm::L1, [1.0, -3.0]), [0.25, -0.75]);
        assert_eq!(clip(Norm::LInf, [0.5, -3.0]), [0.5, -1.0]);
        let diagonal = clip(Norm::L2, [f64::INFINITY, f64::NEG_INFINITY]);
        assert!((diagonal[0] - 0.5f64.sqrt()).abs() < 1e-15 && diagonal[1] == -diagonal[0]);
        let large = clip(Norm::L2, [1e300, 1.0]);
        assert!(large[0] > 1.0 - 1e-15 && large[0] <= 1.0 && large[1] < 1e-140);
    }

    #[test]
    fn bad_parameters_are_named() {
        for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = make_norm_clip(vectors(2), SymmetricDistance, Norm::L2, radius).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameter("radius"));
        }
        let unknown = VectorDomain::new(VectorDomain::new(AtomDomain::f64()));
        let nulls = VectorDomain::new(VectorDomain::new(AtomDomain::f64().with_nan()).with_size(1));
        for rows in [unknown, nulls, vectors(usize::MAX)] {
            let error = make_norm_clip(rows, SymmetricDistance, Norm::L2, 1.0).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// The domain decides exactly whether an output is a member.
        #[test]
        fn no_rounding_makes_a_vector_too_long(bits in prop::collection::vec(any::<u64>(), 1..6), near in prop::collection::vec(-2f64..2.0, 1..6), radius in any::<f64>().prop_map(f64::abs).prop_filter("positive and finite", |radius| *radius > 0.0 && radius.is_finite()), near_one in any::<bool>()) {
            let vector: Vec<f64> = if near_one { near } else { bits.into_iter().map(f64::from_bits).filter(|x| !x.is_nan()).collect() };
            let radius = if near_one { 1.0 } else { radius };
            for norm in [Norm::L1, Norm::L2, Norm::LInf] {
                let clip = make_norm_clip(vectors(vector.len()), SymmetricDistance, norm, radius).unwrap();
                let rows = clip.invoke(std::slice::from_ref(&vector)).unwrap();
                prop_assert!(clip.output_domain().member(&rows), "{norm:?} {radius:e} {rows:?}");
                // And it stays what it is the second time, up to rounding down, by units of the least float where
                // ratios are subnormal.
                let (again, unit) = (clip.invoke(&rows).unwrap().concat(), radius * 1.5e-323 + 1e-322);
                prop_assert!(rows.concat().iter().zip(&again).all(|(x, y)| (x - y).abs() <= x.abs() * 1e-14 + unit), "{rows:?} {again:?}");
            }
        }
    }
}
