//! Delta of many different losses without a density: with a little Gaussian noise beside them, of two deviations, which
//! bound what it changes. See `proofs/accounting/pld_smoothed.md`.

use crate::pld::{
    integrate::{
        chernoff::ChernoffBound,
        contour::{Contour, Transforms},
        saddle_point::{GOAL, Plan, ROOM, plan, short},
    },
    loss::finite_loss::{FiniteLoss, FiniteLosses},
    transform::{
        estimate::Estimate,
        nodes::Nodes,
        returns::{Returns, Turnings},
    },
};
use indistinct_numeric::{Above, Below, enclosure::Bounds};
use std::f64::consts::TAU;

/// No fewer kinds: the others have formulas, or a grid does.
const FEWEST: usize = 24;
/// No more nodes than this, and cells.
const MOST_NODES: u32 = 4096;
const MOST_CELLS: u32 = 400_000;
/// So many cells before wider ones.
const GROWING: u32 = 64;
/// What a cell that does not do is divided into, twice.
const PARTS: u32 = 8;
/// What is aimed at, one after another: the logarithms of the relative error by what smoothing changes, and by each of
/// the charged parts.
const AIMS: [(f64, f64); 4] = [(-21.0, -23.5), (-18.0, -20.0), (-15.0, -17.0), (-12.0, -14.0)];
/// Worse than this is left to the grid.
const WORST: f64 = -10.0;
/// So many losses that turn slower decide how wide a cell is, and so much of a turn do they make in it.
const SLOWER: usize = 250;
const MOST_TURN: f64 = 0.1;

/// With Gaussian noise of `mu = w` beside the losses, and of `5 w/4`.
#[derive(Debug)]
pub(crate) struct Smoothed {
    narrow: Contour,
    wide: Contour,
    /// By what the second is known to change more than the first, less 1.
    gain: Below,
}

impl Smoothed {
    /// Whether it may help: for many kinds of losses, none of which is Gaussian. It is asked where no density decides.
    pub(crate) fn may_help(losses: &FiniteLosses) -> bool {
        let is_for = |loss: &FiniteLoss| matches!(loss, FiniteLoss::Lattice(_) | FiniteLoss::Exponential(_));
        losses.len() >= FEWEST && losses.iter().all(|(loss, _)| is_for(loss))
    }

    /// None where it does not help.
    pub(crate) fn new(losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Self> {
        let estimate = Estimate::new(losses);
        let mut plan = plan(&estimate, epsilon, GOAL, known)?;
        plan.frequency = estimate.frequency(plan.tilt, GOAL - plan.estimate + plan.base - plan.tilt.ln());
        let above = ChernoffBound::new(losses, plan.higher)?;
        let period = (GOAL - plan.estimate + above.at(epsilon).get().ln()) / (plan.higher - plan.tilt) * ROOM;
        if period > plan.period {
            plan.period = short(period);
        }
        let wider = [1.1, 1.4, 1.75, 2.2].map(|times| Nodes::up_to(plan.frequency * times, plan.period));
        let counts = || wider.into_iter().flatten().filter(|count| *count <= MOST_NODES);
        let mut lines = AIMS.into_iter().flat_map(|aim| counts().map(move |count| (aim, count)));
        let turnings = Turnings::new(losses, plan.tilt);
        let (count, tail) = lines.find_map(|(aim, count)| Some((count, tail(&turnings, &plan, count, aim)?)))?;
        let nodes = Nodes { tilt: plan.tilt, period: plan.period, count };
        Self::of(Transforms::new(losses, &nodes)?, above, &plan, &tail)
    }

    /// With noise of both deviations beside transforms, whose sum goes on as a tail says.
    fn of(transforms: Transforms, above: ChernoffBound, plan: &Plan, tail: &Tail) -> Option<Self> {
        let Tail { cells, end, noise } = *tail;
        // Of few bits, so that four and five times it are floats.
        let sigma = short(0.2 / noise);
        let side = |sigma: f64, transforms: Transforms, above: ChernoffBound| {
            let precision = Above::exact(1.0) / Below::exact(sigma);
            let least = (Below::exact(1.0) / Above::exact(sigma)).squared();
            let beyond = Above::exact(1.0) / end.squared() + Above::exact(plan.period) / (Below::TWO_PI * end);
            let fall = (-(end.squared() * 0.5 * least)).exp();
            let noise = [(FiniteLoss::Gaussian { sigma }, 1)];
            let found = Contour::of(transforms, &noise, plan, cells + fall * beyond * 2.0, above.beside(&noise))?;
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

/// What is left out of the sum: in cells, over the value at the base point; where they end; and the noise that makes up
/// for the rest.
#[derive(Debug, Clone, Copy)]
struct Tail {
    cells: Above,
    end: Below,
    noise: f64,
}

fn tail(turnings: &Turnings, plan: &Plan, count: u32, (aim, charge): (f64, f64)) -> Option<Tail> {
    let Plan { tilt, period, base, estimate, .. } = *plan;
    let first = (Below::TWO_PI * f64::from(count) / Above::exact(period)).get();
    // How much of the sum a relative error of 1 is, in logarithms.
    let whole = period.ln() + estimate - base;
    // What the noise has to take off where the cells end.
    let needed = |end: f64| (2.0 * ((period / (TAU * end) * 2.0).ln() - whole - charge)).max(1.0).sqrt();
    // Noise w changes 9/8 (c w)^2.
    let noise_at = |end: f64| needed(end) / end;
    let changed = |end: f64| 2.0 * (noise_at(end) * tilt).ln() + 0.12;
    let widest = short(MOST_TURN * TAU / turnings.pace(SLOWER)?);
    let mut width = short(widest.min(first / 8.0));
    if !(width > 0.0 && first > 0.0) {
        return None;
    }
    let budget = (whole + charge).exp();
    let (mut sum, mut end, mut done) = (Above::ZERO, first, 0);
    // Cells are twice as wide after some dozens of them, up to the widest.
    while done < MOST_CELLS {
        let is_widest = width >= widest;
        let most = if is_widest { MOST_CELLS - done } else { GROWING.min(MOST_CELLS - done) };
        let stage = Stage { turnings, period, from: end, width, most };
        let (charged, cells) = stage.run((budget, sum), |end| changed(end) <= aim);
        (sum, done) = (sum + charged, done + cells);
        end = (Below::exact(width) * f64::from(cells) + end).get();
        if cells < most || is_widest {
            break;
        }
        width = short((width * 2.0).min(widest));
    }
    (changed(end) <= WORST).then_some(Tail { cells: sum, end: Below::exact(end), noise: noise_at(end) })
}

/// Cells of one width.
struct Stage<'a> {
    turnings: &'a Turnings,
    period: f64,
    from: f64,
    width: f64,
    most: u32,
}

/// Cells of a stage, or parts of them.
struct Level<'a> {
    cells: Returns<'a>,
    from: f64,
    width: f64,
    /// Twice how many nodes there are in a cell.
    nodes: Above,
}

impl Stage<'_> {
    /// The sum over all nodes in cells, over the value at the base point, and how many cells: until that would be more
    /// than a budget of which some is spent, or a frequency is enough.
    fn run(&self, (budget, spent): (f64, Above), is_enough: impl Fn(f64) -> bool) -> (Above, u32) {
        let Self { turnings, period, from, width, most } = *self;
        let level = |parts: u32| {
            let width = width / f64::from(parts);
            let nodes = (Above::exact(width) * period / Below::TWO_PI + 1.0) * 2.0;
            Level { cells: turnings.cells(from, width, most.saturating_mul(parts)), from, width, nodes }
        };
        let levels = [1, PARTS, PARTS * PARTS].map(level);
        // All cells of a level, over `e^-goal`: the sum of the squares of reciprocals.
        let first = Below::exact(from);
        let all = |level: &Level<'_>| {
            level.nodes * (Above::exact(1.0) / first.squared() + Above::exact(1.0) / (first * level.width))
        };
        let all: Above = levels.iter().map(all).sum();
        let goal = (all.get() / budget).ln() + 3.0;
        let mut charged = Above::exact(-goal).exp() * all;
        for cell in 0..most {
            if cell % 64 == 0 && is_enough((Below::exact(width) * f64::from(cell) + from).get()) {
                return (charged, cell);
            }
            let more = charged + rest(&levels, cell, goal);
            if (more + spent).get() > budget {
                return (charged, cell);
            }
            charged = more;
        }
        (charged, most)
    }
}

/// What nodes in a cell come to, if that does not reach the goal, part by part.
fn rest(levels: &[Level<'_>], cell: u32, goal: f64) -> Above {
    let Some((level, finer)) = levels.split_first() else { return Above::UNKNOWN };
    let lost = level.cells.lost(cell, goal);
    if lost.get() >= goal {
        return Above::ZERO;
    }
    if finer.is_empty() {
        let at = Below::exact(level.width) * f64::from(cell) + level.from;
        return (-lost).exp() * level.nodes / at.squared();
    }
    (0..PARTS).map(|part| rest(finer, cell * PARTS + part, goal)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PrivacyLossDistribution as P,
        pld::{distribution::losses, integrate::lattice_sum::LatticeSum, loss::direction::Direction},
        units::{Scale, Sigma},
    };
    use indistinct_numeric::enclosure::ComplexBall;

    fn all(parts: impl IntoIterator<Item = P>) -> P {
        parts.into_iter().fold(P::none(), |all, part| all.compose(&part).unwrap())
    }

    fn finite(all: &P) -> Vec<(FiniteLoss, u64)> {
        losses(all, Direction::Remove)
    }

    /// Against sums over all combinations; what thinks that twice the noise changes twice as much claims too much.
    #[test]
    fn a_few_kinds_many_times_are_as_counted() {
        let (mut seen, mut caught) = (0, 0);
        for epsilons in [[0.01, 0.007_13], [0.02, 0.030_1], [0.005, 0.008_1]] {
            let all = all(epsilons.map(|epsilon| P::pure(epsilon).unwrap().repeat(2000).unwrap()));
            for share in [1.0, 3.5] {
                let epsilon = share * (epsilons.map(|epsilon| epsilon * epsilon).iter().sum::<f64>() * 2000.0).sqrt();
                let truth = all.delta(epsilon).unwrap();
                assert!(truth.upper - truth.lower < 1e-12 * truth.upper, "{truth:?}");
                let Some(mut found) = Smoothed::new(&finite(&all), epsilon, 0.0) else { continue };
                let bounds = found.delta(epsilon);
                seen += 1;
                assert!(bounds.lower <= truth.upper && truth.lower <= bounds.upper, "{bounds:?} {truth:?}");
                assert!(bounds.upper - bounds.lower < 1e-3 * bounds.upper, "{bounds:?}");
                // Another epsilon on the same line.
                let (near, truth) = (found.delta(epsilon * 1.01), all.delta(epsilon * 1.01).unwrap());
                assert!(near.lower <= truth.upper && truth.lower <= near.upper, "{near:?} {truth:?}");
                found.gain = Below::exact(1.0);
                caught += u32::from(found.delta(epsilon).lower > truth.upper.max(all.delta(epsilon).unwrap().upper));
            }
        }
        assert!(seen >= 3 && caught >= 2, "{seen} {caught}");
    }

    /// A plan for an epsilon, and nodes up to a frequency.
    fn planned(losses: &FiniteLosses, epsilon: f64, frequency: impl Fn(&Plan) -> f64) -> (Plan, u32) {
        let estimate = Estimate::new(losses);
        let mut plan = plan(&estimate, epsilon, GOAL, 0.0).unwrap();
        plan.frequency = estimate.frequency(plan.tilt, GOAL - plan.estimate + plan.base - plan.tilt.ln());
        let count = Nodes::up_to(frequency(&plan), plan.period).unwrap();
        (plan, count)
    }

    fn smoothed(losses: &FiniteLosses, plan: &Plan, count: u32, tail: &Tail) -> Smoothed {
        let transforms = Transforms::new(losses, &Nodes { tilt: plan.tilt, period: plan.period, count }).unwrap();
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
            let tail = Tail { cells: Above::ZERO, end: Below::exact(12.0 / noise), noise };
            let mut found = smoothed(&losses, &plan, count, &tail);
            let bounds = found.delta(2.0);
            assert!(bounds.lower <= truth.upper && truth.lower <= bounds.upper, "{bounds:?} {truth:?}");
            assert!(truth.lower - bounds.lower < 0.4 * (bounds.upper - truth.upper), "{bounds:?} {truth:?}");
            found.gain = Below::exact(wrong);
            assert!(found.delta(2.0).lower > truth.upper, "{noise}");
        }
    }

    /// Sums that end early: they are off by what they say, and would be wrong without it.
    #[test]
    fn what_is_not_summed_is_counted() {
        let all = all([0.01, 0.007_13].map(|epsilon| P::pure(epsilon).unwrap().repeat(2000).unwrap()));
        let losses = finite(&all);
        // Whether a sum is wrong for the losses and noise.
        let is_wrong = |plan: &Plan, count: u32, tail: &Tail| {
            let found = smoothed(&losses, plan, count, tail);
            [(&found.narrow, 5.0), (&found.wide, 4.0)].map(|(contour, times)| {
                let noise = P::gaussian(Sigma(short(0.2 / tail.noise) * times)).unwrap();
                let truth = all.compose(&noise).unwrap().delta(1.0).unwrap();
                let bounds = contour.delta(1.0);
                bounds.lower > truth.upper || bounds.upper < truth.lower
            })
        };
        for share in [0.4, 0.45, 0.5] {
            let (plan, count) = planned(&losses, 1.0, |plan| plan.frequency * share);
            let end = Below::TWO_PI * f64::from(count) / Above::exact(plan.period);
            // Little noise, and no cells.
            let bare = Tail { cells: Above::ZERO, end, noise: 0.7 / end.get() };
            assert_eq!(is_wrong(&plan, count, &bare), [false; 2], "{share}");
            let nothing = Tail { end: Below::exact(1e100), ..bare };
            assert_eq!(is_wrong(&plan, count, &nothing), [true; 2], "{share}");
            // So much noise that nothing is left behind the cells.
            let celled = tail(&Turnings::new(&losses, plan.tilt), &plan, count, (-12.0, -2.0)).unwrap();
            let celled = Tail { noise: 12.0 / celled.end.get(), ..celled };
            assert_eq!(is_wrong(&plan, count, &celled), [false; 2], "{share}");
            assert_eq!(is_wrong(&plan, count, &Tail { cells: Above::ZERO, ..celled }), [true; 2], "{share}");
            let sum = in_cells(&losses, &plan, count, celled.end);
            assert!(0.0 < sum && sum <= celled.cells.get(), "{share} {sum:e} {celled:?}");
        }
    }

    /// The sum over nodes up to where cells end, over the value at the base point.
    fn in_cells(losses: &FiniteLosses, plan: &Plan, first: u32, end: Below) -> f64 {
        let count = Nodes::up_to(end.get(), plan.period).unwrap() - 1;
        let nodes = Nodes { tilt: plan.tilt, period: plan.period, count };
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
        (first..count).map(part).sum()
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
