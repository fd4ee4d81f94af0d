//! Discrete noise conditioned on an interval.

use crate::{
    Entropy, Error, Fallible, IntegerNoise, MAX_ROUNDS, Rule, bernoulli::bernoulli_exp, large::Shape,
    scale::ExactScale, uniform_below_u128,
};
use rug::Rational;

/// Discrete Laplace or discrete Gaussian noise, conditioned on lying in an interval.
///
/// A draw takes microseconds, and fewer than ten rounds in expectation at any scale and for any interval. Rejection
/// starts from a distribution close to the wanted one: uniform on a short interval, the distribution itself around its
/// mode, geometric in its tails. For noise that is cut off at the ends instead, clamp a draw of [`IntegerNoise`].
///
/// ```
/// use indistinct_sampling::{OsEntropy, TruncatedNoise};
/// let noise = TruncatedNoise::laplace(10.0, -5, 20)?;
/// let z = noise.draw(&mut OsEntropy::new())?;
/// assert!((-5..=20).contains(&z));
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct TruncatedNoise {
    shape: Shape,
    scale: Rational,
    /// The ends of the interval, or of its mirror image if it lies below 0.
    lower: i128,
    upper: i128,
    reflected: bool,
    proposal: Proposal,
}

/// The distribution of candidates z, and the probability of keeping one. The wanted distribution has weights
/// `exp(-x(z))`.
#[derive(Debug, Clone)]
enum Proposal {
    /// Candidates are uniform on the interval, and kept with probability `exp(-(x(z) - x(nearest)))`, where `nearest`
    /// is the number of the interval nearest to 0.
    Uniform,
    /// Candidates have the distribution without the interval, and are kept if they lie in the interval.
    Law(IntegerNoise),
    /// Candidates are `lower + j`, for a geometric j with weights `exp(-rate j)`, and kept with probability
    /// `exp(-(x(z) - x(lower) - rate j))` in the interval.
    Tail { geometric: IntegerNoise, rate: Rational },
}

impl TruncatedNoise {
    /// Makes noise on integers z from `lower` to `upper` with probability proportional to `exp(-|z| / scale)`.
    ///
    /// # Errors
    ///
    /// Returns an error if the scale is out of range, if the ends are out of order, or if the scale is 0 and the
    /// interval excludes 0.
    pub fn laplace(scale: impl TryInto<ExactScale, Error = Error>, lower: i64, upper: i64) -> Fallible<Self> {
        Self::new(Shape::Exponential, &scale.try_into()?, lower.into(), upper.into())
    }

    /// Makes noise on integers z from `lower` to `upper` with probability proportional to `exp(-z^2 / (2 scale^2))`.
    /// Its errors are those of `laplace`.
    pub fn gaussian(scale: impl TryInto<ExactScale, Error = Error>, lower: i64, upper: i64) -> Fallible<Self> {
        Self::new(Shape::Gaussian, &scale.try_into()?, lower.into(), upper.into())
    }

    fn new(shape: Shape, scale: &ExactScale, lower: i128, upper: i128) -> Fallible<Self> {
        if lower > upper {
            return Err(Error::Parameter(Rule::Interval));
        }
        if scale.is_zero() && (lower > 0 || upper < 0) {
            return Err(Error::Parameter(Rule::ScaleOfInterval));
        }
        let reflected = upper < 0;
        let (lower, upper) = if reflected { (-upper, -lower) } else { (lower, upper) };
        let scale = scale.exact().clone();
        let mut noise = Self { shape, scale, lower, upper, reflected, proposal: Proposal::Uniform };
        noise.proposal = noise.choose()?;
        Ok(noise)
    }

    /// Chooses the proposal that is closest to the distribution:
    ///
    /// - an interval around 0 that reaches no further than the scale is uniform up to a factor of e, and one that
    ///   reaches further has at least three tenths of the distribution's mass;
    /// - an interval of positive numbers over which the exponent rises by at most 1 is uniform up to a factor of e;
    /// - in a longer one, a Laplace distribution is geometric, and lies in the interval with probability at least `1 -
    ///   1 / e`;
    /// - the Gaussian distribution has a tenth of its mass in the interval if that begins below the scale. Otherwise it
    ///   decreases faster than with `rate = lower / scale^2`, and is about geometric at this rate.
    fn choose(&self) -> Fallible<Proposal> {
        let law = || match self.shape {
            Shape::Exponential => IntegerNoise::laplace(self.scale.clone()),
            Shape::Gaussian => IntegerNoise::gaussian(self.scale.clone()),
        };
        if self.lower <= 0 {
            let reach = self.upper.max(-self.lower);
            return Ok(if reach < self.scale || reach == 0 { Proposal::Uniform } else { Proposal::Law(law()?) });
        }
        if self.exponent(self.upper) - self.exponent(self.lower) <= 1 {
            return Ok(Proposal::Uniform);
        }
        let scale = match self.shape {
            Shape::Exponential => self.scale.clone(),
            Shape::Gaussian if self.lower <= self.scale => return Ok(Proposal::Law(law()?)),
            // The scale must stay in the sampler's range: every rate up to lower / scale^2 gives the same distribution.
            Shape::Gaussian => (Rational::from(self.scale.square_ref()) / self.lower).max(Rational::from(1) >> 1000),
        };
        Ok(Proposal::Tail { geometric: IntegerNoise::geometric(scale.clone())?, rate: scale.recip() })
    }

    /// Returns the exponent x: the distribution's weights are `exp(-x(z))`.
    fn exponent(&self, z: i128) -> Rational {
        if z == 0 {
            return Rational::new();
        }
        let ratio = Rational::from(z).abs() / &self.scale;
        match self.shape {
            Shape::Exponential => ratio,
            Shape::Gaussian => ratio.square() / 2u32,
        }
    }

    /// Draws an integer.
    pub fn draw(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<i64> {
        for _ in 0..MAX_ROUNDS {
            if let Some(z) = self.candidate(entropy)? {
                let z = if self.reflected { -z } else { z };
                return i64::try_from(z).map_err(|_| Error::Range);
            }
        }
        Err(Error::Entropy)
    }

    /// Returns a candidate, if it is kept.
    fn candidate(&self, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Option<i128>> {
        let (z, exponent) = match &self.proposal {
            Proposal::Uniform => {
                let count = (self.upper - self.lower).unsigned_abs() + 1;
                let offset = i128::try_from(uniform_below_u128(count, entropy)?).map_err(|_| Error::Range)?;
                let z = self.lower + offset;
                (z, self.exponent(z) - self.exponent(self.lower.max(0)))
            }
            Proposal::Law(law) => (law.draw_i128(entropy)?, Rational::new()),
            Proposal::Tail { geometric, rate } => {
                let j = geometric.draw_i128(entropy)?;
                let z = self.lower.saturating_add(j);
                (z, self.exponent(z) - self.exponent(self.lower) - rate * Rational::from(j))
            }
        };
        let inside = self.lower <= z && z <= self.upper;
        Ok((inside && bernoulli_exp(&exponent, entropy)?).then_some(z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::SeededEntropy;

    /// A scale, an interval, and the proposals for a Laplace and for a Gaussian law: uniform, the distribution, or a
    /// tail.
    const CASES: [(f64, i64, i64, [char; 2]); 12] = [
        (3.0, -2, 2, ['u', 'u']),
        (3.0, -3, 3, ['l', 'l']),
        (3.0, -1, 7, ['l', 'l']),
        (3.0, 0, 2, ['u', 'u']),
        (3.0, 1, 3, ['u', 'u']),
        (3.0, 3, 9, ['t', 'l']),
        (3.0, 4, 7, ['u', 't']),
        (3.0, 4, 20, ['t', 't']),
        (3.0, -20, -4, ['t', 't']),
        (3.0, -5, -4, ['u', 'u']),
        (0.0, 0, 0, ['u', 'u']),
        (0.0, -1, 1, ['l', 'l']),
    ];

    #[test]
    fn every_proposal_gives_the_law_of_the_interval() {
        for (scale, lower, upper, proposals) in CASES {
            for (gaussian, proposal) in [false, true].into_iter().zip(proposals) {
                let make = if gaussian { TruncatedNoise::gaussian } else { TruncatedNoise::laplace };
                let noise = make(scale, lower, upper).unwrap();
                let chosen = match noise.proposal {
                    Proposal::Uniform => 'u',
                    Proposal::Law(_) => 'l',
                    Proposal::Tail { .. } => 't',
                };
                assert_eq!(chosen, proposal, "{gaussian} {scale} {lower} {upper}");
                let mut entropy = SeededEntropy::new(21);
                let draws: Vec<i64> = (0..3000).map(|_| noise.draw(&mut entropy).unwrap()).collect();
                assert!(draws.iter().all(|z| (lower..=upper).contains(z)));
                let weight = |z: i64| {
                    let z = f64::from(i32::try_from(z).unwrap());
                    if scale == 0.0 {
                        f64::from(z == 0.0)
                    } else if gaussian {
                        (-(z / scale).powi(2) / 2.0).exp()
                    } else {
                        (-z.abs() / scale).exp()
                    }
                };
                let total: f64 = (lower..=upper).map(weight).sum();
                let mut truth = 0.0;
                for z in lower..=upper {
                    truth += weight(z) / total;
                    let share =
                        f64::from(u32::try_from(draws.iter().filter(|draw| **draw <= z).count()).unwrap()) / 3000.0;
                    // The bound of Dvoretzky, Kiefer and Wolfowitz at 1e-9; the seed is fixed.
                    assert!((share - truth).abs() < 0.06, "{gaussian} {scale} {lower} {upper}, {z}: {share} {truth}");
                }
            }
        }
    }

    #[test]
    fn intervals_that_no_draw_can_reach_are_refused() {
        for (scale, lower, upper) in [(1.0, 3, 2), (0.0, 1, 2), (0.0, -2, -1), (-1.0, 0, 1), (f64::NAN, 0, 1)] {
            assert!(TruncatedNoise::laplace(scale, lower, upper).is_err(), "{scale} {lower} {upper}");
        }
        let ends = TruncatedNoise::laplace(1e300, i64::MIN, i64::MAX).unwrap();
        let far = TruncatedNoise::gaussian(1.0, i64::MIN, i64::MIN + 1).unwrap();
        let mut entropy = SeededEntropy::new(22);
        assert!(ends.draw(&mut entropy).is_ok() && far.draw(&mut entropy) == Ok(i64::MIN + 1));
    }
}
