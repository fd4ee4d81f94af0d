//! Distributions as they are looked at in floats: for finding where to integrate, not for bounds.

use crate::pld::loss::{
    cumulants::{Cumulants, cumulants},
    sampled_gaussian::{SampledGaussian, Side},
    truncation::Truncation,
};
use indistinct_numeric::enclosure::{exp_near, unit_circle};
use std::f64::consts::TAU;

/// Rates below which tilts are large.
pub(crate) const SMALL_RATE: f64 = 1e-5;
/// Parts that are so much less than the whole, as a logarithm, do not rise to as much.
const BEYOND: f64 = 20.0;
/// More rows than these say no more; beside little noise large losses are a thousand rows away.
const MOST_ROWS: usize = 4_000;

/// Logarithms of masses, losses, and logarithms of the densities' ratios.
#[derive(Debug)]
pub(crate) struct TabulatedDensity {
    /// The losses are `ln(1 - q least_growth + q e^ratio)`, if not below zero.
    pub(crate) rate: f64,
    pub(crate) least_growth: f64,
    pub(crate) count: f64,
    pub(crate) rows: Vec<(f64, f64, f64)>,
    /// True if large losses are cut off, and what is kept of them is tabulated up to where that is next to nothing.
    pub(crate) is_cut: bool,
}

/// The logarithm of a sum, of terms given by their logarithms.
fn log_sum(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    let greatest = terms.clone().fold(f64::NEG_INFINITY, f64::max);
    if greatest == f64::NEG_INFINITY {
        return greatest;
    }
    greatest + terms.map(|term| exp_near(term - greatest)).sum::<f64>().ln()
}

impl TabulatedDensity {
    pub(crate) fn new(law: &SampledGaussian, count: f64) -> Self {
        let mu = 1.0 / law.sigma;
        let step = 0.2 * law.sigma.min(1.0);
        let mut rows = Vec::new();
        let mut y = -8.0;
        // What is cut ends where s is about the tilt, which is large where rates are small.
        let log_mean = if law.rate < SMALL_RATE { 14.5 } else { 9.5 };
        let end =
            law.truncation.map_or(32.0, |truncation| (truncation.ratio_at(log_mean) / mu + mu / 2.0).clamp(8.0, 200.0));
        let log_step = (step * 0.398_942_280_401_432_7).ln();
        while y < end && rows.len() < MOST_ROWS {
            let ratio = mu * y - mu * mu / 2.0;
            let mixture = law.log_mixture_estimate(ratio);
            let loss = match law.side {
                Side::Replace => mixture - law.log_mixture_estimate(-mu * y - mu * mu / 2.0),
                _ => mixture,
            };
            let kept = law.truncation.map_or(0.0, |truncation| truncation.log_kept(truncation.mean(ratio)).get());
            rows.push((mixture + kept - y * y / 2.0 + log_step, loss, ratio));
            y += step;
        }
        Self {
            rate: law.rate,
            least_growth: 1.0,
            count,
            rows,
            is_cut: law.truncation.is_some_and(|truncation| truncation.steepness == 1.0),
        }
    }

    /// The logarithm of the moment generating function.
    pub(crate) fn log_mgf(&self, tilt: f64) -> f64 {
        log_sum(self.rows.iter().map(|(mass, loss, _)| mass + tilt * loss))
    }

    pub(crate) fn cumulants(&self, tilt: f64) -> Cumulants {
        cumulants(self.weights(tilt))
    }

    /// True if what is weighed at a tilt, and is not next to nothing, falls at the end of what is tabulated.
    pub(crate) fn reaches(&self, tilt: f64) -> bool {
        let mut last = self.weights(tilt).rev().map(|(weight, _)| weight);
        let (last, before) = (last.next().unwrap_or(f64::NEG_INFINITY), last.next().unwrap_or(f64::NEG_INFINITY));
        !self.is_cut || last <= before || last <= self.cumulants(tilt).value - BEYOND
    }

    fn weights(&self, tilt: f64) -> impl DoubleEndedIterator<Item = (f64, f64)> + Clone {
        self.rows.iter().map(move |(mass, loss, _)| (mass + tilt * loss, *loss))
    }

    /// By how much the logarithm of the transform's size has fallen at a frequency.
    pub(crate) fn log_decay(&self, tilt: f64, frequency: f64) -> f64 {
        let greatest = self.rows.iter().fold(f64::NEG_INFINITY, |most, (mass, loss, _)| most.max(mass + tilt * loss));
        let (mut whole, mut re, mut im) = (0.0, 0.0, 0.0);
        let mut before = self.rows.first().map_or(0.0, |(_, loss, _)| *loss);
        for (mass, loss, _) in &self.rows {
            let term = exp_near(mass + tilt * loss - greatest);
            // Each row stands for a cell, in which what turns much cancels.
            let turn = frequency * (loss - before) / 2.0;
            before = *loss;
            let (cosine, sine) = unit_circle(frequency * loss / TAU);
            let part = term * exp_near(-(turn * turn * 1.5).min(600.0));
            whole += term;
            re += part * cosine;
            im += part * sine;
        }
        -(re.hypot(im) / whole).ln() * self.count
    }

    /// The same of what is kept.
    pub(crate) fn log_mgf_of_kept(&self, kept: &[f64], tilt: f64) -> f64 {
        log_sum(self.rows.iter().zip(kept).map(|((mass, loss, _), kept)| mass + tilt * loss + kept))
    }

    /// The part of large losses in the moment generating function, and the logarithm of that.
    pub(crate) fn tail_share(&self, dropped: &[f64], tilt: f64) -> (f64, f64) {
        let greatest = self.rows.iter().fold(f64::NEG_INFINITY, |most, (mass, loss, _)| most.max(mass + tilt * loss));
        let (mut large, mut whole) = (0.0, 0.0);
        for ((mass, loss, _), dropped) in self.rows.iter().zip(dropped) {
            let term = exp_near(mass + tilt * loss - greatest);
            whole += term;
            large += term * dropped;
        }
        (large / whole, greatest + whole.ln())
    }

    /// The cut at a loss, and the logarithms of what it keeps.
    pub(crate) fn truncation(&self, at: f64) -> (Truncation, Vec<f64>) {
        let truncation = Truncation::at((at.exp_m1() / self.rate + (self.least_growth - 1.0)).ln_1p());
        let kept = self.rows.iter().map(|(_, _, ratio)| truncation.log_kept(truncation.mean(*ratio)).get());
        (truncation, kept.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pld::loss::truncation::Sharpness;

    /// A vector of a search that took a second: what is cut off grows faster at the larger tilt than it falls, far
    /// beyond the table.
    #[test]
    fn a_peak_beyond_the_table_is_seen() {
        let truncation = Some(Truncation { shift: 1.512_3, order: Sharpness::Sharp, steepness: 1.0 });
        let law = SampledGaussian { sigma: 7.686, rate: 2.851e-5, side: Side::Remove, truncation };
        let table = TabulatedDensity::new(&law, 1.0);
        assert!(table.reaches(1e4) && !table.reaches(1.842e5));
        // Without a cut, what is tabulated is meant to be all.
        let whole = TabulatedDensity::new(&SampledGaussian { truncation: None, ..law }, 1.0);
        assert!(whole.reaches(1.842e5));
    }
}
