//! The first cumulants of a loss, in floats: for finding where to integrate, not for bounds.

use indistinct_numeric::enclosure::exp_near;

/// A logarithm of a moment generating function and its first two derivatives, in floats: for looking, not for bounds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cumulants {
    pub(crate) value: f64,
    pub(crate) slope: f64,
    pub(crate) curvature: f64,
}

/// Cumulants at a tilt of a distribution given by logarithms of weights, tilt included, and losses.
pub(crate) fn cumulants(atoms: impl Iterator<Item = (f64, f64)> + Clone) -> Cumulants {
    let greatest = atoms.clone().fold(f64::NEG_INFINITY, |most, (weight, _)| most.max(weight));
    let (mut total, mut first, mut second) = (0.0, 0.0, 0.0);
    for (weight, loss) in atoms {
        let share = exp_near(weight - greatest);
        total += share;
        first += share * loss;
        second += share * loss * loss;
    }
    let mean = first / total;
    Cumulants { value: greatest + total.ln(), slope: mean, curvature: (second / total - mean * mean).max(0.0) }
}
