//! What each unit of code stands on: the pages whose hashes cover it, or the reason why none has to.

use super::{
    item::Named,
    page::Page,
    report::Problem,
    uncovered::{Exception, UNCOVERED},
};
use crate::code::{Head, Tree, Unit};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// The crates that make a release.
const OF_RELEASE: [&str; 5] =
    ["indistinct_numeric", "indistinct_sampling", "indistinct_accounting", "indistinct_derive", "indistinct"];

/// These, and the crates that charge for a release and bring its rows.
const CRATES: [&str; 9] = [
    "indistinct_numeric",
    "indistinct_sampling",
    "indistinct_accounting",
    "indistinct_derive",
    "indistinct",
    "indistinct_ledger",
    "indistinct_sessions",
    "indistinct_tables",
    "indistinct_engine",
];

/// A function, method, type, constant or macro, and what it stands on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Covered {
    /// Its path, as a page would name it.
    pub unit: String,
    /// The pages whose hashes cover it, relative to `proofs`.
    pub pages: BTreeSet<String>,
    /// Why no page has to, if the list of exceptions says so.
    pub reason: Option<String>,
    /// Whether it implements something for a type or trait of code that has pages: the reason of a whole module does
    /// not hold for it.
    pub reaches_out: bool,
}

impl Covered {
    /// Whether it is reached by a page's hash, or stands on the list.
    pub fn is_accounted_for(&self) -> bool {
        !self.pages.is_empty() || self.reason.is_some()
    }
}

impl fmt::Display for Covered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pages: Vec<&str> = self.pages.iter().map(String::as_str).collect();
        match &self.reason {
            _ if !pages.is_empty() => write!(f, "{}: {}", self.unit, pages.join(", ")),
            Some(reason) => write!(f, "{}: no page: {reason}", self.unit),
            None => write!(f, "{}: neither page nor reason", self.unit),
        }
    }
}

/// All code of the crates that make a release. Imports are no code, and constructors are covered by their own pages
/// alone.
pub(super) fn coverage(tree: &Tree, pages: &[Page], exceptions: &[Exception]) -> Vec<Covered> {
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
        for of in module.units.iter().filter(|unit| !unit.is_import() && !unit.elsewhere) {
            let pages = around(tree, &module.path).filter_map(|path| reached.get(&(path, of.text.as_str())));
            let pages = pages.flatten().cloned().collect();
            let unit = of.path_in(&module.path).unwrap_or_else(|| unnamed(&module.path, of));
            let reaches_out = implementation_reaches_out(tree, exceptions, &module.path, of);
            let reason = exceptions.iter().find(|exception| exception.excuses(&unit, reaches_out));
            let reason = reason.map(|exception| exception.reason.clone());
            found.push(Covered { unit, pages, reason, reaches_out });
        }
    }
    found.sort();
    found
}

/// Whether a unit of a module without pages holds an implementation for a type or trait of code that has some: such a
/// block is used wherever the type is, whatever the module is for.
fn implementation_reaches_out(tree: &Tree, exceptions: &[Exception], module: &str, unit: &Unit) -> bool {
    let is_free = |path: &str| exceptions.iter().any(|exception| exception.is_module && exception.holds(path));
    if !is_free(module) {
        return false;
    }
    // A type's other name may stand for any type.
    let is_own = |path: &String| match tree.split(path) {
        Some((module, name)) => {
            is_free(&module.path) && !module.units.iter().any(|unit| unit.is_alias && unit.is_named(name))
        }
        None => true,
    };
    let is_of_own_trait = |head: &Head| head.of_trait.iter().any(|path| tree.split(path).is_some());
    let reaches = |head: &Head| !head.names.iter().all(is_own) || head.is_open && !is_of_own_trait(head);
    unit.has_inner_implementation() || unit.implements.iter().any(reaches)
}

/// The macros of the standard library's prelude: no name of one may mean something else.
const PRELUDE: [&str; 42] = [
    "addr_of",
    "assert",
    "assert_eq",
    "assert_matches",
    "assert_ne",
    "cfg",
    "cfg_select",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "line",
    "macro_rules",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
    "pin",
    "ready",
];

/// Macros that modules after their own see without importing them, and those whose names mean something else in all
/// other code.
pub(super) fn shadowing(tree: &Tree) -> Vec<Problem> {
    let mut found = Vec::new();
    for module in tree.modules().filter(|module| CRATES.iter().any(|name| is_in(&module.path, name))) {
        let mut problem = |what: String| found.push(Problem::new("proofs", what));
        let is_shared = |attribute: &String| attribute.split(' ').any(|word| word == "macro_use");
        let outer = module.path.rsplit_once("::").and_then(|(outer, _)| tree.get(outer));
        let is_new = |attribute: &&String| outer.is_none_or(|outer| !outer.attributes.contains(attribute));
        if module.attributes.iter().filter(is_new).any(is_shared)
            || module.units.iter().any(|unit| unit.is_import() && unit.is_marked("macro_use"))
        {
            problem(format!("{} is under #[macro_use]: import macros by their names", module.path));
        }
        for unit in module.units.iter().filter(|unit| !unit.elsewhere) {
            let names = unit.defined_macros().filter(|name| PRELUDE.contains(name));
            names.for_each(|name| {
                problem(format!("{}: the macro {name} has a name of the standard library", module.path))
            });
        }
    }
    found
}

/// Modules that are excused by a condition on their declaration, and do not have it.
pub(super) fn unconditional(tree: &Tree, exceptions: &[Exception]) -> Vec<Problem> {
    let without_spaces = |text: &str| text.split_whitespace().collect::<String>();
    let mut found = Vec::new();
    for Exception { name, only, .. } in exceptions {
        let (Some(only), Some(module)) = (only, tree.get(name)) else { continue };
        if !module.attributes.iter().any(|attribute| without_spaces(attribute) == without_spaces(only)) {
            found.push(Problem::new(UNCOVERED, format!("{name} is no longer declared under #[{only}]")));
        }
    }
    found
}

/// The code of the crates that make a release that reads a file or the environment when it is compiled.
pub(super) fn unseen(tree: &Tree) -> Vec<Problem> {
    let mut found = Vec::new();
    for module in tree.modules().filter(|module| OF_RELEASE.iter().any(|name| is_in(&module.path, name))) {
        for unit in module.units.iter().filter(|unit| unit.reads_when_compiled()) {
            let unit = unit.path_in(&module.path).unwrap_or_else(|| unnamed(&module.path, unit));
            found.push(Problem::new("proofs", format!("{unit} reads a file or a variable that no hash covers")));
        }
    }
    found
}

/// What stands on nothing; and what the list of exceptions says without need, so that it shrinks as pages are written.
pub(super) fn problems(covered: &[Covered], exceptions: &[Exception]) -> Vec<Problem> {
    let mut found = Vec::new();
    for Covered { unit, reaches_out, .. } in covered.iter().filter(|covered| !covered.is_accounted_for()) {
        let which = if *reaches_out { ", which implements a type or trait of other code" } else { "" };
        let what = format!("no page covers {unit}{which}, and {UNCOVERED} gives no reason: see CONTRIBUTING.md");
        found.push(Problem::new("proofs", what));
    }
    for exception in exceptions {
        let Exception { name, reason, .. } = exception;
        let mut problem = |what: String| found.push(Problem::new(UNCOVERED, format!("{name} {what}")));
        let named: Vec<&Covered> =
            covered.iter().filter(|covered| exception.excuses(&covered.unit, covered.reaches_out)).collect();
        if reason.trim().is_empty() {
            problem("has no reason".into());
        }
        if named.is_empty() {
            problem("names no code of the crates that make a release".into());
        }
        if exceptions
            .iter()
            .filter(|other| named.iter().any(|covered| other.excuses(&covered.unit, covered.reaches_out)))
            .count()
            > 1
        {
            problem("is named twice".into());
        }
        for Covered { unit, pages, .. } in named.iter().filter(|covered| !covered.pages.is_empty()) {
            let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
            let of = if unit == name { String::new() } else { format!(" in {unit}") };
            problem(format!("needs no reason{of}: {} covers it", pages.join(", ")));
        }
    }
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

/// How many units of a crate stand on what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The crate.
    pub name: &'static str,
    /// All of its units.
    pub units: usize,
    /// Those that a page's hash covers.
    pub by_pages: usize,
    /// Those that the list of exceptions gives a reason for.
    pub by_reasons: usize,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Count { name, units, by_pages, by_reasons } = self;
        let rest = units.saturating_sub(*by_pages).saturating_sub(*by_reasons);
        write!(f, "{name}: {units} units, {by_pages} by pages, {by_reasons} by reasons, {rest} by neither")
    }
}

/// The counts of each crate.
pub fn counts(covered: &[Covered]) -> Vec<Count> {
    let of = |name| {
        let units: Vec<_> = covered.iter().filter(|covered| is_in(&covered.unit, name)).collect();
        let by_pages = units.iter().filter(|covered| !covered.pages.is_empty()).count();
        let accounted = units.iter().filter(|covered| covered.is_accounted_for()).count();
        Count { name, units: units.len(), by_pages, by_reasons: accounted.saturating_sub(by_pages) }
    };
    CRATES.map(of).to_vec()
}
