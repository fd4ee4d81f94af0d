//! Distributions of releases by their formulas, in enclosures of 256 bits.

use indistinct::numeric::enclosure::Enclosure;
use indistinct_audit::{Key, Law, Seen, mass::Mass};

pub(crate) fn number(x: f64) -> Mass {
    Mass::exact(x)
}

fn one() -> Mass {
    number(1.0)
}

/// `exp(-x)` for an exact ratio `x = a / b`.
fn exp_minus(a: f64, b: f64) -> Mass {
    number(-a).div(&number(b)).exp()
}

/// P(at + Z = z) for discrete Laplace Z: all integers up to `reach` from `at`; what lies beyond is undecided.
pub(crate) fn discrete_laplace(scale: f64, at: i64, reach: i64) -> Law {
    let r = exp_minus(1.0, scale);
    let norm = one().sub(&r).div(&one().add(&r));
    let mut masses = vec![(at.key(), norm.clone())];
    let mut power = norm;
    for z in 1..=reach {
        power = power.mul(&r);
        masses.extend([((at + z).key(), power.clone()), ((at - z).key(), power.clone())]);
    }
    // Each tail beyond is the last power times r / (1 - r).
    let tail = power.mul(&r).div(&one().sub(&r)).mul(&number(2.0));
    Law::partial(masses, tail)
}

/// P(Z >= z) for discrete Laplace Z.
pub(crate) fn discrete_laplace_from(scale: f64, z: i64) -> Mass {
    let r = exp_minus(1.0, scale);
    // P(Z >= 1) = r / (1 + r), and each further step multiplies by r; below, by symmetry.
    let above = |z: i64| (1..z).fold(r.div(&one().add(&r)), |mass, _| mass.mul(&r));
    if z >= 1 { above(z) } else { one().sub(&above(1 - z)) }
}

/// Weights, made to sum to 1; outcomes are positions.
fn normalized(weights: &[Mass]) -> Vec<Mass> {
    let total = weights.iter().fold(number(0.0), |sum, weight| sum.add(weight));
    weights.iter().map(|weight| weight.div(&total)).collect()
}

fn positions(masses: Vec<Mass>) -> Law {
    Law::new((0usize..).zip(masses).map(|(position, mass)| (position.key(), mass)))
}

fn exponential_masses(scores: &[f64], scale: f64) -> Vec<Mass> {
    normalized(&scores.iter().map(|score| exp_minus(-score, scale)).collect::<Vec<_>>())
}

/// The exponential mechanism.
pub(crate) fn exponential(scores: &[f64], scale: f64) -> Law {
    positions(exponential_masses(scores, scale))
}

/// Permute-and-flip (McKenna, Sheldon 2020): with `p = exp((score - best) / scale)`, a sum over the subsets of the
/// others.
pub(crate) fn permute_and_flip(scores: &[f64], scale: f64) -> Law {
    let best = scores.iter().copied().fold(f64::MIN, f64::max);
    let p: Vec<Mass> = scores.iter().map(|score| exp_minus(best - score, scale)).collect();
    let of = |i: usize| {
        let others: Vec<&Mass> = p.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, p)| p).collect();
        let mut sum = number(0.0);
        for subset in 0..1u32 << others.len() {
            let chosen = others.iter().enumerate().filter(|(j, _)| subset >> j & 1 == 1);
            let product = chosen.fold(one(), |product, (_, p)| product.mul(p));
            let term = product.div(&number(f64::from(subset.count_ones() + 1)));
            sum = if subset.count_ones() % 2 == 0 { sum.add(&term) } else { sum.sub(&term) };
        }
        p[i].mul(&sum)
    };
    positions((0..p.len()).map(of).collect())
}

/// The first and the second of the greatest with Gumbel noise: peeling.
pub(crate) fn top_two(scores: &[f64], scale: f64) -> Law {
    let firsts = exponential_masses(scores, scale);
    let mut masses = Vec::new();
    for (first, p) in firsts.iter().enumerate() {
        let rest: Vec<usize> = (0..scores.len()).filter(|i| *i != first).collect();
        let seconds = exponential_masses(&rest.iter().map(|i| scores[*i]).collect::<Vec<_>>(), scale);
        masses.extend(rest.iter().zip(seconds).map(|(second, q)| (vec![first, *second].key(), p.mul(&q))));
    }
    Law::new(masses)
}

/// A distribution on the real line by its distribution function, in cells between rising ends: cell i lies between ends
/// i - 1 and i.
pub(crate) fn cells(ends: &[f64], cdf: impl Fn(f64) -> Mass) -> Law {
    let mut below = number(0.0);
    let mut masses = Vec::new();
    for (position, end) in (0usize..).zip(ends) {
        let at = cdf(*end);
        masses.push((position.key(), at.sub(&below)));
        below = at;
    }
    masses.push((ends.len().key(), one().sub(&below)));
    Law::new(masses)
}

/// P(Z <= x) of Laplace noise.
pub(crate) fn laplace_cdf(x: f64, scale: f64) -> Mass {
    let half = exp_minus(x.abs(), scale).div(&number(2.0));
    if x < 0.0 { half } else { one().sub(&half) }
}

/// P(Z <= x) of Gaussian noise, by the ratio of Mills.
pub(crate) fn gaussian_cdf(x: f64, scale: f64) -> Mass {
    let size = number(x.abs()).div(&number(scale));
    let density = number(-0.5).mul(&size.mul(&size)).exp().mul(&Mass::inverse_root_two_pi());
    let tail = size.mills().mul(&density);
    if x < 0.0 { tail } else { one().sub(&tail) }
}

/// P(Z <= x) of canonical noise at distance 1 (Awan, Vadhan 2021), for x with few digits.
pub(crate) fn tulap_cdf(x: f64, (epsilon, delta): (f64, f64)) -> Mass {
    let b = exp_minus(epsilon, 1.0);
    let two_delta_b = number(2.0 * delta).mul(&b);
    let q = two_delta_b.div(&one().sub(&b).add(&two_delta_b));
    let whole = |x: f64| {
        // The part below a negative x; the distribution is symmetric.
        let n = -x.abs().round();
        let b_to_n = exp_minus(-n * epsilon, 1.0);
        let part = b.add(&number(-x.abs() - n + 0.5).mul(&one().sub(&b)));
        let below = b_to_n.div(&one().add(&b)).mul(&part);
        if x > 0.0 { one().sub(&below) } else { below }
    };
    let truncated = whole(x).sub(&q.div(&number(2.0))).div(&one().sub(&q));
    if truncated.upper() <= 0.0 {
        number(0.0)
    } else if truncated.lower() >= 1.0 {
        one()
    } else {
        truncated
    }
}

/// The distribution of the snapping mechanism at a scale that is a power of two: of each multiple of the scale up to
/// the bound. Every step is a float operation; their errors together move the noise by less than `2^-49` of what takes
/// part.
pub(crate) fn snapped(scale: f64, bound: f64, shift: f64) -> Law {
    let steps = (-40..=40).map(f64::from).map(|j| j * scale).filter(|y| y.abs() <= bound);
    let outcomes: Vec<f64> = steps.collect();
    let survival = |end: f64| {
        let error = 2f64.powi(-49) * (end.abs() + shift.abs() + scale);
        let (low, high) = (laplace_cdf(end - shift - error, scale), laplace_cdf(end - shift + error, scale));
        Mass::between(one().sub(&high).lower(), one().sub(&low).upper())
    };
    let mut above = one();
    let mut masses = Vec::new();
    for (position, outcome) in outcomes.iter().enumerate() {
        let next = outcomes.get(position + 1).map_or(number(0.0), |next| survival((outcome + next) / 2.0));
        masses.push((outcome.key(), above.sub(&next)));
        above = next;
    }
    Law::new(masses)
}

/// P(Z >= m) for discrete Laplace Z: r^m / (1 + r) for m > 0.
fn upper_tail(m: i64, scale: f64) -> Mass {
    let size = f64::from(i32::try_from(m.abs()).unwrap());
    let beyond = |size: f64| exp_minus(size, scale).div(&one().add(&exp_minus(1.0, scale)));
    if m > 0 { beyond(size) } else { one().sub(&beyond(size + 1.0)) }
}

/// The distribution of a sparse vector that releases the number of a positive response: what is released after
/// responses of false to `falses` and of true to a query of value `last`, at threshold 0; all else is one outcome.
pub(crate) fn releasing_sparse_vector(falses: &[i64], last: i64, (a, b): (f64, f64), reach: i64, fresh: bool) -> Law {
    let (thresholds, values) = (discrete_laplace(a, 0, reach), discrete_laplace(b, last, reach));
    let (mut masses, mut rest) = (Vec::new(), one());
    for (at, p) in thresholds.masses() {
        let Key::Number(at) = at else { continue };
        let here = i64::try_from(*at).unwrap();
        let below = falses.iter().fold(p.clone(), |mass, value| mass.mul(&one().sub(&upper_tail(here - value, b))));
        for (told, q) in values.masses() {
            let Key::Number(number) = told else { continue };
            let mass = if fresh {
                below.mul(&upper_tail(here - last, b)).mul(q)
            } else if number >= at {
                below.mul(q)
            } else {
                continue;
            };
            rest = rest.sub(&mass);
            masses.push((told.clone(), mass));
        }
    }
    // What the tails beyond the reach would tell is among the rest, or undecided with them.
    let beyond = thresholds.undecided().add(values.undecided());
    masses.push((Key::Text("else".into()), rest.sub(&beyond)));
    Law::partial(masses, beyond)
}

/// All courses of a conversation of so many queries, which ends with so many responses of true, each with what its
/// responses make of a start: by the number of a query and its response.
pub(crate) fn conversations<S: Clone>(
    questions: usize,
    limit: u32,
    start: S,
    step: impl Fn(&S, usize, bool) -> S,
) -> Vec<(Vec<bool>, S)> {
    let is_over = |answers: &[bool]| {
        let positive = answers.iter().filter(|answer| **answer).count();
        answers.len() == questions || positive >= usize::try_from(limit).unwrap()
    };
    let (mut open, mut over) = (vec![(Vec::new(), start)], Vec::new());
    while let Some((answers, state)) = open.pop() {
        if is_over(&answers) {
            over.push((answers, state));
        } else {
            let next = |answer| ([answers.as_slice(), &[answer]].concat(), step(&state, answers.len(), answer));
            open.extend([true, false].map(next));
        }
    }
    over
}

/// The distribution of the responses of a sparse vector to queries with these integer values: the noisy threshold in
/// common, each value with noise of its own, and no more queries after `limit` responses of true.
pub(crate) fn sparse_vector(values: &[i64], threshold: i64, limit: u32, (a, b): (f64, f64), reach: i64) -> Law {
    let thresholds = discrete_laplace(a, threshold, reach);
    let mut masses: Vec<(Key, Mass)> = Vec::new();
    for (at, p) in thresholds.masses() {
        let Key::Number(at) = at else { continue };
        let at = i64::try_from(*at).unwrap();
        let above: Vec<Mass> = values.iter().map(|value| upper_tail(at - value, b)).collect();
        let step = |mass: &Mass, question: usize, answer: bool| {
            mass.mul(&if answer { above[question].clone() } else { one().sub(&above[question]) })
        };
        let all = conversations(values.len(), limit, p.clone(), step);
        masses.extend(all.into_iter().map(|(answers, mass)| (answers.key(), mass)));
    }
    Law::partial(masses, thresholds.undecided().clone())
}

#[test]
fn formulas_are_laws() {
    let near_one = |law: &Law| law.total().lower > 1.0 - 1e-12 && law.total().upper < 1.0 + 1e-12;
    assert!(near_one(&discrete_laplace(1.5, 3, 40)));
    assert!(near_one(&permute_and_flip(&[0.0, 1.0, 3.0], 1.5)));
    assert!(near_one(&top_two(&[0.0, 1.0, 3.0], 1.5)));
    assert!(near_one(&snapped(1.0, 8.0, 0.25)));
    assert!(near_one(&sparse_vector(&[0, 3], 1, 1, (1.0, 2.0), 80)));
    assert!((gaussian_cdf(1.0, 1.0).lower() - 0.8413447460685429).abs() < 1e-15);
    assert!((tulap_cdf(0.0, (1.0, 0.1)).lower() - 0.5).abs() < 1e-15);
    assert!((tulap_cdf(0.5, (1.0, 0.0)).upper() - 1.0 / (1.0 + f64::exp(-1.0))).abs() < 1e-15);
}

/// The probability that a key with n individuals is released, by the recursion that defines it (Desfontaines, Voss,
/// Gipson, Mandayam 2022, Theorem 1), where each step takes the least of three.
pub(crate) fn selected((epsilon, delta): (f64, f64), n: i64) -> Mass {
    let (up, down) = (number(epsilon).exp(), exp_minus(epsilon, 1.0));
    (0..n).fold(number(0.0), |p, _| {
        let more = up.mul(&p).add(&number(delta));
        let less = one().sub(&down.mul(&one().sub(&p).sub(&number(delta))));
        [less, one()].into_iter().fold(more, |least, other| if other.upper() <= least.lower() { other } else { least })
    })
}

/// The distribution of the released keys, of independent coins.
pub(crate) fn selected_keys(per_key: (f64, f64), numbers: &[(u8, i64)]) -> Law {
    let empty = vec![(Vec::<u8>::new(), one())];
    let releases = numbers.iter().fold(empty, |releases, (key, n)| {
        let p = selected(per_key, *n);
        let with = |(keys, mass): &(Vec<u8>, Mass)| ([keys.as_slice(), &[*key]].concat(), mass.mul(&p));
        let without = |(keys, mass): &(Vec<u8>, Mass)| (keys.clone(), mass.mul(&one().sub(&p)));
        releases.iter().flat_map(|release| [with(release), without(release)]).collect()
    });
    Law::new(releases.into_iter().map(|(keys, mass)| (keys.key(), mass)))
}

/// The distribution of the first and the last of the bins of which the noisy counts reach a threshold, as positions in
/// a grid; 0 if there are none.
pub(crate) fn bounds<const BINS: usize>(threshold: i64, scale: f64, counts: [i64; BINS]) -> Law {
    let passes = counts.map(|count| upper_tail(threshold - count, scale));
    let fails = |range: std::ops::Range<usize>| {
        passes.get(range).unwrap_or_default().iter().fold(one(), |mass, p| mass.mul(&one().sub(p)))
    };
    let all = (0..BINS).flat_map(|first| (first..BINS).map(move |last| (first, last)));
    let masses = all.map(|(first, last)| {
        let ends = if first == last { passes[first].clone() } else { passes[first].mul(&passes[last]) };
        ((first, last + 1).key(), ends.mul(&fails(0..first)).mul(&fails(last + 1..BINS)))
    });
    Law::new(masses.chain([(0usize.key(), fails(0..BINS))]))
}
