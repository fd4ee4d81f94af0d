//! How small the transform of the loss on a sample of fixed size is without the atom at zero:
//! `proofs/accounting/pld_few_fixed_size.md`.

use crate::pld::{loss::fixed_size_gaussian::FixedSizeGaussian, transform::nodes::Nodes};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, Enclosure, exp_or_tiny},
};

/// Cells on the half line.
const CELLS: u32 = 256;

/// What is known of a loss's transform at a tilt, all over `M(c)`.
#[derive(Debug)]
pub(crate) struct FixedSizeBend {
    /// The mass of the atom at zero.
    pub(crate) atom: Ball,
    /// `|rho(t)|` is at most the first over t, for what ends, and the second over `t^2`, for what bends.
    ends: Above,
    bends: Above,
}

/// The density on one side of zero, in y: `p = w g^k du/dy` with `k = 1 + c` or `-c`, whose logarithm has the slope
/// `k + 1 - s v` and the curvature `s (s - 1) v - s^2 sigma^2`, with `s = du/dy` and `v = 3/2 + sigma^2 u`.
struct Density<'a> {
    law: &'a FixedSizeGaussian,
    power: Ball,
    /// `ln M(c)`.
    log_mgf: Ball,
}

/// A cell's ends: u, y, s and v there.
struct Place {
    u: Ball,
    y: Ball,
    stretch: Ball,
    speed: Ball,
}

impl FixedSizeBend {
    /// None where it has no end, or nothing is known.
    pub(crate) fn new(law: &FixedSizeGaussian, tilt: f64) -> Option<Self> {
        let log_mgf = law.values(&Nodes::point(tilt))?.log_normalizer;
        let (zero, one, c) = (Ball::exact(0.0), Ball::exact(1.0), Ball::exact(tilt));
        let end = law.end?;
        let place = |i: u32| {
            let u = Ball::exact(end * (f64::from(i) / f64::from(CELLS)));
            let speed = Ball::exact(1.5).add(&law.variance().mul(&u));
            Place { u, y: law.loss(&u), stretch: law.stretch(&u), speed }
        };
        let places: Vec<_> = (0..=CELLS).map(place).collect();
        let (first, last) = (places.first()?, places.last()?);
        // What both bend by at zero: `3 (1 - s) p`.
        let at_zero = first.stretch.sub(&one).mul(&Ball::exact(3.0));
        let log_there = law.log_density(&first.u).add(&first.stretch.ln()).sub(&log_mgf);
        let mut bends = Above::of(&at_zero.mul(&exp_or_tiny(&log_there)));
        let mut ends = Above::ZERO;
        for power in [c.add(&one), zero.sub(&c)] {
            let side = Density { law, power, log_mgf };
            let there = side.height(last);
            ends += there;
            bends += there * side.steepness(last, last);
            for cell in places.windows(2) {
                if let [from, to] = cell {
                    bends += side.bent(from, to);
                }
            }
        }
        let atom = law.atom().mul(&exp_or_tiny(&zero.sub(&log_mgf)));
        let is_known = atom.lower() > 0.0 && ends.get().is_finite() && bends.get().is_finite();
        is_known.then_some(Self { atom, ends, bends })
    }

    /// A bound on the modulus of the transform without the atom, from a frequency on.
    pub(crate) fn at(&self, frequency: Below) -> Above {
        self.ends / frequency + self.bends / frequency.squared()
    }
}

impl Density<'_> {
    /// `ln(w g^k/M(c))`, w at one place and g at another.
    fn logarithm(&self, w: &Place, g: &Place) -> Ball {
        self.law.log_density(&w.u).add(&self.power.mul(&g.y)).sub(&self.log_mgf)
    }

    /// p.
    fn height(&self, at: &Place) -> Above {
        Above::of(&exp_or_tiny(&self.logarithm(at, at)).mul(&at.stretch))
    }

    /// The size of the slope of the logarithm of p between two places: s falls and v rises.
    fn steepness(&self, from: &Place, to: &Place) -> Above {
        let level = self.power.add(&Ball::exact(1.0));
        let (least, most) = (to.stretch.mul(&from.speed), from.stretch.mul(&to.speed));
        Above::of(&level.sub(&least)).max(Above::of(&most.sub(&level)))
    }

    /// A bound on the integral of `|p''|` over y between two places: of `w g^k |..|` over u.
    fn bent(&self, from: &Place, to: &Place) -> Above {
        let greatest = if self.power.lower() > 0.0 { to } else { from };
        let size = Above::of(&exp_or_tiny(&self.logarithm(from, greatest)));
        let s = &from.stretch;
        let convex = Above::of(&s.mul(&s.sub(&Ball::exact(1.0))).mul(&to.speed));
        let concave = Above::of(&s.mul(s).mul(&self.law.variance()));
        let curvature = convex.max(concave);
        size * (self.steepness(from, to).squared() + curvature) * Above::of(&to.u.sub(&from.u))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct_numeric::enclosure::ComplexBall;

    /// Never below the transform, nor far above it once it falls; a third of it would be below.
    #[test]
    fn the_transform_is_below() {
        let mut caught = 0;
        for (sigma, rate, tilt) in [
            (1.0, 0.01, 5.25),
            (0.7, 0.1, 1.5),
            (3.0, 0.5, 12.0),
            (2.0, 1e-3, 40.0),
            (30.0, 0.9, 70.5),
            (0.4, 0.05, 0.75),
        ] {
            let (law, _) = FixedSizeGaussian { sigma, rate, end: None }.truncated(1.0, -40.0).unwrap();
            let bend = FixedSizeBend::new(&law, tilt).unwrap();
            let period = 3.0 * law.loss(&Ball::exact(law.end.unwrap())).upper();
            let nodes = Nodes::new(tilt, period, 300);
            let values = law.values(&nodes).unwrap();
            let (mut nearest, mut missed) = (f64::INFINITY, false);
            for (n, value) in values.less_one.iter().enumerate().skip(1) {
                let n = f64::from(u32::try_from(n).unwrap());
                let turned = ComplexBall::on_circle(n * values.center / period, 1e-12);
                let rest =
                    ComplexBall::ONE.add(value).mul(&turned).add(&ComplexBall::real((-bend.atom.upper(), 1e-12)));
                let found = bend.at(Below::TWO_PI * n / Above::exact(period)).get();
                let least = rest.re.hypot(rest.im) - rest.radius;
                assert!(least <= found, "{sigma} {rate} {tilt} {n}: {least:e} {found:e}");
                nearest = nearest.min(found / least);
                missed |= found / 3.0 < least;
            }
            assert!(nearest < 8.0, "{sigma} {rate} {tilt}: {nearest}");
            caught += u32::from(missed);
        }
        assert!(caught >= 3, "{caught}");
    }
}
