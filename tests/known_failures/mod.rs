//! How libraries of this kind have failed, by topic: the vectors under `tests/vectors`. Where a vector says what a
//! broken implementation yields, such an implementation is a negative control, and fails here.

mod casts;
mod entropy;
mod floats;
mod frames;
mod integers;
mod losses;
mod noise;
mod selection;
mod side_channels;
mod sizes;
mod snapping;
mod stale_facts;
mod table;

use indistinct::{
    measurements::Scale,
    numeric::gmp::Rational,
    sampling::{Entropy, RealNoise, RoundedNoise, testing::SeededEntropy},
};
use indistinct_tests::float;
use serde_json::Value;

pub(super) fn integer(value: &Value) -> i128 {
    value.as_str().map(str::to_string).unwrap_or_else(|| value.to_string()).parse().unwrap()
}

pub(super) fn floats(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(float).collect()
}

/// Laplace noise of a textbook, in floats.
pub(super) fn textbook_laplace(scale: f64, entropy: &mut SeededEntropy) -> f64 {
    let uniform = (Rational::from(entropy.bits(53).unwrap().max(1)) / (1u64 << 53)).to_f64();
    let size = -scale * uniform.ln();
    if entropy.bit().unwrap() { -size } else { size }
}

pub(super) fn make_noise(law: RealNoise, scale: f64) -> RoundedNoise {
    RoundedNoise::new(law, scale, Scale::new(scale).grid()).unwrap()
}
