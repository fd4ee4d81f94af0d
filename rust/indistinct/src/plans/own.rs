//! Steps by functions of the program's own.

use super::{
    call::{Call, refuse},
    functions::Functions,
    stage::Stage,
};
use crate::{
    core::{Builder, CALLER_TRUSTED, Fallible, Function, Given, Plan, Postprocessing, Released, Shape, ToParameter},
    frames::{OwnColumn, own_column},
    metrics::{AnyRowMetric, ChangeOneIdDistance, SymmetricIdDistance},
};

const FUNCTION: &str = "own_function";
const COLUMN: &str = "own_column";

/// The names of all.
pub(super) const NAMES: [&str; 2] = [FUNCTION, COLUMN];

/// The mark that a plan has of a function of the program's; in a text it may be left out.
const MARK: &str = "function";

/// The stage after a step of one of these names; nothing, if it has another.
pub(super) fn after(stage: &Stage, call: &Call, functions: &Functions) -> Option<Fallible<Stage>> {
    match call.name.as_str() {
        FUNCTION => Some(function(stage, call, functions)),
        COLUMN => Some(column(stage, call, functions)),
        _ => None,
    }
}

fn function(stage: &Stage, call: &Call, functions: &Functions) -> Fallible<Stage> {
    let given = given(call, &["name"])?;
    let name: String = given.read("name")?;
    let own = functions.of_release(&name)?;
    let Stage::Release(release) = stage else {
        return Err(refuse("make", "own_function must follow a release"));
    };
    let plan = Plan::new(FUNCTION).parameter("name", &name).caller_trusted(MARK);
    let function = Function::new_fallible(move |released: &Released| own(released));
    Ok(Stage::Release(release.postprocess(Postprocessing { plan, function }, Shape::Own)?))
}

fn column(stage: &Stage, call: &Call, functions: &Functions) -> Fallible<Stage> {
    let given = given(call, &["name", "column", "of", "domain"])?;
    let own = OwnColumn {
        name: given.read("name")?,
        column: given.read("column")?,
        of: given.read("of")?,
        domain: given.read("domain")?,
    };
    let function = functions.of_row(&own.name)?;
    macro_rules! under {
        ($($metric:ty),+) => {$(
            let step = |domain, metric: $metric| own_column(domain, metric, &own, function.clone());
            if let Some(next) = stage.first(step) {
                return next;
            }
        )+};
    }
    under!(AnyRowMetric, SymmetricIdDistance, ChangeOneIdDistance);
    Err(refuse("make", &format!("own_column must follow a table, not {}", stage.words())))
}

/// The parameters of a step, which has those of these names and the mark.
fn given<'a>(call: &'a Call, known: &[&str]) -> Fallible<Given<'a>> {
    if let Some((unknown, _)) = call.parameters.iter().find(|(name, _)| name != MARK && !known.contains(&name.as_str()))
    {
        let rule = format!("is not a parameter of {}, whose parameters are: {}", call.name, known.join(", "));
        return Err(refuse(unknown, &rule));
    }
    let given = Given::new(&call.parameters);
    match given.raw(MARK) {
        Some(mark) if *mark != CALLER_TRUSTED.to_parameter() => {
            Err(refuse(MARK, &format!("must be the mark of a user-defined function: {CALLER_TRUSTED}")))
        }
        _ => Ok(given),
    }
}
