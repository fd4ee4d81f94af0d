//! The basic types: domains, metrics, measures, transformations, measurements and plans.

mod aggregate;
mod deviation;
mod distance;
mod error;
mod explain;
mod fold;
mod function;
#[cfg(feature = "plans")]
mod given;
mod individuals;
mod map;
mod measurement;
mod member;
mod neighbors;
mod parameter;
mod partial;
mod plan;
mod postprocessing;
mod process;
mod proof;
mod queryable;
#[cfg(feature = "plans")]
mod registry;
#[cfg(feature = "plans")]
mod released;
mod rows;
mod sealed;
mod shared;
mod spaces;
mod stored;
mod told;
mod transformation;

pub use aggregate::{Aggregate, PrivateAggregate};
pub(crate) use deviation::{Deviation, HalfWidth, Width};
pub use distance::Distance;
pub(crate) use error::require;
pub use error::{Error, ErrorKind, Fallible, Place};
pub(crate) use explain::Trace;
pub use explain::{Explanation, Step};
pub use function::{Function, RandomizedFunction};
#[cfg(feature = "plans")]
pub(crate) use given::{FromParameter, Given, Read, Unreadable};
pub(crate) use map::LossMap;
pub use map::{PrivacyMap, StabilityMap};
pub(crate) use measurement::Marks;
pub use measurement::Measurement;
pub(crate) use member::check_member;
pub(crate) use neighbors::check_neighbors;
pub(crate) use parameter::parameter_by_debug;
pub use parameter::{Parameter, ToParameter};
pub use partial::{PartialMeasurement, PartialTransformation};
#[cfg(feature = "plans")]
pub(crate) use plan::CHAIN;
pub(crate) use plan::{CALLER_TRUSTED, Planned};
pub use plan::{Children, Plan, Space};
pub use postprocessing::Postprocessing;
pub(crate) use process::Process;
pub(crate) use proof::{Answered, Levels};
pub use proof::{Proof, ProofLevel};
pub use queryable::Queryable;
pub(crate) use queryable::State;
#[cfg(feature = "plans")]
pub(crate) use registry::{Builder, Entry, How, Instance, first_that_fits};
#[cfg(feature = "plans")]
pub use released::Released;
#[cfg(feature = "plans")]
pub(crate) use released::{Releasable, Shape};
#[cfg(feature = "frames")]
pub(crate) use rows::Batched;
pub(crate) use sealed::{Internal, Sealed, sealed};
pub use spaces::{Domain, Measure, MemberByParts, Metric, MetricSpace, Owned};
#[cfg(feature = "plans")]
pub(crate) use stored::take;
pub(crate) use stored::{Encoded, Key, Stored, more};
pub use transformation::Transformation;
pub(crate) use transformation::in_words;
