//! The distance between a release and the value without noise, from the distribution of the noise alone.
//!
//! The noise is larger than an accuracy `a` at significance `alpha` with probability at most `alpha`. The accuracy does
//! not include errors made before the noise, such as by clamping.
//!
//! A measurement knows its noise, so its [`accuracy`](crate::core::Measurement::accuracy) is known before any data are
//! read. The functions here compute it from a scale alone, and find the scale for an accuracy:
//!
//! | noise | accuracy of a scale | scale of an accuracy | alpha of an accuracy |
//! |---|---|---|---|
//! | Laplace on floats | [`laplace_accuracy`] | [`laplace_scale`] | [`laplace_alpha`] |
//! | Laplace on integers, geometric | [`discrete_laplace_accuracy`] | [`discrete_laplace_scale`] | [`discrete_laplace_alpha`] |
//! | Gaussian on floats | [`gaussian_accuracy`] | [`gaussian_scale`] | [`gaussian_alpha`] |
//! | Gaussian on integers | [`discrete_gaussian_accuracy`] | [`discrete_gaussian_scale`] | [`discrete_gaussian_alpha`] |

mod alphas;
mod gaussian;
mod of_measurement;
mod scales;

pub use alphas::{discrete_gaussian_alpha, discrete_laplace_alpha, gaussian_alpha, laplace_alpha};
pub use gaussian::{discrete_gaussian_accuracy, gaussian_accuracy};
pub use of_measurement::{Accuracy, scale_within};
pub use scales::{discrete_gaussian_scale, discrete_laplace_scale, gaussian_scale, laplace_scale};

use crate::{
    core::{Fallible, require},
    measurements::Scale,
};
use indistinct_numeric::{RoundedArithmetic, RoundedMath};

/// Returns the half-width of a `1 - alpha` confidence interval for a float released by
/// [`make_laplace`](crate::measurements::make_laplace), rounded up: `scale ln(1 / alpha)`, plus half a step of the
/// grid.
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
/// let half_width = laplace_accuracy(10.0, 0.05)?;
/// assert!((29.957..29.958).contains(&half_width));
/// # Ok::<(), Error>(())
/// ```
pub fn laplace_accuracy(scale: impl Into<Scale>, alpha: f64) -> Fallible<f64> {
    let scale = scale.into();
    scale.validate(false)?;
    check_alpha(alpha)?;
    let half_step = 2f64.inf_powi(scale.grid() - 1)?;
    Ok(scale.value().inf_mul(-alpha.neg_inf_ln()?)?.inf_add(half_step)?)
}

/// Returns the half-width of a `1 - alpha` confidence interval for an integer released by
/// [`make_laplace`](crate::measurements::make_laplace): the smallest integer `a` with `P(|Z| > a) <= alpha`.
///
/// With `q = exp(-1 / scale)`, `P(|Z| > a) = 2 q^(a+1) / (1 + q)`. The result may be one too large because of rounding.
///
/// # Errors
///
/// Returns an error if `alpha` is outside (0, 1), or if the scale is not valid.
///
/// ```
/// use indistinct::prelude::*;
/// assert_eq!(discrete_laplace_accuracy(10.0, 0.05)?, 30.0);
/// # Ok::<(), Error>(())
/// ```
pub fn discrete_laplace_accuracy(scale: impl Into<Scale>, alpha: f64) -> Fallible<f64> {
    let scale = scale.into();
    scale.validate(true)?;
    check_alpha(alpha)?;
    if scale.value() == 0.0 {
        return Ok(0.0);
    }
    // a + 1 >= scale ln(2 / (alpha (1 + q))), every step rounded up.
    let q = (-1f64.inf_div(scale.value())?).neg_inf_exp()?;
    let both = alpha.neg_inf_ln()?.neg_inf_add(1f64.neg_inf_add(q)?.neg_inf_ln()?)?;
    let ln = 2f64.inf_ln()?.inf_sub(both)?;
    Ok(scale.value().inf_mul(ln)?.ceil().inf_sub(1.0)?.max(0.0))
}

fn check_alpha(alpha: f64) -> Fallible<()> {
    require(alpha > 0.0 && alpha < 1.0, "alpha", "must be above 0 and below 1")
}

/// Returns an equal share of `alpha`, rounded down, for each of `parts` numbers from which an interval is computed.
pub(crate) fn share_of_alpha(alpha: f64, parts: f64) -> Fallible<f64> {
    check_alpha(alpha)?;
    let share = alpha.neg_inf_div(parts)?;
    require(share > 0.0, "alpha", "is too small: an equal share of it for each number rounds to 0")?;
    Ok(share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{covers, near, real, sizes};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// On wide grids too, where the sum is exact.
        #[test]
        fn each_step_is_rounded_up(scale in sizes(-3, 6), alpha in sizes(-60, -1), grid in -60i32..6) {
            let bound = laplace_accuracy(Scale::new(scale).on_grid(grid), alpha).unwrap();
            prop_assert!(covers(bound, -real(alpha).ln() * scale + real(2f64.powi(grid - 1))), "{bound:e}");
        }

        /// Next to the probabilities at which the integer is another.
        #[test]
        fn the_tail_is_within_alpha(scale in sizes(-3, 6), integer in 0u32..40, off in -4i32..5) {
            let q = (-real(scale).recip()).exp();
            let tail = |a: f64| (-(real(a) + 1u32) / scale).exp() * 2u32 / (q.clone() + 1u32);
            let alpha = near(&tail(integer.into()), off);
            prop_assume!(alpha > 0.0 && alpha < 1.0);
            let accuracy = discrete_laplace_accuracy(scale, alpha).unwrap();
            prop_assert!(covers(alpha, tail(accuracy)), "{accuracy}");
        }
    }

    /// As MPFR rounds each step, in python (gmpy2): any that is turned around gives a lesser integer in one of these.
    #[test]
    fn each_step_of_the_discrete_accuracy_is_rounded_up() {
        assert_eq!(discrete_laplace_accuracy(10.44116715452778, 0.6491233867964158), Ok(5.0));
        assert_eq!(discrete_laplace_accuracy(25.0, 0.9800026662400693), Ok(1.0));
        assert_eq!(discrete_laplace_accuracy(2.0, 0.755081337596291), Ok(1.0));
    }

    #[test]
    fn the_discrete_accuracy_is_the_least_integer() {
        for scale in [0.1, 0.5, 1.0, 3.7, 100.0] {
            for alpha in [0.5, 0.1, 0.05, 1e-6] {
                let q = f64::exp(-1.0 / scale);
                let tail = |a: f64| 2.0 * q.powf(a + 1.0) / (1.0 + q);
                let accuracy = discrete_laplace_accuracy(scale, alpha).unwrap();
                assert!(tail(accuracy) <= alpha * (1.0 + 1e-9), "{scale} {alpha}");
                assert!(accuracy == 0.0 || tail(accuracy - 1.0) > alpha * (1.0 - 1e-9), "{scale} {alpha}");
            }
        }
        assert_eq!(discrete_laplace_accuracy(0.0, 0.05), Ok(0.0));
    }

    /// `scale ln(1 / alpha)`, and half a step of the grid: 2^4 here.
    #[test]
    fn half_a_step_is_added() {
        let half_width = laplace_accuracy(Scale::new(2.0).on_grid(5), 0.5).unwrap();
        assert!((half_width - 16.0 - 2f64.ln() * 2.0).abs() < 1e-13, "{half_width}");
        assert_eq!(laplace_accuracy(Scale::new(0.0), 0.5), Ok(5e-324), "half of the least float is rounded up");
    }

    #[test]
    fn bad_parameters_are_named() {
        for alpha in [0.0, 1.0, -0.1, f64::NAN] {
            assert!(laplace_accuracy(1.0, alpha).is_err() && discrete_laplace_accuracy(1.0, alpha).is_err());
        }
        for scale in [Scale::new(1.0).on_grid(i32::MIN), Scale::new(1.0).on_grid(i32::MAX)] {
            assert!(laplace_accuracy(scale, 0.05).is_err() && discrete_laplace_accuracy(scale, 0.05).is_err());
        }
        assert!(discrete_laplace_accuracy(1.0, 5e-324).is_ok_and(|a| (744.0..746.0).contains(&a)));
        assert!(laplace_accuracy(1.0, 5e-324).is_ok_and(|a| (744.0..745.0).contains(&a)));
        assert!(laplace_accuracy(f64::NAN, 0.05).is_err() && discrete_laplace_accuracy(-1.0, 0.05).is_err());
    }
}
