//! A single release with Gaussian noise on a Poisson sample.
use crate::{
    error::{Fallible, non_negative, require},
    gaussian::gaussian_delta,
    units::{Epsilon, Mu, Rate, Sigma},
};
use indistinct_numeric::{
    RoundedArithmetic,
    enclosure::{Enclosure, Formula, enclose},
};

/// Returns the smallest delta such that one release with Gaussian noise, of standard deviation `sigma` times the
/// sensitivity, on a Poisson sample with this `rate` is (epsilon, delta)-DP, rounded up. Neighbors differ by adding or
/// removing one row, whichever is worse.
///
/// `epsilon` is in nats. The result is never below the truth, and exceeds it by a relative error of at most 1e-12 if it
/// exceeds 1e-300. For many releases see
/// [`PrivacyLossDistribution::poisson_gaussian`](crate::PrivacyLossDistribution::poisson_gaussian).
///
/// Errors: a rate outside 0 to 1, a sigma that is not above 0, an epsilon that is negative or not a number. Source:
/// Balle, Barthe, Gaboardi 2018, Theorem 2 (advanced joint convexity).
///
/// ```
/// use indistinct_accounting::{Epsilon, Mu, Rate, Sigma};
/// let delta = indistinct_accounting::sampled_gaussian_delta(Sigma(1.0), Rate(0.01), Epsilon(0.5))?;
/// assert!(delta < 0.01 * indistinct_accounting::gaussian_delta(Mu(1.0), Epsilon(0.5))?);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn sampled_gaussian_delta(Sigma(sigma): Sigma, Rate(rate): Rate, Epsilon(epsilon): Epsilon) -> Fallible<f64> {
    let (rate, epsilon) = (non_negative(rate, "rate")?, non_negative(epsilon, "epsilon")?);
    require(rate <= 1.0, "rate", "must be at most 1")?;
    require(sigma > 0.0, "sigma", "must be a number above 0")?;
    let mu = 1f64.inf_div(sigma)?;
    if rate == 0.0 || rate == 1.0 || epsilon == f64::INFINITY {
        return if rate == 0.0 { Ok(0.0) } else { gaussian_delta(Mu(mu), Epsilon(epsilon)) };
    }
    // With the row against without it: rate times the delta of a greater epsilon, which is rounded down.
    let removed =
        rate.inf_mul(gaussian_delta(Mu(mu), Epsilon(enclose(&Removed { rate, epsilon }).lower.max(epsilon)))?)?;
    let share = enclose(&Share { rate, epsilon }).upper.min(1.0);
    if share <= 0.0 {
        return Ok(removed);
    }
    let added = enclose(&Added { rate, epsilon }).lower.max(epsilon);
    Ok(removed.max(share.inf_mul(gaussian_delta(Mu(mu), Epsilon(added))?)?))
}

/// `ln(1 + (e^epsilon - 1)/rate)`.
struct Removed {
    rate: f64,
    epsilon: f64,
}

impl Formula for Removed {
    fn evaluate<E: Enclosure>(&self) -> E {
        E::exact(self.epsilon).exp_m1().div(&E::exact(self.rate)).ln_1p()
    }
}

/// `1 - (1 - rate) e^epsilon = rate - (1 - rate)(e^epsilon - 1)`.
struct Share {
    rate: f64,
    epsilon: f64,
}

impl Formula for Share {
    fn evaluate<E: Enclosure>(&self) -> E {
        let rate = E::exact(self.rate);
        rate.sub(&E::exact(1.0).sub(&rate).mul(&E::exact(self.epsilon).exp_m1()))
    }
}

/// `epsilon + ln(rate / share) = epsilon - ln(1 - (1 - rate)(e^epsilon - 1)/rate)`.
struct Added {
    rate: f64,
    epsilon: f64,
}

impl Formula for Added {
    fn evaluate<E: Enclosure>(&self) -> E {
        let (rate, zero) = (E::exact(self.rate), E::exact(0.0));
        let lost = E::exact(1.0).sub(&rate).mul(&E::exact(self.epsilon).exp_m1()).div(&rate);
        E::exact(self.epsilon).sub(&zero.sub(&lost).ln_1p())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both directions at 40 digits (mpmath, by Phi(-a) - e^epsilon Phi(-b)); rows that are removed lose more.
    #[test]
    fn figures() {
        for (rate, sigma, epsilon, delta) in [
            (0.5, 1.0, 0.25, 0.12585705497975525),
            (0.01, 0.5, 1.0, 0.00027363749224933864),
            (0.25, 2.0, 0.125, 0.016583358562355627),
            (0.75, 0.5, 0.001, 0.5118584651786089),
            (0.5, 1.0, 0.0, 0.1914624612740131),
        ] {
            let own = sampled_gaussian_delta(Sigma(sigma), Rate(rate), Epsilon(epsilon)).unwrap();
            assert!(own >= delta * (1.0 - 2e-16) && own < delta * (1.0 + 1e-13), "{rate} {sigma} {epsilon}: {own:e}");
        }
        assert!(sampled_gaussian_delta(Sigma(1.0), Rate(1.0f64.next_up()), Epsilon(1.0)).is_err());
    }

    /// Never below the truth at 400 bits, to the last digit, where each of the steps is not exact: the rate's product,
    /// the greater epsilon, and mu.
    #[test]
    fn rounded_up() {
        let wide = |x: f64| rug::Float::with_val(400, x);
        let tail = |x: rug::Float| (x * wide(0.5).sqrt()).erfc() / 2u32;
        let delta = |mu: &rug::Float, epsilon: &rug::Float| {
            let (middle, half) = (rug::Float::with_val(400, epsilon / mu), rug::Float::with_val(400, mu / 2u32));
            let growth = rug::Float::with_val(400, epsilon.exp_ref());
            tail(rug::Float::with_val(400, &middle - &half)) - growth * tail(middle + half)
        };
        for i in 1..60u32 {
            let x = f64::from(i);
            for (rate, sigma, epsilon) in
                [(x * 0.0103, 0.125, 1.0), (0.5, 1.0, x * 0.091), (0.5, 0.37 + x * 0.031, 3.0)]
            {
                let greater = (wide(epsilon).exp_m1() / rate).ln_1p();
                let truth = delta(&wide(sigma).recip(), &greater) * rate;
                let own = sampled_gaussian_delta(Sigma(sigma), Rate(rate), Epsilon(epsilon)).unwrap();
                assert!(own >= truth && own < truth * (1.0 + 1e-12), "{rate} {sigma} {epsilon}: {own:e}");
            }
        }
    }

    #[test]
    fn extremes() {
        assert_eq!(sampled_gaussian_delta(Sigma(1.0), Rate(0.0), Epsilon(0.0)), Ok(0.0));
        assert_eq!(sampled_gaussian_delta(Sigma(2.0), Rate(1.0), Epsilon(0.5)), gaussian_delta(Mu(0.5), Epsilon(0.5)));
        assert_eq!(sampled_gaussian_delta(Sigma(2.0), Rate(0.5), Epsilon(f64::INFINITY)), Ok(0.0));
        assert!(sampled_gaussian_delta(Sigma(1e-3), Rate(1e-9), Epsilon(700.0)).unwrap() <= 1e-9);
        assert!(sampled_gaussian_delta(Sigma(1e-300), Rate(1e-300), Epsilon(1e300)).unwrap() <= 1e-300);
        assert!(sampled_gaussian_delta(Sigma(1.0), Rate(0.5), Epsilon(5e-324)).unwrap() > 0.19);
        for (rate, sigma, epsilon, name) in [
            (1.5, 1.0, 1.0, "rate"),
            (f64::NAN, 1.0, 1.0, "rate"),
            (0.5, 0.0, 1.0, "sigma"),
            (0.5, 1.0, -1.0, "epsilon"),
        ] {
            assert!(
                sampled_gaussian_delta(Sigma(sigma), Rate(rate), Epsilon(epsilon))
                    .unwrap_err()
                    .to_string()
                    .starts_with(name)
            );
        }
    }
}
