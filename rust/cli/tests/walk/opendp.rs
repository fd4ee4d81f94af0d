//! What OpenDP 0.16 has written (`tests/opendp/write.py`), as plans.

use crate::{folder, run, says};
use indistinct::plans::FrameMeasurement;
use std::{collections::BTreeMap, fs, path::PathBuf};

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/opendp").join(format!("{name}.json"))
}

/// The loss of two rows is not above that of OpenDP's own map, and hardly below; where a conversion here is tighter, a
/// tenth at most.
#[test]
fn measurements_keep_their_loss() {
    let folder = folder(1);
    let losses: BTreeMap<String, Vec<f64>> =
        serde_json::from_str(&fs::read_to_string(file("losses")).unwrap()).unwrap();
    assert_eq!(losses.len(), 11);
    for (name, theirs) in losses {
        let toml = says(folder.path(), &["plan", "from-opendp", file(&name).to_str().unwrap()]);
        let words = FrameMeasurement::from_toml(&toml).unwrap().loss(2).unwrap();
        let ours: Vec<f64> = words.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
        assert_eq!(ours.len(), theirs.len(), "{name}: {words}");
        for (ours, theirs) in ours.iter().zip(&theirs) {
            let least = if name == "concentrated" { 0.9 } else { 1.0 - 1e-6 };
            assert!(*ours <= theirs * (1.0 + 1e-12) && *ours >= theirs * least, "{name}: {ours} {theirs}");
        }
    }
}

/// The plan is one that a table of that column is asked by, under the name that the user gives it.
#[test]
fn a_measurement_is_released() {
    let folder = folder(200);
    let here = folder.path();
    let schema = "unit = \"1 row added or removed\"\n[tables.stays]\nfile = \"stays.csv\"\n[tables.stays.columns]\n\
                  region = \"text\"\n[tables.stays.csv]\ndelimiter = \";\"\n\
                  drop_null = [\"region\"]\n";
    fs::write(here.join("schema.toml"), schema).unwrap();
    says(here, &["budget", "open", "survey", "--budget", "epsilon=2"]);
    let count = file("count");
    let plan = says(here, &["plan", "from-opendp", count.to_str().unwrap(), "--column", "region"]);
    fs::write(here.join("count.toml"), plan).unwrap();
    let release = ["release", "--plan", "count.toml", "--name", "count", "--yes", "--format", "csv"];
    let found: i64 = says(here, &release).lines().nth(1).unwrap().parse().unwrap();
    assert!((300..500).contains(&found), "{found}");
}

#[test]
fn what_means_something_else_is_refused() {
    let folder = folder(1);
    let here = folder.path();
    for (name, said) in [
        ("granular", "make_laplace: k must be null"),
        ("bounded_noise", "make_geometric: bounds must be null"),
        ("cast", "make_cast: indistinct has no equivalent constructor"),
        ("quantile", "make_quantile_score_candidates: indistinct has no equivalent"),
        ("local", "make_randomized_response_bool: indistinct has no equivalent"),
        ("not_a_number", "may contain NaN"),
        ("losses", "is not a constructor call"),
    ] {
        let output = run(here, &["plan", "from-opendp", file(name).to_str().unwrap()]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(3) && told.contains(said), "{name}: {told}");
    }
    let count = fs::read_to_string(file("count")).unwrap();
    for (from, to, said) in [
        ("0.16.0", "0.17.0", "is supported"),
        ("\"T\": \"String\"", "\"T\": \"f32\"", "is not a column type"),
        ("symmetric_distance", "absolute_distance", "is not a metric"),
        ("\"scale\": 2.0", "\"scale\": -2.0", "must not be negative"),
        ("\"MaxDivergence\"", "\"RenyiDivergence\"", "MO must be"),
        ("\"size\": null", "\"size\": -1", "its size is not a number"),
    ] {
        assert!(count.contains(from), "{from}");
        fs::write(here.join("wrong.json"), count.replace(from, to)).unwrap();
        let output = run(here, &["plan", "from-opendp", "wrong.json"]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(3) && told.contains(said), "{to}: {told}");
    }
    fs::write(here.join("wrong.json"), &count[..40]).unwrap();
    let told = String::from_utf8(run(here, &["plan", "from-opendp", "wrong.json"]).stderr).unwrap();
    assert!(told.contains("wrong.json:1:"), "{told}");
}
