//! Gaussian noise, by bounds on the tail of the normal law: `P(X > t)` is below `e^(-t^2/2)`, and below
//! `e^(-t^2/2) / (t sqrt(2 pi))`, for t > 0.

use crate::{
    bounds::markov::logarithm,
    error::{Fallible, non_negative, require},
    units::{Delta, Epsilon, Scale},
};
use indistinct_numeric::{RoundedArithmetic, RoundedMath};

/// `exp(-t^2/2)` with `t = epsilon scale / sensitivity - sensitivity / (2 scale)`, rounded up; 1 where t is not
/// positive, where the tail bound says nothing.
///
/// A delta of Gaussian noise of standard deviation `scale`. Errors: a parameter that is negative or not a number, a
/// scale of zero. Source: "A tail of two densities" (2019), (6.8), which rests on the first tail bound, not on the one
/// cited there.
///
/// ```
/// use indistinct_accounting::{Epsilon, Mu, Scale};
/// let loose = indistinct_accounting::bounds::gaussian_delta(Epsilon(1.0), Scale(4.0), 1.0)?;
/// assert!(loose > indistinct_accounting::gaussian_delta(Mu(0.25), Epsilon(1.0))?);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn gaussian_delta(Epsilon(epsilon): Epsilon, Scale(scale): Scale, sensitivity: f64) -> Fallible<f64> {
    let (epsilon, sensitivity) = (non_negative(epsilon, "epsilon")?, non_negative(sensitivity, "sensitivity")?);
    require(scale > 0.0, "scale", "must be above 0")?;
    if sensitivity == 0.0 {
        return Ok(0.0);
    }
    if epsilon == 0.0 {
        return Ok(1.0);
    }
    let shift = sensitivity.inf_div(scale)?.inf_div(2.0)?;
    let distance = epsilon.neg_inf_mul(scale.neg_inf_div(sensitivity)?)?;
    if shift >= distance {
        return Ok(1.0);
    }
    let t = distance.neg_inf_sub(shift)?;
    Ok((-t.neg_inf_mul(t)?.neg_inf_div(2.0)?).inf_exp()?)
}

/// Which closed form of a sufficient standard deviation. With `L = ln(1/delta)` and `A = max(0, 2 L - ln(2 pi))`, times
/// the sensitivity:
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GaussianBound {
    /// `sqrt(2 L) / epsilon + 1 / sqrt(2 epsilon)`: (6.81).
    Sum,
    /// `max(1, sqrt(A)) / epsilon + 1 / sqrt(2 epsilon)`: (6.82).
    SumSharp,
    /// `sqrt(epsilon + 2 L) / epsilon`: (6.83).
    Root,
    /// `max(sqrt(1 + epsilon), sqrt(max(0, epsilon + 2 L - ln(2 pi)))) / epsilon`: (6.84).
    RootSharp,
}

impl GaussianBound {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Sum, Self::SumSharp, Self::Root, Self::RootSharp];
}

/// A standard deviation of Gaussian noise that gives (epsilon, delta)-DP, rounded up.
///
/// Errors: epsilon or sensitivity negative or not a number, epsilon zero; delta outside (0, 1]. Source: "A tail of two
/// densities", Claim 9.
///
/// ```
/// use indistinct_accounting::{Delta, Epsilon};
/// use indistinct_accounting::bounds::{GaussianBound, gaussian_scale};
/// let loose = gaussian_scale(Epsilon(1.0), Delta(1e-5), 1.0, GaussianBound::RootSharp)?;
/// assert!(loose > 1.0 / indistinct_accounting::gaussian_mu(Epsilon(1.0), Delta(1e-5))?);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn gaussian_scale(
    Epsilon(epsilon): Epsilon,
    Delta(delta): Delta,
    sensitivity: f64,
    bound: GaussianBound,
) -> Fallible<f64> {
    require(epsilon > 0.0, "epsilon", "must be above 0")?;
    let (sensitivity, logarithm) = (non_negative(sensitivity, "sensitivity")?, logarithm(delta, "delta")?);
    if sensitivity == 0.0 {
        return Ok(0.0);
    }
    // 2 L, and less by ln(2 pi) = 1.8378770664..., of which less is taken off.
    let twice = logarithm.inf_mul(2.0)?;
    let sharp = twice.inf_sub(1.837_877_066)?;
    let units = match bound {
        GaussianBound::Sum => sum(twice.inf_sqrt()?, epsilon)?,
        GaussianBound::SumSharp => sum(sharp.max(1.0).inf_sqrt()?, epsilon)?,
        GaussianBound::Root => epsilon.inf_add(twice)?.inf_sqrt()?.inf_div(epsilon)?,
        GaussianBound::RootSharp => {
            let square = epsilon.inf_add(1.0)?.max(epsilon.inf_add(sharp)?);
            square.inf_sqrt()?.inf_div(epsilon)?
        }
    };
    Ok(units.inf_mul(sensitivity)?)
}

/// `deviations / epsilon + 1 / sqrt(2 epsilon)`.
fn sum(deviations: f64, epsilon: f64) -> Fallible<f64> {
    let root = epsilon.neg_inf_mul(2.0)?.neg_inf_sqrt()?;
    Ok(deviations.inf_div(epsilon)?.inf_add(1f64.inf_div(root)?)?)
}
