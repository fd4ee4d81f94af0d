//! What rows share.

use indistinct::{core::Owned, numeric::enclosure::Enclosure, prelude::*, sampling::Entropy};
use indistinct_audit::{
    Claims, Key, Law, Measured, Report, Seen, Verdict,
    edits::{Edits, Script},
    exact::{Run, compare_laws},
    mass::Mass,
    neighbors::{all_pairs, all_vectors},
    non_members::Fenced,
    stability::{ladder_of_rows, stability, stability_by_edits, stability_map_rises},
    statistical::{Effort, gap, sample},
};
use std::{borrow::Borrow, collections::BTreeMap, fmt::Debug};

/// All of several audits.
pub(crate) fn all(reports: impl IntoIterator<Item = Report>) -> Report {
    reports.into_iter().reduce(Report::and).unwrap()
}

/// The report of one part of a row, which must show at least this share of its claim: a row's ratio is the greatest of
/// its parts, behind which a part that shows little would hide.
#[track_caller]
pub(crate) fn part(floor: f64, report: Report) -> Report {
    assert!(report.is_violated() || report.ratio >= floor, "a part that should show {floor} of its claim:\n{report}");
    report
}

/// All of several parts with one floor.
#[track_caller]
pub(crate) fn parts(floor: f64, reports: impl IntoIterator<Item = Report>) -> Report {
    all(reports.into_iter().map(|report| part(floor, report)))
}

/// Whether all is to be tried that takes hours.
pub(crate) fn is_deep() -> bool {
    std::env::var_os("AUDIT_DEEP").is_some()
}

/// `make audit-deep` draws and edits a hundred times as much as `make test-deep`.
pub(crate) fn depth() -> u32 {
    if is_deep() { 100 } else { 1 }
}

/// This many draws in `make test-deep`, and a tenth in `make test`: the controls are found with either.
pub(crate) fn share(all: u64) -> u64 {
    if is_deep() || std::env::var_os("TEST_DEEP").is_some() { all } else { all / 10 }
}

pub(crate) fn effort() -> Effort {
    Effort { draws: share(100_000) * u64::from(depth()), ..Effort::default() }
}

/// How neighbors are drawn, beside all pairs of small datasets.
pub(crate) fn script() -> Script {
    Script { cases: 1_000 * depth(), ..Script::default() }
}

/// All pairs of vectors of up to three rows, or of two where there are many.
pub(crate) fn datasets<T: Clone>(few: &[T]) -> Vec<(Vec<T>, Vec<T>)> {
    all_pairs(&all_vectors(few, if few.len() > 4 { 2 } else { 3 }))
}

/// The least share of its claim that a transformation must show on exhaustive pairs, and the least on neighbors that
/// are drawn: neither hides what the other leaves out. One number stands for both.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Floors {
    exhaustive: f64,
    drawn: f64,
}

impl From<f64> for Floors {
    fn from(both: f64) -> Self {
        Self { exhaustive: both, drawn: both }
    }
}

impl From<(f64, f64)> for Floors {
    fn from((exhaustive, drawn): (f64, f64)) -> Self {
        Self { exhaustive, drawn }
    }
}

/// The audit of a transformation on pairs of inputs, and on neighbors by edits of its own metric in its own domain, in
/// which parts of some examples come too.
#[track_caller]
pub(crate) fn on_neighbors<DI, DO, MI, MO>(
    floors: impl Into<Floors>,
    step: &Transformation<DI, DO, MI, MO>,
    pairs: Vec<(Owned<DI>, Owned<DI>)>,
    examples: &[Owned<DI>],
) -> Report
where
    DI: Fenced,
    DO: Fenced,
    Owned<DI>: Debug,
    Owned<DO>: Debug,
    DO::Carrier: Seen,
    MI: Measured<DI::Carrier> + Edits<DI>,
    MO: Measured<DO::Carrier>,
{
    let Floors { exhaustive, drawn } = floors.into();
    part(exhaustive, stability(step, pairs)).and(part(drawn, stability_by_edits(step, examples, script())))
}

/// The audit of a transformation of rows, which must show at least these shares of its claim: all pairs of small
/// datasets, neighbors, and the map alone.
#[track_caller]
pub(crate) fn stable<D, DO, MI, MO>(
    floors: impl Into<Floors>,
    step: &Transformation<VectorDomain<D>, DO, MI, MO>,
    few: &[Owned<D>],
) -> Report
where
    D: Fenced,
    DO: Fenced,
    Owned<D>: Debug,
    Owned<DO>: Debug,
    DO::Carrier: Seen,
    MI: Measured<[Owned<D>]> + Edits<VectorDomain<D>> + Metric<Distance = u32>,
    MO: Measured<DO::Carrier> + Metric<Distance: Default>,
{
    let zero = MO::Distance::default();
    on_neighbors(floors, step, datasets(few), &[few.to_vec()]).and(stability_map_rises(step, &ladder_of_rows(), &zero))
}

/// The audit of a measurement whose distribution is known by a formula: every pair of inputs by the formula, and draws
/// from the code at some of them against the formula, seen through a view. A formula that the draws do not follow is a
/// violation.
pub(crate) fn by_formula<DI, TO, MI, MO>(
    measurement: &Measurement<DI, TO, MI, MO>,
    inputs: &[Owned<DI>],
    law: impl Fn(&Owned<DI>) -> Law,
    view: impl Fn(Key) -> Key + Sync,
) -> Report
where
    DI: Domain,
    Owned<DI>: Debug,
    TO: Seen + 'static,
    MI: Measured<DI::Carrier>,
    MO: Claims,
{
    let run = |input: &Owned<DI>, entropy: &mut dyn Entropy| {
        Ok(view(measurement.invoke_with(input.borrow(), entropy)?.key()))
    };
    by_formula_with(measurement, inputs, law, &run)
}

/// Like the function above, for a custom run.
pub(crate) fn by_formula_with<DI, TO, MI, MO>(
    measurement: &Measurement<DI, TO, MI, MO>,
    inputs: &[Owned<DI>],
    law: impl Fn(&Owned<DI>) -> Law,
    run: &Run<Owned<DI>>,
) -> Report
where
    DI: Domain,
    Owned<DI>: Debug,
    TO: 'static,
    MI: Measured<DI::Carrier>,
    MO: Claims,
{
    let laws: Vec<(Owned<DI>, Law)> = inputs.iter().map(|input| (input.clone(), law(input))).collect();
    let mut report = compare_laws("formula", measurement, &laws);
    // Draws add nothing to a violation.
    if report.is_violated() {
        return report;
    }
    // Draws at some inputs: the others differ in nothing that a sampler knows.
    for ((input, law), stream) in laws.iter().step_by(laws.len().div_ceil(6)).zip(0..) {
        let effort = effort();
        let [mut counts, more] = sample(run, input, stream, &effort).unwrap();
        for (key, count) in more {
            *counts.entry(key).or_insert(0) += count;
        }
        report.runs += counts.values().sum::<u64>();
        let gap = gap(&counts, law, effort.confidence);
        if gap > 1.0 {
            return Report::violated("formula", format!("draws at {input:?} are {gap} times too far from the formula"));
        }
    }
    report.and(Report::new("fit"))
}

/// So many draws at each of some inputs against the distribution there, seen as it is and through each of some views.
pub(crate) fn fit<X: Sync + Debug>(
    (run, draws): (&Run<X>, u64),
    inputs: &[X],
    law: impl Fn(&X) -> Law,
    views: &[&dyn Fn(&Key) -> Key],
) -> Report {
    let effort = Effort { draws: draws * u64::from(depth()), ..Effort::default() };
    let mut report = Report::new("fit");
    for (input, stream) in inputs.iter().zip(1_000..) {
        let [mut counts, more] = match sample(run, input, stream, &effort) {
            Ok(counts) => counts,
            Err(error) => return Report::violated("fit", format!("{input:?} fails: {error}")),
        };
        for (key, count) in more {
            *counts.entry(key).or_insert(0) += count;
        }
        report.runs += counts.values().sum::<u64>();
        let law = law(input);
        let same: &dyn Fn(&Key) -> Key = &Key::clone;
        for view in std::iter::once(same).chain(views.iter().copied()) {
            let mut seen = BTreeMap::new();
            for (key, count) in &counts {
                *seen.entry(view(key)).or_insert(0) += count;
            }
            let gap = gap(&seen, &law.image(view), effort.confidence);
            if gap > 1.0 {
                return Report::violated("fit", format!("draws at {input:?} are {gap} times too far from the formula"));
            }
        }
    }
    report
}

/// A map's value against the formula that it is cited for, where no distribution shows it: not below, and by no more
/// than a small part above.
pub(crate) fn at_least(what: &str, claimed: f64, formula: &Mass, part: f64) -> Report {
    let mut report = Report { pairs: 1, ratio: formula.lower() / claimed, ..Report::new("map") };
    if claimed < formula.lower() || claimed > formula.upper() * (1.0 + part) {
        let witness = format!("{what}: {claimed} for {}", formula.upper());
        report.verdict = Verdict::Violated { witness };
    }
    report
}

/// Outcomes as they are.
pub(crate) fn same(key: Key) -> Key {
    key
}

/// A measurement's map on a ladder, from 0 at distance 0.
pub(crate) fn rises<DI: Domain, TO: 'static, MI: Metric, MO: Measure>(
    measurement: &Measurement<DI, TO, MI, MO>,
    ladder: &[MI::Distance],
    zero: &MO::Distance,
) -> Report {
    indistinct_audit::stability::map_rises(|d_in| measurement.map(d_in).ok(), ladder, zero)
}

/// What is attained only by a row that is never drawn, and only by rows that are not among the few.
#[test]
fn neither_toys_nor_drawn_neighbors_hide_what_the_other_leaves_out() {
    const RARE: i64 = 8_675_309;
    let count = |of: fn(&i64) -> bool| {
        let counted = move |rows: &[i64]| i64::try_from(rows.iter().filter(|row| of(row)).count()).unwrap_or(0);
        let (rows, to) = (VectorDomain::new(AtomDomain::i64()), AbsoluteDistance::new());
        let map = |d_in: &u32| Ok(f64::from(*d_in));
        make_user_transformation(rows, SymmetricDistance, AtomDomain::i64(), to, counted, map).unwrap()
    };
    let (rare, common) = (count(|row| *row == RARE), count(|row| *row != RARE));
    let passes = |floors: (f64, f64), step: &Transformation<_, _, _, _>| {
        let audit = || on_neighbors(floors, step, datasets(&[RARE]), &[]);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(audit)).is_ok()
    };
    assert_eq!([(0.95, 0.95), (0.0, 0.95), (0.95, 0.0)].map(|floors| passes(floors, &rare)), [false, false, true]);
    assert_eq!([(0.95, 0.95), (0.0, 0.95), (0.95, 0.0)].map(|floors| passes(floors, &common)), [false, true, false]);
}
