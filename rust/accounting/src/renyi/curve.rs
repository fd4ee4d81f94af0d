//! The type of a curve.

use super::points::Points;
use crate::{
    composition::sum_of,
    conversions::{gaussian_to_zcdp, pure_to_renyi},
    error::{Error, Fallible, non_negative, require},
};
use indistinct_numeric::RoundedArithmetic;
use serde::{Deserialize, Serialize};
use std::{cmp::Ordering, fmt};

/// An upper bound on the Renyi divergence of every order above 1, between the outputs on any two neighbors.
///
/// A sum of parts: a line (zCDP, Gaussian noise), curves of pure privacy, and lists of points. Divergences of a composition add at every
/// order, adaptively too (Mironov 2017, Proposition 1), so that [`compose`](RenyiCurve::compose) is exact.
///
/// Curves are compared part by part: `a <= b` only if `a` is below `b` at all orders, and nothing is said about curves of
/// different make.
///
/// ```
/// use indistinct_accounting::RenyiCurve;
/// let noise = RenyiCurve::gaussian(0.5)?;
/// assert_eq!(noise.at(8.0)?, 1.0);
/// let both = noise.compose(&RenyiCurve::pure(0.1)?)?;
/// assert!(both.at(8.0)? < 1.1 && both.epsilon(1e-6)? < 2.6);
/// # Ok::<(), indistinct_accounting::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts", into = "Parts")]
pub struct RenyiCurve {
    /// The slope of the line.
    pub(super) rho: f64,
    /// The epsilons of pure parts, falling.
    pub(super) pure: Vec<f64>,
    pub(super) points: Vec<Points>,
}

/// What is stored.
#[derive(Serialize, Deserialize)]
struct Parts {
    #[serde(with = "crate::stored")]
    rho: f64,
    #[serde(with = "crate::stored")]
    pure: Vec<f64>,
    #[serde(with = "crate::stored")]
    points: Vec<Vec<(f64, f64)>>,
}

impl TryFrom<Parts> for RenyiCurve {
    type Error = Error;

    fn try_from(parts: Parts) -> Fallible<Self> {
        let Self { rho, .. } = Self::concentrated(parts.rho)?;
        let pure = parts.pure.into_iter().map(|epsilon| non_negative(epsilon, "epsilon"));
        let mut pure = pure.collect::<Fallible<Vec<f64>>>()?;
        pure.sort_by(|x, y| y.total_cmp(x));
        let points = parts.points.into_iter().map(Points::new).collect::<Fallible<_>>()?;
        Ok(Self { rho, pure, points })
    }
}

impl From<RenyiCurve> for Parts {
    fn from(curve: RenyiCurve) -> Self {
        let points = curve.points.iter().map(Points::to_vec).collect();
        Self { rho: curve.rho, pure: curve.pure, points }
    }
}

impl RenyiCurve {
    /// That of a rho-zCDP mechanism: `rho alpha` (Bun, Steinke 2016, Definition 1.1). Error: rho negative or not a number.
    pub fn concentrated(rho: f64) -> Fallible<Self> {
        Ok(Self { rho: non_negative(rho, "rho")?, pure: Vec::new(), points: Vec::new() })
    }

    /// That of Gaussian noise of standard deviation sensitivity / mu: `mu^2 alpha / 2`, rounded up. Error: mu negative or not a number.
    pub fn gaussian(mu: f64) -> Fallible<Self> {
        Self::concentrated(gaussian_to_zcdp(mu)?)
    }

    /// That of any epsilon-DP mechanism: see [`pure_to_renyi`]. Error: epsilon negative or not a number.
    pub fn pure(epsilon: f64) -> Fallible<Self> {
        let epsilon = non_negative(epsilon, "epsilon")?;
        Ok(Self { rho: 0.0, pure: vec![epsilon], points: Vec::new() })
    }

    /// Bounds at some orders, as pairs (order, bound) with rising orders above 1, infinity included. Between orders the logarithm of
    /// the moment is interpolated, which its convexity allows; above the greatest the bound is infinite.
    ///
    /// Errors: no points; orders that do not rise, are not above 1, or are finite and above 2^53; bounds that are negative or not numbers.
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
        Ok(Self { rho: 0.0, pure: Vec::new(), points: vec![Points::new(points)?] })
    }

    /// The curve of both together, exactly the sum but for the rounding of rhos.
    pub fn compose(&self, other: &Self) -> Fallible<Self> {
        let rho = sum_of([self.rho, other.rho].into_iter(), "rho")?;
        let mut pure = [self.pure.as_slice(), other.pure.as_slice()].concat();
        pure.sort_by(|x, y| y.total_cmp(x));
        Ok(Self { rho, pure, points: [self.points.as_slice(), other.points.as_slice()].concat() })
    }

    /// An upper bound on the divergence of order `alpha`. Error: alpha not above 1.
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
        for &epsilon in &self.pure {
            total = total.inf_add(pure_to_renyi(epsilon, alpha.max(1f64.next_up()))?)?;
        }
        for points in &self.points {
            total = total.inf_add(points.at(t)?)?;
        }
        Ok(total)
    }

    /// The same in plain floats.
    pub(super) fn estimate(&self, t: f64) -> f64 {
        let pure = |epsilon: f64| {
            let rest = (-(2.0 * t + 1.0) * epsilon).exp().ln_1p() - (-epsilon).exp().ln_1p();
            (epsilon + rest / t).min((1.0 + t) * epsilon * (epsilon / 2.0).tanh())
        };
        let line = if self.rho == 0.0 { 0.0 } else { (1.0 + t) * self.rho };
        let pure: f64 = self.pure.iter().copied().map(pure).sum();
        line + pure + self.points.iter().map(|points| points.estimate(t)).sum::<f64>()
    }

    /// The slope, if that is all.
    pub(crate) fn line(&self) -> Option<f64> {
        (self.pure.is_empty() && self.points.is_empty()).then_some(self.rho)
    }
}

impl PartialOrd for RenyiCurve {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let is_below = |mine: &Self, other: &Self| {
            mine.rho <= other.rho
                && mine.pure.len() == other.pure.len()
                && mine.points.len() == other.points.len()
                && mine.pure.iter().zip(&other.pure).all(|(mine, other)| mine <= other)
                && mine.points.iter().zip(&other.points).all(|(mine, other)| mine.is_below(other))
        };
        match (is_below(self, other), is_below(other, self)) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        }
    }
}

/// As a sum: `0.125 alpha + pure 1.0 + 3 points`.
impl fmt::Display for RenyiCurve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.rho > 0.0 || (self.pure.is_empty() && self.points.is_empty()) {
            parts.push(format!("{:?} alpha", self.rho));
        }
        parts.extend(self.pure.iter().map(|epsilon| format!("pure {epsilon:?}")));
        parts.extend(self.points.iter().map(|points| format!("{} points", points.orders().count())));
        f.write_str(&parts.join(" + "))
    }
}
