//! Releases of a session by a cluster: the same answers, one charge, and the engine's name in the certificate.

use crate::{cluster::Cluster, files, people, reader};
use indistinct::{frames::*, queries::Budget};
use indistinct_engine::{Engine, Native};
use indistinct_ledger::{Ledger, Loss};
use indistinct_sessions::{Files, Session, Unit};
use std::{path::Path, time::Duration};

fn session(place: &Path, name: &str, engine: impl Engine + Send + 'static) -> Session {
    let files = Files::csv(people(), reader(), files(place, 500, 3)).unwrap().engine(engine);
    let ledger = Ledger::create(place.join(name), name, &Loss::epsilon(1.0).unwrap()).unwrap();
    Session::new(ledger, name, Unit::Individuals(1)).unwrap().with_files("visits", files).unwrap()
}

#[test]
fn a_session_releases_by_a_cluster() {
    let (place, work) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut cluster = Cluster::new(work.path(), 1, &[]);
    let engine = cluster.engine().deadline(Duration::from_secs(20)).attempts(1);
    let expected = engine.name();
    let mut session = session(place.path(), "one", engine);
    let query = session.query("visits").unwrap().max_rows_per_individual(2).sum(col("n"), (0.0, 10.0));
    let query = query.measurement(Budget::Epsilon(0.25)).unwrap();
    let priced = session.price("visits", &query).unwrap();
    let release = session.release(priced, "first").unwrap();
    assert_eq!(release.certificate.engine, expected);
    // Without executors it fails after the charge; the same request goes on when there is one again.
    cluster.executors.remove(0).kill().unwrap();
    let priced = session.price("visits", &query).unwrap();
    assert!(session.release(priced, "second").is_err());
    cluster.start();
    let priced = session.price("visits", &query).unwrap();
    session.release(priced, "second").unwrap();
    let left = session.price("visits", &query).unwrap();
    session.release(left, "third").unwrap();
    let none = session.price("visits", &query).unwrap();
    session.release(none, "fourth").unwrap();
    assert!(
        session.price("visits", &query).map(|priced| session.release(priced, "fifth")).is_ok_and(|last| last.is_err())
    );
    drop(Native::new());
}
