//! The project's own chores, as functions that tests can call.

pub mod proofs;
