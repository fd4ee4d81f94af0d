//! Circles of imports: of the modules of a crate, and of the modules and folders that lie in one folder.
//!
//! A module uses another if a path in its code or imports leads to something defined there; a re-export is followed to
//! the definition, and is no use by itself. Tests do not count. Methods are not seen: what they are called on is.

use crate::code::{Module, Sources, Tree};
use anyhow::Result;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::Path,
};

/// Modules each of which uses the next, in some order, and the last the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circle {
    /// The folder, where each member stands for all that is in it; none where modules use each other as they are.
    pub folder: Option<String>,
    /// The members' paths, in alphabetical order.
    pub members: Vec<String>,
    /// Who uses what there.
    pub ties: Vec<String>,
}

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.folder {
            Some(folder) => write!(f, "in the folder {folder}: ")?,
            None => write!(f, "modules: ")?,
        }
        write!(f, "{}", self.members.join(" <-> "))?;
        self.ties.iter().try_for_each(|tie| write!(f, "\n    {tie}"))
    }
}

/// What uses what, with the paths by which it does.
type Uses = BTreeMap<(String, String), BTreeSet<String>>;

/// All circles of the workspace's crates.
pub fn circles(root: &Path) -> Result<Vec<Circle>> {
    let tree = Tree::read(&Sources::on_disk(root)?, &["rust/", "examples", "tests", "proofs/oracle"])?;
    let uses = uses(&tree);
    let mut found = in_graph(None, &uses);
    for folder in tree.modules() {
        let mut inside = Uses::new();
        for ((from, to), paths) in &uses {
            if let (Some(from), Some(to)) = (child(folder, from), child(folder, to))
                && from != to
            {
                inside.entry((from.to_owned(), to.to_owned())).or_default().extend(paths.iter().cloned());
            }
        }
        let is_folder = |member: &String| tree.modules().any(|module| module.path.starts_with(&format!("{member}::")));
        let circles = in_graph(Some(&folder.path), &inside).into_iter();
        found.extend(circles.filter(|circle| circle.members.iter().any(is_folder)));
    }
    Ok(found)
}

/// The module in a folder that is this one, or has it inside.
fn child<'a>(folder: &Module, path: &'a str) -> Option<&'a str> {
    let rest = path.strip_prefix(&folder.path)?.strip_prefix("::")?;
    let name = rest.split("::").next()?;
    path.get(..folder.path.len() + 2 + name.len())
}

fn uses(tree: &Tree) -> Uses {
    let mut uses = Uses::new();
    for module in tree.modules() {
        let mentioned: BTreeSet<&String> =
            module.units.iter().filter(|unit| !unit.is_import()).flat_map(|unit| &unit.mentions).collect();
        for unit in &module.units {
            let is_used = |name| mentioned.iter().any(|mentioned| *mentioned == name);
            if unit.exported && !unit.name().is_some_and(is_used) {
                continue;
            }
            for path in unit.meanings().flat_map(|paths| paths.split('|')) {
                // The name of a module is no use of what is in it.
                if let Some((other, rest)) = tree.split(path)
                    && !rest.is_empty()
                    && other.path != module.path
                {
                    let tie = (module.path.clone(), other.path.clone());
                    uses.entry(tie).or_default().insert(path.to_owned());
                }
            }
        }
    }
    uses
}

/// The circles of a graph: its members that reach each other.
fn in_graph(folder: Option<&str>, uses: &Uses) -> Vec<Circle> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in uses.keys() {
        next.entry(from).or_default().push(to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> = next.keys().map(|from| (*from, reached_from(from, &next))).collect();
    let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|reached| reached.contains(to));
    let mut left: BTreeSet<&str> = reached.keys().copied().filter(|member| reaches(member, member)).collect();
    let mut found = Vec::new();
    while let Some(first) = left.pop_first() {
        let others: Vec<&str> = left.iter().copied().filter(|to| reaches(first, to) && reaches(to, first)).collect();
        left.retain(|member| !others.contains(member));
        let members: Vec<String> = [first].into_iter().chain(others).map(str::to_owned).collect();
        let inside = uses.iter().filter(|((from, to), _)| members.contains(from) && members.contains(to));
        let ties = inside.map(|((from, to), paths)| {
            format!("{from} -> {to}: {}", paths.iter().cloned().collect::<Vec<_>>().join(", "))
        });
        found.push(Circle { folder: folder.map(str::to_owned), ties: ties.collect(), members });
    }
    found
}

fn reached_from<'a>(from: &str, next: &BTreeMap<&str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let (mut reached, mut todo) = (BTreeSet::new(), vec![from]);
    while let Some(member) = todo.pop() {
        for to in next.get(member).into_iter().flatten() {
            if reached.insert(*to) {
                todo.push(to);
            }
        }
    }
    reached
}
