//! Compares one noisy score with another.

use super::score::Score;
use crate::{Entropy, Fallible, lazy::LazyReal, real::Real};
use indistinct_numeric::{Dyadic, RoundedArithmetic};
use std::cmp::Ordering;

/// A score with noise.
pub(super) struct Entry<'a, S> {
    pub(super) position: usize,
    score: &'a S,
    noise: Real,
    /// The lower bound of the sum.
    pub(super) low: f64,
    high: f64,
}

impl<'a, S: Score> Entry<'a, S> {
    pub(super) fn new(position: usize, score: &'a S, noise: Real, scale: f64) -> Self {
        let (low, high) = match noise.fixed().and_then(|fixed| fixed.to_floats()) {
            Some((least, greatest)) => {
                let (low, high) = score.bounds();
                let low = scale.neg_inf_mul(least).and_then(|noise| low.neg_inf_add(noise));
                let high = scale.inf_mul(greatest).and_then(|noise| high.inf_add(noise));
                (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY))
            }
            None => (f64::NEG_INFINITY, f64::INFINITY),
        };
        Self { position, score, noise, low, high }
    }

    /// Compares two sums, drawing as many digits of their noise as that takes. They are equal with probability 0.
    pub(super) fn compare(
        &mut self,
        other: &mut Self,
        scale: f64,
        entropy: &mut (impl Entropy + ?Sized),
    ) -> Fallible<Ordering> {
        if self.low > other.high {
            return Ok(Ordering::Greater);
        }
        if self.high < other.low {
            return Ok(Ordering::Less);
        }
        let difference = (self.score.exact() - other.score.exact()) / Dyadic::from_f64(scale)?.to_gmp_rational();
        loop {
            if let (Some((low, high)), Some((other_low, other_high))) =
                (self.noise.enclosure(), other.noise.enclosure())
            {
                if (&difference + low) > other_high {
                    return Ok(Ordering::Greater);
                }
                if (&difference + high) < other_low {
                    return Ok(Ordering::Less);
                }
            }
            self.noise.refine(entropy)?;
            other.noise.refine(entropy)?;
        }
    }
}
