//! What decides how code is built, and which foreign code it calls: a page names these as items of `workspace`.
//!
//! | item | what is hashed |
//! |---|---|
//! | `workspace::profiles` | the checks that each profile makes, and what a panic does |
//! | `workspace::settings` | Cargo's settings but for aliases; what is put in place of other packages |
//! | `workspace::manifest::<crate>` | features and dependencies of a crate, and where its code is |
//! | `workspace::manifest::cluster` | what the workspace of the cluster's crates takes from this one |
//! | `workspace::locked::<package>` | the versions of a trusted dependency, with their checksums |
//!
//! Profiles, settings and locked versions are those of both workspaces: this one, and that of `rust/cluster`. Settings
//! in any other file are refused, and so is the feature `testing` in what makes releases.

use crate::code::{Sources, is_setting};
use anyhow::{Context, Result, bail, ensure};
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

/// The crates that make a release, by their folders.
const CRATES: [&str; 5] = ["numeric", "sampling", "accounting", "derive", "indistinct"];

/// The packages whose work nothing checks.
const TRUSTED: [&str; 9] =
    ["chacha20", "getrandom", "gmp-mpfr-sys", "libsqlite3-sys", "rand_core", "rug", "rusqlite", "siphasher", "zeroize"];

/// The folder of the workspace with the crates that run on clusters.
const CLUSTER: &str = "rust/cluster";

/// The file with Cargo's settings.
const SETTINGS: &str = ".cargo/config.toml";

/// The crates that may draw on seeds: none makes a release.
const SEEDED: [&str; 5] = ["rust/audit", "rust/audit-cli", "rust/audit/tests/gate", "rust/bench", "rust/fuzz"];

/// The feature by which a release takes bits of the caller's choosing.
const TESTING: &str = "testing";

/// What a profile may say that changes what code does.
const CHECKS: [&str; 4] = ["overflow-checks", "debug-assertions", "panic", "inherits"];

/// What a manifest says for people, or for tests alone.
const UNUSED: [&str; 7] = ["dev-dependencies", "lints", "bench", "test", "example", "bin", "badges"];
const WORDS: [&str; 14] = [
    "authors",
    "categories",
    "description",
    "documentation",
    "exclude",
    "homepage",
    "include",
    "keywords",
    "license",
    "metadata",
    "publish",
    "readme",
    "repository",
    "version",
];

/// Whether a page names something of the build, and no code.
pub(super) fn is_build(item: &str) -> bool {
    item.starts_with("workspace::")
}

/// What must be named by some page.
pub(super) fn required(sources: &Sources) -> Vec<String> {
    if sources.get("Cargo.toml").is_none() {
        return Vec::new();
    }
    let manifests = CRATES.iter().copied().chain(cluster_root(sources).is_some().then_some("cluster"));
    let manifests = manifests.map(|name| format!("workspace::manifest::{name}"));
    let locked = TRUSTED.map(|name| format!("workspace::locked::{name}"));
    let all = ["workspace::profiles", "workspace::settings"].map(str::to_owned);
    all.into_iter().chain(manifests).chain(locked).collect()
}

/// The manifest of the cluster's workspace, where there is one.
fn cluster_root(sources: &Sources) -> Option<String> {
    let file = format!("{CLUSTER}/Cargo.toml");
    sources.get(&file).map(|_| file)
}

/// What is hashed, in words.
pub(super) fn text(sources: &Sources, item: &str) -> Result<String> {
    let root = table(sources, "Cargo.toml")?;
    let cluster = cluster_root(sources).map(|file| table(sources, &file)).transpose()?;
    let workspaces = || std::iter::once(&root).chain(&cluster);
    let parts: Vec<&str> = item.split("::").collect();
    match parts.as_slice() {
        [_, "profiles"] => {
            let of = |root: &Table| checks(root.get("profile").and_then(Value::as_table));
            Ok(format!("{:?}", workspaces().map(of).collect::<Vec<_>>()))
        }
        [_, "settings"] => {
            let mut settings = if sources.get(SETTINGS).is_some() { table(sources, SETTINGS)? } else { Table::new() };
            settings.remove("alias");
            let of = |root: &Table| {
                let replaced = ["patch", "replace"].map(|key| root.get(key));
                let resolver = root.get("workspace").and_then(|workspace| workspace.get("resolver"));
                format!("{replaced:?} {resolver:?}")
            };
            Ok(format!("{settings:?} {:?}", workspaces().map(of).collect::<Vec<_>>()))
        }
        [_, "manifest", "cluster"] => {
            let cluster = cluster.context("there is no such workspace")?;
            let members = cluster.get("workspace").and_then(|workspace| workspace.get("members"));
            Ok(format!("{members:?} {:?}", own_dependencies(&cluster)))
        }
        [_, "manifest", name] => manifest(sources, &root, name),
        [_, "locked", name] => locked(sources, name),
        _ => bail!("names nothing of the build"),
    }
}

fn table(sources: &Sources, file: &str) -> Result<Table> {
    let text = sources.get(file).with_context(|| format!("there is no {file}"))?;
    toml::from_str(text).with_context(|| format!("{file} is not understood"))
}

/// What profiles say of checks, at any depth.
fn checks(profiles: Option<&Table>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (name, value) in profiles.into_iter().flatten() {
        match value {
            Value::Table(inner) => {
                found.extend(checks(Some(inner)).into_iter().map(|(rest, value)| (format!("{name}.{rest}"), value)));
            }
            value if CHECKS.contains(&name.as_str()) => drop(found.insert(name.clone(), format!("{value:?}"))),
            _ => {}
        }
    }
    found
}

/// A crate's manifest, with what it takes from that of the workspace.
fn manifest(sources: &Sources, root: &Table, name: &str) -> Result<String> {
    let folder = format!("rust/{name}");
    let mut manifest = table(sources, &format!("{folder}/Cargo.toml"))?;
    UNUSED.iter().for_each(|key| drop(manifest.remove(*key)));
    if let Some(package) = manifest.get_mut("package").and_then(Value::as_table_mut) {
        WORDS.iter().for_each(|key| drop(package.remove(*key)));
    }
    let shared = root.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let mut inherited = BTreeMap::new();
    for kind in ["dependencies", "build-dependencies"] {
        for package in manifest.get(kind).and_then(Value::as_table).into_iter().flat_map(Table::keys) {
            let mut declared = shared.and_then(|shared| shared.get(package)).cloned();
            // The version that is used is in the lock file.
            match &mut declared {
                Some(Value::Table(declared)) => drop(declared.remove("version")),
                other => *other = None,
            }
            inherited.insert(package.clone(), declared);
        }
    }
    let script = sources.get(&format!("{folder}/build.rs"));
    Ok(format!("{manifest:?} {inherited:?} {script:?}"))
}

/// The dependencies of a workspace that lie in this repository, but for their versions.
fn own_dependencies(root: &Table) -> BTreeMap<&String, Table> {
    let shared = root.get("workspace").and_then(|workspace| workspace.get("dependencies")).and_then(Value::as_table);
    let own = shared.into_iter().flatten().filter_map(|(name, declared)| Some((name, declared.as_table()?)));
    let own = own.filter(|(_, declared)| declared.contains_key("path"));
    own.map(|(name, declared)| {
        let mut declared = declared.clone();
        declared.remove("version");
        (name, declared)
    })
    .collect()
}

/// The versions of a package, where they come from and their checksums, in each workspace that has it.
fn locked(sources: &Sources, name: &str) -> Result<String> {
    let mut all = Vec::new();
    for file in ["Cargo.lock".to_owned(), format!("{CLUSTER}/Cargo.lock")] {
        let lock = if sources.get(&file).is_some() { table(sources, &file)? } else { Table::new() };
        let packages = lock.get("package").and_then(Value::as_array).into_iter().flatten();
        let is_it = |package: &&Value| package.get("name").and_then(Value::as_str) == Some(name);
        let found = packages.filter(is_it).map(|package| {
            ["version", "source", "checksum"].map(|key| package.get(key).and_then(Value::as_str).map(str::to_owned))
        });
        all.push(found.collect::<Vec<_>>());
    }
    ensure!(all.first().is_some_and(|found| !found.is_empty()), "there is no such package in Cargo.lock");
    Ok(format!("{all:?}"))
}

/// What is refused, whatever pages say: settings where they are not looked for, and releases on seeds.
pub(super) fn problems(sources: &Sources) -> Result<Vec<String>> {
    let is_stray = |file: &&str| *file != SETTINGS && is_setting(file);
    let mut found: Vec<String> = sources
        .iter()
        .map(|(file, _)| file)
        .filter(is_stray)
        .map(|file| format!("{file} decides how code is built, and no hash covers it: only {SETTINGS} may"))
        .collect();
    let packages = Package::read_all(sources)?;
    for (name, package) in packages.iter().filter(|(_, package)| !SEEDED.contains(&package.folder.as_str())) {
        let mut on = BTreeSet::new();
        turn_on(name, "default", &packages, &mut on);
        let seeded: Vec<_> =
            on.iter().filter(|(_, feature)| feature == TESTING).map(|(name, _)| name.as_str()).collect();
        if !seeded.is_empty() {
            found.push(format!("{} is built with the feature {TESTING} of {}", package.folder, seeded.join(", ")));
        }
    }
    Ok(found)
}

/// A crate of this repository, as Cargo builds it.
struct Package {
    folder: String,
    /// The features of its own, and what each turns on.
    features: BTreeMap<String, Vec<String>>,
    /// What its code is built with, by the names that its features use.
    dependencies: BTreeMap<String, Dependency>,
}

/// A dependency on another crate of this repository.
struct Dependency {
    package: String,
    features: Vec<String>,
}

impl Package {
    /// Those under `rust`, by their names.
    fn read_all(sources: &Sources) -> Result<BTreeMap<String, Self>> {
        let mut found = BTreeMap::new();
        let shared_of = |file: &str| -> Result<Table> {
            let root = if sources.get(file).is_some() { table(sources, file)? } else { Table::new() };
            let shared = root.get("workspace").and_then(|workspace| workspace.get("dependencies"));
            Ok(shared.and_then(Value::as_table).cloned().unwrap_or_default())
        };
        let (here, cluster) = (shared_of("Cargo.toml")?, shared_of(&format!("{CLUSTER}/Cargo.toml"))?);
        for (file, _) in sources.iter().filter(|(file, _)| file.starts_with("rust/")) {
            let Some(folder) = file.strip_suffix("/Cargo.toml") else { continue };
            let manifest = table(sources, file)?;
            let name = manifest.get("package").and_then(|package| package.get("name")).and_then(Value::as_str);
            let Some(name) = name else { continue };
            let shared = if folder.starts_with(CLUSTER) { &cluster } else { &here };
            let features = manifest.get("features").and_then(Value::as_table).into_iter().flatten();
            let features = features.map(|(name, on)| (name.clone(), strings(Some(on)))).collect();
            let targets = manifest.get("target").and_then(Value::as_table).into_iter().flatten();
            let places = targets.filter_map(|(_, target)| target.as_table()).chain([&manifest]);
            let kinds = places.flat_map(|place| {
                ["dependencies", "build-dependencies"].into_iter().filter_map(|kind| place.get(kind)?.as_table())
            });
            let dependencies = kinds
                .flatten()
                .map(|(name, declared)| (name.clone(), Dependency::of(name, declared, shared)))
                .collect();
            found.insert(name.to_owned(), Self { folder: folder.to_owned(), features, dependencies });
        }
        Ok(found)
    }
}

/// Turn on a feature of a crate, and what the crate is built with. A dependency that is optional counts as one that is
/// there.
fn turn_on(name: &str, feature: &str, packages: &BTreeMap<String, Package>, on: &mut BTreeSet<(String, String)>) {
    let Some(package) = packages.get(name) else { return };
    if !on.insert((name.to_owned(), feature.to_owned())) {
        return;
    }
    for dependency in package.dependencies.values() {
        dependency.features.iter().for_each(|feature| turn_on(&dependency.package, feature, packages, on));
    }
    for next in package.features.get(feature).into_iter().flatten().filter(|next| !next.starts_with("dep:")) {
        match next.split_once('/') {
            Some((local, feature)) => {
                let local = local.trim_end_matches('?');
                let of = package.dependencies.get(local).map_or(local, |dependency| &dependency.package);
                turn_on(of, feature, packages, on);
            }
            None => turn_on(name, next, packages, on),
        }
    }
}

impl Dependency {
    fn of(name: &str, declared: &Value, shared: &Table) -> Self {
        let inherited = declared.get("workspace").and_then(Value::as_bool).unwrap_or_default();
        let shared = shared.get(name).filter(|_| inherited);
        let key = |key: &str| [Some(declared), shared].into_iter().flatten().find_map(|from| from.get(key));
        let package = key("package").and_then(Value::as_str).unwrap_or(name).to_owned();
        let lists = [Some(declared), shared].map(|from| strings(from.and_then(|from| from.get("features"))));
        // A member of a workspace cannot turn off defaults that the workspace leaves on.
        let without = shared.unwrap_or(declared).get("default-features").and_then(Value::as_bool) == Some(false)
            && declared.get("default-features").and_then(Value::as_bool) != Some(true);
        let default = (!without).then(|| "default".to_owned());
        Self { package, features: lists.concat().into_iter().chain(default).collect() }
    }
}

fn strings(list: Option<&Value>) -> Vec<String> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|value| value.as_str().map(str::to_owned)).collect()
}
