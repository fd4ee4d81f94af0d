//! Differential privacy whose guarantees are computed, proved and audited.
//!
//! A computation on private data is a chain of [`Transformation`](core::Transformation)s that ends in a
//! [`Measurement`](core::Measurement). Each has a map: if two inputs differ by at most a given distance, it bounds the
//! distance between their outputs or output distributions. `>>` chains steps and their maps. So the privacy loss of a
//! release is computed from the code that produces it.
//!
//! ```
//! use indistinct::prelude::*;
//!
//! let visits = vec![3.0, 0.0, 12.0, 55.0];
//! let rows = VectorDomain::new(AtomDomain::f64());
//! let release = ((rows, SymmetricDistance) >> then_clamp((0.0, 40.0)) >> then_sum() >> then_laplace(40.0))?;
//! println!("about {} visits", release.invoke(&visits)?);
//! assert_eq!(release.map(&1)?, 1.0); // epsilon, when one row is added or removed
//! # Ok::<(), Error>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`prelude`] | everything needed to write a chain |
//! | [`domains`] | sets of values that data may have |
//! | [`metrics`] | distances between two inputs |
//! | [`measures`] | distances between two output distributions |
//! | [`transformations`] | deterministic steps |
//! | [`measurements`] | steps that add noise |
//! | [`postprocessing`] | functions of releases, which cost nothing |
//! | [`combinators`] | measurements made from measurements, and `>>` |
//! | `queries` | questions about a table: groups, statistics, a budget (feature `plans`) |
//! | `plans` | measurements on tables, stored and rebuilt (feature `plans`) |
//! | [`search`] | the smallest noise for a budget |
//! | [`accuracy`] | the distance between a release and the value without noise |
//! | [`core`] | the types of steps, maps, plans and errors |
//! | [`bounds`] | traits that state which types can be combined |

pub mod accuracy;
pub mod bounds;
pub mod combinators;
pub mod core;
pub mod domains;
#[cfg(feature = "frames")]
pub mod frames;
pub mod measurements;
pub mod measures;
pub mod metrics;
#[cfg(feature = "plans")]
pub mod plans;
pub mod postprocessing;
pub mod prelude;
#[cfg(feature = "plans")]
pub mod queries;
pub mod search;
pub mod transformations;
#[cfg(test)]
mod truth;

/// Accounting: conversions, composition, curves and profiles of guarantees.
pub use indistinct_accounting as accounting;
/// The arithmetic of the maps.
pub use indistinct_numeric as numeric;
/// The samplers of the noise.
pub use indistinct_sampling as sampling;
