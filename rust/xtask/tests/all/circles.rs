//! No module uses another that uses it.

use std::{fs, path::Path};
use tempfile::TempDir;
use xtask::circles::{Circle, circles};

#[test]
fn there_are_none() {
    let found = circles(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// The circles of a crate of these files.
fn of(files: &[(&str, &str)]) -> Vec<Circle> {
    let root = TempDir::new().unwrap();
    for (file, text) in [("../Cargo.toml", "[package]\nname = \"small\"\n")].iter().chain(files) {
        let path = root.path().join("rust/small/src").join(file);
        fs::create_dir_all(root.path().join("rust/small/src")).unwrap();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    circles(root.path()).unwrap()
}

fn members(files: &[(&str, &str)]) -> Vec<String> {
    of(files).iter().map(|circle| circle.members.join(" ")).collect()
}

const ROOT: (&str, &str) = ("lib.rs", "mod a;\nmod b;\n");

#[test]
fn imports_and_paths_in_code_are_uses() {
    let b = ("b.rs", "pub fn f() {}\npub struct T;\n");
    for b in [
        "use crate::a::f;\npub fn g() { f() }",
        "use super::{a::{f as h, self}};\npub fn g() { h() }",
        "pub fn g() { crate::a::f() }",
        "use super::a;\npub fn g() { a::f() }",
        "macro_rules! m { () => { $crate::a::f() }; }\npub fn g() { m!() }",
        "use super::a::*;\npub fn g() { f() }",
    ] {
        assert_eq!(
            members(&[ROOT, ("a.rs", "use crate::b::g;\npub fn f() { g() }"), ("b.rs", b)]),
            ["small::a small::b"]
        );
    }
    assert!(members(&[ROOT, ("a.rs", "use crate::b::f;\npub fn g() { f() }"), b]).is_empty());
}

#[test]
fn tests_and_other_crates_are_no_uses() {
    let a = ("a.rs", "use crate::b::g;\npub fn f() { g() }");
    let b = "use std::fmt;\npub fn g() {}\n#[cfg(test)]\nmod tests { use crate::a::f; fn t() { f() } }";
    assert!(members(&[ROOT, a, ("b.rs", b)]).is_empty());
}

#[test]
fn a_re_export_is_followed_and_is_no_use() {
    let root = ("lib.rs", "mod a;\nmod error;\npub use a::f;\npub use error::Error;\n");
    let a = ("a.rs", "use crate::Error;\npub fn f() -> Error { Error }");
    assert!(members(&[root, a, ("error.rs", "pub struct Error;")]).is_empty());
    // What the root itself defines is used by its child, and the root uses it.
    let root = ("lib.rs", "mod a;\npub use a::f;\npub struct Error;\npub fn g() { f(); }\n");
    assert_eq!(members(&[root, a]), ["small small::a"]);
}

#[test]
fn folders_make_circles_where_no_modules_do() {
    let files = [
        ROOT,
        ("a/mod.rs", "mod one;\nmod two;\npub use {one::one, two::two};\n"),
        ("a/one.rs", "use crate::b::b;\npub fn one() { b() }"),
        ("a/two.rs", "pub fn two() {}"),
        ("b.rs", "use crate::a::two;\npub fn b() { two() }"),
    ];
    let found = of(&files);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].folder.as_deref(), found[0].members.join(" ")), (Some("small"), "small::a small::b".into()));
    assert_eq!(
        found[0].to_string(),
        "in the folder small: small::a <-> small::b\n    small::a -> small::b: small::b::b\n    \
         small::b -> small::a: small::a::two::two"
    );
}
