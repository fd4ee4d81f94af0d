//! Ten mistakes in plans and in schemas, and what is said of them: the line, and a mark under the place in it.

use crate::{SCHEMA, folder, open, run};
use std::{fs, path::Path};

const PLAN: &str = r#"version = 2
metric = "SymmetricIdDistance"
individuals = "patient"

[columns]
patient = "text"
days = "float(0..=30, missing)"

[[steps]]
make = "filter_rows"
condition = "days > 2.0"

[[steps]]
make = "bound_rows"
columns = ["patient"]
max_rows = 1

[[steps]]
make = "rows"
columns = ["patient"]

[[steps]]
make = "count"

[[steps]]
make = "laplace"
scale = 4
"#;

/// What stands in a plan, and what somebody wrote there.
const OF_PLANS: [(&str, &str); 12] = [
    ("make = \"count\"", "make = \"cuont\""),
    ("max_rows = 1", "max_row = 1"),
    ("max_rows = 1", "max_rows = \"one\""),
    ("scale = 4", "scale = -4"),
    ("scale = 4", "scale = 4\nscale = 5"),
    ("float(0..=30", "float(30..=0"),
    ("days > 2.0", "days >> 2.0"),
    ("[\"patient\"]\nmax", "[\"patients\"]\nmax"),
    ("\"SymmetricIdDistance\"", "\"SymetricIdDistance\""),
    ("version = 2", "version = 1"),
    ("[columns]", "[columns"),
    ("[[steps]]\nmake = \"count\"\n\n", ""),
];

const OF_SCHEMAS: [(&str, &str); 10] = [
    ("1 individual added", "1 family added"),
    ("float(missing)", "float(missing, 0..=30)"),
    ("\"north\", \"south\"", "\"north\" \"south\""),
    ("individuals = \"patient\"", "individuals = \"person\""),
    ("individuals = \"patient\"", "individuals = \"days\""),
    ("drop_null = [\"patient\"]", "drop_null = [\"patient\", \"cty\"]"),
    ("missing = [\"NA\"]", "fill_null = { hours = 0 }"),
    ("delimiter = \";\"", "delimiter = \";;\""),
    ("delimiter", "delimitr"),
    ("[tables.stays.columns]", "[tables.stays.columns"),
];

/// What is said of each mistake, one after another.
fn said(here: &Path, text: &str, mistakes: &[(&str, &str)], file: &str, arguments: &[&str]) -> String {
    let mut all = String::new();
    for (right, wrong) in mistakes {
        assert!(text.contains(right), "{right}");
        fs::write(here.join(file), text.replace(right, wrong)).unwrap();
        let output = run(here, arguments);
        assert!(output.status.code() == Some(3) && output.stdout.is_empty(), "{wrong}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(&format!("[{file}:")), "no place of {wrong}: {told}");
        let lines: Vec<&str> = told.lines().map(str::trim_end).collect();
        all += &format!("{}\n\n", lines.join("\n").trim_end());
    }
    all
}

/// As it is stored; `UPDATE=1` stores it.
fn as_stored(name: &str, told: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/walk").join(name);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, told).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap();
    assert_eq!(told, stored, "UPDATE=1 stores what is said now");
}

#[test]
fn mistakes_in_plans_are_marked() {
    let folder = folder(1);
    as_stored("plans.txt", &said(folder.path(), PLAN, &OF_PLANS, "plan.toml", &["plan", "check", "plan.toml"]));
}

/// A text that is not JSON has the same mark as one that is not TOML.
#[test]
fn mistakes_in_plans_of_json_are_marked() {
    let folder = folder(1);
    fs::write(folder.path().join("plan.json"), "{\n  \"version\": 1,\n  \"metric\" \"SymmetricDistance\"\n}\n")
        .unwrap();
    let output = run(folder.path(), &["plan", "check", "plan.json"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(3) && told.contains("plan: line 3, column 12: expected `:`"), "{told}");
    assert!(told.contains("[plan.json:3:12]") && !told.contains("at line 3"), "{told}");
}

#[test]
fn mistakes_in_schemas_are_marked() {
    let folder = folder(1);
    open(folder.path());
    let price = ["price", "SELECT COUNT(*) FROM stays", "--spend", "epsilon=1", "--account", "ann"];
    as_stored("schemas.txt", &said(folder.path(), SCHEMA, &OF_SCHEMAS, "schema.toml", &price));
}
