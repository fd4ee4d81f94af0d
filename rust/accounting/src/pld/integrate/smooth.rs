//! Which contour: for losses of which some have a smooth density.

use crate::pld::{
    integrate::{
        contour::{Contour, MOST_POINTS},
        low_rate::{is_low_rate, low_rate, rough_low_rate},
    },
    loss::finite_loss::{FiniteLoss, FiniteLosses},
};

/// Logarithms of the relative error that each of the charged parts is given, and how many points are spent on it at
/// most: about 1e-14 where that is cheap; and where nothing else helps.
pub(crate) const SMOOTH_GOALS: [(f64, f64); 4] = [(32.0, 384.0), (24.0, 768.0), (19.0, 4_096.0), (19.0, MOST_POINTS)];

/// For losses of which some have a smooth density; none where that does not help.
pub(crate) fn smooth_contour(losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Contour> {
    // Atoms alone have a transform that never falls for good.
    if losses.iter().all(|(loss, _)| matches!(loss, FiniteLoss::Lattice(_) | FiniteLoss::Loose(_))) {
        return None;
    }
    let (cheap, last) = SMOOTH_GOALS.split_at(SMOOTH_GOALS.len() - 1);
    let is_first = is_low_rate(losses);
    let first = if is_first { low_rate(losses, epsilon, known) } else { None };
    first
        .or_else(|| smooth_to(cheap, losses, epsilon, known))
        .or_else(|| if is_first { None } else { low_rate(losses, epsilon, known) })
        .or_else(|| smooth_to(last, losses, epsilon, known))
        .or_else(|| rough_low_rate(losses, epsilon, known))
}

/// To the first of the goals that is met.
pub(crate) fn smooth_to(goals: &[(f64, f64)], losses: &FiniteLosses, epsilon: f64, known: f64) -> Option<Contour> {
    goals.iter().find_map(|goal| Contour::to(*goal, losses, epsilon, known))
}
