//! Privacy maps: one mechanism's, that of a thousand composed, and the budget of a filter, beside opendp's.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use indistinct::prelude as ours;
use indistinct::prelude::then_privacy_filter;
use opendp::{
    combinators::make_composition, core::Measurement, domains::AtomDomain, error::Fallible, measurements::make_laplace,
    measures::MaxDivergence, metrics::AbsoluteDistance,
};
use std::hint::black_box;

/// How many measurements are composed.
const PARTS: usize = 1000;

type Ours = ours::Measurement<ours::AtomDomain<i64>, i64, ours::AbsoluteDistance, ours::MaxDivergence>;
type Peer = Measurement<AtomDomain<i64>, AbsoluteDistance<i64>, MaxDivergence, i64>;

fn our_laplace(scale: f64) -> ours::Fallible<Ours> {
    ours::make_laplace(ours::AtomDomain::i64(), ours::AbsoluteDistance::new(), scale)
}

fn peer_laplace(scale: f64) -> Fallible<Peer> {
    make_laplace(AtomDomain::default(), AbsoluteDistance::default(), scale, None)
}

/// A thousand maps at distances that differ, so that none is remembered.
fn laplace(criterion: &mut Criterion) {
    let (Ok(ours), Ok(peer)) = (our_laplace(3.0), peer_laplace(3.0)) else { return };
    criterion.benchmark_group("maps").bench_function("laplace", |bencher| {
        bencher.iter(|| (1..=1000u32).for_each(|d_in| drop(black_box(ours.map(&f64::from(black_box(d_in)))))));
    });
    criterion.benchmark_group("opendp_maps").bench_function("laplace", |bencher| {
        bencher.iter(|| (1..=1000i64).for_each(|d_in| drop(black_box(peer.map(&black_box(d_in))))));
    });
}

/// A thousand measurements composed, and the composition mapped once.
fn composition(criterion: &mut Criterion) {
    let (Ok(ours), Ok(peer)) = (our_laplace(3.0), peer_laplace(3.0)) else { return };
    criterion.benchmark_group("maps").bench_function("composition_1000", |bencher| {
        bencher.iter_batched(
            || vec![ours.clone(); PARTS],
            |parts| ours::make_composition(parts).and_then(|all| all.map(black_box(&1.0))),
            BatchSize::LargeInput,
        );
    });
    criterion.benchmark_group("opendp_maps").bench_function("composition_1000", |bencher| {
        bencher.iter_batched(
            || vec![peer.clone(); PARTS],
            |parts| make_composition(parts).and_then(|all| all.map(black_box(&1))),
            BatchSize::LargeInput,
        );
    });
}

/// So many questions to one filter, none of which exceeds the budget. Their number matters only if the cost of one
/// grows.
fn filter(criterion: &mut Criterion) {
    let space = || (ours::AtomDomain::i64(), ours::AbsoluteDistance::new());
    let Ok(question) = our_laplace(1.0) else { return };
    let mut group = criterion.benchmark_group("maps");
    group.sample_size(10);
    for questions in [10_000u32, 100_000] {
        group.bench_function(format!("filter_{questions}"), |bencher| {
            let filter = space() >> then_privacy_filter(ours::MaxDivergence, 1.0, 1e6);
            bencher.iter_batched(
                || filter.as_ref().map(|filter| filter.invoke(&7)),
                |data| {
                    let Ok(Ok(data)) = data else { return };
                    (0..questions).for_each(|_| drop(black_box(data.eval(&question))));
                },
                BatchSize::PerIteration,
            );
        });
    }
}

criterion_group!(benches, laplace, composition, filter);
criterion_main!(benches);
