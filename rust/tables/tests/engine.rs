//! The native engine over files: the state and the release of all rows in memory, byte for byte and bit for bit.
#![cfg(feature = "engine")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

use indistinct::{
    frames::*,
    plans::FrameMeasurement,
    queries::{Budget, Query},
    sampling::testing::SeededEntropy,
};
use indistinct_engine::{Engine, Job, Native};
use indistinct_tables::{Csv, TableJob};
use std::{fmt::Write, fs, path::Path};

fn visits() -> FrameDomain {
    FrameDomain::new([
        ("person", ColumnDomain::text()),
        ("city", ColumnDomain::text().with_missing()),
        ("n", ColumnDomain::integer().with_bounds(0.0, 9.0).unwrap().with_missing()),
        ("x", ColumnDomain::float().with_missing()),
        ("bad", ColumnDomain::bool()),
    ])
    .unwrap()
}

/// Records in an order of their own, some with cells that cannot be read or are missing, or with an end of line inside.
fn records() -> Vec<String> {
    let record = |row: u32| {
        let person = row.wrapping_mul(2_654_435_761) >> 8;
        let person = if row.is_multiple_of(31) { String::new() } else { format!("p{}", person % 700) };
        let city = ["Bern", "\"Aar\nau\"", "", "Chur"][usize::try_from(row % 4).unwrap()];
        let n = if row.is_multiple_of(13) { "many".to_owned() } else { (row % 11).to_string() };
        let x = ["1e16", "-1e16", "0.1", "1e-9", "nothing"][usize::try_from(row % 5).unwrap()];
        format!("{person},{city},{n},{x}")
    };
    (0..20_000).map(record).collect()
}

fn write(place: &Path, records: &[String]) {
    let mut text = "person,city,n,x\n".to_owned();
    records.iter().for_each(|record| writeln!(text, "{record}").unwrap());
    fs::write(place, text).unwrap();
}

fn reader() -> Csv {
    Csv::new().drop_null("person").flag_unreadable("bad")
}

/// A plan that makes eight rows of each, and three of each of these, takes as much memory as a file of so many times
/// the rows.
#[test]
fn rows_that_a_plan_makes_count_in_the_size_of_a_job() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("visits.csv");
    fs::write(&path, "person,n\na,1\nb,2\n").unwrap();
    let domain = FrameDomain::new([("person", ColumnDomain::text()), ("n", ColumnDomain::integer())]).unwrap();
    let domain = domain.with_individuals("person").unwrap();
    let flat = |times: usize| {
        let value = format!("[\"n\", [{}]]", vec!["\"n\""; times].join(", "));
        format!("[[steps]]\nmake = \"flat_map\"\ncolumns = [{value}]\n")
    };
    let size = |steps: &str| {
        let plan = format!(
            "version = 2\nmetric = \"SymmetricIdDistance\"\nindividuals = \"person\"\n[columns]\nperson = \"text\"\n\
             n = \"integer\"\n{steps}[[steps]]\nmake = \"bound_rows\"\ncolumns = [\"n\"]\nmax_rows = 1\n\
             [[steps]]\nmake = \"rows\"\ncolumns = [\"n\"]\n[[steps]]\nmake = \"count\"\n\
             [[steps]]\nmake = \"laplace\"\nscale = 1\n"
        );
        let plan = FrameMeasurement::from_toml(&plan).unwrap();
        let reader = Csv::new().drop_null("person").fill_null("n", 0);
        TableJob::csv(&reader, [&path], &domain, &plan).unwrap().size()
    };
    let one = size("");
    assert!(one > 0 && size(&flat(1)) == one && size(&flat(8)) == 8 * one);
    assert_eq!(size(&(flat(8) + &flat(3))), 24 * one);
}

fn plans() -> Vec<FrameMeasurement> {
    let people = visits().with_individuals("person").unwrap();
    let keys = || KeySet::product([("n", (0..10i64).collect::<Vec<_>>())]).unwrap();
    let of = |query: Query| query.measurement(Budget::Epsilon(1.0)).unwrap().measurement().clone();
    let sum = |query: Query| of(query.sum(col("x"), (-1e16, 1e16)).count().count_non_null(col("bad")).group_by(keys()));
    let per_person = [("days", PerIndividual::sum(col("x"))), ("any", PerIndividual::count())];
    vec![
        sum(Query::new(&visits()).filter(!col("bad"))),
        of(Query::new(&visits()).count_distinct(col("city")).quantiles(col("x"), vec![-1e9, 0.0, 1e9], &[0.5])),
        Query::new(&visits()).count_unknown_keys(["city", "n"], (1.0, 1e-9)).unwrap().measurement().clone(),
        sum(Query::new(&people).max_rows_per_individual(3)),
        of(Query::new(&people)
            .aggregate_per_individual(per_person)
            .variance(col("days"), (-1e17, 1e17))
            .count_individuals()),
        Query::new(&people)
            .max_groups_per_individual(2)
            .count_unknown_keys(["city"], (1.0, 1e-9))
            .unwrap()
            .measurement()
            .clone(),
    ]
}

#[test]
fn a_file_of_any_size_is_the_table_in_memory() {
    let place = tempfile::tempdir().unwrap();
    let (one, first, second) = (place.path().join("a.csv"), place.path().join("b.csv"), place.path().join("c.csv"));
    let mut records = records();
    write(&one, &records);
    let (mut cases, reader) = (0, reader());
    for plan in plans() {
        let (domain, _) = plan.input_space();
        let frame = reader.read(&one, &domain).unwrap();
        let seed = || SeededEntropy::new(5);
        let expected = format!("{:?}", plan.invoke_with(&frame, &mut seed()).unwrap());
        let all = plan.state().unwrap();
        let all = if all.needs_individuals() { all.absorb_partition((0, 1), &frame) } else { all.absorb(&frame) };
        let bytes = all.unwrap().to_bytes().unwrap();
        // Other orders, and several files.
        records.rotate_left(7001);
        records.swap(3, 9000);
        write(&first, &records[..12_345]);
        write(&second, &records[12_345..]);
        let job = TableJob::csv(&reader, [&second, &first], &domain, &plan).unwrap();
        for partitions in [1, 2, 7, 16] {
            for held in [0, 100_000, 1 << 30] {
                let threads = 1 + cases % 3;
                let native = Native::new().threads(threads).partitions(partitions).held(held).directory(place.path());
                let state = native.run(&job).unwrap();
                assert_eq!(state, bytes, "{partitions} {held} {threads}");
                cases += 1;
                let release = plan.read_state(&state).unwrap().release_with(&mut seed()).unwrap();
                assert_eq!(format!("{release:?}"), expected);
            }
        }
    }
}

#[test]
fn what_cannot_be_read_is_told_as_in_memory() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a.csv");
    let (plan, reader) = (&plans()[3], reader());
    let (domain, _) = plan.input_space();
    let run = |text: &str| {
        fs::write(&path, text).unwrap();
        let in_memory = reader.read(&path, &domain).unwrap_err().to_string();
        let job = TableJob::csv(&reader, [&path], &domain, plan).unwrap();
        let told = Native::new().directory(place.path()).run(&job).unwrap_err().to_string();
        assert_eq!(told, format!("the job failed: {in_memory}"));
    };
    run("person,city\n");
    run("person,city,n,x\nann,\"Bern,1,2\nbob,Chur,3,4\n");
    let another = visits();
    let other = TableJob::csv(&reader, [&path], &another, plan);
    assert_eq!(other.map(drop).unwrap_err().to_string(), "plan: must start with the domain of the rows to read");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_in_groups_of_rows() {
    use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
    use indistinct_tables::Arrow;
    use parquet::{arrow::ArrowWriter, file::properties::WriterProperties};
    use std::sync::Arc;
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a.parquet");
    let persons: StringArray = (0..9000).map(|row| (row % 17 > 0).then(|| format!("p{}", row * 7 % 801))).collect();
    let counts: Int64Array = (0..9000).map(|row| (row % 5 > 0).then_some(row % 12)).collect();
    let columns: [ArrayRef; 2] = [Arc::new(persons), Arc::new(counts)];
    let batch = RecordBatch::try_from_iter(["person", "n"].into_iter().zip(columns)).unwrap();
    let groups = WriterProperties::builder().set_max_row_group_row_count(Some(1000)).build();
    let mut writer = ArrowWriter::try_new(fs::File::create(&path).unwrap(), batch.schema(), Some(groups)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let number = ColumnDomain::integer().with_bounds(0.0, 9.0).unwrap();
    let domain = FrameDomain::new([("n", number), ("person", ColumnDomain::text())]).unwrap();
    let reader = Arrow::new().drop_null("person").fill_null("n", 3);
    for domain in [domain.clone(), domain.with_individuals("person").unwrap()] {
        let query = Query::new(&domain).count().sum(col("n"), (0.0, 9.0)).measurement(Budget::Rho(0.5)).unwrap();
        let plan = query.measurement();
        let frame = reader.parquet(&path, &domain).unwrap();
        let expected = plan.invoke_with(&frame, &mut SeededEntropy::new(1)).unwrap();
        let job = TableJob::parquet(&reader, [&path], &domain, plan).unwrap();
        let state = Native::new().partitions(3).held(0).directory(place.path()).run(&job).unwrap();
        let state = plan.read_state(&state).unwrap();
        assert_eq!((state.rows(), state.release_with(&mut SeededEntropy::new(1)).unwrap()), (frame.rows(), expected));
    }
}

/// The files of three writers, one after another: the rows of all of them in memory.
#[cfg(feature = "ipc")]
#[test]
fn arrow_ipc_batch_by_batch() {
    use indistinct_tables::Arrow;
    let place = tempfile::tempdir().unwrap();
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let paths = ["polars.arrow", "pyarrow.arrow", "pandas.arrow", "polars.arrow"].map(|name| files.join(name));
    let whose = ColumnDomain::text();
    let domain = FrameDomain::new([("small", ColumnDomain::integer().with_missing()), ("c", whose)]).unwrap();
    let reader = Arrow::new().drop_null("c");
    for domain in [domain.clone(), domain.with_individuals("c").unwrap()] {
        let query = Query::new(&domain).count().sum(col("small"), (0.0, 9.0)).measurement(Budget::Rho(0.5)).unwrap();
        let plan = query.measurement();
        let frames = paths.iter().map(|path| reader.ipc(path, &domain).unwrap());
        let frame: Frame =
            frames.flat_map(|frame| frame.iter().cloned().collect::<Vec<_>>()).collect::<Vec<_>>().into();
        let expected = plan.invoke_with(&frame, &mut SeededEntropy::new(1)).unwrap();
        let job = TableJob::ipc(&reader, &paths, &domain, plan).unwrap();
        let state = Native::new().partitions(3).held(0).directory(place.path()).run(&job).unwrap();
        let state = plan.read_state(&state).unwrap();
        assert_eq!((state.rows(), state.release_with(&mut SeededEntropy::new(1)).unwrap()), (8, expected));
    }
    let found =
        Arrow::new().drop_null("c").inspect_ipc(&paths[0], &FrameDomain::new([("c", ColumnDomain::text())]).unwrap());
    let found = found.unwrap();
    assert_eq!((found.records, found.columns[0].missing), (3, 1));
}
