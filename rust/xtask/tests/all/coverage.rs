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
fn an_implementation_for_other_code_needs_a_reason_of_its_own() {
    let told = "which implements a type or trait of other code";
    for code in [
        "impl crate::Held { fn unit() -> u8 { 1 } }",
        "use crate::Held;\nimpl Held { fn unit() -> u8 { 1 } }",
        "use crate::*;\nimpl Holds<u8> for Held { fn held(&self) {} }",
        "impl Clone for super::Held { fn clone(&self) -> Self { loop {} } }",
        "impl From<crate::Held> for Own { fn from(_: crate::Held) -> Self { loop {} } }",
        "impl<const N: usize> OwnToo<{ N }> for crate::Held { fn own(&self) {} }",
        "fn print() { impl crate::Held { fn unit() -> u8 { 1 } } }",
        "const _: () = { use crate::Held as H; impl H { fn unit() -> u8 { 1 } } };",
        "type Other = crate::Held;\nimpl Other { fn unit() -> u8 { 1 } }",
        "macro_rules! write_out { () => { impl $crate::Held { fn unit() -> u8 { 1 } } }; }",
        "macro_rules! write_out { ($t:ty) => { impl $t { fn unit() -> u8 { 1 } } }; }",
        "macro_rules! write_out { ($t:path) => { impl $t for Own { fn unit() -> u8 { 1 } } }; }",
        "write_out!(crate::Held);",
    ] {
        let small = small();
        small.write(CODE, &format!("{RULE}pub struct Held;\npub trait Holds<T> {{ fn held(&self) {{}} }}\n"));
        small.change(
            "proofs/held.md",
            "  - indistinct::held",
            "  - indistinct::Held\n  - indistinct::Holds\n  - indistinct::held",
        );
        assert_eq!(lines(&update(small.root(), "HEAD").unwrap().problems), "");
        let prints = small.read("rust/indistinct/src/prints.rs");
        small.write(
            "rust/indistinct/src/prints.rs",
            &format!("{prints}pub struct Own;\npub trait OwnToo<const N: usize> {{}}\n{code}\n"),
        );
        let problems = small.problems();
        assert!(problems.iter().any(|problem| problem.contains(told)), "{code}: {problems:?}");
    }
    // For types and traits of its own it needs none.
    let small = small();
    let own = "pub struct Own;\npub trait Prints { fn print(&self); }\nimpl Own { fn new() {} }\n\
               impl Prints for Own { fn print(&self) {} }\nimpl std::fmt::Debug for Own { fn fmt(&self) {} }\n\
               macro_rules! all { ($t:ty) => { impl Prints for $t { fn print(&self) {} } }; }\nall!(u8);\n\
               fn shown() -> impl Prints { Own }\n";
    small.write("rust/indistinct/src/prints.rs", &format!("pub fn one() {{}}\npub fn two() {{}}\n{own}"));
    assert_eq!(small.problems(), Vec::<String>::new());
}

#[test]
fn a_condition_that_a_reason_names_is_kept() {
    let small = small();
    let list = small.read(LIST);
    small.write(LIST, &format!("{list}only = 'cfg(feature = \"testing\")'\n"));
    small.assert_problem(LIST, "indistinct::prints is no longer declared under #[cfg(feature = \"testing\")]");
    small.write(CODE, &RULE.replace("pub mod prints", "#[cfg(feature = \"testing\")]\npub mod prints"));
    assert_eq!(small.problems(), Vec::<String>::new());
    small.write(CODE, &RULE.replace("pub mod prints", "#[cfg(any(feature = \"testing\", unix))]\npub mod prints"));
    small.assert_problem(LIST, "indistinct::prints is no longer declared");
}

#[test]
fn a_macro_that_others_see_unasked_is_refused() {
    for (code, told) in [
        ("#[macro_use]\npub mod prints;", "indistinct::prints is under #[macro_use]"),
        ("#[cfg_attr(unix, macro_use)]\npub mod prints;", "indistinct::prints is under #[macro_use]"),
        ("#[macro_use]\nextern crate evil;\npub mod prints;", "indistinct is under #[macro_use]"),
    ] {
        let small = small();
        small.write(CODE, &RULE.replace("pub mod prints;", code));
        small.assert_problem("proofs: ", told);
    }
    let small = small();
    small.write(
        "rust/indistinct/src/prints.rs",
        "macro_rules! matches { () => {} }\npub fn one() {}\npub fn two() {}\n",
    );
    small.assert_problem("proofs: ", "indistinct::prints: the macro matches has a name of the standard library");
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
        // What is written from the pages, and crates that also talk to a curator, have more reasons.
        let most = match count.name {
            "indistinct_derive" => 1,
            "indistinct_sessions" | "indistinct_tables" | "indistinct_engine" => 4,
            _ => 20,
        };
        assert!(count.units > 10 && most * count.by_reasons <= count.units, "{count}");
    }
}
