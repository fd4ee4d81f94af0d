//! The steps of a plan, one after another.

use super::{
    FrameMetric,
    call::{COMPOSITION, Call, MEASUREMENTS, SUMS_OF_UNKNOWN_KEYS, refuse},
    functions::Functions,
    hints::{instead, nearest},
    measurement::FrameMeasurement,
    own, postprocessing,
    registry::entries,
    stage::Stage,
};
use crate::{
    combinators::{make_composition, make_sums_of_unknown_keys},
    core::{Error, ErrorKind, Fallible, FromParameter, Given, How, Releasable, Released, Shape, first_that_fits},
    domains::{AtomDomain, MapDomain},
    frames::FrameDomain,
    measurements::threshold::ThresholdAtom,
    measures::{
        Approximate, CompositionMeasure, GaussianDivergence, MaxDivergence, PrivacyLossDivergence, RangeDivergence,
        RenyiDivergence, SmoothedMaxDivergence, ZeroConcentratedDivergence,
    },
    metrics::L01InfDistance,
};
use indistinct_numeric::Dyadic;

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
    stage: Stage,
    place: &str,
    calls: &[Call],
    functions: &Functions,
) -> Fallible<FrameMeasurement> {
    match stage_after(stage, place, calls, functions)? {
        Stage::Release(measurement) => Ok(measurement),
        _ => Err(refuse(place, "the last step must be a release, such as laplace")),
    }
}

/// Returns the stage after steps that stand at this place.
fn stage_after(mut stage: Stage, place: &str, calls: &[Call], functions: &Functions) -> Fallible<Stage> {
    for (index, call) in calls.iter().enumerate() {
        let next = match call.name.as_str() {
            COMPOSITION => compose(&stage, call, functions),
            SUMS_OF_UNKNOWN_KEYS => sums_of_unknown_keys(&stage, call, functions),
            _ => next(&stage, call, functions),
        };
        stage = next.map_err(|error| at(&format!("{place}[{index}]"), call, &error))?;
    }
    Ok(stage)
}

/// The stage after one more step.
fn next(stage: &Stage, call: &Call, functions: &Functions) -> Fallible<Stage> {
    if !call.measurements.is_empty() {
        return Err(refuse(MEASUREMENTS, &format!("only {COMPOSITION} and {SUMS_OF_UNKNOWN_KEYS} have measurements")));
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
    let (parameters, instances) = match entry.how {
        How::Rebuilt { parameters, instances } => (parameters, instances),
        How::Exempt(reason) => return Err(refuse("make", &format!("{} is not part of plans: {reason}", call.name))),
        How::ByHand(_) => return Err(refuse("make", &format!("{} needs {MEASUREMENTS}", call.name))),
    };
    if let Some((unknown, _)) = call.parameters.iter().find(|(name, _)| !parameters.contains(&name.as_str())) {
        let known = if parameters.is_empty() { "none".into() } else { parameters.join(", ") };
        let is_budget = BUDGETS.contains(&unknown.as_str()) && parameters.contains(&"scale");
        let hint = if is_budget { "; a query (`queries::Query`) finds the scale for a budget" } else { "" };
        return Err(refuse(
            unknown,
            &format!("is not a parameter of {}, whose parameters are: {known}{hint}", call.name),
        ));
    }
    first_that_fits(&instances, stage, &Given::new(&call.parameters)).unwrap_or_else(|| {
        let words = stage.words();
        let rule = format!("{} does not accept its input: {words}", call.name);
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

/// The composition of several measurements of the data so far. It cannot follow a release, which each part would
/// release again.
fn compose(stage: &Stage, call: &Call, functions: &Functions) -> Fallible<Stage> {
    if let Stage::Release(_) = stage {
        return Err(refuse("make", "a composition must follow data, not a release"));
    }
    if let Some((unknown, _)) = call.parameters.first() {
        return Err(refuse(unknown, "is not a parameter of composition, whose only parameter is measurements"));
    }
    let build = |(part, calls): (usize, &Vec<Call>)| {
        build_after(stage.clone(), &format!("{MEASUREMENTS}[{part}]"), calls, functions)
    };
    let parts = call.measurements.iter().enumerate().map(build).collect::<Fallible<Vec<_>>>()?;
    composed(&parts).map(Stage::Release)
}

/// The sums of the keys that pass a threshold, from chains to the counts and to each sum of the data so far.
fn sums_of_unknown_keys(stage: &Stage, call: &Call, functions: &Functions) -> Fallible<Stage> {
    if let Stage::Release(_) = stage {
        return Err(refuse("make", "sums of unknown keys must follow data, not a release"));
    }
    const PARAMETERS: [&str; 3] = ["scale", "threshold", "scales"];
    if let Some((unknown, _)) = call.parameters.iter().find(|(name, _)| !PARAMETERS.contains(&name.as_str())) {
        let known = PARAMETERS.join(", ");
        return Err(refuse(unknown, &format!("is not a parameter of {}, whose parameters are: {known}", call.name)));
    }
    let build = |(part, calls): (usize, &Vec<Call>)| {
        stage_after(stage.clone(), &format!("{MEASUREMENTS}[{part}]"), calls, functions)
    };
    let parts = call.measurements.iter().enumerate().map(build).collect::<Fallible<Vec<_>>>()?;
    let [counts, sums @ ..] = parts.as_slice() else {
        return Err(refuse(MEASUREMENTS, "must begin with the counts of keys"));
    };
    let given = Given::new(&call.parameters);
    sums_of::<i64>(counts, sums, &given).or_else(|| sums_of::<i128>(counts, sums, &given)).unwrap_or_else(|| {
        let words = parts.iter().map(Stage::words).collect::<Vec<_>>().join("; ");
        let rule =
            "must be maps from keys to counts, and then maps from keys to sums of floats, in L01InfDistance, not";
        Err(refuse(MEASUREMENTS, &format!("{rule}: {words}")))
    })
}

/// With counts of this type, of individuals or of rows, if the chains have them.
fn sums_of<T: ThresholdAtom<Release: FromParameter + Releasable>>(
    counts: &Stage,
    sums: &[Stage],
    given: &Given<'_>,
) -> Option<Fallible<Stage>> {
    let counts = counts.at::<MapDomain<String, AtomDomain<T>>, L01InfDistance>()?;
    let sums = sums.iter().map(Stage::at::<MapDomain<String, AtomDomain<Dyadic>>, L01InfDistance>);
    let sums = sums.collect::<Option<Vec<_>>>()?;
    let build = || {
        let (scale, threshold, scales) = (given.read("scale")?, given.read("threshold")?, given.read("scales")?);
        make_sums_of_unknown_keys(counts, scale, threshold, sums, scales)
    };
    Some(build().map(Stage::released))
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
            let rule = format!("is under {}, but the first measurement is under {first}", measurement.measure());
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
