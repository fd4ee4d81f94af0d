//! Renyi divergences as a function of the order.

mod convert;
mod curve;
mod part;
mod points;
mod sampled;
mod search;

pub use curve::RenyiCurve;
pub(crate) use search::golden;
