//! A stranger's commands, from a CSV file to a page, and what each says when it is used wrongly.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod files;
mod marks;
mod opendp;
mod outputs;
mod tables;
mod wrong;

use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;

const SCHEMA: &str = r#"
unit = "1 individual added or removed"

[tables.stays]
file = "stays.csv"
individuals = "patient"

[tables.stays.columns]
patient = "text"
region = 'category("north", "south", missing)'
city = "text(missing)"
days = "float(missing)"

[tables.stays.csv]
delimiter = ";"
decimal = ","
missing = ["NA"]
drop_null = ["patient"]
"#;

const QUESTION: &str = "SELECT region, COUNT(*) AS stays, AVG(CLAMP(days, 0, 30)) AS days FROM stays GROUP BY region";

/// Two rows of each of so many patients.
fn csv(patients: u32) -> String {
    let row = |number: u32| {
        let (patient, region) = (number / 2, ["north", "south"][usize::try_from(number % 2).unwrap()]);
        format!("p{patient};{region};zzcanaryzz{patient};{},5\n", number % 9)
    };
    "patient;region;city;days\n".to_owned() + &(0..2 * patients).map(row).collect::<String>()
}

/// An empty folder with a schema and a file.
fn folder(patients: u32) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("schema.toml"), SCHEMA).unwrap();
    fs::write(folder.path().join("stays.csv"), csv(patients)).unwrap();
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_indistinct"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1").output().unwrap()
}

/// What it prints, where it is to succeed and to say nothing else but notes.
fn says(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    let is_quiet = errors.lines().all(|line| line.starts_with("note: "));
    assert!(output.status.success() && is_quiet, "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// A ledger with room for an epsilon of 2, of which Ann has 1.
fn open(folder: &Path) {
    says(folder, &["budget", "open", "survey", "--budget", "epsilon=2"]);
    says(folder, &["budget", "add-account", "ann", "--parent", "survey", "--budget", "epsilon=1"]);
}

#[test]
fn ten_commands_lead_from_a_file_to_a_page() {
    let folder = folder(2000);
    let here = folder.path();
    fs::remove_file(here.join("schema.toml")).unwrap();
    fs::write(here.join("sample.csv"), "patient;region;city;days\nx;north;Bern;1\ny;south;Bern;2\nz;north;Basel;\n")
        .unwrap();
    let sample = ["init", "--table", "stays", "--public-sample", "sample.csv", "--delimiter", ";"];
    let sample = [&sample[..], &["--individuals", "patient"]].concat();
    assert_eq!(says(here, &sample), "schema.toml: read and correct it\n");
    let proposed = fs::read_to_string(here.join("schema.toml")).unwrap();
    assert!(proposed.contains("individuals = \"patient\"") && proposed.contains("\"days\" = \"integer(missing)\""));
    fs::write(here.join("schema.toml"), SCHEMA).unwrap();
    open(here);
    let ann = ["--account", "ann", "--spend", "epsilon=0.5"];
    let price = says(here, &[&["price", QUESTION], &ann[..]].concat());
    assert!(
        price.contains("cost: epsilon 0.5")
            && price.contains("account \"ann\": epsilon 1 remains, and epsilon 0.5 after it")
    );
    assert!(price.contains("stays: each number within 12") && !price.contains("make_"), "{price}");
    assert!(says(here, &[&["price", QUESTION, "--steps"], &ann[..]].concat()).contains("make_laplace"));
    let release = [&["release", QUESTION, "--name", "Q3", "--yes"], &ann[..]].concat();
    let files = ["--certificate", "c.json", "--results", "r.json", "--html", "r.html"];
    let table = says(here, &[&release[..], &files].concat());
    assert!(table.contains("north") && table.contains("missing"), "{table}");
    // Once more: the same, free.
    assert_eq!(says(here, &release), table);
    assert!(says(here, &["budget", "show"]).contains("epsilon 0.5  epsilon 0.5"));
    let held = says(here, &["certificate", "verify", "c.json", "--results", "r.json", "--ledger", "budget.ledger"]);
    assert!(
        held.starts_with("holds: ") && held.contains("as the ledger has it: ") && !held.contains("not c"),
        "{held}"
    );
    assert!(says(here, &["certificate", "show", "c.json"]).contains("1 individual added or removed"));
    assert!(says(here, &["certificate", "registry", "c.json"]).contains("Pure DP"));
    let head = says(here, &["ledger", "verify"]);
    assert_eq!(says(here, &["ledger", "verify", "--expected-head", head.trim()]), head);
    assert_eq!(says(here, &["ledger", "export"]).lines().count(), 8);
    // The page again, of the same numbers and of no others.
    let report = ["report", "--certificate", "c.json", "--results", "r.json", "--html"];
    says(here, &[&report[..], &["again.html", QUESTION, "--spend", "epsilon=0.5"]].concat());
    let page = |name: &str| fs::read_to_string(here.join(name)).unwrap();
    assert_eq!(page("again.html"), page("r.html"));
    says(here, &[&report[..], &["bare.html"]].concat());
    assert!(page("bare.html").contains("a plan: its steps are below"));
    assert!(page("bare.html").contains("the page shows the noisy numbers that the answer is computed from"));
    assert!(!page("r.html").contains("noisy numbers that the answer"));
    let refused = |arguments: &[&str], said: &str| {
        let output = run(here, &[&report[..], &["x.html"], arguments].concat());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(6) && told.contains(said) && !here.join("x.html").exists(), "{told}");
    };
    refused(&[QUESTION, "--spend", "epsilon=0.25"], "its plan differs from the plan of the question");
    refused(
        &[&QUESTION.replace("30", "60"), "--spend", "epsilon=0.5"],
        "its plan differs from the plan of the question",
    );
    fs::write(here.join("r.json"), page("r.json").replacen('[', "[ ", 1)).unwrap();
    refused(&[QUESTION, "--spend", "epsilon=0.5"], "released differs from the computed value");
}

/// A public table beside the private one.
#[test]
fn public_tables_are_joined() {
    let folder = folder(2000);
    let here = folder.path();
    let public = "[public.regions]\nfile = \"regions.csv\"\ncolumns = { region = \"text\", bureau = \"text\" }\n";
    fs::write(here.join("schema.toml"), [SCHEMA, public].concat()).unwrap();
    fs::write(here.join("regions.csv"), "region,bureau\nnorth,Uri\nsouth,Lugano\n").unwrap();
    open(here);
    let sql = "SELECT bureau, COUNT(*) FROM stays JOIN regions r ON r.region = stays.region GROUP BY bureau";
    let release = ["release", sql, "--spend", "epsilon=1", "--account", "ann", "--yes", "--name", "bureaus"];
    let table = says(here, &release);
    assert!(table.contains("Uri") && table.contains("Lugano") && table.lines().count() == 5, "{table}");
    fs::write(here.join("regions.csv"), "region,bureau\nnorth,Uri\nnorth,Lugano\n").unwrap();
    let refused = String::from_utf8(run(here, &release).stderr).unwrap();
    assert!(refused.contains("must be unique"), "{refused}");
}

/// Each region has an account, which sees its own rows, and all of them cost what one does. Then the year is over.
#[test]
fn parts_are_paid_for_once() {
    let folder = folder(2000);
    let here = folder.path();
    let schema = SCHEMA.replace("1 individual added or removed", "1 row added or removed");
    let schema = schema.replace("individuals = \"patient\"\n", "");
    fs::write(here.join("schema.toml"), schema).unwrap();
    says(here, &["budget", "open", "stays of 2026", "--budget", "epsilon=2"]);
    let parts = ["budget", "partition", "--table", "stays", "--column", "region", "--account", "stays of 2026"];
    let parts = [&parts[..], &["--budget", "epsilon=1", "bureau N=north", "bureau S=south"]].concat();
    let shown = says(here, &parts);
    assert!(shown.contains("epsilon 2  epsilon 1  epsilon 1") && shown.contains("\"value\":\"north\""), "{shown}");
    let count = ["release", "SELECT COUNT(*) FROM stays", "--spend", "epsilon=1", "--yes", "--name", "all"];
    let north = says(here, &[&count[..], &["--account", "bureau N", "--format", "csv"]].concat());
    let number: f64 = north.lines().nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    assert!((number - 2000.0).abs() < 60.0, "{north}");
    let shown = says(here, &["budget", "close", "stays of 2026"]);
    assert!(shown.contains("closed"), "{shown}");
    let refused = run(here, &[&count[..], &["--account", "bureau S"]].concat());
    assert!(String::from_utf8(refused.stderr).unwrap().contains("\"stays of 2026\" is closed"));
}

#[test]
fn plans_are_released_as_statements_are() {
    let folder = folder(2000);
    let here = folder.path();
    open(here);
    let plan = r#"
version = 2
metric = "SymmetricIdDistance"
individuals = "patient"
columns = { patient = "text", days = "float(missing)" }
steps = [
    { make = "bound_rows", columns = ["patient"], max_rows = 1 },
    { make = "rows", columns = ["patient"] },
    { make = "count" },
    { make = "laplace", scale = 4 },
]
"#;
    fs::write(here.join("count.toml"), plan).unwrap();
    fs::write(here.join("other.toml"), plan.replace("scale = 4", "scale = 8")).unwrap();
    assert!(says(here, &["plan", "check", "count.toml"]).contains("MaxDivergence"));
    assert!(says(here, &["plan", "explain", "count.toml", "--units", "2"]).contains("epsilon 0.5"));
    assert_eq!(says(here, &["plan", "hash", "count.toml"]).trim().len(), 64);
    assert_eq!(says(here, &["plan", "diff", "count.toml", "count.toml"]), "the same\n");
    assert!(says(here, &["plan", "diff", "count.toml", "other.toml"]).contains("+ scale = 8"));
    let release =
        ["release", "--plan", "count.toml", "--account", "ann", "--name", "count", "--yes", "--format", "csv"];
    let csv = says(here, &release);
    let lines: Vec<&str> = csv.lines().collect();
    let limit = "of each individual, 1 row counts";
    let (count, told) = lines[1].split_once(',').unwrap();
    assert!((1900..2100).contains(&count.parse::<i64>().unwrap()), "{csv}");
    // The answer has the limit that the plan sets, as answers of statements have it.
    assert_eq!((lines[0], told.trim_matches('"')), ("release,contribution limit", limit));
    let again = |format| says(here, &[&release[..8], &["--format", format]].concat());
    assert!(again("json").contains(&format!("\"contribution limit\": \"{limit}\"")), "{}", again("json"));
    assert!(again("text").ends_with(&format!("contribution limit: {limit}\n")), "{}", again("text"));
    says(here, &[&release[..8], &["--results", "r.json", "--certificate", "c.json", "--html", "a.html"]].concat());
    let page = fs::read_to_string(here.join("a.html")).unwrap();
    assert!(page.contains(&format!("contribution limit: {limit}")), "{page}");
    assert!(says(here, &["budget", "show", "--format", "json"]).contains("\"remaining\": \"epsilon 0.75\""));
}

/// A table as SmartNoise's metadata have it.
#[test]
fn metadata_of_smartnoise_become_a_schema() {
    let folder = folder(100);
    let here = folder.path();
    let metadata = r#"
Database:
  MySchema:
    stays:
      max_ids: 2
      row_privacy: False
      rows: 2000
      patient: { private_id: True, type: string }
      region: { type: string, cardinality: 2 }
      days: { type: float, lower: 0.0, upper: 30.0 }
      age: { type: int, lower: 0, upper: 120, nullable: False }
"#;
    fs::write(here.join("meta.yaml"), metadata).unwrap();
    says(here, &["init", "smart.toml", "--smartnoise", "meta.yaml"]);
    let schema = fs::read_to_string(here.join("smart.toml")).unwrap();
    for line in [
        "unit = \"1 individual added or removed\"",
        "individuals = \"patient\"",
        "drop_null = [\"patient\",\"age\"]",
        "\"patient\" = \"text\"",
        "\"days\" = \"float(0.0..=30.0, missing)\"",
        "\"age\" = \"integer(0..=120)\"",
        "# max_ids: ask with --max-rows-per-individual 2",
    ] {
        assert!(schema.contains(line), "{line}: {schema}");
    }
    open(here);
    let question = "SELECT AVG(days) FROM stays";
    let price = ["price", question, "--spend", "epsilon=0.5", "--account", "ann", "--schema", "smart.toml"];
    assert!(says(here, &price).contains("cost: epsilon 0.5"));
    for (from, to) in
        [("type: int", "type: decimal"), ("row_privacy: False", "row_privacy: 3"), ("nullable", "missing_value")]
    {
        fs::write(here.join("meta.yaml"), metadata.replace(from, to)).unwrap();
        let output = run(here, &["init", "other.toml", "--smartnoise", "meta.yaml"]);
        assert_eq!(output.status.code(), Some(3), "{to}");
    }
}

/// Files that SmartNoise has written (`tests/smartnoise/write.py`).
#[test]
fn files_of_smartnoise_become_schemas() {
    let folder = folder(1);
    let here = folder.path();
    let file = |name: &str| format!("{}/tests/smartnoise/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
    let schema = |name: &str| {
        says(here, &["init", &format!("{name}.toml"), "--smartnoise", &file(name)]);
        fs::read_to_string(here.join(format!("{name}.toml"))).unwrap()
    };
    let (individuals, rows) = (schema("individuals"), schema("rows"));
    for line in [
        "unit = \"1 individual added or removed\"",
        "\"admitted\" = \"time(missing)\"",
        "\"urgent\" = \"bool(missing)\"",
    ] {
        assert!(individuals.contains(line), "{line}: {individuals}");
    }
    assert!(rows.contains("unit = \"1 row added or removed\"") && !rows.contains("max_ids"), "{rows}");
    assert!(rows.contains("[tables.\"rooms\"]") && rows.contains("\"minutes\" = \"integer(0..=600, missing)\""));
    says(here, &["budget", "open", "survey", "--budget", "epsilon=2"]);
    let price = ["price", "--spend", "epsilon=1", "--schema"];
    assert!(says(here, &[&price[..], &["individuals.toml", "SELECT AVG(days) FROM stays"]].concat()).contains("cost"));
    assert!(says(here, &[&price[..], &["rows.toml", "SELECT SUM(minutes) FROM visits"]].concat()).contains("cost"));
    for (name, said) in [
        ("exact", "rows_exact"),
        ("unclamped", "clamp_columns"),
        ("replaced", "missing_value"),
        ("both", "row_privacy: must be the same"),
        ("nobody", "no column is private_id"),
    ] {
        let output = run(here, &["init", "other.toml", "--smartnoise", &file(name)]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(3) && told.contains(said), "{name}: {told}");
    }
    assert!(!here.join("other.toml").exists());
}

/// Trainings and other mechanisms: one number rounded up, and both bounds for programs.
#[test]
fn losses_of_mechanisms() {
    let folder = folder(1);
    let here = folder.path();
    let ask = |arguments: &str| says(here, &arguments.split(' ').collect::<Vec<_>>());
    let training = "--sigma 1.1 --rate 0.004266666666666667 --steps 14062 --neighbors add-remove";
    let epsilon = ask(&format!("accounting epsilon {training} --delta 1e-5"));
    assert_eq!(epsilon, " delta  epsilon\n 1e-5   2.39\n");
    let exact = ask(&format!("accounting epsilon {training} --delta 1e-5 --format json"));
    assert!(exact.contains("2.38159692142") && exact.contains("epsilon at least"), "{exact}");
    let delta = ask(&format!("accounting delta {training} --epsilon 2.3815969 --format csv"));
    assert!(delta.contains("2.3815969,0.0000100000014869") && delta.contains("delta at least"), "{delta}");
    // A hundred releases of epsilon 0.1, and others beside a training.
    let releases = "accounting epsilon epsilon=0.1,times=100 --delta 1e-6 --neighbors add-remove";
    assert!(ask(releases).contains("4.78"));
    let both =
        format!("accounting epsilon {training} --delta 1e-5 laplace=10 gaussian=8,times=2 epsilon=1e-3,delta=1e-9");
    assert!(ask(&both).contains("2.54"), "{}", ask(&both));
    for mechanism in ["discrete-gaussian=8", "discrete-laplace=5", "exponential=0.5"] {
        assert!(ask(&format!("accounting delta {mechanism} --epsilon 0.1 --neighbors replace")).contains("delta"));
    }
    let fixed = "--sigma 2 --sample-size 1 --population 100 --steps 50 --neighbors replace";
    assert!(ask(&format!("accounting epsilon {fixed} --delta 1e-6 --html curves.html")).contains("0.177"));
    let page = fs::read_to_string(here.join("curves.html")).unwrap();
    assert!(page.contains("one individual replaced") && page.contains("on a sample of fixed size"));
    // What is calibrated keeps the budget.
    let budget = "--epsilon 2 --delta 1e-6 --neighbors add-remove";
    assert!(ask(&format!("accounting calibrate {budget} --rate 0.01 --steps 1000")).contains("standard deviation"));
    assert!(ask(&format!("accounting calibrate {budget} --sigma 1 --steps 1000")).contains("rate"));
    assert!(ask(&format!("accounting calibrate {budget} --sigma 1 --rate 0.01")).contains("steps"));
    for (wrong, code, name) in [
        ("accounting epsilon --sigma 1 --delta 1e-6", 2, "--neighbors"),
        ("accounting epsilon --neighbors replace --delta 1e-6", 2, "MECHANISMS"),
        ("accounting epsilon --sigma 1 --rate 0.1 --neighbors replace --delta 1e-6", 3, "--neighbors must"),
        ("accounting epsilon --sigma 1 --rate 1.1 --neighbors add-remove --delta 1e-6", 3, "rate must"),
        ("accounting epsilon --sigma 0 --neighbors add-remove --delta 1e-6", 3, "sigma must"),
        ("accounting epsilon --sigma 1 --neighbors add-remove --delta 0", 3, "delta must"),
        (
            "accounting epsilon --sigma 1 --steps 9999999999999 --neighbors add-remove --delta 1e-6",
            3,
            "--steps or times",
        ),
        ("accounting epsilon cauchy=1 --neighbors add-remove --delta 1e-6", 2, "is not a mechanism"),
        ("accounting epsilon laplace=1,times=x --neighbors add-remove --delta 1e-6", 2, "is not a mechanism"),
        (
            "accounting epsilon --sigma 1 --sample-size 5 --population 4 --neighbors replace --delta 1e-6",
            3,
            "--sample-size",
        ),
        ("accounting calibrate --epsilon 1 --delta 1e-6 --rate 0.1 --neighbors replace", 3, "--neighbors must"),
        ("accounting calibrate --epsilon 1 --delta 1e-6 --sigma 1 --neighbors add-remove", 2, "--rate or --steps"),
        ("accounting calibrate --epsilon 1 --delta 1e-6 --rate 0.1 --steps 0 --neighbors add-remove", 3, "steps"),
    ] {
        let output = run(here, &wrong.split(' ').collect::<Vec<_>>());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(code) && message.contains(name), "{wrong}: {message}");
    }
}

#[test]
fn calculators_and_manuals() {
    let folder = folder(1);
    let here = folder.path();
    assert!(says(here, &["accounting", "convert", "--rho", "0.1", "--delta", "1e-6"]).contains("2.15"));
    let exact = says(here, &["accounting", "convert", "--rho", "0.1", "--delta", "1e-6", "--format", "json"]);
    assert!(exact.contains("2.141938928385474"), "{exact}");
    assert!(says(here, &["accounting", "calibrate", "--epsilon", "1", "--delta", "1e-5"]).contains("3.74"));
    assert!(says(here, &["accuracy", "discrete-laplace", "--scale", "10"]).contains("30"));
    // No number is read as 0 that is none.
    for arguments in [
        &["accounting", "convert", "--rho", "1e-400", "--delta", "1e-6"][..],
        &["accounting", "epsilon", "laplace=1e-400", "--delta", "1e-6", "--neighbors", "replace"],
        &["accuracy", "laplace", "--scale", "1e-400"],
    ] {
        let output = run(here, arguments);
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{arguments:?}");
    }
    assert!(says(here, &["completions", "bash"]).contains("_indistinct"));
    says(here, &["man", "man"]);
    assert!(here.join("man/indistinct-release.1").exists());
    assert!(says(here, &["--help"]).contains("Usage"));
}
