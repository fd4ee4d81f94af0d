//! Functions of a release that the library knows by name.

use super::{
    call::{Call, refuse},
    measurement::FrameMeasurement,
    stage::Stage,
};
use crate::{
    core::{Error, ErrorKind, Fallible, Function, Given, Parameter, Postprocessing, Releasable, Released, ToParameter},
    domains::Atom,
    postprocessing::{group_means, positions_to_categories},
};

/// The names of all.
pub(super) const NAMES: [&str; 2] = ["group_means", "positions_to_categories"];

/// The release after a function of this name; nothing, if it is the name of none.
pub(super) fn after(stage: &Stage, call: &Call) -> Option<Fallible<FrameMeasurement>> {
    let built: fn(&FrameMeasurement, &Given<'_>) -> Fallible<FrameMeasurement> = match call.name.as_str() {
        "group_means" => means,
        "positions_to_categories" => names,
        _ => return None,
    };
    let Stage::Release(release) = stage else {
        return Some(Err(refuse("make", &format!("{} must follow a release", call.name))));
    };
    let known = if call.name == "group_means" { "bounds" } else { "names" };
    if let Some((unknown, _)) = call.parameters.iter().find(|(name, _)| name != known) {
        return Some(Err(refuse(
            unknown,
            &format!("is not a parameter of {}, whose only parameter is {known}", call.name),
        )));
    }
    Some(built(release, &Given::new(&call.parameters)))
}

fn means(release: &FrameMeasurement, given: &Given<'_>) -> Fallible<FrameMeasurement> {
    apply(release, group_means(given.read("bounds")?)?)
}

/// Names of one type: texts, numbers or truth values.
fn names(release: &FrameMeasurement, given: &Given<'_>) -> Fallible<FrameMeasurement> {
    let first = match given.raw("names") {
        Some(Parameter::List(names)) => names.first(),
        _ => None,
    };
    match first {
        Some(Parameter::Integer(_)) => named::<i64>(release, given.read("names")?),
        Some(Parameter::Float(_)) => named::<f64>(release, given.read("names")?),
        Some(Parameter::Bool(_)) => named::<bool>(release, given.read("names")?),
        _ => named::<String>(release, given.read("names")?),
    }
}

fn named<T: Atom + ToParameter + Releasable>(release: &FrameMeasurement, names: Vec<T>) -> Fallible<FrameMeasurement> {
    if release.shape() == &usize::shape() {
        apply(release, positions_to_categories::<usize, T>(names))
    } else {
        apply(release, positions_to_categories::<Vec<usize>, T>(names))
    }
}

/// The function of the release in its own type.
fn apply<TO: FromReleased, TX: Releasable>(
    release: &FrameMeasurement,
    function: Postprocessing<TO, TX>,
) -> Fallible<FrameMeasurement> {
    if release.shape() != &TO::shape() {
        return Err(refuse(
            "make",
            &format!("{} must follow a release of {}, not of {}", function.plan.name, TO::shape(), release.shape()),
        ));
    }
    let Postprocessing { plan, function } = function;
    let of_released = Function::new_fallible(move |released: &Released| {
        let typed = TO::from_released(released);
        // The shape says that it is of this type.
        let typed = typed.ok_or_else(|| Error::new(ErrorKind::Plan, "the release has another type"))?;
        Ok(function.eval(&typed)?.released())
    });
    release.postprocess(Postprocessing { plan, function: of_released }, TX::shape())
}

/// Types that a release is read as again.
///
/// Promise: all that `released` gives of a type of this shape is read.
trait FromReleased: Releasable {
    fn from_released(released: &Released) -> Option<Self>
    where
        Self: Sized;
}

impl FromReleased for i64 {
    fn from_released(released: &Released) -> Option<Self> {
        if let Released::Integer(value) = released { (*value).try_into().ok() } else { None }
    }
}

impl FromReleased for usize {
    fn from_released(released: &Released) -> Option<Self> {
        if let Released::Integer(value) = released { (*value).try_into().ok() } else { None }
    }
}

impl FromReleased for f64 {
    fn from_released(released: &Released) -> Option<Self> {
        if let Released::Float(value) = released { Some(*value) } else { None }
    }
}

impl<T: FromReleased> FromReleased for Vec<T> {
    fn from_released(released: &Released) -> Option<Self> {
        if let Released::List(values) = released { values.iter().map(T::from_released).collect() } else { None }
    }
}

impl<A: FromReleased, B: FromReleased> FromReleased for (A, B) {
    fn from_released(released: &Released) -> Option<Self> {
        let Released::List(values) = released else { return None };
        let [first, second] = values.as_slice() else { return None };
        Some((A::from_released(first)?, B::from_released(second)?))
    }
}
