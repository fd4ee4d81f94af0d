//! What reaches a unit without its name: methods of imported traits, operators, marker traits, modules inside a module.

use super::{Module, Tree, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// Name each unit by all that can make use of it.
pub(super) fn link(tree: &mut Tree) {
    let members = members(tree);
    let is_outside = |unit: &Unit, tree: &Tree| {
        unit.trait_meaning.as_ref().is_some_and(|path| path.split('|').all(|path| tree.split(path).is_none()))
    };
    let paths: Vec<String> = tree.modules().map(|module| module.path.clone()).collect();
    for path in &paths {
        let Some(mut module) = tree.0.remove(path) else { continue };
        for unit in &mut module.units {
            if unit.is_import() {
                // A method is found by its own name, if its trait is imported.
                let traits: Vec<String> =
                    unit.meanings().flat_map(|paths| paths.split('|')).map(str::to_owned).collect();
                unit.also_named(traits.iter().filter_map(|path| members.get(path)).flatten().cloned());
                unit.everywhere = traits.iter().any(|path| path.ends_with("::*") && tree.split(path).is_none());
            } else if is_outside(unit, tree) {
                // Operators, `Drop` and `?` name no method.
                unit.also_named(unit.owner.clone());
            }
        }
        tree.0.insert(path.clone(), module);
    }
    add_markers(tree, &members);
    // The innermost first: a module has what those inside it have.
    for path in paths.iter().rev() {
        if let Some((outer, name)) = path.rsplit_once("::")
            && let Some(inner) = tree.get(path).filter(|inner| inner.is_inline)
        {
            let units = inner.units.iter().map(|unit| at(unit, name)).collect();
            add(tree, outer, units);
        }
    }
}

/// The names of the members of each trait, by the trait's path.
fn members(tree: &Tree) -> BTreeMap<String, BTreeSet<String>> {
    let mut members: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for module in tree.modules() {
        for unit in module.units.iter().filter(|unit| unit.is_trait) {
            if let (Some(owner), Some(name)) = (&unit.owner, unit.name()) {
                let of_trait = members.entry(format!("{}::{owner}", module.path)).or_default();
                of_trait.extend((name != owner).then(|| name.to_owned()));
            }
        }
    }
    members
}

/// Who keeps the promise of a trait without members is part of the trait.
fn add_markers(tree: &mut Tree, members: &BTreeMap<String, BTreeSet<String>>) {
    let mut found: Vec<(String, Unit)> = Vec::new();
    for module in tree.modules() {
        for unit in module.units.iter().filter(|unit| unit.is_marker) {
            let Some(path) = &unit.trait_meaning else { continue };
            if let Some((outer, name)) = path.rsplit_once("::")
                && outer != module.path
                && members.get(path).is_some_and(BTreeSet::is_empty)
            {
                found.push((outer.to_owned(), at(unit, name)));
            }
        }
    }
    for (outer, unit) in found {
        add(tree, &outer, vec![unit]);
    }
}

/// A unit as another module sees it, by this name.
fn at(unit: &Unit, name: &str) -> Unit {
    let mut unit = unit.clone();
    unit.elsewhere = true;
    unit.also_named([name.to_owned()]);
    unit
}

fn add(tree: &mut Tree, path: &str, units: Vec<Unit>) {
    tree.0.entry(path.to_owned()).and_modify(|module: &mut Module| module.units.extend(units));
}
