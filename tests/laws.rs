//! The distribution of every measurement on small domains, from its definition, against its map: for every pair of
//! neighbors.
//!
//! That the samplers have these distributions is tested where they are. Here, maps are never below the loss that the
//! distribution has, and where a map is tight some pair comes close to it.

use indistinct::{measurements::Scale, prelude::*, sampling::testing::SeededEntropy};
use std::collections::BTreeMap;

/// What the f64 arithmetic of these tests may be off by.
const SLACK: f64 = 1e-9;

type Law = Vec<f64>;

fn max_divergence(p: &Law, q: &Law) -> f64 {
    p.iter().zip(q).map(|(p, q)| if *p == 0.0 { 0.0 } else { (p / q).ln() }).fold(0.0, f64::max)
}

fn range(p: &Law, q: &Law) -> f64 {
    let ratios: Vec<f64> = p.iter().zip(q).filter(|(p, q)| **p > 0.0 || **q > 0.0).map(|(p, q)| (p / q).ln()).collect();
    ratios.iter().copied().fold(f64::MIN, f64::max) - ratios.iter().copied().fold(f64::MAX, f64::min)
}

fn renyi(p: &Law, q: &Law, alpha: f64) -> f64 {
    // Probabilities so small that a float is 0 do not count.
    let sum: f64 = p.iter().zip(q).filter(|(p, q)| **p > 0.0 && **q > 0.0).map(|(p, q)| q * (p / q).powf(alpha)).sum();
    sum.ln() / (alpha - 1.0)
}

const ORDERS: [f64; 4] = [1.01, 2.0, 8.0, 64.0];

/// All vectors of three scores from 0 to 3.
fn score_vectors() -> Vec<[i64; 3]> {
    let range = || 0..=3i64;
    range().flat_map(|a| range().flat_map(move |b| range().map(move |c| [a, b, c]))).collect()
}

/// Distances of two vectors: plain and monotonic.
fn distances(x: &[i64], y: &[i64]) -> (f64, f64) {
    let rise = x.iter().zip(y).map(|(x, y)| y - x).max().unwrap().max(0);
    let fall = x.iter().zip(y).map(|(x, y)| x - y).max().unwrap().max(0);
    (float(rise.max(fall)), float(rise + fall))
}

fn float(n: i64) -> f64 {
    f64::from(i32::try_from(n).unwrap())
}

fn exponential_law(scores: &[i64], scale: f64) -> Law {
    let weights: Vec<f64> = scores.iter().map(|score| (float(*score) / scale).exp()).collect();
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

/// McKenna, Sheldon 2020: with `p = exp((score - best) / scale)`, a sum over the subsets of the others.
fn permute_and_flip_law(scores: &[i64], scale: f64) -> Law {
    let best = *scores.iter().max().unwrap();
    let p: Vec<f64> = scores.iter().map(|score| (float(score - best) / scale).exp()).collect();
    (0..p.len())
        .map(|i| {
            let others: Vec<f64> = p.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, p)| *p).collect();
            let subsets = (0..1u32 << others.len()).map(|subset| {
                let size = subset.count_ones();
                let product: f64 =
                    others.iter().enumerate().filter(|(j, _)| subset >> j & 1 == 1).map(|(_, p)| p).product();
                product / f64::from(size + 1) * if size % 2 == 0 { 1.0 } else { -1.0 }
            });
            p[i] * subsets.sum::<f64>()
        })
        .collect()
}

/// The first and the second of the greatest with Gumbel noise: peeling.
fn top_two_law(scores: &[i64], scale: f64) -> Law {
    let mut law = Vec::new();
    for first in 0..scores.len() {
        let rest: Vec<i64> = scores.iter().enumerate().filter(|(i, _)| *i != first).map(|(_, score)| *score).collect();
        law.extend(exponential_law(&rest, scale).iter().map(|p| p * exponential_law(scores, scale)[first]));
    }
    law
}

#[test]
fn selections() {
    let scale = 1.5;
    let space = || VectorDomain::new(AtomDomain::i64()).with_size(3);
    for monotonic in [false, true] {
        let metric = || if monotonic { LInfDistance::monotonic() } else { LInfDistance::new() };
        let flip = make_permute_and_flip(space(), metric(), scale).unwrap();
        let pure = make_exponential(space(), metric(), MaxDivergence, scale).unwrap();
        let bounded = make_exponential(space(), metric(), RangeDivergence, scale).unwrap();
        let zcdp = make_exponential(space(), metric(), ZeroConcentratedDivergence, scale).unwrap();
        let two = make_noisy_top_k(space(), metric(), MaxDivergence, 2, scale).unwrap();
        let two_bounded = make_noisy_top_k(space(), metric(), RangeDivergence, 2, scale).unwrap();
        let two_zcdp = make_noisy_top_k(space(), metric(), ZeroConcentratedDivergence, 2, scale).unwrap();
        let (mut tightest_flip, mut tightest_range) = (0f64, 0f64);
        for x in score_vectors() {
            for y in score_vectors() {
                let (plain, ordered) = distances(&x, &y);
                let d_in = if monotonic { ordered } else { plain };
                if d_in == 0.0 {
                    continue;
                }
                let laws = (permute_and_flip_law(&x, scale), permute_and_flip_law(&y, scale));
                let loss = max_divergence(&laws.0, &laws.1);
                tightest_flip = tightest_flip.max(loss / flip.map(&d_in).unwrap());
                let (p, q) = (exponential_law(&x, scale), exponential_law(&y, scale));
                assert!(max_divergence(&p, &q) <= pure.map(&d_in).unwrap() + SLACK, "{x:?} {y:?}");
                tightest_range = tightest_range.max(range(&p, &q) / bounded.map(&d_in).unwrap());
                let (pair, other) = (top_two_law(&x, scale), top_two_law(&y, scale));
                assert!(max_divergence(&pair, &other) <= two.map(&d_in).unwrap() + SLACK, "{x:?} {y:?}");
                assert!(range(&pair, &other) <= two_bounded.map(&d_in).unwrap() + SLACK, "{x:?} {y:?}");
                for alpha in ORDERS {
                    assert!(renyi(&p, &q, alpha) <= alpha * zcdp.map(&d_in).unwrap() + SLACK, "{x:?} {y:?} {alpha}");
                    let rho = two_zcdp.map(&d_in).unwrap();
                    assert!(renyi(&pair, &other, alpha) <= alpha * rho + SLACK, "{x:?} {y:?} {alpha}");
                }
            }
        }
        assert!(tightest_flip <= 1.0 + SLACK && tightest_flip > 0.6, "{tightest_flip}");
        assert!(tightest_range <= 1.0 + SLACK && tightest_range > 0.999, "{tightest_range}");
    }
}

/// The exponential mechanism's distribution is not permute-and-flip's, and a map of half the size is exceeded.
#[test]
fn controls_of_selections() {
    let (x, y) = ([0, 1, 0], [1, 0, 1]);
    let wrong = max_divergence(&exponential_law(&x, 1.0), &exponential_law(&y, 1.0));
    let select = make_exponential(
        VectorDomain::new(AtomDomain::i64()).with_size(3),
        LInfDistance::monotonic(),
        MaxDivergence,
        1.0,
    );
    // At plain distance 1 a monotonic map is too small.
    assert!(wrong > select.unwrap().map(&1.0).unwrap());
    assert!((exponential_law(&x, 1.0)[0] - permute_and_flip_law(&x, 1.0)[0]).abs() > 0.01);
    assert!((permute_and_flip_law(&x, 1.0).iter().sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn private_quantiles() {
    let (scale, candidates) = (2.0, vec![1, 2, 4]);
    let scores = |rows: &[i32], alpha: f64| -> Vec<f64> {
        let count = |test: &dyn Fn(&i32) -> bool| rows.iter().filter(|row| test(row)).fold(0.0, |n, _| n + 1.0);
        let level = alpha * count(&|_| true);
        let excess = |c: &i32| (count(&|row| row < c) - level).max(level - count(&|row| row <= c));
        let score = |c: &i32| -excess(c).max(0.0);
        candidates.iter().map(score).collect()
    };
    let law = |rows: &[i32], alpha: f64| -> Law {
        let weights: Vec<f64> = scores(rows, alpha).iter().map(|score| (score / scale).exp()).collect();
        let total: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / total).collect()
    };
    for alpha in [0.0, 0.25, 0.5, 0.875] {
        let rows = || VectorDomain::new(AtomDomain::i32());
        let added = make_private_quantile(rows(), SymmetricDistance, RangeDivergence, candidates.clone(), alpha, scale)
            .unwrap();
        let replaced =
            make_private_quantile(rows(), ChangeOneDistance, RangeDivergence, candidates.clone(), alpha, scale)
                .unwrap();
        for (a, b, c) in (0..6).flat_map(|a| (0..6).flat_map(move |b| (0..6).map(move |c| (a, b, c)))) {
            let two = law(&[a, b], alpha);
            assert!(range(&two, &law(&[a, b, c], alpha)) <= added.map(&1).unwrap() + SLACK, "{alpha} {a} {b} {c}");
            assert!(range(&two, &law(&[a, c], alpha)) <= replaced.map(&1).unwrap() + SLACK, "{alpha} {a} {b} {c}");
        }
    }
    // The distribution is the one that the measurement has: shares of 100,000 releases (Hoeffding, a false alarm once
    // in 10^9).
    let rows = VectorDomain::new(AtomDomain::i32());
    let median =
        make_private_quantile(rows, SymmetricDistance, RangeDivergence, candidates.clone(), 0.5, scale).unwrap();
    let mut entropy = SeededEntropy::new(81);
    let mut shares = BTreeMap::new();
    for _ in 0..100_000 {
        *shares.entry(median.invoke_with(&[0, 1, 1, 3, 5], &mut entropy).unwrap()).or_insert(0.0) += 1e-5;
    }
    let bound = (f64::ln(6e9) / 2e5).sqrt();
    for (candidate, p) in candidates.iter().zip(law(&[0, 1, 1, 3, 5], 0.5)) {
        assert!((shares[candidate] - p).abs() < bound, "{candidate}: {shares:?} {p}");
    }
}

#[test]
fn randomized_responses() {
    for k in [2u32, 3, 7] {
        let categories: Vec<u32> = (0..k).collect();
        for prob in [1.0 / f64::from(k) + 1e-15, 0.6, 0.99] {
            let response =
                make_randomized_response(AtomDomain::u32(), DiscreteDistance, categories.clone(), prob).unwrap();
            let law = |value: u32| -> Law {
                let other = (1.0 - prob) / f64::from(k - 1);
                let p = |category| {
                    if value >= k {
                        1.0 / f64::from(k)
                    } else if category == value {
                        prob
                    } else {
                        other
                    }
                };
                (0..k).map(p).collect()
            };
            for (x, y) in (0..=k).flat_map(|x| (0..=k).map(move |y| (x, y))) {
                assert!(max_divergence(&law(x), &law(y)) <= response.map(&1).unwrap() + SLACK, "{k} {prob} {x} {y}");
            }
            assert!(max_divergence(&law(0), &law(1)) >= response.map(&1).unwrap() - SLACK);
        }
    }
}

#[test]
fn bounded_geometric() {
    let (scale, bounds) = (1.7, (-2i64, 3i64));
    let geometric = make_geometric(AtomDomain::i64(), AbsoluteDistance::new(), scale, Some(bounds)).unwrap();
    let law = |value: i64| -> Law {
        let mut law = vec![0.0; 6];
        let value = value.clamp(bounds.0, bounds.1);
        let r = (-1.0 / scale).exp();
        for z in -200..=200i64 {
            let p = (1.0 - r) / (1.0 + r) * r.powi(i32::try_from(z.abs()).unwrap());
            law[usize::try_from((value + z).clamp(bounds.0, bounds.1) + 2).unwrap()] += p;
        }
        law
    };
    for (x, y) in (-4..=5).flat_map(|x| (-4..=5).map(move |y| (x, y))) {
        let d_in = float(i64::abs(x - y));
        assert!(max_divergence(&law(x), &law(y)) <= geometric.map(&d_in).unwrap() + SLACK, "{x} {y}");
    }
    assert!(max_divergence(&law(0), &law(1)) >= geometric.map(&1.0).unwrap() - SLACK);
}

/// Numbers released on a grid as coarse as the scale: the ratio of the masses of cells.
#[test]
fn rounded_laplace_and_gaussian() {
    use statrs::distribution::{ContinuousCDF, Laplace, Normal};
    let scale = 1.3;
    let (laplace, normal) = (Laplace::new(0.0, scale).unwrap(), Normal::new(0.0, scale).unwrap());
    let law = |cdf: &dyn Fn(f64) -> f64, x: f64| -> Law {
        (-20..=20).map(|cell| cdf(f64::from(cell) + 0.5 - x) - cdf(f64::from(cell) - 0.5 - x)).collect()
    };
    let noisy = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), Scale::new(scale).on_grid(0)).unwrap();
    let normally = make_gaussian(
        AtomDomain::f64(),
        AbsoluteDistance::new(),
        ZeroConcentratedDivergence,
        Scale::new(scale).on_grid(0),
    )
    .unwrap();
    for (x, y) in [(0.0, 1.0), (0.3, 0.9), (-0.5, 0.5), (0.0, 1e-3), (2.0, -1.0)] {
        let d_in = f64::abs(x - y);
        let (p, q) = (law(&|z| laplace.cdf(z), x), law(&|z| laplace.cdf(z), y));
        // Cells far out are differences of numbers close to 1.
        assert!(max_divergence(&p[8..33].to_vec(), &q[8..33].to_vec()) <= noisy.map(&d_in).unwrap() + 1e-6, "{x} {y}");
        let (p, q) = (law(&|z| normal.cdf(z), x), law(&|z| normal.cdf(z), y));
        for alpha in [1.01, 2.0, 8.0] {
            let rho = normally.map(&d_in).unwrap();
            assert!(renyi(&p[12..29].to_vec(), &q[12..29].to_vec(), alpha) <= alpha * rho + 1e-6, "{x} {y} {alpha}");
        }
    }
}

#[test]
fn discrete_gaussian() {
    for scale in [0.4, 1.0, 2.5] {
        let noisy =
            make_gaussian(AtomDomain::i64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale).unwrap();
        let law = |x: i32| -> Law {
            // Nine scales and the shifts: beyond lies nothing that matters, and within no probability that is 0 in
            // floats.
            let reach = [7, 13, 26][[0.4, 1.0, 2.5].iter().position(|s| *s == scale).unwrap()];
            let weights: Vec<f64> =
                (-reach..=reach).map(|z| (-(f64::from(z - x) / scale).powi(2) / 2.0).exp()).collect();
            let total: f64 = weights.iter().sum();
            weights.iter().map(|weight| weight / total).collect()
        };
        for d_in in 1..=3 {
            for alpha in [1.01, 2.0, 4.0] {
                let rho = noisy.map(&f64::from(d_in)).unwrap();
                let divergence = renyi(&law(d_in), &law(0), alpha);
                assert!(divergence <= alpha * rho + SLACK, "{scale} {d_in} {alpha}: {divergence}");
                // An integer shift attains it at integer orders (Canonne, Kamath, Steinke 2020).
                assert!(alpha != 2.0 || divergence >= alpha * rho * (1.0 - 1e-6), "{scale} {d_in}: {divergence}");
            }
        }
    }
}

/// The hockey-stick divergence of Tulap noise from itself shifted by one is delta, and no more for smaller shifts.
#[test]
fn canonical_noise() {
    for (epsilon, delta) in [(1.0, 0.01), (0.2, 0.1), (2.0, 1e-6), (0.7, 0.0)] {
        let b = f64::exp(-epsilon);
        let q = 2.0 * delta * b / (1.0 - b + 2.0 * delta * b);
        fn whole(b: f64, x: f64) -> f64 {
            let n = x.round();
            if x > 0.0 { 1.0 - whole(b, -x) } else { b.powf(-n) / (1.0 + b) * (b + (x - n + 0.5) * (1.0 - b)) }
        }
        // The quantile at q / 2, by bisection; infinite without truncation.
        let (mut low, mut high) = (-2000.0, 0.0);
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            if whole(b, middle) < q / 2.0 { low = middle } else { high = middle }
        }
        let cut = if delta == 0.0 { 40.0 / epsilon } else { -high };
        let density =
            |x: f64| if x.abs() > cut { 0.0 } else { (1.0 - b) / (1.0 + b) * b.powf(x.round().abs()) / (1.0 - q) };
        let noise = make_canonical_noise(AtomDomain::f64(), AbsoluteDistance::new(), 1.0, (epsilon, delta)).unwrap();
        for shift in [0.25, 0.5, 1.0] {
            // Steps so fine that an edge within one of them is worth less than the slack.
            let steps = 400_000;
            let width = (2.0 * cut + 2.0) / f64::from(steps);
            let divergence: f64 = (0..steps)
                .map(|i| {
                    let x = -cut - 1.0 + (f64::from(i) + 0.5) * width;
                    (density(x) - epsilon.exp() * density(x - shift)).max(0.0) * width
                })
                .sum();
            let claimed = noise.map(&shift).unwrap();
            assert_eq!(claimed, (epsilon, delta));
            assert!(divergence <= delta + 1e-4, "{epsilon} {delta} {shift}: {divergence}");
            assert!(shift < 1.0 || divergence >= delta - 1e-4, "{epsilon} {delta}: {divergence}");
        }
    }
}
