//! Measurements from measurements: the code itself, on all bits that matter, with the loss expressed in every measure.

use super::{formulas, responses::coins, support::*};
use indistinct::{
    core::ToParameter,
    measurements::Scale,
    numeric::enclosure::Enclosure,
    prelude::*,
    sampling::{Entropy, bernoulli},
    transformations::First,
};
use indistinct_audit::{
    Key, Law, Report, Seen,
    exact::{compare_laws, exact},
    mass::Mass,
    tape::Probing,
};
use std::collections::BTreeMap;

rows! {
    tight make_composition: composition;
    tight make_parallel_composition: parallel_composition;
    tight make_select_private_candidate: select_private_candidate;
    tight make_sums_of_unknown_keys: sums_of_unknown_keys;
    tight make_approximate: approximate;
    tight make_pureDP_to_approxDP: pure_to_approximate;
    tight make_fixed_approxDP_to_approxDP: fixed_to_profile;
    tight make_pureDP_to_bounded_range: pure_to_range;
    loose make_bounded_range_to_pureDP: range_to_pure, "a range bounds the loss by itself, of which half is attained by what is symmetric";
    tight make_bounded_range_to_zCDP: range_to_zcdp;
    tight make_pureDP_to_zCDP: pure_to_zcdp;
    tight make_zCDP_to_RDP: zcdp_to_renyi;
    loose make_zCDP_to_approxDP: zcdp_to_profile, "loose: the best bound on delta by rho alone is above that of Gaussian noise";
    loose make_RDP_to_approxDP: renyi_to_profile, "loose: as from zCDP";
    tight make_GDP_to_zCDP: gaussian_to_zcdp;
    tight make_GDP_to_approxDP: gaussian_to_profile;
    tight make_pureDP_to_PLD: pure_to_losses;
    tight make_fixed_approxDP_to_PLD: fixed_to_losses;
    tight make_bounded_range_to_PLD: range_to_losses;
    tight make_GDP_to_PLD: gaussian_to_losses;
    tight make_PLD_to_RDP: losses_to_curve;
    tight make_PLD_to_approxDP: losses_to_profile;
    tight make_fix_delta: fix_delta;
    tight make_fix_epsilon: fix_epsilon;
}

type Response = Measurement<AtomDomain<bool>, bool, DiscreteDistance, MaxDivergence>;
type Noisy<MO> = Measurement<AtomDomain<i64>, i64, AbsoluteDistance, MO>;

/// The worst pair of distributions of its loss: every conversion of pure privacy is checked on it.
fn response(prob: f64) -> Response {
    make_randomized_response_bool(AtomDomain::bool(), DiscreteDistance, prob).unwrap()
}

fn probed<MO: indistinct_audit::Claims>(
    measurement: &Measurement<AtomDomain<bool>, bool, DiscreteDistance, MO>,
) -> Report {
    exact(measurement, &[true, false], Probing::default())
}

fn noisy(scale: f64) -> Noisy<ZeroConcentratedDivergence> {
    make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale).unwrap()
}

fn integers<MO: indistinct_audit::Claims>(measurement: &Noisy<MO>) -> Report {
    exact(measurement, &[0, 1, 2, 5], Probing::default().with_requests(2))
}

/// Losses from small to large.
fn responses(floors: [f64; 3], convert: impl Fn(Response) -> Report) -> Report {
    all([0.51, 0.75, 0.99].into_iter().zip(floors).map(|(prob, floor)| part(floor, convert(response(prob)))))
}

/// The floors where each loss attains the claim.
const EACH: [f64; 3] = [0.95; 3];

fn composition() -> Report {
    let inputs = [true, false];
    let pair = make_composition((response(0.75), response(0.6))).unwrap();
    let three = make_composition(vec![response(0.75), response(0.6), response(0.51)]).unwrap();
    let nested = make_composition((pair.clone(), response(0.51))).unwrap();
    parts(0.95, [exact(&pair, &inputs, coins()), exact(&three, &inputs, coins()), exact(&nested, &inputs, coins())])
        .and(composition_in_each_measure())
        .and(rises(&three, &[0, 1, 2], &0.0))
}

/// The noisy count of each released key, with its noisy sums.
pub(crate) type OfKeys = BTreeMap<u8, (i64, Vec<i128>)>;
pub(crate) type KeyedSums = Measurement<KeyedRows, OfKeys, SymmetricDistance, Approximate<MaxDivergence>>;
pub(crate) type KeyedRows = VectorDomain<PairDomain<AtomDomain<u8>, AtomDomain<i64>>>;

/// Rows with a key and a number between -2 and 2.
pub(crate) fn keyed_rows() -> (KeyedRows, SymmetricDistance) {
    let numbers = AtomDomain::i64().with_bounds((-2, 2)).unwrap();
    (VectorDomain::new(PairDomain::new(AtomDomain::u8(), numbers)), SymmetricDistance)
}

/// Counts and sums of rows by key, under a threshold for the counts.
pub(crate) fn keyed_sums((scale, threshold): (f64, i64), scales: &[f64]) -> KeyedSums {
    let counts = (keyed_rows() >> then_pair_part(First) >> then_count_by(L01InfDistance)).unwrap();
    let sums = scales.iter().map(|_| (keyed_rows() >> then_sum_by(L01InfDistance)).unwrap()).collect();
    make_sums_of_unknown_keys(counts, scale, threshold, sums, scales.to_vec()).unwrap()
}

/// The scale and threshold of the counts in the audit of two keys.
pub(crate) const OF_COUNTS: (f64, i64) = (1.0, 3);

/// The audit of two keys with two sums each, whose noise has these scales: the formula against the map, and draws
/// against the formula. A number is seen as below, at or above a fixed number, and every two of the six numbers are
/// compared alone: two numbers that share noise rise and fall together.
pub(crate) fn of_two_keys(measurement: &KeyedSums, scales: [f64; 2]) -> Report {
    // Most counts are 6, and most sums are 0.
    const AT: [i64; 3] = [6, 0, 0];
    let three = |from: &dyn Fn(i64) -> Mass, at: i64| {
        let (at_least, above) = (from(at), from(at + 1));
        [formulas::number(1.0).sub(&at_least), at_least.sub(&above), above]
    };
    // A key that is not released is an empty list.
    let of_key = |rows: &[(u8, i64)], key: u8| {
        let numbers: Vec<i64> = rows.iter().filter(|row| row.0 == key).map(|row| row.1).collect();
        let absent = Seen::key(&());
        let (scale, threshold) = OF_COUNTS;
        let count = i64::try_from(numbers.len()).unwrap();
        if count == 0 {
            return Law::new([(absent, formulas::number(1.0))]);
        }
        let released = formulas::discrete_laplace_from(scale, threshold - count);
        let [below, at, above] = three(&|z| formulas::discrete_laplace_from(scale, z - count), AT[0]);
        let hidden = formulas::number(1.0).sub(&released);
        let counts = [below.sub(&hidden), at, above];
        let sum: i64 = numbers.iter().sum();
        let [first, second] = scales.map(|scale| three(&|z| formulas::discrete_laplace_from(scale, z - sum), AT[1]));
        let mut masses = vec![(absent, hidden)];
        for (count, of_count) in (0u8..).zip(&counts) {
            for (one, of_one) in (0u8..).zip(&first) {
                for (two, of_two) in (0u8..).zip(&second) {
                    masses.push((vec![count, one, two].key(), of_count.mul(of_one).mul(of_two)));
                }
            }
        }
        Law::new(masses)
    };
    let law = |rows: &Vec<(u8, i64)>| of_key(rows, 1).product(&of_key(rows, 2));
    let side = |number: i128, at: i64| match number.cmp(&i128::from(at)) {
        std::cmp::Ordering::Less => 0u8,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
    };
    let run = |rows: &Vec<(u8, i64)>, entropy: &mut dyn Entropy| {
        let released = measurement.invoke_with(rows, entropy)?;
        let of_key = |key: u8| match released.get(&key) {
            Some((count, sums)) => {
                let numbers = std::iter::once(i128::from(*count)).chain(sums.iter().copied());
                numbers.zip(AT).map(|(number, at)| side(number, at)).collect::<Vec<u8>>().key()
            }
            None => ().key(),
        };
        Ok(vec![of_key(1), of_key(2)].key())
    };
    let views: Vec<Box<dyn Fn(&Key) -> Key>> = (0..6usize)
        .flat_map(|one| (0..one).map(move |other| (one, other)))
        .map(|pair| -> Box<dyn Fn(&Key) -> Key> {
            let number = |outcome: &Key, position: usize| match outcome {
                Key::List(keys) => match &keys[position / 3] {
                    Key::List(numbers) => numbers.get(position % 3).cloned(),
                    _ => None,
                },
                _ => None,
            };
            Box::new(move |outcome| (number(outcome, pair.0), number(outcome, pair.1)).key())
        })
        .collect();
    let views: Vec<&dyn Fn(&Key) -> Key> = views.iter().map(|view| &**view).collect();
    let level = |key: u8| [(key, 1), (key, 1), (key, 1), (key, -1), (key, -1), (key, -1)];
    let both = [level(1), level(2)].concat();
    let more = |row: (u8, i64)| [both.clone(), vec![row]].concat();
    let inputs = [both.clone(), more((1, 2)), more((2, -2)), vec![(1, 2); 3], vec![(1, 2)], vec![]];
    let laws: Vec<(Vec<(u8, i64)>, Law)> = inputs.iter().map(|rows| (rows.clone(), law(rows))).collect();
    compare_laws("formula", measurement, &laws).and(fit((&run, share(100_000)), &inputs, law, &views))
}

/// One key with one sum: rows that are added to a key which both have, and to one which one alone has. Two keys with
/// two sums each by formula.
fn sums_of_unknown_keys() -> Report {
    let inputs: Vec<Vec<(u8, i64)>> = vec![vec![], vec![(1, 2)], vec![(1, 2), (1, 2)], vec![(1, -2)], vec![(1, 0); 4]];
    let probing = Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(18) };
    let small = keyed_sums((0.5, 3), &[1.0]);
    part(0.95, exact(&small, &inputs, probing))
        .and(rises(&small, &[0, 1, 2, 5], &(0.0, 0.0)))
        .and(parts(0.95, [[1.0, 1.0], [1.0, 2.0]].map(|scales| of_two_keys(&keyed_sums(OF_COUNTS, &scales), scales))))
}

/// A response that reveals its input with a probability: of any measure with a delta, which this is.
pub(crate) fn leaking<M: Measure<Distance = f64> + indistinct_audit::Claims + ToParameter>(
    measure: M,
    bits: u32,
    loss: f64,
) -> Measurement<AtomDomain<bool>, (bool, bool), DiscreteDistance, Approximate<M>>
where
    Approximate<M>: ToParameter,
{
    let delta = 0.5f64.powi(i32::try_from(bits).unwrap());
    make_user_measurement(
        AtomDomain::bool(),
        DiscreteDistance,
        Approximate(measure),
        move |x: &bool, entropy: &mut dyn Entropy| {
            let leak = entropy.bits(bits)? == 0;
            Ok((leak, if leak { *x } else { bernoulli(0.75, entropy)? == *x }))
        },
        move |d_in: &u32| Ok(if *d_in == 0 { (0.0, 0.0) } else { (loss, delta) }),
    )
    .unwrap()
}

/// What adds up in each measure: each part would fall below its floor, or be violated, if the greatest of the losses
/// stood for their sum.
fn composition_in_each_measure() -> Report {
    let inputs = [true, false];
    let ln3 = 3f64.ln().next_up();
    // Probabilities of two words, and of the responses.
    let probing = coins().with_requests(8);
    let deltas = make_composition((leaking(MaxDivergence, 4, ln3), leaking(MaxDivergence, 6, ln3))).unwrap();
    let rho = make_composition(vec![leaking(ZeroConcentratedDivergence, 5, ln3 * ln3 / 2.0); 2]).unwrap();
    let ranges = make_composition(vec![make_pureDP_to_bounded_range(response(0.75)).unwrap(); 2]).unwrap();
    let two_words = Probing { grid: 4, ..Probing::default().with_requests(2).with_digits(18) };
    let concentrated = make_composition((noisy(1.0), noisy(1.0))).unwrap();
    let curves = |scale| make_zCDP_to_RDP(noisy(scale)).unwrap();
    let renyi = make_composition((curves(1.0), curves(1.0))).unwrap();
    let profiles = |prob| make_fixed_approxDP_to_approxDP(make_pureDP_to_approxDP(response(prob)).unwrap()).unwrap();
    let profile = make_composition((profiles(0.75), profiles(0.6))).unwrap();
    let losses = |prob| make_pureDP_to_PLD(response(prob)).unwrap();
    let distributions = make_composition((losses(0.75), losses(0.6))).unwrap();
    part(0.95, exact(&deltas, &inputs, probing))
        .and(part(0.95, exact(&rho, &inputs, probing)))
        .and(part(0.95, exact(&ranges, &inputs, coins())))
        .and(part(0.95, exact(&concentrated, &[0, 1], two_words)))
        .and(part(0.95, exact(&renyi, &[0, 1], two_words)))
        // Profiles compose by a few of their points, between which the distribution of two responses is below.
        .and(part(0.5, exact(&profile, &inputs, coins())))
        .and(part(0.95, exact(&distributions, &inputs, coins())))
        .and(part(0.95, composition_of_gaussians()))
}

/// Two Gaussian releases of one number, on a grid so fine beside the noise that mu is nearly attained.
fn composition_of_gaussians() -> Report {
    let scales = [3.0, 4.0];
    let noisy = |scale: f64| {
        let (metric, scale) = (AbsoluteDistance::new(), Scale::new(scale).on_grid(0));
        make_gaussian(AtomDomain::f64(), metric, GaussianDivergence, scale).unwrap()
    };
    let both = make_composition(scales.map(noisy).to_vec()).unwrap();
    let law = |x: &f64| {
        let [one, two] = scales.map(|scale| super::noise::whole_law(|end| formulas::gaussian_cdf(end - x, scale)));
        one.product(&two)
    };
    let view = |key: Key| match key {
        Key::List(parts) => Key::List(parts.into_iter().map(super::noise::whole_number).collect()),
        other => other,
    };
    by_formula(&both, &[0.0, 1.0, 4.0], law, view)
}

fn parallel_composition() -> Report {
    let each =
        |prob| make_randomized_response_bitvec(VectorDomain::new(AtomDomain::bool()), HammingDistance, prob).unwrap();
    let composed = make_parallel_composition(vec![each(0.75), each(0.6)]).unwrap();
    let bits = [vec![], vec![true], vec![false]];
    let inputs: Vec<Vec<Vec<bool>>> =
        bits.iter().flat_map(|one| bits.iter().map(move |two| vec![one.clone(), two.clone()])).collect();
    let ladder = [(0, 0, 0), (1, 1, 1), (1, 2, 2), (2, 2, 2), (2, 3, 2), (2, 9, 5), (9, 1000, 1000)];
    part(0.95, exact(&composed, &inputs, coins())).and(rises(&composed, &ladder, &0.0))
}

/// The best of some runs of a response whose answer is its score, and the first that is true: by formula.
fn select_private_candidate() -> Report {
    let (prob, stop) = (0.75, 1.0 / 16.0);
    let scored = || {
        let score = Function::new(|answer: &bool| (if *answer { 1.0 } else { 0.0 }, u8::from(*answer)));
        (response(prob) >> score).unwrap()
    };
    let best = make_select_private_candidate(scored(), stop, None).unwrap();
    let first = make_select_private_candidate(scored(), stop, Some(1.0)).unwrap();
    // No run is true: the sum over numbers of runs of their probability times that of no true one.
    let none = |x: &bool| {
        let miss = formulas::number(if *x { 1.0 - prob } else { prob });
        let one = formulas::number(1.0);
        formulas::number(stop).mul(&miss).div(&one.sub(&formulas::number(1.0 - stop).mul(&miss)))
    };
    let of_best = |x: &bool| {
        let none = none(x);
        let rest = formulas::number(1.0).sub(&none);
        Law::new([(Some((0.0, 0u8)).key(), none), (Some((1.0, 1u8)).key(), rest)])
    };
    let of_first = |x: &bool| {
        let none = none(x);
        let rest = formulas::number(1.0).sub(&none);
        Law::new([(None::<(f64, u8)>.key(), none), (Some((1.0, 1u8)).key(), rest)])
    };
    // Less than what is attained, as the stop probability falls, and for the best of some runs by more candidates.
    let drawn = parts(
        0.6,
        [by_formula(&best, &[true, false], of_best, same), by_formula(&first, &[true, false], of_first, same)],
    );
    drawn.and(rises(&best, &[0, 1], &0.0)).and(best_of_three()).and(first_of_many())
}

/// Three scores, of which the highest is as much less likely as the middle one is likelier: the middle one is the best
/// of many runs if none is higher, and that loses as much again, twice. Probabilities are in parts of 1,024.
fn best_of_three() -> Report {
    let (of_middle, of_high) = (|x: &bool| if *x { 3u32 } else { 1 }, |x: &bool| if *x { 64u32 } else { 192 });
    let scored = make_user_measurement(
        AtomDomain::bool(),
        DiscreteDistance,
        MaxDivergence,
        move |x: &bool, entropy: &mut dyn Entropy| {
            let (word, high) = (entropy.bits(10)?, u64::from(of_high(x)));
            let score = if word < high { 2u8 } else { u8::from(word < high + u64::from(of_middle(x))) };
            Ok((f64::from(score), score))
        },
        |d_in: &u32| Ok(if *d_in == 0 { 0.0 } else { 3f64.ln().next_up() }),
    )
    .unwrap();
    // The best of a number of runs is at most a score that one is with probability p.
    let of_stop = |stop: f64| {
        let (scored, number) = (scored.clone(), formulas::number);
        let at_most = move |p: &Mass| number(stop).mul(p).div(&number(1.0).sub(&number(1.0 - stop).mul(p)));
        let law = move |x: &bool| {
            let share = |parts: u32| number(f64::from(parts)).div(&number(1024.0));
            let (low, middle) = (at_most(&share(1024 - of_high(x) - of_middle(x))), at_most(&share(1024 - of_high(x))));
            let best = |score: u8| Some((f64::from(score), score)).key();
            let masses = [low.clone(), middle.sub(&low), number(1.0).sub(&middle)];
            Law::new((0u8..).zip(masses).map(|(score, mass)| (best(score), mass)))
        };
        (make_select_private_candidate(scored, stop, None).unwrap(), law)
    };
    let ((often, often_law), (seldom, seldom_law)) = (of_stop(0.25), of_stop(2f64.powi(-10)));
    // Half as much where runs are few.
    let drawn = part(0.45, by_formula(&often, &[true, false], often_law, same));
    let claimed = compare_laws("formula", &seldom, &[true, false].map(|x| (x, seldom_law(&x))));
    drawn.and(part(0.95, claimed))
}

/// With a threshold, and so small a stop probability that what is lost by it is attained.
fn first_of_many() -> Report {
    let stop = 2f64.powi(-10);
    let score = Function::new(|answer: &bool| (if *answer { 1.0 } else { 0.0 }, u8::from(*answer)));
    let first = make_select_private_candidate((response(0.75) >> score).unwrap(), stop, Some(1.0)).unwrap();
    let law = |x: &bool| {
        let (number, miss) = (formulas::number, if *x { 0.25 } else { 0.75 });
        let none = number(stop).mul(&number(miss)).div(&number(1.0).sub(&number(1.0 - stop).mul(&number(miss))));
        let rest = number(1.0).sub(&none);
        Law::new([(None::<(f64, u8)>.key(), none), (Some((1.0, 1u8)).key(), rest)])
    };
    part(0.95, compare_laws("formula", &first, &[true, false].map(|x| (x, law(&x)))))
}

fn approximate() -> Report {
    responses(EACH, |response| probed(&make_approximate(response).unwrap()))
}

fn pure_to_approximate() -> Report {
    responses(EACH, |response| probed(&make_pureDP_to_approxDP(response).unwrap()))
}

fn fixed_to_profile() -> Report {
    responses(EACH, |response| {
        let fixed = make_pureDP_to_approxDP(response).unwrap();
        probed(&make_fixed_approxDP_to_approxDP(fixed).unwrap())
    })
}

fn pure_to_range() -> Report {
    responses(EACH, |response| probed(&make_pureDP_to_bounded_range(response).unwrap()))
}

fn range_to_pure() -> Report {
    // The distribution of a response is symmetric: a range that is all on one side loses twice as much.
    responses([0.45; 3], |response| {
        probed(&make_bounded_range_to_pureDP(make_pureDP_to_bounded_range(response).unwrap()).unwrap())
    })
}

fn range_to_zcdp() -> Report {
    // Attained as the range falls.
    responses([0.95, 0.85, 0.4], |response| {
        probed(&make_bounded_range_to_zCDP(make_pureDP_to_bounded_range(response).unwrap()).unwrap())
    })
}

fn pure_to_zcdp() -> Report {
    // Nearly attained, but where the loss is great.
    responses([0.95, 0.95, 0.9], |response| probed(&make_pureDP_to_zCDP(response).unwrap()))
}

fn zcdp_to_renyi() -> Report {
    parts(0.95, [0.5, 2.0].map(|scale| integers(&make_zCDP_to_RDP(noisy(scale)).unwrap())))
}

fn zcdp_to_profile() -> Report {
    parts(0.65, [0.5, 2.0].map(|scale| integers(&make_zCDP_to_approxDP(noisy(scale)).unwrap())))
}

fn renyi_to_profile() -> Report {
    parts(
        0.65,
        [0.5, 2.0].map(|scale| integers(&make_RDP_to_approxDP(make_zCDP_to_RDP(noisy(scale)).unwrap()).unwrap())),
    )
}

/// Gaussian noise on floats, released on a grid so coarse that its distribution is easily written down.
fn on_floats<MO: indistinct_audit::Claims>(
    convert: impl Fn(
        Measurement<AtomDomain<f64>, f64, AbsoluteDistance, GaussianDivergence>,
    ) -> Measurement<AtomDomain<f64>, f64, AbsoluteDistance, MO>,
) -> Report {
    let scale = Scale::new(2.0).on_grid(0);
    let gaussian = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, scale).unwrap();
    part(0.95, super::noise::whole_numbers(&convert(gaussian), 2.0))
}

fn gaussian_to_zcdp() -> Report {
    on_floats(|gaussian| make_GDP_to_zCDP(gaussian).unwrap())
}

fn gaussian_to_profile() -> Report {
    on_floats(|gaussian| make_GDP_to_approxDP(gaussian).unwrap())
}

fn pure_to_losses() -> Report {
    responses(EACH, |response| {
        let losses = make_pureDP_to_PLD(response).unwrap();
        let three = make_composition(vec![losses.clone(); 3]).unwrap();
        probed(&losses).and(exact(&three, &[true, false], coins()))
    })
}

fn fixed_to_losses() -> Report {
    responses(EACH, |response| probed(&make_fixed_approxDP_to_PLD(make_pureDP_to_approxDP(response).unwrap()).unwrap()))
}

fn range_to_losses() -> Report {
    // The deltas of a great range are above one half, which says nothing, wherever a response has any.
    responses([0.95, 0.95, 0.0], |response| {
        probed(&make_bounded_range_to_PLD(make_pureDP_to_bounded_range(response).unwrap()).unwrap())
    })
}

fn gaussian_to_losses() -> Report {
    on_floats(|gaussian| make_GDP_to_PLD(gaussian).unwrap())
}

fn losses_to_profile() -> Report {
    responses(EACH, |response| probed(&make_PLD_to_approxDP(make_pureDP_to_PLD(response).unwrap()).unwrap()))
}

fn losses_to_curve() -> Report {
    responses(EACH, |response| probed(&make_PLD_to_RDP(make_pureDP_to_PLD(response).unwrap()).unwrap()))
}

fn fix_delta() -> Report {
    all([1e-3, 0.1]
        .map(|delta| on_floats(|gaussian| make_fix_delta(make_GDP_to_approxDP(gaussian).unwrap(), delta).unwrap())))
}

fn fix_epsilon() -> Report {
    all([0.25, 1.0].map(|epsilon| {
        on_floats(|gaussian| make_fix_epsilon(make_GDP_to_approxDP(gaussian).unwrap(), epsilon).unwrap())
    }))
}
