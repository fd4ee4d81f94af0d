//! The example of the README: a file as it comes, and a table of counts and means by two columns.

use std::process::Command;

fn run(file: &str) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_stays")).arg(file).output().unwrap();
    let text = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.success(), String::from_utf8(text).unwrap())
}

/// Of about 800 stays in each cell the sum of distances from the middle has noise of scale 120, and the counts have
/// noise of scales 4 and 8: a mean is off by 4, or a count by 100, with probability below 1e-9.
#[test]
fn a_table_is_near_the_truth_for_epsilon_1_and_none_of_it_is_unproven() {
    let (done, text) = run(concat!(env!("CARGO_MANIFEST_DIR"), "/data/stays.csv"));
    assert!(done, "{text}");
    let rows =
        [("north   f", 776.0, 7.5), ("north   m", 841.0, 6.0), ("south   f", 773.0, 10.4), ("south   m", 817.0, 9.0)];
    for (line, (key, count, mean)) in text.lines().skip(1).zip(rows) {
        let words: Vec<&str> = line.strip_prefix(key).unwrap().split_whitespace().collect();
        let released = |word: usize| words[word].parse::<f64>().unwrap();
        assert!((released(0) - count).abs() < 100.0 && (released(3) - mean).abs() < 4.0, "{text}");
    }
    assert!(text.contains("epsilon 1.0 ") && text.ends_with("weakest proof: C (maps: B)\n"), "{text}");
}

#[test]
fn a_file_that_is_none_is_named() {
    let (done, text) = run("/nowhere.csv");
    assert!(!done && text.contains("/nowhere.csv"), "{text}");
}
