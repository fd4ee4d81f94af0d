//! How far apart two inputs are.
//!
//! | metric | between | unit |
//! |---|---|---|
//! | [`SymmetricDistance`], [`InsertDeleteDistance`] | datasets | rows added or removed |
//! | [`ChangeOneDistance`], [`HammingDistance`] | datasets of one size | rows replaced |
//! | [`SymmetricIdDistance`] | keyed datasets | individuals added or removed |
//! | [`AbsoluteDistance`] | numbers | the numbers' own |
//! | [`L1Distance`], [`L2Distance`], [`LInfDistance`] | vectors of numbers | the numbers' own |
//! | [`L01InfDistance`], [`L02InfDistance`] | maps from keys to numbers | (keys, the numbers' own, the numbers' own) |
//! | [`PartitionDistance`] | datasets in parts | (parts that differ, total, greatest), each in the unit of the parts' metric |
//! | [`DiscreteDistance`] | any values | 0 or 1 |

mod dataset;
mod discrete;
mod filtered;
mod individual;
mod linf;
mod map;
mod norm;
mod partition;

pub(crate) use dataset::moved;
pub use dataset::{
    ChangeOneDistance, HammingDistance, InsertDeleteDistance, RowByRowMetric, RowChange, RowMetric, SymmetricDistance,
};
pub use discrete::DiscreteDistance;
pub use filtered::FilterMetric;
pub use individual::SymmetricIdDistance;
pub use linf::LInfDistance;
pub use map::{L01InfDistance, L02InfDistance, MapMetric};
pub use norm::{AbsoluteDistance, L1Distance, L2Distance, SensitivityMetric};
pub use partition::{PartitionDistance, PartitionMetric};
