//! The steps of a plan, one after another.

use super::{
    FrameMetric,
    call::{COMPOSITION, Call, MEASUREMENTS, ROW, refuse},
    functions::Functions,
    hints::{instead, nearest},
    measurement::FrameMeasurement,
    own, postprocessing,
    registry::entries,
    stage::Stage,
};
use crate::{
    combinators::make_composition,
    core::{Error, ErrorKind, Fallible, Given, How, Released, Shape, first_that_fits},
    frames::{ColumnDomain, FrameDomain, Kind},
    measures::{
        Approximate, CompositionMeasure, GaussianDivergence, MaxDivergence, PrivacyLossDivergence, RangeDivergence,
        RenyiDivergence, SmoothedMaxDivergence, ZeroConcentratedDivergence,
    },
};

/// The measurement of these steps, which may call these functions of the program's.
pub(super) fn build(
    domain: &FrameDomain,
    metric: FrameMetric,
    calls: &[Call],
    functions: &Functions,
) -> Fallible<FrameMeasurement> {
    build_after(Stage::Space(domain.clone(), metric), "steps", calls, functions)
}

/// The measurement of steps that stand at this place, after what has been built.
pub(super) fn build_after(
    mut stage: Stage,
    place: &str,
    calls: &[Call],
    functions: &Functions,
) -> Fallible<FrameMeasurement> {
    for (index, call) in calls.iter().enumerate() {
        let next =
            if call.name == COMPOSITION { compose(&stage, call, functions) } else { next(&stage, call, functions) };
        stage = next.map_err(|error| at(&format!("{place}[{index}]"), call, &error))?;
    }
    match stage {
        Stage::Release(measurement) => Ok(measurement),
        _ => Err(refuse(place, "the last step must be a release, such as laplace")),
    }
}

/// The stage after one more step.
fn next(stage: &Stage, call: &Call, functions: &Functions) -> Fallible<Stage> {
    if !call.measurements.is_empty() {
        return Err(refuse(MEASUREMENTS, "only a composition has measurements"));
    }
    if let Some(released) = postprocessing::after(stage, call) {
        return released.map(Stage::Release);
    }
    if let Some(next) = own::after(stage, call, functions) {
        return next;
    }
    let name = format!("make_{}", call.name);
    let Some(entry) = entries().find(|entry| entry.name == name) else {
        return Err(unknown(&call.name));
    };
    let (parameters, has_row, instances) = match entry.how {
        How::Rebuilt { parameters, has_row, instances } => (parameters, has_row, instances),
        How::Exempt(reason) => return Err(refuse("make", &format!("{} is not part of plans: {reason}", call.name))),
        How::ByHand => return Err(refuse("make", &format!("{} is not called by its name alone", call.name))),
    };
    let is_known = |name: &str| parameters.contains(&name) || (has_row && name == ROW);
    if let Some((unknown, _)) = call.parameters.iter().find(|(name, _)| !is_known(name)) {
        let known = if parameters.is_empty() { "none".into() } else { parameters.join(", ") };
        let is_budget = BUDGETS.contains(&unknown.as_str()) && parameters.contains(&"scale");
        let hint = if is_budget { "; a query (`queries::Query`) finds the scale for a budget" } else { "" };
        return Err(refuse(unknown, &format!("no parameter of {}, whose parameters are: {known}{hint}", call.name)));
    }
    let row = match stage.frames() {
        Some(frames) if has_row => Some(row(&frames, call)?),
        _ => None,
    };
    let given = Given::new(&call.parameters, row.as_deref());
    first_that_fits(&instances, stage, &given).unwrap_or_else(|| {
        let words = stage.words();
        let rule = match row {
            Some(row) => format!("no plan reads rows of {row} by {} from {words}", call.name),
            None => format!("{} does not take what comes before it: {words}", call.name),
        };
        let hint = instead(&call.name, &words).map(|hint| format!("; {hint}")).unwrap_or_default();
        Err(refuse("make", &format!("{rule}{hint}")))
    })
}

/// Parameters that a user might give to a step with noise instead of its scale.
const BUDGETS: [&str; 4] = ["epsilon", "delta", "rho", "budget"];

/// A step of a name that there is not.
fn unknown(name: &str) -> Error {
    let constructors = entries().filter(|entry| !matches!(entry.how, How::Exempt(_))).map(|entry| entry.name);
    let names =
        constructors.map(|name| name.trim_start_matches("make_")).chain(postprocessing::NAMES).chain(own::NAMES);
    let hint = nearest(name, names).map(|nearest| format!("; there is {nearest:?}")).unwrap_or_default();
    refuse("make", &format!("there is no step {name:?}{hint}"))
}

/// The most columns that are read as typed rows; no row of a plan has as many.
const MAX_COLUMNS: usize = 8;

/// The type as which columns are read: the given one, or else that of their domains.
fn row(frames: &FrameDomain, call: &Call) -> Fallible<String> {
    let given = Given::new(&call.parameters, None);
    if let Some(row) = given.read::<Option<String>>(ROW)? {
        return Ok(row.replace(' ', ""));
    }
    let names: Vec<String> = given.read("columns")?;
    if names.len() > MAX_COLUMNS {
        return Err(refuse("columns", &format!("must be at most {MAX_COLUMNS}")));
    }
    let mut types = names.iter().map(|name| frames.column(name).map(row_type)).collect::<Fallible<Vec<_>>>()?;
    let last = types.pop().ok_or_else(|| refuse("columns", "must not be empty"))?;
    Ok(types.iter().rev().fold(last, |rest, first| format!("({first},{rest})")))
}

/// The type as which a cell of a column is read.
fn row_type(column: &ColumnDomain) -> String {
    let name = match column.kind() {
        Kind::Float => "f64",
        Kind::Bool => "bool",
        Kind::Text => "String",
        _ => "i64",
    };
    if column.has_missing() { format!("Option<{name}>") } else { name.into() }
}

/// The composition of several measurements of the data so far. It cannot follow a release, which each part would
/// release again.
fn compose(stage: &Stage, call: &Call, functions: &Functions) -> Fallible<Stage> {
    if let Stage::Release(_) = stage {
        return Err(refuse("make", "a composition follows on data, not on a release"));
    }
    if let Some((unknown, _)) = call.parameters.first() {
        return Err(refuse(unknown, "no parameter of composition, which has measurements alone"));
    }
    let build = |(part, calls): (usize, &Vec<Call>)| {
        build_after(stage.clone(), &format!("{MEASUREMENTS}[{part}]"), calls, functions)
    };
    let parts = call.measurements.iter().enumerate().map(build).collect::<Fallible<Vec<_>>>()?;
    composed(&parts).map(Stage::Release)
}

/// Under the measure of the first.
fn composed(parts: &[FrameMeasurement]) -> Fallible<FrameMeasurement> {
    let first = parts.first().ok_or_else(|| refuse(MEASUREMENTS, "must not be empty"))?;
    macro_rules! under {
        ($($measure:ty),+) => {$(
            if first.as_measurement::<$measure>().is_some() {
                return composed_under::<$measure>(parts);
            }
        )+};
    }
    under!(MaxDivergence, RangeDivergence, ZeroConcentratedDivergence, RenyiDivergence, GaussianDivergence);
    under!(SmoothedMaxDivergence, PrivacyLossDivergence);
    under!(Approximate<MaxDivergence>, Approximate<RangeDivergence>, Approximate<ZeroConcentratedDivergence>);
    under!(Approximate<RenyiDivergence>, Approximate<GaussianDivergence>);
    under!(Approximate<SmoothedMaxDivergence>, Approximate<PrivacyLossDivergence>);
    Err(refuse(MEASUREMENTS, &format!("releases under {} do not compose in a plan", first.measure())))
}

fn composed_under<MO: CompositionMeasure>(parts: &[FrameMeasurement]) -> Fallible<FrameMeasurement> {
    let under = |(part, measurement): (usize, &FrameMeasurement)| {
        measurement.as_measurement::<MO>().cloned().ok_or_else(|| {
            let first = parts.first().map(FrameMeasurement::measure).unwrap_or_default();
            let rule = format!("is under {}, where the first is under {first}", measurement.measure());
            refuse(&format!("{MEASUREMENTS}[{part}]"), &rule)
        })
    };
    let measurements = parts.iter().enumerate().map(under).collect::<Fallible<Vec<_>>>()?;
    let whole = make_composition(measurements)?.with_release(|released| Released::List(released.clone()));
    Ok(FrameMeasurement::new(whole, Shape::Parts(parts.iter().map(|part| part.shape().clone()).collect())))
}

/// An error of what stands at this place.
fn at(path: &str, call: &Call, error: &Error) -> Error {
    match error.kind() {
        // It begins with the rest of the way.
        ErrorKind::Plan => Error::new(ErrorKind::Plan, format!("{path}.{}", error.message())),
        ErrorKind::Parameter(name) if call.parameters.iter().any(|(given, _)| given == name) => {
            refuse(&format!("{path}.{name}"), error.message())
        }
        _ => refuse(path, &error.to_string()),
    }
}
