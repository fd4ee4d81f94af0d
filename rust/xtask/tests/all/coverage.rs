//! Every unit of code stands on a page or on a reason, and the list of reasons is no longer than it has to be.

use crate::small::{Small, lines};
use std::path::Path;
use xtask::proofs::{check, counts, coverage, update};

const CODE: &str = "rust/indistinct/src/lib.rs";
const LIST: &str = "proofs/uncovered.toml";
const RULE: &str = "pub mod prints;\npub fn held(x: u8) -> u8 { half(x) }\nfn half(x: u8) -> u8 { x / 2 }\n";

/// A small workspace with one crate that makes a release: a function with a page, and a module without.
fn small() -> Small {
    let small = Small::new();
    small.write("rust/indistinct/Cargo.toml", "[package]\nname = \"indistinct\"\n");
    small.write(CODE, RULE);
    small.write("rust/indistinct/src/prints.rs", "pub fn one() {}\npub fn two() {}\n");
    let page =
        "---\ncode:\n  - indistinct::held\nlevel: C\nomits: time\nreviewed: 2026-11-21 by the authors\n---\n# Held\n";
    small.write("proofs/held.md", page);
    small.write(LIST, "[[group]]\nreason = \"prints\"\nmodules = [\"indistinct::prints\"]\n");
    let report = update(small.root(), "HEAD").unwrap();
    assert_eq!(lines(&report.problems), "");
    assert_eq!(small.problems(), Vec::<String>::new());
    small
}

#[test]
fn code_without_page_or_reason_is_refused() {
    for (code, unit) in [
        ("pub fn release() {}", "indistinct::release"),
        ("const MOST: u8 = 1;", "indistinct::MOST"),
        ("struct Marked;", "indistinct::Marked"),
        ("impl Drop for Marked { fn drop(&mut self) {} }", "indistinct::<Marked as Drop>::drop"),
        ("impl Keeps for (u8, u8) {}", "indistinct::<( u8 , u8 ) as Keeps>"),
        ("impl dyn Keeps { fn kept(&self) {} }", "indistinct::kept"),
        ("write_out!(Release);", "indistinct::write_out!"),
        ("macro_rules! write_out { () => {} }", "indistinct::write_out!"),
        ("mod inner { fn deep() {} }", "indistinct::inner::deep"),
        ("extern \"C\" { fn foreign(); }", "indistinct: extern \"C\""),
    ] {
        let small = small();
        small.write(CODE, &format!("{RULE}{code}\n"));
        small.assert_problem("proofs: ", &format!("no page covers {unit}"));
        // An update does not make it go away; tests need nothing.
        assert_eq!(update(small.root(), "HEAD").unwrap().problems.len(), 1);
        small.write(CODE, &format!("{RULE}#[cfg(test)]\nmod tests {{ {code} }}\n"));
        assert_eq!(small.problems(), Vec::<String>::new());
    }
    // Imports are no code, and what a page's item names is covered with it.
    let small = small();
    small.write(CODE, &format!("{RULE}use std::fmt;\nmod more;\n"));
    small.write("rust/indistinct/src/more.rs", "");
    assert_eq!(small.problems(), Vec::<String>::new());
}

#[test]
fn what_is_read_when_code_is_compiled_is_refused() {
    for code in [
        "include_str!(\"scale.txt\").len()",
        "std::include_bytes!(\"scale.txt\").len()",
        "usize::from(option_env!(\"SCALE\").is_some())",
        "core::env!(\"SCALE\").len()",
    ] {
        let small = small();
        small.write(CODE, &RULE.replace("{ x / 2 }", &format!("{{ {code}; x / 2 }}")));
        assert_eq!(lines(&update(small.root(), "HEAD").unwrap().problems).lines().count(), 1);
        small.assert_problem("proofs: ", "indistinct::half reads a file or a variable");
    }
    // Documentation may come from a file.
    let small = small();
    small.write(CODE, &RULE.replace("fn half", "#[doc = include_str!(\"words.md\")]\nfn half"));
    assert_eq!(small.problems(), Vec::<String>::new());
}

#[test]
fn an_entry_has_a_reason_and_is_needed() {
    for (entry, told) in [
        ("reason = \"\"\nunits = [\"indistinct::new\"]", "indistinct::new has no reason"),
        ("reason = \"r\"\nunits = [\"indistinct::new\", \"indistinct::old\"]", "indistinct::old names no code"),
        ("reason = \"r\"\nunits = [\"indistinct::new\", \"indistinct::half\"]", "indistinct::half needs no reason"),
        (
            "reason = \"r\"\nmodules = [\"indistinct\"]",
            "indistinct needs no reason in indistinct::half: held.md covers it",
        ),
        ("reason = \"r\"\nunits = [\"indistinct::new\", \"indistinct::prints::one\"]", "prints::one is named twice"),
        ("reason = \"r\"\nmodules = [\"indistinct::print\"]", "indistinct::print names no code"),
        ("reason = \"r\"\nunits = [\"indistinct::prints\"]", "indistinct::prints names no code"),
        ("reason = \"r\"\nunits = [\"small::sampler::Table\"]", "small::sampler::Table names no code"),
    ] {
        let small = small();
        small.write(CODE, &format!("{RULE}fn new() {{}}\n"));
        let list = small.read(LIST);
        small.write(LIST, &format!("{list}[[group]]\nreason = \"r\"\nunits = [\"indistinct::new\"]\n"));
        assert_eq!(small.problems(), Vec::<String>::new());
        small.write(LIST, &format!("{list}[[group]]\n{entry}\n"));
        let problems = small.problems();
        let is_told = |problem: &String| problem.starts_with(LIST) && problem.contains(told);
        assert!(problems.iter().any(is_told), "{entry}: {problems:?}");
    }
    let small = small();
    small.write(LIST, "[[group]]\nwhy = \"r\"\n");
    assert!(check(small.root()).unwrap_err().to_string().contains("uncovered.toml is not understood"));
}

#[test]
fn what_each_unit_stands_on_is_told() {
    let small = small();
    let told: Vec<String> = coverage(small.root()).unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "indistinct::half: held.md",
            "indistinct::held: held.md",
            "indistinct::prints::one: no page: prints",
            "indistinct::prints::two: no page: prints",
        ]
    );
}

/// The crates that make a release, as they are.
#[test]
fn all_code_that_makes_a_release_is_accounted_for() {
    let covered = coverage(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    let left: Vec<_> = covered.iter().filter(|covered| !covered.is_accounted_for()).collect();
    assert!(left.is_empty(), "{left:?}");
    for count in counts(&covered) {
        assert_eq!(count.units, count.by_pages + count.by_reasons, "{count}");
        assert!(
            count.units > 10 && 20 * count.by_reasons < count.units || count.name == "indistinct_derive",
            "{count}"
        );
    }
}
