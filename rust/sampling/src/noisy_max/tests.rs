use super::{
    Score, SelectionNoise,
    first_digits::{FIRST_BITS, highest_noise},
    noisy_top_k,
    top_k::{greatest, noisy_top_k_from},
};
use crate::{
    Entropy,
    testing::SeededEntropy,
    widths::{Few, Full, Widths},
};
use indistinct_numeric::Dyadic;
use rug::Rational;

/// How often each position wins in `draws` draws.
fn wins<W: Widths, S: Score>(scores: &[S], scale: f64, noise: SelectionNoise, draws: u32) -> Vec<f64> {
    let mut entropy = SeededEntropy::new(11);
    let mut wins = vec![0.0; scores.len()];
    for _ in 0..draws {
        wins[noisy_top_k_from::<W, S>(scores, 1, scale, noise, &mut entropy).unwrap()[0]] += 1.0 / f64::from(draws);
    }
    wins
}

/// A deviation that a share of `draws` exceeds with probability below 1e-9 (Hoeffding).
fn bound(draws: u32) -> f64 {
    (f64::ln(2e9) / (2.0 * f64::from(draws))).sqrt()
}

#[test]
fn gumbel_noise_gives_the_exponential_mechanism() {
    let scores = [0i64, 1, 2, 2, -3];
    let weights = scores.map(|score| f64::from(i32::try_from(score).unwrap()).exp());
    let total: f64 = weights.iter().sum();
    let check = |wins: Vec<f64>, bound: f64| {
        wins.iter().zip(weights).all(|(share, weight)| (share - weight / total).abs() < bound)
    };
    assert!(check(wins::<Full, _>(&scores, 1.0, SelectionNoise::Gumbel, 300_000), bound(300_000)));
    assert!(check(wins::<Few, _>(&scores, 1.0, SelectionNoise::Gumbel, 2_000), bound(2_000)));
    // A negative control: exponential noise has another distribution, permute-and-flip's.
    assert!(!check(wins::<Full, _>(&scores, 1.0, SelectionNoise::Exponential, 300_000), bound(300_000)));
}

#[test]
fn scores_of_every_type_lie_between_their_bounds() {
    fn check<S: Score>(score: S, truth: Rational) {
        let (low, high) = score.bounds();
        assert!(score.exact() == truth && low <= truth && truth <= high && high <= low.next_up().next_up(), "{truth}");
    }
    for x in [0i8, 1, -1, 100, -128, 127] {
        check(x, Rational::from(x));
        check(i64::from(x), Rational::from(x));
        check(f32::from(x) / 8.0, Rational::from((x, 8)));
        check(Dyadic::new(x, -3).unwrap(), Rational::from((x, 8)));
    }
    for x in [i64::MIN, i64::MAX, (1 << 53) + 1, -(1 << 60) - 3] {
        check(x, Rational::from(x));
        check(Dyadic::new(x, -70).unwrap(), Rational::from(x) >> 70u32);
    }
    check(u64::MAX, Rational::from(u64::MAX));
}

#[test]
fn the_greatest_are_found_whatever_their_order() {
    let mut state = 1u64;
    for size in 0..12usize {
        let mut word = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i64::try_from(state >> 34).unwrap()
        };
        let scores: Vec<i64> = (0..size).map(|_| word()).collect();
        for k in 0..14 {
            let found = greatest(&scores, k);
            let least = found.iter().map(|position| scores[*position]).min();
            assert!(found.len() == k.min(size) && found.is_sorted_by(|one, other| one < other));
            assert_eq!(scores.iter().filter(|score| Some(**score) >= least && least.is_some()).count(), k.min(size));
        }
    }
}

/// Noise falls with the digits of an exponential draw, and rises with those of a Gumbel one.
#[test]
fn the_highest_noise_is_that_of_the_last_digits() {
    for (bits, scale) in (1..=FIRST_BITS).flat_map(|bits| [1.0, 2.5].map(|scale| (bits, scale))) {
        let cells = 2f64.powi(bits.cast_signed());
        let exponential = highest_noise(SelectionNoise::Exponential, scale, bits);
        let gumbel = highest_noise(SelectionNoise::Gumbel, scale, bits);
        assert!(exponential.len() == 1 << bits && gumbel.len() == exponential.len());
        for (digits, (one, other)) in (0u32..).zip(exponential.iter().zip(&gumbel)) {
            let truth = [-(f64::from(digits) / cells).ln(), -(-(f64::from(digits + 1) / cells).ln()).ln()];
            for (bound, truth) in [*one, *other].into_iter().zip(truth.map(|z| z * scale)) {
                let close = (bound - truth).abs() < 1e-12 * (1.0 + truth.abs());
                assert!(close || bound == f64::INFINITY && truth == f64::INFINITY, "{bits} {digits} {bound} {truth}");
            }
        }
    }
}

#[test]
fn exponential_noise_gives_permute_and_flip() {
    // Of two scores x apart the better one wins with probability 1 - exp(-x) / 2.
    for (scale, gap) in [(1.0, 1.0), (100.0, 50.0), (0.5, 0.25)] {
        let truth = 1.0 - f64::exp(-gap / scale) / 2.0;
        let share = wins::<Full, _>(&[0.0, gap], scale, SelectionNoise::Exponential, 300_000)[1];
        assert!((share - truth).abs() < bound(300_000), "{scale} {gap}: {share} {truth}");
        let share = wins::<Few, _>(&[0.0, gap], scale, SelectionNoise::Exponential, 2_000)[1];
        assert!((share - truth).abs() < bound(2_000), "{scale} {gap}: {share} {truth}");
    }
}

/// Every order of three has the probability of its peeling: the first by the exponential mechanism, the second by
/// the same among the others.
#[test]
fn the_order_of_the_greatest_is_that_of_peeling() {
    let scores = [0.5f64, 0.0, 1.25];
    let draws = 300_000;
    let mut entropy = SeededEntropy::new(12);
    let mut shares = std::collections::BTreeMap::new();
    for _ in 0..draws {
        let order = noisy_top_k(&scores, 2, 1.0, SelectionNoise::Gumbel, &mut entropy).unwrap();
        *shares.entry((order[0], order[1])).or_insert(0.0) += 1.0 / f64::from(draws);
    }
    let weights = scores.map(f64::exp);
    let total: f64 = weights.iter().sum();
    for ((first, second), share) in shares {
        let truth = weights[first] / total * weights[second] / (total - weights[first]);
        assert!((share - truth).abs() < bound(draws), "{first} {second}: {share} {truth}");
    }
}

/// Sorting and insertion agree: with noise far below the gaps, the order is that of the scores.
#[test]
fn many_are_sorted_as_few_are_inserted() {
    let scores: Vec<f64> = (0..1000u32).map(|i| f64::from((i * 617) % 1000)).collect();
    let mut truth: Vec<usize> = (0..1000).collect();
    truth.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    for k in [1, 64, 65, 500, 1000] {
        for noise in [SelectionNoise::Gumbel, SelectionNoise::Exponential] {
            let order = noisy_top_k(&scores, k, 1e-3, noise, &mut SeededEntropy::new(13)).unwrap();
            assert_eq!(order, truth[..k], "{k}");
        }
    }
    // And with equal scores, each position comes first as often as any other.
    let mut entropy = SeededEntropy::new(14);
    let mut first = vec![0f64; 100];
    for _ in 0..5_000 {
        first[noisy_top_k(&[0u8; 100], 99, 1.0, SelectionNoise::Gumbel, &mut entropy).unwrap()[0]] += 1.0 / 5_000.0;
    }
    assert!(first.iter().all(|share| (share - 0.01).abs() < 0.01), "{first:?}");
}

#[test]
fn all_positions_come_once() {
    let scores: Vec<i64> = (0..60).map(|i| (i * 37) % 11).collect();
    for (noise, seed) in
        [SelectionNoise::Gumbel, SelectionNoise::Exponential].into_iter().flat_map(|n| (0..20).map(move |s| (n, s)))
    {
        let mut order = noisy_top_k(&scores, 100, 2.0, noise, &mut SeededEntropy::new(seed)).unwrap();
        order.sort_unstable();
        assert_eq!(order, (0..60).collect::<Vec<_>>());
        assert_eq!(noisy_top_k(&scores, 7, 2.0, noise, &mut SeededEntropy::new(seed)).unwrap().len(), 7);
    }
}

#[test]
fn ties_at_scale_zero_and_special_scores() {
    let top = |scores: &[f64], k| noisy_top_k(scores, k, 0.0, SelectionNoise::Gumbel, &mut SeededEntropy::new(1));
    assert_eq!(top(&[1.0, 3.0, 3.0, 2.0], 3), Ok(vec![1, 2, 3]));
    assert_eq!(top(&[f64::NAN, f64::NEG_INFINITY, f64::INFINITY, f64::MAX], 4), Ok(vec![2, 3, 0, 1]));
    assert_eq!((top(&[], 1), top(&[1.0], 0)), (Ok(vec![]), Ok(vec![])));
    let noisy =
        |scores: &[f64], scale| noisy_top_k(scores, 1, scale, SelectionNoise::Gumbel, &mut SeededEntropy::new(1));
    assert_eq!(noisy(&[f64::NEG_INFINITY, f64::INFINITY, 0.0], 1e300), Ok(vec![1]));
    assert_eq!(noisy(&[f64::NAN, 0.0], 5e-324), Ok(vec![1]));
    assert!(noisy(&[f64::MAX; 5], f64::MAX).is_ok());
    for scale in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(noisy(&[1.0], scale).is_err());
    }
    let large = [i64::MAX, i64::MAX - 1, i64::MIN];
    assert_eq!(
        noisy_top_k(&large, 3, 1e-3, SelectionNoise::Exponential, &mut SeededEntropy::new(2)),
        Ok(vec![0, 1, 2])
    );
}

#[test]
fn integers_are_enclosed() {
    for score in [i64::MAX, i64::MIN, (1 << 53) + 1, -(1 << 53) - 1, 0, -1, 1 << 62] {
        let (low, high) = score.bounds();
        assert!(
            Rational::from_f64(low).unwrap() <= score.exact() && Rational::from_f64(high).unwrap() >= score.exact()
        );
    }
    assert!(u64::MAX.bounds().1 >= 1.8446744073709552e19 && u64::MAX.bounds().0 <= 1.8446744073709552e19);
}

/// The greatest by their words and floats: those that are likeliest to win are drawn whole; of all others eight
/// digits, eight of them from a word, and the rest where these may reach so far. Nothing where floats do not tell.
#[allow(clippy::as_conversions)]
fn greatest_by_words(scores: &[f64], k: usize, scale: f64, noise: SelectionNoise, seed: u64) -> Option<Vec<usize>> {
    let z = |u: f64| match noise {
        SelectionNoise::Exponential => -u.ln(),
        SelectionNoise::Gumbel => -(-u.ln()).ln(),
    };
    let mut entropy = SeededEntropy::new(seed);
    let mut best: Vec<(f64, usize)> = Vec::new();
    let insert = |best: &mut Vec<(f64, usize)>, position: usize, word: u64| {
        let sum = scores[position] + scale * z((word as f64 + 0.5) / 2f64.powi(64));
        let clear = best.iter().all(|(other, _)| (other - sum).abs() > 1e-9);
        best.push((sum, position));
        best.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        best.truncate(k);
        clear.then_some(())
    };
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|one, other| scores[*other].total_cmp(&scores[*one]));
    order.truncate(k);
    order.sort_unstable();
    for position in &order {
        insert(&mut best, *position, entropy.bits(64).unwrap())?;
    }
    for (index, chunk) in scores.chunks(8).enumerate() {
        let digits: Vec<u64> = {
            let word = entropy.bits(8 * u32::try_from(chunk.len()).unwrap()).unwrap();
            (0..chunk.len()).rev().map(|place| word >> (8 * place) & 0xff).collect()
        };
        for (offset, digits) in digits.into_iter().enumerate() {
            let position = 8 * index + offset;
            let end = digits + u64::from(noise == SelectionNoise::Gumbel);
            let highest = scores[position] + scale * z(end as f64 / 256.0);
            let least = if best.len() == k { best[k - 1].0 } else { f64::NEG_INFINITY };
            if (highest - least).abs() < 1e-9 {
                return None;
            }
            if highest > least && !order.contains(&position) {
                insert(&mut best, position, digits << 56 | entropy.bits(56).unwrap())?;
            }
        }
    }
    Some(best.into_iter().map(|(_, position)| position).collect())
}

#[test]
fn the_greatest_few_are_what_their_words_say() {
    let (mut compared, mut tried) = (0, 0);
    let all = [0.5, -1.0, 2.25, 2.0, 0.0, 1.75, -3.0, 1.0, 2.5, 0.25, 1.5, -0.5, 0.125, 1.25, 3.0, -2.0, 0.75, 2.75];
    for (size, k) in [1usize, 2, 7, 8, 9, 18].into_iter().flat_map(|size| [1usize, 2, 5].map(|k| (size, k))) {
        for noise in [SelectionNoise::Exponential, SelectionNoise::Gumbel] {
            for (scale, seed) in [0.5, 2.0, 20.0].into_iter().flat_map(|scale| (0..30).map(move |seed| (scale, seed))) {
                tried += 1;
                let Some(truth) = greatest_by_words(&all[..size], k, scale, noise, seed) else { continue };
                compared += 1;
                let found = noisy_top_k(&all[..size], k, scale, noise, &mut SeededEntropy::new(seed));
                assert_eq!(found, Ok(truth), "{size} {k} {noise:?} {scale} {seed}");
            }
        }
    }
    assert!(compared * 100 > tried * 99, "{compared} of {tried}");
}

/// Scores so large that floats do not hold their sums with noise: digits decide, and no one is passed over.
#[test]
fn noise_below_the_last_digit_of_a_score_counts() {
    let huge = 2f64.powi(53);
    for noise in [SelectionNoise::Exponential, SelectionNoise::Gumbel] {
        for k in [1, 3] {
            let (mut equal, mut apart) = ([0u32; 3], [0u32; 3]);
            for seed in 0..300 {
                let first = |scores: &[f64], scale| {
                    noisy_top_k(scores, k, scale, noise, &mut SeededEntropy::new(seed)).unwrap()[0]
                };
                equal[first(&[huge; 3], 0.125)] += 1;
                apart[first(&[huge + 2.0, huge, huge - 2.0], 2.0)] += 1;
            }
            assert!(equal.iter().all(|wins| (50..150).contains(wins)), "{noise:?} {k}: {equal:?}");
            // With Gumbel noise 0.665, 0.245 and 0.09; with exponential noise the best wins 0.748 of the time.
            assert!(
                (160..260).contains(&apart[0]) && (30..110).contains(&apart[1]) && (3..60).contains(&apart[2]),
                "{noise:?} {k}: {apart:?}"
            );
        }
    }
}
