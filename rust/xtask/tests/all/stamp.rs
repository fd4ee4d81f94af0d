//! What `make proofs` has read and what is there now: what differs is named.

use crate::small::{MAP, SAMPLER, Small, lines};
use std::path::Path;
use xtask::proofs::{check, update};

const THEORY: &str = "proofs/combinators/range.v";
const STAMP: &str = "proofs/stamp.txt: ";

/// Without Coq, ask somebody who has it.
#[test]
fn make_proofs_has_passed_on_what_is_here() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let problems = check(&root).unwrap().problems;
    let stale: Vec<_> = problems.into_iter().filter(|problem| problem.page == "proofs/stamp.txt").collect();
    assert!(stale.is_empty(), "\n{}\n", lines(&stale));
}

/// A workspace with a theory, and a map at the highest level, whose code is run.
fn small() -> Small {
    let small = Small::new();
    small.write(THEORY, "Definition range_map (eta : R) := eta * eta / 8.\n");
    small.write("proofs/Makefile", "all: compile\n");
    small.write("proofs/oracle/src/main.rs", "fn main() {}\n");
    small.change("proofs/combinators/range.md", "level: B", "level: B\nunder: {Max: A}");
    assert!(update(small.root(), "HEAD").unwrap().problems.is_empty());
    small.stamp();
    assert_eq!(small.problems(), Vec::<String>::new());
    small
}

#[test]
fn whatever_is_read_makes_a_stamp_stale() {
    for (file, from, to) in
        [(THEORY, "/ 8", "/ 4"), ("proofs/Makefile", "compile", ""), ("proofs/oracle/src/main.rs", "{}", "{ loop {} }")]
    {
        let small = small();
        let text = small.read(file);
        small.change(file, from, to);
        small.assert_problem(STAMP, &format!("{file}: changed since `make proofs` last passed; run it"));
        small.write(file, &text);
        assert_eq!(small.problems(), Vec::<String>::new());
    }
}

#[test]
fn files_that_come_and_go_do_so_too() {
    let small = small();
    small.write("proofs/axioms.txt", "classic\n");
    small.assert_problem(STAMP, "proofs/axioms.txt: changed");
    small.write("proofs/statements.sh", "");
    small.assert_problem(STAMP, "proofs/axioms.txt and 1 more: changed");
    small.stamp();
    assert_eq!(small.problems(), Vec::<String>::new());
    std::fs::remove_file(small.path(THEORY)).unwrap();
    small.assert_problem(STAMP, "proofs/combinators/range.v: changed");
}

#[test]
fn code_whose_values_are_certified_does_so_too() {
    let small = small();
    small.change(MAP, "8.0", "4.0");
    assert!(update(small.root(), "HEAD").unwrap().problems.is_empty());
    small.assert_problem(STAMP, "small::combinators::range::make_range: changed");
    // Comments, pages, code that is not run, and what Coq leaves behind, do not.
    let small = self::small();
    small.change(MAP, "// The textbook's formula.", "// Another word.");
    small.change(SAMPLER, "bound <= word", "bound < word");
    small.write("proofs/build/Statements.v", "Check I.");
    small.write("proofs/combinators/range.vo", "");
    assert!(update(small.root(), "HEAD").unwrap().problems.is_empty());
    assert_eq!(small.problems(), Vec::<String>::new());
}

#[test]
fn without_a_stamp_nothing_has_passed() {
    let small = small();
    std::fs::remove_file(small.path("proofs/stamp.txt")).unwrap();
    small.assert_problem(STAMP, "changed since `make proofs` last passed");
}
