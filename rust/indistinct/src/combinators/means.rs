//! `make_means`: means of groups, from noisy sums and counts.

use crate::{
    core::{Domain, Fallible, Function, Measure, Measurement, Metric},
    domains::checked_bounds,
};
use indistinct_derive::constructor;
use indistinct_numeric::RoundedFrom;

/// The mean of each group, where a measurement releases the groups' noisy sums and noisy counts; none where the noisy
/// count is below 1, so that the noise hides the group.
///
/// How many rows there are need not be known. A mean is the ratio, brought between the bounds of the numbers that were
/// summed; it is a function of the release, and costs nothing. It is not unbiased: the noise of the count stands below
/// the line.
///
/// # Parameters
///
/// - `measurement`: releases sums and counts, one of each for every group, such as a composition of
///   [`make_sum_by_categories`](crate::transformations::make_sum_by_categories) and
///   [`make_count_by_categories`](crate::transformations::make_count_by_categories), each with noise.
/// - `bounds`: those of the numbers.
///
/// # Privacy
///
/// The measurement's own.
///
/// # Errors
///
/// Bounds that are not finite, or the lower above the upper.
///
/// ```
/// use indistinct::prelude::*;
/// let rows = PairDomain::new(AtomDomain::u32(), AtomDomain::f64().with_bounds((0.0, 20.0))?);
/// let space = (VectorDomain::new(rows), SymmetricDistance);
/// let groups = || vec![0, 1];
/// let sums = (space.clone() >> then_sum_by_categories(groups(), UnknownCategories::Drop, L1Distance::new()) >> then_laplace(40.0))?;
/// let counts = (space
///     >> then_select(First)
///     >> then_count_by_categories(groups(), UnknownCategories::Drop, L1Distance::new())
///     >> then_laplace(2.0))?;
/// let means = make_means(make_composition((sums, counts))?, (0.0, 20.0))?;
/// let released = means.invoke(&[(0, 12.5), (0, 3.0), (1, 7.0)])?;
/// assert!(released.iter().flatten().all(|mean| (0.0..=20.0).contains(mean)));
/// assert_eq!(means.map(&1)?, 1.0); // epsilon: a half for the sums, a half for the counts
/// # Ok::<(), Error>(())
/// ```
#[constructor(children(measurement))]
pub fn make_means<DI: Domain, MI: Metric, MO: Measure>(
    measurement: Measurement<DI, (Vec<f64>, Vec<i64>), MI, MO>,
    bounds: (f64, f64),
) -> Fallible<Measurement<DI, Vec<Option<f64>>, MI, MO>> {
    let (lower, upper) = checked_bounds(bounds)?;
    Ok(measurement.released_as(Function::new(move |(sums, counts): &(Vec<f64>, Vec<i64>)| {
        let mean = |(sum, count): (&f64, &i64)| {
            let count = (*count >= 1).then(|| f64::nearest_from(count).ok()).flatten()?;
            Some((sum / count).max(lower).min(upper))
        };
        sums.iter().zip(counts).map(mean).collect()
    })))
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn a_mean_is_between_the_bounds_or_hidden() {
        let rows = VectorDomain::new(AtomDomain::i64());
        let release = |sums: Vec<f64>, counts: Vec<i64>| {
            let told = move |_: &[i64], _: &mut dyn indistinct_sampling::Entropy| Ok((sums.clone(), counts.clone()));
            let whole =
                make_user_measurement(rows.clone(), SymmetricDistance, MaxDivergence, told, |_| Ok(0.0)).unwrap();
            make_means(whole, (-1.0, 4.0)).unwrap().invoke(&[]).unwrap()
        };
        let means = release(vec![6.0, 9.0, -5.0, 3.0, 3.0, f64::NAN, f64::INFINITY], vec![2, 2, 2, 0, -4, 1, 1]);
        assert_eq!(means, [Some(3.0), Some(4.0), Some(-1.0), None, None, Some(-1.0), Some(4.0)]);
        assert_eq!(release(vec![1e300], vec![i64::MAX]), [Some(4.0)]);
    }

    #[test]
    fn bounds_are_bounds() {
        let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 1.0).unwrap();
        let pair = (noisy >> Function::new(|x: &i64| (vec![1.0], vec![*x]))).unwrap();
        for bounds in [(1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert_eq!(make_means(pair.clone(), bounds).unwrap_err().kind(), ErrorKind::Parameter("bounds"));
        }
        assert_eq!(make_means(pair.clone(), (0.0, 1.0)).unwrap().map(&2.0), pair.map(&2.0));
    }
}
