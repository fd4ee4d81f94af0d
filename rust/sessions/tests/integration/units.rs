//! Whom a session protects, and that it is said once.

use crate::{place, rows, stays};
use indistinct::{frames::*, queries::*};
use indistinct_ledger::{Ledger, Loss};
use indistinct_sessions::{EveryRecord, Session, Unit};

fn create(unit: Unit) -> (tempfile::TempDir, indistinct_sessions::Fallible<Session>) {
    let (folder, path) = place();
    let ledger = Ledger::create(path, "survey", &Loss::epsilon(4.0).unwrap()).unwrap();
    (folder, Session::new(ledger, "survey", unit))
}

/// What a count costs whose noise is the same for each unit, and what the session's own query costs.
#[test]
fn the_price_is_that_of_the_unit() {
    for (unit, cost) in [
        (Unit::Rows(1), 0.25),
        (Unit::Rows(3), 0.75),
        (Unit::ChangedRows(1), 0.5),
        (Unit::Individuals(1), 0.25),
        (Unit::Individuals(2), 0.5),
        (Unit::ChangedIndividuals(2), 1.0),
    ] {
        let (_folder, session) = create(unit);
        let is_of_individuals = matches!(unit, Unit::Individuals(_) | Unit::ChangedIndividuals(_));
        let columns = [("patient", ColumnDomain::integer())];
        let domain = FrameDomain::new(columns).unwrap();
        let domain = if is_of_individuals { domain.with_individuals("patient").unwrap() } else { domain };
        let frame = Frame::new([("patient", (0..10i64).collect::<Column>())]).unwrap();
        let session = session.unwrap().with_table("x", domain.clone(), frame).unwrap();
        let count = Query::new(&domain).count().measurement(Budget::Epsilon(0.25)).unwrap();
        assert_eq!(*session.price("x", &count).unwrap().loss(), Loss::epsilon(cost).unwrap(), "{unit}");
        let own = session.query("x").unwrap().count().measurement(Budget::Epsilon(0.25)).unwrap();
        assert_eq!(*session.price("x", &own).unwrap().loss(), Loss::epsilon(0.25).unwrap(), "{unit}");
    }
}

/// A row that changes is charged as one where every record is a row, and else, which is the negative control, as two
/// that are removed or added.
#[test]
fn a_changed_row_is_charged_as_one_where_no_row_is_left_out() {
    let columns = [("g", ColumnDomain::category(["a", "b"]).unwrap()), ("x", ColumnDomain::float())];
    let domain = FrameDomain::new(columns).unwrap();
    let frame = Frame::new([
        ("g", Column::from_cells(Kind::Category, (0..1000i64).map(|row| (row % 2).into()))),
        ("x", (0..1000i32).map(|row| f64::from(row % 11)).collect()),
    ])
    .unwrap();
    let (_folder, session) = create(Unit::ChangedRows(1));
    let session = session.unwrap().with_table("kept", domain.clone(), EveryRecord(frame.clone())).unwrap();
    let mut session = session.with_table("other", domain, frame).unwrap();
    let scales = |session: &Session, table: &str, query: &dyn Fn(Query) -> Query| {
        let question = query(session.query(table).unwrap()).measurement(Budget::Epsilon(1.0)).unwrap();
        let explanation = session.price(table, &question).unwrap().explanation().to_string();
        let scales = explanation.split("scale = ").skip(1).map(|rest| rest.split([')', ',']).next().unwrap());
        scales.map(|scale| scale.parse::<f64>().unwrap().round()).collect::<Vec<_>>()
    };
    let sum = |query: Query| query.sum(col("x"), (0.0, 10.0));
    let mean = |query: Query| query.mean(col("x"), (0.0, 10.0));
    assert_eq!((scales(&session, "kept", &sum), scales(&session, "other", &sum)), (vec![10.0], vec![20.0]));
    assert_eq!((scales(&session, "kept", &mean), scales(&session, "other", &mean)), (vec![10.0, 0.0], vec![20.0, 4.0]));

    // The number of rows is public, costs nothing, and is released with a certificate as anything else.
    let count = session.query("kept").unwrap().count().measurement(Budget::Epsilon(1.0)).unwrap();
    assert!(session.price("other", &count).unwrap_err().to_string().contains("if rows may be left out"));
    let priced = session.price("kept", &count).unwrap();
    assert_eq!(*priced.loss(), Loss::epsilon(0.0).unwrap());
    let release = session.release(priced, "how many").unwrap();
    assert_eq!(release.answer.estimate(0, "count").unwrap().interval, Some((1000.0, 1000.0)));
    assert_eq!(session.budget().unwrap().remaining, Loss::epsilon(4.0).unwrap());
    let noisy = session.query("other").unwrap().count().measurement(Budget::Epsilon(1.0)).unwrap();
    assert_eq!(*session.price("other", &noisy).unwrap().loss(), Loss::epsilon(1.0).unwrap());
}

/// A session that another thread goes on with, and that a refused table leaves as it was: what was priced is released.
#[test]
fn a_refused_table_changes_nothing() {
    let (_folder, path) = place();
    let mut session = crate::session(&path, &Loss::epsilon(1.0).unwrap(), 10);
    let question = crate::individuals(&session, Budget::Epsilon(1.0));
    let priced = session.price("stays", &question).unwrap();
    let nobodys = FrameDomain::new([("patient", ColumnDomain::integer())]).unwrap();
    assert!(session.add_table("stays", stays(), rows(1)).is_err());
    assert!(session.add_table("visits", nobodys, rows(1)).is_err());
    assert!(session.query("visits").is_err());
    session.add_table("visits", stays(), rows(1)).unwrap();
    let other = std::thread::spawn(move || session.release(priced, "individuals").unwrap());
    assert!(!other.join().unwrap().is_replay);
}

#[test]
fn units_and_identifiers_are_declared_once_in_a_ledger() {
    let (_folder, path) = place();
    let mut ledger = Ledger::create(&path, "survey", &Loss::epsilon(4.0).unwrap()).unwrap();
    ledger.add_account("ann", "survey", &Loss::epsilon(1.0).unwrap()).unwrap();
    let mut first = Session::new(ledger, "ann", Unit::Individuals(1)).unwrap();
    // Nothing is declared by what is opened and priced.
    drop(Session::new(Ledger::open(&path).unwrap(), "survey", Unit::Rows(1)).unwrap());
    first = first.with_table("stays", stays(), rows(1)).unwrap();
    let count = crate::individuals(&first, Budget::Epsilon(0.25));
    first.release(first.price("stays", &count).unwrap(), "first").unwrap();
    let error = first.release(first.price("stays", &count).unwrap(), "declaration: table x").unwrap_err();
    assert!(error.to_string().contains("must not begin with"), "{error}");
    drop(first);
    let open = || Ledger::open(&path).unwrap();
    for unit in [Unit::Rows(1), Unit::Individuals(2), Unit::ChangedIndividuals(1)] {
        let error = Session::new(open(), "survey", unit).unwrap_err().to_string();
        let told = format!("unit: the ledger has another declaration than \"{unit}\"");
        assert_eq!(error, told);
    }
    let session = Session::new(open(), "survey", Unit::Individuals(1)).unwrap();
    let by_region = FrameDomain::new([("patient", ColumnDomain::integer()), ("region", ColumnDomain::text())]).unwrap();
    let by_region = by_region.with_individuals("region").unwrap();
    let error = session.with_table("stays", by_region, rows(1)).unwrap_err().to_string();
    let told = "the ledger has another declaration than \"rows of individuals identified by \\\"region\\\", text\"";
    assert!(error.contains(told), "{error}");
    // The same column, read as texts: other identifiers are one.
    let session = Session::new(open(), "survey", Unit::Individuals(1)).unwrap();
    let texts = FrameDomain::new([("patient", ColumnDomain::text())]).unwrap().with_individuals("patient").unwrap();
    assert!(session.with_table("stays", texts, rows(1)).is_err());
    // More columns, or another table, are no other unit.
    let session = Session::new(open(), "ann", Unit::Individuals(1)).unwrap();
    let more = FrameDomain::new([("patient", ColumnDomain::integer()), ("age", ColumnDomain::integer())]).unwrap();
    let more = more.with_individuals("patient").unwrap();
    let session =
        session.with_table("stays", more.clone(), rows(1)).unwrap().with_table("ages", more, rows(1)).unwrap();
    assert!(session.with_table("ages", stays(), rows(1)).is_err(), "one of that name is there");
}

#[test]
fn what_is_no_session_is_refused() {
    for unit in [Unit::Rows(0), Unit::ChangedRows(u32::MAX)] {
        assert!(create(unit).1.is_err());
    }
    let (_folder, session) = create(Unit::Individuals(1));
    let nobody = FrameDomain::new([("x", ColumnDomain::float())]).unwrap();
    let error = session.unwrap().with_table("x", nobody, rows(1)).unwrap_err().to_string();
    assert!(error.contains("name the column of individuals"), "{error}");
    // A number of rows, where rows come and go.
    let sized = stays().with_size(2);
    assert!(create(Unit::Individuals(1)).1.unwrap().with_table("x", sized.clone(), rows(1)).is_err());
    assert!(create(Unit::Rows(4)).1.unwrap().with_table("x", sized.clone(), rows(1)).is_err());
    assert!(create(Unit::ChangedIndividuals(1)).1.unwrap().with_table("x", sized.clone(), rows(1)).is_err());
    assert!(create(Unit::ChangedRows(1)).1.unwrap().with_table("x", sized, EveryRecord(rows(1))).is_ok());
    for name in ["", "a\nb", &"x".repeat(201)] {
        assert!(create(Unit::Individuals(1)).1.unwrap().with_table(name, stays(), rows(1)).is_err());
    }
    let (_folder, path) = place();
    let ledger = Ledger::create(path, "survey", &Loss::rho_delta(1.0, 1e-6).unwrap()).unwrap();
    assert!(Session::new(ledger, "survey", Unit::Rows(1)).is_err(), "of a measure without measurements");
    let (_folder, path) = place();
    let ledger = Ledger::create(path, "survey", &Loss::epsilon(1.0).unwrap()).unwrap();
    assert!(Session::new(ledger, "ann", Unit::Rows(1)).is_err(), "of an unknown account");
}
