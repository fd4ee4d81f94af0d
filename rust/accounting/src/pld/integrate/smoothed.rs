//! Delta of many different losses without a density: with a little Gaussian noise beside them, of two deviations, which
//! bound what it changes. See `proofs/accounting/pld_lemmas.md`.

use crate::pld::{
    integrate::{
        chernoff::ChernoffBound,
        contour::{Contour, Transforms},
        saddle_point::{GOAL, Plan, plan, short},
        tail::Tail,
    },
    loss::finite_loss::{FiniteLoss, FiniteLosses},
    transform::estimate::Estimate,
};
use indistinct_numeric::{Above, Below, enclosure::Bounds};

/// So many tilts up no more nodes are summed without a look.
const MOST_FREQUENCY: f64 = 100.0;

/// With Gaussian noise of `mu = w` beside the losses, and of `5 w/4`.
#[derive(Debug)]
pub(crate) struct Smoothed {
    narrow: Contour,
    wide: Contour,
    /// By what the second is known to change more than the first, less 1.
    gain: Below,
}

impl Smoothed {
    /// True if it may help: for many kinds of losses, none of which is Gaussian. It is asked where no density decides.
    pub(crate) fn may_help(losses: &FiniteLosses) -> bool {
        let is_for = |loss: &FiniteLoss| matches!(loss, FiniteLoss::Lattice(_) | FiniteLoss::Exponential(_));
        losses.iter().all(|(loss, _)| is_for(loss))
    }

    /// None where it does not help.
    pub(crate) fn new(losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Self> {
        let estimate = Estimate::new(losses);
        let mut plan = plan(&estimate, epsilon, GOAL, known)?;
        // Where losses are next to the greatest, it hardly falls.
        let frequency = estimate.frequency(plan.tilt, GOAL - plan.estimate + plan.base - plan.tilt.ln());
        plan.frequency = frequency.min(plan.tilt * MOST_FREQUENCY);
        let above = ChernoffBound::new(losses, plan.higher)?;
        plan.make_room(GOAL, &above, epsilon);
        let (nodes, tail) = Tail::new(losses, &plan)?;
        Self::of(Transforms::at(&nodes, losses, (plan.tilt, plan.period))?, above, &plan, &tail)
    }

    /// With noise of both deviations beside transforms, whose sum goes on as a tail says.
    fn of(transforms: Transforms, above: ChernoffBound, plan: &Plan, tail: &Tail) -> Option<Self> {
        let Tail { charged, end, noise, .. } = *tail;
        // Of few bits, so that four and five times it are floats.
        let sigma = short(0.2 / noise);
        let side = |sigma: f64, transforms: Transforms, above: ChernoffBound| {
            let precision = Above::exact(1.0) / Below::exact(sigma);
            let least = (Below::exact(1.0) / Above::exact(sigma)).squared();
            let beyond = Above::exact(1.0) / end.squared() + Above::exact(plan.period) / (Below::TWO_PI * end);
            let fall = (-(end.squared() * 0.5 * least)).exp();
            let noise = [(FiniteLoss::Gaussian { sigma }, 1)];
            let remainder = (charged + fall * beyond * 2.0) * transforms.at_tilt();
            let found = Contour::of(transforms, &noise, plan, remainder, above.beside(&noise))?;
            Some((found, precision.squared()))
        };
        let (narrow, variance) = side(sigma * 5.0, transforms.clone(), above.clone())?;
        let (wide, _) = side(sigma * 4.0, transforms, above)?;
        // 5/4 e^(-9 w^2/128), less 1.
        let gain = (-(variance * 0.070_312_5)).exp() * 1.25 - Above::exact(1.0);
        (gain.get() > 0.1).then_some(Self { narrow, wide, gain })
    }

    /// Bounds on `E[(1 - e^(epsilon - L))+]`.
    pub(crate) fn delta(&self, epsilon: f64) -> Bounds {
        let (narrow, wide) = (self.narrow.delta(epsilon), self.wide.delta(epsilon));
        let more = Above::exact(wide.upper) - Below::exact(narrow.lower);
        let lower = Below::exact(narrow.lower) - more.max(Above::ZERO) / self.gain;
        Bounds { lower: lower.get().max(0.0), upper: narrow.upper }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PrivacyLossDistribution as P,
        pld::{
            distribution::losses,
            integrate::{discretized::Discretized, lattice_sum::LatticeSum},
            loss::direction::Direction,
            transform::{nodes::Nodes, returns::Turnings},
        },
        units::{Scale, Sigma},
    };
    use indistinct_numeric::enclosure::ComplexBall;
    use std::{collections::HashSet, f64::consts::TAU};

    fn all(parts: impl IntoIterator<Item = P>) -> P {
        parts.into_iter().fold(P::none(), |all, part| all.compose(&part).unwrap())
    }

    fn finite(all: &P) -> Vec<(FiniteLoss, u64)> {
        losses(all, Direction::Remove)
    }

    /// Delta of so many responses of each of two kinds, summed in floats over all outcomes, and what that rounds.
    fn of_two_kinds(epsilons: [f64; 2], count: u32, epsilon: f64) -> Bounds {
        let binomial = |own: f64| -> Vec<(f64, f64)> {
            let (n, odds) = (f64::from(count), own.exp());
            let likely = (n * odds / (1.0 + odds)).floor();
            let mut weights = vec![(0.0, 0.0); usize::try_from(count).unwrap() + 1];
            for direction in [1.0, -1.0] {
                let (mut k, mut weight) = (likely, 1.0);
                while (0.0..=n).contains(&k) {
                    let place = (0usize..).zip(0..=count).find(|(_, i)| f64::from(*i) == k).unwrap().0;
                    weights[place] = (own * (2.0 * k - n), weight);
                    let next = k + direction;
                    weight *= if direction > 0.0 { (n - k) / next * odds } else { k / (n - next) / odds };
                    k = next;
                }
            }
            let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
            weights.iter().map(|(loss, weight)| (*loss, weight / total)).collect()
        };
        let [first, second] = epsilons.map(binomial);
        let is_likely = |atom: &&(f64, f64)| atom.1 > 1e-30;
        let mut delta = 0.0;
        for (loss, mass) in first.iter().filter(is_likely) {
            let beside = |(other, weight): &(f64, f64)| weight * -(epsilon - loss - other).min(0.0).exp_m1();
            delta += mass * second.iter().filter(is_likely).map(beside).sum::<f64>();
        }
        Bounds { lower: delta * (1.0 - 1e-11), upper: delta * (1.0 + 1e-11) }
    }

    /// Against sums over all combinations; what thinks that wider noise changes eleven times as much claims too much.
    #[test]
    fn a_few_kinds_many_times_are_as_counted() {
        let (mut seen, mut caught) = (0, 0);
        for epsilons in [[0.01, 0.007_13], [0.02, 0.030_1], [0.005, 0.008_1]] {
            let all = all(epsilons.map(|epsilon| P::pure(epsilon).unwrap().repeat(2000).unwrap()));
            for share in [1.0, 3.5] {
                let epsilon = share * (epsilons.map(|epsilon| epsilon * epsilon).iter().sum::<f64>() * 2000.0).sqrt();
                let truth = of_two_kinds(epsilons, 2000, epsilon);
                let losses = finite(&all);
                let found = Smoothed::new(&losses, epsilon, 0.0).unwrap();
                let bounds = found.delta(epsilon);
                seen += 1;
                assert!(bounds.lower <= truth.upper && truth.lower <= bounds.upper, "{bounds:?} {truth:?}");
                assert!(bounds.upper - bounds.lower < 1e-3 * bounds.upper, "{bounds:?}");
                // Another epsilon on the same line.
                let (near, truth) = (found.delta(epsilon * 1.01), of_two_kinds(epsilons, 2000, epsilon * 1.01));
                assert!(near.lower <= truth.upper && truth.lower <= near.upper, "{near:?} {truth:?}");
                // With more noise.
                let (plan, count) = planned(&losses, epsilon, |plan| plan.frequency);
                let (nodes, tail) =
                    Tail::behind(&Turnings::new(&losses, plan.tilt), &plan, (count, 5000), (-10.0, -20.0));
                let mut found = smoothed(&losses, &plan, nodes, &tail);
                found.gain = Below::exact(10.0);
                caught += u32::from(found.delta(epsilon).lower > all.delta(epsilon).unwrap().upper);
            }
        }
        assert!(seen == 6 && caught >= 4, "{seen} {caught}");
    }

    /// A few kinds, or some dozens that are nearly alike, of which much has to be summed: against a grid, within whose
    /// bounds they are.
    #[test]
    fn a_few_kinds_are_within_what_a_grid_says() {
        let of = |count: u32, one: &dyn Fn(f64) -> P| {
            all((1..=count).map(|i| one((f64::from(i) * 0.618_033_988_749_894_9).fract())))
        };
        let laplace = |x: f64| P::laplace(Scale(20.0 + 20.0 * x)).unwrap();
        let discrete = |x: f64| P::discrete_gaussian(Sigma(5.0 + 3.0 * x), 1).unwrap();
        let any = |x: f64| if x < 0.4 { P::pure(0.03 + 0.02 * x).unwrap() } else { laplace(x) };
        for (name, all, width) in [
            ("12 Laplace", of(12, &laplace), 1e-6),
            ("30 Laplace, alike", of(30, &|x| laplace(x / 20.0)), 1e-5),
            ("100 Laplace", of(100, &laplace), 1e-7),
            ("3 discrete Gaussian", of(3, &discrete), 1e-5),
            ("60 of two kinds", of(60, &any), 1e-5),
        ] {
            let losses = finite(&all);
            let epsilon = all.epsilon(1e-6).unwrap().upper;
            let found = Smoothed::new(&losses, epsilon, 0.0).unwrap().delta(epsilon);
            let grid = Discretized::new(&losses, epsilon, 0.0).unwrap().delta(epsilon).unwrap();
            assert!(grid.lower <= found.upper && found.lower <= grid.upper, "{name}: {found:?} {grid:?}");
            assert!(found.upper - found.lower < width * found.upper, "{name}: {found:?}");
        }
    }

    /// A plan for an epsilon, and nodes up to a frequency.
    fn planned(losses: &FiniteLosses, epsilon: f64, frequency: impl Fn(&Plan) -> f64) -> (Plan, u32) {
        let estimate = Estimate::new(losses);
        let mut plan = plan(&estimate, epsilon, GOAL, 0.0).unwrap();
        plan.frequency = estimate.frequency(plan.tilt, GOAL - plan.estimate + plan.base - plan.tilt.ln());
        let count = Nodes::up_to(frequency(&plan), plan.period).unwrap();
        (plan, count)
    }

    fn smoothed(losses: &FiniteLosses, plan: &Plan, nodes: Vec<u32>, tail: &Tail) -> Smoothed {
        let transforms = Transforms::at(&nodes, losses, (plan.tilt, plan.period)).unwrap();
        Smoothed::of(transforms, ChernoffBound::new(losses, plan.higher).unwrap(), plan, tail).unwrap()
    }

    /// Where all of the change is at an atom the lower bound is nearly attained, and whoever takes a little more for
    /// the gain is above the truth.
    #[test]
    fn an_atom_at_epsilon() {
        let all = all([4.0, 2.0].map(|epsilon| P::pure(epsilon).unwrap()));
        let losses = finite(&all);
        let truth = all.delta(2.0).unwrap();
        for (noise, wrong) in [(0.05, 0.255), (0.3, 0.25), (1.0, 0.25)] {
            let (plan, count) = planned(&losses, 2.0, |_| 12.0 / noise);
            let tail = Tail { charged: Above::ZERO, end: Below::exact(12.0 / noise), noise, changed: 0.0 };
            let mut found = smoothed(&losses, &plan, (0..count).collect(), &tail);
            let bounds = found.delta(2.0);
            assert!(bounds.lower <= truth.upper && truth.lower <= bounds.upper, "{bounds:?} {truth:?}");
            assert!(truth.lower - bounds.lower < 0.4 * (bounds.upper - truth.upper), "{bounds:?} {truth:?}");
            found.gain = Below::exact(wrong);
            assert!(found.delta(2.0).lower > truth.upper, "{noise}");
        }
    }

    /// Sums that end early or leave nodes out: they are off by what they say, and would be wrong without it.
    #[test]
    fn what_is_not_summed_is_counted() {
        let all = all([0.01, 0.007_13].map(|epsilon| P::pure(epsilon).unwrap().repeat(2000).unwrap()));
        let losses = finite(&all);
        // Whether a sum is wrong for the losses and noise.
        let is_wrong = |plan: &Plan, nodes: &[u32], tail: &Tail| {
            let found = smoothed(&losses, plan, nodes.to_vec(), tail);
            [(&found.narrow, 5.0), (&found.wide, 4.0)].map(|(contour, times)| {
                let noise = P::gaussian(Sigma(short(0.2 / tail.noise) * times)).unwrap();
                let truth = all.compose(&noise).unwrap().delta(1.0).unwrap();
                let bounds = contour.delta(1.0);
                bounds.lower > truth.upper || bounds.upper < truth.lower
            })
        };
        let mut summed = 0;
        for (share, charge) in [(0.4, -2.0), (0.45, -2.0), (0.5, -2.0), (0.4, -7.0), (0.5, -9.0)] {
            let (plan, count) = planned(&losses, 1.0, |plan| plan.frequency * share);
            let first: Vec<u32> = (0..count).collect();
            let end = Below::TWO_PI * f64::from(count) / Above::exact(plan.period);
            // Little noise, and nothing that is looked at.
            let bare = Tail { charged: Above::ZERO, end, noise: 0.7 / end.get(), changed: 0.0 };
            assert_eq!(is_wrong(&plan, &first, &bare), [false; 2], "{share}");
            let nothing = Tail { end: Below::exact(1e100), ..bare };
            assert_eq!(is_wrong(&plan, &first, &nothing), [true; 2], "{share}");
            // So much noise that nothing is left behind what is looked at.
            let turnings = Turnings::new(&losses, plan.tilt);
            let (nodes, tail) = Tail::behind(&turnings, &plan, (count, 5000), (-12.0, charge));
            let tail = Tail { noise: 12.0 / tail.end.get(), ..tail };
            assert_eq!(is_wrong(&plan, &nodes, &tail), [false; 2], "{share}");
            summed += nodes.len() - first.len();
            let (sum, without) =
                (left_out(&losses, &plan, &nodes, tail.end), left_out(&losses, &plan, &first, tail.end));
            assert!(0.0 < sum && sum <= tail.charged.get(), "{share} {sum:e} {tail:?}");
            assert!(nodes.len() == first.len() || without > tail.charged.get(), "{share} {without:e} {tail:?}");
            // Nothing is charged for what is left out, or what was to be summed is not.
            let bare = Tail { charged: Above::ZERO, ..tail };
            assert_eq!(is_wrong(&plan, &first, &bare), [true; 2], "{share}");
        }
        assert!(summed > 0);
    }

    /// The sum over nodes that are not summed, up to a frequency, over the value at the base point.
    fn left_out(losses: &FiniteLosses, plan: &Plan, summed: &[u32], end: Below) -> f64 {
        let count = Nodes::up_to(end.get(), plan.period).unwrap() - 1;
        let nodes = Nodes::new(plan.tilt, plan.period, count);
        let one = |(loss, times): &(FiniteLoss, u64)| {
            let values = loss.values(&nodes).unwrap().less_one;
            let times = f64::from(u32::try_from(*times).unwrap());
            values.iter().map(|value| times * ComplexBall::ONE.add(value).modulus().ln()).collect::<Vec<_>>()
        };
        let all: Vec<_> = losses.iter().map(one).collect();
        let logarithm = |n: usize| all.iter().map(|values| values[n]).sum::<f64>();
        let part = |n: u32| {
            let (fallen, frequency) =
                (logarithm(n.try_into().unwrap()) - logarithm(0), TAU * f64::from(n) / plan.period);
            2.0 * fallen.exp() / (plan.tilt.hypot(frequency) * (plan.tilt + 1.0).hypot(frequency))
        };
        let summed: HashSet<_> = summed.iter().copied().collect();
        (0..count).filter(|n| !summed.contains(n)).map(part).sum()
    }

    /// Against a lattice that all have in common, which is not looked at here.
    #[test]
    fn many_kinds_are_as_on_a_lattice() {
        let pures = all((50..=250u32).map(|i| P::pure(f64::from(i) / 4096.0).unwrap()));
        let gaussians = all([(8.0, 64), (16.0, 64), (32.0, 256)]
            .map(|(sigma, count)| P::discrete_gaussian(Sigma(sigma), 1).unwrap().repeat(count).unwrap()));
        let others = all([
            P::randomized_response(0.25, 5).unwrap(),
            P::discrete_laplace(Scale(8.0), 2).unwrap().repeat(3).unwrap(),
        ]);
        let mixed = all([pures.clone(), gaussians.clone(), others]);
        for (all, epsilon) in [(&pures, 1.5), (&gaussians, 5.0), (&mixed, 6.0)] {
            let losses = finite(all);
            let lattice = LatticeSum::new(&losses, epsilon, 0.0).unwrap().delta(epsilon).unwrap();
            agree(&losses, epsilon, lattice);
        }
    }

    fn agree(losses: &FiniteLosses, epsilon: f64, truth: Bounds) {
        assert!(truth.upper - truth.lower < 1e-8 * truth.upper, "{truth:?}");
        let found = Smoothed::new(losses, epsilon, 0.0).unwrap().delta(epsilon);
        assert!(found.lower <= truth.upper && truth.lower <= found.upper, "{found:?} {truth:?}");
        assert!(found.upper - found.lower < 1e-4 * found.upper, "{found:?} {truth:?}");
    }
}
