//! What the crates use of each other, as their manifests say.

use super::svg::{ARROW, DASHES, GRAY, INK, PALE, PALE_BLUE, Picture};
use anyhow::{Context, Result};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};
use toml::{Table, Value};

/// A crate that users meet, and what it uses of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crate {
    /// Without the project's name before it.
    pub name: String,
    /// The crates that it cannot do without.
    pub uses: BTreeSet<String>,
    /// The crates that it uses where a feature is on.
    pub may_use: BTreeSet<String>,
}

const PROJECT: &str = "indistinct";

fn short(name: &str) -> String {
    name.strip_prefix(PROJECT).map_or(name, |rest| rest.strip_prefix('-').unwrap_or(PROJECT)).to_owned()
}

/// The crates in `rust` and in `rust/cluster` that are given to others: those that are published, and the Python
/// package.
pub fn crates(root: &Path) -> Result<Vec<Crate>> {
    let mut found = Vec::new();
    let inside = |folder: &str| fs::read_dir(root.join(folder)).with_context(|| format!("no folder {folder}"));
    let entries = inside("rust")?.chain(inside("rust/cluster")?);
    let mut folders = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    folders.sort();
    for manifest in folders.iter().map(|folder| folder.join("Cargo.toml")).filter(|manifest| manifest.is_file()) {
        let text = fs::read_to_string(&manifest)?;
        let manifest: Table = toml::from_str(&text).with_context(|| format!("cannot read {}", manifest.display()))?;
        // A workspace of its own has none.
        let Some(package) = manifest.get("package") else { continue };
        let name = short(package.get("name").and_then(Value::as_str).context("no name")?);
        let is_kept_back = package.get("publish").and_then(Value::as_bool) == Some(false);
        if is_kept_back && name != "python" {
            continue;
        }
        let (mut uses, mut may_use) = (BTreeSet::new(), BTreeSet::new());
        for (other, how) in manifest.get("dependencies").and_then(Value::as_table).into_iter().flatten() {
            if other == PROJECT || other.starts_with("indistinct-") {
                let is_optional = how.get("optional").and_then(Value::as_bool) == Some(true);
                if is_optional {
                    may_use.insert(short(other))
                } else {
                    uses.insert(short(other))
                };
            }
        }
        found.push(Crate { name, uses, may_use });
    }
    Ok(found)
}

/// How many arrows lead from a crate down to one that uses none, at most.
fn depth(name: &str, all: &BTreeMap<&str, &Crate>) -> usize {
    let Some(one) = all.get(name) else { return 0 };
    one.uses.iter().chain(&one.may_use).map(|used| depth(used, all) + 1).max().unwrap_or(0)
}

/// Whether a crate leads to another, by arrows of any number.
fn leads(from: &str, to: &str, all: &BTreeMap<&str, &Crate>) -> bool {
    from == to || all.get(from).is_some_and(|one| one.uses.iter().chain(&one.may_use).any(|used| leads(used, to, all)))
}

const WIDTH: i32 = 118;
const HEIGHT: i32 = 34;
const ACROSS: i32 = 150;
const DOWN: i32 = 90;
const MARGIN: i32 = 24;

/// Users above what they use, each floor as high as it can be. An arrow that a way through others implies is left out.
pub(super) fn draw(crates: &[Crate]) -> String {
    let all: BTreeMap<&str, &Crate> = crates.iter().map(|one| (one.name.as_str(), one)).collect();
    let uses = |one: &Crate, other: &str| one.uses.contains(other) || one.may_use.contains(other);
    let top = crates.iter().map(|one| depth(&one.name, &all)).max().unwrap_or(0);
    let mut floors: Vec<Vec<&Crate>> = vec![Vec::new(); top + 1];
    let mut floor_of: BTreeMap<&str, usize> = BTreeMap::new();
    let mut by_depth: Vec<&Crate> = crates.iter().collect();
    by_depth.sort_by_key(|one| std::cmp::Reverse(depth(&one.name, &all)));
    for one in by_depth {
        let users = crates.iter().filter(|user| uses(user, &one.name));
        let below = users.filter_map(|user| floor_of.get(user.name.as_str())).min();
        let floor = below.map_or(depth(&one.name, &all), |floor| floor.saturating_sub(1));
        floor_of.insert(&one.name, floor);
        if let Some(place) = floors.get_mut(floor) {
            place.push(one);
        }
    }
    let widest = floors.iter().map(Vec::len).max().unwrap_or(1);
    let scale = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
    let width = 2 * MARGIN + (scale(widest) - 1) * ACROSS + WIDTH;
    let height = 2 * MARGIN + scale(top) * DOWN + HEIGHT;
    let mut corners: BTreeMap<&str, (i32, i32)> = BTreeMap::new();
    for (floor, inside) in floors.iter_mut().enumerate().rev() {
        // Below the middle of its users, so that few arrows cross.
        let middle = |one: &Crate| {
            let users: Vec<i32> = crates
                .iter()
                .filter(|user| uses(user, &one.name))
                .filter_map(|user| Some(corners.get(user.name.as_str())?.0))
                .collect();
            users.iter().sum::<i32>() / scale(users.len()).max(1)
        };
        inside.sort_by_key(|one| (middle(one), one.name.clone()));
        let left = (width - (scale(inside.len()) - 1) * ACROSS - WIDTH) / 2;
        for (place, one) in inside.iter().enumerate() {
            let corner = (left + scale(place) * ACROSS, MARGIN + scale(top - floor) * DOWN);
            corners.insert(&one.name, corner);
        }
    }
    let mut picture =
        Picture::new(width, height, "What the crates use of each other: an arrow leads from a user to what it uses");
    for one in crates {
        for other in one.uses.union(&one.may_use) {
            let is_implied = one.uses.union(&one.may_use).any(|way| way != other && leads(way, other, &all));
            if let (Some((x, y)), Some((to_x, to_y)), false) =
                (corners.get(one.name.as_str()), corners.get(other.as_str()), is_implied)
            {
                let look = if one.uses.contains(other) { ARROW.to_owned() } else { format!("{ARROW}{DASHES}") };
                picture.line((x + WIDTH / 2, y + HEIGHT), (to_x + WIDTH / 2, to_y - 2), (GRAY, &look));
            }
        }
    }
    for (name, (x, y)) in &corners {
        picture.labelled((*x, *y, WIDTH, HEIGHT), name, (INK, if *name == PROJECT { PALE_BLUE } else { PALE }));
    }
    picture.finish()
}
