//! The exact sums of the steps so far, and the responses computed from noisy rows.

use super::ToeplitzFactor;
use crate::{
    core::{Error, ErrorKind, Fallible},
    measurements::noise::NoiseAtom,
};
use indistinct_numeric::{
    Dyadic,
    gmp::{Integer, Rational},
};
use indistinct_sampling::{Entropy, RoundedNoise};
use std::collections::VecDeque;

/// The state from which the next responses are computed.
pub(super) struct Steps {
    factor: ToeplitzFactor,
    diagonals: Vec<Dyadic>,
    /// The number of steps that have begun.
    time: u32,
    /// True if the last step has no response yet.
    is_open: bool,
    /// The vectors of the last steps, the last first: as many as the factor has diagonals.
    exact: VecDeque<Vec<Dyadic>>,
    /// The estimates of these vectors from the noisy rows alone, the last first: one fewer than the diagonals.
    estimates: VecDeque<Vec<f64>>,
    /// The sum of the estimates over all steps.
    total: Vec<f64>,
}

impl Steps {
    pub(super) fn new(factor: ToeplitzFactor, width: usize) -> Fallible<Self> {
        let (exact, estimates, total) = (VecDeque::new(), VecDeque::new(), vec![0.0; width]);
        Ok(Self { diagonals: factor.exact()?, factor, time: 0, is_open: false, exact, estimates, total })
    }

    pub(super) fn check_open(&self) -> Fallible<()> {
        if self.is_open {
            return Err(Error::new(ErrorKind::Question, "another step is in progress, or has failed"));
        }
        let rule = "all steps of the factor have been used";
        if self.time < self.factor.steps() { Ok(()) } else { Err(Error::new(ErrorKind::Exhausted, rule)) }
    }

    /// Starts the next step, and returns its number, from 0.
    pub(super) fn begin(&mut self) -> u32 {
        let step = self.time;
        self.time = step.saturating_add(1);
        self.is_open = true;
        step
    }

    /// Returns the response to the current step, given its vector. Noise is added to the next row of C x, which is
    /// exact; everything else is computed from noisy rows.
    pub(super) fn finish(
        &mut self,
        vector: Vec<Dyadic>,
        noise: &RoundedNoise,
        entropy: &mut dyn Entropy,
    ) -> Fallible<Vec<f64>> {
        if vector.len() != self.total.len() {
            return Err(Error::new(ErrorKind::Domain, "a query must return vectors of the declared width"));
        }
        self.exact.push_front(vector);
        self.exact.truncate(self.diagonals.len());
        let mut estimate = Vec::with_capacity(self.total.len());
        for (index, total) in self.total.iter_mut().enumerate() {
            let noisy = combined(&self.diagonals, self.exact.iter().filter_map(|vector| vector.get(index)))?
                .add_noise(noise, entropy)?;
            let own = self.factor.solved(noisy, self.estimates.iter().filter_map(|before| before.get(index)));
            *total += own;
            estimate.push(own);
        }
        self.estimates.push_front(estimate);
        self.estimates.truncate(self.diagonals.len().saturating_sub(1));
        self.is_open = false;
        Ok(self.total.clone())
    }
}

/// Returns the exact sum of products.
fn combined<'a>(diagonals: &[Dyadic], numbers: impl Iterator<Item = &'a Dyadic>) -> Fallible<Dyadic> {
    let (mut sum, mut exponent) = (Integer::new(), 0i32);
    for (diagonal, number) in diagonals.iter().zip(numbers) {
        let product = Integer::from(diagonal.gmp_mantissa() * number.gmp_mantissa());
        // Both are at most some 2^17 in size.
        let own = diagonal.exponent().saturating_add(number.exponent());
        let shift = own.abs_diff(exponent);
        if own < exponent {
            sum = (sum << shift) + product;
            exponent = own;
        } else {
            sum += product << shift;
        }
    }
    Ok(Dyadic::from_gmp_rational(&(Rational::from(sum) << exponent))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Fractions say the same.
        #[test]
        fn sums_of_products_are_exact(pairs in prop::collection::vec((any::<f64>(), any::<f64>()), 0..9)) {
            let pairs: Vec<(Dyadic, Dyadic)> =
                pairs.iter().filter_map(|(x, y)| Some((Dyadic::from_f64(*x).ok()?, Dyadic::from_f64(*y).ok()?))).collect();
            let (diagonals, numbers): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            let fraction: Rational = diagonals.iter().zip(&numbers).map(|(c, x)| c.to_gmp_rational() * x.to_gmp_rational()).sum();
            prop_assert_eq!(combined(&diagonals, numbers.iter()).unwrap().to_gmp_rational(), fraction);
        }
    }
}
