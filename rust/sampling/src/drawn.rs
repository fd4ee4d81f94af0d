//! Integers drawn by a sampler, of any size.

use rug::Integer;

/// An integer drawn by a sampler. Both variants are not negative, so that changing the sign cannot overflow.
#[derive(Debug)]
pub(crate) enum Drawn {
    Small(i64),
    /// An integer that does not fit in an `i64`.
    Big(Box<Integer>),
}

impl Drawn {
    /// Makes a nonnegative integer from a word.
    #[inline]
    pub(crate) fn word(size: u64) -> Self {
        i64::try_from(size).map_or_else(|_| Self::big(size.into()), Self::Small)
    }

    /// Makes a nonnegative integer of any size.
    #[cold]
    pub(crate) fn big(size: Integer) -> Self {
        size.to_i64().map_or_else(|| Self::Big(Box::new(size)), Self::Small)
    }

    #[inline]
    pub(crate) fn with_sign(self, negative: bool) -> Self {
        // The mask is all ones for a minus sign, and `(n ^ mask) - mask` then negates n. The sign is random, so a
        // branch would be mispredicted half of the time.
        let mask = -i64::from(negative);
        match self {
            Self::Small(size) => Self::Small((size ^ mask).wrapping_sub(mask)),
            Self::Big(size) => Self::Big(if negative { Box::new(-*size) } else { size }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_get_their_signs() {
        for size in [0, 1, 5, u64::MAX >> 1, u64::MAX] {
            for negative in [false, true] {
                let drawn = match Drawn::word(size).with_sign(negative) {
                    Drawn::Small(number) => Integer::from(number),
                    Drawn::Big(number) => *number,
                };
                assert_eq!(drawn, if negative { -Integer::from(size) } else { Integer::from(size) });
            }
        }
        assert!(matches!(Drawn::big(Integer::from(7)), Drawn::Small(7)));
    }
}
