//! The tasks of the comparison with peers, each as a user runs it.

use std::process::Command;

#[test]
fn each_task_is_done_with_the_loss_that_it_says() {
    for (task, ends_in) in [
        ("accuracy", "+- 15, epsilon 1\n"),
        ("mean_and_variance", "epsilon 1.0000000000000002\n"),
        ("mean_bounds_unknown", "epsilon 0.5 and 0.5\n"),
        ("noise_for_accuracy", "epsilon 0.2843485124227217\n"),
        ("own_mechanism", "weakest proof: unproven\n"),
        ("parallel_medians", "epsilon 1\n"),
        ("private_gradient_descent", "epsilon 1, delta 1e-6\n"),
        ("regression", "epsilon 1.0000000000000002\n"),
        ("six_releases_by_weights", "\n"),
        ("sparse_vector", ", epsilon 1\n"),
        ("stored_and_rebuilt", ")\n"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_peers")).arg(task).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.ends_with(ends_in), "{task}: {text}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_peers")).arg("none").output().unwrap();
    assert!(!output.status.success());
}
