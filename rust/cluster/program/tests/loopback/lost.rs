//! States of a cluster, also of one that loses an executor.

use crate::{
    FAILED,
    cluster::{Cluster, wait_until},
    files, native, plans, run,
};
use std::{thread, time::Duration};

#[test]
fn the_state_is_the_native_engines() {
    let (place, work) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let paths = files(place.path(), 3000, 5);
    let cluster = Cluster::new(work.path(), 2, &[]);
    for plan in plans() {
        let expected = native(&plan, &paths);
        for partitions in [1, 2, 7, 16] {
            let engine = cluster.engine().partitions(partitions).tasks(1 + usize::try_from(partitions % 5).unwrap());
            assert_eq!(run(&engine, &plan, &paths).unwrap(), expected, "{partitions}");
        }
    }
    // What shuffles have left is deleted.
    wait_until(|| cluster.shuffle_files() == 0, "shuffle files are left");
    // A file that is missing, and no more of it than that.
    let missing = [paths[0].clone(), place.path().join("missing.csv")];
    for plan in plans() {
        assert_eq!(run(&cluster.engine().attempts(1), &plan, &missing).unwrap_err().to_string(), FAILED);
    }
}

/// Killed in the middle, an executor costs time, or an error: not a row.
#[test]
fn a_lost_executor_loses_no_row() {
    let (place, work) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let paths = files(place.path(), 200_000, 8);
    let mut cluster = Cluster::new(work.path(), 2, &[]);
    let plan = plans().swap_remove(1);
    let expected = native(&plan, &paths);
    let engine = cluster.engine().tasks(8).partitions(16).attempts(1);
    let state = thread::scope(|scope| {
        let running = scope.spawn(|| run(&engine, &plan, &paths));
        wait_until(|| cluster.shuffle_files() > 0 || running.is_finished(), "no shuffle");
        assert!(!running.is_finished());
        cluster.executors[0].kill().unwrap();
        running.join().unwrap()
    });
    match state {
        Ok(state) => assert_eq!(state, expected),
        Err(error) => assert_eq!(error.to_string(), FAILED),
    }
    // The same request again, by the other one.
    assert_eq!(run(&cluster.engine().attempts(3), &plan, &paths).unwrap(), expected);
    // What the killed one has left is deleted by the next to start in that place.
    let left = std::fs::read_dir(work.path()).unwrap().count();
    cluster.start();
    assert_eq!((left, std::fs::read_dir(work.path()).unwrap().count()), (2, 2));
}

/// Without executors, or without a scheduler, a run ends at its deadline.
#[test]
fn a_run_ends_without_a_cluster() {
    let (place, work) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let paths = files(place.path(), 100, 2);
    let mut cluster = Cluster::new(work.path(), 0, &[]);
    let plan = plans().swap_remove(1);
    let engine = cluster.engine().deadline(Duration::from_secs(1)).attempts(1);
    assert_eq!(run(&engine, &plan, &paths).unwrap_err().to_string(), FAILED);
    cluster.scheduler.kill().unwrap();
    cluster.scheduler.wait().unwrap();
    assert_eq!(run(&engine, &plan, &paths).unwrap_err().to_string(), FAILED);
    let error = run(&engine.attempts(0), &plan, &paths).unwrap_err();
    assert_eq!(error.to_string(), "attempts: must be at least 1");
}
