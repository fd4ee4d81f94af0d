//! An upper bound on delta where a single large loss decides, if an individual is hardly ever sampled: what no large
//! loss comes to, one, and more than one.
//!
//! The distribution of one loss is split in two, near and large ([`Truncation`]). Of n releases, k are large:
//!
//! - none: Chernoff's bound on the near ones;
//! - one: the integral of its density times a bound on what is left of epsilon for the near ones beside it;
//! - more: Chernoff's bound, or if one of them is huge, the probability.
//!
//! No transform is inverted, so that nothing cancels, and the bound is good for any delta. See
//! `proofs/accounting/pld_lemmas.md`.

use crate::pld::{
    integrate::saddle_point::short,
    loss::{
        finite_loss::{FiniteLoss, FiniteLosses, number},
        sampled_gaussian::{SampledGaussian, Side},
        truncation::{Sharpness, Truncation},
    },
    transform::{tail_bound::nearest_to_zero, tilted::TiltedDensity},
};
use indistinct_numeric::{Above, Below, Range, enclosure::exp_near};
use std::{f64::consts::LN_2, ops::RangeInclusive};

/// Noise that is looked at; up to so many of its deviations beyond where one loss is epsilon, if that is no further, or
/// beyond the mean of those in the sample.
const SIGMAS: RangeInclusive<f64> = 0.05..=1e6;
const FURTHER: f64 = 14.0;
const FURTHEST: f64 = 30.0;
/// So many cells between there and where next to nothing is large.
const CELLS: u32 = 2_048;
/// The logarithm of s there, where about half is near, and where next to nothing is.
const START: f64 = 1.0;
const HALF: f64 = 4.15;
const PAST: f64 = 5.0;
/// `1/sqrt(2 pi)`, rounded up.
const INVERSE_ROOT_TWO_PI: f64 = 0.398_942_280_401_433;
/// Where what is near ends, over epsilon, and where what is large is huge.
const NEAR: [f64; 4] = [0.125, 0.25, 0.5, 0.75];
const HUGE: [f64; 5] = [0.75, 1.25, 2.0, 4.0, 1e300];
/// Tilts that are looked at: from a half over epsilon on, each so many times the one before.
const TILTS: u32 = 24;
const APART: f64 = 1.35;

/// For noise of one kind on Poisson samples, removing an individual; none where that does not help.
pub(crate) fn few_large_losses(losses: &FiniteLosses, epsilon: f64) -> Option<Above> {
    let [(FiniteLoss::Sampled(law), count)] = losses else { return None };
    let is_covered = law.side == Side::Remove
        && law.truncation.is_none()
        && law.rate > 1e-200
        && law.rate <= 0.5
        && SIGMAS.contains(&law.sigma)
        && (1e-12..=100.0).contains(&epsilon)
        && *count <= 1 << 53;
    if !is_covered {
        return None;
    }
    let parts = Split::likely(law, number(*count), epsilon)?.parts(law, number(*count), epsilon)?;
    Some(parts.into_iter().sum())
}

/// Where the distribution is split, and the tilts by which none, one, and more large losses are bounded.
#[derive(Debug, Clone, Copy)]
struct Split {
    near: Truncation,
    tilts: [f64; 3],
    /// Losses above are huge.
    huge: f64,
    /// No greater noise is looked at.
    end: f64,
}

impl Split {
    /// The one that an estimate in floats says is best. Nothing rests on it.
    fn likely(law: &SampledGaussian, count: f64, epsilon: f64) -> Option<Self> {
        let end = end(law, epsilon);
        let rows = rows(law, end);
        let tilts: Vec<f64> =
            (0..TILTS).map(|i| short(0.5 / epsilon * APART.powi(i32::try_from(i).unwrap_or(0)))).collect();
        let mut best: Option<(f64, Self)> = None;
        for part in NEAR {
            let near = split_at(law, part * epsilon);
            let cut: Vec<_> = rows
                .iter()
                .map(|(mass, loss, ratio)| {
                    let kept = near.log_kept(near.mean(*ratio)).get();
                    (mass + kept, mass + (-kept.exp_m1()).ln(), *loss)
                })
                .collect();
            let bulk = tilts.iter().map(|tilt| (*tilt, log_sum(cut.iter().map(|(kept, _, loss)| kept + tilt * loss))));
            let bulk: Vec<_> = bulk.collect();
            let none = bulk.iter().map(|(tilt, bulk)| (count * bulk - tilt * epsilon - tilt.ln_1p(), *tilt));
            let one = bulk.iter().map(|(tilt, bulk)| {
                let beside = (count - 1.0) * bulk - tilt.ln_1p();
                let term = |(_, dropped, loss): &(f64, f64, f64)| {
                    let chernoff = beside - tilt * (epsilon - loss);
                    let whole = (beside.exp() - (epsilon - loss).exp_m1()).ln();
                    dropped + if *loss < epsilon { chernoff } else { chernoff.min(whole) }.min(0.0)
                };
                (count.ln() + log_sum(cut.iter().map(term)), *tilt)
            });
            let large = log_sum(cut.iter().map(|(_, dropped, _)| *dropped));
            let more = HUGE.iter().flat_map(|part| {
                let huge = part * epsilon;
                let within = cut.partition_point(|(.., loss)| *loss <= huge);
                let (within, beyond) = cut.split_at(within);
                let greatest = within.last().map_or(0.0, |(.., loss)| *loss);
                let beyond = log_sum(beyond.iter().map(|(_, dropped, _)| *dropped));
                bulk.iter().map(move |(tilt, bulk)| {
                    let tail = log_sum(within.iter().map(|(_, dropped, loss)| dropped + tilt * loss));
                    let within =
                        2.0 * count.ln() - LN_2 + 2.0 * tail + (count - 2.0) * (bulk + (tail - bulk).exp().ln_1p());
                    let both = [within - tilt * epsilon - tilt.ln_1p(), 2.0 * count.ln() + beyond + large];
                    // No exponentials that floats do not hold.
                    let is_held = tilt * (greatest - epsilon / 2.0) < 650.0;
                    (if is_held { log_sum(both.into_iter()) } else { f64::INFINITY }, (*tilt, huge))
                })
            });
            let (none, one, more) = (least(none)?, least(one)?, least(more)?);
            let total = log_sum([none.0, one.0, if count > 1.0 { more.0 } else { f64::NEG_INFINITY }].into_iter());
            if best.is_none_or(|(best, _)| total < best) {
                let (several, huge) = more.1;
                best = Some((total, Self { near, tilts: [none.1, one.1, several], huge, end }));
            }
        }
        best.map(|found| found.1)
    }

    /// What no large loss comes to, one, and more.
    fn parts(&self, law: &SampledGaussian, count: f64, epsilon: f64) -> Option<[Above; 3]> {
        let near = SampledGaussian { truncation: Some(self.near), ..*law };
        // At a tilt, or where that is too great, at a lesser one: it and the logarithm.
        let log_mgf = |tilt: f64| {
            let at = |part: f64| {
                let tilt = short(tilt * part);
                Some((tilt, TiltedDensity::new(&near, tilt, 1.0)?.log_mgf()))
            };
            [1.0, 0.5, 0.2, 0.05].into_iter().find_map(at)
        };
        let [none, one, more] = self.tilts.map(log_mgf);
        let ((tilt_of_none, none), (tilt_of_one, one), (tilt_of_more, more)) = (none?, one?, more?);
        // The logarithm of `e^(c epsilon) (1 + c)`.
        let taken_off = |tilt: f64| Below::exact(tilt) * epsilon + Below::exact(tilt).ln_1p();
        let none = (none * count - taken_off(tilt_of_none)).exp();
        // Of what near losses have beside one: at 0, in logarithms.
        let beside = one * (count - 1.0) - Below::exact(tilt_of_one).ln_1p();
        let left = |loss: Above| {
            let found = (beside + loss * tilt_of_one - Below::exact(tilt_of_one) * epsilon).exp().or(Above::exact(1.0));
            let is_above = loss.get() >= epsilon;
            if is_above { found.or(beside.exp() - (-loss + epsilon).exp_m1()) } else { found }
        };
        let cells = self.cells(law);
        let one = cells.iter().map(|cell| cell.mass * left(cell.loss)).sum::<Above>();
        if count < 2.0 {
            return Some([none, one, Above::ZERO]);
        }
        let is_huge = |cell: &&Cell| cell.loss.get() > self.huge;
        // Over `e^(c epsilon/2)`, as there are two of them at least.
        let half = Range::exact(tilt_of_more) * epsilon * 0.5;
        let of = |cell: &Cell| cell.mass * (cell.loss * tilt_of_more - half.below).exp();
        let tail = cells.iter().filter(|cell| !is_huge(cell)).map(of).sum::<Above>();
        let [large, huge]: [Above; 2] =
            [cells.iter().map(|cell| cell.mass).sum(), cells.iter().filter(is_huge).map(|cell| cell.mass).sum()];
        let bulk = more.get();
        let both = (tail * (half.above + -bulk).exp()).ln_1p() + bulk;
        let within = (both * (count - 2.0) - Below::exact(tilt_of_more).ln_1p()).exp() * tail * tail * 0.5;
        // Or the probability that two are large.
        let more = (within + huge * large).or(large * large * 0.5);
        let pairs = Above::exact(count) * (count - 1.0);
        Some([none, one * count, more * pairs])
    }

    /// Large losses in cells of the noise, and those that are left of all and right of all.
    fn cells(&self, law: &SampledGaussian) -> Vec<Cell> {
        let mu = 1.0 / law.sigma;
        let exponent = law.exponent();
        let start = ((self.near.ratio_at(START) + mu * mu / 2.0) / mu).clamp(-10.0, self.end - 1.0);
        let step = (self.end - start) / f64::from(CELLS);
        let point = |i: u32| start + f64::from(i) * step;
        // The greatest loss up to a point, and the logarithm of what is not near of it, which both rise.
        let at = |y: f64| {
            let ratio = exponent.at(y);
            let is_past = self.near.log_mean(ratio).below.get() > PAST;
            let dropped = if is_past { Above::ZERO } else { self.near.log_dropped_at(ratio.above.get()) };
            (law.log_mixture_above(ratio.above), dropped)
        };
        let (loss, dropped) = at(start);
        let first = Cell { mass: dropped.exp(), loss };
        // `g <= e^w`, so that it is at most a normal tail around mu, and that `e^(-t^2/2)/2`.
        let beyond = (-((Below::exact(point(CELLS)) - exponent.mu.above).squared() * 0.5)).exp() * 0.5;
        let last = Cell { mass: beyond, loss: Above::exact(f64::INFINITY) };
        let cell = |i: u32| {
            let (from, to) = (point(i), point(i + 1));
            let (loss, dropped) = at(to);
            let normal = |y: f64| (loss + dropped - Range::square(y).below * 0.5).exp();
            // Where it is convex, the normal density is below its chord.
            let is_convex = from >= 1.0 || to <= -1.0;
            let most = if is_convex { (normal(from) + normal(to)) * 0.5 } else { normal(nearest_to_zero(from, to)) };
            Cell { mass: most * INVERSE_ROOT_TWO_PI * (Above::exact(to) - from), loss }
        };
        [first].into_iter().chain((0..CELLS).map(cell)).chain([last]).collect()
    }
}

/// Losses up to one, and what they weigh.
struct Cell {
    mass: Above,
    loss: Above,
}

/// Beyond, the noise is next to impossible, whatever delta is.
fn end(law: &SampledGaussian, epsilon: f64) -> f64 {
    let mu = 1.0 / law.sigma;
    let at_epsilon = ((epsilon.exp_m1() / law.rate).ln_1p() + mu * mu / 2.0) / mu;
    at_epsilon.min(FURTHEST).max(mu) + FURTHER
}

/// A cut at a loss, as steep as may be beside so much noise.
fn split_at(law: &SampledGaussian, loss: f64) -> Truncation {
    let at = (loss.exp_m1() / law.rate).ln_1p();
    let steepness = law.steepness();
    Truncation { shift: HALF - at * steepness, order: Sharpness::Sharp, steepness }
}

/// Logarithms of masses, losses, and logarithms of the densities' ratios, in floats.
fn rows(law: &SampledGaussian, end: f64) -> Vec<(f64, f64, f64)> {
    let mu = 1.0 / law.sigma;
    let step = 0.25 * law.sigma.min(1.0);
    let log_step = (step * INVERSE_ROOT_TWO_PI).ln();
    let row = |y: f64| {
        let ratio = mu * y - mu * mu / 2.0;
        let loss = law.log_mixture_estimate(ratio);
        (loss - y * y / 2.0 + log_step, loss, ratio)
    };
    std::iter::successors(Some(-9.0), |y| Some(y + step).filter(|y| *y < end)).map(row).collect()
}

/// The logarithm of a sum, of terms given by their logarithms.
fn log_sum(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    let greatest = terms.clone().fold(f64::NEG_INFINITY, f64::max);
    if greatest.is_finite() {
        greatest + terms.map(|term| exp_near(term - greatest)).sum::<f64>().ln()
    } else {
        greatest
    }
}

fn least<T>(found: impl Iterator<Item = (f64, T)>) -> Option<(f64, T)> {
    found.filter(|(size, _)| !size.is_nan()).min_by(|x, y| x.0.total_cmp(&y.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pld::{
            answer::composed::Composed,
            distribution::{PrivacyLossDistribution as P, losses},
            integrate::walk::Integral,
            loss::direction::Direction,
        },
        units::{Rate, Sigma},
    };
    use indistinct_numeric::enclosure::Bounds;
    use proptest::prelude::*;

    fn of((sigma, rate, steps): (f64, f64, u64)) -> Vec<(FiniteLoss, u64)> {
        losses(&P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap(), Direction::Remove)
    }

    fn by_contour(losses: &FiniteLosses, epsilon: f64, known: f64) -> Bounds {
        Integral::new(losses, epsilon, known).delta(epsilon)
    }

    /// Against contours that know delta: of one step, of few, and of many, to tiny deltas.
    #[test]
    fn is_above_delta_and_near_it() {
        for (law, epsilon, most) in [
            ((1.0, 1e-3, 1), 1.0, 1.2),
            ((1.0, 1e-3, 100), 1.0, 1.5),
            ((0.5, 1e-6, 100), 0.3, 1.2),
            ((0.7, 0.001, 20), 4.0, 2.0),
            ((0.7, 0.01, 20), 4.0, 5.0),
            ((1.0, 1e-4, 100_000), 1.5, 3.0),
            ((10.0, 1e-5, 1 << 24), 0.02, 20.0),
        ] {
            let losses = of(law);
            let first = by_contour(&losses, epsilon, 0.0);
            let truth = by_contour(&losses, epsilon, first.upper.ln());
            assert!(truth.upper - truth.lower < 1e-3 * truth.upper, "{law:?} {truth:?}");
            let found = few_large_losses(&losses, epsilon).unwrap().get();
            assert!(truth.lower <= found && found <= most * truth.upper, "{law:?} {truth:?} {found:e}");
        }
    }

    /// A vector of a looseness, where no contour has digits: delta was at most 6.7e-28 there.
    #[test]
    fn where_nothing_else_is_known() {
        let ((sigma, rate, steps), epsilon) = ((2.6, 1.068_697_343_801_928_8e-4, 512), 0.013_647_581_790_696_13);
        let losses = of((sigma, rate, steps));
        let found = few_large_losses(&losses, epsilon).unwrap().get();
        let one = few_large_losses(&of((sigma, rate, 1)), epsilon).unwrap().get();
        let exactly =
            Composed::new(P::poisson_gaussian(Sigma(sigma), Rate(rate)).unwrap().laws(), Direction::Remove).unwrap();
        let exactly = exactly.delta(epsilon, None);
        assert!(exactly.lower <= one && one <= 1.5 * exactly.upper, "{exactly:?} {one:e}");
        assert!(found >= 512.0 * exactly.lower && found < 1e-32, "{found:e} {exactly:?}");
        assert!(few_large_losses(&of((sigma, 0.6, 2)), epsilon).is_none() && few_large_losses(&losses, 0.0).is_none());
    }

    /// Without what no large loss comes to, one, or more, the sum is below delta.
    #[test]
    fn negative_controls_are_caught() {
        let parts = |(sigma, rate, steps): (f64, f64, u64), epsilon: f64, near: Option<f64>| {
            let losses = of((sigma, rate, steps));
            let first = by_contour(&losses, epsilon, 0.0);
            let truth = by_contour(&losses, epsilon, first.upper.ln()).lower;
            let law = SampledGaussian { sigma, rate, side: Side::Remove, truncation: None };
            let split = Split::likely(&law, number(steps), epsilon).unwrap();
            let split = near.map_or(split, |near| Split { near: split_at(&law, near), ..split });
            (truth, split.parts(&law, number(steps), epsilon).unwrap().map(Above::get))
        };
        let (truth, [none, one, more]) = parts((1.0, 1e-3, 100), 1.0, None);
        assert!(none + more < truth && none + one + more >= truth, "{none:e} {one:e} {more:e} {truth:e}");
        // Next to all are near.
        let (truth, [none, one, more]) = parts((10.0, 1e-5, 1 << 24), 0.02, None);
        assert!(one + more < truth && none + one + more >= truth, "{none:e} {one:e} {more:e} {truth:e}");
        // Next to none are.
        let (truth, [none, one, more]) = parts((2.0, 0.5, 6), 1.5, Some(0.01));
        assert!(none + one < truth && none + one + more >= truth, "{none:e} {one:e} {more:e} {truth:e}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn is_never_below_delta(
            log_sigma in -0.7f64..1.5, rate in -6.0f64..-0.4, power in 0u32..20, share in -2.0f64..0.7,
        ) {
            let (sigma, rate, steps) = (10f64.powf(log_sigma), 10f64.powf(rate), 1u64 << power);
            let deviation = rate * (1.0 / (sigma * sigma)).min(9.0).exp_m1().sqrt() * number(steps).sqrt();
            let epsilon = 10f64.powf(share) * deviation.max(10.0 * rate);
            let losses = of((sigma, rate, steps));
            if let Some(found) = few_large_losses(&losses, epsilon) {
                let first = by_contour(&losses, epsilon, 0.0);
                let truth = by_contour(&losses, epsilon, first.upper.ln());
                prop_assert!(truth.lower.max(first.lower) <= found.get(), "{truth:?} {found:?}");
            }
        }
    }
}
