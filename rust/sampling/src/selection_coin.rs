//! A coin that depends on a number of individuals, and is true with the largest probability that (epsilon, delta)
//! allows.

use crate::{
    Entropy, Fallible,
    tulap::Tulap,
    widths::{Full, Widths},
};

/// Returns true with probability `p(n)` for an integer n, where `p(0) = 0`, and each `p(n)` is the largest that
/// `(epsilon, delta)`-differential privacy allows after `p(n - 1)` (Desfontaines, Voss, Gipson, Mandayam 2022):
///
/// `p(n) = min(exp(epsilon) p(n - 1) + delta, 1 - exp(-epsilon) (1 - p(n - 1) - delta), 1)`.
///
/// Canonical noise ([`RealNoise::tulap`](crate::RealNoise::tulap)) decides a toss: true if n with noise exceeds the
/// largest possible value of the noise.
///
/// ```
/// use indistinct_sampling::{OsEntropy, SelectionCoin};
/// let coin = SelectionCoin::new(1.0, 1e-6)?;
/// let mut entropy = OsEntropy::new();
/// assert!(!coin.toss(0, &mut entropy)?);
/// assert!(coin.toss(100, &mut entropy)?);
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SelectionCoin(Box<Tulap>);

impl SelectionCoin {
    /// Makes the coin of a guarantee. With delta 0 it is never true.
    ///
    /// # Errors
    ///
    /// Returns an error unless epsilon is from `2^-40` to `2^10` and delta is at least 0 and below 1.
    pub fn new(epsilon: f64, delta: f64) -> Fallible<Self> {
        Ok(Self(Box::new(Tulap::new(epsilon, delta)?)))
    }

    /// Tosses the coin for n. A number below 0 counts as 0.
    pub fn toss(&self, n: i64, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<bool> {
        self.toss_with::<Full>(n, entropy)
    }

    fn toss_with<W: Widths>(&self, n: i64, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<bool> {
        // The noise is drawn for every n, so that the time does not reveal n.
        let (noise, mut l) = self.0.draw::<W>(entropy)?;
        let exceeds = self.0.exceeds_greatest(i128::from(n) + i128::from(noise), &mut l, entropy)?;
        Ok(exceeds && n > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, Rule, testing::SeededEntropy, widths::Few};

    /// Computes the probability by the recursion, in floats.
    fn by_recursion(epsilon: f64, delta: f64, n: u32) -> f64 {
        (0..n).fold(0.0, |p, _| {
            let (more, less) = (epsilon.exp() * p + delta, 1.0 - (-epsilon).exp() * (1.0 - p - delta));
            more.min(less).min(1.0)
        })
    }

    fn share<W: Widths>(coin: &SelectionCoin, n: u32, tosses: u32) -> f64 {
        let mut entropy = SeededEntropy::new(u64::from(n));
        let tosses_true = (0..tosses).filter(|_| coin.toss_with::<W>(n.into(), &mut entropy).unwrap()).count();
        f64::from(u32::try_from(tosses_true).unwrap()) / f64::from(tosses)
    }

    #[test]
    fn tosses_have_the_probabilities_of_the_recursion() {
        // Hoeffding: a false alarm once in 10^9 for each.
        let bound = |tosses: u32| (f64::ln(2e9) / (2.0 * f64::from(tosses))).sqrt();
        for (epsilon, delta) in [(1.0, 0.01), (0.5, 0.1), (2.0, 1e-3), (0.25, 0.25), (3.0, 0.4), (0.1, 0.9)] {
            let coin = SelectionCoin::new(epsilon, delta).unwrap();
            let mut p = 0.0;
            for n in 0u32.. {
                p = by_recursion(epsilon, delta, n);
                let (seen, slow) = (share::<Full>(&coin, n, 40_000), share::<Few>(&coin, n, 2_000));
                assert!((seen - p).abs() < bound(40_000), "{epsilon} {delta} {n}: {seen} {p}");
                assert!((slow - p).abs() < bound(2_000), "{epsilon} {delta} {n}: {slow} {p}");
                // The negative control: another number's probability, where it is far enough.
                let other = by_recursion(epsilon, delta, n + 1);
                assert!((other - p).abs() < 2.0 * bound(40_000) || (seen - other).abs() > bound(40_000), "no power");
                if p == 1.0 || n == 40 {
                    break;
                }
            }
            assert!(p > 0.5, "{epsilon} {delta}");
        }
    }

    #[test]
    fn nothing_is_never_seen_and_many_always() {
        let mut entropy = SeededEntropy::new(1);
        let coin = SelectionCoin::new(0.5, 0.2).unwrap();
        for _ in 0..2_000 {
            for n in [0, -1, i64::MIN] {
                assert_eq!(coin.toss(n, &mut entropy), Ok(false));
            }
            for n in [1 << 40, i64::MAX] {
                assert_eq!(coin.toss(n, &mut entropy), Ok(true));
            }
        }
        let never = SelectionCoin::new(0.5, 0.0).unwrap();
        assert!((0..100).all(|_| never.toss(i64::MAX, &mut entropy) == Ok(false)));
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let error = |epsilon, delta| SelectionCoin::new(epsilon, delta).map(|_| ());
        for epsilon in [0.0, -1.0, f64::NAN, f64::INFINITY, 2000.0] {
            assert_eq!(error(epsilon, 0.5), Err(Error::Parameter(Rule::Epsilon)));
        }
        for delta in [-0.1, 1.0, f64::NAN] {
            assert_eq!(error(1.0, delta), Err(Error::Parameter(Rule::Delta)));
        }
    }
}
