//! Outward-rounded arithmetic: the fast path beside MPFR, on the same thousand random pairs.

use criterion::{Criterion, criterion_group, criterion_main};
use indistinct_numeric::{Direction::Up, RoundedArithmetic, RoundedMath, mpfr};
use std::hint::black_box;

/// Pairs of positive floats between 2^-8 and 2^8, from a fixed multiplicative sequence.
fn pairs() -> Vec<(f64, f64)> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let fraction = state >> 12;
        let exponent = 1023 - 8 + (state >> 7) % 16;
        f64::from_bits(exponent << 52 | fraction)
    };
    (0..1000).map(|_| (next(), next())).collect()
}

fn rounded(criterion: &mut Criterion) {
    let pairs = pairs();
    let mut group = criterion.benchmark_group("rounded");
    macro_rules! compare {
        ($name:literal, |$x:ident, $y:ident| $fast:expr, $truth:expr) => {
            group.bench_function(concat!($name, "_fast"), |bencher| {
                bencher.iter(|| {
                    for &($x, $y) in black_box(&pairs) {
                        let _ = black_box($fast);
                    }
                });
            });
            group.bench_function(concat!($name, "_mpfr"), |bencher| {
                bencher.iter(|| {
                    for &($x, $y) in black_box(&pairs) {
                        let _ = black_box($truth);
                    }
                });
            });
        };
    }
    compare!("add", |x, y| x.inf_add(y), mpfr::add(x, y, Up));
    compare!("sub", |x, y| x.inf_sub(y), mpfr::sub(x, y, Up));
    compare!("mul", |x, y| x.inf_mul(y), mpfr::mul(x, y, Up));
    compare!("div", |x, y| x.inf_div(y), mpfr::div(x, y, Up));
    compare!("sqrt", |x, _y| x.inf_sqrt(), mpfr::sqrt(x, Up));
}

criterion_group!(benches, rounded);
criterion_main!(benches);
