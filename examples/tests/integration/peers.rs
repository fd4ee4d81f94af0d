//! The tasks of the comparison with peers, each as a user runs it.

use std::process::Command;

/// What a task prints.
#[track_caller]
fn printed(task: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_peers")).arg(task).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{task}: {text}");
    text
}

/// The numbers of a table, row by row, with its keys and without intervals and the sentence below it.
fn numbers(table: &str) -> Vec<f64> {
    let rows = table.lines().filter(|line| !line.starts_with("contribution limit: "));
    rows.flat_map(|row| row.split(' ')).filter_map(|word| word.parse().ok()).collect()
}

/// Each number within so much of the truth, which is given beside it: 30 scales of Laplace noise or more, and 7 of
/// Gaussian noise, which fails once in 10^11 runs.
#[track_caller]
fn near(task: &str, truth: &[(f64, f64)]) {
    let text = printed(task);
    let found = numbers(&text);
    let is_near = found.iter().zip(truth).all(|(found, (truth, error))| (found - truth).abs() <= *error);
    assert!(is_near && found.len() == truth.len(), "{task}: {found:?} {truth:?}\n{text}");
}

#[test]
fn each_task_is_done_with_the_loss_that_it_says() {
    for (task, ends_in) in [
        ("accuracy", ", epsilon 1.0\n"),
        ("mean_bounds_unknown", "epsilon 0.5 and epsilon 0.5\n"),
        ("noise_for_accuracy", "epsilon 0.285\n"),
        ("own_mechanism", "weakest proof: unproven\n"),
        ("private_gradient_descent", "epsilon 1, delta 1e-6\n"),
        ("regression", ", epsilon 1.0\n"),
        ("sparse_vector", ", epsilon 1\n"),
        ("stored_and_rebuilt", ")\n"),
        ("zcdp_converted", ", delta 1e-6\n"),
    ] {
        let text = printed(task);
        assert!(text.ends_with(ends_in), "{task}: {text}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_peers")).arg("none").output().unwrap();
    assert!(!output.status.success());
}

/// Of which individuals' rows are left where some are taken, the truth is that of an average row.
#[test]
fn tables_are_near_the_truth() {
    let key = |key: f64| (key, 0.0);
    let levels = |off| {
        let counts = [(0.0, 10997.0), (25.0, 4065.0), (50.0, 1401.0), (95.0, 2653.0), (100.0, 1074.0)];
        counts.map(|(level, count)| [key(level), (count, off)]).concat()
    };
    near("counts_by_category", &levels(150.0));
    near("cells_and_margin", &[levels(300.0), vec![(20190.0, 300.0)]].concat());
    near("public_table", &[5526.0, 4462.0, 6166.0, 4036.0].map(|count| (count, 150.0)));
    near("filter", &[(383.0, 60.0)]);
    near("noise_for_accuracy", &[(5912.0, 120.0), (0.285, 0.0)]);
    near("mean_and_variance", &[(2.84, 0.8), (18.29, 15.0)]);
    near("totals_of_individuals", &[(556.05, 110.0)]);
    near("regression", &[(0.02, 0.2), (2.4, 4.0), (1.0, 0.0)]);
    let means = [[2.7, 2.4, 2.0, 1.6, 2.6], [3.5, 3.1, 3.1, 2.5, 2.9]];
    let by_sex = means.into_iter().zip([0.0, 1.0]).flat_map(|(means, female)| {
        let levels = means.into_iter().zip([0.0, 25.0, 50.0, 95.0, 100.0]);
        levels.flat_map(move |(mean, level)| [key(female), key(level), (mean, 20.0)])
    });
    near("two_columns_listed", &by_sex.collect::<Vec<_>>());
    // Between edges of five years.
    near("quartiles", &[(10.8, 1.5), (23.3, 1.5), (36.9, 1.5)]);
    let sites = [24.1, 24.9, 23.2, 24.9, 21.5, 19.4].into_iter().zip([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    near("parallel_medians", &sites.flat_map(|(age, site)| [key(site), (age, 5.0)]).collect::<Vec<_>>());
    let sums = [(17_450.0, 7000.0), (700.0, 700.0), (23_290.0, 800.0), (70_420.0, 4000.0), (453_090.0, 16_000.0)];
    near("six_releases_by_weights", &[&sums[..], &[(5912.0, 40.0)]].concat());
    let pairs = printed("two_columns_unknown");
    assert!(pairs.starts_with("site, plan: count\n1, 1: ") && pairs.lines().count() > 40, "{pairs}");
    let plans = printed("histogram_unknown_keys");
    // A line for each of 18 plans, and a sentence each on the limit and the threshold.
    assert!(plans.starts_with("plan: count\n1: ") && plans.lines().count() == 1 + 18 + 2, "{plans}");
    near("zcdp_converted", &[(5912.0, 100.0), (17_450.0, 4500.0), (1e-6, 0.0)]);
}
