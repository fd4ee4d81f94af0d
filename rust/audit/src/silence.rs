//! That a mechanism depends on its input and its bits alone, and says nothing of the data but by its release.

use crate::{
    exact::{Run, guarded},
    key::Key,
    report::{Report, Verdict},
};
use indistinct::{
    prelude::Error,
    sampling::{self, Entropy, testing::SeededEntropy},
};
use std::fmt::Debug;

/// Bits from a source, and a record of how they were asked for.
pub struct Recorder<E> {
    source: E,
    requests: Vec<u32>,
}

impl<E: Entropy> Recorder<E> {
    /// Record what is asked of a source.
    pub fn new(source: E) -> Self {
        Self { source, requests: Vec::new() }
    }

    /// How many bits each request asked for, in order.
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

/// The same bits and input give the same outcome, on one thread and on 64 at a time.
pub fn deterministic<X: Sync + Debug + Clone>(run: &Run<X>, inputs: &[X], seeds: u64) -> Report {
    let mut report = Report::new("determinism");
    for input in inputs {
        let all = || {
            (0..seeds)
                .map(|seed| guarded(|| run(input, &mut SeededEntropy::new(seed))))
                .collect::<Result<Vec<Key>, Error>>()
        };
        let alone = match all() {
            Ok(alone) => alone,
            Err(error) => return Report::violated("determinism", format!("{input:?} fails: {error}")),
        };
        let together: Vec<Option<Vec<Key>>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..64).map(|_| scope.spawn(all)).collect();
            threads.into_iter().map(|thread| thread.join().ok().and_then(Result::ok)).collect()
        });
        report.runs += 65 * seeds;
        if together.iter().any(|keys| keys.as_ref() != Some(&alone)) {
            let witness = format!("{input:?}: one tape has two outcomes");
            report.note(Verdict::Violated { witness });
        }
    }
    report
}

/// On the same bits, two inputs ask for bits in the same way: which draws are made does not depend on the data. True of noise that is
/// added, not of a selection.
pub fn same_control_flow<X: Debug>(run: &Run<X>, pairs: &[(X, X)], seeds: u64) -> Report {
    let mut report = Report::new("control flow");
    for (x, y) in pairs {
        report.pairs += 1;
        for seed in 0..seeds {
            report.runs += 2;
            let requests = |input: &X| {
                let mut recorder = Recorder::new(SeededEntropy::new(seed));
                run(input, &mut recorder).map(|_| recorder.requests().to_vec())
            };
            match (requests(x), requests(y)) {
                (Ok(at_x), Ok(at_y)) if at_x == at_y => {}
                (Ok(_), Ok(_)) => {
                    let witness = format!("{x:?} and {y:?} draw differently on seed {seed}");
                    report.note(Verdict::Violated { witness });
                    return report;
                }
                (Err(error), _) | (_, Err(error)) => {
                    return Report::violated("control flow", format!("{x:?} or {y:?} fails: {error}"));
                }
            }
        }
    }
    report
}

/// None of the texts, which an error, a log line or `Debug` printed, contains one of the canaries: values that only the data have.
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
        assert!(deterministic(&memory, &[1u8], 100).is_violated());
        let sound = |x: &u8, entropy: &mut dyn Entropy| Ok((entropy.bits(8)? + u64::from(*x)).key());
        assert!(!deterministic(&sound, &[1u8, 2], 10).is_violated());
        assert!(!same_control_flow(&sound, &[(1u8, 2)], 10).is_violated());
        let branch = |x: &u8, entropy: &mut dyn Entropy| {
            Ok(if *x > 1 { entropy.bits(8)?.key() } else { entropy.bits(9)?.key() })
        };
        assert!(same_control_flow(&branch, &[(1u8, 2)], 1).is_violated());
    }

    #[test]
    fn a_canary_in_a_text_is_found() {
        assert!(!silent(&["parameter scale: must not be NaN".into()], &["8675309".into()]).is_violated());
        assert!(silent(&["8675309.0 is out of bounds".into()], &["8675309".into()]).is_violated());
    }
}
