//! What releases are good for: functions of released numbers alone, which cost nothing.
//!
//! | function | from | to |
//! |---|---|---|
//! | [`consistent_b_ary_tree`] | a released tree | the best estimate of its leaves |
//! | [`cdf_from_counts`] | released counts of bins | the share of rows up to each |
//! | [`quantiles_from_counts`] | released counts of bins, and their edges | quantiles |
//!
//! A measurement is followed by one of them as `measurement >> Function::new(…)`.

mod consistency;
mod quantiles;

pub use consistency::consistent_b_ary_tree;
pub use quantiles::{cdf_from_counts, quantiles_from_counts};

use crate::core::Fallible;
use indistinct_numeric::{RoundedFrom, ToExtended};

/// The nearest floats.
fn floats<T: ToExtended>(numbers: &[T]) -> Fallible<Vec<f64>> {
    Ok(numbers.iter().map(f64::nearest_from).collect::<Result<_, _>>()?)
}
