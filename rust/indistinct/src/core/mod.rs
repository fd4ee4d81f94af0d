//! The types that everything is made of.

mod aggregate;
mod distance;
mod error;
mod explain;
mod fold;
mod function;
mod map;
mod measurement;
mod partial;
mod plan;
mod proof;
mod queryable;
mod rows;
mod sealed;
mod spaces;
mod transformation;

pub use aggregate::{Aggregate, PrivateAggregate};
pub use distance::{Distance, Sensitivity};
pub(crate) use error::require;
pub use error::{Error, ErrorKind, Fallible};
pub(crate) use explain::Trace;
pub use explain::{Explanation, Step};
pub use function::{Function, RandomizedFunction};
pub use map::{PrivacyMap, StabilityMap};
pub(crate) use measurement::Marks;
pub use measurement::Measurement;
pub use partial::{PartialMeasurement, PartialTransformation};
pub(crate) use plan::{CALLER_TRUSTED, Planned, parameter_by_debug};
pub use plan::{Parameter, Plan, ToParameter};
pub use proof::ProofLevel;
pub use queryable::Queryable;
pub(crate) use queryable::State;
pub(crate) use sealed::{Sealed, sealed};
pub use spaces::{Domain, Measure, MemberByParts, Metric, MetricSpace, Owned};
pub use transformation::Transformation;
pub(crate) use transformation::check_member;
