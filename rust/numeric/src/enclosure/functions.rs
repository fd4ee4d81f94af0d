//! Balls as enclosures: their arithmetic, and the functions built on it.

use super::{Ball, Enclosure, exp, ln, mills};

/// `Ball`'s own methods take precedence over those of the trait.
impl Enclosure for Ball {
    #[inline]
    fn exact(x: f64) -> Self {
        Ball::exact(x)
    }

    #[inline]
    fn between(lower: f64, upper: f64) -> Self {
        Ball::between(lower, upper)
    }

    #[inline]
    fn add(&self, other: &Self) -> Self {
        Ball::add(self, other)
    }

    #[inline]
    fn sub(&self, other: &Self) -> Self {
        Ball::sub(self, other)
    }

    #[inline]
    fn mul(&self, other: &Self) -> Self {
        Ball::mul(self, other)
    }

    #[inline]
    fn div(&self, other: &Self) -> Self {
        Ball::div(self, other)
    }

    fn exp(&self) -> Self {
        exp::exp(self)
    }

    fn exp_m1(&self) -> Self {
        exp::exp_m1(self)
    }

    fn ln(&self) -> Self {
        ln::ln(self)
    }

    fn ln_1p(&self) -> Self {
        ln::ln_1p(self)
    }

    fn mills(&self) -> Self {
        mills::mills(self)
    }

    fn inverse_root_two_pi() -> Self {
        mills::inverse_root_two_pi()
    }

    fn lower(&self) -> f64 {
        Ball::lower(self)
    }

    fn upper(&self) -> f64 {
        Ball::upper(self)
    }
}
