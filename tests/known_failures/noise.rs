//! Noise in floats: what its digits tell of the input, and the ends of the range.

use super::{floats, make_noise, textbook_laplace};
use indistinct::{
    measurements::Scale,
    numeric::gmp::Rational,
    prelude::*,
    sampling::{Entropy, RealNoise, RoundedNoise, testing::SeededEntropy},
};
use indistinct_audit::{Seen, silence::Recorder};
use indistinct_tests::{decimal, float, vectors};

/// Releases of a distribution at an input that satisfy an event.
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
        // The negative controls in floats are off the lattice at 0, and never at the scale: -ln(u), Box's and Muller's,
        // and half of four of these.
        let mut entropy = SeededEntropy::new(93);
        let mut uniform = || (Rational::from(entropy.bits(53).unwrap().max(1)) / (1u64 << 53)).to_f64();
        let mut normal = || (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos();
        let mut control = |input: f64| {
            let noise = match name.as_str() {
                "gaussian_precision_0_vs_1" => normal(),
                "vector_noise_shared_scale_float" => [0; 4].map(|_| normal()).iter().sum::<f64>() / 2.0,
                _ => {
                    textbook_laplace(scale, &mut SeededEntropy::new(u64::from_le_bytes(normal().to_le_bytes()))) / scale
                }
            };
            input + scale * noise
        };
        let mut seen = |input: f64| (0..20_000).filter(|_| off_lattice(control(input))).count();
        assert!(seen(0.0) > 2_000 && seen(float(&vector["input_1"])) == 0, "{name}: no power");
    }
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
        // The negative control adds noise on the lattice to a number that is not on it.
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
    // The negative control rounds to the grid in floats.
    let mut entropy = SeededEntropy::new(99);
    let grid = 2f64.powi(-4);
    let mut control = || (textbook_laplace(scale, &mut entropy) / grid).round() * grid;
    assert!((0..1000).any(|_| control().to_bits() == (-0.0f64).to_bits()), "no power");
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
    // The negative control rounds to the scale over 2^40, which is 0.
    let grid = scale / 2f64.powi(40);
    assert!(((input / grid).round() * grid).is_nan(), "no power");
    let huge = &vectors["huge_scale_overflow_to_inf"];
    let noise = make_noise(RealNoise::laplace(), float(&huge["scale"]));
    for input in ["input_0", "input_1"] {
        assert_eq!(count(&noise, float(&huge[input]), 10_000, |y| !y.is_finite()), 0, "saturates, {input}");
        let mut entropy = SeededEntropy::new(100);
        let mut control = || float(&huge[input]) + textbook_laplace(float(&huge["scale"]), &mut entropy);
        assert!((0..10_000).any(|_| control().is_infinite()), "{input}: no power");
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
    // The negative control clamps, and takes what is no number for the lower bound.
    #[allow(clippy::manual_clamp)] // which would keep it
    let naive = |input: &f64| input.max(-10.0).min(10.0);
    assert!(floats(&nan["inputs"]).iter().all(|input| naive(input) == -10.0), "no power");
}

/// Whether some float of the textbook's uniform grid has this noise: `|y| = fl(-ln(k / 2^53))`.
fn is_a_logarithm(y: f64) -> bool {
    let nearest = (-y.abs()).exp() * 2f64.powi(53);
    (-4..=4).any(|step| {
        let k = nearest.round() + f64::from(step);
        (1.0..2f64.powi(53)).contains(&k) && -(k / 2f64.powi(53)).ln() == y.abs()
    })
}

#[test]
fn which_floats_are_reached_does_not_tell_the_input() {
    let vector = &vectors("noise_floats")["laplace_lsb_reachability"];
    let scale = float(&vector["scale"]);
    let noisy = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), scale).unwrap();
    let mut entropy = SeededEntropy::new(97);
    let (draws, inputs) = (20_000u32, ["input_0", "input_1"].map(|name| float(&vector[name])));
    let mut share = |draw: &mut dyn FnMut(&mut SeededEntropy) -> f64| {
        let reached = (0..draws).filter(|_| is_a_logarithm(draw(&mut entropy))).count();
        f64::from(u32::try_from(reached).unwrap()) / f64::from(draws)
    };
    let shares = inputs.map(|input| share(&mut |entropy| noisy.invoke_with(&input, entropy).unwrap()));
    // Hoeffding, a false alarm once in 10^9, for the claim of epsilon 1 in both directions.
    let margin = (f64::ln(4e9) / (2.0 * f64::from(draws))).sqrt();
    let exceeds = |[p, q]: [f64; 2]| p - margin > 1f64.exp() * (q + margin);
    // The event and its complement, in both directions.
    let violated = |[p, q]: [f64; 2]| [[p, q], [q, p], [1.0 - p, 1.0 - q], [1.0 - q, 1.0 - p]].into_iter().any(exceeds);
    assert!(!violated(shares), "{shares:?}");
    let textbook = inputs.map(|input| {
        share(&mut |entropy| {
            let word = Rational::from((entropy.bits(53).unwrap().max(1), 1u64 << 53)).to_f64();
            let size = -word.ln();
            input + if entropy.bit().unwrap() { -size } else { size }
        })
    });
    assert!(violated(textbook), "{textbook:?}: no power");
}

/// Numbers of a vector are drawn one after another, each with bits of its own: no pair of draws is made of one.
#[test]
fn numbers_of_a_vector_share_no_bits() {
    let vector = &vectors("noise_floats")["box_muller_pair"];
    let scale = float(&vector["scale"]);
    let floats = VectorDomain::new(AtomDomain::f64()).with_size(2);
    let pair = make_gaussian(floats, L2Distance::new(), ZeroConcentratedDivergence, scale).unwrap();
    let one = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), ZeroConcentratedDivergence, scale).unwrap();
    for input in ["input_0", "input_1"] {
        let input: Vec<f64> = vector[input].as_array().unwrap().iter().map(float).collect();
        for seed in 0..500 {
            let (mut together, mut apart) =
                (Recorder::new(SeededEntropy::new(seed)), Recorder::new(SeededEntropy::new(seed)));
            let both = pair.invoke_with(&input, &mut together).unwrap();
            let each: Vec<f64> = input.iter().map(|x| one.invoke_with(x, &mut apart).unwrap()).collect();
            assert_eq!((both.key(), together.requests()), (each.key(), apart.requests()));
        }
    }
}

/// Redrawing until a release falls in an interval has another loss than clamping: the truth of the vector is above what
/// is claimed for it, and the library's bounded noise clamps.
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
