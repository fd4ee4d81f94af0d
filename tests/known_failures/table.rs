//! docs/dev/attacks.md names every case that there is, once each under its family, and what it names exists.
//! `tests/vectors/cases.txt` lists the cases, so that one which is lost from the vectors is missed.

use indistinct_tests::vectors;
use std::{collections::BTreeSet, fs, path::Path};

/// A family and the name of a case.
type Case = (String, String);

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = fs::read_to_string(root.join(path));
    assert!(text.is_ok(), "{path} cannot be read");
    text.unwrap()
}

/// The cases that were collected.
fn listed() -> BTreeSet<Case> {
    let list = read("tests/vectors/cases.txt");
    let case = |line: &str| line.split_once(' ').map(|(family, name)| (family.into(), name.into())).unwrap();
    let cases: BTreeSet<Case> = list.lines().map(case).collect();
    assert_eq!((cases.len(), list.lines().count()), (190, 190));
    cases
}

/// The rows of the page: the case, its test, its negative control.
fn rows() -> Vec<(Case, String, String)> {
    let (page, mut family, mut rows) = (read("docs/dev/attacks.md"), String::new(), Vec::new());
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            family = title.into();
        } else if line.starts_with("| ") && !line.starts_with("| case |") {
            let columns: Vec<&str> = line.trim_start_matches("| ").trim_end_matches('|').split(" | ").collect();
            assert_eq!(columns.len(), 3, "{line}");
            rows.push(((family.clone(), columns[0].into()), columns[1].trim().into(), columns[2].trim().into()));
        }
    }
    rows
}

#[test]
fn every_case_has_its_vector_and_its_row() {
    let listed = listed();
    let index: serde_json::Value = serde_json::from_str(&read("tests/vectors/index.json")).unwrap();
    let mut cases = BTreeSet::new();
    for file in index["files"].as_array().unwrap() {
        let family = file["file"].as_str().unwrap().trim_end_matches(".json");
        let vectors = vectors(family);
        assert_eq!(file["count"].as_u64().unwrap(), u64::try_from(vectors.len()).unwrap(), "{family}");
        cases.extend(vectors.into_keys().map(|name| (family.to_string(), name)));
    }
    assert_eq!(cases, listed);
    let rows = rows();
    assert_eq!(rows.len(), listed.len(), "a case has two rows");
    assert_eq!(rows.into_iter().map(|(case, ..)| case).collect::<BTreeSet<Case>>(), listed);
}

/// How many of what a cell names exist, which must be all.
fn places(cell: &str) -> usize {
    let places = cell.split('`').filter(|code| code.contains(".rs::"));
    let known = places.map(|place| {
        let (path, item) = place.split_once("::").unwrap();
        let text = read(path);
        // A negative control is named by its words, a test by its function.
        let words = item.contains(' ') || item.contains(':');
        let known = if words { text.contains(item) } else { text.contains(&format!("fn {item}(")) };
        assert!(known, "{path} has no {item}");
    });
    known.count()
}

/// A row names a test or says why there is none; and the negative control that fails, or why there is none, or that
/// what is naive is right here.
#[test]
fn what_the_table_names_exists() {
    for ((family, name), test, control) in rows() {
        assert_eq!(places(&test) == 0, test.starts_with("—: "), "{family} {name}: a test or a reason");
        let known = control.is_empty()
            || control.starts_with("the same")
            || control.starts_with("naive is right here")
            || control.starts_with("—: ");
        assert!(places(&control) > 0 || known, "{family} {name}: neither a control nor a word why not");
        assert!(!control.starts_with("the same") || places(&test) > 0, "{family} {name}: the same as what?");
    }
}

/// How many cases are asked of tables is what the page says.
#[test]
fn cases_of_tables_are_counted() {
    let of_tables = rows().iter().filter(|(_, test, _)| test.contains("`tests/known_failures/frames/")).count();
    assert!(
        read("docs/dev/attacks.md").contains(&format!("\n{of_tables} of the cases are asked of tables")),
        "{of_tables}"
    );
}
