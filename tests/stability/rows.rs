//! Steps on single rows: 10^5 random neighbors for each constructor, a fifth of them under each metric of datasets.
//! Distances on both sides are computed a second time, from their definitions, and every map is attained.

use indistinct::{
    domains::Norm,
    prelude::*,
    transformations::{First, Second},
};
use indistinct_audit::stability::stability;
use indistinct_tests::{
    neighbors::{Random, check_rows},
    vectors,
};

const PAIRS: usize = 20_000;

/// Rows (category, number that may be missing).
type Nullable = VectorDomain<PairDomain<AtomDomain<u8>, OptionDomain<AtomDomain<f64>>>>;
type Present = VectorDomain<PairDomain<AtomDomain<u8>, AtomDomain<f64>>>;

fn nullable() -> Nullable {
    VectorDomain::new(PairDomain::new(AtomDomain::u8(), OptionDomain::new(AtomDomain::f64().with_nan())))
}

fn present() -> Present {
    VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64()))
}

fn null(random: &mut Random) -> (u8, Option<f64>) {
    let value = match random.below(6) {
        0 => None,
        1 => Some(random.of(&[f64::NAN, -f64::NAN, f64::from_bits(0x7ff0_0000_0000_0001)])),
        _ => Some(random.float()),
    };
    (random.of(&[0, 1, 2]), value)
}

/// Check what a body makes under each metric between datasets, on the same neighbors; where individuals are, too.
macro_rules! check_under_each_metric {
    (|$metric:ident| $make:expr, $row:expr) => {
        check_under_each_metric!(@ $metric, $make, $row, SymmetricDistance InsertDeleteDistance ChangeOneDistance HammingDistance SymmetricIdDistance)
    };
    (@ $metric:ident, $make:expr, $row:expr, $($name:ident)+) => {$({
        let $metric = $name;
        let mut random = Random::new(7);
        check_rows(&$make.unwrap(), PAIRS, || random.pair($row));
    })+};
}

#[test]
fn imputed_constants() {
    check_under_each_metric!(|metric| make_impute_constant(nullable(), metric, 0.5), null);
}

#[test]
fn dropped_nulls() {
    check_under_each_metric!(|metric| make_drop_null(nullable(), metric), null);
}

#[test]
fn filters() {
    check_under_each_metric!(
        |metric| make_filter(nullable(), metric, |row: &(u8, Option<f64>)| row.0 != 1 && row.1 != Some(0.0)),
        null
    );
}

/// A part of each row; where individuals are, of what stands behind them.
#[test]
fn selected_parts() {
    let rows = || {
        let rest = PairDomain::new(AtomDomain::u8(), AtomDomain::f64().with_nan());
        VectorDomain::new(PairDomain::new(AtomDomain::u8(), rest))
    };
    let row = |random: &mut Random| {
        let number = if random.below(8) == 0 { f64::NAN } else { random.float() };
        (random.of(&[0, 1, 2]), (random.of(&[3, 4]), number))
    };
    check_under_each_metric!(|metric| make_pair_part(rows(), metric, Second), row);
    macro_rules! check {
        ($($metric:ident $part:expr),+) => {$({
            let mut random = Random::new(11);
            check_rows(&make_pair_part(rows(), $metric, $part).unwrap(), PAIRS, || random.pair(row));
        })+};
    }
    check!(SymmetricDistance First, InsertDeleteDistance (Second, First), HammingDistance (Second, Second), SymmetricIdDistance First);
}

#[test]
fn nulls_found() {
    check_under_each_metric!(|metric| make_is_null(nullable(), metric), null);
}

#[test]
fn equal_values() {
    check_under_each_metric!(|metric| make_is_equal(nullable(), metric, -0.0), null);
}

#[test]
fn positions_in_lists() {
    let rows = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), OptionDomain::new(AtomDomain::i32())));
    let row = |random: &mut Random| (random.of(&[0, 1]), random.of(&[None, Some(3), Some(1), Some(2), Some(-7)]));
    check_under_each_metric!(|metric| make_find(rows(), metric, vec![3, 1, 9]), row);
}

/// The vector: one row more, and its code is new. Codes of a public list move by that row alone; the negative control's
/// are those of first sight.
#[test]
fn order_dependent_codes() {
    let vector = &vectors("stability")["order_dependent_codes"];
    // Keys are no floats: halves are counted.
    let halves = |row: &serde_json::Value| i64::from(row.as_f64() == Some(2.0)) * 3 + 1;
    let rows = |side: &str| vector[side].as_array().unwrap().iter().map(halves).collect::<Vec<i64>>();
    let space = || (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
    let clip = AtomDomain::i64().with_bounds((0, 1)).unwrap();
    let positions = space() >> then_find(vec![1, 4]) >> then_impute_constant(0);
    let sum = (positions >> then_map(clip, 0, |code: &u32| i64::from(*code).min(1)) >> then_sum()).unwrap();
    assert!(!stability(&sum, [(rows("x"), rows("y"))]).is_violated());
    let codes = |rows: &[i64]| {
        let mut seen: Vec<i64> = Vec::new();
        let code = |row: &i64| {
            let known = seen.iter().position(|other| other == row);
            let position = known.unwrap_or(seen.len());
            if known.is_none() {
                seen.push(*row);
            }
            i64::try_from(position.min(1)).unwrap()
        };
        rows.iter().map(code).sum()
    };
    let (metric, claim) = (AbsoluteDistance::new(), |d_in: &u32| Ok(f64::from(*d_in)));
    let control = make_user_transformation(space().0, space().1, AtomDomain::i64(), metric, codes, claim).unwrap();
    let [x, y] = ["x", "y"].map(|side| control.invoke(&rows(side)).unwrap());
    assert_eq!((x - y).abs().to_string(), vector["true_d_out"].as_str().unwrap());
    assert!(stability(&control, [(rows("x"), rows("y"))]).is_violated(), "no power");
}

#[test]
fn bins() {
    let row = |random: &mut Random| (random.of(&[0, 1, 2]), random.float());
    check_under_each_metric!(|metric| make_find_bin(present(), metric, vec![-1e16, 0.0, 5e-324, 0.1, f64::MAX]), row);
}

#[test]
fn casts() {
    check_under_each_metric!(|metric| make_cast(nullable(), metric, AtomDomain::i64()), null);
    check_under_each_metric!(|metric| make_cast(nullable(), metric, AtomDomain::string()), null);
    check_under_each_metric!(|metric| make_cast(nullable(), metric, AtomDomain::bool()), null);
    let bounded = || AtomDomain::f64().with_bounds((0.0, 2.0)).unwrap();
    check_under_each_metric!(|metric| make_cast(nullable(), metric, bounded()), null);
    let texts = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::string()));
    let text = |random: &mut Random| {
        let texts = [
            "",
            " 1",
            "1",
            "+1",
            "1.0",
            "1e400",
            "-0",
            "0",
            "NaN",
            "nan",
            "inf",
            "-inf",
            "true",
            "9223372036854775808",
        ];
        (random.of(&[0, 1]), random.of(&texts).to_owned())
    };
    check_under_each_metric!(|metric| make_cast(texts(), metric, AtomDomain::f64()), text);
    check_under_each_metric!(|metric| make_cast(texts(), metric, AtomDomain::i64()), text);
}

#[test]
fn datasets_of_known_size() {
    // Three rows each: the size stays where rows do, and is forgotten where they may go.
    let mut random = Random::new(9);
    let impute = make_impute_constant(nullable().with_size(3), SymmetricDistance, 0.5).unwrap();
    assert_eq!(impute.output_domain().size(), Some(3));
    check_rows(&impute, PAIRS / 10, || random.pair_of_size(3, null));
    let dropped = make_drop_null(nullable().with_size(3), HammingDistance).unwrap();
    assert_eq!(dropped.output_domain().size(), None);
    check_rows(&dropped, PAIRS / 10, || random.pair_of_size(3, null));
}

#[test]
fn casts_of_metrics() {
    let numbers = || VectorDomain::new(AtomDomain::f64());
    let mut random = Random::new(11);
    let mut pair = || random.pair(|random| random.float());
    check_rows(&make_metric_cast(numbers(), InsertDeleteDistance, SymmetricDistance).unwrap(), PAIRS, &mut pair);
    check_rows(&make_metric_cast(numbers(), HammingDistance, ChangeOneDistance).unwrap(), PAIRS, &mut pair);
    check_rows(&make_metric_cast(numbers(), ChangeOneDistance, SymmetricDistance).unwrap(), PAIRS, &mut pair);
    check_rows(&make_metric_cast(numbers(), HammingDistance, InsertDeleteDistance).unwrap(), PAIRS, &mut pair);
    let sized = make_metric_cast(numbers().with_size(5), SymmetricDistance, ChangeOneDistance).unwrap();
    check_rows(&sized, PAIRS, || random.pair_of_size(5, |random| random.float()));
}

#[test]
fn resized_datasets() {
    let rows = || VectorDomain::new(PairDomain::new(AtomDomain::u8(), AtomDomain::f64()));
    // Few different rows, so that many are equal, and pads too.
    let row = |random: &mut Random| (random.of(&[0, 1]), random.of(&[0.0, -0.0, 1.0, f64::INFINITY]));
    for size in [0, 1, 3, 5, 12] {
        let mut random = Random::new(13);
        let mut pair = || random.pair(row);
        let pairs = PAIRS / 2;
        if size == 0 {
            // Nothing is kept, and nothing moves.
            let none = make_resize(rows(), SymmetricDistance, 0, (0, 0.0)).unwrap();
            assert_eq!(none.invoke(&pair().0), Ok(vec![]));
            continue;
        }
        check_rows(&make_resize(rows(), SymmetricDistance, size, (0, 0.0)).unwrap(), pairs, &mut pair);
        check_rows(&make_resize(rows(), InsertDeleteDistance, size, (0, 0.0)).unwrap(), pairs, &mut pair);
        check_rows(&make_resize(rows(), ChangeOneDistance, size, (0, 0.0)).unwrap(), pairs, &mut pair);
        check_rows(&make_resize(rows(), HammingDistance, size, (0, 0.0)).unwrap(), pairs, &mut pair);
    }
}

#[test]
fn clipped_vectors() {
    // For each of five balls.
    const PAIRS: usize = 5_000;
    let rows =
        || VectorDomain::new(PairDomain::new(AtomDomain::u8(), VectorDomain::new(AtomDomain::f64()).with_size(2)));
    let row = |random: &mut Random| (random.of(&[0, 1]), vec![random.float(), random.float()]);
    for (norm, radius) in
        [(Norm::L1, 1.0), (Norm::L2, 3.0), (Norm::L2, 5e-324), (Norm::L2, f64::MAX), (Norm::LInf, 0.1)]
    {
        check_under_each_metric!(|metric| make_norm_clip(rows(), metric, norm, radius), row);
    }
}
