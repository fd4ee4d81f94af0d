//! What samples show against a claim: lower bounds on the loss, at a stated confidence.

use crate::{
    claim::{Claim, Claims},
    exact::Run,
    key::{Key, Seen},
    law::{Law, binary_renyi},
    mass::float,
    metric::Measured,
    report::{Report, Verdict},
};
use indistinct::{
    core::Owned,
    numeric::enclosure::Enclosure,
    prelude::{Domain, Error, Measurement},
    sampling::testing::SeededEntropy,
};
use statrs::function::beta::checked_beta_reg;
use std::{
    borrow::Borrow,
    collections::BTreeMap,
    fmt::Debug,
    sync::atomic::{AtomicU64, Ordering},
};

/// How hard to try.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Draws at each input: half of them choose events, the other half are counted.
    pub draws: u64,
    /// The probability with which a sound mechanism passes, whatever it is.
    pub confidence: f64,
    /// How many threads draw. The result does not depend on it.
    pub threads: u32,
    /// The seed of the draws.
    pub seed: u64,
    /// Called now and then with the share of the draws that are done.
    pub progress: Option<fn(f64)>,
}

impl Default for Effort {
    fn default() -> Self {
        Self { draws: 200_000, confidence: 1.0 - 1e-9, threads: 2, seed: 20_261_121, progress: None }
    }
}

/// A progress bar on standard error, for [`Effort::progress`].
pub fn progress_bar(done: f64) {
    let filled = (0..40u32).filter(|cell| f64::from(*cell) < 40.0 * done).count();
    eprint!("\r[{}{}] {:3.0} %", "#".repeat(filled), " ".repeat(40 - filled), 100.0 * done);
    if done >= 1.0 {
        eprintln!();
    }
}

/// Counts of outcomes.
pub type Counts = BTreeMap<Key, u64>;

/// Draws are made in blocks of this many, each from a stream of its own, so that threads may share them in any way.
const BLOCK: u64 = 4096;

/// Draw `effort.draws` times at an input, in parallel, and count the outcomes of every second block apart from the others.
///
/// # Errors
///
/// Those of the run.
pub fn sample<X: Sync>(run: &Run<X>, input: &X, stream: u64, effort: &Effort) -> Result<[Counts; 2], Error> {
    let blocks = effort.draws.div_ceil(2 * BLOCK).max(1) * 2;
    let done = AtomicU64::new(0);
    let worker = |first: u64| -> Result<[Counts; 2], Error> {
        let mut counts = [Counts::new(), Counts::new()];
        let mut block = first;
        while block < blocks {
            let mut entropy = SeededEntropy::new(effort.seed ^ stream << 40 ^ block << 8);
            let [even, odd] = &mut counts;
            let half = if block.is_multiple_of(2) { even } else { odd };
            for _ in 0..BLOCK {
                *half.entry(run(input, &mut entropy)?).or_insert(0) += 1;
            }
            block += u64::from(effort.threads.max(1));
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            // At each percent, and not at each block.
            let percent = |blocks_done: u64| blocks_done * 100 / blocks;
            if let Some(progress) = effort.progress.filter(|_| percent(done) > percent(done - 1)) {
                progress(float(done) / float(blocks));
            }
        }
        Ok(counts)
    };
    let parts: Vec<Result<[Counts; 2], Error>> = std::thread::scope(|scope| {
        let worker = &worker;
        let threads: Vec<_> =
            (0..u64::from(effort.threads.max(1))).map(|first| scope.spawn(move || worker(first))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let mut all = [Counts::new(), Counts::new()];
    for part in parts {
        for (sum, counts) in all.iter_mut().zip(part?) {
            for (key, count) in counts {
                *sum.entry(key).or_insert(0) += count;
            }
        }
    }
    Ok(all)
}

/// Bounds between which the probability of an event lies that came `k` times in `n` draws, but for a probability of at most `miss` on
/// either side (Clopper, Pearson 1934).
pub fn clopper_pearson(k: u64, n: u64, miss: f64) -> (f64, f64) {
    let (hits, fails) = (float(k), float(n - k.min(n)));
    // P(at least k | p) rises in p; it is the incomplete beta function.
    let below = |p: f64| checked_beta_reg(hits, fails + 1.0, p).is_ok_and(|tail| tail <= miss);
    let above = |p: f64| checked_beta_reg(hits + 1.0, fails, p).is_ok_and(|tail| tail >= 1.0 - miss);
    let lower = if k == 0 { 0.0 } else { bisect(below).0 };
    let upper = if k >= n { 1.0 } else { bisect(|p| !above(p)).1 };
    (lower, upper)
}

/// The last number from 0 on for which a falling condition is true, and the next that was tried.
fn bisect(holds: impl Fn(f64) -> bool) -> (f64, f64) {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if holds(middle) { low = middle } else { high = middle }
    }
    (low, high)
}

/// How often a set of outcomes came.
fn hits(counts: &Counts, event: &[Key]) -> u64 {
    event.iter().filter_map(|key| counts.get(key)).sum()
}

/// Events that the first law favors, by counts: outcomes in falling order of their ratio, the first of them, the first two, …
fn events(p: &Counts, q: &Counts) -> Vec<Vec<Key>> {
    let ratio = |key: &Key| {
        let count = |counts: &Counts| float(counts.get(key).copied().unwrap_or(0));
        (count(p) + 0.5) / (count(q) + 0.5)
    };
    let mut outcomes: Vec<(f64, &Key)> = p.keys().map(|key| (ratio(key), key)).collect();
    outcomes.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut sizes: Vec<usize> = std::iter::successors(Some(1usize), |size| Some(size + 1 + size / 4))
        .take_while(|size| *size < outcomes.len())
        .collect();
    // And all outcomes that are more likely under the first law at all.
    sizes.push(outcomes.iter().filter(|(ratio, _)| *ratio > 1.0).count());
    let first = |size: usize| outcomes.iter().take(size).map(|(_, key)| (*key).clone()).collect();
    sizes.into_iter().filter(|size| *size > 0).map(first).collect()
}

/// What the counts of an event show: a lower bound on what is claimed to be bounded.
fn shown(claim: &Claim, (p, q): (f64, f64)) -> f64 {
    match claim {
        Claim::MaxDivergence(_) | Claim::Range(_) => {
            if p > 0.0 {
                (p / q).ln().max(0.0)
            } else {
                0.0
            }
        }
        Claim::HockeyStick { epsilon, .. } => (p - epsilon.exp() * q).max(0.0),
        Claim::Renyi { alpha, .. } => binary_renyi(p, q, *alpha),
    }
}

/// A way to look at an outcome, such as its last digit.
pub type View<'a> = &'a (dyn Fn(&Key) -> Key + Sync);

/// Draw at two inputs, in both orders, and compare what the draws show with claims about them. Returns the report; a claim is
/// refuted only if a bound that is missed with probability at most `1 - confidence` in all says so.
pub fn refute<X: Sync + Debug>(
    run: &Run<X>,
    pairs: &[(X, X, Vec<Claim>)],
    views: &[View],
    effort: &Effort,
) -> Result<Report, Error> {
    let mut report = Report::new("statistical");
    let tests: usize = pairs.iter().map(|(_, _, claims)| 2 * claims.len() * views.len().max(1)).sum();
    let miss = (1.0 - effort.confidence) / float(u64::try_from(tests).unwrap_or(u64::MAX)).max(1.0) / 2.0;
    report.note(Verdict::NotRefuted { confidence: effort.confidence });
    for ((x, y, claims), stream) in pairs.iter().zip((0u64..).step_by(2)) {
        let (at_x, at_y) = (sample(run, x, stream, effort)?, sample(run, y, stream + 1, effort)?);
        for (one, other, names) in [(&at_x, &at_y, (x, y)), (&at_y, &at_x, (y, x))] {
            report.pairs += 1;
            report.runs += one.iter().flat_map(BTreeMap::values).sum::<u64>();
            for view in views {
                let seen = |counts: &Counts| {
                    counts.iter().fold(Counts::new(), |mut seen, (key, count)| {
                        *seen.entry(view(key)).or_insert(0) += count;
                        seen
                    })
                };
                let ([train_p, test_p], [train_q, test_q]) = (one.each_ref().map(seen), other.each_ref().map(seen));
                let events = events(&train_p, &train_q);
                for claim in claims.iter().filter(|claim| claim.bound() < f64::INFINITY) {
                    let bounds = |p: &Counts, q: &Counts, event: &[Key]| {
                        let (n, m) = (p.values().sum(), q.values().sum());
                        let low = clopper_pearson(hits(p, event), n, miss).0;
                        (low, clopper_pearson(hits(q, event), m, miss).1)
                    };
                    let worth = |event: &Vec<Key>| shown(claim, bounds(&train_p, &train_q, event));
                    let best = events.iter().max_by(|one, other| worth(one).total_cmp(&worth(other)));
                    let Some(event) = best else { continue };
                    let truth = shown(claim, bounds(&test_p, &test_q, event));
                    if claim.bound() > 0.0 {
                        report.ratio = report.ratio.max(truth / claim.bound());
                    }
                    if truth > claim.bound() {
                        let outcomes: Vec<String> = event.iter().take(3).map(Key::to_string).collect();
                        let witness = format!(
                            "{:?} and {:?}: {claim} is claimed, at least {truth} is true at confidence {}; outcomes {}",
                            names.0,
                            names.1,
                            effort.confidence,
                            outcomes.join(", ")
                        );
                        report.note(Verdict::Violated { witness });
                    }
                }
            }
        }
    }
    Ok(report)
}

/// Draw from a measurement at pairs of inputs and compare what the draws show with its map at their distance.
pub fn statistical<DI, TO, MI, MO>(
    measurement: &Measurement<DI, TO, MI, MO>,
    pairs: &[(Owned<DI>, Owned<DI>)],
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
    let run = |input: &Owned<DI>, entropy: &mut dyn indistinct::sampling::Entropy| {
        Ok(measurement.invoke_with(input.borrow(), entropy)?.key())
    };
    statistical_with(measurement, pairs, views, effort, &run)
}

/// The same for a run of one's own, such as a conversation with the release.
pub fn statistical_with<DI, TO, MI, MO>(
    measurement: &Measurement<DI, TO, MI, MO>,
    pairs: &[(Owned<DI>, Owned<DI>)],
    views: &[View],
    effort: &Effort,
    run: &Run<Owned<DI>>,
) -> Report
where
    DI: Domain,
    Owned<DI>: Debug,
    TO: 'static,
    MI: Measured<DI::Carrier>,
    MO: Claims,
{
    let claimed = |(x, y): &(Owned<DI>, Owned<DI>)| {
        let d_in = measurement.input_metric().distance(x.borrow(), y.borrow())?;
        let claims = measurement.map(&d_in).and_then(|loss| measurement.output_measure().claims(&loss)).ok()?;
        Some((x.clone(), y.clone(), claims))
    };
    let pairs: Vec<_> = pairs.iter().filter_map(claimed).collect();
    refute(run, &pairs, views, effort)
        .unwrap_or_else(|error| Report::violated("statistical", format!("a run fails: {error}")))
}

/// Whether draws follow a law that is known: the largest gap between the distribution functions, over all outcomes in order, is within
/// the bound that a sound sampler exceeds with probability `1 - confidence` (Dvoretzky, Kiefer, Wolfowitz 1956; Massart 1990).
pub fn fits(counts: &Counts, law: &Law, confidence: f64) -> bool {
    gap(counts, law, confidence) <= 1.0
}

/// That gap over its bound.
pub fn gap(counts: &Counts, law: &Law, confidence: f64) -> f64 {
    let draws = float(counts.values().sum());
    let mut outcomes: BTreeMap<&Key, (f64, f64)> = law.masses().map(|(key, mass)| (key, (0.0, mass.upper()))).collect();
    for (key, count) in counts {
        outcomes.entry(key).or_insert((0.0, 0.0)).0 = float(*count) / draws;
    }
    let (mut seen, mut truth, mut gap) = (0.0, 0.0, 0f64);
    for (share, mass) in outcomes.values() {
        (seen, truth) = (seen + share, truth + mass);
        gap = gap.max((seen - truth).abs());
    }
    // What is undecided, and the rounding of these sums.
    let slack = law.undecided().upper() + 1e-12;
    (gap - slack) / ((2.0 / (1.0 - confidence)).ln() / (2.0 * draws)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mass::Mass;
    use indistinct::{prelude::*, sampling::Entropy};

    #[test]
    fn bounds_of_clopper_and_pearson() {
        // From tables: 10 of 100 at 95 %.
        let (low, high) = clopper_pearson(10, 100, 0.025);
        assert!((low - 0.0490).abs() < 1e-4 && (high - 0.1762).abs() < 1e-4, "{low} {high}");
        assert_eq!(clopper_pearson(0, 50, 0.01).0, 0.0);
        // 1 - miss^(1/n).
        assert!((clopper_pearson(0, 50, 0.01).1 - (1.0 - 0.01f64.powf(0.02))).abs() < 1e-9);
        assert_eq!(clopper_pearson(50, 50, 0.01).1, 1.0);
    }

    fn response(p: f64, epsilon: f64) -> Measurement<AtomDomain<bool>, bool, DiscreteDistance, MaxDivergence> {
        make_user_measurement(
            AtomDomain::bool(),
            DiscreteDistance,
            MaxDivergence,
            move |bit: &bool, entropy: &mut dyn Entropy| Ok(indistinct::sampling::bernoulli(p, entropy)? == *bit),
            move |d_in: &u32| Ok(f64::from(*d_in) * epsilon),
        )
        .unwrap()
    }

    #[test]
    fn a_true_claim_is_not_refuted_and_one_a_little_smaller_is() {
        let (pairs, same): (_, View) = ([(true, false)], &Key::clone);
        let truth = 3f64.ln();
        let sound = statistical(&response(0.75, truth), &pairs, &[same], &Effort::default());
        assert!(!sound.is_violated() && sound.ratio > 0.95, "{sound}");
        let twin = statistical(&response(0.75, truth * 0.94), &pairs, &[same], &Effort::default());
        assert!(twin.is_violated(), "{twin}");
    }

    #[test]
    fn threads_do_not_change_the_counts() {
        let measurement = response(0.6, 1.0);
        let run = |input: &bool, entropy: &mut dyn Entropy| Ok(measurement.invoke_with(input, entropy)?.key());
        let counts = |threads| sample(&run, &true, 7, &Effort { threads, draws: 50_000, ..Effort::default() }).unwrap();
        assert_eq!(counts(1), counts(7));
    }

    #[test]
    fn draws_follow_their_law_and_no_other() {
        let measurement = response(0.75, 2.0);
        let run = |input: &bool, entropy: &mut dyn Entropy| Ok(measurement.invoke_with(input, entropy)?.key());
        let [counts, _] = sample(&run, &true, 7, &Effort::default()).unwrap();
        let coin = |p: f64| Law::new([(true.key(), Mass::exact(p)), (false.key(), Mass::exact(1.0 - p))]);
        assert!(fits(&counts, &coin(0.75), 1.0 - 1e-9));
        assert!(!fits(&counts, &coin(0.73), 1.0 - 1e-9));
        // All draws outside of what has mass.
        assert!(!fits(&counts, &Law::new([(Key::Number(7), Mass::exact(1.0))]), 1.0 - 1e-9));
    }
}
