//! The program as it is called: verdicts, codes and messages.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output: Output =
        Command::new(env!("CARGO_BIN_EXE_indistinct-audit")).current_dir(folder).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn folder(files: &[(&str, String)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Says the truth three times in four: epsilon is ln 3.
fn says(truth: u32) -> String {
    (0..40_000u32).map(|run| format!("{}\n", if run / 2 % 4 != 0 { truth } else { 1 - truth })).collect()
}

#[test]
fn draws_refute_what_is_too_little_and_nothing_else() {
    let lists = |truth: u32| says(truth).lines().map(|bit| format!("[{bit}, \"x\", inf]\n")).collect::<String>();
    let folder = folder(&[
        ("one.txt", says(1)),
        ("zero.txt", says(0)),
        ("ones.txt", lists(1).replace("inf", "null")),
        ("zeros.txt", lists(0).replace("inf", "null")),
        ("words.txt", "a\nb\nnan\n1.5\n".into()),
        ("few.txt", "1\n\n".into()),
    ]);
    let run = |arguments: &[&str]| run(folder.path(), arguments);
    for files in [["one.txt", "zero.txt"], ["ones.txt", "zeros.txt"]] {
        let (code, out, _) = run(&["draws", files[0], files[1], "--epsilon", "1.1"]);
        assert_eq!((code, out.contains("epsilon 1.1: not refuted")), (0, true), "{out}");
        let (code, out, _) = run(&["draws", files[0], files[1], "--epsilon", "0.95"]);
        assert_eq!((code, out.contains("epsilon 0.95: REFUTED")), (1, true), "{out}");
    }
    // 3/4 - e^(1/2) / 4 = 0.338 beside epsilon 1/2.
    let with_delta = |delta| run(&["draws", "one.txt", "zero.txt", "--epsilon", "0.5", "--delta", delta]).0;
    assert_eq!((with_delta("0.34"), with_delta("0.25")), (0, 1));
    let (code, out, _) = run(&["--format", "json", "draws", "one.txt", "zero.txt", "--mu", "0.9", "--rho", "3"]);
    assert_eq!((code, out.contains("\"refuted\": [\n    \"mu\"\n  ]")), (1, true), "{out}");
    let (code, out, _) = run(&["draws", "words.txt", "words.txt"]);
    assert_eq!((code, out.contains("epsilon 0 (delta 0)")), (0, true), "{out}");
    assert_eq!(run(&["draws", "few.txt", "one.txt"]).0, 4);
    let (code, _, message) = run(&["draws", "none.txt", "one.txt"]);
    assert_eq!((code, message.starts_with("error: none.txt: ")), (7, true), "{message}");
    for wrong in [["--epsilon", "-1"], ["--delta", "2"], ["--confidence", "1"], ["--mu", "nan"]] {
        assert_eq!(run(&["draws", "one.txt", "zero.txt", wrong[0], wrong[1]]).0, 2);
    }
}

const PLAN: &str = r#"
version = 2
metric = "SymmetricDistance"
columns = { city = "text", age = "integer(0..=120)" }
steps = [
    { make = "filter_rows", condition = 'city == "Heidelberg"' },
    { make = "rows", columns = ["age"] },
    { make = "count" },
    { make = "laplace", scale = 2 },
]
"#;

#[test]
fn plans_are_audited_on_tables_that_are_made_up() {
    let folder = folder(&[
        ("plan.toml", PLAN.into()),
        ("wrong.toml", PLAN.replace("count", "cuont")),
        ("rows.csv", "city,age\nHeidelberg,33\nMannheim,44\n".into()),
        ("other.csv", "town,age\nHeidelberg,33\n".into()),
    ]);
    let run = |arguments: &[&str]| {
        let quick = ["--draws", "4000", "--pairs", "20", "--chosen", "1"];
        run(folder.path(), &[&["--format", "json", "plan"], arguments, &quick].concat())
    };
    let ratio = |out: &str| -> f64 {
        let line = out.lines().find(|line| line.contains("\"ratio\"")).unwrap();
        line.trim_matches([' ', ',']).rsplit(' ').next().unwrap().parse().unwrap()
    };
    let (code, out, message) = run(&["plan.toml", "--rows", "rows.csv"]);
    assert_eq!((code, ratio(&out) > 0.2), (0, true), "{out}{message}");
    assert!(out.contains("\"claim\": \"epsilon 0.5\"") && out.contains("not refuted"), "{out}");
    // The same seed, the same audit.
    assert_eq!(run(&["plan.toml", "--rows", "rows.csv"]).1, out);
    // No row that is drawn by chance is kept.
    assert!(ratio(&run(&["plan.toml"]).1) < 0.1);
    let (code, _, message) = run(&["wrong.toml"]);
    assert_eq!((code, message.contains("there is no step \"cuont\"")), (3, true), "{message}");
    let (code, _, message) = run(&["plan.toml", "--rows", "other.csv"]);
    assert_eq!(code, 3, "{message}");
    assert_eq!((run(&["none.toml"]).0, run(&["plan.toml", "--rows", "none.csv"]).0), (7, 7));
}

/// Every plan of the examples.
#[test]
fn plans_of_the_examples_are_not_refuted() {
    let plans = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/plans");
    let mut number = 0;
    for entry in fs::read_dir(&plans).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let text = path.to_str().unwrap();
        let (code, out, message) = run(&plans, &["plan", text, "--draws", "1000", "--pairs", "4", "--chosen", "1"]);
        assert_eq!(code, 0, "{text}: {out}{message}");
        number += 1;
    }
    assert!(number > 0);
}
