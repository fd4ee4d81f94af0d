//! Private training as a user runs it: what each accountant says, what the model has learned, and what is said to wrong
//! input.

use std::{path::PathBuf, process::Command};

/// Exit status, standard output and standard error of one run.
fn run(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_dp_sgd")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// The numbers of a line.
fn numbers(line: &str) -> Vec<f64> {
    line.split_whitespace().filter_map(|word| word.trim_end_matches([',', '.']).parse().ok()).collect()
}

#[test]
fn each_epoch_tells_what_was_spent_and_the_model_learns() {
    let (success, text, errors) = run(&["--epsilon", "3", "--delta", "1e-6", "--rate", "0.1", "--epochs", "5"]);
    assert!(success, "{errors}");
    let rows: Vec<Vec<f64>> = text.lines().map(numbers).filter(|row| row.len() == 9).collect();
    assert_eq!(rows.len(), 5, "{text}");
    for (row, epoch) in rows.iter().zip(1u32..) {
        let &[number, steps, lower, upper, renyi, advanced, basic, accuracy, ranking] = row.as_slice() else {
            panic!()
        };
        assert!(number == f64::from(epoch) && steps == f64::from(10 * epoch), "{text}");
        // Each way of counting allows for more than the one before.
        assert!(0.0 < lower && lower <= upper && upper < renyi && renyi < advanced && advanced <= basic, "{text}");
        assert!((0.5..1.0).contains(&accuracy) && (0.3..0.9).contains(&ranking), "{text}");
    }
    // All of epsilon is used, and not more.
    assert!((2.999..3.001).contains(&rows[4][3]), "{text}");
    let (_, spent) = text.split_once("Privacy spent: epsilon ").unwrap();
    let (spent, rest) = spent.split_once(',').unwrap();
    assert!(
        (2.999..=3.0).contains(&spent.parse::<f64>().unwrap()) && rest == " delta 1e-6 per individual.\n",
        "{text}"
    );
    // Without privacy the ranking is 0.747, by chance it would be 0.5 with a standard deviation of 0.016; the noise
    // moves it by some 0.01.
    let without = text.lines().find(|line| line.starts_with("Without privacy")).unwrap();
    let &[accuracy, ranking] = numbers(without).as_slice() else { panic!("{without}") };
    assert!(accuracy > 0.91 && (0.74..0.755).contains(&ranking), "{without}");
    assert!(rows[4][8] > 0.6, "{text}");
}

/// What each way of counting said before a chain told it: an accountant was asked by hand then, with the same budget.
#[test]
fn the_map_of_the_chain_tells_what_accountants_were_told_by_hand() {
    let (success, text, errors) = run(&["--epsilon", "3", "--delta", "1e-6", "--rate", "0.1", "--epochs", "5"]);
    assert!(success, "{errors}");
    assert!(text.starts_with("50 steps at rate 0.1, noise of 1.4795 times the clipped length 2\n"), "{text}");
    let rows: Vec<Vec<f64>> = text.lines().map(numbers).filter(|row| row.len() == 9).collect();
    for (row, told) in rows.iter().zip([
        [1.0, 10.0, 1.612738, 1.612738, 1.8877, 14.080, 14.080],
        [2.0, 20.0, 2.058021, 2.058021, 2.3455, 28.159, 28.159],
        [3.0, 30.0, 2.414336, 2.414336, 2.7161, 42.239, 42.239],
        [4.0, 40.0, 2.722807, 2.722807, 3.0391, 56.319, 56.319],
        [5.0, 50.0, 3.0, 3.0, 3.3306, 70.398, 70.398],
    ]) {
        assert_eq!(row[..7], told, "{text}");
    }
    assert!(text.ends_with("Privacy spent: epsilon 3.000000, delta 1e-6 per individual.\n"), "{text}");
}

/// The epsilon that a run ends with.
fn spent(arguments: &[&str]) -> f64 {
    let (success, text, errors) = run(arguments);
    assert!(success, "{errors}");
    let (_, spent) = text.split_once("Privacy spent: epsilon ").unwrap();
    spent.split_once(',').unwrap().0.parse().unwrap()
}

/// Whatever is changed in the code that runs is seen by the map, and nothing else has to be told.
#[test]
fn clip_rate_and_noise_each_change_what_is_spent() {
    for way in ["--way=planned", "--way=followed", "--way=correlated"] {
        let spent = |more: &[&str]| spent(&[&[way, "--epochs=1"], more].concat());
        // Where nobody is drawn by chance, that much noise would leave nothing.
        let [four, two] =
            if way == "--way=correlated" { ["--noise=16", "--noise=8"] } else { ["--noise=4", "--noise=2"] };
        let epsilon = spent(&[four, "--clip=2", "--rate=0.1"]);
        assert!((0.3..2.0).contains(&epsilon), "{way}: {epsilon}");
        // Twice the length with the same noise, the same as half the noise.
        let clip = spent(&[four, "--clip=4", "--rate=0.1"]);
        let noise = spent(&[two, "--clip=2", "--rate=0.1"]);
        assert!(clip == noise && clip > 1.5 * epsilon, "{way}: {clip} {noise} {epsilon}");
        // Twice the rate, in half as many steps; of parts, fewer bands.
        let rate = spent(&[four, "--clip=2", "--rate=0.2"]);
        assert!(
            if way == "--way=correlated" { rate < epsilon } else { rate > 1.1 * epsilon },
            "{way}: {rate} {epsilon}"
        );
        let less = spent(&[four, "--clip=1.5", "--rate=0.1"]);
        assert!(less < 0.9 * epsilon, "{way}: {less} {epsilon}");
    }
}

/// The length is another one after each step, and what is spent is what was planned: the noise goes with it. The counts
/// that it is found by have their price, which more noise on the sum pays for.
#[test]
fn a_length_that_is_found_by_noisy_counts_costs_what_was_planned() {
    let plan = ["--epsilon=3", "--rate=0.1", "--epochs=3"];
    let (success, text, errors) = run(&[&plan[..], &["--quantile=0.5"]].concat());
    assert!(success, "{errors}");
    let (_, length) = text.split_once("The clipped length, found by noisy counts: ").unwrap();
    let length: f64 = length.split_once(".\n").unwrap().0.parse().unwrap();
    // Half of the gradients are much shorter than 2, and not by any means 0.
    assert!((0.2..1.9).contains(&length), "{text}");
    let epsilon = spent(&[&plan[..], &["--quantile=0.5"]].concat());
    assert!((2.999..=3.0).contains(&epsilon), "{epsilon}");
    let noise = |text: &str| numbers(text.lines().next().unwrap())[2];
    let (_, alone, _) = run(&plan);
    assert!(noise(&text) > noise(&alone) && noise(&text) < 1.01 * noise(&alone), "{text}");
}

/// A filter goes on until it has no room for another step: more steps than were planned with more noise than that, and
/// never more than was promised.
#[test]
fn a_training_that_is_followed_ends_with_its_budget() {
    let (success, text, errors) = run(&["--way=followed", "--epsilon=3", "--rate=0.1", "--epochs=2", "--quantile=0.9"]);
    assert!(success, "{errors}");
    assert!(text.starts_with("A budget for 20 steps at rate 0.1 with noise of "), "{text}");
    let rows: Vec<Vec<f64>> = text.lines().map(numbers).filter(|row| row.len() == 7).collect();
    assert!(rows.len() >= 2 && rows.windows(2).all(|rows| rows[0][4] < rows[1][4]), "{text}");
    assert!(rows.iter().all(|row| row[4] <= 3.0), "{text}");
    let taken = text.lines().find(|line| line.starts_with("It ended")).unwrap();
    assert!(taken.contains("when the budget had no room") || taken.contains("hardly more than noise"), "{text}");
    let (_, spent) = text.split_once("Privacy spent: epsilon ").unwrap();
    let spent: f64 = spent.split_once(',').unwrap().0.parse().unwrap();
    assert!((2.99..=3.0).contains(&spent), "{text}");
}

/// Each step of one part of the people, and the sum of all has less noise than if each step had its own.
#[test]
fn correlated_noise_trains_on_every_part_in_turn() {
    let (success, text, errors) = run(&["--way=correlated", "--epsilon=3", "--rate=0.1", "--epochs=4"]);
    assert!(success, "{errors}");
    let &[steps, parts, _, error, of_its_own] = numbers(text.lines().next().unwrap()).as_slice() else {
        panic!("{text}")
    };
    assert!(steps == 40.0 && parts == 10.0 && error < 0.6 * of_its_own, "{text}");
    let rows: Vec<Vec<f64>> = text.lines().map(numbers).filter(|row| row.len() == 4).collect();
    assert!(rows.len() == 4 && rows[3][3] > 0.6, "{text}");
    assert!(text.ends_with("Privacy spent: epsilon 3.000000, delta 1e-6 per individual.\n"), "{text}");
    let (success, _, errors) = run(&["--way=correlated", "--quantile=0.5"]);
    assert!(!success && errors.contains("--quantile"), "{errors}");
}

/// With next to no noise, all people in each step and next to no clipping, it is plain gradient descent: the same model
/// as the one without privacy.
#[test]
fn without_noise_it_is_gradient_descent() {
    let arguments = ["--epsilon=1e5", "--rate=1", "--clip=20", "--epochs=300", "--learning-rate=0.5"];
    let (success, text, errors) = run(&arguments);
    assert!(success, "{errors}");
    let private = numbers(text.lines().rfind(|line| numbers(line).len() == 9).unwrap())[8];
    let without = numbers(text.lines().find(|line| line.starts_with("Without")).unwrap())[1];
    assert!((private - without).abs() < 0.002, "{text}");
}

/// Write a CSV file of these lines and run on it.
fn run_on(name: &str, lines: &[&str]) -> (bool, String) {
    let path: PathBuf = [env!("CARGO_TARGET_TMPDIR"), name].iter().collect();
    std::fs::write(&path, lines.join("\n")).unwrap();
    let (success, _, errors) = run(&["--epochs", "1", "--data", path.to_str().unwrap()]);
    (success, errors)
}

#[test]
fn wrong_input_is_named_and_data_are_not_told() {
    const HEADER: &str =
        "person_id,coinsurance,age,female,income,education,family_size,mental_health,md_visits,admissions";
    for (name, row, expected) in [
        ("word.csv", "7,0,30,1,many,12,4,70,3,0", "word.csv: line 2 is not a row of the survey"),
        ("infinite.csv", "7,0,30,1,1e400,12,4,70,3,0", "infinite.csv: line 2 has a number that is not finite"),
        ("nan.csv", "7,0,30,1,NaN,12,4,70,3,0", "nan.csv: line 2 has a number that is not finite"),
        ("short.csv", "7,0,30", "short.csv: line 2 is not a row of the survey"),
    ] {
        let (success, errors) = run_on(name, &[HEADER, row]);
        assert!(!success && errors.contains(expected) && errors.lines().count() == 1, "{errors}");
        assert!(!errors.contains("many") && !errors.contains("1e400"), "{errors}");
    }
    for (argument, expected) in [
        ("--epsilon=0", "must be above 0 and finite"),
        ("--epsilon=nan", "must be above 0 and finite"),
        ("--delta=1", "must be above 0 and below 1"),
        ("--rate=1.5", "must be from 0.0001 to 1"),
        ("--epochs=0", "--epochs"),
        ("--clip=inf", "must be above 0 and finite"),
        ("--data=/nowhere.csv", "/nowhere.csv"),
    ] {
        let (success, _, errors) = run(&[argument]);
        assert!(!success && errors.contains(expected), "{argument}: {errors}");
    }
}

/// Nobody to learn from, or nobody to test on: the noise is released all the same.
#[test]
fn an_empty_survey_is_trained_on_like_any_other() {
    let header = "person_id,coinsurance,age,female,income,education,family_size,mental_health,md_visits,admissions";
    let (success, errors) = run_on("empty.csv", &[header]);
    assert!(success, "{errors}");
}
