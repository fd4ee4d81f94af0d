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
    // Two statistics, and what can be told from the release.
    assert_eq!(page.matches("<svg").count(), 3);
    assert!(page.contains("each fails with probability 0.05"));
    // The same release with other intervals.
    says(here, &[&release[..], &["--alpha", "0.5"]].concat());
    let other = fs::read_to_string(here.join("r.html")).unwrap();
    assert!(other.contains("each fails with probability 0.5<") && other != page);
}

/// The same, of a guarantee and of an account.
#[test]
fn curves_and_budgets_have_pages() {
    let folder = folder(100);
    let here = folder.path();
    open(here);
    let read = |name: &str| fs::read_to_string(here.join(name)).unwrap();
    let table = says(here, &["account", "curves", "rho=0.1", "--html", "rho.html"]);
    assert!(table.contains("epsilon for a delta of") && table.contains("1e-6    2.1419"), "{table}");
    let json = says(here, &["account", "curves", "epsilon=1,delta=1e-6", "--format", "json", "--html", "pair.html"]);
    // No epsilon has a smaller delta, and no Renyi divergence is finite.
    assert!(json.contains("\"bound\": null") && !json.contains("Renyi"), "{json}");
    assert!(
        read("pair.html").contains("There is no curve") && read("rho.html").contains("The divergence of some orders")
    );
    let ann = ["--spend", "epsilon=0.25", "--account", "ann", "--yes", "--key"];
    for key in ["first", "<second>"] {
        says(here, &[&["release", QUESTION], &ann[..], &[key]].concat());
    }
    says(here, &["report", "--ledger", "budget.ledger", "--html", "all.html"]);
    says(here, &["report", "--ledger", "budget.ledger", "--account", "ann", "--html", "ann.html"]);
    for (page, budget) in [("all.html", "The budget of survey"), ("ann.html", "The budget of ann")] {
        let page = read(page);
        for part in [budget, "epsilon 0.5", "&lt;second&gt;", "1 individual added or removed", "What can be told"] {
            assert!(page.contains(part), "{part}");
        }
    }
    for page in ["rho.html", "pair.html", "all.html", "ann.html"] {
        let page = read(page);
        assert!(page.len() < 300_000 && page.contains("role=\"img\"") && page.contains("prefers-color-scheme:dark"));
        for foreign in ["<script", "http://", "https://", "<second>", "src=", "@import"] {
            assert!(!page.contains(foreign), "{foreign}");
        }
    }
    for (arguments, code) in [
        (&["account", "curves"][..], 2),
        (&["account", "curves", "sigma=1"], 2),
        (&["account", "curves", "epsilon=-1"], 3),
        (&["report", "--html", "x.html"], 2),
        (&["report", "--ledger", "none", "--html", "x.html"], 7),
        (&["report", "--ledger", "budget.ledger", "--account", "eve", "--html", "x.html"], 3),
    ] {
        assert_eq!(run(here, arguments).status.code(), Some(code), "{arguments:?}");
    }
}
