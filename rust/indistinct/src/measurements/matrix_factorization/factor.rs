//! Factors of running sums, which correlate the noise across steps.

use crate::core::{Fallible, Parameter, ToParameter, require};
use indistinct_numeric::{Dyadic, ExactDot, RoundedArithmetic, RoundedFrom, RoundedMath, Rounding};
use std::sync::Arc;

/// A lower triangular Toeplitz matrix C with one row for each step: `c[i]` is the entry of the i-th diagonal, and
/// diagonals that are not given are 0.
///
/// [`make_matrix_factorization`](super::make_matrix_factorization) adds noise to C x, where x has the vectors of the
/// steps, and multiplies by the inverse of C. The running sums are A x, where A is the lower triangle of ones, so their
/// noise is B z with `B C = A`. The sensitivity of C x is a norm of columns of C ([`sensitivity`](Self::sensitivity)),
/// and the noise of a running sum is a norm of a row of B ([`errors`](Self::errors)). Accuracy at a given loss depends
/// on their product.
///
/// ```
/// use indistinct::measurements::ToeplitzFactor;
/// let product = |factor: ToeplitzFactor| {
///     let greatest = factor.errors().into_iter().fold(0.0, f64::max);
///     Ok::<f64, indistinct::core::Error>(factor.sensitivity(1024)? * greatest)
/// };
/// // Noise of its own on each step is far from the best for the sums of 1,024 of them.
/// assert_eq!(product(ToeplitzFactor::new(vec![1.0], 1024)?)?, 32.0);
/// assert!(product(ToeplitzFactor::square_root(1024)?)? < 3.3);
/// assert!(product(ToeplitzFactor::square_root(1024)?.banded(256)?)? < 3.9);
/// # Ok::<(), indistinct::core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ToeplitzFactor {
    diagonals: Arc<[f64]>,
    steps: u32,
}

impl ToeplitzFactor {
    /// Makes a factor from its diagonals, the main diagonal first, for this number of steps. Any diagonals are allowed,
    /// such as those of buffered linear Toeplitz matrices (Dvijotham, McMahan, Pillutla, Steinke, Thakurta 2024) or the
    /// result of an optimizer.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no steps or more than 2^20, if there are no diagonals or more diagonals than
    /// steps, if a diagonal is infinite or NaN, or if the main diagonal is 0.
    pub fn new(diagonals: Vec<f64>, steps: u32) -> Fallible<Self> {
        require((1..=MAX_STEPS).contains(&steps), "steps", "must be from 1 to 2^20")?;
        let fits = !diagonals.is_empty() && u32::try_from(diagonals.len()).is_ok_and(|count| count <= steps);
        require(fits, "diagonals", "must have at least one entry, and at most one for each step")?;
        require(diagonals.iter().all(|c| c.is_finite()), "diagonals", "must be finite numbers")?;
        require(diagonals.first() != Some(&0.0), "diagonals", "the main diagonal, the first entry, must not be 0")?;
        Ok(Self { diagonals: diagonals.into(), steps })
    }

    /// Makes the square root of the lower triangle of ones, to the nearest floats: `c[k] = c[k - 1] (2 k - 1) / (2 k)`,
    /// starting with 1. The largest error of a running sum is within a constant of the optimum (Fichtenberger,
    /// Henzinger, Upadhyay 2023), and so is the mean squared error (Henzinger, Upadhyay, Upadhyay 2023).
    ///
    /// # Errors
    ///
    /// Returns an error if there are no steps or more than 2^20.
    pub fn square_root(steps: u32) -> Fallible<Self> {
        require((1..=MAX_STEPS).contains(&steps), "steps", "must be from 1 to 2^20")?;
        let ratio = |k: u32| f64::from(2 * k - 1) / f64::from(2 * k);
        let diagonals = (1..steps).scan(1.0, |c, k| {
            *c *= ratio(k);
            Some(*c)
        });
        Self::new(std::iter::once(1.0).chain(diagonals).collect(), steps)
    }

    /// Returns this factor with only its first `diagonals` diagonals. Only this number of vectors is kept in memory,
    /// and repetitions of a part that are at least this number of steps apart affect separate rows (Choquette-Choo et
    /// al. 2023; Kalinin, Lampert 2024).
    ///
    /// # Errors
    ///
    /// Returns an error if `diagonals` is 0. If it is at least the number of diagonals, the factor is unchanged.
    pub fn banded(&self, diagonals: u32) -> Fallible<Self> {
        require(diagonals >= 1, "diagonals", "must be at least 1")?;
        let kept = usize::try_from(diagonals).unwrap_or(usize::MAX).min(self.diagonals.len());
        Self::new(self.diagonals.iter().take(kept).copied().collect(), self.steps)
    }

    /// Returns the number of steps.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Returns the given diagonals, the main diagonal first.
    pub fn diagonals(&self) -> &[f64] {
        &self.diagonals
    }

    /// Returns the largest L2 length of C x, rounded up, if the sums x of every `period`-th step change by at most 1
    /// in L2: the length of the sum of every `period`-th column from the first on, with absolute values of the entries.
    ///
    /// # Errors
    ///
    /// Returns an error if the period is 0, or if the length exceeds all floats.
    pub fn sensitivity(&self, period: u32) -> Fallible<f64> {
        require(period >= 1, "period", "must be at least 1")?;
        let (steps, period) = (usize::exact_from(&self.steps)?, usize::exact_from(&period)?);
        let mut moved: Vec<f64> = Vec::with_capacity(steps);
        let mut square = ExactDot::new();
        for step in 0..steps {
            let own = self.diagonals.get(step).map_or(0.0, |c| c.abs());
            let before = step.checked_sub(period).and_then(|step| moved.get(step)).copied().unwrap_or(0.0);
            let all = own.inf_add(before)?;
            require(
                all.is_finite(),
                "diagonals",
                "are too large: their sum, or the sum of their squares, is not finite",
            )?;
            square.add(all, all)?;
            moved.push(all);
        }
        let length = square.total()?.to_f64_rounded(Rounding::Up)?.inf_sqrt()?;
        require(
            length.is_finite(),
            "diagonals",
            "are too large: their sum, or the sum of their squares, is not finite",
        )?;
        Ok(length)
    }

    /// Returns the standard deviation of the noise on the running sum of each step, in units of the noise's scale: the
    /// length of a row of B. It is computed in floats, in time proportional to steps times diagonals, and no guarantee
    /// depends on it.
    pub fn errors(&self) -> Vec<f64> {
        let mut inverse: Vec<f64> = Vec::new();
        let (mut sum, mut square) = (0.0, 0.0f64);
        (0..self.steps)
            .map(|step| {
                let unit = if step == 0 { 1.0 } else { 0.0 };
                let next = self.solved(unit, inverse.iter().rev());
                inverse.push(next);
                sum += next;
                square += sum * sum;
                square.sqrt()
            })
            .collect()
    }

    /// Returns the next number of the solution w of `C w = y`, from the next number of y and the numbers of w before
    /// it, the last first.
    pub(super) fn solved<'a>(&self, y: f64, before: impl Iterator<Item = &'a f64>) -> f64 {
        let Some((main, others)) = self.diagonals.split_first() else { return y };
        (y - others.iter().zip(before).map(|(c, w)| c * w).sum::<f64>()) / main
    }

    /// Returns the diagonals as exact numbers.
    pub(super) fn exact(&self) -> Fallible<Vec<Dyadic>> {
        self.diagonals.iter().map(|c| Ok(Dyadic::from_f64(*c)?)).collect()
    }
}

/// The maximum number of steps of a factor.
const MAX_STEPS: u32 = 1 << 20;

impl ToParameter for ToeplitzFactor {
    fn to_parameter(&self) -> Parameter {
        (self.diagonals.to_vec(), self.steps).to_parameter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::ErrorKind;

    #[test]
    fn the_square_root_is_one() {
        let root = ToeplitzFactor::square_root(50).unwrap();
        assert_eq!(root.diagonals()[..4], [1.0, 0.5, 0.375, 0.3125]);
        for step in 0..50 {
            let one: f64 = (0..=step).map(|k| root.diagonals()[k] * root.diagonals()[step - k]).sum();
            assert!((one - 1.0).abs() < 1e-14, "{step}: {one}");
        }
        // B is C again: errors are the lengths of its rows.
        let lengths = root.diagonals().iter().scan(0.0, |square: &mut f64, c| {
            *square += c * c;
            Some(square.sqrt())
        });
        assert!(root.errors().iter().zip(lengths).all(|(error, length)| (error / length - 1.0).abs() < 1e-13));
    }

    /// Computes the result from the matrices themselves, in whole numbers: from C, and from every way to change the
    /// sums of one part by 1 or -1.
    #[test]
    fn sensitivities_by_all_moves() {
        for (diagonals, period) in [
            (vec![1.0, 3.0, 2.0], 6u32),
            (vec![1.0, 3.0, 2.0], 2),
            (vec![2.0, -3.0, 1.0, 1.0], 3),
            (vec![1.0, -1.0], 1),
            (vec![1.0; 6], 2),
            (vec![1.0], 1),
        ] {
            let factor = ToeplitzFactor::new(diagonals.clone(), 6).unwrap();
            let mut greatest = 0f64;
            let apart = usize::try_from(period).unwrap();
            for first in 0..apart.min(6) {
                let at: Vec<usize> = (first..6).step_by(apart).collect();
                for signs in 0..1u32 << at.len() {
                    let mut square = 0f64;
                    for row in 0..6usize {
                        let entry = |(index, step): (usize, &usize)| {
                            let c =
                                row.checked_sub(*step).and_then(|k: usize| diagonals.get(k)).copied().unwrap_or(0.0);
                            if signs >> index & 1 == 1 { -c } else { c }
                        };
                        square += at.iter().enumerate().map(entry).sum::<f64>().powi(2);
                    }
                    greatest = greatest.max(square.sqrt());
                }
            }
            let told = factor.sensitivity(period).unwrap();
            // Moves in one direction by numbers of one sign are the greatest; else the sizes are a bound.
            let signed = diagonals.iter().any(|c| *c < 0.0);
            assert!(
                told >= greatest && (signed || told <= greatest.next_up()),
                "{diagonals:?} {period}: {told} {greatest}"
            );
        }
        let banded = ToeplitzFactor::square_root(64).unwrap().banded(8).unwrap();
        let (once, often) = (banded.sensitivity(64).unwrap(), banded.sensitivity(8).unwrap());
        assert!((often / once - 8f64.sqrt()).abs() < 1e-15, "eight columns that do not overlap");
    }

    #[test]
    fn bad_parameters_are_named() {
        let kind = |diagonals: Vec<f64>, steps| ToeplitzFactor::new(diagonals, steps).unwrap_err().kind();
        for diagonals in [vec![], vec![1.0; 4], vec![0.0, 1.0], vec![-0.0], vec![1.0, f64::NAN], vec![f64::INFINITY]] {
            assert_eq!(kind(diagonals, 3), ErrorKind::Parameter("diagonals"));
        }
        assert_eq!(kind(vec![1.0], 0), ErrorKind::Parameter("steps"));
        assert_eq!(kind(vec![1.0], (1 << 20) + 1), ErrorKind::Parameter("steps"));
        assert_eq!(ToeplitzFactor::square_root(0).unwrap_err().kind(), ErrorKind::Parameter("steps"));
        let root = ToeplitzFactor::square_root(3).unwrap();
        assert_eq!(root.banded(0).unwrap_err().kind(), ErrorKind::Parameter("diagonals"));
        assert_eq!((root.banded(9).unwrap(), root.banded(1).unwrap().diagonals()), (root.clone(), &[1.0][..]));
        assert_eq!(root.sensitivity(0).unwrap_err().kind(), ErrorKind::Parameter("period"));
        for large in [vec![f64::MAX, 1.0], vec![1e200, 1e200]] {
            let large = ToeplitzFactor::new(large, 2).unwrap();
            assert_eq!(large.sensitivity(1).unwrap_err().kind(), ErrorKind::Parameter("diagonals"));
        }
    }
}
