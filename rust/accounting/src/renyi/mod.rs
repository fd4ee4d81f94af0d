//! Renyi divergences as a function of the order.

mod convert;
mod curve;
mod points;
mod search;

pub use curve::RenyiCurve;
pub(crate) use search::golden;
