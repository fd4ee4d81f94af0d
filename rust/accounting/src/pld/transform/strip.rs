//! How far from the real axis the integrand of a sampled Gaussian is known to be small, and so how long the trapezoid
//! rule's steps may be.

use crate::pld::{
    loss::sampled_gaussian::{SampledGaussian, Side},
    transform::tail_bound::nearest_to_zero,
};
use indistinct_numeric::{
    Above, Below, Range,
    enclosure::{UNIT_ROUNDOFF, cosine_and_sine},
};
use std::f64::consts::{FRAC_PI_2, PI};

/// More quadrature points than this are not spent.
const MOST: u32 = 1 << 15;

impl SampledGaussian {
    /// The step that keeps the trapezoid rule's error below 2^-66 of the whole up to a frequency: `2 pi a / X` for the
    /// best half-width a of a strip, where
    /// `X = ln(4 / error) + a^2/2 + frequency mu a (twice for replace) - tilt ln cos(mu a/2)` (not for remove; for add
    /// and `mu a <= pi/2`, `-tilt ln(1 - q)` if that is less).
    ///
    /// With a truncation, X has what [`growth_at_angles`](Self::growth_at_angles) says besides, and the whole is
    /// `e^log_normalizer`.
    pub(crate) fn step(&self, tilt: f64, frequency: Above, log_normalizer: f64) -> Option<f64> {
        // Below pi over mu, where g has a zero.
        let strip = (PI * 0.98 * self.sigma).min(40.0);
        let mu = self.exponent().mu.above;
        let wider = self.growth_at_angles(tilt, log_normalizer)?;
        let turns = if self.side == Side::Replace { 2.0 } else { 1.0 };
        let mut best = 0f64;
        for i in 1..=48u32 {
            let half_width = strip * f64::from(i) / 48.0;
            let angle = mu * half_width;
            let Some((_, wider)) = wider.iter().find(|(most, _)| angle.get() <= *most) else { break };
            // 47.9 is above ln(4 2^66).
            let need = Above::exact(half_width).squared() * 0.5
                + frequency * angle * turns
                + self.log_growth(tilt, angle)
                + *wider
                + 47.9;
            let step = Below::TWO_PI * half_width / need;
            best = best.max(step.get());
        }
        // A step of few bits, so that its multiples are floats.
        let step = f64::from_bits(best.to_bits() & !0x3ff_ffff_ffff);
        let (left, right) = self.window(tilt);
        (step > 0.0 && (left + right) / step < f64::from(MOST)).then_some(step)
    }

    /// What dividing by powers of g at an angle, and not on the real axis, makes of the tilted density, in logarithms.
    pub(crate) fn growth_by_denominator(&self, tilt: f64, angle: Above) -> Above {
        if self.side == Side::Remove {
            return Above::ZERO;
        }
        let half = angle * 0.5 / Below::TWO_PI;
        // From half a turn on the cosine rises again.
        let cosine = if half.get() < 0.5 { cosine_and_sine(half.get()).0.below } else { Below::UNKNOWN };
        -(cosine.ln() * tilt)
    }

    /// For `Add`, and angles up to a quarter turn: the same of these powers by themselves, `-tilt ln(1 - q)`.
    pub(crate) fn growth_by_rate(&self, tilt: f64, angle: Above) -> Above {
        let is_known = self.side == Side::Add && angle.get() <= FRAC_PI_2;
        if is_known { -(Below::exact(-self.rate).ln_1p() * tilt) } else { Above::UNKNOWN }
    }

    /// What dividing by powers of g at an angle makes of the density's integral, in logarithms.
    pub(crate) fn log_growth(&self, tilt: f64, angle: Above) -> Above {
        self.growth_by_denominator(tilt, angle).or(self.growth_by_rate(tilt, angle))
    }

    /// For angles `mu a` up to each: the logarithm of the integral with what a
    /// [`Truncation`](crate::pld::loss::truncation::Truncation) keeps at that angle, over `e^log_normalizer`. Without a
    /// truncation nothing is kept more than on the real axis.
    ///
    /// At an angle, `s` has turned by it, and what is kept is at most `e^(s (1 - cos)) Q(s)`. In each cell the normal
    /// density is greatest at the end near zero, the rest of the density and s at the right, Q at the left. Where s is
    /// below a quarter, what is kept grows by at most e^(1/8), and the integral is at most that of the distribution
    /// itself. Every caller verifies, once it has the transform, that this is at most twice `e^log_normalizer`.
    pub(crate) fn growth_at_angles(&self, tilt: f64, log_normalizer: f64) -> Option<Vec<(f64, Above)>> {
        let Some(truncation) = self.truncation else { return Some(vec![(f64::INFINITY, Above::ZERO)]) };
        // Angles whose cosines are above 0.877, 0.696, 0.5.
        let levels = [(0.5, 0.877), (0.8, 0.696), (1.04, 0.5)]
            .map(|(angle, cosine)| (angle, Above::exact(1.0) - Below::promised(cosine)));
        let mut sums = [(Above::ZERO, Above::ZERO); 3];
        let (left, right) = self.window(tilt);
        let growth = self.growth(tilt).1.get();
        let mu = 1.0 / self.sigma;
        let exponent = self.exponent();
        let mean = |y: f64| truncation.log_mean(exponent.at(y)).exp();
        let start = ((-1.4 - truncation.shift) / mu + mu / 2.0).clamp(-left, right);
        let mut before = mean(start);
        if before.above.get() > 16.0 {
            return None;
        }
        // Left of the cells it is at most 2 e^(1/8); or it is less than a normal tail at 10, by e^8 at most.
        let is_small = before.above.get() <= 0.25;
        let first = if is_small { Above::promised(2.3) } else { (Above::exact(-40.0) - log_normalizer).exp() };
        let width = (0.0625 * self.sigma.clamp(1.0, 8.0)).min(16.0 / growth.max(1.0)).min(right + left);
        let count = ((right - start) / width).ceil();
        if count.is_nan() || count > f64::from(MOST) {
            return None;
        }
        let mut index = 0.0;
        while index <= count {
            let (from, to) = (index * width + start, (index + 1.0) * width + start);
            let normal = Range::square(nearest_to_zero(from, to)).below * 0.5;
            let (after, kept) = (mean(to), truncation.log_kept(before.below.get().max(0.0)));
            let rest = self.log_density(tilt, &exponent, to) - normal - log_normalizer + kept;
            for ((sum, last), (_, turned)) in sums.iter_mut().zip(levels) {
                *last = (rest + after.above * turned).exp();
                *sum += *last;
            }
            before = after;
            index += 1.0;
        }
        // Both ends of a cell are rounded. What is beyond falls by 10 a unit from where it is at most that of the last
        // cell. The normal density's factor is below 0.4.
        let widest = Above::exact(width) + Above::exact(start.abs() + left + right + width) * (8.0 * UNIT_ROUNDOFF);
        let found = sums
            .into_iter()
            .zip(levels)
            .map(|((sum, last), (angle, _))| (angle, ((sum * widest + last) * 0.4 + first).ln()));
        Some(found.collect())
    }

    /// Where the trapezoid rule has its points.
    pub(crate) fn rule(&self, tilt: f64, step: f64) -> impl Iterator<Item = f64> {
        let (left, right) = self.window(tilt);
        let (first, last) = ((left / step).ceil(), (right / step).ceil());
        std::iter::successors(Some(-first), move |index| Some(index + 1.0).filter(|index| *index <= last))
            .map(move |index| index * step)
    }
}
