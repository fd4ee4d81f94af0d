//! The Mills ratio of a ball: Taylor series about 257 nodes up to 16, and the alternating asymptotic series beyond.

use super::Ball;
use rug::{Float, float::Constant};
use std::sync::LazyLock;

/// The precision of nodes in bits. Rounding errors from node to node and in the recurrence are far below a ball's
/// radius.
const BITS: u32 = 400;
/// The number of terms of a series that are balls.
const BALLS: usize = 8;
/// The number of further terms that are floats.
const FLOATS: usize = 8;
/// The number of terms of a series from node to node.
const TERMS: u32 = 64;
/// The number of nodes, which are 1/16 apart, up to 16.
const NODES: u32 = 257;

struct Node {
    balls: [Ball; BALLS],
    floats: [f64; FLOATS],
}

static TABLE: LazyLock<Vec<Node>> = LazyLock::new(table);

static INVERSE_ROOT_TWO_PI: LazyLock<Ball> =
    LazyLock::new(|| Ball::from_mpfr(&(Float::with_val(BITS, Constant::Pi) * 2u32).recip_sqrt()));

/// Computes the nodes from 16 downwards, where an error shrinks: each by the series of the previous node, which omits
/// less than `2^-390`.
fn table() -> Vec<Node> {
    let mut value = mpfr_mills(&Float::with_val(BITS, (NODES - 1) / 16));
    let mut nodes = Vec::new();
    for i in (0..NODES).rev() {
        let coefficients = coefficients(&(Float::with_val(BITS, i) / 16u32), &value);
        nodes.push(node(&coefficients));
        value = Float::new(BITS);
        for coefficient in coefficients.iter().rev() {
            value /= -16i32;
            value += coefficient;
        }
    }
    nodes.reverse();
    nodes
}

/// Returns the Taylor coefficients at `x`: with `R' = x R - 1`, `(n + 1) c[n+1] = x c[n] + c[n-1]` from n = 1 on.
fn coefficients(x: &Float, value: &Float) -> Vec<Float> {
    let slope = Float::with_val(BITS, x * value) - 1u32;
    let mut coefficients = vec![value.clone(), slope];
    for n in 2..TERMS {
        let next = match coefficients.as_slice() {
            [.., before, last] => (Float::with_val(BITS, x * last) + before) / n,
            _ => Float::new(BITS),
        };
        coefficients.push(next);
    }
    coefficients
}

fn node(coefficients: &[Float]) -> Node {
    let none = Float::new(BITS);
    let mut coefficients = coefficients.iter().chain(std::iter::repeat(&none));
    let mut next = || coefficients.next().unwrap_or(&none);
    Node { balls: std::array::from_fn(|_| Ball::from_mpfr(next())), floats: std::array::from_fn(|_| next().to_f64()) }
}

/// Returns the ratio with nearly as many bits as `x` has, for x up to 2^14.
pub(super) fn mpfr_mills(x: &Float) -> Float {
    let bits = x.prec();
    let root_half = Float::with_val(bits, 0.5).sqrt();
    let tail = Float::with_val(bits, x * &root_half).erfc();
    let growth = (Float::with_val(bits, x.square_ref()) / 2u32).exp();
    let root_half_pi = Float::with_val(bits, Float::with_val(bits, Constant::Pi) / 2u32).sqrt();
    root_half_pi * growth * tail
}

pub(super) fn inverse_root_two_pi() -> Ball {
    *INVERSE_ROOT_TWO_PI
}

/// Returns the Mills ratio, for a center above -2^-12 and a radius below 2^-12. The result contains everything for
/// other balls.
pub(super) fn mills(x: &Ball) -> Ball {
    let center = x.center();
    if !(center > -2f64.powi(-12) && x.radius() < 2f64.powi(-12)) {
        return Ball::EVERYTHING;
    }
    if center <= 16.0 { taylor(x) } else { asymptotic(x) }
}

/// Evaluates the series about the nearest node, `|h| <= 2^-5 + 2^-12`, by Horner's rule.
///
/// The coefficients' sizes are `c_n(x) = (1/n!) int s^n e^(-x s - s^2/2) ds`, which decrease in x. Below zero, x is at
/// least -2^-11, where they are at most 1.01 times those at zero. So the remainder, `c_16 h^16`, is below 1.4e-7 *
/// 2^-79.8 < 2^-102. The floats' tail `c_8 + c_9 h + ...` has an error of at most 2^-59 (`c_8 < 2^-8`, and each rounded
/// operation has an error of 2^-53 of its result), and a derivative below 2^-7.
fn taylor(x: &Ball) -> Ball {
    let shifted = x.center() + 6_755_399_441_055_744.0 / 16.0;
    let nearest = shifted - 6_755_399_441_055_744.0 / 16.0;
    let index = usize::try_from(shifted.to_bits() & 0xffff).ok();
    let Some(node) = index.and_then(|index| TABLE.get(index)) else {
        return Ball::EVERYTHING;
    };
    let h = x.sub(&Ball::new(nearest, 0.0));
    let offset = h.center();
    let tail = node.floats.iter().rev().fold(0.0, |sum, coefficient| sum * offset + coefficient);
    let tail = Ball::new(tail, 2f64.powi(-58) + h.radius() * 2f64.powi(-6));
    let value = node.balls.iter().rev().fold(tail, |sum, coefficient| h.mul(&sum).add(coefficient));
    value.widen(2f64.powi(-102))
}

/// The series is `1/x (1 - y (1 - 3 y (1 - 5 y ...)))` with `y = 1/x^2 <= 2^-8`. Partial sums alternate around the
/// ratio, so the series cut off after `n` terms has an error below the next term, `(2n - 1)!! y^n`; for n = 24 this is
/// below 2^-92.
///
/// The floats' part, from the ninth factor on, has an error below 2^-50, which is multiplied by `15!! y^8 < 2^-43`.
fn asymptotic(x: &Ball) -> Ball {
    let one = Ball::new(1.0, 0.0);
    let inverse = one.div(x);
    let y = inverse.mul(&inverse);
    let center = y.center();
    let deep = [47.0, 45.0, 43.0, 41.0, 39.0, 37.0, 35.0, 33.0, 31.0, 29.0, 27.0, 25.0, 23.0, 21.0, 19.0, 17.0];
    // Twenty-four terms: the innermost factor is omitted, and its term included in the error below.
    let tail = deep.iter().skip(1).fold(1.0, |series, factor| 1.0 - factor * center * series);
    let tail = Ball::new(tail, 2f64.powi(-50) + y.radius() * 64.0);
    let shallow = [15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0];
    let series = shallow.iter().fold(tail, |series, &factor| one.sub(&y.mul(&series).mul(&Ball::new(factor, 0.0))));
    inverse.mul(&series.widen(2f64.powi(-92)))
}

/// Returns the Mills ratio in plain floats, for `x >= 0`: accurate to some 15 digits, without a guarantee. Use it only
/// to find the argument at which to evaluate a bound.
///
/// ```
/// let ratio = indistinct_numeric::enclosure::mills_estimate(0.0);
/// assert!((ratio - 1.2533141373155).abs() < 1e-12);
/// ```
pub fn mills_estimate(x: f64) -> f64 {
    if x > 16.0 {
        let y = 1.0 / (x * x);
        let factors = [23.0, 21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0];
        return factors.iter().fold(1.0, |series, factor| 1.0 - factor * y * series) / x;
    }
    let shifted = x + 6_755_399_441_055_744.0 / 16.0;
    let offset = x - (shifted - 6_755_399_441_055_744.0 / 16.0);
    let index = usize::try_from(shifted.to_bits() & 0xffff).ok();
    index.and_then(|index| TABLE.get(index)).map_or(f64::NAN, |node| {
        let tail = node.floats.iter().rev().fold(0.0, |sum, coefficient| sum * offset + coefficient);
        node.balls.iter().rev().fold(tail, |sum, coefficient| sum * offset + coefficient.center())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes down from node to node is what the error function says at each, to 300 bits and more.
    #[test]
    fn nodes_are_as_each_by_itself() {
        for (i, node) in (0u32..).zip(TABLE.iter()).step_by(5) {
            let truth = mpfr_mills(&(Float::with_val(BITS, i) / 16u32));
            let [first, ..] = &node.balls;
            let high = Float::with_val(BITS, &truth - first.center());
            assert!(first.upper() >= truth && first.lower() <= truth && first.radius() < 1e-29, "{i} {high}");
        }
        let mut value = mpfr_mills(&Float::with_val(BITS, 16u32));
        for i in (1u32..257).rev() {
            let terms = coefficients(&(Float::with_val(BITS, i) / 16u32), &value);
            value = terms.iter().rev().fold(Float::new(BITS), |sum, term| sum / -16i32 + term);
        }
        let off = Float::with_val(BITS, Constant::Pi) / 2u32;
        assert!((value - off.sqrt()).abs() < Float::with_val(BITS, Float::i_exp(1, -380)));
    }
}
