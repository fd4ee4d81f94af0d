//! Delta of finite losses, whichever road leads to it: the costly part once, then as many epsilons as are asked.

use crate::pld::{
    integrate::{
        contour::Contour,
        discretized::Discretized,
        few_fixed_size::{FIRST_GOALS, FewFixedSize, LAST_GOALS, NEXT_GOALS},
        lattice_sum::LatticeSum,
        low_rate::{low_rate_of_fixed_size, needed},
        progress::Progress,
        separable::losses_of_fixed_size,
        smooth::{SMOOTH_GOALS, smooth_contour, smooth_to},
        smoothed::Smoothed,
    },
    loss::{
        finite_loss::{FiniteLoss, FiniteLosses},
        fixed_size_gaussian::FixedSizeGaussian,
    },
    transform::work::Work,
};
use indistinct_numeric::enclosure::Bounds;

/// From so many releases on samples of fixed size on, a contour for many is tried harder before losses are taken apart.
const MANY: u64 = 50;
/// Bounds on delta as near as this, relatively, need no second contour.
const NARROW: f64 = 1e-9;
/// Or no other road: epsilon is mostly known to less than that.
const CLOSE: f64 = 2e-9;
/// And on samples that are not of fixed size.
pub(crate) const NEAR: f64 = 1e-7;
/// Where bounds of samples are further apart, a contour to a lesser goal may tell more.
const SEARCHED: f64 = 1e-6;

/// Where noise beside the losses leaves more open than this, a grid may know more.
const SMOOTHED: f64 = 1e-2;
const TINY: f64 = 1e-300;

/// Tried with more points where bounds are not near enough without.
const PRECISE_GOALS: &[(f64, f64)] = &[(24.0, 2_560.0)];

/// What is known where nothing is.
pub(crate) const ANYTHING: Bounds = Bounds { lower: 0.0, upper: 1.0 };

/// The integrand at the nodes of a contour that is right for one epsilon; bounds hold for all, and are as narrow for
/// those nearby.
#[derive(Debug)]
pub(crate) enum Integral {
    Lattice(LatticeSum),
    Smooth(Contour),
    FewFixedSize(Box<FewFixedSize>),
    Smoothed(Box<Smoothed>),
    Discretized(Box<Discretized>),
    /// Nothing helps.
    None,
}

impl Integral {
    /// `known` is a number that the logarithm of delta is known to be near or below, or 0: it makes the bounds narrow,
    /// not true.
    pub(crate) fn new(losses: &FiniteLosses, epsilon: f64, known: f64) -> Self {
        let found = Self::by_contours(losses, epsilon, known, None);
        let bounds = match &found {
            Self::None => ANYTHING,
            Self::Smoothed(smoothed) => smoothed.delta(epsilon),
            _ => return found,
        };
        // What is next to nothing is known well enough.
        let is_smoothed = !matches!(found, Self::None);
        if is_smoothed && (width(bounds) <= SMOOTHED || bounds.upper < TINY) {
            return found;
        }
        match Discretized::new(losses, epsilon, known) {
            Some(grid) if !is_smoothed || grid.delta(epsilon).is_some_and(|grid| grid.upper < bounds.upper) => {
                Self::Discretized(Box::new(grid))
            }
            _ => found,
        }
    }

    /// The same in a search, without a grid, which takes tenths of a second.
    pub(crate) fn without_grid(losses: &FiniteLosses, epsilon: f64, known: f64, search: (&Progress, &Work)) -> Self {
        Self::by_contours(losses, epsilon, known, Some(search))
    }

    fn by_contours(losses: &FiniteLosses, epsilon: f64, known: f64, search: Option<(&Progress, &Work)>) -> Self {
        if let Some(lattice) = LatticeSum::new(losses, epsilon, known) {
            return Self::Lattice(lattice);
        }
        if let Some(found) = of_fixed_size(losses, epsilon, known) {
            return found;
        }
        // Where a density decides, it does so to more digits than noise beside it leaves.
        let smooth = match search {
            Some((progress, work)) => progress.contour(losses, epsilon, known, work),
            None => smooth_contour(losses, epsilon, known),
        };
        if let Some(contour) = smooth {
            return Self::Smooth(contour);
        }
        if !Smoothed::may_help(losses) {
            return Self::None;
        }
        Smoothed::new(losses, epsilon, known).map_or(Self::None, |smoothed| Self::Smoothed(Box::new(smoothed)))
    }

    /// Bounds for one epsilon alone: where they are wide, from a second contour for what the first has found, and a
    /// grid.
    pub(crate) fn once(losses: &FiniteLosses, epsilon: f64) -> Bounds {
        let first = Self::new(losses, epsilon, 0.0);
        let (mut found, is_smooth) = (first.delta(epsilon), matches!(first, Self::Smooth(_)));
        let is_rough = losses_of_fixed_size(losses).is_none() && width(found) > NEAR;
        // One at a time: a grid takes most of the memory that is promised.
        drop(first);
        if is_smooth && (is_rough || is_wide(found)) {
            found = both(found, Self::new(losses, epsilon, found.upper.ln()).delta(epsilon));
        }
        let is_sampled = losses.iter().any(|(loss, _)| matches!(loss, FiniteLoss::Sampled(_)));
        if is_sampled && width(found) > SEARCHED {
            // As in a search for a parameter, so that what that returns is mostly seen to do here, too.
            let likely = found.upper.ln();
            let search = (&Progress::default(), &Work::without_limit());
            found = both(found, Self::without_grid(losses, epsilon, likely, search).delta(epsilon));
        }
        if is_smooth && is_wide(found) {
            let discretized = Discretized::new(losses, epsilon, found.upper.ln());
            found = both(found, discretized.and_then(|discretized| discretized.delta(epsilon)).unwrap_or(ANYTHING));
        }
        found
    }

    /// Bounds on `E[(1 - e^(epsilon - L))+]`.
    pub(crate) fn delta(&self, epsilon: f64) -> Bounds {
        match self {
            Self::Lattice(lattice) => lattice.delta(epsilon).unwrap_or(ANYTHING),
            Self::Smooth(smooth) => smooth.delta(epsilon),
            Self::FewFixedSize(few) => few.delta(epsilon),
            Self::Smoothed(smoothed) => smoothed.delta(epsilon),
            Self::Discretized(discretized) => discretized.delta(epsilon).unwrap_or(ANYTHING),
            Self::None => ANYTHING,
        }
    }
}

/// Of samples of fixed size alone; where delta is not known, once more for what was found, if that is not narrow, and
/// again while it turns out to be much less.
fn of_fixed_size(losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Integral> {
    let laws = losses_of_fixed_size(losses)?;
    let mut found = of_fixed_size_near(&laws, losses, epsilon, known)?;
    let mut likely = f64::INFINITY;
    for _ in 0..3 {
        let bounds = found.delta(epsilon);
        let log_delta = bounds.upper.ln();
        if known < 0.0 || width(bounds) <= NARROW || log_delta.is_nan() || log_delta > likely - 1.0 {
            break;
        }
        likely = log_delta;
        let Some(next) = of_fixed_size_near(&laws, losses, epsilon, likely) else { break };
        if width(next.delta(epsilon)) < width(bounds) {
            found = next;
        } else {
            break;
        }
    }
    Some(found)
}

/// By a contour for many of them, or for a few, or apart by large losses: the first, or if delta is known, the first
/// that is narrow or else the best.
fn of_fixed_size_near(
    laws: &[(FixedSizeGaussian, u64)],
    losses: &FiniteLosses,
    epsilon: f64,
    known: f64,
) -> Option<Integral> {
    let count = laws.iter().fold(0u64, |sum, (_, count)| sum.saturating_add(*count));
    let (cheap, last) = SMOOTH_GOALS.split_at(SMOOTH_GOALS.len() - 1);
    let (precise, next) = cheap.split_at(2);
    let (all, few) = (Road::Smooth(cheap), Road::Few(FIRST_GOALS));
    let roads: &[Road] = if count < MANY {
        &[few, Road::Smooth(precise), Road::LargeLosses, Road::Smooth(PRECISE_GOALS), Road::Smooth(next)]
    } else {
        &[all, Road::Smooth(PRECISE_GOALS), few, Road::Few(NEXT_GOALS), Road::LargeLosses]
    };
    // Of many releases, where nothing else helps.
    let spare = [Road::Few(LAST_GOALS), Road::Smooth(last)];
    let mut best: Option<(f64, Integral)> = None;
    for (i, road) in roads.iter().chain(&spare).enumerate() {
        let least = best.as_ref().map_or(1.0, |(least, _)| *least);
        let enough = best.as_ref().map_or(CLOSE, |(_, found)| CLOSE.max(needed(found.delta(epsilon), known)));
        let is_enough = least <= enough || count >= MANY && i >= roads.len();
        if best.is_some() && is_enough {
            break;
        }
        let Some(found) = road.integral(laws, losses, (epsilon, known), least) else { continue };
        let width = width(found.delta(epsilon));
        if width < least || best.is_none() {
            best = Some((width, found));
        }
    }
    best.map(|(_, found)| found)
}

/// A way to delta of samples of fixed size, and to what goals.
enum Road<'a> {
    Few(&'a [(f64, f64)]),
    Smooth(&'a [(f64, f64)]),
    LargeLosses,
}

impl Road<'_> {
    /// To be narrower than so much, if that can be told.
    fn integral(
        &self,
        laws: &[(FixedSizeGaussian, u64)],
        losses: &FiniteLosses,
        (epsilon, known): (f64, f64),
        width: f64,
    ) -> Option<Integral> {
        match self {
            Self::Few(goals) => {
                FewFixedSize::new(losses, epsilon, known, goals).map(|few| Integral::FewFixedSize(Box::new(few)))
            }
            Self::Smooth(goals) => smooth_to(goals, losses, epsilon, known).map(Integral::Smooth),
            Self::LargeLosses => low_rate_of_fixed_size(laws, losses, (epsilon, known), width).map(Integral::Smooth),
        }
    }
}

/// How far bounds are apart, relatively.
pub(crate) fn width(bounds: Bounds) -> f64 {
    if bounds.upper > 0.0 { (bounds.upper - bounds.lower) / bounds.upper } else { 0.0 }
}

fn is_wide(bounds: Bounds) -> bool {
    width(bounds) > 1e-4
}

/// What two pairs of bounds say together.
pub(crate) fn both(x: Bounds, y: Bounds) -> Bounds {
    Bounds { lower: x.lower.max(y.lower), upper: x.upper.min(y.upper) }
}
