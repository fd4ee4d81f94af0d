//! Drawings are what the sources say now.

use std::{fs, path::Path};
use tempfile::TempDir;
use xtask::drawings::{PAIRS, Pair, Relation, crates, drawings};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn drawings_are_current() {
    let drawn = drawings(root()).unwrap();
    assert_eq!(drawn.len(), 7);
    for (file, text) in drawn {
        let there = fs::read_to_string(root().join(&file)).unwrap_or_default();
        assert!(there == text, "{file} is not what the sources say: run `cargo xtask drawings`");
    }
}

#[test]
fn a_new_dependency_is_drawn() {
    let place = TempDir::new().unwrap();
    let write = |name: &str, rest: &str| {
        let folder = place.path().join("rust").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("Cargo.toml"), format!("[package]\nname = \"indistinct-{name}\"\n{rest}")).unwrap();
    };
    fs::create_dir_all(place.path().join("rust/cluster")).unwrap();
    write("numeric", "");
    write("tables", "[dev-dependencies]\nindistinct-numeric = \"1\"\n");
    write("tests", "publish = false\n[dependencies]\nindistinct-tables = \"1\"\n");
    let before = drawings(place.path()).unwrap();
    assert_eq!(crates(place.path()).unwrap().len(), 2);
    assert!(!before[0].1.contains("<line"), "nobody uses what is for tests only");
    write("tables", "[dependencies]\nindistinct-numeric = { version = \"1\", optional = true }\n");
    let after = drawings(place.path()).unwrap();
    assert_eq!(after[0].1.matches("<line").count(), 1);
    assert_eq!(before[1..], after[1..]);
}

#[test]
fn pictures_of_neighbors_are_at_distance_one() {
    for pair in &PAIRS {
        assert_eq!(pair.distance(), 1, "{pair:?}");
    }
}

/// A row that is moved, or changed, is told apart where the metric tells it apart.
#[test]
fn distances_are_those_of_the_metrics() {
    let distance = |relation, right: &'static [(&str, u32)]| {
        let left = &[("a", 1), ("b", 2), ("b", 3)];
        Pair { name: "", metric: "", says: "", relation, left, right }.distance()
    };
    let all = [
        Relation::Symmetric,
        Relation::InsertDelete,
        Relation::ChangeOne,
        Relation::Hamming,
        Relation::IndividualsAdded,
        Relation::IndividualsChanged,
    ];
    let of = |right| all.map(|relation| distance(relation, right));
    assert_eq!(of(&[("a", 1), ("b", 2), ("b", 3)]), [0; 6]);
    assert_eq!(of(&[("b", 2), ("b", 3), ("a", 1)])[..4], [0, 2, 0, 3]);
    assert_eq!(of(&[("a", 9), ("b", 2), ("b", 3)]), [2, 2, 1, 1, 2, 1]);
}
