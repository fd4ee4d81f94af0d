//! What texts, lengths, orders, errors and time tell of the data.

use indistinct::prelude::*;
use indistinct_audit::{Seen, silence::silent};
use indistinct_tests::{neighbors::Random, vectors};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Canaries in data and in questions are in no error and in no `Debug`.
#[test]
fn texts_tell_no_data() {
    let vectors = vectors("side_channels");
    let canaries: Vec<String> = vectors["error_text_no_data"]["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|canary| canary.as_str().unwrap().to_string())
        .collect();
    assert_eq!(vectors["debug_format_of_domain_member"]["inputs"], vectors["error_text_no_data"]["inputs"]);
    let (mut texts, mut refused) = (Vec::new(), 0);
    let mut note = |text: String, is_error: bool| {
        refused += u32::from(is_error);
        texts.push(text);
    };
    // Text as keys, inside of the domain and outside of it.
    let keys = || AtomDomain::string().with_bounds(("0".into(), "9".into())).unwrap();
    let by_key = make_count_by(VectorDomain::new(keys()), SymmetricDistance, L01InfDistance).unwrap();
    note(format!("{by_key:?}"), false);
    let result = by_key.invoke(&canaries);
    note(format!("{:?}", result.as_ref().map(|_| ())), result.is_err());
    let noisy = (by_key >> then_laplace_threshold(1.0, 5)).unwrap();
    let result = noisy.invoke(&canaries);
    note(format!("{noisy:?} {:?}", result.as_ref().map(|_| ())), result.is_err());
    note(result.map_err(|error| error.to_string()).unwrap_err(), false);
    // Numbers outside of their domain.
    let number: f64 = canaries[2].parse().unwrap();
    let sum =
        make_sum(VectorDomain::new(AtomDomain::f64().with_bounds((0.0, 1.0)).unwrap()), SymmetricDistance).unwrap();
    let error = sum.invoke(&[number]).unwrap_err();
    note(format!("{error} {error:?} {sum:?}"), true);
    let integers: Vec<i64> = vec![canaries[3].parse().unwrap()];
    let sum = make_sum(VectorDomain::new(AtomDomain::i64().with_bounds((0, 1)).unwrap()), HammingDistance).unwrap();
    let error = sum.invoke(&integers).unwrap_err();
    note(format!("{error} {error:?}"), true);
    // Conversations own the data.
    let space = (VectorDomain::new(AtomDomain::string()), SymmetricDistance);
    let filter = make_privacy_filter(space.0.clone(), space.1, MaxDivergence, 1, 1.0).unwrap();
    let session = filter.invoke(&canaries).unwrap();
    let greedy = (space >> then_count() >> then_laplace(0.1)).unwrap();
    let error = session.eval(&greedy).unwrap_err();
    note(format!("{session:?} {error} {error:?} {:?}", session.spent()), true);
    let response = make_randomized_response(
        AtomDomain::string(),
        DiscreteDistance,
        vec![String::from("a"), String::from("b")],
        0.75,
    )
    .unwrap();
    note(format!("{response:?} {:?}", response.invoke(&canaries[0]).is_ok()), false);
    assert!(refused >= 4, "{refused} errors");
    let mut all = canaries.clone();
    all.extend(["987654321".into(), "9.876".into(), "jane".into(), "3456".into(), "2147483649".into()]);
    assert!(!silent(&texts, &all).is_violated(), "{texts:?}");
    // The negative control prints the value.
    assert!(silent(&[format!("{number:e} is out of bounds")], &all).is_violated(), "no power");
}

/// Releases have the length that is public, and are values: read twice, they are the same.
#[test]
fn lengths_and_orders_of_releases_are_public() {
    let vectors = vectors("side_channels");
    assert!(vectors.contains_key("length_of_serialised_output"));
    let counts = |rows: &[&str]| {
        let rows: Vec<String> = rows.iter().map(|row| row.to_string()).collect();
        let by_key = make_count_by(VectorDomain::new(AtomDomain::string()), SymmetricDistance, L01InfDistance).unwrap();
        by_key.invoke(&rows).unwrap()
    };
    // Keys come in their order, whatever the order of rows.
    let (one, other): (BTreeMap<String, i64>, _) = (counts(&["b", "a", "c", "a"]), counts(&["a", "c", "a", "b"]));
    assert_eq!(one.key(), other.key());
    let noisy = make_laplace(VectorDomain::new(AtomDomain::i64()).with_size(3), L1Distance::new(), 1.0).unwrap();
    for value in [0, i64::MAX] {
        assert_eq!(noisy.invoke(&[value; 3]).unwrap().len(), 3);
    }
}

/// Rows that are read, that are not, and that overflow: whether a chain answers is the same for all members of its
/// domain. The negative control reads all rows or fails.
#[test]
fn error_vs_success_is_public() {
    assert!(vectors("side_channels").contains_key("error_vs_success_is_public"));
    let texts = || (VectorDomain::new(AtomDomain::string()), SymmetricDistance);
    let sum = texts() >> then_cast(AtomDomain::f64()) >> then_drop_null() >> then_clamp((0.0, 10.0)) >> then_sum();
    let sum = sum.unwrap();
    let count = (texts() >> then_cast(AtomDomain::i32()) >> then_impute_constant(0) >> then_count_distinct()).unwrap();
    let rows = ["1", "2.5", "-7", "NaN", "1e400", "", "x", "9223372036854775808", "\u{665}", "0x1p3", "inf"];
    let mut random = Random::new(103);
    let row = |random: &mut Random| random.of(&rows).to_string();
    let naive = |rows: &[String]| rows.iter().map(|row| row.parse::<f64>()).collect::<Result<Vec<f64>, _>>().is_ok();
    let mut differ = 0;
    for _ in 0..100_000 {
        let (x, y) = random.pair(row);
        for side in [&x, &y] {
            assert!(sum.invoke(side).is_ok() && count.invoke(side).is_ok());
        }
        differ += u32::from(naive(&x) != naive(&y));
    }
    assert!(differ > 1000, "no power: {differ}");
}

/// A hundred thousand keys that one bucket of a weak hash would hold: counted as quickly as random ones, and released
/// in their order, whatever that of the rows. The negative controls are such a hash, and the order of a hash table.
#[test]
fn hash_flood_and_order() {
    assert!(vectors("side_channels").contains_key("hash_flood_and_order"));
    let keys = VectorDomain::new(AtomDomain::u64());
    let by_key = make_count_by(keys, SymmetricDistance, L01InfDistance).unwrap();
    // Multiples of 2^44: all low bits of a product are 0.
    let colliding: Vec<u64> = (0..100_000).map(|key| key << 44).collect();
    let mut random = Random::new(104);
    let others: Vec<u64> = (0..100_000).map(|_| random.bits()).collect();
    let backwards: Vec<u64> = colliding.iter().rev().copied().collect();
    let forwards = by_key.invoke(&colliding).unwrap();
    assert_eq!(forwards.key(), by_key.invoke(&backwards).unwrap().key());
    assert!(forwards.keys().is_sorted());
    // Other tests run at the same time: of some tries one is undisturbed.
    let time = |rows: &[u64]| {
        let start = std::time::Instant::now();
        by_key.invoke(rows).unwrap();
        start.elapsed().as_secs_f64()
    };
    assert!((0..10).any(|_| time(&colliding) <= 5.0 * time(&others)));
    let buckets = |rows: &[u64]| {
        rows.iter().map(|key| key.wrapping_mul(0x517c_c1b7_2722_0a95) % (1 << 17)).collect::<BTreeSet<u64>>().len()
    };
    assert!(buckets(&others) > 50_000 && buckets(&colliding) == 1, "no power");
    let order = |rows: &[u64]| {
        rows.iter().map(|key| (*key, 1)).collect::<HashMap<u64, i64>>().into_keys().collect::<Vec<u64>>()
    };
    assert_ne!(order(&colliding), order(&backwards), "no power");
}
