//! Checks that a mechanism depends only on its input and its random bits, and reveals the data only by its release.

use crate::{
    exact::{Run, guarded},
    key::Key,
    report::{Report, Verdict, brief},
};
use indistinct::{
    core::ToParameter,
    prelude::{Domain, Error, Measure, Measurement, Metric, MetricSpace, make_user_measurement},
    sampling::{self, Entropy, testing::SeededEntropy},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    time::Duration,
};

/// A source of bits that records each request.
pub struct Recorder<E> {
    source: E,
    requests: Vec<u32>,
}

impl<E: Entropy> Recorder<E> {
    /// Records the requests to a source.
    pub fn new(source: E) -> Self {
        Self { source, requests: Vec::new() }
    }

    /// Returns the number of bits of each request, in order.
    pub fn requests(&self) -> &[u32] {
        &self.requests
    }
}

impl<E: Entropy> Entropy for Recorder<E> {
    fn bits(&mut self, count: u32) -> sampling::Fallible<u64> {
        self.requests.push(count);
        self.source.bits(count)
    }
}

/// The number of repetitions of runs on the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeats {
    /// The number of streams of bits. Each stream is run alone, and by each thread.
    pub tapes: u64,
    /// The number of threads that run at the same time.
    pub threads: u64,
}

impl Default for Repeats {
    fn default() -> Self {
        Self { tapes: 5, threads: 64 }
    }
}

impl Repeats {
    /// The smallest number of repetitions. The number of tapes is odd, so that a result which alternates from run to
    /// run cannot go unnoticed.
    const LEAST: Self = Self { tapes: 3, threads: 4 };

    /// The number of runs of each input.
    pub fn runs(self) -> u64 {
        self.tapes.saturating_mul(self.threads.saturating_add(1))
    }

    /// Reduces the repetitions to a number that fits into a given time, for a given time of a run. The result has at
    /// least three tapes, each run alone and on four threads.
    pub fn within(self, time: Duration, run: Duration) -> Self {
        let runs = u64::try_from(time.as_nanos() / run.as_nanos().max(1)).unwrap_or(u64::MAX);
        let tapes = if runs < self.runs() { Self::LEAST.tapes } else { self.tapes };
        let threads = (runs / tapes).saturating_sub(1);
        Self { tapes, threads: threads.min(self.threads).max(Self::LEAST.threads) }
    }
}

/// Checks that the same bits and input give the same outcome, on one thread and on many threads at the same time.
pub fn deterministic<X: Sync + Debug + Clone>(run: &Run<X>, inputs: &[X], repeats: Repeats) -> Report {
    let mut report = Report::new("determinism");
    for input in inputs {
        let all = || {
            (0..repeats.tapes)
                .map(|seed| guarded(|| run(input, &mut SeededEntropy::new(seed))))
                .collect::<Result<Vec<Key>, Error>>()
        };
        let alone = match all() {
            Ok(alone) => alone,
            Err(error) => return Report::violated("determinism", format!("{input:?} fails: {error}")),
        };
        let together: Vec<Option<Vec<Key>>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..repeats.threads).map(|_| scope.spawn(all)).collect();
            threads.into_iter().map(|thread| thread.join().ok().and_then(Result::ok)).collect()
        });
        report.runs += repeats.runs();
        report.repeats += repeats.runs() - repeats.tapes;
        if together.iter().any(|keys| keys.as_ref() != Some(&alone)) {
            let witness = format!("{input:?}: one tape has two outcomes");
            report.note(Verdict::Violated { witness });
        }
    }
    report
}

/// Checks that all of these inputs request the same bits in the same order, so the data do not affect which draws are
/// made. This is true of added noise, but not of a selection.
pub fn same_control_flow<X: Debug>(run: &Run<X>, inputs: &[X], seeds: u64) -> Report {
    compare_traces(run, inputs, seeds, |requests, _| (Key::List(Vec::new()), requests.to_vec(), None))
}

/// Checks that all of these inputs request the same bits in the same order and give the same release. This is true of a
/// composite of [`frozen`] parts, so a difference is caused by the composite itself.
pub fn same_replay<X: Debug>(run: &Run<X>, inputs: &[X], seeds: u64) -> Report {
    compare_traces(run, inputs, seeds, |requests, released| {
        (Key::List(Vec::new()), requests.to_vec(), Some(released.clone()))
    })
}

/// Checks that inputs with the same release, on the same bits, also request bits in the same way, so only the release
/// affects which draws are made. This holds for an interaction that ends after an answer of "true". The report counts
/// only inputs with the same release as compared.
pub fn same_flow_of_releases<X: Debug>(run: &Run<X>, inputs: &[X], seeds: u64) -> Report {
    compare_traces(run, inputs, seeds, |requests, released| (released.clone(), requests.to_vec(), None))
}

/// A key, and the values that must agree between runs with this key: the requests for bits, and the release if it is
/// given.
type Trace = (Key, Vec<u32>, Option<Key>);

/// Compares the runs of all inputs on the same bits. Each run is compared with the first run that has the same key.
fn compare_traces<X: Debug>(run: &Run<X>, inputs: &[X], seeds: u64, trace: impl Fn(&[u32], &Key) -> Trace) -> Report {
    const KIND: &str = "control flow";
    let mut report = Report::new(KIND);
    let mut compared = BTreeSet::new();
    for seed in 0..seeds {
        let mut firsts: BTreeMap<Key, (&X, Vec<u32>, Option<Key>)> = BTreeMap::new();
        for (input, position) in inputs.iter().zip(0u64..) {
            let mut recorder = Recorder::new(SeededEntropy::new(seed));
            report.runs += 1;
            let (kind, requests, released) = match guarded(|| run(input, &mut recorder)) {
                Ok(key) => trace(recorder.requests(), &key),
                Err(error) => return Report::violated(KIND, format!("{} fails: {error}", brief(input))),
            };
            match firsts.get(&kind) {
                None => drop(firsts.insert(kind, (input, requests, released))),
                Some((_, first, same)) if *first == requests && *same == released => {
                    compared.insert(position);
                }
                Some((first, at_first, _)) => {
                    let what = if *at_first == requests { "releases" } else { "draws" };
                    let witness = format!("{} and {} have different {what} on seed {seed}", brief(first), brief(input));
                    report.note(Verdict::Violated { witness });
                    return report;
                }
            }
        }
    }
    report.pairs = u64::try_from(compared.len()).unwrap_or(u64::MAX);
    if compared.is_empty() {
        report.note(Verdict::Untested { why: "no two inputs could be compared".into() });
    }
    report
}

/// Builds a part for a composite whose release does not depend on the data: it draws `bits` bits, from 1 to 64, and
/// releases them. If the parts have different numbers of bits, their requests show which parts ran and in which order.
///
/// ```
/// use indistinct::prelude::*;
/// use indistinct_audit::silence::{frozen, same_replay};
/// use indistinct_audit::Seen;
/// let rows = || (VectorDomain::new(AtomDomain::i64()), SymmetricDistance);
/// let part = |bits| frozen(rows(), MaxDivergence, bits, |d_in: &u32| Ok(f64::from(*d_in)));
/// let both = make_composition((part(3)?, part(5)?))?;
/// let run = |data: &Vec<i64>, entropy: &mut dyn indistinct::sampling::Entropy| Ok(both.invoke_with(data, entropy)?.key());
/// let report = same_replay(&run, &[vec![], vec![7], vec![7, 8]], 10);
/// assert!(!report.is_violated() && report.pairs == 2);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
///
/// Returns the error of [`make_user_measurement`] if the metric does not apply to the domain.
pub fn frozen<DI, MI, MO>(
    (input_domain, input_metric): (DI, MI),
    output_measure: MO,
    bits: u32,
    privacy_map: impl Fn(&MI::Distance) -> Result<MO::Distance, Error> + Send + Sync + 'static,
) -> Result<Measurement<DI, u64, MI, MO>, Error>
where
    DI: Domain,
    MI: Metric,
    MO: Measure + ToParameter,
    (DI, MI): MetricSpace,
{
    let draw = move |_: &DI::Carrier, entropy: &mut dyn Entropy| Ok(entropy.bits(bits)?);
    make_user_measurement(input_domain, input_metric, output_measure, draw, privacy_map)
}

/// Checks that no text from an error, a log line or `Debug` contains one of the canaries, which are values that occur
/// only in the data.
pub fn silent(texts: &[String], canaries: &[String]) -> Report {
    let mut report = Report::new("silence");
    for text in texts {
        report.runs += 1;
        if let Some(canary) = canaries.iter().find(|canary| text.contains(canary.as_str())) {
            report.note(Verdict::Violated { witness: format!("{canary} is in {text:?}") });
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Seen;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_memory_and_a_branch_on_data_are_found() {
        let calls = AtomicU32::new(0);
        let memory = |_: &u8, entropy: &mut dyn Entropy| {
            Ok((entropy.bits(8)? + u64::from(calls.fetch_add(1, Ordering::Relaxed) == 5000)).key())
        };
        assert!(deterministic(&memory, &[1u8], Repeats { tapes: 100, threads: 64 }).is_violated());
        let sound = |x: &u8, entropy: &mut dyn Entropy| Ok((entropy.bits(8)? + u64::from(*x)).key());
        assert!(!deterministic(&sound, &[1u8, 2], Repeats::default()).is_violated());
        assert!(!same_control_flow(&sound, &[1u8, 2], 10).is_violated());
        let branch = |x: &u8, entropy: &mut dyn Entropy| {
            Ok(if *x > 1 { entropy.bits(8)?.key() } else { entropy.bits(9)?.key() })
        };
        assert!(same_control_flow(&branch, &[1u8, 2], 1).is_violated());
    }

    #[test]
    fn what_is_compared_is_what_is_said() {
        // The same requests, another release; and requests that follow from the release.
        let noisy = |x: &u8, entropy: &mut dyn Entropy| Ok((entropy.bits(8)? + u64::from(*x)).key());
        assert!(
            !same_control_flow(&noisy, &[1u8, 2], 5).is_violated() && same_replay(&noisy, &[1u8, 2], 5).is_violated()
        );
        let stops = |x: &u8, entropy: &mut dyn Entropy| {
            let above = entropy.bits(3)? + u64::from(*x) > 4;
            if !above {
                entropy.bits(5)?;
            }
            Ok(above.key())
        };
        let inputs = [1u8, 2, 3];
        assert!(same_control_flow(&stops, &inputs, 20).is_violated());
        let report = same_flow_of_releases(&stops, &inputs, 20);
        assert!(!report.is_violated() && report.pairs == 2, "{report}");
        let tells = |x: &u8, entropy: &mut dyn Entropy| Ok((entropy.bits(if *x == 3 { 4 } else { 3 })? > 99).key());
        assert!(same_flow_of_releases(&tells, &inputs, 1).is_violated());
        // Nothing that releases the same is nothing compared.
        let apart = |x: &u8, _: &mut dyn Entropy| Ok(x.key());
        assert!(matches!(same_flow_of_releases(&apart, &inputs, 9).verdict, Verdict::Untested { .. }));
        assert!(same_control_flow(&apart, &[1u8], 9).pairs == 0);
    }

    #[test]
    fn repeats_fit_their_time_and_are_never_too_few() {
        let (all, second) = (Repeats::default(), Duration::from_secs(1));
        let within = |runs: u32| all.within(second, second / runs);
        assert_eq!((all.runs(), within(325), within(1_000_000)), (325, all, all));
        assert_eq!(within(324), Repeats { tapes: 3, threads: 64 });
        assert_eq!((within(30), within(1)), (Repeats { tapes: 3, threads: 9 }, Repeats::LEAST));
        assert_eq!((all.within(second, Duration::ZERO), all.within(Duration::ZERO, second)), (all, Repeats::LEAST));
        // What differs from run to run is found by the fewest.
        let calls = AtomicU32::new(0);
        let alternates = |_: &u8, _: &mut dyn Entropy| Ok((calls.fetch_add(1, Ordering::Relaxed) % 2).key());
        let report = deterministic(&alternates, &[1u8], Repeats::LEAST);
        assert!(report.is_violated() && (report.runs, report.repeats) == (15, 12), "{report}");
    }

    #[test]
    fn a_canary_in_a_text_is_found() {
        assert!(!silent(&["parameter scale: must not be NaN".into()], &["8675309".into()]).is_violated());
        assert!(silent(&["8675309.0 is out of bounds".into()], &["8675309".into()]).is_violated());
    }
}
