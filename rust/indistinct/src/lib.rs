//! Differential privacy whose guarantees are computed, proved and audited.
//!
//! A computation on private data is a chain of [`Transformation`](core::Transformation)s that ends in a
//! [`Measurement`](core::Measurement). Each carries a map, from how far apart two inputs may be to how far apart the
//! outputs, or their distributions, can then be; `>>` chains steps and maps. So the privacy loss of a release is
//! computed from what the code does, never asserted.
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
//! | where | what |
//! |---|---|
//! | [`prelude`] | everything that one needs to write a chain |
//! | [`domains`] | sets of values: what data may be |
//! | [`metrics`] | how far apart two inputs are |
//! | [`measures`] | how far apart two output distributions are |
//! | [`transformations`] | deterministic steps |
//! | [`measurements`] | noise |
//! | [`postprocessing`] | functions of releases, which cost nothing |
//! | [`combinators`] | measurements from measurements, and `>>` |
//! | `queries` | questions about a table: groups, statistics, a budget (feature `plans`) |
//! | `plans` | measurements on tables, stored and built again (feature `plans`) |
//! | [`search`] | the least noise that a budget allows |
//! | [`accuracy`] | how far a release may be from the truth |
//! | [`core`] | the types that all of this is made of |
//! | [`bounds`] | which types fit where |

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

/// Guarantees as numbers: conversions, composition, curves and profiles.
pub use indistinct_accounting as accounting;
/// The arithmetic that the maps are written in.
pub use indistinct_numeric as numeric;
/// The samplers that the noise comes from.
pub use indistinct_sampling as sampling;
