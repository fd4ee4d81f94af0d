//! Numbers that pages say of proofs and audits are those of the index and of the tests.

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

#[test]
fn pages_count_levels_as_the_index_does() {
    let [[a, run_a], [b, run_b], [c, run_c]] = counts();
    let (all, checked) = (a + b + c, a + b);
    let taken_as_given = run_c - c;
    let claim = format!("Of {all} constructors, Coq has checked the theorem about the privacy map of {checked}");
    for file in ["README.md", "proofs/README.md"] {
        assert_says(file, &claim);
    }
    assert_says("README.md", &format!("For {} of these", checked - taken_as_given));
    assert_says("README.md", &format!("For the other {taken_as_given}, the theorem takes as given"));
    assert_says("proofs/README.md", &format!("{run_a} constructors have level A, {run_b} level B and {run_c} level C"));
    assert_says(
        "docs/COMPARE.md",
        &format!("{checked} of {all} constructors, prose for {c}; of these {checked}, {taken_as_given} run"),
    );
    assert_says("docs/GUARANTEE.md", &format!("theorems about {checked} of {all}"));
    for (level, [map, run]) in ["A", "B", "C"].into_iter().zip(counts()) {
        assert_says("docs/topics/proof-levels.md", &format!("| {level} | {map} | {run} |"));
    }
    assert_says("docs/topics/proof-levels.md", &format!("{taken_as_given} run code of level C"));
}

/// Why a constructor with a theorem runs prose, by the weakest page that it rests on.
#[test]
fn pages_count_what_theorems_take_as_given() {
    let index = read("proofs/INDEX.md");
    let constructors = index.split("## Other pages").next().unwrap();
    let given = constructors.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split(" | ").collect();
        match cells.as_slice() {
            [_, "A" | "B", _, "C", rests, ..] => Some(rests.to_string()),
            _ => None,
        }
    });
    let mut found = [0; 3];
    for rests in given {
        let kinds = [rests.contains("[sampling/n"), rests.contains("[numeric/exact_"), true];
        found[kinds.iter().position(|is| *is).unwrap()] += 1;
    }
    let [samplers, sums, rest] = found;
    for file in ["README.md", "docs/topics/proof-levels.md"] {
        assert_says(file, &format!("({samplers}), exact sums ({sums}), enclosures and accountants ({rest})"));
    }
}

#[test]
fn pages_count_the_negative_controls_that_the_gate_demands() {
    let code = read("rust/audit/tests/gate/controls/mod.rs");
    let demanded = code.lines().filter_map(|line| line.split_once("_are_found: ")?.1.split_once(" of "));
    let all: u32 = demanded.map(|(number, _)| number.parse::<u32>().unwrap()).sum();
    assert!(all > 200);
    for file in ["README.md", "docs/AUDIT.md"] {
        assert_says(file, &format!("{all} negative controls"));
    }
    assert_says("docs/topics/proof-levels.md", &format!("in {all} copies with a planted slip"));
}
