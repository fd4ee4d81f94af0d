//! `make_marginals`: the noisy residuals of a family of contingency tables.

mod counts;

use super::places::Places;
use crate::{
    core::{
        Deviation, Error, Fallible, Function, Measurement, MetricSpace, PrivacyMap, RandomizedFunction, Width, require,
    },
    frames::{
        batch::{Batch, Name},
        domain::FrameDomain,
    },
    measurements::{
        Scale,
        noise::{Law, Noise},
    },
    measures::ZeroConcentratedDivergence,
    metrics::{RowChange, RowMetric},
};
use counts::{Counts, Layout};
use indistinct_derive::constructor;
use indistinct_numeric::{RoundedArithmetic, RoundedFrom, ToExtended};
use indistinct_sampling::{Entropy, IntegerNoise};
use std::{collections::HashSet, sync::Arc};

/// Count the rows in every cell of a family of contingency tables (marginals), and release what each table adds to the
/// tables of fewer columns, its *residual*, with Gaussian noise.
///
/// The residual of a set A of columns is the contingency table of A times the Kronecker product of the matrices
/// `n I - J`, where `n` is the number of positions of a column and `J` the matrix of ones. It is a vector of integers.
/// The residual of the empty set is the number of rows that no axis leaves out. Residuals of different sets are
/// orthogonal, and together they hold exactly what the tables hold, so that tables computed from them agree on all
/// totals (ResidualPlanner: Xiao, He, Zhang, Kifer 2023). The crate `indistinct-marginals` finds the scales of a
/// workload for a budget, knows the variance of every cell before there are data, and computes the tables from the
/// release: it takes the residuals as they are, in the order of the workload's closure.
///
/// # Parameters
///
/// - `axes`: columns of integers without missing cells, each with its number of positions, from 1 to 65,536. A row
///   counts at this position, counted from 0. A row whose number is negative, or not below the number of positions, in
///   any of these columns is left out of all tables, so that their totals agree.
/// - `sets`: for each residual, the places of its columns in `axes`, in ascending order. A table of the columns of a
///   set can be computed from the residuals of all its subsets.
/// - `scales`: the standard deviation of each residual's noise in rows, finite and at least 0. Discrete Gaussian noise
///   of this scale times the product of the numbers of positions, rounded up to a float, is added to each integer. A
///   noisy integer beyond 64 bits is released as the end of 64 bits next to it.
///
/// The accuracy of the release is that of each residual's integers, whose units differ by set; the variance of the
/// cells of a table is that of the workload's scales in `indistinct-marginals`.
///
/// # Privacy
///
/// `rho` is `d_in^2 / 2` times the sum, over all residuals, of the greatest squared length by which one row changes the
/// residual, divided by the squared scale of its noise; it is rounded up. Where a row is added or removed, this squared
/// length is the product of all `n (n - 1)`. Where a row is replaced, it is `2 m / (m - 1)` times as much, for the
/// least number `m` of positions, if that is at least 2; it is 0 if `m` is 1, and 1 for the empty set. For individuals
/// with several rows, bound their rows first ([`make_bound_rows`](super::make_bound_rows)).
///
/// # Errors
///
/// No axes, no sets, an unknown column, one that does not hold integers or in which cells may be missing; a number of
/// positions out of range; a set with a place that no axis has, or with places that do not ascend; a set listed twice;
/// more than 2^24 cells in one table, or 2^28 in all; another number of scales than of sets; a scale that is negative,
/// infinite or NaN.
///
/// ```
/// use indistinct::{frames::*, prelude::*};
/// let people = FrameDomain::new([("sex", ColumnDomain::integer()), ("age", ColumnDomain::integer())])?;
/// let axes = vec![("sex", 2), ("age", 4)];
/// let sets = vec![vec![], vec![0], vec![1], vec![0, 1]];
/// let noisy = make_marginals(people, SymmetricDistance, axes, sets, vec![2.0; 4])?;
/// assert_eq!(noisy.map(&1)?, (1.0 + 1.0 / 2.0 + 3.0 / 4.0 + 3.0 / 8.0) / (2.0 * 2.0 * 2.0)); // rho
/// let frame = Frame::new([
///     ("sex", [0i64, 1, 1].into_iter().collect::<Column>()),
///     ("age", [2i64, 0, 2].into_iter().collect()),
/// ])?;
/// let residuals = noisy.invoke(&frame)?;
/// assert_eq!(residuals.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2, 4, 8]);
/// # Ok::<(), Error>(())
/// ```
#[constructor]
pub fn make_marginals<N: Name, M: RowMetric>(
    input_domain: FrameDomain,
    input_metric: M,
    axes: Vec<(N, u32)>,
    sets: Vec<Vec<usize>>,
    scales: Vec<f64>,
) -> Fallible<Measurement<FrameDomain, Vec<Vec<i64>>, M, ZeroConcentratedDivergence>>
where
    (FrameDomain, M): MetricSpace,
{
    require(!axes.is_empty(), "axes", "must not be empty")?;
    let axes = axes.into_iter().map(|(name, positions)| axis(&input_domain, &name.into(), positions));
    let axes = axes.collect::<Fallible<Vec<Places>>>()?;
    require(!sets.is_empty(), "sets", "must not be empty")?;
    require(scales.len() == sets.len(), "scales", "must be as many as sets")?;
    require(sets.iter().collect::<HashSet<_>>().len() == sets.len(), "sets", "must be distinct")?;
    let blocks = sets.iter().zip(&scales).map(|(set, scale)| Block::new(&axes, set, *scale));
    let blocks = blocks.collect::<Fallible<Vec<Block>>>()?;
    let cells = blocks.iter().fold(0usize, |all, block| all.saturating_add(block.sizes.iter().product()));
    require(cells <= MAX_CELLS, "sets", "must have at most 2^28 cells in all: leave out sets or positions")?;
    let unit = input_metric.unit();
    let each = blocks.iter().map(|block| block.loss(unit));
    let step = each.into_iter().try_fold(0.0, |sum: f64, loss| Ok::<f64, Error>(sum.inf_add(loss?)?))?;
    let widths = blocks.iter().map(|block| Deviation::Gaussian(Width { scale: block.scale, grid: None }));
    let deviation = Deviation::Parts(widths.collect());
    let layout = Arc::new(Layout::new(axes, sets));
    let tables = Function::fold_batches(
        move || Counts::new(layout.clone()),
        |counts: &mut Counts, batches: &[Batch]| batches.iter().try_for_each(|batch| counts.absorb(batch)),
        Counts::merge,
        Counts::finish,
    );
    let noisy = move |tables: &[Vec<i64>], entropy: &mut dyn Entropy| noisy(tables, &blocks, entropy);
    let measurement = Measurement::new(
        (input_domain, input_metric),
        ZeroConcentratedDivergence,
        RandomizedFunction::new(noisy).after(tables),
        PrivacyMap::new(move |&d_in: &u32| {
            if d_in == 0 {
                return Ok(0.0);
            }
            Ok(f64::from(d_in).inf_powi(2)?.inf_mul(step)?)
        }),
    )?;
    Ok(measurement.with_deviation(deviation))
}

/// The most positions of an axis, which 16 bits can number.
const MAX_POSITIONS: u32 = 1 << 16;
/// The most cells of one table, which 32 bits can number.
const MAX_TABLE: usize = 1 << 24;
/// The most cells of all tables: 2 GiB of counts.
const MAX_CELLS: usize = 1 << 28;

/// The column of positions of an axis.
fn axis(frames: &FrameDomain, name: &str, positions: u32) -> Fallible<Places> {
    if !(1..=MAX_POSITIONS).contains(&positions) {
        let rule = format!("the axis {name:?} must have from 1 to {MAX_POSITIONS} positions, not {positions}");
        return Err(Error::parameter("axes", rule));
    }
    Places::new(frames, name, positions)
}

/// A residual that is released.
struct Block {
    /// The numbers of positions of its axes.
    sizes: Vec<usize>,
    /// The scale of the noise of each of its integers.
    scale: f64,
}

impl Block {
    /// The residual of a set of axes, with noise of a scale in rows.
    fn new(axes: &[Places], set: &[usize], scale: f64) -> Fallible<Self> {
        let ascends = set.iter().zip(set.iter().skip(1)).all(|(place, next)| place < next);
        require(ascends, "sets", "the places of a set must ascend")?;
        let sizes = set.iter().map(|place| {
            let rule = || Error::parameter("sets", format!("there is no axis {place}; there are {}", axes.len()));
            axes.get(*place).map(|axis| axis.number()).ok_or_else(rule)
        });
        let sizes = sizes.collect::<Fallible<Vec<usize>>>()?;
        let cells = sizes.iter().try_fold(1usize, |cells, size| cells.checked_mul(*size));
        let Some(cells) = cells.filter(|cells| *cells <= MAX_TABLE) else {
            let rule = format!("a table of axes with {sizes:?} positions has more than 2^24 cells");
            return Err(Error::parameter("sets", rule));
        };
        Scale::new(scale).validate(true).map_err(|error| Error::parameter("scales", error.message()))?;
        let scale = scale.inf_mul(f64::inf_from(&cells)?)?;
        require(scale.is_finite(), "scales", "must be finite, also times the number of cells")?;
        Ok(Self { sizes, scale })
    }

    /// The greatest squared length by which one step of a dataset metric changes the residual. It is below `2^52`, as
    /// there are at most `2^24` cells.
    fn square(&self, unit: RowChange) -> u64 {
        let whole = |size: &usize| u64::try_from(*size).unwrap_or(u64::MAX);
        let cells: u64 = self.sizes.iter().map(whole).product();
        let others: u64 = self.sizes.iter().map(|size| whole(size).saturating_sub(1)).product();
        match (unit, self.sizes.iter().min().map(whole)) {
            (RowChange::AddOrRemove, _) => cells * others,
            // A row that is listed after and not before is a row more.
            (RowChange::Replace, None) => 1,
            (RowChange::Replace, Some(..=1)) => 0,
            (RowChange::Replace, Some(least)) => 2 * cells * (others + others / (least - 1)),
        }
    }

    /// The loss of this residual alone by one step of a dataset metric, rounded up.
    fn loss(&self, unit: RowChange) -> Fallible<f64> {
        let square = self.square(unit);
        if square == 0 {
            return Ok(0.0);
        }
        let (square, scale) = (square.to_extended()?, self.scale.to_extended()?);
        Ok(f64::inf_from(&square.div(&scale.mul(&scale)?.mul(&2.0.to_extended()?)?)?)?)
    }
}

/// The noisy residuals of these tables.
fn noisy(tables: &[Vec<i64>], blocks: &[Block], entropy: &mut dyn Entropy) -> Fallible<Vec<Vec<i64>>> {
    let mut last: Option<(f64, IntegerNoise)> = None;
    let mut residuals = Vec::with_capacity(blocks.len());
    for (table, block) in tables.iter().zip(blocks) {
        let (scale, noise) = match last.take() {
            Some((scale, noise)) if scale == block.scale => (scale, noise),
            _ => (block.scale, IntegerNoise::of(Law::Gaussian, block.scale.into())?),
        };
        let noisy = residual(table, &block.sizes).into_iter().map(|exact| {
            // A draw at an end of its type is so far outside of 64 bits that no residual brings the sum back.
            let noisy = exact.saturating_add(noise.draw_i128(entropy)?);
            Ok(i64::try_from(noisy).unwrap_or(if noisy < 0 { i64::MIN } else { i64::MAX }))
        });
        residuals.push(noisy.collect::<Fallible<Vec<i64>>>()?);
        last = Some((scale, noise));
    }
    Ok(residuals)
}

/// A table times the Kronecker product of `n I - J` over its axes.
///
/// No number overflows: of counts up to `2^60` in at most `2^24` cells, an axis of `n` positions makes numbers at most
/// `2 n` times as great, which is `2^48` times for all axes of more than one position; one of a single position makes
/// all of them 0.
fn residual(table: &[i64], sizes: &[usize]) -> Vec<i128> {
    let mut cells: Vec<i128> = table.iter().map(|count| i128::from(*count)).collect();
    let mut inner = 1;
    for size in sizes.iter().rev() {
        let number = i128::try_from(*size).unwrap_or(i128::MAX);
        for block in cells.chunks_exact_mut(size * inner) {
            let mut sums = vec![0i128; inner];
            for part in block.chunks_exact(inner) {
                sums.iter_mut().zip(part).for_each(|(sum, cell)| *sum += cell);
            }
            for part in block.chunks_exact_mut(inner) {
                part.iter_mut().zip(&sums).for_each(|(cell, sum)| *cell = number * *cell - sum);
            }
        }
        inner *= size;
    }
    cells
}

#[cfg(test)]
mod tests;
