//! What decides how code is built, and which foreign code it calls: a page names these as items of `workspace`.
//!
//! | item | what is hashed |
//! |---|---|
//! | `workspace::profiles` | the checks that each profile makes, and what a panic does |
//! | `workspace::settings` | Cargo's settings but for aliases; what is put in place of other packages |
//! | `workspace::manifest::<crate>` | features and dependencies of a crate, and where its code is |
//! | `workspace::locked::<package>` | the versions of a trusted dependency, with their checksums |

use crate::code::Sources;
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The crates that make a release, by their folders.
const CRATES: [&str; 5] = ["numeric", "sampling", "accounting", "derive", "indistinct"];

/// The packages whose work nothing checks.
const TRUSTED: [&str; 5] = ["chacha20", "getrandom", "gmp-mpfr-sys", "rug", "siphasher"];

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
    let manifests = CRATES.map(|name| format!("workspace::manifest::{name}"));
    let locked = TRUSTED.map(|name| format!("workspace::locked::{name}"));
    let all = ["workspace::profiles", "workspace::settings"].map(str::to_owned);
    all.into_iter().chain(manifests).chain(locked).collect()
}

/// What is hashed, in words.
pub(super) fn text(sources: &Sources, item: &str) -> Result<String> {
    let root = table(sources, "Cargo.toml")?;
    let parts: Vec<&str> = item.split("::").collect();
    match parts.as_slice() {
        [_, "profiles"] => Ok(format!("{:?}", checks(root.get("profile").and_then(Value::as_table)))),
        [_, "settings"] => {
            let file = ".cargo/config.toml";
            let mut settings = if sources.get(file).is_some() { table(sources, file)? } else { Table::new() };
            settings.remove("alias");
            let replaced = ["patch", "replace"].map(|key| root.get(key));
            let resolver = root.get("workspace").and_then(|workspace| workspace.get("resolver"));
            Ok(format!("{settings:?} {replaced:?} {resolver:?}"))
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

/// The versions of a package, where they come from and their checksums.
fn locked(sources: &Sources, name: &str) -> Result<String> {
    let lock = table(sources, "Cargo.lock")?;
    let packages = lock.get("package").and_then(Value::as_array).into_iter().flatten();
    let found: Vec<_> = packages
        .filter(|package| package.get("name").and_then(Value::as_str) == Some(name))
        .map(|package| ["version", "source", "checksum"].map(|key| package.get(key)))
        .collect();
    ensure!(!found.is_empty(), "there is no such package in Cargo.lock");
    Ok(format!("{found:?}"))
}
