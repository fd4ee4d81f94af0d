//! About what delta a training has, in floats: where a search for a parameter begins. Nothing rests on it.

use indistinct_numeric::enclosure::mills_estimate;

/// No more large losses than these are looked at together.
const MOST_LARGE: u32 = 32;
/// Where an individual is expected in fewer samples, a second large loss is unlikely.
const UNLIKELY: f64 = 0.05;

/// About the logarithm of delta.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guess {
    pub(crate) log_delta: f64,
    /// Whether it is what many small losses come to, and epsilon is not far out; or what one large loss does, and a
    /// second is unlikely.
    is_sure: bool,
}

/// Of Gaussian noise on Poisson samples of a rate, so many times: what one large loss comes to, or a few, and what many
/// small ones do together.
pub(crate) fn guess((sigma, rate): (f64, f64), steps: f64, epsilon: f64) -> Guess {
    // Of many: the central limit theorem, but where a few of them are much greater than the others.
    let square = (1.0 / (sigma * sigma)).exp_m1();
    let skew = (square + 3.0) * (square / steps).sqrt();
    let mu = steps.sqrt() * (rate * square.sqrt()).min(1.0 / sigma);
    let many = of_gaussian(epsilon, mu) - skew.hypot(1.0).ln() * 2.0;
    if skew < 0.5 && epsilon < 3.0 * mu {
        return Guess { log_delta: many, is_sure: true };
    }
    let large = of_large((sigma, rate), steps, epsilon);
    let (most, least) = if large > many { (large, many) } else { (many, large) };
    let both = if least.is_finite() { most + (least - most).exp().ln_1p() } else { most };
    let is_sure = rate * steps < UNLIKELY && many < large - 3.0;
    // Sampling only helps.
    Guess { log_delta: both.min(of_gaussian(epsilon, steps.sqrt() / sigma)), is_sure }
}

/// What one large loss comes to, or a few, if more is likely: each of them `rate` times what noise makes of it, where
/// `1 + rate (e^x - 1)` is e to the power of its share of epsilon.
fn of_large((sigma, rate): (f64, f64), steps: f64, epsilon: f64) -> f64 {
    let expected = rate * steps;
    let share = |count: f64| ((epsilon / count).exp_m1() / rate).ln_1p();
    let one = of_gaussian(share(1.0), 1.0 / sigma);
    let mut most = (-(steps * (-rate * one.exp()).ln_1p()).exp_m1()).ln();
    if !most.is_finite() {
        most = expected.ln() + one;
    }
    // How many ways there are to choose them.
    let mut ways = expected.ln();
    for count in 2..=MOST_LARGE {
        let count = f64::from(count);
        ways += (expected / count).ln();
        let each = share(count);
        // Where so many are no rare event, there are many.
        if count > steps / 4.0 || expected * (-0.5 * (each * sigma - 0.5 / sigma).max(0.0).powi(2)).exp() > count {
            break;
        }
        let found = ways + of_gaussian(count * each, count.sqrt() / sigma);
        if found.is_nan() || found <= most {
            break;
        }
        most = found;
    }
    most
}

/// The logarithm of delta of a Gaussian mechanism of sensitivity `mu`: with `a, b = epsilon/mu -+ mu/2` it is
/// `phi(a) (R(a) - R(b))`, for the ratio of Mills R.
fn of_gaussian(epsilon: f64, mu: f64) -> f64 {
    let (a, b) = (epsilon / mu - mu / 2.0, epsilon / mu + mu / 2.0);
    let log_density = -0.5 * a * a - 0.918_938_533_204_672_8;
    if a >= 0.0 {
        log_density + (mills_estimate(a) - mills_estimate(b)).ln()
    } else {
        (-log_density.exp() * (mills_estimate(-a) + mills_estimate(b))).ln_1p()
    }
}

impl Guess {
    /// By how much an estimate at the saddle point corrects it: where that is much greater, one large loss decides,
    /// which it takes for far more than it is; and it is never much too small.
    pub(crate) fn correction(self, saddle_point: f64) -> f64 {
        let more = saddle_point - self.log_delta;
        if self.is_sure || !more.is_finite() {
            return 0.0;
        }
        if more < 0.0 { (more + 3.0).min(0.0) } else { more * (-(more / 3.0).powi(4)).exp() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PrivacyLossDistribution as P,
        pld::{answer::training::Training, loss::finite_loss::number, transform::work::Work},
        units::{Rate, Sigma},
    };

    /// By how much the logarithm of delta is more than is guessed, without and with an estimate at the saddle point.
    fn off(sigma: f64, rate: f64, steps: u64, epsilon: f64) -> (f64, f64) {
        let all = P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap();
        let truth = all.delta(epsilon).unwrap().upper.ln();
        let found = guess((sigma, rate), number(steps), epsilon);
        let saddle_point = Training::new(sigma, rate, steps, &Work::without_limit()).unwrap().estimate(epsilon);
        (truth - found.log_delta, truth - found.log_delta - found.correction(saddle_point))
    }

    #[test]
    fn near_what_delta_is() {
        // One large loss; none but that.
        for (sigma, rate, steps, epsilon) in
            [(0.5, 1e-6, 100, 1.0), (0.3, 1e-5, 1000, 3.0), (0.13, 4.7e-6, 8, 0.74), (0.8, 1e-3, 2, 0.5)]
        {
            assert!(off(sigma, rate, steps, epsilon).0.abs() < 0.02, "{sigma} {rate} {steps} {epsilon}");
        }
        // Many small ones, few large ones, all that are.
        for (sigma, rate, steps, epsilon, most) in [
            (1.4, 5e-7, 5_000_000_000, 0.12, 1.6),
            (1.0, 0.01, 10_000, 4.0, 0.1),
            (0.3, 3.4e-6, 8_388_608, 9.8, 0.1),
            (0.29, 3.6e-6, 4_194_304, 24.0, 0.1),
            (3.0, 0.3, 100, 5.0, 3.5),
            (2.0, 0.9, 10, 8.0, 1.0),
            (100.0, 0.01, 1000, 0.0, 0.01),
            (0.1, 0.036, 8, 20.0, 0.2),
        ] {
            let (_, corrected) = off(sigma, rate, steps, epsilon);
            assert!(corrected.abs() < most, "{sigma} {rate} {steps} {epsilon}: {corrected}");
        }
    }
}
