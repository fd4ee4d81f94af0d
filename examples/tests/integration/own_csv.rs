//! The program for a CSV file of one's own: it finds the columns, meets the budget, and says what is wrong with wrong
//! input.

use std::{collections::BTreeMap, io::Write, process::Command};
use tempfile::NamedTempFile;

fn file(text: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

/// Run on a file, with some arguments changed.
fn run(file: &NamedTempFile, changed: &[(&str, &str)]) -> (bool, String) {
    let data = file.path().to_str().unwrap();
    let usual = [
        ("data", data),
        ("person", "patient"),
        ("group", "ward"),
        ("groups", "A,B"),
        ("value", "days"),
        ("upper", "30"),
    ];
    let mut arguments = BTreeMap::from(usual);
    arguments.extend(changed.iter().copied());
    let words = arguments.iter().map(|(name, value)| format!("--{name}={value}"));
    let output = Command::new(env!("CARGO_BIN_EXE_own_csv")).args(words).output().unwrap();
    let text = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.success(), String::from_utf8(text).unwrap())
}

/// With next to no noise the truth: numbers beyond a bound, rows beyond an individual's limit, rows without an
/// individual or of no listed ward.
#[test]
fn the_truth_shows_through_next_to_no_noise() {
    let rows = "ward,patient,days,note\nA,1,3,\nA,1,500,x\nA,2,,\nB,3,7,\nB,,29,\nC,4,9,\n";
    let (done, text) = run(&file(rows), &[("epsilon", "1000000")]);
    assert!(
        done && text.starts_with("A: 2 rows, mean 16.50, 95 % interval 16.50 to 16.50\nB: 1 rows, mean 7.00"),
        "{text}"
    );
    let (done, text) = run(&file(rows), &[("epsilon", "1000000"), ("rows", "1")]);
    assert!(done && text.starts_with("A: 1 rows"), "{text}");
    assert!(
        text.contains("At most 1 rows of each individual are used") && text.contains("intervals cover the noise"),
        "{text}"
    );
    let (done, text) = run(&file(rows), &[("epsilon", "0.5")]);
    assert!(done && text.contains("-> epsilon 0.5 ["), "{text}");
}

/// A cell that is no number says nothing of the mean: neither a lower bound nor anything else stands in for it, and it
/// uses up none of an individual's rows.
#[test]
fn missing_numbers_are_left_out() {
    let cell = |i: usize| if i % 5 < 2 { ["", "NA"][i % 2].to_owned() } else { (50 + i % 21).to_string() };
    let rows: String = (0..1000).map(|i| format!("A,{},{}\n", i / 5, cell(i))).collect();
    let (done, text) = run(
        &file(&format!("ward,patient,days\n{rows}")),
        &[("epsilon", "1000000"), ("upper", "120"), ("rows", "3"), ("groups", "A")],
    );
    assert!(done && text.starts_with("A: 600 rows, mean "), "{text}");
    let mean: f64 = text.split(&[' ', ','][..]).nth(5).unwrap().parse().unwrap();
    assert!((59.0..61.0).contains(&mean), "{mean}");
    let (done, text) = run(&file("ward,patient,days\nA,1,x\nA,2,y\n,3,4\n"), &[("epsilon", "1000000")]);
    assert!(done && text.starts_with("A: 0 rows, too few for a mean\nB: 0 rows, too few for a mean\n"), "{text}");
}

/// What the front page says to type.
#[test]
fn the_readme_command_runs() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).unwrap();
    let words = readme.lines().find_map(|line| line.strip_prefix("cargo run --release --bin own_csv -- ")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_own_csv")).args(words.split_whitespace()).output().unwrap();
    assert!(output.status.success() && output.stdout.starts_with(b"1: "), "{output:?}");
}

#[test]
fn wrong_input_is_named_and_data_are_not_told() {
    let rows = file("ward,patient,days\nA,secret,3\n");
    for (changed, expected) in [
        (("value", "stay"), "column stay: is not in the data"),
        (("value", "ward"), "parameter columns: the name \"ward\" is repeated"),
        (("lower", "40"), "parameter bounds: the lower bound must not exceed the upper bound"),
        (("upper", "inf"), "parameter bounds: must be finite"),
        (("groups", "A,A"), "parameter categories: must be distinct"),
        (("rows", "0"), "parameter max_rows: must be at least 1"),
        (("epsilon", "0"), "must be above 0 and finite"),
        (("data", "/nowhere.csv"), "file /nowhere.csv: cannot be opened: entity not found"),
    ] {
        let (done, text) = run(&rows, &[changed]);
        assert!(!done && text.contains(expected) && !text.contains("secret"), "{changed:?}: {text}");
    }
}
