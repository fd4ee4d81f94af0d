//! Bounds at some orders, and what they say at the others.
//!
//! `(alpha - 1) D_alpha`, the logarithm of a moment, is convex in alpha and zero at 1; so between two orders it lies
//! below the chord through bounds at them. `D_alpha` rises with alpha: a bound at a greater order, infinity included,
//! holds at a smaller one. Above the greatest order nothing is known.

use crate::error::{Fallible, non_negative, require};
#[cfg(feature = "serde")]
use crate::stored::Stored;
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
            require(order > before, "points", "must have orders above 1, in ascending order")?;
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

    /// True if the orders are the same and no bound is above the other's.
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

#[cfg(feature = "serde")]
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

#[cfg(test)]
mod tests {
    use super::*;

    fn points(points: &[(f64, f64)]) -> Points {
        Points::new(points.to_vec()).unwrap()
    }

    const INFINITY: f64 = f64::INFINITY;

    /// By chords through exact heights: t times the bound at order 1 + t.
    #[test]
    fn bounds_between_orders() {
        let all = points(&[(2.0, 0.5), (4.0, 1.0), (INFINITY, 3.0)]);
        // Heights (1, 0.5), (3, 3); then the infinite order's.
        for (t, bound) in [(0.5, 0.5), (1.0, 0.5), (2.0, 0.875), (2.5, 0.95), (3.0, 1.0), (3.5, 3.0), (INFINITY, 3.0)] {
            let own = all.at(t).unwrap();
            assert!(own == bound || own == bound.next_up(), "{t}: {own}");
            if t < 3.0 {
                assert!((all.estimate(t) - bound).abs() < 1e-15, "{t}");
            }
        }
        // A bound at a greater order may be less; one that is infinite says nothing, nor does anything above the
        // greatest order.
        assert_eq!(points(&[(2.0, 1.0), (3.0, 0.25)]).at(0.5), Ok(0.25));
        let gap = points(&[(2.0, INFINITY), (3.0, 0.5), (4.0, 0.75)]);
        assert_eq!([0.5, 1.5, 2.0, 3.0, 3.5].map(|t| gap.at(t).unwrap()), [0.5, 0.5, 0.5, 0.75, INFINITY]);
        assert_eq!((gap.estimate(3.0), gap.estimate(3.5)), (0.75, INFINITY));
        // Nothing lost at some orders.
        let nothing = points(&[(2.0, 0.0), (4.0, 1.0), (INFINITY, 1.0)]);
        assert_eq!([0.5, 1.0, 2.0, 9.0].map(|t| nothing.at(t).unwrap()), [0.0, 0.0, 0.75, 1.0]);
        assert_eq!(points(&[(2.0, 0.5), (INFINITY, 0.0)]).at(9.0), Ok(0.0));
        assert!((nothing.estimate(2.5) - 0.9).abs() < 1e-15);
        // Rounded up: the thirds of (1, 0.25) and (4, 1) at 2.
        let third = points(&[(2.0, 0.25), (5.0, 0.25)]).at(2.0).unwrap();
        assert!((0.25..0.25 + 1e-15).contains(&third));
        let rising = points(&[(2.0, 0.1), (5.0, 0.3)]).at(2.0).unwrap();
        assert!((0.23333333333333334..0.2333333333333337).contains(&rising), "{rising}");
    }

    /// To the last bit, as fractions of which each is rounded outward say (python): in either row some step turned
    /// around shows.
    #[test]
    fn each_step_is_rounded_up() {
        for (list, t, bound) in [
            (
                [(1.640641025894136, 0.9287262059984257), (5.036963174076139, 1.78317166632622)],
                1.8479567880553416,
                1.5922543006201255,
            ),
            (
                [(1.0000009314484763, 0.8759626999622934), (4.968071056935635, 1.1692887110985999)],
                3.4089341860546196,
                1.1692886998050736,
            ),
        ] {
            assert_eq!(points(&list).at(t), Ok(bound));
        }
    }

    #[test]
    fn lists() {
        let (list, more) = (vec![(2.0, 0.5), (4.0, 1.0)], vec![(2.0, 0.5), (4.0, 1.0), (8.0, 2.0)]);
        assert_eq!(points(&list).to_vec(), list);
        assert_eq!(points(&more).orders().collect::<Vec<f64>>(), [1.0, 3.0, 7.0]);
        assert_eq!(points(&more).greater(3.0).collect::<Vec<_>>(), more.get(1..).unwrap());
        #[cfg(feature = "serde")]
        assert_eq!(Points::read(points(&list).text()), Some(points(&list)));
        let is_below = |mine: &[(f64, f64)], other: &[(f64, f64)]| points(mine).is_below(&points(other));
        assert!(is_below(&list, &list) && is_below(&list, &[(2.0, 0.5), (4.0, 1.5)]));
        assert!(!is_below(&list, &more) && !is_below(&more, &list));
        assert!(!is_below(&list, &[(2.0, 0.25), (4.0, 1.0)]) && !is_below(&list, &[(2.0, 0.5), (5.0, 1.0)]));
    }
}
