//! Parameters of the maps, at random.

use indistinct_sampling::{testing::SeededEntropy, uniform_below_u64};

pub(crate) struct Source(SeededEntropy);

impl Source {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SeededEntropy::new(seed))
    }

    pub(crate) fn below(&mut self, bound: u32) -> anyhow::Result<u32> {
        Ok(u32::try_from(uniform_below_u64(bound.into(), &mut self.0)?)?)
    }

    /// From 1 to 2, with all its bits.
    fn fraction(&mut self) -> anyhow::Result<f64> {
        let (high, low) = (self.below(u32::MAX)?, self.below(u32::MAX)?);
        Ok(1.0 + (f64::from(high) + f64::from(low) / 2f64.powi(32)) / 2f64.powi(32))
    }

    /// A positive number with all its bits, from `2^-20` to `2^20`.
    pub(crate) fn positive(&mut self) -> anyhow::Result<f64> {
        Ok(self.fraction()? * 2f64.powi(i32::try_from(self.below(40)?)? - 20))
    }

    /// Of every size alike.
    pub(crate) fn between(&mut self, least: f64, most: f64) -> anyhow::Result<f64> {
        Ok(least * (most / least).powf(self.fraction()? - 1.0))
    }

    pub(crate) fn number(&mut self) -> anyhow::Result<f64> {
        let size = self.positive()?;
        Ok(if self.below(2)? == 0 { size } else { -size })
    }

    pub(crate) fn bounds(&mut self) -> anyhow::Result<(f64, f64)> {
        let (x, y) = (self.number()?, self.number()?);
        Ok((x.min(y), x.max(y)))
    }

    pub(crate) fn rows(&mut self) -> anyhow::Result<u32> {
        Ok(1 + self.below(1000)?)
    }
}
