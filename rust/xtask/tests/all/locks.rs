//! `make test` does not build the workspace of the cluster's crates, whose lock file nevertheless has to follow the
//! dependencies of the crates that both workspaces share.

use std::{collections::BTreeMap, fs, path::Path};
use toml::{Table, Value};
use walkdir::WalkDir;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn name(package: &Table) -> Option<&str> {
    package.get("name").and_then(Value::as_str)
}

/// The dependencies of our crates in a lock file: a package without a source is a crate of this repository.
fn locked(lock: &str) -> BTreeMap<String, Vec<String>> {
    let lock: Table = lock.parse().unwrap();
    let ours = lock["package"].as_array().unwrap().iter().filter_map(Value::as_table);
    ours.filter(|package| !package.contains_key("source"))
        .map(|package| {
            let all = package.get("dependencies").and_then(Value::as_array).into_iter().flatten();
            let names = all.filter_map(Value::as_str).filter_map(|named| named.split(' ').next());
            (name(package).unwrap().to_owned(), names.map(str::to_owned).collect())
        })
        .collect()
}

/// The dependencies that a manifest always has: every feature adds some, and tests have more.
fn needed(manifest: &Table) -> Vec<String> {
    let all = manifest.get("dependencies").and_then(Value::as_table).into_iter().flatten();
    let is_optional = |value: &Value| value.get("optional").and_then(Value::as_bool) == Some(true);
    all.filter(|(_, value)| !is_optional(value)).map(|(name, _)| name.clone()).collect()
}

/// The dependencies that a lock file lacks, and the number that it has.
fn missing(lock: &str) -> (Vec<String>, usize) {
    let (locked, mut missing, mut found) = (locked(lock), Vec::new(), 0);
    let is_kept = |entry: &walkdir::DirEntry| entry.file_name() != "target";
    for file in WalkDir::new(root().join("rust")).max_depth(3).into_iter().filter_entry(is_kept) {
        let file = file.unwrap();
        if file.file_name() != "Cargo.toml" {
            continue;
        }
        let manifest: Table = fs::read_to_string(file.path()).unwrap().parse().unwrap();
        let Some(crate_name) = manifest.get("package").and_then(Value::as_table).and_then(name) else { continue };
        // A crate that the cluster's crates do not use is not in their lock file.
        let Some(known) = locked.get(crate_name) else { continue };
        for dependency in needed(&manifest) {
            if known.contains(&dependency) {
                found += 1;
            } else {
                missing.push(format!("{crate_name}: {dependency}"));
            }
        }
    }
    (missing, found)
}

#[test]
fn the_lock_file_of_the_cluster_has_the_dependencies_of_our_crates() {
    let lock = fs::read_to_string(root().join("rust/cluster/Cargo.lock")).unwrap();
    let (lacks, found) = missing(&lock);
    assert!(lacks.is_empty(), "{lacks:?}: cargo metadata --manifest-path rust/cluster/Cargo.toml adds them");
    assert!(found > 50, "{found}");
    let (lacks, _) = missing(&lock.replace(" \"encoding_rs\",\n", ""));
    assert_eq!(lacks, ["indistinct-tables: encoding_rs"]);
}
