//! The type of a curve.

use crate::{
    composition::sum_of,
    conversions::gaussian_to_zcdp,
    error::{Error, Fallible, non_negative, require},
    renyi::{part::Part, points::Points},
    units::{Epsilon, Mu, Rate, Sigma},
};
use indistinct_numeric::{RoundedArithmetic, RoundedFrom, Rounding};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::{cmp::Ordering, fmt};

/// An upper bound on the Renyi divergence of every order above 1, between the outputs on any two neighbors.
///
/// A curve is a sum of parts, each with its number of occurrences: a line (zCDP, Gaussian noise), and curves of pure
/// privacy, of Laplace noise, of Gaussian noise on samples, of given distributions, or through given points. The
/// divergences of a composition add up at every order, even adaptively (Mironov 2017, Proposition 1), so
/// [`compose`](RenyiCurve::compose) is exact. A part that occurs many times is evaluated once.
///
/// These constructors make the curves of guarantees. For the curve of a mechanism, see
/// [`PrivacyLossDistribution::renyi`](crate::PrivacyLossDistribution::renyi).
///
/// Curves are compared part by part: `a <= b` only if `a` is below `b` at all orders, and curves with different parts
/// are not compared.
///
/// ```
/// use indistinct_accounting::{Mu, PrivacyLossDistribution, Rate, RenyiCurve, Sigma};
/// let noise = RenyiCurve::gaussian(Mu(0.5))?;
/// assert_eq!(noise.at(8.0)?, 1.0);
/// let both = noise.compose(&RenyiCurve::pure(0.1)?)?;
/// assert!(both.at(8.0)? < 1.1 && both.epsilon(1e-6)? < 2.6);
/// // A thousand steps of gradient descent, each on a sample of one row in a hundred.
/// let steps = PrivacyLossDistribution::poisson_gaussian(Sigma(1.0), Rate(0.01))?.repeat(1000)?.renyi()?;
/// assert_eq!(steps.to_string(), "1000 times Gaussian 1.0 sampled at 0.01");
/// assert!(steps.epsilon(1e-5)? < 2.11);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Stored", into = "Stored"))]
pub struct RenyiCurve {
    /// The slope of the line.
    pub(super) rho: f64,
    /// All else, sorted, with equal parts counted: counts are whole numbers below 2^53, above 0.
    pub(super) parts: Vec<(f64, Part)>,
}

/// The stored form.
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
struct Stored {
    #[cfg_attr(feature = "serde", serde(with = "crate::stored"))]
    rho: f64,
    parts: Vec<StoredPart>,
}

#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
struct StoredPart {
    count: u64,
    part: Part,
}

impl TryFrom<Stored> for RenyiCurve {
    type Error = Error;

    fn try_from(stored: Stored) -> Fallible<Self> {
        let Self { rho, .. } = Self::concentrated(stored.rho)?;
        let parts = stored.parts.into_iter().map(|stored| {
            require(stored.count > 0, "count", "must be above 0")?;
            Ok((f64::from_rounded(&stored.count, Rounding::Exact)?, stored.part.checked()?))
        });
        Ok(Self { rho, parts: merge(parts.collect::<Fallible<_>>()?)? })
    }
}

impl From<RenyiCurve> for Stored {
    fn from(curve: RenyiCurve) -> Self {
        let parts = curve.parts.into_iter().map(|(count, part)| StoredPart { count: whole(count), part });
        Self { rho: curve.rho, parts: parts.collect() }
    }
}

/// Sorted, equal parts counted. Error: counts of 2^53 or more.
fn merge(mut parts: Vec<(f64, Part)>) -> Fallible<Vec<(f64, Part)>> {
    parts.sort_by(|x, y| x.1.order(&y.1));
    let mut merged: Vec<(f64, Part)> = Vec::with_capacity(parts.len());
    for (count, part) in parts {
        match merged.last_mut() {
            Some((sum, same)) if *same == part => *sum += count,
            _ => merged.push((count, part)),
        }
    }
    let holds = merged.iter().all(|part| part.0 < 9_007_199_254_740_992.0);
    require(holds, "count", "must be below 2^53")?;
    Ok(merged)
}

/// A float that is a whole number below 2^53.
fn whole(x: f64) -> u64 {
    u64::from_rounded(&x, Rounding::Down).unwrap_or(0)
}

impl RenyiCurve {
    /// The curve of a rho-zCDP mechanism: `rho alpha` (Bun, Steinke 2016, Definition 1.1). Error: rho negative or not a
    /// number.
    pub fn concentrated(rho: f64) -> Fallible<Self> {
        Ok(Self { rho: non_negative(rho, "rho")?, parts: Vec::new() })
    }

    /// The curve of any mu-GDP mechanism, such as Gaussian noise of standard deviation sensitivity / mu: `mu^2 alpha /
    /// 2`, rounded up. Error: mu negative or not a number.
    pub fn gaussian(Mu(mu): Mu) -> Fallible<Self> {
        Self::concentrated(gaussian_to_zcdp(mu)?)
    }

    /// The curve of any epsilon-DP mechanism: see [`pure_to_renyi`](crate::pure_to_renyi). Error: epsilon negative or
    /// not a number.
    pub fn pure(epsilon: f64) -> Fallible<Self> {
        Self::of(Part::Pure(epsilon))
    }

    /// The exact curve of Laplace noise of scale sensitivity / epsilon. Error: epsilon negative or not a number.
    ///
    /// Source: Mironov 2017, Proposition 6.
    pub(crate) fn laplace(Epsilon(epsilon): Epsilon) -> Fallible<Self> {
        Self::of(Part::Laplace(epsilon))
    }

    /// The exact curve of discrete Laplace noise of scale 1 / epsilon (the integer x has a probability proportional to
    /// `e^(-epsilon |x|)`) on integers that differ by at most `sensitivity` between neighbors. Error: epsilon negative
    /// or not a number.
    pub(crate) fn discrete_laplace(Epsilon(epsilon): Epsilon, sensitivity: u32) -> Fallible<Self> {
        Self::of(Part::DiscreteLaplace(epsilon, sensitivity))
    }

    /// The curve of Gaussian noise, of standard deviation `sigma` times the sensitivity, on a Poisson sample, which
    /// contains each row independently with probability `rate`. Neighbors differ by *adding or removing* one row,
    /// whichever is worse.
    ///
    /// The result is never below the truth. It is within a relative distance of 1e-10 for rates from 1e-90 (or 0),
    /// sigma from 0.3 to 10^4 and orders up to some 10,000 (the range of 8,192 points); for orders from 2 and rates
    /// from 1e-60, this holds for sigma from 0.005. Elsewhere it is wider: up to 1e-9 at sigma 10^5; at orders close to
    /// 1, from 1e-5 at sigma 0.2 to the curve without sampling below 0.1. Errors: a rate outside 0 to 1, a sigma that
    /// is not above 0.
    ///
    /// Source: Mironov, Talwar, Zhang 2019, "Renyi differential privacy of the sampled Gaussian mechanism".
    pub(crate) fn sampled_gaussian(Sigma(sigma): Sigma, Rate(rate): Rate) -> Fallible<Self> {
        Self::of(Part::SampledGaussian(rate, sigma))
    }

    /// The curve of Gaussian noise, of standard deviation `sigma` times the sensitivity, on a sample of fixed size,
    /// drawn without replacement; `rate` is the share of all rows in the sample. Neighbors *replace* one row, which
    /// changes the sum of a sample with that row by at most the sensitivity.
    ///
    /// The moment is at most the sum, minus 1, of the moments of [`sampled_gaussian`](Self::sampled_gaussian) for a
    /// removed row and for an added row, and at most the moment without sampling. The curve holds at all orders, and is
    /// far below [`sampled_without_replacement`](Self::sampled_without_replacement), which holds for any mechanism.
    /// Errors: as for `sampled_gaussian`.
    ///
    /// Source: the dominating pair of Zhu, Dong, Wang 2022, Theorem 11; `proofs/accounting/without_replacement.md`.
    pub(crate) fn fixed_size_gaussian(Sigma(sigma): Sigma, Rate(rate): Rate) -> Fallible<Self> {
        Self::of(Part::FixedSizeGaussian(rate, sigma))
    }

    /// The exact curve of a mechanism that draws from one of two distributions on a finite set, given as weights, which
    /// need not add up to 1. At each order it is the larger of both directions. It is infinite if one distribution has
    /// weight on an outcome and the other has none.
    ///
    /// Errors: no weights; a weight that is negative, infinite or not a number; a distribution without a positive
    /// weight.
    pub(crate) fn discrete(weights: Vec<(f64, f64)>) -> Fallible<Self> {
        Self::of(Part::Discrete(weights))
    }

    fn of(part: Part) -> Fallible<Self> {
        Ok(Self { rho: 0.0, parts: vec![(1.0, part.checked()?)] })
    }

    /// A curve through bounds at some orders, given as pairs (order, bound) with ascending orders above 1, possibly
    /// infinite. Between orders the logarithm of the moment is interpolated, which its convexity allows; above the
    /// largest order the bound is infinite.
    ///
    /// Errors: no points; orders that do not rise, are not above 1, or are finite and above 2^53; bounds that are
    /// negative or not numbers.
    ///
    /// ```
    /// let curve = indistinct_accounting::RenyiCurve::from_points(vec![(2.0, 0.5), (4.0, 1.0)])?;
    /// assert_eq!(curve.at(1.5)?, 0.5);
    /// // Twice the divergence at 3 is at most the middle of 0.5 and 3.
    /// assert_eq!(curve.at(3.0)?, 0.875);
    /// assert_eq!(curve.at(5.0)?, f64::INFINITY);
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn from_points(points: Vec<(f64, f64)>) -> Fallible<Self> {
        Ok(Self { rho: 0.0, parts: vec![(1.0, Part::Points(Points::new(points)?))] })
    }

    /// Returns this curve restricted to some orders: a budget for steps that are chosen along the way (see
    /// `make_privacy_filter`), if the orders are few and chosen beforehand. Errors: as for
    /// [`from_points`](Self::from_points).
    ///
    /// ```
    /// use indistinct_accounting::{PrivacyLossDistribution, Rate, Sigma};
    /// let plan = PrivacyLossDistribution::poisson_gaussian(Sigma(1.0), Rate(0.01))?.repeat(1000)?.renyi()?;
    /// let budget = plan.at_orders(&[8.0])?;
    /// assert_eq!((budget.at(8.0), budget.points().map(|points| points.len())), (plan.at(8.0), Some(1)));
    /// // The order is the best one, almost, at this delta: hardly anything is lost.
    /// assert!(budget.epsilon(1e-5)? < 1.01 * plan.epsilon(1e-5)?);
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn at_orders(&self, orders: &[f64]) -> Fallible<Self> {
        Self::from_points(orders.iter().map(|order| Ok((*order, self.at(*order)?))).collect::<Fallible<_>>()?)
    }

    /// Returns the orders and the bounds of a curve that is known only at some orders; `None` for any other curve.
    pub fn points(&self) -> Option<Vec<(f64, f64)>> {
        match self.parts.as_slice() {
            [(count, Part::Points(points))] if *count == 1.0 && self.rho == 0.0 => Some(points.to_vec()),
            _ => None,
        }
    }

    /// Returns the joint curve of both: the exact sum, except that the sum of rhos is rounded. Error: 2^53 equal parts.
    pub fn compose(&self, other: &Self) -> Fallible<Self> {
        Self::total([self, other])
    }

    /// Returns the joint curve of all of them in the same way.
    ///
    /// ```
    /// use indistinct_accounting::RenyiCurve;
    /// let curves = vec![RenyiCurve::pure(0.1)?; 3];
    /// assert_eq!(RenyiCurve::total(&curves)?.to_string(), "3 times pure 0.1");
    /// # Ok::<(), indistinct_accounting::Error>(())
    /// ```
    pub fn total<'a>(curves: impl IntoIterator<Item = &'a Self>) -> Fallible<Self> {
        let (mut rhos, mut parts) = (Vec::new(), Vec::new());
        for curve in curves {
            rhos.push(curve.rho);
            parts.extend(curve.parts.iter().cloned());
        }
        Ok(Self { rho: sum_of(rhos.into_iter(), "rho")?, parts: merge(parts)? })
    }

    /// Returns the joint curve of `count` mechanisms with this curve. Error: 2^53 equal parts.
    pub fn repeat(&self, count: u32) -> Fallible<Self> {
        let count = f64::from(count);
        if count == 0.0 {
            return Self::concentrated(0.0);
        }
        let parts = self.parts.iter().map(|(each, part)| Ok((each.inf_mul(count)?, part.clone())));
        let parts = merge(parts.collect::<Fallible<_>>()?)?;
        Ok(Self { rho: if self.rho == 0.0 { 0.0 } else { self.rho.inf_mul(count)? }, parts })
    }

    /// Returns an upper bound on the divergence of order `alpha`. Error: alpha not above 1.
    pub fn at(&self, alpha: f64) -> Fallible<f64> {
        require(alpha > 1.0, "alpha", "must be above 1")?;
        // Rounded up: a divergence rises with its order.
        self.at_excess(alpha.inf_sub(1.0)?)
    }

    /// The same for the order `1 + t`, which need not be a float.
    pub(super) fn at_excess(&self, t: f64) -> Fallible<f64> {
        // Divergences rise with the order.
        let alpha = t.inf_add(1.0)?;
        let mut total = if self.rho == 0.0 { 0.0 } else { alpha.inf_mul(self.rho)? };
        for (count, part) in &self.parts {
            let own = part.at(t)?;
            total = total.inf_add(if own == 0.0 { 0.0 } else { count.inf_mul(own)? })?;
        }
        Ok(total)
    }

    /// The same for a search.
    pub(super) fn estimate(&self, t: f64) -> f64 {
        let line = if self.rho == 0.0 { 0.0 } else { (1.0 + t) * self.rho };
        line + self.parts.iter().map(|(count, part)| count * part.estimate(t)).sum::<f64>()
    }

    /// The slope, if that is all.
    pub(crate) fn line(&self) -> Option<f64> {
        self.parts.is_empty().then_some(self.rho)
    }
}

/// True if each part has one in the other list that it is below, in order and count by count.
fn are_below(mine: &[(f64, Part)], others: &[(f64, Part)]) -> bool {
    let mut others = others.iter();
    let mut other = others.next().map(|(count, part)| (*count, part));
    for (count, part) in mine {
        let mut left = *count;
        while left > 0.0 {
            let Some((available, greater)) = other else { return false };
            let taken = left.min(available);
            if !part.is_below(greater) {
                return false;
            }
            left -= taken;
            other = if available > taken {
                Some((available - taken, greater))
            } else {
                others.next().map(|(count, part)| (*count, part))
            };
        }
    }
    true
}

impl PartialOrd for RenyiCurve {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let is_below = |mine: &Self, other: &Self| {
            other.rho == f64::INFINITY || (mine.rho <= other.rho && are_below(&mine.parts, &other.parts))
        };
        match (is_below(self, other), is_below(other, self)) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        }
    }
}

/// As a sum: `0.125 alpha + pure 1.0 + 3 times 2 points`; with `#`, points and weights one by one, so that curves of
/// different parts are different words.
impl fmt::Display for RenyiCurve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.rho > 0.0 || self.parts.is_empty() {
            parts.push(format!("{:?} alpha", self.rho));
        }
        parts.extend(self.parts.iter().map(|(count, part)| {
            let part = if f.alternate() { format!("{part:#}") } else { part.to_string() };
            if *count == 1.0 { part } else { format!("{count} times {part}") }
        }));
        f.write_str(&parts.join(" + "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pure(epsilon: f64, count: u32) -> RenyiCurve {
        RenyiCurve::pure(epsilon).unwrap().repeat(count).unwrap()
    }

    fn sum(curves: &[RenyiCurve]) -> RenyiCurve {
        RenyiCurve::total(curves).unwrap()
    }

    #[test]
    fn counts() {
        let (two, other) = (pure(0.5, 2), pure(0.25, 1));
        assert_eq!(
            sum(&[two.clone(), other.clone(), two.clone()]).parts,
            [(4.0, Part::Pure(0.5)), (1.0, Part::Pure(0.25))]
        );
        assert_eq!(pure(0.5, 0), RenyiCurve::concentrated(0.0).unwrap());
        assert_eq!(RenyiCurve::concentrated(0.25).unwrap().repeat(3).unwrap().line(), Some(0.75));
        assert_eq!((two.line(), two.rho), (None, 0.0));
        // Counts are below 2^53.
        let many = pure(0.5, 1 << 31);
        assert_eq!(many.repeat(1 << 21).unwrap().parts, [(2f64.powi(52), Part::Pure(0.5))]);
        assert!(many.repeat(1 << 22).is_err());
    }

    #[cfg(feature = "serde")]
    #[test]
    fn counts_come_back_from_store() {
        let stored = |count: u64| format!(r#"{{"rho":"0.5","parts":[{{"count":{count},"part":{{"pure":"0.25"}}}}]}}"#);
        let read = serde_json::from_str::<RenyiCurve>(&stored(3)).unwrap();
        assert_eq!(read, sum(&[RenyiCurve::concentrated(0.5).unwrap(), pure(0.25, 3)]));
        assert_eq!(serde_json::to_string(&read).unwrap(), stored(3));
        assert!(serde_json::from_str::<RenyiCurve>(&stored(0)).is_err());
        assert!(serde_json::from_str::<RenyiCurve>(&stored(1)).is_ok());
    }

    #[test]
    fn sums_of_parts() {
        let line = RenyiCurve::concentrated(0.5).unwrap();
        let curve = sum(&[line.clone(), pure(0.5, 3), RenyiCurve::laplace(Epsilon(0.25)).unwrap().repeat(2).unwrap()]);
        for t in [0.5, 4.0] {
            let (pure, laplace) = (Part::Pure(0.5).at(t).unwrap(), Part::Laplace(0.25).at(t).unwrap());
            let truth = 0.5 * (1.0 + t) + 3.0 * pure + 2.0 * laplace;
            for own in [curve.at(1.0 + t).unwrap(), curve.at_excess(t).unwrap(), curve.estimate(t)] {
                assert!((own / truth - 1.0).abs() < 1e-12, "{t}: {own}");
            }
        }
        assert_eq!((line.at(4.0), line.estimate(3.0)), (Ok(2.0), 2.0));
        assert!(line.at(1.0).is_err() && line.at(0.5).is_err() && line.at(f64::NAN).is_err());
        // Nothing, though the order is infinite, or the count large; and a line at infinity.
        let nothing = RenyiCurve::concentrated(0.0).unwrap();
        assert_eq!((nothing.at(f64::INFINITY), nothing.estimate(f64::INFINITY)), (Ok(0.0), 0.0));
        assert_eq!((pure(0.0, 9).at(f64::INFINITY), line.at(f64::INFINITY)), (Ok(0.0), Ok(f64::INFINITY)));
        assert_eq!(pure(0.5, 3).at(f64::INFINITY), Ok(1.5));
    }

    /// To the last bit, as fractions of which each is rounded up say (python): in each row some step turned around
    /// shows.
    #[test]
    fn each_step_is_rounded_up() {
        let at = |rho: f64, alpha: f64, one: f64, other: f64| {
            let points = |bound, count| RenyiCurve::from_points(vec![(alpha, bound)]).unwrap().repeat(count).unwrap();
            sum(&[RenyiCurve::concentrated(rho).unwrap(), points(one, 3), points(other, 7)]).at(alpha).unwrap()
        };
        assert_eq!(
            at(0.24209493800369453, 1.2829322975990092, 0.019722615980345637, 0.1441492105240746),
            1.3788037366597288
        );
        assert_eq!(
            at(0.3798869701002914, 1.4735912464402188, 0.9073226104988347, 1.3952760140303693),
            13.048698043485578
        );
        let line = RenyiCurve::concentrated(0.1).unwrap();
        assert_eq!(line.repeat(3).unwrap().line(), Some(0.30000000000000004));
        // Orders less 1, and more again, of which neither is a float.
        let line = RenyiCurve::concentrated(1.0).unwrap();
        assert_eq!(
            (line.at_excess(1e-20), line.at(2f64.powi(53) + 2.0)),
            (Ok(1.0f64.next_up()), Ok(2f64.powi(53) + 4.0))
        );
    }

    /// Part by part, and count by count.
    #[test]
    fn comparison() {
        use Ordering::{Equal, Greater, Less};
        let line = |rho| RenyiCurve::concentrated(rho).unwrap();
        for (mine, other, order) in [
            (line(0.5), line(0.5), Some(Equal)),
            (line(0.5), line(0.75), Some(Less)),
            (pure(0.5, 2), pure(0.5, 2), Some(Equal)),
            (pure(0.5, 2), pure(0.5, 3), Some(Less)),
            (pure(0.5, 2), pure(0.75, 2), Some(Less)),
            (pure(0.75, 2), pure(0.5, 3), None),
            (pure(0.5, 3), sum(&[pure(0.75, 2), pure(0.5, 1)]), Some(Less)),
            (pure(0.5, 3), sum(&[pure(0.75, 2), pure(0.25, 1)]), None),
            (sum(&[pure(0.75, 1), pure(0.5, 1)]), pure(0.75, 2), Some(Less)),
            (sum(&[pure(0.75, 1), pure(0.5, 1), pure(0.25, 1)]), pure(0.75, 2), None),
            (sum(&[pure(0.75, 1), pure(0.5, 2)]), pure(0.75, 2), None),
            (sum(&[pure(0.5, 1), pure(0.25, 2)]), sum(&[pure(0.5, 2), pure(0.25, 1)]), Some(Less)),
            (sum(&[line(0.5), pure(0.5, 1)]), line(0.75), None),
            (sum(&[line(0.5), pure(0.5, 1)]), sum(&[line(0.75), pure(0.5, 1)]), Some(Less)),
            (line(0.5), pure(0.5, 1), None),
        ] {
            assert_eq!(mine.partial_cmp(&other), order, "{mine} {other}");
            let other_way = order.map(|order| if order == Less { Greater } else { Equal });
            assert_eq!(other.partial_cmp(&mine), other_way, "{other} {mine}");
        }
    }
}
