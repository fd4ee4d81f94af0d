//! Sums, maps and trees of integers that overflow, and exact fractions: the vectors `int_arith`.

use super::integer;
use indistinct::{
    numeric::{
        RoundedFrom,
        gmp::{Integer, Rational},
    },
    prelude::*,
    sampling::{Entropy, testing::SeededEntropy},
};
use indistinct_audit::stability::stability;
use indistinct_tests::{Exact, covers, fraction, vectors};
use serde_json::Value;

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
        // The negative controls do what the vector says of them, and one of them exceeds the map.
        let wrap = |rows: &[$integer]| i128::from(rows.iter().fold(0, |sum: $integer, row| sum.wrapping_add(*row)));
        let saturate =
            |rows: &[$integer]| i128::from(rows.iter().fold(0, |sum: $integer, row| sum.saturating_add(*row)));
        let controls = [(wrap(&x) - wrap(&y)).abs(), (saturate(&x) - saturate(&y)).abs()];
        let told = ["wrapping", "saturating_sequential"].map(|control| integer(&vector["naive"][control]));
        assert_eq!(controls, told, "{}", $name);
        assert!(controls.iter().any(|change| !covers(claimed, &change.exact())), "{}: no power", $name);
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
    let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 1.0).unwrap();
    // Distances are floats: who has one in integers rounds it up.
    let distance = u64::try_from(integer(&vectors[name]["d_in"])).unwrap();
    assert!(
        covers(noisy.map(&f64::inf_from(&distance).unwrap()).unwrap(), &truth(name))
            && !covers(distance.to_string().parse().unwrap(), &truth(name))
    );
}

/// At a fixed size two datasets are an even number of rows apart. The vector asks for half of the range at distance 1,
/// or an error; that datasets at most 1 apart are equal, and their sums too, is as true. From distance 2 on the range
/// counts in full.
#[test]
fn a_sum_of_known_size_at_odd_distances() {
    let vector = &vectors("int_arith")["sized_sum_half_truncated"];
    let size = usize::try_from(integer(&vector["size"])).unwrap();
    let rows = VectorDomain::new(AtomDomain::i32().with_bounds(bounds(vector)).unwrap());
    let sum = make_sum(rows.with_size(size), SymmetricDistance).unwrap();
    assert_eq!([0, 1, 2, 3, 4].map(|d_in| sum.map(&d_in).unwrap()), [0.0, 0.0, 3.0, 3.0, 6.0]);
    // The negative control halves the product of distance and range in integers: at distance 1, less than the vector's
    // 3/2.
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
fn exact_fractions() {
    let mut run = 0;
    for (name, vector) in vectors("samplers").into_iter().filter(|(name, _)| name.starts_with("bignum_")) {
        let (lhs, rhs, truth) = (fraction(&vector["lhs"]), fraction(&vector["rhs"]), fraction(&vector["truth"]));
        // The negative controls: a quotient that is not brought to lowest terms, whose sign may stand below; and a
        // division that cuts toward zero.
        let crossed = (Integer::from(lhs.numer() * rhs.denom()), Integer::from(lhs.denom() * rhs.numer()));
        let cut = Rational::from(Integer::from(lhs.numer() / lhs.denom()));
        let (value, naive) = match vector["op"].as_str().unwrap() {
            "div" => (lhs / rhs, crossed == (truth.numer().clone(), truth.denom().clone())),
            "floor" => (lhs.floor(), cut == truth),
            "ceil" => (lhs.ceil(), cut == truth),
            other => panic!("{other}"),
        };
        assert_eq!(value, truth, "{name}");
        assert_eq!(Integer::from(value.numer().gcd_ref(value.denom())), 1, "{name}: not in lowest terms");
        assert_eq!(naive, name == "bignum_div_6over4_2over1", "{name}: no power");
        run += 1;
    }
    assert_eq!(run, 6);
}

/// Quotients against a second implementation, in words; and of up to 4096 bits against their own products.
#[test]
fn exact_fractions_at_random() {
    fn gcd(a: i128, b: i128) -> i128 {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    let mut entropy = SeededEntropy::new(101);
    let mut word = |bits: u32| i128::from(entropy.bits(bits).unwrap()) - (1 << (bits - 1));
    for round in 0..1_000_000u32 {
        let bits = round % 31 + 2;
        let [a, b, c, d] = [0; 4].map(|_| match word(bits) {
            0 => 1,
            other => other,
        });
        let (above, below) = (a * d, b * c);
        let common = gcd(above, below).abs() * below.signum();
        let quotient = Rational::from((a, b)) / Rational::from((c, d));
        assert_eq!(
            (quotient.numer().to_i128(), quotient.denom().to_i128()),
            (Some(above / common), Some(below / common))
        );
        assert_eq!(Rational::from((a, b)).floor(), a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0));
    }
    let mut wide =
        |bits: u32| (0..bits / 64).fold(Integer::from(word(64) | 1), |number, _| (number << 64u32) + word(64));
    for bits in (64..4096).step_by(4) {
        let [a, b, c, d] = [0; 4].map(|_| wide(bits));
        let (x, y) = (Rational::from((a, b)), Rational::from((c, d)));
        assert!(Rational::from(&x / &y) * &y == x && Integer::from(x.numer().gcd_ref(x.denom())) == 1, "{bits}");
    }
}
