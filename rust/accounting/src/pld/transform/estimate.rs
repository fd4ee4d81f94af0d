//! Cumulants of losses and compositions in floats: for finding where to integrate, not for bounds.

use crate::pld::{
    loss::{
        exponential::Exponential,
        finite_loss::{FiniteLoss, FiniteLosses, number},
        sampled_gaussian::{SampledGaussian, Side},
    },
    transform::{
        cumulants::{Cumulants, cumulants},
        tabulated::TabulatedDensity,
    },
};
use indistinct_numeric::enclosure::{Enclosure, midpoint};

impl Exponential {
    pub(crate) fn cumulants(&self, tilt: f64) -> Cumulants {
        let radius = midpoint(&self.radius()).0;
        let factor = midpoint(&self.factor()).0;
        let weight = (2.0 * tilt + 1.0) * radius;
        let (atom, ends) = (if self.atoms().is_some() { 0.5 } else { 0.0 }, (-weight).exp());
        // By integrals of l^j e^((tilt + 1/2) l) over e^(tilt r), the variable from the upper end.
        let points = 64u32;
        let width = 2.0 * radius / f64::from(points);
        let (mut total, mut first, mut second) =
            (atom * (1.0 + ends), atom * radius * (1.0 - ends), atom * radius * radius * (1.0 + ends));
        let rate = tilt + 0.5;
        let cell = if rate * width < 1e-6 { width } else { -(-rate * width).exp_m1() / rate };
        for i in 0..points {
            let end = radius - width * f64::from(i);
            let mass = factor * (rate * (end - radius)).exp() * cell;
            let loss = end - (width / 2.0).min(1.0 / rate);
            total += mass;
            first += mass * loss;
            second += mass * loss * loss;
        }
        let mean = first / total;
        Cumulants {
            value: tilt * radius + total.ln(),
            slope: mean,
            curvature: (second / total - mean * mean).max(radius * radius * 1e-12),
        }
    }
}

impl SampledGaussian {
    pub(crate) fn cumulants(&self, tilt: f64) -> Cumulants {
        if self.truncation.is_some() {
            return TabulatedDensity::new(self, 1.0).cumulants(tilt);
        }
        let mu = 1.0 / self.sigma;
        let (left, right) = self.growth(tilt);
        let (left, right) = (left.get(), right.get());
        let step = ((left + right + 16.0) / 64.0).max(0.25).min(1.0f64.max(mu) * 0.25);
        let count = ((left + right + 16.0) / step).min(4000.0);
        let log_g = |y: f64| self.log_mixture_estimate(mu * y - mu * mu / 2.0);
        let mut atoms = Vec::new();
        let mut index = 0.0;
        while index <= count {
            let y = index * step - left - 8.0;
            index += 1.0;
            let (base, loss) = match self.side {
                // Half of it: close enough for looking.
                Side::Fixed if y < mu / 2.0 => (log_g(y), 0.0),
                Side::Remove | Side::Fixed => (log_g(y), log_g(y)),
                Side::Add => (0.0, -log_g(y)),
                Side::Replace => (log_g(y), log_g(y) - log_g(-y)),
            };
            atoms.push((base + tilt * loss - y * y / 2.0, loss));
        }
        let found = cumulants(atoms.iter().copied());
        Cumulants { value: found.value + (step * 0.398_942_280_401_432_7).ln(), ..found }
    }
}

impl FiniteLoss {
    pub(crate) fn cumulants(&self, tilt: f64) -> Cumulants {
        match self {
            Self::Gaussian { sigma } => {
                let variance = 1.0 / (sigma * sigma);
                Cumulants {
                    value: variance * tilt * (tilt + 1.0) / 2.0,
                    slope: variance * (tilt + 0.5),
                    curvature: variance,
                }
            }
            Self::Sampled(law) => law.cumulants(tilt),
            Self::Exponential(law) => law.cumulants(tilt),
            Self::Lattice(law) => law.cumulants(tilt),
            Self::Loose(atoms) => {
                let floats = atoms.iter().map(|(loss, mass)| (loss.lower(), mass.upper().ln()));
                cumulants(floats.map(|(loss, mass)| (mass + tilt * loss, loss)))
            }
        }
    }
}

/// A composition to be looked at for many tilts.
#[derive(Debug)]
pub(crate) struct Estimate<'a>(Vec<(Contribution<'a>, f64)>);

#[derive(Debug)]
enum Contribution<'a> {
    /// Of what has an end.
    TabulatedDensity(TabulatedDensity),
    Other(&'a FiniteLoss),
}

impl<'a> Estimate<'a> {
    pub(crate) fn new(losses: &'a FiniteLosses) -> Self {
        let part = |(loss, count): &'a (FiniteLoss, u64)| {
            let count = number(*count);
            match loss {
                FiniteLoss::Sampled(law) if law.truncation.is_some() => {
                    (Contribution::TabulatedDensity(TabulatedDensity::new(law, count)), count)
                }
                loss => (Contribution::Other(loss), count),
            }
        };
        Self(losses.iter().map(part).collect())
    }

    /// How many distributions there are.
    pub(crate) fn count(&self) -> f64 {
        self.0.iter().map(|(_, count)| count).sum()
    }

    /// About the frequency by which the transform has fallen by some logarithm.
    pub(crate) fn frequency(&self, tilt: f64, wanted: f64) -> f64 {
        let log_decay = |frequency: f64| {
            let parts = self.0.iter().map(|(part, count)| match part {
                Contribution::TabulatedDensity(table) => table.log_decay(tilt, frequency),
                Contribution::Other(loss) => loss.cumulants(tilt).curvature * frequency * frequency / 2.0 * count,
            });
            parts.sum::<f64>()
        };
        let mut frequency = 0.3 / self.cumulants(tilt).curvature.sqrt();
        for _ in 0..24 {
            let found = log_decay(frequency);
            if found.is_nan() || found >= wanted {
                break;
            }
            // As for a normal distribution, if not so far.
            frequency *= (wanted / found.max(1e-9)).sqrt().clamp(1.05, 2.0);
        }
        frequency
    }

    pub(crate) fn cumulants(&self, tilt: f64) -> Cumulants {
        let mut total = Cumulants::default();
        for (part, count) in &self.0 {
            let one = match part {
                Contribution::TabulatedDensity(table) => table.cumulants(tilt),
                Contribution::Other(loss) => loss.cumulants(tilt),
            };
            total.value += count * one.value;
            total.slope += count * one.slope;
            total.curvature += count * one.curvature;
        }
        total
    }
}
