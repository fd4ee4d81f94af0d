//! The whole trade between epsilon and delta of one guarantee.

mod compose;
mod kind;
mod tradeoff;

pub use kind::PrivacyProfile;
