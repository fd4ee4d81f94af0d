//! The largest scale that satisfies an accuracy, or 0 if no scale does.

use super::{
    check_alpha, discrete_laplace_accuracy,
    gaussian::{discrete_half_width, half_width, quantile},
    laplace_accuracy,
};
use crate::{
    core::{Fallible, require},
    search::largest,
};

/// Returns the largest scale of [`make_laplace`](crate::measurements::make_laplace) on floats, with the default grid,
/// for which the half-width of a `1 - alpha` confidence interval, [`laplace_accuracy`](super::laplace_accuracy), is at
/// most `accuracy`.
///
/// # Errors
///
/// Returns an error if `alpha` is outside (0, 1), or if the accuracy is negative or not finite.
///
/// ```
/// use indistinct::prelude::*;
/// let scale = laplace_scale(30.0, 0.05)?;
/// assert!((10.0..10.02).contains(&scale), "{scale}");
/// # Ok::<(), Error>(())
/// ```
pub fn laplace_scale(accuracy: f64, alpha: f64) -> Fallible<f64> {
    check(accuracy, alpha)?;
    greatest_scale(accuracy, |scale| laplace_accuracy(scale, alpha))
}

/// Returns the largest scale of [`make_laplace`](crate::measurements::make_laplace) on integers for which the
/// half-width of a `1 - alpha` confidence interval, [`discrete_laplace_accuracy`](super::discrete_laplace_accuracy), is
/// at most `accuracy`.
///
/// # Errors
///
/// Returns an error if `alpha` is outside (0, 1), or if the accuracy is negative or not finite.
///
/// ```
/// use indistinct::prelude::*;
/// let scale = discrete_laplace_scale(30.0, 0.05)?;
/// assert!((10.0..10.4).contains(&scale), "{scale}");
/// # Ok::<(), Error>(())
/// ```
pub fn discrete_laplace_scale(accuracy: f64, alpha: f64) -> Fallible<f64> {
    check(accuracy, alpha)?;
    greatest_scale(accuracy, |scale| discrete_laplace_accuracy(scale, alpha))
}

/// Returns the largest scale of [`make_gaussian`](crate::measurements::make_gaussian) on floats, with the default grid,
/// for which the half-width of a `1 - alpha` confidence interval, [`gaussian_accuracy`](super::gaussian_accuracy), is
/// at most `accuracy`.
///
/// # Errors
///
/// Returns an error if `alpha` is outside (0, 1), or if the accuracy is negative or not finite.
///
/// ```
/// use indistinct::prelude::*;
/// let scale = gaussian_scale(20.0, 0.05)?;
/// assert!((10.2..10.21).contains(&scale), "{scale}");
/// # Ok::<(), Error>(())
/// ```
pub fn gaussian_scale(accuracy: f64, alpha: f64) -> Fallible<f64> {
    check(accuracy, alpha)?;
    let quantile = quantile(alpha)?;
    greatest_scale(accuracy, |scale| half_width(scale.into(), quantile))
}

/// Returns the largest scale of [`make_gaussian`](crate::measurements::make_gaussian) on integers for which the
/// half-width of a `1 - alpha` confidence interval, [`discrete_gaussian_accuracy`](super::discrete_gaussian_accuracy),
/// is at most `accuracy`.
///
/// # Errors
///
/// Returns an error if `alpha` is outside (0, 1), or if the accuracy is negative or not finite.
///
/// ```
/// use indistinct::prelude::*;
/// let scale = discrete_gaussian_scale(20.0, 0.05)?;
/// assert!((10.0..10.5).contains(&scale), "{scale}");
/// # Ok::<(), Error>(())
/// ```
pub fn discrete_gaussian_scale(accuracy: f64, alpha: f64) -> Fallible<f64> {
    check(accuracy, alpha)?;
    let quantile = quantile(alpha)?;
    greatest_scale(accuracy, |scale| discrete_half_width(scale, alpha, || Ok(quantile)))
}

pub(super) fn check(accuracy: f64, alpha: f64) -> Fallible<()> {
    check_alpha(alpha)?;
    require(accuracy.is_finite() && accuracy >= 0.0, "accuracy", "must be finite and not negative")
}

pub(super) fn greatest_scale(accuracy: f64, of: impl Fn(f64) -> Fallible<f64>) -> Fallible<f64> {
    // An accuracy that overflows is too large.
    let holds = |scale: f64| of(scale).is_ok_and(|reached| reached <= accuracy);
    if !holds(0.0) {
        // Below half a step of the finest grid.
        return Ok(0.0);
    }
    let mut beyond = accuracy.max(f64::MIN_POSITIVE);
    while beyond.is_finite() && holds(beyond) {
        beyond *= 2.0;
    }
    largest((0.0, beyond.min(f64::MAX)), |scale| Ok(holds(scale)))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{discrete_gaussian_accuracy, gaussian_accuracy},
        *,
    };

    #[test]
    fn scales_are_the_greatest_that_hold() {
        type Both = (fn(f64, f64) -> Fallible<f64>, fn(f64, f64) -> Fallible<f64>);
        let pairs: [Both; 4] = [
            (laplace_scale, |scale, alpha| laplace_accuracy(scale, alpha)),
            (discrete_laplace_scale, |scale, alpha| discrete_laplace_accuracy(scale, alpha)),
            (gaussian_scale, |scale, alpha| gaussian_accuracy(scale, alpha)),
            (discrete_gaussian_scale, |scale, alpha| discrete_gaussian_accuracy(scale, alpha)),
        ];
        for (scale_of, accuracy_of) in pairs {
            for (accuracy, alpha) in [(1.0, 0.05), (30.0, 0.5), (0.0, 0.05), (12.0, 1e-9)] {
                let scale = scale_of(accuracy, alpha).unwrap();
                assert!(scale == 0.0 || accuracy_of(scale, alpha).unwrap() <= accuracy, "{accuracy} {alpha}");
                assert!(accuracy_of(scale.next_up() * (1.0 + 1e-9), alpha).unwrap() > accuracy, "{accuracy} {alpha}");
            }
            for accuracy in [-1.0, f64::NAN, f64::INFINITY] {
                assert!(scale_of(accuracy, 0.05).is_err());
            }
            assert!(scale_of(1.0, 0.0).is_err());
        }
    }
}
