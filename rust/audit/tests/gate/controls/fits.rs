//! Negative controls of noise on floats at the default grid, of selections, and of sums of unknown keys: less noise
//! than is charged for, which only draws against the distribution show.

use super::{Family, noise::laplace as whole_laplace};
use crate::{
    combinators::{OF_COUNTS, OfKeys, keyed_rows, keyed_sums, of_two_keys},
    crowds::{Crowd, DRAWS, of_crowd},
    formulas,
    noise::{Cdf, at_default_grid},
    reals,
    selection::{SCALE, eleven, on_uneven},
};
use indistinct::{
    core::ToParameter,
    measurements::Scale,
    numeric::RoundedArithmetic,
    prelude::*,
    sampling::{self, Entropy, RoundedNoise, SelectionNoise, noisy_top_k},
};
use indistinct_audit::{Claims, Report, Seen};
use std::collections::BTreeMap;

/// Noise that is charged as if it had scale 5/4.
fn float<MO: Claims + Measure<Distance = f64> + ToParameter>(
    measure: MO,
    cdf: Cdf,
    noise: fn(f64, f64, &mut dyn Entropy) -> sampling::Fallible<f64>,
) -> Report {
    let control = make_user_measurement(
        AtomDomain::f64(),
        AbsoluteDistance::new(),
        measure,
        move |x: &f64, entropy: &mut dyn Entropy| Ok(noise(*x, 1.25, entropy)?),
        |d_in: &f64| Ok(d_in.inf_div(1.25)?),
    );
    at_default_grid(&control.unwrap(), |x| x, (cdf, 1.25), &[0.0, 1e7])
}

fn laplace(x: f64, scale: f64, entropy: &mut dyn Entropy) -> sampling::Fallible<f64> {
    RoundedNoise::laplace(scale, Scale::new(scale).grid())?.add(x, entropy)
}

fn gaussian(x: f64, scale: f64, entropy: &mut dyn Entropy) -> sampling::Fallible<f64> {
    RoundedNoise::gaussian(scale, Scale::new(scale).grid())?.add(x, entropy)
}

/// The winners among a hundred candidates, 65 of them, of which one is above.
fn winners(select: fn(&[i64], &mut dyn Entropy) -> sampling::Fallible<Vec<usize>>) -> Report {
    let crowd = Crowd { others: 99, above: 6, winners: 65 };
    of_crowd((crowd, DRAWS), &|scores, entropy| Ok(select(scores, entropy)?))
}

fn top(scores: &[i64], k: usize, scale: f64, entropy: &mut dyn Entropy) -> sampling::Fallible<Vec<usize>> {
    noisy_top_k(scores, k, scale, SelectionNoise::Gumbel, entropy)
}

/// What is not among the winners, in the order of its scores and positions.
fn rest(scores: &[i64], winners: &[usize]) -> Vec<usize> {
    let mut rest: Vec<usize> = (0..scores.len()).filter(|position| !winners.contains(position)).collect();
    rest.sort_by_key(|position| -scores[*position]);
    rest
}

/// A sparse vector in floats, whose noise is rounded to a grid so fine that nothing shows it.
#[derive(Clone, Copy)]
struct Sparse {
    /// Scales of the noise on the threshold and on each value.
    scales: (f64, f64),
    /// Noise on the threshold for each query, and not for all.
    is_redrawn: bool,
    limit: usize,
    value: fn(f64) -> f64,
}

const SPARSE: Sparse = Sparse { scales: (1.0, 2.0), is_redrawn: false, limit: 2, value: |x| x };

fn sparse(control: Sparse) -> Report {
    let noises = [control.scales.0, control.scales.1]
        .map(|scale| RoundedNoise::laplace(scale, Scale::new(scale).grid()).unwrap());
    let [of_threshold, of_value] = &noises;
    reals::follows(&|x: &f64, entropy: &mut dyn Entropy| {
        let mut threshold = of_threshold.add(reals::THRESHOLD, entropy)?;
        let mut answers = Vec::new();
        for (sign, offset) in reals::LINES {
            if answers.iter().filter(|answer| **answer).count() >= control.limit {
                break;
            }
            if control.is_redrawn {
                threshold = of_threshold.add(reals::THRESHOLD, entropy)?;
            }
            answers.push(of_value.add((control.value)(sign * x + offset), entropy)? >= threshold);
        }
        Ok(answers.key())
    })
}

/// Which noise of the keys is drawn once for several numbers.
#[derive(Clone, Copy, PartialEq)]
enum Shared {
    Nothing,
    /// The counts of all keys.
    Counts,
    /// The first sums of all keys.
    Keys,
    /// Both sums of a key.
    Sums,
    /// The count of a key and its first sum.
    CountAndSum,
}

/// Counts and two sums of each key, of which the second is charged for noise of this scale.
fn keyed(shared: Shared, scales: [f64; 2], second: f64) -> Report {
    let charged = [1.0, second];
    let honest = keyed_sums(OF_COUNTS, &charged);
    let (scale, threshold) = OF_COUNTS;
    let release = move |rows: &[(u8, i64)], entropy: &mut dyn Entropy| {
        let mut all: BTreeMap<u8, (i64, i64)> = BTreeMap::new();
        for (key, number) in rows {
            let (count, sum) = all.entry(*key).or_default();
            (*count, *sum) = (*count + 1, *sum + number);
        }
        let (of_counts, of_sums) = (whole_laplace(scale, entropy)?, whole_laplace(scales[0], entropy)?);
        let mut released = OfKeys::new();
        for (key, (count, sum)) in all {
            let of_count = if shared == Shared::Counts { of_counts } else { whole_laplace(scale, entropy)? };
            let first = match shared {
                Shared::Keys => of_sums,
                Shared::CountAndSum => of_count,
                _ => whole_laplace(scales[0], entropy)?,
            };
            let second = if shared == Shared::Sums { first } else { whole_laplace(scales[1], entropy)? };
            if count + of_count >= threshold {
                let sums = [first, second].map(|noise| i128::from(sum + noise)).to_vec();
                released.insert(key, (count + of_count, sums));
            }
        }
        Ok(released)
    };
    let (rows, metric) = keyed_rows();
    let map = move |d_in: &u32| honest.map(d_in);
    of_two_keys(&make_user_measurement(rows, metric, Approximate(MaxDivergence), release, map).unwrap(), charged)
}

pub(super) fn family() -> Family {
    let (of_laplace, of_gaussian): (Cdf, Cdf) = (formulas::laplace_cdf, formulas::gaussian_cdf);
    let selected = |scale: f64| {
        on_uneven(
            &make_exponential(eleven(), LInfDistance::new(), RangeDivergence, scale).unwrap(),
            formulas::exponential,
        )
    };
    let flipped = |scale: f64| {
        on_uneven(&make_permute_and_flip(eleven(), LInfDistance::new(), scale).unwrap(), formulas::permute_and_flip)
    };
    let controls = vec![
        ("laplace on floats: half of the noise", float(MaxDivergence, of_laplace, |x, s, e| laplace(x, s / 2.0, e))),
        (
            "laplace on floats: three parts in a hundred less",
            float(MaxDivergence, of_laplace, |x, s, e| laplace(x, 0.97 * s, e)),
        ),
        (
            "laplace on floats: none far from zero",
            float(MaxDivergence, of_laplace, |x, s, e| if x > 1e6 { Ok(x) } else { laplace(x, s, e) }),
        ),
        (
            "laplace on floats: on one side",
            float(MaxDivergence, of_laplace, |x, s, e| Ok(x + (laplace(x, s, e)? - x).abs())),
        ),
        ("laplace on floats: a normal law", float(MaxDivergence, of_laplace, gaussian)),
        (
            "gaussian on floats: half of the noise",
            float(GaussianDivergence, of_gaussian, |x, s, e| gaussian(x, s / 2.0, e)),
        ),
        (
            "gaussian on floats: three parts in a hundred less",
            float(GaussianDivergence, of_gaussian, |x, s, e| gaussian(x, 0.97 * s, e)),
        ),
        (
            "gaussian on floats: the variance for the deviation",
            float(GaussianDivergence, of_gaussian, |x, s, e| gaussian(x, s.sqrt(), e)),
        ),
        ("exponential: three parts in a hundred less noise", selected(0.97 * SCALE)),
        ("permute and flip: three parts in a hundred less noise", flipped(0.97 * SCALE)),
        (
            "top 65: three parts in a hundred less noise beyond 64 winners",
            winners(|scores, entropy| top(scores, 65, 0.97 * SCALE, entropy)),
        ),
        (
            "top 65: the last by its score",
            winners(|scores, entropy| {
                let mut winners = top(scores, 64, SCALE, entropy)?;
                winners.extend(rest(scores, &winners).first());
                Ok(winners)
            }),
        ),
        (
            "top 65: equal scores in the order of their positions",
            winners(|scores, entropy| {
                let mut winners = top(scores, 1, SCALE, entropy)?;
                winners.extend(rest(scores, &winners));
                winners.truncate(65);
                Ok(winners)
            }),
        ),
        (
            "top 65: the first by its score",
            winners(|scores, entropy| {
                let mut winners = top(scores, 65, SCALE, entropy)?;
                winners.sort_by_key(|position| -scores[*position]);
                Ok(winners)
            }),
        ),
        (
            "sparse vector on floats: noise on the threshold for each question",
            sparse(Sparse { is_redrawn: true, ..SPARSE }),
        ),
        ("sparse vector on floats: scales exchanged", sparse(Sparse { scales: (2.0, 1.0), ..SPARSE })),
        ("sparse vector on floats: half of the noise on values", sparse(Sparse { scales: (1.0, 1.0), ..SPARSE })),
        ("sparse vector on floats: one answer of true more", sparse(Sparse { limit: 3, ..SPARSE })),
        ("sparse vector on floats: values in whole numbers", sparse(Sparse { value: f64::round, ..SPARSE })),
        (
            "sparse vector on floats: what is infinite as a large number of the other sign",
            sparse(Sparse { value: |x| if x.is_infinite() { 1e300 } else { x }, ..SPARSE }),
        ),
    ];
    let sums = [
        ("sums of unknown keys: one draw for the counts of both keys", keyed(Shared::Counts, [1.0, 1.0], 1.0)),
        ("sums of unknown keys: one draw for a sum of both keys", keyed(Shared::Keys, [1.0, 1.0], 1.0)),
        ("sums of unknown keys: one draw for both sums of a key", keyed(Shared::Sums, [1.0, 1.0], 1.0)),
        ("sums of unknown keys: one draw for a count and one of two sums", keyed(Shared::CountAndSum, [1.0, 1.0], 1.0)),
        ("sums of unknown keys: scales exchanged", keyed(Shared::Nothing, [2.0, 1.0], 2.0)),
    ];
    let sound = vec![
        ("sums of unknown keys", keyed(Shared::Nothing, [1.0, 2.0], 2.0)),
        ("laplace on floats", float(MaxDivergence, of_laplace, laplace)),
        ("gaussian on floats", float(GaussianDivergence, of_gaussian, gaussian)),
        // Nothing is compared but draws with their distribution.
        ("exponential", Report { pairs: 1, ..selected(SCALE) }),
        ("permute and flip", Report { pairs: 1, ..flipped(SCALE) }),
        ("top 65", Report { pairs: 1, ..winners(|scores, entropy| top(scores, 65, SCALE, entropy)) }),
        ("sparse vector on floats", Report { pairs: 1, ..sparse(SPARSE) }),
    ];
    Family { controls: controls.into_iter().chain(sums).collect(), sound }
}
