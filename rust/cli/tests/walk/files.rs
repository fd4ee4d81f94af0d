//! Releases of files that do not fit into memory.

use crate::{QUESTION, SCHEMA, csv, folder, open, run, says};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

/// The folders of temporary files in a folder.
fn left_in(here: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(here).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.is_dir() && path.to_string_lossy().contains("indistinct-")).collect()
}

/// Fewer rows than the memory takes, and more, of which 20 MiB are dealt to partitions.
#[test]
fn memory_and_place_are_settings() {
    let folder = folder(2000);
    let here = folder.path();
    open(here);
    fs::create_dir(here.join("spill")).unwrap();
    let long = "zzcanaryzz".repeat(1000);
    let wide = csv(1000).replace("zzcanaryzz", &long);
    fs::write(here.join("wide.csv"), wide).unwrap();
    let release = ["release", QUESTION, "--spend", "epsilon=0.25", "--account", "ann", "--yes"];
    for (key, data) in [("small", "stays.csv"), ("wide", "wide.csv")] {
        let set = ["--name", key, "--data", data, "--memory", "64", "--temp-dir", "spill", "--certificate", "c.json"];
        let set = [&set[..], &["--force"]].concat();
        let table = says(here, &[&release[..], &set].concat());
        assert!(table.contains("north") && table.contains("south"), "{table}");
        let certificate = fs::read_to_string(here.join("c.json")).unwrap();
        assert!(certificate.contains("indistinct-engine") && !certificate.contains("canary"));
        assert_eq!((left_in(here), left_in(&here.join("spill"))), (vec![], vec![]));
    }
    // Settings are refused before anything is paid.
    let refused = |set: &[&str]| {
        let output = run(here, &[&release[..], &["--name", "other"], set].concat());
        assert!(output.stdout.is_empty());
        output.status.code()
    };
    assert_eq!(refused(&["--memory", "63"]), Some(2));
    assert_eq!(refused(&["--temp-dir", "nowhere"]), Some(7));
    let rest = SCHEMA.replace("drop_null = [\"patient\"]", "");
    fs::write(here.join("rest.toml"), rest).unwrap();
    assert_eq!(refused(&["--schema", "rest.toml"]), Some(3));
    assert!(says(here, &["budget", "show"]).contains("epsilon 0.5  epsilon 0.5"));
}

#[test]
fn parquet_files_are_released() {
    let folder = folder(1);
    let here = folder.path();
    let rows = "\n[tables.stays.parquet]\ndrop_null = [\"patient\"]\n";
    fs::write(here.join("schema.toml"), [SCHEMA, rows].concat()).unwrap();
    open(here);
    let texts = |text: fn(i32) -> String| -> ArrayRef {
        Arc::new((0..4000).map(|row| Some(text(row))).collect::<StringArray>())
    };
    let days: Float64Array = (0..4000).map(|row| Some(f64::from(row % 9))).collect();
    let columns = [
        ("patient", texts(|row| format!("p{}", row / 2))),
        ("region", texts(|row| ["north", "south"][usize::try_from(row % 2).unwrap()].to_owned())),
        ("city", texts(|_| "zzcanaryzz".to_owned())),
        ("days", Arc::new(days)),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let file = fs::File::create(here.join("stays.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let told = String::from_utf8(run(here, &["inspect-private", "--data", "stays.parquet"]).stdout).unwrap();
    assert!(
        told.contains(
            "2000 individuals with 4000 rows\n--max-rows-per-individual 1 keeps 2000 rows, 50.0 %\n\
             --max-rows-per-individual 2 keeps 4000 rows, 100.0 %\n"
        ),
        "{told}"
    );
    let release = ["release", "SELECT COUNT(DISTINCT patient) FROM stays", "--spend", "epsilon=0.5", "--yes"];
    let release = [&release[..], &["--account", "ann", "--format", "csv", "--data", "stays.parquet"]].concat();
    let table = says(here, &[&release[..], &["--name", "patients"]].concat());
    let number: f64 = table.lines().nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    assert!((number - 2000.0).abs() < 100.0, "{table}");
    // What is no Parquet is told, without what it is.
    fs::write(here.join("stays.parquet"), "zzcanaryzz".repeat(100)).unwrap();
    let output = run(here, &[&release[..], &["--name", "again"]].concat());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(7) && told.contains("is not Parquet") && !told.contains("canary"), "{told}");
}

/// The program is killed while rows are in temporary files: nothing was drawn, the same name goes on under the same
/// charge, and the files are gone.
#[cfg(unix)]
#[test]
fn what_a_killed_release_leaves_is_taken_up_and_cleaned_away() {
    use std::{io::Write, thread, time::Duration};
    let folder = folder(1000);
    let here = folder.path();
    open(here);
    fs::create_dir(here.join("spill")).unwrap();
    let release = ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--yes", "--name", "killed"];
    let release = [&release[..], &["--memory", "64", "--temp-dir", "spill"]].concat();
    let mut command = Command::new(env!("CARGO_BIN_EXE_indistinct"));
    command.args([&release[..], &["--data", "/dev/stdin"]].concat()).current_dir(here);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // A pipe that does not come to its end: whoever reads it waits, once all that was written is read.
    let mut pipe = child.stdin.take().unwrap();
    thread::spawn(move || {
        let rows = csv(1000).replace("zzcanaryzz", &"x".repeat(3000)).repeat(6);
        if pipe.write_all(rows.as_bytes()).is_ok() {
            thread::sleep(Duration::from_secs(1000));
        }
    });
    let started = std::time::Instant::now();
    // Before it has its name there is nothing in it.
    let has_rows = |path: &PathBuf| path.to_string_lossy().contains("indistinct-rows-");
    while !left_in(&here.join("spill")).iter().any(has_rows) {
        assert!(started.elapsed() < Duration::from_secs(500) && child.try_wait().unwrap().is_none());
        thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(left_in(&here.join("spill")).len(), 1);
    let charged = says(here, &["budget", "show"]);
    assert!(charged.contains("epsilon 0.5  epsilon 0.5"), "{charged}");
    let table = says(here, &release);
    assert!(table.contains("north"), "{table}");
    assert_eq!(left_in(&here.join("spill")), Vec::<PathBuf>::new());
    assert_eq!(says(here, &["budget", "show"]), charged);
    assert_eq!(says(here, &release), table);
}

/// A file as another program writes it.
fn of_others(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables/tests/files").join(name)
}

const OF_POLARS: &str = r#"
unit = "1 individual added or removed"

[tables.stays]
file = "stays.parquet"
individuals = "n"

[tables.stays.columns]
n = "integer"
cost = "float(0.0..=100.0, missing)"
whole = "integer(missing)"
zoned = "time(missing)"
c = 'category("north", "south", missing)'

[tables.stays.parquet]
drop_null = ["n"]

[public.sides]
file = "sides.parquet"

[public.sides.columns]
c = "text"
small = "integer"

# Nobody joins it: it is not there.
[public.n]
file = "nothere.csv"

[public.n.columns]
key = "text"
"#;

/// What the footer shows is said before the charge: a type, a malformed footer; and `inspect-private` looks at Parquet.
#[test]
fn footers_are_compared_with_the_schema_before_the_charge() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    open(here);
    fs::write(here.join("schema.toml"), OF_POLARS).unwrap();
    fs::copy(of_others("polars.parquet"), here.join("stays.parquet")).unwrap();
    let checked = says_privately(here, &["inspect-private"]);
    assert!(checked.contains("cost (decimal(18, 2)): 0 missing, 1 unreadable, the first in record 3"), "{checked}");
    assert!(
        checked.contains("zoned (timestamp(microsecond) in the time zone \"Europe/Vienna\"): 1 missing"),
        "{checked}"
    );
    let release =
        ["release", "SELECT COUNT(*) AS k FROM stays", "--spend", "epsilon=0.25", "--account", "ann", "--yes"];
    let says_of = |schema: &str, key: &str| {
        fs::write(here.join("other.toml"), schema).unwrap();
        let output = run(here, &[&release[..], &["--name", key, "--schema", "other.toml"]].concat());
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for (declared, wrong, told) in [
        (
            "cost = \"float(0.0..=100.0, missing)\"",
            "cost = \"text(missing)\"",
            "is decimal(18, 2) in the data, but declared as text",
        ),
        ("zoned = \"time(missing)\"", "zoned = \"date(missing)\"", "but declared as date: declare it as time"),
        (
            "zoned = \"time(missing)\"",
            "list = \"text(missing)\"",
            "column list: is list in the data, but declared as text",
        ),
    ] {
        let (code, error) = says_of(&OF_POLARS.replace(declared, wrong), "wrong");
        assert!(code == Some(7) && error.contains(told) && !error.contains("charge stands"), "{error}");
    }
    assert_eq!(says(here, &["budget", "show"]).matches("epsilon 0  ").count(), 2, "nothing was charged");
    assert_eq!(says_of(OF_POLARS, "right").0, Some(0));

    // A byte of the footer, and one of a page, that make what the file says contradict itself.
    let domain: indistinct::frames::FrameDomain =
        indistinct::frames::FrameDomain::new([("n", "integer(missing)".parse().unwrap())]).unwrap();
    let bytes = fs::read(of_others("polars.parquet")).unwrap();
    let (mut by_footer, mut by_rows) = (None, None);
    let reader = indistinct_tables::Arrow::new();
    let path = here.join("stays.parquet");
    for (place, change) in (0..bytes.len()).flat_map(|place| [(place, 0x01), (place, 0x80)]) {
        let mut changed = bytes.clone();
        changed[place] ^= change;
        fs::write(&path, &changed).unwrap();
        let is_malformed = |error: &indistinct_tables::Error| error.to_string().contains("is malformed");
        match reader.check_parquet(&path, &domain) {
            Err(error) if is_malformed(&error) => by_footer = by_footer.or(Some(changed)),
            Ok(()) if reader.parquet(&path, &domain).is_err_and(|error| is_malformed(&error)) => {
                by_rows = by_rows.or(Some(changed));
            }
            _ => {}
        }
        if by_footer.is_some() && by_rows.is_some() {
            break;
        }
    }
    for (key, bytes, is_charged) in [("footer", by_footer.unwrap(), false), ("rows", by_rows.unwrap(), true)] {
        fs::write(&path, bytes).unwrap();
        let (code, error) = says_of(OF_POLARS, key);
        assert!(code == Some(7) && error.contains("is malformed, and cannot be read as Parquet"), "{error}");
        assert!(
            !error.contains("mistake") && error.lines().filter(|line| !line.starts_with("note: ")).count() == 1,
            "{error}"
        );
        assert_eq!(error.contains("the charge stands"), is_charged, "{error}");
    }
}

/// What `inspect-private` prints, beside its warning.
fn says_privately(here: &Path, arguments: &[&str]) -> String {
    let output = run(here, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Public tables are read as their names say, and only where the statement joins them.
#[test]
fn public_tables_may_be_parquet_and_others_are_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    open(here);
    fs::write(here.join("schema.toml"), OF_POLARS).unwrap();
    for name in ["stays", "sides"] {
        fs::copy(of_others("polars.parquet"), here.join(format!("{name}.parquet"))).unwrap();
    }
    let price = |sql: &str| run(here, &["price", sql, "--spend", "epsilon=0.25", "--account", "ann"]);
    let joined = price("SELECT COUNT(*) AS n FROM stays JOIN sides ON stays.c = sides.c WHERE sides.small > 7");
    assert!(joined.status.success(), "{}", String::from_utf8_lossy(&joined.stderr));
    // With a table of the name n that is not there.
    assert!(price("SELECT COUNT(*) AS n FROM stays").status.success());
    let absent = price("SELECT COUNT(*) AS k FROM stays JOIN n ON stays.c = n.key");
    let told = String::from_utf8(absent.stderr).unwrap();
    assert!(
        absent.status.code() == Some(3) && told.contains("public table \"n\"") && told.contains("nothere.csv"),
        "{told}"
    );
    fs::write(here.join("schema.toml"), OF_POLARS.replace("small = \"integer\"", "cost = \"text\"")).unwrap();
    let wrong = price("SELECT COUNT(*) AS n FROM stays JOIN sides ON stays.c = sides.c");
    let told = String::from_utf8(wrong.stderr).unwrap();
    assert!(told.contains("public table \"sides\": column cost: is decimal(18, 2) in the data"), "{told}");
}

/// A named pipe would be opened before the charge and after it.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_refused_before_the_charge() {
    let folder = folder(10);
    let here = folder.path();
    open(here);
    for name in ["rows", "rows.parquet"] {
        assert!(Command::new("mkfifo").arg(here.join(name)).status().unwrap().success());
        let rows = "\n[tables.stays.parquet]\ndrop_null = [\"patient\"]\n";
        fs::write(here.join("schema.toml"), [SCHEMA, rows].concat()).unwrap();
        let release = ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--yes", "--name", "k"];
        let output = run(here, &[&release[..], &["--data", name]].concat());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(7) && told.contains("is a named pipe"), "{told}");
    }
    assert_eq!(says(here, &["budget", "show"]).matches("epsilon 0  ").count(), 2, "nothing was charged");
}

/// Arrow IPC is read like Parquet: by its name, with options of its own, and its schema is looked at before the charge.
#[test]
fn arrow_files_are_released() {
    let folder = folder(1);
    let here = folder.path();
    let files = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables/tests/files");
    fs::copy(files.join("polars.arrow"), here.join("stays.arrow")).unwrap();
    let schema = "unit = \"1 row added or removed\"\n\n[tables.stays]\nfile = \"stays.arrow\"\n\n[tables.stays.columns]\n\
                  c = 'category(\"north\", \"south\")'\ncost = \"KIND(missing)\"\n\n[tables.stays.arrow]\ndrop_null = [\"c\"]\n";
    open(here);
    let release = ["release", "SELECT COUNT(*), SUM(CLAMP(cost, 0, 9)) FROM stays", "--spend", "epsilon=0.5"];
    let release = [&release[..], &["--account", "ann", "--yes", "--name", "k"]].concat();
    fs::write(here.join("schema.toml"), schema.replace("KIND", "text")).unwrap();
    let count = ["release", "SELECT COUNT(*) FROM stays WHERE cost = 'x'", "--spend", "epsilon=0.5"];
    let output = run(here, &[&count[..], &["--account", "ann", "--yes", "--name", "k"]].concat());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(7) && told.contains("declare it as float or integer"), "{told}");
    assert_eq!(says(here, &["budget", "show"]).matches("epsilon 0  ").count(), 2, "nothing was charged");
    fs::write(here.join("schema.toml"), schema.replace("KIND", "float")).unwrap();
    let told = says_privately(here, &["inspect-private"]);
    assert!(
        told.contains("3 records") && told.contains("c (dictionary of string") && told.contains("1 missing"),
        "{told}"
    );
    assert!(!says(here, &release).is_empty());
    assert!(says(here, &["budget", "show"]).contains("epsilon 0.5"));
    says(here, &["init", "made.toml", "--table", "stays", "--public-sample", "stays.arrow", "--rows", "2"]);
    let made = fs::read_to_string(here.join("made.toml")).unwrap();
    assert!(made.contains("[tables.stays.arrow]\n") && made.contains("file = \"stays.arrow\""), "{made}");
    assert!(made.contains("\"zoned\" = \"time(missing)\"") && made.contains("\"cost\" = \"float(missing)\""), "{made}");
}

/// A file that a spreadsheet has saved in UTF-16: the message names the encoding, with which it is read.
#[test]
fn utf_16_is_read_if_the_schema_says_so() {
    let folder = folder(10);
    let here = folder.path();
    open(here);
    let wide = format!("\u{feff}{}", super::csv(10)).encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    fs::write(here.join("stays.csv"), wide).unwrap();
    let release = ["release", "SELECT COUNT(*) AS n FROM stays", "--spend", "epsilon=0.5"];
    let release = [&release[..], &["--account", "ann", "--yes", "--name", "k"]].concat();
    let output = run(here, &release);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(7) && told.contains("set the encoding to utf-16"), "{told}");
    assert_eq!(says(here, &["budget", "show"]).matches("epsilon 0  ").count(), 2, "nothing was charged");
    let schema = super::SCHEMA.replace("delimiter = ", "encoding = \"utf-16\"\ndelimiter = ");
    fs::write(here.join("schema.toml"), schema).unwrap();
    assert!(says_privately(here, &["inspect-private"]).contains("20 records"));
    assert!(!says(here, &release).is_empty());
}
