//! The variance of the noise on each residual, and what it makes of the variance of cells.

use num::ToPrimitive;

use crate::{AxisSet, Fallible, Workload, error::require};

/// The share of the budget that is left for rounding: the costs of all residuals, computed with any rounding, add up to
/// at most rho.
const SLACK: f64 = 1e-10;

/// The variance s^2 of the noise on the residual of each set of a workload's closure.
///
/// The noise on a residual over a set A is Gaussian with variance s^2 N^2 in each cell, where N is the product of the
/// sizes of A: s^2 is the variance after the division by N. The residual has squared sensitivity N^2 p with p the
/// product of (n - 1)/n over the sizes n ([`Workload::squared_sensitivity`]), so it costs rho = p / (2 s^2), and the
/// closure costs the sum.
///
/// These numbers are floats, rounded to nearest. They choose scales and predict errors; a privacy map must compute the
/// cost of the scales that it uses by itself, rounded up. Scales for a budget leave a relative 1e-10 of it for the
/// rounding of that sum; if a sum of millions of terms exceeds the budget all the same, ask for a little less. The
/// budget is that of one row added or removed: a replaced row costs up to four times as much.
///
/// ```
/// use indistinct_marginals::{AxisSet, Scales, Workload};
/// let workload = Workload::up_to(vec![2, 5, 100], 2)?;
/// let scales = Scales::for_weighted_sum(&workload, 0.5)?;
/// for (set, _) in workload.marginals() {
///     println!("{set}: standard deviation {:.2}", scales.cell_variance(&workload, set)?.sqrt());
/// }
/// # Ok::<(), indistinct_marginals::Error>(())
/// ```
///
/// ```text
/// (): standard deviation 5.66
/// (0): standard deviation 4.68
/// (1): standard deviation 3.72
/// (2): standard deviation 1.81
/// (0, 1): standard deviation 3.08
/// (0, 2): standard deviation 1.53
/// (1, 2): standard deviation 1.29
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Scales {
    variances: Vec<f64>,
}

impl Scales {
    /// The scales that cost rho and minimize the sum of the variances of all cells of all marginals, each times the
    /// weight of its marginal.
    ///
    /// The sum is that of v s^2 over the sets A of the closure, with v the sum of weight * cells(M) * p(A) / (product
    /// of M without A)^2 over the marginals M that contain A. At a given sum of p / (2 s^2), its minimum is at s^2
    /// proportional to sqrt(p / v), and is (sum of sqrt(p v))^2 / (2 rho).
    ///
    /// # Errors
    ///
    /// `rho` is not positive and finite, or a variance is not.
    pub fn for_weighted_sum(workload: &Workload, rho: f64) -> Fallible<Self> {
        let weights: Vec<f64> = workload.marginals().iter().map(|(_, weight)| *weight).collect();
        let coefficients = Coefficients::new(workload)?;
        let cells = |set: &AxisSet| workload.cells(set).map(float);
        let cells: Vec<f64> = workload.marginals().iter().map(|(set, _)| cells(set)).collect::<Fallible<_>>()?;
        let multipliers: Vec<f64> = weights.iter().zip(&cells).map(|(weight, cells)| weight * cells).collect();
        coefficients.minimize_sum(&multipliers, rho)
    }

    /// Scales of these variances, in the order of the closure.
    ///
    /// # Errors
    ///
    /// There are not as many as sets of the closure; or one is not positive and finite, or not zero for a public set.
    pub fn new(workload: &Workload, variances: Vec<f64>) -> Fallible<Self> {
        let (sets, count) = (workload.closure().len(), variances.len());
        require(count == sets, "variances", format!("must be one for each of the {sets} sets, not {count}"))?;
        for (set, variance) in workload.closure().iter().zip(&variances) {
            let rule = || format!("must be positive and finite, or zero for public sets, unlike {variance} over {set}");
            let fit = if workload.is_public(set) { *variance == 0.0 } else { *variance > 0.0 && variance.is_finite() };
            require(fit, "variances", rule())?;
        }
        Ok(Scales { variances })
    }

    /// The variances s^2, in the order of the closure: zero for public sets.
    #[must_use]
    pub fn variances(&self) -> &[f64] {
        &self.variances
    }

    /// The standard deviations s of the noise on the residuals of the [measured](Workload::measured) sets, in their
    /// order.
    #[must_use]
    pub fn deviations(&self) -> Vec<f64> {
        self.variances.iter().filter(|variance| **variance > 0.0).map(|variance| variance.sqrt()).collect()
    }

    /// The cost of all residuals: the sum of p / (2 s^2).
    #[must_use]
    pub fn rho(&self, workload: &Workload) -> f64 {
        let costs = workload.closure().iter().zip(&self.variances).filter(|(_, variance)| **variance > 0.0);
        costs.map(|(set, variance)| shrinkage(workload, set) / (2.0 * variance)).sum()
    }

    /// The variance of each cell of a marginal of the closure. All cells of a marginal have the same.
    ///
    /// It is the sum of s^2 p / (product of M without A)^2 over the subsets A of M.
    ///
    /// # Errors
    ///
    /// The marginal is not in the closure.
    pub fn cell_variance(&self, workload: &Workload, marginal: &AxisSet) -> Fallible<f64> {
        let ones = vec![1; marginal.len()];
        self.box_variance(workload, marginal, &ones)
    }

    /// Returns the variance of a sum of cells of a marginal. The sum takes `lengths[i]` values of axis i, such as a
    /// range, a prefix, or a group of a hierarchy; the values need not be next to each other.
    ///
    /// # Errors
    ///
    /// The marginal is not in the closure, or a length is above the size of its axis.
    pub fn box_variance(&self, workload: &Workload, marginal: &AxisSet, lengths: &[usize]) -> Fallible<f64> {
        let sizes = workload.sizes_of(marginal)?;
        let rule = || format!("must be at most the sizes {sizes:?}, one for each, unlike {lengths:?}");
        let fit = lengths.len() == sizes.len() && lengths.iter().zip(&sizes).all(|(length, size)| length <= size);
        require(fit, "lengths", rule())?;
        let factors = sizes.iter().zip(lengths).map(|(&size, &length)| {
            let (n, r) = (float(size), float(length));
            // Of a vector q of r ones: |q|^2 - (sum of q)^2 / n, and (sum of q)^2 / n^2.
            (r * float(size - length) / n, (r / n) * (r / n))
        });
        self.product_form(workload, marginal, &factors.collect::<Vec<_>>())
    }

    /// The covariance of two cells of a marginal of the closure, which agree on the axes where `same` is true and
    /// differ on the others.
    ///
    /// # Errors
    ///
    /// The marginal is not in the closure, `same` has another length, or cells cannot differ on an axis of one value.
    pub fn cell_covariance(&self, workload: &Workload, marginal: &AxisSet, same: &[bool]) -> Fallible<f64> {
        let sizes = workload.sizes_of(marginal)?;
        let fit = same.len() == sizes.len() && same.iter().zip(&sizes).all(|(same, &size)| *same || size > 1);
        let rule = || format!("must be one for each axis of sizes {sizes:?}, and true for one value");
        require(fit, "same", rule())?;
        let factors = sizes.iter().zip(same).map(|(&size, &same)| {
            let n = float(size);
            (if same { (n - 1.0) / n } else { -1.0 / n }, 1.0 / (n * n))
        });
        self.product_form(workload, marginal, &factors.collect::<Vec<_>>())
    }

    /// The sum over the subsets of a marginal of s^2 times a factor for each axis: the first of the pair if the axis
    /// is in the subset, else the second.
    fn product_form(&self, workload: &Workload, marginal: &AxisSet, factors: &[(f64, f64)]) -> Fallible<f64> {
        let parts = workload.parts(marginal)?;
        let term = |(at, set): (usize, AxisSet)| {
            let axes = marginal.positions().iter().zip(factors);
            let product: f64 = axes.map(|(&axis, pair)| if set.contains(axis) { pair.0 } else { pair.1 }).product();
            self.variances.get(at).map_or(f64::NAN, |variance| variance * product)
        };
        Ok(parts.into_iter().map(term).sum())
    }
}

/// The product p of (n - 1)/n over the axes of a set.
pub(crate) fn shrinkage(workload: &Workload, set: &AxisSet) -> f64 {
    let size = |&axis: &usize| workload.sizes().get(axis).map_or(f64::NAN, |&size| float(size));
    set.positions().iter().map(size).map(|n| (n - 1.0) / n).product()
}

/// An integer below 2^53 in floats: exact.
pub(crate) fn float(integer: usize) -> f64 {
    integer.to_f64().unwrap_or(f64::NAN)
}

/// The coefficients of the variances s^2 in the variance of a cell of each marginal. Public sets are left out.
pub(crate) struct Coefficients {
    /// The number of sets of the closure.
    sets: usize,
    /// The position of each measured set in the closure.
    measured: Vec<usize>,
    /// p for each measured set.
    pub(crate) shrinkages: Vec<f64>,
    /// For each marginal M, its measured subsets A by their position in `measured`, with p(A) / (product of M without
    /// A)^2.
    pub(crate) rows: Vec<Vec<(usize, f64)>>,
}

impl Coefficients {
    pub(crate) fn new(workload: &Workload) -> Fallible<Self> {
        let closure = workload.closure();
        let is_measured = |(_, set): &(usize, &AxisSet)| !workload.is_public(set);
        let measured: Vec<(usize, &AxisSet)> = closure.iter().enumerate().filter(is_measured).collect();
        let shrinkages: Vec<f64> = measured.iter().map(|(_, set)| shrinkage(workload, set)).collect();
        let measured: Vec<usize> = measured.into_iter().map(|(at, _)| at).collect();
        let row = |(marginal, _): &(AxisSet, f64)| {
            let cells = float(workload.cells(marginal)?);
            let mut row = Vec::new();
            for (at, set) in workload.parts(marginal)? {
                let Ok(at) = measured.binary_search(&at) else { continue };
                let rest = cells / float(workload.cells(&set)?);
                row.push((at, shrinkages.get(at).copied().unwrap_or(f64::NAN) / (rest * rest)));
            }
            Ok(row)
        };
        let rows = workload.marginals().iter().map(row).collect::<Fallible<_>>()?;
        Ok(Coefficients { sets: closure.len(), measured, shrinkages, rows })
    }

    /// For each set, v: the sum of the marginals' coefficients times these multipliers.
    fn weighted(&self, multipliers: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.shrinkages.len()];
        for (row, multiplier) in self.rows.iter().zip(multipliers) {
            for &(at, coefficient) in row {
                if let Some(sum) = sums.get_mut(at) {
                    *sum += multiplier * coefficient;
                }
            }
        }
        sums
    }

    /// The least sum of the marginals' cell variances times these multipliers, at a cost of rho.
    pub(crate) fn least_sum(&self, multipliers: &[f64], rho: f64) -> f64 {
        let sums = self.weighted(multipliers);
        let total: f64 = self.shrinkages.iter().zip(&sums).map(|(p, v)| (p * v).sqrt()).sum();
        total * total / (2.0 * rho)
    }

    /// The scales that cost rho and have that least sum.
    pub(crate) fn minimize_sum(&self, multipliers: &[f64], rho: f64) -> Fallible<Scales> {
        let sums = self.weighted(multipliers);
        self.scaled_to(self.shrinkages.iter().zip(&sums).map(|(p, v)| (p / v).sqrt()).collect(), rho)
    }

    /// Scales of the measured sets that cost rho, but for the slack, and are proportional to these variances.
    pub(crate) fn scaled_to(&self, variances: Vec<f64>, rho: f64) -> Fallible<Scales> {
        require(rho > 0.0 && rho.is_finite(), "rho", format!("must be positive and finite, unlike {rho}"))?;
        let cost: f64 = self.shrinkages.iter().zip(&variances).map(|(p, variance)| p / (2.0 * variance)).sum();
        let scale = cost / rho * (1.0 + SLACK);
        let mut of_all = vec![0.0; self.sets];
        for (at, variance) in self.measured.iter().zip(variances) {
            let variance = variance * scale;
            let rule = || format!("must leave variances positive and finite, unlike {rho} for this workload");
            require(variance > 0.0 && variance.is_finite(), "rho", rule())?;
            if let Some(of_set) = of_all.get_mut(*at) {
                *of_set = variance;
            }
        }
        Ok(Scales { variances: of_all })
    }

    /// The variances of the measured sets.
    pub(crate) fn measured_of(&self, scales: &Scales) -> Vec<f64> {
        self.measured.iter().map(|&at| scales.variances.get(at).copied().unwrap_or(f64::NAN)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        Error,
        dense::{self, Matrix},
    };

    /// The domain of the published figures.
    fn published_sizes() -> Vec<usize> {
        vec![100, 100, 100, 99, 85, 42, 16, 15, 9, 7, 6, 5, 2, 2]
    }

    /// The covariance of the reconstructed table of a marginal, by full matrices.
    fn dense_covariance(workload: &Workload, scales: &Scales, marginal: &AxisSet) -> Matrix<f64> {
        let sizes = workload.sizes_of(marginal).unwrap();
        let cells = workload.cells(marginal).unwrap();
        let mut covariance = dense::constant(cells, cells, 0.0);
        for (set, variance) in workload.closure().iter().zip(scales.variances()) {
            if !set.is_subset(marginal) {
                continue;
            }
            let kept: Vec<bool> = marginal.positions().iter().map(|&axis| set.contains(axis)).collect();
            let expand = dense::by_axis(&sizes, |axis, n| {
                if kept[axis] { dense::centering(n) } else { dense::constant(n, 1, 1.0 / float(n)) }
            });
            let part = dense::product(&expand, &dense::transposed(&expand));
            for (row, of_part) in covariance.iter_mut().zip(part) {
                for (entry, added) in row.iter_mut().zip(of_part) {
                    *entry += variance * added;
                }
            }
        }
        covariance
    }

    fn near(a: f64, b: f64, tolerance: f64) -> bool {
        (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1e-300)
    }

    #[test]
    fn the_published_errors_are_met() {
        // arXiv 2305.08175: root mean squared error of a cell at rho = 1/2.
        let rmse = |workload: Workload| {
            let scales = Scales::for_weighted_sum(&workload, 0.5).unwrap();
            assert!(scales.rho(&workload) <= 0.5 && scales.rho(&workload) > 0.5 - 1e-9);
            let cells = |set| float(workload.cells(set).unwrap());
            let total: f64 = workload.marginals().iter().map(|(set, _)| cells(set)).sum();
            let squares = |set| cells(set) * scales.cell_variance(&workload, set).unwrap();
            let sum: f64 = workload.marginals().iter().map(|(set, _)| squares(set)).sum();
            format!("{:.3}", (sum / total).sqrt())
        };
        for (order, published) in [(1, "3.047"), (2, "6.359"), (3, "10.515")] {
            assert_eq!(rmse(Workload::of_order(published_sizes(), order).unwrap()), published);
        }
        assert_eq!(rmse(Workload::up_to(published_sizes(), 3).unwrap()), "10.665");
    }

    #[test]
    fn a_hundred_axes_up_to_order_three_have_scales() {
        let workload = Workload::up_to(vec![10; 100], 3).unwrap();
        let scales = Scales::for_weighted_sum(&workload, 0.5).unwrap();
        assert!(near(scales.rho(&workload), 0.5, 1e-9));
        // By symmetry, the variance only depends on the number of axes.
        for sets in workload.closure().windows(2).zip(scales.variances().windows(2)) {
            assert!(sets.0[0].len() != sets.0[1].len() || near(sets.1[0], sets.1[1], 1e-12));
        }
    }

    fn small() -> impl Strategy<Value = (Workload, Scales)> {
        (proptest::collection::vec(1_usize..4, 1..4), any::<u64>()).prop_map(|(sizes, seed)| {
            let all = AxisSet::new(0..sizes.len()).unwrap().subsets();
            let picks = dense::integers(seed, all.len(), 2);
            let mut chosen: Vec<(AxisSet, f64)> = Vec::new();
            for (set, pick) in all.into_iter().zip(picks) {
                if pick == 1 {
                    chosen.push((set, 1.0 + float(chosen.len())));
                }
            }
            if chosen.is_empty() {
                chosen.push((AxisSet::new([0]).unwrap(), 1.0));
            }
            let workload = Workload::new(sizes, chosen).unwrap();
            let variances = dense::integers(seed ^ 1, workload.closure().len(), 30);
            let variances = variances.into_iter().map(|x| 1.0 + dense::real(x)).collect();
            let scales = Scales::new(&workload, variances).unwrap();
            (workload, scales)
        })
    }

    proptest! {
        #[test]
        fn variances_and_covariances_are_the_dense_ones((workload, scales) in small(), seed in any::<u64>()) {
            for (marginal, _) in workload.marginals() {
                let sizes = workload.sizes_of(marginal).unwrap();
                let covariance = dense_covariance(&workload, &scales, marginal);
                let values = |cell: usize| {
                    let mut rest = cell;
                    let mut values: Vec<usize> = sizes.iter().rev().map(|n| { let v = rest % n; rest /= n; v }).collect();
                    values.reverse();
                    values
                };
                for (i, row) in covariance.iter().enumerate() {
                    for (j, entry) in row.iter().enumerate() {
                        let same: Vec<bool> = values(i).iter().zip(values(j)).map(|(a, b)| *a == b).collect();
                        let covariance = scales.cell_covariance(&workload, marginal, &same).unwrap();
                        prop_assert!((covariance - entry).abs() < 1e-9, "{} {}", covariance, entry);
                    }
                    prop_assert!(near(scales.cell_variance(&workload, marginal).unwrap(), row[i], 1e-12));
                }
                // A random box: some values of each axis.
                let lengths: Vec<usize> = sizes.iter().zip(dense::integers(seed, sizes.len(), 100))
                    .map(|(n, pick)| usize::try_from(pick).unwrap() % (n + 1)).collect();
                let inside = |cell: usize| values(cell).iter().zip(&lengths).all(|(value, length)| value < length);
                let cells: Vec<usize> = (0..covariance.len()).filter(|&cell| inside(cell)).collect();
                let expected: f64 = cells.iter().flat_map(|&i| cells.iter().map(move |&j| (i, j)))
                    .map(|(i, j)| covariance[i][j]).sum();
                let variance = scales.box_variance(&workload, marginal, &lengths).unwrap();
                prop_assert!((variance - expected).abs() < 1e-9, "{} {}", variance, expected);
            }
        }

        #[test]
        fn no_other_scales_of_the_same_cost_have_a_smaller_sum((workload, other) in small(), rho in 0.01..10.0_f64) {
            let best = Scales::for_weighted_sum(&workload, rho).unwrap();
            let sum = |scales: &Scales| -> f64 {
                let term = |(set, weight): &(AxisSet, f64)| {
                    weight * float(workload.cells(set).unwrap()) * scales.cell_variance(&workload, set).unwrap()
                };
                workload.marginals().iter().map(term).sum()
            };
            prop_assert!(near(best.rho(&workload), rho, 1e-9));
            let cost = other.rho(&workload);
            let rescaled = other.variances().iter().map(|variance| variance * cost / rho).collect();
            let rescaled = Scales::new(&workload, rescaled).unwrap();
            prop_assert!(sum(&best) <= sum(&rescaled) * (1.0 + 1e-9));
            // Also next to the best: a little more on one residual, a little less on all.
            for at in 0..best.variances().len() {
                for factor in [0.99, 1.01] {
                    let mut variances = best.variances().to_vec();
                    variances[at] *= factor;
                    let cost = Scales::new(&workload, variances.clone()).unwrap().rho(&workload);
                    let moved = variances.iter().map(|variance| variance * cost / rho).collect();
                    prop_assert!(sum(&best) <= sum(&Scales::new(&workload, moved).unwrap()) * (1.0 + 1e-9));
                }
            }
        }
    }

    #[test]
    fn public_tables_cost_nothing_and_have_no_error() {
        let set = |axes: &[usize]| AxisSet::new(axes.iter().copied()).unwrap();
        let workload = Workload::up_to(vec![4, 3, 5], 2).unwrap();
        let public = workload.clone().with_public([set(&[0]), set(&[2])]).unwrap();
        for make in [Scales::for_weighted_sum, Scales::for_greatest_variance] {
            let scales = make(&public, 0.5).unwrap();
            let known = [set(&[]), set(&[0]), set(&[2])];
            for (set, variance) in public.closure().iter().zip(scales.variances()) {
                assert_eq!(*variance == 0.0, known.contains(set), "{set}");
            }
            assert!(near(scales.rho(&public), 0.5, 1e-9));
            assert_eq!(scales.cell_variance(&public, &set(&[0])).unwrap(), 0.0);
            let whole = make(&workload, 0.5).unwrap();
            for (marginal, _) in workload.marginals() {
                let with = scales.cell_variance(&public, marginal).unwrap();
                let without = whole.cell_variance(&workload, marginal).unwrap();
                assert!(with < without, "{marginal}: {with} {without}");
            }
            assert_eq!(scales.deviations().len(), public.measured().count());
            assert_eq!(Scales::new(&public, scales.variances().to_vec()).unwrap(), scales);
            assert!(Scales::new(&public, whole.variances().to_vec()).is_err());
            let all = workload.clone().with_public([set(&[0, 1, 2])]).unwrap();
            assert!(make(&all, 0.5).unwrap().variances().iter().all(|variance| *variance == 0.0));
        }
        assert_eq!(public.residual_cells(), 3 + 12 + 20 + 15);
        assert!(workload.with_public([set(&[3])]).is_err());
    }

    #[test]
    fn bad_budgets_and_variances_are_refused() {
        let workload = Workload::up_to(vec![3, 2], 1).unwrap();
        for rho in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = Scales::for_weighted_sum(&workload, rho).unwrap_err().to_string();
            assert!(error.starts_with("rho must be positive and finite"), "{error}");
        }
        assert!(Scales::for_weighted_sum(&workload, 1e-320).is_err());
        assert!(Scales::new(&workload, vec![1.0]).is_err());
        assert!(Scales::new(&workload, vec![1.0, 0.0, 1.0]).is_err());
        let scales = Scales::new(&workload, vec![1.0; 3]).unwrap();
        let pair = AxisSet::new([0, 1]).unwrap();
        assert!(matches!(scales.cell_variance(&workload, &pair), Err(Error::UnknownMarginal { .. })));
        let first = AxisSet::new([0]).unwrap();
        assert!(scales.box_variance(&workload, &first, &[4]).is_err());
        assert!(scales.box_variance(&workload, &first, &[]).is_err());
        assert!(scales.cell_covariance(&workload, &first, &[true, true]).is_err());
    }
}
