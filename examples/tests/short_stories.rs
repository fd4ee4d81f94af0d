//! The short examples run on the survey, spend what they were given, and say what is wrong with wrong input.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

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
    ] {
        let output = run(program, &["--epsilon", "1"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.starts_with(expected), "{program}: {text}");
        assert!(text.contains("epsilon 1.0 [") || text.contains("epsilon 0.99999"), "{text}");
    }
}

#[test]
fn wrong_input_is_named_and_data_are_not_told() {
    for program in [env!("CARGO_BIN_EXE_median"), env!("CARGO_BIN_EXE_most_common"), env!("CARGO_BIN_EXE_poll")] {
        for (arguments, expected) in [
            (vec!["--epsilon", "0"], "must be above 0 and finite"),
            (vec!["--epsilon=-1"], "must be above 0 and finite"),
            (vec!["--data", "/nowhere.csv"], "/nowhere.csv"),
            (vec!["--data", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")], "is not a row of the survey"),
        ] {
            let output = run(program, &arguments);
            let text = String::from_utf8(output.stderr).unwrap();
            assert!(!output.status.success() && text.contains(expected), "{program} {arguments:?}: {text}");
            assert!(!text.contains("indistinct-examples"), "{text}");
        }
    }
}
