//! Corners in which accountants are slow or loose: hundreds of different releases, calibration at extreme rates,
//! samples of fixed size. `cargo test -r -p indistinct-accounting --test integration corners -- --ignored --nocapture`
//! prints time and width of each; CORNER=… of those with it in their names.

use indistinct_accounting::{Delta, Epsilon, PrivacyLossDistribution as P, Rate, Scale, Sigma};
use std::time::Instant;

/// One after another.
fn all(parts: impl Iterator<Item = P>) -> P {
    parts.fold(P::none(), |all, part| all.compose(&part).unwrap())
}

/// Numbers between 0 and 1 that have nothing to do with one another.
fn scattered(count: u32) -> impl Iterator<Item = f64> {
    (1..=count).map(|i| (f64::from(i) * 0.618_033_988_749_894_9).fract())
}

fn pures(count: u32, least: f64, spread: f64) -> P {
    all(scattered(count).map(|x| P::pure(least + spread * x).unwrap()))
}

fn laplaces(count: u32) -> P {
    all(scattered(count).map(|x| P::laplace(Scale(20.0 + 20.0 * x)).unwrap()))
}

fn discrete_gaussians(count: u32) -> P {
    all(scattered(count).map(|x| P::discrete_gaussian(Sigma(8.0 + 12.0 * x), 1).unwrap()))
}

fn decimals(count: u32) -> P {
    all((1..=count).map(|i| P::pure(0.01 + 0.0001 * f64::from(i)).unwrap()))
}

fn several(count: u32) -> P {
    let parts = [pures(count, 0.01, 0.03), laplaces(count), discrete_gaussians(count)];
    all(parts.into_iter())
}

fn gaussians(count: u32) -> P {
    all(scattered(count).map(|x| P::gaussian(Sigma(20.0 + 20.0 * x)).unwrap()))
}

/// Vectors of a looseness: a grid took seconds for bounds that were percents apart, which the new ones are within.
#[test]
fn hundreds_of_different_losses_are_known_closely() {
    for (all, epsilon, (lower, upper), apart) in [
        (discrete_gaussians(100), 3.741_421_412_064_87, (9.767_154e-7, 9.993_209e-7), 1e-8),
        (pures(300, 0.01, 0.03), 2.033_269_188_765_095_3, (9.332_024e-7, 9.980_483e-7), 1e-5),
    ] {
        let bounds = all.delta(epsilon).unwrap();
        assert!(lower <= bounds.lower && bounds.upper <= upper, "{bounds:?}");
        assert!(bounds.upper - bounds.lower <= apart * bounds.upper, "{bounds:?}");
    }
}

#[test]
#[ignore = "prints times, for a release build"]
fn times_and_widths() {
    let cases: [(&str, P); 16] = [
        ("1200 pure, 0.01 to 0.04", pures(1200, 0.01, 0.03)),
        ("300 pure, 0.01 to 0.04", pures(300, 0.01, 0.03)),
        ("1200 pure, 0.001 to 0.1", pures(1200, 0.001, 0.1)),
        ("100 pure, 0.05 to 0.15", pures(100, 0.05, 0.1)),
        ("1200 pure, decimals", decimals(1200)),
        ("1200 pure, 1e-3 i", all((1..=1200).map(|i| P::pure(0.001 * f64::from(i)).unwrap()))),
        ("100 Laplace", laplaces(100)),
        ("1000 Laplace", laplaces(1000)),
        ("30 Laplace", laplaces(30)),
        ("5 Laplace, 10 times each", laplaces(5).repeat(10).unwrap()),
        ("100 discrete Gaussian", discrete_gaussians(100)),
        (
            "100 discrete Gaussian, decimals",
            all((1..=100).map(|i| P::discrete_gaussian(Sigma(5.0 + 0.1 * f64::from(i)), 1).unwrap())),
        ),
        (
            "1000 discrete Gaussian, wide",
            all(scattered(1000).map(|x| P::discrete_gaussian(Sigma(300.0 + 700.0 * x), 1).unwrap())),
        ),
        ("2 discrete Gaussian", discrete_gaussians(2)),
        ("300 each of pure, Laplace, discrete Gaussian", several(300)),
        ("1000 Gaussian, 500 pure", gaussians(1000).compose(&pures(500, 0.01, 0.03)).unwrap()),
    ];
    let only = std::env::var("CORNER").unwrap_or_default();
    for (name, all) in cases.into_iter().filter(|(name, _)| name.contains(&only)) {
        let start = Instant::now();
        let epsilon = all.epsilon(1e-6).unwrap();
        let (took, start) = (start.elapsed(), Instant::now());
        let delta = all.delta(epsilon.upper).unwrap();
        let also = start.elapsed();
        let width = |lower: f64, upper: f64| (upper - lower) / upper;
        println!(
            "{name}: epsilon {:?} ms, {:.1e} wide [{}, {}]; delta {:?} ms, {:.1e} wide [{:e}, {:e}]",
            took.as_millis(),
            width(epsilon.lower, epsilon.upper),
            epsilon.lower,
            epsilon.upper,
            also.as_millis(),
            width(delta.lower, delta.upper),
            delta.lower,
            delta.upper,
        );
    }
    for (name, sigma, rate, steps) in [
        ("fixed size, 1, 0.01, 2", 1.0, 0.01, 2),
        ("fixed size, 1, 0.001, 5", 1.0, 0.001, 5),
        ("fixed size, 0.7, 0.0001, 10", 0.7, 1e-4, 10),
        ("fixed size, 1, 0.00001, 2", 1.0, 1e-5, 2),
        ("fixed size, 0.4, 0.00001, 2", 0.4, 1e-5, 2),
        ("fixed size, 0.4, 0.00001, 100", 0.4, 1e-5, 100),
        ("fixed size, 1, 0.01, 10", 1.0, 0.01, 10),
        ("fixed size, 1, 0.01, 20", 1.0, 0.01, 20),
        ("fixed size, 1, 0.1, 5", 1.0, 0.1, 5),
        ("fixed size, 5, 0.5, 3", 5.0, 0.5, 3),
        ("fixed size, 1, 0.01, 1000", 1.0, 0.01, 1000),
        ("fixed size, 1, 0.01, 10^5", 1.0, 0.01, 100_000),
        ("fixed size, 5.144, 0.0325, 667,923", 5.144, 0.0325, 667_923),
    ] {
        if !name.contains(&only) {
            continue;
        }
        let all = P::fixed_size_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap();
        let start = Instant::now();
        let epsilon = all.epsilon(1e-6).unwrap();
        let took = start.elapsed().as_millis();
        let (lower, upper) = (epsilon.lower, epsilon.upper);
        let width = (upper - lower) / upper;
        println!("{name}: epsilon {took:?} ms, width {width:.0e} [{lower}, {upper}]");
    }
    if !"calibration".contains(&only) {
        return;
    }
    let (epsilon, delta) = (Epsilon(1.0), Delta(1e-6));
    // The first call of a process takes longer.
    P::calibrate_sigma(Rate(0.01), 1000, epsilon, delta).unwrap();
    for (rate, steps) in
        [(1e-9, 1000), (1e-7, 1000), (1e-7, 10_000_000), (1e-6, 100_000), (1.0 - 1e-9, 1000), (1e-5, 1000)]
    {
        let start = Instant::now();
        let found = P::calibrate_sigma(Rate(rate), steps, epsilon, delta).unwrap();
        println!("sigma for rate {rate}, {steps} steps: {:?} us, {found}", start.elapsed().as_micros());
    }
    for (sigma, rate) in [
        (1e4, 1e-4),
        (100.0, 0.9),
        (1.0, 1e-7),
        (0.5, 1e-7),
        (0.5, 1e-6),
        (0.5, 1e-5),
        (0.7, 1e-4),
        (1e3, 1.0 - 1e-9),
        (2.0, 1e-5),
    ] {
        let start = Instant::now();
        let found = P::calibrate_steps(Sigma(sigma), Rate(rate), epsilon, delta).unwrap();
        println!("steps for sigma {sigma}, rate {rate}: {:?} us, {found}", start.elapsed().as_micros());
    }
    for (sigma, steps) in [(1.0, 1), (1.0, 1000), (100.0, 1000), (0.5, 10), (1e4, 100_000)] {
        let start = Instant::now();
        let found = P::calibrate_rate(Sigma(sigma), steps, epsilon, delta).unwrap();
        println!("rate for sigma {sigma}, {steps} steps: {:?} us, {found}", start.elapsed().as_micros());
    }
}

/// Different releases are known well: a road that tells less is not taken before one that tells more.
#[test]
fn widths_of_different_releases() {
    for (name, all, most) in [
        ("300 pure", pures(300, 0.01, 0.03), 1e-9),
        ("100 pure", pures(100, 0.05, 0.1), 1e-9),
        ("30 Laplace", laplaces(30), 1e-7),
        ("100 Laplace", laplaces(100), 1e-9),
        ("5 Laplace, 10 times each", laplaces(5).repeat(10).unwrap(), 1e-6),
        ("100 each of pure, Laplace, discrete Gaussian", several(100), 1e-8),
        ("100 discrete Gaussian", discrete_gaussians(100), 1e-9),
        ("100 Gaussian, 50 pure", gaussians(100).compose(&pures(50, 0.01, 0.03)).unwrap(), 1e-10),
    ] {
        let epsilon = all.epsilon(1e-6).unwrap();
        let width = (epsilon.upper - epsilon.lower) / epsilon.upper;
        assert!(width <= most, "{name}: {width:e}");
    }
}

/// Samples of fixed size at small rates: what rounds, and what is left out of huge losses, is little beside delta.
#[test]
fn widths_of_samples_of_fixed_size() {
    for (sigma, rate, steps, delta, most) in [
        (0.745_849_341_8, 5.961_869_82e-6, 1277, 9.664_680_928e-10, 1e-9),
        (0.516_418_062_7, 2.416_566_615e-5, 356, 4.762_785_188e-6, 1e-9),
        (0.639_473_361_1, 5.309_565_114e-5, 464_358, 1.417_540_535e-8, 1e-9),
        (1.152_855_373_8, 1.691_262_715e-4, 6712, 2.027_007_399e-10, 2e-9),
        // Taken apart where that is not needed, as less cancels.
        (0.993_006_084_9, 1.869_099_2e-4, 113, 1.741_964_104e-9, 1e-9),
        (2.211_968_16, 7.137_828_375e-3, 2, 7.620_971_057e-12, 1e-9),
        // Many points.
        (0.771_640_909_8, 1.881_399_069e-5, 194, 7.824_770_56e-5, 1e-9),
        // Chernoff's bound on near losses takes off what they lack: it came to a hundredth of delta without.
        (0.510_829_537_1, 1.623_388_065_7e-6, 26_943, 4.698_457_727e-5, 5e-9),
        (0.680_776_150_4, 1.211_194_031_6e-5, 81, 4.575_756_253e-5, 5e-8),
    ] {
        let all = P::fixed_size_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap();
        let epsilon = all.epsilon(delta).unwrap();
        let width = (epsilon.upper - epsilon.lower) / epsilon.upper;
        assert!(width <= most, "{sigma} {rate} {steps}: {width:e}");
    }
}

/// Where large losses begin so near zero that a bound on them has no end of cells, others tell.
#[test]
fn large_losses_next_to_zero() {
    let all = P::fixed_size_gaussian(Sigma(10.888_193_607_191_884), Rate(8.688_363_901_540_688e-6)).unwrap();
    let epsilon = all.repeat(2).unwrap().epsilon(7.399_467_331_494_794e-7).unwrap();
    assert!(epsilon.upper < 1e-6, "{epsilon:?}");
}

/// Times of calibration at 500 random parameters, rates from 1 to 1e-7; at 500 of a far wider range; and there at tiny
/// epsilons, and at tiny deltas.
#[test]
#[ignore = "prints times, for a release build"]
fn times_of_calibration_anywhere() {
    P::calibrate_sigma(Rate(0.01), 1000, Epsilon(1.0), Delta(1e-6)).unwrap();
    let usual = Ranges { steps: 24, epsilon: (-1.0, 1.0), delta: (-10.0, -4.0), rate: -7.0, sigma: (-0.4, 1.5) };
    times_of_calibration(usual, 88_172_645_463_325_252);
    let wide = Ranges { steps: 36, epsilon: (-2.0, 1.5), delta: (-15.0, -3.0), rate: -8.0, sigma: (-0.8, 2.2) };
    times_of_calibration(wide, 362_436_069);
    times_of_calibration(Ranges { epsilon: (-6.0, -3.0), ..wide }, 521_288_629);
    times_of_calibration(Ranges { delta: (-40.0, -20.0), ..wide }, 916_191_069);
}

/// Of logarithms: to base 2 of steps, to base 10 of the others.
#[derive(Clone, Copy)]
struct Ranges {
    steps: u64,
    epsilon: (f64, f64),
    delta: (f64, f64),
    rate: f64,
    sigma: (f64, f64),
}

fn times_of_calibration(ranges: Ranges, mut state: u64) {
    let mut word = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u32::try_from(state >> 32).unwrap()
    };
    let mut times = Vec::new();
    for _ in 0..500 {
        let log_steps = i32::try_from(u64::from(word()) % ranges.steps).unwrap();
        let steps = 1u64 << log_steps;
        let mut between =
            |(least, most): (f64, f64)| 10f64.powf(least + (most - least) * f64::from(word()) / 4_294_967_296.0);
        let (epsilon, delta) = (Epsilon(between(ranges.epsilon)), between(ranges.delta));
        let (rate, sigma) = (between((ranges.rate, 0.0)), Sigma(between(ranges.sigma)));
        // At most half of what there is at all.
        let ever = -(2f64.powi(log_steps) * (-rate).ln_1p()).exp_m1();
        let (delta, rate) = (Delta(delta.min(ever / 2.0)), Rate(rate));
        let mut timed = |name: &str, ask: &dyn Fn() -> String| {
            let start = Instant::now();
            let found = ask();
            let took = start.elapsed().as_secs_f64() * 1e3;
            times.push((took, format!("{name} of {rate:?} {sigma:?} {steps} {epsilon:?} {delta:?}: {found}")));
        };
        timed("sigma", &|| format!("{:?}", P::calibrate_sigma(rate, steps, epsilon, delta)));
        timed("steps", &|| format!("{:?}", P::calibrate_steps(sigma, rate, epsilon, delta)));
        timed("rate", &|| format!("{:?}", P::calibrate_rate(sigma, steps, epsilon, delta)));
    }
    times.sort_by(|x, y| y.0.total_cmp(&x.0));
    let above = times.iter().filter(|(took, _)| *took > 50.0).count();
    println!("{} questions: median {:.1} ms, {above} above 50 ms, the longest:", times.len(), times[times.len() / 2].0);
    times.iter().take(above.max(10)).for_each(|(took, question)| println!("{took:.0} ms: {question}"));
}

/// To what epsilon of 300 random trainings is known, and how long that takes: on Poisson samples, and three times on
/// samples of fixed size.
#[test]
#[ignore = "prints times and widths, for a release build"]
fn widths_of_random_trainings() {
    let (poisson, fixed) = (("Poisson samples", (-7.0, -0.3), 11.0), ("fixed size", (-6.0, -0.5), 6.0));
    let seeds = [88_172_645_463_325_252_u64, 362_436_069, 521_288_629];
    for ((name, rates, most_steps), seed) in
        [(poisson, seeds[0]), (fixed, seeds[0]), (fixed, seeds[1]), (fixed, seeds[2])]
    {
        let mut state = seed;
        let mut between = |(least, most): (f64, f64)| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            10f64.powf(least + (most - least) * f64::from(u32::try_from(state >> 32).unwrap()) / 4_294_967_296.0)
        };
        let (mut widths, mut took) = (Vec::new(), 0.0);
        for _ in 0..300 {
            let (rate, sigma) = (Rate(between(rates)), Sigma(between((-0.4, 1.2))));
            let steps = rug::Integer::from_f64(between((0.0, most_steps)).ceil()).unwrap().to_u64().unwrap();
            let delta = between((-14.0, -3.0));
            let poisson = name == "Poisson samples";
            let one = if poisson { P::poisson_gaussian(sigma, rate) } else { P::fixed_size_gaussian(sigma, rate) };
            let all = one.unwrap().repeat(steps).unwrap();
            let start = Instant::now();
            let epsilon = all.epsilon(delta).unwrap();
            took += start.elapsed().as_secs_f64() * 1e3 / 300.0;
            let open = epsilon.upper - epsilon.lower;
            widths.push(if open > 0.0 { open / epsilon.upper } else { 0.0 });
        }
        let within = |most: f64| widths.iter().filter(|width| **width <= most).count();
        let counts = [1e-9, 1e-8, 1e-7, 2e-6, 1e-4].map(within);
        println!("{name}, seed {seed}: {counts:?} of 300 to 1e-9, 1e-8, 1e-7, 2e-6, 1e-4; {took:.0} ms each");
    }
}

/// Times and widths of 250 random compositions of two to 400 kinds of releases.
#[test]
#[ignore = "prints times, for a release build"]
fn times_of_random_compositions() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut word = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        f64::from(u32::try_from(state >> 32).unwrap()) / 4_294_967_296.0
    };
    let (mut times, mut widths) = (Vec::new(), Vec::new());
    for _ in 0..250 {
        let kinds = 10f64.powf(0.3 + 2.3 * word());
        let (kind, least, spread) = (word() * 7.0, 10f64.powf(-2.5 + 2.0 * word()), 4.0 * word());
        let delta = 10f64.powf(-12.0 + 10.0 * word());
        let (mut all, mut i) = (P::none(), 0.0);
        while i < kinds {
            i += 1.0;
            let epsilon = least * (1.0 + spread * word());
            let kind = if kind < 6.0 { kind } else { word() * 6.0 };
            let one = match kind {
                _ if kind < 1.0 => P::pure(epsilon),
                _ if kind < 2.0 => P::laplace(Scale(1.0 / epsilon)),
                _ if kind < 3.0 => P::discrete_gaussian(Sigma(1.0 / epsilon), 1),
                _ if kind < 4.0 => P::randomized_response(epsilon, if word() < 0.5 { 2 } else { 5 }),
                _ if kind < 5.0 => P::discrete_laplace(Scale(1.0 / epsilon), if word() < 0.5 { 1 } else { 3 }),
                _ => P::bounded_range(epsilon),
            };
            let count = if word() < 0.8 { 1 } else { 4 };
            all = all.compose(&one.unwrap().repeat(count).unwrap()).unwrap();
        }
        let start = Instant::now();
        let epsilon = all.epsilon(delta).unwrap();
        times.push(start.elapsed().as_secs_f64() * 1e3);
        widths.push((epsilon.upper - epsilon.lower) / epsilon.upper);
    }
    for numbers in [&mut times, &mut widths] {
        numbers.sort_by(f64::total_cmp);
    }
    let at = |numbers: &[f64]| [numbers[125], numbers[225], numbers[249]];
    let [median, most, all] = at(&times);
    println!("half, nine in ten, all: within {median:.1}, {most:.1}, {all:.1} ms");
    let [median, most, all] = at(&widths);
    println!("and known to {median:.0e}, {most:.0e}, {all:.0e}");
}
