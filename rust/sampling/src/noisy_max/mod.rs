//! The largest of many numbers with noise, compared exactly.

mod best;
mod entry;
mod first_digits;
mod law;
mod score;
#[cfg(test)]
mod tests;
mod top_k;

pub use law::SelectionNoise;
pub use score::Score;
pub use top_k::noisy_top_k;
