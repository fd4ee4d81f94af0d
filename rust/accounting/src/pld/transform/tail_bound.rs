//! How fast the transform of large losses falls.

use crate::pld::loss::{
    sampled_gaussian::SampledGaussian,
    truncation::{Sharpness, Truncation},
};
use indistinct_numeric::{Above, Below, Range, enclosure::UNIT_ROUNDOFF};

/// Angles of the upper edge of a strip.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Angle {
    pub(crate) angle: f64,
    sine: Below,
    cosine: Below,
}

pub(crate) const ANGLES: [Angle; 4] =
    [angle(0.3, 0.2955, 0.9553), angle(0.5, 0.4794, 0.8775), angle(0.8, 0.7173, 0.6967), angle(1.04, 0.8624, 0.5062)];

/// With floats that are below its sine and its cosine.
const fn angle(angle: f64, sine: f64, cosine: f64) -> Angle {
    Angle { angle, sine: Below::promised(sine), cosine: Below::promised(cosine) }
}

/// A cell of x.
#[derive(Debug)]
pub(crate) struct Cell {
    /// For each angle, the logarithm of what it weighs at frequency 0, over `e^log_normalizer`: its mass under the
    /// tilted distribution, what the angle makes of that, and what is kept and what is dropped there.
    logarithms: [Above; 4],
    /// `p = q e^w/g`.
    pub(crate) share: Below,
}

/// Upper bounds on the large losses' part of the integrand, in cells of x.
#[derive(Debug)]
pub(crate) struct TailBound {
    sigma: f64,
    pub(crate) cells: Vec<Cell>,
    /// The mass beyond the last cell, over that cell.
    beyond: Above,
    /// The mass left of the first.
    pub(crate) left: Above,
}

impl TailBound {
    pub(crate) fn new(law: &SampledGaussian, tilt: f64, truncation: Truncation, log_normalizer: f64) -> Option<Self> {
        let (left, right) = law.window(tilt);
        let width = 0.125f64.min(16.0 / ((tilt + 1.0) / law.sigma));
        let count = ((left + right) / width).ceil();
        // What is charged for the cells that are left out is for cuts of this order, of which s turns as the ratio.
        let is_soft = |truncation: Truncation| truncation.order == Sharpness::Soft && truncation.steepness == 1.0;
        if count.is_nan() || count > 4096.0 || !is_soft(truncation) || !law.truncation.is_none_or(is_soft) {
            return None;
        }
        let exponent = law.exponent();
        let log_mean = |y: f64| truncation.log_mean(exponent.at(y)).above;
        let saturated = ANGLES.map(|angle| truncation.saturated(angle.cosine));
        let log_growth = ANGLES.map(|angle| log_growth(angle.angle, law.sigma));
        let turned = ANGLES.map(|angle| Above::exact(1.0) - angle.cosine);
        // Both ends of a cell are rounded; the normal density's factor is below 0.4.
        let widest = Above::exact(width) + Above::exact(left + right + width) * (8.0 * UNIT_ROUNDOFF);
        let log_width = (widest * 0.4).ln();
        let missed = Above::exact(1.0) - law.rate;
        let mut cells = Vec::new();
        let mut index = 0.0;
        while index < count {
            let (from, to) = (index * width - left, (index + 1.0) * width - left);
            index += 1.0;
            let normal = Range::square(nearest_to_zero(from, to)).below * 0.5;
            let mass = law.log_density(tilt, &exponent, to) - normal + log_width - log_normalizer;
            // Small enough to be nothing even at angles.
            if mass.get() <= -690.0 {
                continue;
            }
            // What is kept of the distribution at all falls in y, but for the angle's part.
            let (kept, mean) = law.truncation.map_or((Above::ZERO, Above::ZERO), |truncation| {
                let least = truncation.log_mean(exponent.at(from)).below.exp();
                (truncation.log_kept(least.get().max(0.0)), truncation.log_mean(exponent.at(to)).above.exp())
            });
            let (mass, log_mean) = (mass + kept, log_mean(to));
            let mut logarithms = [Above::ZERO; 4];
            let angles = saturated.iter().zip(&log_growth).zip(&turned);
            for (logarithm, ((saturated, log_growth), turned)) in logarithms.iter_mut().zip(angles) {
                *logarithm = mass + *log_growth + mean * *turned + truncation.log_dropped(log_mean, *saturated);
            }
            // It rises in `q e^w`.
            let growth = (exponent.at(from).below.exp() * law.rate).get().max(0.0);
            let share = Below::exact(growth) / (missed + growth);
            cells.push(Cell { logarithms, share });
        }
        // Left of the cells the density is below a normal one, of which there is less than e^-51 beyond 10, as an
        // integral or as a sum.
        let at_left = truncation.log_dropped(log_mean(-left), truncation.saturated(Below::exact(0.5)));
        let left = (Above::exact(-51.0) - log_normalizer + at_left).exp();
        Some(Self { sigma: law.sigma, cells, beyond: Above::exact(0.1) / width + 1.0, left })
    }

    /// The integral of the size at one of the [`ANGLES`]; for every frequency from this one on.
    pub(crate) fn at(&self, frequency: f64, index: usize) -> Above {
        let Some(angle) = ANGLES.get(index) else { return Above::UNKNOWN };
        let damping = angle.sine * frequency;
        let (mut sum, mut last) = (Above::ZERO, Above::ZERO);
        for Cell { logarithms, share } in &self.cells {
            let Some(logarithm) = logarithms.get(index) else { return Above::UNKNOWN };
            last = (*logarithm - damping * *share).exp();
            sum += last;
        }
        // What is not among the cells is below e^-690 each before it is turned, which adds less than the growth and 20,
        // and some 4,000.
        let growth = log_growth(angle.angle, self.sigma).exp();
        sum + last * self.beyond + self.left * growth + growth * 1e-287
    }

    /// The size of the transform of large losses from a frequency on, over `e^log_normalizer`.
    pub(crate) fn size_from(&self, frequency: f64) -> Above {
        (1..ANGLES.len()).fold(Above::UNKNOWN, |least, index| least.or(self.at(frequency, index)))
    }
}

/// The logarithm of what a shift by this angle makes of a normal density: `a^2/2`.
fn log_growth(angle: f64, sigma: f64) -> Above {
    (Above::exact(angle) * sigma).squared() * 0.5
}

/// The point of an interval that is nearest to zero.
pub(crate) fn nearest_to_zero(from: f64, to: f64) -> f64 {
    if from > 0.0 {
        from
    } else if to < 0.0 {
        to
    } else {
        0.0
    }
}
