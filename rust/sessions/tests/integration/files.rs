//! Tables in files: the releases of all rows in memory, bit for bit, and what is charged where an engine fails.

use crate::place;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use indistinct::{frames::*, plans::FrameMeasurement, queries::*, sampling::testing::SeededEntropy};
use indistinct_engine::{Engine, Error as EngineError, Job, Native, Result as Run};
use indistinct_ledger::{Ledger, Loss};
use indistinct_sessions::{Error, Files, Question, Session, Unit};
use indistinct_tables::{Arrow, Csv};
use parquet::arrow::ArrowWriter;
use std::{fmt::Write, fs, path::Path, sync::Arc};

const CANARY: &str = "zzcanaryzz";

fn stays() -> FrameDomain {
    let columns = [
        ("patient", ColumnDomain::text()),
        ("region", ColumnDomain::category(["north", "south"]).unwrap().with_missing()),
        ("city", ColumnDomain::text().with_missing()),
        ("days", ColumnDomain::float().with_missing()),
    ];
    FrameDomain::new(columns).unwrap()
}

fn reader() -> Csv {
    Csv::new().drop_null("patient")
}

/// Rows of 700 patients, in no order, some of nobody, some with cells that cannot be read or have two lines.
fn csv(path: &Path) {
    let mut text = "patient,region,city,days\n".to_owned();
    for row in 0..6000u32 {
        let person = row.wrapping_mul(2_654_435_761) >> 8;
        let patient = if row % 31 == 0 { String::new() } else { format!("{CANARY}{}", person % 700) };
        let region = ["north", "south", "east", ""][usize::try_from(row % 4).unwrap()];
        let city = ["Bern", "\"Aar\nau\"", "", "Chur", CANARY][usize::try_from(row % 5).unwrap()];
        let days = ["1e16", "-1e16", "0.1", "1e-9", "nothing", "7"][usize::try_from(row % 6).unwrap()];
        writeln!(text, "{patient},{region},{city},{days}").unwrap();
    }
    fs::write(path, text).unwrap();
}

fn open(ledger: &Path, account: &str, unit: Unit) -> Session {
    let ledger = match ledger.exists() {
        true => Ledger::open(ledger).unwrap(),
        false => Ledger::create(ledger, "stays", &Loss::epsilon_delta(1000.0, 1e-3).unwrap()).unwrap(),
    };
    Session::new(ledger, account, unit).unwrap()
}

fn domain(unit: Unit) -> FrameDomain {
    if matches!(unit, Unit::Individuals(_)) { stays().with_individuals("patient").unwrap() } else { stays() }
}

/// The release of a question about rows in memory, and about files of any engine that is given: the same.
fn same<Q: Question<Answer: std::fmt::Debug>>(ledger: &Path, account: &str, unit: Unit, file: &Path, question: &Q) {
    let domain = domain(unit);
    let frame = reader().read(file, &domain).unwrap();
    let place = file.parent().unwrap();
    let mut sessions = vec![open(ledger, account, unit).with_table("stays", domain.clone(), frame).unwrap()];
    for (case, partitions) in [1, 2, 7, 16].into_iter().enumerate() {
        for held in [0, 50_000, 1 << 30] {
            let engine = Native::new().threads(1 + case % 3).partitions(partitions).held(held).directory(place);
            let files = Files::csv(domain.clone(), reader(), [file]).unwrap().engine(engine);
            sessions.push(open(ledger, account, unit).with_files("stays", files).unwrap());
        }
    }
    let mut expected = None;
    let plan = question.measurement().hash().unwrap();
    for (number, mut session) in sessions.into_iter().enumerate() {
        let priced = session.price("stays", question).unwrap();
        let key = format!("{plan} {unit} {account} {number}");
        let release = session.release_with(priced, &key, &mut SeededEntropy::new(5)).unwrap();
        release.certificate.verify(&release.released).unwrap();
        release.certificate.verify_in(session.ledger().unwrap()).unwrap();
        let told = (release.released, format!("{:?}", release.answer));
        assert_eq!(*expected.get_or_insert_with(|| told.clone()), told, "{number}, seed 5");
        let engine = release.certificate.engine;
        assert_eq!(engine, if number == 0 { "native, in memory".to_owned() } else { Native::new().name() });
    }
}

#[test]
fn files_release_what_rows_in_memory_do() {
    let (folder, ledger) = place();
    let file = folder.path().join("stays.csv");
    csv(&file);
    let people = Unit::Individuals(1);
    let query = || Query::new(&domain(people));
    let keys = || KeySet::product([("region", ["north", "south"])]).unwrap();
    let sums = query().max_rows_per_individual(3).group_by(keys()).sum(col("days"), (-1e16, 1e16)).count();
    same(&ledger, "stays", people, &file, &sums.measurement(Budget::Epsilon(1.0)).unwrap());
    let days = [("days", PerIndividual::sum(col("days")))];
    let mean = query().aggregate_per_individual(days).mean(col("days"), (0.0, 1e3)).count_individuals();
    same(&ledger, "stays", people, &file, &mean.measurement(Budget::Epsilon(1.0)).unwrap());
    let unknown_keys = query().max_groups_per_individual(2).count_unknown_keys(["city"], (1.0, 1e-9)).unwrap();
    same(&ledger, "stays", people, &file, &unknown_keys);
    // Nothing is left behind.
    assert!(fs::read_dir(folder.path()).unwrap().all(|entry| !entry.unwrap().path().is_dir()));
}

/// An account of a part of the table sees its rows alone.
#[test]
fn parts_of_files_are_parts_of_rows() {
    let (folder, ledger) = place();
    let file = folder.path().join("stays.csv");
    csv(&file);
    let unit = Unit::Rows(1);
    let frame = reader().read(&file, &stays()).unwrap();
    let mut all = open(&ledger, "stays", unit).with_table("stays", stays(), frame).unwrap();
    let budget = Loss::epsilon_delta(100.0, 0.0).unwrap();
    all.open_partition("stays", "region", [("n", "north"), ("s", "south")], &budget).unwrap();
    let query = Query::new(&stays()).count().sum(col("days"), (-1e16, 1e16)).measurement(Budget::Epsilon(1.0)).unwrap();
    same(&ledger, "stays", unit, &file, &query);
    same(&ledger, "n", unit, &file, &query);
    // Nearly without noise: the 1500 rows of the north, less those of nobody.
    let files = Files::csv(stays(), reader(), [&file]).unwrap().engine(Native::new().directory(folder.path()));
    let mut north = open(&ledger, "n", unit).with_files("stays", files).unwrap();
    let count = Query::new(&stays()).count().measurement(Budget::Epsilon(64.0)).unwrap();
    let release = north.release(north.price("stays", &count).unwrap(), "count").unwrap();
    let of_nobody = (0..6000).filter(|row| row % 4 == 0 && row % 31 == 0).count();
    let expected = 1500 - i32::try_from(of_nobody).unwrap();
    assert_eq!(release.answer.estimate(0, "count").unwrap().value, Some(f64::from(expected)));
    assert_eq!(release.certificate.rows, "region = \"north\"");
}

/// A measurement of all rows at once is released from memory.
#[test]
fn what_needs_all_rows_at_once_is_read_into_memory() {
    let (folder, ledger) = place();
    let file = folder.path().join("stays.csv");
    csv(&file);
    let plan = "version = 2\nmetric = \"SymmetricDistance\"\ncolumns = { patient = \"text\", region = \
                'category(\"north\", \"south\", missing)', city = \"text(missing)\", days = \"float(missing)\" }\n\
                steps = [\n{ make = \"with_columns\", columns = [[\"days\", \"fill_null(days, 0.0)\"]] },\n\
                { make = \"rows\", columns = [\"days\"] },\n\
                { make = \"private_quantile\", output_measure = \"MaxDivergence\", candidates = [0.0, 3.0, 9.0], \
                alpha = 0.5, scale = 2.0 }]\n";
    let plan = FrameMeasurement::from_toml(plan).unwrap();
    assert!(plan.state().is_err());
    let frame = reader().read(&file, &stays()).unwrap();
    let files = Files::csv(stays(), reader(), [&file]).unwrap();
    let mut released = Vec::new();
    for (key, session) in [
        ("memory", open(&ledger, "stays", Unit::Rows(1)).with_table("stays", stays(), frame).unwrap()),
        ("file", open(&ledger, "stays", Unit::Rows(1)).with_files("stays", files).unwrap()),
    ] {
        let mut session = session;
        let priced = session.price("stays", &plan).unwrap();
        let release = session.release_with(priced, key, &mut SeededEntropy::new(5)).unwrap();
        assert_eq!(release.certificate.engine, "native, in memory");
        released.push(release.released);
    }
    assert_eq!(released[0], released[1], "seed 5");
}

#[test]
fn parquet_is_read_as_memory_is() {
    let (folder, ledger) = place();
    let path = folder.path().join("stays.parquet");
    let patients: StringArray = (0..3000).map(|row| (row % 17 > 0).then(|| format!("p{}", row * 7 % 401))).collect();
    let days: Float64Array = (0..3000).map(|row| (row % 5 > 0).then(|| f64::from(row % 12))).collect();
    let columns: [ArrayRef; 2] = [Arc::new(patients), Arc::new(days)];
    let batch = RecordBatch::try_from_iter(["patient", "days"].into_iter().zip(columns)).unwrap();
    let mut writer = ArrowWriter::try_new(fs::File::create(&path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let columns = [("patient", ColumnDomain::text()), ("days", ColumnDomain::float().with_missing())];
    let domain = FrameDomain::new(columns).unwrap().with_individuals("patient").unwrap();
    let reader = Arrow::new().drop_null("patient");
    let frame = reader.parquet(&path, &domain).unwrap();
    let query = Query::new(&domain).mean(col("days"), (0.0, 9.0)).measurement(Budget::Epsilon(1.0)).unwrap();
    let engine = Native::new().held(0).partitions(3).directory(folder.path());
    let files = Files::parquet(domain.clone(), reader, [&path]).unwrap().engine(engine);
    let mut released = Vec::new();
    for (key, session) in [
        ("memory", open(&ledger, "stays", Unit::Individuals(1)).with_table("stays", domain, frame).unwrap()),
        ("file", open(&ledger, "stays", Unit::Individuals(1)).with_files("stays", files).unwrap()),
    ] {
        let mut session = session;
        let priced = session.price("stays", &query).unwrap();
        released.push(session.release_with(priced, key, &mut SeededEntropy::new(5)).unwrap().released);
    }
    assert_eq!(released[0], released[1], "seed 5");
}

/// What an engine may do instead of its work.
#[derive(Clone, Copy)]
enum Wrong {
    Fails,
    Cuts,
    Invents,
    Loses,
}

struct WrongEngine(Wrong);

impl Engine for WrongEngine {
    fn name(&self) -> String {
        "wrong".into()
    }

    fn run(&self, job: &dyn Job) -> Run<Vec<u8>> {
        Ok(match self.0 {
            Wrong::Fails => return Err(EngineError::job("the machine is gone")),
            Wrong::Cuts => {
                let mut bytes = Native::new().run(job)?;
                bytes.pop();
                bytes
            }
            Wrong::Invents => b"indistinct state of nothing".to_vec(),
            // Of the rows of no individual.
            Wrong::Loses => job.folding()?.bytes()?,
        })
    }
}

/// The charge is kept and nothing is drawn, so that another engine releases under the key, with no second charge.
#[test]
fn an_engine_that_fails_leaves_a_charge_that_goes_on() {
    for (number, wrong) in [Wrong::Fails, Wrong::Cuts, Wrong::Invents, Wrong::Loses].into_iter().enumerate() {
        let (folder, ledger) = place();
        let file = folder.path().join("stays.csv");
        csv(&file);
        let unit = Unit::Individuals(1);
        let files = |engine: Box<dyn Fn(Files) -> Files>| engine(Files::csv(domain(unit), reader(), [&file]).unwrap());
        let wrong = files(Box::new(move |files| files.engine(WrongEngine(wrong))));
        let mut session = open(&ledger, "stays", unit).with_files("stays", wrong).unwrap();
        let query = Query::new(&domain(unit)).count().measurement(Budget::Epsilon(1.0)).unwrap();
        let error = session.release(session.price("stays", &query).unwrap(), "count").unwrap_err();
        assert!(matches!(error, Error::Source { .. } | Error::Measurement(_)), "{number}: {error}");
        assert!(!format!("{error} {error:?}").contains(CANARY));
        let once = session.budget().unwrap().spent;
        let files = files(Box::new(|files| files.engine(Native::new())));
        let mut session = open(&ledger, "stays", unit).with_files("stays", files).unwrap();
        let release = session.release(session.price("stays", &query).unwrap(), "count").unwrap();
        assert!(!release.is_replay);
        release.certificate.verify_in(session.ledger().unwrap()).unwrap();
        assert_eq!(session.budget().unwrap().spent, once, "{number}");
    }
}

/// Neither what cannot be read nor where it is shows a cell, and nothing is written down of it.
#[test]
fn no_cell_is_in_an_error() {
    let (folder, ledger) = place();
    let file = folder.path().join("stays.csv");
    csv(&file);
    let unit = Unit::Individuals(1);
    let text = fs::read_to_string(&file).unwrap();
    let query = Query::new(&domain(unit)).count().measurement(Budget::Epsilon(1.0)).unwrap();
    let nowhere = folder.path().join("nowhere");
    let mut told = String::new();
    for (number, text) in [
        text.clone() + &format!("\"{CANARY},north,Bern,1\n"),
        text.replace("patient,region", &format!("patient,{CANARY}region")),
        text.split_once('\n').unwrap().1.to_owned(),
        text,
    ]
    .into_iter()
    .enumerate()
    {
        fs::write(&file, text).unwrap();
        let engine = Native::new().held(0).directory(&nowhere);
        let files = Files::csv(domain(unit), reader(), [&file]).unwrap().engine(engine);
        let mut session = open(&ledger, "stays", unit).with_files("stays", files).unwrap();
        let error = session.release(session.price("stays", &query).unwrap(), &number.to_string()).unwrap_err();
        assert!(matches!(error, Error::Source { .. }), "{error}");
        told.push_str(&format!(
            "{error} {error:?} {session:?} {:?}",
            session.ledger().unwrap().history("stays").unwrap()
        ));
    }
    assert!(told.contains("never closed") || told.contains("not closed"), "{told}");
    assert!(told.contains("temporary files"), "{told}");
    told.push_str(&String::from_utf8_lossy(&fs::read(&ledger).unwrap()));
    // The header is public.
    assert!(!told.replace(&format!("{CANARY}region"), "").contains(CANARY), "{told}");
    assert!(Files::csv(stays(), Csv::new(), [&file]).is_err(), "nothing is said of rows of nobody");
}
