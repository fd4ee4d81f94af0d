//! How many nodes of a sum are taken, and what all behind them come to, where no bound on the transform tends to 0:
//! block by block, as far as one cares to look, and noise for the rest. See `proofs/accounting/pld_lemmas.md`.

use crate::pld::{
    integrate::saddle_point::Plan,
    loss::{
        finite_loss::{FiniteLoss, FiniteLosses, whole},
        lattice::LatticeKind,
    },
    transform::{
        discrete_gaussian::LEAST_SIGMA,
        nodes::Nodes,
        returns::{Returns, Turnings},
    },
};
use indistinct_numeric::{Above, Below};
use std::f64::consts::TAU;

/// No more blocks are looked at, no more values are reckoned behind the first nodes, each of as much work as two atoms,
/// and no more nodes are summed in all.
const MOST_BLOCKS: u32 = 400_000;
const MOST_VALUES: f64 = 4e6;
const MOST_NODES: f64 = 65_536.0;
/// So many times the estimated frequency are summed before anything is looked at.
const FURTHER: f64 = 1.25;
/// So many blocks before longer ones.
const GROWING: u32 = 64;
/// The goals, one after another: the logarithms of the relative error by what smoothing changes, and by each of
/// the charged parts.
const AIMS: [(f64, f64); 4] = [(-21.0, -23.5), (-18.0, -20.0), (-15.0, -17.0), (-12.0, -14.0)];
/// The first by smoothing, after so many blocks, or where more than a part of what may be summed is: epsilon is then
/// known to 1e-9 or so.
const ENOUGH: f64 = -19.0;
const FEW_BLOCKS: u32 = 50_000;
const FEW: usize = 16;
/// Bounds are mostly apart by such a part of what smoothing may change.
const PART: f64 = 0.1;
/// Worse than this is left to the grid.
const WORST: f64 = -10.0;
/// A node that is not far below the goal is summed if it is more than this share of what may be charged.
const SHARE: f64 = 1.0 / 256.0;
/// So many losses that turn slower decide how long a block is, and so much of a turn do they make in it.
const SLOWER: usize = 250;
const MOST_TURN: f64 = 0.15;

/// The parts left out of the sum: at nodes that are looked at, over the value at the base point; the frequency up to
/// which they are; and the noise that makes up for the rest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tail {
    pub(crate) charged: Above,
    pub(crate) end: Below,
    pub(crate) noise: f64,
    /// The logarithm of what that changes, relatively, about.
    pub(crate) changed: f64,
}

impl Tail {
    /// The nodes that are to be summed, and what is left.
    pub(crate) fn new(losses: &FiniteLosses, plan: &Plan) -> Option<(Vec<u32>, Self)> {
        let work: f64 = losses.iter().map(work).sum();
        let first =
            Nodes::up_to(plan.frequency * FURTHER, plan.period).filter(|first| f64::from(*first) <= MOST_NODES)?;
        let most = usize::try_from(whole((f64::from(first) + MOST_VALUES / work).min(MOST_NODES))).ok()?;
        let turnings = Turnings::new(losses, plan.tilt);
        let (mut best, mut least) = (None, f64::INFINITY);
        for (aim, charge) in AIMS {
            // Where less is charged than would be, and smoothing changes little, it is good enough.
            let charged = charge.exp();
            if charged >= least {
                break;
            }
            let (nodes, tail) = Self::behind(&turnings, plan, (first, most), (aim, charge));
            let (changed, off) = (tail.changed, charged + tail.changed.exp() * PART);
            if changed <= WORST && off < least {
                (best, least) = (Some((nodes, tail)), off);
            }
            if changed <= aim.max(ENOUGH) {
                break;
            }
        }
        best
    }

    /// Behind the first nodes: which of the others are to be summed, too, and what is left.
    pub(crate) fn behind(
        turnings: &Turnings,
        plan: &Plan,
        (first, most): (u32, usize),
        (aim, charge): (f64, f64),
    ) -> (Vec<u32>, Self) {
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
        let mut kept = Kept { numbers: (0..first).collect(), most, charged: Above::ZERO, budget: (all + charge).exp() };
        let (mut first, mut looked, mut block) = (first, 0, 1);
        // As long as no loss has turned by a half, all that is lost is lost from there on.
        let half = turnings.first_half(period);
        if first < half && kept.take_all(first, period, turnings.lost_from(first, period)) {
            first = half;
        }
        while looked < MOST_BLOCKS && first < 1 << 30 {
            // The longest up to twice the frequency, beyond which nodes count a quarter.
            let most = if block < longest { GROWING } else { GROWING.max(first / block) }.min(MOST_BLOCKS - looked);
            let stage = Stage::new(turnings, period, (first, block, most), kept.budget);
            let blocks = stage.run(&mut kept, |kept, (node, block)| {
                let is_cheap = looked + block <= FEW_BLOCKS && kept.numbers.len() <= kept.most / FEW;
                changed(node) <= if is_cheap { aim } else { aim.max(ENOUGH) }
            });
            looked += blocks;
            first += blocks * block;
            if blocks < most {
                break;
            }
            block = (block * 2).min(longest);
        }
        let (end, noise, changed) = (Below::exact(end(first)), noise_at(end(first)), changed(first));
        (kept.numbers, Self { charged: kept.charged, end, noise, changed })
    }
}

/// Nodes that are to be summed, and what the others come to, of what may be charged.
struct Kept {
    numbers: Vec<u32>,
    most: usize,
    charged: Above,
    budget: f64,
}

impl Kept {
    /// All nodes from one on, if they come to little.
    fn take_all(&mut self, first: u32, period: f64, lost: Below) -> bool {
        let comes_to = (-lost).exp() * Nodes::new(0.0, period, first).remainder();
        let is_little = comes_to.get() <= self.budget * SHARE;
        if is_little {
            self.charged += comes_to;
        }
        is_little
    }

    /// A node with what it comes to: charged, where that is little, or to be summed; false where neither may be.
    fn take(&mut self, node: u32, comes_to: Above) -> bool {
        let more = self.charged + comes_to;
        if comes_to.get() <= self.budget * SHARE && more.get() <= self.budget / 2.0 {
            self.charged = more;
            return true;
        }
        self.numbers.push(node);
        self.numbers.len() <= self.most
    }
}

/// About how many times as much as of two atoms the transform of a loss takes far out.
fn work((loss, _): &(FiniteLoss, u64)) -> f64 {
    let series = |span: f64| 1.0 + span / 3.0;
    match loss {
        FiniteLoss::Lattice(law) => match &law.kind {
            LatticeKind::Response { .. } | LatticeKind::Binary { .. } => 1.0,
            LatticeKind::Laplace { sensitivity, .. } => series(f64::from(*sensitivity)),
            LatticeKind::Gaussian { sigma, .. } if *sigma < LEAST_SIGMA => series(24.0 * sigma),
            LatticeKind::Gaussian { .. } => 4.0,
            LatticeKind::Finite { masses, .. } => 15.0 + 4.0 * length(masses.len()),
            LatticeKind::Table { masses, .. } => 15.0 + 4.0 * length(masses.len()),
        },
        FiniteLoss::Loose(atoms) => 15.0 + 4.0 * length(atoms.len()),
        _ => 2.0,
    }
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
        let goal = (all.get() / budget).ln() + 5.0;
        Self { blocks: of(block, most), nodes, period, first, block, most, budget, goal, all }
    }

    /// Charges or keeps all nodes, block by block, until it may not or a node is far enough; how many blocks.
    fn run(&self, kept: &mut Kept, is_enough: impl Fn(&Kept, (u32, u32)) -> bool) -> u32 {
        let before = kept.charged;
        let goal = Above::exact(-self.goal).exp() * self.all;
        kept.charged = before + goal;
        if kept.charged.get() > self.budget {
            kept.charged = before;
            return 0;
        }
        for block in 0..self.most {
            if block % 64 == 0 && is_enough(kept, (self.first + block * self.block, block)) {
                return block;
            }
            let (charged, length) = (kept.charged, kept.numbers.len());
            if !self.take(block, kept) {
                // As if it had not been looked at.
                kept.charged = charged;
                kept.numbers.truncate(length);
                return block;
            }
        }
        self.most
    }

    /// All nodes of a block, if that does not reach the goal.
    fn take(&self, block: u32, kept: &mut Kept) -> bool {
        let comes_to = |lost: Below, node: u32| {
            let at = Below::TWO_PI * f64::from(node) / Above::exact(self.period);
            (-lost).exp() * 2.0 / at.squared()
        };
        let lost = self.blocks.lost(block, self.goal);
        if lost.get() >= self.goal {
            return true;
        }
        let Some(nodes) = &self.nodes else { return kept.take(self.first + block, comes_to(lost, self.first + block)) };
        let start = block * self.block;
        (start..start + self.block).all(|node| {
            let lost = nodes.lost(node, self.goal);
            lost.get() >= self.goal || kept.take(self.first + node, comes_to(lost, self.first + node))
        })
    }
}
