//! Compares the distributions of measurements with their maps.

use crate::{
    claim::{Claim, Claims},
    key::{Key, Seen},
    law::{Law, LawPair},
    metric::Measured,
    report::{Report, Verdict, brief},
    tape::{Probing, enumerate},
};
use indistinct::{
    core::Owned,
    prelude::{Domain, Error, Measurement},
    sampling::Entropy,
};
use std::{
    borrow::Borrow,
    fmt::Debug,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// A run of a mechanism: it returns the outcome for an input and given bits.
pub type Run<'a, X> = dyn Fn(&X, &mut dyn Entropy) -> Result<Key, Error> + Sync + 'a;

/// Runs a measurement's function on all bits that matter, for each input, and compares the distributions of every
/// ordered pair of inputs with the map at their distance.
///
/// The module [`tape`](crate::tape) explains which bits matter. Pairs at infinite distance and claims of infinite loss
/// are not compared.
pub fn exact<DI, TO, MI, MO>(
    measurement: &Measurement<DI, TO, MI, MO>,
    inputs: &[Owned<DI>],
    probing: Probing,
) -> Report
where
    DI: Domain,
    Owned<DI>: Debug,
    TO: Seen + 'static,
    MI: Measured<DI::Carrier>,
    MO: Claims,
{
    exact_with(measurement, inputs, probing, &released(measurement))
}

/// Wraps a measurement in a run whose outcome is the release.
pub(crate) fn released<DI, TO, MI, MO>(
    measurement: &Measurement<DI, TO, MI, MO>,
) -> impl Fn(&Owned<DI>, &mut dyn Entropy) -> Result<Key, Error> + Sync
where
    DI: Domain,
    TO: Seen + 'static,
    MI: Measured<DI::Carrier>,
    MO: Claims,
{
    |input, entropy| Ok(measurement.invoke_with(input.borrow(), entropy)?.key())
}

/// Like [`exact`], for a custom run, such as a conversation with the release. The outcome of the run is everything that
/// an observer sees.
pub fn exact_with<DI, TO, MI, MO>(
    measurement: &Measurement<DI, TO, MI, MO>,
    inputs: &[Owned<DI>],
    probing: Probing,
    run: &dyn Fn(&Owned<DI>, &mut dyn Entropy) -> Result<Key, Error>,
) -> Report
where
    DI: Domain,
    Owned<DI>: Debug,
    TO: 'static,
    MI: Measured<DI::Carrier>,
    MO: Claims,
{
    match laws(inputs, probing, run) {
        Ok((laws, report)) => report.and(compare_laws("exact", measurement, &laws)),
        Err(violated) => *violated,
    }
}

/// Performs a run, and treats a panic as an outcome, because an observer can see it.
pub(crate) fn guarded(run: impl FnOnce() -> Result<Key, Error>) -> Result<Key, Error> {
    panics(run).unwrap_or_else(|()| Ok(Key::Text("a panic".into())))
}

/// Returns the result of `run`, or an error if `run` panics.
pub(crate) fn panics<T>(run: impl FnOnce() -> T) -> Result<T, ()> {
    catch_unwind(AssertUnwindSafe(run)).map_err(drop)
}

/// Computes the distribution at each input and a report on the search. The error is a report on the reason why the
/// search failed.
pub(crate) fn laws<X: Clone + Debug>(
    inputs: &[X],
    probing: Probing,
    run: &dyn Fn(&X, &mut dyn Entropy) -> Result<Key, Error>,
) -> Result<(Vec<(X, Law)>, Report), Box<Report>> {
    let (mut laws, mut report) = (Vec::new(), Report::new("exact"));
    for input in inputs {
        let found = enumerate(probing, &mut |entropy| guarded(|| run(input, entropy)))
            .map_err(|error| Report::violated("exact", format!("{} fails: {error}", brief(input))))?;
        report.runs += found.runs;
        report.between = report.between.max(found.between);
        report.probes += found.probes;
        laws.push((input.clone(), found.law));
    }
    Ok((laws, report))
}

/// Compares given distributions, one for each input, with the map, for every ordered pair of inputs.
pub fn compare_laws<DI, TO, MI, MO>(
    kind: &'static str,
    measurement: &Measurement<DI, TO, MI, MO>,
    laws: &[(Owned<DI>, Law)],
) -> Report
where
    DI: Domain,
    Owned<DI>: Debug,
    TO: 'static,
    MI: Measured<DI::Carrier>,
    MO: Claims,
{
    let mut report = Report::new(kind);
    for (position, (x, p)) in laws.iter().enumerate() {
        if p.total().upper < 1.0 - 1e-9 || p.total().lower > 1.0 + 1e-9 {
            return Report::violated(kind, format!("the masses at {} do not add up to 1", brief(x)));
        }
        for (other, (y, q)) in laws.iter().enumerate() {
            let Some(d_in) = measurement.input_metric().distance(x.borrow(), y.borrow()) else { continue };
            if position == other {
                continue;
            }
            let claims = measurement.map(&d_in).and_then(|loss| measurement.output_measure().claims(&loss));
            match claims {
                Ok(claims) => {
                    report.pairs += 1;
                    let pair = LawPair::new(p, q);
                    for claim in claims {
                        check(&mut report, &claim, &pair, || format!("{} and {}, {d_in:?} apart", brief(x), brief(y)));
                    }
                }
                Err(error) => return Report::violated(kind, format!("the map fails at {d_in:?}: {error}")),
            }
        }
    }
    report
}

/// Compares one claim with one pair of distributions.
pub(crate) fn check(report: &mut Report, claim: &Claim, pair: &LawPair, inputs: impl Fn() -> String) {
    let bound = claim.bound();
    if bound == f64::INFINITY {
        return;
    }
    let truth = claim.truth(pair);
    // A delta close to 1 is attained by anything.
    let trivial = matches!(claim, Claim::HockeyStick { delta, .. } if *delta > 0.5);
    if truth.lower > 0.0 && bound > 0.0 && !trivial {
        report.ratio = report.ratio.max(truth.lower / bound);
    }
    if truth.lower > bound {
        let event: Vec<String> = pair.witnesses(claim.epsilon()).iter().take(3).map(Key::to_string).collect();
        let witness = format!("{}: {claim} is claimed, {} is true; at {}", inputs(), truth.lower, event.join(", "));
        report.note(Verdict::Violated { witness });
    } else if truth.upper > bound {
        // What the undecided mass could hide.
        let stick = pair.hockey_stick(claim.epsilon());
        let mass = match claim {
            Claim::MaxDivergence(_) => stick.upper,
            Claim::HockeyStick { .. } => truth.upper - bound,
            Claim::Renyi { .. } | Claim::Range(_) => pair.undecided(),
        };
        report.note(Verdict::Undecided { mass });
    }
}
