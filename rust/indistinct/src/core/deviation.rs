//! Bounds, known before a release, on its difference from the result without noise.

use super::Fallible;
use std::{fmt, sync::Arc};

/// The difference between a release and the value without noise. No guarantee depends on it.
#[derive(Debug, Clone, Default)]
pub(crate) enum Deviation {
    /// The difference is not known before the release.
    #[default]
    Unknown,
    /// Each number has independent Laplace noise.
    Laplace(Width),
    /// Each number has independent Gaussian noise.
    Gaussian(Width),
    /// Each number has independent noise with this bound.
    Additive(HalfWidth),
    /// A noisy threshold decides which keys are released; their numbers deviate in this way.
    Kept(Box<Deviation>),
    /// The score of the selected candidate is at least t below the best score with probability at most `weight exp(-t /
    /// scale)`.
    Selection { scale: f64, weight: f64 },
    /// Each part deviates as if it were released alone.
    Parts(Arc<[Deviation]>),
}

/// The width of additive noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Width {
    /// The scale of the noise.
    pub(crate) scale: f64,
    /// The exponent of the grid on which numbers are released; `None` for integers, whose noise is discrete.
    pub(crate) grid: Option<i32>,
}

/// A bound on additive noise: the noise is greater in size than its value at a probability with at most that
/// probability.
#[derive(Clone)]
pub(crate) struct HalfWidth(Arc<dyn Fn(f64) -> Fallible<f64> + Send + Sync>);

impl HalfWidth {
    pub(crate) fn new(at: impl Fn(f64) -> Fallible<f64> + Send + Sync + 'static) -> Self {
        Self(Arc::new(at))
    }

    pub(crate) fn at(&self, alpha: f64) -> Fallible<f64> {
        (self.0)(alpha)
    }
}

impl fmt::Debug for HalfWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HalfWidth")
    }
}
