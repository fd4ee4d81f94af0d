//! The number of bits of each random number that are drawn at first.

/// The distribution does not depend on these widths; they only change how often the first bits decide.
pub(crate) trait Widths {
    /// First bits of the number that is looked up in a table.
    const TABLE: u32;
    /// All bits of that number, for a hit on a cell of the table.
    const WHOLE_TABLE: u32;
    /// Bits of a number uniform on the unit interval.
    const FRACTION: u32;
    /// Bits of the fraction of a draw on the half line: `HEAD` of them share a word with the table and the coin, `TAIL`
    /// do not.
    const HEAD: u32;
    const TAIL: u32;
    /// First bits of a coin.
    const COIN: u32;
    /// All bits of a coin that falls close to its bias.
    const WHOLE_COIN: u32;
}

/// The widths used for releases. On the half line, a table, a coin and the head of a fraction share one word of
/// entropy; the tail and a sign take half a word.
pub(crate) enum Full {}

impl Widths for Full {
    const TABLE: u32 = 31;
    const WHOLE_TABLE: u32 = 64;
    const FRACTION: u32 = 64;
    const HEAD: u32 = 16;
    const TAIL: u32 = 31;
    const COIN: u32 = 16;
    const WHOLE_COIN: u32 = 64;
}

/// Widths so small that most decisions take the slow path, for tests, which check that the distribution is the same.
#[cfg(test)]
pub(crate) enum Few {}

#[cfg(test)]
impl Widths for Few {
    const TABLE: u32 = 4;
    const WHOLE_TABLE: u32 = 6;
    const FRACTION: u32 = 4;
    const HEAD: u32 = 1;
    const TAIL: u32 = 3;
    const COIN: u32 = 3;
    const WHOLE_COIN: u32 = 5;
}

/// Widths small enough that a tape of 24 bits holds a draw and one or two rejected ones, for enumeration.
#[cfg(test)]
pub(crate) enum Tiny {}

#[cfg(test)]
impl Widths for Tiny {
    const TABLE: u32 = 5;
    const WHOLE_TABLE: u32 = 9;
    const FRACTION: u32 = 4;
    const HEAD: u32 = 2;
    const TAIL: u32 = 2;
    const COIN: u32 = 3;
    const WHOLE_COIN: u32 = 7;
}
