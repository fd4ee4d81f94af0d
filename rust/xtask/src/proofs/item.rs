//! The paths by which pages name items, and the hash of what they name.

use crate::code::{Module, Tree, Unit};
use anyhow::{Context, Error, Result, bail, ensure};
use sha2::{Digest, Sha256};
use std::{
    collections::{BTreeMap, BTreeSet},
    str::FromStr,
};

/// What a path names: `indistinct::transformations::clamp::make_clamp`, `…::Table::sample`,
/// `…::<T as Trait>::method`, `…::a_macro!`, or a module, which means all in it.
pub(super) struct Named<'a> {
    pub(super) module: &'a Module,
    /// The path within the module; empty for all of it.
    pub(super) rest: Vec<String>,
    pub(super) roots: Vec<&'a Unit>,
}

/// The segments of such a path.
struct Path(Vec<String>);

impl FromStr for Path {
    type Err = Error;

    /// Segments are parted by `::` outside of angle brackets.
    fn from_str(text: &str) -> Result<Self> {
        let (mut segments, mut segment, mut depth) = (Vec::new(), String::new(), 0u32);
        let mut marks = text.chars().peekable();
        while let Some(mark) = marks.next() {
            match mark {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                ':' if depth == 0 && marks.next_if_eq(&':').is_some() => {
                    segments.push(std::mem::take(&mut segment));
                    continue;
                }
                _ => {}
            }
            segment.push(mark);
        }
        segments.push(segment);
        ensure!(segments.iter().all(|segment| !segment.is_empty()), "not a path");
        Ok(Self(segments))
    }
}

impl<'a> Named<'a> {
    pub(super) fn find(tree: &'a Tree, item: &str) -> Result<Self> {
        let Path(segments) = item.parse()?;
        let mut found = None;
        // A function may share its name with a module; the last segment then means the module.
        for length in 1..=segments.len() {
            let (path, rest) = segments.split_at(length);
            match tree.get(&path.join("::")) {
                Some(module) => found = Some((module, rest)),
                None => break,
            }
        }
        let crate_name = segments.first().map_or("", String::as_str);
        let (module, rest) = found.with_context(|| format!("there is no crate {crate_name}"))?;
        Ok(Self { module, rest: rest.to_vec(), roots: roots(&module.units, rest)? })
    }

    /// The item, and all units of its module that it names, directly or not. Of constructors and imports only the name
    /// counts: the one has its own page, the other is code of another module.
    pub(super) fn reached(&self) -> Vec<&'a Unit> {
        let mut by_name: BTreeMap<&str, Vec<&Unit>> = BTreeMap::new();
        let others = || self.module.units.iter().filter(|unit| !unit.constructor);
        for unit in others() {
            unit.names().for_each(|name| by_name.entry(name).or_default().push(unit));
        }
        let mut texts: BTreeSet<&str> = self.roots.iter().map(|unit| unit.text.as_str()).collect();
        let (mut found, mut todo) = (Vec::new(), self.roots.clone());
        todo.extend(others().filter(|unit| unit.everywhere && texts.insert(&unit.text)));
        while let Some(unit) = todo.pop() {
            let named = unit.mentions.iter().filter_map(|name| by_name.get(name.as_str())).flatten().copied();
            todo.extend(named.filter(|next| texts.insert(&next.text)));
            found.push(unit);
        }
        found
    }

    /// The item, and the units of its module that it names, directly or not; of methods, those of types that it names.
    pub(super) fn defined(&self) -> Vec<&'a Unit> {
        let is_local = |name: &str| self.module.units.iter().any(|unit| !unit.is_import() && unit.name() == Some(name));
        let mut found = self.roots.clone();
        loop {
            let known = found.len();
            for next in self.module.units.iter().filter(|next| !next.constructor) {
                let names = |name: &String| next.is_named(name) && (!next.is_macro || next.name() == Some(name));
                let is_mentioned = |unit: &&Unit| unit.mentions.iter().any(names);
                let is_of_known = |name: &String| {
                    !is_local(name)
                        || next.name() == Some(name)
                        || found.iter().any(|unit| unit.owner.as_ref() == Some(name) || unit.is_named(name))
                };
                if !found.iter().any(|unit| std::ptr::eq(*unit, next))
                    && [&next.owner, &next.of_trait].into_iter().flatten().all(is_of_known)
                    && found.iter().any(is_mentioned)
                {
                    found.push(next);
                }
            }
            if found.len() == known {
                return found;
            }
        }
    }

    pub(super) fn hash(&self) -> String {
        let attributes = self.module.attributes.iter().map(|attribute| format!("mod # {attribute}"));
        hash_of(self.reached().iter().map(|unit| unit.text.clone()).chain(attributes))
    }
}

/// The hash of texts, in whatever order.
pub(super) fn hash_of(texts: impl IntoIterator<Item = String>) -> String {
    let mut digest = Sha256::new();
    for text in texts.into_iter().collect::<BTreeSet<_>>() {
        digest.update(text.as_bytes());
        digest.update([0]);
    }
    digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The units that a path within a module names.
fn roots<'a>(units: &'a [Unit], path: &[String]) -> Result<Vec<&'a Unit>> {
    let found: Vec<&Unit> = match path {
        [] => units.iter().filter(|unit| !unit.is_import()).collect(),
        [name] => named(units, name),
        [owner, member] => {
            let (owner, of_trait) = block(owner);
            let of_block = |unit: &&Unit| {
                unit.owner.as_deref() == Some(owner)
                    && unit.name() == Some(member)
                    && of_trait.is_none_or(|name| unit.of_trait.as_deref() == Some(name))
            };
            let found: Vec<_> = units.iter().filter(of_block).collect();
            ensure!(found.len() < 2, "means {} methods: write <Type as Trait>::{member}", found.len());
            found
        }
        _ => bail!("names no module, item or method"),
    };
    ensure!(!found.is_empty(), "there is no such item");
    Ok(found)
}

/// What a single name means: a function, or a type with all that belongs to it, or a macro with its uses.
fn named<'a>(units: &'a [Unit], name: &str) -> Vec<&'a Unit> {
    let (owner, of_trait) = block(name);
    let bare = name.strip_suffix('!');
    units
        .iter()
        .filter(|unit| match (of_trait, bare) {
            (Some(of_trait), _) => unit.owner.as_deref() == Some(owner) && unit.of_trait.as_deref() == Some(of_trait),
            (None, Some(bare)) => unit.owner.is_none() && unit.name() == Some(bare),
            (None, None) => unit.owner.as_deref() == Some(owner) || unit.owner.is_none() && unit.is_named(owner),
        })
        .filter(|unit| !unit.is_import())
        .collect()
}

/// `<Type as Trait>` as the two names, and any other name as it is.
fn block(name: &str) -> (&str, Option<&str>) {
    let inner = name.strip_prefix('<').and_then(|name| name.strip_suffix('>'));
    match inner.and_then(|inner| inner.split_once(" as ")) {
        Some((owner, of_trait)) => (owner.trim(), Some(of_trait.trim())),
        None => (name, None),
    }
}
