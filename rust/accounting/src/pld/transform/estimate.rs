//! Cumulants of losses and compositions in floats: for finding where to integrate, not for bounds.

use crate::pld::{
    loss::{
        cumulants::{Cumulants, cumulants},
        exponential::Exponential,
        finite_loss::{FiniteLoss, FiniteLosses, number},
        fixed_size_gaussian::FixedSizeGaussian,
        sampled_gaussian::{SampledGaussian, Side},
    },
    transform::tabulated::TabulatedDensity,
};
use indistinct_numeric::enclosure::{Enclosure, exp_m1_near, exp_near};
use std::f64::consts::LN_2;

impl Exponential {
    pub(crate) fn cumulants(&self, tilt: f64) -> Cumulants {
        let (radius, factor, atom) = match self {
            Self::Laplace { scale } => (1.0 / scale, 0.25, 0.5),
            Self::BoundedRange { eta } => (*eta, -0.5 / (-eta).exp_m1(), 0.0),
        };
        let rate = tilt + 0.5;
        // Distances from the upper end, over what is between both: of atoms at either end, and by the integrals of
        // x^j e^(-w x) from 0 to 1.
        let (length, weight) = (2.0 * radius, 2.0 * radius * rate);
        let far = (-weight).exp();
        let integrals = if weight < 1e-2 {
            let series = |j: f64| 1.0 / j - weight / (j + 1.0) + weight * weight / (2.0 * (j + 2.0));
            [1.0, 2.0, 3.0].map(series)
        } else {
            let none = -(-weight).exp_m1() / weight;
            let one = (none - far) / weight;
            [none, one, (2.0 * one - far) / weight]
        };
        let [none, one, two] = integrals.map(|integral| factor * length * integral);
        let total = atom * (1.0 + far) + none;
        let (mean, square) = ((atom * far + one) / total, (atom * far + two) / total);
        Cumulants {
            value: tilt * radius + total.ln(),
            slope: radius - length * mean,
            curvature: length * length * (square - mean * mean).max(1e-30),
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
        // Half the noise's deviation; up to half of what an individual adds, where the density is wide.
        let step = ((left + right + 16.0) / 64.0).max(0.5).min(1.0f64.max(mu) * 0.5);
        let count = ((left + right + 16.0) / step).min(2000.0);
        let log_g = |y: f64| self.log_mixture_estimate(mu * y - mu * mu / 2.0);
        // Removing, the tilted density peaks within 2 sigma of zero, where the individual hardly counts, or within as
        // much of the end, where next to nothing else does: what is between is left out.
        let room = 3.0 * self.sigma + mu + 12.0;
        let between = if self.side == Side::Remove { room..right - room } else { 0.0..0.0 };
        let mut atoms = Vec::new();
        let mut index = 0.0;
        while index <= count {
            let y = index * step - left - 8.0;
            if between.contains(&y) {
                index = ((between.end + left + 8.0) / step).ceil().max(index + 1.0);
                continue;
            }
            index += 1.0;
            let (base, loss) = match self.side {
                Side::Remove => (log_g(y), log_g(y)),
                Side::Add => (0.0, -log_g(y)),
                Side::Replace => (log_g(y), log_g(y) - log_g(-y)),
            };
            atoms.push((base + tilt * loss - y * y / 2.0, loss));
        }
        let found = cumulants(atoms.iter().copied());
        Cumulants { value: found.value + (step * 0.398_942_280_401_432_7).ln(), ..found }
    }
}

impl FixedSizeGaussian {
    /// By the trapezoid rule from where the loss is zero on, with what is left of the mass there.
    pub(crate) fn cumulants(&self, tilt: f64) -> Cumulants {
        const POINTS: u32 = 256;
        let (law, variance) = (self.sampled(), self.sigma * self.sigma);
        let natural = (tilt + 1.0) / variance + 10.0 / self.sigma;
        let step = self.end.unwrap_or(natural).min(natural) / f64::from(POINTS);
        let factor = (self.sigma * step * 0.398_942_280_401_432_7).ln() - 0.125 / variance;
        let (mut atoms, mut left) = (Vec::new(), 1.0);
        for i in 0..POINTS {
            let u = step * f64::from(i);
            let loss = law.log_mixture_estimate(u);
            let base = factor - u / 2.0 - variance * u * u / 2.0 - if i == 0 { LN_2 } else { 0.0 };
            left -= exp_near(base + loss) + exp_near(base);
            atoms.push((base + loss + tilt * loss, loss));
            atoms.push((base - tilt * loss, -loss));
        }
        atoms.push((left.max(1e-300).ln(), 0.0));
        // The logarithm of the sum would be less than it rounds, where it is next to nothing.
        let less_one = |(weight, loss): &(f64, f64)| exp_near(weight - tilt * loss) * exp_m1_near(tilt * loss);
        let little = atoms.iter().map(less_one).sum::<f64>();
        let found = cumulants(atoms.iter().copied());
        if little.abs() < 0.5 { Cumulants { value: little.ln_1p(), ..found } } else { found }
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
            Self::FixedSize(law) => law.cumulants(tilt),
            Self::Exponential(law) => law.cumulants(tilt),
            Self::ByTails(law) => law.cumulants(tilt),
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
    /// A truncated loss.
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

    /// True if what is tabulated is enough for a tilt.
    pub(crate) fn reaches(&self, tilt: f64) -> bool {
        self.0.iter().all(|(part, _)| match part {
            Contribution::TabulatedDensity(table) => table.reaches(tilt),
            Contribution::Other(_) => true,
        })
    }

    /// How many distributions there are.
    pub(crate) fn count(&self) -> f64 {
        self.0.iter().map(|(_, count)| count).sum()
    }

    /// No larger tilts are looked at: 2^27, and where all losses are tiny, more, if powers of g that are divided by are
    /// no more than `e^4`.
    pub(crate) fn greatest_tilt(&self) -> f64 {
        let rate = |part: &Contribution| match part {
            Contribution::Other(FiniteLoss::Sampled(SampledGaussian { side: Side::Add, rate, .. })) => *rate,
            _ => 0.0,
        };
        let rate = self.0.iter().fold(0.0, |most, (part, _)| rate(part).max(most));
        let most = 64.0 / self.cumulants(1.0).curvature.sqrt();
        most.min(4.0 / rate).clamp(2f64.powi(27), 2f64.powi(44))
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
