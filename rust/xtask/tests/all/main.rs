//! The project's chores notice what they must, on small workspaces; and this workspace holds.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod circles;
mod comments;
mod coverage;
mod definitions;
mod drawings;
mod edits;
mod evasions;
mod figures;
mod guarantees;
mod lists;
mod locks;
mod measured;
mod moves;
mod named;
mod new;
mod proofs;
mod small;
mod stamp;
mod words;
