//! Random bytes against constructors, maps and plans: no panic, no NaN, maps that rise from 0.
//!
//! A stable loop rather than an instrumented one: parameters are drawn with special floats among them, and every case is a function of its
//! seed. `make test` runs a few thousand; `make fuzz` runs for `FUZZ_SECONDS`, from a seed of the clock, and prints the seed of what fails.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a panic is a failed test

use indistinct::{
    prelude::*,
    sampling::{
        Entropy,
        testing::{BitTape, SeededEntropy},
    },
};
use indistinct_audit::neighbors::floats;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Parameters, drawn at random.
struct Source(SeededEntropy);

impl Source {
    fn below(&mut self, n: u64) -> u64 {
        self.0.bits(32).unwrap() % n
    }

    /// A special float, one of any bits, or an ordinary one.
    fn float(&mut self) -> f64 {
        let special = floats();
        match self.below(4) {
            0 => special[usize::try_from(self.below(u64::try_from(special.len()).unwrap())).unwrap()],
            1 => f64::from_bits(self.0.bits(64).unwrap()),
            2 => f64::from(u32::try_from(self.below(64)).unwrap()) / 4.0,
            _ => f64::from(u32::try_from(self.below(1 << 20)).unwrap()) / f64::from(1u32 << 20),
        }
    }

    fn word(&mut self) -> u32 {
        match self.below(3) {
            0 => u32::try_from(self.below(8)).unwrap(),
            1 => u32::MAX - u32::try_from(self.below(3)).unwrap(),
            _ => u32::try_from(self.0.bits(32).unwrap()).unwrap(),
        }
    }

    fn integer(&mut self) -> i64 {
        match self.below(3) {
            0 => i64::try_from(self.below(9)).unwrap() - 4,
            1 => [i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX][usize::try_from(self.below(4)).unwrap()],
            _ => i64::from_ne_bytes(self.0.bits(64).unwrap().to_ne_bytes()),
        }
    }

    fn rows(&mut self) -> Vec<f64> {
        (0..self.below(6)).map(|_| self.float()).collect()
    }
}

/// A map of numbers or rows, on two distances: errors aside, it is 0 at 0 and rises.
fn rises<D: Distance, R: Distance>(map: impl Fn(&D) -> Fallible<R>, zero: (&D, &R), low: &D, high: &D) {
    if let Ok(at_zero) = map(zero.0) {
        assert!(at_zero.is_within(zero.1), "{at_zero:?} at distance 0");
    }
    let (low, high) = if low.is_within(high) { (low, high) } else { (high, low) };
    if !low.is_within(high) {
        // Of two triples neither may be within the other: nothing is said then.
        return;
    }
    if let (Ok(one), Ok(other)) = (map(low), map(high)) {
        assert!(one.validate().is_ok() && other.validate().is_ok());
        assert!(one.is_within(&other), "{one:?} at {low:?}, {other:?} at {high:?}");
    }
}

/// What an error says is a rule, not a number that was passed.
fn refused<T>(result: Fallible<T>) -> Option<T> {
    result.inspect_err(|error| assert!(!error.to_string().is_empty() && !error.to_string().contains("NaN("))).ok()
}

fn noise(source: &mut Source) {
    let (scale, low, high, data) = (source.float(), source.float(), source.float(), source.float());
    let (grid, numbers) = (i32::try_from(source.below(2200)).unwrap() - 1100, AbsoluteDistance::new);
    let mut entropy = SeededEntropy::new(source.below(1 << 20));
    let scales = [Scale::new(scale), Scale::new(scale).on_grid(grid)];
    for scale in scales {
        if let Some(laplace) = refused(make_laplace(AtomDomain::f64(), numbers(), scale)) {
            rises(|d| laplace.map(d), (&0.0, &0.0), &low, &high);
            assert_eq!(laplace.invoke_with(&data, &mut entropy).is_err(), data.is_nan());
        }
        if let Some(gaussian) = refused(make_gaussian(AtomDomain::f64(), numbers(), ZeroConcentratedDivergence, scale))
        {
            rises(|d| gaussian.map(d), (&0.0, &0.0), &low, &high);
            assert_eq!(gaussian.invoke_with(&data, &mut entropy).is_err(), data.is_nan());
        }
    }
    let bounds = (source.integer(), source.integer());
    if let Some(geometric) = refused(make_geometric(AtomDomain::i64(), numbers(), scale, Some(bounds))) {
        rises(|d| geometric.map(d), (&0.0, &0.0), &low, &high);
        let noisy = geometric.invoke_with(&source.integer(), &mut entropy).unwrap();
        assert!(bounds.0 <= noisy && noisy <= bounds.1);
    }
    if let Some(snapping) = refused(make_snapping(AtomDomain::f64(), numbers(), scale, low)) {
        rises(|d| snapping.map(d), (&0.0, &0.0), &data.abs(), &high);
        assert!(data.is_nan() || snapping.invoke_with(&data, &mut entropy).unwrap().abs() <= low);
    }
    if let Some(canonical) = refused(make_canonical_noise(AtomDomain::f64(), numbers(), scale, (low, high))) {
        rises(|d| canonical.map(d), (&0.0, &(0.0, 0.0)), &data, &scale);
    }
}

fn sums(source: &mut Source) {
    let (bounds, rows, size) = ((source.float(), source.float()), source.rows(), source.below(5));
    let (low, high) = (source.word(), source.word());
    let domain = VectorDomain::new(AtomDomain::f64());
    let sized = domain.clone().with_size(usize::try_from(size).unwrap());
    for domain in [domain, sized] {
        let Some(sum) = refused((domain, SymmetricDistance) >> then_clamp(bounds) >> then_sum()) else { continue };
        rises(|d| sum.map(d), (&0, &0.0), &low, &high);
        assert_eq!(sum.invoke(&rows).is_ok(), sum.input_domain().member(&rows));
        let noisy = (sum >> then_laplace(source.float())).ok();
        if let Some(noisy) = noisy {
            rises(|d| noisy.map(d), (&0, &0.0), &low, &high);
            assert!(noisy.explain(&low).is_err() || noisy.explain(&low).is_ok_and(|text| !text.to_string().is_empty()));
        }
    }
}

fn responses(source: &mut Source) {
    let (prob, low, high) = (source.float(), source.word(), source.word());
    let rows = VectorDomain::new(AtomDomain::bool());
    if let Some(bits) = refused(make_randomized_response_bitvec(rows, HammingDistance, prob)) {
        rises(|d| bits.map(d), (&0, &0.0), &low, &high);
        // Sixteen bits are not enough for one coin: an error, before anything is released.
        assert_eq!(bits.invoke_with(&[true], &mut BitTape::new(&[true; 16])).unwrap_err().kind(), ErrorKind::Entropy);
    }
    let categories: Vec<u32> = (0..source.below(5)).map(|_| source.word() % 4).collect();
    if let Some(response) = refused(make_randomized_response(AtomDomain::u32(), DiscreteDistance, categories, prob)) {
        rises(|d| response.map(d), (&0, &0.0), &low, &high);
    }
}

fn keys(source: &mut Source) {
    let (scale, threshold) = (source.float(), source.integer());
    let maps = || MapDomain::new(AtomDomain::u8(), AtomDomain::i64());
    let mut distance = || (source.word(), source.float(), source.float());
    let (low, high) = (distance(), distance());
    let zero = (0, 0.0, 0.0);
    if let Some(noisy) = refused(make_laplace_threshold(maps(), L01InfDistance, scale, threshold)) {
        rises(|d| noisy.map(d), (&zero, &(0.0, 0.0)), &low, &high);
    }
    if let Some(noisy) = refused(make_gaussian_threshold(maps(), L02InfDistance, scale, threshold)) {
        rises(|d| noisy.map(d), (&zero, &(0.0, 0.0)), &low, &high);
    }
}

fn selections(source: &mut Source) {
    let (scale, low, high, scores) = (source.float(), source.float(), source.float(), source.rows());
    let mut entropy = SeededEntropy::new(source.below(1 << 20));
    for metric in [LInfDistance::new(), LInfDistance::monotonic()] {
        let domain = VectorDomain::new(AtomDomain::f64()).with_size(scores.len());
        let k = usize::try_from(source.below(4)).unwrap();
        if let Some(best) = refused(make_noisy_max(domain.clone(), metric.clone(), RangeDivergence, scale)) {
            rises(|d| best.map(d), (&0.0, &0.0), &low, &high);
            let valid = best.input_domain().member(&scores);
            assert_eq!(best.invoke_with(&scores, &mut entropy).ok().map(|i| i < scores.len()), valid.then_some(true));
        }
        if let Some(best) = refused(make_noisy_top_k(domain, metric, ZeroConcentratedDivergence, k, scale)) {
            rises(|d| best.map(d), (&0.0, &0.0), &low, &high);
        }
    }
}

/// The maps of conversions, at losses of any kind.
fn conversions(source: &mut Source) {
    let (loss, delta, low, high) = (source.float(), source.float(), source.word(), source.word());
    let factor = move |d_in: &u32| Ok(f64::from(*d_in) * loss.abs());
    let release = |_: &[f64], _: &mut dyn Entropy| Ok(());
    let rows = || VectorDomain::new(AtomDomain::f64());
    let pure = || make_user_measurement(rows(), SymmetricDistance, MaxDivergence, release, factor).unwrap();
    let rho = || make_user_measurement(rows(), SymmetricDistance, ZeroConcentratedDivergence, release, factor).unwrap();
    let mu = make_user_measurement(rows(), SymmetricDistance, GaussianDivergence, release, factor).unwrap();
    let zcdp = make_pureDP_to_zCDP(pure()).unwrap();
    rises(|d| zcdp.map(d), (&0, &0.0), &low, &high);
    let range = make_pureDP_to_bounded_range(pure()).unwrap();
    rises(|d| range.map(d), (&0, &0.0), &low, &high);
    let zcdp = make_bounded_range_to_zCDP(range).unwrap();
    rises(|d| zcdp.map(d), (&0, &0.0), &low, &high);
    for profile in [make_zCDP_to_approxDP(rho()).unwrap(), make_GDP_to_approxDP(mu).unwrap()] {
        let few = (low.min(12), high.min(12));
        if let Some(fixed) = refused(make_fix_delta(profile.clone(), delta)) {
            rises(|d| fixed.map(d), (&0, &(0.0, 1.0)), &few.0, &few.1);
        }
        if let Some(fixed) = refused(make_fix_epsilon(profile, delta)) {
            rises(|d| fixed.map(d), (&0, &(f64::INFINITY, 1.0)), &few.0, &few.1);
        }
    }
}

/// A plan as text, damaged: read back or refused, and written again as it was read.
fn plans(source: &mut Source) {
    let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let chain = (space >> then_clamp((0.0, 1.0)) >> then_sum() >> then_laplace(2.0)).unwrap();
    let mut text = serde_json::to_vec(chain.plan()).unwrap();
    for _ in 0..source.below(6) {
        let at = usize::try_from(source.below(u64::try_from(text.len()).unwrap())).unwrap();
        let byte = u8::try_from(source.below(256)).unwrap();
        match source.below(4) {
            0 => drop(text.remove(at)),
            1 => text.insert(at, byte),
            2 => text[at] = b"{}[]\",:0e-."[usize::from(byte) % 11],
            _ => text.extend_from_within(at..),
        }
    }
    if let Ok(plan) = serde_json::from_slice::<Plan>(&text) {
        let again = serde_json::to_string(&plan).unwrap();
        assert_eq!(serde_json::from_str::<Plan>(&again).unwrap(), plan);
    }
}

const TARGETS: [fn(&mut Source); 7] = [noise, sums, responses, keys, selections, conversions, plans];

fn run(seed: u64) {
    let mut source = Source(SeededEntropy::new(seed));
    TARGETS[usize::try_from(seed % 7).unwrap()](&mut source);
}

#[test]
fn random_parameters_neither_panic_nor_break_a_rule() {
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let (first, until) = match seconds {
        Some(seconds) => {
            let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
            (u64::from(clock.subsec_nanos()) << 20, Some(Instant::now() + Duration::from_secs(seconds)))
        }
        None => (0, None),
    };
    let mut cases = 0;
    while until.map_or(cases < 7_000, |until| Instant::now() < until) {
        let seed = first + cases;
        if let Err(panic) = std::panic::catch_unwind(|| run(seed)) {
            eprintln!("seed {seed} of target {}", seed % 7);
            std::panic::resume_unwind(panic);
        }
        cases += 1;
    }
    println!("{cases} cases from seed {first}");
}
