//! A coin of bias `exp(-x)`, computed in 64-bit integers where they are enough.

use crate::{Entropy, Fallible, lazy::LazyUniform, widths::Widths};

/// An x in fixed point, between `least` and `least + width`, in units of 2^-64.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exponent {
    pub(crate) least: u128,
    pub(crate) width: u128,
}

const ONE: u128 = 1 << 64;

/// The result of comparing the first bits of a coin.
pub(crate) enum Toss {
    /// The first bits decide the toss.
    Decided(bool),
    /// The first bits do not decide: the coin's uniform number must be compared with `exp(-x)` to more digits.
    Open(LazyUniform),
}

/// Tosses a coin that is true if a uniform number lies below `exp(-x)`, given the number's first `W::COIN` digits.
///
/// `most` is a cheap upper bound on x, in units of 2^-32. `exponent` computes closer bounds, if they exist.
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

/// Draws the rest of the coin, and compares it with closer bounds on `exp(-x)`.
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

/// Returns a lower and an upper bound on `2^64 exp(-x)`.
///
/// For `x < 1`, the bounds are partial sums of `1 - x + x^2/2 - …`, up to a term that is computed as 0. The computed
/// `t_k = floor(t_{k-1} x / k)` (two nested floors equal one) are smaller than the real terms `T_k` at `x = least` by
/// less than `e_k = e_{k-1} x / k + 1 < 2`, with e_1 = 0. A term computed as 0 is less than 2, and so is the sum of the
/// terms after it. So the sum of n terms has an error of less than `2 n + 2`. The true x may be larger than `least` by
/// up to `width`, which lowers `exp(-x)` by at most `width`.
fn exp_bounds(x: Exponent) -> (u128, u128) {
    if x.least >= ONE {
        // The result is at least 0 and at most exp(-1) < 1/2. This case is rare, so a closer bound is not worth its
        // code.
        return (0, ONE / 2);
    }
    let (mut sum, mut term, mut error) = (ONE, ONE, 2u128);
    for k in 1..=32u128 {
        term = ((term * x.least) >> 64) / k;
        // Partial sums of an alternating series with decreasing terms stay within [0, 1].
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
    use crate::{Error, widths::Full};
    use rug::{Float, Integer, float::Round};

    /// A source of one word, of as many bits as are asked for.
    struct Once(Option<u64>);

    impl Entropy for Once {
        fn bits(&mut self, count: u32) -> Fallible<u64> {
            self.0.take().filter(|word| count == 64 || *word < 1 << count).ok_or(Error::Entropy)
        }
    }

    /// The coin's number is compared with `exp(-x)`: by its first 16 bits where they are enough, by 64 otherwise.
    #[test]
    fn a_coin_is_decided_by_as_many_digits_as_it_takes() {
        for x in [0.01, 0.3, 0.9] {
            let units = Float::with_val(200, Float::with_val(200, x) << 64);
            let least = units.to_integer().and_then(|units| units.to_u128()).unwrap();
            let most = u64::try_from(least >> 32).unwrap() + 1;
            let bias = (Float::with_val(200, -x).exp() << 64u32).to_integer().and_then(|units| units.to_u64()).unwrap();
            let draw = |number: u64, exponent: Option<Exponent>| {
                toss::<Full>(number >> 48, most, || exponent, &mut Once(Some(number & ((1 << 48) - 1)))).unwrap()
            };
            let exponent = Some(Exponent { least, width: 0 });
            for (number, decision) in
                [(bias - 1000, true), (bias + 1000, false), (bias - (1 << 47), true), (u64::MAX, false)]
            {
                assert!(matches!(draw(number, exponent), Toss::Decided(kept) if kept == decision), "{x} {number}");
            }
            for (number, exponent) in [(bias, exponent), (bias + 1000, None)] {
                let Toss::Open(coin) = draw(number, exponent) else { panic!("decided: {x}") };
                assert_eq!((coin.count(), coin.ends().0), (64, Integer::from(number)));
            }
            // The number may exceed its digits by a unit of the last: it is below a bound if the next one up is not
            // above it.
            let (low, high) = exp_bounds(Exponent { least, width: 0 });
            let (low, high) = (u64::try_from(low).unwrap(), u64::try_from(high).unwrap());
            assert!(
                matches!(draw(low - 1, exponent), Toss::Decided(true)) && matches!(draw(low, exponent), Toss::Open(_))
            );
            assert!(
                matches!(draw(high, exponent), Toss::Decided(false))
                    && matches!(draw(high - 1, exponent), Toss::Open(_))
            );
            // 1 - x is a bound of exp(-x), which needs no more digits: the number lies below `first + 1`.
            let enough = ((1u64 << 32) - most) >> 16;
            let quick = |first: u64| toss::<Full>(first, most, || exponent, &mut Once(None));
            assert!(matches!(quick(enough - 1), Ok(Toss::Decided(true))) && quick(enough).is_err(), "{x}");
            assert!(matches!(quick(0), Ok(Toss::Decided(true))));
        }
    }

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
