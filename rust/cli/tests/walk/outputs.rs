//! What leaves the program.

use crate::{QUESTION, folder, open, run, says};
use std::fs;

/// Cells of the file are in nothing that is printed or written.
#[test]
fn canaries_are_seen_nowhere() {
    let folder = folder(200);
    let here = folder.path();
    open(here);
    let release = ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--key", "k", "--yes"];
    let files = ["--certificate", "c.json", "--released", "r.json", "--html", "r.html"];
    let mut seen = says(here, &[&release[..], &files].concat());
    for format in ["text", "json", "csv"] {
        seen += &says(here, &[&release[..], &["--format", format]].concat());
        seen += &says(here, &["price", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--format", format]);
    }
    let unread = run(here, &[&release[..7], &["other", "--yes", "--data", "schema.toml"]].concat());
    seen += &String::from_utf8_lossy(&unread.stderr);
    for file in fs::read_dir(here).unwrap() {
        let path = file.unwrap().path();
        if !path.ends_with("stays.csv") {
            seen += &String::from_utf8_lossy(&fs::read(path).unwrap());
        }
    }
    assert!(seen.len() > 50_000);
    assert!(!seen.contains("zzcanaryzz") && !seen.contains("p199"));
}

/// Codes, and how much is said on standard error, do not tell neighbors apart.
#[test]
fn neighbors_end_alike() {
    let ended = |patients: u32| {
        let folder = folder(patients);
        open(folder.path());
        let release = ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--key", "k", "--yes"];
        let output = run(folder.path(), &release);
        (output.status.code(), output.stderr.len())
    };
    assert_eq!(ended(100), ended(101));
    assert_eq!(ended(0), ended(1));
}

/// One page, readable without a network, a script or colors.
#[test]
fn the_page_holds_all_that_was_said() {
    let folder = folder(2000);
    let here = folder.path();
    open(here);
    let key = "days <b>by</b> region & \"sex\"";
    let release =
        ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--key", key, "--yes", "--html", "r.html"];
    says(here, &release);
    let page = fs::read_to_string(here.join("r.html")).unwrap();
    assert!(page.len() < 300_000);
    for part in [
        "<html lang=\"en\">",
        "days &lt;b&gt;by&lt;/b&gt; region &amp; &quot;sex&quot;",
        "<caption>",
        "scope=\"col\"",
        "role=\"img\"",
        "prefers-color-scheme:dark",
        "@media print",
        "1 individual added or removed",
        "make_laplace",
        "What is not protected",
        "plan_hash",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for foreign in ["<script", "http://", "https://", "<b>by", "src=", "@import"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert_eq!(page.matches("<svg").count(), 2);
    assert!(page.contains("each fails with probability 0.05"));
    // The same release with other intervals.
    says(here, &[&release[..], &["--alpha", "0.5"]].concat());
    let other = fs::read_to_string(here.join("r.html")).unwrap();
    assert!(other.contains("each fails with probability 0.5<") && other != page);
}
