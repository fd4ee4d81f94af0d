//! The transform of the loss of discrete Gaussian noise, in closed form: by Poisson's formula it is a sum of bell
//! curves at whole turns, of which at most two count. See `proofs/accounting/pld_lemmas.md`.

use crate::pld::{
    loss::{
        finite_loss::{number, whole},
        lattice::{LatticeKind, LatticeLoss, ball},
    },
    transform::nodes::{Nodes, Values},
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, ComplexBall, EXP_NEAR_ERROR, Enclosure, UNIT_ROUNDOFF, exp_near, midpoint},
    gmp::Integer,
};

/// From this deviation on; below there are few atoms.
pub(crate) const LEAST_SIGMA: f64 = 2.0;
/// Bell curves below `e^-64` are nothing, and all of them together less than twelve times that.
const NOTHING: f64 = 64.0;
const ALL_NOTHING: f64 = 2e-27;

/// From this exponent on floats know a bell curve well enough.
const FAR: f64 = 1.0;

/// The noise, tilted: a discrete Gaussian about minus the tilt times the sensitivity.
pub(crate) struct DiscreteGaussian {
    tilt: f64,
    sensitivity: f64,
    offset: Ball,
    step: Ball,
    /// `2 pi^2 sigma^2`, and a float below it.
    rate: Ball,
    least_rate: f64,
    /// The float nearest to it.
    near_rate: f64,
    /// How far the center is from a whole number, and what that is off by.
    past: (f64, f64),
}

impl DiscreteGaussian {
    /// None for other losses, for a small deviation, and where the center is too far out for floats.
    pub(crate) fn new(law: &LatticeLoss, tilt: f64) -> Option<Self> {
        let LatticeKind::Gaussian { sigma, sensitivity } = &law.kind else { return None };
        let exact = Ball::exact;
        let sensitivity = f64::from(*sensitivity);
        // 2 pi sigma over the root of 2, squared.
        let root = exact(*sigma).div(&Ball::inverse_root_two_pi()).div(&Ball::inverse_root_two_pi());
        let rate = root.mul(&root).mul(&exact(0.5));
        let (least_rate, near_rate) = (rate.lower(), midpoint(&rate).0);
        let is_usable = *sigma >= LEAST_SIGMA && least_rate.is_finite() && tilt > 0.0;
        let (_, past) = whole_and_past(&exact(tilt).mul(&exact(sensitivity)))?;
        let (offset, step) = (ball(&law.offset), ball(&law.step));
        is_usable.then_some(Self { tilt, sensitivity, offset, step, rate, least_rate, near_rate, past })
    }

    /// The logarithm of the moment generating function at the tilt: `c offset + (c s/sigma)^2/2`, but for what the sums
    /// over integers depart from integrals, below `e^-75`.
    pub(crate) fn log_normalizer(&self) -> Ball {
        let moved = Ball::exact(self.tilt).mul(&Ball::exact(self.sensitivity));
        let square = Ball::exact(self.tilt).mul(&moved).mul(&self.step).mul(&Ball::exact(0.5));
        Ball::exact(self.tilt).mul(&self.offset).add(&square).add(&Ball::between(-1e-32, 1e-32))
    }

    /// Less one, the transform over that at the tilt, without what turns it, at some turns from a whole number k of
    /// them, at most a half; the turns by k times the center are left to the caller.
    pub(crate) fn less_one(&self, turns: &Ball) -> ComplexBall {
        let (middle, error) = midpoint(turns);
        let error_of_next = error + UNIT_ROUNDOFF;
        let (near, far) = self.exponents(middle.abs(), error);
        if near >= NOTHING && far >= NOTHING {
            return ComplexBall::new(-1.0, 0.0, ALL_NOTHING);
        }
        let (value, error) = if near < FAR {
            midpoint(&Ball::exact(0.0).sub(&self.rate.mul(turns).mul(turns)).exp_m1())
        } else {
            let (bell, off) = self.bell(middle, error);
            (bell - 1.0, (off + UNIT_ROUNDOFF).get())
        };
        // All other bells, and what the sum at the tilt departs from 1.
        let others = Above::exact(-if far >= NOTHING { far } else { self.least_rate }).exp() * 5.0;
        let nearest = ComplexBall::new(value, 0.0, (others + error).get());
        if far >= NOTHING {
            return nearest;
        }
        // The next whole turn, on the same side.
        let side = if middle < 0.0 { -1.0 } else { 1.0 };
        let (bell, off) = self.bell(1.0 - middle.abs(), error_of_next);
        let next = ComplexBall::new(bell, 0.0, off.get());
        nearest.add(&next.mul(&ComplexBall::on_circle(-side * self.past.0, self.past.1)))
    }

    /// `e^(-rate t^2)` in floats at turns t that are known to within an error, and what that is off by.
    fn bell(&self, turns: f64, error: f64) -> (f64, Above) {
        let exponent = self.near_rate * turns * turns;
        let moved = (Above::exact(turns.abs()) * 2.0 + error) * error * self.near_rate * (1.0 + 1e-9);
        let off = moved + Above::exact(exponent) * (4.0 * UNIT_ROUNDOFF);
        let bell = exp_near(-exponent);
        // e^x - 1 <= 1.1 x up to 0.1.
        let share = if off.get() <= 0.1 { off * 1.1 + EXP_NEAR_ERROR * 1.5 } else { Above::UNKNOWN };
        (bell, share * bell + 1e-300)
    }

    /// Lower bounds on the exponents of the two bells, at a share of a turn that is known to within an error.
    fn exponents(&self, turns: f64, error: f64) -> (f64, f64) {
        // With room for what floats round.
        let least = |turns: f64| self.least_rate * turns * turns * (1.0 - 1e-9);
        (least((turns - error).max(0.0)), least((1.0 - turns - error).max(0.0)))
    }

    /// The modulus of the transform over that at the tilt, from a share of a turn up to half of one: the sum of both
    /// bells falls.
    fn most(&self, turns: f64) -> Above {
        let (near, far) = self.exponents(turns, 0.0);
        Above::exact(-near).exp() + Above::exact(-far).exp() + ALL_NOTHING
    }

    /// On a contour.
    pub(crate) fn values(&self, nodes: &Nodes) -> Values {
        self.values_at(nodes.period, 0..nodes.count)
    }

    /// The same at points by their numbers.
    pub(crate) fn values_at(&self, period: f64, numbers: impl Iterator<Item = u32>) -> Values {
        let exact = Ball::exact;
        let mean = self.offset.add(&exact(self.tilt).mul(&exact(self.sensitivity)).mul(&self.step));
        let center = midpoint(&mean).0;
        let (off, error) = midpoint(&mean.sub(&exact(center)));
        let (off, per_node) = (Above::exact(off.abs()) + error, self.step.div(&exact(period)));
        let less_one = numbers.map(|n| {
            if n == 0 {
                return ComplexBall::new(0.0, 0.0, 0.0);
            }
            let n = f64::from(n);
            let turns = exact(n).mul(&per_node);
            let whole = midpoint(&turns).0.round();
            let found = self.less_one(&turns.sub(&exact(whole)));
            // What the center is off by turns all of it.
            let turned = off * n * Above::TWO_PI / period;
            let found = if whole == 0.0 {
                found
            } else {
                let angle = whole * self.past.0;
                let off = Above::exact(whole) * self.past.1 + angle.abs() * f64::EPSILON;
                let turn = ComplexBall::on_circle(-angle, off.get());
                ComplexBall::ONE.add(&found).mul(&turn).add(&ComplexBall::ONE.neg())
            };
            let radius = turned * ComplexBall::ONE.add(&found).modulus() + found.radius;
            ComplexBall::new(found.re, found.im, radius.get())
        });
        Values { log_normalizer: self.log_normalizer(), center, less_one: less_one.collect() }
    }
}

/// On a lattice of so many points, all with its step: the values at the first nodes, and a bound on those at each that
/// is farther from a whole turn. None, where there would be more than `most`.
pub(crate) fn on_lattice(laws: &[(DiscreteGaussian, u64)], size: u32, most: u32) -> Option<(Vec<ComplexBall>, Above)> {
    // At a share t of a turn the logarithm has lost about `rate t^2`.
    let rate: f64 = laws.iter().map(|(law, count)| law.least_rate * number(*count)).sum();
    let points = f64::from(size);
    let last = (points * ((40.0 + points.ln()) / rate).sqrt()).ceil();
    let last = if last < points / 2.0 { u32::try_from(whole(last)).ok()? + 1 } else { size / 2 };
    if last > most {
        return None;
    }
    let centers = laws
        .iter()
        .map(|(law, count)| Ball::exact(law.tilt).mul(&Ball::exact(law.sensitivity)).mul(&Ball::exact(number(*count))));
    let center = centers.fold(Ball::exact(0.0), |sum, center| sum.add(&center));
    let (center, past) = whole_and_past(&center)?;
    let center = u64::try_from(Integer::from_f64(center)?).ok()?;
    let less_one = |n: u32| {
        let turns = Ball::exact(f64::from(n) / points);
        laws.iter().fold(ComplexBall::ONE, |product, (law, count)| {
            product.mul(&law.less_one(&turns).power_of_one_plus(*count))
        })
    };
    let values = (0..=last).map(|n| {
        if n == 0 {
            return ComplexBall::ONE;
        }
        let turned = center.wrapping_mul(n.into()) & u64::from(size - 1);
        let n_float = f64::from(n);
        let angle = (f64::from(u32::try_from(turned).unwrap_or(0)) + past.0 * n_float) / points;
        let off = Above::exact(n_float) * (Above::exact(past.0.abs()) * f64::EPSILON + past.1) / points;
        less_one(n).mul(&ComplexBall::on_circle(angle, (off + angle.abs() * f64::EPSILON).get()))
    });
    let values: Vec<_> = values.collect();
    let rest = if last < size / 2 {
        let lost =
            laws.iter().map(|(law, count)| (-law.most(f64::from(last) / points).ln()).or(Below::ZERO) * number(*count));
        (-lost.sum::<Below>()).exp()
    } else {
        Above::ZERO
    };
    Some((values, rest))
}

/// The nearest whole number, below 2^50, and what a number is past it: a middle and an error.
fn whole_and_past(x: &Ball) -> Option<(f64, (f64, f64))> {
    let whole = midpoint(x).0.round();
    (whole.abs() < 1e15).then(|| (whole, midpoint(&x.sub(&Ball::exact(whole)))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PrivacyLossDistribution as P,
        pld::{distribution::losses, loss::direction::Direction, loss::finite_loss::FiniteLoss},
        units::Sigma,
    };

    fn law(sigma: f64, sensitivity: u32) -> LatticeLoss {
        let all = P::discrete_gaussian(Sigma(sigma), sensitivity).unwrap();
        match losses(&all, Direction::Remove).remove(0).0 {
            FiniteLoss::Lattice(law) => law,
            other => panic!("{other:?}"),
        }
    }

    const CASES: [(f64, u32, f64); 8] = [
        (2.0, 1, 0.37),
        (2.0, 3, 11.3),
        (2.1, 1, 5.25),
        (2.6, 7, 0.9),
        (3.7, 2, 3.125),
        (9.0, 1, 40.5),
        (40.0, 13, 8.75),
        (200.0, 1000, 1.5),
    ];

    /// By how much more than both say a value on a contour is off from a sum over integers.
    fn off(found: &Values, truth: &Values, (n, period): (usize, f64)) -> f64 {
        let turn = (found.center - truth.center) / period * f64::from(u32::try_from(n).unwrap());
        let turned = |values: &Values| ComplexBall::ONE.add(&values.less_one[n]);
        let found = turned(found).mul(&ComplexBall::on_circle(turn, turn.abs() * 1e-15));
        let (x, y) = (found, turned(truth));
        (x.re - y.re).hypot(x.im - y.im) - x.radius - y.radius
    }

    /// On contours that go around many times; what knows of one bell curve only, or not where it is, is caught.
    #[test]
    fn as_sums_over_integers() {
        let (mut one_bell, mut turned) = (0, 0);
        for (sigma, sensitivity, tilt) in CASES {
            let law = law(sigma, sensitivity);
            // So many nodes for a turn.
            for per_turn in [5.5, 40.25, 1001.0] {
                let period = law.step.to_f64() * per_turn;
                let nodes = Nodes::new(tilt, period, 200);
                let gaussian = DiscreteGaussian::new(&law, tilt).unwrap();
                let (found, truth) = (gaussian.values(&nodes), law.values_of_atoms(&nodes));
                let difference = found.log_normalizer.sub(&truth.log_normalizer);
                let name = format!("{sigma} {sensitivity} {tilt} {per_turn}");
                assert!(difference.lower() <= 0.0 && 0.0 <= difference.upper(), "{name}: {difference:?}");
                for n in 0..200 {
                    let off = off(&found, &truth, (n, period));
                    assert!(off <= 0.0, "{name} {n}: {off:e}");
                    assert!(found.less_one[n].radius < 1e-12, "{name} {n}: {:?}", found.less_one[n]);
                }
                let most = |wrong: &DiscreteGaussian| {
                    let found = wrong.values(&nodes);
                    (0..200).map(|n| off(&found, &truth, (n, period))).fold(0.0, f64::max)
                };
                // Bells that are so narrow that the next is nothing.
                let narrow = DiscreteGaussian { least_rate: 1e4, ..DiscreteGaussian::new(&law, tilt).unwrap() };
                one_bell += u32::from(most(&narrow) > 1e-10);
                let moved = DiscreteGaussian { past: (0.011, 0.0), ..DiscreteGaussian::new(&law, tilt).unwrap() };
                turned += u32::from(most(&moved) > 1e-10);
            }
        }
        assert!(one_bell >= 5 && turned >= 12, "{one_bell} {turned}");
    }

    /// What a small frequency takes off is known to many digits, as many times as there are releases.
    #[test]
    fn little_is_known_well() {
        let law = law(50.0, 1);
        let gaussian = DiscreteGaussian::new(&law, 3.0).unwrap();
        for turns in [1e-9, 1e-6, 1e-4] {
            let found = gaussian.less_one(&Ball::exact(turns));
            let expected = -2.0 * (std::f64::consts::PI * 50.0 * turns).powi(2);
            assert!((found.re - expected).abs() < 2e-3 * expected.abs() && found.radius < expected.abs() * 1e-15);
        }
    }

    #[test]
    fn only_what_it_is_for() {
        let laplace = P::discrete_laplace(crate::units::Scale(30.0), 1).unwrap();
        let FiniteLoss::Lattice(laplace) = losses(&laplace, Direction::Remove).remove(0).0 else { panic!() };
        assert!(DiscreteGaussian::new(&laplace, 1.0).is_none());
        assert!(DiscreteGaussian::new(&law(1.9, 1), 1.0).is_none());
        assert!(DiscreteGaussian::new(&law(30.0, 60_000), 1e12).is_none());
    }
}
