//! Bounds at some orders, and what they say at the others.
//!
//! `(alpha - 1) D_alpha`, the logarithm of a moment, is convex in alpha and zero at 1; so between two orders it lies below the chord through
//! bounds at them. `D_alpha` rises with alpha: a bound at a greater order, infinity included, holds at a smaller one. Above
//! the greatest order nothing is known.

use crate::{
    error::{Fallible, non_negative, require},
    stored::Stored,
};
use indistinct_numeric::RoundedArithmetic;

/// Orders above 1, rising, each with a bound on the divergence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Points(Vec<(f64, f64)>);

impl Points {
    pub(super) fn new(points: Vec<(f64, f64)>) -> Fallible<Self> {
        require(!points.is_empty(), "points", "must not be empty")?;
        let mut before = 1.0;
        let mut checked = Vec::with_capacity(points.len());
        for (order, bound) in points {
            require(order > before, "points", "must have rising orders, all above 1")?;
            // Beyond, an order less 1 is not a float.
            let exact = order <= 9_007_199_254_740_992.0 || order == f64::INFINITY;
            require(exact, "points", "must have orders up to 2^53, or infinity")?;
            checked.push((order, non_negative(bound, "points")?));
            before = order;
        }
        Ok(Self(checked))
    }

    /// An upper bound on the divergence of order `1 + t`.
    pub(super) fn at(&self, t: f64) -> Fallible<f64> {
        let mut before = (0.0, 0.0);
        let mut least = self.greater(t).fold(f64::INFINITY, |least, (_, bound)| least.min(bound));
        for &(order, bound) in &self.0 {
            // Exact: the difference of a float from 1 to 2^53 and 1.
            let at = order - 1.0;
            if at >= t {
                if at < f64::INFINITY && bound < f64::INFINITY {
                    least = least.min(chord(before, (at, at.inf_mul(bound)?), t)?);
                }
                break;
            }
            before = (at, at.inf_mul(bound)?);
        }
        Ok(least)
    }

    /// The same in plain floats, in logarithmic time (of bounds that rise with the order).
    pub(super) fn estimate(&self, t: f64) -> f64 {
        let index = self.0.partition_point(|point| point.0 - 1.0 < t);
        let Some(&(order, bound)) = self.0.get(index) else { return f64::INFINITY };
        let before = index.checked_sub(1).and_then(|index| self.0.get(index));
        let (t0, height0) = before.map_or((0.0, 0.0), |&(order, bound)| (order - 1.0, (order - 1.0) * bound));
        let t1 = order - 1.0;
        let chord = (height0 + (t1 * bound - height0) * ((t - t0) / (t1 - t0))) / t;
        bound.min(chord)
    }

    pub(super) fn to_vec(&self) -> Vec<(f64, f64)> {
        self.0.clone()
    }

    /// The orders less one.
    pub(super) fn orders(&self) -> impl Iterator<Item = f64> {
        self.0.iter().map(|point| point.0 - 1.0)
    }

    fn greater(&self, t: f64) -> impl Iterator<Item = (f64, f64)> {
        self.0.iter().copied().filter(move |point| point.0 - 1.0 >= t)
    }

    /// Whether the orders are the same and no bound is above the other's.
    pub(super) fn is_below(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self.0.iter().zip(&other.0).all(|(mine, other)| mine.0 == other.0 && mine.1 <= other.1)
    }
}

/// The height at t of the line through two points, divided by t, rounded up.
fn chord((t0, height0): (f64, f64), (t1, height1): (f64, f64), t: f64) -> Fallible<f64> {
    // Weights rounded up: heights are not negative.
    let width = t1.neg_inf_sub(t0)?;
    let (left, right) = (t1.inf_sub(t)?.inf_div(width)?, t.inf_sub(t0)?.inf_div(width)?);
    let mut height = if right > 0.0 { height1.inf_mul(right)? } else { 0.0 };
    if left > 0.0 && height0 > 0.0 {
        height = height.inf_add(height0.inf_mul(left)?)?;
    }
    Ok(height.inf_div(t)?)
}

impl Stored for Points {
    type Text = Vec<(String, String)>;

    fn text(&self) -> Self::Text {
        self.0.text()
    }

    /// Not checked yet.
    fn read(text: Self::Text) -> Option<Self> {
        Vec::read(text).map(Self)
    }
}
