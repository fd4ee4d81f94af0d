//! How fast the characteristic function of the tilted loss of Laplace noise, or of a bounded range, falls.

use crate::pld::{
    loss::exponential::{Exponential, TiltedMasses},
    transform::decay::lost_by_rectangle,
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, Enclosure, exp_or_tiny},
};

/// Bounds from any frequency t on: the smooth part's size is at most `reach / |s + it|`, and a part of it is uniform;
/// the atoms at either end, r and -r, are apart by an angle `2 t r`, and do not meet again before `t = pi/r`, halfway
/// to which the first bound takes over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExponentialDecay {
    /// Twice the product of the atoms' masses over their sum.
    atoms: Below,
    /// The smooth part's mass.
    smooth: Below,
    /// `|s + it|` times a bound on the smooth part's size.
    reach: Above,
    /// The tilt and 1/2.
    rate: Below,
    /// The mass and the width of what is uniform.
    rectangle: (Below, Below),
    /// The greatest loss r.
    radius: (Below, Above),
}

impl Exponential {
    pub(crate) fn decay(&self, tilt: f64) -> ExponentialDecay {
        let exact = Ball::exact;
        let (radius, factor) = (self.radius(), self.factor());
        let TiltedMasses { rate, far, smooth, high, low, whole } = self.tilted(tilt);
        let has_atoms = self.atoms().is_some();
        // The masses are over the whole.
        let atoms = || Below::of(&exact(2.0).mul(&high).mul(&low).div(&high.add(&low)).div(&whole));
        // From the upper end downwards, as far as the density does not fall by more than a factor e.
        let width = (2.0 * radius.lower()).min(1.0 / rate.upper());
        let mass = factor.mul(&exact(width)).mul(&exp_or_tiny(&exact(-width).mul(&rate))).div(&whole);
        ExponentialDecay {
            atoms: if has_atoms { atoms() } else { Below::ZERO },
            smooth: Below::of(&smooth.div(&whole)),
            reach: Above::of(&factor.mul(&exact(1.0).add(&far)).div(&whole)),
            rate: Below::of(&rate),
            rectangle: (Below::of(&mass), Below::exact(width)),
            radius: (Below::of(&radius), Above::of(&radius)),
        }
    }
}

impl ExponentialDecay {
    /// A lower bound on `-ln |m(t)|` for every t from a frequency on.
    pub(crate) fn log_decay(&self, frequency: f64) -> Below {
        let (least, most) = self.radius;
        let mut lost = self.lost(frequency);
        // A little before the quarter turn.
        let quarter = (Below::TWO_PI * 0.25 / most).get();
        if self.atoms.get() > 0.0 && frequency < quarter {
            // The sine rises up to there, and is at least `x - x^3/6`.
            let angle = (least * frequency).get().max(0.0);
            let sine = Below::exact(angle) - Above::exact(angle).power(3) / 6.0;
            let near = self.atoms * sine.squared() + lost_by_rectangle(self.rectangle, frequency);
            // From there on, whatever the atoms do.
            lost = lost.or(near.min(self.lost(quarter)));
        }
        if lost.get() > 0.0 && lost.get() < 0.8 {
            -(-lost).ln_1p()
        } else if lost.get() >= 0.8 {
            // All that is left: the atoms, and the smooth part's bound.
            let left = Above::exact(1.0) - self.smooth + self.size(frequency);
            // 1.6 is below -ln 0.2.
            (-left.ln()).or(Below::promised(1.6))
        } else {
            Below::ZERO
        }
    }

    /// An upper bound on the size of the smooth part, for every t from a frequency on.
    fn size(&self, frequency: f64) -> Above {
        self.reach / (self.rate.squared() + Below::exact(frequency).squared()).sqrt()
    }

    /// A lower bound on `1 - |m(t)|` for every t from a frequency on, whatever the atoms do.
    fn lost(&self, frequency: f64) -> Below {
        (self.smooth - self.size(frequency)).or(lost_by_rectangle(self.rectangle, frequency))
    }
}

#[cfg(test)]
mod tests {
    use crate::pld::{loss::exponential::Exponential, transform::nodes::Nodes};
    use indistinct_numeric::{
        Above, Below,
        enclosure::{ComplexBall, Enclosure},
    };
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
        let size = |frequency: f64| {
            let less_one = law.values(&Nodes::new(tilt, TAU / frequency, 2)).less_one;
            let (base, there) = (ComplexBall::ONE.add(&less_one[0]), ComplexBall::ONE.add(&less_one[1]));
            (base.re / there.re.hypot(there.im)).ln()
        };
        // Six turns and more of an atom.
        (1..4000u32).map(|i| f64::from(i) * 0.01 / radius).map(|frequency| (frequency, size(frequency))).collect()
    }

    #[test]
    fn never_claims_more_than_there_is_from_a_height_on() {
        for (law, tilt) in LAWS {
            let fall = law.decay(tilt);
            let (mut least, mut best) = (f64::INFINITY, 0f64);
            for (frequency, truth) in truths(&law, tilt).into_iter().rev() {
                least = least.min(truth);
                let claimed = fall.log_decay(frequency).get();
                assert!(claimed <= least + 1e-11, "{law:?} {frequency}: {claimed} {least}");
                best = best.max(claimed / least);
            }
            assert!(best > 0.3, "{law:?}: {best}");
        }
    }

    /// What forgets that atoms meet again is caught, as is a smooth part that is thought to fall faster.
    #[test]
    fn negative_controls_are_caught() {
        let (mut apart, mut faster) = (false, false);
        for (law, tilt) in LAWS {
            let honest = law.decay(tilt);
            let mut forgetful = honest;
            forgetful.radius.1 = Above::promised(1e-300);
            forgetful.smooth = Below::promised(f64::MAX);
            let mut shorter = honest;
            shorter.reach = shorter.reach / 2.0;
            for (frequency, truth) in truths(&law, tilt) {
                // Its quarter turn never comes, and all that counts is how far apart they were.
                apart |= frequency * honest.radius.0.get() < 2.4 && forgetful.log_decay(frequency).get() > truth + 1e-9;
                faster |= shorter.log_decay(frequency).get() > truth + 1e-9;
            }
        }
        assert!(apart && faster);
    }
}
