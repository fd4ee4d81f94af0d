//! The plan in a file is that of the chain in `means_by_two_columns.rs`.

use indistinct::{frames::*, plans::FrameMeasurement, prelude::*};
use std::process::Command;

#[test]
fn the_file_and_the_chain_are_one_plan() {
    let stays = FrameDomain::new([
        ("patient", ColumnDomain::text()),
        ("region", ColumnDomain::text().with_missing()),
        ("sex", ColumnDomain::text().with_missing()),
        ("admitted", ColumnDomain::date().with_missing()),
        ("days", ColumnDomain::float()),
    ])
    .unwrap()
    .with_individuals("patient")
    .unwrap();
    let keys = KeySet::product([("region", ["north", "south"]), ("sex", ["f", "m"])]).unwrap();
    let rows = ((stays, SymmetricIdDistance)
        >> then_filter_rows(col("admitted").year().eq(2026))
        >> then_with_columns(vec![("key", keys.position()), ("days", col("days").clamp(0.0, 30.0))])
        >> then_bound_rows(vec!["key", "days"], 2))
    .unwrap();
    let sums = rows.output_space() >> then_sum_column_by::<f64, _, _, _>("key", 4, "days", L1Distance::new());
    let counts = rows.output_space() >> then_count_rows_by("key", 4, L1Distance::new());
    let both = (sums >> then_laplace(120.0)).and_then(|sums| make_composition((sums, (counts >> then_laplace(4.0))?)));
    let means = (rows >> both.unwrap() >> group_means((0.0, 30.0)).unwrap()).unwrap();

    let of_chain = FrameMeasurement::from_plan(means.plan()).unwrap();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/plans/stays.toml");
    let of_file = FrameMeasurement::from_toml(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(of_chain.to_toml(), of_file.to_toml());
    assert_eq!((of_chain.hash(), of_file.loss(1)), (of_file.hash(), Ok("epsilon 1.0".to_owned())));

    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data/stays.csv");
    let output = Command::new(env!("CARGO_BIN_EXE_from_plan")).args([file, data]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let hash = of_file.hash().unwrap();
    assert!(
        text.starts_with(&format!("plan {hash}\n")) && text.contains("\nweakest proof: C (maps: B)\nList(["),
        "{text}"
    );
}
