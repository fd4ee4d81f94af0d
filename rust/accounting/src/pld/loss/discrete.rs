//! Losses of finitely many values that need not be on a lattice.

use crate::pld::loss::{
    direction::Direction,
    finite_loss::FiniteLoss,
    lattice::{LatticeKind, LatticeLoss, ball, nearest, rational},
};
use indistinct_numeric::enclosure::{Ball, Enclosure, exp_or_tiny};
use std::sync::Arc;

/// The finite losses with their probabilities under the first distribution; that of an infinite one; and what the
/// second distribution gives to outcomes that are impossible under the first.
#[derive(Debug, Clone)]
pub(crate) struct DiscreteLoss {
    pub(crate) atoms: Vec<(Ball, Ball)>,
    pub(crate) infinite: Ball,
    pub(crate) impossible: Ball,
}

impl DiscreteLoss {
    /// From weights under both distributions.
    pub(crate) fn of_weights(weights: &[(f64, f64)]) -> Self {
        let zero = Ball::exact(0.0);
        let total =
            |side: fn(&(f64, f64)) -> f64| weights.iter().fold(zero, |sum, pair| sum.add(&Ball::exact(side(pair))));
        let (first, second) = (total(|pair| pair.0), total(|pair| pair.1));
        let mut result = Self { atoms: Vec::new(), infinite: zero, impossible: zero };
        for (p, q) in weights {
            let (mass, other) = (Ball::exact(*p).div(&first), Ball::exact(*q).div(&second));
            if *q == 0.0 {
                result.infinite = result.infinite.add(&mass);
            } else if *p == 0.0 {
                result.impossible = result.impossible.add(&other);
            } else {
                result.atoms.push((mass.div(&other).ln(), mass));
            }
        }
        if result.atoms.is_empty() {
            result.infinite = Ball::exact(1.0);
        }
        result
    }

    /// The pair (P, Q) on a Poisson sample: `((1 - q) Q + q P, Q)`, or `(Q, (1 - q) Q + q P)`.
    pub(crate) fn sampled(&self, rate: f64, direction: Direction) -> Self {
        let (zero, rate) = (Ball::exact(0.0), Ball::exact(rate));
        let rest = Ball::exact(1.0).sub(&rate);
        let growth_by_rate = zero.sub(&rate).ln_1p();
        let turn = |loss: Ball| if direction == Direction::Remove { loss } else { zero.sub(&loss) };
        let mut atoms: Vec<_> = self
            .atoms
            .iter()
            .map(|(loss, mass)| {
                let second = mass.mul(&exp_or_tiny(&zero.sub(loss)));
                let mixed = rest.mul(&second).add(&rate.mul(mass));
                let sampled = if loss.lower() > 1.0 {
                    // ln(q e^l (1 + (1 - q)/q e^-l))
                    rate.ln().add(loss).add(&rest.div(&rate).mul(&exp_or_tiny(&zero.sub(loss))).ln_1p())
                } else {
                    rate.mul(&loss.exp_m1()).ln_1p()
                };
                (turn(sampled), if direction == Direction::Remove { mixed } else { second })
            })
            .collect();
        if self.impossible.upper() > 0.0 {
            let mass = if direction == Direction::Remove { rest.mul(&self.impossible) } else { self.impossible };
            atoms.push((turn(growth_by_rate), mass));
        }
        let (infinite, impossible) = match direction {
            Direction::Remove => (rate.mul(&self.infinite), zero),
            Direction::Add => (zero, rate.mul(&self.infinite)),
        };
        Self { atoms, infinite, impossible }
    }

    /// The distribution of a finite loss, given that it is: on a lattice if the atoms are seen to be within rounding of
    /// one.
    pub(crate) fn loss(&self) -> Option<FiniteLoss> {
        if self.atoms.is_empty() {
            return None;
        }
        let kept = Ball::exact(1.0).sub(&self.infinite);
        let atoms = || self.atoms.iter().map(|(loss, mass)| (*loss, mass.div(&kept)));
        let middle = |ball: &Ball| ball.lower() + (ball.upper() - ball.lower()) / 2.0;
        let losses: Vec<f64> = self.atoms.iter().map(|(loss, _)| middle(loss)).collect();
        let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
        let span = losses.iter().fold(0f64, |most, loss| most.max(loss - least));
        let gap = losses.iter().map(|loss| loss - least).filter(|gap| *gap > span * 1e-9).fold(f64::INFINITY, f64::min);
        let gap = if gap.is_finite() { gap } else { 1.0 };
        for part in 1..=24u32 {
            // The longest distance gives the step most precisely.
            let log_density_above = gap / f64::from(part);
            let steps = (span / log_density_above).round().max(1.0);
            if steps > 1e6 {
                break;
            }
            let step = if span > 0.0 { span / steps } else { 1.0 };
            let slack = losses.iter().fold(0f64, |most, loss| {
                let index = ((loss - least) / step).round();
                most.max((loss - least - index * step).abs())
            });
            if slack > span.max(least.abs()) * 1e-13 {
                continue;
            }
            let (offset, exact_step) = (rational(least)?, rational(step)?);
            let (low, width) = (ball(&offset), ball(&exact_step));
            let mut off = 0f64;
            let mut masses = Vec::new();
            for (loss, mass) in atoms() {
                let index = ((middle(&loss) - least) / step).round();
                let rest = loss.sub(&low).sub(&Ball::exact(index).mul(&width));
                off = off.max(rest.upper()).max(-rest.lower());
                masses.push((nearest(index), mass));
            }
            let kind = LatticeKind::Finite { masses: Arc::new(masses), slack: off };
            return Some(FiniteLoss::Lattice(LatticeLoss { offset, step: exact_step, kind }));
        }
        Some(FiniteLoss::Loose(Arc::new(atoms().collect())))
    }
}
