//! The ledger as its users meet it: crashes, races, changes from outside, full disks.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

mod amounts;
mod attacks;
mod checkpoints;
mod faults;
mod groups;
mod kills;
mod limits;
mod moves;
mod partitions;
mod place;
mod races;
#[cfg(feature = "postgres")]
mod servers;
mod states;
mod tampering;
mod writer;
