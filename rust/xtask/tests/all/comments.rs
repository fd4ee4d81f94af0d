//! Comments keep to the width that rustfmt.toml promises for code, which does not look at them.

use std::path::Path;
use walkdir::WalkDir;

const WIDTH: usize = 120;

/// The lines of comments that are too wide, but for what cannot be broken: tables and code.
fn too_wide(text: &str) -> Vec<usize> {
    let (mut found, mut in_code) = (Vec::new(), false);
    for (number, line) in (1..).zip(text.lines()) {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            in_code = false;
            continue;
        };
        let comment = comment.trim_start_matches(['/', '!']);
        if comment.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        let is_kept_whole = in_code || comment.starts_with(" |") || comment.starts_with("     ");
        if line.chars().count() > WIDTH && !is_kept_whole {
            found.push(number);
        }
    }
    found
}

#[test]
fn comments_keep_to_the_width() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut read, mut wide) = (0, Vec::new());
    for place in ["rust", "tests", "examples", "proofs/oracle"] {
        let is_kept = |entry: &walkdir::DirEntry| entry.file_name() != "target";
        for file in WalkDir::new(root.join(place)).into_iter().filter_entry(is_kept) {
            let file = file.unwrap();
            if file.path().extension().is_some_and(|end| end == "rs") {
                let found = too_wide(&std::fs::read_to_string(file.path()).unwrap());
                wide.extend(found.into_iter().map(|line| format!("{}:{line}", file.path().display())));
                read += 1;
            }
        }
    }
    assert!(wide.is_empty(), "wider than {WIDTH}: {wide:#?}");
    assert!(read > 300);
}

#[test]
fn what_is_too_wide_is_found() {
    let (words, dots) = ("word ".repeat(30), ".".repeat(121));
    assert_eq!(too_wide(&format!("fn f() {{}}\n    // {words}\n//! {words}\n/// short")), [2, 3]);
    assert_eq!(too_wide(&format!("/// | {words} |\n/// ```\n/// {words}\n/// ```\nlet x = \"{dots}\";\n")), [0; 0]);
}
