//! Delta as a plain sum over all outcomes of releases that have few, beside at most one step in closed form.
//!
//! With the atoms' losses `l` and probabilities `m`, and D the hockey-stick divergence of the step, delta is
//! `sum of m D(epsilon - l)`, as the step is independent of the others. Below 0, `D(x) = 1 - e^x + e^x D'(-x)` with D'
//! that of the step's pair exchanged; without a step, `D(x) = (1 - e^x)+`. Nothing cancels.

use crate::pld::loss::{
    finite_loss::{FiniteLoss, FiniteLosses, number},
    once::once,
    sampled_gaussian::{SampledGaussian, Side},
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, Bounds, Enclosure},
};

/// No more outcomes are listed than this: some ten milliseconds beside a step.
const MOST_ATOMS: f64 = 8192.0;
/// Outcomes that are together less likely than this times what has been summed are left open.
const NEGLIGIBLE: f64 = 1e-15;
/// Probabilities below this are not multiplied any further.
const LEAST_MASS: f64 = 1e-250;

/// A loss and its probability.
type Atom = (Ball, Ball);

/// All outcomes, and the step beside them.
#[derive(Debug)]
pub(crate) struct Enumeration {
    /// From the most likely outcome on, each with a bound on the probability of all that follow.
    atoms: Vec<(Atom, Above)>,
    /// The step's loss, and that of its pair exchanged.
    step: Option<(FiniteLoss, FiniteLoss)>,
}

impl Enumeration {
    /// None, where there are too many outcomes, or more than one step without atoms.
    pub(crate) fn new(losses: &FiniteLosses) -> Option<Self> {
        // Losses of one kind on a lattice have a shorter sum.
        if let [(FiniteLoss::Lattice(_), _)] = losses {
            return None;
        }
        let (mut atoms, mut step) = (vec![(Ball::exact(0.0), Ball::exact(1.0))], None);
        for (loss, count) in losses {
            // Beside Gaussian noise a contour is as near, and takes less time.
            let is_step = !matches!(loss, FiniteLoss::Gaussian { .. }) && once(loss, 0.0).is_some();
            if is_step && *count == 1 && step.is_none() {
                step = Some((loss.clone(), exchanged(loss)));
                continue;
            }
            let one = atoms_of(loss)?;
            if length(&atoms) * outcomes(*count, one.len()) > MOST_ATOMS {
                return None;
            }
            let several = repeated(&one, u32::try_from(*count).ok()?);
            let both = atoms.iter().flat_map(|x| several.iter().map(|y| (x.0.add(&y.0), x.1.mul(&y.1))));
            atoms = both.collect();
        }
        let is_likely = |atom: &Atom| atom.1.lower() > LEAST_MASS;
        let mut after = atoms.iter().filter(|atom| !is_likely(atom)).map(|atom| Above::of(&atom.1)).sum::<Above>();
        atoms.retain(is_likely);
        atoms.sort_by(|x, y| y.1.upper().total_cmp(&x.1.upper()));
        let with_rest = |atom: Atom| {
            let found = (atom, after);
            after += Above::of(&atom.1);
            found
        };
        let mut atoms: Vec<_> = atoms.into_iter().rev().map(with_rest).collect();
        atoms.reverse();
        Some(Self { atoms, step })
    }

    /// Bounds on `E[(1 - e^(epsilon - L))+]`.
    pub(crate) fn delta(&self, epsilon: f64) -> Bounds {
        let (mut lower, mut upper, mut open) = (Below::ZERO, Above::ZERO, Above::exact(1.0));
        for ((loss, mass), after) in &self.atoms {
            let left = Ball::exact(epsilon).sub(loss);
            let Bounds { lower: least, upper: most } = self.beside(&left);
            lower += (Below::of(mass) * least).or(Below::ZERO);
            upper += Above::of(mass) * most;
            open = *after;
            if open.get() <= NEGLIGIBLE * lower.get() {
                break;
            }
        }
        Bounds { lower: lower.get().clamp(0.0, 1.0), upper: (upper + open).get().min(1.0) }
    }

    /// Delta of the step at the rest of epsilon that an outcome leaves.
    fn beside(&self, left: &Ball) -> Bounds {
        let zero = Ball::exact(0.0);
        let Some((step, exchanged)) = &self.step else {
            let share = zero.sub(&left.exp_m1());
            return Bounds { lower: share.lower().max(0.0), upper: share.upper().max(0.0) };
        };
        // It falls in epsilon.
        let at = |epsilon: f64| {
            if epsilon >= 0.0 {
                return once(step, epsilon);
            }
            let (growth, other) = (Ball::exact(epsilon).exp(), once(exchanged, -epsilon)?);
            let more = growth.mul(&Ball::between(other.lower, other.upper));
            Some(zero.sub(&Ball::exact(epsilon).exp_m1()).add(&more).bounds())
        };
        let least = at(left.upper()).map_or(0.0, |bounds| bounds.lower);
        let most = at(left.lower()).map_or(1.0, |bounds| bounds.upper);
        Bounds { lower: least.max(0.0), upper: most }
    }
}

/// The loss of a step's pair with its two distributions exchanged.
fn exchanged(loss: &FiniteLoss) -> FiniteLoss {
    match loss {
        FiniteLoss::Sampled(law) => {
            let side = match law.side {
                Side::Remove => Side::Add,
                Side::Add => Side::Remove,
                Side::Replace => Side::Replace,
            };
            FiniteLoss::Sampled(SampledGaussian { side, ..*law })
        }
        FiniteLoss::ByTails(law) => FiniteLoss::ByTails(law.exchanged()),
        symmetric => symmetric.clone(),
    }
}

/// The losses of a release with finitely many.
fn atoms_of(loss: &FiniteLoss) -> Option<Vec<Atom>> {
    match loss {
        FiniteLoss::Lattice(law) => law.losses().filter(|(_, rest)| *rest == 0.0).map(|(atoms, _)| atoms),
        FiniteLoss::Loose(atoms) => Some(atoms.to_vec()),
        FiniteLoss::Gaussian { .. }
        | FiniteLoss::Sampled(_)
        | FiniteLoss::FixedSize(_)
        | FiniteLoss::ByTails(_)
        | FiniteLoss::Exponential(_) => None,
    }
}

/// How many ways there are to share `count` releases among so many losses.
fn outcomes(count: u64, losses: usize) -> f64 {
    (1..losses).fold(1.0, |ways, i| ways * (number(count) + index(i)) / index(i))
}

fn index(i: usize) -> f64 {
    u32::try_from(i).map_or(f64::INFINITY, f64::from)
}

fn length<T>(all: &[T]) -> f64 {
    index(all.len())
}

/// The sums of the losses of `count` releases that are alike, by how many have which: multinomial probabilities.
fn repeated(one: &[Atom], count: u32) -> Vec<Atom> {
    let mut partial = vec![(Ball::exact(0.0), Ball::exact(1.0), count)];
    for (i, (loss, mass)) in one.iter().enumerate() {
        let is_last = i + 1 == one.len();
        let mut next = Vec::new();
        for (sum, weight, left) in partial {
            // With k of those that are left: C(left, k) mass^k.
            let mut ways = weight;
            for k in 0..=left {
                let times = f64::from(k);
                if !is_last || k == left {
                    // The last takes all that are left, in one way.
                    next.push((sum.add(&loss.mul(&Ball::exact(times))), ways, left - k));
                }
                let choices = if is_last {
                    Ball::exact(1.0)
                } else {
                    Ball::exact(f64::from(left - k)).div(&Ball::exact(times + 1.0))
                };
                ways = ways.mul(&choices).mul(mass);
            }
        }
        partial = next;
    }
    partial.into_iter().map(|(sum, weight, _)| (sum, weight)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pld::{
        distribution::{PrivacyLossDistribution as P, losses},
        integrate::discretized::Discretized,
        loss::direction::Direction,
    };
    use crate::units::{Delta, Epsilon, Rate, Scale, Sigma};

    fn all(parts: &[P]) -> P {
        parts.iter().fold(P::none(), |all, part| all.compose(part).unwrap())
    }

    fn agree(x: Bounds, y: Bounds) -> bool {
        x.lower <= y.upper && y.lower <= x.upper
    }

    /// Every outcome of several custom pairs, multiplied out in rationals of a float, is one or several of the sum's.
    #[test]
    fn custom_pairs_against_all_outcomes() {
        let pairs: [(&[(f64, f64)], u32); 3] = [
            (&[(0.5, 0.3), (0.3, 0.3), (0.2, 0.4)], 3),
            (&[(0.9, 0.8), (0.1, 0.2)], 2),
            (&[(0.25, 0.1), (0.25, 0.2), (0.25, 0.3), (0.25, 0.4)], 1),
        ];
        let parts = pairs.map(|(pair, count)| P::discrete(pair).unwrap().repeat(count.into()).unwrap());
        let composed = all(&parts);
        for direction in [Direction::Remove, Direction::Add] {
            let mut outcomes = vec![(1.0, 1.0)];
            for (pair, count) in pairs {
                let sums = [pair.iter().map(|x| x.0).sum::<f64>(), pair.iter().map(|x| x.1).sum::<f64>()];
                for _ in 0..count {
                    let with = |(p, q): &(f64, f64)| {
                        let of = |(x, y): &(f64, f64)| (p * x / sums[0], q * y / sums[1]);
                        pair.iter().map(of).collect::<Vec<_>>()
                    };
                    outcomes = outcomes.iter().flat_map(with).collect();
                }
            }
            for epsilon in [0.0f64, 0.1, 0.5, 1.0, 2.0] {
                let excess = |(p, q): &(f64, f64)| match direction {
                    Direction::Remove => (p - epsilon.exp() * q).max(0.0),
                    Direction::Add => (q - epsilon.exp() * p).max(0.0),
                };
                let truth: f64 = outcomes.iter().map(excess).sum();
                let found = Enumeration::new(&losses(&composed, direction)).unwrap().delta(epsilon);
                assert!((found.lower - 1e-12..=found.upper + 1e-12).contains(&truth), "{epsilon}: {found:?} {truth}");
                assert!(found.upper - found.lower <= 1e-12 * found.upper, "{epsilon}: {found:?}");
            }
        }
    }

    /// Responses beside a sampled step, by total probability: what is forgotten below 0 would be seen.
    #[test]
    fn responses_beside_a_step() {
        let step = P::poisson_gaussian(Sigma(0.8), Rate(0.1)).unwrap();
        let delta = |epsilon: f64| {
            let known = |direction| step.delta_in(epsilon.abs(), direction).unwrap().upper;
            let growth = epsilon.exp();
            if epsilon >= 0.0 { known(Direction::Remove) } else { 1.0 - growth + growth * known(Direction::Add) }
        };
        let composed = all(&[step.clone(), P::pure(0.375).unwrap().repeat(3).unwrap()]);
        let found = Enumeration::new(&losses(&composed, Direction::Remove)).unwrap();
        let likely = 1.0 / (1.0 + f64::exp(-0.375));
        for epsilon in [0.0, 0.2, 1.0, 3.0] {
            let outcome = |k: i32, ways: f64| {
                let mass = ways * likely.powi(3 - k) * (1.0 - likely).powi(k);
                mass * delta(epsilon - 0.375 * f64::from(3 - 2 * k))
            };
            let truth = outcome(0, 1.0) + outcome(1, 3.0) + outcome(2, 3.0) + outcome(3, 1.0);
            let bounds = found.delta(epsilon);
            assert!(
                (bounds.upper - truth).abs() <= 1e-12 * truth && bounds.lower <= bounds.upper,
                "{bounds:?} {truth}"
            );
        }
    }

    /// Sampled steps, in both directions, one replaced, fixed size and Laplace noise, beside atoms: a grid overlaps.
    #[test]
    fn a_grid_overlaps() {
        let steps = [
            P::poisson_gaussian(Sigma(1.0), Rate(0.05)).unwrap(),
            P::fixed_size_gaussian(Sigma(1.0), Rate(0.05)).unwrap(),
            P::laplace(Scale(2.0)).unwrap(),
            P::bounded_range(0.5).unwrap(),
        ];
        let beside = [
            P::pure(0.1).unwrap().repeat(10).unwrap(),
            P::approximate(Epsilon(0.3), Delta(1e-9)).unwrap().repeat(2).unwrap(),
            P::randomized_response(0.5, 5).unwrap().repeat(4).unwrap(),
            P::pure(1.0).unwrap().poisson_sampled(0.1).unwrap(),
        ];
        let mut seen = 0;
        for step in steps {
            for other in &beside {
                let Ok(composed) = step.compose(other) else { continue };
                for direction in [Direction::Remove, Direction::Add] {
                    let losses = losses(&composed, direction);
                    let found = Enumeration::new(&losses).unwrap();
                    for epsilon in [0.3] {
                        let bounds = found.delta(epsilon);
                        let grid = Discretized::new(&losses, epsilon, 0.0).and_then(|grid| grid.delta(epsilon));
                        let Some(grid) = grid else { continue };
                        let name = format!("{composed} {direction:?} {epsilon}: {bounds:?} {grid:?}");
                        assert!(agree(bounds, grid), "{name}");
                        seen += 1;
                        assert!(bounds.upper - bounds.lower <= 1e-9 * bounds.upper + 1e-200, "{name}");
                    }
                }
            }
        }
        assert!(seen > 20, "{seen}");
    }

    #[test]
    fn too_many_or_others_are_none() {
        for parts in [
            vec![P::gaussian(Sigma(1.0)).unwrap(), P::laplace(Scale(1.0)).unwrap()],
            vec![P::laplace(Scale(1.0)).unwrap().repeat(2).unwrap()],
            vec![P::pure(0.1).unwrap().repeat(100).unwrap(), P::pure(0.2).unwrap().repeat(100).unwrap()],
        ] {
            assert!(Enumeration::new(&losses(&all(&parts), Direction::Remove)).is_none());
        }
    }
}
