//! How small the characteristic function of many losses without a density is, block by block: each loss comes back to
//! where it began, at its own pace, and all together hardly ever.

use crate::pld::loss::{
    exponential::Exponential,
    finite_loss::{FiniteLoss, FiniteLosses, number, whole},
    lattice::{LatticeKind, LatticeLoss, ball},
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, Enclosure, cosine_and_sine, midpoint},
};

/// The bound on the transform of one loss.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    /// Two atoms: four times the product of their masses over the square of the sum, and the share of all the others.
    Atoms { spread: f64, rest: f64 },
    /// Discrete Gaussian noise of a deviation.
    Gaussian { sigma: f64 },
}

/// A loss that turns by `distance` times the frequency, as a middle and an error.
struct Turning {
    shape: Shape,
    distance: (f64, f64),
    count: u64,
}

/// Distances to a whole turn, in 1024ths, up to a half.
const ENTRIES: u32 = 512;
/// The sum that all bells except the two nearest add to the logarithm of discrete Gaussian noise's, and the part that
/// they take off the divisor.
const OTHERS: f64 = 3e-8;
/// Units of a logarithm.
const UNITS: f64 = 65_536.0;

/// A table of what a loss takes off the logarithm at least, from a distance to a whole turn on.
type Table = [u32; 1 << 10];
/// No entry is more than this, of losses alike only so many count, and all of them for no more than that: so sums of
/// millions of kinds stay below 2^64.
const MOST_LOST: u64 = 1 << 24;
const MOST_ALIKE: u64 = 1 << 32;
const MOST_OF_A_KIND: u64 = 1 << 40;

/// A loss in blocks of one length: its phase in the middle of the first, what is added from block to block, and how far
/// it moves within one to either side, as 64-bit fractions of a turn.
struct Phase<'a> {
    start: u64,
    step: u64,
    half: u64,
    table: &'a Table,
    count: u64,
}

/// Blocks of nodes, one after another and equally long.
pub(crate) struct Returns<'a>(Vec<Phase<'a>>);

impl Shape {
    /// Those that share a table; none for what is of no use.
    fn class(&self) -> Option<(u32, u32)> {
        let class = |x: f64, limits: &[f64]| (0u32..).zip(limits).find(|(_, limit)| x <= **limit).map(|(i, _)| i);
        match self {
            Self::Atoms { spread, rest } => {
                let lost =
                    class(1.0 - spread, &[0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.75, 0.9])?;
                Some((lost, class(*rest, &[0.0, 0.01, 0.03, 0.1, 0.25, 0.5])?))
            }
            Self::Gaussian { sigma } => Some((100, class(1.0 / sigma, &[0.03, 0.05, 0.08, 0.13, 0.25, 0.5, 1.0])?)),
        }
    }

    /// One that takes off no more than either, of the same class.
    fn least(self, other: Self) -> Self {
        match (self, other) {
            (Self::Atoms { spread, rest }, Self::Atoms { spread: other, rest: more }) => {
                Self::Atoms { spread: spread.min(other), rest: rest.max(more) }
            }
            (Self::Gaussian { sigma }, Self::Gaussian { sigma: other }) => Self::Gaussian { sigma: sigma.min(other) },
            (one, _) => one,
        }
    }

    /// A lower bound on the fall of the logarithm at a distance to a whole turn, up to a half; it does not fall where
    /// it is above 0.
    fn lost(self, turns: f64) -> Below {
        match self {
            Self::Atoms { spread, rest } => {
                // At half of the angle.
                let sine = cosine_and_sine(turns / 2.0).1.below.get().max(0.0);
                let left = Above::exact(1.0) - Below::exact(sine).squared() * spread;
                let modulus = left.max(Above::ZERO).sqrt() * (Above::exact(1.0) - Below::exact(rest)) + rest;
                -modulus.ln()
            }
            Self::Gaussian { sigma } => {
                let angle = Below::TWO_PI * turns;
                let next = Below::TWO_PI.squared() * 0.5 * Below::exact(sigma).squared() * (1.0 - 2.0 * turns).max(0.0);
                (Below::exact(sigma) * angle).squared() * 0.5 - (-next).exp().ln_1p() - Above::exact(OTHERS)
            }
        }
    }

    fn table(self) -> Table {
        let at = |k: u32| {
            let lost = self.lost(f64::from(k) / 1024.0);
            u32::try_from(whole(lost.get() * UNITS).min(MOST_LOST)).unwrap_or(0)
        };
        let mut table = [0; 1 << 10];
        table.iter_mut().zip(0..=ENTRIES).for_each(|(entry, k)| *entry = at(k));
        table
    }
}

/// The fraction of a float that is not negative, in 2^-64, to within 2^-52.
fn fraction(x: f64) -> u64 {
    ((1.0 + x.fract()).to_bits() & 0xf_ffff_ffff_ffff) << 12
}

impl Turning {
    fn new(loss: &FiniteLoss, count: u64, tilt: f64) -> Option<Self> {
        let (shape, distance) = match loss {
            FiniteLoss::Lattice(law) => lattice(law, tilt)?,
            FiniteLoss::Exponential(law @ Exponential::Laplace { .. }) => {
                let found = law.tilted(tilt);
                let both = found.high.add(&found.low);
                (
                    atoms(&found.high, &found.low, found.smooth.div(&both.add(&found.smooth)).upper()),
                    Ball::exact(2.0).mul(&law.radius()),
                )
            }
            FiniteLoss::Exponential(_)
            | FiniteLoss::Gaussian { .. }
            | FiniteLoss::Sampled(_)
            | FiniteLoss::FixedSize(_)
            | FiniteLoss::ByTails(_)
            | FiniteLoss::Loose(_) => {
                return None;
            }
        };
        let distance = midpoint(&distance);
        let is_usable = distance.0 > 0.0 && distance.0.is_finite() && distance.1 < distance.0 * 1e-9;
        is_usable.then_some(Self { shape, distance, count })
    }
}

/// Two atoms and what is left.
fn atoms(high: &Ball, low: &Ball, rest: f64) -> Shape {
    let both = high.add(low);
    let spread = Ball::exact(4.0).mul(high).mul(low).div(&both.mul(&both)).lower();
    Shape::Atoms {
        spread: if spread > 0.0 { spread.min(1.0) } else { 0.0 },
        rest: if rest < 1.0 { rest.max(0.0) } else { 1.0 },
    }
}

/// The bound for a loss on a lattice, and the distance of its turns.
fn lattice(law: &LatticeLoss, tilt: f64) -> Option<(Shape, Ball)> {
    let step = ball(&law.step);
    match &law.kind {
        LatticeKind::Gaussian { sigma, .. } => (*sigma >= 1.0).then_some((Shape::Gaussian { sigma: *sigma }, step)),
        LatticeKind::Binary { .. } | LatticeKind::Response { .. } | LatticeKind::Laplace { .. } => {
            let (found, rest) = law.logarithms(tilt);
            if rest.is_some() {
                return None;
            }
            let first = found.iter().min_by_key(|atom| atom.0)?;
            let last = found.iter().max_by_key(|atom| atom.0)?;
            let greatest = first.1.upper().max(last.1.upper());
            // Far below, an exponential is next to nothing, but not known from below.
            let mass = |logarithm: &Ball| {
                let share = logarithm.sub(&Ball::exact(greatest));
                (share.lower() > -600.0 && share.upper() < 600.0).then(|| share.exp())
            };
            let (low, high) = (mass(&first.1)?, mass(&last.1)?);
            let mut others = Ball::exact(0.0);
            for (index, logarithm) in &found {
                if *index != first.0 && *index != last.0 {
                    others = others.add(&mass(logarithm)?);
                }
            }
            let share = others.div(&low.add(&high).add(&others)).upper();
            let apart = i32::try_from(last.0 - first.0).ok().filter(|apart| *apart > 0)?;
            let share = if found.len() > 2 { share } else { 0.0 };
            Some((atoms(&high, &low, share), step.mul(&Ball::exact(f64::from(apart)))))
        }
        LatticeKind::Finite { .. } | LatticeKind::Table { .. } => None,
    }
}

/// Losses that come back, the slowest first.
pub(crate) struct Turnings {
    /// With the table of each.
    turnings: Vec<(Turning, usize)>,
    tables: Vec<Table>,
}

impl Turnings {
    pub(crate) fn new(losses: &FiniteLosses, tilt: f64) -> Self {
        let mut classes: Vec<((u32, u32), Shape)> = Vec::new();
        let mut turnings = Vec::new();
        for (loss, count) in losses {
            let Some(turning) = Turning::new(loss, *count, tilt) else { continue };
            let Some(class) = turning.shape.class() else { continue };
            let table = classes.iter().position(|(other, _)| *other == class).unwrap_or(classes.len());
            match classes.get_mut(table) {
                Some((_, shape)) => *shape = shape.least(turning.shape),
                None => classes.push((class, turning.shape)),
            }
            turnings.push((turning, table));
        }
        turnings.sort_by(|(x, _), (y, _)| x.distance.0.total_cmp(&y.distance.0));
        Self { turnings, tables: classes.iter().map(|(_, shape)| shape.table()).collect() }
    }

    /// The distance of one that so many turn slower than, or of the fastest.
    pub(crate) fn pace(&self, slower: usize) -> Option<f64> {
        let last = self.turnings.len().checked_sub(1)?;
        self.turnings.get(slower.min(last)).map(|(turning, _)| turning.distance.0)
    }

    /// How many nodes there are before any loss has turned by a half.
    pub(crate) fn first_half(&self, period: f64) -> u32 {
        let fastest =
            self.turnings.last().map_or(f64::INFINITY, |(turning, _)| turning.distance.0 + turning.distance.1);
        u32::try_from(whole(period / fastest * 0.499_999).min(1 << 30)).unwrap_or(0)
    }

    /// A lower bound on the fall of the logarithm of the modulus at all nodes from one on in that half.
    pub(crate) fn lost_from(&self, node: u32, period: f64) -> Below {
        let one = |(turning, _): &(Turning, usize)| {
            let (distance, error) = turning.distance;
            let turns = (Below::exact(distance) - Above::exact(error)) * f64::from(node) / Above::exact(period);
            turning.shape.lost(turns.get().clamp(0.0, 0.5)).or(Below::ZERO) * number(turning.count)
        };
        self.turnings.iter().fold(Below::ZERO, |sum, turning| sum + one(turning))
    }

    /// In blocks of nodes from one on, each of so many, at most so many blocks.
    pub(crate) fn blocks(&self, period: f64, (first, block, most): (u32, u32, u32)) -> Returns<'_> {
        let [start, nodes, most] = [first, block, most].map(f64::from);
        let end = start + nodes * (most + 1.0);
        let half = (nodes - 1.0) / 2.0;
        let phases = self.turnings.iter().filter_map(|(turning, table)| {
            let Turning { distance: (distance, error), count, .. } = *turning;
            let moved = Above::exact(half) * (Above::exact(distance) + error) / period;
            // Of the products, quotients and sums, and of the distance, up to the last block.
            let off = Above::exact(end) * (Above::exact(distance) * (16.0 * f64::EPSILON) + error) / period;
            let cut = Above::exact(most + 4.0) * f64::from_bits((1023 - 51) << 52);
            let half = (moved + off + cut).get();
            // In 2^-40, and one more.
            let half = if half < 0.25 { (whole(half * 1_099_511_627_776.0) + 3) << 24 } else { return None };
            let (start, step) = ((start + (nodes - 1.0) / 2.0) * distance / period, nodes * distance / period);
            let (table, count) = (self.tables.get(*table)?, count.min(MOST_ALIKE));
            Some(Phase { start: fraction(start), step: fraction(step), half, table, count })
        });
        Returns(phases.collect())
    }
}

impl Returns<'_> {
    /// A lower bound on the fall of the logarithm of the modulus at all nodes of a block, or a goal if that is reached.
    pub(crate) fn lost(&self, block: u32, goal: f64) -> Below {
        // Above, what is enough would be more than `whole` knows.
        if goal.is_nan() || goal > 1e6 {
            return Below::UNKNOWN;
        }
        let enough = whole(goal * UNITS) + 2;
        let mut sum = 0u64;
        for phases in self.0.chunks(16) {
            for phase in phases {
                let at = phase.start.wrapping_add(phase.step.wrapping_mul(u64::from(block)));
                let distance = at.cast_signed().unsigned_abs().saturating_sub(phase.half);
                let entry = usize::try_from(distance >> 54).unwrap_or(0);
                let lost = phase.table.get(entry).copied().unwrap_or(0);
                sum = sum.wrapping_add(u64::from(lost).wrapping_mul(phase.count).min(MOST_OF_A_KIND));
            }
            if sum >= enough {
                return Below::exact(goal);
            }
        }
        // Below 2^52, both halves are floats.
        let (high, low) = (sum >> 32, sum & 0xffff_ffff);
        let [high, low] = [high, low].map(|part| f64::from(u32::try_from(part).unwrap_or(0)));
        Below::exact((high * 4_294_967_296.0 + low) / UNITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PrivacyLossDistribution as P,
        pld::{distribution::losses, loss::direction::Direction, transform::nodes::Nodes},
        units::{Scale, Sigma},
    };
    use indistinct_numeric::enclosure::ComplexBall;
    use std::f64::consts::TAU;

    fn kinds() -> Vec<P> {
        vec![
            P::pure(0.1).unwrap(),
            P::pure(0.7).unwrap(),
            P::randomized_response(0.5, 7).unwrap(),
            P::laplace(Scale(8.0)).unwrap(),
            P::laplace(Scale(1.5)).unwrap(),
            P::discrete_laplace(Scale(5.0), 2).unwrap(),
            P::discrete_gaussian(Sigma(1.0), 1).unwrap(),
            P::discrete_gaussian(Sigma(3.7), 2).unwrap(),
            P::discrete_gaussian(Sigma(12.0), 1).unwrap(),
            P::bounded_range(0.3).unwrap(),
        ]
    }

    /// Minus the logarithm of the modulus at a frequency, or more; infinite where it may be 0.
    fn truth(losses: &FiniteLosses, tilt: f64, frequency: f64) -> f64 {
        let one = |(loss, count): &(FiniteLoss, u64)| {
            let values = loss.values(&Nodes::new(tilt, TAU / frequency, 2)).unwrap().less_one;
            let there = ComplexBall::ONE.add(&values[1]);
            let least = (there.re.hypot(there.im) - there.radius).max(0.0);
            -(least / ComplexBall::ONE.add(&values[0]).modulus()).ln() * f64::from(u32::try_from(*count).unwrap())
        };
        losses.iter().map(one).sum()
    }

    /// At all nodes of some blocks, on a period.
    fn most_claimed(
        blocks: &Returns<'_>,
        losses: &FiniteLosses,
        (tilt, period): (f64, f64),
        (first, block): (u32, u32),
    ) -> f64 {
        let mut most = f64::NEG_INFINITY;
        for i in 0..60 {
            let claimed = blocks.lost(i, 1e4).get();
            for node in first + i * block..first + (i + 1) * block {
                most = most.max(claimed - truth(losses, tilt, TAU * f64::from(node) / period));
            }
        }
        most
    }

    #[test]
    fn blocks_never_claim_more_than_there_is_in_them() {
        let (mut caught, mut useful) = (0, 0);
        for one in kinds() {
            let losses = losses(&one.repeat(3).unwrap(), Direction::Remove);
            for tilt in [0.5, 6.0] {
                let turnings = Turnings::new(&losses, tilt);
                let Some(pace) = turnings.pace(0) else { continue };
                for (first, block) in [(7, 1), (23, 9), (900, 12)] {
                    let period = pace * 97.3;
                    let mut blocks = turnings.blocks(period, (first, block, 60));
                    let most = most_claimed(&blocks, &losses, (tilt, period), (first, block));
                    assert!(most <= 1e-9, "{one} {tilt}: {most}");
                    useful += u32::from((0..60).any(|i| blocks.lost(i, 1e4).get() > 0.3));
                    // What forgets that phases move.
                    blocks.0.iter_mut().for_each(|phase| phase.half = 0);
                    caught +=
                        u32::from(most_claimed(&blocks, &losses, (tilt, period), (first, block)) > 1e-6 && block > 1);
                }
            }
        }
        assert!(caught >= 24 && useful >= 36, "{caught} {useful}");
    }

    /// Far out, too, nothing is claimed where a guarantee is back at 1; nor too much of many together.
    #[test]
    fn far_out_and_together() {
        let losses = losses(&P::pure(0.1).unwrap().repeat(100).unwrap(), Direction::Remove);
        let turnings = Turnings::new(&losses, 3.0);
        // A twentieth of a turn from node to node.
        let blocks = turnings.blocks(4.0, (1, 1, 400_001));
        let lost = |block: u32| blocks.lost(block, 1e4).get();
        assert!(lost(19) == 0.0 && lost(399_999) == 0.0 && lost(399_999 - 10) > 50.0);
        let all = kinds().iter().fold(P::none(), |all, one| all.compose(one).unwrap());
        let losses = crate::pld::distribution::losses(&all, Direction::Remove);
        let turnings = Turnings::new(&losses, 2.0);
        let blocks = turnings.blocks(60.0, (30, 3, 60));
        assert!(most_claimed(&blocks, &losses, (2.0, 60.0), (30, 3)) <= 1e-9);
        // Up to a goal, and no further.
        assert!(blocks.lost(3, 2.5).get() == 2.5 && blocks.lost(3, 1e4).get() > 2.5);
    }

    /// One loss that turns by a distance, known up to an error.
    fn one(distance: (f64, f64)) -> Turnings {
        let shape = Shape::Atoms { spread: 1.0, rest: 0.0 };
        Turnings { turnings: vec![(Turning { shape, distance, count: 1 }, 0)], tables: vec![shape.table()] }
    }

    /// By how much more than what is taken from the distance a phase may be off in a block, in 2^-64 of a turn,
    /// reckoned with 300 bits.
    fn off(
        turnings: &Turnings,
        period: f64,
        (first, block, number): (u32, u32, u32),
        half: impl Fn(&Phase) -> u64,
    ) -> f64 {
        use rug::Float;
        let blocks = turnings.blocks(period, (first, block, number + 1));
        let (phase, (distance, error)) = (&blocks.0[0], turnings.turnings[0].0.distance);
        let at = phase.start.wrapping_add(phase.step.wrapping_mul(u64::from(number)));
        let start = first + number * block;
        let ends = [start, start + block - 1].into_iter().flat_map(|node| [(node, -error), (node, error)]);
        let off = ends.map(|(node, error)| {
            let turns = (Float::with_val(300, distance) + error) * node / period;
            let apart: Float = (turns - Float::with_val(300, at) / Float::with_val(300, Float::u_exp(1, 64))).fract();
            apart.to_f64()
        });
        let most = off.map(|x| (x - x.round()).abs()).fold(0.0, f64::max);
        most * 2f64.powi(64) - Float::with_val(64, half(phase)).to_f64()
    }

    /// Far out, after many blocks, and for a distance that is not known to the last digit: what is taken from the
    /// distance covers both ends of a block, and what a block moves by would not.
    #[test]
    fn phases_are_no_further_off_than_is_taken_from_them() {
        let (mut far, mut late, mut unknown) = (0, 0, 0);
        for i in 0..200u32 {
            let distance = 1.0 + f64::from(i) / 371.0;
            let period = distance * (90.0 + f64::from(i) / 97.7);
            let cases = [
                ((distance, 0.0), (900_000_000 + i, 9, 0), &mut far),
                ((distance, 0.0), (1, 7, 399_999), &mut late),
                ((distance, distance * 9e-10), (400_000, 9, 2), &mut unknown),
            ];
            for (distance, place, caught) in cases {
                let turnings = one(distance);
                assert!(off(&turnings, period, place, |phase| phase.half) <= 0.0, "{distance:?} {place:?}");
                let moved = |phase: &Phase| {
                    let none = one((distance.0, 0.0)).blocks(period, (0, place.1, 0)).0[0].half;
                    none.min(phase.half)
                };
                *caught += u32::from(off(&turnings, period, place, moved) > 0.0);
            }
        }
        assert!(far > 100 && late > 100 && unknown > 100, "{far} {late} {unknown}");
    }

    /// Up to the first half of a turn nothing comes back; what forgets the next bell there claims too much.
    #[test]
    fn what_is_lost_is_lost_up_to_the_first_half() {
        let (mut useful, mut caught) = (0, 0);
        for one in kinds() {
            let losses = losses(&one.repeat(3).unwrap(), Direction::Remove);
            for tilt in [0.5, 6.0] {
                let turnings = Turnings::new(&losses, tilt);
                let Some(pace) = turnings.pace(0) else { continue };
                let period = pace * 397.3;
                let half = turnings.first_half(period);
                assert!((197..=198).contains(&half), "{half}");
                let truths: Vec<_> =
                    (0..half).map(|node| truth(&losses, tilt, TAU * f64::from(node) / period)).collect();
                let mut least = f64::INFINITY;
                for (node, truth) in (0..half).zip(&truths).rev() {
                    least = least.min(*truth);
                    let claimed = turnings.lost_from(node, period).get();
                    assert!(claimed <= least + 1e-9, "{one} {tilt} {node}: {claimed} {least}");
                    useful += u32::from(claimed > 0.9 * least && least > 0.1);
                    if let [(Turning { shape: Shape::Gaussian { sigma }, .. }, _)] = turnings.turnings.as_slice() {
                        let alone = 1.5 * (sigma * TAU * f64::from(node) / 397.3).powi(2);
                        caught += u32::from(alone > least + 1e-9);
                    }
                }
            }
        }
        assert!(useful > 1000 && caught > 0, "{useful} {caught}");
    }

    #[test]
    fn fractions() {
        assert_eq!(fraction(3.25), 1 << 62);
        assert_eq!(fraction(0.0), 0);
    }
}
