//! Neighboring datasets at distance d stay within `map(d)` after every transformation: what the audit's gate does not
//! look at already.

mod attained;
mod matrices;
mod order;
mod rows;
mod statistics;
mod sums;
