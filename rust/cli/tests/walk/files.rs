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
        let set = ["--key", key, "--data", data, "--memory", "64", "--spill", "spill", "--certificate", "c.json"];
        let set = [&set[..], &["--force"]].concat();
        let table = says(here, &[&release[..], &set].concat());
        assert!(table.contains("north") && table.contains("south"), "{table}");
        let certificate = fs::read_to_string(here.join("c.json")).unwrap();
        assert!(certificate.contains("indistinct-engine") && !certificate.contains("canary"));
        assert_eq!((left_in(here), left_in(&here.join("spill"))), (vec![], vec![]));
    }
    // Settings are refused before anything is paid.
    let refused = |set: &[&str]| {
        let output = run(here, &[&release[..], &["--key", "other"], set].concat());
        assert!(output.stdout.is_empty());
        output.status.code()
    };
    assert_eq!(refused(&["--memory", "63"]), Some(2));
    assert_eq!(refused(&["--spill", "nowhere"]), Some(7));
    let rest = SCHEMA.replace("drop_rows_without = [\"patient\"]", "");
    fs::write(here.join("rest.toml"), rest).unwrap();
    assert_eq!(refused(&["--schema", "rest.toml"]), Some(3));
    assert!(says(here, &["budget", "show"]).contains("epsilon 0.5  epsilon 0.5"));
}

#[test]
fn parquet_files_are_released() {
    let folder = folder(1);
    let here = folder.path();
    let rows = "\n[tables.stays.parquet]\ndrop_rows_without = [\"patient\"]\n";
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
    let release = ["release", "SELECT COUNT(DISTINCT patient) FROM stays", "--spend", "epsilon=0.5", "--yes"];
    let release = [&release[..], &["--account", "ann", "--format", "csv", "--data", "stays.parquet"]].concat();
    let table = says(here, &[&release[..], &["--key", "patients"]].concat());
    let number: f64 = table.lines().nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    assert!((number - 2000.0).abs() < 100.0, "{table}");
    // What is no Parquet is told, without what it is.
    fs::write(here.join("stays.parquet"), "zzcanaryzz".repeat(100)).unwrap();
    let output = run(here, &[&release[..], &["--key", "again"]].concat());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(7) && told.contains("is not Parquet") && !told.contains("canary"), "{told}");
}

/// The program is killed while rows are in temporary files: nothing was drawn, the same key goes on under the same
/// charge, and the files are gone.
#[cfg(unix)]
#[test]
fn what_a_killed_release_leaves_is_taken_up_and_cleaned_away() {
    use std::{fs::OpenOptions, io::Write, thread, time::Duration};
    let folder = folder(1000);
    let here = folder.path();
    open(here);
    fs::create_dir(here.join("spill")).unwrap();
    // A file that does not come to its end: whoever reads it waits, once all that was written is read.
    let pipe = here.join("pipe.csv");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let release = ["release", QUESTION, "--spend", "epsilon=0.5", "--account", "ann", "--yes", "--key", "killed"];
    let release = [&release[..], &["--memory", "64", "--spill", "spill"]].concat();
    let mut command = Command::new(env!("CARGO_BIN_EXE_indistinct"));
    command.args([&release[..], &["--data", "pipe.csv"]].concat()).current_dir(here);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    thread::spawn(move || {
        let rows = csv(1000).replace("zzcanaryzz", &"x".repeat(3000)).repeat(6);
        // The program opens it once to see that it is there.
        while let Err(_closed) = OpenOptions::new().write(true).open(&pipe).and_then(|mut file| {
            file.write_all(rows.as_bytes())?;
            thread::sleep(Duration::from_secs(1000));
            Ok(())
        }) {}
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
