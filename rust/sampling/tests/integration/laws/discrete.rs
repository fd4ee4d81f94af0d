//! Distributions on the integers.

use super::{Cells, DRAWS, as_float, draws};
use indistinct_sampling::{Entropy, Fallible, IntegerNoise, TruncatedNoise, testing::SeededEntropy};
use statrs::distribution::{ContinuousCDF, Normal};

type Make = fn(f64) -> Fallible<IntegerNoise>;
const SCALES: [f64; 7] = [1e-3, 0.5, 1.0, 10.0, 1e3, 1e6, 1e15];

/// P(Z <= z) for a discrete Laplace Z.
fn laplace(scale: f64, z: i64) -> f64 {
    let r = (-1.0 / scale).exp();
    let tail = |m: i64| (-as_float(m.unsigned_abs()) / scale).exp() / (1.0 + r);
    // P(Z >= m) = r^m / (1 + r) for m > 0.
    if z >= 0 { 1.0 - tail(z + 1) } else { tail(z) }
}

fn geometric(scale: f64, z: i64) -> f64 {
    if z < 0 { 0.0 } else { -(-(as_float(z.unsigned_abs()) + 1.0) / scale).exp_m1() }
}

/// P(Z <= z) for a discrete Gaussian Z: by summation, and for large scales by the normal distribution, whose error
/// there is below 1e-9 (the sum of a function that varies over the scale, by the midpoint rule).
fn gaussian(scale: f64) -> impl Fn(i64) -> f64 {
    let reach = if scale < 1e4 { 10 + 12 * as_integer(scale.ceil()) } else { -1 };
    let weight = |z: i64| (-(as_float(z.unsigned_abs()) / scale).powi(2) / 2.0).exp();
    let mut sums: Vec<f64> = (-reach..=reach)
        .scan(0.0, |sum, z| {
            *sum += weight(z);
            Some(*sum)
        })
        .collect();
    let total = sums.last().copied().unwrap_or(1.0);
    sums.iter_mut().for_each(|sum| *sum /= total);
    let normal = Normal::new(0.0, 1.0).unwrap();
    move |z| {
        if reach >= 0 {
            return usize::try_from(z + reach).map_or(0.0, |i| sums.get(i).copied().unwrap_or(1.0));
        }
        let size = as_float(z.unsigned_abs());
        normal.cdf((if z < 0 { -size } else { size } + 0.5) / scale)
    }
}

fn as_integer(x: f64) -> i64 {
    format!("{x:.0}").parse().unwrap()
}

/// Cells of about equal probability between `-8` and `8` scales, or single integers where these are few.
fn ends(scale: f64, cdf: &dyn Fn(i64) -> f64) -> Vec<i64> {
    let reach = as_integer((12.0 * scale).max(4.0));
    let mut ends: Vec<i64> = (-reach..=reach.min(200)).take(401).collect();
    if reach > 200 {
        ends = (1..400)
            .map(|i| {
                let target = f64::from(i) / 400.0;
                let (mut low, mut high) = (-2 * reach, 2 * reach);
                while high - low > 1 {
                    let middle = low + (high - low) / 2;
                    if cdf(middle) < target { low = middle } else { high = middle }
                }
                high
            })
            .collect();
        // Around zero, every integer.
        ends.extend(-5..=5);
    }
    ends.push(i64::MAX);
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// Counts of draws in cells of the distribution that `cdf` claims.
fn counts(scale: f64, draws: u32, cdf: &dyn Fn(i64) -> f64, mut draw: impl FnMut() -> i64) -> Cells {
    let ends = ends(scale, cdf);
    let truth = ends.iter().map(|end| if *end == i64::MAX { 1.0 } else { cdf(*end) }).collect();
    let mut cells = Cells::new(truth);
    for _ in 0..draws {
        let z = draw();
        cells.count(ends.partition_point(|end| *end < z));
    }
    cells
}

/// Whether the low bits of draws of a large scale are uniform, as they are but for 1e-9 from scale 1e6 on.
fn low_bits(draws: u32, mut draw: impl FnMut() -> i64) -> Cells {
    let mut cells = Cells::new((1..=16).map(|i| f64::from(i) / 16.0).collect());
    for _ in 0..draws {
        cells.count(usize::try_from(draw() & 15).unwrap());
    }
    cells
}

fn check(make: Make, seed: u64, cdf: &dyn Fn(f64) -> Box<dyn Fn(i64) -> f64>) {
    for scale in SCALES {
        let (noise, cdf) = (make(scale).unwrap(), cdf(scale));
        let mut entropy = SeededEntropy::new(seed);
        let cells = counts(scale, draws(), &cdf, || noise.draw_i64(&mut entropy).unwrap());
        assert!(cells.follow(), "scale {scale}, seed {seed}: {} {}", cells.gap(), cells.g());
        if scale > 1e5 {
            let cells = low_bits(draws() / 10, || noise.draw_i64(&mut entropy).unwrap());
            assert!(cells.follow(), "low bits, scale {scale}, seed {seed}: {}", cells.g());
        }
    }
}

#[test]
fn discrete_laplace() {
    check(IntegerNoise::laplace, 21, &|scale| Box::new(move |z| laplace(scale, z)));
}

#[test]
fn discrete_gaussian() {
    check(IntegerNoise::gaussian, 22, &|scale| Box::new(gaussian(scale)));
}

#[test]
fn geometric_law() {
    check(IntegerNoise::geometric, 23, &|scale| Box::new(move |z| geometric(scale, z)));
}

/// Negative controls of the discrete Laplace and Gaussian distributions.
#[test]
fn negative_controls_are_rejected() {
    type Control = fn(i64, &mut SeededEntropy) -> i64;
    // A zero that is drawn with both signs: another draw is replaced by zero as often as zero comes.
    let twice: Control = |z, entropy| {
        if z.abs() == 1 && entropy.bit().unwrap() && entropy.bit().unwrap() { 0 } else { z }
    };
    // `<=` for `<`: each size is one more now and then.
    let strictness: Control = |z, entropy| if entropy.bits(4).unwrap() == 0 { z + 1 } else { z };
    let stuck: Control = |z, _| z | 1;
    type Cdf = fn(f64) -> Box<dyn Fn(i64) -> f64>;
    let laws: [(Make, Cdf); 2] = [
        (IntegerNoise::laplace, |scale| Box::new(move |z| laplace(scale, z))),
        (IntegerNoise::gaussian, |scale| Box::new(gaussian(scale))),
    ];
    for (make, cdf) in laws {
        for scale in [0.5, 1.0, 10.0, 1e3, 1e6] {
            let rejected = |noise: f64, control: Control, cdf: &dyn Fn(i64) -> f64| {
                let noise = make(noise).unwrap();
                let mut entropy = SeededEntropy::new(24);
                let draw = || {
                    let z = noise.draw_i64(&mut entropy).unwrap();
                    control(z, &mut entropy)
                };
                !counts(scale, DRAWS / 2, cdf, draw).follow()
            };
            let cdf = cdf(scale);
            assert!(!rejected(scale, |z, _| z, &cdf), "scale {scale}");
            assert!(rejected(scale * 1.01, |z, _| z, &cdf), "one percent, scale {scale}");
            if scale <= 10.0 {
                assert!(rejected(scale, twice, &cdf), "zero twice, scale {scale}");
                assert!(rejected(scale, strictness, &cdf), "strictness, scale {scale}");
                assert!(rejected(scale, stuck, &cdf), "last bit, scale {scale}");
            } else if scale > 1e5 {
                let noise = make(scale).unwrap();
                let mut entropy = SeededEntropy::new(25);
                assert!(!low_bits(100_000, || noise.draw_i64(&mut entropy).unwrap() | 1).follow());
            }
        }
    }
}

#[test]
fn truncated_laws() {
    let weights: [fn(f64, f64) -> f64; 2] =
        [|z, scale| (-z.abs() / scale).exp(), |z, scale| (-(z / scale).powi(2) / 2.0).exp()];
    let float = |z: i64| if z < 0 { -as_float(z.unsigned_abs()) } else { as_float(z.unsigned_abs()) };
    // Around the mode, short and long; in the tails, short and long, on both sides; a point.
    for (scale, lower, upper) in [
        (10.0, -3, 4),
        (2.0, -30, 3),
        (10.0, 5, 8),
        (3.0, 2, 40),
        (3.0, 7, 40),
        (3.0, -50, -8),
        (0.3, 1, 9),
        (5.0, 7, 7),
    ] {
        for (law, weight) in weights.into_iter().enumerate() {
            let make = if law == 0 {
                TruncatedNoise::laplace(scale, lower, upper)
            } else {
                TruncatedNoise::gaussian(scale, lower, upper)
            };
            let noise = make.unwrap();
            // Relative to the greatest, far in the tails too.
            let nearest = 0.clamp(lower, upper);
            let sums: Vec<f64> = (lower..=upper)
                .scan(0.0, |sum, z| {
                    *sum += weight(float(z), scale) / weight(float(nearest), scale);
                    Some(*sum)
                })
                .collect();
            let mut cells = Cells::new(sums.iter().map(|sum| sum / sums.last().unwrap()).collect());
            let mut wrong = Cells::new(if lower < upper {
                without(usize::try_from(nearest - lower).unwrap(), &sums)
            } else {
                vec![1.0]
            });
            let mut entropy = SeededEntropy::new(26);
            for _ in 0..100_000 {
                let z = noise.draw(&mut entropy).unwrap();
                cells.count(usize::try_from(z - lower).unwrap());
                wrong.count(usize::try_from(z - lower).unwrap());
            }
            assert!(cells.follow(), "{law} {scale} {lower} {upper}: {} {}", cells.gap(), cells.g());
            assert!(lower == upper || !wrong.follow(), "{law} {scale} {lower} {upper}: no power");
        }
    }
}

/// The distribution without the number at a position: what an end that is taken for excluded gives.
fn without(position: usize, sums: &[f64]) -> Vec<f64> {
    let mass = sums[position] - if position == 0 { 0.0 } else { sums[position - 1] };
    let rest = sums[sums.len() - 1] - mass;
    sums.iter().enumerate().map(|(i, sum)| if i < position { sum / rest } else { (sum - mass) / rest }).collect()
}

#[test]
fn truncation_refuses_what_has_no_law() {
    assert!(TruncatedNoise::laplace(1.0, 3, 2).is_err());
    assert!(TruncatedNoise::laplace(0.0, 1, 2).is_err());
    let mut entropy = SeededEntropy::new(27);
    assert_eq!(TruncatedNoise::gaussian(0.0, -1, 2).unwrap().draw(&mut entropy), Ok(0));
    for (lower, upper) in
        [(i64::MIN, i64::MIN), (i64::MIN, i64::MAX), (i64::MAX, i64::MAX), (i64::MIN, -1), (1, i64::MAX)]
    {
        for scale in [5e-324, 1e-3, 1.0, 1e18, 1e300] {
            for noise in [TruncatedNoise::laplace(scale, lower, upper), TruncatedNoise::gaussian(scale, lower, upper)] {
                let z = noise.unwrap().draw(&mut entropy).unwrap();
                assert!((lower..=upper).contains(&z), "{scale} {lower} {upper}: {z}");
            }
        }
    }
}
