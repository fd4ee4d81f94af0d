//! Delta of many different losses without a density: with a little Gaussian noise beside them, of two deviations, which
//! bound what it changes. See `proofs/accounting/pld_smoothed.md`.

use crate::pld::{
    integrate::{
        chernoff::ChernoffBound,
        contour::{Contour, Transforms},
        saddle_point::{GOAL, Plan, ROOM, plan, short},
    },
    loss::finite_loss::{FiniteLoss, FiniteLosses},
    transform::{estimate::Estimate, nodes::Nodes, returns::Turnings},
};
use indistinct_numeric::{
    Above, Below,
    enclosure::Bounds,
};
use std::f64::consts::TAU;

/// No fewer kinds: the others have formulas, or a grid does.
const FEWEST: usize = 24;
/// No more nodes than this, and cells.
const MOST_NODES: u32 = 4096;
const MOST_CELLS: u32 = 400_000;
/// The logarithms of the relative error that is aimed at, of what smoothing changes, and of each of the charged parts.
const AIMS: (f64, f64) = (-21.0, -23.5);
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
    /// Whether it may help: for many kinds of losses, none of which has a density that decides.
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
        let (count, Tail { cells, end, noise }) = (0..4).find_map(|i| {
            let count = Nodes::up_to(plan.frequency * 1.1 * 1.25f64.powi(i), plan.period)?;
            if count > MOST_NODES {
                return None;
            }
            Some((count, tail(losses, &plan, count)?))
        })?;
        let nodes = Nodes { tilt: plan.tilt, period: plan.period, count };
        let transforms = Transforms::new(losses, &nodes)?;
        // Of few bits, so that four and five times it are floats.
        let sigma = short(0.25 / noise);
        let side = |sigma: f64, transforms: Transforms, above: ChernoffBound| {
            let precision = Above::exact(1.0) / Below::exact(sigma);
            let least = (Below::exact(1.0) / Above::exact(sigma)).squared();
            let beyond = Above::exact(1.0) / end.squared() + Above::exact(plan.period) / (Below::TWO_PI * end);
            let fall = (-(end.squared() * 0.5 * least)).exp();
            let noise = [(FiniteLoss::Gaussian { sigma }, 1)];
            let found = Contour::of(transforms, &noise, &plan, cells + fall * beyond * 2.0, above.beside(&noise))?;
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
struct Tail {
    cells: Above,
    end: Below,
    noise: f64,
}

fn tail(losses: &FiniteLosses, plan: &Plan, count: u32) -> Option<Tail> {
    let Plan { tilt, period, base, estimate, .. } = *plan;
    let turnings = Turnings::new(losses, tilt);
    let first = (Below::TWO_PI * f64::from(count) / Above::exact(period)).get();
    // How much of the sum a relative error of 1 is, in logarithms.
    let whole = period.ln() + estimate - base;
    // What the noise has to take off where the cells end.
    let needed = |end: f64| (2.0 * ((period / (TAU * end) * 2.0).ln() - whole - AIMS.1)).max(1.0).sqrt();
    // Noise w changes 9/8 (c w)^2.
    let noise_at = |end: f64| needed(end) / end;
    let changed = |end: f64| 2.0 * (noise_at(end) * tilt).ln() + 0.12;
    let width = short(MOST_TURN * TAU / turnings.pace(SLOWER)?);
    if !(width > 0.0 && first > 0.0) {
        return None;
    }
    // Twice how many nodes there are in a cell.
    let nodes = (Above::exact(width) * period / Below::TWO_PI + 1.0) * 2.0;
    let goal = (nodes.get() * (1.0 / (first * first) + 1.0 / (first * width))).ln() - whole - AIMS.1;
    let budget = (whole + AIMS.1).exp();
    let cells = turnings.cells(first, width, MOST_CELLS);
    let mut rare = Above::ZERO;
    let mut done = 0;
    let mut end = first;
    for cell in 0..MOST_CELLS {
        let lost = cells.lost(cell, goal);
        let from = Below::exact(width) * f64::from(cell) + first;
        if lost.get() < goal {
            let more = rare + (-lost).exp() * nodes / from.squared();
            if more.get() > budget {
                break;
            }
            rare = more;
        }
        done = cell + 1;
        end = from.get() + width;
        if cell % 256 == 0 && changed(end) <= AIMS.0 {
            break;
        }
    }
    if done == 0 || changed(end) > WORST {
        return None;
    }
    let first = Below::exact(first);
    let all = Above::exact(1.0) / first.squared() + Above::exact(1.0) / (first * width);
    let cells = rare + Above::exact(-goal).exp() * nodes * all;
    let end = Below::exact(width) * f64::from(done) + first.get();
    Some(Tail { cells, end, noise: noise_at(end.get()) })
}
