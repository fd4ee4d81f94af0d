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
    let reader = Csv::new().drop_null("person_id").fill_null("coinsurance", -1).fill_null("md_visits", 0.0);
    let frame = reader.read(Path::new(SURVEY), &survey).unwrap();
    assert_eq!(frame.rows(), 20_190);
    assert_eq!(cells(&frame, 3).iter().filter(|cell| cell.is_null()).count(), 4);
    assert_eq!(cells(&frame, 2).iter().filter(|cell| **cell == float(0.0)).count(), 6_308);

    // Visits by coinsurance, with at most two levels of each individual and three years in each.
    let people = (survey, SymmetricIdDistance);
    let rows = people >> then_rows_of_individuals::<i64, (i64, f64), _, _>(vec!["coinsurance", "md_visits"]);
    let levels: Vec<i64> = levels.map(|level| level.parse().unwrap()).to_vec();
    let parts = rows >> then_partition_individuals_by_categories(levels.clone(), UnknownCategories::Drop, 2);
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

/// Two files of the same patients: what was paid by region, where only the stay's line says the region.
///
/// The unit of privacy is a patient with all of their lines in both files. Nobody adds more than nine payments of 100
/// to the sums: a tenth would be left out without a trace in the release, but nobody has one.
#[test]
fn payments_by_the_region_of_their_stays() {
    let (mut stays, mut payments) = ("patient,stay,region\n".to_owned(), "patient,stay,paid\n".to_owned());
    let mut paid = [0.0; 2];
    for patient in 0..2000usize {
        for stay in 0..=patient % 3 {
            let region = (patient + stay) % 2;
            stays.push_str(&format!("{patient},{stay},{}\n", ["north", "south"][region]));
            for payment in 0..(patient + stay) % 4 {
                let amount = 10 * (1 + (patient + payment) % 9);
                payments.push_str(&format!("{patient},{stay},{amount}\n"));
                paid[region] += f64::from(u32::try_from(amount).unwrap());
            }
        }
        // Of a stay that is in no file of stays: left out.
        payments.push_str(&format!("{patient},77,100\n"));
    }
    let of = |column, domain| {
        let columns = [("patient", ColumnDomain::integer()), ("stay", ColumnDomain::integer()), (column, domain)];
        FrameDomain::new(columns).unwrap().with_individuals("patient").unwrap()
    };
    let tables = [
        ("stays", of("region", ColumnDomain::category(["north", "south"]).unwrap()), stays),
        ("payments", of("paid", ColumnDomain::float().with_bounds(0.0, 100.0).unwrap()), payments),
    ];
    let both = FrameDomain::stacked(tables.clone().map(|(name, domain, _)| (name, domain))).unwrap();
    let lines: usize = tables.iter().map(|(_, _, text)| text.lines().count() - 1).sum();
    let read = tables.map(|(name, domain, text)| {
        let reader = Csv::new().drop_null("patient").fill_null("stay", -1);
        let reader = if name == "stays" { reader.fill_null("region", "north") } else { reader.fill_null("paid", 0.0) };
        (name, reader.from_reader(text.as_bytes(), &domain).unwrap())
    });
    let frame = Frame::stacked(&both, read).unwrap();
    assert_eq!(frame.rows(), lines);

    macro_rules! sums {
        ($metric:expr) => {{
            let sides = (col("table").eq("payments"), col("table").eq("stays"));
            let region = vec![("where", col("region").fill_null("north"))];
            let sums = (both.clone(), $metric)
                >> then_join_rows(sides, vec!["stay"], region, 1, UnmatchedRows::Drop)
                >> then_with_columns(vec![("paid", col("paid").fill_null(0.0))])
                >> then_rows_of_individuals::<i64, (i64, f64), _, _>(vec!["where", "paid"])
                >> then_bound_contributions(9)
                >> then_sum_by_categories(vec![0, 1], UnknownCategories::Drop, L1Distance::new())
                >> then_laplace(900.0);
            sums.unwrap()
        }};
    }
    let sums = sums!(SymmetricIdDistance);
    assert_eq!(sums.map(&1), Ok(1.0));
    // A patient with other lines is one taken out and one put in.
    assert_eq!((sums.map(&2), sums!(ChangeOneIdDistance).map(&1)), (Ok(2.0), Ok(2.0)));
    let told = sums.explain(&1).unwrap().to_string();
    assert!(told.contains("make_join_rows(") && told.ends_with("weakest proof: C (maps: B)\n"), "{told}");
    for (sum, exact) in sums.invoke(&frame).unwrap().into_iter().zip(paid) {
        // The noise is within 900 ln(10^10), but with probability 10^-10 for each.
        assert!((sum - exact).abs() < 21_000.0 && exact > 80_000.0, "{sum}, not {exact}");
    }
}
