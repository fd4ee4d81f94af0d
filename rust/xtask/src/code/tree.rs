//! The modules of all crates.

use super::Module;
use std::collections::BTreeMap;

/// All modules by their paths.
pub(crate) struct Tree(pub(super) BTreeMap<String, Module>);

impl Tree {
    pub(crate) fn get(&self, path: &str) -> Option<&Module> {
        self.0.get(path)
    }

    pub(crate) fn modules(&self) -> impl Iterator<Item = &Module> {
        self.0.values()
    }

    /// The longest path of a module that this path begins with, and the rest of it.
    pub(crate) fn split<'a>(&self, path: &'a str) -> Option<(&Module, &'a str)> {
        if let Some(module) = self.0.get(path) {
            return Some((module, ""));
        }
        let ends = path.rmatch_indices("::").map(|(end, _)| end);
        ends.filter_map(|end| Some((self.0.get(path.get(..end)?)?, path.get(end + 2..)?))).next()
    }
}
