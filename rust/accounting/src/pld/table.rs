//! Laws as they are looked at in floats: for finding where to integrate, not for bounds.

use super::{
    cut::Cut,
    disk::turns,
    sampled_gaussian::{SampledGaussian, Side},
    shape::{Shape, Shapes, number},
    transform::{Cumulants, cumulants},
};
use indistinct_numeric::enclosure::exp_near;
use std::f64::consts::TAU;

/// Logarithms of masses, losses, and logarithms of the densities' ratios.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) law: SampledGaussian,
    pub(super) count: f64,
    pub(super) rows: Vec<(f64, f64, f64)>,
}

/// The logarithm of a sum, of terms given by their logarithms.
fn log_sum(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    let greatest = terms.clone().fold(f64::NEG_INFINITY, f64::max);
    if greatest == f64::NEG_INFINITY {
        return greatest;
    }
    greatest + terms.map(|term| exp_near(term - greatest)).sum::<f64>().ln()
}

impl Table {
    pub(super) fn new(law: &SampledGaussian, count: f64) -> Self {
        let mu = 1.0 / law.sigma;
        let step = 0.2 * law.sigma.min(1.0);
        let mut rows = Vec::new();
        let mut y = -8.0;
        // What is cut ends where s is about the tilt.
        let end = law.cut.map_or(32.0, |cut| ((9.5 - cut.shift) / mu + mu / 2.0).clamp(8.0, 200.0));
        let log_step = (step * 0.398_942_280_401_432_7).ln();
        while y < end && rows.len() < 1000 {
            let ratio = mu * y - mu * mu / 2.0;
            let mixture = law.rough_loss(ratio);
            let loss = match law.side {
                Side::Replace => mixture - law.rough_loss(-mu * y - mu * mu / 2.0),
                _ => mixture,
            };
            let kept = law.cut.map_or(0.0, |cut| cut.log_most_kept(cut.mean(ratio)));
            rows.push((mixture + kept - y * y / 2.0 + log_step, loss, ratio));
            y += step;
        }
        Self { law: *law, count, rows }
    }

    /// The logarithm of the moment generating function.
    pub(super) fn whole(&self, tilt: f64) -> f64 {
        log_sum(self.rows.iter().map(|(mass, loss, _)| mass + tilt * loss))
    }

    pub(super) fn cumulants(&self, tilt: f64) -> Cumulants {
        cumulants(self.rows.iter().map(|(mass, loss, _)| (mass + tilt * loss, *loss)))
    }

    /// By how much the logarithm of the transform's size has fallen at a height.
    fn fallen(&self, tilt: f64, height: f64) -> f64 {
        let greatest = self.rows.iter().fold(f64::NEG_INFINITY, |most, (mass, loss, _)| most.max(mass + tilt * loss));
        let (mut whole, mut re, mut im) = (0.0, 0.0, 0.0);
        let mut before = self.rows.first().map_or(0.0, |(_, loss, _)| *loss);
        for (mass, loss, _) in &self.rows {
            let term = exp_near(mass + tilt * loss - greatest);
            // Each row stands for a cell, in which what turns much cancels.
            let turn = height * (loss - before) / 2.0;
            before = *loss;
            let (cosine, sine) = turns(height * loss / TAU);
            let part = term * exp_near(-(turn * turn * 1.5).min(600.0));
            whole += term;
            re += part * cosine;
            im += part * sine;
        }
        -(re.hypot(im) / whole).ln() * self.count
    }

    /// The same of what is kept.
    pub(super) fn part(&self, kept: &[f64], tilt: f64) -> f64 {
        log_sum(self.rows.iter().zip(kept).map(|((mass, loss, _), kept)| mass + tilt * loss + kept))
    }

    /// The part of large losses in the moment generating function, and the logarithm of that.
    pub(super) fn both(&self, dropped: &[f64], tilt: f64) -> (f64, f64) {
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
    pub(super) fn cut(&self, at: f64) -> (Cut, Vec<f64>) {
        let cut = Cut::at((at.exp_m1() / self.law.rate).ln_1p());
        let kept = self.rows.iter().map(|(_, _, ratio)| cut.log_most_kept(cut.mean(*ratio)));
        (cut, kept.collect())
    }
}

/// A composition to be looked at for many tilts.
#[derive(Debug)]
pub(super) struct Looked<'a>(Vec<(Part<'a>, f64)>);

#[derive(Debug)]
enum Part<'a> {
    /// Of what has an end.
    Table(Table),
    Other(&'a Shape),
}

impl<'a> Looked<'a> {
    pub(super) fn new(shapes: &'a Shapes) -> Self {
        let part = |(shape, count): &'a (Shape, u64)| {
            let count = number(*count);
            match shape {
                Shape::Sampled(law) if law.cut.is_some() => (Part::Table(Table::new(law, count)), count),
                shape => (Part::Other(shape), count),
            }
        };
        Self(shapes.iter().map(part).collect())
    }

    /// How many laws there are.
    pub(super) fn count(&self) -> f64 {
        self.0.iter().map(|(_, count)| count).sum()
    }

    /// About the height by which the transform has fallen by some logarithm.
    pub(super) fn height(&self, tilt: f64, wanted: f64) -> f64 {
        let fallen = |height: f64| {
            let parts = self.0.iter().map(|(part, count)| match part {
                Part::Table(table) => table.fallen(tilt, height),
                Part::Other(shape) => shape.cumulants(tilt).curvature * height * height / 2.0 * count,
            });
            parts.sum::<f64>()
        };
        let mut height = 0.3 / self.cumulants(tilt).curvature.sqrt();
        for _ in 0..24 {
            let found = fallen(height);
            if found.is_nan() || found >= wanted {
                break;
            }
            // As for a normal law, if not so far.
            height *= (wanted / found.max(1e-9)).sqrt().clamp(1.05, 2.0);
        }
        height
    }

    pub(super) fn cumulants(&self, tilt: f64) -> Cumulants {
        let mut total = Cumulants::default();
        for (part, count) in &self.0 {
            let one = match part {
                Part::Table(table) => table.cumulants(tilt),
                Part::Other(shape) => shape.cumulants(tilt),
            };
            total.value += count * one.value;
            total.slope += count * one.slope;
            total.curvature += count * one.curvature;
        }
        total
    }
}
