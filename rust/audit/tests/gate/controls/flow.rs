//! Negative controls of composites that look at the data when they decide what to draw: parts that are sound by
//! themselves, which are run or not, in this order or another.

use super::{Family, noise::laplace};
use crate::flow::SEEDS;
use indistinct::{
    prelude::*,
    sampling::{Entropy, bernoulli},
};
use indistinct_audit::{
    Key, Report, Seen,
    neighbors::all_vectors,
    silence::{frozen, same_control_flow, same_flow_of_releases, same_replay},
};

type Rows = Vec<i64>;
type Draw<X> = fn(&X, &mut dyn Entropy) -> Fallible<Key>;

/// Data of up to two rows.
fn few() -> Vec<Rows> {
    all_vectors(&[0, 1, 7, -1], 2)
}

/// Noise on what the data have.
fn noisy(draw: Draw<Rows>) -> Report {
    same_control_flow(&draw, &few(), SEEDS)
}

/// Frozen parts.
fn replayed(draw: Draw<Rows>) -> Report {
    same_replay(&draw, &few(), SEEDS)
}

/// Data in parts.
fn parts(draw: Draw<Vec<Rows>>) -> Report {
    let inputs = all_vectors(&[vec![], vec![0], vec![7, 7]], 2).into_iter().filter(|parts| parts.len() == 2);
    same_replay(&draw, &inputs.collect::<Vec<_>>(), SEEDS)
}

/// Responses to queries, of which the last is one of true.
fn answers(draw: Draw<i64>) -> Report {
    same_flow_of_releases(&draw, &[0, 1, 2, 5, -5], SEEDS)
}

fn part(bits: u32, rows: &[i64], entropy: &mut dyn Entropy) -> Fallible<u64> {
    let space = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
    frozen(space, MaxDivergence, bits, |d_in: &u32| Ok(f64::from(*d_in)))?.invoke_with(rows, entropy)
}

fn noise(entropy: &mut dyn Entropy) -> Fallible<i64> {
    Ok(laplace(1.0, entropy)?)
}

fn size(rows: &[i64]) -> i64 {
    i64::try_from(rows.len()).unwrap_or(i64::MAX)
}

pub(super) fn family() -> Family {
    let controls = vec![
        (
            "flow: no release of a part without rows",
            parts(|data, entropy| {
                let released = data.iter().map(|rows| if rows.is_empty() { Ok(0) } else { part(3, rows, entropy) });
                Ok(released.collect::<Fallible<Vec<u64>>>()?.key())
            }),
        ),
        (
            "flow: parts in the order of their sizes",
            parts(|data, entropy| {
                let mut parts: Vec<(u32, &Rows)> = (3..).zip(data).collect();
                parts.sort_by_key(|(_, rows)| rows.len());
                Ok(parts
                    .into_iter()
                    .map(|(bits, rows)| part(bits, rows, entropy))
                    .collect::<Fallible<Vec<u64>>>()?
                    .key())
            }),
        ),
        (
            "flow: a release that is the same for equal parts is made once",
            parts(|data, entropy| {
                let first = part(3, &data[0], entropy)?;
                Ok((first, if data[0] == data[1] { first } else { part(3, &data[1], entropy)? }).key())
            }),
        ),
        (
            "flow: a bit more where a row is 7",
            noisy(|rows, entropy| {
                let drawn = rows.contains(&7) && entropy.bit()?;
                Ok((size(rows) + noise(entropy)?, drawn).key())
            }),
        ),
        ("flow: no noise on zero", noisy(|rows, e| Ok(if rows.is_empty() { 0 } else { size(rows) + noise(e)? }.key()))),
        (
            "flow: noise for each row",
            noisy(|rows, e| Ok(rows.iter().map(|row| Ok(row + noise(e)?)).sum::<Fallible<i64>>()?.key())),
        ),
        (
            "flow: drawn again until it is not negative",
            noisy(|rows, entropy| {
                loop {
                    let noisy = size(rows) + noise(entropy)?;
                    if noisy >= 0 {
                        return Ok(noisy.key());
                    }
                }
            }),
        ),
        (
            "flow: the second part only where the data, not the first answer, call for it",
            replayed(|rows, entropy| {
                let first = part(3, rows, entropy)?;
                Ok((first, if rows.len() > 1 { Some(part(4, rows, entropy)?) } else { None }).key())
            }),
        ),
        (
            "flow: as many runs as rows",
            replayed(|rows, entropy| {
                let runs = (0..=rows.len()).map(|_| part(4, rows, entropy)).collect::<Fallible<Vec<u64>>>()?;
                Ok(runs.into_iter().max().key())
            }),
        ),
        (
            "flow: the number of rows beside the release",
            replayed(|rows, entropy| Ok((part(4, rows, entropy)?, rows.len()).key())),
        ),
        (
            "flow: a coin for each kind of row",
            replayed(|rows, entropy| {
                let kinds: std::collections::BTreeSet<i64> = [rows.as_slice(), &[0]].concat().into_iter().collect();
                let taken = kinds.into_iter().filter_map(|row| bernoulli(0.5, entropy).ok()?.then_some(row));
                part(4, &taken.collect::<Rows>(), entropy).map(|bits| bits.key())
            }),
        ),
        (
            "flow: no noise on a value that is far below its threshold",
            answers(|x, entropy| {
                let threshold = noise(entropy)?;
                Ok((*x > -4 && x + noise(entropy)? >= threshold).key())
            }),
        ),
        (
            "flow: one answer fewer where the data are even",
            answers(|x, entropy| {
                let threshold = noise(entropy)?;
                let asked = if x % 2 == 0 { 1 } else { 2 };
                let mut above = false;
                for _ in 0..asked {
                    above |= x + noise(entropy)? >= threshold;
                }
                Ok(above.key())
            }),
        ),
    ];
    let sound = vec![
        (
            "flow: each part",
            parts(|data, entropy| {
                Ok(data.iter().map(|rows| part(3, rows, entropy)).collect::<Fallible<Vec<u64>>>()?.key())
            }),
        ),
        ("flow: noise", noisy(|rows, entropy| Ok((size(rows) + noise(entropy)?).key()))),
        (
            "flow: the second part where the first answer calls for it",
            replayed(|rows, entropy| {
                let first = part(3, rows, entropy)?;
                Ok((first, if first > 3 { Some(part(4, rows, entropy)?) } else { None }).key())
            }),
        ),
        (
            "flow: answers until one is true",
            answers(|x, entropy| {
                let threshold = noise(entropy)?;
                let mut answers = Vec::new();
                while answers.len() < 4 && answers.last() != Some(&true) {
                    answers.push(x + noise(entropy)? >= threshold);
                }
                Ok(answers.key())
            }),
        ),
    ];
    Family { controls, sound }
}
