//! Natural logarithms in 64-bit fixed point, with a proven bound.

use crate::lazy::outward;
use rug::{Float, Rational, float::Round};
use std::sync::LazyLock;

/// The largest distance, in units of 2^-64, between the result of [`ln_floor`] and the logarithm above it.
pub(crate) const LN_ERROR: i128 = 16;

/// The table has one cell for each value of the first seven bits of a mantissa after the leading one.
const CELL_BITS: u32 = 7;
/// Terms of the series.
const TERMS: u64 = 7;

/// For each cell of mantissas `m` from 1 to 2, a reciprocal `a / 2^16` of its middle, and `-ln(a / 2^16)` in units of
/// 2^-64, rounded down.
static CELLS: LazyLock<Vec<(i128, i128)>> = LazyLock::new(|| (0..1u32 << CELL_BITS).map(cell).collect());
/// `ln(2)` in units of 2^-80, rounded down: more than 100 times this is too small by less than one unit of 2^-64.
static LN_2: LazyLock<i128> = LazyLock::new(|| units(&Rational::from(2), 80));

fn cell(index: u32) -> (i128, i128) {
    let middle = Rational::from(2 * index + 1) / (2u32 << CELL_BITS) + 1u32;
    let reciprocal = Rational::from((Rational::from(1u32 << 16) / middle).round_ref());
    let minus_ln = units(&((Rational::from(1u32 << 16)) / &reciprocal), 64);
    (reciprocal.numer().to_i128().unwrap_or(0), minus_ln)
}

fn units(x: &Rational, bits: u32) -> i128 {
    let (ln, _) = outward(x, 192, |x, round| Float::with_val_round(192, x.ln_ref(), round).0);
    (ln << bits).to_integer_round(Round::Down).and_then(|(units, _)| units.to_i128()).unwrap_or(0)
}

/// Returns a lower bound on `ln(x / 2^places)` in units of 2^-64, at most `LN_ERROR` units below it, for an integer x
/// from 1 to 2^100 and at most 100 places.
///
/// Let `x / 2^places = 2^e m` with m from 1 to 2, and let `c` be the reciprocal of m's cell. The logarithm is
/// `e ln(2) - ln(c) + ln(1 + r)` with `r = c m - 1`, whose size is less than 2^-7.9: half a cell is less than 2^-8 of
/// its middle, and a reciprocal of 16 bits has a relative error of less than 2^-16.
///
/// Errors in units of 2^-64: m, cut off after 64 bits, is too small by less than 2. `r` is exact for this m, except for
/// a floor of less than 1. So the argument `1 + r` is too small by less than 3, and with a derivative below 1.01 the
/// logarithm is too small by less than 3.1. The seven terms of the series omit less than |r|^8 / 8 / (1 - |r|), which
/// is less than 2^-66 or 1/4, of either sign. In Horner's rule, each partial sum has an error of less than one unit for
/// the coefficient, one for the product's floor, and 2^-7.9 of the error before it, which is less than 2.1 in total.
/// The last product has an error of less than 2.1 |r| + 1, which is less than 1.1. The table and `e ln(2)` are too
/// small by less than 1 each. So the sum is less than 8 away from the logarithm, on either side, and the sum less 8 is
/// a lower bound within 16.
///
/// No product overflows: `c m` has 81 bits, r less than 57, the partial sums 65, and `e ln(2)` less than 88.
#[inline]
pub(crate) fn ln_floor(x: u128, places: u32) -> i128 {
    let last = 127 - x.leading_zeros().min(127);
    // The first 64 bits, the leading one included: m in units of 2^-63.
    let m = if last > 63 { x >> (last - 63) } else { x << (63 - last) };
    let e = i128::from(last) - i128::from(places);
    let index = usize::try_from((m >> (63 - CELL_BITS)) & ((1 << CELL_BITS) - 1)).unwrap_or(0);
    let (reciprocal, minus_ln) = CELLS.get(index).copied().unwrap_or_default();
    // c m - 1, in units of 2^-79 and then of 2^-64.
    let r = (reciprocal.wrapping_mul(i128::try_from(m).unwrap_or(0)) - (1 << 79)) >> 15;
    let mut sum = 0;
    for coefficient in COEFFICIENTS {
        sum = coefficient - (r.wrapping_mul(sum) >> 64);
    }
    (r.wrapping_mul(sum) >> 64) + minus_ln + (e.wrapping_mul(*LN_2) >> 16) - LN_ERROR / 2
}

/// `1 / k` in units of 2^-64, rounded down, from the last term to the first.
const COEFFICIENTS: [i128; 7] = {
    let mut coefficients = [0; 7];
    let mut k = TERMS;
    while k > 0 {
        // The indices are constants: one out of bounds would not compile.
        #[allow(clippy::indexing_slicing, clippy::as_conversions)]
        {
            coefficients[(TERMS - k) as usize] = (1i128 << 64) / (k as i128);
        }
        k -= 1;
    }
    coefficients
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_enclosed() {
        let mut state = 1u64;
        let mut check = |x: u128| {
            for places in [0, 1, 64, 100] {
                let scaled: Float = Float::with_val(200, x) >> places;
                let exact = Float::with_val(200, scaled.ln_ref()) << 64;
                let gap = exact - Float::with_val(200, ln_floor(x, places));
                assert!((0..=LN_ERROR).contains(&gap), "{x} {places}: {gap}");
            }
        };
        for step in 0..100_000u32 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            check((((u128::from(state) << 36) | 1) >> (step % 100)).max(1));
        }
        // Both ends of all cells.
        for index in 0..1u128 << CELL_BITS {
            let first = (1 << 63) + (index << (63 - CELL_BITS));
            for x in [first - 1, first, first + 1, (first << 12) - 1, first << 30] {
                check(x);
            }
        }
        (1..1000).for_each(&mut check);
        check(1 << 100);
    }

    #[test]
    fn residuals_are_as_small_as_the_proof_says() {
        for (index, (reciprocal, _)) in CELLS.iter().enumerate() {
            for end in [index, index + 1] {
                let m = Rational::from(end) / (1u32 << CELL_BITS) + 1u32;
                let r = (m * *reciprocal / (1u32 << 16) - Rational::from(1)).to_f64();
                assert!(r.abs() < 2f64.powf(-7.9), "{index}: {r}");
            }
        }
    }
}
