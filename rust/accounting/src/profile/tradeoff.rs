//! The profile as a tradeoff function.
//!
//! Under (epsilon, delta)-DP, a test of one neighbor against another with false positive rate alpha has a false
//! negative rate of at least `max(0, 1 - delta - e^epsilon alpha, e^-epsilon (1 - delta - alpha))` (Wasserman, Zhou
//! 2010; Kairouz, Oh, Viswanath 2015, Theorem 2.1). This holds at each epsilon, with the delta of the profile there. So
//! a search in floats finds the epsilon, and only the bound at this epsilon needs outward rounding. The safe direction
//! is *down*: a bound that is too high would overstate an attacker's errors.

use crate::{
    error::{Fallible, require},
    profile::kind::PrivacyProfile,
    renyi::golden,
};
use indistinct_numeric::{RoundedArithmetic, RoundedMath};

impl PrivacyProfile {
    /// Returns a lower bound on the false negative rate of any test between neighbors with false positive rate `alpha`:
    /// the tradeoff function of f-DP (Dong, Roth, Su 2019), rounded down.
    ///
    /// The result is never above the bound that the profile implies (the maximum over all epsilon). It is below that
    /// bound by a relative error of some 1e-9 from the search in floats, and by 1e-16 because `1 - delta - alpha` is
    /// computed from a float delta. Error: alpha outside 0 to 1.
    ///
    /// ```
    /// use indistinct_accounting::{Mu};
    /// let beta = indistinct_accounting::PrivacyProfile::gaussian(Mu(1.0))?.beta(0.05)?;
    /// // Phi(1.644853... - 1)
    /// assert!(0.7404 < beta && beta < 0.74051);
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn beta(&self, alpha: f64) -> Fallible<f64> {
        require((0.0..=1.0).contains(&alpha), "alpha", "must be between 0 and 1")?;
        let steep = |epsilon: f64| self.delta(epsilon).map_or(0.0, |delta| 1.0 - delta - epsilon.exp() * alpha);
        let flat = |epsilon: f64| self.delta(epsilon).map_or(0.0, |delta| (1.0 - delta - alpha) * (-epsilon).exp());
        // Beyond ln(1/alpha) the first bound is negative. Where delta is nothing beside 1 - alpha, the second only
        // falls.
        let greatest = if alpha > 0.0 { -alpha.ln() } else { 745.0 };
        let steepest = golden(0.0, greatest.min(745.0), 45, |epsilon| -steep(epsilon));
        let greatest = self.epsilon((1.0 - alpha) * 1e-17)?.min(745.0);
        let flattest = golden(0.0, greatest, 45, |epsilon| -flat(epsilon));
        let mut best = self.steep(0.0, alpha)?.max(self.steep(f64::INFINITY, alpha)?);
        best = best.max(self.steep(steepest, alpha)?).max(self.flat(flattest, alpha)?);
        Ok(best)
    }

    /// `1 - delta - e^epsilon alpha`, rounded down.
    fn steep(&self, epsilon: f64, alpha: f64) -> Fallible<f64> {
        let lost = if alpha == 0.0 { 0.0 } else { epsilon.inf_exp()?.inf_mul(alpha)? };
        Ok(1f64.neg_inf_sub(self.delta(epsilon)?)?.neg_inf_sub(lost)?)
    }

    /// `e^-epsilon (1 - delta - alpha)`, rounded down.
    fn flat(&self, epsilon: f64, alpha: f64) -> Fallible<f64> {
        let rest = 1f64.neg_inf_sub(self.delta(epsilon)?)?.neg_inf_sub(alpha)?.max(0.0);
        Ok(rest.neg_inf_mul((-epsilon).neg_inf_exp()?)?)
    }
}
