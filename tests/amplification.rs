//! Samples, parts and candidates: the vectors of known failures, each with what a broken implementation yields, and
//! properties of the maps.

use indistinct::{prelude::*, sampling::testing::SeededEntropy};
use indistinct_tests::{Exact, covers, decimal, float, vectors};
use proptest::prelude::*;

type Count = Measurement<VectorDomain<AtomDomain<i64>>, i64, SymmetricDistance, MaxDivergence>;

/// A measurement of any rows that loses `epsilon` for each of them.
fn losing(epsilon: f64) -> Count {
    let rows = VectorDomain::new(AtomDomain::i64());
    let map = move |d_in: &u32| Ok(f64::from(*d_in) * epsilon);
    make_user_measurement(rows, SymmetricDistance, MaxDivergence, |rows: &[i64], _| Ok(rows.iter().sum()), map).unwrap()
}

#[test]
fn amplified_losses_are_rounded_up() {
    let amplified: Vec<_> =
        vectors("composition").into_iter().filter(|(name, _)| name.starts_with("amplify")).collect();
    assert_eq!(amplified.len(), 2);
    for (name, vector) in &amplified {
        let (rate, epsilon) = (float(&vector["params"]["q"]), float(&vector["params"]["eps"]));
        let reported = make_poisson_sampling(losing(epsilon), rate).unwrap().map(&1).unwrap();
        let truth = decimal(&vector["truth"]);
        assert!(covers(reported, &truth) && !covers(reported / (1.0 + 1e-9), &truth), "{name}: {reported:e}");
        let textbook = (1.0 + rate * (epsilon.exp() - 1.0)).ln();
        assert!(!covers(textbook, &truth), "{name}: no power, {textbook:e}");
    }
}

#[test]
fn what_is_said_of_one_sample_is_charged_together() {
    let vector = &vectors("composition")["sampled_reuse"];
    let both = make_composition((losing(1.0), losing(1.0))).unwrap();
    let joint = make_poisson_sampling(both, 0.5).unwrap().map(&1).unwrap();
    assert!(covers(joint, &decimal(&vector["joint"])));
    // The negative control adds what each of the two would lose on a sample of its own.
    let naive = 2.0 * make_poisson_sampling(losing(1.0), 0.5).unwrap().map(&1).unwrap();
    assert!(!covers(naive, &decimal(&vector["joint"])), "no power: {naive}");
}

#[test]
fn parallel_losses_are_the_supremum_over_splits() {
    let vector = &vectors("composition")["parallel_nonlinear"];
    let part = |index: usize| {
        let losses: Vec<f64> = ["1", "2"].map(|d| vector["maps"][index][d].as_str().unwrap().parse().unwrap()).to_vec();
        let map = move |d_in: &u32| Ok(if *d_in == 0 { 0.0 } else { losses[usize::from(*d_in > 1)] });
        let rows = VectorDomain::new(AtomDomain::i64());
        make_user_measurement(rows, SymmetricDistance, MaxDivergence, |_: &[i64], _| Ok(0), map).unwrap()
    };
    let parts = make_parallel_composition(vec![part(0), part(1)]).unwrap();
    let (d_in, truth) = (u32::try_from(vector["d_in"].as_u64().unwrap()).unwrap(), decimal(&vector["truth"]));
    assert!(covers(parts.map(&(d_in, d_in, d_in)).unwrap(), &truth));
    let greatest = [0, 1].map(|index| part(index).map(&d_in).unwrap()).into_iter().fold(0.0, f64::max);
    assert!(!covers(greatest, &truth), "no power: {greatest}");
}

/// Two rows are both in a Poisson sample with probability q^2, and less often in one of fixed size. Five deviations and
/// a half of 10^6 draws: false alarm below 1e-7 for each, with a fixed seed.
#[test]
fn rows_are_taken_independently_of_each_other() {
    assert!(vectors("amplification").contains_key("fixed_size_without_replacement_as_poisson"));
    let mut entropy = SeededEntropy::new(21);
    let (rate, draws) = (0.25, 1_000_000);
    let poisson = make_poisson_sampling(losing(1.0), rate).unwrap();
    let sized = VectorDomain::new(AtomDomain::i64()).with_size(2);
    let sum = |rows: &[i64], _: &mut dyn indistinct::sampling::Entropy| Ok(rows.iter().sum());
    let loss = |d_in: &u32| Ok(f64::from(*d_in));
    let fixed = make_user_measurement(sized, ChangeOneDistance, MaxDivergence, sum, loss).unwrap();
    let fixed = make_sampling_without_replacement(fixed, 8).unwrap();
    // The first two of eight rows have bits of their own.
    let rows = [1, 2, 0, 0, 0, 0, 0, 0];
    let mut share = |draw: &mut dyn FnMut(&mut SeededEntropy) -> i64| {
        let both = (0..draws).filter(|_| draw(&mut entropy) == 3).count();
        f64::from(u32::try_from(both).unwrap()) / f64::from(draws)
    };
    let (p, q) = (rate * rate, 2.0 / 8.0 * 1.0 / 7.0);
    let deviation = |p: f64| (p * (1.0 - p) / f64::from(draws)).sqrt();
    let independent = share(&mut |entropy| poisson.invoke_with(&rows, entropy).unwrap());
    assert!((independent - p).abs() < 5.5 * deviation(p), "{independent} {p}");
    let paired = share(&mut |entropy| fixed.invoke_with(&rows, entropy).unwrap());
    assert!((paired - q).abs() < 5.5 * deviation(q), "{paired} {q}");
    assert!((paired - p).abs() > 50.0 * deviation(p), "the control would be seen");
}

/// Samples without rows are released like any other: there is noise, and a charge.
#[test]
fn empty_samples_are_released() {
    assert!(vectors("amplification").contains_key("empty_batch"));
    let rows = (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
    let noisy = (rows >> then_count() >> then_laplace(5.0)).unwrap();
    let sampled = make_poisson_sampling(noisy, 1e-6).unwrap();
    let releases: std::collections::BTreeSet<i64> = (0..200).map(|_| sampled.invoke(&[7; 10]).unwrap()).collect();
    assert!(releases.len() > 5 && sampled.map(&1).unwrap() > 0.0);
    // The negative control leaves out a step without rows: that there were some is seen.
    let rows = || VectorDomain::new(AtomDomain::i64());
    let noisy = make_laplace(AtomDomain::i64(), AbsoluteDistance::new(), 5.0).unwrap();
    let release = move |rows: &[i64], entropy: &mut dyn indistinct::sampling::Entropy| {
        if rows.is_empty() { Ok(0) } else { noisy.invoke_with(&i64::try_from(rows.len()).unwrap(), entropy) }
    };
    let loss = |d_in: &u32| Ok(f64::from(*d_in) / 5.0);
    let skips = make_user_measurement(rows(), SymmetricDistance, MaxDivergence, release, loss).unwrap();
    let skips = make_poisson_sampling(skips, 1e-6).unwrap();
    let mut entropy = SeededEntropy::new(22);
    assert!((0..200).all(|_| skips.invoke_with(&[7; 10], &mut entropy) == Ok(0)), "no power");
}

fn rates() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), 0.0..=1.0, (-300.0..0.0f64).prop_map(f64::exp)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn amplified_losses_rise_and_are_not_below_the_formula(
        rate in rates(), epsilon in prop_oneof![0.0..50.0, (-600.0..6.0f64).prop_map(f64::exp)], d_in in 0u32..1000,
    ) {
        let sampled = make_poisson_sampling(losing(epsilon), rate).unwrap();
        let (loss, more) = (sampled.map(&d_in).unwrap(), sampled.map(&(d_in + 1)).unwrap());
        let all = f64::from(d_in) * epsilon;
        prop_assert!(loss <= all && loss <= more * (1.0 + 1e-14) && (d_in > 0 || loss == 0.0));
        // The formula in floats, good to 1e-10 of itself where it is evaluated as it is here.
        let any = -f64::exp_m1(f64::from(d_in) * f64::ln_1p(-rate));
        if (1e-6..30.0).contains(&all) && any > 1e-6 {
            // A loss in proportion to the rows: that of one after another, and no more than that of all at once.
            let formula = f64::from(d_in) * f64::ln_1p(rate * f64::exp_m1(epsilon));
            prop_assert!(loss >= formula * (1.0 - 1e-9) && loss <= formula * (1.0 + 1e-9), "{loss} {formula}");
            prop_assert!(loss <= f64::ln_1p(any * f64::exp_m1(all)) * (1.0 + 1e-9), "{loss}");
        }
    }

    #[test]
    fn samples_of_a_size((rows, size) in (1usize..200).prop_flat_map(|rows| (Just(rows), 1..=rows)), epsilon in 0.0..20.0f64, d_in in 0u32..300) {
        let sized = VectorDomain::new(AtomDomain::i64()).with_size(size);
        let map = move |d_in: &u32| Ok(f64::from(*d_in) * epsilon);
        let sum = make_user_measurement(sized, ChangeOneDistance, MaxDivergence, |_: &[i64], _| Ok(0), map).unwrap();
        let sampled = make_sampling_without_replacement(sum, rows).unwrap();
        let (loss, more) = (sampled.map(&d_in).unwrap(), sampled.map(&(d_in + 1)).unwrap());
        prop_assert!(loss <= more * (1.0 + 1e-14) && loss <= f64::from(d_in) * epsilon);
        // The exact share of samples with a changed row is no more than what is charged: 1 - C(m - d, n) / C(m, n).
        let changed = usize::try_from(d_in).unwrap().min(rows);
        let none: f64 = (0..size).map(|i| (rows - i).saturating_sub(changed)).zip(0..size)
            .map(|(free, i)| f64::from(u32::try_from(free).unwrap()) / f64::from(u32::try_from(rows - i).unwrap())).product();
        let exact = f64::ln_1p((1.0 - none) * f64::exp_m1(f64::from(d_in).min(30.0) * epsilon.min(20.0)));
        // Or what one row after another loses.
        let share = f64::from(u32::try_from(size).unwrap()) / f64::from(u32::try_from(rows).unwrap());
        let exact = exact.min(f64::from(d_in) * f64::ln_1p(share * f64::exp_m1(epsilon)));
        prop_assert!(d_in > 30 || loss >= exact * (1.0 - 1e-9), "{loss} {exact}");
    }

    #[test]
    fn candidates_cost_twice_or_three_times(epsilon in prop_oneof![0.0..1e3, any::<f64>().prop_map(f64::abs).prop_filter("finite", |x| x.is_finite())]) {
        let scored = (losing(epsilon) >> Function::new(|sum: &i64| (0.0, *sum))).unwrap();
        for (threshold, times) in [(None, 3u32), (Some(1.0), 2)] {
            let best = make_select_private_candidate(scored.clone(), 0.5, threshold).unwrap();
            prop_assert!(covers(best.map(&1).unwrap(), &(epsilon.exact() * times)) && best.map(&0) == Ok(0.0));
        }
    }

    #[test]
    fn parts_lose_at_least_what_any_split_loses(losses in prop::collection::vec(0.0..2.0f64, 1..6), split in prop::collection::vec(0u32..5, 6)) {
        let parts: Vec<_> = losses.iter().map(|loss| losing(*loss)).collect();
        let split = &split[..losses.len()];
        let changed = u32::try_from(split.iter().filter(|d| **d > 0).count()).unwrap();
        let d_in = (changed, split.iter().sum::<u32>(), split.iter().copied().max().unwrap());
        let truth = losses.iter().zip(split).map(|(loss, d)| (f64::from(*d) * loss).exact()).sum();
        prop_assert!(covers(make_parallel_composition(parts).unwrap().map(&d_in).unwrap(), &truth));
    }
}
