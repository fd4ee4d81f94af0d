//! Pages that name shares of proofs and numbers of controls agree with the index and with the tests.

use std::{fs, path::Path};

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)).unwrap()
}

/// Constructors of each level, by map and by what runs: the table at the top of the index.
fn counts() -> [[u32; 2]; 3] {
    let index = read("proofs/INDEX.md");
    ["A", "B", "C"].map(|level| {
        let row = index.lines().find_map(|line| line.strip_prefix(&format!("| {level} | "))).unwrap();
        let mut cells = row.split(" | ").map(|cell| cell.parse().unwrap());
        [cells.next().unwrap(), cells.next().unwrap()]
    })
}

/// What stands in a page, with its line breaks as spaces.
fn assert_says(file: &str, words: &str) {
    let text = read(file).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(words), "{file}: {words}");
}

/// The pages name shares, so that a new constructor changes no page but the index.
#[test]
fn the_shares_of_levels_on_pages_are_those_of_the_index() {
    let [[a, run_a], [b, run_b], [c, run_c]] = counts();
    let (all, checked) = (a + b + c, a + b);
    assert_eq!(all, run_a + run_b + run_c);
    assert!(checked * 100 > all * 85, "{checked} of {all}");
    for (file, words) in [
        ("README.md", "Coq has checked the theorem about the privacy map of more than 85 in 100 constructors"),
        ("proofs/README.md", "Coq has checked the theorem about the privacy map of more than 85 in 100 constructors"),
        ("docs/COMPARE.md", "Coq for the privacy maps of more than 85 in 100 constructors"),
        ("docs/GUARANTEE.md", "theorems about more than 85 in 100 of them"),
        ("docs/topics/proof-levels.md", "The maps of more than 85 in 100 constructors have a theorem"),
    ] {
        assert_says(file, words);
    }
    let taken_as_given = run_c - c;
    assert!(taken_as_given * 2 < checked, "{taken_as_given} of {checked}");
    for (file, words) in [
        ("README.md", "For more than half of these"),
        ("proofs/README.md", "For more than half of the theorems"),
        ("docs/COMPARE.md", "fewer than half of these theorems assume"),
        ("docs/topics/proof-levels.md", "fewer than half of these run code of level C"),
    ] {
        assert_says(file, words);
    }
}

#[test]
fn the_gate_demands_the_negative_controls_that_pages_name() {
    let code = read("rust/audit/tests/gate/controls/mod.rs");
    let demanded = code.lines().filter_map(|line| line.split_once("_are_found: ")?.1.split_once(" of "));
    let all: u32 = demanded.map(|(number, _)| number.parse::<u32>().unwrap()).sum();
    assert!(all > 280, "{all}");
    for file in ["README.md", "docs/AUDIT.md"] {
        assert_says(file, "more than 280 negative controls");
    }
    assert_says("docs/topics/proof-levels.md", "in more than 280 copies with a planted mistake");
}
