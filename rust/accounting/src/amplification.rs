//! Less privacy loss for who may not have been sampled.

use crate::error::{Fallible, non_negative, require};
use indistinct_numeric::{
    RoundedArithmetic,
    enclosure::{Enclosure, Formula, enclose},
};

/// The privacy of an (epsilon, delta)-DP mechanism that is run on a random part of the rows, each in it with
/// probability `rate`: `(ln(1 + rate (e^epsilon - 1)), rate delta)`, rounded up.
///
/// It holds for two pairs of sampling and neighbors, the same on both sides of the mechanism, and for no other mixture of them:
///
/// - *Poisson*: each row is taken by its own coin; neighbors differ by *adding or removing* one row.
/// - *without replacement*: n of m rows, every set as likely, `rate = n/m` rounded up; neighbors *replace* one row.
///
/// One sample serves one run: what several mechanisms release about the *same* sample is composed first and amplified once.
///
/// Errors: a parameter that is negative or not a number, a rate above 1. Source: Balle, Barthe, Gaboardi 2018, Theorems
/// 8 and 9.
///
/// ```
/// let (epsilon, delta) = indistinct_accounting::amplify_by_sampling(1.0, 1e-6, 0.01)?;
/// assert!(0.0170367 < epsilon && epsilon < 0.0170369);
/// assert!(1e-8 <= delta && delta < 1.0001e-8);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn amplify_by_sampling(epsilon: f64, delta: f64, rate: f64) -> Fallible<(f64, f64)> {
    let (epsilon, delta) = (non_negative(epsilon, "epsilon")?, non_negative(delta, "delta")?);
    let rate = non_negative(rate, "rate")?;
    require(rate <= 1.0, "rate", "must be at most 1")?;
    // A delta beyond 1 says no more than 1.
    let delta = rate.inf_mul(delta.min(1.0))?;
    if rate == 0.0 || epsilon == 0.0 {
        return Ok((0.0, delta));
    }
    if epsilon == f64::INFINITY {
        return Ok((epsilon, delta));
    }
    Ok((enclose(&Amplified { epsilon, rate }).upper.min(epsilon), delta))
}

struct Amplified {
    epsilon: f64,
    rate: f64,
}

impl Formula for Amplified {
    fn evaluate<E: Enclosure>(&self) -> E {
        let (epsilon, rate, one) = (E::exact(self.epsilon), E::exact(self.rate), E::exact(1.0));
        if self.epsilon < 1.0 {
            return rate.mul(&epsilon.exp_m1()).ln_1p();
        }
        // The same, with e^epsilon taken out.
        let shrunk = E::exact(-self.epsilon).exp();
        epsilon.add(&rate.add(&one.sub(&rate).mul(&shrunk)).ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes() {
        assert_eq!(amplify_by_sampling(1.0, 0.5, 0.0), Ok((0.0, 0.0)));
        assert_eq!(amplify_by_sampling(1.0, 0.5, 1.0), Ok((1.0, 0.5)));
        assert_eq!(amplify_by_sampling(f64::INFINITY, 1.0, 0.5), Ok((f64::INFINITY, 0.5)));
        for (epsilon, delta, rate) in [(-1.0, 0.0, 0.5), (1.0, -1.0, 0.5), (1.0, 0.0, 1.5), (1.0, 0.0, f64::NAN)] {
            assert!(amplify_by_sampling(epsilon, delta, rate).is_err());
        }
    }

    /// Two releases from one sample cost more than the sum of two amplified epsilons.
    #[test]
    fn reused_samples_are_composed_first() {
        let (once, _) = amplify_by_sampling(1.0, 0.0, 0.5).unwrap();
        let (joint, _) = amplify_by_sampling(2.0, 0.0, 0.5).unwrap();
        assert!(joint > 1.4337808304 && 2.0 * once < 1.2403);
    }
}
