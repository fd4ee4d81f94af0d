//! Rows that a reader leaves out, and questions about some of a table's columns.

use crate::place;
use indistinct::{core::Released, frames::*, plans::FrameMeasurement, sampling::testing::SeededEntropy};
use indistinct_ledger::{Ledger, Loss};
use indistinct_sessions::{EveryRecord, Files, Session, Unit};
use indistinct_tables::Csv;
use std::{fs, path::Path};

fn session(path: &Path, unit: Unit) -> Session {
    let ledger = match path.exists() {
        true => Ledger::open(path).unwrap(),
        false => Ledger::create(path, "t", &Loss::epsilon(1000.0).unwrap()).unwrap(),
    };
    Session::new(ledger, "t", unit).unwrap()
}

fn ages(missing: bool) -> FrameDomain {
    let age = ColumnDomain::integer().with_bounds(0.0, 120.0).unwrap();
    FrameDomain::new([("age", if missing { age.with_missing() } else { age })]).unwrap()
}

/// The number of rows, with noise of scale 0.01.
fn count(metric: &str, columns: &str) -> FrameMeasurement {
    let plan = format!(
        "version = 2\nmetric = \"{metric}\"\n{columns}\nsteps = [{{ make = \"with_columns\", columns = [[\"one\", \
         \"fill_null(age, 1)\"]] }}, {{ make = \"rows\", columns = [\"one\"] }}, {{ make = \"count\" }}, {{ make = \"laplace\", scale = 0.01 }}]"
    );
    FrameMeasurement::from_toml(&plan).unwrap()
}

const AGES: &str = "columns = { age = \"integer(0..=120)\" }";
const AGES_OR_MISSING: &str = "columns = { age = \"integer(0..=120, missing)\" }";

/// Files that differ in one cell lead to tables of 3 and 2 rows, which ten noisy counts tell apart: a loss of 0, as a
/// measurement by replaced rows would say, is false.
#[test]
fn a_record_that_changes_may_be_a_row_that_goes() {
    let (folder, path) = place();
    let file = folder.path().join("t.csv");
    let reader = || Csv::new().drop_null("age");
    let mut released = Vec::new();
    for (text, rows) in [("age,z\n37,1\n41,1\n9,1\n", 3), ("age,z\n37,1\n,1\n9,1\n", 2)] {
        fs::write(&file, text).unwrap();
        assert_eq!(reader().read(&file, &ages(false)).unwrap().rows(), rows);
        let files = Files::csv(ages(false), reader(), [&file]).unwrap();
        let dropping = session(&path, Unit::ChangedRows(1)).with_files("t", files).unwrap();
        for metric in ["ChangeOneDistance", "HammingDistance"] {
            let error = dropping.price("t", &count(metric, AGES)).unwrap_err().to_string();
            assert!(error.contains("gives no guarantee for 1 row changed if rows may be left out"), "{error}");
        }
        // As one row removed and one added it is priced, for what it is.
        let priced = dropping.price("t", &count("SymmetricDistance", AGES)).unwrap();
        assert!(priced.loss().numbers()[0].to_f64() >= 200.0);
        assert_eq!(dropping.budget().unwrap().spent, Loss::epsilon(0.0).unwrap());
        // Where each record is a row, there are as many as before, and a count costs nothing. The released numbers
        // show what the refused measurements would have shown.
        let missing = Files::csv(ages(true), Csv::new(), [&file]).unwrap();
        let keeping = session(&path, Unit::ChangedRows(1)).with_files("t", missing).unwrap();
        let priced = keeping.price("t", &count("ChangeOneDistance", AGES_OR_MISSING)).unwrap();
        assert_eq!(*priced.loss(), Loss::epsilon(0.0).unwrap());
        let frame = reader().read(&file, &ages(false)).unwrap();
        let plan = count("ChangeOneDistance", AGES);
        let draw = |seed| plan.invoke_with(&frame, &mut SeededEntropy::new(seed)).unwrap();
        released.push((0..10).map(draw).collect::<Vec<_>>());
    }
    assert!(released[0].iter().all(|number| !released[1].contains(number)), "seeds 0 to 9");
}

#[test]
fn an_identifier_that_cannot_be_read_leaves_a_row_out() {
    let (_folder, path) = place();
    let columns = [
        ("age", ColumnDomain::integer().with_bounds(0.0, 120.0).unwrap().with_missing()),
        ("who", ColumnDomain::integer().with_missing()),
    ];
    let domain = FrameDomain::new(columns).unwrap().with_individuals_or_null("who").unwrap();
    let files = Files::csv(domain, Csv::new(), ["t.csv"]).unwrap();
    let session = session(&path, Unit::ChangedRows(1)).with_files("t", files).unwrap();
    let head = "individuals_or_null = \"who\"\ncolumns = { age = \"integer(0..=120, missing)\", who = \
                \"integer(missing)\" }";
    for metric in ["ChangeOneDistance", "HammingDistance"] {
        let error = session.price("t", &count(metric, head)).unwrap_err().to_string();
        assert!(error.contains("if rows may be left out"), "{error}");
    }
    assert!(session.price("t", &count("SymmetricDistance", head)).is_ok());
}

/// Nothing is known of a frame but what its giver says.
#[test]
fn a_frame_keeps_every_record_if_that_is_said() {
    let (_folder, path) = place();
    let frame = Frame::new([("age", [37i64, 41, 9].into_iter().collect::<Column>())]).unwrap();
    let plan = count("ChangeOneDistance", AGES);
    let read = frame.clone();
    let function = move || Ok::<_, std::io::Error>(read.clone());
    let mut session = session(&path, Unit::ChangedRows(1)).with_table("frame", ages(false), frame.clone()).unwrap();
    session.add_table("function", ages(false), function.clone()).unwrap();
    session.add_table("each", ages(false), EveryRecord(function)).unwrap();
    for table in ["frame", "function"] {
        let error = session.price(table, &plan).unwrap_err().to_string();
        assert!(error.contains("EveryRecord"), "{error}");
    }
    let priced = session.price("each", &plan).unwrap();
    session.release(priced, "count").unwrap();
    // A number of rows is public only where a record that changes cannot change it.
    let error = session.add_table("sized", ages(false).with_size(3), frame.clone()).unwrap_err().to_string();
    assert!(error.contains("rows may be left out: do not declare it"), "{error}");
    session.add_table("sized", ages(false).with_size(3), EveryRecord(frame)).unwrap();
}

/// An individual whose rows are others, fewer or none counts once.
#[test]
fn individuals_who_change_may_have_rows_left_out() {
    let (folder, path) = place();
    let file = folder.path().join("t.csv");
    fs::write(&file, "who,age\na,37\na,\nb,9\n,4\n").unwrap();
    let columns = [("who", ColumnDomain::text()), ("age", ColumnDomain::integer())];
    let domain = FrameDomain::new(columns).unwrap().with_individuals("who").unwrap();
    let reader = Csv::new().drop_null("who").drop_null("age");
    let files = Files::csv(domain, reader, [&file]).unwrap();
    let mut session = session(&path, Unit::ChangedIndividuals(1)).with_files("t", files).unwrap();
    let plan = "version = 2\nmetric = \"ChangeOneIdDistance\"\nindividuals = \"who\"\n\
                columns = { who = \"text\", age = \"integer\" }\nsteps = [{ make = \"bound_rows\", columns = \
                [\"age\"], max_rows = 1 }, { make = \"rows\", columns = [\"age\"] }, { make = \"count\" }, \
                { make = \"laplace\", scale = 8 }]";
    let priced = session.price("t", &FrameMeasurement::from_toml(plan).unwrap()).unwrap();
    // One individual less and another one more: the map knows.
    assert_eq!(*priced.loss(), Loss::epsilon(0.25).unwrap());
    session.release(priced, "count").unwrap();
}

fn visits() -> FrameDomain {
    let columns = [
        ("age", ColumnDomain::integer().with_bounds(0.0, 120.0).unwrap().with_missing()),
        ("day", ColumnDomain::date().with_missing()),
        ("region", ColumnDomain::text().with_missing()),
        ("stay", ColumnDomain::float()),
    ];
    FrameDomain::new(columns).unwrap()
}

fn visits_reader() -> Csv {
    Csv::new().format("day", "%d.%m.%Y").missing_in("region", ["NA"]).fill_null("stay", 1.0)
}

const VISITS: &str = "age,day,region,stay\n37,01.02.2025,north,3\n,,south,\n9,03.02.2025,NA,2\n41,04.02.2025,north,1\n";

/// Options of columns that a question does not name are left out; its rows are those of the whole table.
#[test]
fn a_question_may_be_about_some_of_the_columns() {
    let (folder, path) = place();
    let file = folder.path().join("t.csv");
    fs::write(&file, VISITS).unwrap();
    let frame = visits_reader().read(&file, &visits()).unwrap();
    let files = Files::csv(visits(), visits_reader(), [&file]).unwrap();
    let mut session = session(&path, Unit::Rows(1)).with_files("files", files).unwrap();
    session.add_table("frame", visits(), frame).unwrap();
    let head = "columns = { stay = \"float\", age = \"integer(0..=120, missing)\" }";
    // Bits are released row by row: there is no state.
    let whole = format!(
        "version = 2\nmetric = \"SymmetricDistance\"\n{head}\nsteps = [{{ make = \"rows\", columns = [\"stay\"] }}, \
         {{ make = \"private_quantile\", output_measure = \"MaxDivergence\", candidates = [0.0, 9.0], alpha = 0.5, \
         scale = 2.0 }}]"
    );
    let whole = FrameMeasurement::from_toml(&whole).unwrap();
    assert!(whole.state().is_err());
    let number = |released: &str| match Released::from_json(released).unwrap() {
        Released::Integer(number) => f64::from(i32::try_from(number).unwrap()),
        Released::Float(number) => number,
        other => panic!("{other:?}"),
    };
    for (plan, truth, within) in [(count("SymmetricDistance", head), 4.0, 0.0), (whole, 7.0, 10.0)] {
        let mut released = Vec::new();
        for table in ["files", "frame"] {
            let priced = session.price(table, &plan).unwrap();
            let key = format!("{truth} {table}");
            released.push(session.release_with(priced, &key, &mut SeededEntropy::new(1)).unwrap().released);
        }
        assert!((number(&released[0]) - truth).abs() <= within && released[0] == released[1], "seed 1: {released:?}");
    }
    for (head, said) in [
        ("columns = { age = \"integer(0..=12, missing)\" }", "the table declares it as integer(0..=120, missing)"),
        ("columns = { age = \"integer(0..=120, missing)\", ward = \"text\" }", "has a column \"ward\""),
        ("rows = 3\ncolumns = { age = \"integer(0..=120, missing)\" }", "the question declares 3 rows"),
        (
            "individuals = \"who\"\ncolumns = { age = \"integer(0..=120, missing)\", who = \"text\" }",
            "has a column \"who\"",
        ),
        (
            "individuals = \"age\"\ncolumns = { age = \"integer(0..=120)\" }",
            "as integer(0..=120), but the table declares it as",
        ),
    ] {
        let error = session.price("files", &count("SymmetricDistance", head)).unwrap_err().to_string();
        assert!(error.contains(said), "{head}: {error}");
    }
}

/// A plan that does not name the column of individuals would be one about rows, and one of another column about others.
#[test]
fn a_question_is_about_the_individuals_of_the_table() {
    let (_folder, path) = place();
    let columns = [("age", ColumnDomain::integer()), ("who", ColumnDomain::text()), ("firm", ColumnDomain::text())];
    let domain = FrameDomain::new(columns).unwrap().with_individuals("who").unwrap();
    let session = session(&path, Unit::Individuals(1)).with_table("t", domain, Frame::default()).unwrap();
    let price = |metric: &str, head: &str| {
        let steps = "steps = [{ make = \"bound_rows\", columns = [\"age\"], max_rows = 1 }, { make = \"rows\", \
                     columns = [\"age\"] }, { make = \"count\" }, { make = \"laplace\", scale = 1 }]";
        let plan = format!("version = 2\nmetric = \"{metric}\"\n{head}\n{steps}");
        session.price("t", &FrameMeasurement::from_toml(&plan).unwrap()).map(drop)
    };
    let head = "individuals = \"firm\"\ncolumns = { age = \"integer\", who = \"text\", firm = \"text\" }";
    let error = price("SymmetricIdDistance", head).unwrap_err().to_string();
    assert!(
        error.contains(
            "individuals identified by \"firm\", but the table's rows are of individuals identified by \"who\""
        ),
        "{error}"
    );
    price("SymmetricIdDistance", &head.replace("\"firm\"\n", "\"who\"\n")).unwrap();
    let rows = count("SymmetricDistance", "columns = { age = \"integer\" }");
    let error = session.price("t", &rows).unwrap_err().to_string();
    assert!(
        error.contains(
            "the question's rows are without individuals, but the table's rows are of individuals identified by \"who\""
        ),
        "{error}"
    );
}

/// Which rows there are does not depend on which columns are asked about.
#[test]
fn columns_that_decide_which_rows_there_are_must_be_named() {
    let (folder, path) = place();
    let file = folder.path().join("t.csv");
    fs::write(&file, VISITS).unwrap();
    let reader = || visits_reader().drop_null("region");
    let files = || Files::csv(visits(), reader(), [&file]).unwrap();
    let mut all = session(&path, Unit::Rows(1)).with_files("t", files()).unwrap();
    let error = all.price("t", &count("SymmetricDistance", AGES_OR_MISSING)).unwrap_err().to_string();
    assert!(error.contains("column \"region\" decides which rows are kept"), "{error}");
    let head = "columns = { age = \"integer(0..=120, missing)\", region = \"text(missing)\" }";
    assert!(all.price("t", &count("SymmetricDistance", head)).is_ok());
    all.open_partition("t", "region", [("n", "north")], &Loss::epsilon(10.0).unwrap()).unwrap();
    let part = Session::new(Ledger::open(&path).unwrap(), "n", Unit::Rows(1)).unwrap();
    let kept = Files::csv(visits(), visits_reader(), [&file]).unwrap();
    let part = part.with_files("t", kept).unwrap();
    let error = part.price("t", &count("SymmetricDistance", AGES_OR_MISSING)).unwrap_err().to_string();
    assert!(error.contains("column \"region\" decides which rows are kept"), "{error}");
    assert!(part.price("t", &count("SymmetricDistance", head)).is_ok());
}
