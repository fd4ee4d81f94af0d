//! What the names and paths in a module mean.

use super::unit::{Module, STAR, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// What a path leads to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Meaning {
    Module(String),
    /// An item of the workspace, or a name in one.
    Item(String),
    /// Something of another workspace.
    Outside(String),
}

impl Meaning {
    fn path(&self) -> &str {
        match self {
            Self::Module(path) | Self::Item(path) | Self::Outside(path) => path,
        }
    }
}

type Meanings = BTreeSet<Meaning>;

/// What each module calls things.
pub(super) struct Names<'a>(BTreeMap<&'a str, Scope<'a>>);

#[derive(Default)]
struct Scope<'a> {
    items: BTreeSet<&'a str>,
    /// What a macro may define, by the names that it is given.
    written: BTreeSet<&'a str>,
    children: BTreeSet<&'a str>,
    imports: BTreeMap<&'a str, Vec<&'a [String]>>,
    stars: Vec<&'a [String]>,
}

/// The names that are being looked up, for imports may go in a circle.
type Seen = BTreeSet<(String, String)>;

impl<'a> Names<'a> {
    pub(super) fn of(modules: impl Iterator<Item = &'a Module>) -> Self {
        let mut scopes: BTreeMap<&str, Scope<'_>> = BTreeMap::new();
        for module in modules {
            let scope = scopes.entry(&module.path).or_default();
            for unit in &module.units {
                match (&unit.import, unit.name()) {
                    (Some(path), Some(STAR)) => scope.stars.extend(path.split_last().map(|(_, path)| path)),
                    (Some(path), Some(name)) => scope.imports.entry(name).or_default().push(path),
                    _ if unit.is_macro => scope.written.extend(unit.defined()),
                    _ => scope.items.extend(unit.defined()),
                }
            }
            if let Some((outer, name)) = module.path.rsplit_once("::") {
                scopes.entry(outer).or_default().children.insert(name);
            }
        }
        Self(scopes)
    }

    /// A module's units, with what their paths mean, and with an import for each name of a star.
    pub(super) fn resolved(&self, module: &Module) -> Vec<Unit> {
        let mut found = Vec::new();
        for unit in &module.units {
            match (&unit.import, unit.name()) {
                (Some(path), Some(STAR)) => {
                    let path = path.split_last().map_or_else(Default::default, |(_, path)| path);
                    found.extend(self.offered(&module.path, path).into_iter().map(|name| unit.for_star(name)));
                    found.push(unit.clone());
                }
                _ => found.push(unit.clone()),
            }
        }
        for unit in &mut found {
            let is_import = unit.is_import();
            unit.resolve_heads(|path| self.label(&module.path, path, true));
            unit.resolve(|path| self.label(&module.path, path, is_import));
            unit.trait_meaning = unit.trait_path.as_ref().and_then(|path| self.label(&module.path, path, true));
        }
        found
    }

    /// What a path means, as text; for an import always, else where the path begins with a module.
    fn label(&self, module: &str, path: &[String], is_import: bool) -> Option<String> {
        let (path, star) = match path.split_last() {
            Some((last, path)) if last == STAR => (path, true),
            _ => (path, false),
        };
        let begins_with_module = || {
            let first = self.first(module, path.first()?, &mut Seen::new());
            first.iter().any(|meaning| matches!(meaning, Meaning::Module(_))).then_some(())
        };
        if !is_import {
            begins_with_module()?;
        }
        let mut meanings = self.meanings(module, path, &mut Seen::new());
        // What is used of a module of the same name is a longer path.
        if meanings.iter().any(|meaning| !matches!(meaning, Meaning::Module(_))) {
            meanings.retain(|meaning| !matches!(meaning, Meaning::Module(_)));
        }
        let mut paths: Vec<_> = meanings.iter().map(Meaning::path).map(str::to_owned).collect();
        paths.sort_unstable();
        paths.dedup();
        Some(paths.join("|") + if star { "::*" } else { "" })
    }

    fn meanings(&self, module: &str, path: &[String], seen: &mut Seen) -> Meanings {
        let Some((first, rest)) = path.split_first() else { return Meanings::new() };
        let mut found = self.first(module, first, seen);
        for name in rest {
            let step = |meaning: &Meaning| self.step(meaning, name, &mut seen.clone());
            found = found.iter().flat_map(step).collect();
        }
        found
    }

    /// What the first name of a path means.
    fn first(&self, module: &str, name: &str, seen: &mut Seen) -> Meanings {
        let outer = || module.rsplit_once("::").map_or(module, |(outer, _)| outer).to_owned();
        let of = |meaning| Meanings::from([meaning]);
        match name {
            "crate" => of(Meaning::Module(module.split("::").next().unwrap_or_default().to_owned())),
            "self" => of(Meaning::Module(module.to_owned())),
            "super" => of(Meaning::Module(outer())),
            _ => match self.find(module, name, seen) {
                found if !found.is_empty() => found,
                _ if seen.contains(&(module.to_owned(), name.to_owned())) && self.imports(module, name) => {
                    Meanings::new()
                }
                _ if self.0.contains_key(name) => of(Meaning::Module(name.to_owned())),
                _ => of(Meaning::Outside(name.to_owned())),
            },
        }
    }

    /// Whether a module imports something by this name.
    fn imports(&self, module: &str, name: &str) -> bool {
        self.0.get(module).is_some_and(|scope| scope.imports.contains_key(name))
    }

    fn step(&self, from: &Meaning, name: &str, seen: &mut Seen) -> Meanings {
        let inner = |path: &str| format!("{path}::{name}");
        match from {
            Meaning::Item(path) => [Meaning::Item(inner(path))].into(),
            Meaning::Outside(path) => [Meaning::Outside(inner(path))].into(),
            Meaning::Module(path) if name == "super" => self.first(path, name, seen),
            // What no item is seen to define is written by a macro.
            Meaning::Module(path) => match self.find(path, name, seen) {
                found if found.is_empty() => [Meaning::Item(inner(path))].into(),
                found => found,
            },
        }
    }

    /// What a name means in a module: an item, a module inside, what an import says; else what a macro may define; else
    /// what a star brings.
    fn find(&self, module: &str, name: &str, seen: &mut Seen) -> Meanings {
        let mut found = Meanings::new();
        let Some(scope) = self.0.get(module) else { return found };
        if scope.items.contains(name) {
            found.insert(Meaning::Item(format!("{module}::{name}")));
        }
        if scope.children.contains(name) {
            found.insert(Meaning::Module(format!("{module}::{name}")));
        }
        // An import of a name from the module of that name.
        if !seen.insert((module.to_owned(), name.to_owned())) {
            return found;
        }
        for path in scope.imports.get(name).into_iter().flatten() {
            found.extend(self.meanings(module, path, seen));
        }
        if found.is_empty() && scope.written.contains(name) {
            found.insert(Meaning::Item(format!("{module}::{name}")));
        }
        if found.is_empty() {
            for star in &scope.stars {
                for target in self.meanings(module, star, &mut seen.clone()) {
                    if let Meaning::Module(target) = target {
                        found.extend(self.find(&target, name, seen));
                    }
                }
            }
        }
        found
    }

    /// The names that a star after this path brings.
    fn offered(&self, module: &str, path: &[String]) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let mut todo: Vec<_> = self.meanings(module, path, &mut Seen::new()).into_iter().collect();
        let mut done = Meanings::new();
        while let Some(next) = todo.pop() {
            let Meaning::Module(path) = &next else { continue };
            let Some(scope) = self.0.get(path.as_str()) else { continue };
            names.extend(
                scope
                    .items
                    .iter()
                    .chain(&scope.written)
                    .chain(&scope.children)
                    .chain(scope.imports.keys())
                    .map(ToString::to_string),
            );
            for star in &scope.stars {
                let further = self.meanings(path, star, &mut Seen::new());
                todo.extend(further.into_iter().filter(|target| !done.contains(target)));
            }
            done.insert(next);
        }
        names
    }
}
