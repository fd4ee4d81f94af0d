//! From a file to what is released.

use super::{cells, float};
use indistinct::{frames::*, prelude::*};
use indistinct_tables::Csv;
use std::path::Path;

const SURVEY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/rand_hie.csv");

#[test]
fn the_survey() {
    let levels = ["0", "25", "50", "95", "100"];
    let survey = FrameDomain::new([
        ("person_id", ColumnDomain::integer()),
        ("coinsurance", ColumnDomain::integer()),
        ("md_visits", ColumnDomain::float()),
        ("education", ColumnDomain::float().with_missing()),
    ]);
    let survey = survey.unwrap().with_individuals("person_id").unwrap();
    let reader = Csv::new().drop_rows_without("person_id").fill("coinsurance", -1).fill("md_visits", 0.0);
    let frame = reader.read(Path::new(SURVEY), &survey).unwrap();
    assert_eq!(frame.rows(), 20_190);
    assert_eq!(cells(&frame, 3).iter().filter(|cell| cell.is_missing()).count(), 4);
    assert_eq!(cells(&frame, 2).iter().filter(|cell| **cell == float(0.0)).count(), 6_308);

    // Visits by coinsurance, with at most two levels of each individual and three years in each.
    let people = (survey, SymmetricIdDistance);
    let rows = people >> then_rows_of_individuals::<i64, (i64, f64), _, _>(vec!["coinsurance", "md_visits"]);
    let levels: Vec<i64> = levels.map(|level| level.parse().unwrap()).to_vec();
    let parts = rows >> then_partition_persons_by_categories(levels.clone(), UnknownCategories::Drop, 2);
    let parts = parts.unwrap();
    let part = (parts.output_domain().element().clone(), SymmetricIdDistance);
    let sum =
        (part >> then_bound_contributions(3) >> then_clamp((0.0, 20.0)) >> then_sum() >> then_laplace(120.0)).unwrap();
    let release = (parts >> make_parallel_composition(vec![sum; levels.len()]).unwrap()).unwrap();
    assert_eq!(release.map(&1), Ok(1.0));
    let sums: Vec<f64> = release.invoke(&frame).unwrap();
    // 9,352 years at level 0 with 2.9 visits in each, some of them left out; the noise is within 120 ln(10^10).
    assert!((10_000.0..32_000.0).contains(&sums[0]), "{sums:?}");
    assert!(sums[0] > sums[3], "{sums:?}");
}
