//! The points at which a moment generating function is evaluated, and its values there.

use crate::pld::loss::finite_loss::whole;
use indistinct_numeric::enclosure::{Ball, ComplexBall, Enclosure};
use indistinct_numeric::{Above, Below};

/// Points `tilt + 2 pi i n / period` for n below `count`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nodes {
    pub(crate) tilt: f64,
    pub(crate) period: f64,
    pub(crate) count: u32,
}

impl Nodes {
    pub(crate) fn new(tilt: f64, period: f64, count: u32) -> Self {
        Self { tilt, period, count }
    }

    /// The real point alone.
    pub(crate) fn point(tilt: f64) -> Self {
        Self::new(tilt, 1.0, 1)
    }

    /// The greatest frequency, but for the real point alone.
    pub(crate) fn frequency(&self) -> Above {
        Above::TWO_PI * f64::from(self.count) / self.period
    }

    /// The sum of `1/|z (z + 1)|` beyond the last node and its conjugate: from a frequency t on it is at most
    /// `1/t^2`, and so the sum is at most `2 (1/t^2 + period/(2 pi t))`.
    pub(crate) fn remainder(&self) -> Above {
        let frequency = Below::TWO_PI * f64::from(self.count) / self.period;
        let one = Above::exact(1.0) / frequency.squared();
        (one + Above::exact(self.period) / (Below::TWO_PI * frequency)) * 2.0
    }

    /// How many nodes there are up to a frequency, and one beyond.
    pub(crate) fn up_to(frequency: f64, period: f64) -> Option<u32> {
        let wanted = (Above::exact(frequency) * period / Below::TWO_PI).get();
        let count = u32::try_from(whole(wanted)).ok()?.saturating_add(1);
        (count..count + 3).find(|count| *count >= 2 && f64::from(*count) > wanted)
    }
}

/// `E[e^(z L)]` at the points z of a contour, as `e^log_normalizer e^(2 pi i n center / period) (1 + x)` with x a
/// member of each ball.
///
/// The error of the log_normalizer is the same for all points: so it counts once, however much cancels in the sum
/// over points.
#[derive(Debug, Clone)]
pub(crate) struct Values {
    pub(crate) log_normalizer: Ball,
    pub(crate) center: f64,
    pub(crate) less_one: Vec<ComplexBall>,
}

impl Values {
    /// From balls that are for the values themselves.
    pub(crate) fn whole(log_normalizer: f64, disks: impl Iterator<Item = ComplexBall>) -> Self {
        let less_one = disks.map(|disk| disk.add(&ComplexBall::ONE.neg())).collect();
        Self { log_normalizer: Ball::exact(log_normalizer), center: 0.0, less_one }
    }
}
