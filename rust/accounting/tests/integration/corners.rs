//! Corners in which accountants are slow or loose: hundreds of different releases, and samples of fixed size; and what
//! a question allocates at most.

use indistinct_accounting::{PrivacyLossDistribution as P, Rate, Scale, Sigma};

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
    let fixed = |sigma: f64, rate: f64, steps: u64| {
        P::fixed_size_gaussian(Sigma(sigma), Rate(rate)).unwrap().repeat(steps).unwrap()
    };
    let one = fixed(0.771_640_909_832_993_9, 1.881_399_068_688_262e-5, 194);
    let two = fixed(0.771_640_909_832_993_9, 1.881_399_068_688_262e-5, 100).compose(&fixed(0.78, 1.9e-5, 84)).unwrap();
    let delta = 7.824_770_559_810_059e-5;
    // And of 190,000.
    let many = fixed(0.532_857_886_837_800_2, 1.572_095_332_807_273_2e-6, 16);
    for (all, delta) in [(one, delta), (two, delta), (many, 4.630_573_085_498_625e-6)] {
        let used = allocation_counter::measure(|| _ = all.epsilon(delta).unwrap());
        println!("{all}: {}", used.bytes_max);
        assert!(used.bytes_max <= MOST_OF_FIXED_SIZE, "{all}: {}", used.bytes_max);
    }
}
