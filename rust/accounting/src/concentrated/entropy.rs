//! What an order of divergence costs when it is converted.

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
