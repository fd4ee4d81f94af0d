//! A coin of bias `exp(-x)`, in 64-bit integers where they decide.

use crate::{Entropy, Fallible, lazy::LazyUniform, widths::Widths};

/// An x in fixed point: from `least` to `least + width`, in units of 2^-64.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exponent {
    pub(crate) least: u128,
    pub(crate) width: u128,
}

const ONE: u128 = 1 << 64;

/// What the first bits of a coin say.
pub(crate) enum Toss {
    /// They decide.
    Decided(bool),
    /// They do not: the coin's uniform number, to be compared with `exp(-x)` to more digits.
    Open(LazyUniform),
}

/// Toss a coin that falls true if a uniform number lies below `exp(-x)`, given the number's first `W::COIN` digits.
///
/// `most` is a quick upper bound on x, in units of 2^-32; `exponent` a close one, if there is one.
#[inline(always)]
pub(crate) fn toss<W: Widths>(
    first: u64,
    most: u64,
    exponent: impl FnOnce() -> Option<Exponent>,
    entropy: &mut (impl Entropy + ?Sized),
) -> Fallible<Toss> {
    // exp(-x) is at least 1 - x: this decides most tosses when x is small. The number lies below `first + 1`.
    if ((first + 1) << (32 - W::COIN)) + most <= 1 << 32 {
        return Ok(Toss::Decided(true));
    }
    look_closer::<W>(first, exponent(), entropy)
}

/// Draw the rest of the coin, and compare it with better bounds of `exp(-x)`.
#[inline(never)]
fn look_closer<W: Widths>(first: u64, x: Option<Exponent>, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Toss> {
    let more = W::WHOLE_COIN - W::COIN;
    let word = (first << more | entropy.bits(more)?) << (64 - W::WHOLE_COIN);
    // The number lies between `low` and `high` units.
    let (low, high) = (u128::from(word), u128::from(word) + (1 << (64 - W::WHOLE_COIN)));
    let (least, greatest) = x.map_or((0, ONE), exp_bounds);
    Ok(if high <= least {
        Toss::Decided(true)
    } else if low >= greatest {
        Toss::Decided(false)
    } else {
        Toss::Open(LazyUniform::from_word(word, W::WHOLE_COIN))
    })
}

/// A lower and an upper bound of `2^64 exp(-x)`.
///
/// For `x < 1`, the partial sums of `1 - x + x^2/2 - …`, to a term that is computed as 0. Of the real terms `T_k` at
/// `x = least` the computed `t_k = floor(t_{k-1} x / k)` (two floors in a row are one) fall short by less than
/// `e_k = e_{k-1} x / k + 1 < 2`, with e_1 = 0. A computed term of 0 is less than 2, and so is what is left out after it. So
/// the sum after n terms is off by less than `2 n + 2`. The true x may be larger by `width`, which lowers `exp(-x)` by at
/// most as much.
fn exp_bounds(x: Exponent) -> (u128, u128) {
    if x.least >= ONE {
        // At least 0, at most exp(-1) < 1/2; seldom needed, so that nothing finer is worth its lines.
        return (0, ONE / 2);
    }
    let (mut sum, mut term, mut error) = (ONE, ONE, 2u128);
    for k in 1..=32u128 {
        term = ((term * x.least) >> 64) / k;
        // The partial sums of positive, falling terms with changing signs never leave [0, 1].
        sum = if k % 2 == 1 { sum.saturating_sub(term) } else { sum + term };
        error += 2;
        if term == 0 {
            break;
        }
    }
    (sum.saturating_sub(error + x.width), sum + error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::{Float, float::Round};

    #[test]
    fn bounds_enclose_the_exponential_and_are_close() {
        let mut state = 1u64;
        for step in 0..20_000u32 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let least = u128::from(state >> (step % 64));
            let width = u128::from(state % 1000);
            let exact = |x: u128, round| {
                let units = Float::with_val(200, x);
                let exponent: Float = -(units >> 64u32);
                Float::with_val_round(200, exponent.exp_ref(), round).0 << 64
            };
            let (low, high) = exp_bounds(Exponent { least, width });
            assert!(low <= exact(least + width, Round::Down) && exact(least, Round::Up) <= high, "{least}");
            assert!(high - low <= 150 + width, "{least}: {low} to {high}");
        }
        assert_eq!(exp_bounds(Exponent { least: 5 * ONE, width: 0 }), (0, ONE / 2));
    }
}
