//! How libraries of this kind have failed, mechanism by mechanism: the vectors under `tests/vectors`. Where a vector tells what a
//! broken implementation yields, such an implementation fails here.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use indistinct::{
    numeric::Rational,
    prelude::*,
    sampling::{
        Entropy, Error as SamplingError, IntegerNoise, OsEntropy, RealNoise, RoundedNoise, SelectionNoise,
        SnappedNoise, TruncatedNoise, bernoulli, bernoulli_exp, bernoulli_rational, noisy_top_k,
        testing::{BitTape, SeededEntropy},
        uniform_below_u64,
    },
};
use indistinct_tests::{covers, float, fraction, vectors};
use serde_json::Value;

fn floats(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(float).collect()
}

/// A number that the file writes in decimals.
fn decimal(value: &Value) -> f64 {
    value.as_str().unwrap().parse().unwrap()
}

#[test]
fn snapping_charges_its_arithmetic() {
    for (name, vector) in vectors("snapping").iter().filter(|(name, _)| name.starts_with("eps_eff")) {
        let (lambda, bound) = (float(&vector["lambda"]), float(&vector["B"]));
        let truth = fraction(&vector["eps_eff"]);
        // The vectors allow B up to 2^46 excluded; the third is at 2^46 / 3 scales.
        let snapping = make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), lambda, bound).unwrap();
        assert!(covers(snapping.map(&1.0).unwrap(), &truth), "{name}");
        assert!(!covers(1.0 / lambda, &truth), "{name}: no power");
    }
}

#[test]
fn snapping_refuses_bounds_and_rounds_scales_exactly() {
    let vectors = vectors("snapping");
    for case in vectors["reject_B_out_of_range"]["cases"].as_array().unwrap() {
        let case = floats(case);
        assert!(make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), case[0], case[1]).is_err(), "{case:?}");
    }
    // A check that asks whether a bound is wrong lets one pass that is not a number.
    let passes = |[scale, bound]: [f64; 2]| !(bound <= scale || bound >= scale * 2f64.powi(46));
    assert!(passes([1.0, f64::NAN]) && !passes([1.0, 1.0]), "no power");
    let naive = |scale: f64| 2f64.powf(scale.log2().ceil());
    for (scale, grid) in vectors["Lambda_exact_power"]["cases"].as_object().unwrap() {
        let (scale, grid) = (float(&Value::from(scale.as_str())), float(grid));
        let noise = SnappedNoise::new(scale, scale * 100.0).unwrap();
        let power = |grid: i32| 2f64.powi(grid / 2) * 2f64.powi(grid - grid / 2);
        assert_eq!((power(noise.grid()), naive(scale)), (grid, grid), "{scale:e}");
    }
    // The twin, a logarithm in floats, is right on these numbers, and wrong on the float next to most other powers of two.
    let wrong = (-1000..1000).map(|k| 2f64.powi(k).next_up()).filter(|scale| naive(*scale) < *scale).count();
    assert!(wrong > 1000, "no power: {wrong}");
}

/// Ends at 2000 scales are reached from both sides: the exponent of U has no end, unlike that of a float.
#[test]
fn snapping_reaches_its_ends_from_both_sides() {
    let params = &vectors("snapping")["support_gap_beyond_745_lambda"]["params"];
    let (scale, bound) = (float(&params["lambda"]), float(&params["B"]));
    let noise = SnappedNoise::new(scale, bound).unwrap();
    let mut reached = Vec::new();
    for first in [false, true] {
        // Zeros beyond the least exponent of a float, then ones.
        let bits: Vec<bool> = std::iter::once(first).chain((0..8000).map(|bit| bit > 6000)).collect();
        reached.extend([-bound, bound].map(|from| noise.add(from, &mut BitTape::new(&bits)).unwrap()));
    }
    assert!(reached.contains(&bound) && reached.contains(&-bound), "{reached:?}");
    let far = |release: &f64| (*release - bound).abs() >= bound * 2.0;
    assert!(reached.iter().step_by(2).all(|release| release.abs() == bound) && reached.iter().any(far));
    // The twin's U is a float, the least of which is 745 scales away.
    assert!(-f64::from_bits(1).ln() * scale < 2.0 * bound, "no power");
}

#[test]
fn selections_never_fail_and_have_no_favorites() {
    let vectors = vectors("selection");
    let mut entropy = SeededEntropy::new(91);
    let scores = VectorDomain::new(AtomDomain::f64()).with_size(1493);
    let select = make_exponential(scores, LInfDistance::new(), MaxDivergence, 2.0).unwrap();
    let mut zeros_and_one = vec![-1e6; 1492];
    zeros_and_one.push(0.0);
    assert_eq!(
        select.invoke_with(&zeros_and_one, &mut entropy),
        Ok(1492),
        "all weights but one are below the least float"
    );
    // What weights in floats give: nothing to divide by.
    assert_eq!(zeros_and_one.iter().map(|score: &f64| ((score - 1e6) / 2.0).exp()).sum::<f64>(), 0.0);

    let special = floats(&vectors["exp_mech_score_nan_inf"]["scores"]);
    let four = VectorDomain::new(AtomDomain::f64()).with_size(4);
    let select = make_noisy_max(four.clone(), LInfDistance::new(), MaxDivergence, 1.0).unwrap();
    assert_eq!(select.invoke(&special).unwrap_err().kind(), ErrorKind::Domain);
    // The twin looks for the greatest by a comparison that has no answer for NaN.
    let by_comparison = || special.iter().max_by(|x, y| x.partial_cmp(y).unwrap()).copied();
    assert!(std::panic::catch_unwind(by_comparison).is_err(), "no power");
    let finite_or_infinite = [special[1], special[2], special[3], 0.0];
    assert_eq!(select.invoke(&finite_or_infinite), Ok(0));

    // The least of 0 and 10, by negated scores.
    let two = VectorDomain::new(AtomDomain::f64()).with_size(2);
    let least = make_noisy_max(two, LInfDistance::new(), MaxDivergence, 1e-3).unwrap();
    assert!((0..1000).all(|_| least.invoke_with(&[-0.0, -10.0], &mut entropy) == Ok(0)));
    // The twin forgets that the least was asked for.
    assert!((0..1000).all(|_| least.invoke_with(&[0.0, 10.0], &mut entropy) == Ok(1)), "no power");

    // Equal scores: each position a quarter (Hoeffding, a false alarm once in 10^9).
    for noise in [SelectionNoise::Gumbel, SelectionNoise::Exponential] {
        let mut shares = [0.0; 4];
        for _ in 0..200_000 {
            shares[noisy_top_k(&[0i64; 4], 1, 1.0, noise, &mut entropy).unwrap()[0]] += 1.0 / 200_000.0;
        }
        let bound = (f64::ln(8e9) / 400_000.0).sqrt();
        assert!(shares.iter().all(|share| f64::abs(share - 0.25) < bound), "{shares:?}");
        // The twin adds integers, and takes the first of those that are equal.
        let integers = IntegerNoise::geometric(1.0).unwrap();
        let mut shares = [0.0; 4];
        for _ in 0..200_000 {
            let noisy = [0; 4].map(|_| integers.sample_i64(&mut entropy).unwrap());
            let greatest = noisy.iter().max().unwrap();
            shares[noisy.iter().position(|number| number == greatest).unwrap()] += 1.0 / 200_000.0;
        }
        assert!(shares.iter().any(|share| f64::abs(share - 0.25) > bound), "{shares:?}: no power");
    }
}

#[test]
fn quantile_parameters_at_their_edges() {
    let vector = &vectors("selection")["quantile_alpha_edges"];
    let make = |candidates: Vec<f64>, alpha| {
        let rows = VectorDomain::new(AtomDomain::f64());
        make_private_quantile(rows, SymmetricDistance, MaxDivergence, candidates, alpha, 1.0)
    };
    for alpha in floats(&vector["alpha"]) {
        assert_eq!(make(vec![0.0, 1.0], alpha).is_ok(), (0.0..=1.0).contains(&alpha), "{alpha:e}");
    }
    for candidates in vector["candidates"].as_array().unwrap() {
        let candidates = floats(candidates);
        let valid = candidates == [0.0];
        assert_eq!(make(candidates.clone(), 0.5).is_ok(), valid, "{candidates:?}");
        // The twin asks for pairs that are out of order: there are none among no candidates, one that is no number, or two equal ones.
        let naive = !candidates.windows(2).any(|pair| pair[0] > pair[1]);
        assert_eq!(naive, candidates != [1.0, 0.0], "{candidates:?}: no power");
    }
    #[allow(clippy::manual_range_contains)] // it is what the twin is about
    let naive = |alpha: f64| !(alpha < 0.0 || alpha > 1.0);
    assert!(naive(f64::NAN) && make(vec![0.0, 1.0], f64::NAN).is_err(), "no power");
}

/// Releases of a law at an input that satisfy an event.
fn count(noise: &RoundedNoise, input: f64, draws: u32, event: impl Fn(f64) -> bool) -> u32 {
    let mut entropy = SeededEntropy::new(92);
    (0..draws).map(|_| u32::from(event(noise.add(input, &mut entropy).unwrap()))).sum()
}

#[test]
fn the_last_bits_of_floats_tell_nothing() {
    for (name, vector) in vectors("noise_floats") {
        let law = match name.as_str() {
            "laplace_precision_0_vs_1" | "laplace_precision_0_vs_2p40" => RealNoise::laplace(),
            "gaussian_precision_0_vs_1" | "vector_noise_shared_scale_float" => RealNoise::gaussian(),
            _ => continue,
        };
        let scale = float(&vector["scale"]);
        let noise = make_noise(law, scale);
        // The event: the release times 2^53 over the scale's power of two is no integer.
        let off_lattice = |y: f64| (y / scale * 2f64.powi(53)).fract() != 0.0;
        for input in ["input_0", "input_1"] {
            assert_eq!(count(&noise, float(&vector[input]), 100_000, off_lattice), 0, "{name} {input}");
        }
        // The twins in floats are off the lattice at 0, and never at the scale: -ln(u), Box's and Muller's, and half of four of these.
        let mut entropy = SeededEntropy::new(93);
        let mut uniform = || (Rational::from(entropy.bits(53).unwrap().max(1)) / (1u64 << 53)).to_f64();
        let mut normal = || (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos();
        let mut twin = |input: f64| {
            let noise = match name.as_str() {
                "gaussian_precision_0_vs_1" => normal(),
                "vector_noise_shared_scale_float" => [0; 4].map(|_| normal()).iter().sum::<f64>() / 2.0,
                _ => {
                    textbook_laplace(scale, &mut SeededEntropy::new(u64::from_le_bytes(normal().to_le_bytes()))) / scale
                }
            };
            input + scale * noise
        };
        let mut seen = |input: f64| (0..20_000).filter(|_| off_lattice(twin(input))).count();
        assert!(seen(0.0) > 2_000 && seen(float(&vector["input_1"])) == 0, "{name}: no power");
    }
}

/// Laplace noise of a textbook, in floats.
fn textbook_laplace(scale: f64, entropy: &mut SeededEntropy) -> f64 {
    let uniform = (Rational::from(entropy.bits(53).unwrap().max(1)) / (1u64 << 53)).to_f64();
    let size = -scale * uniform.ln();
    if entropy.bit().unwrap() { -size } else { size }
}

fn make_noise(law: RealNoise, scale: f64) -> RoundedNoise {
    RoundedNoise::new(law, scale, Scale::new(scale).grid()).unwrap()
}

#[test]
fn releases_lie_on_a_lattice_that_the_data_do_not_change() {
    let vector = &vectors("noise_floats")["support_is_public_lattice"];
    for scale in floats(&vector["scale"]) {
        let grid = Scale::new(scale).grid();
        for law in
            [RealNoise::laplace(), RealNoise::gaussian(), RealNoise::gumbel(), RealNoise::tulap(1.0, 0.1).unwrap()]
        {
            let noise = make_noise(law, scale);
            for input in floats(&vector["inputs"]) {
                // A multiple beyond 2^53 steps is rounded to a float, which is a multiple too.
                let on_lattice = |y: f64| Rational::from_f64(y).is_some_and(|y| (y >> grid).is_integer());
                assert_eq!(count(&noise, input, 200, on_lattice), 200, "{scale:e} {input:e}");
            }
        }
        // The twin adds noise on the lattice to a number that is not on it.
        let exact = |y: f64| Rational::from_f64(y).is_some_and(|y| (y >> grid).is_integer());
        let noise = make_noise(RealNoise::laplace(), scale);
        let off =
            floats(&vector["inputs"]).into_iter().filter(|&input| count(&noise, 0.0, 50, |y| exact(input + y)) < 50);
        assert!(off.count() > 0, "{scale:e}: no power");
    }
}

#[test]
fn zeros_have_no_sign_and_both_zeros_the_same_releases() {
    let scale = float(&vectors("noise_floats")["no_negative_zero"]["scale"]);
    let measurement = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), Scale::new(scale).on_grid(-4)).unwrap();
    let snapping = make_snapping(AtomDomain::f64(), AbsoluteDistance::new(), scale, 1.0).unwrap();
    let mut zeros = 0;
    for seed in 0..20_000 {
        let release = |measurement: &Measurement<_, f64, _, _>, input: f64| {
            measurement.invoke_with(&input, &mut SeededEntropy::new(seed)).unwrap().to_bits()
        };
        for measurement in [&measurement, &snapping] {
            assert_eq!(release(measurement, 0.0), release(measurement, -0.0));
            assert_ne!(release(measurement, 0.0), (-0.0f64).to_bits());
            zeros += u32::from(release(measurement, 0.0) == 0);
        }
    }
    assert!(zeros > 5_000, "{zeros}");
    // The twin rounds to the grid in floats.
    let mut entropy = SeededEntropy::new(99);
    let grid = 2f64.powi(-4);
    let mut twin = || (textbook_laplace(scale, &mut entropy) / grid).round() * grid;
    assert!((0..1000).any(|_| twin().to_bits() == (-0.0f64).to_bits()), "no power");
}

#[test]
fn the_ends_of_the_floats() {
    let vectors = vectors("noise_floats");
    let tiny = &vectors["subnormal_input"];
    let (scale, input) = (float(&tiny["scale"]), float(&tiny["input_1"]));
    let noise = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale).unwrap();
    assert!(noise.map(&input).unwrap() >= 1.0);
    // On the lattice of the least floats: P(0) of Laplace noise of one step, rounded, is 1 - exp(-1/2).
    let zeros = count(&make_noise(RealNoise::laplace(), scale), 0.0, 100_000, |y| y == 0.0);
    let share = f64::from(zeros) / 1e5;
    assert!((share - (1.0 - f64::exp(-0.5))).abs() < (f64::ln(2e9) / 2e5).sqrt(), "{share}");
    // The twin rounds to the scale over 2^40, which is 0.
    let grid = scale / 2f64.powi(40);
    assert!(((input / grid).round() * grid).is_nan(), "no power");
    let huge = &vectors["huge_scale_overflow_to_inf"];
    let noise = make_noise(RealNoise::laplace(), float(&huge["scale"]));
    for input in ["input_0", "input_1"] {
        assert_eq!(count(&noise, float(&huge[input]), 10_000, |y| !y.is_finite()), 0, "saturates, {input}");
        let mut entropy = SeededEntropy::new(100);
        let mut twin = || float(&huge[input]) + textbook_laplace(float(&huge["scale"]), &mut entropy);
        assert!((0..10_000).any(|_| twin().is_infinite()), "{input}: no power");
    }
    let nan = &vectors["nan_input_to_noise"];
    let errors: Vec<String> = floats(&nan["inputs"])
        .iter()
        .map(|input| {
            let measurement =
                make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, 1.0).unwrap();
            measurement.invoke(input).unwrap_err().to_string()
        })
        .collect();
    assert!(errors.windows(2).all(|pair| pair[0] == pair[1]), "{errors:?}");
    // The twin clamps, and takes what is no number for the lower bound.
    #[allow(clippy::manual_clamp)] // which would keep it
    let naive = |input: &f64| input.max(-10.0).min(10.0);
    assert!(floats(&nan["inputs"]).iter().all(|input| naive(input) == -10.0), "no power");
}

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
        for scale in [1.0, 1e6, 1e30] {
            for noise in [IntegerNoise::laplace(scale), IntegerNoise::gaussian(scale), IntegerNoise::geometric(scale)] {
                run(&|entropy| noise.as_ref().unwrap().sample(entropy).map(|_| ()));
            }
            for noise in [TruncatedNoise::laplace(scale, -3, 9), TruncatedNoise::gaussian(scale, 5, 99)] {
                run(&|entropy| noise.as_ref().unwrap().sample(entropy).map(|_| ()));
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
    // The twin rejects for ever: a number below 5 of three bits, of which all are 1.
    let mut stuck = Stuck { pattern: u64::MAX, used: 0 };
    while stuck.bits(3).unwrap() >= 5 && stuck.used < 1 << 24 {}
    assert!(stuck.used >= 1 << 24, "no power");
}

/// What becomes of a source that is stuck where nobody checks the seed: all releases have the same noise. The system's seed is checked, by
/// `rust/sampling/src/entropy.rs`.
#[test]
fn a_seed_that_is_stuck_and_not_checked_repeats_its_noise() {
    let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::<f64>::new(), 1e6).unwrap();
    // A key of zeros, and one that begins with ones.
    for seed in [0, u64::MAX] {
        let release = |input: i64| noisy.invoke_with(&input, &mut SeededEntropy::new(seed)).unwrap();
        assert!((0..100).all(|input| release(input) - input == release(0)), "no power");
    }
    let fresh: std::collections::BTreeSet<i64> = (0..100).map(|_| noisy.invoke(&0).unwrap()).collect();
    assert!(fresh.len() > 90);
}

/// 64 threads that begin at once have 64 sources. The twin's share a seed that the first of them draws.
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
    let twin = prefixes(&|| {
        let seed = lazy.get_or_init(|| OsEntropy::new().bits(64).unwrap());
        word(&mut SeededEntropy::new(*seed))
    });
    assert_eq!(twin, 1, "no power");
}

/// Redrawing until a release falls in an interval has another loss than clamping: the truth of the vector is above what is claimed
/// for it, and the library's bounded noise clamps.
#[test]
fn bounded_noise_clamps_and_does_not_redraw() {
    let vector = &vectors("samplers")["bounded_laplace_by_rejection"];
    assert!(decimal(&vector["truth"]) > decimal(&vector["claimed"]));
    let geometric = make_geometric(AtomDomain::i64(), AbsoluteDistance::new(), 1.0, Some((0, 10))).unwrap();
    assert_eq!(geometric.map(&1.0), Ok(1.0));
    // At 0, the lower end collects all that is below it: 1 / (1 + exp(-1)).
    let mut entropy = SeededEntropy::new(96);
    let zeros = (0..100_000).filter(|_| geometric.invoke_with(&0, &mut entropy) == Ok(0)).count();
    let share = f64::from(u32::try_from(zeros).unwrap()) / 1e5;
    assert!((share - 1.0 / (1.0 + f64::exp(-1.0))).abs() < (f64::ln(2e9) / 2e5).sqrt(), "{share}");
}
