//! The chain behind means by two columns, of a file as it comes.

use std::process::Command;

fn run(file: &str) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_means_by_two_columns")).arg(file).output().unwrap();
    let text = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.success(), String::from_utf8(text).unwrap())
}

/// Of about 1,000 stays in each cell, whose sum has noise of scale 120, a mean is off by 3 with probability below 1e-9.
#[test]
fn means_are_near_the_truth_for_epsilon_1_and_none_of_it_is_unproven() {
    let (done, text) = run(concat!(env!("CARGO_MANIFEST_DIR"), "/data/stays.csv"));
    assert!(done, "{text}");
    for (line, (key, mean)) in
        text.lines().zip([("north, f", 7.5), ("north, m", 6.0), ("south, f", 10.4), ("south, m", 9.0)])
    {
        let released: f64 = line.strip_prefix(key).unwrap().trim().parse().unwrap();
        assert!((released - mean).abs() < 3.0, "{text}");
    }
    assert!(text.contains("epsilon 1.0 ") && text.ends_with("weakest proof: C (maps: B)\n"), "{text}");
}

#[test]
fn a_file_that_is_none_is_named() {
    for (file, expected) in
        [("/nowhere.csv", "/nowhere.csv"), (concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"), "patient")]
    {
        let (done, text) = run(file);
        assert!(!done && text.contains(expected), "{text}");
    }
}
