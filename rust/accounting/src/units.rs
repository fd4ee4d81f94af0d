//! The units of accountants' arguments. Each has its own type, so a number of the wrong kind does not compile.
//!
//! A unit is written with its number, `Sigma(1.5)`; functions refuse an invalid number with an error that names the
//! unit.
//!
//! ```
//! use indistinct_accounting::{PrivacyLossDistribution, Rate, Sigma};
//! let step = PrivacyLossDistribution::poisson_gaussian(Sigma(1.5), Rate(0.01))?;
//! let error = PrivacyLossDistribution::poisson_gaussian(Sigma(1.5), Rate(2.0)).unwrap_err();
//! assert!(error.to_string().starts_with("rate must be"), "{error}");
//! # let _ = step;
//! # Ok::<(), indistinct_accounting::Error>(())
//! ```
//!
//! ```compile_fail,E0308
//! use indistinct_accounting::{PrivacyLossDistribution, Rate, Sigma};
//! let step = PrivacyLossDistribution::poisson_gaussian(Rate(0.01), Sigma(1.5));
//! ```

/// A bound on privacy loss, in nats: epsilon.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Epsilon(pub f64);

/// The delta of (epsilon, delta): the maximum probability that the bound fails.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Delta(pub f64);

/// The rho of zero-concentrated privacy, in nats: the Renyi divergence of order alpha is at most rho alpha.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Rho(pub f64);

/// The mu of Gaussian privacy: the sensitivity of a query over the standard deviation of its Gaussian noise. It is 1 /
/// [`Sigma`].
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Mu(pub f64);

/// The noise multiplier: the standard deviation of Gaussian noise over the sensitivity of what it is added to. It is 1
/// / [`Mu`].
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Sigma(pub f64);

/// The scale of Laplace noise over the sensitivity of what it is added to; of Gaussian noise in old bounds, its
/// standard deviation.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Scale(pub f64);

/// The probability with which a row is in a sample, or the share of rows that a sample of fixed size has.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Rate(pub f64);

/// The order alpha of a Renyi divergence, above 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Order(pub f64);
