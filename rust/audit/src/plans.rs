//! Audits plans: compares the releases of tables that are drawn for the audit.

use crate::{
    claim::{Claim, Claims},
    edits::{Edits, Pair, Script},
    exact::Run,
    key::{Key, Seen},
    members::Described,
    metric::{Comparison, Measured},
    report::Report,
    silence::{Repeats, deterministic},
    statistical::{Effort, refute},
};
use indistinct::{
    core::Released,
    frames::{Batch, FrameDomain},
    measures::{
        Approximate, GaussianDivergence, MaxDivergence, PrivacyLossDivergence, RangeDivergence, RenyiDivergence,
        SmoothedMaxDivergence, ZeroConcentratedDivergence,
    },
    plans::{FrameMeasurement, FrameMetric},
    prelude::{Error, Measurement},
    sampling::Entropy,
};
use proptest::{
    prelude::{BoxedStrategy, Strategy},
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use std::fmt;

/// The number and size of the tables to compare.
#[derive(Debug, Clone, Copy)]
pub struct Neighbors {
    /// The number of pairs of neighboring tables that are drawn. Each pair is examined with a few releases.
    pub drawn: u32,
    /// The number of pairs that are examined with the whole effort. They are the pairs that the few releases
    /// distinguish best.
    pub chosen: usize,
    /// The maximum number of rows of a table, if the plan does not fix the number.
    pub longest: usize,
}

impl Default for Neighbors {
    fn default() -> Self {
        Self { drawn: 200, chosen: 4, longest: 12 }
    }
}

/// A table in the form that a witness shows.
#[derive(Clone)]
struct Shown {
    frame: Vec<Batch>,
    text: String,
}

impl fmt::Debug for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Checks the map of a plan by releases of tables that are neighbors in the plan's metric. A release must depend only
/// on the table and its random bits, and draws must not refute the loss that the map states ([`refute`]).
///
/// Tables are drawn from the plan's columns in ways that break careless code, and their neighbors are drawn by edits
/// that the metric counts. Cells of `examples` are drawn, too. If a plan keeps few rows of a large domain, give
/// examples with rows that it keeps. They must be public or invented, because a witness shows rows.
///
/// ```
/// use indistinct::plans::FrameMeasurement;
/// use indistinct_audit::{plans::{Neighbors, check_plan}, statistical::Effort};
/// let plan = FrameMeasurement::from_toml(r#"
///     version = 2
///     metric = "SymmetricDistance"
///     [columns]
///     age = "integer(0..=120)"
///     [[steps]]
///     make = "filter_rows"
///     condition = "age >= 65"
///     [[steps]]
///     make = "rows"
///     columns = ["age"]
///     [[steps]]
///     make = "count"
///     [[steps]]
///     make = "laplace"
///     scale = 2
/// "#)?;
/// let report = check_plan(&plan, &[], Neighbors::default(), &Effort { draws: 20_000, ..Effort::default() });
/// assert!(!report.is_violated() && report.ratio > 0.5, "{report}");
/// # Ok::<(), indistinct::core::Error>(())
/// ```
///
/// If the library does not know a plan's measure, the plan is not tested, and the report states this.
pub fn check_plan(plan: &FrameMeasurement, examples: &[Vec<Batch>], neighbors: Neighbors, effort: &Effort) -> Report {
    macro_rules! under {
        ($($measure:ty),+ $(,)?) => {
            $(if let Ok(measurement) = plan.under::<$measure>() {
                return check_under(&measurement, examples, neighbors, effort);
            })+
        };
    }
    under!(
        MaxDivergence,
        Approximate<MaxDivergence>,
        ZeroConcentratedDivergence,
        Approximate<ZeroConcentratedDivergence>,
        RenyiDivergence,
        SmoothedMaxDivergence,
        GaussianDivergence,
        PrivacyLossDivergence,
        RangeDivergence,
    );
    Report::untested("statistical", format!("losses of {} are not compared with draws", plan.measure()))
}

type OnFrames<MO> = Measurement<FrameDomain, Released, FrameMetric, MO>;

fn check_under<MO: Claims>(
    measurement: &OnFrames<MO>,
    examples: &[Vec<Batch>],
    neighbors: Neighbors,
    effort: &Effort,
) -> Report {
    const KIND: &str = "statistical";
    if let Some(defect) = effort.defect() {
        return Report::untested(KIND, defect);
    }
    let domain = measurement.input_domain();
    if examples.iter().any(|table| !domain.describes(table)) {
        return Report::untested(KIND, "a table of the examples is not one that the plan takes");
    }
    let run = |table: &Shown, entropy: &mut dyn Entropy| Ok(measurement.invoke_with(&table.frame, entropy)?.key());
    let pairs = match drawn(measurement, examples, neighbors, effort.seed) {
        Ok(pairs) => pairs,
        Err(error) => return Report::violated(KIND, format!("the map fails: {error}")),
    };
    let mut chosen = match best(&run, pairs, neighbors.chosen, effort) {
        Ok(chosen) => chosen,
        Err(error) => return Report::violated(KIND, format!("a run fails: {error}")),
    };
    if chosen.iter().all(|(_, _, claims)| claims.iter().all(|claim| claim.bound() == f64::INFINITY)) {
        return Report::untested(KIND, "nothing finite is claimed of any two tables that were drawn");
    }
    let tables: Vec<Shown> = chosen.iter().flat_map(|(one, other, _)| [one.clone(), other.clone()]).collect();
    let alone = deterministic(&run, &tables, Repeats { tapes: 3, threads: 4 });
    // What claims nothing would pass.
    chosen.retain(|(_, _, claims)| !claims.is_empty());
    let drawn = refute(&run, &chosen, &[], effort)
        .unwrap_or_else(|error| Report::violated(KIND, format!("a run fails: {error}")));
    alone.and(drawn)
}

/// Two tables, and the claims about their releases.
type Claimed = (Shown, Shown, Vec<Claim>);

/// Draws pairs of tables at finite distances greater than 0.
fn drawn<MO: Claims>(
    measurement: &OnFrames<MO>,
    examples: &[Vec<Batch>],
    neighbors: Neighbors,
    seed: u64,
) -> Result<Vec<Claimed>, Error> {
    let (domain, metric) = (measurement.input_domain(), measurement.input_metric());
    // One edit of a table of the most rows, on average.
    let script = Script { longest: neighbors.longest.max(1), edits: 1, cases: neighbors.drawn };
    let strategy = metric.neighbors(domain, examples, script);
    let mut bytes = [0; 32];
    bytes.iter_mut().zip(seed.to_le_bytes()).for_each(|(byte, of_seed)| *byte = of_seed);
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let mut pairs = Vec::new();
    // Some pairs are equal.
    for _ in 0..neighbors.drawn.saturating_mul(10) {
        let Ok(tree) = strategy.new_tree(&mut runner) else { break };
        let (one, other) = tree.current();
        let Some(distance) = metric.distance_in(domain, &one, &other).filter(|distance| *distance > 0) else {
            continue;
        };
        let claims = measurement.output_measure().claims(&measurement.map(&distance)?)?;
        let shown = |frame: Vec<Batch>| Shown { text: domain.shown(&frame), frame };
        pairs.push((shown(one), shown(other), claims));
        if pairs.len() >= usize::try_from(neighbors.drawn).unwrap_or(usize::MAX) {
            break;
        }
    }
    Ok(pairs)
}

/// Returns the pairs that a few releases distinguish best, with the claims about them.
fn best(run: &Run<Shown>, pairs: Vec<Claimed>, chosen: usize, effort: &Effort) -> Result<Vec<Claimed>, Error> {
    /// These releases only choose the pairs. The conclusions use other bits, which are drawn afterwards.
    const FEW: Effort = Effort { draws: 512, confidence: 0.5, threads: 1, seed: 0, progress: None };
    let few = Effort { draws: FEW.draws.min(effort.draws), seed: effort.seed ^ 0x5eed, ..FEW };
    let mut rated = Vec::new();
    for pair in pairs {
        let pair = [pair];
        let ratio = refute(run, &pair, &[], &few)?.ratio;
        rated.extend(pair.map(|pair| (ratio, pair)));
    }
    rated.sort_by(|one, other| other.0.total_cmp(&one.0));
    Ok(rated.into_iter().take(chosen.max(1)).map(|(_, pair)| pair).collect())
}

impl Seen for Released {
    fn key(&self) -> Key {
        match self {
            Released::Bool(value) => value.key(),
            Released::Integer(value) => value.key(),
            Released::Float(value) => value.key(),
            Released::Text(value) => value.key(),
            Released::List(values) => values.key(),
            Released::Keyed(values) => values.key(),
            _ => Key::List(Vec::new()),
        }
    }
}

/// Evaluates the same expression for each metric, and `$other` for a metric that is not listed here.
macro_rules! of_each {
    ($value:expr, $metric:ident => $body:expr, $other:expr) => {
        match $value {
            FrameMetric::Symmetric($metric) => $body,
            FrameMetric::InsertDelete($metric) => $body,
            FrameMetric::ChangeOne($metric) => $body,
            FrameMetric::Hamming($metric) => $body,
            FrameMetric::SymmetricId($metric) => $body,
            FrameMetric::ChangeOneId($metric) => $body,
            _ => $other,
        }
    };
}

impl Measured<[Batch]> for FrameMetric {
    fn distance(&self, x: &[Batch], y: &[Batch]) -> Option<u32> {
        of_each!(self, metric => metric.distance(x, y), None)
    }

    fn compare(&self, x: &[Batch], y: &[Batch], claimed: &u32) -> Comparison {
        Comparison::of_rows(self.distance(x, y), *claimed)
    }

    fn distance_in<D: Described<Carrier = [Batch]>>(&self, domain: &D, x: &[Batch], y: &[Batch]) -> Option<u32> {
        of_each!(self, metric => metric.distance_in(domain, x, y), None)
    }

    fn compare_in<D: Described<Carrier = [Batch]>>(
        &self,
        domain: &D,
        x: &[Batch],
        y: &[Batch],
        claimed: &u32,
    ) -> Comparison {
        Comparison::of_rows(self.distance_in(domain, x, y), *claimed)
    }
}

impl Edits<FrameDomain> for FrameMetric {
    fn neighbors(
        &self,
        domain: &FrameDomain,
        examples: &[Vec<Batch>],
        script: Script,
    ) -> BoxedStrategy<Pair<FrameDomain>> {
        let nothing = || proptest::strategy::Just((Vec::new(), Vec::new())).boxed();
        of_each!(self, metric => metric.neighbors(domain, examples, script), nothing())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;
    use indistinct::{
        frames::{Cell, Column, Frame},
        plans::Functions,
    };
    use std::sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    };

    const FEW: Neighbors = Neighbors { drawn: 24, chosen: 1, longest: 8 };

    fn effort() -> Effort {
        Effort { draws: 10_000, ..Effort::default() }
    }

    fn plan(columns: &str, metric: &str, steps: &str) -> String {
        format!("version = 2\nmetric = \"{metric}\"\n{columns}\nsteps = [\n{steps}\n]\n")
    }

    const PEOPLE: &str = "columns = { who = \"text\", age = \"integer(0..=120)\" }\nindividuals = \"who\"";
    const OF_PEOPLE: &str = r#"
        { make = "bound_rows", columns = ["age"], max_rows = 2 },
        { make = "rows", columns = ["age"] },"#;

    #[test]
    fn sound_plans_are_not_refuted_under_each_measure() {
        let clamped = r#"{ make = "with_columns", columns = [["age", "clamp(age, 0, 100)"]] },"#;
        let rows = r#"{ make = "rows", columns = ["age"] },"#;
        for (metric, rows, noise) in [
            ("ChangeOneDistance", rows, r#"{ make = "laplace", scale = 100 }"#),
            (
                "SymmetricIdDistance",
                OF_PEOPLE,
                r#"{ make = "gaussian", output_measure = "ZeroConcentratedDivergence", scale = 100 }"#,
            ),
            (
                "SymmetricIdDistance",
                OF_PEOPLE,
                r#"{ make = "gaussian", output_measure = "ZeroConcentratedDivergence", scale = 100 },
                   { make = "zCDP_to_approxDP" }"#,
            ),
        ] {
            let steps = format!(r#"{clamped} {rows} {{ make = "sum" }}, {noise}"#);
            let text = plan(PEOPLE, metric, &steps);
            let measurement = FrameMeasurement::from_toml(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let report = check_plan(&measurement, &[], FEW, &effort());
            assert!(matches!(report.verdict, Verdict::NotRefuted { .. }), "{text}{report}");
            // The tables that were chosen are such as tell it apart.
            assert!(report.ratio > 0.3, "{text}{report}");
        }
    }

    /// A function of rows that remembers, and one of the release that tells what the other has seen.
    #[test]
    fn functions_that_break_their_promise_are_found() {
        let oldest = Arc::new(AtomicI64::new(0));
        let (seen, told) = (oldest.clone(), oldest);
        let functions = Functions::new()
            .column("remember", move |cells| {
                if let [Cell::Integer(age)] = cells {
                    seen.store(*age, Ordering::SeqCst);
                }
                Cell::Integer(1)
            })
            .and_then(|functions| {
                functions.postprocessing("tell", move |_| Ok(Released::Integer(told.load(Ordering::SeqCst).into())))
            })
            .unwrap();
        let steps = r#"
            { make = "own_column", name = "remember", of = ["age"], column = "one", domain = "integer(0..=1)" },
            { make = "with_columns", columns = [["one", "fill_null(one, 0)"]] },
            { make = "rows", columns = ["one"] },
            { make = "count" },
            { make = "laplace", scale = 1 },
            { make = "own_function", name = "tell" },"#;
        let text = plan(r#"columns = { age = "integer(0..=120)" }"#, "SymmetricDistance", steps);
        let measurement = FrameMeasurement::from_toml_with(&text, &functions).unwrap_or_else(|error| panic!("{error}"));
        let report = check_plan(&measurement, &[], FEW, &effort());
        assert!(report.is_violated(), "{report}");
    }

    /// A condition that no drawn row meets, unless rows are given.
    #[test]
    fn examples_reach_what_chance_does_not() {
        let columns = r#"columns = { city = "text", age = "integer(0..=120)" }"#;
        let steps = r#"
            { make = "filter_rows", condition = 'city == "Heidelberg"' },
            { make = "rows", columns = ["age"] },
            { make = "count" },
            { make = "laplace", scale = 1 },"#;
        let measurement = FrameMeasurement::from_toml(&plan(columns, "SymmetricDistance", steps)).unwrap();
        let table = Frame::new([
            ("city", ["Heidelberg", "Mannheim"].into_iter().collect::<Column>()),
            ("age", [33i64, 44].into_iter().collect()),
        ]);
        let examples = [table.unwrap().to_vec()];
        let ratio = |examples: &[Vec<Batch>]| check_plan(&measurement, examples, FEW, &effort()).ratio;
        let (none, some) = (ratio(&[]), ratio(&examples));
        assert!(none < 0.1 && some > 0.5, "{none} {some}");
        let other = Frame::new([("age", [33i64].into_iter().collect::<Column>())]).unwrap().to_vec();
        let report = check_plan(&measurement, &[other], FEW, &effort());
        assert!(matches!(report.verdict, Verdict::Untested { .. }));
    }
}
