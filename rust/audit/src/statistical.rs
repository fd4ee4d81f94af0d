//! Compares samples with a claim: computes lower bounds on the loss, with a stated confidence.

use crate::{
    claim::{Claim, Claims},
    confidence::clopper_pearson,
    counts::{Counts, View, seen_by},
    draws::{Draws, EmpiricalLowerBounds},
    events::{events, hits},
    exact::{Run, guarded},
    key::{Key, Seen},
    law::{Law, binary_renyi},
    mass::float,
    metric::Measured,
    report::{Report, Verdict, brief},
    views::{Owned as OwnedView, automatic},
};
use indistinct::{
    core::Owned,
    numeric::enclosure::Enclosure,
    prelude::{Domain, Error, Measurement},
    sampling::testing::SeededEntropy,
};
use std::{
    borrow::Borrow,
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    sync::atomic::{AtomicU64, Ordering},
};

/// The effort of an audit.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// The number of draws at each input. One half of them is used to choose events, and the events are counted in the
    /// other half.
    pub draws: u64,
    /// The probability with which any correct mechanism passes.
    pub confidence: f64,
    /// The number of threads for drawing. The result does not depend on it.
    pub threads: u32,
    /// The seed of the draws.
    pub seed: u64,
    /// A function that is called from time to time with the fraction of the draws that are done.
    pub progress: Option<fn(f64)>,
}

impl Default for Effort {
    fn default() -> Self {
        Self { draws: 200_000, confidence: 1.0 - 1e-9, threads: 2, seed: 20_261_121, progress: None }
    }
}

impl Effort {
    /// Returns the reason why these numbers allow no conclusion, if there is one.
    pub(crate) fn defect(&self) -> Option<&'static str> {
        // Written so that a NaN fails.
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Some("confidence must be between 0 and 1");
        }
        if self.draws == 0 {
            return Some("draws must be at least 1");
        }
        (self.threads == 0).then_some("threads must be at least 1")
    }
}

/// Prints a progress bar to standard error, for [`Effort::progress`].
pub fn progress_bar(done: f64) {
    let filled = (0..40u32).filter(|cell| f64::from(*cell) < 40.0 * done).count();
    eprint!("\r[{}{}] {:3.0} %", "#".repeat(filled), " ".repeat(40 - filled), 100.0 * done);
    if done >= 1.0 {
        eprintln!();
    }
}

/// The number of draws in a block. Each block has its own stream of bits, so the threads may divide the blocks in any
/// way.
const BLOCK: u64 = 4096;

/// Draws `effort.draws` times at an input, in parallel, and counts the outcomes of every second block separately from
/// the others.
///
/// # Errors
///
/// The errors are those of the run.
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
                *half.entry(guarded(|| run(input, &mut entropy))?).or_insert(0) += 1;
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

/// Returns approximate bounds (Wilson 1927), for choosing events.
fn rough(k: u64, n: u64, miss: f64) -> (f64, f64) {
    let (k, n, z2) = (float(k), float(n), -2.0 * miss.ln());
    let (middle, spread) = (k + z2 / 2.0, (z2 * (k * (n - k) / n + z2 / 4.0)).sqrt());
    (((middle - spread) / (n + z2)).max(0.0), ((middle + spread) / (n + z2)).min(1.0))
}

/// Returns a lower bound on the quantity that the claim limits, computed from an event's two probabilities.
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

/// Draws at two inputs, in both orders, and compares the draws with claims about the inputs. A claim is refuted only if
/// a confidence bound contradicts it; all these bounds hold together with a probability of at least `confidence`.
///
/// Outcomes are compared by the given views, and by views that suit numbers and lists: cells that contain about equal
/// numbers of those draws that choose events, differences of neighboring numbers in a list, last digits, and lengths.
pub fn refute<X: Sync + Debug>(
    run: &Run<X>,
    pairs: &[(X, X, Vec<Claim>)],
    views: &[View],
    effort: &Effort,
) -> Result<Report, Error> {
    const KIND: &str = "statistical";
    if let Some(defect) = effort.defect() {
        return Ok(Report::untested(KIND, defect));
    }
    let mut report = Report::new(KIND);
    report.note(Verdict::NotRefuted { confidence: effort.confidence });
    // Each ordered pair may miss with the same probability.
    let miss_of_pair = (1.0 - effort.confidence) / (2.0 * float(count(pairs.len())).max(1.0));
    for ((x, y, claims), stream) in pairs.iter().zip((0u64..).step_by(2)) {
        let (at_x, at_y) = (sample(run, x, stream, effort)?, sample(run, y, stream + 1, effort)?);
        let claims: Vec<&Claim> = claims.iter().filter(|claim| claim.bound() < f64::INFINITY).collect();
        let [train_x, train_y] = [&at_x, &at_y].map(|[train, _]| train);
        let own: Vec<OwnedView> = automatic(&[train_x, train_y]);
        let all: Vec<View> = views.iter().copied().chain(own.iter().map(|view| -> View { view })).collect();
        // Either bound may miss, in each test.
        let miss = miss_of_pair / float(count(2 * claims.len() * all.len()).max(1));
        for (one, other, names) in [(&at_x, &at_y, (x, y)), (&at_y, &at_x, (y, x))] {
            report.pairs += 1;
            report.runs += one.iter().flat_map(BTreeMap::values).sum::<u64>();
            for view in &all {
                let seen = |counts: &Counts| seen_by(view, counts);
                let ([train_p, test_p], [train_q, test_q]) = (one.each_ref().map(seen), other.each_ref().map(seen));
                let Some(events) = events(&train_p, &train_q) else { continue };
                for claim in &claims {
                    let bounds = |p: &Counts, q: &Counts, event: &[Key]| {
                        let (n, m) = (p.values().sum(), q.values().sum());
                        let low = clopper_pearson(hits(p, event), n, miss).0;
                        (low, clopper_pearson(hits(q, event), m, miss).1)
                    };
                    let worth = |event: &Vec<Key>| {
                        let share = |counts: &Counts| rough(hits(counts, event), counts.values().sum(), miss);
                        shown(claim, (share(&train_p).0, share(&train_q).1))
                    };
                    let best = events.iter().max_by(|one, other| worth(one).total_cmp(&worth(other)));
                    let Some(event) = best else { continue };
                    let truth = shown(claim, bounds(&test_p, &test_q, event));
                    if claim.bound() > 0.0 {
                        report.ratio = report.ratio.max(truth / claim.bound());
                    }
                    if truth > claim.bound() {
                        let example = one.iter().flat_map(BTreeMap::keys).find(|key| event.contains(&view(key)));
                        let witness = format!(
                            "{} and {}: {claim} is claimed, at least {truth} is true at confidence {}; such as {}",
                            brief(names.0),
                            brief(names.1),
                            effort.confidence,
                            example.map(Key::to_string).unwrap_or_default()
                        );
                        report.note(Verdict::Violated { witness });
                    }
                }
            }
        }
    }
    Ok(report)
}

fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

/// Draws from a measurement at pairs of inputs and compares the draws with its map at the inputs' distance.
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

/// Like [`statistical`], for a custom run, such as a conversation with the release.
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
    const KIND: &str = "statistical";
    let mut claimed = Vec::new();
    for (x, y) in pairs {
        let Some(d_in) = measurement.input_metric().distance(x.borrow(), y.borrow()) else { continue };
        match measurement.map(&d_in).and_then(|loss| measurement.output_measure().claims(&loss)) {
            Ok(claims) => claimed.push((x.clone(), y.clone(), claims)),
            Err(error) => return Report::violated(KIND, format!("the map fails at {d_in:?}: {error}")),
        }
    }
    if claimed.is_empty() {
        return Report::untested(KIND, "no two inputs are at a finite distance");
    }
    refute(run, &claimed, views, effort).unwrap_or_else(|error| Report::violated(KIND, format!("a run fails: {error}")))
}

/// Computes the smallest losses between two inputs that are consistent with draws, without a claim, by
/// [`Draws::empirical_lower_bounds`]. All bounds hold together with a probability of at least `effort.confidence`.
///
/// ```
/// use indistinct::{prelude::*, sampling::{Entropy, bernoulli}};
/// use indistinct_audit::{empirical_lower_bounds, statistical::Effort, Key, Seen};
/// let response = |bit: &bool, entropy: &mut dyn Entropy| -> Fallible<Key> { Ok((bernoulli(0.75, entropy)? == *bit).key()) };
/// let least = empirical_lower_bounds(&response, (&true, &false), (0.5, 1e-6), &[], &Effort::default()).unwrap();
/// assert!(1.0 < least.epsilon && least.epsilon < 3f64.ln());
/// # Ok::<(), Error>(())
/// ```
///
/// # Parameters
///
/// - `run`: returns the outcome for an input and given bits.
/// - `given`, `views`: as for [`Draws::empirical_lower_bounds`].
///
/// # Errors
///
/// The error is a report that a run failed, or that this effort allows no conclusion.
pub fn empirical_lower_bounds<X: Sync>(
    run: &Run<X>,
    (x, y): (&X, &X),
    given: (f64, f64),
    views: &[View],
    effort: &Effort,
) -> Result<EmpiricalLowerBounds, Box<Report>> {
    const KIND: &str = "statistical";
    if let Some(defect) = effort.defect() {
        return Err(Box::new(Report::untested(KIND, defect)));
    }
    let drawn = |x: &X, stream: u64| {
        let failed = |error| Report::violated(KIND, format!("a run fails: {error}"));
        sample(run, x, stream, effort).map(Draws).map_err(failed)
    };
    let (at_x, at_y) = (drawn(x, 0)?, drawn(y, 1)?);
    let none = || Box::new(Report::untested(KIND, "there are too few draws"));
    at_x.empirical_lower_bounds(&at_y, given, views, effort.confidence).ok_or_else(none)
}

/// Returns true if draws follow a known distribution in two respects: by [`fits`], and outcome by outcome. The second
/// check notices any outcome that the distribution does not contain, even a very rare one. A correct sampler passes
/// with a probability of at least `confidence`.
pub fn follows(counts: &Counts, law: &Law, confidence: f64) -> bool {
    let draws = counts.values().sum();
    let outcomes: BTreeSet<&Key> = counts.keys().chain(law.masses().map(|(key, _)| key)).collect();
    let miss = (1.0 - confidence) / 4.0 / float(count(outcomes.len())).max(1.0);
    let undecided = law.undecided().upper();
    let agrees = |key: &Key| {
        let (least, most) = clopper_pearson(counts.get(key).copied().unwrap_or(0), draws, miss);
        let mass = law.mass(key);
        least <= mass.upper() + undecided && mass.lower() <= most
    };
    draws > 0 && fits(counts, law, f64::midpoint(confidence, 1.0)) && outcomes.into_iter().all(agrees)
}

/// Returns true if draws follow a known distribution: the largest difference between the distribution functions, over
/// all outcomes in order, is within a bound. A correct sampler exceeds this bound with probability at most `1 -
/// confidence` (Dvoretzky, Kiefer, Wolfowitz 1956; Massart 1990).
pub fn fits(counts: &Counts, law: &Law, confidence: f64) -> bool {
    gap(counts, law, confidence) <= 1.0
}

/// Returns the ratio of that difference to its bound.
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
        let control = statistical(&response(0.75, truth * 0.94), &pairs, &[same], &Effort::default());
        assert!(control.is_violated(), "{control}");
    }

    #[test]
    fn a_panic_is_seen_and_nothing_is_no_verdict() {
        let rare = |x: &bool, entropy: &mut dyn Entropy| {
            assert!(entropy.bits(6)? != 7 || !*x, "this panic is part of the test");
            Ok(entropy.bits(1)?.key())
        };
        let claims = || vec![Claim::MaxDivergence(1.0)];
        let report = refute(&rare, &[(true, false, claims())], &[], &Effort { draws: 40_000, ..Effort::default() });
        assert!(report.unwrap().is_violated());
        for effort in [
            Effort { confidence: f64::NAN, ..Effort::default() },
            Effort { confidence: 2.0, ..Effort::default() },
            Effort { draws: 0, ..Effort::default() },
            Effort { threads: 0, ..Effort::default() },
        ] {
            let report = refute(&rare, &[(true, false, claims())], &[], &effort).unwrap();
            assert!(matches!(report.verdict, Verdict::Untested { .. }), "{report}");
        }
        let far = statistical(&response(0.75, 2.0), &[], &[], &Effort::default());
        assert!(matches!(far.verdict, Verdict::Untested { .. }), "{far}");
    }

    #[test]
    fn outcomes_that_a_law_does_not_have_are_noticed() {
        let law = Law::new([(1u8.key(), Mass::exact(1.0))]);
        let mut counts = Counts::from([(1u8.key(), 200_000)]);
        assert!(follows(&counts, &law, 1.0 - 1e-9));
        counts.insert(2u8.key(), 3);
        assert!(fits(&counts, &law, 1.0 - 1e-9) && !follows(&counts, &law, 1.0 - 1e-9));
        assert!(!follows(&Counts::new(), &law, 0.9));
    }

    #[test]
    fn losses_of_known_mechanisms_are_approached_from_below() {
        let effort = Effort::default();
        // Gaussian noise: mu = 1, rho = 1/2, delta = 0.1269 at epsilon 1.
        let gaussian = make_gaussian(AtomDomain::f64(), AbsoluteDistance::new(), GaussianDivergence, 1.0).unwrap();
        let run = |x: &f64, entropy: &mut dyn Entropy| Ok(gaussian.invoke_with(x, entropy)?.key());
        let least = empirical_lower_bounds(&run, (&0.0, &1.0), (1.0, 1e-5), &[], &effort).unwrap();
        assert!((0.9..1.0).contains(&least.mu), "{least:?}");
        assert!((0.28..0.5).contains(&least.rho), "{least:?}");
        assert!((0.1..0.12694).contains(&least.delta), "{least:?}");
        assert!((1.5..4.38).contains(&least.epsilon), "{least:?}");
        // Laplace noise: epsilon 1/2.
        let laplace = make_laplace(AtomDomain::f64(), AbsoluteDistance::new(), 2.0).unwrap();
        let run = |x: &f64, entropy: &mut dyn Entropy| Ok(laplace.invoke_with(x, entropy)?.key());
        let least = empirical_lower_bounds(&run, (&0.0, &1.0), (0.5, 0.0), &[], &effort).unwrap();
        assert!((0.45..0.5).contains(&least.epsilon) && least.delta == 0.0, "{least:?}");
        // Nothing is lost between equal inputs.
        let none = empirical_lower_bounds(&run, (&1.0, &1.0), (0.0, 0.0), &[], &effort).unwrap();
        assert_eq!(none, EmpiricalLowerBounds::default());
        let nan = Effort { confidence: f64::NAN, ..effort };
        assert!(empirical_lower_bounds(&run, (&0.0, &1.0), (0.0, 0.0), &[], &nan).is_err());
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
