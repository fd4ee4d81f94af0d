//! Which code the hashes of pages cover, and which none does.

use super::{item::Named, page::Page};
use crate::code::{Tree, Unit};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// The crates that make a release.
const CRATES: [&str; 5] =
    ["indistinct_numeric", "indistinct_sampling", "indistinct_accounting", "indistinct_derive", "indistinct"];

/// A function, method, type, constant or macro, and the pages whose hashes cover it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Covered {
    /// Its path, as a page would name it.
    pub unit: String,
    /// The pages, relative to `proofs`.
    pub pages: BTreeSet<String>,
}

impl fmt::Display for Covered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pages: Vec<&str> = self.pages.iter().map(String::as_str).collect();
        write!(f, "{}: {}", self.unit, if pages.is_empty() { "none".to_owned() } else { pages.join(", ") })
    }
}

/// All code of the crates that make a release. Imports are no code, and constructors are covered by their own pages
/// alone.
pub(super) fn coverage(tree: &Tree, pages: &[Page]) -> Vec<Covered> {
    let mut reached: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
    for page in pages {
        let name = page.file.strip_prefix("proofs/").unwrap_or(&page.file);
        for named in page.code.iter().filter_map(|entry| Named::find(tree, &entry.item).ok()) {
            for unit in named.reached() {
                reached.entry((&named.module.path, &unit.text)).or_default().insert(name.to_owned());
            }
        }
    }
    let mut found = Vec::new();
    for module in tree.modules().filter(|module| CRATES.iter().any(|name| is_in(&module.path, name))) {
        for unit in module.units.iter().filter(|unit| !unit.is_import() && !unit.elsewhere) {
            let pages = around(tree, &module.path).filter_map(|path| reached.get(&(path, unit.text.as_str())));
            let pages = pages.flatten().cloned().collect();
            found.push(Covered {
                unit: unit.path_in(&module.path).unwrap_or_else(|| unnamed(&module.path, unit)),
                pages,
            });
        }
    }
    found.sort();
    found
}

/// A module and those around it, whose hashes cover what is in it if it stands in their file.
fn around<'a>(tree: &'a Tree, path: &'a str) -> impl Iterator<Item = &'a str> {
    let ends = path.match_indices("::").map(|(end, _)| end).chain([path.len()]);
    ends.filter_map(|end| Some(tree.get(path.get(..end)?)?.path.as_str()))
}

fn is_in(path: &str, crate_name: &str) -> bool {
    path.split("::").next() == Some(crate_name)
}

fn unnamed(module: &str, unit: &Unit) -> String {
    format!("{module}: {}", unit.shape().chars().take(60).collect::<String>())
}

/// The number of units of each crate, and of those that no hash covers.
pub fn counts(covered: &[Covered]) -> Vec<(&'static str, usize, usize)> {
    let of = |name| {
        let units = covered.iter().filter(|covered| is_in(&covered.unit, name));
        (name, units.clone().count(), units.filter(|covered| covered.pages.is_empty()).count())
    };
    CRATES.map(of).to_vec()
}
