//! The examples as a user runs them, as one program.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

mod conversions;
mod cookbook;
mod dp_sgd;
mod from_plan;
mod health_survey;
mod means_by_two_columns;
mod own_csv;
mod peers;
mod running_count;
mod short_stories;
mod stays;
mod unknown_keys;
