//! Reads the modules of crates where the compiler finds them.

use super::{
    Module, Sources, Tree,
    items::{is_test, units},
    names::Names,
    normal::text,
    reach,
    unit::{Unit, is_lint},
};
use anyhow::{Context, Result, bail, ensure};
use quote::ToTokens;
use serde::Deserialize;
use std::collections::BTreeMap;
use syn::{Expr, Item, ItemMod, Lit, Meta};

#[derive(Deserialize)]
struct Manifest {
    package: Option<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
}

impl Tree {
    /// The modules of the crates under these folders.
    pub(crate) fn read(sources: &Sources, folders: &[&str]) -> Result<Self> {
        let mut tree = Self(BTreeMap::new());
        for (file, manifest) in sources.iter() {
            let Some(folder) = file.strip_suffix("/Cargo.toml") else { continue };
            if !folders.iter().any(|outer| folder.starts_with(outer)) {
                continue;
            }
            let manifest: Manifest = toml::from_str(manifest).with_context(|| format!("{file} is not understood"))?;
            let Some(package) = manifest.package else { continue };
            let roots = ["lib.rs", "main.rs"].map(|name| format!("{folder}/src/{name}"));
            if let Some(root) = roots.into_iter().find(|root| sources.get(root).is_some()) {
                let path = package.name.replace('-', "_");
                let place = Place { folder: format!("{folder}/src"), attributes: Vec::new(), is_inline: false };
                tree.add_file(sources, &root, path, place)?;
            }
        }
        let names = Names::of(tree.modules());
        let resolved: Vec<_> = tree.0.values().map(|module| (module.path.clone(), names.resolved(module))).collect();
        for (path, units) in resolved {
            tree.0.entry(path).and_modify(|module| module.units = units);
        }
        reach::link(&mut tree);
        Ok(tree)
    }

    fn add_file(&mut self, sources: &Sources, file: &str, path: String, place: Place) -> Result<()> {
        let code = sources.get(file).with_context(|| format!("there is no {file}"))?;
        let parsed = syn::parse_file(code).with_context(|| format!("cannot parse {file}"))?;
        let inner = parsed.attrs.iter().filter(|attribute| !is_lint(attribute));
        let inner = inner.map(|attribute| text(attribute.meta.to_token_stream()));
        let attributes = place.attributes.iter().cloned().chain(inner).collect();
        self.add(sources, &parsed.items, path, Place { attributes, ..place })
    }

    fn add(&mut self, sources: &Sources, items: &[Item], path: String, place: Place) -> Result<()> {
        for item in items {
            if let Item::Mod(inner) = item
                && !is_test(&inner.attrs)
            {
                let path = format!("{path}::{}", inner.ident);
                match &inner.content {
                    Some((_, items)) => {
                        self.add(sources, items, path, Place { is_inline: true, ..place.inside(inner) })?
                    }
                    None => {
                        let (file, place) = place.file_of(inner, sources)?;
                        self.add_file(sources, &file, path, place)?;
                    }
                }
            }
        }
        let Place { attributes, is_inline, .. } = place;
        let module = Module { path: path.clone(), attributes, is_inline, units: units(items) };
        let includes = module.units.iter().any(Unit::includes);
        ensure!(!includes, "{path} includes code of a file that is no module: no hash would cover it");
        ensure!(self.0.insert(path.clone(), module).is_none(), "two modules are named {path}");
        Ok(())
    }
}

/// Where the modules that a module declares are looked for.
struct Place {
    folder: String,
    attributes: Vec<String>,
    is_inline: bool,
}

impl Place {
    fn inside(&self, module: &ItemMod) -> Self {
        let attributes = module.attrs.iter().filter(|attribute| !is_lint(attribute));
        let attributes = attributes.map(|attribute| text(attribute.meta.to_token_stream()));
        let attributes = self.attributes.iter().cloned().chain(attributes).collect();
        Self { folder: format!("{}/{}", self.folder, module.ident), attributes, is_inline: false }
    }

    fn file_of(&self, module: &ItemMod, sources: &Sources) -> Result<(String, Self)> {
        let inside = self.inside(module);
        let named = module.attrs.iter().find(|attribute| attribute.path().is_ident("path"));
        if let Some(named) = named {
            let Meta::NameValue(pair) = &named.meta else { bail!("{} has a path that is no text", module.ident) };
            let Expr::Lit(syn::ExprLit { lit: Lit::Str(file), .. }) = &pair.value else {
                bail!("{} has a path that is no text", module.ident)
            };
            let file = joined(&self.folder, &file.value());
            let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
            return Ok((file, Self { folder, ..inside }));
        }
        let files = [format!("{}.rs", inside.folder), format!("{}/mod.rs", inside.folder)];
        let [beside, within] = &files;
        let file = if sources.get(beside).is_some() { beside } else { within };
        Ok((file.clone(), inside))
    }
}

/// A relative path from a folder, without `..` where that can be.
fn joined(folder: &str, file: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in file.split('/') {
        match part {
            "." => {}
            ".." if !parts.is_empty() => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}
