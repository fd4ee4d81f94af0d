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
    assert_eq!(drawn.len(), 12);
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
    fs::write(place.path().join("README.md"), README).unwrap();
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

const README: &str = "```console
$ indistinct budget open calls --budget epsilon=1
 account  budget
 calls    epsilon 1
$ indistinct release \"$Q\" --spend epsilon=0.5
note: of each individual, 1 row counts
 district  patients        minutes
 Nord      957 [945, 969]  9.28 [8.61, 9.92]
 missing   17 [5, 29]      n/a [0, 30]

contribution limit: 1 row
```
";

/// The picture of the README's release has the numbers of its table, and a page without one is an error.
#[test]
fn the_release_is_drawn_as_it_is_printed() {
    let place = TempDir::new().unwrap();
    fs::create_dir_all(place.path().join("rust/cluster")).unwrap();
    let draw = |page: &str| {
        fs::write(place.path().join("README.md"), page).unwrap();
        drawings(place.path()).map(|drawn| drawn.into_iter().find(|(file, _)| file.ends_with("release.svg")).unwrap().1)
    };
    let drawn = draw(README).unwrap();
    for words in
        ["957 [945, 969]", "9.28 [8.61, 9.92]", "17 [5, 29]", "n/a [0, 30]", ">patients<", ">Nord<", ">1000<", ">30<"]
    {
        assert!(drawn.contains(words), "{words}");
    }
    // A number that noise leaves nothing of has no dot.
    assert_eq!((drawn.matches("<circle").count(), drawn.matches("opacity").count()), (3, 4));
    assert_ne!(draw(&README.replace("957", "958")).unwrap(), drawn);
    assert!(draw(&README.replace("957 [945, 969]", "957")).is_err());
    assert!(draw("# indistinct").is_err());
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
