//! Bounds of the noise from the first digits of its uniform number.

use super::law::SelectionNoise;
use crate::{half_line::Draw, real::Real};
use indistinct_numeric::RoundedArithmetic;
use std::sync::LazyLock;

/// The number of digits of each uniform number that are drawn at first.
pub(super) const FIRST_BITS: u32 = 8;

/// For each value of the first digits of U, the largest possible value of `scale * Z`.
pub(super) fn highest_noise(noise: SelectionNoise, scale: f64, bits: u32) -> Vec<f64> {
    static EXPONENTIAL: LazyLock<Vec<f64>> = LazyLock::new(|| upper_ends(SelectionNoise::Exponential, FIRST_BITS));
    static GUMBEL: LazyLock<Vec<f64>> = LazyLock::new(|| upper_ends(SelectionNoise::Gumbel, FIRST_BITS));
    let scaled = |ends: &[f64]| ends.iter().map(|z| scale.inf_mul(*z).unwrap_or(f64::INFINITY)).collect();
    match noise {
        _ if bits < FIRST_BITS => scaled(&upper_ends(noise, bits)),
        SelectionNoise::Exponential => scaled(&EXPONENTIAL),
        SelectionNoise::Gumbel => scaled(&GUMBEL),
    }
}

/// For each value of the first digits of U, the largest possible value of Z.
fn upper_ends(noise: SelectionNoise, bits: u32) -> Vec<f64> {
    let end = |digits: u64| {
        let number = Real { draw: Draw::first_digits(digits, bits), form: noise.form() };
        number.ends().1.map_or(f64::INFINITY, |end| end.to_f64().next_up())
    };
    (0..1 << bits).map(end).collect()
}
