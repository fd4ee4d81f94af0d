//! `make_staircase`: integers with staircase noise.

use super::noise::IntegerAtom;
use crate::{
    core::{Deviation, Error, Fallible, HalfWidth, Measurement, PrivacyMap, RandomizedFunction, ToParameter, require},
    domains::AtomDomain,
    measures::MaxDivergence,
    metrics::AbsoluteDistance,
};
use indistinct_derive::constructor;
use indistinct_numeric::{RoundedArithmetic, RoundedFrom, RoundedMath};
use indistinct_sampling::{self as sampling, Rule, StaircaseNoise};

/// Adds staircase noise to an integer: the smallest noise for one number at a large epsilon.
///
/// `P(z)` is proportional to `exp(-epsilon k)` for the integers z on step k. Step 0 has the sizes below a split, and
/// each further step has the next `d_in` sizes. The split is chosen to minimize the mean size of the noise.
///
/// No noise that is added to one integer has a smaller mean size at the same sensitivity and epsilon (Geng, Viswanath
/// 2014; Geng, Kairouz, Oh, Viswanath 2015). The gain over [`make_laplace`](super::make_laplace) is large if epsilon is
/// large. For example, at sensitivity 100:
///
/// | epsilon | mean size of Laplace noise | of staircase noise | 95 in 100 Laplace releases are within | staircase releases |
/// |---:|---:|---:|---:|---:|
/// | 2 | 50.0 | 42.5 | 150 | 127 |
/// | 4 | 25.0 | 13.8 | 75 | 77 |
/// | 6 | 16.7 | 5.0 | 50 | 9 |
/// | 8 | 12.5 | 1.8 | 37 | 1 |
///
/// At sensitivity 1 it is discrete Laplace noise. For a vector use `make_laplace`: with staircase noise, an individual
/// who changes many numbers by one each would lose a whole step for every number, whatever the sensitivity.
///
/// # Parameters
///
/// - `d_in`: the sensitivity for which the noise is made, a whole number from 1 to `2^52`.
/// - `d_out`: the epsilon at that sensitivity, from `2^-40` to `2^10`.
///
/// # Privacy
///
/// `epsilon = d_out ceil(d / d_in)` at distance d, rounded up; d is rounded down first, because the distance of two
/// integers is a whole number. Epsilon is `d_out` for all distances from 1 to `d_in`.
///
/// # Errors
///
/// Returns an error if a parameter is out of range.
///
/// ```
/// use indistinct::prelude::*;
/// let visits = make_staircase(AtomDomain::i64(), AbsoluteDistance::new(), 100.0, 8.0)?;
/// let release: i64 = visits.invoke(&12_000)?;
/// assert_eq!((visits.map(&100.0)?, visits.map(&101.0)?), (8.0, 16.0));
/// # let _ = release;
/// # Ok::<(), Error>(())
/// ```
#[constructor(rebuilt(T = [i64, i128]))]
pub fn make_staircase<T: IntegerAtom + ToParameter>(
    input_domain: AtomDomain<T>,
    input_metric: AbsoluteDistance,
    d_in: f64,
    d_out: f64,
) -> Fallible<Measurement<AtomDomain<T>, T, AbsoluteDistance, MaxDivergence>> {
    let is_valid = (1.0..=MAX_WIDTH).contains(&d_in) && d_in.fract() == 0.0;
    require(is_valid, "d_in", "must be a whole number from 1 to 2^52")?;
    let split = best_split(d_in, d_out);
    let noise = StaircaseNoise::new(u64::exact_from(&d_in)?, u64::exact_from(&split)?, d_out);
    let noise = noise.map_err(|error| match error {
        sampling::Error::Parameter(Rule::Epsilon) => Error::parameter("d_out", "must be from 2^-40 to 2^10"),
        other => other.into(),
    })?;
    let measurement = Measurement::new(
        (input_domain, input_metric),
        MaxDivergence,
        RandomizedFunction::new(move |value: &T, entropy| Ok(value.saturating_sum(noise.draw_gmp(entropy)?))),
        PrivacyMap::new(move |distance: &f64| Ok(distance.floor().inf_div(d_in)?.ceil().inf_mul(d_out)?)),
    )?;
    let deviation = HalfWidth::new(move |alpha| Steps::new(d_in, split, d_out)?.half_width(alpha));
    Ok(measurement.with_deviation(Deviation::Additive(deviation)))
}

/// The largest sensitivity: all whole numbers up to twice this are floats.
const MAX_WIDTH: f64 = 4_503_599_627_370_496.0;

/// The number of sizes on step 0 with the smallest mean size of the noise. No guarantee depends on it.
///
/// With `b = exp(-epsilon)` and `a = 2 width b / (1 - b)`, a split r is not worse than `r + 1` from `r^2 + a r >= a
/// width / 2` on.
fn best_split(width: f64, epsilon: f64) -> f64 {
    let Ok(growth) = epsilon.neg_inf_exp_m1() else { return 1.0 };
    let a = 2.0 * width / growth;
    let root = a * width / ((a * a + 2.0 * a * width).sqrt() + a);
    // The least split also where a is not finite, or not a number.
    if root > 1.0 { root.ceil().min(width) } else { 1.0 }
}

/// The distribution of the noise, with `b = exp(-epsilon)` enclosed.
struct Steps {
    width: f64,
    split: f64,
    epsilon: f64,
    /// `1 - b`, rounded down.
    rest: f64,
    /// Enclosed, `(1 - b)` over the probability of 0: `c (1 - b) + 2 width b` for the `c` integers of step 0.
    all: (f64, f64),
}

impl Steps {
    fn new(width: f64, split: f64, epsilon: f64) -> Fallible<Self> {
        let (low, high) = ((-epsilon).neg_inf_exp()?, (-epsilon).inf_exp()?);
        // These are whole numbers below 2^53. The sum is c + b (2 width - c).
        let center = 2.0 * split - 1.0;
        let others = 2.0 * width - center;
        let all = (center.neg_inf_add(low.neg_inf_mul(others)?)?, center.inf_add(high.inf_mul(others)?)?);
        Ok(Self { width, split, epsilon, rest: 1f64.neg_inf_sub(high)?, all })
    }

    /// At least the probability that the noise has this size or a greater one, for a whole number that is at least 1.
    fn tail(&self, size: f64) -> Fallible<f64> {
        if size <= self.split {
            let inside = size.neg_inf_mul(2.0)?.neg_inf_sub(1.0)?.neg_inf_mul(self.rest)?.neg_inf_div(self.all.1)?;
            return Ok(1f64.inf_sub(inside)?);
        }
        // On step k + 1 at the place u: 2 b^(k + 1) (width - u (1 - b)) over all.
        let beyond = size.neg_inf_sub(self.split)?;
        let steps = beyond.neg_inf_div(self.width)?.floor();
        let place = beyond.neg_inf_sub(steps.inf_mul(self.width)?)?.clamp(0.0, self.width);
        let power = (-steps.neg_inf_add(1.0)?.neg_inf_mul(self.epsilon)?).inf_exp()?;
        let share = self.width.inf_sub(place.neg_inf_mul(self.rest)?)?;
        Ok(power.inf_mul(share)?.inf_mul(2.0)?.inf_div(self.all.0)?)
    }

    /// The smallest size whose bound is at most `alpha`, from 0 to below 1: the noise exceeds it with at most that
    /// probability.
    fn half_width(&self, alpha: f64) -> Fallible<f64> {
        let (mut within, mut beyond) = (0.0, 1.0);
        while self.tail(beyond)? > alpha {
            (within, beyond) = (beyond, beyond * 2.0);
            // At an alpha that is nearly 0, no bound in floats is below it.
            if beyond.is_infinite() {
                return Ok(f64::INFINITY);
            }
        }
        loop {
            let middle: f64 = ((within + beyond) / 2.0).floor();
            if middle <= within || middle >= beyond {
                return Ok(beyond.inf_sub(1.0)?);
            }
            if self.tail(middle)? <= alpha {
                beyond = middle;
            } else {
                within = middle;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_WIDTH, Steps, best_split};
    use crate::{
        numeric::gmp::{Integer, Rational},
        prelude::*,
        sampling::testing::SeededEntropy,
        truth::{covers, real},
    };
    use proptest::prelude::*;

    fn staircase(
        d_in: f64,
        d_out: f64,
    ) -> Fallible<Measurement<AtomDomain<i64>, i64, AbsoluteDistance, MaxDivergence>> {
        make_staircase(AtomDomain::i64(), AbsoluteDistance::new(), d_in, d_out)
    }

    #[test]
    fn a_distance_costs_as_many_steps_as_it_can_cross() {
        let map = |d: f64| staircase(10.0, 0.5).unwrap().map(&d).unwrap();
        assert_eq!([0.0, 0.5, 1.0, 10.0, 10.9, 11.0, 20.0, 21.0].map(map), [0.0, 0.0, 0.5, 0.5, 0.5, 1.0, 1.0, 1.5]);
        assert_eq!(map(f64::INFINITY), f64::INFINITY);
        assert!(
            staircase(1.0, 1.0).unwrap().map(&-1.0).is_err() && staircase(1.0, 1.0).unwrap().map(&f64::NAN).is_err()
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// Never below the exact product, with distances next to whole numbers of steps.
        #[test]
        fn the_map_is_rounded_up(
            width in prop_oneof![1u64..100, 1u64..=1 << 52],
            k in prop_oneof![0u64..100, 0u64..=1 << 52],
            next in -1i64..=1,
            epsilon in -40.0..10.0f64,
        ) {
            let (width, epsilon) = (Integer::from(width), epsilon.exp2());
            let distance = (Integer::from(&width * k) + next).to_f64().max(0.0);
            let steps = Rational::from((Integer::from_f64(distance.floor()).unwrap(), width.clone())).ceil();
            let reported = staircase(width.to_f64(), epsilon).unwrap().map(&distance).unwrap();
            prop_assert!(covers(reported, real(epsilon) * steps), "{reported:e}");
        }
    }

    /// The number of the step on which a size lies.
    fn step(width: u32, split: u32, size: u32) -> i32 {
        i32::try_from((size + width - split) / width).unwrap()
    }

    /// Weights of the sizes up to 60 steps, by the definition.
    fn weights(width: u32, split: u32, epsilon: f64) -> Vec<f64> {
        let weight = |size| (if size == 0 { 1.0 } else { 2.0 }) * (-epsilon).exp().powi(step(width, split, size));
        (0..60 * width).map(weight).collect()
    }

    fn mean_size(width: u32, split: u32, epsilon: f64) -> f64 {
        let weights = weights(width, split, epsilon);
        let sum: f64 = weights.iter().zip(0u32..).map(|(weight, size)| weight * f64::from(size)).sum();
        sum / weights.iter().sum::<f64>()
    }

    #[test]
    fn no_other_split_has_a_smaller_mean_size() {
        for (width, epsilon) in [(1, 1.0), (2, 1.0), (3, 4.0), (10, 0.75), (10, 3.0), (25, 6.0), (25, 12.0)] {
            let best = best_split(width.into(), epsilon);
            let least = (1..=width).map(|split| mean_size(width, split, epsilon)).fold(f64::INFINITY, f64::min);
            let split = (1..=width).find(|split| f64::from(*split) == best).unwrap();
            assert!(mean_size(width, split, epsilon) <= least * (1.0 + 1e-9), "{width} {epsilon}: {best}");
        }
        for (width, epsilon) in
            [(1.0, 2f64.powi(-40)), (MAX_WIDTH, 2f64.powi(-40)), (MAX_WIDTH, 1024.0), (MAX_WIDTH, 1.0)]
        {
            let best = best_split(width, epsilon);
            assert!((1.0..=width).contains(&best) && best.fract() == 0.0, "{width} {epsilon}: {best}");
        }
    }

    #[test]
    fn tails_are_never_below_those_of_the_distribution_and_close_to_them() {
        for (width, epsilon) in [(1, 1.0), (2, 0.75), (3, 4.0), (10, 1.0), (10, 3.0), (25, 6.0)] {
            let split = (1..=width).find(|split| f64::from(*split) == best_split(width.into(), epsilon)).unwrap();
            let (weights, steps) =
                (weights(width, split, epsilon), Steps::new(width.into(), split.into(), epsilon).unwrap());
            let all: f64 = weights.iter().sum();
            let tail = |size: u32| {
                weights.iter().zip(0..).filter(|(_, of)| *of >= size).map(|(weight, _)| weight).sum::<f64>() / all
            };
            for size in 1..10 * width {
                let (bound, truth) = (steps.tail(size.into()).unwrap(), tail(size));
                assert!(
                    bound >= truth * (1.0 - 1e-12) && bound <= truth * (1.0 + 1e-9),
                    "{width} {size}: {bound} {truth}"
                );
            }
            for alpha in [0.9, 0.5, 0.05, 1e-3] {
                let half_width = steps.half_width(alpha).unwrap();
                let size = (0..10 * width).find(|size| tail(size + 1) <= alpha).unwrap();
                assert_eq!(half_width, f64::from(size), "{width} {epsilon} {alpha}");
            }
        }
        for (width, epsilon) in [(MAX_WIDTH, 2f64.powi(-40)), (1.0, 2f64.powi(-40)), (MAX_WIDTH, 1024.0)] {
            let steps = Steps::new(width, best_split(width, epsilon), epsilon).unwrap();
            assert!(steps.half_width(1e-290).unwrap().is_finite());
            assert!(steps.half_width(5e-324).unwrap() > steps.half_width(1e-290).unwrap());
        }
    }

    /// The table of the documentation.
    #[test]
    fn it_beats_laplace_noise_at_a_large_epsilon() {
        let half_widths = |epsilon: f64| {
            let laplace = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 100.0 / epsilon).unwrap();
            let staircase = staircase(100.0, epsilon).unwrap();
            [laplace.accuracy(0.05), staircase.accuracy(0.05)].map(|accuracy| accuracy.unwrap().number().unwrap())
        };
        let table = [2.0, 4.0, 6.0, 8.0].map(half_widths);
        assert_eq!(table, [[150.0, 127.0], [75.0, 77.0], [50.0, 9.0], [37.0, 1.0]]);
        // Laplace noise on an integer has the mean size `2 q / (1 - q^2)`, for `q = exp(-epsilon / 100)`.
        let laplace = |epsilon: f64| 1.0 / (epsilon / 100.0).sinh();
        for (epsilon, split, means) in
            [(2.0, 27, [50.0, 42.5]), (4.0, 12, [25.0, 13.8]), (6.0, 5, [16.7, 5.0]), (8.0, 2, [12.5, 1.8])]
        {
            assert_eq!(best_split(100.0, epsilon), f64::from(split));
            let seen = [laplace(epsilon), mean_size(100, split, epsilon)];
            assert!(seen.iter().zip(means).all(|(seen, mean)| (seen - mean).abs() < 0.05), "{epsilon}: {seen:?}");
        }
    }

    #[test]
    #[cfg(feature = "plans")]
    fn a_plan_builds_it_again() {
        use crate::{
            frames::then_rows,
            plans::tests::{Distances, columns},
        };
        let rows = || (columns(), SymmetricDistance);
        let count = rows() >> then_rows::<i64, _, _>(vec!["n"]) >> then_count() >> then_staircase(4.0, 3.5);
        crate::plans::tests::same(count, &Distances::ALL);
        let sum = rows() >> then_rows::<i64, _, _>(vec!["n"]) >> then_sum() >> then_staircase(9.0, 3.5);
        crate::plans::tests::same(sum, &Distances::ALL);
    }

    #[test]
    fn releases_saturate() {
        let mut entropy = SeededEntropy::new(5);
        let bytes = make_staircase(AtomDomain::u8(), AbsoluteDistance::new(), 255.0, 0.01).unwrap();
        let releases: Vec<u8> = (0..50).map(|_| bytes.invoke_with(&0, &mut entropy).unwrap()).collect();
        assert!(releases.contains(&u8::MIN) && releases.contains(&u8::MAX));
    }

    #[test]
    fn bad_parameters_are_named() {
        for d_in in [0.0, -1.0, 0.5, 2.5, 2.0 * MAX_WIDTH, f64::NAN, f64::INFINITY] {
            assert_eq!(staircase(d_in, 1.0).unwrap_err().kind(), ErrorKind::Parameter("d_in"), "{d_in}");
        }
        for d_out in [0.0, -1.0, 1e-13, 1025.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(staircase(2.0, d_out).unwrap_err().kind(), ErrorKind::Parameter("d_out"), "{d_out}");
        }
    }
}
