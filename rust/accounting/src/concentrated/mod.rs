//! Zero-concentrated privacy rho as (epsilon, delta).
//!
//! A rho-zCDP mechanism is (epsilon, delta)-DP for every `t > 0` (the Renyi order less one) with
//!
//! `ln delta = t (rho (t + 1) - epsilon) - h(t)`, where `h(t) = (t + 1) ln(1 + t) - t ln t`
//!
//! (Canonne, Kamath, Steinke 2020, Corollary 13, with the constant of their Proposition 12). Each of the three
//! quantities follows from the other two and from t. As *any* t gives a true bound, t is found in plain floats and the
//! bound is then evaluated once, enclosed, and rounded towards safety. See `proofs/accounting/concentrated.md`.

mod delta;
mod entropy;
mod epsilon;
mod rho;

pub use delta::cdp_delta;
pub(crate) use entropy::entropy;
pub use epsilon::cdp_epsilon;
pub use rho::cdp_rho;
