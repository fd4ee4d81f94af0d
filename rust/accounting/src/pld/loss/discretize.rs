//! Any distribution on a lattice of losses, twice: one that dominates it and one that it dominates.
//!
//! Both keep what a hockey-stick divergence sees: `(1 - e^epsilon y)+` is convex in `y = dQ/dP` and falls in it. Above,
//! the mass of a cell goes to both of its ends such that mass and mean of y stay ("connect the dots", Doroshenko et al.
//! 2022). Below, the mass about a lattice point is gathered there, once its mean of y is small enough. The arguments
//! are in `proofs/accounting/pld_lemmas.md`.

use crate::pld::loss::{
    exponential::Exponential,
    finite_loss::FiniteLoss,
    fixed_size_gaussian::FixedSizeGaussian,
    lattice::{LatticeKind, LatticeLoss, ball, float, nearest},
    sampled_gaussian::{SampledGaussian, Side},
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

/// A distribution on the lattice, and an upper bound on the probability of a loss beyond it.
#[derive(Debug)]
pub(crate) struct OnLattice {
    pub(crate) law: LatticeLoss,
    pub(crate) beyond: f64,
}

/// More cells than this are not spent on a distribution.
const MOST_CELLS: i64 = 1 << 17;
/// Which losses of normal noise: those of removing, those of adding, those of removing above zero and of adding below,
/// or those of replacing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Losses {
    Removing,
    Adding,
    Both,
    Replacing,
}

/// Deviations of a normal distribution kept: beyond are less than 1e-50.
const REACH: f64 = 15.0;

/// The step that a loss's atoms want to be on.
pub(crate) fn wanted_step(loss: &FiniteLoss) -> Option<Rational> {
    match loss {
        FiniteLoss::Lattice(law) => Some(law.step.clone()),
        FiniteLoss::Exponential(Exponential::Laplace { scale }) => Some(Rational::from_f64(*scale)?.recip() * 2u32),
        _ => None,
    }
}

/// The least and the greatest loss that a loss needs cells for, in floats.
pub(crate) fn span(loss: &FiniteLoss) -> (f64, f64) {
    let ends = |losses: &mut dyn Iterator<Item = f64>| {
        losses.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), loss| (low.min(loss), high.max(loss)))
    };
    match loss {
        FiniteLoss::Gaussian { sigma } => normal_span(1.0 / sigma, 1.0, Losses::Removing),
        FiniteLoss::Sampled(law) => {
            let losses = match law.side {
                Side::Remove => Losses::Removing,
                Side::Add => Losses::Adding,
                Side::Replace => Losses::Replacing,
            };
            normal_span(1.0 / law.sigma, law.rate, losses)
        }
        FiniteLoss::FixedSize(law) => normal_span(1.0 / law.sigma, law.rate, Losses::Both),
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

fn normal_span(mu: f64, rate: f64, losses: Losses) -> (f64, f64) {
    let log_g = |y: f64| {
        let exponent = mu * y - mu * mu / 2.0;
        if exponent > 30.0 { exponent + rate.ln() } else { (rate * exponent.exp_m1()).ln_1p() }
    };
    // At rate 1 the exponential may underflow, the loss does not.
    let low = if rate == 1.0 { -mu * (REACH + mu / 2.0) } else { log_g(-REACH) };
    let high = log_g(mu + REACH);
    match losses {
        Losses::Removing => (low, high),
        Losses::Adding => (-high, -low),
        Losses::Both => (-high, high),
        Losses::Replacing => (log_g(-mu - REACH) - high, high - log_g(-mu - REACH)),
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

/// What a loss is cut into.
trait Cells {
    /// The masses between two losses under both distributions.
    fn cell(&self, from: &Ball, to: &Ball) -> (Ball, Ball);
}

/// Puts the continuous part between two losses into the table. The first and the last loss are on the lattice.
fn discretize_density(
    table: &mut MassTable,
    grid: &Grid<'_>,
    (first, last): (i64, i64),
    cells: &impl Cells,
) -> Option<()> {
    let minus = |x: &Ball, y: &Ball| x.sub(y);
    match table.rounding {
        Rounding::Above => {
            let shrunk = exp_or_tiny(&Ball::exact(0.0).sub(grid.step));
            let gap = Ball::exact(0.0).sub(&Ball::exact(0.0).sub(grid.step).exp_m1());
            let mut from = grid.at(2 * first);
            for index in first..last {
                let to = grid.at(2 * index + 2);
                let (p, q) = cells.cell(&from, &to);
                // The second distribution's mass in units of the first's at the lower end.
                let q = q.mul(&from.exp());
                table.add(index, &minus(&q, &p.mul(&shrunk)).div(&gap))?;
                table.add(index + 1, &minus(&p, &q).div(&gap))?;
                from = to;
            }
        }
        Rounding::Below => {
            let nothing = (Ball::exact(0.0), Ball::exact(0.0));
            for index in first..=last {
                let at = grid.at(2 * index);
                let left = if index > first { cells.cell(&grid.at(2 * index - 1), &at) } else { nothing };
                let right = if index < last { cells.cell(&at, &grid.at(2 * index + 1)) } else { nothing };
                let growth = at.exp();
                let short = left.1.add(&right.1).mul(&growth).sub(&left.0).sub(&right.0).upper();
                if short <= 0.0 {
                    table.add(index, &left.0.add(&right.0))?;
                    continue;
                }
                // A share of the left half goes one point down, so that the rest has enough.
                let room = left.1.mul(&growth).sub(&left.0).lower();
                let share = if room > short { (Above::exact(short) / Below::exact(room)).get().min(1.0) } else { 1.0 };
                let moved = left.0.mul(&Ball::exact(share));
                table.add(index - 1, &moved)?;
                // Without its left half, the cell lies above the point.
                table.add(index, &left.0.sub(&moved).add(&right.0))?;
            }
        }
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

/// The normal distribution's mass between two points.
fn normal(from: &Ball, to: &Ball) -> Ball {
    let zero = Ball::exact(0.0);
    let tail = |x: &Ball| {
        if x.lower() > 37.0 {
            return Ball::between(0.0, 1e-299);
        }
        exp_or_tiny(&x.mul(x).mul(&Ball::exact(-0.5))).mul(&Ball::inverse_root_two_pi()).mul(&x.mills())
    };
    if from.lower() >= 0.0 {
        tail(from).sub(&tail(to))
    } else if to.upper() <= 0.0 {
        tail(&zero.sub(to)).sub(&tail(&zero.sub(from)))
    } else {
        Ball::exact(1.0).sub(&tail(&zero.sub(from))).sub(&tail(to))
    }
}

/// A loss that is monotone in normal noise, by its inverse.
struct Monotone {
    mu: Ball,
    rate: f64,
    losses: Losses,
}

impl Monotone {
    /// Where `ln g` is a given number: `(ln(1 + (e^l - 1)/q) + mu^2/2)/mu`; none below its infimum. Numbers of 640 and
    /// more in size stand for the ends.
    fn inverse(&self, loss: &Ball) -> Option<Ball> {
        if loss.lower() >= 640.0 {
            return Some(Ball::exact(1e4));
        }
        if loss.upper() <= -640.0 {
            return None;
        }
        let half = self.mu.mul(&self.mu).mul(&Ball::exact(0.5));
        if self.rate == 1.0 {
            return Some(loss.add(&half).div(&self.mu));
        }
        let rate = Ball::exact(self.rate);
        let log = if loss.lower() > 30.0 {
            // ln((e^l - (1 - q))/q)
            let rest = Ball::exact(1.0).sub(&rate).mul(&exp_or_tiny(&Ball::exact(0.0).sub(loss)));
            loss.add(&Ball::exact(0.0).sub(&rest).ln_1p()).sub(&rate.ln())
        } else {
            let growth = loss.exp_m1().div(&rate);
            if growth.upper() <= -1.0 {
                return None;
            }
            if growth.lower() <= -1.0 {
                // It is not known on which side of the infimum this lies: anything.
                return Some(Ball::exact(f64::NAN));
            }
            growth.ln_1p()
        };
        Some(log.add(&half).div(&self.mu))
    }

    /// Where the loss of replacing, `ln g(y) - ln g(-y)`, is a given number: of `u = e^(mu y)` it is
    /// `q h u^2 - (1 - q)(e^l - 1) u - e^l q h = 0`, `h = e^(-mu^2/2)`, for a loss that is not negative; others are
    /// those of `-y`. None at the lower end.
    fn inverse_of_replacing(&self, loss: &Ball) -> Option<Ball> {
        let (zero, one, half) = (Ball::exact(0.0), Ball::exact(1.0), Ball::exact(0.5));
        if loss.lower() >= 640.0 {
            return Some(Ball::exact(1e4));
        }
        if loss.upper() <= -640.0 {
            return None;
        }
        let is_below = loss.upper() <= 0.0;
        let size = if is_below { zero.sub(loss) } else { *loss };
        let square = self.mu.mul(&self.mu).mul(&half);
        let rate = Ball::exact(self.rate);
        let excess = one.sub(&rate).mul(&size.exp_m1()).div(&rate);
        let shrunk = zero.sub(&square).exp();
        let under = excess.mul(&excess).add(&Ball::exact(4.0).mul(&size.exp()).mul(&shrunk).mul(&shrunk));
        let root = under.ln().mul(&half).exp();
        let y = excess.add(&root).mul(&half).ln().add(&square).div(&self.mu);
        Some(if is_below { zero.sub(&y) } else { y })
    }

    /// The masses under both distributions of replacing, between two losses.
    fn masses_of_replacing(&self, from: &Ball, to: &Ball) -> (Ball, Ball) {
        // Below, either has less than floats hold.
        let low = Ball::exact(-40.0).sub(&self.mu).sub(&self.mu);
        let end = |x: Option<Ball>| x.filter(|x| x.upper() >= low.lower()).unwrap_or(low);
        let (from, to) = (end(self.inverse_of_replacing(from)), end(self.inverse_of_replacing(to)));
        let rate = Ball::exact(self.rate);
        let still = Ball::exact(1.0).sub(&rate).mul(&normal(&from, &to));
        let ahead = normal(&from.sub(&self.mu), &to.sub(&self.mu));
        let behind = normal(&from.add(&self.mu), &to.add(&self.mu));
        (still.add(&rate.mul(&ahead)), still.add(&rate.mul(&behind)))
    }

    /// The masses of a half-line's part under the noise alone and under the mixture, between two values of `ln g`.
    fn masses(&self, from: &Ball, to: &Ball) -> (Ball, Ball) {
        let low = Ball::exact(-40.0);
        let (from, to) = (self.inverse(from).unwrap_or(low), self.inverse(to).unwrap_or(low));
        let ends = |x: Ball| if x.upper() < -40.0 { low } else { x };
        let (from, to) = (ends(from), ends(to));
        let still = normal(&from, &to);
        let moved = normal(&from.sub(&self.mu), &to.sub(&self.mu));
        let rate = Ball::exact(self.rate);
        let mixed = Ball::exact(1.0).sub(&rate).mul(&still).add(&rate.mul(&moved));
        (still, mixed)
    }
}

impl Cells for Monotone {
    fn cell(&self, from: &Ball, to: &Ball) -> (Ball, Ball) {
        let minus = |x: &Ball| Ball::exact(0.0).sub(x);
        match self.losses {
            Losses::Replacing => self.masses_of_replacing(from, to),
            Losses::Adding => self.masses(&minus(to), &minus(from)),
            // Zero is a lattice point, so that a cell's middle tells its side.
            Losses::Both if from.add(to).upper() < 0.0 => self.masses(&minus(to), &minus(from)),
            _ => {
                let (still, mixed) = self.masses(from, to);
                (mixed, still)
            }
        }
    }
}

/// A shape on a lattice of the given step; none if it takes too many cells, or is of no kind that is known here.
pub(crate) fn discretize(loss: &FiniteLoss, step: &Rational, rounding: Rounding) -> Option<OnLattice> {
    let exact_step = ball(step);
    match loss {
        FiniteLoss::Lattice(law) => {
            let multiple = Rational::from(&law.step / step);
            if multiple.is_integer() && multiple <= 1 << 24 {
                return Some(OnLattice { law: law.clone(), beyond: 0.0 });
            }
            let (atoms, rest) = law.losses()?;
            discretize_atoms(&atoms, rest, step, rounding)
        }
        FiniteLoss::Loose(atoms) => discretize_atoms(atoms, 0.0, step, rounding),
        FiniteLoss::Exponential(law) => {
            // The lattice passes through the lower end, and the upper one if it can.
            let radius = match law {
                Exponential::Laplace { scale } => Rational::from_f64(*scale)?.recip(),
                Exponential::BoundedRange { eta } => Rational::from_f64(*eta)?,
            };
            let offset = Rational::from(-&radius);
            let exact_offset = ball(&offset);
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
            Some(on_lattice(table, offset, step, 0.0))
        }
        FiniteLoss::Gaussian { sigma } => monotone((*sigma, 1.0), (Losses::Removing, None), step, rounding),
        FiniteLoss::Sampled(SampledGaussian { truncation: Some(_), .. }) => None,
        FiniteLoss::FixedSize(FixedSizeGaussian { end: Some(_), .. }) => None,
        FiniteLoss::FixedSize(law) => monotone((law.sigma, law.rate), (Losses::Both, Some(law.atom())), step, rounding),
        FiniteLoss::Sampled(SampledGaussian { sigma, rate, side, truncation: None }) => {
            let losses = match side {
                Side::Remove => Losses::Removing,
                Side::Add => Losses::Adding,
                Side::Replace => Losses::Replacing,
            };
            monotone((*sigma, *rate), (losses, None), step, rounding)
        }
    }
}

/// Atoms anywhere.
fn discretize_atoms(atoms: &[(Ball, Ball)], rest: f64, step: &Rational, rounding: Rounding) -> Option<OnLattice> {
    let (offset, exact_step) = (Ball::exact(0.0), ball(step));
    let grid = Grid { offset: &offset, step: &exact_step };
    let ends = atoms.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (loss, _)| {
        (low.min(loss.lower()), high.max(loss.upper()))
    });
    let mut table = MassTable::new(grid.floor(ends.0) - 2, grid.floor(ends.1) + 3, rounding)?;
    for (loss, mass) in atoms {
        discretize_atom(&mut table, &grid, loss, mass)?;
    }
    Some(on_lattice(table, Rational::new(), step, rest))
}

/// Losses of noise, and what is at zero, if anything is.
fn monotone(
    (sigma, rate): (f64, f64),
    (losses, at_zero): (Losses, Option<Ball>),
    step: &Rational,
    rounding: Rounding,
) -> Option<OnLattice> {
    let (offset, exact_step) = (Ball::exact(0.0), ball(step));
    let grid = Grid { offset: &offset, step: &exact_step };
    let mu = Ball::exact(1.0).div(&Ball::exact(sigma));
    let (low, high) = normal_span(mu.upper(), rate, losses);
    let (first, last) = (grid.floor(low) - 1, grid.floor(high) + 1);
    // The squares of exponentials of losses that are replaced have to be numbers.
    let greatest = if losses == Losses::Replacing { 250.0 } else { 600.0 };
    if !(low.is_finite() && high.is_finite()) || last - first > MOST_CELLS || low.abs().max(high.abs()) > greatest {
        return None;
    }
    let cells = Monotone { mu, rate, losses };
    let mut table = MassTable::new(first - 1, last + 1, rounding)?;
    discretize_density(&mut table, &grid, (first, last), &cells)?;
    if let Some(mass) = at_zero {
        table.add(0, &mass)?;
    }
    // What is below the first point moves up to it, or is lost; what is beyond the last is charged, or lost.
    let below = cells.cell(&Ball::exact(-640.0), &grid.at(2 * first)).0;
    let beyond = cells.cell(&grid.at(2 * last), &Ball::exact(640.0)).0;
    if rounding == Rounding::Above {
        table.add(first, &below)?;
        return Some(on_lattice(table, Rational::new(), step, beyond.upper()));
    }
    Some(on_lattice(table, Rational::new(), step, 0.0))
}

fn on_lattice(table: MassTable, offset: Rational, step: &Rational, beyond: f64) -> OnLattice {
    let kind = LatticeKind::table(table.first, table.masses);
    OnLattice { law: LatticeLoss { offset, step: step.clone(), kind }, beyond }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    struct Exchanged(Monotone);

    impl Cells for &dyn Cells {
        fn cell(&self, from: &Ball, to: &Ball) -> (Ball, Ball) {
            (**self).cell(from, to)
        }
    }

    impl Cells for Exchanged {
        fn cell(&self, from: &Ball, to: &Ball) -> (Ball, Ball) {
            let (p, q) = self.0.cell(from, to);
            (q, p)
        }
    }

    /// Grids of one individual replaced, above and below a quadrature of the pair. Masses moved by one cell the wrong
    /// way, and a pair in the wrong order, are seen.
    #[test]
    fn grids_of_replacing_are_around_a_quadrature() {
        for (sigma, rate, most) in [(1.0, 0.01, 1e-2), (0.6, 0.3, 1e-5), (3.0, 0.1, 3e-3), (2.0, 0.9, 1e-5)] {
            let (offset, step) = (Ball::exact(0.0), 1.0 / 512.0);
            let grid = Grid { offset: &offset, step: &Ball::exact(step) };
            let cells = || Monotone { mu: Ball::exact(1.0).div(&Ball::exact(sigma)), rate, losses: Losses::Replacing };
            let (low, high) = normal_span(1.0 / sigma, rate, Losses::Replacing);
            let ends = (grid.floor(low) - 1, grid.floor(high) + 1);
            let whole = |rounding| {
                let losses = (Losses::Replacing, None);
                let whole = monotone((sigma, rate), losses, &Rational::from((1, 512)), rounding).unwrap();
                let LatticeKind::Table { masses, .. } = whole.law.kind else { panic!("a grid is a table") };
                masses.iter().sum::<f64>() + whole.beyond
            };
            let (least, most_mass) = (whole(Rounding::Below), whole(Rounding::Above));
            let near_one = 1.0 - 1e-9..1.0 + 1e-9;
            assert!(near_one.contains(&least) && near_one.contains(&most_mass), "{least} {most_mass}");
            let table = |rounding, cells: &dyn Cells| {
                let mut table = MassTable::new(ends.0 - 1, ends.1 + 1, rounding).unwrap();
                discretize_density(&mut table, &grid, ends, &cells).unwrap();
                table
            };
            let pair = |cells: &dyn Cells| (table(Rounding::Below, cells), table(Rounding::Above, cells));
            let ((below, above), exchanged) = (pair(&cells()), pair(&Exchanged(cells())));
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
