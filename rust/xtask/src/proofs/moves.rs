//! Whether code has only moved: its tokens are the same, and the names in it mean the same, elsewhere.
//!
//! All that an item's hash covers is looked for in the new tree, unit by unit: at its place, or at the one new place
//! where the same tokens are, if its own is gone. Then each name in each unit must lead to what it led to before, or to
//! where that has moved.

use super::item::Named;
use crate::code::{Module, Tree, Unit};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ptr,
};

/// A unit and its module.
#[derive(Clone, Copy)]
struct Spot<'a> {
    module: &'a Module,
    unit: &'a Unit,
}

impl PartialEq for Spot<'_> {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.unit, other.unit)
    }
}

/// What of an item must be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    /// All that its hash covers: a method's name stands for the methods of all types in the module.
    Hash,
    /// The item itself and what it names, for those who import it: only the methods of types that it names.
    Definition,
}

/// Where an item is now.
#[derive(Clone)]
struct Image<'a> {
    extent: Extent,
    /// Its path; several if it is in several modules now, that of its first unit first.
    paths: Vec<String>,
    /// Each unit that must be the same, and where it is now.
    pairs: Vec<(Spot<'a>, Spot<'a>)>,
}

impl Image<'_> {
    /// Whether a unit with this name is a function or type, or belongs to a type of these; a macro is known by its own
    /// name.
    fn speaks_of(&self, unit: &Spot<'_>, name: &str) -> bool {
        let is_of = |owner: &String| {
            let of =
                |(old, _): &(Spot<'_>, Spot<'_>)| old.unit.owner.as_ref() == Some(owner) || old.unit.is_named(owner);
            self.pairs.iter().any(of)
        };
        unit.unit.owner.as_ref().is_none_or(is_of) && (!unit.unit.is_macro || unit.unit.name() == Some(name))
    }
}

/// The moves between two trees.
pub(super) struct Moves<'a> {
    old: &'a Tree,
    new: &'a Tree,
    /// The new tree's units, by their tokens.
    by_shape: HashMap<String, Vec<Spot<'a>>>,
    /// Items that have moved if all else that is here has; items may name each other.
    assumed: BTreeMap<(String, Extent), Image<'a>>,
    /// Items that have not only moved.
    changed: BTreeSet<(String, Extent)>,
}

impl<'a> Moves<'a> {
    pub(super) fn between(old: &'a Tree, new: &'a Tree) -> Self {
        let mut by_shape: HashMap<String, Vec<Spot<'a>>> = HashMap::new();
        for module in new.modules() {
            for unit in module.units.iter().filter(|unit| !unit.is_import()) {
                by_shape.entry(unit.shape()).or_default().push(Spot { module, unit });
            }
        }
        Self { old, new, by_shape, assumed: BTreeMap::new(), changed: BTreeSet::new() }
    }

    /// The items that cover now what this one covered, itself first, if it had this hash and has only moved.
    pub(super) fn of(&mut self, item: &str, hash: &str) -> Option<Vec<String>> {
        if Named::find(self.old, item).ok()?.hash() != hash {
            return None;
        }
        // What has changed stays so; what moved only if that did not is tried again.
        let image = loop {
            let known = self.changed.len();
            self.assumed.clear();
            let image = self.image(item, Extent::Hash);
            if self.changed.len() == known {
                break image?;
            }
        };
        self.cover(&image)
    }

    /// Where an item of the old tree is in the new one.
    fn image(&mut self, item: &str, extent: Extent) -> Option<Image<'a>> {
        let key = (item.to_owned(), extent);
        if self.changed.contains(&key) {
            return None;
        }
        if let Some(image) = self.assumed.get(&key) {
            return Some(image.clone());
        }
        let image = self.placed(item, extent);
        let holds = image.is_some_and(|image| {
            self.assumed.insert(key.clone(), image.clone());
            image.pairs.iter().all(|(old, new)| self.mean_the_same(&image, *old, *new))
        });
        if !holds {
            self.assumed.remove(&key);
            self.changed.insert(key.clone());
        }
        self.assumed.get(&key).cloned()
    }

    /// Where all units of an item are, by their tokens alone.
    fn placed(&self, item: &str, extent: Extent) -> Option<Image<'a>> {
        let named = Named::find(self.old, item).ok()?;
        let units = match extent {
            Extent::Hash => named.reached(),
            Extent::Definition => named.defined(),
        };
        let mut pairs = Vec::new();
        for unit in units.into_iter().filter(|unit| !unit.is_import()) {
            let old = Spot { module: named.module, unit };
            pairs.push((old, self.place(old)?));
        }
        let mut paths = Vec::new();
        for root in named.roots {
            // Of units with the same tokens, the hash covers one.
            if let Some((_, new)) = pairs.iter().find(|(old, _)| ptr::eq(old.unit, root)) {
                let path = [vec![new.module.path.clone()], named.rest.clone()].concat().join("::");
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
        }
        Some(Image { extent, paths, pairs })
    }

    /// Where the tokens of a unit are: at its place, or, if nothing of its name is left there, at one place that is
    /// new.
    fn place(&self, old: Spot<'a>) -> Option<Spot<'a>> {
        let shape = old.unit.shape();
        let found = self.by_shape.get(&shape)?.iter().filter(|new| new.unit.elsewhere == old.unit.elsewhere);
        if let Some(same) = found.clone().find(|new| new.module.path == old.module.path) {
            return Some(*same);
        }
        let is_same_name = |unit: &&Unit| {
            !unit.is_import()
                && (unit.name(), &unit.owner, &unit.of_trait) == (old.unit.name(), &old.unit.owner, &old.unit.of_trait)
        };
        if self.new.get(&old.module.path).is_some_and(|module| module.units.iter().any(|unit| is_same_name(&unit))) {
            return None;
        }
        let was_there = |new: &&Spot<'a>| {
            let before = self.old.get(&new.module.path);
            before.is_some_and(|module| module.units.iter().any(|unit| !unit.is_import() && unit.shape() == shape))
        };
        let mut fresh = found.filter(|new| !was_there(new));
        match (fresh.next(), fresh.next()) {
            (Some(place), None) => Some(*place),
            _ => None,
        }
    }

    /// Whether a unit with the same tokens means the same: by the paths in it, and by the names of its module and
    /// imports.
    fn mean_the_same(&mut self, image: &Image<'a>, old: Spot<'a>, new: Spot<'a>) -> bool {
        let paths: Vec<(&str, &str)> = old.unit.meanings().zip(new.unit.meanings()).collect();
        old.module.attributes == new.module.attributes
            && paths.into_iter().all(|(old, new)| self.is_now(old, new))
            && old.unit.mentions.union(&new.unit.mentions).all(|name| self.name_means_the_same(image, old, new, name))
    }

    fn name_means_the_same(&mut self, image: &Image<'a>, old: Spot<'a>, new: Spot<'a>, name: &str) -> bool {
        let (mut before, mut after) = (Sense::of(old, name), Sense::of(new, name));
        if image.extent == Extent::Definition {
            before.units.retain(|unit| image.speaks_of(unit, name));
            after.units.retain(|unit| image.speaks_of(unit, name));
        }
        let now = |unit: &Spot<'a>| image.pairs.iter().find(|(old, _)| old == unit).map(|(_, new)| *new);
        let moved: Vec<(Spot<'a>, Option<Spot<'a>>)> = before.units.iter().map(|unit| (*unit, now(unit))).collect();
        // What was here is here, or is imported now. A method is found through its type, whose name must lead there,
        // and so is what the use of a macro writes.
        let units_stay = moved.iter().all(|(unit, place)| {
            place.is_some_and(|place| {
                after.units.contains(&place)
                    || after.paths.iter().any(|path| leads_to(self.new, path, place))
                    || unit.unit.owner.is_some()
                    || unit.unit.is_macro && unit.unit.name() != Some(name)
            })
        });
        // What was imported is imported from where it is now, or is here.
        let paths_stay = before.paths.iter().all(|path| {
            after.paths.iter().any(|now| self.is_now(path, now))
                || after.units.iter().any(|unit| self.has_become(path, *unit))
        });
        // And nothing else has that name.
        let no_new_units = after.units.iter().all(|unit| {
            moved.iter().any(|(_, place)| *place == Some(*unit))
                || before.paths.iter().any(|path| self.has_become(path, *unit))
        });
        let no_new_paths = after.paths.iter().all(|path| {
            before.paths.iter().any(|before| self.is_now(before, path))
                || moved.iter().any(|(_, place)| place.is_some_and(|place| leads_to(self.new, path, place)))
        });
        units_stay && paths_stay && no_new_units && no_new_paths
    }

    /// Whether something that was imported from this path is now this unit.
    fn has_become(&mut self, path: &str, unit: Spot<'a>) -> bool {
        self.image(path, Extent::Definition).is_some_and(|image| image.pairs.iter().any(|(_, new)| *new == unit))
    }

    /// Whether an old path and a new one mean the same: they are equal, or what was at the one is at the other.
    fn is_now(&mut self, old: &str, new: &str) -> bool {
        let (all_old, all_new): (Vec<_>, Vec<_>) = (old.split('|').collect(), new.split('|').collect());
        old == new
            || all_old.len() == all_new.len()
                && all_old.iter().all(|old| {
                    all_new.contains(old) || self.path_now(old).is_some_and(|now| all_new.contains(&now.as_str()))
                })
    }

    /// Where what a path leads to has moved. What a macro writes moves with what stands before it: `then_x` with
    /// `make_x`, all else with its type or module.
    fn path_now(&mut self, path: &str) -> Option<String> {
        if Named::find(self.old, path).is_ok() {
            return self.whole(path);
        }
        let (outer, name) = path.rsplit_once("::")?;
        match name.strip_prefix("then_").map(|name| format!("{outer}::make_{name}")) {
            Some(make) if Named::find(self.old, &make).is_ok() => {
                let now = self.whole(&make)?;
                let (outer, _) = now.rsplit_once("::")?;
                Some(format!("{outer}::{name}"))
            }
            _ => Some(format!("{}::{name}", self.path_now(outer)?)),
        }
    }

    /// Where all of an item is now, if that is one place. A module has nothing else in it then.
    fn whole(&mut self, item: &str) -> Option<String> {
        let is_module = Named::find(self.old, item).is_ok_and(|named| named.rest.is_empty());
        let image = self.image(item, if is_module { Extent::Hash } else { Extent::Definition })?;
        if is_module {
            self.cover(&image)?;
        }
        match image.paths.as_slice() {
            [path] => Some(path.clone()),
            _ => None,
        }
    }

    /// Items of the new tree whose hashes cover what the image consists of, and nothing else. A module or type may be
    /// in several modules now, and is named whole in each; of what else it needs, methods and functions cover their
    /// types.
    fn cover(&self, image: &Image<'a>) -> Option<Vec<String>> {
        let mut missing: Vec<Spot<'a>> = image.pairs.iter().map(|(_, new)| *new).collect();
        let images = missing.clone();
        let covered_by = |path: &str| {
            let named = Named::find(self.new, path).ok()?;
            let units = named.reached().into_iter().filter(|unit| !unit.is_import());
            let covered: Vec<_> = units.map(|unit| Spot { module: named.module, unit }).collect();
            covered.iter().all(|spot| images.contains(spot)).then_some(covered)
        };
        for path in &image.paths {
            let covered = covered_by(path)?;
            missing.retain(|spot| !covered.contains(spot));
        }
        let mut found = image.paths.clone();
        let mut further = missing.clone();
        further.sort_by_key(|spot| (spot.unit.owner.is_none(), !spot.unit.is_function));
        for path in further.iter().filter_map(|spot| spot.unit.path_in(&spot.module.path)) {
            let known = missing.len();
            if let Some(covered) = covered_by(&path) {
                missing.retain(|spot| !covered.contains(spot));
            }
            if missing.len() < known {
                found.push(path);
            }
        }
        missing.is_empty().then_some(found)
    }
}

/// What a name stands for in a unit: units of its module, what these import, and what its own paths lead to.
/// Constructors are known by their paths alone.
struct Sense<'a> {
    units: Vec<Spot<'a>>,
    paths: Vec<String>,
}

impl<'a> Sense<'a> {
    fn of(spot: Spot<'a>, name: &str) -> Self {
        let Spot { module, unit } = spot;
        let ends = |path: &&str| path.rsplit("::").next() == Some(name);
        let (mut units, mut paths) = (Vec::new(), unit.meanings().filter(ends).map(str::to_owned).collect::<Vec<_>>());
        for unit in module.units.iter().filter(|unit| unit.is_named(name)) {
            if unit.is_import() {
                paths.extend(unit.meanings().map(str::to_owned));
            } else if unit.constructor {
                paths.push(format!("{}::{name}", module.path));
            } else {
                units.push(Spot { module, unit });
            }
        }
        Self { units, paths }
    }
}

/// Whether a path leads to a unit, or to the type or trait that it belongs to.
fn leads_to(tree: &Tree, path: &str, spot: Spot<'_>) -> bool {
    tree.split(path).is_some_and(|(module, rest)| {
        let name = spot.unit.owner.as_deref().or(spot.unit.name());
        ptr::eq(module, spot.module) && (name == Some(rest) || spot.unit.is_named(rest))
    })
}
