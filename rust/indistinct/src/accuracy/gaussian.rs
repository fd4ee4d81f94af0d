//! The accuracy of Gaussian noise.

use super::check_alpha;
use crate::{core::Fallible, measurements::Scale, search::smallest};
use indistinct_numeric::{
    RoundedArithmetic, RoundedMath,
    enclosure::{Enclosure, Formula, enclose},
};

/// Returns the half-width of a `1 - alpha` confidence interval for a float released by
/// [`make_gaussian`](crate::measurements::make_gaussian), rounded up: `scale` times the normal quantile at `1 - alpha /
/// 2`, plus half a step of the grid.
///
/// A release larger than 2^53 steps of the grid (with the default grid, 2^20 scales) is also rounded to the nearest
/// float, by at most half a unit in its last place. For an f32 this begins at 2^24 steps.
///
/// # Errors
///
/// Returns an error if `alpha` is outside (0, 1), or if the scale is not valid.
///
/// ```
/// use indistinct::prelude::*;
/// let half_width = gaussian_accuracy(10.0, 0.05)?;
/// assert!((19.599..19.600).contains(&half_width));
/// # Ok::<(), Error>(())
/// ```
pub fn gaussian_accuracy(scale: impl Into<Scale>, alpha: f64) -> Fallible<f64> {
    let scale = scale.into();
    scale.validate(false)?;
    check_alpha(alpha)?;
    half_width(scale, quantile(alpha)?)
}

/// Returns [`gaussian_accuracy`] for the quantile of alpha.
pub(super) fn half_width(scale: Scale, quantile: f64) -> Fallible<f64> {
    let half_step = 2f64.inf_powi(scale.grid() - 1)?;
    Ok(scale.value().inf_mul(quantile)?.inf_add(half_step)?)
}

/// Returns the half-width of a `1 - alpha` confidence interval for an integer released by
/// [`make_gaussian`](crate::measurements::make_gaussian): the smallest integer `a` with `P(|Z| > a) <= alpha`.
///
/// Below scale 100 it sums the distribution, rounded outward; above, it uses the normal quantile. The result may be one
/// too large because of rounding, or because the two distributions differ; at an alpha below 1e-321, by more.
///
/// # Errors
///
/// Returns an error if `alpha` is outside (0, 1), or if the scale is not valid.
///
/// ```
/// use indistinct::prelude::*;
/// assert_eq!(discrete_gaussian_accuracy(10.0, 0.05)?, 20.0);
/// # Ok::<(), Error>(())
/// ```
pub fn discrete_gaussian_accuracy(scale: impl Into<Scale>, alpha: f64) -> Fallible<f64> {
    let scale = scale.into();
    scale.validate(true)?;
    check_alpha(alpha)?;
    discrete_half_width(scale.value(), alpha, || quantile(alpha))
}

/// Returns [`discrete_gaussian_accuracy`]. The function for the quantile of alpha is not called at small scales.
pub(super) fn discrete_half_width(scale: f64, alpha: f64, quantile: impl FnOnce() -> Fallible<f64>) -> Fallible<f64> {
    if scale == 0.0 {
        return Ok(0.0);
    }
    if scale >= 100.0 {
        // Falling weights: those from a + 1 on sum to at most their integral from a, and all of them to at least scale
        // sqrt(2 pi) (Poisson summation).
        return Ok(scale.inf_mul(quantile()?)?.ceil());
    }
    // Weights exp(-z^2 / (2 scale^2)) from 40 scales down, beyond which their sum is below that of the integral.
    let reach = (40.0 * scale).ceil() + 1.0;
    let square = |round_up: bool| {
        let ratio = if round_up { 1f64.inf_div(scale) } else { 1f64.neg_inf_div(scale) }?;
        if round_up { ratio.inf_mul(ratio) } else { ratio.neg_inf_mul(ratio) }
    };
    let (most, least) = (square(true)?, square(false)?);
    // An exponent rounded down is larger in size: integers below 2^26 have exact squares.
    let upper = |z: f64| (-(z * z / 2.0).neg_inf_mul(least)?).inf_exp();
    let lower = |z: f64| (-(z * z / 2.0).inf_mul(most)?).neg_inf_exp();
    let mut total = 0.0;
    let mut z = reach;
    while z >= 1.0 {
        total = lower(z)?.neg_inf_mul(2.0)?.neg_inf_add(total)?;
        z -= 1.0;
    }
    let total = total.neg_inf_add(1.0)?;
    let allowed = alpha.neg_inf_mul(total)?;
    // All beyond the reach: at most the integral from it, (scale^2 / reach) times the weight there.
    let mut tail = scale.inf_mul(scale)?.inf_div(reach)?.inf_mul(upper(reach)?)?.inf_mul(2.0)?;
    let mut accuracy = reach;
    while accuracy >= 1.0 {
        tail = upper(accuracy)?.inf_mul(2.0)?.inf_add(tail)?;
        if tail > allowed {
            return Ok(accuracy);
        }
        accuracy -= 1.0;
    }
    Ok(0.0)
}

/// Returns the smallest float z for which enclosures show `P(|Z| > z) <= alpha`, for a standard normal Z.
pub(super) fn quantile(alpha: f64) -> Fallible<f64> {
    // 2^-1074 lies at 38.4.
    smallest((0.0, 64.0), |z: f64| Ok(two_tails(z) <= alpha))
}

/// Returns an upper bound on `P(|Z| > z)` for a standard normal Z.
pub(super) fn two_tails(z: f64) -> f64 {
    enclose(&TwoTails(z)).upper
}

/// `P(|Z| > z)` for a standard normal Z.
struct TwoTails(f64);

impl Formula for TwoTails {
    fn evaluate<E: Enclosure>(&self) -> E {
        let z = E::exact(self.0);
        let density = z.mul(&z).mul(&E::exact(-0.5)).exp().mul(&E::inverse_root_two_pi());
        density.mul(&z.mills()).mul(&E::exact(2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{covers, near, real, sizes};
    use proptest::prelude::*;
    use rug::Float;

    /// `P(|Z| > x)` for a standard normal Z.
    fn exact_two_tails(x: Float) -> Float {
        (x / real(2.0).sqrt()).erfc()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn quantiles_and_each_step_after_them_are_rounded_up(scale in sizes(-3, 6), alpha in sizes(-60, -1), grid in -60i32..6) {
            let z = quantile(alpha).unwrap();
            prop_assert!(covers(alpha, exact_two_tails(real(z))), "{z:e}");
            let bound = gaussian_accuracy(Scale::new(scale).on_grid(grid), alpha).unwrap();
            let noise = real(bound) - real(2f64.powi(grid - 1));
            prop_assert!(covers(alpha, exact_two_tails(noise / scale)), "{bound:e}");
        }

        /// Next to the probabilities at which the integer is another.
        #[test]
        fn great_scales_are_rounded_up(scale in sizes(7, 10), scales in 0.1..4f64, off in -4i32..5) {
            let alpha = near(&exact_two_tails(real((scale * scales).ceil()) / scale), off);
            let accuracy = discrete_gaussian_accuracy(scale, alpha).unwrap();
            prop_assert!(covers(alpha, exact_two_tails(real(accuracy) / scale)), "{accuracy}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn the_tail_is_within_alpha(scale in sizes(-3, 3), scales in 0.0..6f64, off in -4i32..5) {
            // The smallest first: twice the weights from an integer on.
            let mut tails = vec![real(0.0)];
            let reach = (25.0 * scale).ceil();
            let mut z = reach;
            while z >= 1.0 {
                let weight = (-(real(z) / scale).square() / 2u32).exp() * 2u32;
                tails.push(weight + tails.last().unwrap());
                z -= 1.0;
            }
            let all = real(1.0) + tails.last().unwrap();
            let beyond = |a: f64| tails.iter().rev().zip(0u32..).find(|(_, from)| f64::from(*from) == a).unwrap().0.clone() / &all;
            let alpha = near(&beyond((scale * scales).floor()), off);
            prop_assume!(alpha > 0.0 && alpha < 1.0);
            let accuracy = discrete_gaussian_accuracy(scale, alpha).unwrap();
            prop_assert!(covers(alpha, beyond(accuracy)), "{accuracy}");
        }
    }

    /// As MPFR rounds each step, in python (gmpy2): any that is turned around gives a lesser integer in one of these,
    /// but for doubles, which are exact, and for what lies beyond forty scales.
    #[test]
    fn each_step_of_the_discrete_accuracy_is_rounded_up() {
        for (scale, alpha, accuracy) in [
            (0.5721495635842289, 0.3049023881082949, 1.0),
            (1.0, 0.0002706460591563741, 4.0),
            (0.5, 2.3958931794589926e-08, 3.0),
            (0.5418341624908023, 0.26817182275150053, 1.0),
            (0.5519474310484629, 5.531690462276947e-07, 3.0),
            (0.44364716749352795, 0.13625859647114685, 1.0),
            (1.4664255755627584, 0.2967277934072534, 2.0),
            (0.8939508337288997, 0.5537314214018605, 1.0),
        ] {
            assert_eq!(discrete_gaussian_accuracy(scale, alpha), Ok(accuracy), "{scale:e} {alpha:e}");
        }
    }

    #[test]
    fn the_discrete_accuracy_is_the_least_integer() {
        for scale in [0.1, 0.5, 1.0, 3.7, 99.0] {
            let weight = |z: f64| (-(z / scale).powi(2) / 2.0).exp();
            let sum = |from: i32| (from..8_000).map(|z| weight(f64::from(z))).sum::<f64>();
            let total = 1.0 + 2.0 * sum(1);
            for alpha in [0.5, 0.1, 0.05, 1e-6] {
                let accuracy = discrete_gaussian_accuracy(scale, alpha).unwrap();
                let tail = |a: f64| 2.0 * sum(1 + a.to_string().parse::<i32>().unwrap()) / total;
                assert!(tail(accuracy) <= alpha * (1.0 + 1e-9), "{scale} {alpha}");
                assert!(accuracy == 0.0 || tail(accuracy - 1.0) > alpha * (1.0 - 1e-9), "{scale} {alpha}");
            }
        }
        assert_eq!(discrete_gaussian_accuracy(0.0, 0.05), Ok(0.0));
        // Both roads, on either side of the split.
        let (below, above) = (discrete_gaussian_accuracy(99.999, 0.01), discrete_gaussian_accuracy(100.0, 0.01));
        assert!((0.0..=1.0).contains(&(above.unwrap() - below.unwrap())));
    }

    /// The accuracy is the quantile plus half a step of the grid, which is 2^4 here.
    #[test]
    fn half_a_step_is_added() {
        let half_width = gaussian_accuracy(Scale::new(2.0).on_grid(5), 0.05).unwrap();
        assert!((half_width - 16.0 - 2.0 * 1.959963984540054).abs() < 1e-13, "{half_width}");
        assert_eq!(gaussian_accuracy(Scale::new(0.0), 0.5), Ok(5e-324), "half of the least float is rounded up");
    }

    #[test]
    fn quantiles() {
        for (alpha, truth) in [(0.05, 1.959963984540054), (0.5, 0.674489750196082), (1e-9, 6.109410204869)] {
            let z = quantile(alpha).unwrap();
            assert!((z - truth).abs() < 1e-11, "{alpha}: {z}");
        }
        assert!(quantile(5e-324).is_ok_and(|z| (38.0..39.0).contains(&z)));
        assert!(quantile(1.0 - f64::EPSILON).is_ok_and(|z| z < 1e-15));
    }

    #[test]
    fn bad_parameters_are_named() {
        for alpha in [0.0, 1.0, -0.1, f64::NAN] {
            assert!(gaussian_accuracy(1.0, alpha).is_err() && discrete_gaussian_accuracy(1.0, alpha).is_err());
        }
        assert!(gaussian_accuracy(f64::NAN, 0.05).is_err() && discrete_gaussian_accuracy(-1.0, 0.05).is_err());
        assert!(discrete_gaussian_accuracy(1e300, 0.05).is_ok() && discrete_gaussian_accuracy(5e-324, 0.05) == Ok(0.0));
    }
}
