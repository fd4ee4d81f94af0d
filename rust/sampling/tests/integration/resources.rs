//! What a draw takes: no memory on its fast path, and bits that do not fail.

use indistinct_sampling::{
    Entropy, Error, Fallible, IntegerNoise, RealNoise, RoundedNoise, SelectionNoise, TruncatedNoise, bernoulli,
    noisy_top_k,
    testing::{SLOW_DECISIONS, SeededEntropy},
    uniform_below_u64,
};
use std::{cell::Cell, hint::black_box};

type Draw = Box<dyn Fn(&mut dyn Entropy) -> Fallible<()>>;

fn draws() -> Vec<(String, Draw)> {
    let mut draws: Vec<(String, Draw)> = Vec::new();
    for scale in [0.5, 1.0, 10.0, 1e3, 1e6, 1e9, 1e15] {
        for (name, noise) in [
            ("laplace", IntegerNoise::laplace(scale)),
            ("gaussian", IntegerNoise::gaussian(scale)),
            ("geometric", IntegerNoise::geometric(scale)),
        ] {
            let noise = noise.unwrap();
            let draw = move |entropy: &mut dyn Entropy| noise.draw_i64(entropy).map(|_| ());
            draws.push((format!("discrete {name} {scale}"), Box::new(draw)));
        }
    }
    for (name, noise) in [
        ("laplace", RealNoise::laplace()),
        ("gaussian", RealNoise::gaussian()),
        ("exponential", RealNoise::exponential()),
        ("gumbel", RealNoise::gumbel()),
        ("logistic", RealNoise::logistic()),
        ("uniform", RealNoise::uniform()),
        ("tulap", RealNoise::tulap(1.0, 1e-6).unwrap()),
        ("wide tulap", RealNoise::tulap(0.01, 1e-6).unwrap()),
    ] {
        for (scale, shift, k) in [(1.0, 0.1, -32), (1.0, 1e6, -32), (1e6, -3e9, -13), (0.3, 5e-324, -34)] {
            let noise = RoundedNoise::new(noise.clone(), scale, k).unwrap();
            let draw = move |entropy: &mut dyn Entropy| noise.add(shift, entropy).map(|_| ());
            draws.push((format!("{name} {scale} {shift}"), Box::new(draw)));
        }
    }
    draws.push(("bernoulli".into(), Box::new(|entropy| bernoulli(0.3, entropy).map(|_| ()))));
    draws.push(("uniform integer".into(), Box::new(|entropy| uniform_below_u64(1000, entropy).map(|_| ()))));
    draws
}

/// The number of allocations a draw makes, and how many decisions it leaves to exact fractions (whose memory GMP
/// allocates, out of the counter's sight).
fn cost(draw: impl FnOnce()) -> (u64, u64) {
    let before = SLOW_DECISIONS.with(Cell::get);
    let allocated = allocation_counter::measure(draw);
    (allocated.count_total, SLOW_DECISIONS.with(Cell::get) - before)
}

#[test]
fn draws_allocate_nothing_but_in_rare_slow_paths() {
    for (name, draw) in draws() {
        let mut entropy = SeededEntropy::new(41);
        // Tables that are built once.
        draw(&mut entropy).unwrap();
        let slow = (0..100_000).filter(|_| cost(|| draw(&mut entropy).unwrap()) != (0, 0)).count();
        // A number that is cut off after 64 bits leaves a logarithm's rounding open once in some 10^5 draws.
        assert!(slow <= 10, "{name}: {slow} of 100,000 draws are slow");
    }
}

/// The negative controls: what is slow is seen.
#[test]
fn memory_and_fractions_are_counted() {
    let fine = RoundedNoise::laplace(1.0, -80).unwrap();
    let mut entropy = SeededEntropy::new(42);
    let (allocations, decisions) = cost(|| {
        black_box(fine.add(0.1, &mut entropy)).unwrap();
    });
    assert!(allocations > 0 && decisions > 0);
}

/// A source that fails after a number of bits.
struct FailsAfter {
    source: SeededEntropy,
    left: u32,
}

impl Entropy for FailsAfter {
    fn bits(&mut self, count: u32) -> Fallible<u64> {
        self.left = self.left.checked_sub(count).ok_or(Error::Entropy)?;
        self.source.bits(count)
    }
}

#[test]
fn a_source_that_fails_gives_an_error_and_never_a_weaker_draw() {
    let mut draws = draws();
    let truncated = TruncatedNoise::gaussian(3.0, -5, 50).unwrap();
    draws.push(("truncated".into(), Box::new(move |entropy| truncated.draw(entropy).map(|_| ()))));
    let scores = [1i32, 5, 3, 2];
    draws.push((
        "noisy max".into(),
        Box::new(move |entropy| noisy_top_k(&scores, 2, 1.0, SelectionNoise::Gumbel, entropy).map(|_| ())),
    ));
    for (name, draw) in draws {
        let mut needed = None;
        for left in 0..2000 {
            let result = draw(&mut FailsAfter { source: SeededEntropy::new(43), left });
            match (result, needed) {
                (Err(error), None) => assert_eq!(error, Error::Entropy, "{name}"),
                (Ok(()), None) => needed = Some(left),
                (result, Some(_)) => assert_eq!(result, Ok(()), "{name}"),
            }
        }
        assert!(needed.is_some_and(|bits| bits > 0), "{name} takes bits");
    }
}
