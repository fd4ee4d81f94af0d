//! The methods for delta, and the order in which they are tried.

use crate::pld::{
    integrate::{
        contour::{self, Contour},
        discretized::Discretized,
        lattice_sum::LatticeSum,
        low_rate::{self, is_low_rate, low_rate},
        smoothed::Smoothed,
    },
    loss::finite_loss::{FiniteLoss, FiniteLosses},
};
use indistinct_numeric::enclosure::Bounds;

/// A way to bound delta. Contours have a goal: minus the logarithm of the relative error that each of the charged parts
/// is given, and how many points are spent on it at most. A goal that takes more is not tried.
///
/// | method | for | how | costs, ms |
/// |---|---|---|---:|
/// | `Lattice` | losses on one lattice | a Fourier transform, to 1e-14 | 0.1 to 2 |
/// | `LargeLosses` | Poisson samples at low rates | near losses bounded, large ones integrated | 2 to 30 |
/// | `Contour` | losses with a density | an integral through the saddle point | 0.2 to 20 |
/// | `Smoothed` | many kinds without a density | a little Gaussian noise beside them, of two deviations | 5 to 60 |
/// | `Grid` | anything | a lattice above and one below | 50 to 200 |
#[derive(Debug, Clone, Copy)]
enum Method {
    Lattice,
    LargeLosses(f64, f64),
    Contour(f64, f64),
    Smoothed,
    Grid,
}
use Method::{Contour as C, Grid, LargeLosses as L, Lattice, Smoothed as S};

/// Where delta is known to be about. The first that is narrow ends the walk, so that cheap goals come first; a lesser
/// goal takes fewer points. Goals and points were chosen by the 1,486 questions (`accounting_questions`, 2026-11-28).
const SHARP: &[Method] = &[
    Lattice,
    C(32.0, 384.0),
    C(24.0, 768.0),
    C(19.0, 4_096.0),
    L(18.5, low_rate::MOST_POINTS),
    L(15.5, low_rate::MOST_POINTS),
    C(19.0, contour::MOST_POINTS),
    L(11.0, low_rate::MOST_POINTS * 1.75),
    S,
    Grid,
];
/// The same, where an individual is expected in so few samples that large losses decide.
const SHARP_AT_LOW_RATES: &[Method] = &[
    L(18.5, low_rate::MOST_POINTS),
    L(15.5, low_rate::MOST_POINTS),
    C(32.0, 384.0),
    C(24.0, 768.0),
    C(19.0, 4_096.0),
    C(19.0, contour::MOST_POINTS),
    L(11.0, low_rate::MOST_POINTS * 1.75),
    Grid,
];
/// To find out where delta is.
const FIRST: &[Method] = &[
    Lattice,
    C(32.0, 384.0),
    C(24.0, 768.0),
    C(19.0, 4_096.0),
    L(9.0, low_rate::MOST_POINTS),
    C(19.0, contour::MOST_POINTS),
    S,
];
const FIRST_AT_LOW_RATES: &[Method] =
    &[L(9.0, low_rate::MOST_POINTS), C(32.0, 384.0), C(24.0, 768.0), C(19.0, 4_096.0), C(19.0, contour::MOST_POINTS)];

/// Bounds on delta as near as this, relatively, end the walk; and any that are this near, where it is to find out.
const NARROW: f64 = 1e-5;
const FOUND: f64 = 0.1;
/// A grid, which takes a tenth of a second, is asked where others leave more open than this.
const OPEN: f64 = 1e-2;
/// A second contour, for what the first has found, is asked where that leaves more open than this.
const SECOND: f64 = 1e-6;
/// Deltas below this are known well enough.
const TINY: f64 = 1e-300;

/// The trivial bounds.
pub(crate) const ANYTHING: Bounds = Bounds { lower: 0.0, upper: 1.0 };

/// The costly part of a method for one epsilon. Bounds hold for all epsilons, and are as narrow for those nearby.
#[derive(Debug)]
pub(crate) enum Integral {
    Lattice(LatticeSum),
    Contour(Contour),
    Smoothed(Box<Smoothed>),
    Grid(Box<Discretized>),
    /// No method helps.
    None,
}

impl Integral {
    /// By the first method that leaves little open, or else by the one that leaves least. `known` is a number that the
    /// logarithm of delta is known to be near or below, or 0: it makes the bounds narrow, not true.
    pub(crate) fn new(losses: &FiniteLosses, epsilon: f64, known: f64) -> Self {
        let (methods, enough) = match (known < 0.0, is_low_rate(losses)) {
            (true, false) => (SHARP, NARROW),
            (true, true) => (SHARP_AT_LOW_RATES, NARROW),
            (false, false) => (FIRST, FOUND),
            (false, true) => (FIRST_AT_LOW_RATES, FOUND),
        };
        let mut best = (f64::INFINITY, Self::None);
        for method in methods {
            let is_done = match method {
                Grid => best.0 <= OPEN,
                _ => best.0 <= enough,
            };
            if is_done {
                break;
            }
            let Some(found) = method.integral(losses, epsilon, known) else { continue };
            let bounds = found.delta(epsilon);
            let width = if bounds.upper < TINY { 0.0 } else { width(bounds) };
            if width < best.0 {
                best = (width, found);
            }
        }
        best.1
    }

    /// Bounds for one epsilon, of which delta is not known: by a first integral, and a second where that is not narrow.
    pub(crate) fn once(losses: &FiniteLosses, epsilon: f64) -> Bounds {
        let first = Self::new(losses, epsilon, 0.0).delta(epsilon);
        if width(first) <= SECOND || first.upper < TINY {
            return first;
        }
        let second = Self::new(losses, epsilon, first.upper.ln().min(-f64::MIN_POSITIVE));
        both(first, second.delta(epsilon))
    }

    /// Bounds on `E[(1 - e^(epsilon - L))+]`.
    pub(crate) fn delta(&self, epsilon: f64) -> Bounds {
        match self {
            Self::Lattice(lattice) => lattice.delta(epsilon).unwrap_or(ANYTHING),
            Self::Contour(contour) => contour.delta(epsilon),
            Self::Smoothed(smoothed) => smoothed.delta(epsilon),
            Self::Grid(grid) => grid.delta(epsilon).unwrap_or(ANYTHING),
            Self::None => ANYTHING,
        }
    }
}

impl Method {
    fn integral(self, losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Integral> {
        match self {
            Lattice => LatticeSum::new(losses, epsilon, known).map(Integral::Lattice),
            L(goal, points) => low_rate((goal, points), losses, (epsilon, known)).map(Integral::Contour),
            C(goal, points) => {
                // Atoms alone have a transform that never falls for good.
                let has_density =
                    |(loss, _): &(FiniteLoss, u64)| !matches!(loss, FiniteLoss::Lattice(_) | FiniteLoss::Loose(_));
                let contour = || Contour::to((goal, points), losses, epsilon, known);
                losses.iter().any(has_density).then(contour)?.map(Integral::Contour)
            }
            S if !Smoothed::may_help(losses) => None,
            S => Smoothed::new(losses, epsilon, known).map(|smoothed| Integral::Smoothed(Box::new(smoothed))),
            Grid => Discretized::new(losses, epsilon, known).map(|grid| Integral::Grid(Box::new(grid))),
        }
    }
}

/// How far bounds are apart, relatively.
pub(crate) fn width(bounds: Bounds) -> f64 {
    if bounds.upper > 0.0 { (bounds.upper - bounds.lower) / bounds.upper } else { 0.0 }
}

/// The intersection of two pairs of bounds.
pub(crate) fn both(x: Bounds, y: Bounds) -> Bounds {
    Bounds { lower: x.lower.max(y.lower), upper: x.upper.min(y.upper) }
}
