//! How many nodes of a sum are taken, and what all behind them come to, where no bound on the transform tends to 0:
//! block by block, as far as one cares to look, and noise for the rest. See `proofs/accounting/pld_smoothed.md`.

use crate::pld::{
    integrate::saddle_point::Plan,
    loss::{
        finite_loss::{FiniteLoss, FiniteLosses, whole},
        lattice::LatticeKind,
    },
    transform::{
        nodes::Nodes,
        returns::{Returns, Turnings},
    },
};
use indistinct_numeric::{Above, Below};
use std::f64::consts::TAU;

/// No more blocks are looked at, and no more values of one loss at a node are summed.
const MOST_BLOCKS: u32 = 400_000;
const MOST_VALUES: f64 = 4e6;
const MOST_NODES: f64 = 65_536.0;
/// So many times as many nodes as before, at least, where there is too much behind them.
const FURTHER: f64 = 1.25;
/// So many blocks before longer ones.
const GROWING: u32 = 64;
/// What is aimed at, one after another: the logarithms of the relative error by what smoothing changes, and by each of
/// the charged parts.
const AIMS: [(f64, f64); 4] = [(-21.0, -23.5), (-18.0, -20.0), (-15.0, -17.0), (-12.0, -14.0)];
/// Worse than this is left to the grid.
const WORST: f64 = -10.0;
/// So many losses that turn slower decide how long a block is, and so much of a turn do they make in it.
const SLOWER: usize = 250;
const MOST_TURN: f64 = 0.1;

/// What is left out of the sum: in blocks, over the value at the base point; the frequency where they end; and the
/// noise that makes up for the rest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tail {
    pub(crate) blocks: Above,
    pub(crate) end: Below,
    pub(crate) noise: f64,
    /// The logarithm of what that changes, relatively, about.
    pub(crate) changed: f64,
}

impl Tail {
    /// How many nodes are to be summed, and what is left.
    pub(crate) fn new(losses: &FiniteLosses, plan: &Plan) -> Option<(u32, Self)> {
        let work: f64 = losses.iter().map(|(loss, _)| work(loss)).sum();
        let most = (MOST_VALUES / work).min(MOST_NODES);
        let turnings = Turnings::new(losses, plan.tilt);
        let next = AIMS.into_iter().skip(1).map(|(aim, _)| aim).chain([WORST]);
        AIMS.into_iter().zip(next).find_map(|(aim, next)| Self::with_aim(&turnings, plan, most, (aim, next)))
    }

    /// Up to the last node from which on there is too much; where an aim is missed, what does at least as well as the
    /// next one.
    fn with_aim(turnings: &Turnings, plan: &Plan, most: f64, (aim, next): ((f64, f64), f64)) -> Option<(u32, Self)> {
        let (mut frequency, mut best) = (plan.frequency, None);
        loop {
            let count = Nodes::up_to(frequency * FURTHER, plan.period).filter(|count| f64::from(*count) <= most);
            let Some(count) = count else { return best };
            let (tail, behind) = Self::behind(turnings, plan, count, aim);
            if tail.changed <= aim.0 {
                return Some((count, tail));
            }
            if tail.changed <= best.map_or(next, |(_, best): (u32, Self)| best.changed) {
                best = Some((count, tail));
            }
            frequency = TAU * f64::from(count.max(behind)) / plan.period;
        }
    }

    /// What is left behind so many nodes, and the node up to which blocks were looked at.
    pub(crate) fn behind(turnings: &Turnings, plan: &Plan, count: u32, (aim, charge): (f64, f64)) -> (Self, u32) {
        let Plan { tilt, period, base, estimate, .. } = *plan;
        // How much of the sum a relative error of 1 is, in logarithms.
        let all = period.ln() + estimate - base;
        // What the noise has to take off where the blocks end.
        let needed = |end: f64| (2.0 * ((period / (TAU * end) * 2.0).ln() - all - charge)).max(1.0).sqrt();
        let end = |node: u32| (Below::TWO_PI * f64::from(node) / Above::exact(period)).get();
        // Noise w changes 9/8 (c w)^2.
        let noise_at = |end: f64| needed(end) / end;
        let changed = |node: u32| 2.0 * (noise_at(end(node)) * tilt).ln() + 0.12;
        let turned = turnings.pace(SLOWER).unwrap_or(f64::INFINITY) / period;
        let longest = u32::try_from(whole(MOST_TURN / turned)).unwrap_or(1).clamp(1, 1 << 16);
        let budget = (all + charge).exp();
        let (mut sum, mut first, mut looked, mut block) = (Above::ZERO, count, 0, 1);
        while looked < MOST_BLOCKS && first < 1 << 30 {
            // The longest up to twice the frequency, beyond which nodes count a quarter.
            let most = if block < longest { GROWING } else { GROWING.max(first / block) }.min(MOST_BLOCKS - looked);
            let stage = Stage::new(turnings, period, (first, block, most), budget);
            let (charged, blocks) = stage.run(sum, |node| changed(node) <= aim);
            (sum, looked) = (sum + charged, looked + blocks);
            first += blocks * block;
            if blocks < most {
                break;
            }
            block = (block * 2).min(longest);
        }
        let tail =
            Self { blocks: sum, end: Below::exact(end(first)), noise: noise_at(end(first)), changed: changed(first) };
        (tail, first.saturating_add(block))
    }
}

/// About how many times as much as of two atoms the transform of a loss takes.
fn work(loss: &FiniteLoss) -> f64 {
    let atoms = match loss {
        FiniteLoss::Lattice(law) => match &law.kind {
            LatticeKind::Laplace { sensitivity, .. } => f64::from(*sensitivity),
            LatticeKind::Finite { masses, .. } => length(masses.len()),
            LatticeKind::Table { masses, .. } => length(masses.len()),
            LatticeKind::Response { .. } | LatticeKind::Binary { .. } | LatticeKind::Gaussian { .. } => 1.0,
        },
        FiniteLoss::Loose(atoms) => length(atoms.len()),
        _ => 1.0,
    };
    (atoms / 16.0).max(1.0)
}

fn length(length: usize) -> f64 {
    f64::from(u32::try_from(length).unwrap_or(u32::MAX))
}

/// Blocks of one length, one after another.
struct Stage<'a> {
    /// Whole blocks and, where these are longer, single nodes.
    blocks: Returns<'a>,
    nodes: Option<Returns<'a>>,
    period: f64,
    first: u32,
    block: u32,
    most: u32,
    budget: f64,
    /// A logarithm that is small enough, and what all come to if they reach it.
    goal: f64,
    all: Above,
}

impl<'a> Stage<'a> {
    fn new(turnings: &'a Turnings, period: f64, (first, block, most): (u32, u32, u32), budget: f64) -> Self {
        let of = |block: u32, most: u32| turnings.blocks(period, (first, block, most));
        let nodes = (block > 1).then(|| of(1, most.saturating_mul(block)));
        // Twice the sum of `block/t^2` over blocks, and of `1/t^2` over nodes: of 1/n^2 from N on it is below
        // `1/N^2 + 1/N`.
        let (start, step) = (Below::exact(f64::from(first)), Below::TWO_PI / Above::exact(period));
        let sum = Above::exact(f64::from(block) + 1.0) / start.squared() + Above::exact(2.0) / start;
        let all = sum * 2.0 / step.squared();
        let goal = (all.get() / budget).ln() + 4.0;
        Self { blocks: of(block, most), nodes, period, first, block, most, budget, goal, all }
    }

    /// The sum over all nodes in blocks, over the value at the base point, and how many blocks: until that would be
    /// more than the budget of which some is spent, or a node is far enough.
    fn run(&self, spent: Above, is_enough: impl Fn(u32) -> bool) -> (Above, u32) {
        let mut charged = Above::exact(-self.goal).exp() * self.all;
        for block in 0..self.most {
            if block % 64 == 0 && is_enough(self.first + block * self.block) {
                return (charged, block);
            }
            let more = charged + self.rest(block);
            if (more + spent).get() > self.budget {
                return (charged, block);
            }
            charged = more;
        }
        (charged, self.most)
    }

    /// What nodes in a block come to, if that does not reach the goal, node by node.
    fn rest(&self, block: u32) -> Above {
        let of = |lost: Below, node: u32| {
            if lost.get() >= self.goal {
                return Above::ZERO;
            }
            let at = Below::TWO_PI * f64::from(self.first + node) / Above::exact(self.period);
            (-lost).exp() * 2.0 / at.squared()
        };
        let lost = self.blocks.lost(block, self.goal);
        let Some(nodes) = &self.nodes else { return of(lost, block) };
        if lost.get() >= self.goal {
            return Above::ZERO;
        }
        let start = block * self.block;
        (start..start + self.block).map(|node| of(nodes.lost(node, self.goal), node)).sum()
    }
}
