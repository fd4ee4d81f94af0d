//! The paths by which pages name items, and the hash of what they name.

use super::unit::Unit;
use anyhow::{Error, Result, bail, ensure};
use sha2::{Digest, Sha256};
use std::{collections::BTreeSet, str::FromStr};

/// A path such as `indistinct::transformations::clamp::make_clamp`, `…::Table::sample`, `…::<T as Trait>::method`,
/// `…::a_macro!`, or that of a module, which means all in it.
pub(super) struct Path(Vec<String>);

impl Path {
    pub(super) fn crate_name(&self) -> &str {
        self.0.first().map_or("", String::as_str)
    }

    pub(super) fn segments(&self) -> &[String] {
        self.0.get(1..).unwrap_or_default()
    }
}

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

/// The hash of the item that `path` names among the units of its module.
pub(super) fn resolve(units: &[Unit], path: &[String]) -> Result<String> {
    let found: Vec<&Unit> = match path {
        [] => units.iter().filter(|unit| !unit.import).collect(),
        [name] => named(units, name)?,
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
    Ok(hash(units, &found))
}

/// What a single name means: a function, or a type with all that belongs to it, or a macro with its uses.
fn named<'a>(units: &'a [Unit], name: &str) -> Result<Vec<&'a Unit>> {
    let (owner, of_trait) = block(name);
    let bare = name.strip_suffix('!');
    let found: Vec<_> = units
        .iter()
        .filter(|unit| match (of_trait, bare) {
            (Some(of_trait), _) => unit.owner.as_deref() == Some(owner) && unit.of_trait.as_deref() == Some(of_trait),
            (None, Some(bare)) => unit.owner.is_none() && unit.name() == Some(bare),
            (None, None) => unit.owner.as_deref() == Some(owner) || unit.owner.is_none() && unit.is_named(owner),
        })
        .filter(|unit| !unit.import)
        .collect();
    Ok(found)
}

/// `<Type as Trait>` as the two names, and any other name as it is.
fn block(name: &str) -> (&str, Option<&str>) {
    let inner = name.strip_prefix('<').and_then(|name| name.strip_suffix('>'));
    match inner.and_then(|inner| inner.split_once(" as ")) {
        Some((owner, of_trait)) => (owner.trim(), Some(of_trait.trim())),
        None => (name, None),
    }
}

/// The hash of these units and of all units of the module that they name, directly or not. Of constructors and imports
/// only the name counts: the one has its own page, the other is code of another module.
fn hash(units: &[Unit], roots: &[&Unit]) -> String {
    let mut reached: BTreeSet<&str> = roots.iter().map(|unit| unit.text.as_str()).collect();
    let mut todo: Vec<&Unit> = roots.to_vec();
    while let Some(unit) = todo.pop() {
        for next in units.iter().filter(|next| !next.constructor) {
            if unit.mentions.iter().any(|name| next.is_named(name)) && reached.insert(&next.text) && !next.import {
                todo.push(next);
            }
        }
    }
    let mut digest = Sha256::new();
    for text in reached {
        digest.update(text.as_bytes());
        digest.update([0]);
    }
    digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
