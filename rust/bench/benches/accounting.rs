//! Conversions to (epsilon, delta): a profile of rho-zCDP beside opendp's, and what has no peer there.
//!
//! Every benchmark makes eight conversions an iteration, at rhos from 0.005 to 50.

use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main, measurement::WallTime};
use indistinct_accounting::{
    Delta, Epsilon, Fallible, Mu, PrivacyLossDistribution as P, PrivacyProfile, Rate, RenyiCurve, Scale, Sigma,
    cdp_rho, gaussian_mu, gaussian_sigma, optimal_composition_delta, optimal_composition_epsilon,
};
use indistinct_bench::accounting::tasks;
use opendp::{
    combinators::make_zCDP_to_approxDP,
    domains::{AtomDomain, VectorDomain},
    measurements::make_gaussian,
    measures::{PrivacyProfile as PeerProfile, ZeroConcentratedDivergence},
    metrics::L2Distance,
};
use std::hint::black_box;

/// Standard deviations at sensitivity 1.
const SCALES: [f64; 8] = [10.0, 7.0, 5.0, 3.0, 1.0, 0.5, 0.3, 0.1];
const DELTAS: [f64; 8] = [1e-3, 1e-5, 1e-6, 1e-7, 1e-9, 1e-12, 1e-20, 1e-100];

/// Epsilons from the mean loss to six deviations above it.
fn epsilon(scale: f64, index: u8) -> f64 {
    let rho = 0.5 / (scale * scale);
    rho + f64::from(index % 7) * (2.0 * rho).sqrt()
}

fn conversions<P>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    make: impl Fn(f64) -> Option<P>,
    convert: impl Fn(&P, f64, f64),
) {
    let profiles: Vec<_> = SCALES.iter().filter_map(|&scale| Some((scale, make(scale)?))).collect();
    assert_eq!(profiles.len(), SCALES.len());
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            for (index, ((scale, profile), delta)) in (0u8..).zip(black_box(&profiles).iter().zip(DELTAS)) {
                convert(profile, epsilon(*scale, index), delta);
            }
        });
    });
}

fn ours(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("accounting");
    let zcdp = |scale: f64| PrivacyProfile::concentrated(0.5 / (scale * scale)).ok();
    let gaussian = |scale: f64| PrivacyProfile::gaussian(Mu(1.0 / scale)).ok();
    let points = |scale: f64| {
        let points =
            (0u8..155).map(|i| 1.1f64.powi(i32::from(i))).map(|t| (1.0 + t, (1.0 + t) * 0.5 / (scale * scale)));
        RenyiCurve::from_points(points.collect()).map(PrivacyProfile::renyi).ok()
    };
    let delta = |profile: &PrivacyProfile, epsilon: f64, _: f64| done(profile.delta(epsilon));
    let inverse = |profile: &PrivacyProfile, _: f64, delta: f64| done(profile.epsilon(delta));
    let beta = |profile: &PrivacyProfile, _: f64, _: f64| done(profile.beta(0.05));
    conversions(&mut group, "zcdp_delta", zcdp, delta);
    conversions(&mut group, "zcdp_epsilon", zcdp, inverse);
    conversions(&mut group, "zcdp_beta", zcdp, beta);
    conversions(
        &mut group,
        "zcdp_rho",
        |_| Some(()),
        |(), epsilon, delta| done(cdp_rho(Epsilon(epsilon), Delta(delta))),
    );
    conversions(&mut group, "gaussian_delta", gaussian, delta);
    conversions(&mut group, "gaussian_epsilon", gaussian, inverse);
    conversions(
        &mut group,
        "gaussian_mu",
        |_| Some(()),
        |(), epsilon, delta| done(gaussian_mu(Epsilon(epsilon), Delta(delta))),
    );
    let sigma = |(): &(), epsilon: f64, delta: f64| done(gaussian_sigma(1.0, Epsilon(epsilon), Delta(delta)));
    conversions(&mut group, "gaussian_sigma", |_| Some(()), sigma);
    conversions(&mut group, "renyi_155_orders_delta", points, delta);
    conversions(&mut group, "renyi_155_orders_epsilon", points, inverse);
    group.bench_function("optimal_composition_delta_100", |bencher| {
        bencher.iter(|| done(optimal_composition_delta(black_box(100), Epsilon(0.1), Delta(0.0), Epsilon(2.0))));
    });
    group.bench_function("optimal_composition_epsilon_100", |bencher| {
        bencher.iter(|| done(optimal_composition_epsilon(black_box(100), Epsilon(0.1), Delta(0.0), Delta(1e-6))));
    });
}

/// Compositions with closed forms, as enclosures.
fn exact(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("exact");
    let some = |epsilon, delta, count| P::approximate(Epsilon(epsilon), Delta(delta))?.repeat(count);
    let mixed = || some(0.02, 1e-10, 50)?.compose(&some(0.1, 1e-9, 20)?)?.compose(&some(0.7, 0.0, 3)?);
    for (name, composition, epsilon) in [
        ("gaussian_1000", P::gaussian(Sigma(10.0)).and_then(|one| one.repeat(1000)), 3.0),
        ("laplace_1", P::laplace(Scale(2.0)), 0.25),
        ("laplace_10", P::laplace(Scale(2.0)).and_then(|one| one.repeat(10)), 0.75),
        ("laplace_100", P::laplace(Scale(20.0)).and_then(|one| one.repeat(100)), 1.5),
        ("laplace_1000", P::laplace(Scale(100.0)).and_then(|one| one.repeat(1000)), 1.5),
        ("pure_100", P::pure(0.1).and_then(|one| one.repeat(100)), 2.0),
        ("pure_1000", P::pure(0.05).and_then(|one| one.repeat(1000)), 4.0),
        ("pure_10000", P::pure(0.01).and_then(|one| one.repeat(10_000)), 3.0),
        ("mixed_73", mixed(), 1.02),
    ] {
        let Ok(composition) = composition else { continue };
        let Ok(delta) = composition.delta(epsilon) else { continue };
        group.bench_function(format!("{name}_delta"), |bencher| bencher.iter(|| composition.delta(black_box(epsilon))));
        group.bench_function(format!("{name}_epsilon"), |bencher| {
            bencher.iter(|| composition.epsilon(black_box(delta.upper)))
        });
    }
}

/// Gaussian noise on Poisson samples: the orders that others take by default, and what is done with them.
fn sampled(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sampled_gaussian");
    let tenths = (1u32..100).map(|i| 1.0 + f64::from(i) / 10.0);
    let orders: Vec<f64> = tenths.chain((11u32..=63).map(f64::from)).chain([128.0, 256.0, 512.0]).collect();
    for (name, rate, sigma) in
        [("rate_1e-3_sigma_0.7", 1e-3, 0.7), ("rate_1e-2_sigma_1", 1e-2, 1.0), ("rate_1e-1_sigma_5", 0.1, 5.0)]
    {
        let Ok(step) = P::poisson_gaussian(Sigma(sigma), Rate(rate)).and_then(|step| step.renyi()) else { continue };
        let Ok(steps) = step.repeat(10_000) else { continue };
        group.bench_function(format!("{name}_155_orders"), |bencher| {
            bencher.iter(|| orders.iter().for_each(|&order| done(step.at(black_box(order)))));
        });
        group
            .bench_function(format!("{name}_epsilon"), |bencher| bencher.iter(|| done(steps.epsilon(black_box(1e-6)))));
    }
    group.bench_function("smallest_sigma", |bencher| {
        bencher.iter(|| done(P::calibrate_sigma(Rate(black_box(0.01)), 1000, Epsilon(2.0), Delta(1e-6))));
    });
}

/// What loss distributions and their like are asked (the program `accounting_table` measures all of it): of each kind
/// the question in the middle of its list.
fn losses(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("losses");
    group.sample_size(10);
    let Ok(tasks) = tasks() else { return };
    let mut kinds: Vec<&str> = tasks.iter().map(|task| task.kind).collect();
    kinds.dedup();
    for kind in kinds {
        let of_kind: Vec<_> = tasks.iter().filter(|task| task.kind == kind).collect();
        let Some(task) = of_kind.get(of_kind.len() / 2) else { continue };
        let Ok(ask) = task.question() else { continue };
        group.bench_function(format!("{kind}: {}", task.name), |bencher| bencher.iter(|| black_box(ask())));
    }
}

fn done(result: Fallible<f64>) {
    let _ = black_box(result);
}

fn peers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("opendp_accounting");
    let zcdp = |scale: f64| -> Option<PeerProfile> {
        let domain = VectorDomain::new(AtomDomain::<f64>::new_non_nan());
        let gaussian =
            make_gaussian::<_, _, ZeroConcentratedDivergence>(domain, L2Distance::<f64>::default(), scale, None)
                .ok()?;
        make_zCDP_to_approxDP(gaussian).ok()?.map(&1.0).ok()
    };
    conversions(&mut group, "zcdp_delta", zcdp, |profile, epsilon, _| {
        let _ = black_box(profile.delta(epsilon));
    });
    group.sample_size(10);
    conversions(&mut group, "zcdp_epsilon", zcdp, |profile, _, delta| {
        let _ = black_box(profile.epsilon(delta));
    });
}

criterion_group!(benches, ours, exact, sampled, losses, peers);
criterion_main!(benches);
