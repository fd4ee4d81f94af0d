//! Privacy amplification: the smaller loss of a mechanism on a random sample.

use crate::error::{Fallible, non_negative, probability_of_failure, require};
use crate::units::{Delta, Epsilon, Rate};
use indistinct_numeric::{
    RoundedArithmetic, RoundedMath,
    enclosure::{Enclosure, Formula, Interval, enclose},
};

/// Returns the (epsilon, delta) of an (epsilon, delta)-DP mechanism that runs on a random sample of the rows, which
/// contains each row with probability `rate`: `(ln(1 + rate (e^epsilon - 1)), rate delta)`, rounded up.
///
/// The bound holds for two combinations of sampling and neighbors. The neighbors must be the same for the mechanism and
/// for the result, and no other combination is valid:
///
/// - *Poisson*: each row is sampled independently; neighbors differ by *adding or removing* one row.
/// - *without replacement*: n of m rows, with every set equally likely, `rate = n/m` rounded up; neighbors *replace*
///   one row.
///
/// A sample is for one run: if several mechanisms release results about the *same* sample, compose them first and
/// amplify once.
///
/// Errors: a parameter that is negative or not a number, a delta or rate above 1. Source: Balle, Barthe, Gaboardi 2018,
/// Theorems 8 and 9.
///
/// ```
/// use indistinct_accounting::{Delta, Epsilon, Rate};
/// let (epsilon, delta) = indistinct_accounting::amplify_by_sampling(Epsilon(1.0), Delta(1e-6), Rate(0.01))?;
/// assert!(0.0170367 < epsilon && epsilon < 0.0170369);
/// assert!(1e-8 <= delta && delta < 1.0001e-8);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn amplify_by_sampling(Epsilon(epsilon): Epsilon, Delta(delta): Delta, Rate(rate): Rate) -> Fallible<(f64, f64)> {
    let (epsilon, delta) = (non_negative(epsilon, "epsilon")?, probability_of_failure(delta, "delta")?);
    let rate = non_negative(rate, "rate")?;
    require(rate <= 1.0, "rate", "must be at most 1")?;
    let delta = rate.inf_mul(delta)?;
    if rate == 0.0 || epsilon == 0.0 {
        return Ok((0.0, delta));
    }
    if epsilon == f64::INFINITY {
        return Ok((epsilon, delta));
    }
    Ok((enclose(&Amplified { epsilon, rate }).upper.min(epsilon), delta))
}

/// Returns the (epsilon, delta) of a mechanism on a Poisson sample, for data that differ by several rows added or
/// removed. If J of these rows are sampled, it is `(ln E[e^epsilon(J)], E[delta(J)])`, rounded up.
///
/// `losses` has the (epsilon, delta) of the mechanism for data that are 0, 1, 2 … rows apart, up to the number of rows
/// that differ. If epsilon is proportional to the number of rows, the result for k rows is k times the result for one
/// row. The result never exceeds that of [`amplify_by_sampling`] for all rows together, with the probability that any
/// of them is sampled.
///
/// Errors: no losses, or more than 4097; a loss that is negative or not a number, a delta or rate above 1. Source: the
/// proof of Balle, Barthe, Gaboardi 2018, Theorem 8, for each number of sampled rows separately
/// (`proofs/accounting/amplification.md`).
///
/// ```
/// use indistinct_accounting::{Delta, Epsilon, Rate, amplify_by_sampling, amplify_group_by_sampling};
/// let of_rows = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)];
/// let (two, _) = amplify_group_by_sampling(&of_rows, 0.01)?;
/// let (one, _) = amplify_by_sampling(Epsilon(1.0), Delta(0.0), Rate(0.01))?;
/// assert!(two <= 2.0 * one * (1.0 + 1e-15));
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn amplify_group_by_sampling(losses: &[(f64, f64)], rate: f64) -> Fallible<(f64, f64)> {
    type E = Interval<192>;
    require((1..=4097).contains(&losses.len()), "losses", "must be between 1 and 4097")?;
    let rate = non_negative(rate, "rate")?;
    require(rate <= 1.0, "rate", "must be at most 1")?;
    // What holds for some rows holds for fewer, so that the greatest so far are bounds.
    let mut most = (0f64, 0f64);
    let mut bounds = Vec::with_capacity(losses.len());
    for (epsilon, delta) in losses {
        most.0 = most.0.max(non_negative(*epsilon, "losses")?);
        most.1 = most.1.max(probability_of_failure(*delta, "losses")?);
        bounds.push(most);
    }
    let none = bounds.first().copied().unwrap_or(most);
    if rate == 0.0 || rate == 1.0 || most.0 == f64::INFINITY {
        return Ok(if rate == 0.0 { none } else { most });
    }
    let chance = E::exact(rate);
    let odds = chance.div(&E::exact(1.0).sub(&chance));
    let (mut left, mut taken) = (bounds.iter().skip(1).fold(0.0, |left, _| left + 1.0), 0.0);
    // The probability that so many rows are taken.
    let mut weight = E::exact(0.0).sub(&chance).ln_1p().mul(&E::exact(left)).exp();
    let (mut growth, mut failure) = (E::exact(0.0), E::exact(0.0));
    for (epsilon, delta) in &bounds {
        growth = growth.add(&weight.mul(&E::exact(*epsilon).exp_m1()));
        failure = failure.add(&weight.mul(&E::exact(*delta)));
        taken += 1.0;
        weight = weight.mul(&E::exact(left).div(&E::exact(taken))).mul(&odds);
        left -= 1.0;
    }
    let (epsilon, delta) = (growth.ln_1p().upper(), failure.upper());
    // The greatest loss is a bound, too; a NaN makes it the one.
    Ok((if epsilon < most.0 { epsilon.max(0.0) } else { most.0 }, if delta < most.1 { delta.max(0.0) } else { most.1 }))
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

/// Returns the epsilon, at a given delta, of n reports in random order, each of which is epsilon-DP:
/// `ln(1 + (e^epsilon - 1) / (e^epsilon + 1) (8 sqrt(e^epsilon ln(4/delta) / n) + 8 e^epsilon / n))`, rounded up.
/// Returns `None` unless `epsilon <= ln(n / (16 ln(2/delta)))`, the condition of the bound.
///
/// Neighbors *replace* one row. The same mechanism makes all reports, each from its own row. Errors: an epsilon or
/// n that is negative or not a number, a delta that is not a probability. Source: Feldman, McMillan, Talwar 2021,
/// Theorem 3.1.
///
/// ```
/// use indistinct_accounting::{Delta, Epsilon};
/// let epsilon = indistinct_accounting::amplify_by_shuffling(Epsilon(1.0), Delta(1e-6), 1e6)?;
/// assert!(epsilon.is_some_and(|epsilon| 0.023 < epsilon && epsilon < 0.024));
/// assert_eq!(indistinct_accounting::amplify_by_shuffling(Epsilon(1.0), Delta(1e-6), 100.0)?, None);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
pub fn amplify_by_shuffling(Epsilon(epsilon): Epsilon, Delta(delta): Delta, n: f64) -> Fallible<Option<f64>> {
    let (epsilon, delta) = (non_negative(epsilon, "epsilon")?, probability_of_failure(delta, "delta")?);
    let n = non_negative(n, "n")?;
    if delta == 0.0 || n == 0.0 || !epsilon.is_finite() || !n.is_finite() {
        return Ok(None);
    }
    // The condition, rounded towards refusal: 16 ln(2/delta) e^epsilon <= n.
    let crowd = 2f64.inf_div(delta)?.inf_ln()?.inf_mul(16.0)?.inf_mul(epsilon.inf_exp()?)?;
    if crowd > n {
        return Ok(None);
    }
    let growth = epsilon.inf_exp()?;
    // Grows with epsilon: tanh(epsilon / 2).
    let share = enclose(&Share(epsilon)).upper;
    let root = growth.inf_mul(4f64.inf_div(delta)?.inf_ln()?)?.inf_div(n)?.inf_sqrt()?.inf_mul(8.0)?;
    let spread = root.inf_add(growth.inf_mul(8.0)?.inf_div(n)?)?;
    Ok(Some(share.inf_mul(spread)?.inf_ln_1p()?))
}

/// `(e^epsilon - 1) / (e^epsilon + 1)`.
struct Share(f64);

impl Formula for Share {
    fn evaluate<E: Enclosure>(&self) -> E {
        // With x = e^-epsilon - 1: -x / (2 + x), for any size of epsilon.
        let x = E::exact(-self.0).exp_m1();
        E::exact(0.0).sub(&x).div(&E::exact(2.0).add(&x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes() {
        assert_eq!(amplify_by_sampling(Epsilon(1.0), Delta(0.5), Rate(0.0)), Ok((0.0, 0.0)));
        assert_eq!(amplify_by_sampling(Epsilon(1.0), Delta(0.5), Rate(1.0)), Ok((1.0, 0.5)));
        assert_eq!(amplify_by_sampling(Epsilon(f64::INFINITY), Delta(1.0), Rate(0.5)), Ok((f64::INFINITY, 0.5)));
        for (epsilon, delta, rate) in
            [(-1.0, 0.0, 0.5), (1.0, -1.0, 0.5), (1.0, 1.5, 0.5), (1.0, 0.0, 1.5), (1.0, 0.0, f64::NAN)]
        {
            assert!(amplify_by_sampling(Epsilon(epsilon), Delta(delta), Rate(rate)).is_err());
        }
    }

    /// Two releases from one sample cost more than the sum of two amplified epsilons.
    #[test]
    fn reused_samples_are_composed_first() {
        let (once, _) = amplify_by_sampling(Epsilon(1.0), Delta(0.0), Rate(0.5)).unwrap();
        let (joint, _) = amplify_by_sampling(Epsilon(2.0), Delta(0.0), Rate(0.5)).unwrap();
        assert!(joint > 1.4337808304 && 2.0 * once < 1.2403);
    }

    /// In proportion to the rows: so many times one row's. Never more than all rows at once, and what samplers attain.
    #[test]
    fn rows_are_taken_one_by_one() {
        for (rate, epsilon) in [(0.01, 1.0), (0.5, 0.1), (1e-6, 3.0), (0.999, 2.0), (0.3, 1e-9)] {
            let (one, _) = amplify_by_sampling(Epsilon(epsilon), Delta(0.0), Rate(rate)).unwrap();
            for rows in [1u32, 2, 10, 200] {
                let losses: Vec<_> = (0..=rows).map(|j| (f64::from(j) * epsilon, 0.0)).collect();
                let (group, none) = amplify_group_by_sampling(&losses, rate).unwrap();
                let linear = f64::from(rows) * one;
                assert!((group / linear - 1.0).abs() < 1e-13 && none == 0.0, "{rate} {epsilon} {rows}: {group}");
            }
            // Losses that do not grow in proportion, and deltas.
            let losses = [(0.0, 0.0), (epsilon, 1e-6), (epsilon * 1.5, 3e-6), (epsilon * 4.0, 1e-5)];
            let any = 1.0 - (1.0f64 - rate).powi(3);
            let all = amplify_by_sampling(Epsilon(epsilon * 4.0), Delta(1e-5), Rate(any * (1.0 + 1e-12))).unwrap();
            let group = amplify_group_by_sampling(&losses, rate).unwrap();
            assert!(group.0 <= all.0 && group.1 <= all.1, "{group:?} {all:?}");
            let b = [3.0 * rate * (1.0 - rate).powi(2), 3.0 * rate * rate * (1.0 - rate), rate.powi(3)];
            let mean: f64 = b.iter().zip(&losses[1..]).map(|(b, loss)| b * loss.1).sum();
            assert!((group.1 / mean - 1.0).abs() < 1e-12, "{group:?} {mean:e}");
            let mean: f64 = b.iter().zip(&losses[1..]).map(|(b, loss)| b * loss.0.exp_m1()).sum();
            assert!((group.0 / mean.ln_1p() - 1.0).abs() < 1e-7, "{group:?} {mean:e}");
        }
        let group = |losses: &[(f64, f64)], rate| amplify_group_by_sampling(losses, rate);
        assert_eq!(group(&[(0.0, 0.0), (f64::INFINITY, 0.5)], 0.5), Ok((f64::INFINITY, 0.5)));
        assert_eq!(group(&[(0.0, 0.0), (f64::INFINITY, 0.5)], 0.0), Ok((0.0, 0.0)));
        assert_eq!(group(&[(0.0, 0.0), (2.0, 0.5)], 1.0), Ok((2.0, 0.5)));
        // What a bound for two rows says of one.
        assert_eq!(group(&[(0.0, 0.0), (5.0, 0.1), (3.0, 0.0)], 1.0), Ok((5.0, 0.1)));
        assert!(group(&[(0.0, 0.0), (1e300, 0.0)], 0.5).unwrap().0 <= 1e300);
        for bad in [vec![], vec![(f64::NAN, 0.0)], vec![(0.0, 1.5)], vec![(0.0, 0.0); 4098]] {
            assert!(group(&bad, 0.5).is_err());
        }
        assert!(group(&[(0.0, 0.0)], 1.5).is_err());
    }

    /// The exact delta of the distribution that the theorem reduces to: so many clones, a fair coin for each, and the
    /// row that differs. In floats, good to some 1e-10.
    fn delta_among_clones(local: f64, n: i32, epsilon: f64) -> f64 {
        let p = 1.0 / (1.0 + (-local).exp());
        let ln_factorial: Vec<f64> = (0..=n)
            .scan(0.0, |sum: &mut f64, k| {
                *sum += f64::from(k.max(1)).ln();
                Some(*sum)
            })
            .collect();
        let at = |k: i32| ln_factorial[usize::try_from(k).unwrap()];
        let binomial = |n: i32, k: i32, q: f64| -> f64 {
            if k < 0 || k > n {
                return 0.0;
            }
            let tails = |x: f64, times: i32| if times == 0 { 0.0 } else { f64::from(times) * x.ln() };
            (at(n) - at(k) - at(n - k) + tails(q, k) + tails(1.0 - q, n - k)).exp()
        };
        let mut delta = 0.0;
        for clones in 0..n {
            let weight = binomial(n - 1, clones, (-local).exp());
            if weight < 1e-18 {
                continue;
            }
            for ones in 0..=clones + 1 {
                let (less, same) = (binomial(clones, ones - 1, 0.5), binomial(clones, ones, 0.5));
                let (first, second) = (p * less + (1.0 - p) * same, (1.0 - p) * less + p * same);
                delta += weight * (first - epsilon.exp() * second).max(0.0);
            }
        }
        delta
    }

    #[test]
    fn shuffled_reports_keep_the_promise_of_the_exact_law() {
        let mut held = 0;
        for local in [0.1, 0.5, 1.0, 2.0] {
            for n in [300, 1000, 2500] {
                for delta in [1e-2, 1e-4, 1e-6] {
                    let Some(epsilon) = amplify_by_shuffling(Epsilon(local), Delta(delta), n.into()).unwrap() else {
                        continue;
                    };
                    let exact = delta_among_clones(local, n, epsilon);
                    assert!(exact <= delta, "{local} {n} {delta}: {epsilon} {exact:e}");
                    // A negative control without the factor 8 breaks it.
                    held += u32::from(delta_among_clones(local, n, epsilon / 8.0) > delta);
                }
            }
        }
        assert!(held > 10, "{held}");
    }

    #[test]
    fn what_shuffling_cannot_promise() {
        assert_eq!(amplify_by_shuffling(Epsilon(1.0), Delta(0.0), 1e9), Ok(None));
        assert_eq!(amplify_by_shuffling(Epsilon(f64::INFINITY), Delta(0.5), 1e9), Ok(None));
        assert_eq!(amplify_by_shuffling(Epsilon(800.0), Delta(0.5), 1e9), Ok(None));
        assert_eq!(amplify_by_shuffling(Epsilon(0.0), Delta(1e-6), 1e6), Ok(Some(0.0)));
        for (epsilon, delta, n) in [(-1.0, 0.5, 1.0), (1.0, 1.5, 1.0), (1.0, f64::NAN, 1.0), (1.0, 0.5, -1.0)] {
            assert!(amplify_by_shuffling(Epsilon(epsilon), Delta(delta), n).is_err());
        }
    }
}
