//! The code of a workspace as a program sees it: modules, the units in them, and what the names in these mean.

mod heads;
mod items;
mod names;
mod normal;
mod reach;
mod read;
mod sources;
mod tree;
mod unit;

pub(crate) use sources::{Sources, git, is_setting};
pub(crate) use tree::Tree;
pub(crate) use unit::{Head, Module, Unit};
