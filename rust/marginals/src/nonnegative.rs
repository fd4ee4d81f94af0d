//! Tables without negative cells, by least squares.

use num::ToPrimitive;

use crate::{
    AxisSet, Error, Fallible, Reconstruction, Scales,
    error::require,
    reconstruct::{add_repeated, shape, sum_into},
    scales::float,
};

/// How far the objective may be above its minimum: the tables are then within sqrt(2 GAP) standard deviations of the
/// least-squares tables, over all residuals together.
const GAP: f64 = 1e-6;

/// The most steps. Workloads of thousands of cells need some hundreds.
const STEPS: usize = 20_000;

/// The gap is computed once in so many steps.
const CHECKED_EVERY: usize = 10;

/// The part of a cell, or of a count, that passes for rounding where a cell cannot be moved away from zero.
const ROUNDING: f64 = 1e-8;

const SOLVER: &str = "non_negative";

/// Tables that add up and have no negative cell, from [`Reconstruction::non_negative`].
#[derive(Debug, Clone, PartialEq)]
pub struct NonNegative {
    reconstruction: Reconstruction,
    /// The parts of the tables, for each set of the closure.
    parts: Vec<Vec<f64>>,
}

impl Reconstruction {
    /// The tables without negative cells that are nearest to the noisy ones: of all residuals whose tables are
    /// non-negative, those with the least sum over the sets of |residual - noisy residual|^2 / s^2 (GReM-LNN: Mullins,
    /// Fuentes, Xiao, Kifer, Musco and Sheldon, 2024, arXiv 2410.01091). Under Gaussian noise, they are the most
    /// likely.
    ///
    /// All tables of the workload are non-negative together, and add up as before, to within roundings of floats, or
    /// 1e-8 per cell where a public table, or the total, is zero. Residuals of public sets, and of those held fixed,
    /// stay as they are.
    ///
    /// # Bias
    ///
    /// The error of each cell becomes smaller on the whole, but its expectation is no longer zero. A cell whose true
    /// count is zero can only err upward: alone, with noise of standard deviation s, it is s / sqrt(2 pi) = 0.4 s too
    /// high on average. Because the total does not follow, large cells become too low by as much together. Sums of many
    /// sparse cells show it most. Standard deviations and intervals from [`Scales`] hold for the tables before this
    /// step.
    ///
    /// # Errors
    ///
    /// A table does not fit in 128 bits; a public table has a negative cell, or several public tables admit no
    /// non-negative table in which the remaining residuals are zero; the iteration did not come near enough to the
    /// minimum.
    ///
    /// ```
    /// use indistinct_marginals::{AxisSet, Reconstruction, Scales, Workload};
    /// let workload = Workload::up_to(vec![2, 2], 2)?;
    /// let scales = Scales::for_weighted_sum(&workload, 0.5)?;
    /// let noisy = vec![vec![100], vec![90, -92], vec![-22, 17], vec![9, -8, -8, 10]];
    /// let tables = Reconstruction::new(workload, noisy)?;
    /// let both = AxisSet::new([0, 1])?;
    /// println!("{:?}", tables.table(&both)?.to_f64());
    /// let rounded: Vec<f64> = tables.non_negative(&scales)?.table(&both)?.iter().map(|x| (x * 1e3).round() / 1e3).collect();
    /// println!("{rounded:?}");
    /// # Ok::<(), indistinct_marginals::Error>(())
    /// ```
    ///
    /// ```text
    /// [45.0625, 50.4375, -4.8125, 9.3125]
    /// [43.773, 50.783, 0.0, 8.023]
    /// ```
    pub fn non_negative(&self, scales: &Scales) -> Fallible<NonNegative> {
        let parts = Problem::new(self, scales)?.solve()?;
        Ok(NonNegative { reconstruction: self.clone(), parts })
    }
}

impl NonNegative {
    /// The table of a marginal of the closure, in row-major order.
    ///
    /// # Errors
    ///
    /// The marginal is not in the closure.
    pub fn table(&self, marginal: &AxisSet) -> Fallible<Vec<f64>> {
        let workload = self.reconstruction.workload();
        let (sizes, cells) = (workload.sizes_of(marginal)?, workload.cells(marginal)?);
        let part = |(at, set): (usize, AxisSet)| Part::new(marginal, &sizes, &set, at, workload.cells(&set)?, cells);
        let parts = workload.parts(marginal)?.into_iter().map(part).collect::<Fallible<Vec<Part>>>()?;
        let mut table = vec![0.0; cells];
        expand(&mut table, &parts, &self.parts)?;
        // What is left below zero is rounding, or within the tolerance beside a public zero.
        table.iter_mut().for_each(|cell| *cell = cell.max(0.0));
        Ok(table)
    }
}

/// A set of the closure inside a marginal.
struct Part {
    at: usize,
    shape: Vec<(usize, bool)>,
    /// How many cells of the marginal have the same cell of the part.
    repeated: f64,
}

impl Part {
    fn new(
        marginal: &AxisSet,
        sizes: &[usize],
        set: &AxisSet,
        at: usize,
        of_set: usize,
        cells: usize,
    ) -> Fallible<Self> {
        Ok(Part { at, shape: shape(marginal, sizes, set), repeated: float(cells) / float(of_set) })
    }
}

/// A marginal whose cells must not be negative: one that no other contains.
struct Maximal {
    cells: usize,
    parts: Vec<Part>,
}

struct Problem {
    marginals: Vec<Maximal>,
    /// The sizes of each set of the closure.
    sizes: Vec<Vec<usize>>,
    /// s^2 for each set of the closure; zero if its residual is fixed.
    variances: Vec<f64>,
    /// The noisy parts: projected and divided by the sizes.
    noisy: Vec<Vec<f64>>,
    /// The position of the total in the closure.
    total: usize,
}

/// A point of the iteration: the parts, their objective and the tables.
struct Point {
    parts: Vec<Vec<f64>>,
    tables: Vec<Vec<f64>>,
    /// Half of the sum of |part - noisy part|^2 / s^2.
    distance: f64,
}

impl Problem {
    fn new(reconstruction: &Reconstruction, scales: &Scales) -> Fallible<Self> {
        let workload = reconstruction.workload();
        let (sets, count) = (workload.closure().len(), scales.variances().len());
        require(count == sets, "scales", format!("must be one for each of the {sets} sets, not {count}"))?;
        let mut noisy = Vec::with_capacity(sets);
        for (at, set) in workload.closure().iter().enumerate() {
            let cells = float(workload.cells(set)?);
            let part = |cell: i128| cell.to_f64().unwrap_or(f64::NAN) / cells / cells;
            noisy.push(reconstruction.projected(at, set)?.into_iter().map(part).collect());
        }
        let variance = |(set, variance): (&AxisSet, &f64)| if reconstruction.is_held(set) { 0.0 } else { *variance };
        let variances = workload.closure().iter().zip(scales.variances()).map(variance).collect();
        let sizes = workload.closure().iter().map(|set| workload.sizes_of(set)).collect::<Fallible<_>>()?;
        let mut contained = vec![false; sets];
        for set in workload.closure() {
            for smaller in set.without_one() {
                if let Some(contained) = workload.position(&smaller).and_then(|at| contained.get_mut(at)) {
                    *contained = true;
                }
            }
        }
        let mut marginals = Vec::new();
        for (set, _) in workload.closure().iter().zip(&contained).filter(|(_, contained)| !**contained) {
            let (sizes, cells) = (workload.sizes_of(set)?, workload.cells(set)?);
            let part =
                |(at, inside): (usize, AxisSet)| Part::new(set, &sizes, &inside, at, workload.cells(&inside)?, cells);
            let parts = workload.parts(set)?.into_iter().map(part).collect::<Fallible<_>>()?;
            marginals.push(Maximal { cells, parts });
        }
        let total = workload.position(&AxisSet::total()).unwrap_or(0);
        Ok(Problem { marginals, sizes, variances, noisy, total })
    }

    /// The tables of the marginals that have these parts.
    fn tables(&self, parts: &[Vec<f64>]) -> Fallible<Vec<Vec<f64>>> {
        let table = |marginal: &Maximal| {
            let mut table = vec![0.0; marginal.cells];
            expand(&mut table, &marginal.parts, parts)?;
            Ok(table)
        };
        self.marginals.iter().map(table).collect()
    }

    /// The point that minimizes the Lagrangian at these multipliers of the cells: each part moves by s^2 times the
    /// projection of the multipliers' margins.
    fn point(&self, multipliers: &[Vec<f64>]) -> Fallible<Point> {
        let mut moves: Vec<Vec<f64>> = self.noisy.iter().map(|part| vec![0.0; part.len()]).collect();
        for (marginal, multipliers) in self.marginals.iter().zip(multipliers) {
            for part in &marginal.parts {
                let Some(sum) = moves.get_mut(part.at) else { continue };
                let mut margin = vec![0.0; sum.len()];
                sum_into(&mut margin, multipliers, &part.shape)?;
                for (sum, margin) in sum.iter_mut().zip(margin) {
                    *sum += margin / part.repeated;
                }
            }
        }
        let mut distance = 0.0;
        for (((part, sizes), noisy), variance) in
            moves.iter_mut().zip(&self.sizes).zip(&self.noisy).zip(&self.variances)
        {
            center(part, sizes);
            distance += variance * part.iter().map(|x| x * x).sum::<f64>() / 2.0;
            for (x, noisy) in part.iter_mut().zip(noisy) {
                *x = noisy + variance * *x;
            }
        }
        Ok(Point { tables: self.tables(&moves)?, parts: moves, distance })
    }

    /// The greatest curvature of the dual function.
    fn curvature(&self) -> f64 {
        let mut sums = vec![0.0; self.variances.len()];
        for part in self.marginals.iter().flat_map(|marginal| &marginal.parts) {
            if let Some(sum) = sums.get_mut(part.at) {
                *sum += 1.0 / part.repeated;
            }
        }
        sums.iter().zip(&self.variances).map(|(sum, variance)| sum * variance).fold(0.0, f64::max)
    }

    /// Accelerated projected gradients on the dual problem, with restarts, until the gap to a feasible point is small.
    fn solve(&self) -> Fallible<Vec<Vec<f64>>> {
        let curvature = self.curvature();
        let mut multipliers: Vec<Vec<f64>> = self.marginals.iter().map(|marginal| vec![0.0; marginal.cells]).collect();
        let mut ahead = multipliers.clone();
        let mut momentum = 1.0_f64;
        let mut gap = f64::INFINITY;
        for step in 0..STEPS {
            if step % CHECKED_EVERY == 0 {
                let point = self.point(&multipliers)?;
                let products = multipliers.iter().zip(&point.tables).flat_map(|(a, b)| a.iter().zip(b));
                let dual = point.distance - products.map(|(a, b)| a * b).sum::<f64>();
                let feasible = self.feasible(point)?;
                gap = self.distance(&feasible) - dual;
                if gap <= GAP {
                    return Ok(feasible);
                }
            }
            if curvature == 0.0 {
                break;
            }
            let tables = self.point(&ahead)?.tables;
            let next_momentum = (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt()) / 2.0;
            let factor = (momentum - 1.0) / next_momentum;
            // Momentum that leads away from the gradient step is dropped.
            let mut against = 0.0;
            for ((multipliers, ahead), table) in multipliers.iter_mut().zip(&mut ahead).zip(&tables) {
                for ((multiplier, ahead), cell) in multipliers.iter_mut().zip(ahead).zip(table) {
                    let next = (*ahead - cell / curvature).max(0.0);
                    against += (*ahead - next) * (next - *multiplier);
                    *ahead = next + factor * (next - *multiplier);
                    *multiplier = next;
                }
            }
            momentum = next_momentum;
            if against > 0.0 {
                momentum = 1.0;
                ahead.clone_from(&multipliers);
            }
        }
        let reason = format!("after {STEPS} steps, the objective may be {gap} above its minimum; {GAP} is allowed");
        Err(Error::NotConverged { solver: SOLVER, reason })
    }

    /// Half of the sum of |part - noisy part|^2 / s^2 over the parts that may move.
    fn distance(&self, parts: &[Vec<f64>]) -> f64 {
        let squares = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        let sets = parts.iter().zip(&self.noisy).zip(&self.variances).filter(|(_, variance)| **variance > 0.0);
        sets.map(|((part, noisy), variance)| squares(part, noisy) / variance / 2.0).sum()
    }

    /// The nearest point with non-negative tables towards the tables in which only the total and the fixed parts
    /// are not zero.
    fn feasible(&self, mut point: Point) -> Fallible<Vec<Vec<f64>>> {
        if self.variances.get(self.total).is_some_and(|variance| *variance > 0.0)
            && let Some(total) = point.parts.get_mut(self.total)
            && total.iter().any(|total| *total < 0.0)
        {
            total.iter_mut().for_each(|total| *total = 0.0);
            point.tables = self.tables(&point.parts)?;
        }
        let moves = |at: usize, variance: &f64| at != self.total && *variance > 0.0;
        let mut even = point.parts.clone();
        for (at, (part, variance)) in even.iter_mut().zip(&self.variances).enumerate() {
            if moves(at, variance) {
                part.iter_mut().for_each(|x| *x = 0.0);
            }
        }
        let mut share = 0.0_f64;
        for (table, even) in point.tables.iter().zip(&self.tables(&even)?) {
            for (cell, even) in table.iter().zip(even) {
                // Roundings of a cell that cannot move.
                let tolerance = ROUNDING * (1.0 + even.abs());
                if *even < -tolerance {
                    let rule = "must leave no negative cell where the other residuals are zero";
                    require(false, "public tables", rule)?;
                }
                if *cell < 0.0 && *even > tolerance {
                    share = share.max(-cell / (even - cell));
                } else if *cell < -tolerance {
                    share = 1.0;
                }
            }
        }
        for (at, (part, variance)) in point.parts.iter_mut().zip(&self.variances).enumerate() {
            if moves(at, variance) {
                part.iter_mut().for_each(|x| *x *= 1.0 - share);
            }
        }
        Ok(point.parts)
    }
}

/// Adds the parts to a table, each repeated and divided.
fn expand(table: &mut [f64], parts: &[Part], of_sets: &[Vec<f64>]) -> Fallible<()> {
    for part in parts {
        let cells = of_sets.get(part.at).map_or(&[][..], Vec::as_slice);
        let divided: Vec<f64> = cells.iter().map(|cell| cell / part.repeated).collect();
        add_repeated(table, &divided, &part.shape)?;
    }
    Ok(())
}

/// Subtracts the mean of every line, along each axis.
fn center(cells: &mut [f64], sizes: &[usize]) {
    let mut stride = cells.len();
    for &size in sizes {
        let block = stride;
        stride = (stride / size.max(1)).max(1);
        for block in cells.chunks_exact_mut(block) {
            let mut means = vec![0.0; stride];
            for slice in block.chunks_exact(stride) {
                means.iter_mut().zip(slice).for_each(|(mean, cell)| *mean += cell);
            }
            means.iter_mut().for_each(|mean| *mean /= float(size));
            for slice in block.chunks_exact_mut(stride) {
                slice.iter_mut().zip(&means).for_each(|(cell, mean)| *cell -= mean);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use clarabel::{
        algebra::CscMatrix,
        solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus},
    };
    use proptest::prelude::*;

    use super::*;
    use crate::{Workload, dense};

    fn set(axes: &[usize]) -> AxisSet {
        AxisSet::new(axes.iter().copied()).unwrap()
    }

    /// Sparse tables with noise of several standard deviations: many cells are negative.
    fn noisy(workload: &Workload, scales: &Scales, seed: u64) -> Reconstruction {
        let residual = |(at, set): (usize, &AxisSet)| {
            let cells = workload.cells(set).unwrap();
            let scale = scales.variances()[at].sqrt() * float(cells);
            let drawn = dense::integers(dense::mixed(seed, at), cells, 2001);
            let around = drawn.iter().map(|x| ((dense::real(*x) - 1000.0) / 400.0 * scale).round().to_i64().unwrap());
            if set.is_empty() { around.map(|x| x + 12).collect() } else { around.collect() }
        };
        let residuals = workload.closure().iter().enumerate().map(residual).collect();
        Reconstruction::new(workload.clone(), residuals).unwrap()
    }

    /// The least-squares parts by a quadratic program over all parts, with dense matrices.
    fn by_program(tables: &Reconstruction, scales: &Scales) -> Vec<Vec<f64>> {
        let problem = Problem::new(tables, scales).unwrap();
        let starts: Vec<usize> = problem
            .noisy
            .iter()
            .scan(0, |at, part| {
                *at += part.len();
                Some(*at - part.len())
            })
            .collect();
        let variables: usize = problem.noisy.iter().map(Vec::len).sum();
        let squares: Vec<f64> = problem
            .noisy
            .iter()
            .zip(&problem.variances)
            .flat_map(|(part, variance)| vec![1.0 / variance; part.len()])
            .collect();
        let linear: Vec<f64> = problem.noisy.iter().flatten().zip(&squares).map(|(x, square)| -x * square).collect();
        let workload = tables.workload();
        let (mut rows, mut entries) = (0, Vec::new());
        for (marginal, _) in workload.marginals() {
            let sizes = workload.sizes_of(marginal).unwrap();
            for (at, inside) in workload.parts(marginal).unwrap() {
                let kept: Vec<bool> = marginal.positions().iter().map(|&axis| inside.contains(axis)).collect();
                let matrix = dense::by_axis(&sizes, |axis, n| {
                    if kept[axis] { dense::centering(n) } else { dense::constant(n, 1, 1.0 / float(n)) }
                });
                for (i, row) in matrix.iter().enumerate() {
                    entries.extend(row.iter().enumerate().map(|(j, x)| (rows + i, starts[at] + j, -x)));
                }
            }
            rows += workload.cells(marginal).unwrap();
        }
        let column = |pick: fn(&(usize, usize, f64)) -> usize| entries.iter().map(pick).collect::<Vec<_>>();
        let values = entries.iter().map(|entry| entry.2).collect();
        let matrix = CscMatrix::new_from_triplets(rows, variables, column(|e| e.0), column(|e| e.1), values);
        let diagonal = (0..variables).collect::<Vec<_>>();
        let quadratic = CscMatrix::new_from_triplets(variables, variables, diagonal.clone(), diagonal, squares);
        let settings = DefaultSettings { verbose: false, tol_gap_abs: 1e-10, tol_gap_rel: 1e-10, ..Default::default() };
        let cones = [NonnegativeConeT(rows)];
        let mut solver = DefaultSolver::new(&quadratic, &linear, &matrix, &vec![0.0; rows], &cones, settings).unwrap();
        solver.solve();
        assert!(matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved));
        let mut parts = problem.noisy.clone();
        for (part, start) in parts.iter_mut().zip(starts) {
            let end = start + part.len();
            part.copy_from_slice(&solver.solution.x[start..end]);
        }
        for (part, sizes) in parts.iter_mut().zip(&problem.sizes) {
            center(part, sizes);
        }
        parts
    }

    fn add_up(tables: &NonNegative, tolerance: f64) {
        let workload = tables.reconstruction.workload();
        for (marginal, _) in workload.marginals() {
            let table = tables.table(marginal).unwrap();
            assert!(table.iter().all(|cell| *cell >= 0.0));
            let sizes = workload.sizes_of(marginal).unwrap();
            for margin in marginal.subsets() {
                let mut summed = vec![0.0; workload.cells(&margin).unwrap()];
                sum_into(&mut summed, &table, &shape(marginal, &sizes, &margin)).unwrap();
                for (a, b) in summed.iter().zip(tables.table(&margin).unwrap()) {
                    assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{marginal} {margin}: {a} {b}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn it_meets_a_quadratic_program(
            sizes in proptest::collection::vec(1_usize..5, 1..4), order in 1_usize..4, seed in any::<u64>(),
        ) {
            let workload = Workload::up_to(sizes, order).unwrap();
            let scales = Scales::for_weighted_sum(&workload, 0.05).unwrap();
            let tables = noisy(&workload, &scales, seed);
            let solved = tables.non_negative(&scales).unwrap();
            add_up(&solved, 1e-9);
            let expected = by_program(&tables, &scales);
            let apart: f64 = solved.parts.iter().zip(&expected).zip(scales.variances())
                .map(|((a, b), variance)| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>() / variance)
                .sum();
            prop_assert!(apart.sqrt() <= 3e-3, "{} standard deviations apart", apart.sqrt());
        }
    }

    #[test]
    fn tables_without_negative_cells_stay() {
        let workload = Workload::up_to(vec![2, 3], 2).unwrap();
        let scales = Scales::for_weighted_sum(&workload, 0.5).unwrap();
        let residuals = vec![vec![60], vec![2, -3], vec![5, 0, -4], vec![1, 2, 0, -1, 0, 3]];
        let tables = Reconstruction::new(workload, residuals).unwrap();
        let solved = tables.non_negative(&scales).unwrap();
        for (a, b) in solved.table(&set(&[0, 1])).unwrap().iter().zip(tables.table(&set(&[0, 1])).unwrap().to_f64()) {
            assert!((a - b).abs() < 1e-12);
        }
        assert!(solved.table(&set(&[2])).is_err());
    }

    #[test]
    fn a_negative_total_leaves_zeros() {
        let workload = Workload::up_to(vec![2, 3], 1).unwrap();
        let scales = Scales::for_weighted_sum(&workload, 0.5).unwrap();
        let tables = Reconstruction::new(workload, vec![vec![-500], vec![20, 0], vec![0, 1, -6]]).unwrap();
        let solved = tables.non_negative(&scales).unwrap();
        for axis in [0, 1] {
            assert!(solved.table(&set(&[axis])).unwrap().iter().all(|cell| (0.0..1e-8).contains(cell)));
        }
    }

    #[test]
    fn public_tables_stay_also_with_zeros() {
        let workload = Workload::up_to(vec![4, 3, 2], 3).unwrap().with_public([set(&[0]), set(&[0, 2])]).unwrap();
        let scales = Scales::for_weighted_sum(&workload, 0.1).unwrap();
        for seed in 0..10 {
            let residual = |set| {
                let cells = workload.cells(set).unwrap();
                dense::integers(dense::mixed(seed, cells), cells, 300).into_iter().map(|x| x - 150).collect()
            };
            let residuals = workload.measured().map(residual).collect();
            let mut tables = Reconstruction::new(workload.clone(), residuals).unwrap();
            tables.hold(set(&[0, 2]), vec![9, 0, 3, 1, 0, 0, 2, 6]).unwrap();
            let solved = tables.non_negative(&scales).unwrap();
            add_up(&solved, 1e-6);
            for (cell, public) in solved.table(&set(&[0])).unwrap().iter().zip([9.0, 4.0, 0.0, 8.0]) {
                assert!((cell - public).abs() < 1e-9);
            }
            assert!(solved.table(&set(&[0, 1])).unwrap()[6..9].iter().all(|cell| *cell < 1e-6));
        }
    }

    #[test]
    fn all_pairs_of_twelve_axes_are_solved() {
        let workload = Workload::up_to(vec![73, 42, 41, 16, 15, 9, 7, 6, 5, 4, 2, 2], 2).unwrap();
        let scales = Scales::for_weighted_sum(&workload, 0.5).unwrap();
        let tables = noisy(&workload, &scales, 3);
        let problem = Problem::new(&tables, &scales).unwrap();
        assert!(problem.tables(&problem.noisy).unwrap().iter().flatten().any(|cell| *cell < -5.0));
        add_up(&tables.non_negative(&scales).unwrap(), 1e-9);
    }

    #[test]
    fn negative_public_tables_are_refused() {
        let workload = Workload::up_to(vec![2, 2], 2).unwrap().with_public([set(&[0])]).unwrap();
        let scales = Scales::for_weighted_sum(&workload, 0.5).unwrap();
        let mut tables = Reconstruction::new(workload, vec![vec![1, 0], vec![0, 0, 1, 0]]).unwrap();
        tables.hold(set(&[0]), vec![5, -1]).unwrap();
        let error = tables.non_negative(&scales).unwrap_err().to_string();
        assert_eq!(error, "public tables must leave no negative cell where the other residuals are zero");
    }
}
