//! Consequences of pure differential privacy.

use crate::error::{Fallible, non_negative, require};
use crate::units::{Epsilon, Order};
use indistinct_numeric::{
    RoundedArithmetic,
    enclosure::{Enclosure, Formula, enclose},
};

/// Returns the smallest rho such that every epsilon-DP mechanism is rho-zCDP: `epsilon tanh(epsilon / 2)`, rounded up.
///
/// This is less than the classic `epsilon^2 / 2` (Bun, Steinke 2016, Proposition 1.4), and less than epsilon.
/// Randomized response attains it as the order falls to 1. `proofs/accounting/conversions.md` proves the bound for all
/// orders.
///
/// Errors: epsilon negative or not a number.
///
/// ```
/// let rho = indistinct_accounting::pure_to_zcdp(1.0)?;
/// assert!(0.4621171572 < rho && rho < 0.4621171573);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn pure_to_zcdp(epsilon: f64) -> Fallible<f64> {
    let epsilon = non_negative(epsilon, "epsilon")?;
    if epsilon == 0.0 || epsilon == f64::INFINITY {
        return Ok(epsilon);
    }
    Ok(enclose(&EpsilonTanh(epsilon)).upper.min(epsilon))
}

/// `epsilon tanh(epsilon / 2) = epsilon (1 - e^-epsilon) / (1 + e^-epsilon)`.
pub(crate) struct EpsilonTanh(pub(crate) f64);

impl Formula for EpsilonTanh {
    fn evaluate<E: Enclosure>(&self) -> E {
        let shrunk = E::exact(-self.0).exp_m1();
        E::exact(-self.0).mul(&shrunk).div(&E::exact(2.0).add(&shrunk))
    }
}

/// Returns the largest Renyi divergence of order `alpha` between the outputs of an epsilon-DP mechanism on neighbors,
/// rounded up. Randomized response attains it: `ln(cosh((alpha - 1/2) epsilon) / cosh(epsilon / 2)) / (alpha - 1)`.
///
/// Errors: epsilon negative or not a number; alpha not above 1. An infinite alpha gives epsilon. Source: Mironov 2017,
/// "Renyi differential privacy", Proposition 5; `proofs/accounting/conversions.md` proves that this is the worst case.
///
/// ```
/// use indistinct_accounting::{Epsilon, Order};
/// let divergence = indistinct_accounting::pure_to_renyi(Epsilon(1.0), Order(2.0))?;
/// assert!(divergence < 2.0 * indistinct_accounting::pure_to_zcdp(1.0)?);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn pure_to_renyi(Epsilon(epsilon): Epsilon, Order(alpha): Order) -> Fallible<f64> {
    let epsilon = non_negative(epsilon, "epsilon")?;
    require(alpha > 1.0, "alpha", "must be above 1")?;
    if alpha == f64::INFINITY || epsilon == 0.0 || epsilon == f64::INFINITY {
        return Ok(epsilon);
    }
    let line = alpha.inf_mul(pure_to_zcdp(epsilon)?)?;
    Ok(enclose(&RandomizedResponse { epsilon, alpha }).upper.min(line).min(epsilon))
}

struct RandomizedResponse {
    epsilon: f64,
    alpha: f64,
}

impl Formula for RandomizedResponse {
    /// `cosh x = e^x (1 + e^(-2x)) / 2`, and the exponents' difference is `(alpha - 1) epsilon`.
    fn evaluate<E: Enclosure>(&self) -> E {
        let (epsilon, order) = (E::exact(self.epsilon), E::exact(self.alpha).sub(&E::exact(1.0)));
        let both = E::exact(self.alpha).add(&order).mul(&epsilon);
        let zero = E::exact(0.0);
        let rest = zero.sub(&both).exp().ln_1p().sub(&zero.sub(&epsilon).exp().ln_1p());
        epsilon.add(&rest.div(&order))
    }
}

/// Returns the range of the privacy loss of an epsilon-DP mechanism: `2 epsilon`, rounded up (Durfee, Rogers 2019).
///
/// Errors: epsilon negative or not a number.
///
/// ```
/// assert_eq!(indistinct_accounting::pure_to_bounded_range(0.5)?, 1.0);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn pure_to_bounded_range(epsilon: f64) -> Fallible<f64> {
    Ok(non_negative(epsilon, "epsilon")?.inf_mul(2.0)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At the truth, to the last few digits, and not below it.
    fn is_bound(value: f64, truth: f64) -> bool {
        truth <= value.next_up() && value <= truth * (1.0 + 1e-15)
    }

    #[test]
    fn rho() {
        let truths =
            [(0.25, 0.031_088_250_442_899_05), (1.0, 0.462_117_157_260_009_76), (30.0, 29.999_999_999_994_386)];
        for (epsilon, truth) in truths {
            assert!(is_bound(pure_to_zcdp(epsilon).unwrap(), truth), "{epsilon}");
        }
        assert_eq!(pure_to_zcdp(0.0), Ok(0.0));
        assert_eq!(pure_to_zcdp(1000.0), Ok(1000.0));
        assert_eq!(pure_to_zcdp(f64::INFINITY), Ok(f64::INFINITY));
        assert!(pure_to_zcdp(-1.0).is_err() && pure_to_zcdp(f64::NAN).is_err());
    }

    #[test]
    fn divergences() {
        let truths = [
            (1.0, 2.0, 0.735_325_664_055_519_2),
            (0.5, 1.5, 0.178_369_406_676_232_3),
            (3.0, 10.0, 2.994_601_405_380_695),
            (20.0, 1.25, 19.999_999_991_755_76),
        ];
        for (epsilon, alpha, truth) in truths {
            assert!(is_bound(pure_to_renyi(Epsilon(epsilon), Order(alpha)).unwrap(), truth), "{epsilon} {alpha}");
        }
        for epsilon in [0.0, 0.5, f64::INFINITY] {
            assert_eq!(pure_to_renyi(Epsilon(epsilon), Order(f64::INFINITY)), Ok(epsilon));
        }
        for epsilon in [0.0, f64::INFINITY] {
            assert_eq!(pure_to_renyi(Epsilon(epsilon), Order(2.0)), Ok(epsilon));
        }
        // Where the order is next to 1, and rho says as much as the formula.
        let near = pure_to_renyi(Epsilon(1.0), Order(1.0 + 1e-15)).unwrap();
        assert!((0.462_117_157_260_009_7..0.462_117_157_261).contains(&near), "{near}");
        for (epsilon, alpha) in [(-1.0, 2.0), (f64::NAN, 2.0), (1.0, 1.0), (1.0, 0.5), (1.0, f64::NAN)] {
            assert!(pure_to_renyi(Epsilon(epsilon), Order(alpha)).is_err(), "{epsilon} {alpha}");
        }
    }

    /// Never below the truth at 400 bits, to the last digit: next to order 1, where rho says as much as the formula,
    /// and elsewhere.
    #[test]
    fn divergences_are_rounded_up() {
        let wide = |x: f64| rug::Float::with_val(400, x);
        for i in 1..200u32 {
            let (epsilon, step) = (f64::from(i) * 0.0137, f64::from(i % 3 + 1));
            let alpha = 1.0 + if i % 2 == 0 { f64::EPSILON * step } else { f64::from(i) * 0.0171 };
            let ratio = ((wide(alpha) - wide(0.5)) * wide(epsilon)).cosh() / (wide(epsilon) / 2u32).cosh();
            assert!(
                pure_to_renyi(Epsilon(epsilon), Order(alpha)).unwrap() >= ratio.ln() / (wide(alpha) - 1u32),
                "{epsilon} {alpha}"
            );
        }
    }

    #[test]
    fn the_range_is_twice_as_wide() {
        for (epsilon, eta) in [(0.0, 0.0), (0.5, 1.0), (f64::MAX, f64::INFINITY), (f64::INFINITY, f64::INFINITY)] {
            assert_eq!(pure_to_bounded_range(epsilon), Ok(eta));
        }
        assert!(pure_to_bounded_range(-1.0).is_err() && pure_to_bounded_range(f64::NAN).is_err());
    }
}
