//! Statistics of ten million rows: beside plain loops, and beside opendp's transformations.
//!
//! `ours` is `invoke`, which may use several threads; `ours_one_thread` the same through an aggregate. The loops and
//! opendp have one thread. opendp's chain for data of unknown size samples a million rows, so its faster one for a
//! known size is measured too.

use criterion::{Criterion, criterion_group, criterion_main};
use indistinct::prelude::*;
use indistinct_bench::ROWS;
use opendp::{
    core::Transformation as Peer,
    domains::{AtomDomain as PeerAtom, VectorDomain as PeerVector},
    metrics::{L1Distance as PeerL1, SymmetricDistance as PeerSymmetric},
    transformations::{make_clamp as peer_clamp, make_count_by_categories as peer_count, make_sum as peer_sum},
};
use std::{collections::HashMap, hint::black_box};

const BOUNDS: (f64, f64) = (0.0, 40.0);
const CATEGORIES: u32 = 10;

/// A fixed sequence of 53-bit fractions.
fn fractions() -> impl Iterator<Item = f64> {
    let mut state = 1u64;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from_bits(1023 << 52 | state >> 12) - 1.0
    })
    .take(ROWS)
}

fn sums(criterion: &mut Criterion) {
    let rows: Vec<f64> = fractions().map(|fraction| fraction * 60.0 - 10.0).collect();
    let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let Ok(ours) = space >> then_clamp(BOUNDS) >> then_sum() else { return };
    let mut group = criterion.benchmark_group("clamp_sum");
    group.sample_size(20);
    group.bench_function("loop", |bencher| {
        bencher.iter(|| black_box(&rows).iter().map(|x| x.clamp(BOUNDS.0, BOUNDS.1)).sum::<f64>());
    });
    group.bench_function("ours", |bencher| bencher.iter(|| ours.invoke(black_box(&rows))));
    group.bench_function("ours_one_thread", |bencher| {
        bencher.iter(|| ours.aggregate()?.absorb(black_box(&rows))?.finish());
    });
    let domain = || PeerVector::new(PeerAtom::<f64>::new_non_nan());
    for (name, domain) in [("opendp", domain()), ("opendp_sized", domain().with_size(ROWS))] {
        let Ok(clamp) = peer_clamp(domain, PeerSymmetric, BOUNDS) else { return };
        let Ok(sum) = peer_sum(clamp.output_domain.clone(), PeerSymmetric) else { return };
        let Ok(chain) = clamp >> sum else { return };
        group.bench_function(name, |bencher| bencher.iter(|| chain.invoke(black_box(&rows)).ok()));
    }
}

fn counts(criterion: &mut Criterion) {
    // One category more than are listed.
    let rows: Vec<u32> = fractions().map(|fraction| category(fraction * f64::from(CATEGORIES + 1))).collect();
    let space = (VectorDomain::new(AtomDomain::u32()), SymmetricDistance);
    let listed = || (0..CATEGORIES).collect::<Vec<_>>();
    let count = then_count_by_categories(listed(), UnknownCategories::Drop, L1Distance::new());
    let Ok(ours) = space >> count else { return };
    let mut group = criterion.benchmark_group("count_by_categories");
    group.sample_size(20);
    group.bench_function("loop", |bencher| {
        bencher.iter(|| {
            let mut counts = [0i64; 10];
            for &row in black_box(&rows) {
                if let Some(count) = usize::try_from(row).ok().and_then(|row| counts.get_mut(row)) {
                    *count += 1;
                }
            }
            counts
        });
    });
    group.bench_function("loop_with_hash_map", |bencher| {
        bencher.iter(|| {
            let mut counts: HashMap<u32, i64> = listed().into_iter().map(|category| (category, 0)).collect();
            for row in black_box(&rows) {
                if let Some(count) = counts.get_mut(row) {
                    *count += 1;
                }
            }
            counts
        });
    });
    group.bench_function("ours", |bencher| bencher.iter(|| ours.invoke(black_box(&rows))));
    group.bench_function("ours_one_thread", |bencher| {
        bencher.iter(|| ours.aggregate()?.absorb(black_box(&rows))?.finish());
    });
    let domain = PeerVector::new(PeerAtom::<u32>::default());
    let peer = peer_count::<PeerL1<f64>, u32, i64>(domain, PeerSymmetric, listed(), false);
    let Ok(peer): Result<Peer<_, _, _, _>, _> = peer else { return };
    group.bench_function("opendp", |bencher| bencher.iter(|| peer.invoke(black_box(&rows)).ok()));
}

/// The whole part of a small number.
fn category(x: f64) -> u32 {
    (0..=CATEGORIES).rev().find(|&category| f64::from(category) <= x).unwrap_or_default()
}

criterion_group!(benches, sums, counts);
criterion_main!(benches);
