//! A composition without what is too far out to matter, and where to integrate it.
//!
//! Losses of Gaussian noise on samples have no end; beyond what counts they only make the moment generating function
//! large, and the period long.

use crate::pld::{
    integrate::saddle_point::{self as saddle, Plan, plan},
    loss::{
        finite_loss::{FiniteLoss, FiniteLosses, number},
        sampled_gaussian::SampledGaussian,
        truncation::Sharpness,
    },
    transform::{estimate::Estimate, tabulated::SMALL_RATE},
};
use indistinct_numeric::Above;

/// How much sooner a sharper cut has to end, in logarithms of the densities' ratio, to make up for what it costs on a
/// contour.
const WORTH: f64 = 2.0;
/// How fast the logarithm of a density may grow in what a soft cut is a function of; where 1 is too fast for any.
const FAST: f64 = 0.6;
/// How far out a window may end before a steeper cut is tried.
const FAR: f64 = 64.0;
/// The logarithm of a probability that does not matter beside much noise.
const RARE: f64 = -600.0;
/// The part cut off counts for nothing if the logarithm of the whole is less only by so much without it.
const IDLE: f64 = 0.1;
/// An estimate of how rare large losses are that decide is at most so far off, in logarithms.
const ROUGHLY: f64 = 1.0;

/// The distributions, of which some have a truncation, and a bound on the probability of all that is truncated.
pub(crate) struct Truncated {
    pub(crate) losses: Vec<(FiniteLoss, u64)>,
    pub(crate) mass: Above,
}

impl Truncated {
    /// Without what has a probability of about `e^budget`.
    pub(crate) fn new(losses: &FiniteLosses, budget: f64) -> Self {
        Self::by(losses, budget, sharpest)
    }

    /// The same, as steeply as may be.
    pub(crate) fn steeply(losses: &FiniteLosses, budget: f64) -> Self {
        Self::by(losses, budget, steep)
    }

    fn by(
        losses: &FiniteLosses,
        budget: f64,
        cut: impl Fn(&SampledGaussian, f64, f64) -> Option<(SampledGaussian, Above)>,
    ) -> Self {
        let laws = f64::from(u32::try_from(losses.len()).unwrap_or(u32::MAX)).max(1.0);
        let mut mass = Above::ZERO;
        let truncation = |(loss, count): &(FiniteLoss, u64)| {
            let (count_of, budget) = (number(*count), budget - laws.ln());
            let found = match loss {
                FiniteLoss::Sampled(law) => {
                    cut(law, count_of, budget).map(|(law, lost)| (FiniteLoss::Sampled(law), lost))
                }
                FiniteLoss::FixedSize(law) => {
                    law.truncated(count_of, budget).map(|(law, lost)| (FiniteLoss::FixedSize(law), lost))
                }
                _ => None,
            };
            let Some((shorter, lost)) = found else { return (loss.clone(), *count) };
            mass += lost;
            (shorter, *count)
        };
        let losses = losses.iter().map(truncation).collect();
        Self { losses, mass }
    }

    /// Where to integrate for an epsilon, to a goal; `known` is a number that the logarithm of delta is known to be
    /// near or below, or 0.
    pub(crate) fn plan(losses: &FiniteLosses, epsilon: f64, (goal, known): (f64, f64)) -> Option<(Self, Plan)> {
        let mut wanted = if known < 0.0 { known } else { estimate(losses, epsilon)?.0 };
        let mut truncated = Self::new(losses, wanted - goal - 1.0);
        let mut first = plan(&Estimate::new(&truncated.losses), epsilon, goal, known);
        if first.is_none() {
            truncated = Self::steeply(losses, wanted - goal - 1.0);
            first = plan(&Estimate::new(&truncated.losses), epsilon, goal, known);
        }
        let mut found = first?;
        // What is estimated where large losses are all there is may be far too much.
        for _ in 0..2 {
            if found.estimate >= wanted - 1.0 {
                break;
            }
            wanted = found.estimate;
            truncated = Self::new(losses, wanted - goal - 1.0);
            found = plan(&Estimate::new(&truncated.losses), epsilon, goal, known)?;
        }
        // What is cut off softly may grow faster at a tilt than it falls; beside much noise any cut is soft, and ends
        // far out.
        let is_too_soft = |(loss, _): &(FiniteLoss, u64)| match loss {
            FiniteLoss::Sampled(law) => {
                let may_be_steeper = law.steepness() > law.truncation.map_or(1.0, |truncation| truncation.steepness);
                let is_fast = law.truncation.is_some_and(|truncation| {
                    let is_soft = truncation.order == Sharpness::Soft && law.rate < SMALL_RATE;
                    (is_soft || may_be_steeper) && found.higher * law.rate * (-truncation.shift).exp() > FAST
                });
                is_fast || may_be_steeper && law.window(found.higher).1 > FAR
            }
            _ => false,
        };
        if truncated.losses.iter().any(is_too_soft) {
            let sharper = Self::steeply(losses, wanted - goal - 1.0);
            if let Some(plan) = plan(&Estimate::new(&sharper.losses), epsilon, goal, known) {
                (truncated, found) = (sharper, plan);
            }
        }
        let is_idle = |(loss, count): &(FiniteLoss, u64)| match loss {
            FiniteLoss::Sampled(law) => law.truncation.is_none() || is_idle(law, number(*count), found.higher),
            // Without an end it has no transform.
            FiniteLoss::FixedSize(_) => false,
            _ => true,
        };
        found.frequency = Estimate::new(&truncated.losses)
            .frequency(found.tilt, goal - found.estimate + found.base - found.tilt.ln());
        if truncated.mass.get() > 0.0 && truncated.losses.iter().all(is_idle) {
            truncated = Self { losses: losses.to_vec(), mass: Above::ZERO };
        }
        Some((truncated, found))
    }
}

/// An estimate of the logarithm of delta, and its slope in epsilon, in floats: at the saddle point of all losses but
/// those beside much noise that are next to impossible.
pub(crate) fn estimate_at_saddle(losses: &FiniteLosses, epsilon: f64) -> Option<(f64, f64)> {
    let is_steep = |(loss, _): &(FiniteLoss, u64)| matches!(loss, FiniteLoss::Sampled(law) if law.steepness() > 1.0);
    if losses.iter().any(is_steep) {
        return without(losses, epsilon, RARE);
    }
    saddle::estimate(&Estimate::new(losses), epsilon)
}

/// The same without losses as rare as this, in logarithms.
fn without(losses: &FiniteLosses, epsilon: f64, rare: f64) -> Option<(f64, f64)> {
    saddle::estimate(&Estimate::new(&Truncated::steeply(losses, rare).losses), epsilon)
}

/// The same, or where large losses weigh more at the saddle point than there is of them, of what is left without those
/// that are as rare as that.
pub(crate) fn estimate(losses: &FiniteLosses, epsilon: f64) -> Option<(f64, f64)> {
    let without = |rare: f64| without(losses, epsilon, rare);
    let whole = estimate_at_saddle(losses, epsilon)?;
    let may_be_cut = |(loss, _): &(FiniteLoss, u64)| match loss {
        FiniteLoss::Sampled(law) => law.density_cells().is_some(),
        _ => false,
    };
    if !losses.iter().any(may_be_cut) || whole.0 <= RARE {
        return Some(whole);
    }
    let mut found = without(whole.0)?;
    if found.0 >= whole.0 - ROUGHLY {
        return Some(whole);
    }
    // The rarer what is left out, the more is left.
    let (mut rarer, mut rare) = (found.0.max(RARE), whole.0.min(-ROUGHLY));
    while rare - rarer > ROUGHLY {
        let middle = -(rare * rarer).sqrt();
        found = without(middle)?;
        if found.0 < middle { rare = middle } else { rarer = middle }
    }
    Some((rare, found.1))
}

fn steep(law: &SampledGaussian, count: f64, budget: f64) -> Option<(SampledGaussian, Above)> {
    law.truncated(&law.density_cells()?, count, budget, (Sharpness::Sharp, law.steepness()))
}

/// The cut of which less is left far out.
fn sharpest(law: &SampledGaussian, count: f64, budget: f64) -> Option<(SampledGaussian, Above)> {
    let cells = law.density_cells()?;
    let [soft, sharp] =
        [Sharpness::Soft, Sharpness::Sharp].map(|order| law.truncated(&cells, count, budget, (order, 1.0)));
    // Where s is some dozens more than the order, next to nothing is left.
    let end = |found: &Option<(SampledGaussian, Above)>, log_mean: f64| {
        found
            .as_ref()
            .and_then(|(law, _)| law.truncation)
            .map_or(f64::INFINITY, |truncation| truncation.ratio_at(log_mean))
    };
    if end(&sharp, 4.9) + WORTH < end(&soft, 4.1) { sharp } else { soft }
}

/// True if a truncation takes next to nothing off the distribution at a tilt: its peak is at most `growth` from zero.
fn is_idle(law: &SampledGaussian, count: f64, tilt: f64) -> bool {
    let mu = 1.0 / law.sigma;
    let peak = law.growth(tilt).1.get() + 7.0;
    if law.steepness() > 1.0 && peak <= FAR {
        let whole = SampledGaussian { truncation: None, ..*law };
        return (whole.cumulants(tilt).value - law.cumulants(tilt).value) * count < IDLE;
    }
    law.truncation.is_none_or(|truncation| truncation.mean(mu * peak - mu * mu / 2.0) < 0.3)
}
