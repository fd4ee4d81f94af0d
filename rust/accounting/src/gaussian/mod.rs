//! The exact privacy of Gaussian noise: delta, epsilon and mu, each from the other two.
//!
//! `mu` is the sensitivity over the standard deviation (mu-GDP: Dong, Roth, Su 2019). With `a = epsilon/mu - mu/2` and
//! `b = epsilon/mu + mu/2`, `delta = Phi(-a) - e^epsilon Phi(-b)` (Balle, Wang 2018, Theorem 8). As
//! `(b^2 - a^2)/2 = epsilon`, both terms have the factor `phi(a)`, and `delta = phi(a) (R(a) - R(b))` with the ratio of
//! Mills R: nothing overflows. See `proofs/accounting/gaussian.md`.

mod delta;
mod epsilon;
mod mu;
mod search;
mod sigma;

pub(crate) use delta::gaussian_delta_bounds;
pub use delta::{gaussian_delta, gaussian_log_delta};
pub use epsilon::gaussian_epsilon;
pub use mu::gaussian_mu;
pub use sigma::gaussian_sigma;
