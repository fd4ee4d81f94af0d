//! The probability that the noise exceeds a given distance.

use super::gaussian::two_tails;
use crate::{
    core::{Fallible, require},
    measurements::{Scale, noise::Law, upper_tail},
};
use indistinct_numeric::{RoundedArithmetic, RoundedMath};

/// Returns the probability that a float released by [`make_laplace`](crate::measurements::make_laplace) is further than
/// `accuracy` from the value without noise, rounded up. It is the inverse of
/// [`laplace_accuracy`](super::laplace_accuracy).
///
/// Half a step of the grid counts as noise. Beyond 2^53 steps, a release is also rounded to a float, as described
/// there.
///
/// # Errors
///
/// Returns an error if the accuracy is negative or not finite, or if the scale is not valid.
///
/// ```
/// use indistinct::prelude::*;
/// let alpha = laplace_alpha(10.0, 30.0)?;
/// assert!((0.0497..0.0498).contains(&alpha), "{alpha}");
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "accuracy_to_alpha")]
pub fn laplace_alpha(scale: impl Into<Scale>, accuracy: f64) -> Fallible<f64> {
    of_floats(scale.into(), accuracy, |scales| Ok((-scales).inf_exp()?))
}

/// Returns the probability that an integer released by [`make_laplace`](crate::measurements::make_laplace) is further
/// than `accuracy` from the value without noise, rounded up. It is `2 q^(a + 1) / (1 + q)`, where `q = exp(-1 / scale)`
/// and `a` is the whole part of `accuracy`. It is the inverse of
/// [`discrete_laplace_accuracy`](super::discrete_laplace_accuracy).
///
/// # Errors
///
/// Returns an error if the accuracy is negative or not finite, or if the scale is not valid.
///
/// ```
/// use indistinct::prelude::*;
/// let alpha = discrete_laplace_alpha(10.0, 30.0)?;
/// assert!((0.047..0.048).contains(&alpha), "{alpha}");
/// # Ok::<(), Error>(())
/// ```
pub fn discrete_laplace_alpha(scale: impl Into<Scale>, accuracy: f64) -> Fallible<f64> {
    of_integers(Law::Laplace, scale.into(), accuracy)
}

/// Returns the probability that a float released by [`make_gaussian`](crate::measurements::make_gaussian) is further
/// than `accuracy` from the value without noise, rounded up. It is the inverse of
/// [`gaussian_accuracy`](super::gaussian_accuracy).
///
/// Half a step of the grid counts as noise. Beyond 2^53 steps, a release is also rounded to a float, as described
/// there.
///
/// # Errors
///
/// Returns an error if the accuracy is negative or not finite, or if the scale is not valid.
///
/// ```
/// use indistinct::prelude::*;
/// let alpha = gaussian_alpha(10.0, 20.0)?;
/// assert!((0.0455..0.0456).contains(&alpha), "{alpha}");
/// # Ok::<(), Error>(())
/// ```
pub fn gaussian_alpha(scale: impl Into<Scale>, accuracy: f64) -> Fallible<f64> {
    of_floats(scale.into(), accuracy, |scales| Ok(two_tails(scales)))
}

/// Returns the probability that an integer released by [`make_gaussian`](crate::measurements::make_gaussian) is further
/// than `accuracy` from the value without noise, rounded up. It is the inverse of
/// [`discrete_gaussian_accuracy`](super::discrete_gaussian_accuracy). At scales above 10 it may exceed the true
/// probability by up to 15 percent within two scales, and by less beyond them.
///
/// # Errors
///
/// Returns an error if the accuracy is negative or not finite, or if the scale is not valid.
///
/// ```
/// use indistinct::prelude::*;
/// let alpha = discrete_gaussian_alpha(10.0, 20.0)?;
/// assert!((0.0402..0.0403).contains(&alpha), "{alpha}");
/// # Ok::<(), Error>(())
/// ```
pub fn discrete_gaussian_alpha(scale: impl Into<Scale>, accuracy: f64) -> Fallible<f64> {
    of_integers(Law::Gaussian, scale.into(), accuracy)
}

fn check(accuracy: f64) -> Fallible<()> {
    require(accuracy.is_finite() && accuracy >= 0.0, "accuracy", "must be finite and not negative")
}

/// Returns the alpha for noise on floats, given a bound on the probability of the two tails beyond a number of scales.
fn of_floats(scale: Scale, accuracy: f64, tails: impl FnOnce(f64) -> Fallible<f64>) -> Fallible<f64> {
    scale.validate(false)?;
    check(accuracy)?;
    let noise = accuracy.neg_inf_sub(2f64.inf_powi(scale.grid() - 1)?)?;
    if noise < 0.0 {
        return Ok(1.0);
    }
    if scale.value() == 0.0 {
        return Ok(0.0);
    }
    Ok(tails(noise.neg_inf_div(scale.value())?)?.min(1.0))
}

/// Returns the alpha for symmetric noise on integers: twice the tail from the next integer on.
fn of_integers(law: Law, scale: Scale, accuracy: f64) -> Fallible<f64> {
    scale.validate(true)?;
    check(accuracy)?;
    let next = accuracy.floor().neg_inf_add(1.0)?.max(1.0);
    Ok(upper_tail(law, scale.value(), next)?.inf_mul(2.0)?.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{discrete_gaussian_accuracy, discrete_laplace_accuracy, gaussian_accuracy, laplace_accuracy},
        *,
    };
    use crate::truth::{covers, real, sizes};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn each_step_is_rounded_up(scale in sizes(-3, 6), scales in sizes(-4, 5), grid in -60i32..-20) {
            let (accuracy, on_grid) = (scale * scales, Scale::new(scale).on_grid(grid));
            let noise = real(accuracy) - real(2f64.powi(grid - 1));
            let laplace = laplace_alpha(on_grid, accuracy).unwrap();
            let gaussian = gaussian_alpha(on_grid, accuracy).unwrap();
            if noise < 0.0 {
                prop_assert!(laplace == 1.0 && gaussian == 1.0);
            } else {
                let scales = noise / scale;
                prop_assert!(covers(laplace, (-scales.clone()).exp()), "{laplace:e}");
                prop_assert!(covers(gaussian, (scales / real(2.0).sqrt()).erfc()), "{gaussian:e}");
            }
            let q = (-real(scale).recip()).exp();
            let tails = (-(real(accuracy.floor()) + 1u32) / scale).exp() * 2u32 / (q + 1u32);
            let discrete = discrete_laplace_alpha(scale, accuracy).unwrap();
            prop_assert!(covers(discrete, tails.min(&real(1.0))), "{discrete:e}");
        }
    }

    /// The accuracy for an alpha has at most this alpha, and a bound that is smaller by an integer or by a fraction has
    /// a greater alpha.
    #[test]
    fn alphas_are_the_inverse_of_accuracies() {
        type Both = (fn(f64, f64) -> Fallible<f64>, fn(f64, f64) -> Fallible<f64>, bool);
        let pairs: [Both; 4] = [
            (|s, a| laplace_alpha(s, a), |s, alpha| laplace_accuracy(s, alpha), false),
            (|s, a| gaussian_alpha(s, a), |s, alpha| gaussian_accuracy(s, alpha), false),
            (|s, a| discrete_laplace_alpha(s, a), |s, alpha| discrete_laplace_accuracy(s, alpha), true),
            (|s, a| discrete_gaussian_alpha(s, a), |s, alpha| discrete_gaussian_accuracy(s, alpha), true),
        ];
        for (alpha_of, accuracy_of, whole) in pairs {
            for (scale, alpha) in [(1.0, 0.05), (3.7, 0.5), (20.0, 1e-9), (0.3, 0.01), (90.0, 0.2)] {
                let accuracy = accuracy_of(scale, alpha).unwrap();
                assert!(alpha_of(scale, accuracy).unwrap() <= alpha * (1.0 + 1e-9), "{scale} {alpha}");
                let less = if whole { accuracy - 1.0 } else { accuracy * (1.0 - 1e-8) };
                assert!(less < 0.0 || alpha_of(scale, less).unwrap() > alpha * (1.0 - 1e-9), "{scale} {alpha}");
            }
            assert_eq!(alpha_of(0.0, 3.0), Ok(0.0));
            for (scale, accuracy) in [(-1.0, 1.0), (f64::NAN, 1.0), (1.0, -1.0), (1.0, f64::NAN), (1.0, f64::INFINITY)]
            {
                assert!(alpha_of(scale, accuracy).is_err());
            }
        }
        assert_eq!((laplace_alpha(0.0, 0.0), discrete_laplace_alpha(5.0, f64::MAX).unwrap() < 1e-300), (Ok(1.0), true));
    }
}
