//! Audits a custom mechanism with one call.

use crate::{
    claim::Claims,
    counts::View,
    exact::{Run, compare_laws, guarded, laws, released},
    key::{Key, Seen},
    law::Law,
    metric::Measured,
    report::{Report, Verdict},
    silence::{Repeats, deterministic},
    statistical::{Effort, follows, sample, statistical},
    tape::Probing,
};
use indistinct::{
    core::Owned,
    prelude::{Domain, Measurement},
    sampling::testing::SeededEntropy,
};
use std::{
    borrow::Borrow,
    fmt::Debug,
    time::{Duration, Instant},
};

/// Checks a measurement's map on some inputs by all available methods. First, the release must depend only on the input
/// and the random bits. Second, the exact distributions, found by running the mechanism on all bits that matter, must
/// satisfy the map, and draws must follow them. Third, if the mechanism cannot be run on all these bits, or if more
/// than one part in 1,000 of the probability is undecided, draws alone are compared with the map.
///
/// The first check runs the mechanism repeatedly on the same bits, alone and on up to 64 threads. It makes as many runs
/// as half a second allows, at least 15 and at most 325 for each input. The report states their number.
///
/// Some bits are not run, because they lie between two bits with the same outcome ([`tape`](crate::tape)). Few
/// mechanisms hide a different outcome there, and the audit tries random words from these gaps. But no number of runs
/// can exclude a different outcome, and the report states the probability of the bits that were not run.
///
/// Choose inputs that are close under the measurement's metric and differ as much in their effect as the map allows:
/// all inputs of a small domain, the ends of each bound, floats at powers of two.
///
/// ```
/// use indistinct::{prelude::*, sampling::{Entropy, bernoulli}};
/// use indistinct_audit::{check, tape::Probing, statistical::Effort};
/// let mine = make_user_measurement(
///     AtomDomain::bool(),
///     DiscreteDistance,
///     MaxDivergence,
///     |bit: &bool, entropy: &mut dyn Entropy| Ok(bernoulli(0.75, entropy)? == *bit),
///     |d_in: &u32| Ok(f64::from(*d_in)), // should be ln(3)
/// )?;
/// let report = check(&mine, &[true, false], Probing::default(), &[], &Effort::default());
/// assert!(report.is_violated());
/// println!("{report}");
/// # Ok::<(), Error>(())
/// ```
///
/// # Parameters
///
/// - `inputs`: the audit compares every ordered pair of these inputs. They must be members of the input domain, and at
///   least two of them must be at a finite distance; otherwise nothing is tested.
/// - `probing`: how finely the bits are tried; the default suits most mechanisms.
/// - `views`: functions of an outcome that draws are compared by. The audit also compares the outcome itself and some
///   functions that suit numbers and lists ([`refute`](crate::statistical::refute)).
/// - `effort`: the number of draws, the confidence, the number of threads, and a function that receives the progress.
pub fn check<DI, TO, MI, MO>(
    measurement: &Measurement<DI, TO, MI, MO>,
    inputs: &[Owned<DI>],
    probing: Probing,
    views: &[View],
    effort: &Effort,
) -> Report
where
    DI: Domain,
    Owned<DI>: Debug,
    TO: Seen + 'static,
    MI: Measured<DI::Carrier>,
    MO: Claims,
{
    /// The limit on the runs of the first attempt at each input. If a function uses more random bits than this allows,
    /// only draws are compared.
    const RUNS: u64 = 50_000;
    /// The time for repeated runs on the same bits, for all inputs together. It is short compared with the time of all
    /// other runs.
    const REPEATS: Duration = Duration::from_millis(500);
    if let Some(why) = effort.defect() {
        return Report::untested("check", why);
    }
    if let Some(other) = inputs.iter().find(|input| !measurement.input_domain().member((*input).borrow())) {
        return Report::untested("check", format!("{other:?} is not a member of the input domain"));
    }
    let pairs = near(measurement, inputs);
    if pairs.is_empty() {
        return Report::untested("check", "no two inputs are at a finite distance");
    }
    let run = released(measurement);
    // How many fit depends on the time that they take; whatever they are, the report says so, and no verdict says more
    // than they do.
    let share = REPEATS / u32::try_from(inputs.len()).unwrap_or(u32::MAX).max(1);
    let alone = deterministic(&run, inputs, Repeats::default().within(share, time_of_a_run(&run, inputs)));
    if alone.is_violated() {
        return alone;
    }
    let found = match laws(inputs, Probing { runs: probing.runs.min(RUNS), ..probing }, &run) {
        Ok((laws, report)) => {
            let compared = report.and(compare_laws("exact", measurement, &laws));
            // Only words that were not run can hide anything from the distributions.
            let is_tied = compared.between == 0.0 || is_followed(&run, &laws, effort);
            is_tied.then_some(compared)
        }
        Err(violated) => return *violated,
    };
    let is_enough = |report: &Report| match report.verdict {
        Verdict::Violated { .. } | Verdict::Holds => true,
        Verdict::Undecided { mass } => mass < 1e-3,
        _ => false,
    };
    if let Some(found) = found.as_ref().filter(|found| is_enough(found)) {
        return alone.and(found.clone());
    }
    let same: View = &Key::clone;
    let views: Vec<View> = std::iter::once(same).chain(views.iter().copied()).collect();
    let drawn = alone.and(statistical(measurement, &pairs, &views, effort));
    // Distributions that draws do not follow are those of some words only.
    found.into_iter().fold(drawn, Report::and)
}

/// The mean time of a run, not counting a first run that may build tables.
fn time_of_a_run<X>(run: &Run<X>, inputs: &[X]) -> Duration {
    let once = |input: &X| drop(guarded(|| run(input, &mut SeededEntropy::new(0))));
    inputs.iter().take(1).for_each(once);
    let start = Instant::now();
    inputs.iter().for_each(once);
    start.elapsed() / u32::try_from(inputs.len()).unwrap_or(u32::MAX).max(1)
}

/// The pairs of inputs at a finite distance, in a fixed order.
#[allow(clippy::type_complexity)] // pairs of what is owned
fn near<DI, TO, MI, MO>(measurement: &Measurement<DI, TO, MI, MO>, inputs: &[Owned<DI>]) -> Vec<(Owned<DI>, Owned<DI>)>
where
    DI: Domain,
    TO: 'static,
    MI: Measured<DI::Carrier>,
    MO: Claims,
{
    let all = inputs.iter().enumerate().flat_map(|(position, x)| inputs.iter().skip(position + 1).map(move |y| (x, y)));
    all.filter(|(x, y)| measurement.input_metric().distance((*x).borrow(), (*y).borrow()).is_some())
        .map(|(x, y)| (x.clone(), y.clone()))
        .collect()
}

/// Returns true if draws at each input follow its distribution.
fn is_followed<X: Sync>(run: &Run<X>, laws: &[(X, Law)], effort: &Effort) -> bool {
    let share = u32::try_from(laws.len()).map_or(f64::MAX, f64::from);
    let confidence = 1.0 - (1.0 - effort.confidence) / share;
    laws.iter().zip(1u64 << 20..).all(|((input, law), stream)| {
        let Ok([mut counts, others]) = sample(run, input, stream, effort) else { return false };
        for (key, count) in others {
            *counts.entry(key).or_insert(0) += count;
        }
        follows(&counts, law, confidence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct::{prelude::*, sampling::Entropy};

    type Coin = Measurement<AtomDomain<bool>, bool, DiscreteDistance, MaxDivergence>;

    fn coin(epsilon: f64, keeps: impl Fn(&mut dyn Entropy) -> Fallible<bool> + Send + Sync + 'static) -> Coin {
        make_user_measurement(
            AtomDomain::bool(),
            DiscreteDistance,
            MaxDivergence,
            move |bit: &bool, entropy: &mut dyn Entropy| Ok(keeps(entropy)? == *bit),
            move |d_in: &u32| Ok(f64::from(*d_in) * epsilon),
        )
        .unwrap()
    }

    fn checked(measurement: &Coin) -> Report {
        check(measurement, &[false, true], Probing::default(), &[], &Effort::default())
    }

    /// Samplers that look at parts of a word: sound ones are not refuted, and the same with a smaller claim are.
    #[test]
    fn words_need_not_be_compared_with_thresholds() {
        let keeps: [(fn(u64) -> bool, f64); 4] = [
            (|word| word % 100 < 75, 3f64.ln()),
            (|word| word % 4 != 0, 3f64.ln()),
            (|word| word >> 24 & 7 != 0, 7f64.ln()),
            (|word| word >> 2 & 1 == 0, 0.0),
        ];
        for (keep, truth) in keeps {
            let sound = checked(&coin(truth + 1e-6, move |entropy| Ok(keep(entropy.bits(64)?))));
            assert!(matches!(sound.verdict, Verdict::NotRefuted { .. }), "{sound}");
            if truth > 0.0 {
                let control = checked(&coin(truth * 0.9, move |entropy| Ok(keep(entropy.bits(64)?))));
                assert!(control.is_violated(), "{control}");
            }
        }
        // What comes once in 4,000 draws and tells the truth.
        let leak = make_user_measurement(
            AtomDomain::i64(),
            AbsoluteDistance::new(),
            MaxDivergence,
            |x: &i64, entropy: &mut dyn Entropy| Ok(if entropy.bits(64)? % 4097 == 77 { *x } else { 0 }),
            |_: &f64| Ok(0.0),
        );
        let report = check(&leak.unwrap(), &[5, 6], Probing::default(), &[], &Effort::default());
        assert!(!matches!(report.verdict, Verdict::Holds), "{report}");
    }

    /// Floats never come twice: they are looked at in cells.
    #[test]
    fn too_little_noise_on_floats_is_found() {
        let laplace = |noise: f64, claimed: f64| {
            let own = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), noise).unwrap();
            make_user_measurement(
                AtomDomain::f64(),
                AbsoluteDistance::new(),
                MaxDivergence,
                move |x: &f64, entropy: &mut dyn Entropy| own.invoke_with(x, entropy),
                move |d_in: &f64| Ok(d_in / claimed * (1.0 + 1e-9)),
            )
            .unwrap()
        };
        let report = |noise, claimed| {
            check(&laplace(noise, claimed), &[0.0, claimed], Probing::default(), &[], &Effort::default())
        };
        let sound = report(1.0, 1.0);
        assert!(!sound.is_violated() && sound.ratio > 0.9, "{sound}");
        for control in [report(0.9, 1.0), report(0.01, 1.0), report(500.0, 1000.0)] {
            assert!(control.is_violated(), "{control}");
        }
    }

    /// One draw for two numbers.
    #[test]
    fn noise_that_is_shared_is_found() {
        let own = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 10.0).unwrap();
        let shared = make_user_measurement(
            VectorDomain::new(AtomDomain::f64()).with_size(2),
            L1Distance::new(),
            MaxDivergence,
            move |data: &[f64], entropy: &mut dyn Entropy| {
                let noise = own.invoke_with(&0.0, entropy)?;
                Ok(data.iter().map(|x| x + noise).collect::<Vec<f64>>())
            },
            |d_in: &f64| Ok(d_in / 10.0),
        );
        let inputs = [vec![0.0, 0.0], vec![0.5, -0.5]];
        assert!(check(&shared.unwrap(), &inputs, Probing::default(), &[], &Effort::default()).is_violated());
    }

    #[test]
    fn what_cannot_be_tested_is_not_said_to_hold() {
        let untested = |report: Report| matches!(report.verdict, Verdict::Untested { .. });
        let fair = coin(0.0, |entropy| Ok(entropy.bits(1)? == 0));
        let with = |inputs: &[bool]| check(&fair, inputs, Probing::default(), &[], &Effort::default());
        assert!(untested(with(&[])) && untested(with(&[true])));
        assert!(!untested(with(&[true, false])));
        let effort = Effort { confidence: 2.0, ..Effort::default() };
        assert!(untested(check(&fair, &[true, false], Probing::default(), &[], &effort)));
        let bounded = AtomDomain::f64().with_bounds((0.0, 1.0)).unwrap();
        let own = make_laplace(bounded, AbsoluteDistance::new(), 1.0).unwrap();
        assert!(untested(check(&own, &[0.5, 7.0], Probing::default(), &[], &Effort::default())));
    }

    #[test]
    fn a_panic_on_some_data_is_found() {
        let panics = make_user_measurement(
            AtomDomain::bool(),
            DiscreteDistance,
            MaxDivergence,
            |bit: &bool, entropy: &mut dyn Entropy| {
                assert!(entropy.bits(6)? != 7 || !*bit, "this panic is part of the test");
                Ok(entropy.bits(1)? == 0)
            },
            |_: &u32| Ok(1.0),
        );
        assert!(checked(&panics.unwrap()).is_violated());
    }

    /// What takes long is not run 325 times over where its distribution takes five runs.
    #[test]
    fn a_slow_mechanism_is_run_again_a_few_times() {
        let slow = coin(3f64.ln().next_up(), |entropy| {
            std::thread::sleep(Duration::from_millis(30));
            Ok(entropy.bits(2)? > 0)
        });
        let report = checked(&slow);
        assert!(report.verdict == Verdict::Holds && report.repeats == 2 * 12, "{report}");
        assert!(report.to_string().contains("24 of the runs were on bits that had been run before"), "{report}");
    }

    #[test]
    fn bits_of_its_own_are_found() {
        let calls = std::sync::atomic::AtomicU32::new(0);
        let odd =
            move |_: &mut dyn Entropy| Ok(calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed).is_multiple_of(2));
        assert!(checked(&coin(0.0, odd)).is_violated());
    }
}
