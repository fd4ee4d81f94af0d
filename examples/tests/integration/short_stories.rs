//! The short examples run on the survey, spend what they were given, and say what is wrong with wrong input.

use std::process::{Command, Output, Stdio};

fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).output().unwrap()
}

#[test]
fn releases_are_near_the_truth_and_within_the_budget() {
    for (program, expected) in [
        (env!("CARGO_BIN_EXE_median"), "median spending in a year: about "),
        // The plan with 6,822 of 20,190 years: another wins with probability below 1e-300.
        (env!("CARGO_BIN_EXE_most_common"), "most common plan: 11\n"),
        (env!("CARGO_BIN_EXE_poll"), "in hospital in their last year: "),
        (env!("CARGO_BIN_EXE_group_means"), "schooling     years  visits a year, 95 % interval\nbelow 12     "),
        (env!("CARGO_BIN_EXE_regression"), "visits a year = "),
        (env!("CARGO_BIN_EXE_tree_quantiles"), "10 % spend less than about "),
    ] {
        let output = run(program, &["--epsilon", "1"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.starts_with(expected), "{program}: {text}");
        let spent = ["epsilon 1.0 [", "epsilon 1 per individual", "epsilon 0.99999"];
        assert!(spent.iter().any(|spent| text.contains(spent)), "{text}");
    }
}

#[test]
fn wrong_input_is_named_and_data_are_not_told() {
    for program in [
        env!("CARGO_BIN_EXE_median"),
        env!("CARGO_BIN_EXE_most_common"),
        env!("CARGO_BIN_EXE_poll"),
        env!("CARGO_BIN_EXE_conversions"),
        env!("CARGO_BIN_EXE_group_means"),
        env!("CARGO_BIN_EXE_regression"),
        env!("CARGO_BIN_EXE_tree_quantiles"),
    ] {
        for (arguments, expected) in [
            (vec!["--epsilon", "0"], "must be above 0 and finite"),
            (vec!["--epsilon=-1"], "must be above 0 and finite"),
            (vec!["--data", "/nowhere.csv"], "/nowhere.csv"),
            (vec!["--data", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")], "column person_id is missing"),
            // What is no survey is refused, not taken for one without rows.
            (vec!["--data", "/dev/null"], "/dev/null: column person_id is missing"),
            (vec!["--data", "."], ".: "),
        ] {
            let output = run(program, &arguments);
            let text = String::from_utf8(output.stderr).unwrap();
            assert!(!output.status.success() && text.contains(expected), "{program} {arguments:?}: {text}");
            assert!(!text.contains("indistinct-examples"), "{text}");
        }
    }
}

/// Whether anybody takes part is secret; in a poll all who are asked know.
#[test]
fn a_survey_without_rows_is_released_like_any_other() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let header = "person_id,plan,age,education,md_visits,admissions,medical_spend\n";
    let (empty, word) = (file("empty.csv", header), file("word.csv", &format!("{header}7,1,30,12,many,0,0\n")));
    for program in [env!("CARGO_BIN_EXE_median"), env!("CARGO_BIN_EXE_most_common"), env!("CARGO_BIN_EXE_poll")] {
        let output = run(program, &["--data", &empty]);
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        let is_poll = program.ends_with("poll");
        assert!(output.status.success() != is_poll && text.contains("nobody to ask") == is_poll, "{program}: {text}");
        let output = run(program, &["--data", &word]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && text.contains("word.csv: line 2 is not a row of the survey"), "{text}");
        assert!(!text.contains("many"), "{text}");
    }
    let output = run(env!("CARGO_BIN_EXE_poll"), &["--epsilon", "1e-300"]);
    assert!(!output.status.success() && String::from_utf8(output.stderr).unwrap().contains("epsilon is so small"));
}

/// A reader that has seen enough, such as `head`, is no failure.
#[test]
fn a_closed_pipe_ends_a_program_quietly() {
    for program in [
        env!("CARGO_BIN_EXE_median"),
        env!("CARGO_BIN_EXE_most_common"),
        env!("CARGO_BIN_EXE_poll"),
        env!("CARGO_BIN_EXE_group_means"),
        env!("CARGO_BIN_EXE_own_csv"),
        env!("CARGO_BIN_EXE_unknown_keys"),
        env!("CARGO_BIN_EXE_running_count"),
        env!("CARGO_BIN_EXE_regression"),
        env!("CARGO_BIN_EXE_tree_quantiles"),
        env!("CARGO_BIN_EXE_conversions"),
    ] {
        let mut command = Command::new(program);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{program}: {output:?}");
    }
}

/// All numbers in what a program prints before its explanation, in order.
fn numbers(program: &str, epsilon: &str) -> Vec<f64> {
    let output = run(program, &["--epsilon", epsilon]);
    let text = String::from_utf8(output.stdout).unwrap();
    let story = text.split("make_").next().unwrap().split("Privacy").next().unwrap();
    let words = story.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'));
    words.filter_map(|word| word.parse().ok()).collect()
}

/// With next to no noise the answers are the truth; at epsilon 100 they are near it. The noise is fresh in every run:
/// it takes twenty-five scales of it in one number to fail.
#[test]
fn what_is_released_is_near_the_truth() {
    for (program, tolerance) in [
        (env!("CARGO_BIN_EXE_group_means"), 10.0),
        (env!("CARGO_BIN_EXE_regression"), 0.05),
        (env!("CARGO_BIN_EXE_tree_quantiles"), 10.0),
    ] {
        let (truth, released) = (numbers(program, "1000000"), numbers(program, "100"));
        assert!(truth.len() >= 2 && truth.len() == released.len(), "{program}: {truth:?} {released:?}");
        for (truth, released) in truth.iter().zip(&released) {
            assert!((truth - released).abs() <= tolerance, "{program}: {truth} {released}");
        }
    }
}
