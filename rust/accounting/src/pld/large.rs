//! How fast the transform of large losses falls.

use super::{cut::Cut, sampled_gaussian::SampledGaussian};
use indistinct_numeric::{RoundedMath, enclosure::exp_near};

/// Angles with lower bounds on their sines and cosines.
pub(super) const ANGLES: [(f64, f64, f64); 4] =
    [(0.3, 0.2955, 0.9553), (0.5, 0.4794, 0.8775), (0.8, 0.7173, 0.6967), (1.04, 0.8624, 0.5062)];

/// A cell of x.
#[derive(Debug)]
pub(super) struct Cell {
    /// An upper bound on the logarithm of its mass under the tilted law, over `e^scale`.
    pub(super) mass: f64,
    /// An upper bound on the logarithm of s.
    pub(super) log_mean: f64,
    /// A lower bound on `p = q e^w/g`.
    pub(super) share: f64,
    /// An upper bound on the s of what is not left out at all.
    pub(super) far: f64,
}

/// Upper bounds on the large losses' part of the integrand, in cells of x.
#[derive(Debug)]
pub(super) struct Large {
    sigma: f64,
    cut: Cut,
    pub(super) cells: Vec<Cell>,
    /// What is outside of the cells, over the last and on the left.
    beyond: f64,
    pub(super) left: f64,
}

impl Large {
    pub(super) fn new(law: &SampledGaussian, tilt: f64, cut: Cut, scale: f64) -> Option<Self> {
        let (left, right) = law.window(tilt);
        let mu = 1.0 / law.sigma;
        let width = 0.125f64.min(16.0 / ((tilt + 1.0) * mu));
        let count = ((left + right) / width).ceil();
        if count.is_nan() || count > 4096.0 {
            return None;
        }
        let ratio = |y: f64| mu * y - mu * mu / 2.0;
        let log_mean = |y: f64| (ratio(y) + cut.shift) + (ratio(y).abs() + cut.shift.abs() + 1.0) * 1e-9;
        let share = |y: f64| {
            let growth = exp_near(ratio(y).min(600.0)) * law.rate;
            growth / (1.0 - law.rate + growth) * 0.999_999_99
        };
        let mut cells = Vec::new();
        let mut index = 0.0;
        let log_width = (width * 0.4).inf_ln().ok()?;
        while index < count {
            let (from, to) = (index * width - left, (index + 1.0) * width - left);
            index += 1.0;
            let nearest = if from > 0.0 {
                from
            } else if to < 0.0 {
                to
            } else {
                0.0
            };
            let mass = law.rough(tilt, to) - nearest * nearest / 2.0 * 0.999_999_999 + log_width - scale;
            // Small enough to be nothing even at angles.
            if mass > -690.0 {
                // What is kept of the law at all falls in y, but for the angle's part.
                let far = law.cut.map_or(0.0, |cut| cut.mean(ratio(to)) * 1.000_001);
                let mass = mass + law.cut.map_or(0.0, |cut| cut.log_most_kept(cut.mean(ratio(from))));
                cells.push(Cell { mass, log_mean: log_mean(to), share: share(from), far });
            }
        }
        // Left of the cells the density is below a normal one, of which there is less than e^-51 beyond 10, as an integral or as a sum.
        let left = exp_near((-51.0 - scale + cut.most_dropped(log_mean(-left), 0.5)).clamp(-690.0, 690.0));
        Some(Self { sigma: law.sigma, cut, cells, beyond: 1.0 + 0.1 / width * 1.000_001, left })
    }

    /// A bound on the integral of the size at an angle, of which the sine and the cosine are at least these; for every height from `height` on.
    pub(super) fn at(&self, height: f64, (angle, sine, cosine): (f64, f64, f64)) -> f64 {
        let shift = angle * self.sigma;
        let grown = shift * shift / 2.0 * 1.000_001;
        let turned = height * sine * 0.999_999;
        let mut sum = 0.0;
        let mut last = 0.0;
        for Cell { mass, log_mean, share, far } in &self.cells {
            let kept = far * (1.0 - cosine) * 1.000_001;
            let logarithm = grown + mass + kept + self.cut.most_dropped(*log_mean, cosine) - turned * share;
            last = exp_near(if logarithm < -690.0 { -690.0 } else { logarithm });
            sum += last;
        }
        // What is not among the cells is below e^-690 each before it is turned, which adds less than `grown` and 20, and some 4,000.
        let grown = exp_near(grown);
        (sum + last * self.beyond + self.left * grown + 1e-287 * grown) * 1.000_001
    }

    /// A bound on the size of the transform of large losses from a height on, over `e^scale`.
    pub(super) fn fallen(&self, height: f64) -> f64 {
        ANGLES.iter().skip(1).map(|angle| self.at(height, *angle)).fold(f64::INFINITY, f64::min)
    }
}
