//! The greatest of many numbers with noise, compared exactly.

use crate::{
    Entropy, Error, Fallible, Rule,
    half_line::Draw,
    lazy::LazyReal,
    real::{Form, Real},
    widths::{Full, Widths},
};
use indistinct_numeric::{Dyadic, RoundedArithmetic};
use rug::Rational;
use std::{cmp::Ordering, collections::VecDeque, sync::LazyLock};

/// Numbers that noise can be added to, to be compared.
pub trait Score {
    /// A float that is at most, and one that is at least, the number.
    fn bounds(&self) -> (f64, f64);
    /// The number; what is not finite counts as the greatest finite float of its sign, NaN as the least.
    fn exact(&self) -> Rational;
}

impl Score for f64 {
    #[inline]
    fn bounds(&self) -> (f64, f64) {
        let finite = finite(*self);
        (finite, finite)
    }

    fn exact(&self) -> Rational {
        Rational::from_f64(finite(*self)).unwrap_or_default()
    }
}

#[inline]
fn finite(score: f64) -> f64 {
    if score.is_nan() { f64::MIN } else { score.clamp(f64::MIN, f64::MAX) }
}

macro_rules! impl_small {
    ($($integer:ty),+) => {$(
        impl Score for $integer {
            #[inline]
            fn bounds(&self) -> (f64, f64) {
                ((*self).into(), (*self).into())
            }

            fn exact(&self) -> Rational {
                (*self).into()
            }
        }
    )+};
}

impl_small!(i8, i16, i32, u8, u16, u32);

impl Score for f32 {
    #[inline]
    fn bounds(&self) -> (f64, f64) {
        f64::from(*self).bounds()
    }

    fn exact(&self) -> Rational {
        f64::from(*self).exact()
    }
}

impl Score for Dyadic {
    fn bounds(&self) -> (f64, f64) {
        // The nearest float is next to any other bound.
        let nearest = self.to_f64().clamp(f64::MIN, f64::MAX);
        (nearest.next_down(), nearest.next_up())
    }

    fn exact(&self) -> Rational {
        self.to_rational()
    }
}

macro_rules! impl_large {
    ($($integer:ty: $half:ty),+) => {$(
        impl Score for $integer {
            #[inline]
            fn bounds(&self) -> (f64, f64) {
                // Two exact parts, and one rounding.
                let parts = (<$half>::try_from(*self >> 32), u32::try_from(*self & 0xffff_ffff));
                let (Ok(high), Ok(low)) = parts else { return (f64::NEG_INFINITY, f64::INFINITY) };
                let high = f64::from(high) * 4_294_967_296.0;
                let rounded = high + f64::from(low);
                if rounded - high == f64::from(low) { (rounded, rounded) } else { (rounded.next_down(), rounded.next_up()) }
            }

            fn exact(&self) -> Rational {
                (*self).into()
            }
        }
    )+};
}

impl_large!(i64: i32, u64: u32);

/// The law of the noise with which numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectionNoise {
    /// Density `exp(-z)` for z from 0 on: the greatest is that of permute-and-flip.
    Exponential,
    /// Distribution function `exp(-exp(-z))`: the greatest is that of the exponential mechanism.
    Gumbel,
}

/// The positions of the `k` greatest of `scores[i] + scale * Z_i`, the greatest first, for independent draws `Z_i`.
///
/// The comparisons are those of infinitely precise numbers: where the first digits of two do not decide, more are
/// drawn. At scale 0 equal scores come in the order of their positions. With fewer scores than `k`, all are returned.
///
/// Each draw is a function of a uniform number. Its first eight digits show of most scores that they are not among the
/// greatest; the others take a tenth of a microsecond.
///
/// ```
/// use indistinct_sampling::{OsEntropy, SelectionNoise, noisy_top_k};
/// let scores = [3, 1, 4, 1, 5];
/// let winner = noisy_top_k(&scores, 1, 0.1, SelectionNoise::Gumbel, &mut OsEntropy::new())?;
/// assert_eq!(winner.len(), 1);
/// # Ok::<(), indistinct_sampling::Error>(())
/// ```
///
/// # Errors
///
/// A scale that is negative or not finite, and failure of the entropy.
pub fn noisy_top_k<S: Score>(
    scores: &[S],
    k: usize,
    scale: f64,
    noise: SelectionNoise,
    entropy: &mut (impl Entropy + ?Sized),
) -> Fallible<Vec<usize>> {
    noisy_top_k_from::<Full, S>(scores, k, scale, noise, entropy)
}

fn noisy_top_k_from<W: Widths, S: Score>(
    scores: &[S],
    k: usize,
    scale: f64,
    noise: SelectionNoise,
    entropy: &mut (impl Entropy + ?Sized),
) -> Fallible<Vec<usize>> {
    if !(scale.is_finite() && scale >= 0.0) {
        return Err(Error::Parameter(Rule::Scale));
    }
    if scale == 0.0 {
        let mut order: Vec<(usize, Rational)> = scores.iter().map(|score| score.exact()).enumerate().collect();
        // Stable: ties stay in the order of their positions.
        order.sort_by(|(_, one), (_, other)| other.cmp(one));
        return Ok(order.into_iter().take(k).map(|(position, _)| position).collect());
    }
    if k == 0 {
        return Ok(Vec::new());
    }
    let best = if k <= FEW {
        greatest_few::<W, S>(scores, k, scale, noise, entropy)?
    } else {
        sorted::<W, S>(scores, scale, noise, entropy)?
    };
    Ok(best.into_iter().take(k).map(|entry| entry.position).collect())
}

/// So many are kept in order by insertion; more are sorted.
const FEW: usize = 64;

/// The greatest few, the greatest first, where most scores are seen not to be among them from a few digits.
fn greatest_few<'a, W: Widths, S: Score>(
    scores: &'a [S],
    k: usize,
    scale: f64,
    noise: SelectionNoise,
    entropy: &mut (impl Entropy + ?Sized),
) -> Fallible<Vec<Entry<'a, S>>> {
    let (first_bits, per_word) = if W::FRACTION < FIRST_BITS { (W::FRACTION, 1) } else { (FIRST_BITS, 8) };
    let highest = highest_noise(noise, scale, first_bits);
    let mut best = Best { scale, k, entries: Vec::new(), least: f64::NEG_INFINITY };
    // The greatest scores first, so that the others have much to reach.
    let first = greatest(scores, k);
    for position in &first {
        let Some(score) = scores.get(*position) else { continue };
        let draw = Draw::uniform::<W>(entropy)?;
        best.insert(Entry::new(*position, score, Real { draw, form: noise.form() }, scale), entropy)?;
    }
    for (index, chunk) in scores.chunks(per_word).enumerate() {
        // The first digits of each, from the highest bits of a word on.
        let count = u32::try_from(chunk.len()).unwrap_or(1);
        let mut word = entropy.bits(count * first_bits)? << (64 - count * first_bits);
        for (position, score) in (index * per_word..).zip(chunk) {
            let digits = word >> (64 - first_bits);
            word <<= first_bits;
            let highest = highest.get(usize::try_from(digits).unwrap_or(usize::MAX)).copied().unwrap_or(f64::INFINITY);
            // The sum is rounded, but rounding is monotone: were it at least `least`, a float, it would not round
            // below.
            if score.bounds().1 + highest < best.least || first.binary_search(&position).is_ok() {
                continue;
            }
            let mut draw = Draw::first_digits(digits, first_bits);
            draw.complete::<W>(entropy)?;
            best.insert(Entry::new(position, score, Real { draw, form: noise.form() }, scale), entropy)?;
        }
    }
    Ok(best.entries)
}

/// All, the greatest first, by merging.
fn sorted<'a, W: Widths, S: Score>(
    scores: &'a [S],
    scale: f64,
    noise: SelectionNoise,
    entropy: &mut (impl Entropy + ?Sized),
) -> Fallible<Vec<Entry<'a, S>>> {
    let mut runs = VecDeque::with_capacity(scores.len());
    for (position, score) in scores.iter().enumerate() {
        let draw = Draw::uniform::<W>(entropy)?;
        runs.push_back(VecDeque::from([Entry::new(position, score, Real { draw, form: noise.form() }, scale)]));
    }
    // Two runs from the front make one at the back.
    while runs.len() > 1 {
        let (mut one, mut other) = (runs.pop_front().unwrap_or_default(), runs.pop_front().unwrap_or_default());
        let mut merged = VecDeque::with_capacity(one.len() + other.len());
        while let (Some(first), Some(second)) = (one.front_mut(), other.front_mut()) {
            let greater =
                if first.compare(second, scale, entropy)? == Ordering::Greater { &mut one } else { &mut other };
            merged.extend(greater.pop_front());
        }
        merged.extend(one);
        merged.extend(other);
        runs.push_back(merged);
    }
    Ok(runs.pop_front().map_or_else(Vec::new, Vec::from))
}

/// The positions of the `k` greatest scores, in order of their positions.
fn greatest<S: Score>(scores: &[S], k: usize) -> Vec<usize> {
    let by_score = |one: &usize, other: &usize| {
        let score = |position: &usize| scores.get(*position).map_or(f64::NEG_INFINITY, |score| score.bounds().1);
        score(other).total_cmp(&score(one))
    };
    if k <= 1 {
        return (0..scores.len()).min_by(by_score).into_iter().take(k).collect();
    }
    let mut positions: Vec<usize> = (0..scores.len()).collect();
    if k < positions.len() {
        positions.select_nth_unstable_by(k - 1, by_score);
    }
    positions.truncate(k);
    positions.sort_unstable();
    positions
}

/// How many digits of each uniform number are drawn at first.
const FIRST_BITS: u32 = 8;

/// For each value of the first digits of U, the greatest that `scale * Z` can be.
fn highest_noise(noise: SelectionNoise, scale: f64, bits: u32) -> Vec<f64> {
    static EXPONENTIAL: LazyLock<Vec<f64>> = LazyLock::new(|| upper_ends(SelectionNoise::Exponential, FIRST_BITS));
    static GUMBEL: LazyLock<Vec<f64>> = LazyLock::new(|| upper_ends(SelectionNoise::Gumbel, FIRST_BITS));
    let scaled = |ends: &[f64]| ends.iter().map(|z| scale.inf_mul(*z).unwrap_or(f64::INFINITY)).collect();
    match noise {
        _ if bits < FIRST_BITS => scaled(&upper_ends(noise, bits)),
        SelectionNoise::Exponential => scaled(&EXPONENTIAL),
        SelectionNoise::Gumbel => scaled(&GUMBEL),
    }
}

/// The greatest that Z can be for each value of the first digits of U.
fn upper_ends(noise: SelectionNoise, bits: u32) -> Vec<f64> {
    let end = |digits: u64| {
        let number = Real { draw: Draw::first_digits(digits, bits), form: noise.form() };
        number.ends().1.map_or(f64::INFINITY, |end| end.to_f64().next_up())
    };
    (0..1 << bits).map(end).collect()
}

impl SelectionNoise {
    fn form(self) -> Form {
        match self {
            SelectionNoise::Exponential => Form::MinusLn,
            SelectionNoise::Gumbel => Form::Gumbel,
        }
    }
}

/// The greatest numbers so far, the greatest first.
struct Best<'a, S> {
    scale: f64,
    k: usize,
    entries: Vec<Entry<'a, S>>,
    /// What a number must reach to come among them: a lower bound of the last once there are `k`.
    least: f64,
}

impl<'a, S: Score> Best<'a, S> {
    fn insert(&mut self, mut entry: Entry<'a, S>, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<()> {
        // From the first that is smaller; the entries are few, or the new one is as likely to come anywhere.
        let (mut start, mut end) = (0, self.entries.len());
        while start < end {
            let middle = start + (end - start) / 2;
            let Some(other) = self.entries.get_mut(middle) else { break };
            if entry.compare(other, self.scale, entropy)? == Ordering::Greater {
                end = middle;
            } else {
                start = middle + 1;
            }
        }
        self.entries.insert(start, entry);
        self.entries.truncate(self.k);
        if self.entries.len() == self.k {
            // The bounds of the last may be wider than those of the one before it; what was reached stays reached.
            self.least = self.entries.last().map_or(self.least, |last| self.least.max(last.low));
        }
        Ok(())
    }
}

/// A score with noise.
struct Entry<'a, S> {
    position: usize,
    score: &'a S,
    noise: Real,
    /// Bounds of the sum.
    low: f64,
    high: f64,
}

impl<'a, S: Score> Entry<'a, S> {
    fn new(position: usize, score: &'a S, noise: Real, scale: f64) -> Self {
        let (low, high) = match noise.fixed().and_then(|fixed| fixed.to_floats()) {
            Some((least, greatest)) => {
                let (low, high) = score.bounds();
                let low = scale.neg_inf_mul(least).and_then(|noise| low.neg_inf_add(noise));
                let high = scale.inf_mul(greatest).and_then(|noise| high.inf_add(noise));
                (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY))
            }
            None => (f64::NEG_INFINITY, f64::INFINITY),
        };
        Self { position, score, noise, low, high }
    }

    /// The order of two sums, from as many digits of their noise as it takes. They are equal with probability 0.
    fn compare(&mut self, other: &mut Self, scale: f64, entropy: &mut (impl Entropy + ?Sized)) -> Fallible<Ordering> {
        if self.low > other.high {
            return Ok(Ordering::Greater);
        }
        if self.high < other.low {
            return Ok(Ordering::Less);
        }
        let difference = (self.score.exact() - other.score.exact()) / Dyadic::from_f64(scale)?.to_rational();
        loop {
            if let (Some((low, high)), Some((other_low, other_high))) =
                (self.noise.enclosure(), other.noise.enclosure())
            {
                if (&difference + low) > other_high {
                    return Ok(Ordering::Greater);
                }
                if (&difference + high) < other_low {
                    return Ok(Ordering::Less);
                }
            }
            self.noise.refine(entropy)?;
            other.noise.refine(entropy)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::SeededEntropy, widths::Few};

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
        // A twin: exponential noise has another law, permute-and-flip's.
        assert!(!check(wins::<Full, _>(&scores, 1.0, SelectionNoise::Exponential, 300_000), bound(300_000)));
    }

    #[test]
    fn scores_of_every_type_lie_between_their_bounds() {
        fn check<S: Score>(score: S, truth: Rational) {
            let (low, high) = score.bounds();
            assert!(
                score.exact() == truth && low <= truth && truth <= high && high <= low.next_up().next_up(),
                "{truth}"
            );
        }
        for x in [0i8, 1, -1, 100, -128, 127] {
            check(x, Rational::from(x));
            check(i64::from(x), Rational::from(x));
            check(f32::from(x) / 8.0, Rational::from((x, 8)));
            check(Dyadic::new(x.into(), -3).unwrap(), Rational::from((x, 8)));
        }
        for x in [i64::MIN, i64::MAX, (1 << 53) + 1, -(1 << 60) - 3] {
            check(x, Rational::from(x));
            check(Dyadic::new(x.into(), -70).unwrap(), Rational::from(x) >> 70u32);
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
                assert_eq!(
                    scores.iter().filter(|score| Some(**score) >= least && least.is_some()).count(),
                    k.min(size)
                );
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
                    assert!(
                        close || bound == f64::INFINITY && truth == f64::INFINITY,
                        "{bits} {digits} {bound} {truth}"
                    );
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
        let all =
            [0.5, -1.0, 2.25, 2.0, 0.0, 1.75, -3.0, 1.0, 2.5, 0.25, 1.5, -0.5, 0.125, 1.25, 3.0, -2.0, 0.75, 2.75];
        for (size, k) in [1usize, 2, 7, 8, 9, 18].into_iter().flat_map(|size| [1usize, 2, 5].map(|k| (size, k))) {
            for noise in [SelectionNoise::Exponential, SelectionNoise::Gumbel] {
                for (scale, seed) in
                    [0.5, 2.0, 20.0].into_iter().flat_map(|scale| (0..30).map(move |seed| (scale, seed)))
                {
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
}
