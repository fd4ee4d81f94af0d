//! Sources of randomness that are stuck, shared, or fail midway.

use super::make_noise;
use indistinct::{
    numeric::gmp::Rational,
    prelude::*,
    sampling::{
        self, Entropy, Error as SamplingError, IntegerNoise, OsEntropy, RealNoise, SelectionNoise, SnappedNoise,
        TruncatedNoise, bernoulli,
        gmp::{bernoulli_exp, bernoulli_rational},
        noisy_top_k,
        testing::SeededEntropy,
        uniform_below_u64,
    },
};
use indistinct_tests::vectors;

/// A tape that repeats a pattern for ever.
struct Stuck {
    pattern: u64,
    used: u64,
}

impl Entropy for Stuck {
    fn bits(&mut self, count: u32) -> Result<u64, SamplingError> {
        self.used += u64::from(count);
        self.pattern = self.pattern.rotate_left(count % 64);
        Ok(if count == 0 { 0 } else { self.pattern >> (64 - count) })
    }
}

#[test]
fn every_sampler_ends_on_a_stuck_source() {
    assert!(vectors("samplers").contains_key("terminates_with_probability_one"));
    let third = Rational::from((1, 3));
    for pattern in [0, u64::MAX, 0x5555_5555_5555_5555, 0xaaaa_aaaa_aaaa_aaaa, 0x00ff_00ff_00ff_00ff] {
        let run = |draw: &dyn Fn(&mut Stuck) -> Result<(), SamplingError>| {
            let mut stuck = Stuck { pattern, used: 0 };
            let result = draw(&mut stuck);
            assert!(matches!(result, Ok(()) | Err(SamplingError::Entropy)), "{result:?}");
            // 2^14 rounds of a few hundred bits at most.
            assert!(stuck.used < 1 << 24, "{} bits", stuck.used);
        };
        // What refuses for ever takes 2^14 rounds of many digits: the other scales in `make test-deep`.
        let scales: &[f64] = if std::env::var_os("TEST_DEEP").is_some() { &[1.0, 1e6, 1e30] } else { &[1e6] };
        for &scale in scales {
            for noise in [IntegerNoise::laplace(scale), IntegerNoise::gaussian(scale), IntegerNoise::geometric(scale)] {
                run(&|entropy| noise.as_ref().unwrap().draw(entropy).map(|_| ()));
            }
            for noise in [TruncatedNoise::laplace(scale, -3, 9), TruncatedNoise::gaussian(scale, 5, 99)] {
                run(&|entropy| noise.as_ref().unwrap().draw(entropy).map(|_| ()));
            }
            for law in [
                RealNoise::laplace(),
                RealNoise::gaussian(),
                RealNoise::exponential(),
                RealNoise::gumbel(),
                RealNoise::logistic(),
                RealNoise::uniform(),
                RealNoise::tulap(0.5, 0.01).unwrap(),
            ] {
                let noise = make_noise(law, scale);
                run(&|entropy| noise.add(0.1, entropy).map(|_| ()));
            }
            run(&|entropy| SnappedNoise::new(scale, scale * 10.0)?.add(0.0, entropy).map(|_| ()));
            for noise in [SelectionNoise::Gumbel, SelectionNoise::Exponential] {
                run(&|entropy| noisy_top_k(&[1, 2, 3], 1, scale, noise, entropy).map(|_| ()));
            }
        }
        run(&|entropy| bernoulli(1.0 / 3.0, entropy).map(|_| ()));
        run(&|entropy| bernoulli_rational(&third, entropy).map(|_| ()));
        run(&|entropy| bernoulli_exp(&third, entropy).map(|_| ()));
        run(&|entropy| uniform_below_u64(5, entropy).map(|_| ()));
    }
    // The negative control rejects for ever: a number below 5 of three bits, of which all are 1.
    let mut stuck = Stuck { pattern: u64::MAX, used: 0 };
    while stuck.bits(3).unwrap() >= 5 && stuck.used < 1 << 24 {}
    assert!(stuck.used >= 1 << 24, "no power");
}

/// What becomes of a source that is stuck where nobody checks the seed: all releases have the same noise. The system's
/// seed is checked, by `rust/sampling/src/entropy.rs`.
#[test]
fn a_seed_that_is_stuck_and_not_checked_repeats_its_noise() {
    let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 1e6).unwrap();
    // A key of zeros, and one that begins with ones.
    for seed in [0, u64::MAX] {
        let release = |input: i64| noisy.invoke_with(&input, &mut SeededEntropy::new(seed)).unwrap();
        assert!((0..100).all(|input| release(input) - input == release(0)), "no power");
    }
    let fresh: std::collections::BTreeSet<i64> = (0..100).map(|_| noisy.invoke(&0).unwrap()).collect();
    assert!(fresh.len() > 90);
}

/// 64 threads that begin at once have 64 sources. The negative control's share a seed that the first of them draws.
#[test]
fn threads_share_no_source() {
    assert!(vectors("entropy").contains_key("thread_local_reuse"));
    let lazy = std::sync::OnceLock::new();
    let prefixes = |draw: &(dyn Fn() -> u128 + Sync)| {
        let start = std::sync::Barrier::new(64);
        std::thread::scope(|scope| {
            let run = || {
                start.wait();
                [0; 8].map(|_| draw())
            };
            let threads: Vec<_> = (0..64).map(|_| scope.spawn(run)).collect();
            threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap())
                .collect::<std::collections::BTreeSet<u128>>()
                .len()
        })
    };
    let word =
        |entropy: &mut dyn Entropy| u128::from(entropy.bits(64).unwrap()) << 64 | u128::from(entropy.bits(64).unwrap());
    assert_eq!(prefixes(&|| word(&mut OsEntropy::new())), 64 * 8);
    let control = prefixes(&|| {
        let seed = lazy.get_or_init(|| OsEntropy::new().bits(64).unwrap());
        word(&mut SeededEntropy::new(*seed))
    });
    assert_eq!(control, 1, "no power");
}

/// Bits that end with a failure at a request of one's choice.
struct FailsAt {
    source: SeededEntropy,
    left: u32,
}

impl Entropy for FailsAt {
    fn bits(&mut self, count: u32) -> sampling::Fallible<u64> {
        self.left = self.left.checked_sub(1).ok_or(sampling::Error::Entropy)?;
        self.source.bits(count)
    }
}

/// A source that fails after any number of requests: one error, whatever the data, no part of a release, and a charge
/// that stays.
#[test]
fn a_source_that_fails_midway_releases_nothing_and_is_charged() {
    assert!(vectors("entropy").contains_key("error_at_call_k"));
    let numbers = VectorDomain::new(AtomDomain::i64()).with_size(65);
    let noisy = make_laplace(numbers.clone(), L1Distance::new(), 10.0).unwrap();
    let release = |value: i64, left: u32| {
        let mut entropy = FailsAt { source: SeededEntropy::new(98), left };
        noisy.invoke_with(&[value; 65], &mut entropy).map_err(|error| (error.kind(), error.to_string()))
    };
    let Err(expected) = release(0, 0) else { panic!("no bits, and a release") };
    assert_eq!(expected.0, ErrorKind::Entropy);
    for left in 0..=64 {
        assert_eq!([release(0, left), release(i64::MAX, left)], [Err(expected.clone()), Err(expected.clone())]);
        let filter = make_privacy_filter(numbers.clone(), L1Distance::new(), MaxDivergence, 1.0, 1.0).unwrap();
        let session = filter.invoke(&[0; 65]).unwrap();
        let mut entropy = FailsAt { source: SeededEntropy::new(98), left };
        assert!(session.eval_with(&noisy, &mut entropy).is_err());
        // Nothing was drawn only where the first request failed.
        let spent = session.spent().unwrap();
        assert!(spent >= 0.1 || left == 0, "{left}: {spent}");
    }
    assert!(release(0, 1000).is_ok());
    // The negative control goes on with zeros: what it releases has no noise from there on.
    for left in 0..=64 {
        let mut entropy = GoesOn(FailsAt { source: SeededEntropy::new(98), left });
        assert!(noisy.invoke_with(&[0; 65], &mut entropy).is_ok(), "no power");
    }
}

/// Zeros for the bits that a source fails to give.
struct GoesOn(FailsAt);

impl Entropy for GoesOn {
    fn bits(&mut self, count: u32) -> sampling::Fallible<u64> {
        Ok(self.0.bits(count).unwrap_or(0))
    }
}
