//! The histogram of unknown keys as a user runs it.

use std::{collections::BTreeMap, process::Command};

fn run(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_unknown_keys")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// The lines that are two numbers: visits and people.
fn histogram(arguments: &[&str]) -> BTreeMap<u32, f64> {
    let (success, output, errors) = run(arguments);
    assert!(success, "{errors}");
    let entry = |line: &str| {
        let (visits, people) = line.trim().split_once(' ')?;
        Some((visits.parse().ok()?, people.trim().parse().ok()?))
    };
    output.lines().filter_map(entry).collect()
}

/// The noise is fresh in every run: with epsilon 1 it exceeds 40 with probability below 1e-17, and a key of fewer than
/// 10 people appears with probability below 1e-15 at a delta of 1e-20.
#[test]
fn common_keys_are_released_and_rare_ones_are_not() {
    let truth = histogram(&["--epsilon", "1e6", "--delta", "0.9"]);
    assert!(truth.len() > 30 && truth.values().filter(|&&people| people < 10.0).count() > 10, "{truth:?}");
    let released = histogram(&["--delta", "1e-20"]);
    assert!(released.len() >= 5 && released.len() < truth.len(), "{released:?}");
    for (visits, people) in &truth {
        match released.get(visits) {
            Some(noisy) => assert!((noisy - people).abs() <= 40.0 && *people >= 10.0, "{visits}: {noisy} {people}"),
            None => assert!(*people < 150.0, "{visits} visits of {people} people are missing"),
        }
    }
    assert!(released.keys().all(|visits| truth.contains_key(visits)), "a key that nobody has");
}

#[test]
fn budgets_that_cannot_be_met_are_refused() {
    for arguments in
        ["--epsilon=nan", "--epsilon=-1", "--epsilon=inf", "--delta=0", "--delta=1", "--delta=2", "--delta=inf"]
    {
        let (success, output, errors) = run(&[arguments]);
        assert!(!success && output.is_empty() && !errors.is_empty(), "{arguments:?}: {output}");
    }
}
