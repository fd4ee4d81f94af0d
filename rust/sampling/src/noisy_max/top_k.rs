//! The positions of the largest numbers after noise.

use super::{
    best::Best,
    entry::Entry,
    first_digits::{FIRST_BITS, highest_noise},
    law::SelectionNoise,
    score::Score,
};
use crate::{
    Entropy, Error, Fallible, Rule,
    half_line::Draw,
    real::Real,
    widths::{Full, Widths},
};
use rug::Rational;
use std::{cmp::Ordering, collections::VecDeque};

/// Returns the positions of the `k` largest of `scores[i] + scale * Z_i`, the largest first, for independent draws
/// `Z_i`.
///
/// The numbers are compared with infinite precision: where the first digits of two do not decide, more are drawn. At
/// scale 0, equal scores keep the order of their positions. With fewer scores than `k`, all positions are returned.
///
/// Each draw is a function of a uniform number. Its first eight digits exclude most scores; each of the others takes a
/// tenth of a microsecond.
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
/// Returns an error if the scale is negative or not finite, or if the entropy fails.
pub fn noisy_top_k<S: Score>(
    scores: &[S],
    k: usize,
    scale: f64,
    noise: SelectionNoise,
    entropy: &mut (impl Entropy + ?Sized),
) -> Fallible<Vec<usize>> {
    noisy_top_k_from::<Full, S>(scores, k, scale, noise, entropy)
}

pub(super) fn noisy_top_k_from<W: Widths, S: Score>(
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
        // The sort is stable: ties keep the order of their positions.
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

/// Up to this number, entries are kept in order by insertion; more are sorted.
const FEW: usize = 64;

/// The largest few, in descending order. Their first digits exclude most scores.
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
    // Start with the greatest scores, so that most of the others are excluded at once.
    let first = greatest(scores, k);
    for position in &first {
        let Some(score) = scores.get(*position) else { continue };
        let draw = Draw::uniform::<W>(entropy)?;
        best.insert(Entry::new(*position, score, Real { draw, form: noise.form() }, scale), entropy)?;
    }
    for (index, chunk) in scores.chunks(per_word).enumerate() {
        // The first digits of each number, from the highest bits of a word down.
        let count = u32::try_from(chunk.len()).unwrap_or(1);
        let mut word = entropy.bits(count * first_bits)? << (64 - count * first_bits);
        for (position, score) in (index * per_word..).zip(chunk) {
            let digits = word >> (64 - first_bits);
            word <<= first_bits;
            let highest = highest.get(usize::try_from(digits).unwrap_or(usize::MAX)).copied().unwrap_or(f64::INFINITY);
            // The sum is rounded, but rounding is monotone: if the exact sum were at least `least`, a float, the
            // rounded sum would be too.
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

/// All numbers in descending order, by merging.
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

/// Returns the positions of the `k` highest scores, in order of their positions.
pub(super) fn greatest<S: Score>(scores: &[S], k: usize) -> Vec<usize> {
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
