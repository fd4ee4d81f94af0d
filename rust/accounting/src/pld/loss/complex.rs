//! Complex numbers known to within little: in floats with a radius, or with more digits as two balls. What is needed in
//! either is written once, over [`Complex`].

use crate::pld::loss::angle::on_circle;
use indistinct_numeric::{
    Above,
    enclosure::{Ball, ComplexBall, Enclosure, circle_point, midpoint, one_over_two_pi},
};

/// The operations of both.
pub(crate) trait Complex: Copy {
    fn zero() -> Self;
    fn one() -> Self;
    fn real(re: &Ball) -> Self;
    fn of(re: &Ball, im: &Ball) -> Self;
    /// The unit circle's point at an angle in turns.
    fn on_circle(turns: &Ball) -> Self;
    fn add(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
    fn neg(&self) -> Self;
    /// Everything where zero may be within.
    fn inverse(&self) -> Self;
    /// Times a number over another, both whole.
    fn times_ratio(&self, above: u32, below: u32) -> Self;
    /// With all that is no further than so much from any of it.
    fn widen(&self, radius: f64) -> Self;

    fn one_plus(&self) -> Self {
        Self::one().add(self)
    }
}

impl Complex for ComplexBall {
    fn zero() -> Self {
        Self::new(0.0, 0.0, 0.0)
    }

    fn one() -> Self {
        Self::ONE
    }

    fn real(re: &Ball) -> Self {
        Self::real(midpoint(re))
    }

    fn of(re: &Ball, im: &Ball) -> Self {
        let ((re, off_re), (im, off_im)) = (midpoint(re), midpoint(im));
        Self::new(re, im, off_re + off_im)
    }

    fn on_circle(turns: &Ball) -> Self {
        on_circle(turns)
    }

    fn add(&self, other: &Self) -> Self {
        self.add(other)
    }

    fn mul(&self, other: &Self) -> Self {
        self.mul(other)
    }

    fn neg(&self) -> Self {
        self.neg()
    }

    fn inverse(&self) -> Self {
        self.inverse()
    }

    /// Up to 2^32 a quotient of floats rounds once.
    fn times_ratio(&self, above: u32, below: u32) -> Self {
        self.scale(f64::from(above) / f64::from(below))
    }

    fn widen(&self, radius: f64) -> Self {
        self.add(&Self::new(0.0, 0.0, radius))
    }
}

/// A complex number, in arithmetic of some thirty digits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PreciseComplex {
    pub(crate) re: Ball,
    pub(crate) im: Ball,
}

impl PreciseComplex {
    pub(crate) fn conjugate(&self) -> Self {
        Self { re: self.re, im: Ball::exact(0.0).sub(&self.im) }
    }

    pub(crate) fn scale(&self, factor: &Ball) -> Self {
        Self { re: self.re.mul(factor), im: self.im.mul(factor) }
    }
}

impl Complex for PreciseComplex {
    fn zero() -> Self {
        Self::real(&Ball::exact(0.0))
    }

    fn one() -> Self {
        Self::real(&Ball::exact(1.0))
    }

    fn real(re: &Ball) -> Self {
        Self::of(re, &Ball::exact(0.0))
    }

    fn of(re: &Ball, im: &Ball) -> Self {
        Self { re: *re, im: *im }
    }

    /// From that of a float near, turned by the rest x, in radians: `|cos x - 1| <= x^2/2`, `|sin x - x| <= |x|^3/6`.
    fn on_circle(turns: &Ball) -> Self {
        let near = midpoint(turns).0;
        let (cosine, sine) = circle_point(near);
        let rest = turns.sub(&Ball::exact(near)).div(&one_over_two_pi());
        let square = Above::of(&rest.mul(&rest));
        let about = |x: &Ball, off: Above| x.add(&Ball::between(-off.get(), off.get()));
        let size = square.sqrt();
        let turned = Self { re: about(&Ball::exact(1.0), square * 0.5), im: about(&rest, square * size / 6.0) };
        Self { re: cosine, im: sine }.mul(&turned)
    }

    fn add(&self, other: &Self) -> Self {
        Self { re: self.re.add(&other.re), im: self.im.add(&other.im) }
    }

    fn mul(&self, other: &Self) -> Self {
        Self {
            re: self.re.mul(&other.re).sub(&self.im.mul(&other.im)),
            im: self.re.mul(&other.im).add(&self.im.mul(&other.re)),
        }
    }

    fn neg(&self) -> Self {
        let zero = Ball::exact(0.0);
        Self { re: zero.sub(&self.re), im: zero.sub(&self.im) }
    }

    fn inverse(&self) -> Self {
        let norm = self.re.mul(&self.re).add(&self.im.mul(&self.im));
        self.conjugate().scale(&Ball::exact(1.0).div(&norm))
    }

    fn times_ratio(&self, above: u32, below: u32) -> Self {
        self.scale(&Ball::exact(f64::from(above)).div(&Ball::exact(f64::from(below))))
    }

    fn widen(&self, radius: f64) -> Self {
        let off = Ball::between(-radius, radius);
        Self { re: self.re.add(&off), im: self.im.add(&off) }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use rug::{Float, float::Constant};

    /// A number of 300 bits, from its size and an angle in turns.
    pub(crate) fn at(size: &Float, turns: &Float) -> (Float, Float) {
        let angle = Float::with_val(300, Constant::Pi) * 2u32 * turns;
        let (sine, cosine) = angle.sin_cos(Float::new(300));
        (cosine * size, sine * size)
    }

    /// Asserts that a number of 300 bits is within; how far any within may be from any other.
    pub(crate) fn width_around(found: &PreciseComplex, (re, im): &(Float, Float)) -> f64 {
        let part = |ball: &Ball, truth: &Float| {
            let near = midpoint(ball).0;
            let rest = ball.sub(&Ball::exact(near));
            let truth = (truth.clone() - near).to_f64();
            assert!(rest.lower() <= truth && truth <= rest.upper(), "{truth:e} {rest:?}");
            rest.upper() - rest.lower()
        };
        part(&found.re, re).hypot(part(&found.im, im))
    }

    /// Points of the circle at angles that no float holds, quotients, sums and inverses.
    #[test]
    fn contains_the_truth_closely() {
        let float = |x: f64| Float::with_val(300, x);
        for turns in [0.0, 0.1, -0.37, 0.25, 3.9, -12.5, 1e5 + 0.3, 1e-30] {
            for rest in [0.0, 1e-17, -1e-21] {
                let found = PreciseComplex::on_circle(&Ball::exact(turns).add(&Ball::exact(rest)));
                let (re, im) = at(&float(1.0), &(float(turns) + rest));
                let third = (re.clone() / 3u32 + 1u32, im.clone() / 3u32);
                let inverse = (re.clone() / 4u32, -im.clone() / 4u32);
                let widths = [
                    width_around(&found, &(re, im)),
                    width_around(&found.times_ratio(1, 3).one_plus(), &third),
                    width_around(&found.scale(&Ball::exact(4.0)).inverse(), &inverse),
                ];
                // Of many turns a float is not so near.
                let most = 1e-28 * f64::max(1.0, turns * turns);
                assert!(widths.iter().all(|width| *width < most), "{turns} {rest}: {widths:?}");
            }
        }
        // An angle that is known less well; a wider number.
        let found = PreciseComplex::on_circle(&Ball::between(0.1, 0.1 + 1e-9));
        for turns in [0.1, 0.1 + 1e-9] {
            assert!(width_around(&found, &at(&float(1.0), &float(turns))) < 2e-8);
        }
        let wide = found.widen(1e-3);
        assert!(wide.im.lower() < found.im.lower() - 9e-4 && wide.re.upper() > found.re.upper() + 9e-4);
    }
}
