//! Scales that minimize the greatest variance, by a convex program.

use std::collections::BTreeMap;

use clarabel::{
    algebra::CscMatrix,
    solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SupportedConeT},
};

use crate::{
    Error, Fallible, Scales, Workload,
    scales::{Coefficients, float},
};

/// How far the greatest variance may be above its lower bound, as a share of the bound.
const GAP: f64 = 1e-6;

const SOLVER: &str = "for_greatest_variance";

impl Scales {
    /// The scales that cost rho and minimize the greatest variance of a cell of any marginal, where a marginal's weight
    /// multiplies the variance of its cells.
    ///
    /// The program is convex: minimize t such that weight * variance is at most t for each marginal, which is linear
    /// in the variances s^2 of the residuals, and the sum of p / (2 s^2) is at most rho. The crate `clarabel` solves
    /// it. The result is then checked without the solver: by duality, the minimum is at least the weighted sum of
    /// variances that [`Scales::for_weighted_sum`] minimizes, for all weights that sum to one. The returned scales are
    /// at most a share of 1e-6 above that bound at the solver's dual solution.
    ///
    /// Sets of axes that cannot be told apart, such as pairs of axes of equal sizes in a workload of all pairs, have
    /// equal scales, and are one variable of the program.
    ///
    /// # Errors
    ///
    /// `rho` is not positive and finite, or a variance is not; the solver did not come near enough to the minimum.
    ///
    /// ```
    /// use indistinct_marginals::{Scales, Workload};
    /// let workload = Workload::up_to(vec![2, 5, 100], 2)?;
    /// for scales in [Scales::for_weighted_sum(&workload, 0.5)?, Scales::for_greatest_variance(&workload, 0.5)?] {
    ///     let variances = workload.marginals().iter().map(|(set, _)| scales.cell_variance(&workload, set));
    ///     let greatest = variances.reduce(|a, b| Ok(a?.max(b?))).transpose()?;
    ///     println!("{:.3}", greatest.unwrap_or(0.0));
    /// }
    /// # Ok::<(), indistinct_marginals::Error>(())
    /// ```
    ///
    /// ```text
    /// 32.054
    /// 4.183
    /// ```
    pub fn for_greatest_variance(workload: &Workload, rho: f64) -> Fallible<Self> {
        let coefficients = Coefficients::new(workload)?;
        let weights: Vec<f64> = workload.marginals().iter().map(|(_, weight)| *weight).collect();
        let classes = Classes::new(&coefficients, &weights);

        // Every variable is a multiple of its value at equal multipliers, and t of the bound there.
        let share = 1.0 / float(weights.len());
        let equal: Vec<f64> = weights.iter().map(|weight| weight * share).collect();
        let start = coefficients.minimize_sum(&equal, rho)?;
        let bound = coefficients.least_sum(&equal, rho);
        if coefficients.shrinkages.is_empty() {
            return Ok(start);
        }
        let started = coefficients.measured_of(&start);
        let program = Program::new(&coefficients, &classes, &weights, &started, rho, bound);
        let (multiples, multipliers) = program.solve()?;

        let multiple = |class: &usize| multiples.get(*class).copied().unwrap_or(f64::NAN);
        let variances = started.iter().zip(&classes.of_sets).map(|(start, class)| start * multiple(class));
        let scales = coefficients.scaled_to(variances.collect(), rho)?;

        let multiplier = |(class, weight): (&usize, &f64)| {
            let multiplier = multipliers.get(*class).copied().unwrap_or(f64::NAN);
            weight * multiplier / classes.marginals_in(*class)
        };
        let multipliers: Vec<f64> = classes.of_marginals.iter().zip(&weights).map(multiplier).collect();
        let bound = coefficients.least_sum(&multipliers, rho);
        let measured = coefficients.measured_of(&scales);
        let variances = coefficients.rows.iter().map(|row| variance(row, &measured));
        let greatest = variances.zip(&weights).map(|(variance, weight)| variance * weight).fold(0.0, f64::max);
        if greatest <= bound * (1.0 + GAP) {
            Ok(scales)
        } else {
            let reason = format!("the greatest variance is {greatest}, and the lower bound is {bound}");
            Err(Error::NotConverged { solver: SOLVER, reason })
        }
    }
}

/// The variance of a marginal's cells.
fn variance(row: &[(usize, f64)], variances: &[f64]) -> f64 {
    row.iter().map(|(at, coefficient)| coefficient * variances.get(*at).copied().unwrap_or(f64::NAN)).sum()
}

/// A partition of the sets and of the marginals such that all marginals of a class have the same coefficients on each
/// class of sets, and all sets of a class occur alike in each class of marginals (an equitable partition). A convex
/// program has a solution that is constant on each class.
///
/// Coefficients are compared to 40 bits. The result does not rest on the partition: it is checked with all
/// coefficients.
struct Classes {
    of_sets: Vec<usize>,
    of_marginals: Vec<usize>,
    /// The first marginal of each class, and how many there are.
    marginals: Vec<(usize, usize)>,
    /// The first set of each class, and how many there are.
    sets: Vec<(usize, usize)>,
}

impl Classes {
    fn new(coefficients: &Coefficients, weights: &[f64]) -> Self {
        let mut columns: Vec<Vec<(usize, u64)>> = vec![Vec::new(); coefficients.shrinkages.len()];
        for (marginal, row) in coefficients.rows.iter().enumerate() {
            for (at, coefficient) in row {
                if let Some(column) = columns.get_mut(*at) {
                    column.push((marginal, rounded(*coefficient)));
                }
            }
        }
        let class = |classes: &[usize], at: usize| classes.get(at).copied().unwrap_or(0);
        let mut of_sets = numbered(coefficients.shrinkages.iter().map(|&p| (0, vec![(0, rounded(p))])));
        loop {
            let of_marginals = numbered(coefficients.rows.iter().zip(weights).map(|(row, &weight)| {
                let entry = |&(at, coefficient): &(usize, f64)| (class(&of_sets, at), rounded(coefficient));
                let mut entries: Vec<(usize, u64)> = row.iter().map(entry).collect();
                entries.sort_unstable();
                (rounded(weight), entries)
            }));
            let refined = numbered(columns.iter().zip(&of_sets).map(|(column, &before)| {
                let entry = |&(marginal, coefficient): &(usize, u64)| (class(&of_marginals, marginal), coefficient);
                let mut entries: Vec<(usize, u64)> = column.iter().map(entry).collect();
                entries.sort_unstable();
                (before, entries)
            }));
            let settled = counted(&refined).len() == counted(&of_sets).len();
            of_sets = refined;
            if settled {
                let (sets, marginals) = (counted(&of_sets), counted(&of_marginals));
                return Classes { of_sets, of_marginals, marginals, sets };
            }
        }
    }

    fn marginals_in(&self, class: usize) -> f64 {
        self.marginals.get(class).map_or(f64::NAN, |(_, count)| float(*count))
    }
}

/// The bits of a positive float to a relative 2^-40.
fn rounded(x: f64) -> u64 {
    x.to_bits().saturating_add(1 << 11) >> 12
}

/// A number for each distinct item, from 0 in the order of their first occurrence.
fn numbered<K: Ord>(items: impl Iterator<Item = K>) -> Vec<usize> {
    let mut numbers = BTreeMap::new();
    items
        .map(|item| {
            let next = numbers.len();
            *numbers.entry(item).or_insert(next)
        })
        .collect()
}

/// For each class, the position of its first member and the number of its members.
fn counted(classes: &[usize]) -> Vec<(usize, usize)> {
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for (at, &class) in classes.iter().enumerate() {
        match counts.get_mut(class) {
            Some((_, count)) => *count += 1,
            None => counts.push((at, 1)),
        }
    }
    counts
}

/// The program in the form of the solver: minimize t over (u, z, t) such that each row times u is at most t, the sum of
/// costs times z is at most 1, and u z is at least 1 for each class of sets.
struct Program {
    /// For each class of marginals, the coefficients of the classes of sets.
    rows: Vec<BTreeMap<usize, f64>>,
    costs: Vec<f64>,
}

impl Program {
    fn new(
        coefficients: &Coefficients,
        classes: &Classes,
        weights: &[f64],
        started: &[f64],
        rho: f64,
        bound: f64,
    ) -> Self {
        let started = |at: usize| started.get(at).copied().unwrap_or(f64::NAN);
        let row = |&(first, _): &(usize, usize)| {
            let mut row = BTreeMap::new();
            let weight = weights.get(first).copied().unwrap_or(f64::NAN);
            for &(at, coefficient) in coefficients.rows.get(first).into_iter().flatten() {
                let class = classes.of_sets.get(at).copied().unwrap_or(0);
                *row.entry(class).or_insert(0.0) += weight * coefficient * started(at) / bound;
            }
            row
        };
        let cost = |&(first, count): &(usize, usize)| {
            let p = coefficients.shrinkages.get(first).copied().unwrap_or(f64::NAN);
            float(count) * p / (2.0 * rho * started(first))
        };
        Program { rows: classes.marginals.iter().map(row).collect(), costs: classes.sets.iter().map(cost).collect() }
    }

    /// The values u, and the multipliers of the rows, which sum to 1.
    fn solve(&self) -> Fallible<(Vec<f64>, Vec<f64>)> {
        let (rows, sets) = (self.rows.len(), self.costs.len());
        let (of_u, of_z, of_t) = (0, sets, 2 * sets);
        let mut entries: Vec<(usize, usize, f64)> = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            entries.extend(row.iter().map(|(class, coefficient)| (at, of_u + class, *coefficient)));
            entries.push((at, of_t, -1.0));
        }
        entries.extend(self.costs.iter().enumerate().map(|(class, cost)| (rows, of_z + class, *cost)));
        let mut limits = vec![0.0; rows];
        limits.push(1.0);
        let mut cones: Vec<SupportedConeT<f64>> = vec![NonnegativeConeT(rows + 1)];
        for class in 0..sets {
            // (u + z, u - z, 2) in the cone: u z >= 1.
            let at = limits.len();
            entries.extend([(at, of_u + class, -1.0), (at, of_z + class, -1.0)]);
            entries.extend([(at + 1, of_u + class, -1.0), (at + 1, of_z + class, 1.0)]);
            limits.extend([0.0, 0.0, 2.0]);
            cones.push(SecondOrderConeT(3));
        }
        let variables = 2 * sets + 1;
        let mut objective = vec![0.0; 2 * sets];
        objective.push(1.0);
        let matrix = CscMatrix::new_from_triplets(
            limits.len(),
            variables,
            entries.iter().map(|entry| entry.0).collect(),
            entries.iter().map(|entry| entry.1).collect(),
            entries.iter().map(|entry| entry.2).collect(),
        );
        let settings = DefaultSettings {
            verbose: false,
            tol_gap_abs: 1e-10,
            tol_gap_rel: 1e-10,
            tol_feas: 1e-10,
            ..DefaultSettings::default()
        };
        let none = CscMatrix::zeros((variables, variables));
        let failed = |reason: String| Error::NotConverged { solver: SOLVER, reason };
        let mut solver = DefaultSolver::new(&none, &objective, &matrix, &limits, &cones, settings)
            .map_err(|error| failed(error.to_string()))?;
        solver.solve();
        let solution = &solver.solution;
        let multipliers: Vec<f64> = solution.z.iter().take(rows).map(|multiplier| multiplier.max(0.0)).collect();
        let sum: f64 = multipliers.iter().sum();
        let values: Vec<f64> = solution.x.iter().take(sets).copied().collect();
        if sum > 0.0 && sum.is_finite() && values.iter().all(|value| *value > 0.0 && value.is_finite()) {
            Ok((values, multipliers.into_iter().map(|multiplier| multiplier / sum).collect()))
        } else {
            Err(failed(format!("the solver ended with {:?}", solution.status)))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{AxisSet, dense};

    fn greatest(workload: &Workload, scales: &Scales) -> f64 {
        let weighted = |(set, weight): &(AxisSet, f64)| weight * scales.cell_variance(workload, set).unwrap();
        workload.marginals().iter().map(weighted).fold(0.0, f64::max)
    }

    /// A plain search: multipliers grow where the variance is above the average, and the step shrinks.
    fn by_search(workload: &Workload, rho: f64) -> f64 {
        let coefficients = Coefficients::new(workload).unwrap();
        let weights: Vec<f64> = workload.marginals().iter().map(|(_, weight)| *weight).collect();
        let mut multipliers = vec![1.0 / float(weights.len()); weights.len()];
        let mut best = f64::INFINITY;
        for _ in 0..3000 {
            let weighted: Vec<f64> = multipliers.iter().zip(&weights).map(|(a, b)| a * b).collect();
            let scales = coefficients.minimize_sum(&weighted, rho).unwrap();
            best = best.min(greatest(workload, &scales));
            let variances: Vec<f64> = coefficients
                .rows
                .iter()
                .zip(&weights)
                .map(|(row, weight)| weight * variance(row, scales.variances()))
                .collect();
            let mean: f64 = variances.iter().zip(&multipliers).map(|(a, b)| a * b).sum();
            for (multiplier, variance) in multipliers.iter_mut().zip(&variances) {
                *multiplier = (*multiplier * (variance / mean)).max(1e-12);
            }
            let sum: f64 = multipliers.iter().sum();
            multipliers.iter_mut().for_each(|multiplier| *multiplier /= sum);
        }
        best
    }

    fn small() -> impl Strategy<Value = Workload> {
        (proptest::collection::vec(1_usize..12, 1..5), any::<u64>()).prop_map(|(sizes, seed)| {
            let all = AxisSet::new(0..sizes.len()).unwrap().subsets();
            let picks = dense::integers(seed, all.len(), 3);
            let weights = dense::integers(seed ^ 7, all.len(), 20);
            let chosen = all.iter().zip(picks).zip(weights).filter(|((_, pick), _)| *pick > 0);
            let mut chosen: Vec<(AxisSet, f64)> =
                chosen.map(|((set, _), weight)| (set.clone(), 0.5 + dense::real(weight))).collect();
            if chosen.is_empty() {
                chosen.push((AxisSet::new([0]).unwrap(), 1.0));
            }
            Workload::new(sizes, chosen).unwrap()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn it_meets_a_plain_search(workload in small(), rho in 0.001..100.0_f64) {
            let scales = Scales::for_greatest_variance(&workload, rho).unwrap();
            let cost = scales.rho(&workload);
            prop_assert!(cost <= rho && cost > rho * (1.0 - 1e-8), "{} {}", cost, rho);
            let (solved, searched) = (greatest(&workload, &scales), by_search(&workload, rho));
            prop_assert!(solved <= searched * (1.0 + 1e-5), "{} {}", solved, searched);
            prop_assert!(searched <= solved * (1.0 + 1e-2), "{} {}", solved, searched);
            let sum = Scales::for_weighted_sum(&workload, rho).unwrap();
            prop_assert!(solved <= greatest(&workload, &sum) * (1.0 + 1e-5));
        }
    }

    #[test]
    fn one_marginal_and_equal_axes_have_the_closed_form() {
        let one = Workload::new(vec![7, 3, 40], [(AxisSet::new([0, 1, 2]).unwrap(), 2.5)]).unwrap();
        let equal = Workload::of_order(vec![10; 6], 3).unwrap();
        for workload in [one, equal] {
            let by_sum = Scales::for_weighted_sum(&workload, 0.7).unwrap();
            let by_greatest = Scales::for_greatest_variance(&workload, 0.7).unwrap();
            let ratio = greatest(&workload, &by_greatest) / greatest(&workload, &by_sum);
            assert!((ratio - 1.0).abs() < 1e-5, "{ratio}");
        }
    }

    #[test]
    fn fourteen_axes_and_a_hundred_are_solved() {
        let sizes = vec![100, 100, 100, 99, 85, 42, 16, 15, 9, 7, 6, 5, 2, 2];
        for workload in [Workload::of_order(sizes.clone(), 3).unwrap(), Workload::up_to(sizes, 3).unwrap()] {
            let scales = Scales::for_greatest_variance(&workload, 0.5).unwrap();
            let by_sum = Scales::for_weighted_sum(&workload, 0.5).unwrap();
            assert!(greatest(&workload, &scales) < greatest(&workload, &by_sum));
        }
        let workload = Workload::up_to(vec![10; 100], 3).unwrap();
        let scales = Scales::for_greatest_variance(&workload, 0.5).unwrap();
        let by_sum = Scales::for_weighted_sum(&workload, 0.5).unwrap();
        assert!(greatest(&workload, &scales) < greatest(&workload, &by_sum));
    }

    #[test]
    fn equal_sets_are_one_variable() {
        let workload = Workload::up_to(vec![10, 10, 10, 4, 4], 2).unwrap();
        let coefficients = Coefficients::new(&workload).unwrap();
        let classes = Classes::new(&coefficients, &vec![1.0; workload.marginals().len()]);
        // (), a ten, a four, two tens, a ten and a four, two fours.
        assert_eq!(classes.sets.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [1, 3, 2, 3, 6, 1]);
        let mut weights = vec![1.0; workload.marginals().len()];
        weights[1] = 2.0;
        assert!(Classes::new(&coefficients, &weights).sets.len() > 6);
    }
}
