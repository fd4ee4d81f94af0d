//! The smallest rho of Laplace noise, and of all mechanisms with a bounded range. Both are attained as the order falls
//! to 1.

use crate::{
    conversions::{bounded_range::bounded_range_to_zcdp, pure::pure_to_zcdp},
    error::{Fallible, non_negative},
};
use indistinct_numeric::enclosure::{Enclosure, Formula, enclose};

/// Returns the smallest rho such that Laplace noise of scale sensitivity / epsilon is rho-zCDP: `epsilon - 1 +
/// e^-epsilon`, rounded up.
///
/// This is less than [`pure_to_zcdp`](crate::pure_to_zcdp), which holds for all epsilon-DP mechanisms, by a fifth at
/// epsilon 1. It is the divergence of order 1; `proofs/accounting/conversions.md` proves the bound for all orders.
///
/// Errors: epsilon negative or not a number.
///
/// ```
/// let rho = indistinct_accounting::laplace_to_zcdp(1.0)?;
/// assert!(0.3678794411 < rho && rho < 0.3678794412);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn laplace_to_zcdp(epsilon: f64) -> Fallible<f64> {
    let any = pure_to_zcdp(epsilon)?;
    let epsilon = non_negative(epsilon, "epsilon")?;
    if any == 0.0 || any == f64::INFINITY {
        return Ok(any);
    }
    let upper = enclose(&Laplace(epsilon)).upper;
    Ok(if upper < any { upper } else { any })
}

struct Laplace(f64);

impl Formula for Laplace {
    fn evaluate<E: Enclosure>(&self) -> E {
        E::exact(self.0).add(&E::exact(-self.0).exp_m1())
    }
}

/// Returns the smallest rho such that every mechanism of bounded range eta is rho-zCDP: `x - 1 - ln x` with
/// `x = eta / (1 - e^-eta)`, rounded up.
///
/// This is less than [`bounded_range_to_zcdp`](crate::bounded_range_to_zcdp), an eighth of the square, by a fifth at a
/// range of 5. Measurements use the latter, whose proof a machine has checked. A distribution on two losses attains
/// this rho (Dong, Durfee, Rogers 2020); `proofs/accounting/conversions.md` proves the bound for all orders.
///
/// Errors: eta negative or not a number.
///
/// ```
/// let rho = indistinct_accounting::range_to_zcdp(5.0)?;
/// assert!(2.4177 < rho && rho < 2.4178 && rho < 25.0 / 8.0);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn range_to_zcdp(eta: f64) -> Fallible<f64> {
    let any = bounded_range_to_zcdp(eta)?;
    let eta = non_negative(eta, "eta")?;
    if any == 0.0 || eta == f64::INFINITY {
        return Ok(any);
    }
    let upper = enclose(&Range(eta)).upper;
    Ok(if upper < any { upper } else { any })
}

struct Range(f64);

impl Formula for Range {
    fn evaluate<E: Enclosure>(&self) -> E {
        let gone = E::exact(-self.0).exp_m1();
        // x - 1 = (eta - (1 - e^-eta)) / (1 - e^-eta).
        let past = E::exact(self.0).add(&gone).div(&E::exact(0.0).sub(&gone));
        past.sub(&past.ln_1p())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RenyiCurve;
    use crate::units::Epsilon;
    use rug::Float;

    /// At 2,000 bits, from the least to the greatest.
    #[test]
    fn the_least_rhos() {
        for x in [1e-150, 1e-20, 1e-8, 1e-3, 0.1, 1.0, 2.5, 5.0, 30.0, 700.0, 1e5, 1e300] {
            let wide = Float::with_val(2000, x);
            let gone = -(-wide.clone()).exp_m1();
            let (laplace, ratio) = (Float::with_val(2000, &wide - &gone), Float::with_val(2000, &wide / &gone));
            let range = ratio.clone() - 1u32 - ratio.ln();
            for (own, truth) in [(laplace_to_zcdp(x).unwrap(), laplace), (range_to_zcdp(x).unwrap(), range)] {
                assert!(own >= truth && own.next_down().next_down() <= truth, "{x:e}: {own:e} {truth:.20e}");
            }
        }
        for x in [0.0, f64::INFINITY] {
            assert_eq!((laplace_to_zcdp(x), range_to_zcdp(x)), (Ok(x), Ok(x)));
        }
        for x in [5e-324, 1e-170] {
            assert!(laplace_to_zcdp(x).unwrap() <= 5e-324 && range_to_zcdp(x).unwrap() <= 5e-324);
        }
        for bad in [-1.0, f64::NAN] {
            assert!(laplace_to_zcdp(bad).is_err() && range_to_zcdp(bad).is_err());
        }
    }

    /// No divergence is above its line, and that next to order 1 touches it.
    #[test]
    fn lines_lie_above_all_orders() {
        let orders = [1e-9, 1e-3, 0.1, 0.5, 1.0, 3.0, 10.0, 100.0, 1e4];
        for x in [1e-3, 0.3, 1.0, 4.0, 20.0] {
            let (laplace, rho) = (RenyiCurve::laplace(Epsilon(x)).unwrap(), laplace_to_zcdp(x).unwrap());
            for t in orders {
                let divergence = laplace.at(1.0 + t).unwrap();
                assert!(divergence <= (1.0 + t) * rho * (1.0 + 1e-9), "{x} {t}: {divergence:e}");
            }
            assert!(laplace.at(1.0 + 1e-9).unwrap() > rho * (1.0 - 1e-9));
            // Losses s and s - x: the divergence of the pair that has them.
            let rho = range_to_zcdp(x).unwrap();
            let mut most = 0f64;
            for i in 1..400u32 {
                let s = x * f64::from(i) / 400.0;
                let (p, rest) = (-(s - x).exp_m1() / -(-x).exp_m1(), s.exp_m1() / x.exp_m1());
                for t in orders {
                    let gain = p * (t * s).exp_m1() + rest * (t * (s - x)).exp_m1();
                    let divergence = if gain.is_finite() { gain.ln_1p() / t } else { s };
                    assert!(divergence <= (1.0 + t) * rho * (1.0 + 1e-6), "{x} {s} {t}: {divergence:e} {rho:e}");
                    most = most.max(divergence / (1.0 + t));
                }
            }
            assert!(most > rho * (1.0 - 1e-4), "{x}: {most:e} {rho:e}");
        }
    }
}
