//! Any distribution on a lattice of losses, twice: one that dominates it and one that it dominates.
//!
//! Both keep what a hockey-stick divergence sees: `(1 - e^epsilon y)+` is convex in `y = dQ/dP` and falls in it. Above,
//! the mass of a cell goes to both of its ends such that mass and mean of y stay ("connect the dots", Doroshenko et al.
//! 2022). Below, the mass about a lattice point is gathered there, once its mean of y is small enough. The arguments
//! are in `proofs/accounting/pld_lemmas.md`.

use crate::pld::loss::{
    exponential::Exponential,
    finite_loss::FiniteLoss,
    lattice::{LatticeKind, LatticeLoss, ball, float, nearest},
    normal_loss::NormalLoss,
    tails::LossTails,
};
use indistinct_numeric::{
    Above, Below,
    enclosure::{Ball, Enclosure, exp_or_tiny},
    gmp::Rational,
};

/// On which side of the truth a distribution on the lattice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    Above,
    Below,
}

/// Distributions on the lattice above and below a loss, and an upper bound on the probability of a loss beyond the
/// upper one.
#[derive(Debug)]
pub(crate) struct OnLattice {
    pub(crate) above: LatticeLoss,
    pub(crate) below: LatticeLoss,
    pub(crate) beyond: f64,
}

/// More cells than this are not spent on a distribution.
const MOST_CELLS: i64 = 1 << 17;

/// The step that a loss's atoms want to be on.
pub(crate) fn wanted_step(loss: &FiniteLoss) -> Option<Rational> {
    match loss {
        FiniteLoss::Lattice(law) => Some(law.step.clone()),
        FiniteLoss::Exponential(Exponential::Laplace { scale }) => Some(Rational::from_f64(*scale)?.recip() * 2u32),
        _ => None,
    }
}

/// The least and the greatest loss that a loss needs cells for, in floats, if the probability of what is beyond may
/// have a logarithm of `spare`.
pub(crate) fn span(loss: &FiniteLoss, spare: f64) -> (f64, f64) {
    let ends = |losses: &mut dyn Iterator<Item = f64>| {
        losses.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), loss| (low.min(loss), high.max(loss)))
    };
    match loss {
        FiniteLoss::Gaussian { .. } | FiniteLoss::Sampled(_) | FiniteLoss::FixedSize(_) => {
            NormalLoss::new(loss).map_or((0.0, 0.0), |law| law.span(spare))
        }
        FiniteLoss::ByTails(law) => law.span(spare),
        FiniteLoss::Exponential(law) => {
            let radius = law.radius().upper();
            (-radius, radius)
        }
        FiniteLoss::Lattice(law) => {
            law.losses().map_or((0.0, 0.0), |(atoms, _)| ends(&mut atoms.iter().map(|(loss, _)| loss.upper())))
        }
        FiniteLoss::Loose(atoms) => ends(&mut atoms.iter().map(|(loss, _)| loss.upper())),
    }
}

/// Masses at lattice indices.
struct MassTable {
    first: i64,
    masses: Vec<f64>,
    rounding: Rounding,
}

impl MassTable {
    fn new(first: i64, last: i64, rounding: Rounding) -> Option<Self> {
        let count = usize::try_from(last.checked_sub(first)?.checked_add(1)?).ok()?;
        (last - first <= MOST_CELLS + 8).then(|| Self { first, masses: vec![0.0; count], rounding })
    }

    /// Adds a mass that is not negative. One outside the table is lost if that is safe.
    fn add(&mut self, index: i64, mass: &Ball) -> Option<()> {
        let slot = usize::try_from(index - self.first).ok().and_then(|i| self.masses.get_mut(i));
        match (self.rounding, slot) {
            (Rounding::Above, Some(slot)) => *slot = (Above::exact(*slot) + mass.upper().max(0.0)).get(),
            (Rounding::Below, Some(slot)) => *slot = (Below::exact(*slot) + mass.lower().max(0.0)).get().max(0.0),
            (Rounding::Above, None) => return None,
            (Rounding::Below, None) => {}
        }
        Some(())
    }
}

/// The lattice that a distribution is put on.
struct Grid<'a> {
    offset: &'a Ball,
    step: &'a Ball,
}

impl Grid<'_> {
    /// Twice the index, so that middles of cells have one too.
    fn at(&self, doubled: i64) -> Ball {
        self.offset.add(&Ball::exact(float(doubled) * 0.5).mul(self.step))
    }

    /// The index of the lattice point at or below a loss, up to rounding.
    fn floor(&self, loss: f64) -> i64 {
        let index = (loss - self.offset.lower()) / self.step.lower();
        nearest((index + 1e-9).floor())
    }
}

/// Puts the continuous part between two lattice points into tables above and below it.
fn discretize_density(
    (above, below): (&mut MassTable, &mut MassTable),
    grid: &Grid<'_>,
    (first, last): (i64, i64),
    law: &(impl LossTails + ?Sized),
) -> Option<()> {
    let (zero, step) = (Ball::exact(0.0), grid.step);
    let shrunk = exp_or_tiny(&zero.sub(step));
    let gap = zero.sub(&zero.sub(step).exp_m1());
    let mut from = law.at(&grid.at(2 * first));
    // The half cell to the left of a point.
    let mut left = (zero, zero);
    for index in first..=last {
        let at = grid.at(2 * index);
        let growth = at.exp();
        let (mut right, mut next) = ((zero, zero), (zero, zero));
        if index < last {
            let (middle, to) = (law.at(&grid.at(2 * index + 1)), law.at(&grid.at(2 * index + 2)));
            (right, next) = (law.cell(&from, &middle), law.cell(&middle, &to));
            // The second distribution's mass in units of the first's at the lower end.
            let (p, q) = (right.0.add(&next.0), right.1.add(&next.1).mul(&growth));
            above.add(index, &q.sub(&p.mul(&shrunk)).div(&gap))?;
            above.add(index + 1, &p.sub(&q).div(&gap))?;
            from = to;
        }
        let short = left.1.add(&right.1).mul(&growth).sub(&left.0).sub(&right.0).upper();
        if short <= 0.0 {
            below.add(index, &left.0.add(&right.0))?;
        } else {
            // A share of the left half goes one point down, so that the rest has enough.
            let room = left.1.mul(&growth).sub(&left.0).lower();
            let share = if room > short { (Above::exact(short) / Below::exact(room)).get().min(1.0) } else { 1.0 };
            let moved = left.0.mul(&Ball::exact(share));
            below.add(index - 1, &moved)?;
            // Without its left half, the cell lies above the point.
            below.add(index, &left.0.sub(&moved).add(&right.0))?;
        }
        left = next;
    }
    Some(())
}

/// One atom between lattice points. Where it lies is guessed in floats, and used only if the enclosures agree: else it
/// is lost, or nothing is known.
fn discretize_atom(table: &mut MassTable, grid: &Grid<'_>, loss: &Ball, mass: &Ball) -> Option<()> {
    let index = grid.floor(loss.lower());
    let is_below = |index: i64| grid.at(2 * index).upper() <= loss.lower();
    let is_above = |index: i64| loss.upper() <= grid.at(2 * index).lower();
    match table.rounding {
        Rounding::Below => match [index, index - 1].into_iter().find(|index| is_below(*index)) {
            Some(index) => table.add(index, mass),
            None => Some(()),
        },
        Rounding::Above if is_below(index) && is_above(index + 1) => {
            let past = Ball::exact(0.0).sub(&grid.at(2 * index).sub(loss).exp_m1());
            let gap = Ball::exact(0.0).sub(&Ball::exact(0.0).sub(grid.step).exp_m1());
            let share = past.div(&gap);
            table.add(index, &mass.mul(&Ball::exact(1.0).sub(&share)))?;
            table.add(index + 1, &mass.mul(&share))
        }
        Rounding::Above => table.add([index + 1, index + 2].into_iter().find(|index| is_above(*index))?, mass),
    }
}

/// The same for a density `f e^((l - r)/2)`, of which both are known in closed form: with `x = e^((l - r)/2)` at a
/// point and a step s, above it has `4 f tanh(s/4) x`, half of that at the ends; below, `4 f sinh(s/4) x`, and at the
/// ends what is about them, of which the upper goes one point down.
fn discretize_exponential(
    table: &mut MassTable,
    grid: &Grid<'_>,
    (first, last): (i64, i64),
    law: &Exponential,
) -> Option<()> {
    if first >= last {
        return Some(());
    }
    let exact = Ball::exact;
    let quarter = grid.step.mul(&exact(0.25));
    let (log_growth, shrunk) = (quarter.exp_m1(), exact(0.0).sub(&exact(0.0).sub(&quarter).exp_m1()));
    let twice = law.factor().mul(&exact(2.0));
    let sinh = twice.mul(&log_growth.add(&shrunk));
    // tanh(s/4) = (e^(s/2) - 1)/(e^(s/2) + 1).
    let half = grid.step.mul(&exact(0.5)).exp_m1();
    let tanh = twice.mul(&half).div(&half.add(&exact(2.0)));
    let ratio = exp_or_tiny(&exact(0.0).sub(grid.step).mul(&exact(0.5)));
    let mut power = exp_or_tiny(&grid.at(2 * last).sub(&law.radius()).mul(&exact(0.5)));
    for index in (first..=last).rev() {
        let is_end = index == first || index == last;
        match table.rounding {
            Rounding::Above if is_end => table.add(index, &power.mul(&tanh))?,
            Rounding::Above => table.add(index, &power.mul(&tanh).mul(&exact(2.0)))?,
            Rounding::Below if index == last => table.add(index - 1, &power.mul(&twice).mul(&shrunk))?,
            Rounding::Below if index == first => table.add(index, &power.mul(&twice).mul(&log_growth))?,
            Rounding::Below => table.add(index, &power.mul(&sinh))?,
        }
        power = power.mul(&ratio);
    }
    Some(())
}

/// A loss on lattices of the given step, above and below it, where a probability beyond with a logarithm of `spare`
/// does no harm; none if it takes too many cells, or is of no kind that is known here.
pub(crate) fn discretize(loss: &FiniteLoss, step: &Rational, spare: f64) -> Option<OnLattice> {
    match loss {
        FiniteLoss::Lattice(law) => {
            let multiple = Rational::from(&law.step / step);
            if multiple.is_integer() && multiple <= 1 << 24 {
                return Some(OnLattice { above: law.clone(), below: law.clone(), beyond: 0.0 });
            }
            let (atoms, rest) = law.losses()?;
            discretize_atoms(&atoms, rest, step)
        }
        FiniteLoss::Loose(atoms) => discretize_atoms(atoms, 0.0, step),
        FiniteLoss::Exponential(law) => {
            let side = |rounding| exponential_on_lattice(law, step, rounding);
            Some(OnLattice { above: side(Rounding::Above)?, below: side(Rounding::Below)?, beyond: 0.0 })
        }
        FiniteLoss::Gaussian { .. } | FiniteLoss::Sampled(_) | FiniteLoss::FixedSize(_) => {
            let law = NormalLoss::new(loss)?;
            by_tails(&law, (law.span(spare), law.greatest()), law.at_zero(), step)
        }
        FiniteLoss::ByTails(law) => by_tails(law.as_ref(), (law.span(spare), GREATEST), None, step),
    }
}

/// The lattice passes through the lower end, and the upper one if it can.
fn exponential_on_lattice(law: &Exponential, step: &Rational, rounding: Rounding) -> Option<LatticeLoss> {
    let radius = match law {
        Exponential::Laplace { scale } => Rational::from_f64(*scale)?.recip(),
        Exponential::BoundedRange { eta } => Rational::from_f64(*eta)?,
    };
    let offset = Rational::from(-&radius);
    let (exact_offset, exact_step) = (ball(&offset), ball(step));
    let grid = Grid { offset: &exact_offset, step: &exact_step };
    let cells = (Rational::from(&radius * 2u32) / step).ceil();
    let fits = Rational::from(&cells * step) == Rational::from(&radius * 2u32);
    let last = cells.numer().to_i64().filter(|last| *last <= MOST_CELLS)?;
    let mut table = MassTable::new(-1, last + 3, rounding)?;
    if fits {
        discretize_exponential(&mut table, &grid, (0, last), law)?;
    } else {
        // What is between the last but one lattice point and the end goes up or down.
        discretize_exponential(&mut table, &grid, (0, last - 1), law)?;
        let (p, _) = law.cell(&grid.at(2 * last - 2), &law.radius());
        table.add(if rounding == Rounding::Above { last } else { last - 1 }, &p)?;
    }
    if let Some((high, low)) = law.atoms() {
        table.add(0, &low)?;
        if fits {
            table.add(last, &high)?;
        } else {
            discretize_atom(&mut table, &grid, &law.radius(), &high)?;
        }
    }
    Some(on_lattice(table, offset, step))
}

/// Atoms anywhere.
fn discretize_atoms(atoms: &[(Ball, Ball)], rest: f64, step: &Rational) -> Option<OnLattice> {
    let (offset, exact_step) = (Ball::exact(0.0), ball(step));
    let grid = Grid { offset: &offset, step: &exact_step };
    let ends = atoms.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (loss, _)| {
        (low.min(loss.lower()), high.max(loss.upper()))
    });
    let side = |rounding| {
        let mut table = MassTable::new(grid.floor(ends.0) - 2, grid.floor(ends.1) + 3, rounding)?;
        for (loss, mass) in atoms {
            discretize_atom(&mut table, &grid, loss, mass)?;
        }
        Some(on_lattice(table, Rational::new(), step))
    };
    Some(OnLattice { above: side(Rounding::Above)?, below: side(Rounding::Below)?, beyond: rest })
}

/// No losses are put on a lattice that are greater in size.
const GREATEST: f64 = 600.0;

/// A loss by its tails, and what is at zero, if anything is.
fn by_tails(
    law: &(impl LossTails + ?Sized),
    ((low, high), greatest): ((f64, f64), f64),
    at_zero: Option<Ball>,
    step: &Rational,
) -> Option<OnLattice> {
    let (offset, exact_step) = (Ball::exact(0.0), ball(step));
    let grid = Grid { offset: &offset, step: &exact_step };
    let (first, last) = (grid.floor(low) - 1, grid.floor(high) + 1);
    if !(low.is_finite() && high.is_finite()) || last - first > MOST_CELLS || low.abs().max(high.abs()) > greatest {
        return None;
    }
    let table = |rounding| MassTable::new(first - 1, last + 1, rounding);
    let (mut above, mut below) = (table(Rounding::Above)?, table(Rounding::Below)?);
    discretize_density((&mut above, &mut below), &grid, (first, last), law)?;
    if let Some(mass) = at_zero {
        above.add(0, &mass)?;
        below.add(0, &mass)?;
    }
    // What is below the first point moves up to it, or is lost; what is beyond the last is charged, or lost.
    above.add(first, &law.at(&grid.at(2 * first)).first.below)?;
    let beyond = law.at(&grid.at(2 * last)).first.above.upper();
    let on = |table| on_lattice(table, Rational::new(), step);
    Some(OnLattice { above: on(above), below: on(below), beyond })
}

fn on_lattice(table: MassTable, offset: Rational, step: &Rational) -> LatticeLoss {
    LatticeLoss { offset, step: step.clone(), kind: LatticeKind::table(table.first, table.masses) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pld::loss::{
        sampled_gaussian::{SampledGaussian, Side},
        tails::Tails,
    };

    /// Steps far below a float of the loss: what a float says of the lattice point below it is wrong by more than one.
    #[test]
    fn atoms_lie_between_the_points_they_are_put_on() {
        for power in [-20, -45, -52, -54, -57, -60] {
            let step = Rational::from_f64(2f64.powi(power)).unwrap();
            let (offset, exact_step) = (Ball::exact(-600.0), ball(&step));
            let grid = Grid { offset: &offset, step: &exact_step };
            for i in 0..200u32 {
                // Between floats, at any place between lattice points.
                let loss = Ball::exact(-600.0 + 2f64.powi(power.max(-30)) * f64::from(i))
                    .add(&Ball::exact(2f64.powi(power - 3) * f64::from(i % 8)));
                for rounding in [Rounding::Above, Rounding::Below] {
                    let first = grid.floor(loss.lower()) - 40;
                    let mut table = MassTable::new(first, first + 80, rounding).unwrap();
                    if discretize_atom(&mut table, &grid, &loss, &Ball::exact(0.5)).is_none() {
                        assert!(power < -44, "{power} {i}");
                        continue;
                    }
                    let places = table.masses.iter().zip(first..).filter(|(mass, _)| **mass > 1e-9);
                    let points: Vec<Ball> = places.map(|(_, index)| grid.at(2 * index)).collect();
                    match rounding {
                        Rounding::Below => {
                            assert!(points.iter().all(|point| point.lower() <= loss.upper()), "{power} {i}")
                        }
                        Rounding::Above => {
                            assert!(points.iter().any(|point| point.upper() >= loss.lower()), "{power} {i}")
                        }
                    }
                }
            }
        }
    }

    /// Delta of a table on a lattice, all of it moved by some cells.
    fn delta(table: &MassTable, (step, moved): (f64, i64), epsilon: f64) -> f64 {
        let losses = (table.first + moved..).map(|index| float(index) * step);
        losses.zip(&table.masses).map(|(loss, mass)| mass * -(epsilon - loss).min(0.0).exp_m1()).sum()
    }

    /// Of the densities `phi(y) g(y)` and `phi(y) g(-y)`, by Simpson's rule from where their ratio is `e^epsilon`.
    fn replaced_by_quadrature(sigma: f64, rate: f64, epsilon: f64) -> f64 {
        let mu = 1.0 / sigma;
        let g = |y: f64| 1.0 - rate + rate * (mu * y - mu * mu / 2.0).exp();
        let excess = |y: f64| (-y * y / 2.0).exp() / std::f64::consts::TAU.sqrt() * (g(y) - epsilon.exp() * g(-y));
        let (mut low, mut high) = (-1.0, 40.0);
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            if excess(middle) < 0.0 { low = middle } else { high = middle }
        }
        let step = (mu + 15.0 - low) / 20_000.0;
        let term = |i: u32| {
            let weight = if i == 0 || i == 20_000 { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
            weight * excess(low + step * f64::from(i))
        };
        (0..=20_000).map(term).sum::<f64>() * step / 3.0
    }

    /// The pair with its two distributions exchanged.
    #[derive(Debug)]
    struct Exchanged(NormalLoss);

    impl LossTails for Exchanged {
        fn at(&self, loss: &Ball) -> Tails {
            let Tails { first, second, .. } = self.0.at(loss);
            Tails::new(second, first)
        }
    }

    /// Grids of one individual replaced, above and below a quadrature of the pair. Masses moved by one cell the wrong
    /// way, and a pair in the wrong order, are seen.
    #[test]
    fn grids_of_replacing_are_around_a_quadrature() {
        for (sigma, rate, most) in [(1.0, 0.01, 1e-2), (0.6, 0.3, 1e-5), (3.0, 0.1, 3e-3), (2.0, 0.9, 1e-5)] {
            let (offset, step) = (Ball::exact(0.0), 1.0 / 512.0);
            let grid = Grid { offset: &offset, step: &Ball::exact(step) };
            let sampled = SampledGaussian { sigma, rate, side: Side::Replace, truncation: None };
            let law = NormalLoss::new(&FiniteLoss::Sampled(sampled)).unwrap();
            let (low, high) = law.span(-115.0);
            let ends = (grid.floor(low) - 1, grid.floor(high) + 1);
            let found = discretize(&FiniteLoss::Sampled(sampled), &Rational::from((1, 512)), -115.0).unwrap();
            let whole = |law: &LatticeLoss| {
                let LatticeKind::Table { masses, .. } = &law.kind else { panic!("a grid is a table") };
                masses.iter().sum::<f64>()
            };
            let (least, most_mass) = (whole(&found.below), whole(&found.above) + found.beyond);
            let near_one = 1.0 - 1e-9..1.0 + 1e-9;
            assert!(near_one.contains(&least) && near_one.contains(&most_mass), "{least} {most_mass}");
            let pair = |law: &dyn LossTails| {
                let table = |rounding| MassTable::new(ends.0 - 1, ends.1 + 1, rounding).unwrap();
                let (mut above, mut below) = (table(Rounding::Above), table(Rounding::Below));
                discretize_density((&mut above, &mut below), &grid, ends, law).unwrap();
                (below, above)
            };
            let ((below, above), exchanged) = (pair(&law), pair(&Exchanged(law.clone())));
            for epsilon in [0.0, 0.05, 0.3, 1.0] {
                let truth = replaced_by_quadrature(sigma, rate, epsilon);
                let delta = |table: &MassTable, moved| delta(table, (step, moved), epsilon);
                let is_right = |lower: f64, upper: f64| {
                    lower <= truth * (1.0 + 1e-9) && truth * (1.0 - 1e-9) <= upper && upper - lower <= most * truth
                };
                let (lower, upper) = (delta(&below, 0), delta(&above, 0));
                let name = format!("{sigma} {rate} {epsilon}: {lower:e} {truth:e} {upper:e}");
                assert!(is_right(lower, upper), "{name}");
                assert!(!is_right(lower, delta(&above, -1)) && !is_right(delta(&below, 1), upper), "{name}");
                assert!(!is_right(delta(&exchanged.0, 0), delta(&exchanged.1, 0)), "{name}");
            }
        }
    }
}
