//! Corners in which accountants are slow or loose: hundreds of different releases, and samples of fixed size; and what
//! a question allocates at most.

use indistinct_accounting::{Epsilon, Mu, PrivacyLossDistribution as P, Rate, Scale, Sigma, gaussian_delta};
use indistinct_numeric::enclosure::Bounds;

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

/// Different releases are known well: a method that knows less is not taken before one that knows more.
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

fn fixed_size(sigma: f64, rate: f64, steps: u64) -> P {
    P::fixed_size_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap()
}

/// Both sides of a truth that is known up to a share of it, and no further apart than another share.
fn assert_encloses(bounds: Bounds, (truth, error): (f64, f64), most: f64, name: &str) {
    let width = (bounds.upper - bounds.lower) / bounds.upper;
    assert!(bounds.lower <= truth * (1.0 + error), "{name}: {bounds:?} above {truth:e}");
    assert!(bounds.upper >= truth * (1.0 - error), "{name}: {bounds:?} below {truth:e}");
    assert!(width <= most, "{name}: {bounds:?}, {width:e} wide");
}

/// Delta of two samples of fixed size, by Simpson's rule over the first one's loss, apart by where delta of the second
/// has a kink.
fn two_of_fixed_size(sigma: f64, rate: f64, epsilon: f64) -> f64 {
    let gaussian = |epsilon: f64| gaussian_delta(Mu(1.0 / sigma), Epsilon(epsilon)).unwrap();
    let alone = |x: f64| {
        let delta = |x: f64| rate * gaussian((x.exp_m1() / rate).ln_1p());
        if x >= 0.0 { delta(x) } else { -x.exp_m1() + x.exp() * delta(-x) }
    };
    let log_factor = (sigma * 0.398_942_280_401_432_7).ln() - 0.125 / (sigma * sigma);
    let at = |s: f64| {
        let (u, y) = (s.exp().ln_1p(), (rate * s.exp()).ln_1p());
        let density = (log_factor - u / 2.0 - sigma * sigma * u * u / 2.0 + s - u).exp();
        density * (y.exp() * alone(epsilon - y) + alone(epsilon + y))
    };
    let kink = (epsilon.exp_m1() / rate).ln();
    // With the distance from the kink as a cube.
    let simpson = |distance: f64| {
        let step = distance.cbrt() / 2000.0;
        let term = |i: u32| {
            let weight = if i == 0 || i == 2000 { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
            let t = step * f64::from(i);
            weight * 3.0 * t * t * at(kink + t * t * t)
        };
        (0..=2000).map(term).sum::<f64>() * step.abs() / 3.0
    };
    // With the probability that nothing is lost.
    (1.0 - rate) * gaussian(0.0) * alone(epsilon) + simpson(-26.0) + simpson(9.0)
}

/// Two samples of fixed size, also where one loss decides.
#[test]
fn two_samples_of_fixed_size_against_quadrature() {
    // Where Simpson's rule has no more than six digits, another quadrature with forty.
    for (sigma, rate, epsilon, truth, most) in [
        (1.0, 0.01, 0.42, None, 1e-4),
        (0.7, 1e-4, 6.2e-3, Some(9.866_451_308_777_144e-7), 1.8e-2),
        (1.0, 1e-5, 4e-5, Some(9.956_226_520_750_926e-7), 0.6),
        (1.0, 0.1, 2.4, None, 1e-4),
        (0.4, 1e-5, 6.5e-3, Some(9.990_951_111_810_218e-7), 1.5e-2),
        (5.0, 0.01, 0.011, None, 1.1e-4),
    ] {
        let known = truth.map_or_else(|| (two_of_fixed_size(sigma, rate, epsilon), 1e-9), |truth| (truth, 1e-14));
        let bounds = fixed_size(sigma, rate, 2).delta(epsilon).unwrap();
        assert_encloses(bounds, known, most, &format!("{sigma} {rate}"));
    }
}

/// Deltas that are known by quadrature in 128 bits, where nearly all of the integral cancels.
#[test]
fn many_samples_of_fixed_size_against_known_deltas() {
    for (sigma, rate, count, epsilon, truth, most) in [
        (1.172_148_978_754_618_2, 3.152_914_937_732_509e-4, 382, 0.074_943_181_5, 1.736_179_813_569_352e-11, 1e-4),
        (1.264_570_626_585_115_3, 8.170_825_267_143_191e-5, 588, 0.026_391_271_3, 1.457_145_167_960_599e-14, 1e-4),
        (0.956_067_225_740_145_4, 6.486_476_950_099_99e-5, 1357, 0.040_432_715_6, 1.354_706_769_192_694_3e-10, 1e-4),
        (1.098_426_950_522_985_8, 9.902_360_677_926_89e-6, 2663, 0.004_579_822_36, 1.578_828_174_217_406e-12, 1e-4),
    ] {
        let bounds = fixed_size(sigma, rate, count).delta(epsilon).unwrap();
        assert_encloses(bounds, (truth, 1e-14), most, &format!("{sigma} {rate} {count}"));
    }
}

/// Deltas by a recursion, to eight digits: after one more release, delta is the mean of the one before over its loss.
#[test]
fn several_samples_of_fixed_size_against_a_recursion() {
    let two = fixed_size(2.0, 0.05, 3).compose(&fixed_size(1.0, 0.01, 2)).unwrap();
    for (all, epsilon, truth, most) in [
        (two, 0.5, 5.667_554_34e-7, 2.5e-4),
        (fixed_size(1.0, 0.1, 5), 2.9, 1.181_178_42e-6, 1e-4),
        (fixed_size(3.0, 0.05, 4), 0.1, 1.253_823_702_1e-4, 1e-4),
        (fixed_size(1.0, 0.01, 20), 0.69, 9.738_941_6e-7, 1.2e-3),
        (fixed_size(5.0, 0.5, 5), 1.04, 9.396_101_202e-7, 1e-4),
    ] {
        assert_encloses(all.delta(epsilon).unwrap(), (truth, 1e-8), most, &all.to_string());
    }
}

/// Epsilons of samples of fixed size at small rates are around what the recursion finds, where it was run (to six
/// digits), and have deltas around the wanted one.
#[test]
fn epsilons_of_samples_of_fixed_size() {
    for (sigma, rate, steps, delta, truth, most) in [
        (0.745_849_341_8, 5.961_869_82e-6, 1277, 9.664_680_928e-10, None, 0.3),
        (0.516_418_062_7, 2.416_566_615e-5, 356, 4.762_785_188e-6, None, 1e-2),
        (0.639_473_361_1, 5.309_565_114e-5, 464_358, 1.417_540_535e-8, None, 1e-4),
        (1.152_855_373_8, 1.691_262_715e-4, 6712, 2.027_007_399e-10, None, 1e-4),
        (0.993_006_084_9, 1.869_099_2e-4, 113, 1.741_964_104e-9, None, 1e-4),
        (2.211_968_16, 7.137_828_375e-3, 2, 7.620_971_057e-12, Some(0.092_166_019_486_99), 1e-4),
        (0.771_640_909_8, 1.881_399_069e-5, 194, 7.824_770_56e-5, None, 1e-4),
        (0.510_829_537_1, 1.623_388_065_7e-6, 26_943, 4.698_457_727e-5, None, 0.85),
        (0.680_776_150_4, 1.211_194_031_6e-5, 81, 4.575_756_253e-5, Some(3.111_438_4e-4), 0.95),
    ] {
        let (all, name) = (fixed_size(sigma, rate, steps), format!("{sigma} {rate} {steps}"));
        let epsilon = all.epsilon(delta).unwrap();
        assert_encloses(epsilon, (truth.unwrap_or(epsilon.upper), 1e-6), most, &name);
        let (near, far) = (all.delta(epsilon.lower).unwrap(), all.delta(epsilon.upper).unwrap());
        assert!(near.upper >= delta && far.lower <= delta, "{name}: {near:?} {far:?}");
    }
}

/// Where large losses begin so near zero that a bound on them has no end of cells, others tell.
#[test]
fn large_losses_next_to_zero() {
    let all = P::fixed_size_gaussian(Sigma(10.888_193_607_191_884), Rate(8.688_363_901_540_688e-6)).unwrap();
    let epsilon = all.repeat(2).unwrap().epsilon(7.399_467_331_494_794e-7).unwrap();
    assert!(epsilon.upper < 1e-6, "{epsilon:?}");
}

/// The documented bounds, in general and on samples of fixed size.
const MOST: u64 = 8 << 20;
const MOST_OF_FIXED_SIZE: u64 = 20 << 20;

/// Of numbers from 0 to 1.
fn sixty(one: &dyn Fn(f64) -> P) -> P {
    let numbers = (1..=60u32).map(|i| (f64::from(i) * 0.618_033_988_749_894_9).fract());
    numbers.fold(P::none(), |all, x| all.compose(&one(x)).unwrap())
}

#[test]
fn within_what_is_documented() {
    let small_rate = P::poisson_gaussian(Sigma(1.0), Rate(1e-4)).unwrap().repeat(1000).unwrap();
    let cases = [
        ("sampled", P::poisson_gaussian(Sigma(1.0), Rate(0.01)).unwrap().repeat(10_000).unwrap()),
        ("long", P::poisson_gaussian(Sigma(0.8), Rate(1e-4)).unwrap().repeat(1_000_000).unwrap()),
        ("on a grid", P::laplace(Scale(5.0)).unwrap().repeat(100).unwrap()),
        ("on a grid, of two kinds", P::laplace(Scale(5.0)).unwrap().compose(&P::bounded_range(0.1).unwrap()).unwrap()),
        ("a small rate", small_rate),
        ("a few of a fixed size", P::fixed_size_gaussian(Sigma(0.7), Rate(1e-4)).unwrap().repeat(10).unwrap()),
        ("two of a fixed size", P::fixed_size_gaussian(Sigma(1.0), Rate(1e-5)).unwrap().repeat(2).unwrap()),
        ("eight of a fixed size", P::fixed_size_gaussian(Sigma(0.58), Rate(2.2e-5)).unwrap().repeat(8).unwrap()),
        ("tilts of 10^5", P::poisson_gaussian(Sigma(3.6), Rate(6e-7)).unwrap().repeat(16_384).unwrap()),
        ("extreme", P::poisson_gaussian(Sigma(0.05), Rate(1e-9)).unwrap().repeat(10_000_000).unwrap()),
        ("sixty guarantees", sixty(&|x| P::pure(0.05 + 0.1 * x).unwrap())),
        ("sixty times Laplace noise", sixty(&|x| P::laplace(Scale(20.0 + 20.0 * x)).unwrap())),
        ("sixty responses", sixty(&|x| P::randomized_response(0.05 + 0.1 * x, 5).unwrap())),
        ("on a wide lattice", P::discrete_gaussian(Sigma(300.0), 1).unwrap().repeat(1000).unwrap()),
    ];
    for (name, all) in cases {
        // Tables of constants are made once.
        all.delta(0.1).unwrap();
        let used = allocation_counter::measure(|| _ = all.delta(0.1).unwrap());
        let inverse = allocation_counter::measure(|| _ = all.epsilon(1e-6).unwrap());
        let small = allocation_counter::measure(|| _ = all.delta(2e-5).unwrap());
        let most = used.bytes_max.max(inverse.bytes_max).max(small.bytes_max);
        println!("{name}: {most}");
        let allowed = if name.contains("fixed size") { MOST_OF_FIXED_SIZE } else { MOST };
        assert!(most <= allowed, "{name}: {most}");
    }
    // A contour of 53,000 points.
    let long = P::poisson_gaussian(Sigma(0.656_650_712_300_573_5), Rate(1.905_066_554_065_826_6e-7)).unwrap();
    let long = long.repeat(8).unwrap();
    let used = allocation_counter::measure(|| _ = long.epsilon(1.193_417_409_194_601_3e-10).unwrap());
    assert!(used.bytes_max <= MOST, "{}", used.bytes_max);
    // Of 76,000 points, on samples of fixed size, and of two kinds.
    let one = fixed_size(0.771_640_909_832_993_9, 1.881_399_068_688_262e-5, 194);
    let two = fixed_size(0.771_640_909_832_993_9, 1.881_399_068_688_262e-5, 100)
        .compose(&fixed_size(0.78, 1.9e-5, 84))
        .unwrap();
    let delta = 7.824_770_559_810_059e-5;
    // And of 190,000.
    let many = fixed_size(0.532_857_886_837_800_2, 1.572_095_332_807_273_2e-6, 16);
    for (all, delta) in [(one, delta), (two, delta), (many, 4.630_573_085_498_625e-6)] {
        let used = allocation_counter::measure(|| _ = all.epsilon(delta).unwrap());
        println!("{all}: {}", used.bytes_max);
        assert!(used.bytes_max <= MOST_OF_FIXED_SIZE, "{all}: {}", used.bytes_max);
    }
}
