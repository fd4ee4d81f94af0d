//! Tests of samplers: their distributions, and what a draw takes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

mod laws;
mod resources;
