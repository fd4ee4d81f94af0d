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

use crate::core::{Error, Fallible};
use indistinct_numeric::{RoundedFrom, ToExtended};

/// The nearest floats, if all are finite.
fn finite_floats<T: ToExtended>(numbers: &[T], parameter: &'static str) -> Fallible<Vec<f64>> {
    let floats = numbers.iter().map(|number| f64::nearest_from(number).ok().filter(|x| x.is_finite()));
    floats.collect::<Option<_>>().ok_or_else(|| Error::parameter(parameter, "must be finite"))
}
