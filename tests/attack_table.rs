//! docs/ATTACKS.md names every case of `tests/vectors`, once each, and what it names exists.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use indistinct_tests::vectors;
use std::{collections::BTreeSet, fs, path::Path};

#[test]
fn every_case_is_in_the_table_and_all_that_the_table_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/ATTACKS.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| case")).collect();
    let named: BTreeSet<String> = rows.iter().map(|row| row.split(" | ").next().unwrap()[2..].to_string()).collect();
    let mut cases = BTreeSet::new();
    for file in fs::read_dir(root.join("tests/vectors")).unwrap() {
        let path = file.unwrap().path();
        cases.extend(vectors(path.file_stem().unwrap().to_str().unwrap()).into_keys());
    }
    assert!(cases.len() > 150 && rows.len() == cases.len(), "{} rows, {} cases", rows.len(), cases.len());
    assert_eq!(named, cases);
    let mut found = 0;
    for row in &rows {
        let places: Vec<&str> =
            row.split('`').filter(|code| code.contains(".rs::") || code.contains(".toml::")).collect();
        assert!(!places.is_empty() || row.contains("—: "), "neither a test nor a reason: {row}");
        for place in places {
            let (path, item) = place.split_once("::").unwrap();
            let text = fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
            // A twin is named by its words, a test by its function.
            let words = item.contains(' ') || item.contains(':');
            let known = if words { text.contains(item) } else { text.contains(&format!("fn {item}(")) };
            assert!(known, "{path} has no {item}");
            found += 1;
        }
    }
    assert!(found > 150, "{found}");
}
