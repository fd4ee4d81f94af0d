//! Guarantees of differential privacy as numbers: conversions between them, composition, and amplification.
//!
//! Every bound is computed with a proven enclosure and rounded in the safe direction: a loss is never below the truth,
//! and an allowance is never above it. The pages under `proofs/accounting` give the arguments.
//!
//! | topic | functions |
//! |---|---|
//! | zero-concentrated privacy | [`cdp_delta`], [`cdp_epsilon`], [`cdp_rho`] |
//! | Gaussian noise, exactly | [`gaussian_delta`], [`gaussian_log_delta`], [`gaussian_epsilon`], [`gaussian_mu`], [`gaussian_sigma`] |
//! | other conversions | [`pure_to_zcdp`], [`pure_to_renyi`], [`pure_to_bounded_range`], [`bounded_range_to_zcdp`], [`bounded_range_to_pure`], [`gaussian_to_zcdp`], [`laplace_to_zcdp`], [`range_to_zcdp`] |
//! | Renyi divergences | [`RenyiCurve`] |
//! | delta as a function of epsilon, and the tradeoff function | [`PrivacyProfile`] |
//! | composition | [`basic_composition`], [`advanced_composition`], [`optimal_composition_delta`], [`optimal_composition_epsilon`], [`gaussian_composition`] |
//! | sampling, shuffling | [`amplify_by_sampling`], [`amplify_group_by_sampling`], [`amplify_by_shuffling`], [`sampled_gaussian_delta`] |
//! | the noise, rate or number of steps for a budget | [`PrivacyLossDistribution::calibrate_sigma`], [`PrivacyLossDistribution::calibrate_rate`], [`PrivacyLossDistribution::calibrate_steps`] |
//! | composition of exact distributions, with bounds on both sides | [`PrivacyLossDistribution`]; together with its neighbors, [`NeighborLoss`] |
//!
//! A [`PrivacyLossDistribution`] describes releases for all accountants: mechanisms, with or without sampling, repeated
//! and composed. Its [`delta`](PrivacyLossDistribution::delta) and [`epsilon`](PrivacyLossDistribution::epsilon) are
//! the tightest in this crate; [`renyi`](PrivacyLossDistribution::renyi) and [`rho`](PrivacyLossDistribution::rho)
//! express it in other terms, and [`PrivacyProfile::losses`] makes it a profile.
//!
//! Numbers that could be confused with each other have units ([`Epsilon`], [`Delta`], [`Rho`], [`Mu`], [`Sigma`],
//! [`Scale`], [`Rate`], [`Order`]): an argument of the wrong kind does not compile.
//!
//! All logarithms are natural; epsilon, eta and rho are in nats. This crate draws nothing and sees no data.

mod amplification;
mod composition;
mod concentrated;
mod conversions;
mod error;
mod gaussian;
mod neighbors;
mod pld;
mod profile;
mod renyi;
mod sampled_gaussian;
mod search;
#[cfg(feature = "serde")]
mod stored;
mod units;

pub use amplification::{amplify_by_sampling, amplify_by_shuffling, amplify_group_by_sampling};
pub use composition::{
    advanced_composition, basic_composition, gaussian_composition, optimal_composition_delta,
    optimal_composition_epsilon,
};
pub use concentrated::{cdp_delta, cdp_epsilon, cdp_rho};
pub use conversions::{
    bounded_range_to_pure, bounded_range_to_zcdp, gaussian_to_zcdp, laplace_to_zcdp, pure_to_bounded_range,
    pure_to_renyi, pure_to_zcdp, range_to_zcdp,
};
pub use error::{Error, Fallible};
pub use gaussian::{gaussian_delta, gaussian_epsilon, gaussian_log_delta, gaussian_mu, gaussian_sigma};
pub use neighbors::NeighborLoss;
pub use pld::{Direction, Neighbors, PrivacyLossDistribution};
pub use profile::PrivacyProfile;
pub use renyi::RenyiCurve;
pub use sampled_gaussian::sampled_gaussian_delta;
pub use units::{Delta, Epsilon, Mu, Order, Rate, Rho, Scale, Sigma};
