//! The workspace's crates and modules, read when they are asked for.

use super::{
    item::{Path as ItemPath, resolve},
    unit::{Unit, units},
};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::{
    cell::RefCell,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    rc::Rc,
};
use walkdir::WalkDir;

pub(super) struct Workspace {
    /// From a crate's name, as Rust writes it, to its folder of sources.
    crates: BTreeMap<String, PathBuf>,
    files: RefCell<BTreeMap<PathBuf, Rc<syn::File>>>,
}

#[derive(Deserialize)]
struct Manifest {
    package: Package,
}

#[derive(Deserialize)]
struct Package {
    name: String,
}

impl Workspace {
    pub(super) fn open(root: &Path) -> Result<Self> {
        let mut crates = BTreeMap::new();
        let folder = root.join("rust");
        for found in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let folder = found?.path();
            let Ok(text) = fs::read_to_string(folder.join("Cargo.toml")) else { continue };
            let manifest: Manifest =
                toml::from_str(&text).with_context(|| format!("{} has no package name", folder.display()))?;
            crates.insert(manifest.package.name.replace('-', "_"), folder.join("src"));
        }
        Ok(Self { crates, files: RefCell::default() })
    }

    /// The hash of an item: of its own tokens, and of all in the same module that it names, directly or not.
    pub(super) fn hash(&self, item: &str) -> Result<String> {
        let path: ItemPath = item.parse()?;
        let source =
            self.crates.get(path.crate_name()).with_context(|| format!("there is no crate {}", path.crate_name()))?;
        let root = ["lib.rs", "main.rs"].map(|name| source.join(name)).into_iter().find(|file| file.is_file());
        let root = root.with_context(|| format!("{} has no lib.rs", source.display()))?;
        let (mut file, mut folder) = (root, source.clone());
        let mut items = self.parse(&file)?.items.clone();
        let mut rest = path.segments();
        while let Some((module, after)) = rest.split_first() {
            let found = items.iter().find_map(|item| match item {
                syn::Item::Mod(found) if found.ident == module => Some(found.clone()),
                _ => None,
            });
            // A function may share its name with a module; the last segment then means the module.
            let Some(found) = found else { break };
            folder = folder.join(module);
            items = match found.content {
                Some((_, inner)) => inner,
                None => {
                    let beside = folder.with_extension("rs");
                    file = if beside.is_file() { beside } else { folder.join("mod.rs") };
                    self.parse(&file)?.items.clone()
                }
            };
            rest = after;
        }
        resolve(&units(&items)?, rest)
    }

    fn parse(&self, file: &Path) -> Result<Rc<syn::File>> {
        if let Some(known) = self.files.borrow().get(file) {
            return Ok(known.clone());
        }
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let parsed = syn::parse_file(&text).with_context(|| format!("cannot parse {}", file.display()))?;
        let parsed = Rc::new(parsed);
        self.files.borrow_mut().insert(file.to_owned(), parsed.clone());
        Ok(parsed)
    }

    /// The paths of all public functions named `make_*`.
    pub(super) fn constructors(&self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        for (name, source) in &self.crates {
            for file in WalkDir::new(source).sort_by_file_name() {
                let file = file?;
                if file.path().extension().is_none_or(|extension| extension != "rs") {
                    continue;
                }
                let mut module = vec![name.clone()];
                module.extend(modules_of(file.path().strip_prefix(source)?));
                constructors_in(&self.parse(file.path())?.items, &module, &mut found)?;
            }
        }
        let mut names: Vec<_> = found.iter().filter_map(|path: &String| path.rsplit("::").next()).collect();
        names.sort_unstable();
        let twice = names.iter().zip(names.iter().skip(1)).find(|(left, right)| left == right);
        if let Some((twice, _)) = twice {
            bail!("two constructors are named {twice}: a plan could not tell them apart");
        }
        Ok(found)
    }
}

/// The modules that a source file stands for: `a/b.rs` and `a/b/mod.rs` are `a::b`.
fn modules_of(file: &Path) -> Vec<String> {
    let mut parts: Vec<String> =
        file.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| last == "mod" || last == "lib" || last == "main") {
        parts.pop();
    }
    parts
}

fn constructors_in(items: &[syn::Item], module: &[String], found: &mut Vec<String>) -> Result<()> {
    let units = units(items)?;
    found.extend(units.iter().flat_map(Unit::constructors).map(|name| {
        let path: Vec<_> = module.iter().map(String::as_str).chain([name]).collect();
        path.join("::")
    }));
    for item in items {
        if let syn::Item::Mod(inner) = item
            && let Some((_, items)) = &inner.content
            && !super::unit::is_test(&inner.attrs)
        {
            let module = [module, &[inner.ident.to_string()]].concat();
            constructors_in(items, &module, found)?;
        }
    }
    Ok(())
}
