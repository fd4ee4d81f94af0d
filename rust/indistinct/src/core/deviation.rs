//! Bounds, known before a release, on its difference from the result without noise.

use std::sync::Arc;

/// How a release deviates from the value without noise. No guarantee depends on it.
#[derive(Debug, Clone, Default)]
pub(crate) enum Deviation {
    /// In a way that is not known before the release.
    #[default]
    Unknown,
    /// Each number by Laplace noise of its own.
    Laplace(Width),
    /// Each number by Gaussian noise of its own.
    Gaussian(Width),
    /// Each number of a key so, if it is released: a noisy threshold decides which are.
    Kept(Box<Deviation>),
    /// The score of the selected candidate is t or more below the best with probability at most `weight exp(-t /
    /// scale)`.
    Selection { scale: f64, weight: f64 },
    /// Each part as its own measurement does.
    Parts(Arc<[Deviation]>),
}

/// How wide additive noise is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Width {
    /// The scale of the noise.
    pub(crate) scale: f64,
    /// The exponent of the grid on which numbers are released; none for integers, whose noise is discrete.
    pub(crate) grid: Option<i32>,
}
