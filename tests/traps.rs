//! How libraries of this kind have failed, continued: statistics of floats, casts, conversions of losses, what noise tells of its
//! input, and the exact fractions below all of it. Where a vector tells what a broken implementation yields, such an implementation fails here.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use indistinct::{
    numeric::{Integer, Rational},
    prelude::*,
    sampling::{self, Entropy, testing::SeededEntropy},
};
use indistinct_audit::{Seen, silence::Recorder, stability::stability};
use indistinct_tests::{Exact, Float, changes, covers, decimal, float, fraction, is_tight, runs, vectors};
use serde_json::Value;

/// The mean and the sum of squared deviations of a textbook, in floats.
fn textbook_deviations(rows: &[f64]) -> f64 {
    fn pairwise(rows: &[f64]) -> f64 {
        match rows.len() {
            0 => 0.0,
            1 => rows[0],
            n => pairwise(&rows[..n / 2]) + pairwise(&rows[n / 2..]),
        }
    }
    let mean = pairwise(rows) / f64::from(u32::try_from(rows.len()).unwrap());
    pairwise(&rows.iter().map(|row| (row - mean) * (row - mean)).collect::<Vec<_>>())
}

#[test]
fn squared_deviations_do_not_round_their_mean() {
    let vector = &vectors("float_sum")["ssd_f64_mean_rounding_n1024_p50"];
    let bounds = (float(&vector["bounds"][0]), float(&vector["bounds"][1]));
    let (x, y) = (runs(&vector["x"]), runs(&vector["y"]));
    let rows = VectorDomain::new(AtomDomain::f64().with_bounds(bounds).unwrap()).with_size(x.len());
    let deviations = make_sum_of_squared_deviations(rows, ChangeOneDistance).unwrap();
    let [at_x, at_y] = [&x, &y].map(|rows| deviations.invoke(rows).unwrap().exact());
    let (change, map) = ((at_x - at_y).abs(), deviations.map(&1).unwrap());
    assert_eq!(change, fraction(&vector["exact_change"]));
    assert!(covers(map, &change) && covers(map, &fraction(&vector["ideal_sensitivity"])));
    assert!((textbook_deviations(&x) - textbook_deviations(&y)).abs() > map, "no power");
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_string()).collect()
}

/// Each row alone has the image that it has among others, and none fails.
fn images<T, U>(cast: impl Fn(&[T]) -> Fallible<Vec<Option<U>>>, rows: &[T]) -> Vec<Option<U>>
where
    U: Clone + PartialEq + std::fmt::Debug,
    T: Clone,
{
    let together = cast(rows).unwrap();
    let alone: Vec<Option<U>> = rows.iter().map(|row| cast(std::slice::from_ref(row)).unwrap()[0].clone()).collect();
    assert_eq!(together, alone);
    together
}

#[test]
fn no_row_decides_whether_a_cast_succeeds() {
    let (integers, specials) = (vectors("int_arith"), vectors("special_values"));
    let strings = || VectorDomain::new(AtomDomain::string());
    let listed: Vec<Value> =
        integers["parse_int_min"]["x"].as_array().unwrap().iter().map(|row| row[0].clone()).collect();
    let to_i32 = make_cast(strings(), SymmetricDistance, AtomDomain::i32()).unwrap();
    let read = images(|rows: &[String]| to_i32.invoke(rows), &texts(&listed.clone().into()));
    assert_eq!(read, [Some(i32::MIN), None, None, Some(5), None, None, None]);
    // The twin fails where one row does.
    assert!(
        texts(&listed.into()).iter().map(|text| text.parse::<i32>()).collect::<Result<Vec<i32>, _>>().is_err(),
        "no power"
    );

    // Infinities are floats, and not a number is none.
    let to_f64 = make_cast(strings(), SymmetricDistance, AtomDomain::f64()).unwrap();
    let vector = &specials["parse_float_special_strings"];
    let read = images(|rows: &[String]| to_f64.invoke(rows), &texts(&vector["x"]));
    let (inf, low) = (Some(f64::INFINITY), Some(f64::NEG_INFINITY));
    assert_eq!(read, [inf, low, None, None, inf, low, Some(0.0), Some(0.0), None, None, None]);
    // The sum of what was read is bounded, row by row. The twin takes what the language reads, and its sum is no number.
    let space = (strings(), SymmetricDistance);
    let sum =
        (space >> then_cast(AtomDomain::f64()) >> then_drop_null() >> then_clamp((0.0, 1.0)) >> then_sum()).unwrap();
    let all = texts(&vector["x"]);
    assert!(!stability(&sum, (0..all.len()).map(|n| (all[..n].to_vec(), all[..=n].to_vec()))).is_violated());
    let naive: f64 = all.iter().filter_map(|text| text.parse::<f64>().ok()).map(|row| row.clamp(0.0, 1.0)).sum();
    assert!(naive.is_nan(), "no power");

    // What `as` makes of these is in the domain, and here it is none.
    let rows: Vec<f64> = runs(&integers["float_to_int_special"]["x"]);
    let to_i64 =
        make_cast(VectorDomain::new(AtomDomain::f64().with_nan()), SymmetricDistance, AtomDomain::i64()).unwrap();
    let read = images(|rows: &[f64]| to_i64.invoke(rows), &rows);
    assert_eq!(read, [None, None, None, None, None, Some(0), None]);
    // The twin makes numbers of them all.
    #[allow(clippy::as_conversions, clippy::cast_possible_truncation)]
    let cast: Vec<i64> = rows.iter().map(|row| *row as i64).collect();
    assert_eq!(cast, [0, i64::MAX, i64::MIN, i64::MAX, i64::MIN, 0, i64::MAX], "no power");
}

/// After a cast that may fail, rows of a known number are of an unknown number again once nulls are dropped, and their count costs.
#[test]
fn what_a_cast_loses_is_counted() {
    let vector = &vectors("stability")["stale_nonnull_after_cast"];
    let number = |row: &Value| row.as_f64().unwrap_or(f64::NAN);
    let [x, y] = ["x", "y"].map(|side| vector[side].as_array().unwrap().iter().map(number).collect::<Vec<f64>>());
    let rows = VectorDomain::new(AtomDomain::f64().with_nan()).with_size(x.len());
    let count = ((rows, ChangeOneDistance)
        >> then_metric_cast(SymmetricDistance)
        >> then_cast(AtomDomain::i64())
        >> then_drop_null()
        >> then_count())
    .unwrap();
    assert!(covers(count.map(&1).unwrap(), &decimal(&vector["true_d_out"])));
    assert_eq!((count.invoke(&x).unwrap() - count.invoke(&y).unwrap()).abs(), 1);
    assert!(!stability(&count, [(x, y)]).is_violated());
}

/// Resizing, on the rows of the vector and under its metric: what it does is decided by public bits, and keeps its map.
#[test]
fn resizing_keeps_its_map_where_the_size_already_fits() {
    let vector = &vectors("stability")["resize_shuffles_at_exact_size"];
    let rows =
        |side: &str| -> Vec<i64> { vector[side].as_array().unwrap().iter().map(|row| row.as_i64().unwrap()).collect() };
    let domain = VectorDomain::new(AtomDomain::i64());
    let ordered = make_resize(domain.clone(), InsertDeleteDistance, 3, 0).unwrap();
    let unordered = make_resize(domain, SymmetricDistance, 3, 0).unwrap();
    let pairs = || [(rows("x"), rows("y")), (rows("y"), rows("x"))];
    assert!(!stability(&ordered, pairs()).is_violated() && !stability(&unordered, pairs()).is_violated());
    // The twin takes the first rows of a longer list, and shuffles one that fits.
    let twin = |rows: &[i64]| {
        if rows.len() > 3 { rows[..3].to_vec() } else { rows.iter().rev().copied().chain([0; 3]).take(3).collect() }
    };
    let domain = || VectorDomain::new(AtomDomain::i64());
    let metric = InsertDeleteDistance;
    let twin = make_user_transformation(domain(), metric, domain(), metric, twin, |d: &u32| Ok(2 * d)).unwrap();
    assert!(stability(&twin, pairs()).is_violated(), "no power");
}

#[test]
fn permute_and_flip_is_not_a_bounded_range() {
    let vector = &vectors("composition")["zcdp_noisy_max_claim"];
    let scores = || VectorDomain::new(AtomDomain::i64()).with_size(2);
    let flip = make_permute_and_flip(scores(), LInfDistance::new(), 1.0).unwrap();
    let rho = make_pureDP_to_zCDP(flip.clone()).unwrap().map(&1.0).unwrap();
    // The Renyi divergence of order 2 is at most twice rho.
    let divergence = decimal(&vector["truth"]["D_2(P(x)||P(y))"]);
    assert!(covers(2.0 * rho, &divergence));
    // The twin takes the loss for that of a bounded range.
    let epsilon = flip.map(&1.0).unwrap();
    assert_eq!(epsilon * epsilon / 8.0, fraction(&vector["claimed_rho"]).to_f64());
    assert!(!covers(2.0 * epsilon * epsilon / 8.0, &divergence), "no power");
    // Where a selection is asked for under rho, its noise is Gumbel's, which has the lesser loss.
    let measure = ZeroConcentratedDivergence;
    let gumbel = make_noisy_max(scores(), LInfDistance::new(), measure, 1.0).unwrap().map(&1.0).unwrap();
    assert_eq!(gumbel, fraction(&vector["claimed_rho"]).to_f64());
}

#[test]
fn losses_of_randomized_responses() {
    let mut right = Vec::new();
    for (name, vector) in vectors("privacy_maps").into_iter().filter(|(name, _)| name.starts_with("rr_")) {
        let prob = float(&vector["params"]["p"]);
        let reported = match vector["params"]["k"].as_u64() {
            None => make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, prob).unwrap().map(&1),
            Some(k) => {
                let categories = (0..u32::try_from(k).unwrap()).collect();
                make_randomized_response(AtomDomain::u32(), DiscreteDistance, categories, prob).unwrap().map(&1)
            }
        };
        let (reported, truth) = (reported.unwrap(), decimal(&vector["truth"]));
        assert!(covers(reported, &truth) && is_tight(reported, &truth), "{name}: {reported:e}");
        // The twin takes the logarithm in floats.
        let others = vector["params"]["k"].as_u64().map_or(1.0, |k| Rational::from(k - 1).to_f64());
        let naive = (prob * others / (1.0 - prob)).ln();
        if covers(naive, &truth) {
            right.push(name);
        }
    }
    assert_eq!(right, ["rr_bool_p_0.75"], "where a logarithm in floats is right");
}

/// Charges that are no losses are refused and spend nothing, and the conversation goes on.
#[test]
fn a_filter_refuses_what_is_no_loss() {
    let vector = &vectors("composition")["invalid_charges"];
    let space = || (AtomDomain::bool(), DiscreteDistance);
    let charge = |loss: f64| {
        let release = |_: &bool, _: &mut dyn Entropy| Ok(());
        make_user_measurement(space().0, space().1, MaxDivergence, release, move |d: &u32| {
            Ok(if *d == 0 { 0.0 } else { loss })
        })
        .unwrap()
    };
    let budget = float(&vector["budget"]);
    let filter = make_privacy_filter(space().0, space().1, MaxDivergence, 1, budget).unwrap().invoke(&true).unwrap();
    let charges: Vec<f64> = vector["charges"].as_array().unwrap().iter().map(float).collect();
    for loss in &charges {
        assert_eq!(filter.eval(&charge(*loss)).is_ok(), *loss == 0.0, "{loss:e}");
        assert_eq!(filter.spent(), Ok(0.0));
    }
    assert_eq!((filter.eval(&charge(budget)), filter.spent()), (Ok(()), Ok(budget)));
    assert_eq!(filter.eval(&charge(5e-324)).unwrap_err().kind(), ErrorKind::Budget);
    // The twin asks whether the budget is exceeded: what is not a number exceeds nothing, nor does anything after it; what is negative
    // makes room for more.
    let naive = |charges: &[f64]| {
        let (mut total, mut accepted) = (0.0, Vec::new());
        for charge in charges {
            if !matches!((total + charge).partial_cmp(&budget), Some(std::cmp::Ordering::Greater)) {
                total += charge;
                accepted.push(*charge);
            }
        }
        (total, accepted.len())
    };
    for charge in charges.iter().filter(|charge| **charge != 0.0 && **charge != f64::INFINITY) {
        assert_eq!(naive(&[*charge]).1, 1, "{charge:e}: no power");
    }
    assert!(naive(&[f64::NAN, budget, budget]).1 == 3 && naive(&[-0.125, budget, 0.125]).1 == 3, "no power");
}

/// Whether some float of the textbook's uniform grid has this noise: `|y| = fl(-ln(k / 2^53))`.
fn is_a_logarithm(y: f64) -> bool {
    let nearest = (-y.abs()).exp() * 2f64.powi(53);
    (-4..=4).any(|step| {
        let k = nearest.round() + f64::from(step);
        (1.0..2f64.powi(53)).contains(&k) && -(k / 2f64.powi(53)).ln() == y.abs()
    })
}

#[test]
fn which_floats_are_reached_does_not_tell_the_input() {
    let vector = &vectors("noise_floats")["laplace_lsb_reachability"];
    let scale = float(&vector["scale"]);
    let noisy = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale).unwrap();
    let mut entropy = SeededEntropy::new(97);
    let (draws, inputs) = (20_000u32, ["input_0", "input_1"].map(|name| float(&vector[name])));
    let mut share = |draw: &mut dyn FnMut(&mut SeededEntropy) -> f64| {
        let reached = (0..draws).filter(|_| is_a_logarithm(draw(&mut entropy))).count();
        f64::from(u32::try_from(reached).unwrap()) / f64::from(draws)
    };
    let shares = inputs.map(|input| share(&mut |entropy| noisy.invoke_with(&input, entropy).unwrap()));
    // Hoeffding, a false alarm once in 10^9, for the claim of epsilon 1 in both directions.
    let margin = (f64::ln(4e9) / (2.0 * f64::from(draws))).sqrt();
    let exceeds = |[p, q]: [f64; 2]| p - margin > 1f64.exp() * (q + margin);
    // The event and its complement, in both directions.
    let violated = |[p, q]: [f64; 2]| [[p, q], [q, p], [1.0 - p, 1.0 - q], [1.0 - q, 1.0 - p]].into_iter().any(exceeds);
    assert!(!violated(shares), "{shares:?}");
    let textbook = inputs.map(|input| {
        share(&mut |entropy| {
            let word = Rational::from((entropy.bits(53).unwrap().max(1), 1u64 << 53)).to_f64();
            let size = -word.ln();
            input + if entropy.bit().unwrap() { -size } else { size }
        })
    });
    assert!(violated(textbook), "{textbook:?}: no power");
}

/// Numbers of a vector are drawn one after another, each with bits of its own: no pair of draws is made of one.
#[test]
fn numbers_of_a_vector_share_no_bits() {
    let vector = &vectors("noise_floats")["box_muller_pair"];
    let scale = float(&vector["scale"]);
    let floats = VectorDomain::new(AtomDomain::f64()).with_size(2);
    let pair = make_gaussian(floats, L2Distance::new(), ZeroConcentratedDivergence, scale).unwrap();
    let one = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale).unwrap();
    for input in ["input_0", "input_1"] {
        let input: Vec<f64> = vector[input].as_array().unwrap().iter().map(float).collect();
        for seed in 0..500 {
            let (mut together, mut apart) =
                (Recorder::new(SeededEntropy::new(seed)), Recorder::new(SeededEntropy::new(seed)));
            let both = pair.invoke_with(&input, &mut together).unwrap();
            let each: Vec<f64> = input.iter().map(|x| one.invoke_with(x, &mut apart).unwrap()).collect();
            assert_eq!((both.key(), together.requests()), (each.key(), apart.requests()));
        }
    }
}

#[test]
fn snapping_charges_sensitivities_that_are_no_powers_of_two() {
    let params = &vectors("snapping")["sensitivity_scaling_charged"]["params"];
    let (sensitivity, bound) = (float(&params["Delta"]), float(&params["B"]));
    let snapping = make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), 4.0, bound).unwrap();
    let [at, of_one] = [sensitivity, 1.0].map(|d| snapping.map(&d).unwrap());
    // The loss of the law itself, and of arithmetic: neither is scaled away.
    let (arithmetic, law) = (of_one.exact() - Rational::from((1, 4)), sensitivity.exact() / 4u32);
    // What the vector asks for a division by the sensitivity: 2 B eta / scale. The twin scales, and charges the law alone.
    let extra = (bound.exact() * 2u32 / 4u32) >> 53u32;
    assert!(covers(at, &(law.clone() + &extra)) && !covers(law.to_f64(), &(law.clone() + extra)), "no power");
    assert!(arithmetic > 0 && covers(at, &(law.clone() + arithmetic)) && !covers(law.to_f64(), &at.exact()));
}

#[test]
fn exact_fractions() {
    let mut run = 0;
    for (name, vector) in vectors("samplers").into_iter().filter(|(name, _)| name.starts_with("bignum_")) {
        let (lhs, rhs, truth) = (fraction(&vector["lhs"]), fraction(&vector["rhs"]), fraction(&vector["truth"]));
        // The twins: a quotient that is not brought to lowest terms, whose sign may stand below; and a division that cuts toward zero.
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

/// Floats with one total order: zeros of both signs are one key, and all that are not numbers are one.
#[test]
fn distances_see_both_zeros_and_all_nans_as_one() {
    let vector = &vectors("stability")["histogram_neg_zero_nan_keys"];
    let [x, y] = ["x", "y"].map(|side| vector[side].as_array().unwrap().iter().map(float).collect::<Vec<f64>>());
    // Floats are no keys: `make_count_by` does not take them. Rows that are counted as distinct are compared alike.
    let distinct = make_count_distinct(VectorDomain::new(AtomDomain::f64().with_nan()), SymmetricDistance).unwrap();
    assert_eq!((distinct.invoke(&x).unwrap(), distinct.invoke(&y).unwrap()), (2, 2));
    let by_bits: std::collections::BTreeMap<u64, i64> = x.iter().map(|row| (row.to_bits(), 1)).collect();
    let keys: std::collections::BTreeMap<Float, i64> = x.iter().map(|row| (Float(*row), 1)).collect();
    assert!(by_bits.len() > keys.len() && changes(&keys, &keys).is_empty(), "no power");
}

fn floats() -> VectorDomain<AtomDomain<f64>> {
    VectorDomain::new(AtomDomain::f64())
}

#[test]
fn clamps_and_sums_refuse_bounds_that_are_none() {
    let vectors = vectors("special_values");
    let rows = || VectorDomain::new(AtomDomain::f64());
    let pair = |bounds: &Value| (float(&bounds[0]), float(&bounds[1]));
    let listed = vectors["clamp_inverted_or_nan_bounds"]["bounds"].as_array().unwrap();
    let made: Vec<bool> =
        listed.iter().map(|bounds| make_clamp(rows(), SymmetricDistance, pair(bounds)).is_ok()).collect();
    assert_eq!(made, [false, false, false, false, true]);
    // The twin panics at its first row.
    for (bounds, made) in listed.iter().zip(made) {
        let (low, high) = pair(bounds);
        assert_eq!(std::panic::catch_unwind(|| 0.5f64.clamp(low, high)).is_ok(), made, "{bounds}: no power");
    }
    for bounds in vectors["nan_bound_masked_by_max"]["bounds"].as_array().unwrap() {
        let (low, high) = pair(bounds);
        assert!(AtomDomain::f64().with_bounds((low, high)).is_err());
        assert!(low.abs().max(high).is_finite(), "no power");
    }
    // Not a number is refused as a constant, and as a row of what is clamped.
    let options = VectorDomain::new(OptionDomain::new(AtomDomain::f64()));
    let constant = float(&vectors["impute_constant_outside_domain"]["constant"]);
    let imputed = make_impute_constant(options, SymmetricDistance, constant);
    let imputed = imputed.map(|step| step.output_domain().element().has_nan());
    assert!(imputed.is_err() || imputed.is_ok_and(|nan| nan));
    // The twin fills with it, and says of its output that there is none.
    let options = VectorDomain::new(OptionDomain::new(AtomDomain::f64()));
    let fill = move |rows: &[Option<f64>]| rows.iter().map(|row| row.unwrap_or(constant)).collect::<Vec<f64>>();
    let twin =
        make_user_transformation(options, SymmetricDistance, self::floats(), SymmetricDistance, fill, |d: &u32| Ok(*d));
    assert!(stability(&twin.unwrap(), [(vec![None], vec![])]).is_violated(), "no power");
    let x: Vec<f64> = vectors["clamp_nan_passes_through"]["x"].as_array().unwrap().iter().map(float).collect();
    let sum = ((rows(), SymmetricDistance) >> then_clamp((0.0, 1.0)) >> then_sum()).unwrap();
    assert_eq!(sum.invoke(&x).unwrap_err().kind(), ErrorKind::Domain);
    assert!(x.iter().map(|row| row.clamp(0.0, 1.0)).sum::<f64>().is_nan(), "no power");
}

/// Positions are not to be had from an ordered metric: casts lead to metrics without order alone, and the compiler knows no other.
#[test]
fn casts_of_metrics_forget_order() {
    let vector = &vectors("stability")["metric_cast_ordered"];
    let rows =
        |side: &str| -> Vec<i64> { vector[side].as_array().unwrap().iter().map(|row| row.as_i64().unwrap()).collect() };
    let (x, y) = (rows("x"), rows("y"));
    let sized = || VectorDomain::new(AtomDomain::i64()).with_size(3);
    let forget = (sized(), InsertDeleteDistance) >> then_metric_cast(SymmetricDistance);
    let cast = (forget >> then_metric_cast(ChangeOneDistance)).unwrap();
    assert!(!stability(&cast, [(x.clone(), y.clone())]).is_violated());
    // The twin claims positions.
    let identity = |rows: &[i64]| rows.to_vec();
    let twin = make_user_transformation(
        sized(),
        InsertDeleteDistance,
        sized(),
        HammingDistance,
        identity,
        |d: &u32| Ok(d / 2),
    );
    assert!(stability(&twin.unwrap(), [(x, y)]).is_violated(), "no power");
}

/// The number of the vector is not taken on trust.
#[test]
fn the_divergence_of_permute_and_flip_is_that_of_its_laws() {
    let divergence = decimal(&vectors("composition")["zcdp_noisy_max_claim"]["truth"]["D_2(P(x)||P(y))"]).to_f64();
    let tail = (-2f64).exp() / 2.0;
    let direct = (0.25 / (1.0 - tail) + 0.25 / tail).ln();
    assert!((direct - divergence).abs() < 1e-12, "{direct}");
}

/// Bits that end with a failure at a request of one's choice.
struct FailsAt {
    source: SeededEntropy,
    left: u32,
}

impl Entropy for FailsAt {
    fn bits(&mut self, count: u32) -> sampling::Fallible<u64> {
        self.left = self.left.checked_sub(1).ok_or(sampling::Error::Entropy)?;
        self.source.bits(count)
    }
}

/// A source that fails after any number of requests: one error, whatever the data, no part of a release, and a charge that stays.
#[test]
fn a_source_that_fails_midway_releases_nothing_and_is_charged() {
    assert!(vectors("entropy").contains_key("error_at_call_k"));
    let numbers = VectorDomain::new(AtomDomain::i64()).with_size(65);
    let noisy = make_laplace(numbers.clone(), L1Distance::new(), 10.0).unwrap();
    let release = |value: i64, left: u32| {
        let mut entropy = FailsAt { source: SeededEntropy::new(98), left };
        noisy.invoke_with(&[value; 65], &mut entropy).map_err(|error| (error.kind(), error.to_string()))
    };
    let Err(expected) = release(0, 0) else { panic!("no bits, and a release") };
    assert_eq!(expected.0, ErrorKind::Entropy);
    for left in 0..=64 {
        assert_eq!([release(0, left), release(i64::MAX, left)], [Err(expected.clone()), Err(expected.clone())]);
        let filter = make_privacy_filter(numbers.clone(), L1Distance::new(), MaxDivergence, 1.0, 1.0).unwrap();
        let session = filter.invoke(&[0; 65]).unwrap();
        let mut entropy = FailsAt { source: SeededEntropy::new(98), left };
        assert!(session.eval_with(&noisy, &mut entropy).is_err());
        // Nothing was drawn only where the first request failed.
        let spent = session.spent().unwrap();
        assert!(spent >= 0.1 || left == 0, "{left}: {spent}");
    }
    assert!(release(0, 1000).is_ok());
    // The twin goes on with zeros: what it releases has no noise from there on.
    for left in 0..=64 {
        let mut entropy = GoesOn(FailsAt { source: SeededEntropy::new(98), left });
        assert!(noisy.invoke_with(&[0; 65], &mut entropy).is_ok(), "no power");
    }
}

/// Zeros for the bits that a source fails to give.
struct GoesOn(FailsAt);

impl Entropy for GoesOn {
    fn bits(&mut self, count: u32) -> sampling::Fallible<u64> {
        Ok(self.0.bits(count).unwrap_or(0))
    }
}

/// Run within a time and a number of bytes at once.
fn within<T>(seconds: u64, mebibytes: u64, run: impl FnOnce() -> T) -> T {
    let (mut result, start) = (None, std::time::Instant::now());
    let used = allocation_counter::measure(|| result = Some(run()));
    assert!(start.elapsed().as_secs() < seconds && used.bytes_max < mebibytes << 20, "{:?} {used:?}", start.elapsed());
    result.unwrap()
}

/// The limits of a vector: seconds and mebibytes.
fn limits(vector: &Value) -> (u64, u64) {
    (vector["limits"]["seconds"].as_u64().unwrap(), vector["limits"]["rss_mib"].as_u64().unwrap())
}

/// The greatest scales, the finest grids, long lists: answers or errors, within the time and the memory of the vectors.
#[test]
fn extreme_sizes_are_answered_or_refused() {
    let vectors = vectors("resources");
    let gaussian = &vectors["discrete_gaussian_sigma_1e154"];
    let sigma = float(&gaussian["params"]["sigma"]);
    let (seconds, mebibytes) = limits(gaussian);
    assert_eq!((seconds, mebibytes), limits(&vectors["discrete_laplace_scale_2p1000"]));
    for scale in [2f64.powi(1000), sigma, f64::MAX] {
        within(seconds, mebibytes, || {
            let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), scale).unwrap();
            assert!(noisy.invoke(&0).is_ok() && noisy.map(&1.0).unwrap() > 0.0);
        });
        within(seconds, mebibytes, || {
            let noisy = make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale);
            assert!(noisy.is_err() || noisy.unwrap().invoke(&0).is_ok());
        });
    }
    // The twin counts successes of a coin that never fails, in floats.
    let coin = (-1.0 / 2f64.powi(1000)).exp();
    let mut entropy = SeededEntropy::new(102);
    assert!((0..1_000_000).all(|_| sampling::bernoulli(coin, &mut entropy) == Ok(true)), "no power");
    // The twin's weights are of squares that overflow, ten sigma out.
    assert!((-(10.0 * sigma).powi(2) / (2.0 * sigma * sigma)).exp().is_nan(), "no power");

    let vector = &vectors["granularity_k_minus_1074"];
    let grid = i32::try_from(vector["params"]["k"].as_i64().unwrap()).unwrap();
    let length = usize::try_from(vector["params"]["vector_len"].as_u64().unwrap()).unwrap();
    let (seconds, mebibytes) = limits(vector);
    within(seconds, mebibytes, || {
        let many = VectorDomain::new(AtomDomain::f64()).with_size(length);
        let fine = make_laplace(many, L1Distance::new(), Scale::new(1.0).on_grid(grid)).unwrap();
        assert_eq!(fine.invoke(&vec![0.5; length]).unwrap().len(), length);
    });

    let vector = &vectors["exponent_range_k"];
    let (scale, grid) =
        (float(&vector["params"]["scale"]), i32::try_from(vector["params"]["k"].as_i64().unwrap()).unwrap());
    let (seconds, mebibytes) = limits(vector);
    within(seconds, mebibytes, || {
        let wide = make_laplace(AtomDomain::f64(), AbsoluteDistance::<f64>::new(), Scale::new(scale).on_grid(grid));
        assert!(wide.is_err() || wide.unwrap().invoke(&0.5).is_ok());
    });
    for k in [-1075, 1024] {
        assert!(make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), Scale::new(1.0).on_grid(k)).is_err());
    }
    // The twin rounds to a power of two in floats, which is 0 or infinite.
    let naive = |k: i32| (0.5 / 2f64.powi(k)).round() * 2f64.powi(k);
    assert!(naive(-1075).is_nan() && naive(1024).is_nan(), "no power");
    // Scales of noise are floats: no fraction with a denominator of 200,000 bits can be one.
    let none = smallest_scale(|scale| make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale), &1.0, &0.0);
    assert!(none.is_err());
}
