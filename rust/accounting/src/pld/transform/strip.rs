//! How far from the real axis the integrand of a sampled Gaussian is known to be small, and so how long the trapezoid
//! rule's steps may be.

use crate::pld::{
    loss::{
        sampled_gaussian::{SampledGaussian, Side},
        truncation::Truncation,
    },
    transform::tail_bound::nearest_to_zero,
};
use indistinct_numeric::{
    Above, Below, Range,
    enclosure::{cosine_and_sine, exp_near},
};
use std::f64::consts::{FRAC_PI_2, PI};

/// More quadrature points than this are not spent, nor more cells on what a truncation keeps at an angle.
const MOST: u32 = 1 << 15;
const MOST_CELLS: u32 = 1 << 14;
/// Angles, and lower bounds on their cosines; and those that are looked at if the density grows by more at the first.
const WIDE_ANGLES: [(f64, f64); 3] = [(0.5, 0.877), (0.8, 0.696), (1.04, 0.5)];
const NARROW_ANGLES: [(f64, f64); 2] = [(0.12, 0.992), (0.25, 0.968)];
const MOST_GROWTH: f64 = 3.0;
/// Logarithms of sizes, over the whole, that matter in no sum.
const SMALL: f64 = -100.0;
/// And that are of no use.
const LARGE: f64 = 100.0;

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

    /// The logarithm of the growth of the tilted density by dividing by powers of g at an angle, and not on the real
    /// axis.
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

    /// The logarithm of the growth of the density's integral by dividing by powers of g at an angle.
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
        let wide = self.growth_up_to(WIDE_ANGLES, (tilt, log_normalizer), truncation)?;
        if wide.first().is_some_and(|(_, growth)| growth.get() < MOST_GROWTH) {
            return Some(wide);
        }
        let mut found = self.growth_up_to(NARROW_ANGLES, (tilt, log_normalizer), truncation)?;
        found.extend(wide);
        Some(found)
    }

    /// The same for these angles, with lower bounds on their cosines.
    fn growth_up_to<const N: usize>(
        &self,
        angles: [(f64, f64); N],
        (tilt, log_normalizer): (f64, f64),
        truncation: Truncation,
    ) -> Option<Vec<(f64, Above)>> {
        let levels = angles.map(|(angle, cosine)| (angle, Above::exact(1.0) - Below::promised(cosine)));
        let mut sums = [(Above::ZERO, Above::ZERO); N];
        let (left, right) = self.window(tilt);
        let growth = self.growth(tilt).1.get();
        let mu = 1.0 / self.sigma;
        let exponent = self.exponent();
        // s turns so many times as far as the ratio.
        let levels_of_ratio = levels.map(|(angle, _)| angle / truncation.steepness);
        // s, the logarithm of the rest of the density, that of Q, and what it is at most where s has turned.
        let at = |y: f64| {
            let log_mean = truncation.log_mean(exponent.at(y));
            let mean = log_mean.exp();
            let kept = truncation.log_kept(mean.below.get().max(0.0));
            let density = self.log_density(tilt, &exponent, y) - log_normalizer;
            (mean, density, kept, truncation.dropped_at_most(log_mean.above).ln_1p())
        };
        let wide = (0.0625 * self.sigma.clamp(1.0, 8.0)).min(right + left);
        // So that there is a cell, whatever is cut off.
        let start = (truncation.ratio_at(-1.4) / mu + mu / 2.0).clamp(-left, right - wide);
        let mut before = at(start);
        if before.0.above.get() > 16.0 {
            return None;
        }
        // Left of the cells it is at most 2 e^(1/8); or it is less than a normal tail at 10, by e^8 at most.
        let is_small = before.0.above.get() <= 0.25;
        let first = if is_small { Above::promised(2.3) } else { (Above::exact(-40.0) - log_normalizer).exp() };
        // About how fast the logarithm of the density grows where the individual contributes a share of g.
        let slope = |y: f64| {
            let mixed = self.rate * exp_near(mu * y - mu * mu / 2.0);
            growth * mixed / (1.0 + mixed)
        };
        let (mut from, mut width, mut count) = (start, wide, 0);
        while from < right {
            let to = from + width;
            let after = at(to);
            let normal = Range::square(nearest_to_zero(from, to)).below * 0.5;
            let bounds = levels.map(|(_, turned)| after.1 - normal + (before.2 + after.0.above * turned).or(after.3));
            // Where it is small need not be known better, nor where it is too large anyway.
            let is_coarse = |(bound, (_, turned)): (&Above, &(f64, Above))| {
                let about = before.1 - normal + after.2 + before.0.above * *turned;
                bound.get() > SMALL && about.get() < LARGE
            };
            count += 1;
            if count > MOST_CELLS {
                return None;
            }
            if width * slope(to) > 16.0 && bounds.iter().zip(&levels).any(is_coarse) {
                width /= 2.0;
                continue;
            }
            let length = Above::exact(to) - from;
            for ((sum, last), bound) in sums.iter_mut().zip(bounds) {
                *last = bound.exp();
                *sum += length * *last;
            }
            if sums.iter().all(|(sum, _)| sum.get() == f64::INFINITY) {
                break;
            }
            (from, before, width) = (to, after, wide.min(width * 2.0));
        }
        // What is beyond falls by 10 a unit from where it is at most that of the last cell. The normal density's factor
        // is below 0.4.
        let found = sums
            .into_iter()
            .zip(levels_of_ratio)
            .map(|((sum, last), angle)| (angle, ((sum + last) * 0.4 + first).ln()));
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

#[cfg(test)]
mod tests {
    use crate::pld::loss::{
        sampled_gaussian::{SampledGaussian, Side},
        truncation::{Sharpness, Truncation},
    };
    use indistinct_numeric::{Below, Range};
    use std::f64::consts::TAU;

    /// The logarithm of what the density is at most where s has turned by an angle, in floats, but for the noise's
    /// growth.
    fn log_size(law: &SampledGaussian, tilt: f64, angle: f64, y: f64) -> f64 {
        log_size_with(law, tilt, angle, y, |truncation, w| {
            let log_mean = truncation.log_mean(Range::exact(w));
            truncation.log_kept_off_axis(log_mean, Below::promised(angle.cos() - 1e-12)).get()
        })
    }

    /// The same by what is kept.
    fn log_size_with(
        law: &SampledGaussian,
        tilt: f64,
        angle: f64,
        y: f64,
        kept: impl Fn(Truncation, f64) -> f64,
    ) -> f64 {
        let angle = angle / law.truncation.map_or(1.0, |truncation| truncation.steepness);
        let mu = 1.0 / law.sigma;
        let w = mu * y - mu * mu / 2.0;
        let log_mixture = |w: f64| {
            let (re, im) = (law.rate * (w.exp() * angle.cos() - 1.0), law.rate * w.exp() * angle.sin());
            0.5 * (2.0 * re + re * re + im * im).ln_1p()
        };
        let behind = if law.side == Side::Replace { log_mixture(-mu * y - mu * mu / 2.0) } else { 0.0 };
        let kept = law.truncation.map_or(0.0, |truncation| kept(truncation, w));
        (tilt + 1.0) * log_mixture(w) - tilt * behind + kept - y * y / 2.0 - TAU.ln() / 2.0
    }

    /// `ln |Q|` of an s that has turned by an angle, by its sum.
    fn log_kept(truncation: Truncation, w: f64, angle: f64) -> f64 {
        let mean = truncation.mean(w);
        let order = if truncation.order == Sharpness::Soft { 16u32 } else { 64 };
        if mean > 600.0 {
            return -1e9;
        }
        let (mut term, mut re, mut im) = (1.0, 0.0, 0.0);
        for j in 0..order {
            let turn = f64::from(j) * angle;
            re += term * turn.cos();
            im += term * turn.sin();
            term *= mean / (f64::from(j) + 1.0);
        }
        re.hypot(im).ln() - mean * angle.cos()
    }

    /// Large tilts of small rates, among others: with what is cut off growing faster than s, or slower.
    fn laws() -> Vec<(SampledGaussian, f64)> {
        // A cut beyond all that counts.
        let far = Some(Truncation::of(Sharpness::Soft, 36.0));
        let mut laws = vec![(SampledGaussian { sigma: 1.0, rate: 0.01, side: Side::Remove, truncation: far }, 2.0)];
        for (sigma, rate, steepness) in [
            (0.5, 1e-3, 1.0),
            (1.0, 1e-6, 1.0),
            (3.6, 6.4e-7, 1.0),
            (2.2, 1e-2, 1.0),
            (12.0, 4e-7, 1.0),
            (0.8, 0.3, 1.0),
            (12.0, 1e-5, 2.0),
            (90.0, 1e-3, 16.0),
        ] {
            for at in [2.0, 6.0] {
                for (order, side) in [
                    (Sharpness::Soft, Side::Remove),
                    (Sharpness::Sharp, Side::Remove),
                    (Sharpness::Soft, Side::Replace),
                ] {
                    let truncation = Truncation { steepness, ..Truncation::of(order, at) };
                    let law = SampledGaussian { sigma, rate, side, truncation: Some(truncation) };
                    let powers = if side == Side::Replace { 2.0 } else { 1.0 };
                    // What tilt times loss comes to about where s is 1.
                    for share in [0.01, 0.2, 0.249, 0.3, 0.9] {
                        laws.push((law, share / (powers * rate * (-truncation.shift).exp()).ln_1p()));
                    }
                }
            }
        }
        laws
    }

    #[test]
    fn all_falls_beyond_the_window() {
        let (mut short, mut caught) = (0, 0);
        for (law, tilt) in laws() {
            let (left, right) = law.window(tilt);
            let (mu, truncation) = (1.0 / law.sigma, law.truncation.unwrap());
            for angle in [0.0, 0.3, 0.7, 1.04] {
                let falls = |y: f64| log_size(&law, tilt, angle, y) - log_size(&law, tilt, angle, y + 0.01) >= 0.0999;
                for i in 0..200 {
                    let distance = 0.02 * f64::from(i) * law.sigma;
                    assert!(falls(right + distance), "{law:?} {tilt} {angle} {right} {distance}");
                    let y = -left - distance;
                    let rises = log_size(&law, tilt, angle, y) - log_size(&law, tilt, angle, y - 0.01);
                    assert!(rises >= 0.0999, "{law:?} {tilt} {angle} {left} {distance}");
                }
                // Where s is no more than what is enough for slow growth, fast growth goes on.
                let steepness = truncation.steepness;
                let mean = 4.0 * (10.0 * law.sigma / steepness + 1.0 + truncation.growth() / steepness);
                let early = truncation.ratio_at(mean.ln()) * law.sigma + mu * 0.5;
                short += u32::from(right < early + 1e-6);
                caught += u32::from(!falls(early));
            }
        }
        assert!(short > 50 && caught > 10, "{short} {caught}");
    }

    /// The integral at an angle is at most what is claimed, and not much less where that is near 1.
    #[test]
    fn integrals_at_angles_are_bounded() {
        let mut near = 0;
        for (law, tilt) in laws() {
            let (_, right) = law.window(tilt);
            let log_integral = |angle: f64| {
                let step = 0.005 * law.sigma.min(1.0);
                let mut points = Vec::new();
                let mut y = -10.0;
                while y < (right + 1.0).min(400.0) {
                    points.push(log_size_with(&law, tilt, angle, y, |truncation, w| log_kept(truncation, w, angle)));
                    y += step;
                }
                let most = points.iter().fold(f64::NEG_INFINITY, |most, point| most.max(*point));
                most + (points.iter().map(|point| (point - most).exp()).sum::<f64>() * step).ln()
            };
            let log_normalizer = log_integral(0.0);
            let Some(claimed) = law.growth_at_angles(tilt, log_normalizer) else { continue };
            for (angle, claimed) in claimed {
                let angle = angle * law.truncation.unwrap().steepness;
                let truth = log_integral(angle) - log_normalizer;
                assert!(claimed.get() >= truth - 1e-9, "{law:?} {tilt} {angle}: {claimed:?} {truth}");
                near += u32::from(claimed.get() < truth + 1.5);
            }
        }
        assert!(near > 100, "{near}");
    }
}
