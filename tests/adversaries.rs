//! Integers that overflow, facts about data that are no longer true, and texts that tell data: the vectors `int_arith`, `stability` and
//! `side_channels` about constructors that exist. Each has the broken twin that its vector tells of, which fails.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use indistinct::{numeric::Rational, prelude::*, sampling::testing::SeededEntropy};
use indistinct_audit::{Seen, silence::silent, stability::stability};
use indistinct_tests::{Exact, covers, neighbors::Random, vectors};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

fn integer(value: &Value) -> i128 {
    value.as_str().map(str::to_string).unwrap_or_else(|| value.to_string()).parse().unwrap()
}

fn bounds<T: TryFrom<i128, Error: std::fmt::Debug>>(vector: &Value) -> (T, T) {
    let bound = |i: usize| T::try_from(integer(&vector["bounds"][i])).unwrap();
    (bound(0), bound(1))
}

/// A dataset written as `[[value, repeat], …]`.
fn rows<T: TryFrom<i128, Error: std::fmt::Debug> + Clone>(value: &Value) -> Vec<T> {
    let run = |run: &Value| {
        let times = usize::try_from(integer(&run[1])).unwrap();
        std::iter::repeat_n(T::try_from(integer(&run[0])).unwrap(), times)
    };
    value.as_array().unwrap().iter().flat_map(run).collect()
}

/// Sums of a type of integers stay within their map, and what wraps or saturates does not.
macro_rules! sums {
    ($name:expr, $vector:expr, $integer:ident) => {{
        let (vector, bounds) = ($vector, bounds::<$integer>($vector));
        let space = (VectorDomain::new(AtomDomain::$integer()), SymmetricDistance);
        let sum = (space >> then_clamp(bounds) >> then_sum()).unwrap();
        let (x, y) = (rows::<$integer>(&vector["x"]), rows::<$integer>(&vector["y"]));
        let d_in = u32::try_from(integer(&vector["d_in"])).unwrap();
        let change = (sum.invoke(&x).unwrap() - sum.invoke(&y).unwrap()).abs();
        assert_eq!(change, integer(&vector["exact_change"]), "{}", $name);
        let claimed = sum.map(&d_in).unwrap();
        assert!(covers(claimed, &change.exact()), "{}", $name);
        assert!(!stability(&sum, [(x.clone(), y.clone())]).is_violated());
        // The twins do what the vector says of them, and one of them exceeds the map.
        let wrap = |rows: &[$integer]| i128::from(rows.iter().fold(0, |sum: $integer, row| sum.wrapping_add(*row)));
        let saturate =
            |rows: &[$integer]| i128::from(rows.iter().fold(0, |sum: $integer, row| sum.saturating_add(*row)));
        let twins = [(wrap(&x) - wrap(&y)).abs(), (saturate(&x) - saturate(&y)).abs()];
        let told = ["wrapping", "saturating_sequential"].map(|twin| integer(&vector["naive"][twin]));
        assert_eq!(twins, told, "{}", $name);
        assert!(twins.iter().any(|change| !covers(claimed, &change.exact())), "{}: no power", $name);
    }};
}

#[test]
fn integer_sums_neither_wrap_nor_saturate() {
    let vectors = vectors("int_arith");
    for name in ["sum_i32_wrap_one_row", "sum_i32_saturating_reorder", "sum_i32_dates_2024"] {
        sums!(name, &vectors[name], i32);
    }
    sums!("sum_i8_saturating_small", &vectors["sum_i8_saturating_small"], i8);
}

#[test]
fn maps_of_extreme_bounds_and_distances_do_not_overflow() {
    let vectors = vectors("int_arith");
    let truth = |name: &str| Rational::from(integer(&vectors[name]["ideal_sensitivity"]));
    let clamped = |bounds: (i32, i32)| VectorDomain::new(AtomDomain::i32().with_bounds(bounds).unwrap());
    let d_in = |name: &str| u32::try_from(integer(&vectors[name]["d_in"])).unwrap();

    let name = "bounds_width_i32_full";
    let sized = make_sum(clamped(bounds(&vectors[name])).with_size(3), SymmetricDistance).unwrap();
    assert!(
        covers(sized.map(&d_in(name)).unwrap(), &truth(name))
            && !covers(f64::from(i32::MAX.wrapping_sub(i32::MIN)), &truth(name))
    );
    let name = "abs_of_min_i32";
    let sum = make_sum(clamped(bounds(&vectors[name])), SymmetricDistance).unwrap();
    assert!(
        covers(sum.map(&d_in(name)).unwrap(), &truth(name))
            && !covers(f64::from(i32::MIN.wrapping_abs().max(0)), &truth(name))
    );
    let name = "abs_of_min_i64";
    let rows = VectorDomain::new(AtomDomain::i64().with_bounds(bounds(&vectors[name])).unwrap());
    let sum = make_sum(rows, SymmetricDistance).unwrap();
    assert!(covers(sum.map(&d_in(name)).unwrap(), &truth(name)) && i64::MIN.wrapping_abs().max(1) == 1);
    let name = "d_in_times_width_u32_overflow";
    let sum = make_sum(clamped(bounds(&vectors[name])), ChangeOneDistance).unwrap();
    assert!(
        covers(sum.map(&d_in(name)).unwrap(), &truth(name))
            && !covers(f64::from(65536i32.wrapping_mul(65536)), &truth(name))
    );
    assert_eq!((d_in(name), bounds::<i32>(&vectors[name])), (65536, (0, 65536)));
    let name = "d_in_u64_to_f64_rounds_down";
    let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::<u64>::default(), 1.0).unwrap();
    let distance = u64::try_from(integer(&vectors[name]["d_in"])).unwrap();
    assert!(
        covers(noisy.map(&distance).unwrap(), &truth(name))
            && !covers(distance.to_string().parse().unwrap(), &truth(name))
    );
}

/// At a fixed size two datasets are an even number of rows apart. The vector asks for half of the range at distance 1, or an error; that
/// datasets at most 1 apart are equal, and their sums too, is as true. From distance 2 on the range counts in full.
#[test]
fn a_sum_of_known_size_at_odd_distances() {
    let vector = &vectors("int_arith")["sized_sum_half_truncated"];
    let size = usize::try_from(integer(&vector["size"])).unwrap();
    let rows = VectorDomain::new(AtomDomain::i32().with_bounds(bounds(vector)).unwrap());
    let sum = make_sum(rows.with_size(size), SymmetricDistance).unwrap();
    assert_eq!([0, 1, 2, 3, 4].map(|d_in| sum.map(&d_in).unwrap()), [0.0, 0.0, 3.0, 3.0, 6.0]);
    // The twin halves the product of distance and range in integers: at distance 1, less than the vector's 3/2.
    let naive = |d_in: i32| d_in * 3 / 2;
    let truth: Rational = vector["ideal_sensitivity"].as_str().unwrap().parse().unwrap();
    assert!(!covers(f64::from(naive(1)), &truth), "no power");
    let (mut x, mut y) = (vec![0; size], vec![0; size]);
    (x[0], y[0]) = (0, 3);
    let change = (sum.invoke(&x).unwrap() - sum.invoke(&y).unwrap()).abs();
    assert!(covers(sum.map(&2).unwrap(), &change.exact()) && change > 1);
}

#[test]
fn nodes_of_a_tree_do_not_overflow() {
    let vector = &vectors("int_arith")["tree_i32_node_overflow"];
    let items = VectorDomain::new(AtomDomain::i32().with_bounds((0, i32::MAX)).unwrap());
    let tree = make_tree_aggregation(items, HammingDistance, MaxDivergence, 2, 0.0).unwrap().accept_infinite_loss();
    let sums = |stream: &[i32]| {
        let (session, mut entropy) = (tree.invoke(&[]).unwrap(), SeededEntropy::new(1));
        stream.iter().map(|item| session.eval_with(item, &mut entropy).unwrap()).collect::<Vec<i128>>()
    };
    let (x, y) = (rows::<i32>(&vector["x"]), rows::<i32>(&vector["y"]));
    let change: i128 = sums(&x).iter().zip(sums(&y)).map(|(x, y)| (x - y).abs()).sum();
    assert!(change <= integer(&vector["ideal_sensitivity"]));
    let root = |stream: &[i32]| i64::from(stream.iter().fold(0i32, |sum, item| sum.wrapping_add(*item)));
    assert_eq!((root(&x) - root(&y)).abs(), 4294967295, "no power");
}

#[test]
fn every_bit_of_a_vector_is_flipped() {
    let vectors = vectors("stability");
    assert!(vectors.contains_key("bitvector_length") && vectors.contains_key("bitvector_last_bit"));
    let rows = || VectorDomain::new(AtomDomain::bool());
    let response = make_randomized_response_bitvec(rows(), HammingDistance, 0.75).unwrap();
    let mut entropy = SeededEntropy::new(97);
    for n in [1usize, 7, 8, 9, 63, 64, 65] {
        let mut shares = vec![0.0; n];
        for _ in 0..20_000 {
            let release = response.invoke_with(&vec![false; n], &mut entropy).unwrap();
            // The length is that of the input, which the metric takes for public: vectors of two lengths are infinitely far apart.
            assert_eq!(release.len(), n);
            shares.iter_mut().zip(release).for_each(|(share, bit)| *share += if bit { 1.0 / 20_000.0 } else { 0.0 });
        }
        // Hoeffding, a false alarm once in 10^10 for each bit.
        let bound = (f64::ln(2e10) / 40_000.0).sqrt();
        assert!(shares.iter().all(|share| f64::abs(share - 0.25) < bound), "{n}: {shares:?}");
        // The twin never flips the last bit.
        let mut last = 0.0;
        for _ in 0..20_000 {
            let mut bits = vec![false; n];
            for bit in bits.iter_mut().take(n - 1) {
                *bit = !indistinct::sampling::bernoulli(0.75, &mut entropy).unwrap();
            }
            last += if bits[n - 1] { 1.0 / 20_000.0 } else { 0.0 };
        }
        assert!(f64::abs(last - 0.25) > bound, "{n}: no power");
    }
    // Vectors of two lengths are infinitely far apart. The twin compares bit by bit, and finds the same distance where releases tell.
    let bits = |side: &str| -> Vec<bool> {
        vectors["bitvector_length"][side].as_str().unwrap().chars().map(|c| c == '1').collect()
    };
    let (x, y) = (bits("x"), bits("y"));
    assert_eq!(indistinct_audit::distances::hamming(&x, &y), None);
    let apart = x.iter().zip(&y).filter(|(x, y)| x != y).count();
    let lengths = [&x, &y].map(|bits| response.invoke_with(bits, &mut entropy).unwrap().len());
    assert!(apart == 0 && lengths[0] != lengths[1], "no power");
}

#[test]
fn bounds_are_those_of_the_rows_that_are_summed() {
    let vectors = vectors("stability");
    let space = || (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let pair = |name: &str| {
        let rows = |side: &str| {
            let values = vectors[name][side].as_array().unwrap().iter();
            values.map(|value| value.as_f64().unwrap()).collect::<Vec<f64>>()
        };
        (rows("x"), rows("y"))
    };
    // A statistic of rows as a broken library has it, with the loss that it claims: whether a pair shows that it is broken.
    let broken = |name: &str, statistic: fn(&[f64]) -> f64, claimed: f64| {
        let metric = AbsoluteDistance::<f64>::new();
        let map = move |d_in: &u32| Ok(f64::from(*d_in) * claimed);
        let twin = make_user_transformation(space().0, space().1, AtomDomain::f64(), metric, statistic, map);
        stability(&twin.unwrap(), [pair(name)]).is_violated()
    };
    let truth =
        |name: &str| Rational::from_f64(vectors[name]["true_d_out"].as_str().unwrap().parse().unwrap()).unwrap();

    // Clipped rows are what is summed.
    let name = "clip_then_use_unclipped";
    let clipped = (space() >> then_clamp((0.0, 1.0)) >> then_sum()).unwrap();
    assert!(!stability(&clipped, [pair(name)]).is_violated());
    let unclipped = |rows: &[f64]| {
        let _clipped: Vec<f64> = rows.iter().map(|row| row.clamp(0.0, 1.0)).collect();
        rows.iter().sum()
    };
    assert!(broken(name, unclipped, 1.0), "no power");

    // A square's bounds are declared anew, and rows that leave them do not.
    let name = "only_lower_bound_used";
    let squares = |most: f64| {
        let bounded = AtomDomain::f64().with_bounds((0.0, most)).unwrap();
        (space() >> then_clamp((0.0, 100.0)) >> then_map(bounded, 0.0, |row: &f64| row * row) >> then_sum()).unwrap()
    };
    assert!(covers(squares(10_000.0).map(&1).unwrap(), &truth(name)));
    for most in [1e-9, 1.0, 10_000.0] {
        assert!(!stability(&squares(most), [pair(name)]).is_violated());
    }
    // The twin squares the lower bound alone, which is 0.
    assert!(broken(name, |rows| rows.iter().map(|row| row * row).sum(), 0.0 * 0.0), "no power");

    // Without bounds there is no sum.
    let error = (space() >> then_sum()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
    // The twin takes no bounds for no sensitivity, and so for no need of noise.
    let (bounds, name): (Option<(f64, f64)>, _) = (None, "bounds_missing_means_no_noise");
    let sensitivity = bounds.map_or(0.0, |(low, high)| f64::max(-low, high));
    assert!(broken(name, |rows| rows.iter().sum(), sensitivity), "no power");

    // Bounds from 0 to 1 do not survive a multiplication by -3.
    let name = "stale_bounds_after_scale";
    let scaled = |bounds| {
        let rows = AtomDomain::f64().with_bounds(bounds).unwrap();
        (space() >> then_clamp((0.0, 1.0)) >> then_map(rows, 0.0, |row: &f64| -3.0 * row) >> then_sum()).unwrap()
    };
    assert!(covers(scaled((-3.0, 0.0)).map(&1).unwrap(), &truth(name)));
    for bounds in [(0.0, 1.0), (-3.0, 0.0)] {
        assert!(!stability(&scaled(bounds), [pair(name)]).is_violated());
    }
    // The twin keeps the bounds from before.
    assert!(broken(name, |rows| rows.iter().map(|row| row.clamp(0.0, 1.0) * -3.0).sum(), 1.0), "no power");
}

/// At most three rows of each person, each in [-10, 10]: one person exchanged for another is two persons and 60, not 30.
#[test]
fn bounded_contributions_move_twice_when_a_person_is_replaced() {
    let vector = &vectors("stability")["max_length_is_not_max_change"];
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::i64()));
    let sum =
        ((rows, SymmetricIdDistance) >> then_bound_contributions(3) >> then_clamp((-10, 10)) >> then_sum()).unwrap();
    let side = |name: &str| {
        vector[name].as_array().unwrap().iter().map(|value| (1, value.as_i64().unwrap())).collect::<Vec<(u8, i64)>>()
    };
    let (x, y) = (side("x"), side("y"));
    let change = (sum.invoke(&x).unwrap() - sum.invoke(&y).unwrap()).abs();
    assert_eq!(change, integer(&vector["true_d_out"]));
    assert!(!stability(&sum, [(x, y)]).is_violated() && covers(sum.map(&2).unwrap(), &change.exact()));
    // The twin counts the three rows of a person once.
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::i64()));
    let first_three = |rows: &[(u8, i64)]| rows.iter().take(3).map(|row| row.1.clamp(-10, 10)).sum();
    let claim = |d_in: &u32| Ok(if *d_in == 0 { 0.0 } else { 30.0 });
    let metric = AbsoluteDistance::<f64>::new();
    let twin = make_user_transformation(rows, SymmetricIdDistance, AtomDomain::i64(), metric, first_three, claim);
    assert!(stability(&twin.unwrap(), [(side("x"), side("y"))]).is_violated(), "no power");
}

/// Persons in a hundred groups: bounded anew after their groups are overwritten, for no fact is carried along.
#[test]
fn a_bound_on_persons_is_part_of_the_chain_that_needs_it() {
    let vector = &vectors("stability")["stale_truncation"];
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::u8()));
    // All rows in one group: each person may have 100 rows there.
    let count = ((rows, SymmetricIdDistance)
        >> then_bound_contributions(100)
        >> then_map(AtomDomain::u8(), 0, |_: &u8| 0)
        >> then_count_by_categories(vec![0u8], UnknownCategories::Drop, L2Distance::new()))
    .unwrap();
    let both: Vec<(u8, u8)> = (0..2).flat_map(|id| (0..100).map(move |group| (id, group))).collect();
    let one: Vec<(u8, u8)> = both.iter().copied().filter(|(id, _)| *id == 1).collect();
    assert!(!stability(&count, [(both.clone(), one.clone())]).is_violated());
    // The twin bounds persons by one row for each of 100 groups, overwrites the groups, and claims the root of 100 as before.
    let rows = VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::u8()));
    let overwritten = |rows: &[(u8, u8)]| {
        let bounded: BTreeSet<(u8, u8)> = rows.iter().copied().collect();
        vec![i64::try_from(bounded.len()).unwrap()]
    };
    let counts = VectorDomain::new(AtomDomain::i64()).with_size(1);
    let claim = |d_in: &u32| Ok(f64::from(*d_in) * 10.0);
    let twin =
        make_user_transformation(rows, SymmetricIdDistance, counts, L2Distance::<f64>::new(), overwritten, claim);
    assert!(stability(&twin.unwrap(), [(both, one)]).is_violated(), "no power");
    let truth = Rational::from(integer(&vector["true_d_out"]));
    assert!(covers(count.map(&1).unwrap(), &truth));
}

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
    // The twin prints the value.
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

/// Rows that are read, that are not, and that overflow: whether a chain answers is the same for all members of its domain. The twin reads all
/// rows or fails.
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

/// A hundred thousand keys that one bucket of a weak hash would hold: counted as quickly as random ones, and released in their order, whatever
/// that of the rows. The twins are such a hash, and the order of a hash table.
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
