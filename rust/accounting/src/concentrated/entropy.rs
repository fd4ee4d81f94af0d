//! The cost of an order of divergence when it is converted, and the order at which the bound is best.

use indistinct_numeric::enclosure::Enclosure;

/// `h(t) = ln(1 + t) + t ln(1 + 1/t)` for a positive, finite t: minus the logarithm of
/// `(1 - 1/alpha)^alpha / (alpha - 1)` at `alpha = 1 + t`.
pub(crate) fn entropy<E: Enclosure>(t: f64) -> E {
    let (one, order) = (E::exact(1.0), E::exact(t));
    let logarithm = one.add(&order).ln();
    if t < 1_048_576.0 {
        return logarithm.add(&order.mul(&logarithm.sub(&order.ln())));
    }
    // t ln(1 + 1/t) = 1 - y/2 + y^2/3 - y^3/4 + ... with y = 1/t <= 2^-20, alternating and falling.
    let y = one.div(&order);
    // What comes after is a share, between none and all, of y^4/5.
    let mut series = E::between(0.0, 0.2);
    for coefficient in [4.0, 3.0, 2.0, 1.0] {
        series = one.div(&E::exact(coefficient)).sub(&y.mul(&series));
    }
    logarithm.add(&series)
}

/// The root of an increasing function of `s = ln t`, by Newton's steps, or by bisection where these leave what is known
/// to bracket it. In plain floats, which need not be right, only close.
///
/// `function` gives the value, the slope (in s), and how far in s the slope holds, at t.
pub(super) fn root(start: f64, function: impl Fn(f64) -> (f64, f64, f64)) -> f64 {
    let (mut low, mut high) = (1e-300, 1e300);
    let mut t = start.clamp(low, high);
    for _ in 0..200 {
        let (value, slope, scale) = function(t);
        if value > 0.0 {
            high = t;
        } else {
            low = t;
        }
        let step = (value / slope).clamp(-3.0, 3.0);
        // To third order e^-step, which is all that a step this short needs.
        let factor = if step.abs() < 0.01 { 1.0 - step * (1.0 - step / 2.0) } else { (-step).exp() };
        let next = t * factor;
        // The next step would be about the square of this one.
        if step.abs() < 1e-6 * scale {
            return next.clamp(1e-300, 1e300);
        }
        t = if next > low && next < high { next } else { low.sqrt() * high.sqrt() };
        if high <= low * (1.0 + 1e-14) {
            break;
        }
    }
    t
}
