//! A sampled Gaussian without the losses that are too large to matter.

use crate::pld::loss::{
    sampled_gaussian::{SampledGaussian, Side},
    truncation::{Sharpness, Truncation},
};
use indistinct_numeric::{Above, Range, enclosure::exp_near};

/// The first distribution's density in cells of an eighth: the exponent w at the right end, and the logarithm of a
/// bound on the density, the normal one at the left end and the rest at the right.
pub(crate) struct DensityCells(Vec<(Range, Above)>);

impl SampledGaussian {
    /// None where there is nothing to truncate.
    pub(crate) fn density_cells(&self) -> Option<DensityCells> {
        let has_end = !matches!(self.side, Side::Remove | Side::Replace);
        if self.truncation.is_some() || has_end || self.rate > 0.5 || !(1e-9..=10.0).contains(&(1.0 / self.sigma)) {
            return None;
        }
        let exponent = self.exponent();
        let cell = |i: u32| {
            let (from, to) = (f64::from(i) / 8.0, f64::from(i + 1) / 8.0);
            (exponent.at(to), self.log_density(0.0, &exponent, to) - Range::square(from).below * 0.5)
        };
        Some(DensityCells((0..CELLS).map(cell).collect()))
    }

    /// How steep a cut may be beside so much noise, for a contour that is as short as beside little: between an eighth
    /// and a quarter of sigma, from 8 on.
    pub(crate) fn steepness(&self) -> f64 {
        2f64.powi((0..20).take_while(|power| 2f64.powi(power + 3) <= self.sigma).count().try_into().unwrap_or(0))
    }

    /// The same distribution without losses so large that all of them, over `count` releases, have a probability of
    /// about `e^budget`; and a bound on that probability. The cells are its own.
    pub(crate) fn truncated(
        &self,
        DensityCells(cells): &DensityCells,
        count: f64,
        budget: f64,
        (sharpness, steepness): (Sharpness, f64),
    ) -> Option<(Self, Above)> {
        let mu = 1.0 / self.sigma;
        let ratio = |y: f64| mu * y - mu * mu / 2.0;
        // Of the points between cells, the first where the density is small enough.
        let is_rare = |(i, cell): &(u32, &(Range, Above))| {
            let (from, to) = (f64::from(i - 1) / 8.0, f64::from(*i) / 8.0);
            cell.1.get() + (from * from - to * to) / 2.0 + count.ln() - 1.0 <= budget
        };
        let start = f64::from((8..296u32).zip(cells.iter().skip(7)).find(is_rare)?.0) / 8.0;
        let at_zero = self.exponent().at(0.0);
        // The sharper the density falls at what is dropped, the nearer that may begin.
        let found = (0..16u32).find_map(|i| {
            let further = f64::from(i) * 0.25 / steepness;
            let truncation = Truncation::from(ratio(start) + further, (sharpness, steepness));
            let dropped = dropped(truncation, at_zero, cells) * count;
            (dropped.get() <= exp_near((budget + 1.0).max(-690.0))).then_some((truncation, dropped))
        });
        let (truncation, dropped) = found?;
        Some((Self { truncation: Some(truncation), ..*self }, dropped))
    }
}

/// Up to 48, beyond which the first distribution is below two normal tails at 38.
const CELLS: u32 = 384;

/// The mass that a truncation drops of the first distribution: all of what is below zero, at the rate at zero; then the
/// cells. `10^-300` covers the tails, and the normal density's factor is below 0.4.
fn dropped(truncation: Truncation, at_zero: Range, cells: &[(Range, Above)]) -> Above {
    let dropped = |exponent: Range| truncation.log_dropped(truncation.log_mean(exponent).above, Above::ZERO);
    let sum: Above = cells.iter().map(|(exponent, mass)| (*mass + dropped(*exponent)).exp()).sum();
    sum * 0.4 * 0.125 + dropped(at_zero).exp() + 1e-300
}
