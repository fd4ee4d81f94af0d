//! Distances between inputs.
//!
//! | metric | between | unit |
//! |---|---|---|
//! | [`SymmetricDistance`], [`InsertDeleteDistance`] | datasets | rows added or removed |
//! | [`ChangeOneDistance`], [`HammingDistance`] | data sets of the same size | rows replaced |
//! | [`SymmetricIdDistance`] | keyed datasets | individuals added or removed |
//! | [`ChangeOneIdDistance`] | tables | individuals replaced |
//! | [`AbsoluteDistance`] | numbers | the unit of the numbers |
//! | [`L1Distance`], [`L2Distance`], [`LInfDistance`] | vectors of numbers | the unit of the numbers |
//! | [`L01InfDistance`], [`L02InfDistance`] | maps from keys to numbers | (keys, unit of the numbers, unit of the numbers) |
//! | [`PartitionDistance`] | datasets in parts | (parts that differ, total, maximum); total and maximum in the unit of the parts' metric |
//! | [`DiscreteDistance`] | any values | 0 or 1 |

#[cfg(feature = "plans")]
pub(crate) mod any_row;
pub(crate) mod change_one_id;
pub(crate) mod dataset;
mod discrete;
pub(crate) mod filtered;
mod individual;
mod linf;
pub(crate) mod map;
pub(crate) mod norm;
pub(crate) mod partition;
pub(crate) mod repeated;

#[cfg(feature = "plans")]
pub(crate) use any_row::AnyRowMetric;
pub use change_one_id::ChangeOneIdDistance;
#[cfg(feature = "frames")]
pub(crate) use change_one_id::IndividualMetric;
pub(crate) use dataset::moved;
pub use dataset::{ChangeOneDistance, HammingDistance, InsertDeleteDistance, RowChange, SymmetricDistance};
pub(crate) use dataset::{RowByRowMetric, RowMetric};
pub use discrete::DiscreteDistance;
pub(crate) use filtered::FilterMetric;
pub use individual::SymmetricIdDistance;
pub use linf::LInfDistance;
pub(crate) use map::MapMetric;
pub use map::{L01InfDistance, L02InfDistance};
pub(crate) use norm::SensitivityMetric;
pub use norm::{AbsoluteDistance, L1Distance, L2Distance};
pub use partition::PartitionDistance;
pub(crate) use partition::PartitionMetric;
#[cfg(feature = "frames")]
pub(crate) use repeated::FlatMapMetric;
