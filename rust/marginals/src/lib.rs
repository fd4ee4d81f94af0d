//! Families of contingency tables that add up, in the residual basis.
//!
//! A statistical office publishes counts by region, by sex, and by region and sex. Noise on each table alone wastes
//! budget and makes margins that contradict each other. The residual basis splits every table into orthogonal parts,
//! one for each set of axes, that are shared by all tables: noise is added once to each part, and each table is the sum
//! of its parts. With the best scales, this is the most accurate of all matrix mechanisms for a weighted sum of
//! variances (ResidualPlanner: Xiao, He, Zhang and Kifer, 2023, arXiv 2305.08175). The full contingency table is never
//! formed.
//!
//! This crate is the mathematics: it draws no noise and states no privacy guarantee.
//!
//! | item | for |
//! |---|---|
//! | [`Workload`] | marginals with weights, and the sets of axes that need a residual |
//! | [`residual_in_place`], [`residual_bound`] | the residual of a table, in integers, and when it cannot overflow |
//! | [`Scales`] | the noise on each residual for a budget; variances of cells and of ranges, before any data |
//! | [`Reconstruction`], [`Table`] | tables from noisy residuals, in exact fractions that add up |
//! | [`NonNegative`] | the nearest tables without negative cells |
//! | [`controlled_rounding`] | an integer table that keeps its margins |

mod axes;
#[cfg(test)]
mod dense;
mod error;
mod greatest;
mod nonnegative;
mod reconstruct;
mod residual;
mod rounding;
mod scales;
mod workload;

pub use axes::AxisSet;
pub use error::{Error, Fallible};
pub use nonnegative::NonNegative;
pub use reconstruct::{Reconstruction, Table};
pub use residual::{residual_bound, residual_in_place};
pub use rounding::controlled_rounding;
pub use scales::Scales;
pub use workload::{MAX_CELLS, MAX_SETS, Workload};
