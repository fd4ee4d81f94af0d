//! Ways around the hashes, each of which is noticed: by a page, by a rule, or as code that no page covers.

use crate::small::{Edit, MAP, MAP_CODE, SAMPLER, Small, assert_told, copy_of_this_workspace, lines};
use std::fs;
use xtask::proofs::{check, update};

const RANGE: &str = "proofs/combinators/range.md";

/// A small workspace whose map calls a function that its root exports, and which has another by that name.
fn small() -> Small {
    let small = Small::new();
    let root = "mod combinators;\nmod evil;\nmod numeric;\nmod sampler;\npub use numeric::Rounded;\n";
    small.write("rust/small/src/lib.rs", root);
    let numeric = "pub trait Rounded { fn inf_mul(self, other: f64) -> f64; }\npub struct Own(f64);\n";
    small.write("rust/small/src/numeric.rs", numeric);
    small.write("rust/small/src/evil.rs", "pub trait Rounded { fn inf_mul(&self, other: f64) -> f64; }\n");
    small.write(MAP, &MAP_CODE.replace("crate::numeric::RoundedArithmetic", "crate::Rounded"));
    recorded(&small);
    small
}

fn recorded(small: &Small) {
    assert!(update(small.root(), "HEAD").unwrap().problems.is_empty());
    assert_eq!(small.problems(), Vec::<String>::new());
}

#[test]
fn a_re_export_of_something_else() {
    let small = small();
    small.change("rust/small/src/lib.rs", "pub use numeric::Rounded", "pub use evil::Rounded");
    small.assert_problem(RANGE, "make_range has changed");
}

#[test]
fn an_import_inside_a_function() {
    for import in ["use crate::Rounded;", "use crate::{Rounded as _};", "use crate::{numeric::Own, Rounded};"] {
        let small = small();
        small.change(MAP, "use crate::Rounded;", "");
        small.change(MAP, "let map = ", &format!("{import}\n    let map = "));
        recorded(&small);
        small.change("rust/small/src/lib.rs", "pub use numeric::Rounded", "pub use evil::Rounded");
        small.assert_problem(RANGE, "make_range has changed");
    }
}

#[test]
fn a_constructor_s_name_for_something_else() {
    let small = small();
    let module = "rust/small/src/combinators/mod.rs";
    small.write(module, "mod range;\npub use range::make_range;\n");
    assert_eq!(small.problems(), Vec::<String>::new());
    small.write("rust/small/src/evil.rs", "pub fn range() {}\n");
    small.write(module, "mod range;\npub use crate::evil::range as make_range;\n");
    let problems = small.problems();
    let told = "make_range means small::evil::range, which is no constructor";
    assert!(problems.iter().any(|problem| problem.contains(told)), "{problems:?}");
}

#[test]
fn a_constructor_under_another_name() {
    let small = small();
    small.write("rust/small/src/evil.rs", "#[constructor]\npub fn release() {}\n");
    small.assert_problem("proofs: ", "small::evil::release is a constructor by its attribute");
}

#[test]
fn a_module_from_another_file_or_under_a_condition() {
    let module = "rust/small/src/combinators/mod.rs";
    for declared in [
        "#[path = \"other.rs\"]\nmod range;\n",
        "#[cfg(not(feature = \"evil\"))]\nmod range;\n",
        "#[cfg_attr(feature = \"evil\", path = \"other.rs\")]\nmod range;\n",
    ] {
        let small = small();
        small.write("rust/small/src/combinators/other.rs", &MAP_CODE.replace("8.0", "4.0"));
        small.write(module, declared);
        small.assert_problem(RANGE, "make_range has changed");
    }
    // A condition on a folder is one on all that is in it; and two modules of one name are refused.
    let small = small();
    small.change("rust/small/src/lib.rs", "mod combinators;", "#[cfg(feature = \"good\")]\nmod combinators;");
    small.assert_problem(RANGE, "make_range has changed");
    small.write(module, "#[cfg(good)]\nmod range;\n#[cfg(not(good))]\n#[path = \"other.rs\"]\nmod range;\n");
    small.write("rust/small/src/combinators/other.rs", MAP_CODE);
    assert!(check(small.root()).unwrap_err().to_string().contains("two modules are named small::combinators::range"));
}

#[test]
fn a_method_of_a_trait_that_is_imported_without_its_name() {
    for import in ["use crate::evil::*;", "use crate::evil::Rounded as _;", "use crate::evil::Rounded as Other;"] {
        let small = small();
        small.change(MAP, "use crate::Rounded;", &format!("use crate::Rounded;\n{import}"));
        small.assert_problem(RANGE, "make_range has changed");
    }
    // All names of another workspace's module.
    let small = small();
    small.change(MAP, "use crate::Rounded;", "use crate::Rounded;\nuse elsewhere::prelude::*;");
    small.assert_problem(RANGE, "make_range has changed");
}

#[test]
fn a_module_inside_a_module() {
    let small = small();
    let inner = "mod inner { pub(super) fn half(x: f64) -> f64 { x / 2.0 } }";
    small.change(MAP, "loss(inner.inf_mul(d_in)?)", "loss(inner::half(inner.inf_mul(d_in)?))");
    small.change(MAP, "// The textbook's formula.", inner);
    recorded(&small);
    small.change(MAP, "x / 2.0", "x / 4.0");
    small.assert_problem(RANGE, "make_range has changed");
}

#[test]
fn code_of_a_file_that_is_no_module() {
    for code in [
        "include!(\"formula.txt\");",
        "std::include!(\"formula.txt\");",
        "fn formula() { ::core::include!(\"formula.txt\") }",
        "use std::include as other;\nother!(\"formula.txt\");",
    ] {
        let small = small();
        small.change(MAP, "// The textbook's formula.", code);
        assert!(check(small.root()).unwrap_err().to_string().contains("range includes code"), "{code}");
    }
}

#[test]
fn a_short_circuit_that_is_none() {
    let small = small();
    small.change(SAMPLER, "bound <= word", "(word > 0) && (bound <= word)");
    recorded(&small);
    small.change(SAMPLER, "&&", "& &");
    small.assert_problem("proofs/sampler.md", "sample has changed");
}

#[test]
fn calls_without_a_name() {
    for (code, from, to) in [
        ("impl Drop for Table { fn drop(&mut self) { f(1) } }", "1", "2"),
        ("impl std::cmp::PartialOrd for Table { fn partial_cmp(&self, o: &Self) -> O { f(1) } }", "1", "2"),
        ("impl From<u8> for Table { fn from(x: u8) -> Self { f(1) } }", "1", "2"),
        ("use std::ops::Add;\nimpl Add for Table { type Output = u8; fn add(self, o: Self) -> u8 { f(1) } }", "1", "2"),
        ("impl Marker for Table {}", "Marker", "Other"),
    ] {
        let small = small();
        small.change(SAMPLER, "impl Table", &format!("{code}\nimpl Table"));
        recorded(&small);
        small.change(SAMPLER, &format!("{code}\n"), &format!("{}\n", code.replacen(from, to, 1)));
        small.assert_problem("proofs/sampler.md", "sample has changed");
    }
}

#[test]
fn a_marker_trait_that_is_kept_by_one_more() {
    let small = small();
    small.change(MAP, "fn loss(", "pub trait Metric {}\nfn only(_: &impl Metric) {}\nfn loss(");
    small.change(MAP, "let map = ", "only(&inner);\n    let map = ");
    recorded(&small);
    let code = small.read(MAP);
    small.write(MAP, &format!("{code}\nimpl Metric for Evil {{}}\n"));
    small.assert_problem(RANGE, "make_range has changed");
    small.write(MAP, &code);
    for evil in ["Evil", "(Evil, u8)", "[Evil; 2]", "dyn Evil", "fn(Evil)"] {
        let block = format!("impl crate::combinators::range::Metric for {evil} {{}}\n");
        small.write("rust/small/src/evil.rs", &block);
        small.assert_problem(RANGE, "make_range has changed");
        small.write("rust/small/src/evil.rs", "");
        small.write(MAP, &format!("{code}\n{}", block.replace("crate::combinators::range::", "")));
        small.assert_problem(RANGE, "make_range has changed");
        small.write(MAP, &code);
    }
}

/// What the build depends on, in the workspace as it is.
#[test]
fn profiles_features_patches_and_locked_versions() {
    let edit = |file, from, to, told| Edit { file, from, to, told };
    let checks = "[profile.release]\noverflow-checks = true";
    assert_told(
        "",
        &[
            edit("Cargo.toml", checks, "[profile.release]\noverflow-checks = false", "workspace::profiles"),
            edit("Cargo.toml", "[profile.dev]\n", "[profile.dev]\noverflow-checks = false\n", "workspace::profiles"),
            edit(
                "Cargo.toml",
                checks,
                "[patch.crates-io]\nrug = { path = \"evil\" }\n[profile.release]\noverflow-checks = true",
                "workspace::settings",
            ),
            edit(
                ".cargo/config.toml",
                "[env]",
                "[build]\nrustflags = [\"-Coverflow-checks=no\"]\n[env]",
                "workspace::settings",
            ),
            edit(
                "rust/sampling/Cargo.toml",
                "testing = []",
                "default = [\"testing\"]\ntesting = []",
                "workspace::manifest::sampling",
            ),
            edit(
                "rust/sampling/Cargo.toml",
                "[dependencies]\n",
                "[lib]\npath = \"evil.rs\"\n\n[dependencies]\n",
                "workspace::manifest::sampling",
            ),
            edit(
                "Cargo.toml",
                "features = [\"rng\", \"zeroize\"]",
                "features = [\"rng\"]",
                "workspace::manifest::sampling",
            ),
            edit(
                "Cargo.lock",
                "name = \"rug\"\nversion = \"1.",
                "name = \"rug\"\nversion = \"0.",
                "workspace::locked::rug",
            ),
            edit(
                "Cargo.lock",
                "name = \"chacha20\"\nversion = \"0.",
                "name = \"chacha20\"\nversion = \"9.",
                "workspace::locked::chacha20",
            ),
        ],
    );
}

#[test]
fn other_settings_of_a_build_do_not_count_and_no_package_is_left_out() {
    let copy = copy_of_this_workspace();
    let path = copy.path().join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("\ndebug = 0\n"));
    fs::write(&path, text.replacen("\ndebug = 0\n", "\ndebug = 1\n", 1)).unwrap();
    let page = copy.path().join("proofs/build.md");
    let text = fs::read_to_string(&page).unwrap();
    fs::write(&page, text.replace("  - workspace::locked::rug ", "  - workspace::locked::log ")).unwrap();
    let problems = check(copy.path()).unwrap().problems;
    assert!(problems.iter().any(|problem| problem.what.contains("no page names workspace::locked::rug")));
    assert!(!problems.iter().any(|problem| problem.what.contains("workspace::profiles")), "{}", lines(&problems));
}
