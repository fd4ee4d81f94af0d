//! Keys: equal ones, unknown ones, missing ones, those without rows; thresholds.

use super::{cells, images, ones, pairs, table, ways};
use indistinct::{frames::*, prelude::*, sampling::testing::SeededEntropy};
use indistinct_audit::{Seen, stability::stability};
use indistinct_tables::Csv;
use indistinct_tests::{covers, decimal, float, neighbors::Random, vectors};
use std::collections::BTreeMap;

fn keys<T: Into<Cell> + Clone>(of: &[T]) -> KeySet {
    KeySet::list(["key"], of.iter().map(|key| vec![key.clone().into()])).unwrap()
}

/// Floats are no keys; in bins, zeros of both signs are in one, and all that are no numbers are missing.
#[test]
fn floats_are_no_keys() {
    let vector = &vectors("stability")["histogram_neg_zero_nan_keys"];
    let [x, y] = ["x", "y"].map(|side| ones(vector[side].as_array().unwrap().iter().map(float)));
    let domain = table([("key", ColumnDomain::float().with_missing())]);
    for key in [Cell::Float(0.0), Cell::Missing, Cell::Integer(0)] {
        let step = make_with_columns(domain.clone(), SymmetricDistance, vec![("place", keys(&[key]).position())]);
        assert_eq!(step.unwrap_err().kind(), ErrorKind::Parameter("expression"));
    }
    assert!(domain.clone().with_individuals("key").is_err());
    let bins = then_with_columns(vec![("bin", col("key").cut([0.0]))]);
    let binned = ((domain.clone(), SymmetricDistance) >> bins).unwrap();
    let places = |rows| cells(&binned.invoke(&ways(&domain, rows)[1]).unwrap(), "bin");
    assert_eq!(places(&x), [1.into(), 1.into(), Cell::Missing, Cell::Missing]);
    let counts = (binned
        >> then_with_columns(vec![("bin", col("bin").fill_null(2))])
        >> then_rows::<i64, _, _>(vec!["bin"])
        >> then_count_by(L01InfDistance))
    .unwrap();
    assert_eq!(counts.invoke(&ways(&domain, &x)[0]).unwrap().len(), 2);
    assert!(!stability(&counts, pairs(&domain, &x, &y)).is_violated());
    let by_bits: std::collections::BTreeSet<u64> =
        vector["x"].as_array().unwrap().iter().map(|row| float(row).to_bits()).collect();
    assert_eq!(by_bits.len(), 4, "no power");
}

/// The places of labels are those of the public list, in whatever order rows come.
#[test]
fn codes_come_from_the_public_list() {
    let vector = &vectors("stability")["order_dependent_codes"];
    let [x, y] = ["x", "y"].map(|side| {
        let texts = vector[side].as_array().unwrap().iter().map(|row| format!("{},\n", row.as_f64().unwrap()));
        texts.collect::<String>()
    });
    let domain = table([("key", ColumnDomain::category(["0.5", "2"]).unwrap().with_missing())]);
    let read = |rows: &str| Csv::new().from_reader(format!("key,_\n{rows}").as_bytes(), &domain).unwrap().to_vec();
    let sum = ((domain.clone(), SymmetricDistance)
        >> then_with_columns(vec![("code", col("key").replace([("0.5", 0), ("2", 1)]).fill_null(0).clamp(0, 1))])
        >> then_rows::<i64, _, _>(vec!["code"])
        >> then_sum())
    .unwrap();
    assert_eq!((sum.invoke(&read(&x)), sum.invoke(&read(&y))), (Ok(0), Ok(1)));
    assert!(!stability(&sum, [(read(&x), read(&y))]).is_violated());
    // The negative control numbers texts as they come.
    let by_sight = |rows: &str| {
        let mut seen: Vec<String> = Vec::new();
        let code = |row: &str| {
            let place = seen.iter().position(|label| label == row);
            place.unwrap_or_else(|| {
                seen.push(row.to_string());
                seen.len() - 1
            })
        };
        rows.lines().map(code).sum::<usize>()
    };
    assert!(by_sight(&y) - by_sight(&x) > 1, "no power");
}

/// Keys are what is listed, each as it is spelled: one twice is refused, others are dropped or counted together, a
/// missing one is a key where it is listed, and all that are listed are released, with rows or without.
#[test]
fn releases_have_the_listed_keys() {
    assert!(vectors("side_channels").contains_key("length_of_serialised_output"));
    let domain = table([("key", ColumnDomain::text().with_missing())]);
    let place = |keys: &KeySet| make_with_columns(domain.clone(), SymmetricDistance, vec![("p", keys.position())]);
    assert!(place(&keys(&["Bern", "Chur", "Bern"])).is_err());
    assert!(place(&keys(&[1, 2])).is_err() && place(&keys(&[1.0])).is_err() && place(&keys(&[true])).is_err());
    let rows = |keys: &[Option<&str>]| ones(keys.iter().copied());
    let data = rows(&[Some("Bern"), Some("bern"), Some("Bern "), None, Some(""), Some("Be\u{301}rn"), Some("Bern")]);
    let counts = |keys: &KeySet, unknown| {
        let places: Vec<i64> = (0..).take(keys.len()).collect();
        let count = place(keys)
            >> then_rows::<i64, _, _>(vec!["p"])
            >> then_count_by_categories(places, unknown, L1Distance::new());
        let count = count.unwrap();
        assert!((0..data.len()).all(|n| !stability(&count, pairs(&domain, &data[..n], &data[..n + 1])).is_violated()));
        let all = ways(&domain, &data).map(|frame| count.invoke(&frame).unwrap());
        assert!(all.iter().all(|counts| *counts == all[0]));
        assert_eq!(count.invoke(&[]).unwrap().len(), all[0].len());
        all[0].clone()
    };
    use UnknownCategories::{Drop, Other};
    assert_eq!(counts(&keys(&["Bern", "Aarau"]), Drop), [2, 0]);
    assert_eq!(counts(&keys(&["Bern", "Aarau"]), Other), [2, 0, 5]);
    assert_eq!(counts(&keys(&[Some("Bern"), None, Some("bern")]), Drop), [2, 1, 1]);
    assert_eq!(counts(&keys(&[Some(""), Some("Bern "), None]), Other), [1, 1, 1, 4]);
    // The negative control releases what keys it saw.
    let seen = |n: usize| data[..n].iter().map(|row| row.key()).collect::<std::collections::BTreeSet<_>>().len();
    assert_ne!(seen(1), seen(2), "no power");
}

/// A join with a public table: a row that it has a value for has this one, another none, and there are as many rows as
/// before.
#[test]
fn a_lookup_table_adds_and_drops_no_rows() {
    let vector = &vectors("side_channels")["hash_flood_and_order"];
    assert!(vector["pass"].is_string());
    // Multiples of 2^44, whose products with an odd number end in zeros.
    let colliding: Vec<i64> = (-1_000..1_000).map(|key| key << 44).collect();
    let domain = table([("key", ColumnDomain::integer().with_missing())]);
    let table = |keys: &mut dyn Iterator<Item = &i64>| {
        col("key").replace(keys.map(|key| (*key, key.rem_euclid(999))).collect::<Vec<_>>())
    };
    let some =
        [Cell::Integer(0), (-5i64 << 44).into(), Cell::Missing, 1.into(), (1_000i64 << 44).into(), i64::MIN.into()];
    let rows = ones(some);
    let expected: Vec<Cell> =
        [Some(0), Some((-5i64 << 44).rem_euclid(999)), None, None, None, None].map(Cell::from).into();
    assert_eq!(images(&domain, &rows, table(&mut colliding.iter())), expected);
    assert_eq!(images(&domain, &rows, table(&mut colliding.iter().rev())), expected);
    // Counts by unknown keys are in the order of keys, whatever the order of rows.
    let by_key = ((domain.clone(), SymmetricDistance)
        >> then_with_columns(vec![("key", col("key").fill_null(0))])
        >> then_rows::<i64, _, _>(vec!["key"])
        >> then_count_by(L01InfDistance))
    .unwrap();
    let frame =
        |keys: &mut dyn Iterator<Item = &i64>| Frame::new([("key", keys.copied().collect::<Column>())]).unwrap();
    let [forwards, backwards] =
        [frame(&mut colliding.iter()), frame(&mut colliding.iter().rev())].map(|frame| by_key.invoke(&frame).unwrap());
    assert!(forwards.key() == backwards.key() && forwards.keys().is_sorted() && forwards.len() == 2_000);
    // More combinations than there may be are refused before they are made.
    assert!(vectors("resources").contains_key("candidates_2p32"));
    let columns = ["a", "b"].map(|name| (name, (0..1i64 << 16).collect::<Vec<_>>()));
    assert_eq!(KeySet::product(columns).unwrap_err().kind(), ErrorKind::Parameter("keys"));
}

/// Deltas of histograms of unknown keys of a table, of rows and of individuals, against exact truths.
#[test]
fn thresholds_on_keys_of_tables() {
    let vectors = vectors("thresholding");
    let rows = || (table([("key", ColumnDomain::text())]), SymmetricDistance) >> then_rows::<String, _, _>(vec!["key"]);
    let people = || {
        let domain = table([("who", ColumnDomain::integer()), ("key", ColumnDomain::text())]);
        (domain.with_individuals("who").unwrap(), SymmetricIdDistance)
    };
    let number = |name: &str, of: &str| vectors[name][of].as_str().unwrap().parse::<f64>().unwrap();
    let threshold = |name: &str| vectors[name]["threshold"].as_str().unwrap().parse::<i64>().unwrap();
    let laplace = |name: &str| (number(name, "scale"), threshold(name));
    // At most three rows of each individual, all of one key: a count that is clamped, and then a sum.
    let of_three = |name: &str| {
        let sums = people()
            >> then_aggregate_individuals(vec!["key"], vec![("rows", PerIndividual::count())])
            >> then_with_columns(vec![("rows", col("rows").clamp(0, 3))])
            >> then_rows_of_individuals::<i64, (String, i64), _, _>(vec!["key", "rows"])
            >> then_bound_contributions(1)
            >> then_sum_by(L01InfDistance);
        let (sums, (scale, least)) = (sums.unwrap(), laplace(name));
        (sums.map(&1).unwrap(), (sums >> then_laplace_threshold(scale, i128::from(least))).unwrap().map(&1).unwrap().1)
    };
    let by_row = |name: &str| {
        let (counts, (scale, least)) = (rows() >> then_count_by(L01InfDistance), laplace(name));
        (counts >> then_laplace_threshold(scale, least)).unwrap().map(&1).unwrap().1
    };
    let gaussian = |name: &str, scale: f64| {
        let counts = rows() >> then_count_by(L02InfDistance);
        (counts >> then_gaussian_threshold(scale, threshold(name))).unwrap().map(&1).unwrap().1
    };
    let by_individual = |name: &str, keys: u32| {
        let counts = people()
            >> then_rows_of_individuals::<i64, String, _, _>(vec!["key"])
            >> then_count_individuals_by(keys, L01InfDistance);
        let (scale, least) = laplace(name);
        (counts >> then_laplace_threshold(scale, least)).unwrap().map(&1).unwrap().1
    };
    let (of_an_individual, three) = of_three("laplace_s2_T20_l01_linf3");
    assert_eq!(of_an_individual, (1, 3.0, 3.0));
    for (name, delta) in [
        ("laplace_s1_T5_l01_linf1", by_row("laplace_s1_T5_l01_linf1")),
        ("laplace_s1_T5_l03_linf1", by_individual("laplace_s1_T5_l03_linf1", 3)),
        ("laplace_s2_T20_l01_linf3", three),
        ("gaussian_v1_T6_linf1", gaussian("gaussian_v1_T6_linf1", 1.0)),
        ("gaussian_v9_T20_linf1", gaussian("gaussian_v9_T20_linf1", 3.0)),
    ] {
        let vector = &vectors[name];
        let allowed =
            vector["naive"].get("union bound l0*d1 (allowed, larger)").map_or(decimal(&vector["delta"]), decimal);
        assert!(covers(delta, &decimal(&vector["delta"])), "{name}: {delta:e}");
        assert!(!covers(delta / (1.0 + 1e-9), &allowed), "{name}: {delta:e}");
        assert!(decimal(&vector["naive"]["strict tail"]) < decimal(&vector["delta"]), "{name}: no power");
    }
    let name = "threshold_below_linf";
    let (_, delta) = of_three(name);
    assert!((0.5..=1.0).contains(&delta), "{delta}");
}

/// A key that a filter has left without rows never appears, and neither does one that no row has.
#[test]
fn a_key_without_rows_never_appears() {
    assert!(vectors("thresholding").contains_key("empty_partition_never_public"));
    let domain = table([("key", ColumnDomain::text()), ("x", ColumnDomain::float())]);
    let counts = ((domain.clone(), SymmetricDistance)
        >> then_filter_rows(col("x").gt(0.0))
        >> then_rows::<String, _, _>(vec!["key"])
        >> then_count_by(L01InfDistance)
        >> then_laplace_threshold(10.0, 2))
    .unwrap();
    let rows = [("kept", 1.0), ("left out", 0.0), ("kept too", 2.0), ("left out", -1.0)];
    let rows: Vec<Vec<Cell>> = rows.into_iter().map(|(key, x)| vec![key.into(), x.into()]).collect();
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut random = Random::new(211);
    for _ in 0..crate::tries(2_000) {
        for key in counts.invoke(&random.of(&ways(&domain, &rows))).unwrap().into_keys() {
            *seen.entry(key).or_default() += 1;
        }
    }
    assert_eq!(seen.keys().collect::<Vec<_>>(), ["kept", "kept too"]);
}

/// Keys that are released alone, each with the greatest probability that the guarantee allows.
#[test]
fn keys_are_selected_with_the_probabilities_of_the_paper() {
    const KEYS: i64 = 2_000;
    let (domain, mut entropy) = (table([("key", ColumnDomain::integer())]), SeededEntropy::new(223));
    let mut rejected = 0;
    for name in ["optimal_partition_eps1_delta1e-5", "optimal_partition_eps0.1_delta1e-8"] {
        let vector = &vectors("thresholding")[name];
        let number = |of: &str| vector["params"][of].as_str().unwrap().parse::<f64>().unwrap();
        let (epsilon, delta) = (number("eps"), number("delta"));
        let counts =
            (domain.clone(), SymmetricDistance) >> then_rows::<i64, _, _>(vec!["key"]) >> then_count_by(L01InfDistance);
        let selected = (counts >> then_select_keys((epsilon, delta), 1)).unwrap();
        assert_eq!(selected.map(&1).unwrap(), (epsilon, delta));
        for (rows, probability) in vector["pi"].as_object().unwrap() {
            let (rows, p): (usize, f64) = (rows.parse().unwrap(), probability.as_str().unwrap().parse().unwrap());
            let keys = (0..KEYS).flat_map(|key| std::iter::repeat_n(key, rows)).collect::<Column>();
            let frame = Frame::new([("key", keys)]).unwrap();
            let released = i32::try_from(selected.invoke_with(&frame, &mut entropy).unwrap().len()).unwrap();
            // Half a dozen deviations, and a few keys where few are expected.
            let all = 2_000.0;
            let near = |p: f64| (f64::from(released) - all * p).abs() < 6.0 * (all * p * (1.0 - p)).sqrt() + 3.0;
            assert!(near(p), "{name} {rows}: {released}");
            // The negative control releases with the probability of Laplace noise at a threshold.
            let gap = f64::from(i32::try_from(rows).unwrap()) - 1.0 + (2.0 * delta).ln() / epsilon;
            let tail = (-epsilon * gap.abs()).exp() / 2.0;
            rejected += u32::from(!near(if gap < 0.0 { tail } else { 1.0 - tail }));
        }
    }
    assert!(rejected >= 1, "no power");
}
