//! Gaussian noise on a sum that one individual moves by a random amount: the loss of a mixture of Gaussians.
//!
//! With `g(y) = sum of w e^(mu y - mu^2/2)` over amounts of weight w, `mu` over the noise's deviation and not negative,
//! and y standard normal, removing has density `phi(y) g(y)` and loss `ln g(y)`, which rises in y; adding has density
//! `phi(y)` and loss `-ln g(y)`. The argument is in `proofs/accounting/pld.md` (mixtures).

use crate::pld::loss::{
    cumulants::{Cumulants, cumulants},
    direction::Direction,
    normal_loss::reach,
    tails::{KnownByTails, LossTails, Rule, ShiftedDecay, Tail, Tails},
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, Enclosure, exp_near, exp_or_tiny},
};
use std::sync::Arc;

/// An amount by which an individual moves the sum, in deviations of the noise.
#[derive(Debug, Clone)]
struct Component {
    mu: Ball,
    weight: Ball,
    /// `ln w - mu^2/2`.
    constant: Ball,
    /// The same in floats.
    near: (f64, f64),
}

/// The loss in one direction.
#[derive(Debug, Clone)]
pub(crate) struct MixtureLoss {
    components: Arc<[Component]>,
    direction: Direction,
}

/// A float of few bits.
fn short(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !0xff_ffff_ffff)
}

/// A value of a function and its derivative.
type WithSlope = (Ball, Ball);

/// No more steps of Newton's are taken.
const MOST_STEPS: u32 = 60;
/// So many deviations from all amounts roots are looked for; beyond there is less than floats hold.
const END: f64 = 60.0;
/// A rule is off by about e to minus this, and has no more points.
const LEFT_OUT: f64 = 50.0;
const MOST_POINTS: f64 = 8_192.0;

impl MixtureLoss {
    /// From amounts that are not negative and one of which is positive, with weights. None where an amount is more than
    /// a million sigmas.
    pub(crate) fn new(sigma: f64, amounts: &[(f64, f64)], direction: Direction) -> Option<Self> {
        let total = amounts.iter().fold(Ball::exact(0.0), |sum, (_, weight)| sum.add(&Ball::exact(*weight)));
        let component = |(amount, weight): &(f64, f64)| {
            // Nothing is exactly that.
            let mu = if *amount == 0.0 { Ball::exact(0.0) } else { Ball::exact(*amount).div(&Ball::exact(sigma)) };
            let weight = Ball::exact(*weight).div(&total);
            let constant = weight.ln().sub(&mu.mul(&mu).mul(&Ball::exact(0.5)));
            let near = (mu.upper(), constant.upper());
            (near.0 <= 1e6).then_some(Component { mu, weight, constant, near })
        };
        let kept = amounts.iter().filter(|(_, weight)| *weight > 0.0);
        Some(Self { components: kept.map(component).collect::<Option<_>>()?, direction })
    }

    /// `ln g` and its derivative. Weights are over the greatest in floats.
    fn log_mixture(&self, y: &Ball) -> WithSlope {
        let near = |one: &Component| one.near.1 + one.near.0 * y.lower();
        let greatest = self.components.iter().fold(f64::MIN, |most, one| most.max(near(one)));
        let (mut total, mut slope) = (Ball::exact(0.0), Ball::exact(0.0));
        for one in self.components.iter() {
            let share = exp_or_tiny(&one.constant.add(&one.mu.mul(y)).sub(&Ball::exact(greatest)));
            total = total.add(&share);
            slope = slope.add(&share.mul(&one.mu));
        }
        (Ball::exact(greatest).add(&total.ln()), slope.div(&total))
    }

    /// The same in floats.
    fn log_mixture_near(&self, y: f64) -> (f64, f64) {
        let exponent = |one: &Component| one.near.1 + one.near.0 * y;
        let greatest = self.components.iter().map(exponent).fold(f64::MIN, f64::max);
        let (mut total, mut slope) = (0.0, 0.0);
        for one in self.components.iter() {
            let share = exp_near(exponent(one) - greatest);
            total += share;
            slope += share * one.near.0;
        }
        (greatest + total.ln(), slope / total)
    }

    /// Where `ln g` is a number. Either end stands for what lies beyond it, or nowhere: tails at an end enclose those.
    /// Anything where it is not found.
    ///
    /// The function rises. Newton's method in floats finds a point near the root, which is within `by` of it if the
    /// function is farther from the number than `by` times the least slope thereabouts allows; then the quotient by all
    /// slopes leads to what encloses the root.
    fn inverse(&self, wanted: &Ball) -> Ball {
        let aim = wanted.lower() + (wanted.upper() - wanted.lower()) / 2.0;
        let end = self.greatest_amount() + END;
        if self.log_mixture(&Ball::exact(-END)).0.lower() >= wanted.upper() {
            return Ball::exact(-END);
        }
        if self.log_mixture(&Ball::exact(end)).0.upper() <= wanted.lower() {
            return Ball::exact(end);
        }
        let (mut low, mut high) = (-END, end);
        let mut y = 0.0;
        for _ in 0..MOST_STEPS {
            let (value, slope) = self.log_mixture_near(y);
            if value < aim {
                low = y
            } else {
                high = y
            }
            let next = y - (value - aim) / slope;
            let next = if next > low && next < high { next } else { low + (high - low) / 2.0 };
            let is_near = (next - y).abs() <= 1e-14 * (1.0 + y.abs());
            y = next;
            if is_near {
                break;
            }
        }
        let (value, slope) = self.log_mixture(&Ball::exact(y));
        let (excess, wide) = (value.sub(wanted), self.greatest_amount());
        let mut by = 1e-12 * (1.0 + y.abs());
        for _ in 0..12 {
            // The slope's derivative is a variance of amounts, at most a quarter of the greatest amount's square.
            let change = (Above::exact(wide).squared() * 0.26 * by).get();
            let slope = slope.add(&Ball::between(-change, change));
            let step = excess.div(&slope);
            // Half of it, as its ends are rounded.
            if slope.lower() > 0.0 && step.lower() > -by / 2.0 && step.upper() < by / 2.0 {
                return Ball::exact(y).sub(&step);
            }
            by *= 16.0;
        }
        Ball::exact(f64::NAN)
    }

    fn greatest_amount(&self) -> f64 {
        self.components.iter().fold(0.0, |most, one| most.max(one.near.0))
    }

    /// The power of g that is divided by.
    fn divided(&self, tilt: f64) -> f64 {
        if self.direction == Direction::Remove { 0.0 } else { tilt }
    }

    /// How far below and above zero the tilted density reaches.
    fn ends(&self, tilt: f64) -> (f64, f64) {
        let wide = self.greatest_amount();
        match self.direction {
            Direction::Remove => (12.0, (tilt + 1.0) * wide + 12.0),
            Direction::Add => (tilt * wide + 12.0, 12.0),
        }
    }

    /// The logarithm of the tilted density times the root of 2 pi, and the loss.
    fn tilted(&self, tilt: f64, y: &Ball) -> (Ball, Ball) {
        let log_g = self.log_mixture(y).0;
        let (base, loss) = match self.direction {
            Direction::Remove => (log_g, log_g),
            Direction::Add => (Ball::exact(0.0), Ball::exact(0.0).sub(&log_g)),
        };
        (base.add(&Ball::exact(tilt).mul(&loss)).sub(&y.mul(y).mul(&Ball::exact(0.5))), loss)
    }

    /// The tails of the mixture about a point.
    fn mixed(&self, y: &Ball) -> Tail {
        Tail::mixture(self.components.iter().map(|one| (one.weight, Tail::normal(&y.sub(&one.mu)))))
    }
}

impl LossTails for MixtureLoss {
    fn at(&self, loss: &Ball) -> Tails {
        match self.direction {
            Direction::Remove => {
                let y = self.inverse(loss);
                Tails::new(self.mixed(&y), Tail::normal(&y))
            }
            Direction::Add => {
                let y = self.inverse(&Ball::exact(0.0).sub(loss));
                Tails::new(Tail::normal(&y).turned(), self.mixed(&y).turned())
            }
        }
    }
}

impl KnownByTails for MixtureLoss {
    fn span(&self, spare: f64) -> (f64, f64) {
        let far = reach(spare);
        let log_g = |y: f64| self.log_mixture_near(y).0;
        match self.direction {
            // An amount is as rare as its weight says.
            Direction::Remove => {
                let reaches =
                    self.components.iter().map(|one| (one.near.0, one.near.1 + one.near.0 * one.near.0 / 2.0));
                let each = reaches.filter(|(_, weight)| *weight > spare).map(|(mu, weight)| mu + reach(spare - weight));
                (log_g(-far), log_g(each.fold(far, f64::max)))
            }
            Direction::Add => (-log_g(far), -log_g(-far)),
        }
    }

    fn cost(&self) -> u32 {
        u32::try_from(self.components.len()).unwrap_or(u32::MAX)
    }

    fn cumulants(&self, tilt: f64) -> Cumulants {
        let (left, right) = match self.direction {
            Direction::Remove => (9.0, (tilt + 1.0) * self.greatest_amount() + 9.0),
            Direction::Add => (tilt * self.greatest_amount() + 9.0, 9.0),
        };
        let count = ((left + right) * 4.0).clamp(1.0, 1000.0).ceil();
        let step = (left + right) / count;
        let (mut atoms, mut index) = (Vec::new(), 0.0);
        while index <= count {
            let y = index * step - left;
            let log_g = self.log_mixture_near(y).0;
            let (base, loss) = if self.direction == Direction::Remove { (log_g, log_g) } else { (0.0, -log_g) };
            atoms.push((base + tilt * loss - y * y / 2.0, loss));
            index += 1.0;
        }
        let found = cumulants(atoms.iter().copied());
        Cumulants { value: found.value + (step * 0.398_942_280_401_432_7).ln(), ..found }
    }

    /// Adding, minus the logarithm of the weight of nothing.
    fn greatest(&self) -> Option<f64> {
        let still = self.components.iter().filter(|one| one.mu.upper() == 0.0).map(|one| one.weight);
        let still = still.reduce(|sum, one| sum.add(&one)).filter(|_| self.direction == Direction::Add)?;
        Some(Ball::exact(0.0).sub(&still.ln()).upper())
    }

    fn gaussian_above(&self) -> Option<f64> {
        Some(Ball::exact(1.0).div(&Ball::exact(self.greatest_amount())).lower()).filter(|sigma| *sigma > 0.0)
    }

    /// The trapezoid rule for `phi g^(z + 1)`, or `phi g^-z` where an individual is added, in a strip in which g has a
    /// positive real part; both fall by at least 12 a unit beyond the ends.
    fn rule(&self, tilt: f64, frequency: f64) -> Option<Rule> {
        let (wide, divided) = (self.greatest_amount(), self.divided(tilt));
        let angle = (10.0 / (1.0 + divided * wide * wide).sqrt() * wide).min(1.0);
        let shift = Above::exact(angle) / Below::exact(wide);
        let square = Above::exact(angle).squared();
        // What the integral over a line of the strip is at most, over M(c); -ln cos x <= x^2/2 + x^4/8.
        let grown = shift.squared() * 0.5
            + Above::exact(frequency) * angle
            + (square * 0.5 + square.squared() * 0.125) * divided;
        let step = short(6.25 * angle / wide / (grown.get() + LEFT_OUT));
        let (left, right) = self.ends(tilt);
        let count = ((left + right) / step).ceil();
        if count.is_nan() || count > MOST_POINTS {
            return None;
        }
        let log_step = Ball::exact(step).mul(&Ball::inverse_root_two_pi()).ln();
        let mut atoms = Vec::new();
        let mut index = -(left / step).ceil();
        while index * step < right + step {
            let y = Ball::exact(index * step);
            let (log_density, loss) = self.tilted(tilt, &y);
            atoms.push((log_density.add(&log_step), loss));
            index += 1.0;
        }
        // Twice the integral over e to this, less 1.
        let exponent = Below::TWO_PI * (Below::exact(angle) / Above::exact(wide)) / Above::exact(step) - grown;
        let inner = (-exponent).exp() * 2.1;
        let greatest = atoms.iter().map(|(weight, _)| weight.lower()).fold(f64::MIN, f64::max);
        let ends =
            [atoms.first()?, atoms.last()?].map(|(weight, _)| (Above::of(weight) - Below::exact(greatest)).exp());
        let beyond = ends.into_iter().sum::<Above>() * (Above::exact(0.1) / Below::exact(step) + 1.0);
        (exponent.get() > 10.0).then(|| Rule { atoms, missing: (inner + beyond) * 1.1 })
    }

    fn decay(&self, tilt: f64) -> Option<ShiftedDecay> {
        let (left, right) = self.ends(tilt);
        let wide = self.greatest_amount();
        // Of few bits, so that points are floats.
        let (left, step) = (left.ceil(), short(0.125f64.min(0.5 / wide)));
        let count = ((left + right) / step).ceil();
        if count.is_nan() || count > MOST_POINTS {
            return None;
        }
        let Rule { atoms, missing } = self.rule(tilt, 0.0)?;
        let greatest = atoms.iter().map(|(weight, _)| weight.lower()).fold(f64::MIN, f64::max);
        let over = |weight: &Ball| (Above::of(weight) - Below::exact(greatest)).exp();
        let total = atoms.iter().fold(Above::ZERO, |sum, (weight, _)| sum + over(weight));
        let whole = (total * (missing + 1.0)).ln() + greatest;
        // A cell's mass is at least its length times the mean of both ends' logarithms, less what the density may bend
        // upwards within: the variance of what lies between 0 and `wide` is at most a quarter of its square.
        let bend = if self.direction == Direction::Remove {
            ((Above::exact(tilt) + 1.0) * (Above::exact(wide).squared() * 0.25) - Below::exact(1.0)).max(Above::ZERO)
        } else {
            Above::ZERO
        };
        let lost = bend * (step * step) * 0.125 + whole;
        let log_step = Ball::exact(step).mul(&Ball::inverse_root_two_pi()).ln();
        let point = |index: f64| {
            let y = Ball::exact(index * step - left);
            (Below::of(&self.tilted(tilt, &y).0.add(&log_step)), Below::of(&self.log_mixture(&y).1))
        };
        let (mut parts, mut index, mut before) = (Vec::new(), 0.0, point(0.0));
        while index < count {
            index += 1.0;
            let next = point(index);
            parts.push((((before.0 + next.0) * 0.5 - lost).exp(), before.1));
            before = next;
        }
        // The slope rises: a few cells together have that of the first.
        let size = parts.len().div_ceil(96).max(1);
        let together = |cells: &[(Below, Below)]| {
            let mass = cells.iter().fold(Below::ZERO, |sum, (mass, _)| sum + *mass);
            cells.first().map(|(_, slope)| (mass, *slope))
        };
        let parts = parts.chunks(size).filter_map(together).collect();
        Some(ShiftedDecay { parts, widest: wide, divided: self.divided(tilt) })
    }

    fn exchanged(&self) -> Arc<dyn KnownByTails> {
        let direction = if self.direction == Direction::Remove { Direction::Add } else { Direction::Remove };
        Arc::new(Self { direction, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AMOUNTS: [&[(f64, f64)]; 3] =
        [&[(0.0, 0.9), (1.0, 0.08), (2.5, 0.02)], &[(0.5, 0.5), (4.0, 0.5)], &[(0.0, 0.99), (1.0, 0.01)]];

    fn laws() -> impl Iterator<Item = MixtureLoss> {
        let directions = [Direction::Remove, Direction::Add];
        AMOUNTS
            .iter()
            .flat_map(move |amounts| directions.map(|direction| MixtureLoss::new(1.25, amounts, direction).unwrap()))
    }

    /// `E[e^((c + i t) L)]` over the sum of atoms, by a rule.
    fn transform(rule: &Rule, frequency: f64) -> (f64, f64) {
        let greatest = rule.atoms.iter().map(|(weight, _)| weight.lower()).fold(f64::MIN, f64::max);
        let atom = |(weight, loss): &(Ball, Ball)| ((weight.lower() - greatest).exp(), loss.lower());
        let atoms: Vec<_> = rule.atoms.iter().map(atom).collect();
        let total: f64 = atoms.iter().map(|(weight, _)| weight).sum();
        let part = |turn: fn(f64) -> f64| {
            atoms.iter().map(|(weight, loss)| weight * turn(frequency * loss)).sum::<f64>() / total
        };
        (part(f64::cos), part(f64::sin))
    }

    /// Rules for higher frequencies have more points, and agree; one of few points is off by more than it would say.
    #[test]
    fn rules_agree_with_finer_ones() {
        let mut caught = 0;
        for law in laws() {
            for tilt in [0.5, 3.0, 12.0] {
                for frequency in [0.0, 5.0, 40.0] {
                    let (rule, finer) =
                        (law.rule(tilt, frequency).unwrap(), law.rule(tilt, frequency + 100.0).unwrap());
                    assert!(rule.missing.get() < 1e-18 && finer.atoms.len() > rule.atoms.len(), "{law:?} {tilt}");
                    let (found, truth) = (transform(&rule, frequency), transform(&finer, frequency));
                    let off = (found.0 - truth.0).hypot(found.1 - truth.1);
                    assert!(off < 1e-11, "{law:?} {tilt} {frequency}: {off}");
                    let few = Rule { atoms: rule.atoms.iter().copied().step_by(16).collect(), ..rule };
                    let found = transform(&few, frequency);
                    let off = (found.0 - truth.0).hypot(found.1 - truth.1);
                    caught += u32::from(off > 1e-9);
                }
            }
        }
        assert!(caught >= 10, "{caught}");
    }

    /// From any frequency on the modulus is below the bound; with slopes twice as steep it would not be.
    #[test]
    fn transforms_fall_at_least_as_fast_as_claimed() {
        let (mut claimed, mut caught) = (0, 0);
        for law in laws() {
            for tilt in [0.5, 3.0, 12.0] {
                let (decay, rule) = (law.decay(tilt).unwrap(), law.rule(tilt, 100.0).unwrap());
                let steeper = decay.parts.iter().map(|(mass, slope)| (*mass, *slope * 2.0)).collect();
                let steeper = ShiftedDecay { parts: steeper, ..law.decay(tilt).unwrap() };
                for frequency in [0.2, 1.0, 4.0, 15.0] {
                    let (bound, wrong) = (decay.log_decay(frequency).get(), steeper.log_decay(frequency).get());
                    let after = [1.0, 1.1, 1.7, 3.0].map(|times| transform(&rule, frequency * times));
                    let most = after.iter().map(|(re, im)| re.hypot(*im)).fold(0.0, f64::max);
                    assert!(most <= (-bound).exp() * (1.0 + 1e-10), "{law:?} {tilt} {frequency}: {most} {bound}");
                    claimed += u32::from(bound > 0.2 * -most.ln());
                    caught += u32::from(most > (-wrong).exp() * (1.0 + 1e-10));
                }
            }
        }
        assert!(claimed >= 25 && caught >= 15, "{claimed} {caught}");
    }

    /// The inverse is enclosed to nearly all digits, and by an end where there is none.
    #[test]
    fn inverses_are_enclosed() {
        for law in laws().filter(|law| law.direction == Direction::Remove) {
            for y in [-8.0, -1.0, 0.0, 0.5, 3.0, 20.0] {
                let found = law.inverse(&law.log_mixture(&Ball::exact(y)).0);
                // To a few floats; far below, where there is an amount of nothing, g hardly rises.
                let width = if y < -4.0 { 1e-6 } else { 1e-15 };
                assert!(found.lower() <= y && y <= found.upper(), "{law:?} {y}: {found:?}");
                assert!(found.upper() - found.lower() <= width * (1.0 + y.abs()), "{law:?} {y}: {found:?}");
            }
            assert_eq!(law.inverse(&Ball::exact(-1e4)).upper(), -END);
            assert_eq!(law.inverse(&Ball::exact(1e6)).upper(), law.greatest_amount() + END);
        }
    }
}
