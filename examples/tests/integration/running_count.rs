//! The running count as a user runs it.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_running_count")).args(arguments).output().unwrap()
}

fn totals(output: &Output) -> Vec<(u32, i64)> {
    let text = String::from_utf8_lossy(&output.stdout);
    let pair = |line: &str| {
        let mut cells = line.split_whitespace();
        Some((cells.next()?.parse().ok()?, cells.next()?.parse().ok()?))
    };
    text.lines().filter_map(pair).collect()
}

/// The noise is fresh in each run. At epsilon 1 the scale is 15 levels times 20 visits; a total has at most 15 draws,
/// whose sum exceeds 40 scales with probability below 2^16 exp(-40 / sqrt(2)), 10^-7, so that all ten are within with
/// 10^-6: two of three runs that fail have probability below 10^-11.
#[test]
fn totals_are_close_to_the_truth() {
    let truth = totals(&run(&["--epsilon", "1e7"]));
    assert_eq!(truth.len(), 10);
    assert!(truth.windows(2).all(|pair| pair[0].1 < pair[1].1));
    let bound = 40 * 15 * 20;
    let close = |_: &u32| {
        let noisy = totals(&run(&[]));
        noisy.len() == 10 && noisy.iter().zip(&truth).all(|(one, other)| (one.1 - other.1).abs() < bound)
    };
    assert!((0..3).filter(close).count() >= 2);
}

#[test]
fn bad_input_is_named_and_not_repeated() {
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/running.csv");
    std::fs::write(path, "md_visits\n3\nsecret\n").unwrap();
    let output = run(&["--data", path]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("row 2, column md_visits") && !errors.contains("secret"));
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/quote.csv");
    std::fs::write(path, "md_visits,note\n3,\"secret\n4,\n").unwrap();
    let output = run(&["--data", path]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("quote.csv: a quoted field is not closed"), "{errors}");
    for epsilon in ["0", "-1", "nan", "inf"] {
        assert!(!run(&[&format!("--epsilon={epsilon}")]).status.success(), "{epsilon}");
    }
}
