//! Noise: a draw of ours beside opendp's of the same distribution, and beside the inexact draw of the same family.
//!
//! Every benchmark makes a hundred draws an iteration. Ours come from one source of entropy, as in a release of a
//! vector; opendp's from a vector of a hundred zeros, and the inexact ones from `rand`'s `StdRng`, which is the same
//! ChaCha12.

use criterion::{Criterion, criterion_group, criterion_main};
use indistinct_sampling::{
    Fallible, IntegerNoise, OsEntropy, RealNoise, RoundedNoise, SelectionNoise, bernoulli, noisy_top_k,
};
use opendp::{
    domains::{AtomDomain, VectorDomain},
    measurements::{make_gaussian, make_laplace, make_noisy_max, make_randomized_response_bool},
    measures::{MaxDivergence, ZeroConcentratedDivergence},
    metrics::{L1Distance, L2Distance, LInfDistance},
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use rand_distr::{Bernoulli, Distribution, Normal};
use std::hint::black_box;

const DRAWS: usize = 100;

fn ours(criterion: &mut Criterion) {
    let mut entropy = OsEntropy::new();
    let mut group = criterion.benchmark_group("noise");
    let mut integers = |name: String, noise: Fallible<IntegerNoise>| {
        let Ok(noise) = noise else { return };
        group.bench_function(&name, |bencher| {
            bencher.iter(|| {
                for _ in 0..DRAWS {
                    let _ = black_box(noise.draw_i64(&mut entropy));
                }
            });
        });
        let mut draws = [0; DRAWS];
        group.bench_function(format!("{name}_vector"), |bencher| {
            bencher.iter(|| {
                let _ = noise.fill(&mut draws, &mut entropy);
                black_box(&draws);
            });
        });
    };
    for scale in [1.0, 1e3, 1e6] {
        integers(format!("discrete_laplace_{scale:e}"), IntegerNoise::laplace(scale));
    }
    for scale in [1.0, 1e3, 1e6, 1e9] {
        integers(format!("discrete_gaussian_{scale:e}"), IntegerNoise::gaussian(scale));
    }
    for (name, noise) in [("laplace", RoundedNoise::laplace(1.0, -32)), ("gaussian", RoundedNoise::gaussian(1.0, -32))]
    {
        let Ok(noise) = noise else { continue };
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for _ in 0..DRAWS {
                    let _ = black_box(noise.add(black_box(0.1), &mut entropy));
                }
            });
        });
    }
    for (name, noise) in [
        ("exponential", RealNoise::exponential()),
        ("gumbel", RealNoise::gumbel()),
        ("logistic", RealNoise::logistic()),
        ("uniform", RealNoise::uniform()),
    ] {
        let Ok(noise) = RoundedNoise::new(noise, 1.0, -32) else { continue };
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for _ in 0..DRAWS {
                    let _ = black_box(noise.add(black_box(0.1), &mut entropy));
                }
            });
        });
    }
    group.bench_function("bernoulli", |bencher| {
        bencher.iter(|| {
            for _ in 0..DRAWS {
                let _ = black_box(bernoulli(black_box(0.73), &mut entropy));
            }
        });
    });
    let scores: Vec<i32> = (0..1000).collect();
    for (name, noise) in [("exponential", SelectionNoise::Exponential), ("gumbel", SelectionNoise::Gumbel)] {
        for scale in [1.0, 100.0] {
            group.bench_function(format!("noisy_max_{name}_{scale}"), |bencher| {
                bencher.iter(|| black_box(noisy_top_k(&scores, 1, scale, noise, &mut entropy)));
            });
        }
    }
    for scale in [1.0, 1e3] {
        group.bench_function(format!("build_discrete_gaussian_{scale:e}"), |bencher| {
            bencher.iter(|| black_box(IntegerNoise::gaussian(black_box(scale))));
        });
    }
}

fn peers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("opendp");
    macro_rules! opendp {
        ($name:expr, $make:ident, $metric:expr, $measure:ty, $type:ty, $scale:expr, $k:expr) => {
            let domain = VectorDomain::new(AtomDomain::<$type>::new_non_nan());
            if let Ok(measurement) = $make::<_, _, $measure>(domain, $metric, $scale, $k) {
                let zeros = vec![<$type>::default(); DRAWS];
                group.bench_function($name, |bencher| bencher.iter(|| black_box(measurement.invoke(&zeros))));
            }
        };
    }
    macro_rules! opendp_integers {
        ($name:expr, $make:ident, $metric:expr, $measure:ty, $scale:expr) => {
            let domain = VectorDomain::new(AtomDomain::<i64>::default());
            if let Ok(measurement) = $make::<_, _, $measure>(domain, $metric, $scale, None) {
                let zeros = vec![0i64; DRAWS];
                group.bench_function($name, |bencher| bencher.iter(|| black_box(measurement.invoke(&zeros))));
            }
        };
    }
    for scale in [1.0, 1e3, 1e6] {
        let metric = L1Distance::<i64>::default();
        opendp_integers!(format!("discrete_laplace_{scale:e}"), make_laplace, metric, MaxDivergence, scale);
    }
    for scale in [1.0, 1e3, 1e6, 1e9] {
        let metric = L2Distance::<i64>::default();
        opendp_integers!(
            format!("discrete_gaussian_{scale:e}"),
            make_gaussian,
            metric,
            ZeroConcentratedDivergence,
            scale
        );
    }
    for scale in [1.0, 100.0] {
        let domain = VectorDomain::new(AtomDomain::<i32>::default());
        let metric = LInfDistance::<i32>::default();
        if let Ok(measurement) = make_noisy_max(domain, metric, MaxDivergence, scale, false) {
            let scores: Vec<i32> = (0..1000).collect();
            group.bench_function(format!("noisy_max_{scale}"), |bencher| {
                bencher.iter(|| black_box(measurement.invoke(&scores)));
            });
        }
    }
    if let Ok(measurement) = make_randomized_response_bool(0.73, false) {
        group.bench_function("randomized_response", |bencher| {
            bencher.iter(|| {
                for _ in 0..DRAWS {
                    let _ = black_box(measurement.invoke(&black_box(true)));
                }
            });
        });
    }
    opendp!("laplace", make_laplace, L1Distance::<f64>::default(), MaxDivergence, f64, 1.0, None);
    opendp!("gaussian", make_gaussian, L2Distance::<f64>::default(), ZeroConcentratedDivergence, f64, 1.0, None);
}

fn inexact(criterion: &mut Criterion) {
    let mut generator = StdRng::from_seed([1; 32]);
    let mut group = criterion.benchmark_group("inexact");
    group.bench_function("laplace", |bencher| {
        let mut draw = || {
            let (uniform, negative): (f64, bool) = (generator.random(), generator.random());
            let size = -black_box(1.0) * (1.0 - uniform).ln();
            if negative { -size } else { size }
        };
        bencher.iter(|| {
            for _ in 0..DRAWS {
                let _ = black_box(draw());
            }
        });
    });
    if let Ok(coin) = Bernoulli::new(0.73) {
        group.bench_function("bernoulli", |bencher| {
            bencher.iter(|| {
                for _ in 0..DRAWS {
                    let _ = black_box(coin.sample(&mut generator));
                }
            });
        });
    }
    if let Ok(normal) = Normal::new(0.0, 1.0) {
        group.bench_function("normal", |bencher| {
            bencher.iter(|| {
                for _ in 0..DRAWS {
                    let _ = black_box(normal.sample(&mut generator));
                }
            });
        });
    }
}

criterion_group!(benches, ours, peers, inexact);
criterion_main!(benches);
