//! Parts of a table, each with an account, paid for once.

use crate::place;
use indistinct::{frames::*, queries::*};
use indistinct_ledger::{Ledger, Loss};
use indistinct_sessions::{Error, Session, Unit};
use std::path::Path;

fn epsilon(epsilon: f64) -> Loss {
    Loss::epsilon(epsilon).unwrap()
}

fn visits() -> FrameDomain {
    let columns = [
        ("region", ColumnDomain::category(["north", "south", "west"]).unwrap().with_missing()),
        ("year", ColumnDomain::integer()),
        ("code", ColumnDomain::text()),
        ("cost", ColumnDomain::float()),
        ("day", ColumnDomain::date()),
    ];
    FrameDomain::new(columns).unwrap()
}

/// 100 rows of the north, 200 of the south, 300 without a region; every other one of 2025.
fn rows() -> Frame {
    let region = |row: i64| match row {
        0..100 => Some(0i64),
        100..300 => Some(1),
        _ => None,
    };
    Frame::new([
        ("region", (0..600).map(region).collect::<Column>()),
        ("year", (0..600).map(|row| 2025 + row % 2).collect()),
        ("code", (0..600).map(|row| ["07", "7"][usize::try_from(row % 2).unwrap()]).collect()),
        ("cost", (0..600).map(|row| if row < 300 { 1.0 } else { 2.0 }).collect()),
        ("day", (0..600i64).collect()),
    ])
    .unwrap()
}

fn session(path: &Path, account: &str) -> Session {
    let ledger = Ledger::open(path).unwrap();
    Session::new(ledger, account, Unit::Rows(1)).unwrap().with_table("visits", visits(), rows()).unwrap()
}

/// With so much noise that a count is almost surely exact: one that is off is e^-40 as likely as not.
fn count(session: &mut Session, key: &str) -> f64 {
    let count = session.query("visits").unwrap().count().measurement(Budget::Epsilon(64.0)).unwrap();
    let priced = session.price("visits", &count).unwrap();
    assert!(priced.is_affordable());
    let release = session.release(priced, key).unwrap();
    release.certificate.verify(&release.released).unwrap();
    release.certificate.verify_in(session.ledger().unwrap()).unwrap();
    release.answer.estimate(0, "count").unwrap().value.unwrap()
}

#[test]
fn each_part_has_its_own_rows_and_the_whole_budget() {
    let (_folder, path) = place();
    drop(Ledger::create(&path, "visits", &epsilon(192.0)).unwrap());
    let mut all = session(&path, "visits");
    let parts = [("n", "north"), ("s", "south"), ("w", "west")];
    all.open_partition("visits", "region", parts, &epsilon(128.0)).unwrap();
    all.open_partition("visits", "region", parts, &epsilon(128.0)).unwrap();
    assert_eq!(all.budget().unwrap().remaining, epsilon(64.0));
    let counts = ["n", "s", "w"].map(|account| count(&mut session(&path, account), "all"));
    assert_eq!(counts, [100.0, 200.0, 0.0]);
    assert_eq!(count(&mut all, "all"), 600.0);
    assert_eq!(all.budget().unwrap().remaining, epsilon(0.0));

    // A part of a part, and an account below that.
    let mut south = session(&path, "s");
    south.open_partition("visits", "year", [("s25", 2025), ("s26", 2026)], &epsilon(64.0)).unwrap();
    let mut ledger = Ledger::open(&path).unwrap();
    ledger.add_account("ann", "s25", &epsilon(64.0)).unwrap();
    let mut ann = session(&path, "ann");
    assert_eq!(count(&mut ann, "all"), 100.0);
    let query = ann.query("visits").unwrap().count().measurement(Budget::Epsilon(1.0)).unwrap();
    let priced = ann.price("visits", &query).unwrap();
    assert!(!priced.is_affordable() && !priced.summary().unwrap().contains("\"s\""), "those above do not pay");
    assert!(matches!(ann.release(priced, "more"), Err(Error::Ledger(_))));
    ledger.verify(None).unwrap();
}

#[test]
fn what_is_no_partition_is_refused() {
    let (_folder, path) = place();
    drop(Ledger::create(&path, "visits", &epsilon(8.0)).unwrap());
    let mut all = session(&path, "visits");
    let one = epsilon(1.0);
    for (column, parts, rule) in [
        ("region", vec![("a", Cell::from("north")), ("b", Cell::from("north"))], "occur only once"),
        ("region", vec![("a", Cell::from("north")), ("a", Cell::from("south"))], "already"),
        ("region", vec![("a", Cell::Missing)], "must be a text, a label"),
        ("region", vec![("a", Cell::from("east"))], "east"),
        ("region", vec![("a", Cell::from(1i64))], "must have its type, category"),
        ("year", vec![("a", Cell::from("2025"))], "must have its type, integer"),
        ("cost", vec![("a", Cell::from(1.0))], "must be a text, a label"),
        ("cost", vec![("a", Cell::from(1i64))], "must have its type, float"),
        ("day", vec![("a", Cell::from(1i64))], "must have its type, date"),
        ("sex", vec![("a", Cell::from("f"))], "sex"),
        ("region", vec![], "parts"),
    ] {
        let refused = all.open_partition("visits", column, parts, &one).unwrap_err().to_string();
        assert!(refused.contains(rule), "{column}: {refused}");
    }
    assert!(all.open_partition("stays", "region", [("a", "north")], &one).is_err());
    assert!(all.open_partition("visits", "region", [("a", "north")], &epsilon(9.0)).is_err());
    assert_eq!(all.budget().unwrap().spent, epsilon(0.0));
    // Other units: what differs may be in several parts.
    for unit in [Unit::Rows(2), Unit::ChangedRows(1), Unit::Individuals(1), Unit::ChangedIndividuals(1)] {
        let (_folder, path) = place();
        let ledger = Ledger::create(&path, "visits", &epsilon(8.0)).unwrap();
        let domain = visits().with_individuals("code").unwrap();
        let mut session = Session::new(ledger, "visits", unit).unwrap().with_table("visits", domain, rows()).unwrap();
        let refused = session.open_partition("visits", "region", [("n", "north")], &one).unwrap_err().to_string();
        assert!(refused.contains("one row added or removed"), "{refused}");
        // Also where somebody has opened them behind its back.
        let mut ledger = Ledger::open(&path).unwrap();
        let part = r#"{"column":"region","domain":"text","table":"visits","value":"north"}"#;
        ledger.open_partition("visits", &one, &[("n".to_owned(), part.to_owned())].into()).unwrap();
        assert!(Session::new(ledger, "n", unit).is_err(), "{unit}");
    }
}

/// An account of a part pays for rows of that part alone.
#[test]
fn a_part_is_not_evaded() {
    let (_folder, path) = place();
    drop(Ledger::create(&path, "visits", &epsilon(8.0)).unwrap());
    let mut all = session(&path, "visits");
    all.open_partition("visits", "code", [("a", "07"), ("b", "7")], &epsilon(1.0)).unwrap();
    let open = || Session::new(Ledger::open(&path).unwrap(), "a", Unit::Rows(1)).unwrap();
    // Another table, and a column that is read as what makes one of both values.
    assert!(open().with_table("stays", visits(), rows()).is_err());
    let columns = visits().names().iter().cloned().zip(visits().columns().iter().cloned()).collect::<Vec<_>>();
    let integer = columns.into_iter().map(|(name, column)| {
        let column = if name == "code" { ColumnDomain::integer() } else { column };
        (name, column)
    });
    let refused = open().with_table("visits", FrameDomain::new(integer).unwrap(), rows()).unwrap_err();
    assert!(refused.to_string().contains("with text in column \"code\""), "{refused}");
    let without = FrameDomain::new([("year", ColumnDomain::integer())]).unwrap();
    assert!(open().with_table("visits", without, rows()).is_err());
    assert!(open().with_table("visits", visits(), rows()).is_ok());
    // An account that is prepaid for what no session knows.
    let mut ledger = Ledger::open(&path).unwrap();
    ledger.open_partition("visits", &epsilon(1.0), &[("x".to_owned(), "everything".to_owned())].into()).unwrap();
    let refused = Session::new(ledger, "x", Unit::Rows(1)).unwrap_err();
    assert!(refused.to_string().contains("not for one of a table"), "{refused}");
    // Parts that have rows in common, opened behind a session's back: of one value, of two columns, of two readings.
    let part = |column: &str, domain: &str, value: &str| {
        serde_json::json!({ "column": column, "domain": domain, "table": "visits", "value": value }).to_string()
    };
    let region = "category(\"north\", \"south\", \"west\", missing)";
    let others = [part("code", "text", "07"), part("region", region, "north"), part("code", "text(missing)", "8")];
    for (number, other) in others.into_iter().enumerate() {
        let mut ledger = Ledger::open(&path).unwrap();
        let [one, two] = ["one", "two"].map(|name| format!("{name} {number}"));
        let parts = [(one.clone(), part("code", "text", "07")), (two, other)].into();
        ledger.open_partition("visits", &epsilon(0.5), &parts).unwrap();
        let refused = Session::new(ledger, &one, Unit::Rows(1)).unwrap_err();
        assert!(refused.to_string().contains("not for one of a table"), "{refused}");
    }
    // A certificate that says other rows than those which the account is prepaid for.
    let mut part = open().with_table("visits", visits(), rows()).unwrap();
    let count = part.query("visits").unwrap().count().measurement(Budget::Epsilon(1.0)).unwrap();
    let release = part.release(part.price("visits", &count).unwrap(), "all").unwrap();
    assert_eq!(release.certificate.rows, "code = \"07\"");
    let mut other = release.certificate.clone();
    other.rows = "all".into();
    assert!(other.verify_in(part.ledger().unwrap()).unwrap_err().to_string().contains("rows"));
}
