//! How fast the characteristic function of the tilted loss of Laplace noise, or of a bounded range, falls.

use super::{
    decay::lost_by_rectangle,
    exponential::{Exponential, Parts},
    lattice::safe_exp,
};
use indistinct_numeric::{
    RoundedMath,
    enclosure::{Ball, Enclosure, ln_1p_near},
};
use std::f64::consts::FRAC_PI_2;

/// Bounds from any height t on: the smooth part's size is at most `reach / |s + it|`, and a part of it is uniform; the atoms at either end, r and -r, are apart
/// by an angle `2 t r`, and do not meet again before `t = pi/r`, halfway to which the first bound takes over.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExponentialFall {
    /// Twice the product of the atoms' masses over their sum.
    atoms: f64,
    /// The smooth part's mass.
    smooth: f64,
    /// `|s + it|` times a bound on the smooth part's size.
    reach: f64,
    /// The tilt and 1/2.
    rate: f64,
    /// The mass and the width of what is uniform.
    rectangle: (f64, f64),
    /// Bounds on r.
    radius: (f64, f64),
}

impl Exponential {
    pub(super) fn falling(&self, tilt: f64) -> ExponentialFall {
        let exact = Ball::exact;
        let (radius, factor) = (self.radius(), self.factor());
        let Parts { rate, far, smooth, high, low, whole } = self.tilted(tilt);
        let has_atoms = self.atoms().is_some();
        // The masses are over the whole.
        let atoms = || exact(2.0).mul(&high).mul(&low).div(&high.add(&low)).div(&whole).lower();
        // From the upper end downwards, as far as the density does not fall by more than a factor e.
        let width = (2.0 * radius.lower()).min(1.0 / rate.upper());
        let mass = factor.mul(&exact(width)).mul(&safe_exp(&exact(-width).mul(&rate))).div(&whole);
        ExponentialFall {
            atoms: if has_atoms { atoms() } else { 0.0 },
            smooth: smooth.div(&whole).lower(),
            reach: factor.mul(&exact(1.0).add(&far)).div(&whole).upper(),
            rate: rate.lower(),
            rectangle: (mass.lower(), width),
            radius: (radius.lower(), radius.upper()),
        }
    }
}

impl ExponentialFall {
    /// A lower bound on `-ln |m(t)|` for every t from `height` on.
    pub(super) fn fallen(&self, height: f64) -> f64 {
        let (least, most) = self.radius;
        let mut lost = self.lost(height);
        // A little before the quarter turn.
        let quarter = FRAC_PI_2 * 0.999_999 / most;
        if self.atoms > 0.0 && height < quarter {
            // The sine rises up to there, and is at least this.
            let angle = height * least;
            let sine = angle - angle * angle * angle / 6.0;
            let near = (self.atoms * sine * sine + lost_by_rectangle(self.rectangle, height)) * (1.0 - 1e-12);
            let beyond = self.lost(quarter);
            // Nothing is known by a NaN.
            if near > lost {
                lost = if near < beyond { near } else { beyond.max(lost) };
            }
        }
        if lost > 0.0 && lost < 0.8 {
            -ln_1p_near(-lost) * (1.0 - 1e-11)
        } else if lost >= 0.8 {
            // All that is left: the atoms, and the smooth part's bound.
            let left = (1.0 - self.smooth).max(0.0) + self.size(height);
            (-(left * (1.0 + 1e-12)).inf_ln().unwrap_or(0.0)).max(1.6)
        } else {
            // A NaN is no bound.
            0.0
        }
    }

    /// A bound on the size of the smooth part, for every t from a height on.
    fn size(&self, height: f64) -> f64 {
        self.reach / (self.rate * self.rate * (1.0 - 1e-12) + height * height).sqrt() * (1.0 + 1e-12)
    }

    /// What is lost of 1 for every t from a height on, whatever the atoms do.
    fn lost(&self, height: f64) -> f64 {
        let by_size = self.smooth * (1.0 - 1e-12) - self.size(height);
        by_size.max(lost_by_rectangle(self.rectangle, height) * (1.0 - 1e-12))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{disk::Disk, exponential::Exponential, transform::Line};
    use indistinct_numeric::enclosure::Enclosure;
    use std::f64::consts::TAU;

    const LAWS: [(Exponential, f64); 7] = [
        (Exponential::Laplace { scale: 10.0 }, 3.0),
        (Exponential::Laplace { scale: 1000.0 }, 20.0),
        (Exponential::Laplace { scale: 0.5 }, 0.2),
        (Exponential::Laplace { scale: 0.1 }, 2.0),
        (Exponential::BoundedRange { eta: 0.01 }, 8.0),
        (Exponential::BoundedRange { eta: 1.0 }, 3.0),
        (Exponential::BoundedRange { eta: 9.0 }, 0.5),
    ];

    /// Heights, and minus the logarithm of the tilted characteristic function's size there.
    fn truths(law: &Exponential, tilt: f64) -> Vec<(f64, f64)> {
        let radius = law.radius().upper();
        let size = |height: f64| {
            let less_one = law.values(&Line { tilt, period: TAU / height, count: 2 }).less_one;
            let (foot, there) = (Disk::ONE.add(&less_one[0]), Disk::ONE.add(&less_one[1]));
            (foot.re / there.re.hypot(there.im)).ln()
        };
        // Six turns and more of an atom.
        (1..4000u32).map(|i| f64::from(i) * 0.01 / radius).map(|height| (height, size(height))).collect()
    }

    #[test]
    fn never_claims_more_than_there_is_from_a_height_on() {
        for (law, tilt) in LAWS {
            let fall = law.falling(tilt);
            let (mut least, mut best) = (f64::INFINITY, 0f64);
            for (height, truth) in truths(&law, tilt).into_iter().rev() {
                least = least.min(truth);
                let claimed = fall.fallen(height);
                assert!(claimed <= least + 1e-11, "{law:?} {height}: {claimed} {least}");
                best = best.max(claimed / least);
            }
            assert!(best > 0.3, "{law:?}: {best}");
        }
    }

    /// What forgets that atoms meet again is caught, as is a smooth part that is thought to fall faster.
    #[test]
    fn broken_twins_are_caught() {
        let (mut apart, mut faster) = (false, false);
        for (law, tilt) in LAWS {
            let honest = law.falling(tilt);
            let mut forgetful = honest;
            forgetful.radius.1 = 1e-300;
            forgetful.smooth = f64::MAX;
            let mut shorter = honest;
            shorter.reach /= 2.0;
            for (height, truth) in truths(&law, tilt) {
                // Its quarter turn never comes, and all that counts is how far apart they were.
                apart |= height * honest.radius.0 < 2.4 && forgetful.fallen(height) > truth + 1e-9;
                faster |= shorter.fallen(height) > truth + 1e-9;
            }
        }
        assert!(apart && faster);
    }
}
