//! The midpoint and radius of a ball, for simpler arithmetic.

use super::{arithmetic::Enclosure, ball::Ball, bound::Above};

/// Returns the middle of an enclosure, and a bound on the distance to its ends.
///
/// The bound is not half of the distance between the ends: the middle of two adjacent floats is one of them.
pub fn midpoint(ball: &Ball) -> (f64, f64) {
    let (lower, upper) = (ball.lower(), ball.upper());
    (lower + (upper - lower) / 2.0, (Above::exact(upper) - lower).get())
}

/// Returns the exponential, or a tiny number if it is below the range of balls.
pub fn exp_or_tiny(x: &Ball) -> Ball {
    if x.upper() < -690.0 { Ball::between(0.0, 1e-299) } else { x.exp() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of numbers whose enclosures are a few floats wide, of either parity.
    #[test]
    fn the_middle_tells_how_far_the_ends_are() {
        for k in 1..2000 {
            let ball = Ball::exact(f64::from(k)).div(&Ball::exact(1999.0));
            for ball in [ball.ln(), ball.exp(), ball] {
                let (middle, error) = midpoint(&ball);
                // Differences of floats so near are exact.
                assert!(middle - ball.lower() <= error && ball.upper() - middle <= error, "{k}");
            }
        }
    }
}
