//! The survey example as a user runs it: what it finds, how often its intervals hold, and what it says to bad input.

use serde_json::Value;
use std::{path::PathBuf, process::Command};

/// Exit status, standard output and standard error of one run.
fn run(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_health_survey")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

fn groups(arguments: &[&str]) -> Vec<Value> {
    let (success, output, errors) = run(&[arguments, &["--json"]].concat());
    assert!(success, "{errors}");
    let report: Value = serde_json::from_str(&output).unwrap();
    report["groups"].as_array().unwrap().clone()
}

fn estimate(group: &Value, what: &str) -> f64 {
    group[what]["estimate"].as_f64().unwrap()
}

/// The noise is fresh in every run. The finding fails in about one run of ten million, so that two failures in a
/// hundred are a false alarm of probability below 1e-10. Of the 1,000 intervals at most 50 are expected to miss, and
/// more than 120 have probability below 1e-10.
#[test]
fn the_finding_survives_the_noise_and_the_intervals_hold() {
    // So little noise that these are the values without it.
    let truth = groups(&["--epsilon", "1e8"]);
    let (mut found, mut missed, mut intervals) = (0, 0, 0);
    for _ in 0..100 {
        let release = groups(&[]);
        let visits = |level: u64| {
            let group = release.iter().find(|group| group["coinsurance"].as_u64() == Some(level));
            estimate(group.unwrap(), "visits")
        };
        found += u32::from(visits(0) > visits(95));
        for (group, true_group) in release.iter().zip(&truth) {
            for what in ["visits", "spending"] {
                let end = |end: &str| group[what][end].as_f64().unwrap();
                let value = estimate(true_group, what);
                missed += u32::from(!(end("low")..=end("high")).contains(&value));
                intervals += 1;
            }
        }
    }
    assert!(found >= 99, "the finding survived {found} of 100 runs");
    assert!(missed <= 120 && intervals == 1000, "{missed} of {intervals} intervals missed");
}

#[test]
fn the_table_says_what_was_spent_and_found() {
    let (success, output, _) = run(&["--epsilon", "2", "--max-rows-per-individual", "2"]);
    assert!(success);
    assert!(output.contains("epsilon 2 per individual, at most 2 years of each"), "{output}");
    assert!(output.contains("People whose care is free see a doctor more often"), "{output}");
    assert_eq!(output.lines().filter(|line| line.contains(" % |")).count(), 5);
}

#[test]
fn a_budget_too_small_to_show_anything_is_told() {
    let (success, output, _) = run(&["--epsilon", "1e-6"]);
    assert!(success && output.contains("hid"), "{output}");
}

/// Write a CSV file of these lines and run on it.
fn run_on(name: &str, lines: &[&str]) -> (bool, String) {
    let path: PathBuf = [env!("CARGO_TARGET_TMPDIR"), name].iter().collect();
    std::fs::write(&path, lines.join("\n")).unwrap();
    let (success, _, errors) = run(&["--data", path.to_str().unwrap()]);
    (success, errors)
}

#[test]
fn bad_input_gives_one_line_that_names_file_row_and_column() {
    const HEADER: &str = "person_id,coinsurance,md_visits,medical_spend";
    const NOTED: &str = "person_id,coinsurance,md_visits,medical_spend,note";
    let cases: [(&str, &[&str], &str); 7] = [
        ("number.csv", &[HEADER, "1,0,3,20", "2,95,many,10"], "number.csv: row 2, column md_visits: "),
        ("infinite.csv", &[HEADER, "1,0,3,1e400"], "infinite.csv: row 1, column medical_spend: not a finite number"),
        ("nan.csv", &[HEADER, "1,0,NaN,3"], "nan.csv: row 1, column md_visits: not a finite number"),
        ("negative.csv", &[HEADER, "1,-5,3,3"], "negative.csv: row 1, column coinsurance: "),
        ("column.csv", &["person_id,coinsurance,md_visits", "1,0,3"], "column.csv: column medical_spend is missing"),
        ("short.csv", &[HEADER, "1,0,3"], "short.csv: row 1, "),
        // In a column that nobody reads: all rows after it were one cell.
        (
            "quote.csv",
            &[NOTED, "1,0,3,20,", "2,95,1,10,\"many", "3,0,3,20,"],
            "quote.csv: a quoted field is not closed",
        ),
    ];
    for (name, lines, expected) in cases {
        let (success, errors) = run_on(name, lines);
        assert!(!success && errors.contains(expected) && errors.lines().count() == 1, "{errors}");
        assert!(!errors.contains("many") && !errors.contains("1e400"), "the error repeats the data: {errors}");
    }
    let (success, _, errors) = run(&["--data", "no/such/file.csv"]);
    assert!(!success && errors.starts_with("error: no/such/file.csv: ") && errors.lines().count() == 1, "{errors}");
}

#[test]
fn bad_parameters_are_named() {
    for epsilon in ["0", "-1", "nan", "inf", "much"] {
        let (success, _, errors) = run(&[&format!("--epsilon={epsilon}")]);
        assert!(!success && errors.contains("--epsilon"), "{errors}");
    }
    let (success, _, errors) = run(&["--max-rows-per-individual", "0"]);
    assert!(!success && errors.contains("parameter max_rows: must be at least 1"), "{errors}");
}

#[test]
fn an_empty_survey_is_released_like_any_other() {
    let (success, errors) = run_on("empty.csv", &["person_id,coinsurance,md_visits,medical_spend"]);
    assert!(success, "{errors}");
}
