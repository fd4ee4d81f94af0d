//! Delta of one release in closed form: Gaussian noise, on a sample or not, Laplace noise, and ranges.

use crate::{
    gaussian::gaussian_delta_bounds,
    pld::loss::{
        exponential::Exponential,
        finite_loss::FiniteLoss,
        fixed_size_gaussian::FixedSizeGaussian,
        sampled_gaussian::{SampledGaussian, Side},
    },
};
use indistinct_numeric::enclosure::{Bounds, Enclosure, Formula, Interval, enclose};

type E = Interval<192>;

/// One step: a Gaussian mechanism, or one on a Poisson sample, from the same without: with delta for its curve and
/// `a = 1 + (e^epsilon - 1)/q`, `q delta(ln a)` for removing; with `a = 1 - (1 - e^-epsilon)/q`,
/// `q a e^epsilon delta(-ln a)` for adding, and 0 where a is not positive. For replacing see [`Replaced`].
pub(crate) fn once(loss: &FiniteLoss, epsilon: f64) -> Option<Bounds> {
    let one = E::exact(1.0);
    let (sigma, inner, factor) = match loss {
        FiniteLoss::Gaussian { sigma } => (sigma, E::exact(epsilon), one.clone()),
        FiniteLoss::Sampled(SampledGaussian { sigma, rate, side: Side::Remove, truncation: None })
        | FiniteLoss::FixedSize(FixedSizeGaussian { sigma, rate, end: None }) => {
            let rate = E::exact(*rate);
            (sigma, E::exact(epsilon).exp_m1().div(&rate).ln_1p(), rate)
        }
        FiniteLoss::Sampled(SampledGaussian { sigma, rate, side: Side::Add, truncation: None }) => {
            let rate = E::exact(*rate);
            let share = E::exact(-epsilon).exp_m1().div(&rate);
            if share.upper() <= -1.0 {
                return Some(Bounds { lower: 0.0, upper: 0.0 });
            }
            if share.lower() <= -1.0 {
                return None;
            }
            let factor = rate.mul(&one.add(&share)).mul(&E::exact(epsilon).exp());
            (sigma, E::exact(0.0).sub(&share.ln_1p()), factor)
        }
        FiniteLoss::Sampled(SampledGaussian { sigma, rate, side: Side::Replace, truncation: None }) => {
            return Some(clamp(enclose(&Replaced { sigma: *sigma, rate: *rate, epsilon })));
        }
        FiniteLoss::ByTails(law) => return Some(clamp(law.delta(epsilon))),
        FiniteLoss::Exponential(law) => return Some(clamp(enclose(&Bounded { law: *law, epsilon }))),
        _ => return None,
    };
    let mu = one.div(&E::exact(*sigma)).bounds();
    let lower = gaussian(mu.lower, inner.upper().max(0.0))?.lower;
    let upper = gaussian(mu.upper, inner.lower().max(0.0))?.upper;
    let (lower, upper) = (factor.mul(&E::exact(lower)).lower(), factor.mul(&E::exact(upper)).upper());
    Some(clamp(Bounds { lower, upper }))
}

/// An `epsilon/mu - mu/2` from which on delta is below all floats.
const FURTHEST: f64 = 40.0;

/// Delta of a Gaussian mechanism, which is at most the normal density at `epsilon/mu - mu/2`.
fn gaussian(mu: f64, epsilon: f64) -> Option<Bounds> {
    let middle = epsilon / mu;
    if middle - mu / 2.0 > FURTHEST + middle * 1e-10 {
        return Some(Bounds { lower: 0.0, upper: f64::from_bits(1) });
    }
    gaussian_delta_bounds(mu, epsilon).ok()
}

fn clamp(Bounds { lower, upper }: Bounds) -> Bounds {
    // A NaN makes bounds of 0 and 1.
    Bounds {
        lower: if lower > 0.0 { lower.min(1.0) } else { 0.0 },
        upper: if upper < 1.0 { upper.max(0.0) } else { 1.0 },
    }
}

/// Gaussian noise on a Poisson sample in which one individual is replaced: with mu = 1/sigma, the densities are
/// `phi(y) g(y)` and `phi(y) g(-y)`, `g(y) = 1 - q + q e^(mu y - mu^2/2)`, and their ratio rises in y. It is
/// `e^epsilon` where `u = e^(mu y)` solves `q h u^2 - (1 - q)(e^epsilon - 1) u - e^epsilon q h = 0`, `h = e^(-mu^2/2)`;
/// delta is what the first has more than `e^epsilon` times the second beyond:
/// `phi(y) [q h (u R(y - mu) - e^epsilon/u R(y + mu)) - (1 - q)(e^epsilon - 1) R(y)]`, with the ratio of Mills R.
struct Replaced {
    sigma: f64,
    rate: f64,
    epsilon: f64,
}

impl Formula for Replaced {
    fn evaluate<F: Enclosure>(&self) -> F {
        let (zero, one, half) = (F::exact(0.0), F::exact(1.0), F::exact(0.5));
        let (rate, mu) = (F::exact(self.rate), one.div(&F::exact(self.sigma)));
        let (growth, growth_less_one) = (F::exact(self.epsilon).exp(), F::exact(self.epsilon).exp_m1());
        // e^epsilon - 1 against q/(1 - q), as the equation has it.
        let excess = one.sub(&rate).mul(&growth_less_one).div(&rate);
        // q h, with q taken out.
        let shrunk = zero.sub(&mu.mul(&mu).mul(&half)).exp();
        let root = |x: F| x.ln().mul(&half).exp();
        let square = excess.mul(&excess).add(&F::exact(4.0).mul(&growth).mul(&shrunk).mul(&shrunk));
        // ln u: the root's half, over h.
        let logarithm = excess.add(&root(square)).mul(&half).ln().add(&mu.mul(&mu).mul(&half));
        let y = logarithm.div(&mu);
        let density = y.mul(&y).mul(&F::exact(-0.5)).exp().mul(&F::inverse_root_two_pi());
        let (ahead, behind) = (y.sub(&mu), y.add(&mu));
        let at = logarithm.exp().mul(&shrunk);
        let past = growth.mul(&shrunk).mul(&zero.sub(&logarithm).exp());
        let rest = past.mul(&behind.mills()).add(&excess.mul(&y.mills()));
        // Below zero, the tail is one less the other side's.
        if ahead.upper() < 0.0 {
            let other = density.mul(&at.mul(&zero.sub(&ahead).mills()).add(&rest));
            return rate.mul(&one.sub(&other));
        }
        rate.mul(&density).mul(&at.mul(&ahead.mills()).sub(&rest))
    }
}

/// With r the greatest loss: `1 - e^((epsilon - r)/2)` for Laplace noise, and the square of that over `1 - e^-r` for a
/// range; 0 from r on.
struct Bounded {
    law: Exponential,
    epsilon: f64,
}

impl Formula for Bounded {
    fn evaluate<F: Enclosure>(&self) -> F {
        let zero = F::exact(0.0);
        let share = |radius: &F| {
            let left = F::exact(self.epsilon).sub(radius).mul(&F::exact(0.5));
            let share = zero.sub(&left.exp_m1());
            let (lower, upper) = (share.lower(), share.upper());
            if lower >= 0.0 { share } else { F::between(lower.max(0.0), upper.max(0.0)) }
        };
        match self.law {
            Exponential::Laplace { scale } => share(&F::exact(1.0).div(&F::exact(scale))),
            Exponential::BoundedRange { eta } => {
                let (radius, least) = (F::exact(eta), zero.sub(&F::exact(-eta).exp_m1()));
                let share = share(&radius);
                share.mul(&share).div(&least)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, gaussian};
    use crate::{
        PrivacyLossDistribution as P,
        gaussian::gaussian_delta_bounds,
        units::{Rate, Scale, Sigma},
    };
    use rug::Float;

    /// Beyond where nothing is reckoned, at any scale, the formula says the same; next to it, all is as it says.
    #[test]
    fn what_is_below_all_floats_is_as_the_formula_says() {
        let least = Bounds { lower: 0.0, upper: 5e-324 };
        for mu in [1e-11, 1e-3, 0.5, 1.0, 30.0, 1e4] {
            for a in [36.0, 39.9, 40.1, 1e3, 1e12] {
                let epsilon = (a + mu / 2.0) * mu;
                let found = gaussian(mu, epsilon).unwrap();
                assert!(a < 39.0 && found.lower > 0.0 || found == least, "{mu} {a}: {found:?}");
                assert!(a > 1e3 || Ok(found) == gaussian_delta_bounds(mu, epsilon), "{mu} {a}: {found:?}");
            }
        }
    }

    /// Laplace noise and ranges, against their formulas to 300 bits; from the greatest loss on, nothing.
    #[test]
    fn one_bounded_loss() {
        let wide = |x: f64| Float::with_val(300, x);
        for parameter in [1e-3, 0.3, 1.0, 7.0, 300.0] {
            for share in [0.0, 0.3, 0.999, 1.0, 1.5] {
                let epsilon = share * parameter;
                let root = -((wide(epsilon) - wide(parameter)) / 2u32).exp_m1();
                let root = if root < 0 { wide(0.0) } else { root };
                let square = root.clone().square() / -wide(-parameter).exp_m1();
                let noise = P::laplace(Scale(1.0 / parameter)).unwrap().delta(epsilon).unwrap();
                let range = P::bounded_range(parameter).unwrap().delta(epsilon).unwrap();
                assert!(range.lower <= square && square <= range.upper, "{parameter} {share}: {range:?} {square}");
                assert!(range.upper - range.lower <= 1e-15 * range.upper, "{parameter} {share}: {range:?}");
                // A scale is a reciprocal, to half a unit in the last place.
                let error = parameter * 2e-16;
                assert!((noise.upper - root.to_f64()).abs() <= error + 1e-15 * noise.upper, "{parameter}: {noise:?}");
                assert!(noise.lower <= noise.upper, "{parameter} {share}: {noise:?}");
            }
        }
    }

    /// One step with one individual replaced, against the difference of normal tails to 2,000 bits; and, as more steps
    /// cannot lose less, bounds on several.
    #[test]
    fn one_step_that_replaces_is_known_to_the_last_digit() {
        let wide = |x: f64| rug::Float::with_val(2000, x);
        let tail = |x: &rug::Float| (x.clone() / wide(2.0).sqrt()).erfc() / 2u32;
        for sigma in [0.05, 0.3, 1.0, 2.0, 100.0, 1e5] {
            for rate in [1e-12, 1e-5, 0.01, 0.5, 0.999] {
                for epsilon in [0.0, 1e-9, 0.01, 0.5, 8.0, 300.0] {
                    let (mu, q) = (wide(sigma).recip(), wide(rate));
                    let h = (-mu.clone().square() / 2u32).exp();
                    let growth = wide(epsilon).exp();
                    let b = (1u32 - q.clone()) * (growth.clone() - 1u32);
                    let root = (b.clone().square() + growth.clone() * (q.clone() * &h).square() * 4u32).sqrt();
                    let y = ((b.clone() + root) / (q.clone() * 2u32 * h)).ln() / &mu;
                    let ahead = tail(&(y.clone() - &mu)) - growth * tail(&(y.clone() + &mu));
                    let truth = q * ahead - b * tail(&y);
                    if truth < 1e-300 {
                        continue;
                    }
                    let one = P::poisson_gaussian_replace(Sigma(sigma), Rate(rate)).unwrap();
                    let bounds = one.delta(epsilon).unwrap();
                    let name = format!("{sigma} {rate} {epsilon}: {bounds:?} {truth:.20e}");
                    assert!(bounds.lower <= truth && truth <= bounds.upper, "{name}");
                    assert!(bounds.upper - bounds.lower <= 1e-13 * bounds.upper, "{name}");
                    let two = one.repeat(2).unwrap().delta(epsilon).unwrap();
                    assert!(two.lower > 0.0 && two.upper >= bounds.lower, "{name}: {two:?}");
                }
            }
        }
    }
}
