//! Parameters of the maps, at random.

use indistinct_sampling::{testing::SeededEntropy, uniform_below_u64};

pub(crate) struct Source {
    entropy: SeededEntropy,
    /// Whether floats are of all sizes, with subnormal ones and the ends of each range.
    is_wide: bool,
}

impl Source {
    /// Other parameters in each release.
    pub(crate) fn new(seed: u64) -> Self {
        let seed = env!("CARGO_PKG_VERSION").bytes().fold(seed, |seed, byte| seed.wrapping_mul(257) ^ u64::from(byte));
        Self { entropy: SeededEntropy::new(seed), is_wide: false }
    }

    pub(crate) fn widen(&mut self, is_wide: bool) {
        self.is_wide = is_wide;
    }

    pub(crate) fn is_wide(&self) -> bool {
        self.is_wide
    }

    pub(crate) fn below(&mut self, bound: u32) -> anyhow::Result<u32> {
        Ok(u32::try_from(uniform_below_u64(bound.into(), &mut self.entropy)?)?)
    }

    /// From 1 to 2, with all its bits.
    fn fraction(&mut self) -> anyhow::Result<f64> {
        let (high, low) = (self.below(u32::MAX)?, self.below(u32::MAX)?);
        Ok(1.0 + (f64::from(high) + f64::from(low) / 2f64.powi(32)) / 2f64.powi(32))
    }

    /// A positive number with all its bits, from `2^-20` to `2^20`; or of any size, and every second time an end.
    pub(crate) fn positive(&mut self) -> anyhow::Result<f64> {
        if self.is_wide {
            let ends = [f64::from_bits(1), f64::MIN_POSITIVE.next_down(), f64::MIN_POSITIVE, 1.0, f64::MAX];
            let end = usize::try_from(self.below(10)?)?;
            if let Some(end) = ends.get(end) {
                return Ok(*end);
            }
            let size = 2f64.powi(i32::try_from(self.below(1000)?)?);
            return Ok(self.fraction()? * if self.below(2)? == 0 { size } else { 2f64.powi(-40) / size });
        }
        Ok(self.fraction()? * 2f64.powi(i32::try_from(self.below(40)?)? - 20))
    }

    /// A probability from 1/2 to nearly 1, near 1 but where floats are of all sizes: then what is left is of any, and
    /// every second time an end.
    pub(crate) fn near_one(&mut self) -> anyhow::Result<f64> {
        if self.is_wide {
            let ends = [0.5, 0.5f64.next_up(), 1f64.next_down()];
            let end = usize::try_from(self.below(6)?)?;
            let rest = self.fraction()? * 2f64.powi(-2 - i32::try_from(self.below(51)?)?);
            return Ok(ends.get(end).copied().unwrap_or(1.0 - rest));
        }
        Ok(1.0 - self.positive()? / 2f64.powi(27))
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
