//! Histograms of unknown keys: deltas against exact truths, distributions of all small maps against the privacy map,
//! releases against their distribution. Each check has a negative control that it rejects: a delta for `>` where the
//! code keeps by `>=`.

use indistinct::{numeric::gmp::Rational, prelude::*, sampling::testing::SeededEntropy};
use indistinct_tests::{covers, decimal, vectors};
use std::collections::BTreeMap;

type D = (u32, f64, f64);
type Counts = BTreeMap<u32, i64>;

fn maps() -> MapDomain<u32, AtomDomain<i64>> {
    MapDomain::new(AtomDomain::u32(), AtomDomain::i64())
}

fn laplace(
    scale: f64,
    threshold: i64,
) -> Measurement<MapDomain<u32, AtomDomain<i64>>, Counts, L01InfDistance, Approximate<MaxDivergence>> {
    make_laplace_threshold(maps(), L01InfDistance, scale, threshold).unwrap()
}

fn gaussian(
    scale: f64,
    threshold: i64,
) -> Measurement<MapDomain<u32, AtomDomain<i64>>, Counts, L02InfDistance, Approximate<ZeroConcentratedDivergence>> {
    make_gaussian_threshold(maps(), L02InfDistance, scale, threshold).unwrap()
}

#[test]
fn threshold_vectors() {
    let (mut run, mut naive_below) = (0, 0);
    for (name, vector) in vectors("thresholding").into_iter().filter(|(_, vector)| vector["threshold"].is_string()) {
        let threshold: i64 = vector["threshold"].as_str().unwrap().parse().unwrap();
        let number = |key: &str| u32::try_from(vector[key].as_u64().unwrap()).unwrap();
        let (keys, greatest) = (number("l0"), f64::from(number("linf")));
        let d_in = (keys, f64::from(keys) * greatest, greatest);
        let map = |threshold: i64| match vector["law"].as_str().unwrap() {
            "discrete Laplace" => {
                laplace(vector["scale"].as_str().unwrap().parse().unwrap(), threshold).map(&d_in).unwrap().1
            }
            "discrete Gaussian sigma^2=1" => gaussian(1.0, threshold).map(&d_in).unwrap().1,
            "discrete Gaussian sigma^2=9" => gaussian(3.0, threshold).map(&d_in).unwrap().1,
            other => panic!("no law {other}"),
        };
        let delta = map(threshold);
        if name == "threshold_below_linf" {
            // P(3 + Z >= 1) = 1 - P(Z >= 3) for scale 1; the formula for positive gaps would say exp(2) / (1 +
            // exp(-1)).
            assert!((0.5..=1.0).contains(&delta) && delta >= 1.0 - (-3f64).exp() / (1.0 + (-1f64).exp()), "{delta}");
            // The negative control takes the formula of positive gaps, and its probability is above 1.
            let (gap, ratio) = (f64::from(i32::try_from(threshold).unwrap()) - greatest, (-1f64).exp());
            let tail = |gap: f64| ratio.powf(gap) / (1.0 + ratio);
            assert!(!(0.5..=1.0).contains(&tail(gap)), "no power");
            continue;
        }
        let truth = decimal(&vector["delta"]);
        let allowed = vector["naive"].get("union bound l0*d1 (allowed, larger)").map_or(truth.clone(), decimal);
        assert!(covers(delta, &truth), "{name}: {delta:e}");
        assert!(!covers(delta / (1.0 + 1e-9), &allowed), "{name}: {delta:e}");
        // The negative controls: the vector's, and this code's own delta for the stricter rule.
        let naive = decimal(&vector["naive"]["strict tail"]);
        naive_below += u32::from(naive < truth && !covers(map(threshold + 1), &truth));
        run += 1;
    }
    assert!(run == 5 && naive_below == 5, "{run} vectors, of which {naive_below} reject a strict tail");
}

// --------------------------------------------------------------------------------------------- distributions, by their
// definition

/// Noise beyond this size has, at the scales used here, a probability below 1e-17.
const REACH: i32 = 45;

/// The distribution of what is released of one key: nothing, or one of the numbers from the threshold to some 45 above.
fn law(weight: Weight, threshold: i32, count: i32) -> Vec<f64> {
    let total: f64 = (-REACH..=REACH).map(|z| weight(z.into())).sum();
    let mut law = vec![0.0; usize::try_from(REACH).unwrap() + 20];
    if count == 0 {
        law[0] = 1.0;
        return law;
    }
    for z in -REACH..=REACH {
        let kept = usize::try_from(count + z - threshold + 1).unwrap_or(0);
        law[kept] += weight(z.into()) / total;
    }
    law
}

/// The weights of the integers under noise of scale 1.
type Weight = fn(f64) -> f64;
const LAPLACE: Weight = |z| (-z.abs()).exp();
const GAUSSIAN: Weight = |z| (-z * z / 2.0).exp();

/// The counts of some keys, and the distribution of each.
type Keys<'a> = (Vec<i32>, Vec<&'a Vec<f64>>);

/// All maps from `keys` keys to these counts.
fn all_maps<'a>(keys: u32, laws: &'a BTreeMap<i32, Vec<f64>>) -> Vec<Keys<'a>> {
    (0..keys).fold(vec![(Vec::new(), Vec::new())], |all: Vec<Keys<'a>>, _| {
        let extended = all.iter().flat_map(|(counts, parts)| {
            laws.iter()
                .map(move |(&count, law)| ([counts.as_slice(), &[count]].concat(), [parts.as_slice(), &[law]].concat()))
        });
        extended.collect()
    })
}

/// The distance between two maps; the norm is in L1, or squared in L2.
fn distance(x: &[i32], y: &[i32], power: i32) -> D {
    let sizes: Vec<f64> = x.iter().zip(y).map(|(a, b)| f64::from((a - b).abs())).collect();
    let keys = sizes.iter().filter(|&&size| size > 0.0).count();
    let norm = sizes.iter().map(|size| size.powi(power)).sum();
    (u32::try_from(keys).unwrap(), norm, sizes.iter().copied().fold(0.0, f64::max))
}

/// The sum over all joint outcomes of `max(0, P - e^epsilon Q)`.
fn hockey_stick(p: &[&Vec<f64>], q: &[&Vec<f64>], (mass_p, mass_q): (f64, f64)) -> f64 {
    let (Some((first_p, rest_p)), Some((first_q, rest_q))) = (p.split_first(), q.split_first()) else {
        return (mass_p - mass_q).max(0.0);
    };
    let outcomes = first_p.iter().zip(first_q.iter()).filter(|(a, _)| **a > 0.0);
    outcomes.map(|(a, b)| hockey_stick(rest_p, rest_q, (mass_p * a, mass_q * b))).sum()
}

/// Whether every pair of these maps is as close as `map` says, and the greatest ratio of the truth to the claim.
fn worst_ratio(keys: u32, laws: &BTreeMap<i32, Vec<f64>>, map: impl Fn(&D) -> (f64, f64)) -> f64 {
    let all = all_maps(keys, laws);
    let mut worst = 0f64;
    for (x, p) in &all {
        for (y, q) in &all {
            let (epsilon, delta) = map(&distance(x, y, 1));
            let truth = hockey_stick(p, q, (1.0, epsilon.exp()));
            // Rounding in this sum is below 1e-13.
            worst = worst.max(if truth < 1e-12 { 0.0 } else { truth / delta });
        }
    }
    worst
}

#[test]
fn every_pair_of_small_maps_is_within_the_map_of_laplace() {
    let table = |threshold, counts: &[i32]| -> BTreeMap<i32, Vec<f64>> {
        counts.iter().map(|&count| (count, law(LAPLACE, threshold, count))).collect()
    };
    // Two keys with several counts; three keys that come and go, whose deltas add up.
    for (keys, counts) in [(2, vec![0, 1, 2, 3, 7]), (3, vec![0, 1])] {
        let laws = table(4, &counts);
        let ratio = worst_ratio(keys, &laws, |d| laplace(1.0, 4).map(d).unwrap());
        assert!(ratio <= 1.0 + 1e-10, "{keys} keys: {ratio}");
        assert!(ratio >= 1.0 - 1e-10, "{keys} keys: the map is attained: {ratio}");
        // Negative controls: the delta of the rule `>`, and that of a single key.
        let strict = worst_ratio(keys, &laws, |d| laplace(1.0, 5).map(d).unwrap());
        assert!(strict > 2.0, "{keys} keys: {strict}");
        let single = |&(keys, norm, greatest): &D| laplace(1.0, 4).map(&(keys.min(1), norm, greatest)).unwrap();
        let single = worst_ratio(keys, &laws, single);
        assert!(single > 1.5, "{keys} keys: {single}");
    }
}

/// The Renyi divergence of order alpha, without what underflows, which can only add to it.
fn renyi(p: &[f64], q: &[f64], alpha: f64) -> f64 {
    let terms = p.iter().zip(q).filter(|(a, b)| **a > 1e-300 && **b > 1e-300);
    let logs: Vec<f64> = terms.map(|(a, b)| alpha * a.ln() + (1.0 - alpha) * b.ln()).collect();
    let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (greatest + logs.iter().map(|log| (log - greatest).exp()).sum::<f64>().ln()) / (alpha - 1.0)
}

/// The greatest ratios to the claims of: the probability that a key of one map alone appears, and the Renyi divergence
/// over its order when none does, for every pair of maps of two keys.
fn worst_gaussian_ratios(threshold: i32, map: impl Fn(&D) -> (f64, f64)) -> (f64, f64) {
    let laws: BTreeMap<i32, Vec<f64>> =
        [0, 1, 2, 9, 10].into_iter().map(|count| (count, law(GAUSSIAN, threshold, count))).collect();
    let all = all_maps(2, &laws);
    let (mut appears, mut diverges) = (0f64, 0f64);
    for (x, p) in &all {
        for (y, q) in &all {
            let (keys, square, greatest) = distance(x, y, 2);
            if keys == 0 {
                continue;
            }
            // The root may round down, by less than the tolerance.
            let (rho, delta) = map(&(keys, square.sqrt(), greatest));
            let pairs = || x.iter().zip(y).zip(p.iter().zip(q));
            let alone: f64 = pairs().filter(|((_, b), _)| **b == 0).map(|(_, (law, _))| law[0]).product();
            appears = appears.max((1.0 - alone) / delta);
            for alpha in [1.01, 2.0, 8.0, 64.0] {
                let common = pairs().filter(|((a, b), _)| **a > 0 && **b > 0);
                let total: f64 = common.map(|(_, (p, q))| renyi(p, q, alpha)).sum();
                diverges = diverges.max(total / (alpha * rho));
            }
        }
    }
    (appears, diverges)
}

#[test]
fn every_pair_of_small_maps_is_within_the_map_of_gaussian() {
    let map = |threshold| move |d: &D| gaussian(1.0, threshold).map(d).unwrap();
    let (appears, diverges) = worst_gaussian_ratios(4, map(4));
    assert!(appears <= 1.0 + 1e-9 && diverges <= 1.0 + 1e-9, "{appears} {diverges}");
    assert!(appears >= 1.0 - 1e-9 && diverges >= 0.99, "the map is attained: {appears} {diverges}");
    let (strict, _) = worst_gaussian_ratios(4, map(5));
    assert!(strict > 2.0, "{strict}");
    let (_, less) = worst_gaussian_ratios(4, |d| {
        let (rho, delta) = gaussian(1.0, 4).map(d).unwrap();
        (rho * 0.9, delta)
    });
    assert!(less > 1.05, "{less}");
}

// -------------------------------------------------------------------------------------------- releases, by their
// frequency

/// How far the number of successes among n may be from `n p`: beyond, the probability is below 1e-10 (Bernstein).
fn band(n: f64, p: f64) -> f64 {
    let log = 2e10f64.ln();
    log / 3.0 + (log * log / 9.0 + 2.0 * n * p * (1.0 - p) * log).sqrt()
}

/// A million keys with one row each, in one release: how many are kept, and how many with the threshold itself, is as
/// likely as the distribution says. False alarms: four comparisons, each below 1e-10, with a fixed seed.
#[test]
fn keys_of_one_row_survive_as_often_as_their_law_says() {
    let n = 1_000_000;
    let keys: Counts = (0..n).map(|key| (key, 1)).collect();
    let mut entropy = SeededEntropy::new(20261121);
    for (weight, threshold, released) in [
        (LAPLACE, 5, laplace(1.0, 5).invoke_with(&keys, &mut entropy).unwrap()),
        (GAUSSIAN, 3, gaussian(1.0, 3).invoke_with(&keys, &mut entropy).unwrap()),
    ] {
        assert!(released.iter().all(|(key, number)| *key < n && *number >= threshold));
        let law = law(weight, i32::try_from(threshold).unwrap(), 1);
        let frequency = |successes: usize, p: f64| {
            let n = f64::from(n);
            (f64::from(u32::try_from(successes).unwrap()) - n * p).abs() <= band(n, p)
        };
        let at_threshold = released.values().filter(|&&number| number == threshold).count();
        assert!(frequency(released.len(), 1.0 - law[0]) && frequency(at_threshold, law[1]));
        // Negative controls: the rate of `>`, and of a threshold one lower.
        assert!(!frequency(released.len(), 1.0 - law[0] - law[1]) && !frequency(at_threshold, law[2]));
        let lower = survival_of_lower_threshold(weight, threshold);
        assert!(!frequency(released.len(), lower));
    }
}

/// How often a key of one row survives a threshold one lower.
fn survival_of_lower_threshold(weight: Weight, threshold: i64) -> f64 {
    1.0 - law(weight, i32::try_from(threshold).unwrap() - 1, 1)[0]
}

/// The vector `empty_partition_never_public`: ten million chances for keys with the number 0, with noise far above the
/// threshold, and one key with a row among them that does appear.
#[test]
fn a_key_without_rows_never_appears() {
    let vector = &vectors("thresholding")["empty_partition_never_public"];
    assert!(vector["pass"].as_str().unwrap().contains("0 appearances"));
    let mut counts: Counts = (0..100_000).map(|key| (key, 0)).collect();
    counts.insert(7, 1);
    let (laplace, gaussian) = (laplace(50.0, 1), gaussian(50.0, 1));
    let (mut entropy, mut appeared) = (SeededEntropy::new(7), 0);
    for _ in 0..50 {
        for release in [laplace.invoke_with(&counts, &mut entropy), gaussian.invoke_with(&counts, &mut entropy)] {
            let release = release.unwrap();
            assert!(release.keys().all(|&key| key == 7));
            appeared += release.len();
        }
    }
    // Half of a hundred, give or take 6.5 deviations of 5: false alarm below 1e-9, with a fixed seed.
    assert!((17..=83).contains(&appeared), "{appeared}");
    // The negative control adds noise to the number of every key of a list, and keeps those that reach the threshold.
    let noise = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 50.0).unwrap();
    let kept = (0..100).filter(|_| noise.invoke_with(&0, &mut entropy).unwrap() >= 1).count();
    assert!(kept > 20, "no power");
}

#[test]
fn reported_deltas_are_never_below_the_rate_of_survival() {
    // Every gap and greatest change of a small size, and up to four keys: the exact probability that any appears.
    for threshold in 1..12 {
        for greatest in 1..12 {
            for keys in 1..5u32 {
                let d_in = (keys, f64::from(keys) * f64::from(greatest), f64::from(greatest));
                for (weight, delta) in [
                    (LAPLACE, laplace(1.0, threshold.into()).map(&d_in).unwrap().1),
                    (GAUSSIAN, gaussian(1.0, threshold.into()).map(&d_in).unwrap().1),
                ] {
                    // All smaller counts survive less often.
                    let survive = |count| law(weight, threshold, count)[1..].iter().sum::<f64>();
                    let greatest_survival = (1..=greatest).map(survive).fold(0.0, f64::max);
                    assert!((greatest_survival - survive(greatest)).abs() < 1e-12);
                    let truth = -f64::exp_m1(f64::from(keys) * f64::ln_1p(-greatest_survival.min(1.0)));
                    assert!(delta >= truth * (1.0 - 1e-10), "{threshold} {d_in:?}: {delta:e} {truth:e}");
                    // Above one half the bound is 1, and below it is tight.
                    assert!(greatest >= threshold || delta <= truth * (1.0 + 1e-9), "{threshold} {d_in:?}");
                }
            }
        }
    }
    assert!(covers(laplace(1.0, 3).map(&(1, 3.0, 3.0)).unwrap().1, &Rational::from(1)));
}

/// How many keys are released of 50,000 of which the i-th has 50,000 / i individuals, at the same (epsilon, delta) and
/// so many keys an individual: alone, and with noisy numbers above a Laplace threshold. `cargo test -p indistinct-tests
/// more_keys -- --nocapture` prints the numbers that the documentation of `make_select_keys` states.
#[test]
fn more_keys_are_released_alone() {
    let counts: Counts = (1u32..=50_000).map(|i| (i, i64::from(50_000 / i))).collect();
    let mut entropy = SeededEntropy::new(11);
    for (epsilon, delta, keys) in [(1.0, 1e-5, 1u32), (1.0, 1e-10, 1), (0.1, 1e-5, 1), (3.0, 1e-5, 1), (1.0, 1e-5, 10)]
    {
        let (d_in, d_out) = ((keys, f64::from(keys), 1.0), (epsilon, delta));
        let scale = smallest_scale(|scale| Ok(laplace(scale, 1 << 60)), &d_in, &(epsilon, 1.0)).unwrap();
        let check = |threshold| laplace(scale, threshold).check(&d_in, &d_out);
        let noisy = laplace(scale, indistinct::search::smallest((1, 1 << 60), check).unwrap());
        let share = |whole: f64| whole / f64::from(keys) * (1.0 - 1e-15);
        let alone = make_select_keys(maps(), L01InfDistance, (share(epsilon), share(delta)), 1).unwrap();
        assert!(alone.check(&d_in, &d_out).unwrap());
        let numbers = f64::from(u32::try_from(noisy.invoke_with(&counts, &mut entropy).unwrap().len()).unwrap());
        let released = f64::from(u32::try_from(alone.invoke_with(&counts, &mut entropy).unwrap().len()).unwrap());
        println!("epsilon {epsilon}, delta {delta:e}, {keys} keys each: {released} alone, {numbers} with numbers");
        // Deviations of either are below 70.
        assert!(released > numbers * 1.01, "{released} {numbers}");
    }
}
