use super::*;
use crate::{
    prelude::*,
    sampling::testing::{BitTape, SeededEntropy},
};
use std::collections::BTreeMap;

type Running<MO> = Measurement<VectorDomain<AtomDomain<i64>>, Queryable<i64, i128>, HammingDistance, MO>;

fn running<MO: TreeMeasure + ToParameter>(bounds: (i64, i64), measure: MO, horizon: u32, scale: f64) -> Running<MO> {
    let items = AtomDomain::i64().with_bounds(bounds).unwrap();
    make_tree_aggregation(VectorDomain::new(items), HammingDistance, measure, horizon, scale)
        .unwrap()
        .accept_infinite_loss()
}

fn float(x: i64) -> f64 {
    f64::from(i32::try_from(x).unwrap())
}

// ------------------------------------------------------------------------------------------------------------ the sums

#[test]
fn without_noise_the_sums_are_exact() {
    let items: Vec<i64> = (0..300).map(|i| (i * 7919) % 41 - 20).collect();
    let sums = |start: usize| {
        let queryable = running((-20, 20), MaxDivergence, 300, 0.0).invoke(&items[..start]).unwrap();
        items[start..].iter().map(|item| queryable.eval(item).unwrap()).collect::<Vec<_>>()
    };
    let truth: Vec<i128> = (1..=items.len()).map(|n| items[..n].iter().map(|item| i128::from(*item)).sum()).collect();
    assert_eq!(sums(0), truth);
    assert_eq!(sums(117), truth[117..], "a stream that has begun goes on");
}

#[test]
fn vectors_are_summed_place_by_place() {
    let item = VectorDomain::new(AtomDomain::i8().with_bounds((i8::MIN, i8::MAX)).unwrap()).with_size(2);
    let sums = make_tree_aggregation(VectorDomain::new(item), HammingDistance, ZeroConcentratedDivergence, 5, 0.0);
    let queryable = sums.unwrap().accept_infinite_loss().invoke(&[vec![1, 2]]).unwrap();
    assert_eq!(queryable.eval(&[127, -128]), Ok(vec![128, -126]));
    assert_eq!(queryable.eval(&[127, -128]), Ok(vec![255, -254]));
    assert_eq!(queryable.eval(&[1]).unwrap_err().kind(), ErrorKind::Domain);
}

#[test]
fn sums_beyond_64_bits_do_not_wrap() {
    let items = VectorDomain::new(AtomDomain::u64().with_bounds((0, u64::MAX)).unwrap());
    let queryable = make_tree_aggregation(items, HammingDistance, MaxDivergence, 9, 0.0)
        .unwrap()
        .accept_infinite_loss()
        .invoke(&[])
        .unwrap();
    for n in 1..=9 {
        assert_eq!(queryable.eval(&u64::MAX), Ok(n * i128::from(u64::MAX)));
    }
    // And noise beyond 128 bits saturates.
    let noisy = running((0, 1), MaxDivergence, 1, 1e300).invoke(&[]).unwrap().eval(&0).unwrap();
    assert!(noisy == i128::MIN || noisy == i128::MAX);
}

#[test]
fn the_stream_ends_at_its_horizon_and_non_members_do_not_count() {
    let queryable = running((0, 5), MaxDivergence, 3, 0.0).invoke(&[5]).unwrap();
    assert_eq!(queryable.eval(&6).unwrap_err().kind(), ErrorKind::Domain);
    assert_eq!((queryable.eval(&1), queryable.eval(&2)), (Ok(6), Ok(8)));
    let mut nothing = BitTape::new(&[]);
    for _ in 0..2 {
        assert_eq!(queryable.eval_with(&0, &mut nothing).unwrap_err().kind(), ErrorKind::Exhausted);
    }
    assert_eq!(running((0, 5), MaxDivergence, 3, 0.0).invoke(&[0; 4]).unwrap_err().kind(), ErrorKind::Exhausted);
}

/// Responses to a stream whose items may depend on the responses before, with given noise, one draw for each item.
fn answers(length: usize, item: &dyn Fn(&[i64]) -> i64, noise: &[i64]) -> Vec<i64> {
    let mut tree = Tree::new(u32::try_from(length).unwrap(), 1);
    let mut noise = noise.iter();
    let mut answers = Vec::new();
    for _ in 0..length {
        tree.check_open().unwrap();
        let draw = &mut || Ok(Integer::from(*noise.next().unwrap()));
        tree.push(vec![item(&answers).into()], draw).unwrap();
        answers.push(tree.sums()[0].to_i64().unwrap());
    }
    assert!(noise.next().is_none() && tree.check_open().is_err(), "one draw for each item");
    answers
}

/// Each block's noise is drawn once, when its last item comes, and every response is made of the same draws.
#[test]
fn an_answer_is_the_sum_of_the_blocks_of_the_binary_digits_of_the_time() {
    let noise: Vec<i64> = (0..62).map(|bit| 1 << bit).collect();
    for (time, answer) in (1u64..).zip(answers(62, &|_| 0, &noise)) {
        let mut blocks = 0;
        let mut end = time;
        while end > 0 {
            blocks |= 1i64 << (end - 1);
            end &= end - 1; // without the last block
        }
        assert_eq!(answer, blocks, "at time {time}");
    }
}

// --------------------------------------------------------------------------------------------------------- the privacy

/// A stream of two: at `place` it has the item 0 or 1, as given; elsewhere items from `rest`, turned around after a
/// response above 0.
fn stream(place: usize, item: i64, rest: u32) -> impl Fn(&[i64]) -> i64 {
    move |answers| {
        let turned = i64::from(answers.last().is_some_and(|last| *last > 0));
        if answers.len() == place { item } else { i64::from(rest >> answers.len() & 1) ^ turned }
    }
}

/// All vectors of `length` integers of size at most `reach`.
fn grid(length: usize, reach: i64) -> Vec<Vec<i64>> {
    (0..length).fold(vec![Vec::new()], |vectors, _| {
        let longer = |vector: Vec<i64>| (-reach..=reach).map(move |z| [vector.clone(), vec![z]].concat());
        vectors.into_iter().flat_map(longer).collect()
    })
}

type Answered<'a> = dyn Fn(usize, &dyn Fn(&[i64]) -> i64, &[i64]) -> Vec<i64> + 'a;

/// The greatest log-ratio over all events and all pairs of streams of `length` that differ in one item, in units of
/// 1 / scale: exact, for the weight of noise z is `exp(-|z| / scale)`. An event that only one stream has is infinite.
fn greatest_ratio(length: usize, answer: &Answered) -> i64 {
    const REACH: i64 = 4;
    let mut greatest = 0;
    for (place, rest) in (0..length).flat_map(|place| (0..1u32 << length).map(move |rest| (place, rest))) {
        let by_answers = |item| -> BTreeMap<Vec<i64>, i64> {
            let stream = stream(place, item, rest);
            let exponent = |noise: &[i64]| noise.iter().map(|z| z.abs()).sum();
            grid(length, REACH).iter().map(|noise| (answer(length, &stream, noise), exponent(noise))).collect()
        };
        let (x, y) = (by_answers(0), by_answers(1));
        // Responses are in one-to-one correspondence with noise.
        assert_eq!(x.len(), grid(length, REACH).len());
        // A move by one in each draw stays on the grid.
        let inner = |noise: &&Vec<i64>| noise.iter().all(|z| z.abs() < REACH);
        for noise in grid(length, REACH).iter().filter(inner) {
            for (one, other, item) in [(&x, &y, 0), (&y, &x, 1)] {
                let event = answer(length, &stream(place, item, rest), noise);
                let (p, q) = (one[&event], other.get(&event).copied().unwrap_or(i64::MAX / 2));
                greatest = greatest.max((q - p).abs());
            }
        }
    }
    greatest
}

#[test]
fn no_event_is_likelier_than_the_map_says_for_streams_that_differ_in_one_item() {
    for length in 1..=4usize {
        let horizon = u32::try_from(length).unwrap();
        let claimed = running((0, 1), MaxDivergence, horizon, 1.0).map(&1).unwrap();
        // The map is attained: a smaller one would fail.
        assert_eq!(float(greatest_ratio(length, &answers)), claimed, "{length}");
    }
    let claimed = 3;
    // Negative controls: noise on each running sum of its own, with the scale of blocks; a block whose noise is left
    // out.
    let fresh = |length: usize, item: &dyn Fn(&[i64]) -> i64, noise: &[i64]| {
        let (mut sum, mut answers) = (0, Vec::new());
        for z in &noise[..length] {
            sum += item(&answers);
            answers.push(sum + z);
        }
        answers
    };
    assert!(greatest_ratio(4, &fresh) > claimed);
    let shifted = |length: usize, item: &dyn Fn(&[i64]) -> i64, noise: &[i64]| {
        // Block sums of both neighbors, without noise on the first item but one for each response besides.
        let mut answers = self::answers(length, item, &[&[0], &noise[1..]].concat());
        answers.push(noise[0]);
        answers
    };
    assert!(greatest_ratio(3, &shifted) > claimed, "infinite");
}

/// Renyi divergences of the responses of streams of 2 and 3 items under discrete Gaussian noise, summed over all noise
/// of any weight.
#[test]
fn renyi_divergences_are_within_rho_times_their_order() {
    let (scale, reach) = (1.5, 20);
    let weight = |noise: &[i64]| (-noise.iter().map(|z| float(z * z)).sum::<f64>() / (2.0 * scale * scale)).exp();
    for length in [2usize, 3] {
        let grid = grid(length, reach);
        let total: f64 = grid.iter().map(|noise| weight(noise)).sum();
        let rho = running((0, 1), ZeroConcentratedDivergence, u32::try_from(length).unwrap(), scale).map(&1).unwrap();
        let mut greatest = 0f64;
        for (place, rest) in [(0, 0), (0, 0b111), (1, 0b010), (length - 1, 0)] {
            let law = |item| -> BTreeMap<Vec<i64>, f64> {
                let stream = stream(place, item, rest);
                grid.iter().map(|noise| (answers(length, &stream, noise), weight(noise) / total)).collect()
            };
            let (x, y) = (law(0), law(1));
            for alpha in [1.01f64, 2.0, 8.0] {
                let moment: f64 =
                    x.iter().filter_map(|(event, p)| Some(p * (p / y.get(event)?).powf(alpha - 1.0))).sum();
                let divergence = moment.ln() / (alpha - 1.0);
                assert!(divergence <= alpha * rho + 1e-9, "{length} {place} {alpha}: {divergence} {rho}");
                greatest = greatest.max(divergence / (alpha * rho));
            }
        }
        assert!(greatest > 0.99, "the map is attained: {greatest}");
    }
}

/// The noise of a block has the distribution that the map speaks of. Hoeffding at 1e-10 for each of 13 comparisons, a
/// fixed seed.
#[test]
fn the_noise_of_a_block_has_its_scale() {
    let (scale, runs) = (2.0f64, 100_000u32);
    let measurement = running((0, 1), MaxDivergence, 1, scale);
    let mut entropy = SeededEntropy::new(23);
    let mut seen = BTreeMap::new();
    for _ in 0..runs {
        let queryable = measurement.invoke_with(&[], &mut entropy).unwrap();
        let answer = queryable.eval_with(&1, &mut entropy).unwrap();
        *seen.entry(i64::try_from(answer).unwrap() - 1).or_insert(0.0) += 1.0 / f64::from(runs);
    }
    let bound = (f64::ln(2e10) / (2.0 * f64::from(runs))).sqrt();
    let gap = |scale: f64| {
        let r = (-1.0 / scale).exp();
        let p = |z: i64| (1.0 - r) / (1.0 + r) * r.powf(float(z.abs()));
        (-6..=6).map(|z| (p(z) - seen.get(&z).copied().unwrap_or(0.0)).abs()).fold(0.0, f64::max)
    };
    assert!(gap(scale) < bound);
    assert!(gap(scale * 1.1) > bound, "a control: another scale");
}

// -------------------------------------------------------------------------------------------------------- the accuracy

/// At epsilon 1 and the worst time, all of whose binary digits are 1, the standard deviation is `sqrt(2 L) L`: it grows
/// like the horizon's logarithm to the power 1.5. 400 runs with a fixed seed.
#[test]
fn the_error_grows_like_the_logarithm_to_the_power_one_and_a_half() {
    let mut entropy = SeededEntropy::new(29);
    for levels in [2u32, 5, 8, 11] {
        let horizon = (1 << levels) - 1;
        let measurement = running((0, 1), MaxDivergence, horizon, f64::from(levels));
        assert_eq!(measurement.map(&1), Ok(1.0));
        let mut squares = 0.0;
        for _ in 0..400 {
            let queryable = measurement.invoke_with(&[], &mut entropy).unwrap();
            let last =
                (0..horizon).map(|i| queryable.eval_with(&i64::from(i % 2), &mut entropy).unwrap()).last().unwrap();
            squares += float(i64::try_from(last).unwrap() - i64::from(horizon / 2)).powi(2) / 400.0;
        }
        let predicted = 2f64.sqrt() * f64::from(levels).powf(1.5);
        let ratio = squares.sqrt() / predicted;
        assert!((0.85..1.15).contains(&ratio), "{levels} levels: {ratio}");
    }
}

// --------------------------------------------------------------------------------------------------- map and
// parameters

#[test]
fn the_map_is_rounded_up() {
    let laplace = |horizon, scale| running((-2, 1), MaxDivergence, horizon, scale);
    assert_eq!(
        (laplace(1, 3.0).map(&1), laplace(8, 3.0).map(&1), laplace(7, 3.0).map(&2)),
        (Ok(1.0), Ok(4.0), Ok(6.0))
    );
    assert_eq!(
        (laplace(8, 3.0).map(&0), laplace(8, 0.0).map(&0), laplace(8, 0.0).map(&1)),
        (Ok(0.0), Ok(0.0), Ok(f64::INFINITY))
    );
    assert_eq!(laplace(u32::MAX, 3.0).map(&1), Ok(32.0));
    assert!(laplace(1, 9.0).map(&1).unwrap() > 1.0 / 3.0);
    let gaussian = running((-2, 1), ZeroConcentratedDivergence, 8, 3.0);
    assert_eq!((gaussian.map(&1), gaussian.map(&3)), (Ok(2.0), Ok(18.0)));
    assert_eq!(running((4, 4), MaxDivergence, 8, 0.0).map(&5), Ok(0.0));
    let vectors = VectorDomain::new(AtomDomain::u8().with_bounds((0, 1)).unwrap()).with_size(5);
    let vectors = make_tree_aggregation(VectorDomain::new(vectors), HammingDistance, MaxDivergence, 4, 1.0).unwrap();
    assert_eq!(vectors.map(&1), Ok(15.0));
    let wide = VectorDomain::new(AtomDomain::u64().with_bounds((0, u64::MAX)).unwrap());
    let wide = make_tree_aggregation(wide, HammingDistance, MaxDivergence, 1, 1.0).unwrap();
    assert_eq!(wide.map(&1), Ok(2f64.powi(64)), "2^64 - 1 rounds up");
}

#[test]
fn bad_parameters_are_named() {
    let bits = || AtomDomain::i64().with_bounds((0, 1)).unwrap();
    let named = |items: VectorDomain<AtomDomain<i64>>, horizon, scale| {
        make_tree_aggregation(items, HammingDistance, MaxDivergence, horizon, scale).unwrap_err().kind()
    };
    assert_eq!(named(VectorDomain::new(bits()), 0, 1.0), ErrorKind::Parameter("horizon"));
    assert_eq!(named(VectorDomain::new(bits()).with_size(4), 4, 1.0), ErrorKind::Parameter("input_domain"));
    assert_eq!(named(VectorDomain::new(AtomDomain::i64()), 4, 1.0), ErrorKind::Parameter("input_domain"));
    for scale in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(named(VectorDomain::new(bits()), 4, scale), ErrorKind::Parameter("scale"));
    }
    let wide = VectorDomain::new(VectorDomain::new(bits()).with_size(usize::MAX));
    let error = make_tree_aggregation(wide, HammingDistance, MaxDivergence, 4, 1.0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
    let unsized_items = VectorDomain::new(VectorDomain::new(bits()));
    let error = make_tree_aggregation(unsized_items, HammingDistance, MaxDivergence, 4, 1.0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
}

/// Queries to it may depend on other releases, so that it composes only where that is allowed.
#[test]
fn running_sums_are_a_conversation() {
    assert!(running((0, 1), MaxDivergence, 4, 1.0).is_interactive());
}
