//! Computes bounds on the probability of an event from the number of times it occurred.

use crate::mass::float;
use statrs::function::beta::checked_beta_reg;

/// Returns bounds on the probability of an event that occurred `k` times in `n` draws. Each bound fails with
/// probability at most `miss` (Clopper, Pearson 1934).
///
/// For more than a million draws, the incomplete beta function cannot be computed reliably. The bounds then use the
/// relative entropy (Chernoff 1952) and are a little wider.
pub fn clopper_pearson(k: u64, n: u64, miss: f64) -> (f64, f64) {
    let k = k.min(n);
    (least_probability(k, n, miss), 1.0 - least_probability(n - k, n, miss))
}

/// Returns the largest p for which `k` or more occurrences in `n` draws have a probability of at most `miss`.
fn least_probability(k: u64, n: u64, miss: f64) -> f64 {
    if k == 0 {
        return 0.0;
    }
    let (hits, fails) = (float(k), float(n - k));
    if n > 1_000_000 {
        let share = hits / (hits + fails);
        // n KL(share, p) falls in p below the share.
        let entropy = |p: f64| {
            let rest = if n == k { 0.0 } else { fails * ((1.0 - share) / (1.0 - p)).ln() };
            hits * (share / p).ln() + rest
        };
        return bisect(|p| p < share && entropy(p) >= -miss.ln());
    }
    // P(at least k | p) rises in p; it is the incomplete beta function.
    bisect(|p| checked_beta_reg(hits, fails + 1.0, p).is_ok_and(|tail| tail <= miss))
}

/// Returns the last number, from 0 upwards, for which a condition is true that becomes false once and stays false.
fn bisect(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_clopper_and_pearson() {
        // From tables: 10 of 100 at 95 %.
        let (low, high) = clopper_pearson(10, 100, 0.025);
        assert!((low - 0.0490).abs() < 1e-4 && (high - 0.1762).abs() < 1e-4, "{low} {high}");
        assert_eq!(clopper_pearson(0, 50, 0.01).0, 0.0);
        // 1 - miss^(1/n).
        assert!((clopper_pearson(0, 50, 0.01).1 - (1.0 - 0.01f64.powf(0.02))).abs() < 1e-9);
        assert_eq!(clopper_pearson(50, 50, 0.01).1, 1.0);
        // A miss that 1 - miss does not keep, and more draws than the beta function bears: six deviations and more.
        assert!(clopper_pearson(50, 100, 1e-17).1 > 0.8);
        for half in [1_000_000u64, 20_000_000, 1 << 40] {
            let (low, high) = clopper_pearson(half, 2 * half, 2.5e-10);
            let deviations = (0.5 - low) * 2.0 * (2.0 * float(half)).sqrt();
            assert!((6.2..6.8).contains(&deviations) && (high + low - 1.0).abs() < 1e-9, "{half}: {deviations}");
        }
    }
}
