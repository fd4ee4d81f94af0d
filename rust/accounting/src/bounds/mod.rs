//! Bounds of textbooks, under their hypotheses and corrected where they were printed with slips. All are true and none
//! is best: for teaching and comparison.
//!
//! | bound | here | what this crate uses instead |
//! |---|---|---|
//! | rho-zCDP to (epsilon, delta) by Markov's inequality | [`concentrated_epsilon`] | [`cdp_epsilon`](crate::cdp_epsilon) |
//! | one Renyi order to (epsilon, delta) likewise | [`renyi_epsilon`] | [`RenyiCurve::epsilon`](crate::RenyiCurve::epsilon) |
//! | Gaussian noise by tail bounds | [`gaussian_delta`], [`gaussian_scale`] | [`gaussian_delta`](crate::gaussian_delta), [`gaussian_mu`](crate::gaussian_mu) |
//! | mean privacy loss | [`mean_loss`] | `epsilon tanh(epsilon / 2)` |
//! | advanced composition, independent | [`independent_composition`] | [`optimal_composition_epsilon`](crate::optimal_composition_epsilon) |
//! | advanced composition, adaptive | [`adaptive_composition`] | [`advanced_composition`](crate::advanced_composition), optimal composition |
//!
//! Basic composition is [`basic_composition`](crate::basic_composition), subsampling
//! [`amplify_by_sampling`](crate::amplify_by_sampling): they are used as they are.

mod composition;
mod gaussian;
mod markov;

pub use composition::{adaptive_composition, independent_composition, mean_loss};
pub use gaussian::{GaussianBound, gaussian_delta, gaussian_scale};
pub use markov::{concentrated_epsilon, renyi_epsilon};
