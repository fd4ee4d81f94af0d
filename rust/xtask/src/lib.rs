//! The project's own chores, as functions that tests can call.

pub mod circles;
mod code;
pub mod drawings;
pub mod lists;
pub mod measured;
pub mod named;
pub mod new;
pub mod proofs;
pub mod words;
