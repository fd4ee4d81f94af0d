//! Logarithms of factorials.

use indistinct_numeric::enclosure::Enclosure;

/// Coefficients of Stirling's series after the first terms: `B(2j) / (2j (2j - 1))`, as fractions.
const COEFFICIENTS: [(f64, f64); 7] =
    [(1.0, 12.0), (-1.0, 360.0), (1.0, 1260.0), (-1.0, 1680.0), (1.0, 1188.0), (-691.0, 360_360.0), (1.0, 156.0)];

/// `ln(n!)`.
///
/// Below 32 by the product. From there on `(n + 1/2) ln n - n + ln sqrt(2 pi) + 1/(12 n) - 1/(360 n^3) + ...`, whose
/// partial sums lie on either side of the value by turns: what comes after seven terms is a share, between none and
/// all, of the eighth, `-3617/(122400 n^15) > -0.03 n^-15 > -2^-80`.
pub(crate) fn ln_factorial<E: Enclosure>(n: u32) -> E {
    if n < 32 {
        return (2..=n).fold(E::exact(1.0), |product, i| product.mul(&E::exact(f64::from(i)))).ln();
    }
    let x = E::exact(f64::from(n));
    let inverse = E::exact(1.0).div(&x);
    let square = inverse.mul(&inverse);
    let series = COEFFICIENTS.iter().rev().fold(E::between(-0.03, 0.0), |sum, &(above, below)| {
        E::exact(above).div(&E::exact(below)).add(&square.mul(&sum))
    });
    let leading = E::exact(f64::from(n) + 0.5).mul(&x.ln()).sub(&x);
    leading.sub(&E::inverse_root_two_pi().ln()).add(&series.mul(&inverse))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use indistinct_numeric::enclosure::{Ball, Interval};
    use rug::Float;

    #[test]
    fn encloses_the_gamma_function() {
        for n in (0..70).chain([100, 1000, 12345, 1 << 20, 10_000_000, u32::MAX]) {
            let truth = Float::with_val(300, n).ln_gamma() + Float::with_val(300, n.max(1)).ln();
            let truth = if n == 0 { Float::with_val(300, 0) } else { truth };
            let ball = ln_factorial::<Ball>(n);
            assert!(ball.lower() <= truth && truth <= ball.upper(), "{n}: {ball:?} {truth}");
            assert!(ball.upper() - ball.lower() <= truth.to_f64() * 1e-15 + 1e-30, "{n}");
            // To 2^-80, which floats do not show: subtract the truth first.
            let high = truth.to_f64();
            let rest = Float::with_val(300, &truth - high).to_f64();
            for (low, up) in [
                (
                    ball.sub(&Ball::exact(high)).sub(&Ball::exact(rest)).lower(),
                    ball.sub(&Ball::exact(high)).sub(&Ball::exact(rest)).upper(),
                ),
                {
                    let wide = ln_factorial::<Interval<192>>(n).sub(&Interval::exact(high)).sub(&Interval::exact(rest));
                    (wide.lower(), wide.upper())
                },
            ] {
                assert!(
                    low <= 1e-32 * high && up >= -1e-32 * high && up - low < 2f64.powi(-74) * high.max(1.0),
                    "{n}: {low:e} {up:e}"
                );
            }
        }
    }
}
