//! Advanced composition as an essay derives it: by the inequalities of Hoeffding and Azuma.

use crate::{
    composition::by_concentration,
    error::{Fallible, non_negative},
    units::{Delta, Epsilon},
};
use indistinct_numeric::{RoundedArithmetic, RoundedMath};

/// A bound on the mean privacy loss of an epsilon-DP mechanism: `epsilon (e^epsilon - 1)` up to `epsilon = ln 2`, and
/// epsilon above; rounded up.
///
/// Error: epsilon negative or not a number. Source: "A tail of two densities" (2019), Claim 12 and (6.98).
///
/// ```
/// use indistinct_accounting::{bounds::mean_loss, pure_to_zcdp};
/// assert!(mean_loss(0.5)? > pure_to_zcdp(0.5)?);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn mean_loss(epsilon: f64) -> Fallible<f64> {
    let epsilon = non_negative(epsilon, "epsilon")?;
    if epsilon > 0.7 {
        return Ok(epsilon);
    }
    // Both hold at every epsilon.
    Ok(epsilon.inf_mul(epsilon.inf_exp_m1()?)?.min(epsilon))
}

/// The privacy of `count` mechanisms, *fixed beforehand and independent*, that are (epsilon, delta)-DP each:
/// `(count a + sqrt(2 count ln(1/slack)) epsilon, count delta + slack)` with `a` the [`mean_loss`], rounded up; never
/// more than `count epsilon`.
///
/// Errors: a parameter that is negative or not a number, slack outside (0, 1]. Source: "A tail of two densities",
/// Claims 14 and 17.
///
/// ```
/// use indistinct_accounting::{Delta, Epsilon, advanced_composition, bounds::independent_composition};
/// let each = (Epsilon(0.1), Delta(0.0));
/// let (here, _) = independent_composition(100, each.0, each.1, 1e-6)?;
/// assert!(here > advanced_composition(100, each.0, each.1, 1e-6)?.0);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn independent_composition(
    count: u32,
    Epsilon(epsilon): Epsilon,
    Delta(delta): Delta,
    slack: f64,
) -> Fallible<(f64, f64)> {
    by_concentration(count, epsilon, mean_loss(epsilon)?, epsilon, (delta, slack))
}

/// The same for adaptively chosen mechanisms:
/// `(count a + sqrt(2 count ln(1/slack)) (epsilon + a), count delta + slack)`.
///
/// Errors: as there. Source: "A tail of two densities", Claims 16 and 18. (Azuma's inequality for losses in an interval
/// does without the second `a`: see [`advanced_composition`](crate::advanced_composition).)
///
/// ```
/// use indistinct_accounting::{Delta, Epsilon};
/// use indistinct_accounting::bounds::{adaptive_composition, independent_composition};
/// let each = (Epsilon(0.1), Delta(0.0));
/// let (here, _) = adaptive_composition(100, each.0, each.1, 1e-6)?;
/// assert!(here > independent_composition(100, each.0, each.1, 1e-6)?.0);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn adaptive_composition(
    count: u32,
    Epsilon(epsilon): Epsilon,
    Delta(delta): Delta,
    slack: f64,
) -> Fallible<(f64, f64)> {
    let mean = mean_loss(epsilon)?;
    by_concentration(count, epsilon, mean, epsilon.inf_add(mean)?, (delta, slack))
}
