//! The transform of a loss with an exponential density, in closed form.

use crate::pld::{
    loss::exponential::Exponential,
    transform::{
        atoms::less_one,
        lanes::{SLACK, TINY},
        nodes::{Nodes, Values},
    },
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, ComplexBall, Enclosure, UNIT_ROUNDOFF, exp_or_tiny, midpoint},
};
use std::f64::consts::TAU;

/// The weights of both ends at a tilt c.
pub(crate) struct Ends {
    /// The logarithm of `M(c)`.
    pub(crate) log_normalizer: Ball,
    /// `e^(c r)` and `e^(-(c + 1) r)`, over `M(c)`.
    pub(crate) high: f64,
    pub(crate) low: f64,
    /// a, 2 f, and `d = 2 c + 1`.
    pub(crate) atom: f64,
    pub(crate) twice: f64,
    double: f64,
    /// Bounds on `(high + low) (a + 2 f/d)`, and on its part with f.
    pub(crate) size: Above,
    share: Above,
    /// And on what it is off by, if the floats above are.
    pub(crate) error: Above,
}

impl Exponential {
    pub(crate) fn ends(&self, tilt: f64) -> Ends {
        let (radius, exact) = (self.radius(), Ball::exact);
        let tilted = exact(tilt);
        let log_normalizer = tilted.mul(&radius).add(&self.tilted(tilt).whole.ln());
        let (high, high_error) = midpoint(&exp_or_tiny(&tilted.mul(&radius).sub(&log_normalizer)));
        let low = exact(0.0).sub(&tilted.add(&exact(1.0)).mul(&radius)).sub(&log_normalizer);
        let (low, low_error) = midpoint(&exp_or_tiny(&low));
        let atom = if self.atoms().is_some() { 0.5 } else { 0.0 };
        let (twice, twice_error) = midpoint(&self.factor().mul(&exact(2.0)));
        let double = 2.0 * tilt + 1.0;
        let least = Below::exact(double) * (1.0 - 4.0 * f64::EPSILON);
        let (most, share) = (Above::exact(high) + low, Above::exact(twice) / least);
        let error =
            (Above::exact(high_error) + low_error) * (share + atom) + most * (Above::exact(twice_error) / least);
        Ends { log_normalizer, high, low, atom, twice, double, size: most * (share + atom), share: most * share, error }
    }

    /// `E[e^(z L)] = a e^(z r) + a e^(-(z + 1) r) + 2 f (e^(z r) - e^(-(z + 1) r)) / (2 z + 1)`, a = 1/2 for Laplace,
    /// with the factor f.
    pub(crate) fn values(&self, nodes: &Nodes) -> Values {
        self.values_at((nodes.tilt, nodes.period), 0..nodes.count)
    }

    /// The same at points by their numbers.
    ///
    /// With both exponentials at the tilt over `M(c)`, h and l, `x + i y = e^(i t r) - 1`, `d = 2 c + 1`, `g = 2 t` and
    /// `q = 1/(d + i g)`, what is lost by turning is
    /// `a ((h + l) x + i (h - l) y) + 2 f q ((h - l) x + i ((h + l) y - (h - l) g/d))`, which is small where t is.
    /// In floats x and y are good to 20 units, q and g/d to 12, and fewer than a dozen operations follow: together it
    /// is off by less than 64 units of `(h + l) (a + 2 f/d) |x + i y| + (h - l) 2 f/d min(1, g/d)`.
    pub(crate) fn values_at(&self, (tilt, period): (f64, f64), numbers: impl Iterator<Item = u32>) -> Values {
        let Ends { log_normalizer, high, low, atom, twice, double, size, share, error: by_ends } = self.ends(tilt);
        let (loss, error) = midpoint(&self.radius());
        let (both, apart) = (high + low, high - low);
        // What is off by each turn of 1 and by each g/d of 1, and in addition by each turn that an angle is off by; 6.3
        // is above 2 pi.
        let turned = (size * (64.0 * UNIT_ROUNDOFF) + by_ends).get();
        let pulled = (share * (64.0 * UNIT_ROUNDOFF) + by_ends).get();
        let shaken = (size * 6.3).get();
        let step = loss / period;
        let disk = |n: f64| {
            let angle = n * step;
            let off = n * error / period + 3.0 * UNIT_ROUNDOFF * angle;
            let (x, y) = less_one(angle);
            let frequency = 2.0 * TAU * n / period;
            let (size, pull) = (double * double + frequency * frequency, frequency / double);
            let (re, im) = (double / size, -frequency / size);
            let (along, across) = (twice * (apart * x), twice * (both * y - apart * pull));
            let smooth = (along * re - across * im, along * im + across * re);
            let radius = turned * (6.3 * angle).min(2.0) + pulled * pull.min(1.0) + shaken * off;
            let is_known = angle < 2f64.powi(49) && (1e-200..1e200).contains(&size) && radius.is_finite();
            let radius = if is_known { radius * SLACK + TINY } else { f64::INFINITY };
            ComplexBall::new(atom * (both * x) + smooth.0, atom * (apart * y) + smooth.1, radius)
        };
        Values { log_normalizer, center: 0.0, less_one: numbers.map(|n| disk(f64::from(n))).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::{Float, float::Constant};

    type Complex = (Float, Float);

    fn real(x: f64) -> Float {
        Float::with_val(300, x)
    }

    fn times(x: &Complex, y: &Complex) -> Complex {
        (
            Float::with_val(300, &x.0 * &y.0) - Float::with_val(300, &x.1 * &y.1),
            Float::with_val(300, &x.0 * &y.1) + Float::with_val(300, &x.1 * &y.0),
        )
    }

    /// `M(z)` at `z = c + 2 pi i n/period`.
    fn truth(law: &Exponential, (tilt, period): (f64, f64), n: u32) -> Complex {
        let (radius, factor, atom) = match law {
            Exponential::Laplace { scale } => (real(1.0) / scale, real(0.25), 0.5),
            Exponential::BoundedRange { eta } => (real(*eta), real(-0.5) / Float::with_val(300, -eta).exp_m1(), 0.0),
        };
        let t = Float::with_val(300, Constant::Pi) * 2u32 * n / period;
        let (sine, cosine) = Float::with_val(300, &t * &radius).sin_cos(real(0.0));
        let ahead = Float::with_val(300, &radius * tilt).exp();
        let behind = (-Float::with_val(300, &radius * Float::with_val(300, tilt + real(1.0)))).exp();
        let at = |sign: f64, by: f64| {
            let (h, l) = (Float::with_val(300, &ahead), Float::with_val(300, &behind * sign));
            ((Float::with_val(300, &h + &l) * &cosine) * by, (Float::with_val(300, &h - &l) * &sine) * by)
        };
        let double = real(tilt) * 2u32 + 1u32;
        let t = t * 2u32;
        let size = Float::with_val(300, &double * &double) + Float::with_val(300, &t * &t);
        let inverse = (Float::with_val(300, &double / &size), -Float::with_val(300, &t / &size));
        let smooth = times(&at(-1.0, 1.0), &inverse);
        let (both, twice) = (at(1.0, atom), factor * 2u32);
        (both.0 + smooth.0 * &twice, both.1 + smooth.1 * &twice)
    }

    /// How far from the truth, over the value at the base point, a value is, and what it says.
    fn off(law: &Exponential, (line, n): ((f64, f64), u32)) -> (f64, f64) {
        let found = law.values_at(line, std::iter::once(n));
        let less_one = found.less_one[0];
        let (value, base) = (truth(law, line, n), truth(law, line, 0).0);
        let re = Float::with_val(300, &value.0 / &base) - 1u32 - less_one.re;
        let im = Float::with_val(300, &value.1 / &base) - less_one.im;
        assert!(found.log_normalizer.lower() <= base.clone().ln() && found.log_normalizer.upper() >= base.ln());
        (re.hypot(&im).to_f64(), less_one.radius)
    }

    /// Near, where little is lost, and far out; a seventieth of the radius would be too small for some.
    #[test]
    fn values_are_as_near_the_truth_as_they_say() {
        let mut most = 0f64;
        for law in [
            Exponential::Laplace { scale: 30.0 },
            Exponential::Laplace { scale: 0.7 },
            Exponential::Laplace { scale: 1e4 },
            Exponential::BoundedRange { eta: 1e-3 },
            Exponential::BoundedRange { eta: 2.5 },
        ] {
            for tilt in [0.3, 12.5, 900.0] {
                let radius = law.radius().upper();
                for period in [2.2 * radius, 40.0 * radius + 0.1, 3000.0 * radius] {
                    for n in [0, 1, 2, 7, 19, 333, 65_537, 1_000_003, 999_999_937] {
                        let (off, radius) = off(&law, ((tilt, period), n));
                        assert!(off <= radius, "{law:?} {tilt} {period} {n}: {off:e} {radius:e}");
                        most = most.max(off / radius);
                    }
                }
            }
        }
        assert!(most > 1.0 / 70.0, "{most}");
    }
}
