//! Distributions on the real numbers, rounded to a grid.

use super::{Cells, DRAWS, draws};
use indistinct_sampling::{RealNoise, RoundedNoise, testing::SeededEntropy};
use statrs::distribution::{ContinuousCDF, Laplace, Normal};

/// A distribution, its distribution function and its quantiles between 0 and 1.
struct Law {
    name: &'static str,
    noise: RealNoise,
    cdf: Box<dyn Fn(f64) -> f64>,
}

fn laws() -> Vec<Law> {
    let law = |name, noise, cdf: Box<dyn Fn(f64) -> f64>| Law { name, noise, cdf };
    let (laplace, normal) = (Laplace::new(0.0, 1.0).unwrap(), Normal::new(0.0, 1.0).unwrap());
    vec![
        law("laplace", RealNoise::laplace(), Box::new(move |z| laplace.cdf(z))),
        law("gaussian", RealNoise::gaussian(), Box::new(move |z| normal.cdf(z))),
        law("exponential", RealNoise::exponential(), Box::new(|z| if z < 0.0 { 0.0 } else { -(-z).exp_m1() })),
        law("gumbel", RealNoise::gumbel(), Box::new(|z| (-(-z).exp()).exp())),
        law("logistic", RealNoise::logistic(), Box::new(|z| 1.0 / (1.0 + (-z).exp()))),
        law("uniform", RealNoise::uniform(), Box::new(|z| z.clamp(0.0, 1.0))),
        law("tulap", RealNoise::tulap(1.0, 0.0).unwrap(), Box::new(|z| tulap(1.0, 0.0, z))),
        law("truncated tulap", RealNoise::tulap(0.5, 0.1).unwrap(), Box::new(|z| tulap(0.5, 0.1, z))),
    ]
}

/// Awan, Slavković 2018: the distribution function of canonical noise.
fn tulap(epsilon: f64, delta: f64, x: f64) -> f64 {
    fn whole(b: f64, x: f64) -> f64 {
        if x > 0.0 {
            return 1.0 - whole(b, -x);
        }
        let n = x.round();
        b.powf(-n) / (1.0 + b) * (b + (x - n + 0.5) * (1.0 - b))
    }
    let b = (-epsilon).exp();
    let q = 2.0 * delta * b / (1.0 - b + 2.0 * delta * b);
    ((whole(b, x) - q / 2.0) / (1.0 - q)).clamp(0.0, 1.0)
}

/// Counts of draws of `shift + scale Z` on the grid `2^k` in 256 cells of the distribution of `shift + claimed Z`.
fn counts(law: &Law, (scale, claimed): (f64, f64), shift: f64, k: i32, draws: u32) -> Cells {
    let noise = RoundedNoise::new(law.noise.clone(), scale, k).unwrap();
    let half = 2f64.powi(k - 1);
    // Upper ends on the grid: what is rounded to at most `end` lies below `end + half`.
    let mut ends: Vec<f64> = (1..256)
        .map(|i| {
            let target = f64::from(i) / 256.0;
            let (mut low, mut high) = (-64.0, 64.0);
            for _ in 0..80 {
                let middle = (low + high) / 2.0;
                if (law.cdf)(middle) < target { low = middle } else { high = middle }
            }
            ((shift + claimed * high) / (2.0 * half)).floor() * 2.0 * half
        })
        .collect();
    ends.dedup();
    let mut truth: Vec<f64> = ends.iter().map(|end| (law.cdf)((end + half - shift) / claimed)).collect();
    truth.push(1.0);
    let mut cells = Cells::new(truth);
    let mut entropy = SeededEntropy::new(31);
    for _ in 0..draws {
        let release = noise.add(shift, &mut entropy).unwrap();
        cells.count(ends.partition_point(|end| *end < release));
    }
    cells
}

#[test]
fn draws_follow_the_laws_at_every_scale() {
    for law in laws() {
        for (scale, shift, k) in [
            (1e-3, 0.1, -42),
            (0.5, -7.25, -33),
            (1.0, 0.0, -32),
            (10.0, 1e6, -3),
            (1e3, 0.3, -23),
            (1e6, -1e9, -13),
            (1e15, 5.0, 17),
        ] {
            let cells = counts(&law, (scale, scale), shift, k, draws());
            assert!(cells.follow(), "{} at {scale}: {} {}", law.name, cells.gap(), cells.g());
        }
    }
}

#[test]
fn coarse_grids_round_to_the_nearest() {
    // A cell of the grid is as wide as the scale: rounding down, or to even, would move a third of the mass.
    for law in laws() {
        for shift in [0.0, 0.3, 0.5] {
            let cells = counts(&law, (1.0, 1.0), shift, 0, DRAWS / 10);
            assert!(cells.follow(), "{} {shift}: {} {}", law.name, cells.gap(), cells.g());
        }
    }
}

#[test]
fn negative_controls_are_rejected() {
    for law in laws() {
        assert!(!counts(&law, (1.01, 1.0), 0.0, -32, DRAWS / 2).follow(), "{}: one percent", law.name);
    }
}

/// The last bit of a multiple is as often set as not; one that is stuck is seen.
#[test]
fn last_bits_are_fair() {
    for law in laws() {
        let noise = RoundedNoise::new(law.noise.clone(), 1.0, -32).unwrap();
        let mut entropy = SeededEntropy::new(32);
        let mut fair = Cells::new((1..=8).map(|i| f64::from(i) / 8.0).collect());
        let mut stuck = Cells::new((1..=8).map(|i| f64::from(i) / 8.0).collect());
        for _ in 0..1_000_000 {
            let steps = noise.add(0.0, &mut entropy).unwrap() * 2f64.powi(32);
            let bits = usize::try_from(format!("{steps:.0}").parse::<i64>().unwrap() & 7).unwrap();
            fair.count(bits);
            stuck.count(bits | 1);
        }
        assert!(fair.follow(), "{}: {}", law.name, fair.g());
        assert!(!stuck.follow(), "{}", law.name);
    }
}
