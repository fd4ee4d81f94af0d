//! Parameters and data out of bytes.

use indistinct::sampling::testing::SeededEntropy;

/// Bytes that are read from the front; where they end, zeros follow.
pub(crate) struct Source<'a>(&'a [u8]);

impl<'a> Source<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// What has not been read.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }

    /// A number below another of at most 256.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub(crate) fn choose<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// Up to so many.
    pub(crate) fn several<T>(&mut self, most: usize, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| one(self)).collect()
    }

    /// Any float: a special one, one of any bits, a multiple of 1/4 or a fraction of 1.
    pub(crate) fn float(&mut self) -> f64 {
        match self.below(5) {
            0 => self.choose(SPECIAL),
            1 => f64::from_bits(u64::from_le_bytes(self.bytes())),
            2 => f64::from(self.byte()) / 4.0,
            3 => 10f64.powi(i32::from(self.byte()) - 200),
            _ => self.fraction(),
        }
    }

    /// A float that many rules allow: positive, and neither tiny nor huge.
    pub(crate) fn plain(&mut self) -> f64 {
        (f64::from(self.byte()) + 1.0) / self.choose(&[1.0, 8.0, 256.0])
    }

    /// Most often a plain one.
    pub(crate) fn mostly_plain(&mut self) -> f64 {
        if self.below(4) == 0 { self.float() } else { self.plain() }
    }

    /// Several numbers, most often different and in their order.
    pub(crate) fn rising(&mut self, most: usize) -> Vec<f64> {
        let mut numbers = self.several(most, Self::mostly_plain);
        if self.below(8) != 0 {
            numbers.sort_by(f64::total_cmp);
            numbers.dedup();
        }
        numbers
    }

    /// Two numbers, most often in their order.
    pub(crate) fn bounds(&mut self) -> (f64, f64) {
        let (x, y) = (self.mostly_plain(), self.float());
        if self.below(8) != 0 && x > y { (y, x) } else { (x, y) }
    }

    /// From 0 to 1, of 16 bits or to a tenth power.
    pub(crate) fn fraction(&mut self) -> f64 {
        if self.coin() {
            f64::from(u16::from_le_bytes(self.bytes())) / 65536.0
        } else {
            10f64.powi(-i32::from(self.byte() % 20))
        }
    }

    /// Most often a fraction.
    pub(crate) fn probability(&mut self) -> f64 {
        if self.below(4) == 0 { self.float() } else { self.fraction() }
    }

    pub(crate) fn integer(&mut self) -> i64 {
        match self.below(4) {
            0 => self.choose(&[i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX]),
            1 => i64::from_le_bytes(self.bytes()),
            _ => i64::from(self.byte() % 9) - 4,
        }
    }

    pub(crate) fn word(&mut self) -> u32 {
        match self.below(4) {
            0 => u32::MAX - u32::from(self.byte() % 3),
            1 => u32::from_le_bytes(self.bytes()),
            _ => u32::from(self.byte() % 8),
        }
    }

    /// A number of things: few, or more than are accepted. Between, a constructor for vectors takes as much memory as
    /// one of them.
    pub(crate) fn size(&mut self) -> usize {
        match self.below(8) {
            0 => self.choose(&[usize::MAX, usize::MAX / 2, 1 << 53, 1 << 32]),
            _ => self.below(8),
        }
    }

    /// A text of digits, or none.
    pub(crate) fn text(&mut self) -> String {
        self.choose(&["", "0", "1", "2", "17", "-3", "1e400", "0.5", "9223372036854775808"]).to_owned()
    }

    /// Bits for a release: a function of the bytes.
    pub(crate) fn entropy(&mut self) -> SeededEntropy {
        SeededEntropy::new(u64::from(u16::from_le_bytes(self.bytes())))
    }
}

/// Where arithmetic changes its ways.
const SPECIAL: &[f64] = &[
    0.0,
    -0.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
    f64::MAX,
    f64::MIN,
    f64::EPSILON,
    1.0,
    -1.0,
    0.5,
    2.0,
    0.999_999_999_999_999_9,
    1.000_000_000_000_000_2,
    9_007_199_254_740_992.0,
    9_007_199_254_740_993.0,
    1e16,
    1e-16,
    709.782_712_893_384,
    -745.133_219_101_941_2,
    1.797e308,
    9.223_372_036_854_776e18,
];
