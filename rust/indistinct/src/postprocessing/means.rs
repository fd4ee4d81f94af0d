//! Means of groups, from noisy sums and counts.

use crate::{
    core::{Fallible, Function, Postprocessing},
    domains::checked_bounds,
};
use indistinct_numeric::RoundedFrom;

/// Computes the mean of each group, after a measurement that releases the groups' noisy sums and noisy counts. The mean
/// is `None` if the noisy count is below 1, because the noise then exceeds the group.
///
/// The number of rows need not be known. A mean is the ratio, clamped to the bounds of the summed numbers. It is not
/// unbiased, because the noisy count is the denominator.
///
/// # Parameters
///
/// - `bounds`: the bounds of the summed numbers.
///
/// # Privacy
///
/// The loss is that of the measurement: a function of its release costs nothing.
///
/// # Errors
///
/// Returns an error if a bound is not finite, or if the lower bound is above the upper one.
///
/// ```
/// use indistinct::{prelude::*, transformations::First};
/// let rows = PairDomain::new(AtomDomain::u32(), AtomDomain::f64().with_bounds((0.0, 20.0))?);
/// let (space, drop) = ((VectorDomain::new(rows), SymmetricDistance), UnknownCategories::Drop);
/// let sums = (space.clone() >> then_sum_by_categories(vec![0, 1], drop, L1Distance::new()) >> then_laplace(40.0))?;
/// let groups = (space >> then_pair_part(First))?;
/// let counts = (groups >> then_count_by_categories(vec![0, 1], drop, L1Distance::new()) >> then_laplace(2.0))?;
/// let means = (make_composition((sums, counts))? >> group_means((0.0, 20.0))?)?;
/// let released = means.invoke(&[(0, 12.5), (0, 3.0), (1, 7.0)])?;
/// assert!(released.iter().flatten().all(|mean| (0.0..=20.0).contains(mean)));
/// assert_eq!(means.map(&1)?, 1.0); // epsilon: a half for the sums, a half for the counts
/// # Ok::<(), Error>(())
/// ```
pub fn group_means(bounds: (f64, f64)) -> Fallible<Postprocessing<(Vec<f64>, Vec<i64>), Vec<Option<f64>>>> {
    let (lower, upper) = checked_bounds(bounds)?;
    let means = Function::new(move |(sums, counts): &(Vec<f64>, Vec<i64>)| {
        let mean = |(sum, count): (&f64, &i64)| {
            let count = (*count >= 1).then(|| f64::nearest_from(count).ok()).flatten()?;
            Some((sum / count).max(lower).min(upper))
        };
        sums.iter().zip(counts).map(mean).collect()
    });
    Ok(Postprocessing::new("group_means", ("bounds", &(lower, upper)), means))
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
            (whole >> group_means((-1.0, 4.0)).unwrap()).unwrap().invoke(&[]).unwrap()
        };
        let means = release(vec![6.0, 9.0, -5.0, 3.0, 3.0, f64::NAN, f64::INFINITY], vec![2, 2, 2, 0, -4, 1, 1]);
        assert_eq!(means, [Some(3.0), Some(4.0), Some(-1.0), None, None, Some(-1.0), Some(4.0)]);
        assert_eq!(release(vec![1e300], vec![i64::MAX]), [Some(4.0)]);
    }

    #[test]
    fn bounds_are_bounds_and_stand_in_the_plan() {
        for bounds in [(1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert!(group_means(bounds).is_err_and(|error| error.kind() == ErrorKind::Parameter("bounds")));
        }
        let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 1.0).unwrap();
        let pair = (noisy >> Function::new(|x: &i64| (vec![1.0], vec![*x]))).unwrap();
        let [one, other] = [1.0, 2.0].map(|upper| (pair.clone() >> group_means((0.0, upper)).unwrap()).unwrap());
        assert!(one.plan() != other.plan() && one.map(&2.0) == pair.map(&2.0));
    }
}
